"""What the passes that make a parity game smaller have in common: decide, spread, cut out.

``winner[v]`` is −1 while nobody is known to win at ``v``. The positions that are decided wait in a
queue until their predecessors have been updated. ``left[v]`` counts the moves of ``v`` that are not
known to lose for its owner. When the queue is empty, every undecided position has an undecided
successor, and none has a move to what its owner wins. So the undecided positions are a total game,
and a strategy that wins there wins in the whole game.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED, MOVES_AHEAD, ROWS_AHEAD, WORDS_AHEAD
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

START, STOP, HEAD, TAIL = 0, 1, 2, 3
"""Slots of the ``state`` of ``settle``: where the component begins and ends in the order, and the
part of the queue whose predecessors have not been updated yet."""
STATE_SIZE = 4


class Board(NamedTuple):
    """Which positions are decided and by which moves, and how many moves are not yet lost."""

    winner: Int8Array
    strategy: Int32Array
    left: Int32Array
    queue: Int32Array
    """The decided positions."""


@kernel
def spread(reverse: Moves, owner: Int8Array, board: Board, head: int, tail: int) -> int:
    """Update the predecessors of ``queue[head:tail]``, and theirs; returns the new tail.

    These are the attractors of both players at once; the owner is the lowest bit of ``owner``.

    The attractor of :mod:`zermelo._kernels.graphs.attractor` has hints in place of the counters
    ``left`` and takes 1.5 to 2.6 times as long on random games; also, it could not leave out lost
    loops.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    winner, strategy, left, queue = board.winner, board.strategy, board.left, board.queue
    far = len(winner) > CACHED
    # Invariant: queue[:tail] are the decided positions; no move leads from an undecided one into
    # those of queue[:head] that its owner wins, and left counts its moves into all others.
    while head < tail:
        if far:
            if head + ROWS_AHEAD < tail:
                prefetch(rev_indptr, queue[head + ROWS_AHEAD])
            if head + MOVES_AHEAD < tail:
                prefetch(rev_indices, rev_indptr[queue[head + MOVES_AHEAD]])
            if head + WORDS_AHEAD < tail:
                v = queue[head + WORDS_AHEAD]
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    prefetch(winner, rev_indices[k])
                    prefetch(left, rev_indices[k])
        v = queue[head]
        head += 1
        player = winner[v]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if winner[u] >= 0:
                continue
            if (owner[u] & 1) == player:
                strategy[u] = v
            else:
                left[u] -= 1
                if left[u] > 0:
                    continue
            winner[u] = player
            queue[tail] = u
            tail += 1
    return tail


@kernel
def count_rows(
    moves: Moves,
    winner: Int8Array,
    members: Int32Array,
    rows: Int64Array,
    loops: int,
) -> None:
    """Fill ``rows``: row i of the subgame of ``members`` ends at ``rows[i + 1]``.

    A row has the moves of a member to undecided positions; loops are moves only if ``loops`` is 1.
    Requires ``rows[0]`` = 0.
    """
    indptr, indices = moves.indptr, moves.indices
    for i in range(len(members)):
        v = members[i]
        size = rows[i]
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if winner[w] < 0 and (w != v or loops):
                size += 1
        rows[i + 1] = size


@kernel
def fill_rows(
    moves: Moves,
    winner: Int8Array,
    members: Int32Array,
    number: Int32Array,
    targets: Int32Array,
    loops: int,
) -> None:
    """Fill ``targets``: the ``number`` of the target of each move that ``count_rows`` counts."""
    indptr, indices = moves.indptr, moves.indices
    j = 0
    for i in range(len(members)):
        v = members[i]
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if winner[w] < 0 and (w != v or loops):
                targets[j] = number[w]
                j += 1


@kernel
def decide_loops(moves: Moves, owner: Int8Array, priority: Int32Array, board: Board) -> int:
    """Decide the positions that a loop decides; do not count other loops in ``left``.

    Requires ``left`` to be the number of moves; returns the number of loops.
    """
    indptr, indices = moves.indptr, moves.indices
    winner, strategy, left = board.winner, board.strategy, board.left
    loops = 0
    for v in range(len(owner)):
        for k in range(indptr[v], indptr[v + 1]):
            if indices[k] == v:
                loops += 1
                player = priority[v] & 1
                if player == owner[v]:
                    winner[v] = player
                    strategy[v] = v
                elif left[v] == 1:
                    winner[v] = player
                else:
                    left[v] -= 1
                break
    return loops


