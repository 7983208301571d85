"""Zielonka's recursive algorithm without recursion, in place.

**The recursion.** The subgame of level ``r`` is what the levels above have not claimed. Its player
is the parity of its highest priority; the level claims the attractor of the top positions, the rest
is the subgame of level ``r + 1``. When that is solved and the opponent wins nothing in it, the
player of ``r`` wins all of its subgame. Otherwise what the opponent attracts to the part that it
wins is decided and leaves the subgame of ``r``; what hangs on that is freed, the rest stays claimed
(:mod:`zermelo._kernels.zielonka_repair`), and level ``r`` goes on with the free positions.

**The trail** holds the claimed positions in order: ``trail[start(r):]`` is the subgame of level
``r`` once all levels below have claimed theirs. Positions that ``r`` decides go to the front of
that stretch and get the level ``r - 1``: out of its subgame, but still in that of its parent. So
"in the subgame of r" is always "of level r or more", one comparison of words (see
:mod:`zermelo._kernels.attractor`), and at every moment the winner in a word is right for every
subgame that has been completed.

**Candidates.** One list holds the positions that may still be free by falling priority. A level
that goes on makes a new one of what it has freed, never larger than that: no other level will ever
need the old one. A run of priorities of one parity is taken at once.
"""

from zermelo._kernels._jit import kernel, prefetch
from zermelo._kernels.attractor import CACHED, FREE, attract
from zermelo._kernels.zielonka_repair import (
    AHEAD,
    MARK,
    SHIFT,
    decide,
    holds,
    keep_claims,
    regain,
    release,
    untouched,
)
from zermelo.labels import Int32Array, Int64Array

LEVEL, POS, COUNT, TAIL, BUDGET, RESTARTS, CLAIMS = 0, 1, 2, 3, 4, 5, 6
"""Slots of the ``state`` array."""
STATE_SIZE = 7

START, END, PLAYER, WON, TOP, FIRST = 0, 1, 2, 3, 4, 5
"""Columns of ``levels``: where the level's claims begin and end on the trail, its player, a bit for
each player who wins something of it, the rank of its highest priority; and, for rank r in row r,
where the positions of that priority begin in the sorted list."""
WIDTH = 6

SPARSE = 16
"""A subgame is sorted anew where it has less than one of so many positions of its priorities."""

DIGIT = 11
"""Bits sorted at a time."""


@kernel
def count_priorities(priority: Int32Array, count: Int64Array) -> None:
    """Count the positions of each priority; requires ``count`` zeroed."""
    for v in range(len(priority)):
        count[priority[v]] += 1


@kernel
def sort_positions(
    priority: Int32Array, place: Int64Array, number: Int32Array, rank: Int32Array, work: Int32Array
) -> None:
    """Write ``rank[v] = number · 2 + parity`` and the positions by falling priority to ``work``.

    ``place[p]`` is where the positions of priority ``p`` begin, ``number[p]`` counts the higher
    priorities that there are.
    """
    for v in range(len(priority)):
        p = priority[v]
        i = place[p]
        work[i] = v
        place[p] = i + 1
        rank[v] = number[p] << 1 | (p & 1)


