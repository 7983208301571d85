"""What a solver of games of return and repetition answers: labels in pieces, strategies that play.

The past matters here, so a label belongs to a *start*: a position that is entered with everything
that can be reached from it still open. The pieces are the certificate. In their order, whoever
plays well never goes from a piece to a later one, so every piece is entered with all earlier ones
untouched, and the labels of these can be relied on.
"""

import functools
import itertools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs import listed
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, Int8Array, Int32Array, Label, read_only
from zermelo.objectives.geography import Geography
from zermelo.solution import Answer, Line, Solution, TerminalSolution

if TYPE_CHECKING:
    from typing import Self

UNKNOWN = -2
"""In ``Play.first``: a winning move exists and has not been looked for."""


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
    """A game of return on a graph, solved: what the token does in the end.

    In games of repetition the graph is the line digraph of the one that was given.
    """

    graph: Graph
    objective: Geography
    plain: TerminalSolution
    """The same graph as a game without memory; what it decides holds here, too."""
    label: Int8Array
    order: Int32Array
    """The number of each position's piece, from 1; 0 where ``plain`` decides."""
    first: Int32Array
    """A winning move of each won start, ``NO_MOVE`` where there is none, or ``UNKNOWN``."""
    pieces: tuple[Piece, ...]
    """Piece 1, 2, …"""
    nodes: int = 0
    """Situations that searches looked at."""

    def __post_init__(self) -> None:
        for array in (self.label, self.order, self.first):
            array.flags.writeable = False


def residual(graph: Graph, history: Sequence[int]) -> Graph:
    """What is left of a graph when the token is on ``history[-1]`` and has been on the others.

    No move leads to a position of the history any more. Who had such a move gets a loop instead,
    which nobody can use unless coming back wins: then it wins at once.

    >>> residual(Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 0)]), [0, 1]).to_edges().tolist()
    [[1, 1], [1, 2], [2, 2]]
    """
    seen = np.zeros(graph.n, bool)
    seen[list(history)] = True
    source = np.repeat(np.arange(graph.n, dtype=np.int64), graph.out_degree)
    target = np.where(seen[graph.indices], source, graph.indices)
    seen[history[-1]] = False
    kept = ~seen[source]
    return Graph.from_arrays(source[kept], target[kept], graph.n)


@dataclass(frozen=True)
class GeographyAnswer(Answer):
    """The answer at a start; its label is ``DRAW`` where the search was given up."""

    nodes: int = 0

    @property
    def word(self) -> str:
        """The label in a word; UNKNOWN for 0."""
        return "UNKNOWN" if self.label == Label.DRAW else self.label.name

    def __str__(self) -> str:
        if self.label == Label.DRAW:
            return f"{self.position}: undecided after {self.nodes:,} nodes"
        return super().__str__()


