"""Zielonka's recursive algorithm without recursion, in place.

**The recursion.** The subgame of a level is what the levels above have not claimed. Its player is
the parity of its highest priority; the level claims the attractor of the top positions, the rest is
the subgame of the next level. When that is solved and the opponent wins nothing in it, the player
wins all of the subgame. Otherwise the opponent also takes what it can force into the part that it
wins; of the rest, what hangs on that is freed, everything else stays the player's
(:mod:`zermelo._kernels.zielonka_repair`), and the level goes on with the free positions.

**Numbers.** Every level that is opened gets a larger number than all before, and a position has the
number of the level that claimed it in its word (see :mod:`zermelo._kernels.attractor`). So "in the
subgame of this level" is always one comparison of words; who wins it there is a bit of the same
word; and a level that has been repaired need not touch what stays as it was.

**The trail** holds the claimed positions in order: ``trail[start(r):]`` is the subgame of level
``r`` once all levels below have claimed theirs. A position that is freed and claimed again stands
there twice; only the last place counts, and when the trail is full the others are dropped.

**Candidates.** One list holds the positions that may still be free by falling priority. A level
that goes on makes a new one of what it has freed, never larger than that: no other level will ever
need the old one. A run of priorities of one parity is taken at once.
"""

from zermelo._kernels.attractor import CACHED, FREE, attract
from zermelo._kernels.ranks import sort_by_rank
from zermelo._kernels.zielonka_repair import (
    AHEAD,
    MARK,
    SHIFT,
    regain,
    release,
    take,
    taken_from_above,
    taken_from_below,
)
from zermelo._runtime.jit import kernel, prefetch
from zermelo.labels import Int32Array, Int64Array

LEVEL, POS, COUNT, TAIL, NUMBER, BUDGET, RESTARTS, CLAIMS = range(8)
"""Slots of the ``state`` array."""
STATE_SIZE = 8

START, END, NAME, PLAYER, WON, TOP, FIRST = range(7)
"""Columns of ``levels``: where the level's claims begin and end on the trail, its number, its
player, a bit for each player who wins something of it, the rank of its highest priority; and, for
rank r in row r, where the positions of that priority begin in the sorted list."""
WIDTH = 7

TRAIL = 2
"""How many times as long as the list of positions the trail may get."""

