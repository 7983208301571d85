"""Büchi games: remove what cannot be attracted to the wanted positions, until nothing is removed.

The *chaser* wants to see the wanted positions infinitely often, the *avoider* does not. Positions
that are left and in the chaser's attractor to the wanted ones are ``IN``, others that are left are
``OUT``, and those that the avoider wins are ``GONE``.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED, MOVES_AHEAD, ROWS_AHEAD, WORDS_AHEAD
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array

OUT, IN, GONE = 0, 1, 2
"""The status of a position."""

CHASER, WANTED = 1, 2
"""Bits of a role: the chaser moves here; the chaser wants to come here."""


class Chase(NamedTuple):
    """What is known of each position."""

    role: Int8Array
    status: Int8Array
    left: Int32Array
    """Of a chaser's position, the number of moves to what is not GONE; of an avoider's, the number
    of moves to what is not IN."""
    strategy: Int32Array


class Lists(NamedTuple):
    """Lists of positions, n entries each."""

    queue: Int32Array
    """The positions from which a player attracts."""
    doubtful: Int32Array
    """The positions that may have to change between IN and OUT."""


@kernel
def solve_buchi(moves: Moves, reverse: Moves, chase: Chase, lists: Lists, from_start: int) -> int:
    """Fill ``status`` with IN (the chaser wins) or GONE, and the winners' ``strategy``.

    Requires that every position has a move, and ``status`` zeroed. With ``from_start`` each round
    computes the whole attractor again; otherwise it computes again only the positions that were IN
    because of others that are gone. Strategy entries where the owner loses mean nothing. Returns
    the number of rounds.
    """
    tail, doubtful = start(moves, chase, lists)
    attract(reverse, chase, lists.queue, tail, IN)
    rounds = 1
    # Invariant: the avoider wins what is GONE, and has no move there from elsewhere. IN is the
    # chaser's attractor to the wanted positions within the rest, and what is OUT is among the
    # doubtful positions.
    while True:
        lost = take_away(moves, reverse, chase, lists, doubtful)
        if lost == 0:
            break
        rounds += 1
        if from_start:
            doubtful = begin_again(reverse, chase, lists)
        else:
            doubtful = loosen(reverse, chase, lists, lost)
        tail = regain(moves, chase, lists, doubtful)
        attract(reverse, chase, lists.queue, tail, IN)
    go_round(moves, chase)
    return rounds


@kernel
def start(moves: Moves, chase: Chase, lists: Lists) -> tuple[int, int]:
    """Make the wanted positions IN and queue them; all others are doubtful.

    Returns the numbers of both.
    """
    indptr = moves.indptr
    tail = doubtful = 0
    for v in range(len(indptr) - 1):
        chase.left[v] = indptr[v + 1] - indptr[v]
        if chase.role[v] & WANTED:
            chase.status[v] = IN
            lists.queue[tail] = v
            tail += 1
        else:
            lists.doubtful[doubtful] = v
            doubtful += 1
    return tail, doubtful


@kernel
def attract(reverse: Moves, chase: Chase, queue: Int32Array, tail: int, target: int) -> int:
    """Make IN what the chaser attracts to ``queue[:tail]``, or GONE what the avoider does.

    ``target`` is IN or GONE; the positions of the queue have that status, but their predecessors do
    not count them yet. Returns the new tail. What is GONE is out of the game for both.

    The attractor of :mod:`zermelo._kernels.graphs.attractor`, with hints in place of counters,
    takes 1.5 to 2.6 times as long on random games; here the counters serve all rounds.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    role, status, left, strategy = chase.role, chase.status, chase.left, chase.strategy
    mover = CHASER if target == IN else 0
    far = len(status) > CACHED
    head = 0
    # Invariant: queue[:tail] have the target's status, and ``left`` counts without queue[:head].
    while head < tail:
        if far:
            if head + ROWS_AHEAD < tail:
                prefetch(rev_indptr, queue[head + ROWS_AHEAD])
            if head + MOVES_AHEAD < tail:
                prefetch(rev_indices, rev_indptr[queue[head + MOVES_AHEAD]])
            if head + WORDS_AHEAD < tail:
                v = queue[head + WORDS_AHEAD]
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    prefetch(status, rev_indices[k])
                    prefetch(left, rev_indices[k])
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if status[u] == GONE:
                continue
            if (role[u] & CHASER) == mover:
                if status[u] >= target:
                    continue
                strategy[u] = v
            else:
                left[u] -= 1
                if left[u] > 0 or status[u] >= target:
                    continue
            status[u] = target
            queue[tail] = u
            tail += 1
    return tail


