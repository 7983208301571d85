"""The reduced canonical form: the simplest value infinitesimally close to G.

The value is heated by ∗, and then x∗ is replaced by x, from the options up ([GrossmanSiegel2009]).
"""

from zermelo.partizan.analysis.heat import heat
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold

_PROJECTED: dict[int, int] = STORE.memo()


def reduced(v: int) -> int:
    """The reduced canonical form.

    >>> from zermelo.partizan.text.spelling import spell
    >>> star = STORE.number_up_star(0, 0, 0, 1)
    >>> spell(reduced(STORE.make([STORE.number_up_star(1, 0, 0, 1)], [star])))
    '{1|0}'
    """
    parts = STORE.parts(v)
    if parts is not None:
        return STORE.number(parts[0], parts[1])
    heated = heat(v, STORE.number_up_star(0, 0, 0, 1))
    return fold(heated, _PROJECTED, _leaf, lambda _, left, right: STORE.make(left, right))


def _leaf(v: int) -> int | None:
    parts = STORE.parts(v)
    if parts is None or parts[2] or parts[3] > 1:
        return None
    return STORE.number(parts[0], parts[1])
