"""A situation of no return whose open positions have symmetric moves: decided by a matching.

The token is on v, whose moves lead into a symmetric graph S and back to nowhere. Who moves loses at
w in S exactly if some maximum matching of S leaves w exposed. So v is won if that holds for one of
its moves. O(k³) for k open positions, with nothing kept from one situation to the next.

Reference: [EdmondsGurvich2010] Theorem 2; [Edmonds1965] for the alternating trees. S is small and
there are many of them, so this is the plain algorithm, one tree at a time, each vertex with the
base of its blossom: ``MATE``, ``PARENT`` (of an odd vertex: the even one before it; inside a
blossom also of even ones: the way round), ``BASE``, ``EVEN``, and ``LINE``, the queue. ``FLAG`` and
``SEEN`` are for blossoms; ``LOST`` says what may be exposed. S are the positions with value 2,
listed in ``DECIDED`` from 1 to ``count`` − 1.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array

VALUE, DECIDED = 2, 4
MATE, PARENT, BASE, EVEN, LINE, FLAG, SEEN, LOST = range(8, 16)
ROWS = 16
"""Rows of ``work`` that have a meaning; see :mod:`zermelo._kernels.geography`."""


@kernel
def common_base(work: Int64Array, n: int, count: int, a: int, b: int) -> int:
    """Where the ways of two even vertices to the root meet."""
    mate, parent, base, seen = MATE * n, PARENT * n, BASE * n, SEEN * n
    for i in range(1, count):
        work[seen + work[DECIDED * n + i]] = 0
    a = work[base + a]
    work[seen + a] = 1
    while work[mate + a] >= 0:
        a = work[base + work[parent + work[mate + a]]]
        work[seen + a] = 1
    b = work[base + b]
    while work[seen + b] == 0:
        b = work[base + work[parent + work[mate + b]]]
    return b


@kernel
def mark_way(work: Int64Array, n: int, v: int, top: int, child: int) -> None:
    """Flag the blossoms from v up to ``top``, and make the way round through ``child`` known."""
    mate, parent, base, flag = MATE * n, PARENT * n, BASE * n, FLAG * n
    while work[base + v] != top:
        m = work[mate + v]
        work[flag + work[base + v]] = 1
        work[flag + work[base + m]] = 1
        work[parent + v] = child
        child = m
        v = work[parent + m]


@kernel
def grow_tree(
    indptr: Int64Array, indices: Int32Array, work: Int64Array, n: int, count: int, root: int
) -> int:
    """Grow an alternating tree; the exposed vertex that it meets, −1 if none, then EVEN is full."""
    mate, parent, base, even = MATE * n, PARENT * n, BASE * n, EVEN * n
    line, flag, chosen, value = LINE * n, FLAG * n, DECIDED * n, VALUE * n
    for i in range(1, count):
        u = work[chosen + i]
        work[even + u] = 0
        work[parent + u] = -1
        work[base + u] = u
    work[even + root] = 1
    work[line] = root
    head, tail = 0, 1
    # Invariant: line[:tail] are the even vertices, each reached from the root by an alternating
    # path of even length; the edges of line[:head] have been looked at.
    while head < tail:
        u = work[line + head]
        head += 1
        for k in range(indptr[u], indptr[u + 1]):
            w: int = indices[k]
            if work[value + w] != 2 or work[w] != 0:
                continue
            if work[base + u] == work[base + w] or work[mate + u] == w:
                continue
            m = work[mate + w]
            if w == root or (m >= 0 and work[parent + m] >= 0):
                top = common_base(work, n, count, u, w)
                for i in range(1, count):
                    work[flag + work[chosen + i]] = 0
                mark_way(work, n, u, top, w)
                mark_way(work, n, w, top, u)
                for i in range(1, count):
                    x = work[chosen + i]
                    if work[flag + work[base + x]]:
                        work[base + x] = top
                        if not work[even + x]:
                            work[even + x] = 1
                            work[line + tail] = x
                            tail += 1
            elif work[parent + w] < 0:
                work[parent + w] = u
                if m < 0:
                    return w
                work[even + m] = 1
                work[line + tail] = m
                tail += 1
    return -1


@kernel
def lost_in_symmetric(
    indptr: Int64Array, indices: Int32Array, work: Int64Array, n: int, count: int
) -> None:
    """Fill LOST for the positions of S: 1 where some maximum matching leaves one exposed."""
    mate, parent, even, chosen, lost = MATE * n, PARENT * n, EVEN * n, DECIDED * n, LOST * n
    for i in range(1, count):
        work[mate + work[chosen + i]] = -1
        work[lost + work[chosen + i]] = 0
    # Invariant: no augmenting path begins at those before i that are exposed.
    for i in range(1, count):
        u = work[chosen + i]
        if work[mate + u] >= 0:
            continue
        v = grow_tree(indptr, indices, work, n, count, u)
        while v >= 0:
            before = work[parent + v]
            after = work[mate + before]
            work[mate + v] = before
            work[mate + before] = v
            v = after
    for i in range(1, count):
        u = work[chosen + i]
        if work[mate + u] < 0:
            grow_tree(indptr, indices, work, n, count, u)
            for j in range(1, count):
                if work[even + work[chosen + j]]:
                    work[lost + work[chosen + j]] = 1
