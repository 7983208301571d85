"""Which edges of a graph with a perfect matching are in some perfect matching, by search.

The edge v–w is in some perfect matching exactly if an augmenting path joins the mates of v and w in
the graph without v and w. To find such a path, a tree grows from each of the two mates; in most
graphs the trees meet soon. If they do not meet, one more tree decides all edges at v: it grows from
the mate of v in the graph without v, and an edge from v is in some perfect matching exactly if it
leads to an even vertex of this tree. O(E) for each search, at worst.
"""

from typing import NamedTuple

from zermelo._kernels.geography.matching import (
    BUDGET,
    EVEN,
    KIND,
    MATE,
    NOBODY,
    ODD,
    PRED,
    QUEUED,
    ROOT,
    STEPS,
    Forest,
    dissolve,
    enqueue,
    grow,
)
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

UNKNOWN, ALLOWED, FORBIDDEN = 0, 1, 2
"""The values of ``verdict``: what is known of an edge. Both directions have the same value."""

NEVER = 1 << 62
"""A budget so large that it is never spent."""


class BridgeSearch(NamedTuple):
    """A depth-first search for bridges; the arrays have n entries."""

    number: Int32Array
    """The order in which vertices are entered, 0 at first."""
    low: Int32Array
    """The least number of a vertex to which an edge leads from the vertex or from below it."""
    path: Int32Array
    """The vertices from the root to the present one."""
    at: Int64Array
    """The edge that each of them comes to next."""


@kernel
def root_at_mate(forest: Forest, state: Int64Array, v: int) -> int:
    """Take the free vertex ``v`` out of the graph, and make its mate a root and queue it.

    Returns the mate.
    """
    status, links = forest.status, forest.links
    r: int = links[8 * v + MATE]
    status[v] = (status[v] & QUEUED) | ODD
    status[r] = (status[r] & QUEUED) | EVEN
    links[8 * r + MATE] = NOBODY
    links[8 * r + ROOT] = r
    links[8 * r + PRED] = r
    enqueue(forest, state, r)
    return r


@kernel
def place(neighbours: Moves, v: int, w: int) -> int:
    """The index in ``indices`` at which ``w`` is a neighbour of ``v``."""
    indptr, indices = neighbours
    low: int = indptr[v]
    high: int = indptr[v + 1] - 1
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < w:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def cut_bridges(
    neighbours: Moves, mate: Int32Array, verdict: Int8Array, search: BridgeSearch
) -> int:
    """Decide the bridges by the given matching; return how many edges are FORBIDDEN.

    The two sides of a bridge both have an odd or both have an even number of vertices. So the
    bridge is in all perfect matchings or in none; in the former case the other edges of its ends
    are in none.
    """
    indptr, indices = neighbours
    number, low, path, at = search
    count, forbidden = 0, 0
    # Invariant: as in Tarjan's search for bridges, number is the order of entering, low[v] the
    # least number that an edge from below v leads to, other than the edge by which v was entered.
    for root in range(len(mate)):
        if number[root] != 0:
            continue
        count += 1
        number[root], low[root] = count, count
        path[0], at[0] = root, indptr[root]
        depth = 0
        while depth >= 0:
            v = path[depth]
            k = at[depth]
            if k < indptr[v + 1]:
                at[depth] = k + 1
                w = indices[k]
                if number[w] == 0:
                    count += 1
                    number[w], low[w] = count, count
                    depth += 1
                    path[depth], at[depth] = w, indptr[w]
                elif depth == 0 or w != path[depth - 1]:
                    low[v] = min(low[v], number[w])
                continue
            depth -= 1
            if depth < 0:
                continue
            u = path[depth]
            low[u] = min(low[u], low[v])
            if low[v] <= number[u]:
                continue
            if mate[u] != v:
                k, j = place(neighbours, u, v), place(neighbours, v, u)
                if verdict[k] != FORBIDDEN:
                    forbidden += 1
                verdict[k] = FORBIDDEN
                verdict[j] = FORBIDDEN
                continue
            for end in (u, v):
                for k in range(indptr[end], indptr[end + 1]):
                    w = indices[k]
                    if w != mate[end] and verdict[k] != FORBIDDEN:
                        verdict[k] = FORBIDDEN
                        verdict[place(neighbours, w, end)] = FORBIDDEN
                        forbidden += 1
    return forbidden


@kernel
def joins(neighbours: Moves, forest: Forest, state: Int64Array, v: int, w: int) -> bool:
    """Whether some perfect matching has the edge ``v``–``w``; if so, make it the present one."""
    status, links = forest.status, forest.links
    a = root_at_mate(forest, state, v)
    b = root_at_mate(forest, state, w)
    state[BUDGET] = NEVER
    grow(neighbours, forest, state)
    joined: bool = links[8 * a + MATE] >= 0
    if joined:
        links[8 * v + MATE], links[8 * w + MATE] = w, v
    else:
        dissolve(neighbours, forest, state, a, b)
        links[8 * a + MATE], links[8 * b + MATE] = v, w
    status[v] &= QUEUED
    status[w] &= QUEUED
    return joined


@kernel
def decide(
    neighbours: Moves,
    forest: Forest,
    state: Int64Array,
    verdict: Int8Array,
    first: int,
    budget: int,
) -> int:
    """Decide the UNKNOWN edges of the vertices from ``first`` on; return the next vertex.

    Requires a perfect matching in ``forest`` and all vertices FREE, and leaves it so. The kernel
    stops at the first vertex after the budget is spent, or at n.
    """
    indptr, indices = neighbours
    status, links = forest.status, forest.links
    limit = state[STEPS] + budget
    # Invariant: no edge of a vertex below v is UNKNOWN.
    for v in range(first, len(status)):
        if state[STEPS] >= limit:
            return v
        state[STEPS] += 1 + indptr[v + 1] - indptr[v]
        tree_is_grown = False
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if verdict[k] != UNKNOWN:
                continue
            if tree_is_grown:  # the tree that grows from the mate of v in the graph without v
                verdict[k] = ALLOWED if status[w] & KIND >= EVEN else FORBIDDEN
            elif links[8 * v + MATE] == w or joins(neighbours, forest, state, v, w):
                verdict[k] = ALLOWED
            else:
                verdict[k] = FORBIDDEN
                tree_is_grown = True
                root_at_mate(forest, state, v)
                grow(neighbours, forest, state)
            verdict[place(neighbours, w, v)] = verdict[k]
        if tree_is_grown:
            root = links[8 * v + MATE]
            dissolve(neighbours, forest, state, root, NOBODY)
            links[8 * root + MATE] = v
            status[v] &= QUEUED
    return len(status)
