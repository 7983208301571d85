"""Values of debuts in games of return and repetition, component by component.

All four games are played by moves to open positions, and a player without such a move loses:

- *no return*: a position is closed when it is visited.
- *no repetition*: the same on the line digraph, whose positions are the moves.
- *return*: a player who enters a position from which a visited one can be reached in one move lets
  the opponent return, and loses. So entering w closes w and all positions with a move to w.
  Positions with a loop, and positions without moves, are closed from the beginning: there the
  player to move wins at once.
- *repetition*: a player who enters a position that was visited before lets the opponent repeat the
  move that left it. So this is no return without the positions that have no moves.

The same holds in sums, because a win at once is a win of the whole sum. Hence each game has a
Sprague–Grundy value, unless the player to move wins at once. Misère geography has none.
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.objectives.geography import Geography
from zermelo.solvers.geography.line import line_digraph
from zermelo.solvers.geography.parts import Parts
from zermelo.sums.geography.blossoms import bits
from zermelo.sums.geography.search import Budget, Component, Interval


class GeographyValues:
    """The values of debuts of one game; every state is examined once, over all questions.

    >>> from zermelo.objectives.geography import NoReturn
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 1)])
    >>> values = GeographyValues(graph, NoReturn(), None)
    >>> [values.bounds([v]) for v in range(3)]
    [(0, 0), (0, 0), (2, 2)]
    """

    def __init__(self, graph: Graph, objective: Geography, nodes: int | None) -> None:
        self.graph, self.objective, self.budget = graph, objective, Budget(nodes)
        self.arena = _fresh_moves(line_digraph(graph) if objective.arcs else graph, objective)
        n = self.arena.n
        parts = Parts(self.arena).components(np.arange(n)) if n else []
        self._positions = parts
        self._number, self._place = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for k, part in enumerate(parts):
            self._number[part], self._place[part] = k, np.arange(part.size)
        self._components: dict[int, Component] = {}
        self.starts: dict[int, Interval] = {}
        """Bounds of starts at which play may enter a component."""

    # ---------------------------------------------------------------- debuts

    def walk(self, debut: Sequence[Hashable]) -> list[int]:
        """The positions of a debut by numbers; it must not have ended."""
        if not isinstance(debut, tuple | list) or not debut:
            raise InvalidOptionError(f"expected a debut, a tuple of positions, got {shown(debut)}")
        walk = [self.graph.index(x) for x in debut]
        for k in range(1, len(walk)):
            if walk[k] not in self.graph.successors(walk[k - 1]) or self.repeats(walk[:k], walk[k]):
                raise InvalidOptionError(
                    f"{tuple(debut)!r} is no debut: no fresh move to {debut[k]!r}"
                )
        return walk

    def repeats(self, walk: list[int], w: int) -> bool:
        """Whether the move to w repeats a position, or a move."""
        if "repetition" in self.objective.keyword:
            return (walk[-1], w) in pairwise(walk)
        return w in walk

    def decisive(self, walk: list[int]) -> bool:
        """Whether the player to move wins at once: by a repetition, or because she is stuck."""
        moves = self.graph.successors(walk[-1]).tolist()
        if self.objective.keyword not in ("return", "repetition"):
            return False
        return not moves or any(self.repeats(walk, w) for w in moves)

    def options(self, walk: list[int]) -> Iterator[int]:
        """The moves that neither end the game nor let the opponent win at once."""
        for w in self.graph.successors(walk[-1]).tolist():
            if not self.repeats(walk, w) and not self.decisive([*walk, w]):
                yield w

    def bounds(self, walk: list[int], cap: int | None = None) -> Interval:
        """Bounds of the value of a debut at which nobody wins at once.

        They are equal or the lower one is above ``cap``, unless the budget is spent.
        """
        nodes = self.nodes(walk)
        v, k = nodes[-1], int(self._number[nodes[-1]])
        component = self._component(k)
        free = component.whole
        for u in nodes:
            if self._number[u] == k:
                free &= ~component.closes[int(self._place[u])]
        most = self.arena.n + 1 if cap is None else cap
        asked, seen = [(v, free)], set[int]()
        for u, part in asked:
            for w in self._entries(u, part, most):
                if w not in seen:
                    seen.add(w)
                    asked.append((w, self._start(w)))
        # Moves out of a component lead to components of a smaller number.
        for u, part in sorted(asked[1:], key=lambda entry: int(self._number[entry[0]])):
            self.starts[u] = _meet(self._inside(u, part, most), self.starts.get(u))
        return self._inside(v, free, most)

    def nodes(self, walk: list[int]) -> list[int]:
        """The same debut on the arena: with ``arcs`` its positions are the moves."""
        if not self.objective.arcs:
            return walk
        nodes = [self.arena.n - self.graph.n + walk[0]]
        for v, w in pairwise(walk):
            row = self.graph.successors(v)
            nodes.append(int(self.graph.indptr[v] + np.searchsorted(row, w)))
        return nodes

    # ---------------------------------------------------------------- components

    def _component(self, k: int) -> Component:
        if k not in self._components:
            moves, leaving = [], 0
            for x, v in enumerate(self._positions[k].tolist()):
                after = self.arena.successors(v)
                inside = self._place[after[self._number[after] == k]]
                moves.append(sum(1 << y for y in inside.tolist()))
                leaving |= (inside.size < after.size) << x
            closes = [1 << x for x in range(len(moves))]
            if self.objective.returns:
                for x, row in enumerate(moves):
                    for y in bits(row):
                        closes[y] |= 1 << x
            self._components[k] = Component(moves, closes, leaving, self.budget)
        return self._components[k]

    def _start(self, v: int) -> int:
        """The open positions of v's component if play enters it at v."""
        component = self._component(int(self._number[v]))
        return component.whole & ~component.closes[int(self._place[v])]

    def _leaving(self, v: int, free: int) -> list[int]:
        """The positions that v reaches in its component and that have exits, and v itself."""
        k, x = int(self._number[v]), int(self._place[v])
        part = self._positions[k]
        component = self._component(k)
        if not component.leaving & ~(1 << x):
            return [v]
        reached = component.reach(x, free) & component.leaving & ~(1 << x)
        return [v, *(int(part[y]) for y in bits(reached))]

    def _exits(self, v: int) -> list[int]:
        after = self.arena.successors(v)
        found: list[int] = after[self._number[after] != self._number[v]].tolist()
        return found

    def _entries(self, v: int, free: int, cap: int) -> list[int]:
        """The starts below that v may reach and whose values are not known well enough."""
        found = []
        for u in self._leaving(v, free):
            for w in self._exits(u):
                low, high = self.starts.get(w, (-1, 0))
                if low < high and low <= cap:
                    found.append(w)
        return found

    def _inside(self, v: int, free: int, cap: int) -> Interval:
        """Bounds of the value of v, if these positions of its component are open."""
        component = self._component(int(self._number[v]))
        for u in self._leaving(v, free):
            x = int(self._place[u])
            component.exits[x], component.unclear[x] = self._collect(u)
        return component.bounds(int(self._place[v]), free, cap)

    def _collect(self, v: int) -> tuple[int, list[Interval]]:
        """The exits of v: the values that are known, and bounds of the others."""
        found = [self.starts[w] for w in self._exits(v)]
        have = 0
        for low, high in found:
            if low == high:
                have |= 1 << low
        return have, [x for x in found if x[0] < x[1]]

    # ---------------------------------------------------------------- the proof

    def table(self) -> dict[tuple[int, int, int, int], Interval]:
        """All states that were examined, as sets of positions of the arena."""
        found = {}
        for k, component in self._components.items():
            part = self._positions[k].tolist()
            for (v, open_, flagged, level), bounds in component.known.items():
                marked = flagged if flagged < 0 else _spread(flagged, part)
                found[part[v], _spread(open_, part), marked, level] = bounds
        return found


def _fresh_moves(arena: Graph, objective: Geography) -> Graph:
    """The arena without loops and without moves to positions that may never be entered."""
    source = np.repeat(np.arange(arena.n), arena.out_degree)
    loop = arena.indices == source
    shut = np.zeros(arena.n, bool)
    if objective.keyword in ("return", "repetition"):
        shut |= arena.out_degree == 0
    if objective.returns:
        shut[source[loop]] = True
    kept = ~loop & ~shut[arena.indices]
    return Graph.from_arrays(source[kept], arena.indices[kept], arena.n)


def _spread(mask: int, part: list[int]) -> int:
    """A set of positions of a component, as a set of positions of the arena."""
    return sum(1 << part[x] for x in bits(mask))


def _meet(found: Interval, known: Interval | None) -> Interval:
    """What two bounds say together."""
    if known is None:
        return found
    return max(found[0], known[0]), min(found[1], known[1])
