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

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int32Array, Int64Array


class Labels(NamedTuple):
    """The labels of the positions with finite values, −1 elsewhere."""

    value: Int32Array
    """γ of [FraenkelYesha1986]."""
    counter: Int32Array
    """c of [FraenkelYesha1986]."""


class Rounds(NamedTuple):
    """What the rounds know of each position, and two lists with room for all of them."""

    unlabelled: Int32Array
    """How many options have no label."""
    left: Int32Array
    """Of a candidate: how many options are not yet won in this round. At most 0 for all positions
    that cannot be labelled in it."""
    won: Int32Array
    """The last round in which the position was won; LABELLED if it has a label."""
    candidates: Int32Array
    """The unlabelled positions whose options show 0 … m-1."""
    queue: Int32Array
    """The labelled positions, those of a round by rising counter."""


CACHED = 1 << 16
"""Up to this many positions nothing is prefetched."""

OFFSETS_AHEAD, MOVES_AHEAD, VALUES_AHEAD = 48, 32, 12
"""How many positions ahead offsets, rows of moves and successors' values are prefetched."""

STRIDE = 4
"""How many positions of the queue lie between two steps of prefetching in the rounds."""

# Slots of the ``state`` array of ``loopy_rounds``: the stretch HEAD..TAIL of the queue whose
# predecessors have not been looked at, the number m of the round, how many candidates there are,
# whether the round has begun, and about how many steps a call may take.
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
def loopy_rounds(predecessors: Moves, labels: Labels, rounds: Rounds, state: Int64Array) -> int:
    """Label round after round; 1 when all are done, 0 after about ``state[BUDGET]`` steps.

    At the first call ``value``, ``counter``, ``left`` and ``won`` are -1, ``unlabelled`` has the
    out-degrees, ``candidates`` lists all positions and ``state`` is zero except CANDIDATES = n and
    BUDGET. Afterwards ``labels`` are the answer, -1 for infinite values.
    """
    steps = 0
    while steps < state[BUDGET]:
        if state[OPEN] == 0:
            steps += begin_round(labels, rounds, state)
        steps += label_candidates(predecessors, labels, rounds, state, state[BUDGET] - steps)
        if state[HEAD] < state[TAIL]:
            return 0
        steps += end_round(rounds, state)
        if state[CANDIDATES] == 0:
            return 1
    return 0


@part
def begin_round(labels: Labels, rounds: Rounds, state: Int64Array) -> int:
    """Label the candidates all of whose options have labels; return the number of steps."""
    m, tail, count = state[ROUND], state[TAIL], state[CANDIDATES]
    # Invariant: the candidates are the unlabelled positions whose options show 0 … m-1.
    for i in range(count):
        v = rounds.candidates[i]
        rounds.left[v] = rounds.unlabelled[v]
        if rounds.left[v] == 0:
            labels.value[v], labels.counter[v], rounds.won[v] = m, 0, LABELLED
            rounds.queue[tail] = v
            tail += 1
    state[TAIL] = tail
    state[OPEN] = 1
    return int(count)


@part
def label_candidates(
    predecessors: Moves, labels: Labels, rounds: Rounds, state: Int64Array, budget: int
) -> int:
    """Label the candidates from which every move can be reverted; return the number of steps."""
    rev_indptr, rev_indices = predecessors
    value, counter = labels
    unlabelled, left, won, _, queue = rounds
    m, head, tail = state[ROUND], state[HEAD], state[TAIL]
    far = len(value) > CACHED
    steps = 0
    # Invariant: queue[:tail] has the labelled positions, those of this round by rising counter; a
    # candidate that is not won has left the options that have no option labelled m in queue[:head].
    while head < tail and steps < budget:
        if far:
            prefetch_ahead(predecessors, rounds, head, tail)
        w = queue[head]
        head += 1
        reversal = counter[w] + 1
        for k in range(rev_indptr[w], rev_indptr[w + 1]):
            v = rev_indices[k]
            unlabelled[v] -= 1
            steps += 1
            if won[v] >= m:
                continue
            won[v] = m
            left[v] = -1
            for j in range(rev_indptr[v], rev_indptr[v + 1]):
                u = rev_indices[j]
                if left[u] > 0:
                    left[u] -= 1
                    if left[u] == 0:
                        value[u], counter[u], won[u] = m, reversal, LABELLED
                        queue[tail] = u
                        tail += 1
            steps += rev_indptr[v + 1] - rev_indptr[v]
    state[HEAD], state[TAIL] = head, tail
    return int(steps)


@part
def end_round(rounds: Rounds, state: Int64Array) -> int:
    """Keep the candidates that were won, for the next round; return the number of steps."""
    m, count, kept = state[ROUND], state[CANDIDATES], 0
    for i in range(count):
        v = rounds.candidates[i]
        rounds.left[v] = -1
        rounds.candidates[kept] = v
        kept += rounds.won[v] == m
    state[CANDIDATES] = kept
    state[ROUND] = m + 1
    state[OPEN] = 0
    return int(count)


@part
def prefetch_ahead(predecessors: Moves, rounds: Rounds, head: int, tail: int) -> None:
    """Prefetch the memory that positions a few places behind the head of the queue will need.

    For each of them in turn: its offsets, its row, what is known of its predecessors, their rows.
    """
    rev_indptr, rev_indices = predecessors
    queue = rounds.queue
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
            prefetch(rounds.won, u)
            prefetch(rounds.unlabelled, u)
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

    Shell's sort with gaps 1, 4, 13, …: fast for short rows, and not slow for long ones.
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
