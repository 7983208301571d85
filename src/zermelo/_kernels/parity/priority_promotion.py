"""Priority promotion for parity games: regions by level, promotion, recovery, dominions.

Levels number the priorities that occur from the highest (0) down; ``region[v]`` is the level whose
region holds v, SOLVED_REGION once v is solved. The positions of a region are a list; the levels
whose list is not empty wait (see ``waiting``).
"""

from typing import NamedTuple

from zermelo._kernels.graphs.ordered_set import Waiting, clear_waiting, next_waiting, set_waiting
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

CURRENT, PROCESSED, AGAIN, CLEAN, STEPS = range(5)
"""Slots of ``state``: the level to look at, the lowest one that has been processed, the one whose
attractor is to be computed again, the one from which on closed regions are looked for (all between
CURRENT and CLEAN are known to be open), and the steps of a call."""
PROMOTIONS, DOMINIONS, RESETS, SOLVED = range(5, 9)
"""Counters there."""
STATE_SIZE = 9

NONE = -1
"""In place of a position or of a level."""

SOLVED_REGION = -1
"""The region of a position that is solved; it is above all other regions."""

FIRST, LAST, SCAN = 0, 1, 2
"""The ends of a list, and the first position of it that may not be closed: ``ends[3 q + …]``."""

AFTER, BEFORE = 0, 1
"""The neighbours of a position in its list: ``links[2 v + …]``."""


class Regions(NamedTuple):
    """The game by positions and by levels, and what is known of it."""

    owner: Int8Array
    level: Int32Array
    """The level of the position's own priority."""
    parity: Int8Array
    """Of each level."""
    region: Int32Array
    strategy: Int32Array
    """A move that stays in the region, where its player moves and one is known, else −1."""
    winner: Int8Array


class Lists(NamedTuple):
    """A list of positions for each level. What is read together lies together in memory."""

    ends: Int32Array
    """Three entries a level: FIRST, LAST, SCAN."""
    links: Int32Array
    """Two entries a position: AFTER, BEFORE."""


@part
def append(lists: Lists, waiting: Waiting, v: int, q: int) -> None:
    """Put position v at the end of the list of level q."""
    ends, links = lists.ends, lists.links
    last = ends[3 * q + LAST]
    links[2 * v + AFTER] = NONE
    links[2 * v + BEFORE] = last
    ends[3 * q + LAST] = v
    if last >= 0:
        links[2 * last + AFTER] = v
    else:
        ends[3 * q + FIRST] = v
        set_waiting(waiting, q)
    if ends[3 * q + SCAN] < 0:
        ends[3 * q + SCAN] = v


@part
def unlink(lists: Lists, waiting: Waiting, v: int, q: int) -> None:
    """Take position v out of the list of level q."""
    ends, links = lists.ends, lists.links
    after, before = links[2 * v + AFTER], links[2 * v + BEFORE]
    if ends[3 * q + SCAN] == v:
        ends[3 * q + SCAN] = after
    if after >= 0:
        links[2 * after + BEFORE] = before
    else:
        ends[3 * q + LAST] = before
    if before >= 0:
        links[2 * before + AFTER] = after
    else:
        ends[3 * q + FIRST] = after
        if after < 0:
            clear_waiting(waiting, q)


