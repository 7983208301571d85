"""Small progress measures: one counter for each level, compared from the highest priority down.

Row ``r`` of the flat array ``measure`` is ``measure[r · width : (r + 1) · width]``; its entry ``i``
counts positions of the opponent's priority of level ``i`` (level 0 is the highest such priority).
Entries beyond a position's own levels stay zero.
"""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array


@kernel
def compare_small(measure: Int32Array, a: int, b: int, width: int, length: int) -> int:
    """−1, 0 or +1: how row ``a`` compares with row ``b`` on the first ``length`` levels."""
    a *= width
    b *= width
    for i in range(length):
        if measure[a + i] != measure[b + i]:
            return -1 if measure[a + i] < measure[b + i] else 1
    return 0


@kernel
def advance_small(
    measure: Int32Array, v: int, w: int, width: int, length: int, strict: int, bound: Int32Array
) -> bool:
    """Make row ``v`` the least row not below row ``w`` on ``length`` levels (above it if strict).

    ``bound[i]`` is the highest count of level ``i``. Returns False if there is no such row; then
    the content of row ``v`` has no meaning.
    """
    v *= width
    w *= width
    for i in range(length):
        measure[v + i] = measure[w + i]
    if strict == 0:
        return True
    i = length - 1
    while i >= 0:
        # A bound may have become less than a count; such a count is also set to 0.
        if measure[v + i] < bound[i]:
            measure[v + i] += 1
            return True
        measure[v + i] = 0
        i -= 1
    return False
