"""Fixpoint iteration with justifications for parity games: evaluate, flip, forget, justify again.

**Beliefs.** The status of a position, a byte, says who is believed to win it, whether the belief is
justified, whether the position is loose, and its owner. A justified position *rests* on the move
``strategy[v]`` of its owner, or on all moves where that is −1. A position that is neither justified
nor loose is *open*, and believed to be won by the parity of its priority.

**The order.** All that a position rests on, directly or not, is believed to be won by the same
player, and what is open of it has at least the position's own priority. So if an open position is
justified as it is believed, every cycle of reasons that this closes has its highest priority there,
and is won by the player who is believed to win it.

**A round** takes the open positions of the lowest priority; ``player`` is its parity. The opponent
attracts what it can of them (``flip``). Whatever rested on that is loose, and is flipped, too, or
gets another reason that is not loose (``spread``), where it has one; the others of the round are
justified. What is still loose has no higher priority than the round, as it rested on that, and
nothing but itself to rest on. From its highest priority down, it is opened, and what the parity
attracts to that is justified at once (``reopen``). The game begins with all positions loose.

The open positions are a stack by falling priority: a round pops what it takes, and what it opens
again goes on top of what is left.

A loose position also keeps in ``strategy`` one successor that it waits for, as long as its owner
has no better move, so that it is looked at again only when that successor is decided.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.parity.ranks import Ranks, sort_by_rank
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

TOP, BUDGET, ROUNDS, FLIPS, RESETS = 0, 1, 2, 3, 4
"""Slots of the ``counts`` array."""
COUNTS_SIZE = 5

WINNER, JUSTIFIED, LOOSE, OWNER = 1, 2, 4, 8
"""Bits of a status."""
OWNER_SHIFT = 3

AHEAD = 16
"""How far ahead in a queue moves are prefetched."""


class Beliefs(NamedTuple):
    """What is believed of each position, and why."""

    status: Int8Array
    strategy: Int32Array
    """The move that a justified position rests on, −1 for all moves; of a loose one, the successor
    that it waits for."""


class Lists(NamedTuple):
    """Lists of positions, n entries each."""

    stack: Int32Array
    """The open positions by falling priority."""
    lost: Int32Array
    """The positions that have lost their reason in this round."""
    queue: Int32Array
    """The positions from which a player attracts."""


@kernel
def move_to(moves: Moves, status: Int8Array, v: int, mask: int, value: int) -> int:
    """The first successor of a position whose bits ``mask`` are ``value``, −1 if there is none."""
    for k in range(moves.indptr[v], moves.indptr[v + 1]):
        w: int = moves.indices[k]
        if (status[w] & mask) == value:
            return w
    return -1


@kernel
def flip(
    moves: Moves,
    reverse: Moves,
    beliefs: Beliefs,
    lists: Lists,
    first: int,
    top: int,
    player: int,
) -> tuple[int, int]:
    """Flip what the opponent of ``player`` attracts of ``stack[first:top]``; justify the others.

    Returns how many positions are flipped, and how many have lost their reason: those are in
    ``lists.lost``, and loose unless they are flipped.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy = beliefs.status, beliefs.strategy
    stack, lost, queue = lists.stack, lists.lost, lists.queue
    other = 1 - player
    losses = flipped = 0
    for i in range(first, top):
        v = stack[i]
        owner = status[v] >> OWNER_SHIFT
        strategy[v] = move_to(moves, status, v, WINNER, owner)
        if (strategy[v] >= 0) == (owner == player):
            status[v] = owner << OWNER_SHIFT | LOOSE | player
        else:
            status[v] = owner << OWNER_SHIFT | JUSTIFIED | other
            queue[flipped] = v
            flipped += 1
    head = next_lost = 0
    # Invariant: the opponent's justified positions rest on nothing loose. A loose position of the
    # player has its strategy into what the opponent does not win, or to a flipped position that is
    # still in the queue; one of the opponent wins no successor except such positions. What
    # rests on a loose position is loose, unless that position is still in the list of the lost.
    while head < flipped or next_lost < losses:
        attracting = head < flipped
        if attracting:
            v = queue[head]
            head += 1
        else:
            v = lost[next_lost]
            next_lost += 1
            if not status[v] & LOOSE:
                continue
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            owner = status[u] >> OWNER_SHIFT
            if (status[u] & (JUSTIFIED | WINNER)) == (JUSTIFIED | player):
                if strategy[u] >= 0 and strategy[u] != v:
                    continue
                status[u] = owner << OWNER_SHIFT | LOOSE | player
                lost[losses] = u
                losses += 1
            if not attracting or not status[u] & LOOSE:
                continue
            if owner == other:
                strategy[u] = v
            elif strategy[u] == v:
                strategy[u] = move_to(moves, status, u, WINNER, player)
                if strategy[u] >= 0:
                    continue
            else:
                continue
            status[u] = owner << OWNER_SHIFT | JUSTIFIED | other
            queue[flipped] = u
            flipped += 1
    for i in range(first, top):
        v = stack[i]
        if status[v] & LOOSE:
            status[v] = (status[v] & OWNER) | JUSTIFIED | player
    return flipped, losses


