"""A situation of no return whose open positions have symmetric moves: decided by a matching.

The token is on v, whose moves lead into a symmetric graph S, and nothing leads back to v. The
player to move at w in S loses exactly if some maximum matching of S leaves w exposed. So v is won
if that holds for one of its moves. O(k³) for k open positions, with nothing kept from one situation
to the next.

Reference: [EdmondsGurvich2010] Theorem 2; [Edmonds1965] for the alternating trees. S is small and
there are many of them, so this is the plain algorithm, one tree at a time, each vertex with the
base of its blossom.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int64Array

MEMBER = 2
"""In ``area.value``: the position is in the set S."""


class Area(NamedTuple):
    """The open part of a component, and what the last wave found; each array has k entries."""

    blocked: Int64Array
    """How many positions of the path close each position; 0 if it is open."""
    left: Int64Array
    """The open moves of each position seen that are not known to lose; −1 if it is not seen."""
    value: Int64Array
    """The label of each position seen, 0 if the wave does not decide it; MEMBER in the set."""
    seen: Int64Array
    """The positions seen, ``seen[:state[SEEN]]`` of the search."""
    decided: Int64Array
    """First the positions that the wave decides; then the token's position and those of S."""


class Trees(NamedTuple):
    """A matching of S and an alternating tree; each array has k entries."""

    mate: Int64Array
    """The other end of the matching edge; −1 if there is none."""
    parent: Int64Array
    """For an odd vertex, the even vertex from which it was reached. For an even vertex in a
    blossom, the even vertex from which it is reached on the other way round the blossom."""
    base: Int64Array
    """The base of the blossom that the vertex is in."""
    even: Int64Array
    """1 for even vertices."""
    queue: Int64Array
    """The even vertices in the order in which they were found."""
    flag: Int64Array
    """1 for the bases of the blossoms that become one."""
    passed: Int64Array
    """1 for the bases on the way of an even vertex to the root."""
    lost: Int64Array
    """The answer: 1 where some maximum matching leaves the vertex exposed."""


@part
def common_base(area: Area, trees: Trees, count: int, a: int, b: int) -> int:
    """Where the ways of two even vertices to the root meet."""
    mate, parent, base, passed = trees.mate, trees.parent, trees.base, trees.passed
    for i in range(1, count):
        passed[area.decided[i]] = 0
    a = base[a]
    passed[a] = 1
    while mate[a] >= 0:
        a = base[parent[mate[a]]]
        passed[a] = 1
    b = base[b]
    while passed[b] == 0:
        b = base[parent[mate[b]]]
    return b


@part
def mark_way(trees: Trees, v: int, top: int, child: int) -> None:
    """Flag the blossoms from v up to ``top``, and let the parents lead the other way round.

    The other way round begins with ``child``.
    """
    mate, parent, base, flag = trees.mate, trees.parent, trees.base, trees.flag
    while base[v] != top:
        m = mate[v]
        flag[base[v]] = 1
        flag[base[m]] = 1
        parent[v] = child
        child = m
        v = parent[m]


@kernel
def grow_tree(successors: Moves, area: Area, trees: Trees, count: int, root: int) -> int:
    """Grow an alternating tree; return the exposed vertex that it meets, −1 if there is none.

    In the latter case ``even`` is complete.
    """
    indptr, indices = successors
    blocked, value, members = area.blocked, area.value, area.decided
    mate, parent, base, even = trees.mate, trees.parent, trees.base, trees.even
    queue, flag = trees.queue, trees.flag
    for i in range(1, count):
        u = members[i]
        even[u] = 0
        parent[u] = -1
        base[u] = u
    even[root] = 1
    queue[0] = root
    head, tail = 0, 1
    # Invariant: queue[:tail] are the even vertices, each reached from the root by an alternating
    # path of even length; the edges of queue[:head] have been looked at.
    while head < tail:
        u = queue[head]
        head += 1
        for k in range(indptr[u], indptr[u + 1]):
            w: int = indices[k]
            if value[w] != MEMBER or blocked[w] != 0:
                continue
            if base[u] == base[w] or mate[u] == w:
                continue
            m = mate[w]
            if w == root or (m >= 0 and parent[m] >= 0):
                top = common_base(area, trees, count, u, w)
                for i in range(1, count):
                    flag[members[i]] = 0
                mark_way(trees, u, top, w)
                mark_way(trees, w, top, u)
                for i in range(1, count):
                    x = members[i]
                    if flag[base[x]]:
                        base[x] = top
                        if not even[x]:
                            even[x] = 1
                            queue[tail] = x
                            tail += 1
            elif parent[w] < 0:
                parent[w] = u
                if m < 0:
                    return w
                even[m] = 1
                queue[tail] = m
                tail += 1
    return -1


@kernel
def lost_in_symmetric(successors: Moves, area: Area, trees: Trees, count: int) -> None:
    """Fill ``trees.lost`` for the positions ``area.decided[1:count]`` of S."""
    mate, parent, members, lost = trees.mate, trees.parent, area.decided, trees.lost
    for i in range(1, count):
        mate[members[i]] = -1
        lost[members[i]] = 0
    # Invariant: no augmenting path begins at those before i that are exposed.
    for i in range(1, count):
        u = members[i]
        if mate[u] >= 0:
            continue
        v = grow_tree(successors, area, trees, count, u)
        while v >= 0:
            before = parent[v]
            after = mate[before]
            mate[v] = before
            mate[before] = v
            v = after
    for i in range(1, count):
        u = members[i]
        if mate[u] < 0:
            grow_tree(successors, area, trees, count, u)
            for j in range(1, count):
                if trees.even[members[j]]:
                    lost[members[j]] = 1
