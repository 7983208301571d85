"""Search in a game of no return: one strong component, all its subgames as far as they matter.

A *situation* is a token on v and the set of positions that are still open. Who moves to a position
closes it; in games of return this also closes all positions with a move to it, as who enters one
of these lets the other come back. So in every game here a move leads to an open position, and one
that cannot be made is lost, except that ``stuck`` says what a position without open moves is worth.

**Wave.** Solve the open part as a plain game, without memory, by retrograde analysis. What that
decides has the same label in the game with memory: the winner's moves decrease the distance, so no
position comes twice, and the loser's moves all lead to positions won for the other. Hence a
position that is won in the plain game is never entered by who plays well, and can be left out.

**Memory.** Of what remains only the positions that v can still reach matter. The pair of v and
this set is looked up in a table. Where a stuck player wins, moves to won positions matter as well,
since who has one is not stuck: then the set has all open positions that v can reach. Strong
components need no more care: a component that is left is no longer in the set.

**Leaves.** Acyclic rests are decided by the wave. Where a stuck player loses and all moves inside
the set have their reverse, a maximum matching decides (:mod:`zermelo._kernels.geography_leaf`).

Arrays (k positions, ``words`` = ⌈k / 62⌉): ``table`` has slots of ``words + 1`` numbers, the set
and 1 + 4 v + (label + 1), 0 for an empty slot; ``frame`` has rows of ``words + 1``: set and hash;
``hashes`` has a random number for each position in the set and for each as v, then for each move
whether its reverse is there. ``work`` is rows of k: BLOCKED counts what closes a position, LEFT its
open moves (−1: not seen), VALUE its label by the wave, QUEUE and DECIDED are queues; PATH, COUNT
and AT have the position of each depth, how many moves are tried there and which one is; then those
of matchings, and k rows of moves to try. ``state`` is depth (−1 at the end), result, nodes, hits,
stored, dropped, best first move, returns, whole sets, leaves.
"""

from zermelo._kernels.geography_leaf import LOST, ROWS, lost_in_symmetric
from zermelo._runtime.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

BITS = 62
"""Positions that one number of a set holds."""

BLOCKED, LEFT, VALUE, QUEUE, DECIDED, PATH, COUNT, AT = range(8)
TRIED = ROWS
DEPTH, RESULT, NODES, HITS, STORED, DROPPED, BEST, RETURNS, WHOLE, LEAVES, STATE_SIZE = range(11)
PROBES = 8
"""Slots that are looked at before an entry is overwritten."""


@kernel
def close(
    rev_indptr: Int64Array, rev_indices: Int32Array, work: Int64Array, v: int, by: int, returns: int
) -> None:
    """Close v (``by`` = 1) or open it again (−1), and with ``returns`` all that move to it."""
    work[v] += by
    if returns:
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            work[rev_indices[k]] += by


@kernel
def survey(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    stuck: Int8Array,
    work: Int64Array,
    v: int,
) -> int:
    """The wave on the open part that v reaches: the label of v, 0 if it decides nothing.

    LEFT is ≥ 0 exactly at the ``QUEUE`` of positions seen, whose number is kept in COUNT's last
    entry; the caller puts LEFT back to −1.
    """
    n = len(stuck)
    left, value, queue, decided = LEFT * n, VALUE * n, QUEUE * n, DECIDED * n
    work[left + v] = 0
    work[value + v] = 0
    work[queue] = v
    head, tail, last = 0, 1, 0
    # Invariant: queue[:tail] are the positions seen, queue[:head] have their open moves counted;
    # decided[:last] are those without any.
    while head < tail:
        u = work[queue + head]
        head += 1
        count = 0
        for k in range(indptr[u], indptr[u + 1]):
            w = indices[k]
            if work[w] == 0:
                count += 1
                if work[left + w] < 0:
                    work[left + w] = 0
                    work[value + w] = 0
                    work[queue + tail] = w
                    tail += 1
        work[left + u] = count
        if count == 0:
            work[value + u] = stuck[u]
            work[decided + last] = u
            last += 1
    work[(COUNT + 1) * n - 1] = tail
    first = 0
    # Invariant: decided[:last] have labels that hold whatever was played before; those of
    # decided[:first] have been told to the positions that move there.
    while first < last and work[value + v] == 0:
        u = work[decided + first]
        first += 1
        lost = work[value + u] < 0
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            p = rev_indices[k]
            if work[left + p] < 0 or work[value + p] != 0:
                continue
            work[left + p] -= 1
            if lost or work[left + p] == 0:
                work[value + p] = 1 if lost else -1
                work[decided + last] = p
                last += 1
    label: int = work[value + v]
    return label


