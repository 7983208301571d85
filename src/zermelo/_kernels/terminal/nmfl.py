"""NMFL, the non-monotone Fraenkel–Lévy bilabelling: Figure 3 of [Loewe2004] on a stack.

Situation ``2 v + e`` stands for the pair (v, e) of the paper. A frame of the stack is a situation
whose label has just changed, and the place where its loop over Inbound has arrived.

With ``Counts`` the kernel is the variant of §4 with the set operation CAP: then Label asks how many
successors have a label, and does not look at them.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array


class Bilabelling(NamedTuple):
    """The labels ℓ and the indices ind of the paper, with an entry for every situation."""

    ell: Int8Array
    ind: Int64Array
    """The number of the last change of the label."""


class Counts(NamedTuple):
    """The sizes of the intersections that CAP computes; empty arrays for NMFL as in Figure 3."""

    lost: Int32Array
    """|Lverts[1 − e] CAP Outbound[v]| for every situation 2 v + e."""
    drawn: Int32Array
    """|Dverts[1 − e] CAP Outbound[v]|."""


class Stack(NamedTuple):
    """The frames of the recursion; there is room for 4 n."""

    situation: Int32Array
    """The situation of each frame."""
    at: Int64Array
    """The reverse move that its loop over Inbound comes to next."""


# Slots of the ``state`` array: the situation that MAIN comes to next, the number of frames, of
# changes of labels, of calls of Label, of its steps (lines 225; with CAP lines 211 and 226), and of
# updates of the counts.
MAIN, TOP, CLOCK, CALLS, STEPS, UPDATES = 0, 1, 2, 3, 4, 5
STATE_SIZE = 6


@kernel
def nmfl(
    successors: Moves,
    predecessors: Moves,
    labels: Bilabelling,
    counts: Counts,
    stack: Stack,
    state: Int64Array,
    budget: int,
) -> bool:
    """Run NMFL; True when it has ended, False when ``budget`` (lines 225 and 275) is used up.

    Requires lines 030–070 done (``ell[2v] = -1``, ``ell[2v + 1] = 1``), ``ind`` and ``state``
    zeroed. By [Loewe2004] Prop. 4.1 each of the 2 n labels changes at most twice, so 4 n frames
    are enough. ``counts`` has the sizes for the labels at the start, or is empty.
    """
    indptr, indices = successors
    rev_indptr, rev_indices = predecessors
    ell, ind = labels
    lost, drawn = counts
    frame, at = stack
    size = len(ell)
    capped = len(lost) > 0
    main, top, clock = state[MAIN], state[TOP], state[CLOCK]
    calls, steps, updates = state[CALLS], state[STEPS], state[UPDATES]
    done = 0
    # Invariant: a situation (v, e) with moves has ell = the supremum of the inverted labels that
    # its successors have now, unless a call Label(v, e) is still to come from the stack's frames.
    # The counts are those of the labels that all positions have now.
    while done < budget:
        if top == 0:  # MAIN, lines 080-170: the next terminal, first e = 0, then e = 1
            while main < size and indptr[main >> 1] != indptr[(main >> 1) + 1]:
                main += 2
            if main >= size:
                break
            s = main
            aux = -1 if s & 1 else 0  # lines 140 and 110
            main += 1
        else:
            s = frame[top - 1]
            k = at[top - 1]
            if k == rev_indptr[(s >> 1) + 1]:
                top -= 1
                continue
            at[top - 1] = k + 1
            s = 2 * rev_indices[k] + (~s & 1)  # Label(G, i, e), called from 130, 160 or 275
            calls += 1
            v = s >> 1
            aux = -1
            before = steps
            if capped:
                steps += 1
                if lost[s] > 0:  # lines 211 and 216
                    aux = 1
                else:
                    steps += 1
                    if drawn[s] > 0:  # lines 226 and 231
                        aux = 0
            else:
                for k in range(indptr[v], indptr[v + 1]):
                    inverted = -ell[2 * indices[k] + (~s & 1)]
                    if inverted > aux:
                        aux = inverted
                steps += indptr[v + 1] - indptr[v]
            done += steps - before + 1
            if ell[s] == aux:
                continue
        if capped:  # The position leaves one of the sets Lverts, Dverts, Wverts and enters another.
            for k in range(rev_indptr[s >> 1], rev_indptr[(s >> 1) + 1]):
                t = 2 * rev_indices[k] + (~s & 1)
                lost[t] += (1 if aux == -1 else 0) - (1 if ell[s] == -1 else 0)
                drawn[t] += (1 if aux == 0 else 0) - (1 if ell[s] == 0 else 0)
                updates += 1
        clock += 1
        ell[s] = aux  # line 110, 140 or 255
        ind[s] = clock
        frame[top] = s
        at[top] = rev_indptr[s >> 1]
        top += 1
    state[MAIN], state[TOP], state[CLOCK] = main, top, clock
    state[CALLS], state[STEPS], state[UPDATES] = calls, steps, updates
    ended: bool = top == 0 and main >= size
    return ended


@kernel
def strategies(successors: Moves, labels: Bilabelling, sigma: Int32Array) -> None:
    """Fill the strategies σ_e of [Loewe2004] Theorem 4.4; −1 at terminals.

    From v the first successor w with the inverted label and a smaller index, else the first with
    the inverted label.
    """
    indptr, indices = successors
    ell, ind = labels
    for s in range(len(sigma)):
        sigma[s] = -1
        for k in range(indptr[s >> 1], indptr[(s >> 1) + 1]):
            w = indices[k]
            t = 2 * w + (~s & 1)
            if ell[t] + ell[s] == 0:
                if ind[t] < ind[s]:
                    sigma[s] = w
                    break
                if sigma[s] < 0:
                    sigma[s] = w
