"""Search in a game of no return: one strong component, and those of its subgames that matter.

A *situation* is a token on v and the set of positions that are still open. A move to a position
closes it; in games of return it also closes all positions with a move to it, because a player who
enters one of these lets the other come back. So in every game here a move leads to an open
position. ``stuck`` has the label of each position at which there is no such move: usually −1, as
the player to move loses.

**Wave.** Solve the open part as a plain game, without memory, by retrograde analysis. What that
decides has the same label in the game with memory: the winner's moves decrease the distance, so no
position is visited twice, and the loser's moves all lead to positions won for the other. Hence a
player who plays well never enters a position that is won in the plain game, and such positions can
be left out.

**Memory.** Of what remains only the positions that v can still reach matter. The pair of v and
this set is looked up in a table. Where a stuck player wins, moves to won positions matter as well,
because a player who has one is not stuck: then the set has all open positions that v can reach.
Strong components need no special treatment: a component that was left is no longer in the set.

**Leaves.** Acyclic rests are decided by the wave. Where a stuck player loses and all moves inside
the set have their reverse, a maximum matching decides (:mod:`zermelo._kernels.geography.leaf`).

A set of the k positions is ``width`` = ⌈k / 62⌉ numbers. The table is open addressing with linear
probing; a slot has ``width + 1`` numbers: a set, and 1 + 4 v + (label + 1), or 0 if it is empty.
"""

from typing import NamedTuple

from zermelo._kernels.geography.leaf import MEMBER, Area, Trees, lost_in_symmetric
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int64Array

BITS = 62
"""Positions that one number of a set holds."""

PROBES = 8
"""Slots that are looked at before an entry is overwritten."""


class Hashes(NamedTuple):
    """Random numbers whose exclusive or is the hash of a situation, and what is known of moves."""

    in_set: Int64Array
    """For each position as a member of the set."""
    as_token: Int64Array
    """For each position as the one with the token."""
    paired: Int64Array
    """For each move whether its reverse is there."""


class Path(NamedTuple):
    """The positions from the start to the present one, by depth; there is room for k."""

    position: Int64Array
    moves: Int64Array
    """How many moves are to be tried there."""
    at: Int64Array
    """Which of them is being tried."""
    tried: Int64Array
    """These moves, a row of k for each depth."""
    sets: Int64Array
    """The set and then the hash of the situation, a row of ``width + 1`` for each depth."""


# Slots of the ``state`` array: the depth (−1 at the end); the label of the start at the end, before
# that how many nodes a call may look at; nodes, hits in the table, entries stored and dropped; the
# best first move; whether this is a game of return; whether sets have all open positions; the
# leaves decided by matchings; and how many positions the last wave has seen.
DEPTH, RESULT, NODES, HITS, STORED, DROPPED, BEST, RETURNS, WHOLE, LEAVES, SEEN = range(11)
STATE_SIZE = 11


@part
def close(predecessors: Moves, blocked: Int64Array, v: int, by: int, returns: int) -> None:
    """Close v (``by`` = 1) or open it again (−1), and with ``returns`` all that move to it."""
    blocked[v] += by
    if returns:
        for k in range(predecessors.indptr[v], predecessors.indptr[v + 1]):
            blocked[predecessors.indices[k]] += by


@part
def survey(
    successors: Moves,
    predecessors: Moves,
    stuck: Int8Array,
    area: Area,
    v: int,
    state: Int64Array,
) -> int:
    """The wave on the open part that v reaches: the label of v, 0 if it decides nothing.

    ``left`` is ≥ 0 exactly at the positions seen; the caller sets it to −1 again.
    """
    indptr, indices = successors
    blocked, left, value, seen, decided = area
    left[v] = 0
    value[v] = 0
    seen[0] = v
    head, tail, last = 0, 1, 0
    # Invariant: seen[:tail] are the positions seen, seen[:head] have their open moves counted;
    # decided[:last] are those without any.
    while head < tail:
        u = seen[head]
        head += 1
        count = 0
        for k in range(indptr[u], indptr[u + 1]):
            w = indices[k]
            if blocked[w] == 0:
                count += 1
                if left[w] < 0:
                    left[w] = 0
                    value[w] = 0
                    seen[tail] = w
                    tail += 1
        left[u] = count
        if count == 0:
            value[u] = stuck[u]
            decided[last] = u
            last += 1
    state[SEEN] = tail
    first = 0
    # Invariant: decided[:last] have labels that hold whatever was played before; the predecessors
    # of decided[:first] have been updated.
    while first < last and value[v] == 0:
        u = decided[first]
        first += 1
        lost = value[u] < 0
        for k in range(predecessors.indptr[u], predecessors.indptr[u + 1]):
            p = predecessors.indices[k]
            if left[p] < 0 or value[p] != 0:
                continue
            left[p] -= 1
            if lost or left[p] == 0:
                value[p] = 1 if lost else -1
                decided[last] = p
                last += 1
    label: int = value[v]
    return label


