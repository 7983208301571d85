"""Decompose a game of no return, and decide each piece by the strongest method that applies.

1. *The plain game.* Retrograde analysis without memory (normal play, or misère play if a stuck
   player wins). Its results also hold with memory: the winner's moves decrease the distance, so
   nothing is repeated. On acyclic graphs this decides everything. O(V + E).
2. *Strong components* of the remaining positions; each comes after those that its moves lead to. A
   component cannot be entered twice, so the starts below it are known when it is decided.
3. *Exits.* A position with a move to a lost start below is won after every history. No player
   should move to it, so it is removed, and the rest is split into components again.
4. *The rest* of a component has exits only to won starts, which are bad moves. A single position is
   plain. A symmetric piece is decided by a maximum matching ([EdmondsGurvich2010] Theorem 2), or by
   taking back moves if that wins. All other pieces are searched.

Differs from the paper, Theorem 3: the paper adds a pendant edge to a position with an exit to a
lost start; here the position is removed. This is the same matching problem: some maximum matching
contains the edge, and then position and edge are removed. A pendant path of two edges (an exit to a
won start) does not change the maximum matchings of the rest, and is omitted.
"""

from dataclasses import dataclass, field

import numpy as np

from zermelo._kernels.graphs.reachable import reach
from zermelo._runtime.progress import Report
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, UNDECIDED, BoolArray, Int8Array, Int32Array, Label
from zermelo.objectives import Misere, NormalPlay
from zermelo.objectives.geography import Geography
from zermelo.solutions.geography import Piece, Play
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.geography._arena import Arena
from zermelo.solvers.geography.parts import Parts, is_symmetric
from zermelo.solvers.terminal import retrograde

ALL = frozenset({"matching", "reversible", "search"})
"""The methods for components."""


def settle(
    graph: Graph,
    objective: Geography,
    start: int | None = None,
    progress: Report | None = None,
    *,
    methods: frozenset[str] = ALL,
    nodes: int | None = None,
) -> Play:
    """Decide all starts, or those that ``start`` depends on; at most ``nodes`` nodes are searched.

    >>> from zermelo.objectives.geography import NoReturn
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 1), (3, 0)])
    >>> settle(g, NoReturn()).label.tolist()
    [-1, -1, 1, 1]
    """
    task = begin(graph, objective, start, progress, methods=methods, nodes=nodes)
    task.run()
    return task.play()


def begin(
    graph: Graph,
    objective: Geography,
    start: int | None,
    progress: Report | None,
    *,
    methods: frozenset[str],
    nodes: int | None,
) -> "Task":
    """Solve the plain game; :meth:`Task.run` decides the rest."""
    plain = retrograde.solve(graph, NormalPlay() if objective.terminal < 0 else Misere(), progress)
    return Task(graph, objective, plain, start, progress, methods, nodes)


