"""``zermelo kernel``: the kernel of a graph, all its kernels, or a check of a given set."""

from collections.abc import Iterator
from typing import Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli import options as opt
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.parse import split
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.output.listing import Listing, check_answer_output
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, on_terminal, plain_name, print_json, say
from zermelo.errors import CertificateError

COLUMNS = ("position", "in_kernel", "distance", "move")


@click.command()
@opt.SOURCE
@opt.flag("--all everything", "Find all kernels of a graph with cycles.")
@opt.option(
    "--check", "A,B",
    "Check whether these positions are a kernel; the exit status is 1 if they are not.",
    complete.position_list,
)  # fmt: skip
@opt.number("--nodes", "Search at most N nodes in a graph with cycles; the default is 1,000,000.")
@opt.flag("--verify", "Check the kernels before they are shown.")
@opt.output(
    "Write the answer as a table, .csv or .tsv; for a graph without cycles also .json, with its "
    "certificate.",
)  # fmt: skip
@opt.FORCE
@opt.LIMIT
@opt.TIMEOUT
@opt.FORMAT
@opt.JSON
def command(file: str, **given: Any) -> int:
    """Find a kernel of the graph in FILE: a set without moves inside it, and with a move into it
    from everywhere else.

    A graph without cycles has exactly one: the positions that the player to move loses. Each
    position is shown with the distance to the end and the best move. A graph with cycles may have
    none, one or many; one is shown, or all with --all. To find one is NP-hard; --nodes and
    --timeout bound the search. The exit status is 1 if there is none.

    \b
    zermelo kernel game.txt
    zermelo kernel cyclic.txt --all
    zermelo kernel cyclic.txt --check a,c
    """
    output, as_json = given["output"], given["as_json"]
    if given["check"] is not None:
        others = ("everything", "nodes", "verify", "output", "force", "limit", "timeout")
        opt.refuse(given, others, "does not go with --check")
        return _check(open_game(file, given["format_"]), given["check"], as_json)
    check_answer_output(output, file, given["force"], certificate=True)
    with Meter() as meter, Deadline(given["timeout"], name_of(file), meter.close):
        made = open_game(file, given["format_"], meter)
        meter.stage("finding kernels")
        listing, answer, status = _find(made, given)
    if output is not None and output.lower().endswith(".json") and answer is None:
        raise click.UsageError(
            f"{output}: .json is for the kernel of a graph without cycles, and "
            f"{name_of(file)} has cycles; .csv and .tsv are for all"
        )
    listing.answer(output, given["limit"], as_json, answer)
    written = output is not None and given["limit"] is None
    if status and not written and not as_json and not on_terminal():
        say(f"{name_of(file)} has no kernel")
    return status


def _find(made: Source, given: dict[str, Any]) -> "tuple[Listing, zm.Kernel | None, int]":
    """The answer as rows, as an answer with a certificate if it has one, and the exit status."""
    from zermelo.sums.kernels import MOST_NODES

    if not given["everything"] and zm.classify(made.graph).kind == "acyclic":
        answer = zm.kernel(made.game)
        if given["verify"]:
            answer.verify()
        return _one(made.text, answer, given["verify"]), answer, 0
    nodes = MOST_NODES if given["nodes"] is None else given["nodes"]
    found = zm.kernels(made.game, None if given["everything"] else 1, nodes=nodes)
    if given["verify"]:
        for members in found:
            report = zm.is_kernel(made.graph, members)
            if not report:
                raise CertificateError(report.reason)
    return _several(made.text, found, given["verify"]), None, 0 if len(found) else 1


def _check(made: Source, text: str, as_json: bool) -> int:
    members = [made.find(name, "--check") for name in split(text, "--check")]
    report = zm.is_kernel(made.graph, members)
    if as_json:
        names = [plain_name(x) for x in members]
        reason = report.reason or None
        print_json({"file": made.text, "set": names, "kernel": report.ok, "reason": reason})
    elif report:
        print(
            f"the set is a kernel of {name_of(made.text)} ({count(len(set(members)), 'position')})"
        )
    else:
        say(f"the set is no kernel of {name_of(made.text)}: {report.reason}")
    return 0 if report else 1


def _one(file: str, answer: "zm.Kernel", verified: bool) -> Listing:
    graph = answer.graph

    def rows() -> Iterator[tuple[Any, ...]]:
        for v, name in enumerate(graph):
            moves = answer.at(name).best_moves
            move = moves[0] if moves else None
            yield name, bool(answer.mask[v]), int(answer.depth[v]), move

    head = {
        "file": file, "positions": graph.n, "acyclic": True, "size": len(answer),
        "complete": True, "verified": verified,
    }  # fmt: skip
    facts = [
        ("graph", f"{name_of(file)}, {count(graph.n, 'position')}, no cycles"),
        ("kernel", f"{count(len(answer), 'position')}, the only one"
                   + (", verified" if verified else "")),
    ]  # fmt: skip
    return Listing(head, facts, "kernel", COLUMNS, rows, graph.n)


def _several(file: str, found: "zm.Kernels", verified: bool) -> Listing:
    graph = found.graph
    if not len(found):
        summary = "there is none"
    else:
        more = "all of them" if found.complete else "there may be more, --all finds them"
        summary = f"{len(found):,}, {more}" + (", verified" if verified else "")
    rows = [(k, len(members), list(members)) for k, members in enumerate(found)]
    head = {
        "file": file, "positions": graph.n, "count": len(found), "complete": found.complete,
        "nodes": found.nodes, "verified": verified,
    }  # fmt: skip
    facts = [
        ("graph", f"{name_of(file)}, {count(graph.n, 'position')}"),
        ("kernels", summary),
        ("search", count(found.nodes, "node")),
    ]
    return Listing(head, facts, "kernels", ("kernel", "size", "positions"), lambda: rows, len(rows))
