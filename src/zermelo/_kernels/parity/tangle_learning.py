"""Tangle learning for parity games: regions by falling priority, drawn with all tangles known.

Region k = 1, 2, … has the free positions of the highest priority left, its *tops*, and what their
player draws to them, among free positions. When none is free, a round ends: the tangles found in
its regions become known, those without an escape are solved. The next round keeps the regions that
are the same. The records are those of :mod:`zermelo._kernels.parity.tangles`; all free positions
wait by their places (see ``waiting``), and perhaps some that are not free any more.
"""

from zermelo._kernels.graphs.attractor import FREE, LEVEL_SHIFT, Claims
from zermelo._kernels.graphs.ordered_set import Waiting, clear_waiting, next_waiting, set_waiting
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.parity.tangles import (
    HEADER,
    HINT,
    NO_TANGLES,
    NOWHERE,
    PLAYER,
    SEEN,
    UNSOLVED,
    Regions,
    Search,
    Tangles,
    attract_tangles,
    escapes_of,
    extract,
    join,
    target_of,
)
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array

PHASE, COUNT, TAIL, SIZE, PENDING, SPENT, BUDGET, FULL = range(8)
"""Slots of ``state``: what to do next, how many regions there are, where the trail and the store
end, where the tangles of this round begin in the store, the steps of a call and how many it may
take, and whether the store was too small."""
SOLVED, TANGLES, DOMINIONS, ROUNDS, STEPS = range(8, 13)
"""Counters there."""
STATE_SIZE = 13

FORM, JOIN, EXTRACT, SETTLE, DONE = 0, 1, 2, 3, 4
"""What to do next: form a region, let the last one draw the new tangles, find tangles in it, end
the round, nothing."""


@kernel
def learn(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    regions: Regions,
    tangles: Tangles,
    search: Search,
    waiting: Waiting,
    state: Int64Array,
) -> bool:
    """Solve the total parity game; False when the budget is used up or the store full first.

    Claims start as ``start_attracting`` leaves them, ``state`` with zeros, all positions wait;
    regions are NOWHERE, entries −1, numbers of the search 0. In the end the status of a position
    has its winner and ``strategy`` a winning move where the owner wins. ``state[BUDGET]`` bounds
    the positions claimed and freed, up to what one step takes.
    """
    state[SPENT] = 0
    # Invariant: regions 1 … state[COUNT], in that order on the trail, are what their players draw
    # to their tops with all tangles before ``PENDING``; those of this round are from there on. In
    # phase JOIN the last region may draw more, in phase EXTRACT its tangles are not stored yet.
    while state[PHASE] != DONE and state[SPENT] < state[BUDGET]:
        phase, begin = state[PHASE], state[TAIL]
        if phase == FORM:
            code = claim_tops(claims, regions, waiting, state)
            state[PHASE] = SETTLE
            if code:
                draw(moves, reverse, claims, regions, tangles, state, begin, code)
        elif phase == JOIN:
            code = join_new(claims, regions, tangles, state)
            draw(moves, reverse, claims, regions, tangles, state, begin, code)
        elif phase == EXTRACT:
            start = regions.start[state[COUNT]]
            size = extract(
                moves, claims, regions, search, tangles.store, state[SIZE], start, state[TAIL]
            )
            if size < 0:
                state[FULL] = 1
                break
            state[SIZE] = size
            state[PHASE] = FORM
        else:
            draws, hurt = settle(moves, reverse, claims, regions, tangles, search, state)
            start_round(claims, regions, waiting, state, draws, hurt)
    state[STEPS] += state[SPENT]
    done: bool = state[PHASE] == DONE
    return done


