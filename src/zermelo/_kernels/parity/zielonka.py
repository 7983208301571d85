"""Zielonka's recursive algorithm without recursion, in place.

**The recursion.** The subgame of a level is what the levels above have not claimed. Its player is
the parity of its highest priority; the level claims the attractor of the top positions, the rest is
the subgame of the next level. When that is solved and the opponent wins nothing in it, the player
wins all of the subgame. Otherwise the opponent also takes what it can force into the part that it
wins; of the rest, what depends on that is freed, everything else stays the player's
(:mod:`zermelo._kernels.parity.zielonka_repair`), and the level goes on with the free positions.

**Numbers.** Every level that is opened gets a larger number than all before, and the status of a
position has the number of the level that claimed it (see :mod:`zermelo._kernels.graphs.attractor`).
So "in the subgame of this level" is always one comparison; the player who wins the position there
is a bit of the same status; and a level that has been repaired need not touch what stays as it was.

**The trail** holds the claimed positions in order: from where a level begins on, it is the level's
subgame once all levels below have claimed theirs. A position that is freed and claimed again stands
there twice; only the last place counts, and when the trail is full the others are dropped.

**Candidates.** One list holds the positions that may still be free by falling priority. A level
that goes on makes a new list of what it has freed, which is never longer: no other level will ever
need the old one. A run of priorities of one parity is taken at once.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED, FREE, LEVEL_SHIFT, MARK, Claims, attract
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.parity.ranks import Ranks, sort_by_rank
from zermelo._kernels.parity.zielonka_repair import (
    AHEAD,
    Lists,
    regain,
    release,
    take,
    taken_from_above,
    taken_from_below,
)
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array

LEVEL, PLACE, COUNT, TAIL, NUMBER, SPENT, BUDGET, RESTARTS, CLAIMS = range(9)
"""Slots of ``state``: the level to open next; the first candidate to look at and how many there
are; where the trail ends; the largest number of a level; the steps of this call and how many it may
take; the repaired levels and the steps of all calls."""
STATE_SIZE = 9

TRAIL = 2
"""How many times as long as the list of positions the trail may get."""

SPARSE = 16
"""A subgame is sorted by itself if it has less than one in this many of the positions of its
priorities."""


class Levels(NamedTuple):
    """What is known of each level: arrays with an entry for each priority and for two more."""

    start: Int32Array
    """Where the claims of the level begin on the trail."""
    end: Int32Array
    """Where the claims of the level itself end on the trail, and those of the next level begin."""
    number: Int32Array
    player: Int32Array
    won: Int32Array
    """A bit for each player who wins something in the subgame of the level."""
    top: Int32Array
    """The number of higher priorities than that of the top positions."""


@kernel
def zielonka(
    moves: Moves,
    reverse: Moves,
    ranks: Ranks,
    claims: Claims,
    lists: Lists,
    levels: Levels,
    state: Int64Array,
) -> bool:
    """Solve the total parity game of the free positions; False when the budget is used up first.

    The candidates are all positions by falling priority at first, and the trail has TRAIL · n
    entries. ``state`` starts with level 1 and as many candidates as positions, all else 0, and lets
    a call go on where the last one stopped. Claims start as ``start_attracting`` leaves them; in
    the end the status of a position has its winner, and ``strategy`` a winning move where the owner
    wins. ``state[BUDGET]`` bounds the positions claimed and freed, up to what one step takes.
    """
    state[SPENT] = 0
    solved = False
    # Invariant: levels 1 … state[LEVEL] - 1 are open, their claims on the trail; the free
    # positions, all among candidates[state[PLACE]:state[COUNT]], are the subgame of this level
    # without what is decided there.
    while not solved and state[SPENT] < state[BUDGET]:
        if find_free(claims, lists, state):
            open_level(moves, reverse, ranks, claims, lists, levels, state)
        else:  # this level has no subgame left, what is decided there is all
            taken = close_levels(moves, reverse, claims, lists, levels, state)
            solved = taken == 0
            if not solved:
                repair_level(moves, reverse, ranks, claims, lists, levels, state, taken)
    state[CLAIMS] += state[SPENT]
    return solved


@kernel
def find_free(claims: Claims, lists: Lists, state: Int64Array) -> bool:
    """Go on to the first candidate that is free; False if there is none."""
    status, candidates = claims.status, lists.candidates
    far = len(status) > CACHED
    i, count = state[PLACE], state[COUNT]
    while i < count and status[candidates[i]] < FREE:
        if far and i + AHEAD < count:
            prefetch(status, candidates[i + AHEAD])
        i += 1
    state[SPENT] += i - state[PLACE]
    state[PLACE] = i
    is_free: bool = i < count
    return is_free


@kernel
def open_level(
    moves: Moves,
    reverse: Moves,
    ranks: Ranks,
    claims: Claims,
    lists: Lists,
    levels: Levels,
    state: Int64Array,
) -> None:
    """Claim the run of top positions that begins at the first candidate, and its attractor."""
    rank, status, candidates = ranks.rank, claims.status, lists.candidates
    level, i, count, tail = state[LEVEL], state[PLACE], state[COUNT], state[TAIL]
    if tail + count - i > len(lists.trail) or state[NUMBER] + 2 >= FREE >> LEVEL_SHIFT:
        state[SPENT] += tail
        tail = tidy(claims, lists, levels, level - 1, tail)
        state[NUMBER] = level - 1
    number = state[NUMBER] + 1
    r = rank[candidates[i]]
    player = r & 1
    levels.start[level] = tail
    levels.number[level] = number
    levels.player[level] = player
    levels.top[level] = r >> 1
    far = len(status) > CACHED
    code = number << LEVEL_SHIFT | player << 1
    # Invariant: the run so far is on the trail with its attractor, and no position of the subgame
    # before candidate i has the other parity.
    going = True
    while going:
        head = tail
        i, tail = claim_tops(moves, ranks, claims, lists, i, count, tail, r, code)
        tail = attract(moves, reverse, claims, lists.trail, head, tail, FREE, code)
        going = False
        while i < count:
            if far and i + AHEAD < count:
                prefetch(status, candidates[i + AHEAD])
                prefetch(rank, candidates[i + AHEAD])
            v = candidates[i]
            if status[v] >= FREE or status[v] >> LEVEL_SHIFT == number:
                r = rank[v]
                if (r & 1) != player:
                    break
                if status[v] >= FREE:
                    going = True
                    break
            i += 1
    state[SPENT] += tail - levels.start[level] + i - state[PLACE]
    state[PLACE], state[TAIL], state[NUMBER] = i, tail, number
    levels.end[level] = tail
    start_level(levels, state, level + 1)


@kernel
def start_level(levels: Levels, state: Int64Array, level: int) -> None:
    """Make a level the one to open next; nobody has won anything of it yet."""
    state[LEVEL] = level
    levels.won[level] = 0


@kernel
def claim_tops(
    moves: Moves,
    ranks: Ranks,
    claims: Claims,
    lists: Lists,
    i: int,
    count: int,
    tail: int,
    r: int,
    code: int,
) -> tuple[int, int]:
    """Claim the free candidates from i on of rank r; returns the next candidate and the new tail.

    Where the player moves, they get a move that stays in the subgame.
    """
    indptr, indices = moves.indptr, moves.indices
    rank, candidates, trail = ranks.rank, lists.candidates, lists.trail
    status, strategy = claims.status, claims.strategy
    far = len(status) > CACHED
    player, number = (code >> 1) & 1, code >> LEVEL_SHIFT
    within = number << LEVEL_SHIFT
    while i < count:
        if far and i + AHEAD < count:
            prefetch(status, candidates[i + AHEAD])
            prefetch(rank, candidates[i + AHEAD])
        v = candidates[i]
        x = status[v]
        if x >> LEVEL_SHIFT >= number and rank[v] != r:
            break
        if x >= FREE:
            status[v] = code | MARK | (x & 1)
            trail[tail] = v
            tail += 1
            if (x & 1) == player and status[strategy[v]] < within:
                for k in range(indptr[v], indptr[v + 1]):
                    w = indices[k]
                    if status[w] >= within:
                        strategy[v] = w
                        break
        i += 1
    return i, tail


@kernel
def close_levels(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    lists: Lists,
    levels: Levels,
    state: Int64Array,
) -> int:
    """Close levels, the lowest first, up to one in whose claims the opponent takes something.

    Returns how many positions it takes there at once, listed in ``lists.candidates``, and makes
    that level ``state[LEVEL]``; 0 when all levels are closed and the game is solved.
    """
    level, tail = state[LEVEL], state[TAIL]
    taken = 0
    while level > 1 and taken == 0:
        won = levels.won[level]
        level -= 1
        player = levels.player[level]
        if (won >> (1 - player)) & 1:
            start, end, number = levels.start[level], levels.end[level], levels.number[level]
            state[SPENT] += min(end - start, tail - end)
            if end - start <= tail - end:
                taken = taken_from_above(moves, claims, lists, start, end, number, player)
            else:
                taken = taken_from_below(moves, reverse, claims, lists, end, tail, number, player)
            levels.won[level] |= 1 << (1 - player)
        if taken == 0:
            levels.won[level] |= 1 << player
    state[LEVEL] = level
    return taken


@kernel
def repair_level(
    moves: Moves,
    reverse: Moves,
    ranks: Ranks,
    claims: Claims,
    lists: Lists,
    levels: Levels,
    state: Int64Array,
    taken: int,
) -> None:
    """Give the opponent what it takes of this level, and list the positions that are free again."""
    status, listed, trail = claims.status, lists.candidates, lists.trail
    level, tail = state[LEVEL], state[TAIL]
    number, player = levels.number[level], levels.player[level]
    taken = take(moves, reverse, claims, lists, taken, number, player)
    freed = release(reverse, claims, lists, taken, number, player)
    levels.end[level] = tail
    if tail + freed > len(trail):
        state[SPENT] += tail
        tail = tidy(claims, lists, levels, level, tail)
        state[NUMBER] = level
    head = tail
    code = levels.number[level] << LEVEL_SHIFT | player << 1
    tail = regain(moves, claims, lists, taken, freed, head, code)
    tail = attract(moves, reverse, claims, trail, head, tail, FREE, code)
    levels.end[level] = tail
    state[SPENT] += taken + freed
    state[RESTARTS] += 1
    count = 0
    for i in range(taken, taken + freed):
        v = listed[i]
        if status[v] >= FREE:
            trail[tail + count] = v
            count += 1
    if count:
        state[SPENT] += list_candidates(ranks, claims, lists, levels.top[level], tail, count)
    state[PLACE], state[COUNT], state[TAIL] = 0, count, tail
    start_level(levels, state, level + 1)


@kernel
def tidy(claims: Claims, lists: Lists, levels: Levels, last: int, tail: int) -> int:
    """Drop all but the last place of each position from the trail; returns the new tail.

    The open levels 1 … last get the numbers 1 … last. Requires that no level below ``last`` is open
    or solved.
    """
    status, trail = claims.status, lists.trail
    for i in range(tail - 1, -1, -1):
        v = trail[i]
        if status[v] < 0 or status[v] >= FREE:
            trail[i] = ~v
        else:
            status[v] = ~status[v]
    filled = i = 0
    # Invariant: the levels before this one lie in trail[:filled], without what counts no more.
    for level in range(1, last + 1):
        end = levels.end[level]
        levels.start[level] = filled
        while i < end:
            v = trail[i]
            i += 1
            if v >= 0:
                x = ~status[v]
                mark = MARK if x >> LEVEL_SHIFT == levels.number[level] else 0
                status[v] = level << LEVEL_SHIFT | (x & mark) | (x & 3)
                trail[filled] = v
                filled += 1
        levels.end[level] = filled
        levels.number[level] = level
    return filled


@kernel
def list_candidates(
    ranks: Ranks, claims: Claims, lists: Lists, top: int, start: int, count: int
) -> int:
    """List the free positions ``trail[start:start + count]`` by falling priority as candidates.

    None has a number below ``top``. Overwrites this part of the trail. Returns the steps it took.
    """
    rank, order = ranks.rank, ranks.order
    status, candidates, trail = claims.status, lists.candidates, lists.trail
    n = len(status)
    first = ranks.first[top]
    if n - first <= SPARSE * count:
        filled = 0
        for i in range(first, n):
            if i + AHEAD < n:
                prefetch(status, order[i + AHEAD])
            v = order[i]
            if status[v] >= FREE:
                candidates[filled] = v
                filled += 1
                if filled == count:
                    return int(i - first)
        return int(n - first)
    if count <= 24:
        for i in range(count):
            v = trail[start + i]
            r = rank[v]
            j = i
            while j > 0 and rank[candidates[j - 1]] > r:
                candidates[j] = candidates[j - 1]
                j -= 1
            candidates[j] = v
        return count
    sort_by_rank(ranks, top, trail, start, candidates, 0, count)
    return 4 * count
