"""Retrograde analysis of every terminal-payoff game: one backward wave with out-degree counters.

**Situations.** A situation says where the token is and who moves. There are three layouts:

- *symmetric* (``shift = 0, flip = 1``): situation = position; values are the mover's own, so they
  change sign along a move;
- *owned* (``shift = 0, flip = 0``): situation = position, its owner moves;
- *alternating* (``shift = 1, flip = 0``): situation ``2 v + e``, player ``e`` moves at ``v``.

**Words.** One 32-bit word a situation. While undecided it is ``2 · counter + mover`` with
``counter`` = moves not yet known to be bad for the mover (``mover`` is 0 in the symmetric layout);
once settled it is ``~(2 · distance + f)``, negative. Here ``f`` is the player who forced the value
or, in the symmetric layout, 1 if the situation is good for its mover and 0 if bad.

**Fronts.** The settled situations with ``f = 0`` fill ``queue`` from the left and those with
``f = 1`` from the right; ``state`` holds both fronts, so that a call can stop and go on later.
"""

from zermelo._kernels._jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

# Slots of the ``state`` array.
LEFT_HEAD, LEFT_TAIL, RIGHT_HEAD, RIGHT_TAIL, DEPTH, PHASE = 0, 1, 2, 3, 4, 5
STATE_SIZE = 8


@kernel
def retrograde(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    seeds: Int32Array,
    phases: Int64Array,
    segments: Int64Array,
    state: Int64Array,
    layout: tuple[int, int, int],
    budget: int,
) -> bool:
    """Settle phase after phase; True when all are done, False when ``budget`` is used up.

    Phase ``j`` starts from the settled terminals ``seeds[phases[j]:phases[j+1]]``, best payoffs
    for the forcing side first, and writes the tails of both fronts to ``segments[2j:2j+2]``.
    ``layout`` is ``(shift, flip, agree)``; with ``agree`` any move into the set counts, whoever
    makes it (the shortest way to an agreed tie). ``budget`` bounds the settled situations.
    """
    shift, flip, agree = layout
    last = len(queue) - 1
    left_head, left_tail = state[LEFT_HEAD], state[LEFT_TAIL]
    right_head, right_tail = state[RIGHT_HEAD], state[RIGHT_TAIL]
    depth, phase = state[DEPTH], state[PHASE]
    work = 0
    while work < budget:
        if left_head == left_tail and right_head == right_tail:
            if phase > 0:
                segments[2 * phase - 2] = left_tail
                segments[2 * phase - 1] = right_tail
            if phase == len(phases) - 1:
                state[LEFT_TAIL], state[RIGHT_TAIL] = left_tail, right_tail
                return True
            for i in range(phases[phase], phases[phase + 1]):
                s = seeds[i]
                if agree == 0 and ~word[s] & 1:
                    queue[last - right_tail] = s
                    right_tail += 1
                else:
                    queue[left_tail] = s
                    left_tail += 1
            phase += 1
            depth = 0
        depth += 1
        left_stop, right_stop = left_tail, right_tail
        # Invariant: both fronts hold the situations of distance depth - 1, all earlier ones have
        # been handed to their predecessors, and the counter of an undecided situation is its moves
        # minus those into settled situations that are bad for its mover.
        for side in range(2):
            head = right_head if side else left_head
            stop = right_stop if side else left_stop
            for i in range(head, stop):
                s = queue[last - i] if side else queue[i]
                v = s >> shift
                offset = ~s & shift
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    p = (rev_indices[k] << shift) + offset
                    w = word[p]
                    if w < 0:
                        continue
                    if (w & 1) != side and agree == 0:
                        w -= 2
                        if w >= 2:
                            word[p] = w
                            continue
                    f = side ^ flip
                    word[p] = ~((depth << 1) | f)
                    if f and agree == 0:
                        queue[last - right_tail] = p
                        right_tail += 1
                    else:
                        queue[left_tail] = p
                        left_tail += 1
        work += left_stop - left_head + right_stop - right_head
        left_head, right_head = left_stop, right_stop
    state[LEFT_HEAD], state[LEFT_TAIL] = left_head, left_tail
    state[RIGHT_HEAD], state[RIGHT_TAIL] = right_head, right_tail
    state[DEPTH], state[PHASE] = depth, phase
    return False


@kernel
def read_levels(
    word: Int32Array, level: Int8Array, undecided: int, forced_0: int, forced_1: int
) -> None:
    """Write one of three codes a situation: undecided, settled with f = 0, settled with f = 1."""
    for s in range(len(word)):
        w = word[s]
        level[s] = undecided if w >= 0 else (forced_1 if ~w & 1 else forced_0)


@kernel
def write_level(queue: Int32Array, start: int, stop: int, code: int, level: Int8Array) -> None:
    """Give all of ``queue[start:stop]`` one code."""
    for i in range(start, stop):
        level[queue[i]] = code


@kernel
def read_distances(word: Int32Array) -> None:
    """Turn words into distances in place; undecided becomes NO_DISTANCE."""
    for s in range(len(word)):
        w = word[s]
        word[s] = -1 if w >= 0 else ~w >> 1


@kernel
def read_labels(
    level: Int8Array, sign: Int8Array, owner: Int8Array, shift: int, label: Int8Array
) -> None:
    """Write labels as the mover sees them; ``sign`` has each level's sign as player 0 sees it.

    ``owner`` is empty in the symmetric and the alternating layout; the former has ``shift`` 0 and
    keeps the signs.
    """
    owned = len(owner) > 0
    for s in range(len(level)):
        mover = owner[s] if owned else s & shift
        label[s] = -sign[level[s]] if mover else sign[level[s]]


@kernel
def best_moves(
    indptr: Int64Array,
    indices: Int32Array,
    level: Int32Array,
    distance: Int32Array,
    absorbing: Int8Array,
    layout: tuple[int, int, int],
    move: Int32Array,
) -> None:
    """Pick for every situation the first move that keeps its value and brings the end nearer.

    In a settled situation both sides' best moves lead to the same value at distance one less (the
    forcing side has none nearer, the other none farther); without a distance they lead to another
    situation of that value without one. ``layout`` is ``(shift, mirror, 0)``: with ``mirror > 0``
    the value of level ``c`` as the other player sees it is level ``mirror - c``.
    """
    shift, mirror, _ = layout
    for s in range(len(move)):
        move[s] = -1
        if absorbing[s]:
            continue
        v = s >> shift
        offset = ~s & shift
        wanted = mirror - level[s] if mirror else level[s]
        d = distance[s]
        d = d if d < 0 else d - 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            t = (w << shift) + offset
            if level[t] == wanted and distance[t] == d:
                move[s] = w
                break
