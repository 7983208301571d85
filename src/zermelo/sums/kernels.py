"""Kernels of graphs with cycles: all of them, or the proof that there is none; and a check.

A kernel is a set of positions without moves inside and with a move into it from everywhere else. A
graph with cycles may have none (a cycle of three positions), one, or many (two for each cycle of
two). To decide whether there is one is NP-complete ([Chvatal1973]), so the search here takes
exponential time at worst, and ``nodes=`` bounds it. A graph without odd cycles has a kernel
([Richardson1953]).

Normal play helps: every kernel contains all positions that the player to move loses, and none that
she wins, by induction on the distance. So only the drawn positions are searched, and a graph
without drawn positions has exactly one kernel.

The search decides positions one at a time, and after each decision draws the conclusions: what has
a move to or from a member is outside; what has only moves to positions outside is a member; and a
position outside whose moves all but one lead to positions outside makes the last one a member.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import whole_number
from zermelo.errors import LimitError
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int8Array
from zermelo.objectives import NormalPlay
from zermelo.solvers.terminal import retrograde

UNDECIDED, INSIDE, OUTSIDE = 0, 1, 2

MOST_NODES = 1_000_000
"""The nodes of a search, unless more are asked for."""


@dataclass(frozen=True)
class Kernels:
    """Kernels of a graph, as tuples of names; ``complete`` says whether these are all of them.

    >>> import zermelo as zm
    >>> found = zm.kernels(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    >>> found
    Kernels(2 kernels, all of them)
    >>> list(found), len(found), found[0]
    ([('a',), ('b',)], 2, ('a',))
    """

    graph: Graph
    sets: tuple[tuple[Hashable, ...], ...]
    complete: bool
    nodes: int
    """How many decisions the search has made."""

    def __iter__(self) -> Iterator[tuple[Hashable, ...]]:
        return iter(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, k: int) -> tuple[Hashable, ...]:
        return self.sets[k]

    def __repr__(self) -> str:
        if self.complete and not self.sets:
            return "Kernels(there is no kernel)"
        k = len(self.sets)
        which = "all of them" if self.complete else "there may be more"
        return f"Kernels({k:,} kernel{'' if k == 1 else 's'}, {which})"


@dataclass(frozen=True)
class KernelReport:
    """Whether a set is a kernel, and the reason if it is not; its truth value says whether."""

    ok: bool
    reason: str
    """What is wrong, with the positions; empty if the set is a kernel."""

    def __bool__(self) -> bool:
        return self.ok


def is_kernel(game: Game | Graph, positions: Iterable[Hashable] | AnyArray) -> KernelReport:
    """Whether a set of positions is a kernel of a graph, with the reason if it is not. O(V + E).

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> bool(is_kernel(g, ["a", "c"]))
    True
    >>> is_kernel(g, ["a", "b"]).reason
    "not independent: a move leads from 'a' to 'b', and both are in the set"
    >>> is_kernel(g, ["a"]).reason
    "not absorbing: no move leads from 'b' into the set"
    """
    graph = as_graph(game)
    inside = graph.mask(positions)
    source = np.repeat(np.arange(graph.n), graph.out_degree)
    into = inside[graph.indices]
    bad = np.flatnonzero(inside[source] & into)
    if bad.size:
        u, v = graph.name(int(source[bad[0]])), graph.name(int(graph.indices[bad[0]]))
        where = f"from {u!r} to {v!r}, and both are in the set"
        if u == v:
            where = f"from {u!r} to itself, and it is in the set"
        return KernelReport(False, f"not independent: a move leads {where}")
    absorbed = inside.copy()
    absorbed[source[into]] = True
    lonely = np.flatnonzero(~absorbed)
    if lonely.size:
        name = graph.name(int(lonely[0]))
        return KernelReport(False, f"not absorbing: no move leads from {name!r} into the set")
    return KernelReport(True, "")


def kernels(
    game: Game | Graph, limit: int | None = None, *, nodes: int | None = MOST_NODES
) -> Kernels:
    """The kernels of a graph, which may have cycles: at most ``limit`` of them, or all.

    To find one is NP-hard, see :mod:`zermelo.sums.kernels`. A :class:`LimitError` is raised if the
    search takes more than ``nodes`` nodes (None for no bound). Kernels come in the order of the
    search, which is always the same.

    >>> import zermelo as zm
    >>> kernels(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)]))
    Kernels(there is no kernel)
    >>> kernels(zm.generators.cycle(4)).sets
    ((0, 2), (1, 3))
    >>> kernels(zm.generators.cycle(4), 1)
    Kernels(1 kernel, there may be more)
    """
    graph = impartial_graph(game, "kernels")
    most = None if limit is None else whole_number(limit, "limit")
    bound = None if nodes is None else whole_number(nodes, "nodes", 0, 2**62)
    search = _Search(graph, bound)
    found: list[tuple[Hashable, ...]] = []
    complete = True
    for state in search.run():
        if len(found) == most:
            complete = False
            break
        found.append(tuple(graph.name(v) for v in np.flatnonzero(state == INSIDE).tolist()))
    return Kernels(graph, tuple(found), complete, search.nodes)


class _Search:
    """Decisions about positions, with a trail on which they are undone."""

    def __init__(self, graph: Graph, bound: int | None) -> None:
        self.graph, self.bound, self.nodes = graph, bound, 0
        self.after: list[list[int]] = [graph.successors(v).tolist() for v in range(graph.n)]
        self.before: list[list[int]] = [[] for _ in range(graph.n)]
        for v, row in enumerate(self.after):
            for w in row:
                self.before[w].append(v)
        self.state = np.zeros(graph.n, np.int8)
        # How many moves of each position lead to positions that are not decided to be outside.
        self.open = graph.out_degree.astype(np.int64)
        self.absorbed = np.zeros(graph.n, np.int64)
        """How many moves of each position lead to members."""
        self.trail: list[int] = []

    def run(self) -> Iterator[Int8Array]:
        """All kernels, one after the other, as states of the positions."""
        label = retrograde.solve(self.graph, NormalPlay()).label
        wanted = [(v, INSIDE if x < 0 else OUTSIDE) for v, x in enumerate(label.tolist()) if x]
        loops = [(v, OUTSIDE) for v, row in enumerate(self.after) if v in row]
        if not self.decide(wanted + loops):
            return
        # Each entry has the length of the trail before a decision, and the position that is still
        # to be tried outside; None if both decisions have been tried.
        stack: list[tuple[int, int | None]] = []
        while True:
            v = self.choose()
            if v is None:
                yield self.state
            else:
                stack.append((len(self.trail), v))
                if self.count() and self.decide([(v, INSIDE)]):
                    continue
            while stack:
                length, v = stack.pop()
                self.undo(length)
                if v is not None:
                    stack.append((length, None))
                    if self.count() and self.decide([(v, OUTSIDE)]):
                        break
            else:
                return

    def count(self) -> bool:
        """Count a node of the search; an error if there are too many."""
        self.nodes += 1
        if self.bound is not None and self.nodes > self.bound:
            raise LimitError(
                f"the search for kernels has taken {self.bound:,} nodes without an end; finding a "
                "kernel of a graph with cycles is NP-hard, and a larger bound nodes allows more"
            )
        return True

    def choose(self) -> int | None:
        """A position to decide: an open one that a position outside needs, else any open one.

        None if every position is decided.
        """
        best, fewest = None, 1 << 62
        undecided = np.flatnonzero(self.state == UNDECIDED)
        if not undecided.size:
            return None
        hungry = np.flatnonzero((self.state == OUTSIDE) & (self.absorbed == 0))
        for u in hungry.tolist():
            if self.open[u] < fewest:
                best, fewest = u, int(self.open[u])
        if best is not None:
            return next(w for w in self.after[best] if int(self.state[w]) == UNDECIDED)
        return int(undecided[0])

    def decide(self, decisions: list[tuple[int, int]]) -> bool:
        """Decide positions and draw all conclusions; False if they contradict each other."""
        waiting = list(decisions)
        while waiting:
            v, wanted = waiting.pop()
            if self.state[v] != UNDECIDED:
                if self.state[v] != wanted:
                    return False
                continue
            self.state[v] = wanted
            self.trail.append(v)
            for u in self.before[v]:
                if wanted == INSIDE:
                    self.absorbed[u] += 1
                else:
                    self.open[u] -= 1
            # Only now, with all counters right for an undo, are conclusions drawn.
            if wanted == INSIDE:
                waiting += [(w, OUTSIDE) for w in self.after[v]]
                waiting += [(u, OUTSIDE) for u in self.before[v]]
                concerned = []
            else:
                concerned = [v, *self.before[v]]
            for u in concerned:
                if self.absorbed[u]:
                    continue
                if self.open[u] == 0:
                    waiting.append((u, INSIDE))
                elif self.open[u] == 1 and self.state[u] == OUTSIDE:
                    last = next(w for w in self.after[u] if self.state[w] != OUTSIDE)
                    waiting.append((last, INSIDE))
        return True

    def undo(self, length: int) -> None:
        """Take back all decisions after the first ``length``."""
        while len(self.trail) > length:
            v = self.trail.pop()
            for u in self.before[v]:
                if self.state[v] == INSIDE:
                    self.absorbed[u] -= 1
                else:
                    self.open[u] += 1
            self.state[v] = UNDECIDED
