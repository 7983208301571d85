"""The positions near one position of a solved game, as a small graph with its solution."""

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.graph import Graph
from zermelo.labels import Player
from zermelo.objectives.terminal_form import Layout, TerminalForm
from zermelo.rules.faults import text_of
from zermelo.solutions.terminal import TerminalSolution
from zermelo.tables.probing.access import mover

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame

MAX_NEAR = 1 << 15
"""At most about this many positions are looked up."""

LEVELS = (-1, 0, 1)
"""The payoffs of games in tables."""


def solution_around(solved: "SolvedGame", own: Any, depth: int) -> tuple[TerminalSolution, int]:
    """The solution on the positions within ``depth + 1`` moves of one, and the depth.

    Positions are named as the rules show them. If there are very many, the depth is less. What is
    farther away is left out, so that moves are missing at the last positions only.

    >>> import zermelo as zm
    >>> solution, depth = solution_around(zm.solve(zm.game("nim:3,4")), (3, 4), 1)
    >>> solution.graph.n, depth, solution.at("3+3").outcome
    (14, 1, 'lose')
    """
    found, moves = [own], list[tuple[int, int]]()
    place, begin, done = {own: 0}, 0, -1
    # Invariant: all moves of found[:begin] are known, and found[:begin] are the positions at most
    # ``done`` moves away; found[begin:] are one move farther.
    while done < depth and begin < len(found):
        edges, last = solved._after(found[begin:]), len(found)
        options = edges.positions
        options = options.tolist() if isinstance(options, np.ndarray) else options
        if done >= 0 and last + len(options) > MAX_NEAR:
            break
        sources = np.repeat(np.arange(begin, last), np.diff(edges.start))
        for u, x in zip(sources.tolist(), options, strict=True):
            w = place.setdefault(x, len(found))
            if w == len(found):
                found.append(x)
            moves.append((u, w))
        begin, done = last, done + 1
    answers = solved.probe_many(found)
    label, distance = answers.label, answers.distance
    owner = [mover(solved.rules, x) or Player.ZERO for x in found]
    owned = solved._tells_players_apart
    graph = Graph.from_edges(moves, n=len(found), owner=owner if owned else None)
    graph = graph.with_names([text_of(solved.rules, x) for x in found])
    level = np.where(np.array(owner) == Player.ONE, -label, label) + 1 if owned else label + 1
    ends = np.flatnonzero(distance == 0).astype(np.int32)
    form = TerminalForm(
        Layout.OWNED if owned else Layout.SYMMETRIC, LEVELS, 1 + solved._infinite_payoff,
        ends, level[ends].astype(np.int32),
    )  # fmt: skip
    solution = TerminalSolution(
        graph, solved.objective, "table", level.astype(np.int32), label, distance, form=form
    )
    return solution, min(depth, max(done, 0))
