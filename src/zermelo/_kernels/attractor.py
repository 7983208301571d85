"""The attractor: all positions from which a player can force play into a set, inside a subgame.

**Words.** One 32-bit word a position says where it stands:
``level << 3 | mark << 2 | winner << 1 | owner``. A position that nobody has claimed yet is
``FREE | owner``, more than every level. The subgame of a call is the set of positions whose word is
at least ``within``, so that one comparison tells, and a position leaves it by getting a smaller
word.

**Hints.** A position that the other player owns stays out as long as one of its moves does. That
move is kept in ``strategy``, which means nothing yet while a position is free, and looked at first:
the row of moves is read again only when it has been cut off.
"""

from zermelo._runtime.jit import kernel, prefetch
from zermelo.labels import Int8Array, Int32Array, Int64Array

FREE = 1 << 30
"""The word of an unclaimed position of player 0."""

ROWS_AHEAD, MOVES_AHEAD, WORDS_AHEAD = 24, 12, 5
"""How far ahead in the queue offsets, rows of reverse moves and their words are prefetched."""

CACHED = 1 << 15
"""Up to this many positions nothing is prefetched."""


@kernel
def attract(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    strategy: Int32Array,
    queue: Int32Array,
    head: int,
    tail: int,
    claim: tuple[int, int],
) -> int:
    """Claim what a player can force into ``queue[head:tail]``; returns the new tail.

    ``claim`` is ``(within, code)``: positions whose word is at least ``within`` may be claimed,
    they get the word ``code`` (its second bit is the player) and go to the queue; the ones that
    are there already have theirs. ``strategy`` has a move of every position; where the player
    moves it becomes the move towards the set. Requires that every position of the subgame has a
    move inside it.
    """
    within, code = claim
    player = (code >> 1) & 1
    far = len(word) > CACHED
    # Invariant: queue[:tail] have left the subgame, and every position still inside that has a
    # move into queue[:head] is the other player's and has another move that stays inside.
    while head < tail:
        if far:
            if head + ROWS_AHEAD < tail:
                v = queue[head + ROWS_AHEAD]
                prefetch(rev_indptr, v)
            if head + MOVES_AHEAD < tail:
                v = queue[head + MOVES_AHEAD]
                prefetch(rev_indices, rev_indptr[v])
            if head + WORDS_AHEAD < tail:
                v = queue[head + WORDS_AHEAD]
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    prefetch(word, rev_indices[k])
                    prefetch(strategy, rev_indices[k])
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = word[u]
            if x < within:
                continue
            if (x & 1) == player:
                strategy[u] = v
            else:
                if word[strategy[u]] >= within:
                    continue
                stays = False
                for j in range(indptr[u], indptr[u + 1]):
                    w = indices[j]
                    if word[w] >= within:
                        strategy[u] = w
                        stays = True
                        break
                if stays:
                    continue
            word[u] = code | (x & 1)
            queue[tail] = u
            tail += 1
    return tail


@kernel
def start_attracting(
    indptr: Int64Array,
    indices: Int32Array,
    owner: Int8Array,
    word: Int32Array,
    strategy: Int32Array,
) -> None:
    """Make every position free and its first move the hint; the game must be total."""
    for v in range(len(owner)):
        word[v] = FREE | owner[v]
        strategy[v] = indices[indptr[v]]
