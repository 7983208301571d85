"""The Fraenkel–Lévy labelling FL⁰, FL¹, … of normal play, round by round, in linear time."""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array


class Labelling(NamedTuple):
    """The labelling FLⁿ of the n-th round, with an entry for every position."""

    fl: Int8Array
    """−1 (L), +1 (W), or 0 for a position that is not in the domain yet."""
    when: Int32Array
    """The round that labelled the position."""
    left: Int32Array
    """Of an unlabelled position: its moves that are not known to lose."""
    queue: Int32Array
    """The labelled positions, ``queue[:state[TAIL]]``, round by round."""


# Slots of the ``state`` array: ``queue[state[HEAD]:state[TAIL]]`` are the positions that round
# number ``state[ROUND]`` has labelled.
HEAD, TAIL, ROUND = 0, 1, 2
STATE_SIZE = 3


@kernel
def fraenkel_levy(
    predecessors: Moves, owner: Int8Array, labelling: Labelling, state: Int64Array, budget: int
) -> bool:
    """Compute round after round; True when FLᴺ = FLᴺ⁺¹, False when ``budget`` is used up.

    Requires FL⁰: the terminals in ``queue[:state[TAIL]]``, with ``fl = -1`` and ``when = 0``;
    everywhere else ``fl = 0`` and ``left`` = the number of moves. ``owner`` is empty where the
    players alternate. ``budget`` bounds the positions whose predecessors are visited; a round is
    never split.
    """
    rev_indptr, rev_indices = predecessors
    fl, when, left, queue = labelling
    owned = len(owner) > 0
    head, tail, n = state[HEAD], state[TAIL], state[ROUND]
    visited = 0
    while visited < budget and head < tail:
        # Invariant: queue[:head] = dom(FL^(n-1)) and queue[head:tail] = what FL^n added to it;
        # left[v] of an unlabelled v = its moves minus those that lose, as known from queue[:head].
        stop = tail
        for i in range(head, stop):
            w = queue[i]
            for k in range(rev_indptr[w], rev_indptr[w + 1]):
                v = rev_indices[k]
                if fl[v] != 0:
                    continue
                label_by_move = fl[w] if owned and owner[v] == owner[w] else -fl[w]
                if label_by_move < 0:
                    left[v] -= 1
                    if left[v] > 0:
                        continue
                fl[v] = label_by_move
                when[v] = n + 1
                queue[tail] = v
                tail += 1
        visited += stop - head
        head = stop
        if tail > stop:
            n += 1
    state[HEAD], state[TAIL], state[ROUND] = head, tail, n
    done: bool = head == tail
    return done