@kernel
def attract(
    moves: Moves,
    reverse: Moves,
    regions: Regions,
    lists: Lists,
    waiting: Waiting,
    queue: Int32Array,
    tail: int,
    q: int,
    player: int,
) -> tuple[int, int]:
    """Draw positions of lower regions to level q, or to SOLVED_REGION.

    Requires the positions to start from, of region q, in ``queue[:tail]``. Returns the new end of
    the queue and the highest level that lost a position, the number of levels if there is none.

    This is an attractor of its own, since what it draws moves from one list to another, and since
    ``strategy`` has no room for the hints of ``attractor.attract``: here −1 has a meaning.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    owner, region, strategy = regions.owner, regions.region, regions.strategy
    head = 0
    lost = len(regions.parity)
    # Invariant: queue[:tail] are of region q, and what is drawn in one move to queue[:head] is.
    while head < tail:
        x = queue[head]
        head += 1
        for k in range(rev_indptr[x], rev_indptr[x + 1]):
            u = rev_indices[k]
            if region[u] <= q:
                continue
            drawn = True
            if owner[u] == player:
                strategy[u] = x
            else:
                for j in range(indptr[u], indptr[u + 1]):
                    if region[indices[j]] > q:
                        drawn = False
                        break
                if drawn:
                    strategy[u] = NONE
            if drawn:
                lost = min(lost, region[u])
                unlink(lists, waiting, u, region[u])
                region[u] = q
                if q >= 0:
                    append(lists, waiting, u, q)
                queue[tail] = u
                tail += 1
    return tail, lost


@kernel
def is_closed(moves: Moves, regions: Regions, lists: Lists, q: int, player: int) -> bool:
    """Whether region q is not left downwards: its player can stay, the opponent cannot go down.

    Gives its player's positions there a move that stays. What was closed stays closed as long as
    the region exists; so the list is read from SCAN on.
    """
    indptr, indices = moves.indptr, moves.indices
    owner, region, strategy = regions.owner, regions.region, regions.strategy
    v = lists.ends[3 * q + SCAN]
    while v >= 0:
        if owner[v] == player:
            closed = strategy[v] >= 0
            if not closed:
                for j in range(indptr[v], indptr[v + 1]):
                    if region[indices[j]] == q:
                        strategy[v] = indices[j]
                        closed = True
                        break
        else:
            closed = True
            for j in range(indptr[v], indptr[v + 1]):
                if region[indices[j]] > q:
                    closed = False
                    break
        if not closed:
            break
        v = lists.links[2 * v + AFTER]
    lists.ends[3 * q + SCAN] = v
    result: bool = v < 0
    return result


@kernel
def escape(moves: Moves, regions: Regions, lists: Lists, q: int, player: int) -> int:
    """The level of the lowest region above q to which the opponent can go from q, or −1."""
    indptr, indices = moves.indptr, moves.indices
    best = NONE
    v = lists.ends[3 * q + FIRST]
    while v >= 0:
        if regions.owner[v] != player:
            for j in range(indptr[v], indptr[v + 1]):
                r = regions.region[indices[j]]
                if best < r < q:
                    best = r
        v = lists.links[2 * v + AFTER]
    return best


@kernel
def reset(regions: Regions, lists: Lists, waiting: Waiting, top: int, bottom: int) -> int:
    """Send the positions of the regions from ``top`` down to ``bottom`` back to their own levels.

    Returns how many there were.
    """
    level, region, strategy = regions.level, regions.region, regions.strategy
    ends, links = lists.ends, lists.links
    count = 0
    q = next_waiting(waiting, top)
    while 0 <= q <= bottom:
        v = ends[3 * q + FIRST]
        while v >= 0:
            after = links[2 * v + AFTER]
            strategy[v] = NONE
            count += 1
            if level[v] != q:
                unlink(lists, waiting, v, q)
                region[v] = level[v]
                append(lists, waiting, v, level[v])
            v = after
        ends[3 * q + SCAN] = ends[3 * q + FIRST]
        q = next_waiting(waiting, q + 1)
    return count


@kernel
def hurt(
    moves: Moves,
    reverse: Moves,
    regions: Regions,
    queue: Int32Array,
    tail: int,
    q: int,
    processed: int,
) -> tuple[int, int]:
    """Find the regions below q that change because ``queue[:tail]`` has gone to level q.

    Returns the highest level that is no region any more or draws more than before, and the highest
    level that has a move into the queue; the number of levels if there is none.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    region, strategy = regions.region, regions.strategy
    broken = touched = len(regions.parity)
    for i in range(tail):
        x = queue[i]
        for k in range(rev_indptr[x], rev_indptr[x + 1]):
            y = rev_indices[k]
            r = region[y]
            if r <= q:
                continue
            # Below the processed levels no position has a strategy, and ``clean`` is not beyond
            # them, so what is touched there changes nothing.
            touched = min(touched, r)
            # y belongs to the opponent, otherwise it would have been drawn.
            if strategy[y] >= 0 and region[strategy[y]] == q:
                broken = min(broken, r)
            lowest = NONE
            for j in range(indptr[y], indptr[y + 1]):
                lowest = max(lowest, region[indices[j]])
            if lowest < r and lowest <= processed:
                broken = min(broken, lowest)
    return broken, touched