@kernel
def trim(moves: Moves, mark: Int32Array) -> int:
    """Leave out, in one sweep, positions of mark 0 without a move to another; return how many."""
    indptr, indices = moves.indptr, moves.indices
    out = len(mark) + 1
    removed = 0
    for v in range(len(mark)):
        if mark[v] != 0:
            continue
        stays = False
        for k in range(indptr[v], indptr[v + 1]):
            if mark[indices[k]] == 0:
                stays = True
                break
        if not stays:
            mark[v] = out
            removed += 1
    return removed


@kernel
def peel(
    moves: Moves,
    priority: Int32Array,
    mark: Int32Array,
    order: Int32Array,
    level: Int32Array,
    count: int,
    player: int,
) -> int:
    """Give levels to the components ``order[:count]``; return how many moves to search again.

    A component with a cycle gets its highest priority as its ``level`` if that is the player's.
    From any other component with a cycle, the positions above the player's highest priority are
    left out; its rest gets mark 0, and all other positions get the mark that leaves them out.
    """
    indptr, indices = moves.indptr, moves.indices
    out = len(mark) + 1
    again = 0
    i = 0
    while i < count:
        v = order[i]
        c = mark[v]
        top, best = -1, -1
        j = i
        while j < count and mark[order[j]] == c:
            if j + ROWS_AHEAD < count:
                prefetch(mark, order[j + ROWS_AHEAD])
                prefetch(priority, order[j + ROWS_AHEAD])
            p = priority[order[j]]
            top = max(top, p)
            if (p & 1) == player:
                best = max(best, p)
            j += 1
        cyclic = j > i + 1
        if not cyclic:
            for k in range(indptr[v], indptr[v + 1]):
                if indices[k] == v:
                    cyclic = True
        for t in range(i, j):
            if t + ROWS_AHEAD < j:
                prefetch(mark, order[t + ROWS_AHEAD])
                prefetch(level, order[t + ROWS_AHEAD])
            v = order[t]
            mark[v] = out
            if cyclic and top == best:
                level[v] = top
            elif cyclic and priority[v] <= best:
                mark[v] = 0
                again += indptr[v + 1] - indptr[v]
        i = j
    return again


