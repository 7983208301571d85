"""What a level of Zielonka's algorithm does when its opponent has won something below it.

Everything else of the level's subgame is won by its player so far, by a move at each of its own
positions and by all moves of the others. Only the positions whose moves lead, now or later, to what
the opponent takes are freed; the rest stays claimed. The top positions of a level have a higher
priority than all of the other parity in its subgame and stay tops by any move.

A position of the subgame is the player's or the opponent's by the winner in its word, and the
opponent can force nothing that it has not won within the levels below. So it begins at moves from
the level's own claims into what it has won below, and these are found from whichever side has fewer
positions.

``whose`` is always the level's ``(number, player)``.
"""

from zermelo._kernels.attractor import CACHED, FREE
from zermelo._runtime.jit import kernel, prefetch
from zermelo.labels import Int32Array, Int64Array

SHIFT, MARK = 3, 4
"""Where the level's number begins in a word, and the bit of top positions."""

AHEAD = 16
"""How far ahead in a list words are prefetched."""


@kernel
def move_to(
    indptr: Int64Array, indices: Int32Array, word: Int32Array, v: int, within: int, player: int
) -> int:
    """The first move of ``v`` to a position of the subgame that the player wins; -1 if none."""
    for k in range(indptr[v], indptr[v + 1]):
        w = indices[k]
        if word[w] >= within and (word[w] >> 1 & 1) == player:
            return int(w)
    return -1


@kernel
def taken_from_above(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    start: int,
    end: int,
    whose: tuple[int, int],
) -> int:
    """List the claims of ``work[start:end]`` from which one move of play is lost to the opponent.

    The list is in the second part of ``work``; returns its length. The words of what is listed are
    complemented, so that they are less than all others. Moves of top positions that lead to what
    the opponent wins are replaced where there is another.
    """
    number, player = whose
    n = len(word)
    far = n > CACHED
    within = number << SHIFT
    filled = n
    for i in range(start, end):
        if far and i + AHEAD < end:
            v = work[i + AHEAD]
            prefetch(indptr, v)
            prefetch(word, v)
            prefetch(strategy, v)
            prefetch(indices, indptr[work[i + AHEAD // 2]])
        v = work[i]
        x = word[v]
        if x < within or (x >> 1 & 1) != player:
            continue
        if (x & 1) == player:
            y = word[strategy[v]]
            if y < within or (y >> 1 & 1) == player:
                continue
            w = move_to(indptr, indices, word, v, within, player)
            lost = w < 0
        else:
            w = move_to(indptr, indices, word, v, within, 1 - player)
            lost = w >= 0
        if w >= 0:
            strategy[v] = w
        if lost:
            word[v] = ~x
            work[filled] = v
            filled += 1
    return filled - n


@kernel
def taken_from_below(
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
    """The same as ``taken_from_above``, from what the opponent has won of ``work[end:tail]``."""
    number, player = whose
    n = len(word)
    far = n > CACHED
    within = number << SHIFT
    filled = n
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
            if x < within or (x >> 1 & 1) != player:
                continue
            if (x & 1) != player:
                strategy[u] = v
            else:
                y = word[strategy[u]]
                if y < within or (y >> 1 & 1) == player:
                    continue
                w = move_to(indptr, indices, word, u, within, player)
                if w >= 0:
                    strategy[u] = w
                    continue
            word[u] = ~x
            work[filled] = u
            filled += 1
    return filled - n


@kernel
def take(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    taken: int,
    whose: tuple[int, int],
) -> int:
    """Give the opponent the listed positions and all that it can force there; returns how many.

    They are listed in the second part of ``work``. A move of the player that has been cut off is
    replaced by another one w, written as ~w.
    """
    number, player = whose
    n = len(word)
    far = n > CACHED
    within = number << SHIFT
    head, filled = n, n + taken
    for i in range(head, filled):
        word[work[i]] = (~word[work[i]] ^ 2) & ~MARK
    # Invariant: work[n:filled] are the opponent's, and strategy[u] < 0 for the player's positions u
    # whose move led to work[n:head].
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
            if x < within or (x >> 1 & 1) != player:
                continue
            if (x & 1) != player:
                strategy[u] = v
            else:
                w = strategy[u]
                if (word[w if w >= 0 else ~w] >> 1 & 1) == player:
                    continue
                w = move_to(indptr, indices, word, u, within, player)
                if w >= 0:
                    strategy[u] = ~w
                    continue
                strategy[u] = indices[indptr[u]]
            word[u] = (x ^ 2) & ~MARK
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
    taken: int,
    whose: tuple[int, int],
) -> int:
    """Free the positions whose win for the player hangs on a taken one; returns how many.

    They are listed behind the taken ones in the second part of ``work``. What is not freed stays
    won: the moves of the player's positions, and all moves of the others, lead to such positions
    again. Top positions of the level stay tops by any move.
    """
    number, player = whose
    n = len(word)
    within = number << SHIFT
    top = number << SHIFT | MARK
    filled = n + taken
    for i in range(n, n + taken):
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
    head = n + taken
    # Invariant: a position of the player's that hangs on work[n:head] is free.
    while head < filled:
        v = work[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = word[u]
            if within <= x < FREE and (x >> 1 & 1) == player and (x | 3) != (top | 3):
                if (x & 1) == player and strategy[u] != v:
                    continue
                word[u] = FREE | (x & 1)
                work[filled] = u
                filled += 1
    return filled - n - taken


@kernel
def regain(
    indptr: Int64Array,
    indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    work: Int32Array,
    taken: int,
    freed: int,
    tail: int,
    code: int,
) -> int:
    """Claim those freed positions again that have another way into the claims; the new tail."""
    n = len(word)
    player = code >> 1 & 1
    within = code >> SHIFT << SHIFT
    for i in range(n + taken, n + taken + freed):
        v = work[i]
        x = word[v]
        mine = (x & 1) == player
        good = not mine
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            y = word[w]
            if mine and within <= y < FREE and (y >> 1 & 1) == player:
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
