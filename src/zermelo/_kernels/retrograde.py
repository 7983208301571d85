"""Retrograde analysis of every terminal-payoff game: one backward wave with out-degree counters.

**Situations.** A situation says where the token is and who moves. There are three layouts:

- *symmetric* (``shift = 0, flip = 1``): situation = position; values are the mover's own, so they
  change sign along a move;
- *owned* (``shift = 0, flip = 0``): situation = position, its owner moves;
- *alternating* (``shift = 1, flip = 0``): situation ``2 v + e``, player ``e`` moves at ``v``.

**Words.** One 32-bit word a situation. While undecided it is ``2 · counter + mover`` with
``counter`` = moves not yet known to be bad for the mover (``mover`` is 0 in the symmetric layout);
once settled it is ``~(2 · distance + f)``, negative. Here ``f`` is the player who forced the value
or, in the symmetric layout, 1 if the situation is good for its mover and 0 if bad.

**Fronts.** The settled situations with ``f = 0`` fill ``queue`` from the left and those with
``f = 1`` from the right; ``state`` holds both fronts, so that a call can stop and go on later.

**Chunks.** The wave goes by chunks of moves, two steps each: :func:`gather` lists the predecessors
of a stretch of one front, :func:`settle` updates their words. Each step knows the addresses that
it needs next and prefetches them; without that the wave waits for memory most of its time. In a
wide layer several threads advance through slices of a front at once; then a word is changed by
atomic instructions, and the order of situations within a layer is anyone's.
"""

from zermelo._runtime.jit import fetch_sub, kernel, prefetch, swap
from zermelo.labels import Int8Array, Int32Array, Int64Array

# A cursor: the stretch HEAD..STOP of a front that is still to be gathered, the moves already taken
# from the row at HEAD, and how many situations the last call listed.
HEAD, STOP, ROW, FILLED = 0, 1, 2, 3

# Slots of the ``state`` array, which begins with a cursor.
LEFT_HEAD, LEFT_TAIL, LEFT_STOP, RIGHT_HEAD, RIGHT_TAIL, RIGHT_STOP = 4, 5, 6, 7, 8, 9
DEPTH, PHASE, BUDGET, WIDE = 10, 11, 12, 13
STATE_SIZE = 16  # two cache lines, so that no two threads write to the same one

# What a call of ``retrograde`` returns.
PAUSED, FINISHED, WIDE_FRONT = 0, 1, 2

CHUNK = 1 << 12
"""Moves handled at a time: their list stays in the innermost cache."""

ROWS_AHEAD, MOVES_AHEAD, WORDS_AHEAD = 32, 16, 32
"""How far ahead offsets and rows of reverse moves (counted in rows) and words are prefetched."""

NEAR_SIZE = CHUNK + WORDS_AHEAD
"""The size of the list ``near`` of one chunk."""

CACHED = 1 << 16
"""Up to this many words or moves nothing is prefetched (and interpreted kernels save the calls)."""


