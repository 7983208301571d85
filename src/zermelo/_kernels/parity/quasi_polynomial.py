"""Succinct progress measures: a few bits, each at a level, in place of a counter for each level.

A measure is a tuple of bit strings, one for each level, with at most ``width`` bits in all. Strings
are ordered by 0… < ε < 1…, letter by letter: the in-order walk of the binary tree. Tuples are
ordered lexicographically, level 0 (the opponent's highest priority) first.

Row ``r`` of the flat array ``measure`` is ``measure[r · width : (r + 1) · width]`` and lists the
bits of all levels in turn as ``2 · level + bit``; unused entries hold ``2 · levels``. The least
continuation of a tuple spends all bits that are left as zeros on the next level.
"""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array


@kernel
def compare_succinct(measure: Int32Array, a: int, b: int, width: int, length: int) -> int:
    """−1, 0 or +1: how row ``a`` compares with row ``b`` on the first ``length`` levels."""
    a *= width
    b *= width
    for i in range(width):
        x, y = measure[a + i], measure[b + i]
        if x == y:
            if x >= 2 * length:
                return 0
            continue
        p, q = x >> 1, y >> 1
        if p >= length and q >= length:
            return 0
        if p == q:
            return -1 if x < y else 1
        if p < q:  # at level p, b's string has ended and a's goes on: 0… is below ε, 1… above
            return 1 if x & 1 else -1
        return -1 if y & 1 else 1
    return 0


@kernel
def advance_succinct(
    measure: Int32Array,
    v: int,
    w: int,
    width: int,
    length: int,
    strict: int,
    limit: int,
    levels: int,
) -> bool:
    """Make row ``v`` the least row not below row ``w`` on ``length`` levels (above it if strict).

    The new row has at most ``limit`` bits; row ``w`` may have more, up to ``width``. Returns False
    if there is no such row; then the content of row ``v`` has no meaning.
    """
    v *= width
    w *= width
    count = 0
    while count < width and measure[w + count] < 2 * length:
        measure[v + count] = measure[w + count]
        count += 1
    fill = length  # the level that gets the bits left over, as zeros
    if strict:
        level = length - 1
        # Invariant: no tuple of at most ``limit`` bits is above the row, yet equal to it on the
        # levels up to ``level``; the first ``count`` bits are those of these levels.
        while True:
            if level < 0:
                return False
            if count < limit:  # room for a string that goes on: the least such is s 1 0 0 …
                measure[v + count] = 2 * level + 1
                count += 1
                fill = level
                break
            if count == 0:
                return False
            level = measure[v + count - 1] >> 1
            begin = count
            while begin > 0 and measure[v + begin - 1] >> 1 == level:
                begin -= 1
            end = count
            if begin <= limit < count:
                end = limit
                if measure[v + limit] & 1 == 0:  # s was in the left subtree of what is cut here
                    count = limit
                    fill = level + 1
                    break
            while end > begin and measure[v + end - 1] & 1:
                end -= 1
            if begin < end <= limit:  # s = t 0 1…1: the next string is t
                count = end - 1
                fill = level + 1
                break
            count = begin
            level -= 1
    zero = 2 * fill
    while count < limit and fill < levels:
        measure[v + count] = zero
        count += 1
    while count < width:
        measure[v + count] = 2 * levels
        count += 1
    return True