@kernel
def gather(
    indptr: Int64Array,
    indices: Int32Array,
    hashes: Int64Array,
    work: Int64Array,
    frame: Int64Array,
    n: int,
    depth: int,
    whole: int,
) -> int:
    """After a wave that left v open: its moves to try, fewest answers first, and its set.

    With ``whole`` the set has all open positions that v reaches, decided or not. Returns the number
    of positions in ``DECIDED``, v and those reached, if all their moves have a reverse, else 0.
    """
    left, value, queue, row = LEFT * n, VALUE * n, DECIDED * n, (TRIED + depth) * n
    words = len(frame) // n - 1
    at = depth * (words + 1)
    v = work[PATH * n + depth]
    for j in range(words):
        frame[at + j] = 0
    h = hashes[n + v]
    work[queue] = v
    head, tail = 0, 1
    # Invariant: queue[:tail] are v and positions that it reaches through undecided ones; the value
    # 2 marks them. Symmetric says whether the moves of queue[1:head] inside the set all have
    # their reverse.
    symmetric = True
    while head < tail:
        u = work[queue + head]
        head += 1
        for k in range(indptr[u], indptr[u + 1]):
            w = indices[k]
            if work[w] == 0 and work[value + w] == 0:
                work[value + w] = 2
                work[queue + tail] = w
                tail += 1
            if head > 1 and work[w] == 0 and work[value + w] == 2 and hashes[2 * n + k] == 0:
                symmetric = False
    plain = tail if symmetric else 0
    if whole:
        queue, tail = QUEUE * n, work[(COUNT + 1) * n - 1]
    for k in range(1, tail):
        w = work[queue + k]
        frame[at + w // BITS] |= 1 << (w % BITS)
        h ^= hashes[w]
    frame[at + words] = h
    count = 0
    for k in range(indptr[v], indptr[v + 1]):
        w = indices[k]
        if work[w] != 0 or work[value + w] != 2:
            continue
        j = count
        while j > 0 and work[left + work[row + j - 1]] > work[left + w]:
            work[row + j] = work[row + j - 1]
            j -= 1
        work[row + j] = w
        count += 1
    work[COUNT * n + depth] = count
    work[AT * n + depth] = 0
    return plain


@kernel
def probe(table: Int64Array, frame: Int64Array, at: int, words: int, code: int) -> int:
    """The label of a situation in the table, 0 if it is not there."""
    slots = len(table) // (words + 1)
    home = frame[at + words] & (slots - 1)
    for i in range(PROBES):
        slot = ((home + i) & (slots - 1)) * (words + 1)
        known = table[slot + words]
        if known == 0:
            return 0
        if (known - 1) // 4 == code:
            same = True
            for j in range(words):
                if table[slot + j] != frame[at + j]:
                    same = False
            if same:
                label: int = (known - 1) % 4 - 1
                return label
    return 0


@kernel
def store(table: Int64Array, frame: Int64Array, at: int, words: int, code: int, label: int) -> int:
    """Put a situation into the table; returns 1 if another had to go."""
    slots = len(table) // (words + 1)
    home = frame[at + words] & (slots - 1)
    chosen, dropped = home, 1
    for i in range(PROBES):
        if table[((home + i) & (slots - 1)) * (words + 1) + words] == 0:
            chosen, dropped = (home + i) & (slots - 1), 0
            break
    slot = chosen * (words + 1)
    for j in range(words):
        table[slot + j] = frame[at + j]
    table[slot + words] = 1 + 4 * code + label + 1
    return dropped


@kernel
def rehash(
    table: Int64Array, hashes: Int64Array, n: int, one: Int64Array, larger: Int64Array
) -> None:
    """Put all entries of a table for n positions into a larger one; ``one`` is a frame's row."""
    words = len(one) - 1
    for slot in range(0, len(table), words + 1):
        known = table[slot + words]
        if known == 0:
            continue
        v = (known - 1) // 4
        h = hashes[n + v]
        for j in range(words):
            one[j] = table[slot + j]
            for bit in range(min(BITS, n - j * BITS)):
                if one[j] >> bit & 1:
                    h ^= hashes[j * BITS + bit]
        one[words] = h
        store(larger, one, 0, words, v, (known - 1) % 4 - 1)


@kernel
def search(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    stuck: Int8Array,
    hashes: Int64Array,
    work: Int64Array,
    frame: Int64Array,
    table: Int64Array,
    state: Int64Array,
) -> None:
    """Go on with a search until it ends or ``state[RESULT]`` more nodes were looked at.

    At the first call the depth is 0 and ``work[PATH]`` begins with the token's position, not yet
    closed. At the end the depth is −1 and the result is its label.
    """
    n = len(stuck)
    words = len(frame) // n - 1
    path, left, queue, count, at = PATH * n, LEFT * n, QUEUE * n, COUNT * n, AT * n
    depth, nodes = state[DEPTH], 0
    budget, returns = state[RESULT], state[RETURNS]
    # Invariant: path[:depth] are closed and wait for the label of the move that AT says; the moves
    # before it were all answered by a win. path[depth] has just been entered, its label unknown.
    while depth >= 0 and nodes < budget:
        nodes += 1
        v = work[path + depth]
        close(rev_indptr, rev_indices, work, v, 1, returns)
        label = survey(indptr, indices, rev_indptr, rev_indices, stuck, work, v)
        if depth == 0 and label > 0:
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if work[w] == 0 and work[VALUE * n + w] < 0:
                    state[BEST] = w
        if label == 0:
            size = gather(indptr, indices, hashes, work, frame, n, depth, state[WHOLE])
            label = probe(table, frame, depth * (words + 1), words, v)
            if label != 0:
                state[HITS] += 1
                if depth == 0 and label > 0:  # the table has no moves: look for one
                    label = 0
            elif size > 0 and not state[WHOLE] and not returns:
                label = -1
                lost_in_symmetric(indptr, indices, work, n, size)
                for j in range(work[count + depth]):
                    w = work[(TRIED + depth) * n + j]
                    if work[LOST * n + w]:
                        label = 1
                        if depth == 0:
                            state[BEST] = w
                state[LEAVES] += 1
                state[DROPPED] += store(table, frame, depth * (words + 1), words, v, label)
                state[STORED] += 1
        for k in range(work[(COUNT + 1) * n - 1]):
            work[left + work[queue + k]] = -1
        if label == 0:
            work[path + depth + 1] = work[(TRIED + depth) * n]
            depth += 1
            continue
        close(rev_indptr, rev_indices, work, v, -1, returns)
        depth -= 1
        # Invariant: label is that of path[depth + 1], which is open again.
        while depth >= 0:
            v = work[path + depth]
            j = work[at + depth]
            if label > 0 and j + 1 < work[count + depth]:
                work[at + depth] = j + 1
                work[path + depth + 1] = work[(TRIED + depth) * n + j + 1]
                depth += 1
                break
            label = -label
            if depth == 0:
                state[BEST] = work[TRIED * n + j]
            state[DROPPED] += store(table, frame, depth * (words + 1), words, v, label)
            state[STORED] += 1
            close(rev_indptr, rev_indices, work, v, -1, returns)
            depth -= 1
        if depth < 0:
            state[RESULT] = label
    state[DEPTH] = depth
    state[NODES] += nodes
