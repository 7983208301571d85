"""Tangles: where they are stored, how regions draw them, how regions yield them.

A tangle is a set of positions with a strategy of one player under which it is strongly connected,
the opponent can go round in it, and every way round is won by the player. It has a block of
``store``: ``HEADER`` entries, then a pair for each member, with its move or −1, then a triple for
each position outside that the opponent can escape to: the position, where the block begins, and the
next triple for the same position, the first of which is the position's ``ENTRY``.

Positions have words (see :mod:`zermelo._kernels.attractor`): level k = 1, 2, … is region k, level 0
is solved. ``work`` holds arrays of n entries: the ``TRAIL`` of claimed positions, region after
region (``START`` has their beginnings), the positions by falling priority (``ORDER``, its inverse
``PLACE``), their ``RANK`` (twice the number of higher priorities, plus the parity), their
``REGION``, their ``ENTRY``, a ``QUEUE`` and room for a search.
"""

from zermelo._kernels.attractor import FREE, attract
from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array

TRAIL, QUEUE, ORDER, PLACE, RANK, REGION = 0, 1, 2, 3, 4, 5
ENTRY, NUMBER, BOUND, PATH, CURSOR, START = 6, 7, 8, 9, 10, 11
"""The parts of ``work``, of n entries each, the last one of two more."""
PARTS = 12

PLAYER, MEMBERS, ESCAPES, HINT, SEEN, TRIED = 0, 1, 2, 3, 4, 5
"""The header of a tangle: its player, two counts, an escape that was free when last looked at, and
the last rounds in which it lost an escape and in which no escape was free."""
HEADER = 6

SHIFT = 3
UNSOLVED = 1 << SHIFT
"""The least word of a position that is not solved."""
NOWHERE = FREE >> SHIFT
"""The region of a free position."""


@kernel
def escapes_of(store: Int32Array, t: int) -> tuple[int, int]:
    """Where the escapes of tangle t begin and end; the latter is the end of its block."""
    first = t + HEADER + 2 * store[t + MEMBERS]
    return first, first + 3 * store[t + ESCAPES]


@kernel
def target_of(word: Int32Array, work: Int32Array, store: Int32Array, t: int) -> int:
    """The lowest region to which the opponent can escape from tangle t, 0 if there is none."""
    target = 0
    first, after = escapes_of(store, t)
    for e in range(first, after, 3):
        v = store[e]
        if word[v] >= UNSOLVED:
            target = max(target, work[REGION * len(word) + v])
    return target


@kernel
def join(
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    t: int,
    tail: int,
    claim: tuple[int, int],
    now: int,
) -> int:
    """Claim tangle t if all escapes from it are claimed; returns the new end of the queue."""
    within, code = claim
    last, after = escapes_of(store, t)
    hint = store[t + HINT]
    if word[store[hint]] >= within:
        return tail
    e = hint + 3
    while e < after and word[store[e]] < within:
        e += 3
    if e == after:
        e = last
        while e < hint and word[store[e]] < within:
            e += 3
    if e != hint:
        store[t + HINT] = e
        return tail
    store[t + TRIED] = now
    for i in range(t + HEADER, last, 2):
        x = word[store[i]]
        if x < within and (x | 1) != (code | 1):
            return tail
    for i in range(t + HEADER, last, 2):
        v = store[i]
        x = word[v]
        if x >= within:
            word[v] = code | (x & 1)
            if store[i + 1] >= 0:
                strategy[v] = store[i + 1]
            work[tail] = v
            tail += 1
    return tail


@kernel
def attract_tangles(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    span: tuple[int, int, int],
    claim: tuple[int, int],
) -> int:
    """Claim what a player draws to ``work[head:tail]``, tangles included; returns the new tail.

    ``span`` is ``(head, tail, round)``, the last one −1 if there are no tangles; ``claim`` is that
    of ``attract``.
    """
    head, tail, now = span
    player = (claim[1] >> 1) & 1
    entry = ENTRY * len(word)
    # Invariant: what is drawn in one move or with one tangle to work[:head] is claimed.
    while head < tail:
        end = attract(
            indptr, indices, rev_indptr, rev_indices, word, strategy, work, head, tail, claim
        )
        tail = end
        if now >= 0:
            for i in range(head, end):
                e = work[entry + work[i]]
                while e >= 0:
                    t = store[e + 1]
                    # With no escape free, all there was to know in this round is known.
                    if store[t + PLAYER] == player and store[t + TRIED] != now:
                        tail = join(word, strategy, work, store, t, tail, claim, now)
                    e = store[e + 2]
        head = end
    return tail


