"""Products and temperatures: multiples, Norton products, cooling, heating, overheating.

All are defined by recursion on the canonical form, which stops at numbers or integers. They are
computed from the options up, without recursion.

Reference: [BerlekampConwayGuy2001] ch. 6 and 8, [Siegel2013] §II.5–II.6. Notation: G_t is G cooled
by t, ∫ᵗ G heated, ∫ₛᵗ G overheated from s to t, G·U the Norton product by the unit U > 0.
"""

from collections.abc import Callable
from fractions import Fraction

from zermelo.errors import UndefinedError
from zermelo.partizan.analysis.stops import incentives
from zermelo.partizan.analysis.thermograph import thermograph
from zermelo.partizan.dyadic import as_integer, as_number, number
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold


def multiple(n: int, v: int) -> int:
    """The sum of n copies of a value, by doubling; for n < 0, of its negative.

    >>> up = STORE.number_up_star(0, 0, 1, 0)
    >>> STORE.parts(multiple(-3, up))
    (0, 0, -3, 0)
    """
    if n < 0:
        n, v = -n, STORE.negate(v)
    parts = STORE.parts(v)
    if parts is not None:
        numerator, exponent, up, star = parts
        return STORE.number_up_star(n * numerator, exponent, n * up, star * (n % 2))
    total = STORE.number(0, 0)
    while n:
        if n & 1:
            total = STORE.add(total, v)
        n >>= 1
        if n:
            v = STORE.add(v, v)
    return total


def norton(g: int, unit: int) -> int:
    """The Norton product G·U: n copies of U if G is an integer n, else the options are
    Gᴸ·U + (U + I) and Gᴿ·U − (U + I), where I runs over the incentives of U.

    >>> half = STORE.number(1, 1)
    >>> from zermelo.partizan.text.spelling import spell
    >>> spell(norton(half, STORE.number_up_star(0, 0, 1, 0)))
    '{^^*|v*}'
    """
    if not STORE.le(STORE.number(0, 0), unit) or STORE.le(unit, STORE.number(0, 0)):
        raise UndefinedError("expected a unit greater than 0 for the Norton product")
    gains = [STORE.add(unit, x) for x in incentives(unit)]
    return _heated(g, lambda n: multiple(n, unit), gains)


def product(a: int, b: int) -> int:
    """A·B: a multiple if A or B is an integer, the product of two numbers, else Norton's product.

    >>> as_number(product(STORE.number(1, 1), STORE.number(3, 1)))
    Fraction(3, 4)
    """
    for n, v in ((a, b), (b, a)):
        times = as_integer(n)
        if times is not None:
            return multiple(times, v)
    x, y = as_number(a), as_number(b)
    return number(x * y) if x is not None and y is not None else norton(a, b)


def overheat(g: int, s: int, t: int) -> int:
    """∫ₛᵗ G: n copies of s if G is an integer n, else {∫Gᴸ + t | ∫Gᴿ − t}.

    >>> from zermelo.partizan.text.spelling import spell
    >>> spell(overheat(STORE.number(1, 1), STORE.number(1, 0), STORE.number(1, 0)))
    '{1|0}'
    """
    return _heated(g, lambda n: multiple(n, s), [t])


def _heated(g: int, integer: Callable[[int], int], gains: list[int]) -> int:
    losses = [STORE.negate(x) for x in gains]

    def leaf(v: int) -> int | None:
        n = as_integer(v)
        return None if n is None else integer(n)

    def join(_: int, left: list[int], right: list[int]) -> int:
        return STORE.make(
            [STORE.add(x, y) for x in left for y in gains],
            [STORE.add(x, y) for x in right for y in losses],
        )

    return fold(g, {}, leaf, join)


def heat(g: int, t: int) -> int:
    """∫ᵗ G: a number is unchanged, otherwise {∫Gᴸ + t | ∫Gᴿ − t}; t may be any value.

    >>> from zermelo.partizan.text.spelling import spell
    >>> spell(heat(STORE.number_up_star(0, 0, 0, 1), STORE.number(2, 0)))
    '+-2'
    """
    minus = STORE.negate(t)
    return fold(
        g,
        {},
        lambda v: None if as_number(v) is None else v,
        lambda _, left, right: STORE.make(
            [STORE.add(x, t) for x in left], [STORE.add(x, minus) for x in right]
        ),
    )


def cool(g: int, t: Fraction | int) -> int:
    """G cooled by t > −1: {Gᴸ_t − t | Gᴿ_t + t} up to the temperature of G, then its mean.

    >>> from zermelo.partizan.text.spelling import spell
    >>> switch = STORE.make([STORE.number(2, 0)], [STORE.number(-2, 0)])
    >>> [spell(cool(switch, t)) for t in (1, 2, 3)]
    ['+-1', '*', '0']
    """
    t = Fraction(t)
    if t <= -1:
        raise UndefinedError(f"expected a temperature above -1 to cool by, got {t}")
    plus, minus = number(t), number(-t)

    def leaf(v: int) -> int | None:
        picture = thermograph(v)
        return number(picture.mean) if t > picture.temperature else None

    def join(_: int, left: list[int], right: list[int]) -> int:
        return STORE.make([STORE.add(x, minus) for x in left], [STORE.add(x, plus) for x in right])

    return fold(g, {}, leaf, join)