@kernel
def promote(
    moves: Moves,
    reverse: Moves,
    regions: Regions,
    lists: Lists,
    waiting: Waiting,
    queue: Int32Array,
    state: Int64Array,
    budget: int,
) -> bool:
    """Solve (True), or stop after about ``budget`` steps (False; the next call continues).

    Requires every position in the list of its own level, ``region`` = ``level``, ``strategy`` −1,
    and ``state`` = 0, −1, −1, 1 and zeros. Fills ``winner`` and ``strategy``.
    """
    state[STEPS] = 0
    # Invariant: levels up to PROCESSED hold regions, each with all that it draws from below, none
    # of them closed but perhaps CURRENT and those from CLEAN on. If a region is AGAIN, it is the
    # lowest processed one, and may draw more.
    while state[CURRENT] >= 0 and state[STEPS] < budget:
        q = state[CURRENT]
        player = regions.parity[q]
        state[STEPS] += 1
        if q > state[PROCESSED] or q == state[AGAIN]:
            tail = list_region(lists, queue, q)
            tail, _ = attract(moves, reverse, regions, lists, waiting, queue, tail, q, player)
            state[STEPS] += tail
            state[PROCESSED], state[AGAIN] = q, NONE
        if not is_closed(moves, regions, lists, q, player):
            go_on(waiting, state)
            continue
        target = escape(moves, regions, lists, q, player)
        tail, lost = merge(moves, reverse, regions, lists, waiting, queue, q, target)
        state[STEPS] += tail
        if target < 0:
            state[DOMINIONS] += 1
            state[SOLVED] += tail
            for i in range(tail):
                regions.winner[queue[i]] = player
        else:
            state[PROMOTIONS] += 1
        processed = state[PROCESSED]
        broken, touched = hurt(moves, reverse, regions, queue, tail, target, processed)
        if broken < len(regions.parity):
            undo(regions, lists, waiting, state, broken, player)
        state[CLEAN] = min(state[CLEAN], broken, touched, lost)
        if target >= 0:
            state[CURRENT] = target
        else:
            go_on(waiting, state)
    done: bool = state[CURRENT] < 0
    return done


@kernel
def go_on(waiting: Waiting, state: Int64Array) -> None:
    """Make the next level that may be closed the current one, −1 if there is none."""
    q = next_waiting(waiting, state[CLEAN])
    state[CURRENT], state[CLEAN] = q, q + 1


@kernel
def list_region(lists: Lists, queue: Int32Array, q: int) -> int:
    """Fill the queue with the positions of level q; return how many there are."""
    tail = 0
    v = lists.ends[3 * q + FIRST]
    while v >= 0:
        queue[tail] = v
        tail += 1
        v = lists.links[2 * v + AFTER]
    return tail


@kernel
def merge(
    moves: Moves,
    reverse: Moves,
    regions: Regions,
    lists: Lists,
    waiting: Waiting,
    queue: Int32Array,
    q: int,
    target: int,
) -> tuple[int, int]:
    """Move region q to a higher one, or to SOLVED_REGION, with what is drawn there.

    Returns what ``attract`` does; the queue has all that is moved.
    """
    tail = list_region(lists, queue, q)
    for i in range(tail):
        v = queue[i]
        unlink(lists, waiting, v, q)
        regions.region[v] = target
        if target >= 0:
            append(lists, waiting, v, target)
    player = regions.parity[q]
    return attract(moves, reverse, regions, lists, waiting, queue, tail, target, player)


@kernel
def undo(
    regions: Regions, lists: Lists, waiting: Waiting, state: Int64Array, broken: int, player: int
) -> None:
    """Undo the regions from the broken level down.

    A broken region of the same player stays, but it may draw more.
    """
    top = broken
    state[AGAIN] = NONE
    if regions.parity[broken] == player:
        top += 1
        state[AGAIN] = broken
    count = reset(regions, lists, waiting, top, state[PROCESSED])
    state[RESETS] += count
    state[STEPS] += count
    state[PROCESSED] = top - 1
