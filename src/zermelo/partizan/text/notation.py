"""Values as text, in the notation of [CGSuite].

:mod:`zermelo.partizan.text.parser` reads them, and :mod:`zermelo.partizan.text.spelling` writes
them. :mod:`zermelo.partizan.loopy.names` reads loopy values.
"""

from typing import Any, TypeVar

from zermelo.partizan.analysis import heat, uptimal
from zermelo.partizan.store import STORE
from zermelo.partizan.text.parser import Algebra, Parser, UnknownName
from zermelo.partizan.text.spelling import spell

__all__ = ["parse", "read", "spell"]

T = TypeVar("T")


class _Ids:
    """The values of the store, by id."""

    number_up_star = staticmethod(STORE.number_up_star)
    power, power_sum = staticmethod(uptimal.power), staticmethod(uptimal.power_sum)
    make, add, negate = (staticmethod(f) for f in (STORE.make, STORE.add, STORE.negate))
    product = staticmethod(heat.product)


def parse(text: str) -> Any:
    """The id of the value of a text, or a loopy value if the text contains one.

    >>> spell(parse("{0|1} + {0|1} - 1")), spell(parse("-1^ + 3.{1|0}"))
    ('0', '{1^|^}')
    >>> parse("{0|1")
    Traceback (most recent call last):
    zermelo.errors.NotationError: column 5: expected '}' for the '{' of column 1, got the end
      {0|1
          ^
    """
    with STORE.bounded():
        try:
            return read(text, _Ids())
        except UnknownName:
            pass
        from zermelo.partizan.loopy.names import parse_loopy

        return parse_loopy(text)


def read(text: str, algebra: Algebra[T]) -> T:
    """The value of a text, in any algebra; names of loopy values are refused.

    >>> read("2 + ^", _Ids()) == STORE.number_up_star(2, 0, 1, 0)
    True
    """
    return Parser(text, algebra).run()
