"""Solutions of games of return and repetition: labels in pieces, and strategies.

In these games the result depends on the past, so a label belongs to a *start*: a position that is
entered while everything that can be reached from it is still open. The pieces are the certificate.
In their order, a player who plays well never goes from a piece to a later one. So every piece is
entered while all earlier ones are untouched, and their labels hold.
"""

import functools
import itertools
from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs.values import listed, shown, whole_number
from zermelo._kernels.graphs.reachable import reach
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import (
    NO_DISTANCE,
    NO_MOVE,
    UNDECIDED,
    AnyArray,
    Int8Array,
    Int32Array,
    Label,
    read_only,
)
from zermelo.objectives.geography import Geography
from zermelo.registry import choose_solver, objective_row
from zermelo.registry.checkers import CHECKERS
from zermelo.solutions.answers import Answer, Line
from zermelo.solutions.base import Solution
from zermelo.solutions.terminal import TerminalSolution

if TYPE_CHECKING:
    from typing import Self

    from zermelo.solvers.geography.strategy import GeographyStrategy

FIRST_NODES = 1 << 16
"""The limit of nodes in the first search for the labels of a file; each next limit is 4 times
as high."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Positions that were decided together, and why their labels are right.

    ``kind`` is *exit* (a move to an earlier lost position wins), *single* (no cycle but loops),
    *matching* (symmetric; ``proof`` is the Gallai–Edmonds decomposition), *reversible* (every move
    can be taken back), *search* (``proof`` is a table of situations) or *open* (undecided).
    """

    kind: str
    positions: Int32Array
    proof: Any = None


@dataclass(frozen=True, eq=False)
class Play:
    """A solved game of return on a graph.

    In games of repetition the graph is the line digraph of the one that was given.
    """

    graph: Graph
    objective: Geography
    family = "geography"
    plain: TerminalSolution
    """The same graph as a game without memory; its decided labels hold here, too."""
    label: Int8Array
    """``UNDECIDED`` where the search was given up, or was not asked for."""
    order: Int32Array
    """The number of each position's piece, from 1; 0 where ``plain`` decides."""
    first: Int32Array
    """A winning move of each won start, ``NO_MOVE`` where none is needed and of the others."""
    pieces: tuple[Piece, ...]
    """Piece 1, 2, …"""
    nodes: int = 0
    """The number of situations that searches have visited."""

    def __post_init__(self) -> None:
        for array in (self.label, self.order, self.first):
            array.flags.writeable = False


def residual(graph: Graph, history: Sequence[int]) -> tuple[Graph, Int32Array]:
    """What is left of a graph when the token is on ``history[-1]`` and has been on the others.

    It is the part that can still be reached, and the positions that it has, increasing. No move
    leads to a position of the history any more. A position that had such a move gets a loop
    instead, which nobody can use unless coming back wins: then it wins at once.

    >>> left, part = residual(Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 0), (3, 2)]), [0, 1])
    >>> left.to_edges().tolist(), part.tolist()
    ([[0, 0], [0, 1], [1, 1]], [1, 2])
    """
    seen, queue = np.zeros(graph.n, np.int8), np.zeros(graph.n, np.int32)
    seen[list(history)] = 1
    queue[0] = history[-1]
    part = np.sort(queue[: reach(graph.indptr, graph.indices, seen, queue, 1)])
    place = np.full(graph.n, -1, np.int64)
    place[part] = np.arange(part.size)
    place[list(history)] = -1
    degree = graph.out_degree[part]
    source = np.repeat(np.arange(part.size), degree)
    start = np.repeat(graph.indptr[part] - np.cumsum(degree) + degree, degree)
    target = place[graph.indices[start + np.arange(source.size)]]
    return Graph.from_arrays(source, np.where(target < 0, source, target), part.size), part


@dataclass(frozen=True)
class GeographyAnswer(Answer):
    """The answer at a start, with the work that was done for all starts."""

    nodes: int | None = None
    """Situations that searches looked at, None where that is not known."""

    def __str__(self) -> str:
        if self.label is Label.UNDECIDED:
            after = "" if self.nodes is None else f" after {self.nodes:,} nodes"
            return f"{self.position}: undecided{after}"
        return super().__str__()


