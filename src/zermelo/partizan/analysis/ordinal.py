"""The ordinal sum G:H = {Gᴸ, G:Hᴸ | Gᴿ, G:Hᴿ}: any move in G ends H.

It depends on the form of G; here this is the canonical form.

Reference: [BerlekampConwayGuy2001] ch. 7, [Siegel2013] §II.1.
"""

import itertools

from zermelo.errors import LimitError
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold

MOST_STEPS = 50_000
"""How often options of the second summand are looked at."""


def ordinal_sum(g: int, h: int) -> int:
    """G:H for the canonical form of G.

    >>> up, one = STORE.number_up_star(0, 0, 1, 0), STORE.number(1, 0)
    >>> from zermelo.partizan.text.spelling import spell
    >>> spell(ordinal_sum(up, one)), spell(ordinal_sum(one, STORE.negate(one)))
    ('^[2]', '1/2')
    """
    mine, yours = list(STORE.left(g)), list(STORE.right(g))
    base, top = STORE.parts(g), STORE.parts(h)
    if base is not None and top is not None and not base[2] and not any(top[:3]):
        return STORE.number_up_star(base[0], base[1], 0, base[3] + top[3])  # nimbers add up
    zero, steps = STORE.number(0, 0), itertools.count(1)

    def known(v: int) -> int | None:
        if next(steps) > MOST_STEPS:
            raise LimitError(
                f"an ordinal sum looked {MOST_STEPS:,} times at options of its second summand, and "
                "there are more; a smaller summand is needed"
            )
        return g if v == zero else None

    return fold(
        h,
        {},
        known,
        lambda _, left, right: STORE.make([*mine, *left], [*yours, *right]),
    )