@kernel
def retrograde(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    seeds: Int32Array,
    phases: Int64Array,
    segments: Int64Array,
    state: Int64Array,
    near: Int32Array,
    layout: tuple[int, int, int],
) -> int:
    """Settle phase after phase; FINISHED when all are done, else call it again.

    Phase ``j`` starts from the settled terminals ``seeds[phases[j]:phases[j+1]]``, best payoffs
    for the forcing side first, and writes the tails of both fronts to ``segments[2j:2j+2]``.
    ``layout`` is ``(shift, flip, agree)``; with ``agree`` any move into the set counts, whoever
    makes it (the shortest way to an agreed tie). PAUSED after about ``state[BUDGET]`` moves and
    situations, even within a layer. WIDE_FRONT before a front of ``state[WIDE]`` situations or
    more: the caller has to advance through it. The rest of ``state`` and all of ``near``, of
    NEAR_SIZE, start zeroed and belong to the kernel.
    """
    shift, flip, agree = layout
    last = len(queue) - 1
    left_head, left_tail, left_stop = state[LEFT_HEAD], state[LEFT_TAIL], state[LEFT_STOP]
    right_head, right_tail, right_stop = state[RIGHT_HEAD], state[RIGHT_TAIL], state[RIGHT_STOP]
    depth, phase, budget, wide = state[DEPTH], state[PHASE], state[BUDGET], state[WIDE]
    outcome = PAUSED
    work = 0
    while work < budget:
        if left_head == left_stop and right_head == right_stop:
            if left_stop == left_tail and right_stop == right_tail:
                if phase > 0:
                    segments[2 * phase - 2] = left_tail
                    segments[2 * phase - 1] = right_tail
                if phase == len(phases) - 1:
                    outcome = FINISHED
                    break
                for i in range(phases[phase], phases[phase + 1]):
                    s = seeds[i]
                    if agree == 0 and ~word[s] & 1:
                        queue[last - right_tail] = s
                        right_tail += 1
                    else:
                        queue[left_tail] = s
                        left_tail += 1
                work += phases[phase + 1] - phases[phase]
                phase += 1
                depth = 0
            depth += 1
            left_stop, right_stop = left_tail, right_tail
        # Invariant: the situations of distance depth - 1 are those of both fronts before their
        # stops, those of distance depth found so far come behind, all those before the heads have
        # been handed to their predecessors, and the counter of an undecided situation is its moves
        # minus those into the latter that are bad for its mover.
        side = 0 if left_head < left_stop else 1
        head = right_head if side else left_head
        stop = right_stop if side else left_stop
        if stop - head >= wide and state[ROW] == 0:
            outcome = WIDE_FRONT
            break
        state[HEAD], state[STOP] = head, stop
        gather(rev_indptr, rev_indices, queue, near, state, side, shift, 0, CHUNK)
        f = side ^ flip
        code = ~((depth << 1) | f)
        settled = settle(word, near, 0, state[FILLED], code, side, agree)
        if f and agree == 0:
            for j in range(settled):
                queue[last - right_tail - j] = near[j]
            right_tail += settled
        else:
            for j in range(settled):
                queue[left_tail + j] = near[j]
            left_tail += settled
        work += state[HEAD] - head + state[FILLED] + 1
        if side:
            right_head = state[HEAD]
        else:
            left_head = state[HEAD]
    state[LEFT_HEAD], state[LEFT_TAIL], state[LEFT_STOP] = left_head, left_tail, left_stop
    state[RIGHT_HEAD], state[RIGHT_TAIL], state[RIGHT_STOP] = right_head, right_tail, right_stop
    state[DEPTH], state[PHASE] = depth, phase
    return outcome


@kernel
def gather(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    queue: Int32Array,
    near: Int32Array,
    cursor: Int64Array,
    side: int,
    shift: int,
    start: int,
    capacity: int,
) -> None:
    """List up to ``capacity`` predecessors of a front from ``near[start]`` on; move the cursor."""
    head, stop, row = cursor[HEAD], cursor[STOP], cursor[ROW]
    step = -1 if side else 1
    origin = len(queue) - 1 if side else 0  # situation i of this front is queue[origin + step * i]
    far = len(rev_indices) > CACHED
    if far:
        for i in range(head, min(stop, head + ROWS_AHEAD)):
            v = queue[origin + step * i] >> shift
            prefetch(rev_indptr, v)
            prefetch(rev_indptr, v + 1)
        for i in range(head, min(stop, head + MOVES_AHEAD)):
            v = queue[origin + step * i] >> shift
            prefetch(rev_indices, rev_indptr[v])
            prefetch(rev_indices, rev_indptr[v + 1] - 1)
    filled = 0
    # Invariant: filled situations are listed, the predecessors of all from the first head up to
    # the present one, and of the latter those by its first row moves.
    while head < stop and filled < capacity:
        if far:
            if head + ROWS_AHEAD < stop:
                v = queue[origin + step * (head + ROWS_AHEAD)] >> shift
                prefetch(rev_indptr, v)
                prefetch(rev_indptr, v + 1)
            if head + MOVES_AHEAD < stop:
                v = queue[origin + step * (head + MOVES_AHEAD)] >> shift
                prefetch(rev_indices, rev_indptr[v])
                prefetch(rev_indices, rev_indptr[v + 1] - 1)
        s = queue[origin + step * head]
        v = s >> shift
        offset = ~s & shift
        first = rev_indptr[v] + row
        beyond = rev_indptr[v + 1]
        if beyond - first > capacity - filled:
            beyond = first + capacity - filled
            row += beyond - first
        else:
            row = 0
            head += 1
        for k in range(first, beyond):
            near[start + filled] = (rev_indices[k] << shift) + offset
            filled += 1
    cursor[HEAD], cursor[ROW], cursor[FILLED] = head, row, filled


@kernel
def settle(
    word: Int32Array, near: Int32Array, start: int, filled: int, code: int, side: int, agree: int
) -> int:
    """Update the words of the ``filled`` situations listed from ``near[start]`` on.

    Those settled now get the word ``code`` and replace the list; returns how many. ``near`` has
    WORDS_AHEAD entries to spare. A branch on what a word holds would be mispredicted half of the
    time, so there is none.
    """
    far = len(word) > CACHED
    beyond = start
    # Invariant: near[start:beyond] are the situations settled by near[start:j], each once, and no
    # undecided counter is 0.
    for j in range(start, start + filled):
        if far:
            prefetch(word, near[j + WORDS_AHEAD])
        p = near[j]
        w = word[p]
        undecided = w >= 0
        now = undecided & ((w < 4) | ((w & 1) == side) | (agree != 0))
        word[p] = code if now else w - 2 * undecided
        near[beyond] = p
        beyond += now
    return beyond - start