@kernel
def claim_tops(claims: Claims, regions: Regions, waiting: Waiting, state: Int64Array) -> int:
    """Begin a region with the free positions of the highest priority; its code, 0 if none is free.

    The code is an argument of ``attract``.
    """
    status, trail = claims.status, regions.trail
    rank, order = regions.rank, regions.order
    k, tail = state[COUNT] + 1, state[TAIL]
    code, r, spent = 0, -1, 0
    i = next_waiting(waiting, 0)
    while i >= 0:
        v = order[i]
        if status[v] >= FREE:
            if r < 0:
                r = rank[v]
                code = k << LEVEL_SHIFT | (r & 1) << 1
                regions.start[k] = tail
                state[COUNT] = k
            elif rank[v] != r:
                break
            status[v] = code | (status[v] & 1)
            trail[tail] = v
            tail += 1
        clear_waiting(waiting, i)
        i = next_waiting(waiting, i)
        spent += 1
    state[TAIL] = tail
    state[SPENT] += spent
    return code


@kernel
def join_new(claims: Claims, regions: Regions, tangles: Tangles, state: Int64Array) -> int:
    """Let the last region draw the tangles of the last round; returns its code for ``attract``."""
    store, tail = tangles.store, state[TAIL]
    code = claims.status[regions.trail[regions.start[state[COUNT]]]] & ~1
    t = state[PENDING]
    while t < state[SIZE]:
        first, after = escapes_of(store, t)
        if first < after and store[t + PLAYER] == (code >> 1) & 1:
            tail = join(claims, store, t, regions.trail, tail, FREE, code, state[ROUNDS])
        t = after
    state[PENDING] = state[SIZE]
    state[TAIL] = tail
    return int(code)


@kernel
def draw(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    regions: Regions,
    tangles: Tangles,
    state: Int64Array,
    begin: int,
    code: int,
) -> None:
    """Give the last region all that its player draws to ``trail[begin:state[TAIL]]``."""
    trail, region = regions.trail, regions.region
    now = state[ROUNDS] if state[TANGLES] else NO_TANGLES
    span = begin, state[TAIL]
    tail = attract_tangles(moves, reverse, claims, tangles, trail, span, FREE, code, now)
    for i in range(begin, tail):
        region[trail[i]] = state[COUNT]
    state[SPENT] += tail - begin
    state[TAIL] = tail
    state[PHASE] = EXTRACT


@kernel
def settle(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    regions: Regions,
    tangles: Tangles,
    search: Search,
    state: Int64Array,
) -> tuple[int, int]:
    """End a round: make its tangles known, solve those without an escape and what is drawn there.

    Returns the highest region that draws a new tangle, and the highest that must be formed again.
    """
    store, entry = tangles.store, tangles.entry
    status, queue = claims.status, search.stack
    size = state[SIZE]
    state[ROUNDS] += 1
    t = state[PENDING]
    while t < size:
        first, after = escapes_of(store, t)
        state[DOMINIONS if first == after else TANGLES] += 1
        for e in range(first, after, 3):
            store[e + 2] = entry[store[e]]
            entry[store[e]] = e
        t = after
    hurt = draws = NOWHERE
    now = state[ROUNDS] if state[TANGLES] else NO_TANGLES
    for player in range(2):
        tail = 0
        t = state[PENDING]
        while t < size:
            first, after = escapes_of(store, t)
            if first == after and store[t + PLAYER] == player:
                for i in range(t + HEADER, first, 2):
                    v = store[i]
                    status[v] = player << 1 | (status[v] & 1)
                    queue[tail] = v
                    tail += 1
            t = after
        if tail > 0:
            span = 0, tail
            tail = attract_tangles(
                moves, reverse, claims, tangles, queue, span, UNSOLVED, player << 1, now
            )
            state[SOLVED] += tail
            lost = highest_hurt(moves, reverse, status, regions, tangles, search, tail, now)
            hurt = min(hurt, lost)
    t = state[PENDING]
    while t < size:
        target = target_of(status, regions.region, store, t)
        if target > 0:
            draws = min(draws, target)
        _, t = escapes_of(store, t)
    return draws, hurt


