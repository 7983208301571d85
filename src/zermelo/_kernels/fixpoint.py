"""Fixpoint iteration with justifications for parity games: evaluate, flip, forget, justify anew.

**Beliefs.** A byte of ``state`` says who is believed to win a position, whether the belief is
justified, whether the position is loose, and its owner. A justified position *rests* on the move
``strategy[v]`` of its owner, or on all moves where that is −1. A position that is neither justified
nor loose is *open*, and believed to be won by the parity of its priority.

**The order.** All that a position rests on, directly or not, is believed to be won by the same
player, and what is open of it has at least the position's own priority. So if an open position is
justified as it is believed, every cycle of reasons that this closes has its highest priority there,
and is won by who should win it.

**A round** takes the open positions of the lowest priority; ``player`` is its parity. The opponent
attracts what it can of them (``flip``). Whatever rested on that is loose, and is flipped, too, or
gets another reason that is not loose (``spread``), where it has one; the others of the round are
justified. What is still loose has no higher priority than the round, as it rested on that, and
nothing but itself to rest on. From its highest priority down, it is opened, and what the parity
attracts to that is justified at once (``reopen``). The game begins with all positions loose.

The open positions are a stack by falling priority: a round pops what it takes, and what it opens
again goes on top of what is left.

A loose position also keeps in ``strategy`` one successor that it waits for, as long as its owner
has no better, so that it is looked at again only when that successor is decided.
"""

from zermelo._kernels.attractor import CACHED
from zermelo._kernels.ranks import sort_by_rank
from zermelo._runtime.jit import kernel, prefetch
from zermelo.labels import Int8Array, Int32Array, Int64Array

TOP, BUDGET, ROUNDS, FLIPS, RESETS = 0, 1, 2, 3, 4
"""Slots of the ``counts`` array."""
COUNTS_SIZE = 5

WINNER, JUSTIFIED, LOOSE, OWNER = 1, 2, 4, 8
"""Bits of ``state``."""
OWNER_SHIFT = 3

AHEAD = 16
"""How far ahead in a queue moves are prefetched."""


@kernel
def move_to(
    indptr: Int64Array, indices: Int32Array, state: Int8Array, v: int, mask: int, value: int
) -> int:
    """The first successor of a position whose bits ``mask`` are ``value``, −1 if there is none."""
    for k in range(indptr[v], indptr[v + 1]):
        w: int = indices[k]
        if (state[w] & mask) == value:
            return w
    return -1


@kernel
def flip(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    first: int,
    top: int,
    player: int,
) -> tuple[int, int]:
    """Flip what the opponent of ``player`` attracts of ``work[first:top]``; justify the others.

    Returns how many positions are flipped, and how many have lost their reason: those are
    ``work[n:n + lost]``, and loose unless they are flipped.
    """
    n = len(state)
    other = 1 - player
    lost, flipped = n, 2 * n
    for i in range(first, top):
        v = work[i]
        owner = state[v] >> OWNER_SHIFT
        strategy[v] = move_to(indptr, indices, state, v, WINNER, owner)
        if (strategy[v] >= 0) == (owner == player):
            state[v] = owner << OWNER_SHIFT | LOOSE | player
        else:
            state[v] = owner << OWNER_SHIFT | JUSTIFIED | other
            work[flipped] = v
            flipped += 1
    head, next_lost = 2 * n, n
    # Invariant: the opponent's justified positions rest on nothing loose. A loose position of the
    # player has its strategy into what the opponent does not win, or to a flipped position that is
    # still in the queue; one of the opponent has no successor that it wins, but for such. What
    # rests on a loose position is loose, unless that position is still in the list of the lost.
    while head < flipped or next_lost < lost:
        attracting = head < flipped
        if attracting:
            v = work[head]
            head += 1
        else:
            v = work[next_lost]
            next_lost += 1
            if not state[v] & LOOSE:
                continue
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            owner = state[u] >> OWNER_SHIFT
            if (state[u] & (JUSTIFIED | WINNER)) == (JUSTIFIED | player):
                if strategy[u] >= 0 and strategy[u] != v:
                    continue
                state[u] = owner << OWNER_SHIFT | LOOSE | player
                work[lost] = u
                lost += 1
            if not attracting or not state[u] & LOOSE:
                continue
            if owner == other:
                strategy[u] = v
            elif strategy[u] == v:
                strategy[u] = move_to(indptr, indices, state, u, WINNER, player)
                if strategy[u] >= 0:
                    continue
            else:
                continue
            state[u] = owner << OWNER_SHIFT | JUSTIFIED | other
            work[flipped] = u
            flipped += 1
    for i in range(first, top):
        v = work[i]
        if state[v] & LOOSE:
            state[v] = (state[v] & OWNER) | JUSTIFIED | player
    return flipped - 2 * n, lost - n


