"""``zermelo evaluate``: where a formula of the μ-calculus or of CTL holds, and why."""

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from zermelo.cli import complete
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.parse import read_json, shortened, split
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.options import FORCE, FORMAT, JSON, LIMIT, SOURCE, flag, option, output, position
from zermelo.cli.output import show
from zermelo.cli.output.listing import Listing, check_answer_output
from zermelo.cli.output.progress import Meter
from zermelo.errors import FormatError, InvalidObjectiveError

if TYPE_CHECKING:
    from zermelo.mu_calculus.witness import Witness

Propositions = dict[str, list[Hashable]]


def _label(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The positions after ``p=``; the name of a proposition is free."""
    name, equals, rest = incomplete.partition("=")
    if not equals:
        return []
    found = complete.position_list(ctx, param, rest)
    return [CompletionItem(f"{name}={x.value}") for x in found]


@click.command()
@click.argument("formula", metavar="FORMULA")
@SOURCE
@option(
    "--label labels", "P=A,B", "The positions where the proposition P holds; may be repeated.",
    _label, multiple=True,
)  # fmt: skip
@option(
    "--labels label_file", "FILE",
    "Propositions from a JSON object that gives each a list of positions.", complete.files,
)  # fmt: skip
@position("--start", "Answer for this position; the exit status is 1 if the formula fails there.")
@flag("--witness", "Show a path that shows why, from --start or from the start in FILE.")
@output("Write the answers as a table: .csv or .tsv.")
@FORCE
@LIMIT
@FORMAT
@JSON
def command(formula: str, file: str, **given: Any) -> int:
    """Show at which positions of the graph in FILE a formula holds.

    FORMULA is of the modal μ-calculus (mu X. p | <>X), of CTL (AG (p -> AF q), E[p U q]), or mixes
    both. On a graph with owners, <0> and <1> say what a player can make sure. A path ends at a
    position without moves. Propositions are given by --label and --labels.

    With --witness a path is shown: a witness if the formula holds, else a counterexample. It is a
    proof if the other side never had a choice.

    \b
    zermelo evaluate 'mu X. <>[]X' game.txt
    zermelo evaluate 'AG EF goal' game.txt --label goal=a,b
    zermelo evaluate 'AF goal' game.txt --label goal=t --start a --witness
    """
    from zermelo.mu_calculus.evaluation import Evaluation, as_formula
    from zermelo.mu_calculus.witness import witness

    parsed = as_formula(formula)
    check_answer_output(given["output"], file, given["force"], certificate=False)
    with Meter() as meter:
        made = open_game(file, given["format_"], meter)
        propositions = _propositions(made, given["labels"], given["label_file"])
        start = _start(made, given)
        meter.stage("evaluating")
        reason = None
        try:
            holds = Evaluation(made.graph, propositions).positions_of(parsed)
            if given["witness"]:
                reason = witness(parsed, made.graph, start, propositions)
        except InvalidObjectiveError as error:
            if "no proposition is called" not in str(error):
                raise
            raise InvalidObjectiveError(f"formula: {error}; --label P=A,B gives one") from None
    if start is not None:
        here = bool(holds[made.graph.index(start)])
        _show_one(file, formula, start, here, reason, given["as_json"])
        return 0 if here else 1
    listing = _listing(file, formula, made, holds)
    listing.answer(given["output"], given["limit"], given["as_json"])
    return 0


def _start(made: Source, given: dict[str, Any]) -> Hashable | None:
    """The position that is asked about; None for all."""
    start = made.find(given["start"], "--start")
    if given["witness"] and start is None:
        start = made.start
        if start is None:
            raise click.UsageError("--witness needs a start: --start A, or one in the file")
    if start is not None:
        for name in ("output", "limit"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} does not go with --start or --witness")
    return start


def _propositions(made: Source, texts: tuple[str, ...], path: str | None) -> Propositions:
    """The propositions of the command line: their positions by name."""
    found: Propositions = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        if not equals:
            raise click.BadParameter(
                f"expected P=A,B, got {shortened(text)!r}", param_hint="--label"
            )
        _add(found, name, [made.find(x, "--label") for x in split(rest, "--label")], "--label")
    if path is not None:
        data = read_json(path)
        if not isinstance(data, dict) or not all(isinstance(x, list) for x in data.values()):
            raise FormatError("expected an object that gives each proposition a list", path=path)
        for name, positions in data.items():
            _add(found, name, [made.find(str(x), path) for x in positions], path)
    return found


def _add(found: Propositions, name: str, positions: list[Hashable], hint: str) -> None:
    from zermelo.mu_calculus.syntax import RESERVED

    if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in RESERVED:
        raise click.BadParameter(
            f"expected the name of a proposition, letters, digits and _, got {shortened(name)!r}",
            param_hint=hint,
        )
    if name in found:
        raise click.BadParameter(f"the proposition {shortened(name)!r} is given twice",
                                 param_hint=hint)  # fmt: skip
    found[name] = positions


def _listing(file: str, formula: str, made: Source, holds: Any) -> Listing:
    graph, total = made.graph, int(holds.sum())
    head = {"file": file, "formula": formula, "positions": graph.n, "count": total}
    facts = [
        ("graph", f"{name_of(file)}, {show.count(graph.n, 'position')}"),
        ("formula", formula),
        ("holds at", f"{total:,} of {show.count(graph.n, 'position')}"),
    ]
    return Listing(
        head, facts, "answers", ("position", "holds"),
        lambda: zip(graph, holds.tolist(), strict=True), graph.n,
    )  # fmt: skip


def _show_one(
    file: str, formula: str, start: Hashable, holds: bool, reason: "Witness | None", as_json: bool
) -> None:
    record: dict[str, Any] = {
        "file": file, "formula": formula, "start": show.plain_name(start), "holds": holds,
    }  # fmt: skip
    if reason is not None:
        record["kind"] = "witness" if holds else "counterexample"
        record["path"] = [show.plain_name(x) for x in reason.path]
        record["cycle"] = reason.cycle
        record["proof"] = reason.proof
    facts = [
        ("graph", name_of(file)),
        ("formula", f"{formula} {'holds' if holds else 'fails'} at {start}"),
    ]
    if reason is not None:
        facts.append((record["kind"], str(reason)))
        if not reason.proof:
            facts.append(("", "one of several: the other side had choices on the way"))
    show.show_facts(record, facts, as_json, list(record.items()))
