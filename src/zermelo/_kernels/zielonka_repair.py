"""What a level of Zielonka's algorithm does when its opponent has won something below it.

Everything else of the level's subgame is won by its player so far, by a move at each of its own
positions and by all moves of the others. Only the positions whose moves lead, now or later, to what
the opponent takes are freed; the rest stays claimed. The top positions of a level have a higher
priority than all of the other parity in its subgame and stay tops by any move.
"""

from zermelo._kernels._jit import kernel, prefetch
from zermelo._kernels.attractor import CACHED, FREE
from zermelo.labels import Int32Array, Int64Array

SHIFT, MARK = 3, 4
"""Where the level begins in a word, and the bit of top positions."""

AHEAD = 16
"""How far ahead in a list words are prefetched."""


@kernel
def holds(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    start: int,
    end: int,
    level: int,
    player: int,
) -> bool:
    """Whether the opponent attracts none of a level's claims ``work[start:end]`` from below.

    Then it attracts nothing at all, and the level is solved as it stands. Moves of top positions
    that lead to what the opponent wins are replaced.
    """
    far = len(word) > CACHED
    for i in range(start, end):
        if far and i + AHEAD < end:
            v = work[i + AHEAD]
            prefetch(indptr, v)
            prefetch(word, v)
            prefetch(strategy, v)
            prefetch(indices, indptr[work[i + AHEAD // 2]])
        v = work[i]
        if (word[v] & 1) == player:
            x = word[strategy[v]]
            if x >> SHIFT >= level and (x >> 1 & 1) != player:
                kept = False
                for k in range(indptr[v], indptr[v + 1]):
                    x = word[indices[k]]
                    if x >> SHIFT >= level and (x >> 1 & 1) == player:
                        strategy[v] = indices[k]
                        kept = True
                        break
                if not kept:
                    return False
        else:
            for k in range(indptr[v], indptr[v + 1]):
                x = word[indices[k]]
                if x >> SHIFT >= level and (x >> 1 & 1) != player:
                    return False
    return True


@kernel
def untouched(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    end: int,
    tail: int,
    whose: tuple[int, int],
) -> bool:
    """The same as ``holds``, found from what the opponent wins of ``work[end:tail]``."""
    level, player = whose
    far = len(word) > CACHED
    for i in range(end, tail):
        if far and i + AHEAD < tail:
            v = work[i + AHEAD]
            prefetch(word, v)
            prefetch(rev_indptr, v)
            prefetch(rev_indices, rev_indptr[work[i + AHEAD // 2]])
        v = work[i]
        if (word[v] >> 1 & 1) == player:
            continue
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = word[u]
            if x >> SHIFT < level or (x >> 1 & 1) != player:
                continue
            if (x & 1) != player:
                return False
            if strategy[u] == v:
                kept = False
                for j in range(indptr[u], indptr[u + 1]):
                    x = word[indices[j]]
                    if x >> SHIFT >= level and (x >> 1 & 1) == player:
                        strategy[u] = indices[j]
                        kept = True
                        break
                if not kept:
                    return False
    return True


@kernel
def decide(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    end: int,
    tail: int,
    whose: tuple[int, int],
) -> int:
    """Decide what the opponent attracts to all that it has won of ``work[end:tail]``.

    ``whose`` is ``(level, opponent)``. The decided are listed in the second part of ``work``;
    returns how many. A move of the player that has been cut off is replaced by another one w of
    the subgame, written as ~w.
    """
    level, opponent = whose
    n = len(word)
    far = n > CACHED
    within = level << SHIFT
    code = (level - 1) << SHIFT | opponent << 1
    filled = n
    for i in range(end, tail):
        if far and i + AHEAD < tail:
            prefetch(word, work[i + AHEAD])
        v = work[i]
        x = word[v]
        if (x >> 1 & 1) == opponent:
            word[v] = code | (x & 1)
            work[filled] = v
            filled += 1
    head = n
    # Invariant: as in ``attract``, and strategy[u] < 0 for the player's positions u whose move
    # leads to the decided ones.
    while head < filled:
        if far:
            if head + 2 * AHEAD < filled:
                prefetch(rev_indptr, work[head + 2 * AHEAD])
            if head + AHEAD < filled:
                prefetch(rev_indices, rev_indptr[work[head + AHEAD]])
        v = work[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = word[u]
            if x < within:
                continue
            if (x & 1) == opponent:
                strategy[u] = v
            else:
                w = strategy[u]
                if word[w if w >= 0 else ~w] >= within:
                    continue
                stays = False
                for j in range(indptr[u], indptr[u + 1]):
                    w = indices[j]
                    if word[w] >= within:
                        strategy[u] = ~w
                        stays = True
                        break
                if stays:
                    continue
                strategy[u] = indices[indptr[u]]
            word[u] = code | (x & 1)
            work[filled] = u
            filled += 1
    return filled - n


@kernel
def release(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    decided: int,
    level: int,
    player: int,
) -> int:
    """Free the positions whose win for the player hangs on a decided one; returns how many.

    They are listed behind the decided ones in the second part of ``work``. What is not freed stays
    won: the moves of the player's positions, and all moves of the others, lead to such positions
    again. Top positions of the level stay tops by any move.
    """
    n = len(word)
    within = level << SHIFT
    top = level << SHIFT | MARK
    filled = n + decided
    for i in range(n, n + decided):
        v = work[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if strategy[u] < 0:
                strategy[u] = ~strategy[u]
                x = word[u]
                if (x | 3) != (top | 3):
                    word[u] = FREE | (x & 1)
                    work[filled] = u
                    filled += 1
    head = n + decided
    while head < filled:
        v = work[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = word[u]
            if within <= x < FREE and (x | 3) != (top | 3):
                if (x & 1) == player and strategy[u] != v:
                    continue
                word[u] = FREE | (x & 1)
                work[filled] = u
                filled += 1
    return filled - n - decided


@kernel
def keep_claims(
    word: Int32Array, work: Int32Array, start: int, tail: int, level: int, decided: int
) -> int:
    """Put the decided ones of ``work[start:tail]`` first, drop the free ones, claim the others.

    Returns where the claims end now.
    """
    n = len(word)
    far = n > CACHED
    within = level << SHIFT
    beyond = (level + 1) << SHIFT
    kept = start
    for i in range(start, tail):
        if far and i + AHEAD < tail:
            prefetch(word, work[i + AHEAD])
        v = work[i]
        x = word[v]
        if within <= x < FREE:
            if x >= beyond:
                word[v] = within | (x & 3)
            work[kept] = v
            kept += 1
    # The first claims make room for the decided ones and go to the end.
    for i in range(decided):
        work[kept + i] = work[start + i]
        work[start + i] = work[n + i]
    return kept + decided


@kernel
def regain(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    decided: int,
    freed: int,
    tail: int,
    code: int,
) -> int:
    """Claim those freed positions again that have another way into the claims; the new tail."""
    n = len(word)
    player = code >> 1 & 1
    within = code >> SHIFT << SHIFT
    for i in range(n + decided, n + decided + freed):
        v = work[i]
        x = word[v]
        mine = (x & 1) == player
        good = not mine
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            y = word[w]
            if mine and within <= y < FREE:
                strategy[v] = w
                good = True
                break
            if not mine and y >= FREE:
                good = False
                break
        if good:
            word[v] = code | (x & 1)
            work[tail] = v
            tail += 1
    return tail
