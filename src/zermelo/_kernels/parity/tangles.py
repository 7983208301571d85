"""Tangles: how they are stored, how regions attract them, and how they are found in regions.

A tangle is a set of positions with a strategy of one player under which it is strongly connected,
the opponent can stay in it, and the player wins every cycle in it. It has a block of
``store``: ``HEADER`` entries, then a pair for each member, with its move or −1, then a triple for
each position outside that the opponent can escape to: the position, where the block begins, and the
next triple for the same position, the first of which is the ``entry`` of the position.

Positions have a status (see :mod:`zermelo._kernels.graphs.attractor`): level k = 1, 2, … is region
k, level 0 is solved.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import FREE, LEVEL_SHIFT, Claims, attract
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array

PLAYER, MEMBERS, ESCAPES, HINT, SEEN, TRIED = 0, 1, 2, 3, 4, 5
"""The header of a tangle: its player, two counts, an escape that was free when last looked at, and
the last rounds in which it lost an escape and in which no escape was free."""
HEADER = 6

NO_TANGLES = -1
"""In place of the round where there are no tangles to draw."""

UNSOLVED = 1 << LEVEL_SHIFT
"""The least status of a position that is not solved."""
NOWHERE = FREE >> LEVEL_SHIFT
"""The region of a free position."""


class Tangles(NamedTuple):
    """The tangles that are known, and those of this round."""

    store: Int32Array
    """The blocks of the tangles, one after the other."""
    entry: Int32Array
    """The first triple in the store of those that escape to a position, −1 if there is none."""


class Regions(NamedTuple):
    """The regions of the round, and the order in which they are formed."""

    trail: Int32Array
    """The claimed positions, region after region."""
    start: Int32Array
    """Where each region begins on the trail."""
    region: Int32Array
    """The region of each position, NOWHERE if it is free."""
    rank: Int32Array
    """Twice the number of higher priorities that occur, plus the parity."""
    order: Int32Array
    """The positions by falling priority."""
    place: Int32Array
    """Where each position is in the order."""


class Search(NamedTuple):
    """Scratch of the search for strongly connected parts, n entries each."""

    number: Int32Array
    """0 for what the search has not seen, its place on the stack + 1, or −1 once that is left."""
    bound: Int32Array
    path: Int32Array
    cursor: Int32Array
    """How many moves of each position of the path have been looked at."""
    stack: Int32Array
    """All that was seen; at the end of a round, the queue of what is solved."""


@kernel
def escapes_of(store: Int32Array, t: int) -> tuple[int, int]:
    """Where the escapes of tangle t begin and end; the latter is the end of its block."""
    first = t + HEADER + 2 * store[t + MEMBERS]
    return first, first + 3 * store[t + ESCAPES]


@kernel
def target_of(status: Int32Array, region: Int32Array, store: Int32Array, t: int) -> int:
    """The lowest region to which the opponent can escape from tangle t, 0 if there is none."""
    target = 0
    first, after = escapes_of(store, t)
    for e in range(first, after, 3):
        v = store[e]
        if status[v] >= UNSOLVED:
            target = max(target, region[v])
    return target


@kernel
def join(
    claims: Claims,
    store: Int32Array,
    t: int,
    queue: Int32Array,
    tail: int,
    within: int,
    code: int,
    now: int,
) -> int:
    """Claim tangle t if all escapes from it are claimed; returns the new end of the queue."""
    status, strategy = claims.status, claims.strategy
    last, after = escapes_of(store, t)
    hint = store[t + HINT]
    if status[store[hint]] >= within:
        return tail
    e = hint + 3
    while e < after and status[store[e]] < within:
        e += 3
    if e == after:
        e = last
        while e < hint and status[store[e]] < within:
            e += 3
    if e != hint:
        store[t + HINT] = e
        return tail
    store[t + TRIED] = now
    for i in range(t + HEADER, last, 2):
        x = status[store[i]]
        if x < within and (x | 1) != (code | 1):
            return tail
    for i in range(t + HEADER, last, 2):
        v = store[i]
        x = status[v]
        if x >= within:
            status[v] = code | (x & 1)
            if store[i + 1] >= 0:
                strategy[v] = store[i + 1]
            queue[tail] = v
            tail += 1
    return tail


@kernel
def attract_tangles(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    tangles: Tangles,
    queue: Int32Array,
    span: tuple[int, int],
    within: int,
    code: int,
    now: int,
) -> int:
    """Claim what a player draws to a part of the queue, tangles included; returns the new tail.

    ``span`` is ``(head, tail)``, ``now`` the round or NO_TANGLES; ``within`` and ``code`` are those
    of ``attract``.
    """
    store, entry = tangles.store, tangles.entry
    head, tail = span
    player = (code >> 1) & 1
    # Invariant: what is drawn in one move or with one tangle to queue[:head] is claimed.
    while head < tail:
        end = attract(moves, reverse, claims, queue, head, tail, within, code)
        tail = end
        if now != NO_TANGLES:
            for i in range(head, end):
                e = entry[queue[i]]
                while e >= 0:
                    t = store[e + 1]
                    # With no escape free, all there was to know in this round is known.
                    if store[t + PLAYER] == player and store[t + TRIED] != now:
                        tail = join(claims, store, t, queue, tail, within, code, now)
                    e = store[e + 2]
        head = end
    return tail


@kernel
def record(
    moves: Moves,
    claims: Claims,
    store: Int32Array,
    number: Int32Array,
    size: int,
    positions: Int32Array,
    start: int,
    end: int,
) -> int:
    """Write the tangle ``positions[start:end]`` to ``store[size:]``; the new size, −1 if full.

    Its escapes are the opponent's moves to regions above; their ``number`` must be 0.
    """
    indptr, indices = moves.indptr, moves.indices
    status, strategy = claims.status, claims.strategy
    room = len(store) - 3
    t = size
    size += HEADER + 2 * (end - start)
    if size > room:
        return -1
    x = status[positions[start]]
    within, player = x >> LEVEL_SHIFT << LEVEL_SHIFT, (x >> 1) & 1
    first = size
    for i in range(start, end):
        v = positions[i]
        at = t + HEADER + 2 * (i - start)
        store[at] = v
        store[at + 1] = strategy[v]
        if (status[v] & 1) != player:
            store[at + 1] = -1
            for j in range(indptr[v], indptr[v + 1]):
                w = indices[j]
                if UNSOLVED <= status[w] < within and number[w] == 0 and size <= room:
                    number[w] = -1
                    store[size] = w
                    store[size + 1] = t
                    size += 3
    for e in range(first, size, 3):
        number[store[e]] = 0
    if size > room:
        return -1
    store[t + PLAYER] = player
    store[t + MEMBERS] = end - start
    store[t + ESCAPES] = (size - first) // 3
    store[t + HINT] = first
    store[t + SEEN] = 0
    store[t + TRIED] = -1
    return size


@kernel
def mark_leaks(
    moves: Moves, claims: Claims, regions: Regions, number: Int32Array, start: int, end: int
) -> tuple[int, int]:
    """Mark by −1 the top positions of the last region from which play may go down.

    Gives the others of its player a move that stays. Returns where the top positions end on the
    trail, and how many of them are not marked.
    """
    indptr, indices = moves.indptr, moves.indices
    status, strategy = claims.status, claims.strategy
    trail, rank = regions.trail, regions.rank
    k, player = status[trail[start]] >> LEVEL_SHIFT, (status[trail[start]] >> 1) & 1
    closed = 0
    i = start
    while i < end and rank[trail[i]] == rank[trail[start]]:
        v = trail[i]
        mine = (status[v] & 1) == player
        leaks = mine
        if not mine or status[strategy[v]] >> LEVEL_SHIFT != k:
            for j in range(indptr[v], indptr[v + 1]):
                w = indices[j]
                if mine and status[w] >> LEVEL_SHIFT == k:
                    strategy[v] = w
                    leaks = False
                    break
                if not mine and status[w] >= FREE:
                    leaks = True
                    break
        else:
            leaks = False
        if leaks:
            number[v] = -1
        else:
            closed += 1
        i += 1
    return i, closed


@kernel
def search_bottom(moves: Moves, claims: Claims, search: Search, root: int) -> tuple[int, int]:
    """Look for a bottom component in a region, under its strategy, from a position not seen yet.

    Returns where it begins and ends on the stack, an empty place if play may go to what has been
    seen before. In the end ``number`` is −1 for all that the search has seen.
    """
    indptr, indices = moves.indptr, moves.indices
    status, strategy = claims.status, claims.strategy
    number, bound, path = search.number, search.bound, search.path
    cursor, stack = search.cursor, search.stack
    k, player = status[root] >> LEVEL_SHIFT, (status[root] >> 1) & 1
    opened = bounds = depth = 0
    begin = -1
    w = root
    # Invariant: the stack has all that was seen, each at place ``number`` − 1; the path leads from
    # everything there to its last position; the bounds are the numbers at which its strongly
    # connected parts, as far as is known, begin. So as soon as the path meets something that is
    # in no bottom component, or the first component is complete, nothing else there is in one.
    while True:
        if w >= 0:
            stack[opened] = w
            path[depth] = w
            cursor[depth] = 0
            opened += 1
            depth += 1
            number[w] = opened
            bound[bounds] = opened
            bounds += 1
        v = path[depth - 1]
        j = indptr[v] + cursor[depth - 1]
        after = indptr[v + 1]
        w = -1
        if (status[v] & 1) == player:
            if j == indptr[v]:
                w = strategy[v]
        else:
            while j < after and status[indices[j]] >> LEVEL_SHIFT != k:
                j += 1
            if j < after:
                w = indices[j]
        cursor[depth - 1] = j + 1 - indptr[v]
        if w < 0:
            if bound[bounds - 1] == number[v]:
                begin = number[v] - 1
                break
            depth -= 1
        elif number[w] < 0:
            break
        elif number[w] > 0:
            while bound[bounds - 1] > number[w]:
                bounds -= 1
            w = -1
    for i in range(opened):
        number[stack[i]] = -1
    if begin < 0:
        begin = opened
    return begin, opened


@kernel
def extract(
    moves: Moves,
    claims: Claims,
    regions: Regions,
    search: Search,
    store: Int32Array,
    size: int,
    start: int,
    end: int,
) -> int:
    """Append the tangles of the last region, ``trail[start:end]``; returns the new size or −1.

    They are the bottom components without a leak. Each has a top position: the opponent can go to
    one from everywhere.
    """
    trail, number = regions.trail, search.number
    tops, closed = mark_leaks(moves, claims, regions, number, start, end)
    if closed == tops - start and claims.status[trail[start]] >> LEVEL_SHIFT == 1:
        return record(moves, claims, store, number, size, trail, start, end)
    if closed == 0:
        end = tops
    for i in range(start, tops):
        if number[trail[i]] == 0 and size >= 0:
            begin, after = search_bottom(moves, claims, search, trail[i])
            if begin < after:
                size = record(moves, claims, store, number, size, search.stack, begin, after)
    for i in range(start, end):
        number[trail[i]] = 0
    return size
