"""``zermelo solve --positional``: a positional winning strategy, or the proof of none."""

from collections.abc import Iterator
from typing import Any

import click

import zermelo as zm
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.objective import Wish
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import refuse
from zermelo.cli.output.listing import Listing
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import on_terminal, plain_name, say

_OTHERS = (
    "output", "output_dir", "controller", "line", "explain", "machine", "winners", "strategies",
    "options", "passes", "quotient", "player", "quiet", "everything",
)  # fmt: skip
"""Options of ``solve`` that say nothing about positional strategies."""


def answer_positional(file: str, wish: "Wish", given: dict[str, Any]) -> int:
    """Find and show the strategy or its refutation; the exit status is 1 if there is none."""
    from zermelo.solvers.geography.positional import MOST_NODES, count_strategies

    refuse(given, _OTHERS, "does not go with --positional")
    if given["solver"] != "auto":
        raise click.UsageError("--solver does not go with --positional")
    with Meter() as meter, Deadline(given["timeout"], name_of(file), meter.close):
        source = open_game(file, given["format_"], meter)
        start = source.start
        if given["start"] is not None:
            start = source.find(given["start"], "--start")
        if start is None:
            raise click.UsageError(f"--positional needs --start, as {name_of(file)} has no start")
        objective = source.choose(wish)
        v = source.graph.index(start)
        most = max(count_strategies(source.graph, v, player) for player in (0, 1))
        meter.stage(f"searching among up to {most:,} strategies")
        nodes = MOST_NODES if given["nodes"] is None else given["nodes"]
        found = zm.positional_strategy(source.graph, objective, start, nodes=nodes)
        if given["verify"]:
            meter.stage("verifying")
            found.verify()
    _listing(source.text, found, given["verify"]).show(given["limit"], given["as_json"])
    if not found and not given["as_json"] and not on_terminal():
        say(f"player {found.player} wins from {start}, but not by a positional strategy")
    return 0 if found else 1


def _listing(file: str, found: "zm.PositionalStrategy", verified: bool) -> Listing:
    head = {
        "file": file, "objective": found.objective.keyword, "start": plain_name(found.start),
        "winner": found.player, "positional": bool(found), "method": found.method,
        "strategies": found.strategies, "nodes": found.nodes, "verified": verified,
    }  # fmt: skip
    facts = [
        ("game", f"{name_of(file)}, {found.objective.keyword} from {found.start}"),
        ("winner", f"player {found.player}" + (" (who begins)" if found.player == 0 else "")),
        ("strategies", f"{found.strategies:,}" + (", verified" if verified else "")),
        ("search", f"{found.method}, histories followed: {found.nodes:,}"),
    ]
    if found.moves is not None:
        moves = list(found.moves.items())
        facts.append(("answer", "a positional strategy wins"))
        return Listing(head, facts, "moves", ("position", "move"), lambda: moves, len(moves))
    leaves = list(_leaves(found))
    facts.append(("answer", "no positional strategy wins; these plays refute all of them"))
    return Listing(head, facts, "refutation", ("moves", "play"), lambda: leaves, len(leaves))


def _leaves(found: "zm.PositionalStrategy") -> Iterator[tuple[list[str], list[Any]]]:
    """The lost plays, each with the moves that it refutes."""
    assert found.refutation is not None
    waiting: list[tuple[list[str], Any]] = [([], found.refutation)]
    while waiting:
        chosen, node = waiting.pop()
        if not node.branches:
            yield chosen, list(node.play)
        for w, after in reversed(list(node.branches.items())):
            waiting.append(([*chosen, f"{node.play[-1]}:{w}"], after))
