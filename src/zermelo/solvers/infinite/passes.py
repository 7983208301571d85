"""Passes that make a parity game smaller or simpler before it is solved; each takes linear time.

A pass takes a game and returns a :class:`Reduced` one, whose ``lift`` turns an answer for the
reduced game into one for the original game. A pass removes the positions that it decides, together
with those that the winner attracts to them: the rest is a game of its own in which the same
positions are won by the same moves. A pass that finds nothing returns the same game.
:func:`prepared` puts passes in front of a solver.

Here a *cycle* is simple, and it is *p's* if its highest priority has the parity of p. Both players
have positional winning strategies. So two games on the same graph have the same winners if every
cycle has the same winner in both.

Reference: [FriedmannLange2009] for most of them; [KingKupfermanVardi2001] for the cycles of one
player. They use bisection, while this file removes the highest priorities one after the other.

| paper                    | code                                                              |
|--------------------------|-------------------------------------------------------------------|
| self-cycle games         | :func:`self_loops`                                                |
| one-parity games         | :func:`single_parity`                                             |
| one-player games         | :func:`winner_controlled_cycles`, of which they are a special case |
| priority compression     | :func:`compress`, :func:`lower` within each strong component      |
| priority propagation     | :func:`inflate`, one sweep each way                               |
| SCC decomposition        | :mod:`zermelo.solvers.infinite.components`                        |

Differs from the paper: propagation looks only at moves within a strong component, since no cycle
has others. The attractors of both players are computed together, with a counter for each position.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from zermelo._kernels.parity import passes as k
from zermelo.labels import NO_MOVE, NO_WINNER, Int8Array, Int32Array, read_only
from zermelo.registry import unknown
from zermelo.solvers.infinite.components import MIN_BREADTH_FIRST, by_components, components_of
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, Run, cut, new_board, write
from zermelo.solvers.infinite.frame import compress as compressed

MAX_SEARCH_FACTOR = 16
"""Searches for controlled cycles give up after this many times the moves of a game."""

SPARSE = 3
"""A large game with fewer moves for each position is trimmed: many positions are on no cycle."""


class Reduced(NamedTuple):
    """The game that a pass leaves, with the winners and moves that the pass has decided."""

    game: ParityGame
    """The remaining game; its positions are those without a winner, in order."""
    winner: Int8Array | None = None
    """Winners in the game that the pass was given, ``NO_WINNER`` where left; None: all are left."""
    strategy: Int32Array | None = None
    """A winning move if the owner is known to win, ``NO_MOVE`` elsewhere."""

    def lift(self, answer: Answer) -> Answer:
        """The answer for the game that the pass was given, from one for the remaining game.

        >>> from zermelo import Graph
        >>> graph = Graph.from_edges([(0, 0), (1, 0), (1, 2), (2, 1)], owner=[0, 0, 1])
        >>> reduced = self_loops(ParityGame(graph, np.array([1, 1, 2], np.int32)))
        >>> reduced.game.graph.to_edges().tolist(), reduced.winner.tolist()
        ([[0, 1], [1, 0]], [1, -1, -1])
        >>> answer = Answer(np.array([0, 0], np.int8), np.array([1, -1], np.int32))
        >>> lifted = reduced.lift(answer)
        >>> lifted.winner.tolist(), lifted.strategy.tolist()
        ([1, 0, 0], [-1, 2, -1])
        """
        if self.winner is None or self.strategy is None:
            return answer
        kept = np.flatnonzero(self.winner == NO_WINNER)
        winner, strategy = self.winner.copy(), self.strategy.copy()
        write(kept, answer, winner, strategy)
        return Answer(winner, strategy, answer.stats)


def _spread(game: ParityGame, board: k.Board, tail: int, loops: bool = True) -> Reduced:
    """Attract to the decided positions, the first ``tail`` of the queue, and cut out the rest."""
    winner, strategy = board.winner, board.strategy
    if tail:
        k.spread(game.reverse, game.owner, board, 0, tail)
        np.copyto(strategy, NO_MOVE, where=winner != game.owner)
    members = np.flatnonzero(winner == NO_WINNER).astype(np.int32)
    return Reduced(cut(game, members, winner, board.queue, loops), winner, strategy)


def _reprioritised(game: ParityGame, priority: Int32Array) -> Reduced:
    """The same game with other priorities, under which every cycle has the same winner."""
    if np.array_equal(priority, game.priority):
        return Reduced(game)
    return Reduced(ParityGame(game.graph, read_only(priority)))


# -------------------------------------------------------------------- passes that decide


def self_loops(game: ParityGame) -> Reduced:
    """Decide positions by their loops; the remaining game has no loops.

    An owner wins by staying on a loop of the own parity. Any other loop is a losing move and is
    removed; if there is no other move, the opponent wins.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 0), (1, 1), (1, 2), (2, 1)], owner=[0, 0, 1])
    >>> reduced = self_loops(ParityGame(graph, np.array([2, 1, 0], np.int32)))
    >>> reduced.winner.tolist(), reduced.strategy.tolist(), reduced.game.graph.to_edges().tolist()
    ([0, -1, -1], [0, -1, -1], [[0, 1], [1, 0]])
    """
    board = new_board(game)
    if not k.decide_loops(game.moves, game.owner, game.priority, board):
        return Reduced(game)
    seeds = np.flatnonzero(board.winner != NO_WINNER)
    board.queue[: seeds.size] = seeds
    return _spread(game, board, seeds.size, loops=False)


def winner_controlled_cycles(game: ParityGame) -> Reduced:
    """Decide the cycles that are p's and on which p alone has a choice, for both players p.

    All positions of such a cycle are p's or have one move. Consider the strong components of the
    moves between such positions. A component is decided if its highest priority is p's. From any
    other component, the positions above its highest priority of p's parity are removed, and the
    rest is searched again, until all searches together have looked at MAX_SEARCH_FACTOR times the
    moves of the game.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)], owner=[0, 0, 1])
    >>> reduced = winner_controlled_cycles(ParityGame(graph, np.array([1, 2, 0], np.int32)))
    >>> reduced.winner.tolist(), reduced.strategy.tolist(), reduced.game.graph.to_edges().tolist()
    ([0, 0, -1], [1, 0, -1], [[0, 0]])
    """
    level = np.full(game.n, -1, np.int32)
    for player in (0, 1):
        _rate_cycles(game, player, level)
    if (level < 0).all():
        return Reduced(game)
    board = new_board(game)
    tail = k.aim(game.moves, game.reverse, game.priority, level, board)
    return _spread(game, board, tail)


def single_parity(game: ParityGame) -> Reduced:
    """Decide a game in which all priorities have one parity, or one player has all the choices.

    In the latter case that player wins the positions from which she can reach one of her own
    cycles. If the search for these takes too long (see :func:`winner_controlled_cycles`), nothing
    is decided.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> reduced = single_parity(ParityGame(graph, np.array([1, 2], np.int32)))
    >>> reduced.winner.tolist(), reduced.game.n
    ([0, 0], 0)
    """
    if game.n == 0:
        return Reduced(game)
    first = game.moves.indices[game.moves.indptr[:-1]]
    parities = np.bitwise_and(game.priority, 1)
    board = new_board(game)
    winner, strategy = board.winner, board.strategy
    if (parities == parities[0]).all():
        rest = int(parities[0])
    else:
        choosers = game.owner[game.graph.out_degree > 1]
        player = int(choosers[0]) if choosers.size else 0
        level = np.full(game.n, -1, np.int32)
        if (choosers != player).any() or not _rate_cycles(game, player, level):
            return Reduced(game)
        if (level >= 0).any():
            tail = k.aim(game.moves, game.reverse, game.priority, level, board)
            k.spread(game.reverse, game.owner, board, 0, tail)
        rest = 1 - player
    lost = winner == NO_WINNER
    winner[lost] = rest
    np.copyto(strategy, first, where=lost)
    np.copyto(strategy, NO_MOVE, where=winner != game.owner)
    return Reduced(cut(game, np.zeros(0, np.int32), winner, board.queue), winner, strategy)


def _rate_cycles(game: ParityGame, player: int, level: Int32Array) -> bool:
    """Write the highest priority of each controlled component of the player's to its positions.

    False if the search ended before all of them were found.
    """
    n = game.n
    alone = (game.owner == player) | (game.graph.out_degree == 1)
    own = game.priority[alone & (game.priority % 2 == player)]
    mark = np.where(alone & (game.priority <= own.max(initial=-1)), 0, n + 1).astype(np.int32)
    moves, spent, most = game.graph.m, 0, MAX_SEARCH_FACTOR * (n + game.graph.m)
    while moves:
        if spent >= most:
            return False
        spent += n + moves
        if n > MIN_BREADTH_FIRST and game.graph.m < SPARSE * n:
            _trim(game, mark)
        order = components_of(game, mark)
        moves = k.peel(game.moves, game.priority, mark, order, level, order.size, player)
    return True


def _trim(game: ParityGame, mark: Int32Array) -> None:
    """Remove many positions on no cycle, by sweeps over all positions, while they find enough."""
    while k.trim(game.moves, mark) + k.trim(game.reverse, mark) > game.n // 32:
        pass


# -------------------------------------------------------------------- passes that change priorities


def compress(game: ParityGame) -> Reduced:
    """The least priorities of the same order and parity.

    Two priorities become equal if no priority of the other parity lies between them.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 0, 0])
    >>> compress(ParityGame(graph, np.array([7, 5, 1000], np.int32))).game.priority.tolist()
    [1, 1, 2]
    """
    return _reprioritised(game, _compressed(game.priority))


def _compressed(priority: Int32Array) -> Int32Array:
    """As ``compressed``, by a table unless the priorities are far apart."""
    top = int(priority.max(initial=0))
    if top > 4 * priority.size:
        return compressed(priority)
    table = np.zeros(top + 1, np.int32)
    table[priority] = 1
    values = np.flatnonzero(table)
    table[values] = compressed(values)
    return table[priority]


def lower(game: ParityGame) -> Reduced:
    """Compress the priorities in each strong component separately; 0 where there is no cycle.

    Every cycle lies within a strong component, and its highest priority keeps its parity.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 1), (1, 2), (2, 2)], owner=[0, 0, 0])
    >>> lower(ParityGame(graph, np.array([3, 5, 4], np.int32))).game.priority.tolist()
    [0, 1, 0]
    """
    n = game.n
    mark = np.zeros(n, np.int32)
    components_of(game, mark)
    priority, lowered = _compressed(game.priority), np.empty(n, np.int32)
    narrow = np.uint16 if priority.max(initial=0) < 1 << 16 else np.int32  # sorted by digits
    rising = np.argsort(priority.astype(narrow), kind="stable")
    last = np.zeros(n + 1, np.int32)
    k.lower_priorities(game.moves, priority, mark, rising, last, lowered)
    return _reprioritised(game, lowered)


def inflate(game: ParityGame) -> Reduced:
    """Raise priorities that cannot be the highest of a cycle.

    In decreasing order of their numbers, positions are raised to the least priority among their
    successors in their strong component; then, in increasing order, to the least priority among
    their predecessors there. A cycle through a position contains a successor and a predecessor of
    it, so no cycle gets another highest priority.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 0, 0])
    >>> inflate(ParityGame(graph, np.array([0, 1, 2], np.int32))).game.priority.tolist()
    [2, 2, 2]
    """
    mark, priority = np.zeros(game.n, np.int32), game.priority.copy()
    components_of(game, mark)
    k.raise_priorities(game.moves, mark, priority, 1)
    k.raise_priorities(game.reverse, mark, priority, 0)
    return _reprioritised(game, priority)


# -------------------------------------------------------------------- putting them together


class Pass(NamedTuple):
    """A row of ``PASSES``: a pass that runs before a solver."""

    name: str
    summary: str
    before: Callable[[Run], Run]


def reducing(reduce: Callable[[ParityGame], Reduced]) -> Callable[[Run], Run]:
    """Put a pass before a solver, which does not run if no position is left.

    ``stats["positions_left"]`` is the number of positions of the game that the solver got.

    >>> from zermelo.solvers.infinite import zielonka
    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 0)], owner=[1])
    >>> answer = reducing(self_loops)(zielonka.run)(ParityGame(graph, np.zeros(1, np.int32)), None)
    >>> answer.winner.tolist(), answer.stats
    ([0], {'positions_left': 0})
    """

    def before(run: Run) -> Run:
        def run_reduced(game: ParityGame, progress: Progress = None) -> Answer:
            reduced = reduce(game)
            answer = Answer(np.zeros(0, np.int8), np.zeros(0, np.int32))
            if reduced.game.n:
                answer = run(reduced.game, progress)
            lifted = reduced.lift(answer)
            stats = {"positions_left": reduced.game.n} | answer.stats
            return Answer(lifted.winner, lifted.strategy, stats)

        return run_reduced

    return before


PASSES = (
    Pass("self-loops", "decide positions by their loops", reducing(self_loops)),
    Pass(
        "winner-controlled-cycles",
        "decide cycles on which only the winner has a choice",
        reducing(winner_controlled_cycles),
    ),
    Pass(
        "single-parity",
        "decide a game with one parity, or with one player who has all choices",
        reducing(single_parity),
    ),
    Pass("compress", "use the least priorities of the same order", reducing(compress)),
    Pass("lower", "use the least priorities in each strong component", reducing(lower)),
    Pass("inflate", "raise priorities to those of their neighbours", reducing(inflate)),
    Pass("components", "solve strong components one by one, bottom up", by_components),
)
"""The passes by name, for ``solve(..., passes=[...])`` and ``zermelo solve --pass NAME``."""


def prepared(run: Run, passes: Iterable[str]) -> Run:
    """A solver with passes before it, in the given order.

    The passes after ``components`` are made on each strong component.

    >>> from zermelo.solvers.infinite import progress_measures
    >>> run = prepared(progress_measures.run, ("components", "compress"))
    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> run(ParityGame(graph, np.array([90, 31], np.int32)), None).winner.tolist()
    [0, 0]
    """
    table = {row.name: row for row in PASSES}
    for name in reversed(list(passes)):
        if name not in table:
            raise unknown("pass", name, list(table))
        run = table[name].before(run)
    return run