@part
def gather(
    successors: Moves, hashes: Hashes, area: Area, path: Path, depth: int, state: Int64Array
) -> int:
    """After a wave that left v undecided: fill its set and the moves to try, fewest answers first.

    With ``state[WHOLE]`` the set has all open positions that v reaches, decided or not. Returns the
    number of positions in ``area.decided``, v and the undecided ones that it reaches, if all the
    moves of the latter have a reverse, else 0.
    """
    indptr, indices = successors
    blocked, value, members = area.blocked, area.value, area.decided
    n = len(blocked)
    width = len(path.sets) // n - 1
    start = depth * (width + 1)
    v = path.position[depth]
    for j in range(width):
        path.sets[start + j] = 0
    members[0] = v
    head, tail = 0, 1
    # Invariant: members[:tail] are v and positions that it reaches through undecided ones; these
    # have the value MEMBER. Symmetric says whether the moves of members[1:head] inside the set all
    # have their reverse.
    symmetric = True
    while head < tail:
        u = members[head]
        head += 1
        for k in range(indptr[u], indptr[u + 1]):
            w = indices[k]
            if blocked[w] == 0 and value[w] == 0:
                value[w] = MEMBER
                members[tail] = w
                tail += 1
            if head > 1 and blocked[w] == 0 and value[w] == MEMBER and hashes.paired[k] == 0:
                symmetric = False
    in_symmetric = tail if symmetric else 0
    if state[WHOLE]:
        members, tail = area.seen, state[SEEN]
    h = hashes.as_token[v]
    for k in range(1, tail):
        w = members[k]
        path.sets[start + w // BITS] |= 1 << (w % BITS)
        h ^= hashes.in_set[w]
    path.sets[start + width] = h
    list_moves(successors, area, path, v, depth)
    return int(in_symmetric)


@part
def list_moves(successors: Moves, area: Area, path: Path, v: int, depth: int) -> None:
    """List the moves of v into the set, those first after which the fewest answers are left."""
    left, tried = area.left, path.tried
    row, count = depth * len(left), 0
    # Invariant: tried[row:row + count] are the moves before k into the set, sorted by ``left``.
    for k in range(successors.indptr[v], successors.indptr[v + 1]):
        w = successors.indices[k]
        if area.blocked[w] != 0 or area.value[w] != MEMBER:
            continue
        j = count
        while j > 0 and left[tried[row + j - 1]] > left[w]:
            tried[row + j] = tried[row + j - 1]
            j -= 1
        tried[row + j] = w
        count += 1
    path.moves[depth] = count
    path.at[depth] = 0


@kernel
def probe(table: Int64Array, sets: Int64Array, start: int, width: int, v: int) -> int:
    """The label of a situation in the table, 0 if it is not there; its set begins at ``start``."""
    slots = len(table) // (width + 1)
    home = sets[start + width] & (slots - 1)
    for i in range(PROBES):
        slot = ((home + i) & (slots - 1)) * (width + 1)
        known = table[slot + width]
        if known == 0:
            return 0
        if (known - 1) // 4 == v:
            same = True
            for j in range(width):
                if table[slot + j] != sets[start + j]:
                    same = False
            if same:
                label: int = (known - 1) % 4 - 1
                return label
    return 0


@kernel
def store(table: Int64Array, sets: Int64Array, start: int, width: int, v: int, label: int) -> int:
    """Put a situation into the table; return 1 if that overwrites another, else 0."""
    slots = len(table) // (width + 1)
    home = sets[start + width] & (slots - 1)
    chosen, dropped = home, 1
    for i in range(PROBES):
        if table[((home + i) & (slots - 1)) * (width + 1) + width] == 0:
            chosen, dropped = (home + i) & (slots - 1), 0
            break
    slot = chosen * (width + 1)
    for j in range(width):
        table[slot + j] = sets[start + j]
    table[slot + width] = 1 + 4 * v + label + 1
    return dropped


@kernel
def rehash(table: Int64Array, hashes: Hashes, row: Int64Array, larger: Int64Array) -> None:
    """Put all entries of a table into a larger one; ``row`` has room for a set and its hash."""
    n, width = len(hashes.in_set), len(row) - 1
    for slot in range(0, len(table), width + 1):
        known = table[slot + width]
        if known == 0:
            continue
        v = (known - 1) // 4
        h = hashes.as_token[v]
        for j in range(width):
            row[j] = table[slot + j]
            for bit in range(min(BITS, n - j * BITS)):
                if row[j] >> bit & 1:
                    h ^= hashes.in_set[j * BITS + bit]
        row[width] = h
        store(larger, row, 0, width, v, (known - 1) % 4 - 1)


@kernel
def search(
    successors: Moves,
    predecessors: Moves,
    stuck: Int8Array,
    hashes: Hashes,
    area: Area,
    path: Path,
    trees: Trees,
    table: Int64Array,
    state: Int64Array,
) -> None:
    """Continue a search until it ends or ``state[RESULT]`` more nodes were looked at.

    At the first call the depth is 0, ``path.position`` begins with the token's position, which is
    not closed, ``area.blocked`` is 0 and ``area.left`` −1 everywhere. At the end the depth is −1
    and the result is the label of the start.
    """
    n, returns = len(stuck), state[RETURNS]
    depth, nodes, budget = state[DEPTH], 0, state[RESULT]
    # Invariant: path.position[:depth] are closed and wait for the label of the move that path.at
    # says; the moves before it were all answered by a win. path.position[depth] has just been
    # entered, its label unknown.
    while depth >= 0 and nodes < budget:
        nodes += 1
        v = path.position[depth]
        close(predecessors, area.blocked, v, 1, returns)
        label = survey(successors, predecessors, stuck, area, v, state)
        if depth == 0 and label > 0:
            for k in range(successors.indptr[v], successors.indptr[v + 1]):
                w = successors.indices[k]
                if area.blocked[w] == 0 and area.value[w] < 0:
                    state[BEST] = w
        if label == 0:
            size = gather(successors, hashes, area, path, depth, state)
            label = look_up(successors, area, path, trees, table, depth, size, state)
        for k in range(state[SEEN]):
            area.left[area.seen[k]] = -1
        if label == 0:
            path.position[depth + 1] = path.tried[depth * n]
            depth += 1
            continue
        close(predecessors, area.blocked, v, -1, returns)
        depth = go_back(predecessors, area, path, table, depth - 1, label, state)
    state[DEPTH] = depth
    state[NODES] += nodes


@part
def look_up(
    successors: Moves,
    area: Area,
    path: Path,
    trees: Trees,
    table: Int64Array,
    depth: int,
    size: int,
    state: Int64Array,
) -> int:
    """The label of a situation that the wave does not decide, by the table or by a matching, or 0.

    ``size`` is what :func:`gather` returns.
    """
    n, v = len(area.blocked), path.position[depth]
    width = len(path.sets) // n - 1
    label = probe(table, path.sets, depth * (width + 1), width, v)
    if label != 0:
        state[HITS] += 1
        return 0 if depth == 0 and label > 0 else label  # the table has no moves: look for one
    if size == 0 or state[WHOLE] or state[RETURNS]:
        return 0
    label = -1
    lost_in_symmetric(successors, area, trees, size)
    for j in range(path.moves[depth]):
        w = path.tried[depth * n + j]
        if trees.lost[w]:
            label = 1
            if depth == 0:
                state[BEST] = w
    state[LEAVES] += 1
    state[DROPPED] += store(table, path.sets, depth * (width + 1), width, v, label)
    state[STORED] += 1
    return label


@part
def go_back(
    predecessors: Moves,
    area: Area,
    path: Path,
    table: Int64Array,
    depth: int,
    label: int,
    state: Int64Array,
) -> int:
    """Go back with the label of ``path.position[depth + 1]`` to the next move to try.

    Returns the depth after this move, or −1 if none is left: then ``state[RESULT]`` is the label of
    the start.
    """
    n = len(area.blocked)
    width = len(path.sets) // n - 1
    # Invariant: label is that of path.position[depth + 1], which is open again.
    while depth >= 0:
        v, j = path.position[depth], path.at[depth]
        if label > 0 and j + 1 < path.moves[depth]:
            path.at[depth] = j + 1
            path.position[depth + 1] = path.tried[depth * n + j + 1]
            return depth + 1
        label = -label
        if depth == 0:
            state[BEST] = path.tried[j]
        state[DROPPED] += store(table, path.sets, depth * (width + 1), width, v, label)
        state[STORED] += 1
        close(predecessors, area.blocked, v, -1, state[RETURNS])
        depth -= 1
    state[RESULT] = label
    return depth