@kernel
def highest_hurt(
    moves: Moves,
    reverse: Moves,
    status: Int32Array,
    regions: Regions,
    tangles: Tangles,
    search: Search,
    tail: int,
    now: int,
) -> int:
    """The highest region that is another one now that ``queue[:tail]`` is solved.

    The queue is the stack of the search. Such a region has lost a position, leaks less, or draws
    more since moves or escapes are gone.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    region, rank, trail = regions.region, regions.rank, regions.trail
    number, queue, listed = search.number, search.stack, search.path
    store = tangles.store
    player = (status[queue[0]] >> 1) & 1
    hurt: int = NOWHERE
    for i in range(tail):
        hurt = min(hurt, region[queue[i]])
        if hurt == 1:
            return hurt
    count = 0
    for i in range(tail):
        v = queue[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if status[u] < UNSOLVED or number[u] != 0:
                continue
            number[u] = -1
            listed[count] = u
            count += 1
            lowest = 0
            for j in range(indptr[u], indptr[u + 1]):
                if status[indices[j]] >= UNSOLVED:
                    lowest = max(lowest, region[indices[j]])
            r = region[u]
            top = rank[trail[regions.start[r]]]
            if lowest < r or (rank[u] == top and (top & 1) == player):
                hurt = min(hurt, lowest, r)
        e = tangles.entry[v]
        while e >= 0:
            t = store[e + 1]
            if store[t + SEEN] != now:
                store[t + SEEN] = now
                hurt = min(hurt, gains(status, region, store, t))
            e = store[e + 2]
    for i in range(count):
        number[listed[i]] = 0
    return hurt


@kernel
def gains(status: Int32Array, region: Int32Array, store: Int32Array, t: int) -> int:
    """The region that draws tangle t after it has lost escapes and did not before, or NOWHERE."""
    target = target_of(status, region, store, t)
    first, _ = escapes_of(store, t)
    gained = NOWHERE
    for i in range(t + HEADER, first, 2):
        v = store[i]
        if status[v] < UNSOLVED or region[v] < target:
            return NOWHERE
        if region[v] > target:
            gained = target
    return gained


@kernel
def start_round(
    claims: Claims, regions: Regions, waiting: Waiting, state: Int64Array, draws: int, hurt: int
) -> None:
    """Keep the regions that are the same in the next round, and free the positions of the others.

    Region ``draws`` is the highest that draws a new tangle, ``hurt`` the highest to form again.
    """
    status, trail, k = claims.status, regions.trail, state[COUNT]
    state[PHASE] = FORM
    keep = hurt
    if state[SOLVED] == len(status):
        state[PHASE] = DONE
        keep = NOWHERE
    elif draws < hurt:
        state[PHASE] = JOIN
        keep = draws + 1
    else:
        state[PENDING] = state[SIZE]
    tail = state[TAIL]
    end = regions.start[keep] if keep <= k else tail
    for i in range(end, tail):
        v = trail[i]
        regions.region[v] = NOWHERE
        if status[v] >= UNSOLVED:
            status[v] = FREE | (status[v] & 1)
            set_waiting(waiting, regions.place[v])
    state[SPENT] += 1 + tail - end + state[SIZE] // 4
    state[TAIL] = end
    state[COUNT] = min(k, keep - 1)


@kernel
def forget(status: Int32Array, tangles: Tangles, state: Int64Array) -> None:
    """Make room: drop the tangles that have solved positions, link the others again."""
    store, entry = tangles.store, tangles.entry
    for v in range(len(status)):
        entry[v] = -1
    t = size = 0
    pending = state[SIZE]
    # Invariant: store[:size] has what is kept of store[:t], and ``pending`` is where the tangles
    # of this round begin, once the first of them has been moved.
    while t < state[SIZE]:
        first, after = escapes_of(store, t)
        new = t >= state[PENDING]
        keeps = new or first < after
        if not new:
            for i in range(t + HEADER, first, 2):
                if status[store[i]] < UNSOLVED:
                    keeps = False
        if new:
            pending = min(pending, size)
        if keeps:
            shift = t - size
            store[t + HINT] -= shift
            for i in range(t, after):
                store[i - shift] = store[i]
            for e in range(first - shift, after - shift, 3):
                store[e + 1] = size
                if not new:
                    store[e + 2] = entry[store[e]]
                    entry[store[e]] = e
            size += after - t
        t = after
    state[SIZE] = size
    state[PENDING] = min(pending, size)
