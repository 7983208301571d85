"""Which edges of a graph with a perfect matching are in some perfect matching, by search.

An edge v–w is, exactly if without v and w an augmenting path joins their mates; a tree grows from
each, and in most graphs the two meet soon. If they do not, all edges at v are decided by the tree
that grows from its mate without v: those to its even vertices are in. O(E) each, at worst.
"""

from typing import NamedTuple

from zermelo._kernels.matching import (
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
from zermelo._kernels.records import Moves
from zermelo._runtime.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

UNKNOWN, ALLOWED, FORBIDDEN = 0, 1, 2
"""What may be known of an edge, in either direction: ``verdict``."""

NEVER = 1 << 62
"""A budget that is not spent."""


class BridgeSearch(NamedTuple):
    """A depth-first search for bridges; the arrays have n entries."""

    number: Int32Array
    """The order in which vertices are entered, 0 at first."""
    low: Int32Array
    """The least number that an edge from the vertex or below leads to."""
    path: Int32Array
    """The vertices from the root to the present one."""
    at: Int64Array
    """The edge that each of them comes to next."""


@kernel
def root_at_mate(forest: Forest, state: Int64Array, v: int) -> int:
    """Take the free vertex ``v`` out and make its mate, returned, the root of a tree, queued."""
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
    """Where ``w`` is among the neighbours of ``v``."""
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

    As the sides of a bridge are both odd or both even, it is in all perfect matchings or in none:
    in the former case the other edges of its ends are in none.
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
    """Whether a perfect matching has the edge ``v``–``w``; if so, the matching becomes such."""
    status, links = forest.status, forest.links
    a = root_at_mate(forest, state, v)
    b = root_at_mate(forest, state, w)
    state[BUDGET] = NEVER
    grow(neighbours, forest, state)
    found: bool = links[8 * a + MATE] >= 0
    if found:
        links[8 * v + MATE], links[8 * w + MATE] = w, v
    else:
        dissolve(neighbours, forest, state, a, b)
        links[8 * a + MATE], links[8 * b + MATE] = v, w
    status[v] &= QUEUED
    status[w] &= QUEUED
    return found


@kernel
def decide(
    neighbours: Moves,
    forest: Forest,
    state: Int64Array,
    verdict: Int8Array,
    first: int,
    budget: int,
) -> int:
    """Decide the UNKNOWN edges of the vertices from ``first`` on; return where it stopped.

    Requires a perfect matching in ``forest`` and all vertices FREE, and leaves it so. It stops at
    the first vertex after the budget is spent, or at n.
    """
    indptr, indices = neighbours
    status, links = forest.status, forest.links
    limit = state[STEPS] + budget
    # Invariant: no edge of a vertex below v is UNKNOWN.
    for v in range(first, len(status)):
        if state[STEPS] >= limit:
            return v
        state[STEPS] += 1 + indptr[v + 1] - indptr[v]
        alone = False
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if verdict[k] != UNKNOWN:
                continue
            if alone:  # the tree without v stands
                verdict[k] = ALLOWED if status[w] & KIND >= EVEN else FORBIDDEN
            elif links[8 * v + MATE] == w or joins(neighbours, forest, state, v, w):
                verdict[k] = ALLOWED
            else:
                verdict[k] = FORBIDDEN
                alone = True
                root_at_mate(forest, state, v)
                grow(neighbours, forest, state)
            verdict[place(neighbours, w, v)] = verdict[k]
        if alone:
            root = links[8 * v + MATE]
            dissolve(neighbours, forest, state, root, NOBODY)
            links[8 * root + MATE] = v
            status[v] &= QUEUED
    return len(status)
