"""Atomic weights: how many ↑ an infinitesimal is worth from far away.

For G let G₀ = {aw(Gᴸ) − 2 | aw(Gᴿ) + 2}. The weight is G₀, unless that is an integer: then G is
compared with a *remote star*, a nimber larger than all in G. If G is greater, the weight is the
largest integer n with n ⧏ aw(Gᴿ) + 2 for all Right options; if it is less, the least n with
n ⧐ aw(Gᴸ) − 2 for all Left options; if neither, it is G₀.

All-small values have a weight. So has any other infinitesimal G (a value of the same weight as some
all-small one) REMOVED: the condition.

Reference: [BerlekampConwayGuy2001] ch. 8, [Siegel2013] §II.7, for all-small values.
"""

import math

from zermelo.errors import UndefinedError
from zermelo.partizan._walk import fold
from zermelo.partizan.dyadic import as_integer, left_stop
from zermelo.partizan.heat import norton
from zermelo.partizan.ordinal import ordinal_sum
from zermelo.partizan.spelling import spell
from zermelo.partizan.stops import is_all_small, is_infinitesimal
from zermelo.partizan.store import STORE

_REMOTE: dict[int, int] = STORE.memo()
_WEIGHT: dict[int, int] = STORE.memo()


def atomic_weight(v: int) -> int:
    """The atomic weight, a value.

    >>> from zermelo.partizan.spelling import spell
    >>> spell(atomic_weight(STORE.number_up_star(0, 0, 3, 2)))
    '3'
    >>> atomic_weight(STORE.number(1, 0))
    Traceback (most recent call last):
    zermelo.errors.UndefinedError: 1 has no atomic weight: expected an infinitesimal value
    """
    if not is_infinitesimal(v):
        raise UndefinedError(f"{spell(v)} has no atomic weight: expected an infinitesimal value")
    weight = fold(v, _WEIGHT, _leaf, _join)
    if not is_all_small(v) and not _is_atomic(v, weight):
        raise UndefinedError(f"{spell(v)} has no atomic weight: no multiple of ^ is close enough")
    return weight


def remote_star(v: int) -> int:
    """A power of two such that no position of the value is so large a nimber.

    >>> remote_star(STORE.number_up_star(0, 0, 3, 2))
    4
    """
    return fold(v, _REMOTE, _remote_leaf, lambda _, left, right: max(2, *left, *right))


def _remote_leaf(v: int) -> int | None:
    parts = STORE.parts(v)
    return None if parts is None else max(2, 1 << (parts[3] | 1).bit_length())


def _leaf(v: int) -> int | None:
    parts = STORE.parts(v)
    return None if parts is None else STORE.number(parts[2], 0)


def _join(v: int, left: list[int], right: list[int]) -> int:
    two, minus = STORE.number(2, 0), STORE.number(-2, 0)
    mine, yours = [STORE.add(x, minus) for x in left], [STORE.add(x, two) for x in right]
    plain = STORE.make(mine, yours)
    if as_integer(plain) is None:
        return plain
    star = STORE.number_up_star(0, 0, 0, remote_star(v))
    below, above = STORE.le(v, star), STORE.le(star, v)
    if above and not below:
        return STORE.number(min(_greatest_below(x) for x in yours), 0)
    if below and not above:
        return STORE.number(-min(_greatest_below(STORE.negate(x)) for x in mine), 0)
    return plain


def _greatest_below(v: int) -> int:
    """The greatest integer n with n ⧏ v, that is, not v ≤ n."""
    n = math.floor(left_stop(v))
    return n - 1 if STORE.le(v, STORE.number(n, 0)) else n


def _is_atomic(v: int, weight: int) -> bool:
    # REMOVED: derive anew whether the infinitesimal v, not all-small, has this atomic weight.
    raise RuntimeError
