"""The Fraenkel–Lévy labelling FL⁰, FL¹, … of normal play, round by round, in linear time."""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

# Slots of the ``state`` array.
HEAD, TAIL, ROUND = 0, 1, 2
STATE_SIZE = 3


@kernel
def fraenkel_levy(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    owner: Int8Array,
    left: Int32Array,
    fl: Int8Array,
    when: Int32Array,
    queue: Int32Array,
    state: Int64Array,
    budget: int,
) -> bool:
    """Compute round after round; True when FLᴺ = FLᴺ⁺¹, False when ``budget`` is used up.

    Requires FL⁰ in place: the terminals in ``queue[:state[TAIL]]``, with ``fl = -1`` and
    ``when = 0``; everywhere else ``fl = 0`` (not in the domain yet) and ``left`` = the number of
    moves. Fills ``fl`` with −1 (L) and +1 (W), ``when`` with the round that labelled the position.
    ``owner`` is empty where the players alternate. ``budget`` bounds the positions whose
    predecessors are visited; a round is never split.
    """
    owned = len(owner) > 0
    head, tail, n = state[HEAD], state[TAIL], state[ROUND]
    work = 0
    while work < budget and head < tail:
        # Invariant: queue[:head] = dom(FL^(n-1)) and queue[head:tail] = what FL^n added to it;
        # left[v] of an unlabelled v = its moves minus those that queue[:head] shows to lose.
        stop = tail
        for i in range(head, stop):
            w = queue[i]
            for k in range(rev_indptr[w], rev_indptr[w + 1]):
                v = rev_indices[k]
                if fl[v] != 0:
                    continue
                seen = fl[w] if owned and owner[v] == owner[w] else -fl[w]
                if seen < 0:
                    left[v] -= 1
                    if left[v] > 0:
                        continue
                fl[v] = seen
                when[v] = n + 1
                queue[tail] = v
                tail += 1
        work += stop - head
        head = stop
        if tail > stop:
            n += 1
    state[HEAD], state[TAIL], state[ROUND] = head, tail, n
    done: bool = head == tail
    return done