@dataclass(frozen=True, eq=False, repr=False)
class _Starts(Solution):
    """Labels of starts; nothing is drawn, and there are no distances."""

    objective: Geography

    @property
    def value(self) -> AnyArray:
        """The labels as integers of 64 bits; None where undecided, in an array of objects."""
        undecided = self.label == UNDECIDED
        if not undecided.any():
            return self.label.astype(np.int64)
        value = self.label.astype(object)
        value[undecided] = None
        return value

    @property
    def searched(self) -> int | None:
        """Situations that searches looked at, None where that is not known."""
        return None

    def _answer(self, v: int, player: int | None) -> Answer:
        """The answer at a start, with its winning moves."""
        return GeographyAnswer(**vars(super()._answer(v, player)), nodes=self.searched)

    def _best(self, s: int) -> list[int]:
        """The winning moves of a start that wins, all legal ones of a start that loses."""
        label = self.label[s]
        if label == Label.WIN:
            return self._winning([s])
        return self._legal([s]) if label == Label.LOSE else []

    @abstractmethod
    def _winning(self, walk: list[int]) -> list[int]:
        """Winning moves after a history."""

    def _repeats(self, walk: list[int], w: int) -> bool:
        """Whether the move to w ends the game by repeating a position or a move."""
        if self.objective.keyword in ("no-return", "return"):
            return w in walk
        return (walk[-1], w) in itertools.pairwise(walk)

    def _legal(self, walk: list[int]) -> list[int]:
        """The moves that may be made: fresh ones, or all where repeating wins."""
        moves: list[int] = self.graph.successors(walk[-1]).tolist()
        if self.objective.keyword in ("return", "repetition"):
            return moves
        return [w for w in moves if not self._repeats(walk, w)]

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """The winner's strategy against an opponent who always makes his first legal move."""
        v = self.graph.index(position)
        self._situation(v, player)
        if limit is not None:
            limit = whole_number(limit, "limit")
        known = self.label[v] != UNDECIDED
        return self._play_from(v, limit) if known else Line([self.graph.name(v)])

    @abstractmethod
    def _play_from(self, v: int, limit: int | None) -> Line:
        """A play of the winner's strategy, with at most so many moves."""

    def counts(self) -> dict[str, int]:
        """How many starts win, lose and are undecided; nothing is drawn."""
        return super().counts() | {"undecided": int((self.label == UNDECIDED).sum())}