@kernel
def record(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    size: int,
    start: int,
    end: int,
) -> int:
    """Write the tangle ``work[start:end]`` to ``store[size:]``; returns the new size, −1 if full.

    Its escapes are the opponent's moves to regions above; ``NUMBER`` must be 0 there.
    """
    number = NUMBER * len(word)
    room = len(store) - 3
    t = size
    size += HEADER + 2 * (end - start)
    if size > room:
        return -1
    x = word[work[start]]
    within, player = x >> SHIFT << SHIFT, (x >> 1) & 1
    first = size
    for i in range(start, end):
        v = work[i]
        at = t + HEADER + 2 * (i - start)
        store[at] = v
        store[at + 1] = strategy[v]
        if (word[v] & 1) != player:
            store[at + 1] = -1
            for j in range(indptr[v], indptr[v + 1]):
                w = indices[j]
                if UNSOLVED <= word[w] < within and work[number + w] == 0 and size <= room:
                    work[number + w] = -1
                    store[size] = w
                    store[size + 1] = t
                    size += 3
    for e in range(first, size, 3):
        work[number + store[e]] = 0
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
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    start: int,
    end: int,
) -> tuple[int, int]:
    """Mark by −1 the top positions of a region, the last one, from which play may go on downwards.

    Gives the others of its player a move that stays. Returns where the top positions end on the
    trail, and how many of them are not marked.
    """
    n = len(word)
    rank, number = RANK * n, NUMBER * n
    k, player = word[work[start]] >> SHIFT, (word[work[start]] >> 1) & 1
    closed = 0
    i = start
    while i < end and work[rank + work[i]] == work[rank + work[start]]:
        v = work[i]
        mine = (word[v] & 1) == player
        leaks = mine
        if not mine or word[strategy[v]] >> SHIFT != k:
            for j in range(indptr[v], indptr[v + 1]):
                w = indices[j]
                if mine and word[w] >> SHIFT == k:
                    strategy[v] = w
                    leaks = False
                    break
                if not mine and word[w] >= FREE:
                    leaks = True
                    break
        else:
            leaks = False
        if leaks:
            work[number + v] = -1
        else:
            closed += 1
        i += 1
    return i, closed


@kernel
def search(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    root: int,
) -> tuple[int, int]:
    """Look for a bottom component in a region, under its strategy, from a position not seen yet.

    Returns where it is in ``work``, an empty place if play may go to what has been seen before.
    In the end ``NUMBER`` is −1 for all that the search has seen.
    """
    n = len(word)
    number, bound, path, cursor, stack = NUMBER * n, BOUND * n, PATH * n, CURSOR * n, QUEUE * n
    k, player = word[root] >> SHIFT, (word[root] >> 1) & 1
    opened = bounds = depth = 0
    begin = -1
    w = root
    # Invariant: the stack has all that was seen, each at place NUMBER − 1; the path leads from
    # everything there to its last position; the bounds are the numbers at which its strongly
    # connected parts, as far as is known, begin. So as soon as the path meets something that is
    # in no bottom component, or the first component is complete, nothing else there is in one.
    while True:
        if w >= 0:
            work[stack + opened] = w
            work[path + depth] = w
            work[cursor + depth] = 0
            opened += 1
            depth += 1
            work[number + w] = opened
            work[bound + bounds] = opened
            bounds += 1
        v = work[path + depth - 1]
        j = indptr[v] + work[cursor + depth - 1]
        after = indptr[v + 1]
        w = -1
        if (word[v] & 1) == player:
            if j == indptr[v]:
                w = strategy[v]
        else:
            while j < after and word[indices[j]] >> SHIFT != k:
                j += 1
            if j < after:
                w = indices[j]
        work[cursor + depth - 1] = j + 1 - indptr[v]
        if w < 0:
            if work[bound + bounds - 1] == work[number + v]:
                begin = stack + work[number + v] - 1
                break
            depth -= 1
        elif work[number + w] < 0:
            break
        elif work[number + w] > 0:
            while work[bound + bounds - 1] > work[number + w]:
                bounds -= 1
            w = -1
    for i in range(stack, stack + opened):
        work[number + work[i]] = -1
    if begin < 0:
        begin = stack + opened
    return begin, stack + opened


@kernel
def extract(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    size: int,
    start: int,
    end: int,
) -> int:
    """Append the tangles of the last region, ``work[start:end]``; returns the new size or −1.

    They are the bottom components without a leak. Each has a top position: the opponent can go to
    one from everywhere.
    """
    number = NUMBER * len(word)
    tops, closed = mark_leaks(indptr, indices, word, strategy, work, start, end)
    if closed == tops - start and word[work[start]] >> SHIFT == 1:
        return record(indptr, indices, word, strategy, work, store, size, start, end)
    if closed == 0:
        end = tops
    for i in range(start, tops):
        if work[number + work[i]] == 0 and size >= 0:
            begin, after = search(indptr, indices, word, strategy, work, work[i])
            if begin < after:
                size = record(indptr, indices, word, strategy, work, store, size, begin, after)
    for i in range(start, end):
        work[number + work[i]] = 0
    return size
