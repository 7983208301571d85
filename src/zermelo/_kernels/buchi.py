"""Büchi games: what cannot be attracted to the wanted positions is taken away, again and again.

The *chaser* wants to see the wanted positions infinitely often, the *avoider* does not. Positions
that are left and in the chaser's attractor to the wanted ones are ``IN``, others that are left are
``OUT``, and those that the avoider wins are ``GONE``.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

OUT, IN, GONE = 0, 1, 2
"""States of a position."""

CHASER, WANTED = 1, 2
"""Bits of a role: the chaser moves here; the chaser wants to come here."""


@kernel
def solve_buchi(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    role: Int8Array,
    anew: int,
    state: Int8Array,
    count: Int32Array,
    queue: Int32Array,
    strategy: Int32Array,
) -> int:
    """Fill ``state`` with IN (the chaser wins) or GONE, and the winners' ``strategy``.

    Requires that every position has a move, ``state`` zeroed, and room for 2n in ``queue``. With
    ``anew`` each round computes the attractor from nothing, else only where it lost its ground.
    Strategy entries where the owner loses mean nothing. Returns the number of rounds.
    """
    n = len(indptr) - 1
    tail = 0
    changed = n  # queue[n:changed] are the positions whose membership is in question
    for v in range(n):
        count[v] = indptr[v + 1] - indptr[v]
        if role[v] & WANTED:
            state[v] = IN
            queue[tail] = v
            tail += 1
        else:
            queue[changed] = v
            changed += 1
    _attract(rev_indptr, rev_indices, role, state, count, queue, tail, strategy)
    rounds = 1
    # Invariant: the avoider wins what is GONE, and has no move there from elsewhere. IN is the
    # chaser's attractor to the wanted positions within the rest, except that what is OUT is
    # listed in queue[n:changed]. count[v] is, for a chaser's position, the number of moves to
    # what is not GONE; for an avoider's, the number of moves to what is not IN.
    while True:
        lost = _take_away(
            indptr, indices, rev_indptr, rev_indices, role, state, count, queue, changed, strategy
        )
        if lost == 0:
            break
        rounds += 1
        if anew:
            changed = n
            for v in range(n):
                if state[v] != GONE and not role[v] & WANTED:
                    if state[v] == IN:
                        state[v] = OUT
                        for k in range(rev_indptr[v], rev_indptr[v + 1]):
                            if not role[rev_indices[k]] & CHASER:
                                count[rev_indices[k]] += 1
                    queue[changed] = v
                    changed += 1
        else:
            changed = _loosen(rev_indptr, rev_indices, role, state, count, queue, lost, strategy)
        tail = 0
        for i in range(n, changed):
            v = queue[i]
            if role[v] & CHASER:
                for k in range(indptr[v], indptr[v + 1]):
                    if state[indices[k]] == IN:
                        strategy[v] = indices[k]
                        state[v] = IN
                        queue[tail] = v
                        tail += 1
                        break
            elif count[v] == 0:
                state[v] = IN
                queue[tail] = v
                tail += 1
        _attract(rev_indptr, rev_indices, role, state, count, queue, tail, strategy)
    for v in range(n):
        if state[v] == IN and role[v] == CHASER | WANTED:
            for k in range(indptr[v], indptr[v + 1]):
                if state[indices[k]] == IN:
                    strategy[v] = indices[k]
                    break
    return rounds


@kernel
def _attract(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    role: Int8Array,
    state: Int8Array,
    count: Int32Array,
    queue: Int32Array,
    tail: int,
    strategy: Int32Array,
) -> None:
    """Make IN what the chaser attracts to ``queue[:tail]``, whose counts are not made yet."""
    head = 0
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if state[u] == GONE:
                continue
            if role[u] & CHASER:
                if state[u] == OUT:
                    state[u] = IN
                    strategy[u] = v
                    queue[tail] = u
                    tail += 1
            else:
                count[u] -= 1
                if count[u] == 0 and state[u] == OUT:
                    state[u] = IN
                    queue[tail] = u
                    tail += 1


@kernel
def _take_away(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    role: Int8Array,
    state: Int8Array,
    count: Int32Array,
    queue: Int32Array,
    changed: int,
    strategy: Int32Array,
) -> int:
    """Make GONE what is OUT of ``queue[n:changed]`` and what the avoider attracts to it.

    Returns how many are gone now; ``queue`` begins with them.
    """
    n = len(indptr) - 1
    tail = 0
    for i in range(n, changed):
        v = queue[i]
        if state[v] == OUT:
            queue[tail] = v
            tail += 1
            if not role[v] & CHASER:  # a move that stays OUT, before anything OUT is GONE
                for k in range(indptr[v], indptr[v + 1]):
                    if state[indices[k]] == OUT:
                        strategy[v] = indices[k]
                        break
    for i in range(tail):
        state[queue[i]] = GONE
    head = 0
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if state[u] == GONE:
                continue
            if role[u] & CHASER:
                count[u] -= 1
                if count[u] > 0:
                    continue
            else:
                strategy[u] = v
            state[u] = GONE
            queue[tail] = u
            tail += 1
    return tail


@kernel
def _loosen(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    role: Int8Array,
    state: Int8Array,
    count: Int32Array,
    queue: Int32Array,
    lost: int,
    strategy: Int32Array,
) -> int:
    """Make OUT what is IN by a chaser's move to ``queue[:lost]``, or by such a position.

    These are listed in ``queue[n:…]``; returns where the list ends.
    """
    n = len(rev_indptr) - 1
    tail = n
    for i in range(lost):
        v = queue[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if role[u] == CHASER and state[u] == IN and strategy[u] == v:
                state[u] = OUT
                queue[tail] = u
                tail += 1
    head = n
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if state[u] == GONE:
                continue
            if not role[u] & CHASER:
                count[u] += 1
            elif strategy[u] != v:
                continue
            if state[u] == IN and not role[u] & WANTED:
                state[u] = OUT
                queue[tail] = u
                tail += 1
    return tail