@kernel
def aim(moves: Moves, reverse: Moves, priority: Int32Array, level: Int32Array, board: Board) -> int:
    """Decide the positions that have a level: each moves towards that priority within the level.

    The player of a level is its parity. Returns how many positions are in the queue.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    winner, strategy, queue = board.winner, board.strategy, board.queue
    tail = 0
    for v in range(len(level)):
        if level[v] >= 0 and level[v] == priority[v]:
            winner[v] = level[v] & 1
            for k in range(indptr[v], indptr[v + 1]):
                if level[indices[k]] == level[v]:
                    strategy[v] = indices[k]
                    break
            queue[tail] = v
            tail += 1
    head = 0
    # Invariant: from every position of queue[:tail] the strategy leads through its level, which is
    # higher than no priority there, to a position of that priority, and on from there.
    while head < tail:
        if head + ROWS_AHEAD < tail:
            prefetch(rev_indptr, queue[head + ROWS_AHEAD])
        if head + MOVES_AHEAD < tail:
            prefetch(rev_indices, rev_indptr[queue[head + MOVES_AHEAD]])
        if head + WORDS_AHEAD < tail:
            v = queue[head + WORDS_AHEAD]
            for k in range(rev_indptr[v], rev_indptr[v + 1]):
                prefetch(level, rev_indices[k])
                prefetch(winner, rev_indices[k])
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if winner[u] < 0 and level[u] == level[v]:
                winner[u] = winner[v]
                strategy[u] = v
                queue[tail] = u
                tail += 1
    return tail


@kernel
def lower_priorities(
    moves: Moves,
    priority: Int32Array,
    mark: Int32Array,
    rising: Int64Array,
    last: Int32Array,
    lowered: Int32Array,
) -> None:
    """Give each component the least priorities of the same order and parity, 0 off all cycles.

    ``rising`` has the positions by rising priority, ``last`` has n + 1 zeros.
    """
    indptr, indices = moves.indptr, moves.indices
    n = len(mark)
    for v in range(n):
        last[mark[v]] += 1
    for v in range(n):
        cyclic = last[mark[v]] != 1
        for k in range(indptr[v], indptr[v + 1]):
            if cyclic:
                break
            cyclic = indices[k] == v
        lowered[v] = 0 if cyclic else -1
    for c in range(n + 1):
        last[c] = -1
    # Invariant: last[c] is the highest priority given within the component c, -1 before the first.
    for i in range(n):
        if i + ROWS_AHEAD < n:
            prefetch(mark, rising[i + ROWS_AHEAD])
            prefetch(lowered, rising[i + ROWS_AHEAD])
        v = rising[i]
        if lowered[v] < 0:
            lowered[v] = 0
            continue
        c, parity = mark[v], priority[v] & 1
        if last[c] < 0:
            last[c] = parity
        elif (last[c] & 1) != parity:
            last[c] += 1
        lowered[v] = last[c]


@kernel
def raise_priorities(moves: Moves, mark: Int32Array, priority: Int32Array, falling: int) -> None:
    """Raise each position in turn to the least priority among its moves in its component.

    Positions are taken by falling or by rising number.
    """
    indptr, indices = moves.indptr, moves.indices
    n = len(mark)
    for i in range(n):
        v = n - 1 - i if falling else i
        c, least = mark[v], -1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if mark[w] == c and (least < 0 or priority[w] < least):
                least = priority[w]
        priority[v] = max(priority[v], least)


@kernel
def settle(
    moves: Moves,
    reverse: Moves,
    kind: Int8Array,
    order: Int32Array,
    board: Board,
    state: Int64Array,
) -> bool:
    """Decide one component after another until one is not decided by what it leads to.

    True when all are decided; else the component is ``order[state[START]:state[STOP]]``, and has
    undecided priorities of both parities. ``order`` has the components one after the other; the
    last position v of each component is written as ``~v``. ``kind[v]`` is parity · 2 + owner.
    """
    winner = board.winner
    n = len(winner)
    tail = spread(reverse, kind, board, state[HEAD], state[TAIL])
    i = state[STOP]
    mixed = False
    # Invariant: all positions of order[:i] are decided, and their predecessors have been updated.
    while i < n and not mixed:
        parities = 0
        j, end = i, False
        while not end:
            v = order[j]
            if v < 0:
                v, end = ~v, True
            if winner[v] < 0:
                parities |= 1 << (kind[v] >> 1)
            j += 1
        state[START], state[STOP] = i, j
        i = j
        mixed = parities == 3
        if parities and not mixed:
            head = tail
            tail = stay(moves, kind, order, board, state, tail)
            tail = spread(reverse, kind, board, head, tail)
    state[HEAD], state[TAIL] = tail, tail
    return not mixed


@kernel
def stay(
    moves: Moves,
    kind: Int8Array,
    order: Int32Array,
    board: Board,
    state: Int64Array,
    tail: int,
) -> int:
    """Decide the undecided positions of a component, all of one parity, for its player.

    It is enough that this player stays among them: they lead to no other undecided positions.
    Returns the new tail.
    """
    indptr, indices = moves.indptr, moves.indices
    winner, queue = board.winner, board.queue
    head, player = tail, 0
    for t in range(state[START], state[STOP]):
        v = order[t] if order[t] >= 0 else ~order[t]
        if winner[v] < 0:
            player = kind[v] >> 1
            queue[tail] = v
            tail += 1
            if (kind[v] & 1) == player:
                for k in range(indptr[v], indptr[v + 1]):
                    if winner[indices[k]] < 0:
                        board.strategy[v] = indices[k]
                        break
    for t in range(head, tail):
        winner[queue[t]] = player
    return tail
