"""Sprague–Grundy values: one pass where moves make no cycles, rounds of labelling where they do.

**Acyclic.** :func:`mex_pass` takes the positions in an order in which successors come first and
gives each the *mex* (least number that is missing) of its successors' values. O(V + E).

**Cyclic.** :func:`loopy_rounds` labels by rounds ``m = 0, 1, 2, …``. A position is labelled ``m``
when its options show exactly 0 … m-1 among the labels up to ``m`` and every option that is not
labelled yet has itself an option labelled ``m``, so that a move there can be reverted. The steps
of reversal are counted: ``counter`` is 1 + the maximum over the options of the minimum over their
answers. A position that has an option labelled ``m`` is called *won* in that round. Linear for
each round, and a position can be won in no more rounds than it has moves.

Reference: [FraenkelPerl1975], [FraenkelYesha1986].
"""

from zermelo._runtime.jit import kernel, prefetch
from zermelo.labels import Int32Array, Int64Array

CACHED = 1 << 16
"""Up to this many positions nothing is prefetched."""

OFFSETS_AHEAD, MOVES_AHEAD, VALUES_AHEAD = 48, 32, 12
"""How many positions ahead offsets, rows of moves and successors' values are prefetched."""

STRIDE = 4
"""How many positions of the queue lie between two steps of prefetching in the rounds."""

# Slots of the ``state`` array of ``loopy_rounds``.
HEAD, TAIL, ROUND, CANDIDATES, OPEN, BUDGET = 0, 1, 2, 3, 4, 5
STATE_SIZE = 6

LABELLED = 2**31 - 1
"""In ``won``: later than any round."""


@kernel
def mex_pass(
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    start: int,
    stop: int,
    value: Int32Array,
    seen: Int32Array,
    far: bool,
) -> None:
    """Fill ``value`` for the positions ``order[start:stop]``; those before have theirs.

    ``order`` lists successors first. ``seen`` is zero at first and has at least two entries more
    than any position has moves. With ``far`` what comes next is prefetched.
    """
    # Invariant: the positions order[:i] have their values, and no entry of seen exceeds i.
    for i in range(start, stop):
        if far:
            if i + OFFSETS_AHEAD < stop:
                v = order[i + OFFSETS_AHEAD]
                prefetch(indptr, v)
                prefetch(indptr, v + 1)
            if i + MOVES_AHEAD < stop:
                v = order[i + MOVES_AHEAD]
                prefetch(indices, indptr[v])
                prefetch(indices, indptr[v + 1] - 1)
            if i + VALUES_AHEAD < stop:
                v = order[i + VALUES_AHEAD]
                for k in range(indptr[v], indptr[v + 1]):
                    prefetch(value, indices[k])
        v = order[i]
        for k in range(indptr[v], indptr[v + 1]):
            seen[value[indices[k]]] = i + 1
        least = 0
        while seen[least] == i + 1:
            least += 1
        value[v] = least


@kernel
def height_pass(
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    start: int,
    stop: int,
    height: Int32Array,
) -> None:
    """Fill ``height``, the greatest number of moves to an end, for ``order[start:stop]``."""
    # Invariant: the positions order[:i] have their heights.
    for i in range(start, stop):
        v = order[i]
        above = 0
        for k in range(indptr[v], indptr[v + 1]):
            above = max(above, height[indices[k]] + 1)
        height[v] = above