@kernel
def spread(
    moves: Moves,
    reverse: Moves,
    beliefs: Beliefs,
    lists: Lists,
    tail: int,
    player: int,
) -> None:
    """Justify the loose positions that a player attracts to ``queue[:tail]``.

    Requires of each loose position that its owner wins no successor that is not loose, except those
    in the queue, and that its strategy is a loose successor or one in the queue.

    The attractor of :mod:`zermelo._kernels.graphs.attractor`, whose status has four bytes, takes
    1.3 times as long on random games. It also leaves a move where the loser moves, but −1 is needed
    here.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy, queue = beliefs.status, beliefs.strategy, lists.queue
    far = len(status) > CACHED
    head = 0
    # Invariant: as required, of queue[head:tail].
    while head < tail:
        if far and head + AHEAD < tail:
            prefetch(rev_indptr, queue[head + AHEAD])
            prefetch(rev_indices, rev_indptr[queue[head + AHEAD // 2]])
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if not status[u] & LOOSE:
                continue
            owner = status[u] >> OWNER_SHIFT
            if owner == player:
                strategy[u] = v
            elif strategy[u] == v:
                strategy[u] = move_to(moves, status, u, LOOSE, LOOSE)
                if strategy[u] >= 0:
                    continue
            else:
                continue
            status[u] = owner << OWNER_SHIFT | JUSTIFIED | player
            queue[tail] = u
            tail += 1


@kernel
def settle(
    moves: Moves,
    reverse: Moves,
    beliefs: Beliefs,
    lists: Lists,
    losses: int,
    player: int,
) -> int:
    """Justify, for the player, those of ``lost[:losses]`` whose reason has no loose positions.

    Returns how many positions stay loose; they are moved to the front.
    """
    status, strategy = beliefs.status, beliefs.strategy
    lost, queue = lists.lost, lists.queue
    tail = 0
    for i in range(losses):
        v = lost[i]
        if not status[v] & LOOSE:
            continue
        owner = status[v] >> OWNER_SHIFT
        if owner == player:
            strategy[v] = move_to(moves, status, v, LOOSE | WINNER, player)
        else:
            strategy[v] = move_to(moves, status, v, LOOSE, LOOSE)
        if (strategy[v] >= 0) == (owner == player):
            status[v] = owner << OWNER_SHIFT | JUSTIFIED | player
            queue[tail] = v
            tail += 1
        elif owner == player:  # ``spread`` requires this when ``reopen`` calls it for the other
            strategy[v] = move_to(moves, status, v, LOOSE, LOOSE)
    spread(moves, reverse, beliefs, lists, tail, player)
    left = 0
    for i in range(losses):
        if status[lost[i]] & LOOSE:
            lost[left] = lost[i]
            left += 1
    return left


@kernel
def recall(
    moves: Moves,
    reverse: Moves,
    beliefs: Beliefs,
    lists: Lists,
    left: int,
    top: int,
    player: int,
) -> int:
    """Open the positions of the round that rest on loose ones, ``lost[:left]``.

    They go on the stack at ``top``, unless their owner has another move. Returns the new top.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy = beliefs.status, beliefs.strategy
    for i in range(left):
        v = lists.lost[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if (status[u] & (JUSTIFIED | WINNER)) != (JUSTIFIED | player):
                continue
            if strategy[u] == v:
                strategy[u] = move_to(moves, status, u, LOOSE | WINNER, player)
                if strategy[u] >= 0:
                    continue
            if strategy[u] < 0:
                status[u] = (status[u] & OWNER) | player
                lists.stack[top] = u
                top += 1
    return top


@kernel
def reopen(
    moves: Moves,
    reverse: Moves,
    ranks: Ranks,
    beliefs: Beliefs,
    lists: Lists,
    start: int,
    end: int,
) -> int:
    """Open the loose positions ``stack[start:end]``, by falling priority, or attract them to those.

    Requires of them what ``spread`` does. Returns the new top of the stack.
    """
    rank, status = ranks.rank, beliefs.status
    stack, queue = lists.stack, lists.queue
    top = i = start
    # Invariant: stack[start:top] are open, by falling priority, and what of stack[i:end] is loose
    # has no successor that its owner wins, and at least one that the opponent does not win.
    while i < end:
        r = rank[stack[i]]
        tail = 0
        while i < end and rank[stack[i]] == r:
            v = stack[i]
            if status[v] & LOOSE:
                status[v] = (status[v] & OWNER) | (r & 1)
                stack[top] = v
                top += 1
                queue[tail] = v
                tail += 1
            i += 1
        spread(moves, reverse, beliefs, lists, tail, r & 1)
    return top


@kernel
def iterate(
    moves: Moves,
    reverse: Moves,
    ranks: Ranks,
    beliefs: Beliefs,
    lists: Lists,
    counts: Int64Array,
) -> bool:
    """Do rounds until nothing is open (True) or the budget is used up (False; call again).

    Requires that ``reopen`` has opened all positions from the sorted stack and has given
    ``counts[TOP]``; the other counts start at 0. ``counts[BUDGET]`` bounds the positions that are
    taken, flipped and loosened, up to what one round takes. In the end, ``status`` has the winners
    and ``strategy`` their moves, −1 where the loser moves.
    """
    rank, stack = ranks.rank, lists.stack
    top = counts[TOP]
    spent = 0
    # Invariant: stack[:top] are the open positions by falling priority, none is loose, and whatever
    # is justified rests on open positions of at least its own priority.
    while top > 0 and spent < counts[BUDGET]:
        r = rank[stack[top - 1]]
        player = r & 1
        first = top - 1
        while first > 0 and rank[stack[first - 1]] == r:
            first -= 1
        flipped, losses = flip(moves, reverse, beliefs, lists, first, top, player)
        spent += top - first + flipped + losses
        counts[ROUNDS] += 1
        counts[FLIPS] += flipped
        counts[RESETS] += losses
        top = first
        if losses:
            left = settle(moves, reverse, beliefs, lists, losses, player)
            if left:
                top = recall(moves, reverse, beliefs, lists, left, top, player)
                sort_by_rank(ranks, r >> 1, lists.lost, 0, stack, top, left)
                top = reopen(moves, reverse, ranks, beliefs, lists, top, top + left)
    counts[TOP] = top
    done: bool = top == 0
    return done
