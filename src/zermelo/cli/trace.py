"""``zermelo trace``: a labelling round by round."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.files import FORMAT, JSON
from zermelo.cli.objective import objective_options, take_wish
from zermelo.cli.show import NOTHING, on_terminal, plain_name, print_json_rows, print_rows
from zermelo.cli.source import GAME, open_game

if TYPE_CHECKING:
    from zermelo.trace import Decision, Film, Frame, Round


@click.command(short_help="Show a labelling round by round.")
@GAME
@objective_options
@click.option(
    "--solver",
    type=click.Choice(["auto", "retrograde", "nmfl", "nmfl-cap", "fraenkel-levy"]),
    default="auto",
    help="nmfl, nmfl-cap or fraenkel-levy: every step of this algorithm; the default is round by "
    "round.",
)
@FORMAT
@JSON
def command(**given: Any) -> None:
    """Label a game round by round, as one would by hand, and give the reasons.

    In a pipe the output is a tab-separated table with one row for each decision. Its columns are
    round, position, label, distance, rule (end, can, must, agreed, rest), moves (those that decide
    it, with commas), and player if it matters who is to move. The command is meant for small games.
    GAME is a name from zermelo games, such as nim:1,2, or a Python file of rules.

    With --solver nmfl or nmfl-cap (for the asymmetric game) or fraenkel-levy (for normal play) the
    output is every change of a label. Its columns are time, line (of Figure 3 of Löwe's paper, or
    the round), position, player, before, after, and causes.

    \b
    zermelo trace game.txt
    zermelo trace game.txt --objective asymmetric --json
    zermelo trace game.txt --objective asymmetric --solver nmfl
    """
    from zermelo.registry import objective_row
    from zermelo.trace import Film, trace

    wish, as_json = take_wish(given), given["as_json"]
    made = open_game(given["file"], given["format_"])
    graph, objective = made.graph, made.choose(wish)
    row = objective_row(objective)
    if not row.distances:
        which = "in which the past does not matter" if row.strategies == "past" else "that end"
        raise click.UsageError(
            f"trace is for games {which}, not for {objective.keyword} games; zermelo solve says "
            "who wins"
        )
    rounds = trace(graph, objective, given["solver"])
    if isinstance(rounds, Film):
        _film(rounds, given["file"], objective.keyword, as_json=as_json)
    elif as_json:
        head = {"file": given["file"], "objective": objective.keyword}
        print_json_rows(head, "rounds", map(_record, rounds))
    elif on_terminal():
        _show(rounds)
    else:
        _plain(rounds)


def _film(film: "Film", file: str, keyword: str, *, as_json: bool) -> None:
    """Print every change of a film."""
    if as_json:
        head = {"file": file, "objective": keyword, "solver": film.solver}
        print_json_rows(head, "frames", map(_frame, film))
        return
    header = ("time", "line", "position", "player", "before", "after", "causes")
    rows = _changes(film)
    if not on_terminal():
        print_rows(header, rows)
        return
    from rich.text import Text

    from zermelo.cli.show import console, rich_table

    table = rich_table(*((x, {"overflow": "fold"}) for x in header))
    for row in rows:
        table.add_row(*(Text(str(x)) for x in row))
    console().print(table)


def _frame(frame: "Frame") -> dict[str, Any]:
    return {
        "time": frame.time,
        "line": frame.line,
        "changes": [
            {
                "position": plain_name(c.position),
                "player": None if c.player is None else int(c.player),
                "before": None if c.before is None else c.before.name,
                "after": c.after.name,
                "causes": [plain_name(x) for x in c.causes],
            }
            for c in frame.changes
        ],
        "labels": [_plain_labels(x) for x in frame.labels.tolist()],
    }


def _plain_labels(x: Any) -> Any:
    """A label, or the labels of both players; null where there is none."""
    if isinstance(x, list):
        return [_plain_labels(y) for y in x]
    return None if x not in (-1, 0, 1) else x


def _changes(film: "Film") -> Iterator[list[object]]:
    for frame in film:
        for c in frame.changes:
            yield [
                frame.time,
                frame.line,
                c.position,
                NOTHING if c.player is None else int(c.player),
                NOTHING if c.before is None else c.before.name,
                c.after.name,
                ",".join(map(str, c.causes)) or NOTHING,
            ]


def _record(round_: "Round") -> dict[str, Any]:
    from zermelo.objectives.terminal_form import plain

    return {
        "round": round_.number,
        "phase": round_.phase,
        "values": [plain(x) for x in round_.values],
        "distance": None if round_.distance < 0 else round_.distance,
        "decisions": [_decision(d) for d in round_.decisions],
    }


def _decision(d: "Decision") -> dict[str, Any]:
    from zermelo.objectives.terminal_form import plain

    return {
        "position": plain_name(d.position),
        "player": None if d.player is None else int(d.player),
        "label": d.label.name,
        "value": plain(d.value),
        "distance": None if d.distance < 0 else d.distance,
        "rule": d.rule,
        "moves": [plain_name(x) for x in d.reasons],
    }


def _rows(rounds: "Iterator[Round]") -> Iterator[list[object]]:
    for round_ in rounds:
        for d in round_.decisions:
            moves = ",".join(map(str, d.reasons)) or NOTHING
            distance = NOTHING if d.distance < 0 else d.distance
            row: list[object] = [round_.number, d.position, d.label.name, distance, d.rule, moves]
            yield row if d.player is None else [*row, int(d.player)]


def _plain(rounds: "Iterator[Round]") -> None:
    rows = _rows(rounds)
    first = next(rows, None)
    header = ["round", "position", "label", "distance", "rule", "moves", "player"]
    if first is None:
        print_rows(header[:6], ())
        return
    print_rows(header[: len(first)], itertools.chain([first], rows))


def _show(rounds: "Iterator[Round]") -> None:
    from rich.text import Text

    from zermelo.cli.show import console, rich_table
    from zermelo.cli.solve_terminal import STYLES

    out = console()
    table = rich_table(
        ("round", {"justify": "right"}), ("position", {"overflow": "fold"}), "label",
        ("in", {"justify": "right"}), "because", ("moves", {"overflow": "fold"}),
    )  # fmt: skip
    why = {
        "end": "play ends here", "can": "can move to", "must": "must move to",
        "agreed": "both may go to", "rest": "can go on by",
    }  # fmt: skip
    for round_ in rounds:
        for k, d in enumerate(round_.decisions):
            who = "" if d.player is None else f", player {int(d.player)}"
            table.add_row(
                str(round_.number) if k == 0 else "",
                Text(f"{d.position}{who}"),
                Text(d.label.name, STYLES[d.label.name]),
                "∞" if d.distance < 0 else str(d.distance),
                Text(why.get(d.rule, d.rule), "dim"),
                Text(", ".join(map(str, d.reasons))),
                end_section=k == len(round_.decisions) - 1,
            )
    out.print(table)
