"""Solve the strong components of a parity game one by one, from the bottom up.

Apart from the runs of the solver this takes linear time. Reference: [FriedmannLange2009];
[Pearce2016] for the computation of the components. Differs from the former: the kernel itself
decides components that are decided by lower ones, and those with priorities of one parity only.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs.components import flood, strong_components
from zermelo._kernels.graphs.reverse import has_locality
from zermelo._kernels.parity.passes import START, STATE_SIZE, STOP, TAIL, settle
from zermelo.labels import NO_MOVE, NO_WINNER, Int8Array, Int32Array
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, Run, cut, new_board, write

MIN_BREADTH_FIRST = 1 << 16
"""From this many positions on, large strong components are found breadth first."""

MOST_RUNS = 4096
"""At most this many strong components are solved separately; the rest is solved together."""


def components_of(game: ParityGame, mark: Int32Array) -> Int32Array:
    """The positions of mark 0, strong component by strong component, from the bottom up.

    A component comes after all components that its moves lead to. All its positions get one mark: n
    in the first component, and one less in each of the next. All other marks must be n + 1. If the
    graph is large and has no locality, the component of a position with many moves is found by
    breadth-first search, and the rest by depth-first search.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2), (3, 3)], owner=[0, 0, 0, 1])
    >>> mark = np.array([0, 0, 0, 5], np.int32)
    >>> components_of(ParityGame(graph, np.zeros(4, np.int32)), mark).tolist(), mark.tolist()
    ([2, 1, 0], [3, 3, 4, 5])
    """
    n, count, number = game.n, 0, game.n
    order, path, at = np.empty(n, np.int32), np.empty(2 * n, np.int32), np.empty(n, np.int64)
    members = int(np.count_nonzero(mark == 0))
    if members > MIN_BREADTH_FIRST and not has_locality(game.moves.indices):
        later, below, giant = n + 2, n + 3, n + 4
        moves = game.graph.out_degree * np.diff(game.reverse[0])
        pivot = int(np.argmax(np.where(mark == 0, moves, -1)))
        flood(*game.moves, mark, path, pivot, 0, below)
        size = flood(*game.reverse, mark, path, pivot, below, giant)
        mark[mark == 0] = later
        mark[mark == below] = 0
        count = int(np.count_nonzero(mark == 0))
        if count:
            number = strong_components(*game.moves, mark, order, path, at, 0, number)
        order[count : count + size] = np.flatnonzero(mark == giant)
        mark[mark == giant] = number
        mark[mark == later] = 0
        count, number = count + size, number - 1
    if count < members:
        strong_components(*game.moves, mark, order, path, at, count, number)
    return order[:members]


def by_components(run: Run) -> Run:
    """Solve strong components one by one, from the bottom up, and attract to decided positions.

    When all positions that a component leads to have been decided, its undecided positions form a
    game. If their priorities have one parity, it is decided at once; otherwise ``run`` solves it.
    After MOST_RUNS of these runs, all undecided positions are solved as one game. ``stats`` counts
    the ``components`` and the ``runs``, and has the sums of the counts of the runs.

    >>> from zermelo.solvers.infinite import zielonka
    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 0), (0, 1), (1, 2), (2, 1)], owner=[0, 1, 0])
    >>> answer = by_components(zielonka.run)(ParityGame(graph, np.array([1, 2, 1], np.int32)), None)
    >>> answer.winner.tolist(), answer.strategy.tolist(), answer.stats["components"]
    ([0, 0, 0], [1, -1, 1], 2)
    """

    def run_components(game: ParityGame, progress: Progress = None) -> Answer:
        n = game.n
        mark = np.zeros(n, np.int32)
        order = components_of(game, mark)
        components = n + 1 - int(mark.min(initial=n + 1))
        if components == 1:
            answer = run(game, progress)
            return Answer(answer.winner, answer.strategy, answer.stats | {"components": 1})
        board = new_board(game)
        winner, strategy, queue = board.winner, board.strategy, board.queue
        ends = np.append(mark[order[1:]] != mark[order[:-1]], [True] * (n > 0))
        ordered = np.where(ends, ~order, order)
        kind = ((game.priority & 1) * 2 + game.owner).astype(np.int8)
        state, number = np.zeros(STATE_SIZE, np.int64), order
        stats: dict[str, Any] = {"components": components, "runs": 0}
        while not settle(game.moves, game.reverse, kind, ordered, board, state):
            members = _undecided(ordered[state[START] : state[STOP]], winner, mark, stats["runs"])
            part = cut(game, members, winner, number)
            answer = run(part, progress)
            write(members, answer, winner, strategy)
            tail = int(state[TAIL])
            queue[tail : tail + members.size] = members
            state[TAIL] += members.size
            stats["runs"] += 1
            for key, value in answer.stats.items():
                stats[key] = stats.get(key, 0) + value if isinstance(value, int) else value
        np.copyto(strategy, NO_MOVE, where=winner != game.owner)
        return Answer(winner, strategy, stats)

    return run_components


def _undecided(component: Int32Array, winner: Int8Array, mark: Int32Array, runs: int) -> Int32Array:
    """The undecided members of a component in order; after MOST_RUNS runs, of all components."""
    if runs >= MOST_RUNS:
        return np.flatnonzero(winner == NO_WINNER).astype(np.int32)
    members = np.where(component < 0, ~component, component)
    if members.size > winner.size // 16:
        here = mark == mark[members[0]]
        return np.flatnonzero(here & (winner == NO_WINNER)).astype(np.int32)
    return np.sort(members[winner[members] == NO_WINNER])