@kernel
def take_away(moves: Moves, reverse: Moves, chase: Chase, lists: Lists, doubtful: int) -> int:
    """Make GONE the doubtful positions that are OUT, and what the avoider attracts to them.

    Returns how many positions are newly gone; the queue begins with them.
    """
    indptr, indices = moves.indptr, moves.indices
    status, queue = chase.status, lists.queue
    tail = 0
    for i in range(doubtful):
        v = lists.doubtful[i]
        if status[v] == OUT:
            queue[tail] = v
            tail += 1
            if not chase.role[v] & CHASER:  # find a move that stays OUT, before OUT becomes GONE
                for k in range(indptr[v], indptr[v + 1]):
                    if status[indices[k]] == OUT:
                        chase.strategy[v] = indices[k]
                        break
    for i in range(tail):
        status[queue[i]] = GONE
    return attract(reverse, chase, queue, tail, GONE)


@kernel
def begin_again(reverse: Moves, chase: Chase, lists: Lists) -> int:
    """Make OUT and doubtful all positions that are left and not wanted; return how many."""
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    role, status = chase.role, chase.status
    doubtful = 0
    for v in range(len(status)):
        if status[v] != GONE and not role[v] & WANTED:
            if status[v] == IN:
                status[v] = OUT
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    if not role[rev_indices[k]] & CHASER:
                        chase.left[rev_indices[k]] += 1
            lists.doubtful[doubtful] = v
            doubtful += 1
    return doubtful


@kernel
def loosen(reverse: Moves, chase: Chase, lists: Lists, lost: int) -> int:
    """Make OUT what is IN because of a chaser's move to ``queue[:lost]``, and all that needs it.

    These are the doubtful positions; returns how many there are.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    role, status, left, strategy = chase.role, chase.status, chase.left, chase.strategy
    queue, doubtful = lists.queue, lists.doubtful
    tail = 0
    for i in range(lost):
        v = queue[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if role[u] == CHASER and status[u] == IN and strategy[u] == v:
                status[u] = OUT
                doubtful[tail] = u
                tail += 1
    head = 0
    # Invariant: what is IN by a chaser's move to doubtful[:head], or by all moves of the avoider,
    # one of which leads there, is OUT and listed.
    while head < tail:
        v = doubtful[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if status[u] == GONE:
                continue
            if not role[u] & CHASER:
                left[u] += 1
            elif strategy[u] != v:
                continue
            if status[u] == IN and not role[u] & WANTED:
                status[u] = OUT
                doubtful[tail] = u
                tail += 1
    return tail


@kernel
def regain(moves: Moves, chase: Chase, lists: Lists, doubtful: int) -> int:
    """Make IN again, and queue, the doubtful positions with a reason; return how many."""
    indptr, indices = moves.indptr, moves.indices
    role, status, queue = chase.role, chase.status, lists.queue
    tail = 0
    for i in range(doubtful):
        v = lists.doubtful[i]
        if role[v] & CHASER:
            for k in range(indptr[v], indptr[v + 1]):
                if status[indices[k]] == IN:
                    chase.strategy[v] = indices[k]
                    status[v] = IN
                    queue[tail] = v
                    tail += 1
                    break
        elif chase.left[v] == 0:
            status[v] = IN
            queue[tail] = v
            tail += 1
    return tail


@kernel
def go_round(moves: Moves, chase: Chase) -> None:
    """Give the chaser, at each wanted position that it wins, a move to a position that it wins."""
    indptr, indices, status = moves.indptr, moves.indices, chase.status
    for v in range(len(status)):
        if status[v] == IN and chase.role[v] == CHASER | WANTED:
            for k in range(indptr[v], indptr[v + 1]):
                if status[indices[k]] == IN:
                    chase.strategy[v] = indices[k]
                    break
