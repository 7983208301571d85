"""Misère outcomes of all monomials in a box of exponents."""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int64Array


@kernel
def box_outcomes(
    size: Int64Array,
    fold: Int64Array,
    width: int,
    first: Int64Array,
    change: Int64Array,
    digits: Int64Array,
    lost: Int8Array,
) -> None:
    """Set ``lost[e]`` to 1 where the monomial number ``e`` is a P-position, for all of a box.

    The box has ``size[i]`` exponents of generator ``i``; number 0 is the empty position, which the
    player to move wins. A move in generator ``j`` adds a row ``first[j] … first[j + 1]`` of
    ``change`` to the exponents; exponent ``d`` of generator ``i`` then contributes
    ``fold[i · width + d]`` to the number, which folds it back into the box. Requires that every
    move lowers the number, and ``digits`` and ``lost`` all 0.
    """
    k = len(size)
    # Invariant: lost[:e] is right, and digits are the exponents of number e - 1.
    for e in range(1, len(lost)):
        i = 0
        while digits[i] + 1 == size[i]:
            digits[i] = 0
            i += 1
        digits[i] += 1
        won = 0
        for j in range(k):
            if digits[j] == 0 or won == 1:
                continue
            for row in range(first[j], first[j + 1]):
                to = 0
                for i in range(k):
                    to += fold[i * width + digits[i] + change[row * k + i]]
                if lost[to] == 1:
                    won = 1
                    break
        lost[e] = 1 - won
