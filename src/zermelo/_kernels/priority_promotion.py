"""Priority promotion for parity games: regions by level, promotion, recovery, dominions.

Levels number the priorities that there are from the highest (0) down; ``region[v]`` is the level
whose region holds v, −1 once v is solved. The positions of a region are a list: ``first``,
``last`` and ``scan`` of level q are ``ends[3 q]``, ``ends[3 q + 1]`` and ``ends[3 q + 2]``, and
``links[2 v]``, ``links[2 v + 1]`` lead to the positions after and before v. The levels whose list
is not empty are the bits of a tree of words (see ``waiting``).
"""

from zermelo._kernels.waiting import clear_waiting, next_waiting, set_waiting
from zermelo._runtime.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

# Slots of the ``state`` array: the level to look at, the lowest one that has been processed, the
# one whose attractor is to be computed again; all between CURRENT and CLEAN is as it should be.
CURRENT, PROCESSED, AGAIN, CLEAN = 0, 1, 2, 3
# Counters there.
PROMOTIONS, DOMINIONS, RESETS, SOLVED = 4, 5, 6, 7
STATE_SIZE = 8


@kernel
def append(
    ends: Int32Array, links: Int32Array, bits: Int64Array, level_at: Int64Array, v: int, q: int
) -> None:
    """Put position v at the end of the list of level q."""
    last = ends[3 * q + 1]
    links[2 * v] = -1
    links[2 * v + 1] = last
    ends[3 * q + 1] = v
    if last >= 0:
        links[2 * last] = v
    else:
        ends[3 * q] = v
        set_waiting(bits, level_at, q)
    if ends[3 * q + 2] < 0:
        ends[3 * q + 2] = v


@kernel
def unlink(
    ends: Int32Array, links: Int32Array, bits: Int64Array, level_at: Int64Array, v: int, q: int
) -> None:
    """Take position v out of the list of level q."""
    after, before = links[2 * v], links[2 * v + 1]
    if ends[3 * q + 2] == v:
        ends[3 * q + 2] = after
    if after >= 0:
        links[2 * after + 1] = before
    else:
        ends[3 * q + 1] = before
    if before >= 0:
        links[2 * before] = after
    else:
        ends[3 * q] = after
        if after < 0:
            clear_waiting(bits, level_at, q)


@kernel
def attract(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    owner: Int8Array,
    region: Int32Array,
    strategy: Int32Array,
    ends: Int32Array,
    links: Int32Array,
    bits: Int64Array,
    level_at: Int64Array,
    queue: Int32Array,
    tail: int,
    q: int,
    player: int,
    levels: int,
) -> tuple[int, int]:
    """Draw positions of lower regions to level q (−1: solved).

    Requires the positions to start from, of region q, in ``queue[:tail]``. Returns the new end of
    the queue and the highest level that lost a position, ``levels`` if there is none.
    """
    head = 0
    lost = levels
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
                    strategy[u] = -1
            if drawn:
                lost = min(lost, region[u])
                unlink(ends, links, bits, level_at, u, region[u])
                region[u] = q
                if q >= 0:
                    append(ends, links, bits, level_at, u, q)
                queue[tail] = u
                tail += 1
    return tail, lost


@kernel
def is_closed(
    indptr: Int64Array,
    indices: Int32Array,
    owner: Int8Array,
    region: Int32Array,
    strategy: Int32Array,
    ends: Int32Array,
    links: Int32Array,
    q: int,
    player: int,
) -> bool:
    """Whether nobody leaves region q downwards: its player need not, the opponent cannot.

    Gives its player's positions there a move that stays. What was closed stays so as long as the
    region exists: the list is read on from ``scan``.
    """
    v = ends[3 * q + 2]
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
        v = links[2 * v]
    ends[3 * q + 2] = v
    result: bool = v < 0
    return result


@kernel
def escape(
    indptr: Int64Array,
    indices: Int32Array,
    owner: Int8Array,
    region: Int32Array,
    ends: Int32Array,
    links: Int32Array,
    q: int,
    player: int,
) -> int:
    """The level of the lowest region above q that the opponent can go to from there, or −1."""
    best = -1
    v = ends[3 * q]
    while v >= 0:
        if owner[v] != player:
            for j in range(indptr[v], indptr[v + 1]):
                r = region[indices[j]]
                if best < r < q:
                    best = r
        v = links[2 * v]
    return best


