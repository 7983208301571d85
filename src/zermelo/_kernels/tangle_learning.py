"""Tangle learning for parity games: regions by falling priority, drawn with all tangles known.

Region k = 1, 2, … has the free positions of the highest priority left, its *tops*, and what their
player draws to them, among free positions. When none is free, a round ends: the tangles found in
its regions become known, those without an escape are solved. The next round keeps the regions that
are the same. See :mod:`zermelo._kernels.tangles` for ``work`` and ``store``; ``state`` has the
slots below and then the tree of bits (see ``waiting``) in which all free positions wait by their
places, and perhaps some that are not free any more.
"""

from zermelo._kernels.attractor import FREE
from zermelo._kernels.tangles import (
    ENTRY,
    HEADER,
    HINT,
    NOWHERE,
    NUMBER,
    ORDER,
    PATH,
    PLACE,
    PLAYER,
    QUEUE,
    RANK,
    REGION,
    SEEN,
    SHIFT,
    START,
    UNSOLVED,
    attract_tangles,
    escapes_of,
    extract,
    join,
    target_of,
)
from zermelo._kernels.waiting import clear_waiting, next_waiting, set_waiting
from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array

PHASE, COUNT, TAIL, SIZE, PENDING, BUDGET, FULL = 0, 1, 2, 3, 4, 5, 6
"""Slots of ``state``: what to do next, regions, the trail's and the store's ends, where the tangles
of this round begin, the budget of a call, and whether the store was too small."""
SOLVED, TANGLES, DOMINIONS, ROUNDS, STEPS = 7, 8, 9, 10, 11
"""Counters there."""
STATE_SIZE = 12

FORM, JOIN, EXTRACT, SETTLE, DONE = 0, 1, 2, 3, 4
"""What to do next: form a region, let the last one draw the new tangles, find tangles in it, end
the round, nothing."""


@kernel
def gains(word: Int32Array, work: Int32Array, store: Int32Array, t: int) -> int:
    """The region that draws tangle t after it has lost escapes and did not before, or NOWHERE."""
    region = REGION * len(word)
    target = target_of(word, work, store, t)
    first, _ = escapes_of(store, t)
    gained = NOWHERE
    for i in range(t + HEADER, first, 2):
        v = store[i]
        if word[v] < UNSOLVED or work[region + v] < target:
            return NOWHERE
        if work[region + v] > target:
            gained = target
    return gained