@dataclass
class Task:
    """A game that is being decided, piece by piece."""

    graph: Graph
    objective: Geography
    plain: TerminalSolution
    start: int | None
    progress: Report | None
    methods: frozenset[str]
    limit: int | None
    nodes: int = 0
    pieces: list[Piece] = field(default_factory=list)

    def __post_init__(self) -> None:
        graph = self.graph
        # A draw of the plain game decides nothing here.
        drawn = self.plain.label == Label.DRAW
        self.known: Int8Array = np.where(drawn, UNDECIDED, self.plain.label).astype(np.int8)
        self.label = self.known.copy()
        won = self.known == Label.WIN
        self.first: Int32Array = np.where(won, self.plain.move, NO_MOVE).astype(np.int32)
        self.parts = Parts(graph)

    def play(self) -> Play:
        """The result of the pieces so far; it is valid even after an interruption at any time."""
        order = np.zeros(self.graph.n, np.int32)
        for k, piece in enumerate(self.pieces):
            order[piece.positions] = k + 1
        decided = order > 0
        label = np.where(decided, self.label, self.known)
        won = np.where(self.known == Label.WIN, self.plain.move, NO_MOVE)
        first = np.where(decided, self.first, won).astype(np.int32)
        pieces = tuple(self.pieces)
        return Play(self.graph, self.objective, self.plain, label, order, first, pieces, self.nodes)

    def run(self) -> None:
        """Decide all starts that are asked for."""
        self.asked = self._asked()
        undecided = np.flatnonzero((self.label == UNDECIDED) & self.asked)
        if not undecided.size:
            return
        stack = self.parts.components(undecided)[::-1]
        # Invariant: each component on the stack comes after all that its moves lead to, except
        # positions of exit pieces; every position not on the stack that they lead to has a label.
        while stack:
            part = stack.pop()
            rest = self._take_exits(part)
            if rest is part:
                self._decide(part)
            elif rest.size:
                stack += self.parts.components(rest)[::-1]

    def _asked(self) -> BoolArray:
        """The positions that the start can reach; all positions if there is no start."""
        if self.start is None:
            return np.ones(self.graph.n, bool)
        seen = np.zeros(self.graph.n, np.int8)
        queue = np.zeros(self.graph.n, np.int32)
        seen[self.start], queue[0] = 1, self.start
        reach(self.graph.indptr, self.graph.indices, seen, queue, 1)
        return seen.astype(bool)

    def _take_exits(self, part: Int32Array) -> Int32Array:
        """Decide the positions that are won after every history; return the others."""
        source, target, inside = self.parts.moves(part)
        wins = (inside < 0) & (self.label[target] == Label.LOSE)
        if self.objective.returns:
            wins |= inside == source
        won = np.zeros(part.size, bool)
        won[source[wins]] = True
        if not won.any():
            return part
        move = np.full(part.size, NO_MOVE, np.int32)
        move[source[wins]] = target[wins]
        taken = part[won]
        self.label[taken] = 1
        self.first[taken] = move[won]
        self.pieces.append(Piece("exit", taken))
        return part[~won]

    def _decide(self, part: Int32Array) -> None:
        source, target, inside = self.parts.moves(part)
        leaves = inside < 0
        if (self.label[target[leaves]] == UNDECIDED).any():
            self.pieces.append(Piece("open", part))
            return
        stuck = np.full(part.size, self.objective.stuck, np.int8)
        stuck[source[leaves]] = -1
        if part.size == 1:
            self.label[part] = stuck
            self.pieces.append(Piece("single", part))
            return
        graph = self.parts.induced(part)
        if is_symmetric(graph):
            if self.objective.returns:
                if "reversible" in self.methods:
                    self.label[part] = -1
                    self.pieces.append(Piece("reversible", part))
                    return
            elif self.objective.stuck < 0 and "matching" in self.methods:
                self._match(part, graph)
                return
        if "search" not in self.methods:
            name = self.graph.name(int(part[0]))
            raise SolverError(
                f"expected strong components that a matching decides, got one of {part.size:,} "
                f"positions with {name!r} that is not symmetric; solver 'geography' searches it"
            )
        self._search(part, Arena(graph, stuck, self.objective.returns))

    def _match(self, part: Int32Array, graph: Graph) -> None:
        from zermelo.matching.maximum import gallai_edmonds

        decomposition = gallai_edmonds(graph)
        lost = decomposition.matching.inessential
        self.label[part] = np.where(lost, -1, 1)
        self.first[part] = np.where(lost, NO_MOVE, part[decomposition.matching.mate])
        self.pieces.append(Piece("matching", part, decomposition))

    def _search(self, part: Int32Array, arena: Arena) -> None:
        known = self.nodes
        tick = None
        if (progress := self.progress) is not None:
            total = 0 if self.limit is None else self.limit

            def tick(done: int) -> None:
                progress(known + done, total, "nodes")

        try:
            for v in self._entries(part).tolist():
                left = None if self.limit is None else self.limit - known - arena.nodes
                label, best = arena.decide(v, left, tick)
                if label == Label.WIN:
                    self.first[part[v]] = part[best]
                self.label[part[v]] = label
        finally:  # an interrupted search leaves a piece, too
            self.nodes = known + arena.nodes
            self.pieces.append(Piece("search", part, arena))

    def _entries(self, part: Int32Array) -> Int32Array:
        """The indices in the part of the starts that are needed."""
        if self.start is None:
            return np.arange(part.size, dtype=np.int32)
        mine = set(part.tolist())
        asked = [
            k
            for k, v in enumerate(part.tolist())
            if v == self.start
            or any(
                p == self.start or (self.asked[p] and self.label[p] == UNDECIDED and p not in mine)
                for p in self.graph.predecessors(v).tolist()
            )
        ]
        return np.array(asked, np.int32)