@kernel
def reset(
    level: Int32Array,
    region: Int32Array,
    strategy: Int32Array,
    ends: Int32Array,
    links: Int32Array,
    bits: Int64Array,
    level_at: Int64Array,
    top: int,
    bottom: int,
) -> int:
    """Send the positions of the regions from ``top`` down to ``bottom`` back to their own levels.

    Returns how many there were.
    """
    count = 0
    q = next_waiting(bits, level_at, top)
    while 0 <= q <= bottom:
        v = ends[3 * q]
        while v >= 0:
            after = links[2 * v]
            strategy[v] = -1
            count += 1
            if level[v] != q:
                unlink(ends, links, bits, level_at, v, q)
                region[v] = level[v]
                append(ends, links, bits, level_at, v, level[v])
            v = after
        ends[3 * q + 2] = ends[3 * q]
        q = next_waiting(bits, level_at, q + 1)
    return count


@kernel
def hurt(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    region: Int32Array,
    strategy: Int32Array,
    queue: Int32Array,
    tail: int,
    q: int,
    processed: int,
    levels: int,
) -> tuple[int, int]:
    """What the loss of ``queue[:tail]``, gone to level q, does to the processed regions below q.

    Returns the highest level that is no region any more or draws more than it did, and the
    highest level that has a move into the queue; the number of levels where there is none.
    """
    broken = touched = levels
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
            # y is the opponent's, or it would have been drawn.
            if strategy[y] >= 0 and region[strategy[y]] == q:
                broken = min(broken, r)
            lowest = -1
            for j in range(indptr[y], indptr[y + 1]):
                lowest = max(lowest, region[indices[j]])
            if lowest < r and lowest <= processed:
                broken = min(broken, lowest)
    return broken, touched


@kernel
def promote(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    owner: Int8Array,
    level: Int32Array,
    parity: Int8Array,
    region: Int32Array,
    strategy: Int32Array,
    winner: Int8Array,
    ends: Int32Array,
    links: Int32Array,
    bits: Int64Array,
    level_at: Int64Array,
    queue: Int32Array,
    state: Int64Array,
    budget: int,
) -> bool:
    """Solve (True), or stop after about ``budget`` steps (False; call it again to go on).

    Requires every position in the list of its own level, ``region`` = ``level``, ``strategy`` −1,
    and ``state`` = 0, −1, −1, 1 and zeros. Fills ``winner`` and ``strategy``.
    """
    levels = len(parity)
    q, processed, again, clean = state[CURRENT], state[PROCESSED], state[AGAIN], state[CLEAN]
    work = 0
    # Invariant: levels up to ``processed`` hold regions, each with all that it draws from below,
    # none of them closed but perhaps q and those from ``clean`` on. If a region is ``again``, it
    # is the lowest processed one, and may draw more.
    while q >= 0 and work < budget:
        player = parity[q]
        work += 1
        if q > processed or q == again:
            tail = 0
            v = ends[3 * q]
            while v >= 0:
                queue[tail] = v
                tail += 1
                v = links[2 * v]
            tail, lost = attract(
                indptr, indices, rev_indptr, rev_indices, owner, region, strategy,
                ends, links, bits, level_at, queue, tail, q, player, levels,
            )  # fmt: skip
            work += tail
            processed, again = q, -1
        if not is_closed(indptr, indices, owner, region, strategy, ends, links, q, player):
            q = next_waiting(bits, level_at, clean)
            clean = q + 1
            continue
        target = escape(indptr, indices, owner, region, ends, links, q, player)
        tail = 0
        v = ends[3 * q]
        while v >= 0:
            after = links[2 * v]
            unlink(ends, links, bits, level_at, v, q)
            region[v] = target
            if target >= 0:
                append(ends, links, bits, level_at, v, target)
            queue[tail] = v
            tail += 1
            v = after
        tail, lost = attract(
            indptr, indices, rev_indptr, rev_indices, owner, region, strategy,
            ends, links, bits, level_at, queue, tail, target, player, levels,
        )  # fmt: skip
        work += tail
        if target < 0:
            state[DOMINIONS] += 1
            state[SOLVED] += tail
            for i in range(tail):
                winner[queue[i]] = player
        else:
            state[PROMOTIONS] += 1
        broken, touched = hurt(
            indptr, indices, rev_indptr, rev_indices, region, strategy,
            queue, tail, target, processed, levels,
        )  # fmt: skip
        if broken < levels:
            top = broken
            again = -1
            if parity[broken] == player:  # still a region, which may draw more
                top += 1
                again = broken
            count = reset(level, region, strategy, ends, links, bits, level_at, top, processed)
            state[RESETS] += count
            work += count
            processed = top - 1
        clean = min(clean, broken, touched, lost)
        if target >= 0:
            q = target
        else:
            q = next_waiting(bits, level_at, clean)
            clean = q + 1
    state[CURRENT], state[PROCESSED], state[AGAIN], state[CLEAN] = q, processed, again, clean
    done: bool = q < 0
    return done
