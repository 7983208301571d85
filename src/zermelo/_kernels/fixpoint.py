"""Fixpoint iteration with justifications for parity games: evaluate, flip, reset.

Positions are taken by their *place*: their index in the order of rising priority. The places that
still wait are the bits of a tree of words: bit ``i & 31`` of word ``i >> 5`` of the lowest level,
and a bit of each higher level for each word below that is not zero. The next one that waits is
found in a step a level, so that going back to a low priority costs nothing for what is skipped.
"""

from zermelo._kernels._jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

# Slots of the ``counts`` array.
EVALUATIONS, FLIPS, RESETS, PLACE = 0, 1, 2, 3
COUNTS_SIZE = 4


@kernel
def lowest_bit(word: int) -> int:
    """The index of the lowest of the 32 bits of a word that is not zero."""
    low = word & -word
    index = 0
    if low & 0xFFFF0000:
        index += 16
    if low & 0xFF00FF00:
        index += 8
    if low & 0xF0F0F0F0:
        index += 4
    if low & 0xCCCCCCCC:
        index += 2
    if low & 0xAAAAAAAA:
        index += 1
    return index


@kernel
def next_waiting(bits: Int64Array, level_at: Int64Array, i: int) -> int:
    """The first place from ``i`` on that waits, −1 if there is none."""
    top = len(level_at) - 1
    level = 0
    # Invariant: no place from the first i on that is below place i of this level waits.
    while level < top:
        word = i >> 5
        at = level_at[level] + word
        if at >= level_at[level + 1]:
            return -1
        rest = bits[at] >> (i & 31)
        if rest:
            i += lowest_bit(rest)
            while level > 0:
                level -= 1
                i = (i << 5) + lowest_bit(bits[level_at[level] + i])
            return i
        i = word + 1
        level += 1
    return -1


@kernel
def set_waiting(bits: Int64Array, level_at: Int64Array, i: int) -> None:
    """Let a place wait."""
    for level in range(len(level_at) - 1):
        at = level_at[level] + (i >> 5)
        before = bits[at]
        bits[at] = before | (1 << (i & 31))
        if before:
            break
        i >>= 5


@kernel
def clear_waiting(bits: Int64Array, level_at: Int64Array, i: int) -> None:
    """Let a place that waits wait no more."""
    for level in range(len(level_at) - 1):
        at = level_at[level] + (i >> 5)
        bits[at] = bits[at] & ~(1 << (i & 31))
        if bits[at]:
            break
        i >>= 5


@kernel
def iterate(
    indptr: Int64Array,
    indices: Int32Array,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    owner: Int8Array,
    priority: Int32Array,
    order: Int32Array,
    place: Int32Array,
    bits: Int64Array,
    level_at: Int64Array,
    state: Int8Array,
    strategy: Int32Array,
    stack: Int32Array,
    counts: Int64Array,
    budget: int,
) -> bool:
    """Justify until nothing waits (True) or about ``budget`` steps are done (False; call again).

    Requires ``order`` by rising priority and ``place`` its inverse, ``bits`` with every place,
    ``state`` with the parities of the priorities, ``strategy`` −1, ``counts`` zeroed and room for
    all positions in ``stack``. Bit 0 of ``state`` is the winner as believed, bit 1 says whether
    that is justified. Fills ``strategy`` with the winner's moves, −1 where the loser moves.
    """
    n = len(order)
    work = 0
    i = next_waiting(bits, level_at, 0)
    # Invariant: what is not justified is believed to be won by the parity of its priority, and
    # what a justified v rests on but is not justified has at least v's priority. So a cycle of
    # justifications is closed by a position of its highest priority, that keeps to its parity.
    while i >= 0 and work < budget:
        p = priority[order[i]]
        favoured = p & 1
        justified_mark = 2 | favoured
        top = 0
        while i >= 0:
            v = order[i]
            if priority[v] != p:
                break
            mine = owner[v]
            chosen = -1
            for k in range(indptr[v], indptr[v + 1]):
                u = indices[k]
                work += 1
                if (state[u] & 1) == mine:
                    if state[u] > 1:  # it has reasons of its own: less likely to change
                        chosen = u
                        break
                    if chosen < 0:
                        chosen = u
            clear_waiting(bits, level_at, i)
            strategy[v] = chosen
            state[v] = justified_mark
            counts[EVALUATIONS] += 1
            if (chosen >= 0) != (mine == favoured):
                stack[top] = v
                top += 1
            i = next_waiting(bits, level_at, i + 1)
        # The winners of the whole priority change together; what rests on a change is forgotten.
        for k in range(top):
            state[stack[k]] = 3 - favoured
        counts[FLIPS] += top
        while top > 0:
            top -= 1
            v = stack[top]
            for k in range(rev_indptr[v], rev_indptr[v + 1]):
                u = rev_indices[k]
                work += 1
                if state[u] == justified_mark and (strategy[u] == v or strategy[u] < 0):
                    state[u] = priority[u] & 1
                    set_waiting(bits, level_at, place[u])
                    stack[top] = u
                    top += 1
                    counts[RESETS] += 1
        i = next_waiting(bits, level_at, 0)
    counts[PLACE] = i if i >= 0 else n
    done: bool = i < 0
    return done
