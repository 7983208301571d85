"""Strong components of a list of moves, in NumPy and plain Python: for checkers only.

In a large graph, operations on whole arrays decide most moves. Trimming removes moves that lie on
no cycle because one of their ends has no move in or no move out. The component of a well-connected
position, often a giant one, is the set of positions that it reaches and that reach it. Tarjan's
algorithm does the rest; it also does all of a graph with long paths.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from zermelo.labels import AnyArray, BoolArray, Int64Array

MIN_MOVES_OF_ARRAYS = 1 << 15
"""From this many moves on, operations on whole arrays come first."""

MAX_ROUNDS = 48
"""The number of rounds on whole arrays before Tarjan's algorithm continues."""


class Moves(NamedTuple):
    """Moves by their two ends."""

    source: AnyArray
    target: AnyArray


def strong_components(n: int, source: AnyArray, target: AnyArray) -> Int64Array:
    """The component of each of the positions 0 … n − 1, as the number of one of its members.

    >>> strong_components(4, np.array([0, 1, 2, 3]), np.array([1, 0, 3, 3])).tolist()
    [0, 0, 2, 3]
    """
    component = np.arange(n, dtype=np.int64)
    if source.size >= MIN_MOVES_OF_ARRAYS:
        source, target = _trim(n, source, target)
        source, target = _giant(n, source, target, component)
        source, target = _trim(n, source, target)
    if source.size:
        _tarjan(source, target, component)
    return component


def inner_components(
    chosen: Iterable[int], after: Callable[[int], Iterable[int]]
) -> list[list[int]]:
    """The strong components of some nodes in which play can stay: those with a cycle.

    >>> inner_components([0, 1, 2], [[1], [0, 2], [3], [2]].__getitem__)
    [[0, 1]]
    """
    members = sorted(chosen)
    number = {v: k for k, v in enumerate(members)}
    pairs = [(number[v], number[w]) for v in members for w in after(v) if w in number]
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    component = strong_components(len(members), source, target)
    inside = component[source[component[source] == component[target]]]
    parts: dict[int, list[int]] = {c: [] for c in sorted(set(inside.tolist()))}
    for v, c in zip(members, component.tolist(), strict=True):
        if c in parts:
            parts[c].append(v)
    return list(parts.values())


def _trim(n: int, source: AnyArray, target: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Remove moves whose source has no move in or whose target has no move out, while it pays."""
    for _ in range(MAX_ROUNDS):
        entered, left = np.zeros(n, bool), np.zeros(n, bool)
        entered[target] = True
        left[source] = True
        kept = entered[source] & left[target]
        before = source.size
        source, target = source[kept], target[kept]
        if source.size > 0.98 * before:
            break
    return source, target


def _giant(
    n: int, source: AnyArray, target: AnyArray, component: Int64Array
) -> tuple[AnyArray, AnyArray]:
    """Store the component of a well-connected position; return the moves outside of it."""
    if not source.size:
        return source, target
    degree = np.bincount(source, minlength=n) * np.bincount(target, minlength=n)
    pivot = int(np.argmax(degree))
    after = _reached(n, source, target, pivot)
    before = None if after is None else _reached(n, target, source, pivot)
    if after is None or before is None:
        return source, target
    giant = after & before
    component[giant] = pivot
    kept = ~(giant[source] | giant[target])
    return source[kept], target[kept]


def _reached(n: int, source: AnyArray, target: AnyArray, pivot: int) -> BoolArray | None:
    """The positions reachable from the pivot; None if that takes too many rounds."""
    seen = np.zeros(n, bool)
    seen[pivot] = True
    for _ in range(MAX_ROUNDS):
        begun = seen[source]
        fresh = begun & ~seen[target]
        if not fresh.any():
            return seen
        seen[target[fresh]] = True
        waiting = ~begun
        source, target = source[waiting], target[waiting]
    return None


def _tarjan(source: AnyArray, target: AnyArray, component: Int64Array) -> None:
    """Tarjan's algorithm without recursion, on the positions that have moves."""
    places, ends = np.unique(np.concatenate((source, target)), return_inverse=True)
    ends = ends.reshape(-1)
    n, m = places.size, source.size
    order = np.argsort(ends[:m], kind="stable")
    heads: list[int] = ends[m:][order].tolist()
    stops = np.cumsum(np.bincount(ends[:m], minlength=n))
    at: list[int] = [0, *stops[:-1].tolist()]  # the next move of each position
    stop: list[int] = stops.tolist()
    done = n + 1
    number, low, root_of = [0] * n, [0] * n, [0] * n
    open_: list[int] = []
    count = 0
    for root in range(n):
        if number[root]:
            continue
        path = [root]
        # Invariant: path is a path of the depth-first search. low[v] is 0 before v is visited and
        # done when its component is known; otherwise it is at most number[v] and is the number of a
        # position in v's component. open_ holds the visited positions that are not done.
        while path:
            v = path[-1]
            if not number[v]:
                count += 1
                number[v] = low[v] = count
                open_.append(v)
            least, k, last = low[v], at[v], stop[v]
            while k < last:
                x = low[heads[k]]
                if not x:
                    break
                if x < least:
                    least = x
                k += 1
            low[v] = least
            at[v] = k
            if k < last:  # this move is looked at again, as a visited one, when the search returns
                path.append(heads[k])
                continue
            path.pop()
            if least == number[v]:
                w = -1
                while w != v:
                    w = open_.pop()
                    low[w] = done
                    root_of[w] = v
    component[places] = places[np.array(root_of, np.int64)]