@kernel
def loopy_rounds(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    value: Int32Array,
    counter: Int32Array,
    unlabelled: Int32Array,
    left: Int32Array,
    won: Int32Array,
    candidates: Int32Array,
    queue: Int32Array,
    state: Int64Array,
) -> int:
    """Label round after round; 1 when all are done, 0 after about ``state[BUDGET]`` steps.

    At the first call ``value``, ``counter``, ``left`` and ``won`` are -1, ``unlabelled`` has the
    out-degrees, ``candidates`` lists all positions and ``state`` is zero but for CANDIDATES = n and
    BUDGET. Afterwards ``value`` and ``counter`` are the answer, -1 for infinite values. Inside,
    ``unlabelled`` counts the options without a label; ``left`` counts those of a candidate that
    are not yet won in this round, and is at most 0 for all that cannot be labelled in it; ``won``
    has the last round in which a position was won, LABELLED if it has a label.
    """
    head, tail, m = state[HEAD], state[TAIL], state[ROUND]
    count, budget = state[CANDIDATES], state[BUDGET]
    far = len(value) > CACHED
    work = 0
    done = 0
    while work < budget:
        if state[OPEN] == 0:
            # Invariant: the candidates are the unlabelled positions whose options show 0 … m-1.
            for i in range(count):
                v = candidates[i]
                left[v] = unlabelled[v]
                if left[v] == 0:
                    value[v], counter[v], won[v] = m, 0, LABELLED
                    queue[tail] = v
                    tail += 1
            work += count
            state[OPEN] = 1
        # Invariant: queue[:tail] has the labelled positions, those of this round by rising
        # counter; a candidate that is not won has left the options that have no option labelled
        # m in queue[:head].
        while head < tail and work < budget:
            if far:
                ahead(rev_indptr, rev_indices, queue, head, tail, won, unlabelled)
            w = queue[head]
            head += 1
            steps = counter[w] + 1
            for k in range(rev_indptr[w], rev_indptr[w + 1]):
                v = rev_indices[k]
                unlabelled[v] -= 1
                work += 1
                if won[v] >= m:
                    continue
                won[v] = m
                left[v] = -1
                for j in range(rev_indptr[v], rev_indptr[v + 1]):
                    u = rev_indices[j]
                    if left[u] > 0:
                        left[u] -= 1
                        if left[u] == 0:
                            value[u], counter[u], won[u] = m, steps, LABELLED
                            queue[tail] = u
                            tail += 1
                work += rev_indptr[v + 1] - rev_indptr[v]
        if head < tail:
            break
        work += count
        kept = 0
        for i in range(count):
            v = candidates[i]
            left[v] = -1
            candidates[kept] = v
            kept += won[v] == m
        count = kept
        m += 1
        state[OPEN] = 0
        if count == 0:
            done = 1
            break
    state[HEAD], state[TAIL], state[ROUND], state[CANDIDATES] = head, tail, m, count
    return done


@kernel
def ahead(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    queue: Int32Array,
    head: int,
    tail: int,
    won: Int32Array,
    unlabelled: Int32Array,
) -> None:
    """Prefetch, for positions some places behind the head of the queue, what comes first for each:

    its offsets, its row, the words of its predecessors, and their rows.
    """
    if head + 6 * STRIDE < tail:
        v = queue[head + 6 * STRIDE]
        prefetch(rev_indptr, v)
        prefetch(rev_indptr, v + 1)
    if head + 4 * STRIDE < tail:
        v = queue[head + 4 * STRIDE]
        prefetch(rev_indices, rev_indptr[v])
    if head + 2 * STRIDE < tail:
        v = queue[head + 2 * STRIDE]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            prefetch(won, u)
            prefetch(unlabelled, u)
            prefetch(rev_indptr, u)
    if head + STRIDE < tail:
        v = queue[head + STRIDE]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            prefetch(rev_indices, rev_indptr[rev_indices[k]])


@kernel
def finite_options(
    indptr: Int64Array,
    indices: Int32Array,
    value: Int32Array,
    start: int,
    stop: int,
    options_indptr: Int64Array,
    options: Int32Array,
) -> None:
    """Write the finite values among the options of each infinite position, increasing.

    For the positions ``start … stop - 1``; those before have theirs. ``options_indptr`` begins
    with 0 and ``options`` has room for all moves.
    """
    for v in range(start, stop):
        first = options_indptr[v]
        beyond = first
        if value[v] < 0:
            for k in range(indptr[v], indptr[v + 1]):
                x = value[indices[k]]
                if x >= 0:
                    options[beyond] = x
                    beyond += 1
            beyond = sort_distinct(options, first, beyond)
        options_indptr[v + 1] = beyond


@kernel
def sort_distinct(numbers: Int32Array, first: int, beyond: int) -> int:
    """Sort ``numbers[first:beyond]`` and drop repetitions; returns where they end now.

    Shell's sort with gaps 1, 4, 13, …: rows are short, and long ones are no disaster.
    """
    gap = 1
    while 3 * gap < beyond - first:
        gap = 3 * gap + 1
    while gap > 0:
        # Invariant: stretches of numbers that lie a larger gap apart are sorted.
        for i in range(first + gap, beyond):
            x = numbers[i]
            j = i
            while j - gap >= first and numbers[j - gap] > x:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = x
        gap //= 3
    end = first
    for i in range(first, beyond):
        if end == first or numbers[i] != numbers[end - 1]:
            numbers[end] = numbers[i]
            end += 1
    return end