@kernel
def highest_hurt(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    work: Int32Array,
    store: Int32Array,
    tail: int,
    now: int,
) -> int:
    """The highest region that is another one now that the queue up to ``tail`` is solved.

    Such a region has lost a position, leaks less, or draws more since moves or escapes are gone.
    """
    n = len(word)
    region, rank, number, queue, listed = REGION * n, RANK * n, NUMBER * n, QUEUE * n, PATH * n
    player = (word[work[queue]] >> 1) & 1
    hurt: int = NOWHERE
    for i in range(queue, tail):
        hurt = min(hurt, work[region + work[i]])
        if hurt == 1:
            return hurt
    count = 0
    for i in range(queue, tail):
        v = work[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if word[u] < UNSOLVED or work[number + u] != 0:
                continue
            work[number + u] = -1
            work[listed + count] = u
            count += 1
            lowest = 0
            for j in range(indptr[u], indptr[u + 1]):
                if word[indices[j]] >= UNSOLVED:
                    lowest = max(lowest, work[region + indices[j]])
            r = work[region + u]
            top = work[rank + work[work[START * n + r]]]
            if lowest < r or (work[rank + u] == top and (top & 1) == player):
                hurt = min(hurt, lowest, r)
        e = work[ENTRY * n + v]
        while e >= 0:
            t = store[e + 1]
            if store[t + SEEN] != now:
                store[t + SEEN] = now
                hurt = min(hurt, gains(word, work, store, t))
            e = store[e + 2]
    for i in range(listed, listed + count):
        work[number + work[i]] = 0
    return hurt


@kernel
def settle(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    state: Int64Array,
) -> tuple[int, int]:
    """End a round: make its tangles known, solve those without an escape and what is drawn there.

    Returns the highest region that draws a new tangle, and the highest that must be formed anew.
    """
    n = len(word)
    entry, queue = ENTRY * n, QUEUE * n
    size = state[SIZE]
    state[ROUNDS] += 1
    t = state[PENDING]
    while t < size:
        first, after = escapes_of(store, t)
        state[DOMINIONS if first == after else TANGLES] += 1
        for e in range(first, after, 3):
            store[e + 2] = work[entry + store[e]]
            work[entry + store[e]] = e
        t = after
    hurt = draws = NOWHERE
    now = state[ROUNDS] if state[TANGLES] else -1
    for player in range(2):
        tail = queue
        t = state[PENDING]
        while t < size:
            first, after = escapes_of(store, t)
            if first == after and store[t + PLAYER] == player:
                for i in range(t + HEADER, first, 2):
                    v = store[i]
                    word[v] = player << 1 | (word[v] & 1)
                    work[tail] = v
                    tail += 1
            t = after
        if tail > queue:
            tail = attract_tangles(
                indptr, indices, rev_indptr, rev_indices, word, strategy, work, store,
                (queue, tail, now), (UNSOLVED, player << 1),
            )  # fmt: skip
            state[SOLVED] += tail - queue
            hurt = min(
                hurt,
                highest_hurt(
                    indptr, indices, rev_indptr, rev_indices, word, work, store, tail, now
                ),
            )
    t = state[PENDING]
    while t < size:
        target = target_of(word, work, store, t)
        if target > 0:
            draws = min(draws, target)
        _, t = escapes_of(store, t)
    return draws, hurt


@kernel
def learn(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    store: Int32Array,
    state: Int64Array,
    level_at: Int64Array,
) -> bool:
    """Solve the total parity game; False when the budget is used up or the store full first.

    Words and strategy start as ``start_attracting`` leaves them, ``state`` with zeros and all
    positions waiting; ``work`` has order, places and ranks, NOWHERE for regions, −1 for entries,
    else 0. In the end words have the winners and ``strategy`` a winning move where the owner wins.
    ``state[BUDGET]`` bounds the positions claimed and freed, up to what one step takes.
    """
    n = len(word)
    region, order, place, rank, starts = REGION * n, ORDER * n, PLACE * n, RANK * n, START * n
    phase, k, tail = state[PHASE], state[COUNT], state[TAIL]
    spent = 0
    # Invariant: regions 1 … k, in that order on the trail, are what their players draw to their
    # tops with all tangles before ``PENDING``; those of this round are from there on. In phase
    # JOIN the last region may draw more, in phase EXTRACT its tangles are not stored yet.
    while phase != DONE and spent < state[BUDGET]:
        begin = tail
        code = 0
        if phase == FORM:
            r = -1
            i = next_waiting(state, level_at, 0)
            while i >= 0:
                v = work[order + i]
                if word[v] >= FREE:
                    if r < 0:
                        r = work[rank + v]
                        k += 1
                        code = k << SHIFT | (r & 1) << 1
                        work[starts + k] = tail
                    elif work[rank + v] != r:
                        break
                    word[v] = code | (word[v] & 1)
                    work[tail] = v
                    tail += 1
                clear_waiting(state, level_at, i)
                i = next_waiting(state, level_at, i)
                spent += 1
            if r < 0:
                phase = SETTLE
        elif phase == JOIN:
            code = word[work[work[starts + k]]] & ~1
            t = state[PENDING]
            while t < state[SIZE]:
                first, after = escapes_of(store, t)
                if first < after and store[t + PLAYER] == (code >> 1) & 1:
                    tail = join(word, strategy, work, store, t, tail, (FREE, code), state[ROUNDS])
                t = after
            state[PENDING] = state[SIZE]
        if phase <= JOIN:
            now = state[ROUNDS] if state[TANGLES] else -1
            tail = attract_tangles(
                indptr, indices, rev_indptr, rev_indices, word, strategy, work, store,
                (begin, tail, now), (FREE, code),
            )  # fmt: skip
            for i in range(begin, tail):
                work[region + work[i]] = k
            spent += tail - begin
            phase = EXTRACT
        if phase == EXTRACT:
            size = extract(
                indptr, indices, word, strategy, work, store, state[SIZE], work[starts + k], tail
            )
            if size < 0:
                state[FULL] = 1
                break
            state[SIZE] = size
            phase = FORM
        elif phase == SETTLE:
            draws, hurt = settle(
                indptr, indices, rev_indptr, rev_indices, word, strategy, work, store, state
            )
            phase = FORM
            keep = hurt
            if state[SOLVED] == n:
                phase = DONE
                keep = NOWHERE
            elif draws < hurt:
                phase = JOIN
                keep = draws + 1
            else:
                state[PENDING] = state[SIZE]
            end = work[starts + keep] if keep <= k else tail
            for i in range(end, tail):
                v = work[i]
                work[region + v] = NOWHERE
                if word[v] >= UNSOLVED:
                    word[v] = FREE | (word[v] & 1)
                    set_waiting(state, level_at, work[place + v])
            spent += 1 + tail - end + state[SIZE] // 4
            tail = end
            k = min(k, keep - 1)
    state[PHASE], state[COUNT], state[TAIL] = phase, k, tail
    state[STEPS] += spent
    done: bool = phase == DONE
    return done


@kernel
def forget(word: Int32Array, work: Int32Array, store: Int32Array, state: Int64Array) -> None:
    """Make room: drop the tangles that have solved positions, link the others anew."""
    entry = ENTRY * len(word)
    for v in range(len(word)):
        work[entry + v] = -1
    t = size = 0
    pending = state[SIZE]
    # Invariant: store[:size] has what is kept of store[:t], and ``pending`` is where the tangles
    # of this round begin, once the first of them has been moved.
    while t < state[SIZE]:
        first, after = escapes_of(store, t)
        new = t >= state[PENDING]
        keeps = new or first < after
        if not new:
            for i in range(t + HEADER, first, 2):
                if word[store[i]] < UNSOLVED:
                    keeps = False
        if new:
            pending = min(pending, size)
        if keeps:
            shift = t - size
            store[t + HINT] -= shift
            for i in range(t, after):
                store[i - shift] = store[i]
            for e in range(first - shift, after - shift, 3):
                store[e + 1] = size
                if not new:
                    store[e + 2] = work[entry + store[e]]
                    work[entry + store[e]] = e
            size += after - t
        t = after
    state[SIZE] = size
    state[PENDING] = min(pending, size)
