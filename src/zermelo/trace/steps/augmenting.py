"""Edmonds' algorithm in plain Python: the augmenting paths along which a matching grows.

Reference: [Edmonds1965]. A search grows a forest of alternating paths from an exposed vertex. Where
two paths to even vertices meet in an edge, they form a *blossom*, an odd cycle, which is contracted
to its base. O(V E) for each path; this is meant for small graphs.
"""

from collections.abc import Iterator

NOBODY = -1
"""The mate of an exposed vertex."""


def augmenting_paths(neighbours: list[list[int]]) -> Iterator[list[int]]:
    """The paths, one after the other; after the last one the matching is maximum.

    Each path begins and ends at an exposed vertex, and its second, fourth, … edges are matched.

    >>> list(augmenting_paths([[1, 2], [0, 3], [0], [1]]))
    [[0, 1], [2, 0, 1, 3]]
    """
    mate = [NOBODY] * len(neighbours)
    for root in range(len(neighbours)):
        if mate[root] == NOBODY:
            path = _Search(neighbours, mate, root).path()
            if path:
                for u, v in zip(path[::2], path[1::2], strict=True):
                    mate[u], mate[v] = v, u
                yield path


class _Search:
    """The alternating paths from one exposed vertex."""

    def __init__(self, neighbours: list[list[int]], mate: list[int], root: int) -> None:
        self.neighbours, self.mate, self.root = neighbours, mate, root
        self.base = list(range(len(neighbours)))
        """The base of the blossom of each vertex."""
        self.before = [NOBODY] * len(neighbours)
        """The even vertex from which an odd one was reached; in a blossom also of even ones."""
        self.even = [False] * len(neighbours)
        self.queue = [root]
        self.even[root] = True

    def path(self) -> list[int]:
        """An augmenting path from the root, or nothing."""
        for u in self.queue:
            for v in self.neighbours[u]:
                if self.base[u] == self.base[v] or self.mate[u] == v:
                    continue
                if v == self.root or (
                    self.mate[v] != NOBODY and self.before[self.mate[v]] != NOBODY
                ):
                    self._contract(u, v)
                elif self.before[v] == NOBODY:
                    self.before[v] = u
                    if self.mate[v] == NOBODY:
                        return self._back(v)
                    self.even[self.mate[v]] = True
                    self.queue.append(self.mate[v])
        return []

    def _back(self, v: int) -> list[int]:
        """The path from the root to a vertex; it is found from its end: before, mate, before, …"""
        path = []
        while v != NOBODY:
            u = self.before[v]
            path += [v, u]
            v = self.mate[u]
        return path[::-1]

    def _contract(self, u: int, v: int) -> None:
        """Contract the blossom that the edge between two even vertices closes."""
        base = self._common(u, v)
        inside = set[int]()
        self._mark(u, base, v, inside)
        self._mark(v, base, u, inside)
        for k in range(len(self.base)):
            if self.base[k] in inside:
                self.base[k] = base
                if not self.even[k]:
                    self.even[k] = True
                    self.queue.append(k)

    def _common(self, u: int, v: int) -> int:
        """The first base that is on both paths to the root."""
        above = set[int]()
        while True:
            u = self.base[u]
            above.add(u)
            if self.mate[u] == NOBODY:
                break
            u = self.before[self.mate[u]]
        while True:
            v = self.base[v]
            if v in above:
                return v
            v = self.before[self.mate[v]]

    def _mark(self, v: int, base: int, child: int, inside: set[int]) -> None:
        """Collect the bases on the path to the base, and give their vertices a way round."""
        while self.base[v] != base:
            inside.update((self.base[v], self.base[self.mate[v]]))
            self.before[v] = child
            child = self.mate[v]
            v = self.before[self.mate[v]]
