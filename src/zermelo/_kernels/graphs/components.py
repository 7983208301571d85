"""Strong components in one depth-first search, without recursion: O(V + E), 20 bytes a position.

Reference: [Pearce2016], a form of Tarjan's algorithm with one number a position. Notation,
paper → code: rindex → ``mark``; the stack of visited vertices that have no component yet → the back
of ``order``, whose front takes the finished ones; c → ``number``; root → ``low == own``. Differs
from the paper: components come out as stretches of ``order``, and some positions may be left out.

A depth-first search waits for memory at every step. The component of a position is also the set of
the positions that it reaches and is reached from, and ``flood`` knows its next positions long
before it needs them. So in large games the component of a well-connected position is found by
``flood`` first, and the depth-first search is used only for the rest.
"""

from zermelo._kernels.graphs.attractor import CACHED, MOVES_AHEAD, ROWS_AHEAD, WORDS_AHEAD
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def flood(
    indptr: Int64Array,
    indices: Int32Array,
    mark: Int32Array,
    queue: Int32Array,
    start: int,
    dry: int,
    wet: int,
) -> int:
    """Mark as ``wet`` all that ``start`` reaches through ``dry`` marks; return how many.

    The queue has these positions.
    """
    mark[start] = wet
    queue[0] = start
    head, tail = 0, 1
    # Invariant: queue[:tail] are the positions marked, and the moves of queue[:head] lead to them
    # or to positions of another mark.
    while head < tail:
        if head + ROWS_AHEAD < tail:
            prefetch(indptr, queue[head + ROWS_AHEAD])
        if head + MOVES_AHEAD < tail:
            prefetch(indices, indptr[queue[head + MOVES_AHEAD]])
        if head + WORDS_AHEAD < tail:
            v = queue[head + WORDS_AHEAD]
            for k in range(indptr[v], indptr[v + 1]):
                prefetch(mark, indices[k])
        v = queue[head]
        head += 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if mark[w] == dry:
                mark[w] = wet
                queue[tail] = w
                tail += 1
    return tail


@kernel
def strong_components(
    indptr: Int64Array,
    indices: Int32Array,
    mark: Int32Array,
    order: Int32Array,
    path: Int32Array,
    at: Int64Array,
    count: int,
    number: int,
) -> int:
    """Find the strong components among the positions of mark 0; returns the least new mark − 1.

    ``order[:count]`` are finished already, with marks above ``number``; what is left out has marks
    above n. At first ``count`` is 0 and ``number`` n. ``order`` and ``at`` have n entries, ``path``
    2 n. The positions are added to ``order``, component by component, each after all that its moves
    lead to; ``mark`` is the same within a component: ``number`` for the first, one less for the
    next, …
    """
    n = len(mark)
    far = n > CACHED
    opened, index = n, 1
    # Invariant: order[:count] are finished, order[opened:] and the path belong to components that
    # are not; these got numbers below index on entering, no more than there are of them, so that
    # every finished mark is larger. A mark falls only to that of a position that is reached and
    # from which the end of the path is reached.
    for root in range(n):
        if mark[root] != 0:
            continue
        depth = 0
        path[0], path[n], at[0] = root, index, indptr[root]
        mark[root] = index
        index += 1
        while depth >= 0:
            v = path[depth]
            low = mark[v]
            k, stop = at[depth], indptr[v + 1]
            child = -1
            while k < stop:
                w = indices[k]
                x = mark[w]
                if x == 0:
                    child = w
                    break
                low = min(low, x)
                k += 1
            mark[v] = low
            if child >= 0:  # its mark is looked at when the search comes back
                at[depth] = k
                depth += 1
                path[depth], path[n + depth], at[depth] = child, index, indptr[child]
                mark[child] = index
                index += 1
                if far:
                    for k in range(indptr[child], indptr[child + 1]):
                        prefetch(mark, indices[k])
                        prefetch(indptr, indices[k])
                continue
            own = path[n + depth]
            depth -= 1
            if low < own:
                opened -= 1
                order[opened] = v
                continue
            while opened < n and mark[order[opened]] >= low:
                w = order[opened]
                opened += 1
                mark[w] = number
                order[count] = w
                count += 1
                index -= 1
            mark[v] = number
            order[count] = v
            count += 1
            index -= 1
            number -= 1
    return number
