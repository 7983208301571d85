"""Incentives, and whether a value is infinitesimal or all small.

The Left stop is the number that optimal play reaches when Left begins; the Right stop is defined
likewise (:mod:`zermelo.partizan.dyadic`). They are the walls of the thermograph at t = 0. A value
is *infinitesimal* if both stops are 0. It is *all small* if in each of its positions either both
players can move or neither can. [BerlekampConwayGuy2001] ch. 6 and 8, [Siegel2013] §II.3, II.7.
"""

from zermelo.partizan.dyadic import left_stop, right_stop
from zermelo.partizan.store import STORE
from zermelo.partizan.text.spelling import options_in_order
from zermelo.partizan.walk import fold


def is_infinitesimal(v: int) -> bool:
    """Whether the value is smaller than all positive numbers and greater than all negative ones.

    >>> is_infinitesimal(STORE.number_up_star(0, 0, 3, 1))
    True
    """
    return left_stop(v) == right_stop(v) == 0


_ALL_SMALL: dict[int, bool] = STORE.memo()


def is_all_small(v: int) -> bool:
    """Whether in every position both players can move or neither can.

    >>> is_all_small(STORE.number_up_star(0, 0, 3, 1)), is_all_small(STORE.number(1, 0))
    (True, False)
    """
    return fold(
        v,
        _ALL_SMALL,
        lambda x: None if (parts := STORE.parts(x)) is None else parts[0] == 0,
        lambda _, left, right: all(left) and all(right),
    )


def left_incentives(v: int) -> tuple[int, ...]:
    """The gains Gᴸ − G of Left's moves, without dominated ones, in the order of spelling.

    >>> from zermelo.partizan.text.spelling import spell
    >>> one = STORE.number(1, 0)
    >>> [spell(x) for x in left_incentives(STORE.make([one], [STORE.negate(one)]))]
    ['{2|0}']
    """
    minus = STORE.negate(v)
    return _undominated([STORE.add(x, minus) for x in options_in_order(v)[0]])


def right_incentives(v: int) -> tuple[int, ...]:
    """The gains G − Gᴿ of Right's moves, without dominated ones.

    >>> from zermelo.partizan.text.spelling import spell
    >>> one = STORE.number(1, 0)
    >>> [spell(x) for x in right_incentives(STORE.make([one], [STORE.negate(one)]))]
    ['{2|0}']
    """
    return _undominated([STORE.add(v, STORE.negate(x)) for x in options_in_order(v)[1]])


def incentives(v: int) -> tuple[int, ...]:
    """The gains of both players' moves, without dominated ones.

    >>> from zermelo.partizan.text.spelling import spell
    >>> [spell(x) for x in incentives(STORE.number_up_star(0, 0, 1, 0))]
    ['^*']
    """
    return _undominated([*left_incentives(v), *right_incentives(v)])


def _undominated(values: list[int]) -> tuple[int, ...]:
    values = list(dict.fromkeys(values))
    return tuple(x for x in values if not any(x != y and STORE.le(x, y) for y in values))