@kernel
def zielonka(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    rank: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    levels: Int32Array,
    state: Int64Array,
) -> bool:
    """Solve the total parity game of the free positions; False when the budget is used up first.

    ``work`` has three parts of n entries, the positions by falling priority, the candidates (the
    same at first) and the trail, and 2 ** DIGIT entries to spare.
    ``levels`` has WIDTH entries for each priority and for two more.
    ``state`` starts with level 1 and as many candidates as positions, all else 0, and lets a call
    go on where the last one stopped. Words and strategy start as ``start_attracting`` leaves them;
    in the end words have the winners and ``strategy`` a winning move where the owner wins.
    ``state[BUDGET]`` bounds the positions claimed and freed, up to what one step takes.
    """
    n = len(word)
    far = n > CACHED
    base = 2 * n  # the trail
    level, pos, count, tail = state[LEVEL], state[POS], state[COUNT], state[TAIL]
    budget = state[BUDGET]
    spent = 0
    solved = False
    # Invariant: levels 1 … level - 1 are open, their claims on the trail; the free positions, all
    # among candidates[pos:count], are the subgame of this level without what it has decided.
    while spent < budget:
        stop = n + count
        i = n + pos
        while i < stop and word[work[i]] < FREE:
            if far and i + AHEAD < stop:
                prefetch(word, work[i + AHEAD])
            i += 1
        spent += i - n - pos
        pos = i - n
        if i < stop:
            before = tail
            row = WIDTH * level
            r = rank[work[i]]
            player = r & 1
            levels[row + START] = tail
            levels[row + PLAYER] = player
            levels[row + TOP] = r >> 1
            code = level << SHIFT | player << 1
            # Invariant: the run so far is on the trail with its attractor, and no position of the
            # subgame before candidate i has the other parity.
            going = True
            while going:
                head = tail
                while i < stop:
                    if far and i + AHEAD < stop:
                        prefetch(word, work[i + AHEAD])
                        prefetch(rank, work[i + AHEAD])
                    v = work[i]
                    x = word[v]
                    if x >= FREE:
                        if rank[v] != r:
                            break
                        word[v] = code | MARK | (x & 1)
                        work[base + tail] = v
                        tail += 1
                        if (x & 1) == player and word[strategy[v]] < level << SHIFT:
                            for k in range(indptr[v], indptr[v + 1]):
                                w = indices[k]
                                if word[w] >= level << SHIFT:
                                    strategy[v] = w
                                    break
                    i += 1
                tail = (
                    attract(
                        indptr,
                        indices,
                        rev_indptr,
                        rev_indices,
                        word,
                        strategy,
                        work,
                        base + head,
                        base + tail,
                        (FREE, code),
                    )
                    - base
                )
                going = False
                while i < stop:
                    if far and i + AHEAD < stop:
                        prefetch(word, work[i + AHEAD])
                        prefetch(rank, work[i + AHEAD])
                    v = work[i]
                    if word[v] >= FREE or word[v] >> SHIFT == level:
                        r = rank[v]
                        if (r & 1) != player:
                            break
                        if word[v] >= FREE:
                            going = True
                            break
                    i += 1
            spent += tail - before + (i - n - pos)
            pos = i - n
            levels[row + END] = tail
            level += 1
            levels[WIDTH * level + WON] = 0
            continue
        # Nothing is free: this level has no subgame left, what it has decided is all.
        while level > 1:
            won = levels[WIDTH * level + WON]
            level -= 1
            row = WIDTH * level
            player = levels[row + PLAYER]
            if (won >> (1 - player)) & 1:
                start, end = base + levels[row + START], base + levels[row + END]
                below = base + tail - end
                if end - start <= below:
                    spent += end - start
                    if not holds(indptr, indices, word, strategy, work, start, end, level, player):
                        break
                else:
                    spent += below
                    if not untouched(
                        indptr,
                        indices,
                        rev_indptr,
                        rev_indices,
                        word,
                        strategy,
                        work,
                        end,
                        base + tail,
                        (level, player),
                    ):
                        break
                levels[row + WON] |= 1 << (1 - player)
            levels[row + WON] |= 1 << player
        else:
            solved = True
            break
        spent += tail - levels[row + START]
        levels[row + WON] |= 1 << (1 - player)
        decided = decide(
            indptr,
            indices,
            rev_indptr,
            rev_indices,
            word,
            strategy,
            work,
            base + levels[row + END],
            base + tail,
            (level, 1 - player),
        )
        freed = release(rev_indptr, rev_indices, word, strategy, work, decided, level, player)
        head = keep_claims(word, work, base + levels[row + START], base + tail, level, decided)
        code = level << SHIFT | player << 1
        tail = regain(indptr, indices, word, strategy, work, decided, freed, head, code)
        tail = attract(
            indptr,
            indices,
            rev_indptr,
            rev_indices,
            word,
            strategy,
            work,
            head,
            tail,
            (FREE, code),
        )
        levels[row + START] += decided
        levels[row + END] = tail - base
        tail -= base
        spent += decided + freed
        state[RESTARTS] += 1
        pos = 0
        count = 0
        for i in range(n + decided, n + decided + freed):
            v = work[i]
            if word[v] >= FREE:
                work[base + tail + count] = v
                count += 1
        if count:
            spent += list_candidates(
                rank, word, work, levels, levels[row + TOP], base + tail, count
            )
        level += 1
        levels[WIDTH * level + WON] = 0
    state[LEVEL], state[POS], state[COUNT], state[TAIL] = level, pos, count, tail
    state[CLAIMS] += spent
    return solved


@kernel
def list_candidates(
    rank: Int32Array,
    word: Int32Array,
    work: Int32Array,
    levels: Int32Array,
    top: int,
    start: int,
    count: int,
) -> int:
    """List the free positions ``work[start:start + count]`` by falling priority; returns the work.

    None has a rank below ``top``. The list goes to the second part of ``work``; overwrites
    ``work[start:start + count]``.
    """
    n = len(word)
    first = int(levels[WIDTH * top + FIRST])
    if n - first <= SPARSE * count:
        filled = n
        for i in range(first, n):
            if i + AHEAD < n:
                prefetch(word, work[i + AHEAD])
            v = work[i]
            if word[v] >= FREE:
                work[filled] = v
                filled += 1
                if filled == n + count:
                    return i - first
        return n - first
    if count <= 24:
        for i in range(count):
            v = work[start + i]
            r = rank[v]
            j = n + i
            while j > n and rank[work[j - 1]] > r:
                work[j] = work[j - 1]
                j -= 1
            work[j] = v
        return count
    sort_by_rank(rank, work, top, start, n, count)
    return 4 * count


@kernel
def sort_by_rank(
    rank: Int32Array, work: Int32Array, top: int, start: int, into: int, count: int
) -> None:
    """Sort ``work[start:start + count]`` by rank into ``work[into:into + count]``, by digits.

    Overwrites the former, and the last part of ``work`` for its counters.
    """
    counter = len(work) - (1 << DIGIT)
    largest = 0
    for i in range(start, start + count):
        largest = max(largest, (rank[work[i]] >> 1) - top)
    digit = 4
    while digit < DIGIT and 1 << digit < count:
        digit += 1
    buckets = 1 << digit
    source, target = start, into
    shift = 0
    # Invariant: work[source:source + count] is sorted, stably, by the lowest shift bits.
    while largest >> shift:
        for b in range(buckets):
            work[counter + b] = 0
        for i in range(source, source + count):
            work[counter + (((rank[work[i]] >> 1) - top) >> shift & (buckets - 1))] += 1
        place = target
        for b in range(buckets):
            size = work[counter + b]
            work[counter + b] = place
            place += size
        for i in range(source, source + count):
            v = work[i]
            b = counter + (((rank[v] >> 1) - top) >> shift & (buckets - 1))
            work[work[b]] = v
            work[b] += 1
        source, target = target, source
        shift += digit
    if source != into:
        for i in range(count):
            work[into + i] = work[start + i]
