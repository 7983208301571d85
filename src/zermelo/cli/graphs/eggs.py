"""``zermelo eggs``: Sprague–Grundy values of games of no return, bounds, thresholds, and sums."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, cast

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli import options as opt
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.objective import Wish, choose_objective
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.output.listing import Listing, check_answer_output
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, plain_name
from zermelo.errors import InvalidObjectiveError

if TYPE_CHECKING:
    from zermelo.objectives.geography import Geography

KINDS = (
    "no-return", "return", "no-repetition", "repetition",
    "no-return:misere", "no-repetition:misere",
)  # fmt: skip
"""The objectives of ``--objective``."""

SUM_COLUMNS = ("component", "position", "value", "label", "moves")


@click.command()
@opt.SOURCE
@opt.position("--start", "Show the value of this start, and that of each first move.")
@opt.option(
    "--with others", "FILE A",
    "Add the game in another FILE from its start A, and solve the sum; may be repeated.",
    complete.files_and_games, nargs=2, multiple=True,
)  # fmt: skip
@opt.option(
    "--objective", None,
    "Values of games of return or repetition instead; misère geography in sums only.",
    type=click.Choice(KINDS),
)  # fmt: skip
@opt.option(
    "--threshold", "T",
    "Answer only whether values exceed T (the problem Q_T), which may be faster.",
    type=click.IntRange(min=0),
)  # fmt: skip
@opt.number(
    "--nodes", "Examine at most N situations for each value, and show bounds if that is too few.",
)  # fmt: skip
@opt.flag("--verify", "Check the values before they are shown.")
@opt.output("Write the values as a table: .csv or .tsv.")
@opt.FORCE
@opt.LIMIT
@opt.TIMEOUT
@opt.FORMAT
@opt.JSON
def command(file: str, **given: Any) -> None:
    """Show the EGGS value of every start in FILE: its Sprague–Grundy value if no position may
    be visited twice.

    The value is 0 if the player to move loses. The value of a sum is the nim-sum of the values.
    They are PSPACE-hard to find in general; --timeout and --nodes bound the search, and after
    --nodes situations bounds are shown. --start asks about one start only, and shows its value and
    those of the debuts after one move. The label is what the player to move gets; after one move,
    that is the opponent.

    --with solves a sum: its value, who wins, and all winning first moves. Where the paper of
    Edmonds and Gurvich says misère, the objective is return or repetition.

    \b
    zermelo eggs game.txt
    zermelo eggs game.txt --start a --timeout 60
    zermelo eggs game.txt --threshold 1 --nodes 1000
    zermelo eggs game.txt --start a --with other.txt b --objective return
    """
    output, as_json = given["output"], given["as_json"]
    if given["others"]:
        if given["start"] is None:
            raise click.UsageError("--with goes with --start, the start of the first component")
        if given["threshold"] is not None:
            raise click.UsageError("--threshold is for single games, and --with makes a sum")
    check_answer_output(output, file, given["force"], certificate=False)
    with Meter() as meter, Deadline(given["timeout"], name_of(file), meter.close):
        listing = _answer(file, given, meter)
    listing.answer(output, given["limit"], as_json)


def _answer(file: str, given: dict[str, Any], meter: "Meter") -> Listing:
    made = open_game(file, given["format_"], meter)
    start = made.find(given["start"], "--start")
    objective = _objective(made, given["objective"])
    if given["others"]:
        return _sum(made, start, objective, given, meter)
    if getattr(objective, "misere", False):
        raise click.UsageError(
            f"{name_of(file)}: misère geography has no values; --with solves sums of it, and "
            f"zermelo solve {file} --objective {objective.keyword}:misere a single game"
        )
    game = zm.GeographyGame(made.graph, objective)
    meter.stage("finding values")
    graph, question = made.graph, _Question(game, given)
    if start is None:
        entries = [([name], question.ask((name,))) for name in graph]
        return _all(made.text, objective, entries, question)
    debuts = [([start], question.ask((start,)))]
    debuts += [([start, x[-1]], question.ask(x)) for x in game.options((start,))]
    return _one(made.text, objective, start, debuts, question)


def _objective(made: Source, wanted: str | None) -> "Geography":
    """The game that is asked for, else that of the file, else no return."""
    from zermelo.objectives.geography import Geography

    own = made.objective
    if wanted is not None:
        return cast("Geography", choose_objective(made.graph, None, Wish(wanted)))
    if own is not None and not isinstance(own, Geography):
        raise click.UsageError(
            f"{name_of(made.text)} is a game of {own.keyword}, and EGGS values are for games of no "
            f"return; zermelo solve {made.text} says who wins, and --objective chooses a game"
        )
    return own or zm.NoReturn()


class _Question:
    """What is asked about each debut, and how it is answered in a row."""

    def __init__(self, game: "zm.GeographyGame", given: dict[str, Any]) -> None:
        self.game, self.nodes, self.verify = game, given["nodes"], given["verify"]
        self.threshold: int | None = given["threshold"]

    def ask(self, debut: tuple[Hashable, ...]) -> "zm.EggsBounds | None":
        """Bounds of the value, None if the player to move wins at once."""
        if self.game.decisive(debut):
            return None
        found = self.game.bounds(debut, threshold=self.threshold, nodes=self.nodes)
        return found.verify() if self.verify else found

    def columns(self, first: str, found: "list[zm.EggsBounds | None]") -> tuple[str, ...]:
        """The columns: bounds are shown if a value is not known, and the answer of Q_t."""
        if self.threshold is not None:
            return (first, "exceeds", "lower", "upper", "label")
        if all(x is None or x.exact for x in found):
            return (first, "value", "label")
        return (first, "value", "lower", "upper", "label")

    def row(self, columns: tuple[str, ...], found: "zm.EggsBounds | None") -> tuple[Any, ...]:
        """The entries of a row after the first."""
        if found is None:
            return (*(None for _ in columns[2:]), "WIN")
        entries = {
            "value": found.value if found.exact else None,
            "lower": found.lower,
            "upper": found.upper,
            "label": {True: "WIN", False: "LOSE", None: "UNDECIDED"}[found.exceeds(0)],
        }
        if self.threshold is not None:
            entries["exceeds"] = found.exceeds(self.threshold)
        return tuple(entries[name] for name in columns[1:])


Entries = list[tuple[list[Hashable], "zm.EggsBounds | None"]]


def _all(file: str, objective: "Geography", entries: Entries, question: _Question) -> Listing:
    bounds = [x for _, x in entries]
    columns = question.columns("position", bounds)
    lost = sum(x is not None and x.upper == 0 for x in bounds)
    largest = max((x.upper for x in bounds if x is not None), default=0)
    open_ = sum(x is not None and not x.exact for x in bounds)
    rows = [(name, *question.row(columns, found)) for (name,), found in entries]
    head = {"file": file, "positions": len(entries), "lost": lost, "largest": largest}
    summary = f"0 to {largest}; {count(lost, 'start')} lost"
    if open_ and question.threshold is None:
        summary += f"; {open_:,} not known, with bounds"
    facts = [
        ("game", f"{name_of(file)}, {count(len(entries), 'position')}, {_name(objective)}"),
        ("values", summary),
    ]
    return Listing(head | _verified(question), facts, "values", columns, lambda: rows, len(rows))


def _one(
    file: str, objective: "Geography", name: Hashable, entries: Entries, question: _Question
) -> Listing:
    columns = question.columns("debut", [x for _, x in entries])
    found = entries[0][1]
    rows = [(debut, *question.row(columns, bounds)) for debut, bounds in entries]
    span = "the player to move wins at once" if found is None else f"value {found.span}"
    answers = dict(zip(columns[1:], question.row(columns, found), strict=True))
    head = {"file": file, "start": plain_name(name)} | answers
    facts = [
        ("game", f"{name_of(file)}, {_name(objective)}"),
        ("start", f"{name}: {span}, {answers['label']} for the player to move"),
    ]
    return Listing(head | _verified(question), facts, "debuts", columns, lambda: rows, len(rows))


def _verified(question: _Question) -> dict[str, Any]:
    return {"verified": True} if question.verify else {}


def _name(objective: "Geography") -> str:
    misere = ", misère" if getattr(objective, "misere", False) else ""
    return objective.keyword.replace("-", " ") + misere


# -------------------------------------------------------------------- sums


def _sum(
    made: Source, start: Hashable, objective: "Geography", given: dict[str, Any], meter: "Meter"
) -> Listing:
    parts = [(made, start, objective)]
    for file, name in given["others"]:
        other = open_game(file, None, meter)
        own = _objective(other, given["objective"])
        parts.append((other, other.find(name, "--with"), own))
    for source, _, kind in parts:
        try:
            kind.check(source.graph)
        except InvalidObjectiveError as error:
            raise InvalidObjectiveError(f"{name_of(source.text)}: {error}") from None
    meter.stage("solving the sum")
    games = [(zm.Game(source.graph, kind), name) for source, name, kind in parts]
    found = zm.geography_sum(games, nodes=given["nodes"])
    if given["verify"]:
        found.verify()
    return _sum_listing([source.text for source, _, _ in parts], found, given["verify"])


def _sum_listing(files: list[str], found: "zm.GeographySum", verified: bool) -> Listing:
    moves = [f"{move.component}:{move.to}" for move in found.winning_moves]
    misere = any(getattr(x, "misere", False) for x in found.objectives)
    rows: list[tuple[Any, ...]] = []
    for k, (debut, value) in enumerate(zip(found.debuts, found.values, strict=True)):
        label = None if misere else "WIN" if value is None or value else "LOSE"
        rows.append((str(k), debut[-1], value, label, None))
    rows.append(("sum", None, found.value, found.label.name, moves))
    head = {
        "files": files, "label": found.label.name, "value": found.value,
        "values": list(found.values), "verified": verified,
        "moves": [{"component": x.component, "to": plain_name(x.to)} for x in found.winning_moves],
    }  # fmt: skip
    games = " + ".join(
        f"{name_of(file)} from {debut[-1]} ({_name(kind)})"
        for file, debut, kind in zip(files, found.debuts, found.objectives, strict=True)
    )
    worth = "" if found.value is None else f", value {found.value}"
    facts = [
        ("sum", games),
        ("answer", f"{found.label.name} for the player to move{worth}"),
        ("moves", ", ".join(moves) or "no move wins"),
    ]
    return Listing(head, facts, "components", SUM_COLUMNS, lambda: rows, len(rows))