@kernel
def spread(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    tail: int,
    player: int,
) -> None:
    """Justify the loose positions that a player attracts to the queue ``work[2 * n:tail]``.

    Requires of each loose position that its owner wins no successor that is not loose, but for the
    queue, and that its strategy is a loose successor or one of the queue.
    """
    n = len(state)
    far = n > CACHED
    head = 2 * n
    # Invariant: as required, of work[head:tail].
    while head < tail:
        if far and head + AHEAD < tail:
            prefetch(rev_indptr, work[head + AHEAD])
            prefetch(rev_indices, rev_indptr[work[head + AHEAD // 2]])
        v = work[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if not state[u] & LOOSE:
                continue
            owner = state[u] >> OWNER_SHIFT
            if owner == player:
                strategy[u] = v
            elif strategy[u] == v:
                strategy[u] = move_to(indptr, indices, state, u, LOOSE, LOOSE)
                if strategy[u] >= 0:
                    continue
            else:
                continue
            state[u] = owner << OWNER_SHIFT | JUSTIFIED | player
            work[tail] = u
            tail += 1


@kernel
def settle(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    lost: int,
    player: int,
) -> int:
    """Justify what has a reason without loose positions of ``work[n:n + lost]``, for the player.

    Returns how many positions stay loose; they are moved to the front.
    """
    n = len(state)
    tail = 2 * n
    for i in range(n, n + lost):
        v = work[i]
        if not state[v] & LOOSE:
            continue
        owner = state[v] >> OWNER_SHIFT
        if owner == player:
            strategy[v] = move_to(indptr, indices, state, v, LOOSE | WINNER, player)
        else:
            strategy[v] = move_to(indptr, indices, state, v, LOOSE, LOOSE)
        if (strategy[v] >= 0) == (owner == player):
            state[v] = owner << OWNER_SHIFT | JUSTIFIED | player
            work[tail] = v
            tail += 1
        elif owner == player:  # what ``spread`` asks for when ``reopen`` calls it for the other
            strategy[v] = move_to(indptr, indices, state, v, LOOSE, LOOSE)
    spread(indptr, indices, rev_indptr, rev_indices, state, strategy, work, tail, player)
    left = n
    for i in range(n, n + lost):
        if state[work[i]] & LOOSE:
            work[left] = work[i]
            left += 1
    return left - n


@kernel
def recall(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    left: int,
    top: int,
    player: int,
) -> int:
    """Open the positions of the round that rest on loose ones, ``work[n:n + left]``.

    They go on the stack at ``top``, unless their owner has another move. Returns the new top.
    """
    n = len(state)
    for i in range(n, n + left):
        v = work[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if (state[u] & (JUSTIFIED | WINNER)) != (JUSTIFIED | player):
                continue
            if strategy[u] == v:
                strategy[u] = move_to(indptr, indices, state, u, LOOSE | WINNER, player)
                if strategy[u] >= 0:
                    continue
            if strategy[u] < 0:
                state[u] = (state[u] & OWNER) | player
                work[top] = u
                top += 1
    return top


@kernel
def reopen(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    rank: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    start: int,
    end: int,
) -> int:
    """Open the loose positions ``work[start:end]``, by falling priority, or attract them to those.

    Requires of them what ``spread`` does. Returns the new top of the stack.
    """
    n = len(state)
    top = i = start
    # Invariant: work[start:top] are open, by falling priority, and what of work[i:end] is loose has
    # no successor that its owner wins, nor only such as the opponent wins.
    while i < end:
        r = rank[work[i]]
        tail = 2 * n
        while i < end and rank[work[i]] == r:
            v = work[i]
            if state[v] & LOOSE:
                state[v] = (state[v] & OWNER) | (r & 1)
                work[top] = v
                top += 1
                work[tail] = v
                tail += 1
            i += 1
        spread(indptr, indices, rev_indptr, rev_indices, state, strategy, work, tail, r & 1)
    return top


@kernel
def iterate(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    rank: Int32Array,
    state: Int8Array,
    strategy: Int32Array,
    work: Int32Array,
    counts: Int64Array,
) -> bool:
    """Go round until nothing is open (True) or the budget is used up (False; call again).

    ``rank`` and ``work`` are as for Zielonka's algorithm, after ``reopen``, which has given
    ``counts[TOP]``; the other counts start at 0. ``counts[BUDGET]`` bounds the positions that are
    taken, flipped and loosened, up to what one round takes. In the end, ``state`` has the winners
    and ``strategy`` their moves, −1 where the loser moves.
    """
    n = len(state)
    top = counts[TOP]
    spent = 0
    # Invariant: work[:top] are the open positions by falling priority, none is loose, and whatever
    # is justified rests on open positions of at least its own priority.
    while top > 0 and spent < counts[BUDGET]:
        r = rank[work[top - 1]]
        player = r & 1
        first = top - 1
        while first > 0 and rank[work[first - 1]] == r:
            first -= 1
        flipped, lost = flip(
            indptr, indices, rev_indptr, rev_indices, state, strategy, work, first, top, player
        )
        spent += top - first + flipped + lost
        counts[ROUNDS] += 1
        counts[FLIPS] += flipped
        counts[RESETS] += lost
        top = first
        if lost:
            left = settle(
                indptr, indices, rev_indptr, rev_indices, state, strategy, work, lost, player
            )
            if left:
                top = recall(
                    indptr,
                    indices,
                    rev_indptr,
                    rev_indices,
                    state,
                    strategy,
                    work,
                    left,
                    top,
                    player,
                )
                sort_by_rank(rank, work, r >> 1, n, top, left)
                top = reopen(
                    indptr,
                    indices,
                    rev_indptr,
                    rev_indices,
                    rank,
                    state,
                    strategy,
                    work,
                    top,
                    top + left,
                )
    counts[TOP] = top
    done: bool = top == 0
    return done