SPARSE = 16
"""A subgame is sorted anew where it has less than one of so many positions of its priorities."""


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

    ``work`` has the positions by falling priority, the candidates (the same at first), TRAIL · n
    entries for the trail, and room for ``sort_by_rank``.
    ``levels`` has WIDTH entries for each priority and for two more.
    ``state`` starts with level 1 and as many candidates as positions, all else 0, and lets a call
    go on where the last one stopped. Words and strategy start as ``start_attracting`` leaves them;
    in the end words have the winners and ``strategy`` a winning move where the owner wins.
    ``state[BUDGET]`` bounds the positions claimed and freed, up to what one step takes.
    """
    n = len(word)
    far = n > CACHED
    base = 2 * n  # the trail
    full = base + TRAIL * n
    level, pos, count, tail = state[LEVEL], state[POS], state[COUNT], base + state[TAIL]
    number = state[NUMBER]
    budget = state[BUDGET]
    spent = 0
    solved = False
    # Invariant: levels 1 … level - 1 are open, their claims on the trail; the free positions, all
    # among candidates[pos:count], are the subgame of this level without what is decided there.
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
            if tail + stop - i > full or number + 2 >= FREE >> SHIFT:
                spent += tail - base
                tail = tidy(word, work, levels, level - 1, base, tail)
                number = level - 1
            before = tail
            number += 1
            row = WIDTH * level
            r = rank[work[i]]
            player = r & 1
            levels[row + START] = tail - base
            levels[row + NAME] = number
            levels[row + PLAYER] = player
            levels[row + TOP] = r >> 1
            code = number << SHIFT | player << 1
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
                    if x >> SHIFT >= number and rank[v] != r:
                        break
                    if x >= FREE:
                        word[v] = code | MARK | (x & 1)
                        work[tail] = v
                        tail += 1
                        if (x & 1) == player and word[strategy[v]] < number << SHIFT:
                            for k in range(indptr[v], indptr[v + 1]):
                                w = indices[k]
                                if word[w] >= number << SHIFT:
                                    strategy[v] = w
                                    break
                    i += 1
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
                going = False
                while i < stop:
                    if far and i + AHEAD < stop:
                        prefetch(word, work[i + AHEAD])
                        prefetch(rank, work[i + AHEAD])
                    v = work[i]
                    if word[v] >= FREE or word[v] >> SHIFT == number:
                        r = rank[v]
                        if (r & 1) != player:
                            break
                        if word[v] >= FREE:
                            going = True
                            break
                    i += 1
            spent += tail - before + (i - n - pos)
            pos = i - n
            levels[row + END] = tail - base
            level += 1
            levels[WIDTH * level + WON] = 0
            continue
        # Nothing is free: this level has no subgame left, what is decided there is all.
        taken = 0
        while level > 1:
            won = levels[WIDTH * level + WON]
            level -= 1
            row = WIDTH * level
            player = levels[row + PLAYER]
            if (won >> (1 - player)) & 1:
                start, end = base + levels[row + START], base + levels[row + END]
                whose = (levels[row + NAME], player)
                spent += min(end - start, tail - end)
                if end - start <= tail - end:
                    taken = taken_from_above(
                        indptr, indices, word, strategy, work, start, end, whose
                    )
                else:
                    taken = taken_from_below(
                        indptr,
                        indices,
                        rev_indptr,
                        rev_indices,
                        word,
                        strategy,
                        work,
                        end,
                        tail,
                        whose,
                    )
                levels[row + WON] |= 1 << (1 - player)
                if taken:
                    break
            levels[row + WON] |= 1 << player
        else:
            solved = True
            break
        whose = (levels[row + NAME], player)
        taken = take(indptr, indices, rev_indptr, rev_indices, word, strategy, work, taken, whose)
        freed = release(rev_indptr, rev_indices, word, strategy, work, taken, whose)
        levels[row + END] = tail - base
        if tail + freed > full:
            spent += tail - base
            tail = tidy(word, work, levels, level, base, tail)
            number = level
        head = tail
        code = levels[row + NAME] << SHIFT | player << 1
        tail = regain(indptr, indices, word, strategy, work, taken, freed, head, code)
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
        levels[row + END] = tail - base
        spent += taken + freed
        state[RESTARTS] += 1
        pos = 0
        count = 0
        for i in range(n + taken, n + taken + freed):
            v = work[i]
            if word[v] >= FREE:
                work[tail + count] = v
                count += 1
        if count:
            spent += list_candidates(rank, word, work, levels, levels[row + TOP], tail, count)
        level += 1
        levels[WIDTH * level + WON] = 0
    state[LEVEL], state[POS], state[COUNT], state[TAIL] = level, pos, count, tail - base
    state[NUMBER] = number
    state[CLAIMS] += spent
    return solved


@kernel
def tidy(
    word: Int32Array, work: Int32Array, levels: Int32Array, last: int, base: int, tail: int
) -> int:
    """Drop all but the last place of each position from the trail, and number the open levels
    1 … last anew; returns the new tail.

    Requires that no level below ``last`` is open or solved.
    """
    for i in range(tail - 1, base - 1, -1):
        v = work[i]
        if word[v] < 0 or word[v] >= FREE:
            work[i] = ~v
        else:
            word[v] = ~word[v]
    filled = i = base
    # Invariant: the levels before this one lie in work[base:filled], without what counts no more.
    for level in range(1, last + 1):
        row = WIDTH * level
        end = base + levels[row + END]
        levels[row + START] = filled - base
        while i < end:
            v = work[i]
            i += 1
            if v >= 0:
                x = ~word[v]
                mark = MARK if x >> SHIFT == levels[row + NAME] else 0
                word[v] = level << SHIFT | (x & mark) | (x & 3)
                work[filled] = v
                filled += 1
        levels[row + END] = filled - base
        levels[row + NAME] = level
    return filled


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
