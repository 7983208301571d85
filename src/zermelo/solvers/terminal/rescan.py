"""The naive iteration: apply the rules to all positions until nothing changes. O(V · (V + E)).

Φ decides every position whose label follows from the labels that are known: a win if some move
leads to a loss, a loss if all moves lead to wins. Iterated from the empty labelling it reaches its
least fixpoint, and what is not decided then is a draw. The number of the pass that decides a
position is its rank, which is its distance. There are at most V passes that decide something, and
each looks at all positions that are not decided, with all their moves.

With ``worklist=True`` a position is looked at only when one of its successors was decided, but
then all its moves are: at most Σ d(u)², where d(u) is the out-degree, so O(E · Δ). The default
solver has a counter in the place of this scan, and looks at each move once.

Reference: [GamesOnGraphs] §3.2 ("naive round-based iteration") and §6.1 ("naive re-scanning").

Differs from the source: all payoffs are taken. With several levels the iteration is done for one
level after the other, the most extreme first, as in the default solver.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._kernels.terminal import rescan as k
from zermelo._kernels.terminal.situations import UNKNOWN
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout, TerminalForm
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal._arena import Arena, make_arena

BUDGET = 1 << 24
"""The number of moves between two reports of progress."""


def solve(
    graph: Graph, objective: Objective, progress: Any = None, *, worklist: bool = False
) -> TerminalSolution:
    """Solve a terminal-payoff game by passes over all positions, or with a list of positions.

    ``stats``: ``passes`` over all positions (0 with a list), ``scans`` of a position, and the
    ``moves`` that they looked at.

    >>> from zermelo import NormalPlay
    >>> path = Graph.from_edges([(v, v + 1) for v in range(10)])
    >>> s = solve(path, NormalPlay())
    >>> s.distance.tolist(), s.stats
    ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], {'passes': 11, 'scans': 55, 'moves': 55})
    >>> solve(path, NormalPlay(), worklist=True).stats
    {'passes': 0, 'scans': 10, 'moves': 10}
    """
    arena = make_arena(graph, objective, "rescan", per_situation=5, per_move=0)
    size = arena.situations.n
    decided = k.Decided(np.zeros(size, np.int8), np.empty(size, np.int32))
    state = np.zeros(k.STATE_SIZE, np.int64)
    level = arena.values.level
    passes = 0

    def tick(count: int) -> None:
        if progress is not None:
            progress(count, size, "decided")

    if not worklist:
        decided.settled[arena.form.absorbing] = 1
    for goals, ends in _phases(arena):
        if worklist:
            tail = int(state[k.TAIL])
            decided.queue[tail : tail + ends.size] = ends
            state[k.TAIL] += ends.size
            moves = arena.successors, arena.predecessors
            while not k.rescan_predecessors(
                *moves, arena.rules, arena.values, goals, decided, state, BUDGET
            ):
                tick(int(state[k.HEAD]))
            continue
        time, count = 1, 1
        while count:
            count = k.rescan_all(
                arena.successors, arena.rules, arena.values, goals, decided, state, time
            )
            time += 1
            passes += 1
            tick(int(decided.settled.sum()))
    rest = level == UNKNOWN
    infinite = np.array([arena.rules.infinite, arena.rules.top - arena.rules.infinite], np.int32)
    level[rest] = infinite[arena.rules.mover[rest]]
    stats = {"passes": passes, "scans": int(state[k.SCANS]), "moves": int(state[k.LOOKS])}
    return arena.solution("rescan", stats)


def _phases(arena: Arena) -> Iterator[tuple[k.Goals, Any]]:
    """The levels of each phase as the players see them, and the ends that pay them."""
    form = arena.form
    for levels, good, bad in _levels(form):
        ends = form.absorbing[np.isin(form.absorbing_level, levels)]
        if ends.size or levels != [form.infinite]:
            yield k.Goals(np.array(good, np.int32), np.array(bad, np.int32)), ends


def _levels(form: TerminalForm) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Levels of the ends; by player to move, the level that can be forced or must be accepted."""
    top, infinite = len(form.levels) - 1, form.infinite
    if form.layout is Layout.SYMMETRIC:
        for low in range(infinite):
            yield [low, top - low], [top - low, top - low], [low, low]
    else:
        for x in range(top, infinite, -1):
            yield [x], [x, UNKNOWN], [UNKNOWN, top - x]
        for x in range(infinite):
            yield [x], [UNKNOWN, top - x], [x, UNKNOWN]
    if form.agreed_ends:
        yield [infinite], [infinite, top - infinite], [UNKNOWN, UNKNOWN]