@dataclass(frozen=True, eq=False, repr=False)
class GeographySolution(Solution):
    """A solved game of return or repetition: a label for every start, and strategies.

    Labels are 0 where the search was given up, or where nobody asked (see ``start``). There are no
    distances.
    """

    objective: Geography
    play: Play

    @functools.cached_property
    def move(self) -> Int32Array:
        """A winning first move of each start that has one, ``NO_MOVE`` elsewhere."""
        move = self.play.first[self._offset :].copy()
        known = move >= 0
        if self.objective.arcs:
            move[known] = self.graph.indices[move[known]]
        for v in np.flatnonzero(move == UNKNOWN).tolist():
            move[v] = self._winning([v])[0]
        return read_only(move)

    @property
    def _offset(self) -> int:
        """The node of ``play.graph`` at which start 0 begins; start v follows v nodes later."""
        return self.play.graph.n - self.graph.n

    # ---------------------------------------------------------------- one position

    def at(self, position: Hashable, player: int | None = None) -> Answer:
        """The answer at a start, with all its winning moves."""
        found = super().at(position, player)
        return GeographyAnswer(**vars(found), nodes=self.play.nodes)

    def _best(self, s: int) -> list[int]:
        """All winning moves of a start that wins, all legal ones of a start that loses."""
        label = self.label[s]
        if label > 0:
            return self._winning([s])
        return [] if label == 0 else self._legal([s])

    def winning_moves(self, history: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """All winning moves of the player who is to move after the token has gone this way.

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

    def _winning(self, walk: list[int]) -> list[int]:
        """All winning moves, by the labels of what is left of the graph."""
        from zermelo.solvers.geography._settle import settle

        won = []
        if self.objective.keyword in ("return", "repetition"):
            moves = self.graph.successors(walk[-1]).tolist()
            won = [w for w in moves if self._repeats(walk, w)]
        nodes = self._nodes(walk)
        rest = residual(self.play.graph, nodes)
        label = settle(rest, self.objective, nodes[-1]).label
        after = rest.successors(nodes[-1])
        fresh = after[(label[after] < 0) & (after != nodes[-1])].tolist()
        won += self.graph.indices[fresh].tolist() if self.objective.arcs else fresh
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
        """The winner's strategy from a start, the one that was asked about unless said.

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
        if self.label[v] == 0:
            raise InvalidOptionError(f"nobody is known to win from {start!r}")
        return GeographyStrategy(self, v, 0 if self.label[v] > 0 else 1)

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """The winner's strategy against an opponent who always makes his first legal move."""
        v = self.graph.index(position)
        self._situation(v, player)
        if self.label[v] == 0:
            return Line([self.graph.name(v)])
        return self.strategy(position).play(limit=limit)

    # ---------------------------------------------------------------- summary and proof

    def counts(self) -> dict[str, int]:
        """How many starts win, lose and are undecided; nothing is drawn."""
        found = super().counts()
        return {**found, "draw": 0, "undecided": found["draw"]}

    def __repr__(self) -> str:
        text, unknown = super().__repr__(), int((self.label == 0).sum())
        if not unknown:
            return text
        return text[:-1].removesuffix("empty").rstrip() + f" {unknown:,} undecided)"

    def verify(self) -> "Self":
        """Check every piece and every label; see :mod:`zermelo.verify.geography`."""
        from zermelo.verify.geography import check_geography

        check_geography(self)
        return self


@dataclass(frozen=True, eq=False, repr=False)
class GeographyStrategy:
    """How the winner plays from a start: a function of the whole history.

    Where the history matters only through the position that the token is on, :attr:`positional`
    has the moves.
    """

    solution: GeographySolution
    start: int
    player: int
    """0 if the player who begins wins, else 1."""

    def __repr__(self) -> str:
        return (
            f"GeographyStrategy(player {self.player} from {self.solution.graph.name(self.start)})"
        )

    def move(self, history: Sequence[Hashable]) -> Hashable | None:
        """The winner's move after a history; None where she has won already.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")])
        >>> zm.solve(g, zm.NoReturn()).strategy("a").move(["a", "b"])
        'c'
        """
        s = self.solution
        walk = s._walk(history)
        if walk[0] != self.start or len(walk) % 2 == self.player:
            raise InvalidOptionError(
                f"history: expected one from {s.graph.name(self.start)!r} with player "
                f"{self.player} to move, got {list(history)!r}"
            )
        w = self._reply(walk)
        return None if w == NO_MOVE else s.graph.name(w)

    def _reply(self, walk: list[int]) -> int:
        if len(walk) == 1:
            return int(self.solution.move[walk[0]])
        return next(iter(self.solution._winning(walk)), NO_MOVE)

    @functools.cached_property
    def positional(self) -> dict[Hashable, Hashable] | None:
        """The winner's moves by position alone, None where no such strategy is known.

        There is one where play stays in what the plain game decides and in symmetric components,
        and the winner enters each of these at one position only. It is shown for no return only;
        in the other games the move that repeats depends on what was played.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "d")])
        >>> zm.solve(g, zm.NoReturn()).strategy("a").positional
        {'a': 'b', 'c': 'd'}
        """
        s, name = self.solution, self.solution.graph.name
        if s.objective.keyword != "no-return":
            return None
        found = _positional(s, self.start, self.player)
        return None if found is None else {name(v): name(w) for v, w in sorted(found.items())}

    def play(
        self,
        opponent: Callable[[list[Hashable]], Hashable] | None = None,
        limit: int | None = None,
    ) -> Line:
        """Play against an opponent, who is given the history and answers with a position.

        Without one, the other player makes his first legal move. Play stops where somebody has no
        legal move, after the move that repeats, or after ``limit`` moves.
        """
        s = self.solution
        graph = s.graph
        walk, line = [self.start], Line([graph.name(self.start)])
        while limit is None or len(line) <= limit:
            legal = s._legal(walk)
            if len(walk) % 2 != self.player:
                w = self._reply(walk)
                if w == NO_MOVE:
                    break
            elif not legal:
                break
            elif opponent is None:
                w = legal[0]
            else:
                w = graph.index(opponent(list(line)))
                if w not in legal:
                    raise InvalidOptionError(f"{line[-1]!r} has no legal move to {graph.name(w)!r}")
            ended = s._repeats(walk, w)
            walk.append(w)
            line.append(graph.name(w))
            if ended:
                break
        return line


def _positional(s: GeographySolution, start: int, player: int) -> dict[int, int] | None:
    """The winner's moves, if in every matching piece she can follow one matching throughout."""
    play = s.play
    mates: dict[int, tuple[int, Int32Array]] = {}
    # Invariant: mates has pieces that the winner enters, the position where she does so, and a
    # maximum matching that leaves it exposed; the others have their own. A round that finds no
    # more of them has made the same moves throughout.
    while True:
        found: dict[int, int] = {}
        entries: dict[int, int] = {}
        todo, seen = [(start, player == 0, -1)], set[tuple[int, bool]]()
        while todo:
            v, mine, before = todo.pop()
            k = int(play.order[v])
            kind = play.pieces[k - 1].kind if k else "plain"
            if kind not in ("plain", "exit", "single", "matching"):
                return None
            entering = kind == "matching" and not mine and before != k
            if entering and entries.setdefault(k, v) != v:
                return None
            if (v, mine) in seen:
                continue
            seen.add((v, mine))
            if not mine:
                todo += [(w, True, k) for w in s._legal([v]) if w != v]
                continue
            w = int(mates[k][1][v]) if k in mates else int(play.first[v])
            if w != NO_MOVE:
                found[v] = w
                todo.append((w, False, k))
        if entries.keys() <= mates.keys():
            return found if all(mates[k][0] == v for k, v in entries.items()) else None
        mates |= {k: (v, _mates(play, k, v)) for k, v in entries.items() if k not in mates}


def _mates(play: Play, k: int, exposed: int) -> Int32Array:
    """A maximum matching of a symmetric piece that leaves a position exposed."""
    from zermelo.matching.maximum import maximum_matching

    part = play.pieces[k - 1].positions
    graph = play.pieces[k - 1].proof.graph
    source = np.repeat(np.arange(graph.n), graph.out_degree)
    kept = (part[source] != exposed) & (part[graph.indices] != exposed)
    mate = maximum_matching(Graph.from_arrays(source[kept], graph.indices[kept], graph.n)).mate
    whole = np.full(play.graph.n, NO_MOVE, np.int32)
    whole[part] = np.where(mate < 0, NO_MOVE, part[mate])
    return whole


@dataclass(frozen=True, eq=False, repr=False)
class ClaimedGeography(Solution):
    """What a file claims about a game of return: labels and first moves, without the reasons.

    To check it, the game is solved again and the new solution's certificate is checked.
    """

    claimed: Int32Array

    @property
    def move(self) -> Int32Array:
        """The moves that the file claims."""
        return self.claimed

    def _best(self, s: int) -> list[int]:
        return [] if self.claimed[s] == NO_MOVE else [int(self.claimed[s])]

    def verify(self) -> "Self":
        """Solve the game, check that solution, and compare."""
        from zermelo.solve import solve

        at = None if self.start is None else self.graph.name(self.start)
        found = solve(self.graph, self.objective, start=at).verify()
        assert isinstance(found, GeographySolution)
        for v, label in enumerate(self.label.tolist()):
            where, w = self.graph.name(v), int(self.claimed[v])
            fits = label in (0, int(found.label[v])) and (self.level[v] == 1) == (label > 0)
            if not fits:
                raise CertificateError(
                    f"position {where!r}: expected label {found.label[v]}, the file claims {label}"
                )
            wins = [int(found.move[v])] if w == found.move[v] else found._best(v)
            if w != NO_MOVE if label <= 0 else w not in (wins or [NO_MOVE]):
                raise CertificateError(f"position {where!r}: the claimed move does not win")
        return self


def geography_solution(
    graph: Graph, solver: str, objective: Geography, play: Play, start: int | None = None
) -> GeographySolution:
    """Make a solution of a game on a graph, or on its line digraph."""
    label = play.label[play.graph.n - graph.n :].copy()
    level = (label > 0).astype(np.int8)
    stats = {"pieces": len(play.pieces), "nodes": play.nodes}
    distance = np.full(graph.n, NO_DISTANCE, np.int32)
    return GeographySolution(
        graph, objective, solver, level, label, distance, play, start=start, stats=stats
    )
