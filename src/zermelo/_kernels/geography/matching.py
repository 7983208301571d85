"""Maximum matching in a graph: a greedy start, then alternating trees with blossoms.

*Start.* First, each vertex in turn is matched with its first exposed neighbour. If every vertex
gets a mate, the matching is perfect; so it is in grids that are numbered row by row. Otherwise a
new matching is begun: a vertex with one neighbour left is matched with it, which is never wrong;
where there is no such vertex, a vertex with two neighbours left is taken, else the next one, and it
is matched with its neighbour of least degree. O(V + E). Reference: [KarpSipser1981]. Differs from
the paper: the paper takes a random edge instead.

*Trees.* An alternating tree grows from every exposed vertex at once, breadth first. Where an edge
joins two of them, both roots are matched along it and the two trees are dissolved; the others stay
as they are and take over the freed vertices next to them. Odd cycles inside a tree are shrunk
with disjoint sets. When nothing grows any more, no tree can be augmented: the even vertices are
those that some maximum matching misses (D of Gallai–Edmonds), the odd ones their neighbours (A),
the ones outside all trees the rest (C). An augmentation costs the size of its two trees, O(V E)
in all at worst and far less where many trees share the graph, as k trees that share it evenly cost
O(E / k) each and so O(E log V) together.

Reference: [Edmonds1965] for blossoms, [Gabow1976] for labels and the way a path is flipped.
Notation, paper → code: outer, inner → even, odd; vertex label of v → ``PRED`` of its mate; edge
label of v → ``SOURCE`` and ``TARGET`` of v; FIRST → ``find``; procedure R → ``flip``. Differs from
the papers: all trees grow at once and are kept from one augmentation to the next.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED, MOVES_AHEAD, ROWS_AHEAD, WORDS_AHEAD
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

NOBODY = -1
"""In place of a vertex: there is none."""


class Forest(NamedTuple):
    """A matching of n vertices and the alternating trees."""

    status: Int8Array
    """For each vertex its kind, and whether it is in the queue."""
    links: Int32Array
    """Eight numbers of each vertex, see MATE."""
    queue: Int32Array
    """The even vertices whose neighbours are to be looked at: a ring of n entries."""
    stack: Int32Array
    """Room for 2 n vertices of a path or a tree that is gone through."""


MATE, BASE, ROOT, PRED, SOURCE, TARGET, NEXT, SEEN = range(8)
"""What ``links[8 * v:]`` holds for the vertex v, side by side in half a cache line: its mate; a
step towards the base of its blossom; the root of its tree; for an odd vertex the even one that it
was reached from, for a root the last member of its tree; for an odd vertex that became even in a
blossom the ends of the edge that closed it, the one below v first; the next member of the tree; a
mark for nearest common ancestors. With an array for each, growing trees takes 1.3 to 1.4 times as
long."""

FREE, ODD, EVEN, TURNED, KIND, QUEUED = 0, 1, 2, 3, 3, 4
"""What ``status & KIND`` may be: in no tree, odd, even, odd but turned even by a blossom; and the
bit of those that are in the queue."""

ONE, TWO, AT, HEAD, COUNT, STAMP, EXPOSED, STEPS, BUDGET, STATE_SIZE = range(10)
"""Slots of ``state``: the ends of the two stacks and the next vertex (``greedy``); where the queue
begins and how many vertices are in it, the last mark, how many vertices are exposed; the number of
steps (vertices and edges looked at), and how many of them a call may do."""

LAST_STAMP = 2**31 - 1
"""The last mark of nearest common ancestors; after it the marks begin at 1 again."""


@kernel
def first_fit(indptr: Int64Array, indices: Int32Array, mate: Int32Array) -> bool:
    """Match each vertex in turn with its first exposed neighbour; return whether all are matched.

    It stops at the first vertex without such a neighbour. Moves of either direction are edges.
    ``mate`` is NOBODY at first.
    """
    for v in range(len(mate)):
        k, stop = indptr[v], indptr[v + 1]
        while mate[v] < 0:
            if k == stop:
                return False
            w = indices[k]
            if mate[w] < 0 and w != v:
                mate[v], mate[w] = w, v
            k += 1
    return True


@kernel
def loops_if_symmetric(indptr: Int64Array, indices: Int32Array, cursor: Int64Array) -> int:
    """How many loops there are if every move goes both ways, else -1.

    ``cursor`` is a copy of ``indptr``, and is overwritten.
    """
    loops = 0
    # Invariant: before v, the moves of w up to cursor[w] are those to positions below v that move
    # to w, one for one.
    for v in range(len(indptr) - 1):
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            i = cursor[w]
            if i >= indptr[w + 1] or indices[i] != v:
                return -1
            cursor[w] = i + 1
            if w == v:
                loops += 1
    return loops


@kernel
def merge_rows(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    out: Int32Array,
    out_indptr: Int64Array,
) -> int:
    """Merge each position's moves and reverse moves into ``out``, without loops; returns how many.

    ``out`` needs room for twice as many moves as there are, ``out_indptr`` for n + 1 rows.
    """
    count = 0
    for v in range(len(indptr) - 1):
        out_indptr[v] = count
        i, j, stop, rev_stop = indptr[v], rev_indptr[v], indptr[v + 1], rev_indptr[v + 1]
        # Invariant: out has the union of what lies before i and before j, in order.
        while i < stop or j < rev_stop:
            if j == rev_stop or (i < stop and indices[i] < rev_indices[j]):
                w = indices[i]
                i += 1
            else:
                w = rev_indices[j]
                if i < stop and indices[i] == w:
                    i += 1
                j += 1
            if w != v:
                out[count] = w
                count += 1
    out_indptr[len(indptr) - 1] = count
    return count


@kernel
def greedy(
    indptr: Int64Array,
    indices: Int32Array,
    mate: Int32Array,
    degree: Int32Array,
    stack: Int32Array,
    state: Int64Array,
) -> bool:
    """Match greedily until nothing is left to match (True) or the budget is spent (False).

    At first ``mate`` is NOBODY everywhere, ``degree`` the lengths of the rows; ``stack``, of 2 n
    entries, has the vertices of degree one in front and those of degree two at the back.
    """
    n = len(mate)
    one, two, at = state[ONE], state[TWO], state[AT]
    steps, done = 0, False
    # Invariant: degree counts the exposed neighbours of an exposed vertex, and is 0 for a matched
    # one; each that has one (two) of them is in stack[:one] (stack[two:]), which a vertex enters at
    # most once.
    while steps < state[BUDGET]:
        steps += 1
        if one > 0:
            one -= 1
            v = stack[one]
            if degree[v] != 1:
                continue
        elif two < 2 * n:
            v = stack[two]
            two += 1
            if degree[v] != 2:
                continue
        elif at < n:
            v = at
            at += 1
            if degree[v] == 0:
                continue
        else:
            done = True
            break
        w = NOBODY
        for k in range(indptr[v], indptr[v + 1]):
            x = indices[k]
            if degree[x] > 0 and (w < 0 or degree[x] < degree[w]):
                w = x
        mate[v], mate[w] = w, v
        degree[v], degree[w] = 0, 0
        for u in (v, w):
            steps += indptr[u + 1] - indptr[u]
            for k in range(indptr[u], indptr[u + 1]):
                x = indices[k]
                if degree[x] > 0:
                    degree[x] -= 1
                    if degree[x] == 1:
                        stack[one] = x
                        one += 1
                    elif degree[x] == 2:
                        two -= 1
                        stack[two] = x
    state[ONE], state[TWO], state[AT] = one, two, at
    return done


@kernel
def plant(mate: Int32Array, forest: Forest, state: Int64Array) -> None:
    """Put every vertex into the forest; make each exposed one the root of a tree, and queue it.

    A vertex whose ``status`` is ODD already stays ODD and is in no tree: so it is left out.
    """
    status, links, queue, _ = forest
    count = 0
    for v in range(len(mate)):
        links[8 * v + MATE] = mate[v]
        links[8 * v + BASE] = v
        links[8 * v + SEEN] = 0
        if mate[v] < 0 and status[v] == FREE:
            status[v] = EVEN | QUEUED
            links[8 * v + ROOT] = v
            links[8 * v + PRED] = v
            queue[count] = v
            count += 1
    state[HEAD], state[COUNT], state[STAMP], state[EXPOSED] = 0, count, 0, count


@kernel
def find(links: Int32Array, v: int) -> int:
    """The base of the blossom that ``v`` is in; halves the way there."""
    b = links[8 * v + BASE]
    while b != v:
        up = links[8 * b + BASE]
        links[8 * v + BASE] = up
        v = up
        b = links[8 * v + BASE]
    return v


@part
def enqueue(forest: Forest, state: Int64Array, v: int) -> None:
    """Queue ``v`` unless it is queued; the queue is a ring, and a vertex is in it at most once."""
    status, queue = forest.status, forest.queue
    if status[v] & QUEUED == 0:
        status[v] |= QUEUED
        i = state[HEAD] + state[COUNT]
        if i >= len(queue):
            i -= len(queue)
        queue[i] = v
        state[COUNT] += 1


@kernel
def above(links: Int32Array, b: int) -> int:
    """The next base on the way from base ``b`` to its root, or NOBODY."""
    m = links[8 * b + MATE]
    return find(links, links[8 * m + PRED]) if m >= 0 else NOBODY


@part
def shrink(forest: Forest, state: Int64Array, u: int, v: int) -> None:
    """Make one blossom of the odd cycle that the edge ``u``–``v`` closes in a tree."""
    status, links, queue, _ = forest
    if state[STAMP] == LAST_STAMP:
        for x in range(len(queue)):
            links[8 * x + SEEN] = 0
        state[STAMP] = 0
    state[STAMP] += 1
    stamp = state[STAMP]
    a, b = find(links, u), find(links, v)
    # Invariant: the bases passed on both ways up are marked; the first one met twice is nearest.
    while True:
        if a >= 0:
            if links[8 * a + SEEN] == stamp:
                break
            links[8 * a + SEEN] = stamp
            a = above(links, a)
        a, b = b, a
    # Invariant: what lies below b on the way up from ``source`` is in the blossom with base a.
    for turn in range(2):
        source, target = (u, v) if turn == 0 else (v, u)
        b = find(links, source)
        while b != a:
            state[STEPS] += 1
            m = links[8 * b + MATE]
            links[8 * m + SOURCE] = source
            links[8 * m + TARGET] = target
            status[m] = (status[m] & QUEUED) | TURNED
            enqueue(forest, state, m)
            b_next = find(links, links[8 * m + PRED])
            links[8 * b + BASE] = a
            links[8 * m + BASE] = a
            b = b_next


@kernel
def flip(forest: Forest, v: int, w: int) -> None:
    """Match ``v`` with ``w`` and flip the path from the even vertex ``v`` to its root.

    The mate of ``w`` is not changed: the caller has to match ``w`` with ``v`` as well.
    """
    status, links, _, stack = forest
    stack[0], stack[1] = v, w
    top = 2
    # Invariant: the pairs (v, w) of the stack are to be matched, the uppermost first, each v with
    # w and the path from v to where it meets what is flipped already, or to its root.
    while top > 0:
        top -= 2
        v, w = stack[top], stack[top + 1]
        t = links[8 * v + MATE]
        links[8 * v + MATE] = w
        while t >= 0 and links[8 * t + MATE] == v:
            if status[v] & KIND == EVEN:
                v, w = links[8 * t + PRED], t
                links[8 * t + MATE] = v
            else:
                x, y = links[8 * v + SOURCE], links[8 * v + TARGET]
                stack[top], stack[top + 1] = y, x
                top += 2
                v, w = x, y
            t = links[8 * v + MATE]
            links[8 * v + MATE] = w


@part
def attach(forest: Forest, state: Int64Array, u: int, v: int) -> None:
    """Put the free vertex ``v`` below the even ``u``, and its mate below ``v``, queued."""
    status, links = forest.status, forest.links
    w = links[8 * v + MATE]
    root = links[8 * u + ROOT]
    status[v] |= ODD
    status[w] |= EVEN
    links[8 * v + PRED] = u
    links[8 * v + ROOT] = root
    links[8 * w + ROOT] = root
    links[8 * links[8 * root + PRED] + NEXT] = v
    links[8 * v + NEXT] = w
    links[8 * root + PRED] = w
    enqueue(forest, state, w)


@kernel
def dissolve(neighbours: Moves, forest: Forest, state: Int64Array, root: int, other: int) -> None:
    """Free all vertices of two trees, or of one and NOBODY, and attach them to others they touch.

    So no even vertex of another tree has to look at its neighbours again.
    """
    indptr, indices = neighbours
    status, links, _, stack = forest
    last = links[8 * root + PRED]
    if other >= 0:
        links[8 * last + NEXT] = other
        last = links[8 * other + PRED]
    v = root
    count = 0
    while True:
        status[v] &= QUEUED
        links[8 * v + BASE] = v
        stack[count] = v
        count += 1
        prefetch(indptr, v)
        if v == last:
            break
        v = links[8 * v + NEXT]
    # Invariant: of stack[:i] those that have an even neighbour in a tree are in a tree.
    for i in range(count):
        if i + MOVES_AHEAD < count:
            prefetch(indices, indptr[stack[i + MOVES_AHEAD]])
        v = stack[i]
        state[STEPS] += 1
        k, stop = indptr[v], indptr[v + 1]
        while k < stop and status[v] & KIND == FREE:
            state[STEPS] += 1
            if status[indices[k]] & KIND >= EVEN:
                attach(forest, state, indices[k], v)
            k += 1


@kernel
def grow(neighbours: Moves, forest: Forest, state: Int64Array) -> bool:
    """Grow trees and augment until nothing grows (True) or the budget is spent (False).

    Requires ``plant`` first; the caller calls until it is True.
    """
    indptr, indices = neighbours
    status, links, queue, _ = forest
    n = len(queue)
    far = n > CACHED
    limit = state[STEPS] + state[BUDGET]
    # Invariant: the trees are disjoint and alternating, each with one exposed vertex, its root.
    # An edge from an even vertex that is not queued leads to an odd one or into its blossom.
    while state[COUNT] > 0:
        if state[STEPS] >= limit:
            return False
        head = state[HEAD]
        if far and state[COUNT] > ROWS_AHEAD:
            i = head + ROWS_AHEAD
            x = queue[i if i < n else i - n]
            prefetch(indptr, x)
            prefetch(links, 8 * x)
            i = head + MOVES_AHEAD
            prefetch(indices, indptr[queue[i if i < n else i - n]])
            i = head + WORDS_AHEAD
            x = queue[i if i < n else i - n]
            for k in range(indptr[x], indptr[x + 1]):
                prefetch(status, indices[k])
                prefetch(links, 8 * indices[k])
        u = queue[head]
        state[HEAD] = head + 1 if head + 1 < n else 0
        state[COUNT] -= 1
        status[u] &= KIND
        if status[u] < EVEN:
            continue
        state[STEPS] += 1 + indptr[u + 1] - indptr[u]
        root = links[8 * u + ROOT]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            kind = status[v] & KIND
            if kind == FREE:
                attach(forest, state, u, v)
            elif kind >= EVEN and find(links, u) != find(links, v):
                other = links[8 * v + ROOT]
                if other == root:
                    shrink(forest, state, u, v)
                    continue
                flip(forest, u, v)
                flip(forest, v, u)
                state[EXPOSED] -= 2
                dissolve(neighbours, forest, state, root, other)
                break
    return True