@dataclass(frozen=True, eq=False, repr=False)
class GeographySolution(_Starts):
    """A solved game of return or repetition: a label for every start, and strategies.

    Labels are ``UNDECIDED`` where the search was given up, or for starts that were not asked about
    (see ``start``). There are no distances. Moves that are computed on request are also checked
    then.
    """

    play: Play

    def __post_init__(self) -> None:
        if not isinstance(self.play, Play):
            raise CertificateError(f"play: expected a Play, got {shown(self.play)}")
        super().__post_init__()

    @functools.cached_property
    def move(self) -> Int32Array:
        """A winning first move of each start that has one, ``NO_MOVE`` elsewhere."""
        move = self.play.first[self._offset :].copy()
        known = move >= 0
        if self.objective.arcs:
            move[known] = self.graph.indices[move[known]]
        return read_only(move)

    @property
    def _offset(self) -> int:
        """The node of ``play.graph`` at which start 0 begins; start v follows v nodes later."""
        return self.play.graph.n - self.graph.n

    @property
    def searched(self) -> int:
        """Situations that searches looked at."""
        return self.play.nodes

    # ---------------------------------------------------------------- play

    def winning_moves(self, history: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """All winning moves of the player to move after this history of the token.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d")])
        >>> zm.solve(g, zm.NoReturn()).winning_moves(["a", "b", "c"])
        ('d',)
        """
        return tuple(self.graph.name(w) for w in self._winning(self._walk(history)))

    def _walk(self, history: Sequence[Hashable]) -> list[int]:
        """A history by numbers; every step must be a move, and none may have ended the game."""
        walk = [self.graph.index(x) for x in listed(history, "a history, a list of positions")]
        if not walk:
            raise InvalidOptionError("history: expected at least the start, got nothing")
        for k in range(1, len(walk)):
            v, w = walk[k - 1], walk[k]
            if w not in self.graph.successors(v):
                raise InvalidOptionError(f"{history[k - 1]!r} has no move to {history[k]!r}")
            if self._repeats(walk[:k], w):
                raise InvalidOptionError(f"the game ended when {history[k]!r} was entered")
        return walk

    def _winning(self, walk: list[int]) -> list[int]:
        """All winning moves, by the labels of what is left of the graph; these are checked."""
        won = []
        if self.objective.keyword in ("return", "repetition"):
            moves = self.graph.successors(walk[-1]).tolist()
            won = [w for w in moves if self._repeats(walk, w)]
        nodes = self._nodes(walk)
        rest, part = residual(self.play.graph, nodes)
        token = int(np.searchsorted(part, nodes[-1]))
        continuation = objective_row(self.objective).load_continuation()
        play = continuation.settle(rest, self.objective, token)
        CHECKERS["geography-rest"].load()(play, rest, self.objective, token)
        after = rest.successors(token)
        fresh = part[after[(play.label[after] < 0) & (after != token)]]
        won += (self.graph.indices[fresh] if self.objective.arcs else fresh).tolist()
        return sorted(won)

    def _nodes(self, walk: list[int]) -> list[int]:
        """The same play on ``play.graph``."""
        if not self.objective.arcs:
            return walk
        nodes = [self._offset + walk[0]]
        for v, w in itertools.pairwise(walk):
            row = self.graph.successors(v)
            nodes.append(int(self.graph.indptr[v] + np.searchsorted(row, w)))
        return nodes

    def strategy(self, start: Hashable | None = None) -> "GeographyStrategy":
        """The winner's strategy from a start, the one that was asked about unless given.

        >>> import zermelo as zm
        >>> s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")]), zm.NoReturn())
        >>> s.strategy("a")
        GeographyStrategy(player 1 from a)
        >>> print(s.strategy("a").play())
        a → b → c
        """
        if start is None:
            if self.start is None:
                raise InvalidOptionError("start: expected a position, as none was asked about")
            start = self.graph.name(self.start)
        v = self.graph.index(start)
        if self.label[v] == UNDECIDED:
            raise InvalidOptionError(f"nobody is known to win from {start!r}")
        winner = 0 if self.label[v] == Label.WIN else 1
        continuation = objective_row(self.objective).load_continuation()
        strategy: GeographyStrategy = continuation.GeographyStrategy(self, v, winner)
        return strategy

    def _play_from(self, v: int, limit: int | None) -> Line:
        return self.strategy(self.graph.name(v)).play(limit=limit)


class SearchInterrupted(KeyboardInterrupt):
    """The user interrupted the search of a game of return; ``solution`` has what is known.

    >>> import zermelo as zm
    >>> def impatient(done, total, what):
    ...     raise KeyboardInterrupt
    >>> hard = zm.generators.random_graph(200, degree=3, law="regular", seed=1)
    >>> try:
    ...     zm.solve(hard, zm.NoReturn(), start=0, progress=impatient)
    ... except SearchInterrupted as stop:
    ...     print(stop.solution[0])
    0: undecided after 128 nodes
    """

    def __init__(self, solution: GeographySolution) -> None:
        self.solution = solution
        super().__init__("interrupted")


@dataclass(frozen=True, eq=False, repr=False)
class ClaimedGeography(_Starts):
    """What a file claims about a game of return: labels and first moves, without the reasons.

    To check it, the game is solved again, the new solution is checked, and the two are compared.
    """

    claimed: Int32Array

    @property
    def move(self) -> Int32Array:
        """The moves that the file claims."""
        return self.claimed

    def _winning(self, walk: list[int]) -> list[int]:
        """The one move that the file claims for a start."""
        w = int(self.claimed[walk[0]])
        return [] if w == NO_MOVE else [w]

    def _play_from(self, v: int, limit: int | None) -> Line:
        """The play of the game solved again, because a file has first moves only."""
        return self._solved_at(v)._play_from(v, limit)

    def verify(self) -> "Self":
        """Solve the game, check that solution, and compare."""
        CHECKERS["geography-entries"].load()(self)
        CHECKERS["array"].load()("move", self.claimed, (self.graph.n,), np.int32)
        found = self._solved(self.label, self.start).verify()
        for v, label in enumerate(self.label.tolist()):
            w = int(self.claimed[v])
            if w != (found.move[v] if label == Label.WIN else NO_MOVE):
                if label == Label.WIN and w in found._best(v):
                    continue
                raise CertificateError(
                    f"position {self.graph.name(v)!r}: the claimed move does not win"
                )
        return self

    def _solved_at(self, v: int) -> GeographySolution:
        """The game solved as far as the label of one start needs it."""
        only = np.full(self.graph.n, UNDECIDED, np.int8)
        only[v] = self.label[v]
        return self._solved(only, v)

    def _solved(self, label: Int8Array, start: int | None) -> GeographySolution:
        """The game solved as far as labels are claimed; others may be too hard to find."""
        solve = choose_solver(self.objective).load()
        nodes = FIRST_NODES
        while True:
            found = solve(self.graph, self.objective, None, start=start, nodes=nodes)
            assert isinstance(found, GeographySolution)
            wrong = np.flatnonzero((label != UNDECIDED) & (found.label != label))
            if not wrong.size:
                return found
            known = found.label[wrong] != UNDECIDED
            if found.play.nodes < nodes or known.any():
                v = int(wrong[np.argmax(known)])
                raise CertificateError(
                    f"position {self.graph.name(v)!r}: expected label {found.label[v]}, the file "
                    f"claims {label[v]}"
                )
            nodes *= 4


def geography_solution(
    graph: Graph, solver: str, objective: Geography, play: Play, start: int | None = None
) -> GeographySolution:
    """Make a solution of a game on a graph, or on its line digraph."""
    label = play.label[play.graph.n - graph.n :].copy()
    level = np.where(label == UNDECIDED, UNDECIDED, label == Label.WIN).astype(np.int8)
    stats = {"pieces": len(play.pieces), "nodes": play.nodes}
    distance = np.full(graph.n, NO_DISTANCE, np.int32)
    return GeographySolution(
        graph, objective, solver, level, label, distance, play, start=start, stats=stats
    )