@kernel
def settle_shared(
    word: Int32Array, near: Int32Array, start: int, filled: int, code: int, side: int, agree: int
) -> int:
    """Do what ``settle`` does while other threads do it for other slices of the same front.

    Of several threads that settle a situation with the same code, the one that finds it undecided
    lists it; of those that count down, the one that takes the last move.
    """
    far = len(word) > CACHED
    beyond = start
    for j in range(start, start + filled):
        if far:
            prefetch(word, near[j + WORDS_AHEAD])
        p = near[j]
        w = word[p]
        if w < 0:
            continue
        if (w & 1) == side or agree != 0:
            now = swap(word, p, code) >= 0
        else:
            now = fetch_sub(word, p, 2) < 4
            if now:
                word[p] = code
        near[beyond] = p
        beyond += now
    return beyond - start


@kernel
def advance(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    near: Int32Array,
    cursor: Int64Array,
    code: int,
    side: int,
    shift: int,
    agree: int,
) -> None:
    """Settle the predecessors of a slice of a front until it ends or ``near`` has no more room.

    ``near[:cursor[FILLED]]`` are then the situations settled. Other threads may advance through
    other slices of the same front.
    """
    kept = 0
    while cursor[HEAD] < cursor[STOP] and kept + NEAR_SIZE <= len(near):
        gather(rev_indptr, rev_indices, queue, near, cursor, side, shift, kept, CHUNK)
        kept += settle_shared(word, near, kept, cursor[FILLED], code, side, agree)
    cursor[FILLED] = kept


@kernel
def start_words(indptr: Int64Array, owner: Int8Array, shift: int, word: Int32Array) -> None:
    """Write the words of all situations before anything is settled.

    ``owner`` is empty in the symmetric and the alternating layout.
    """
    owned = len(owner) > 0
    for v in range(len(indptr) - 1):
        w = (indptr[v + 1] - indptr[v]) << 1
        if shift:
            word[2 * v] = w
            word[2 * v + 1] = w + 1
        else:
            word[v] = w + owner[v] if owned else w


@kernel
def read_levels(
    word: Int32Array, level: Int8Array, undecided: int, forced_0: int, forced_1: int
) -> None:
    """Write one of three codes a situation: undecided, settled with f = 0, settled with f = 1."""
    for s in range(len(word)):
        w = word[s]
        level[s] = undecided if w >= 0 else (forced_1 if ~w & 1 else forced_0)


@kernel
def write_level(queue: Int32Array, start: int, stop: int, code: int, level: Int8Array) -> None:
    """Give all of ``queue[start:stop]`` one code."""
    for i in range(start, stop):
        level[queue[i]] = code


@kernel
def read_distances(word: Int32Array) -> None:
    """Turn words into distances in place; undecided becomes NO_DISTANCE."""
    for s in range(len(word)):
        w = word[s]
        word[s] = -1 if w >= 0 else ~w >> 1


@kernel
def read_labels(
    level: Int8Array, sign: Int8Array, owner: Int8Array, shift: int, label: Int8Array
) -> None:
    """Write labels as the mover sees them; ``sign`` has each level's sign as player 0 sees it.

    ``owner`` is empty in the symmetric and the alternating layout; the former has ``shift`` 0 and
    keeps the signs.
    """
    owned = len(owner) > 0
    for s in range(len(level)):
        mover = owner[s] if owned else s & shift
        label[s] = -sign[level[s]] if mover else sign[level[s]]


@kernel
def best_moves(
    indptr: Int64Array,
    indices: Int32Array,
    level: Int32Array,
    distance: Int32Array,
    absorbing: Int8Array,
    layout: tuple[int, int, int],
    move: Int32Array,
) -> None:
    """Pick for every situation the first move that keeps its value and brings the end nearer.

    In a settled situation both sides' best moves lead to the same value at distance one less (the
    forcing side has none nearer, the other none farther); without a distance they lead to another
    situation of that value without one. ``layout`` is ``(shift, mirror, 0)``: with ``mirror > 0``
    the value of level ``c`` as the other player sees it is level ``mirror - c``.
    """
    shift, mirror, _ = layout
    for s in range(len(move)):
        move[s] = -1
        if absorbing[s]:
            continue
        v = s >> shift
        offset = ~s & shift
        wanted = mirror - level[s] if mirror else level[s]
        d = distance[s]
        d = d if d < 0 else d - 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            t = (w << shift) + offset
            if level[t] == wanted and distance[t] == d:
                move[s] = w
                break
