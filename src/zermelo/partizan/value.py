"""``Value``: a short partizan game up to equality, as an object to calculate with.

A value refers to a canonical form in the store (:mod:`zermelo.partizan.store`). Equal values have
the same id there, so ``==`` and ``hash`` take no time. Each property of a value has a module of its
own and is computed at its first use.
"""

import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, TypeGuard

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError, StaleValueError, UndefinedError
from zermelo.partizan import dyadic
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.store import STORE, ZERO

if TYPE_CHECKING:
    from zermelo.partizan.analysis.explanation import Explanation
    from zermelo.partizan.analysis.thermograph import Thermograph


class Value:
    """A short partizan game in canonical form; make one by ``zm.value`` or ``Value.from_options``.

    >>> star = Value.from_options([Value.from_number(0)], [Value.from_number(0)])
    >>> star + star == 0, star.outcome.name, star | 0, star < 1
    (True, 'N', True, True)
    >>> half = Value.from_options([0], [1])
    >>> half + half == 1, half.is_number, half.birthday
    (True, True, 2)
    """

    __slots__ = ("__weakref__", "_age", "_id")

    _id: int
    _age: int

    def __init__(self, number: int) -> None:
        """The value with this id in the store."""
        if type(number) is not int or not 0 < number <= len(STORE):
            raise InvalidOptionError(
                f"expected the number of a value in the store, got {shown(number)}; use zm.value"
            )
        object.__setattr__(self, "_id", number)
        object.__setattr__(self, "_age", STORE.age)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"a Value is immutable: {name!r} cannot be set")

    @classmethod
    def from_number(cls, x: int | Fraction) -> "Value":
        """The value of an integer or dyadic rational."""
        return cls(dyadic.number(x))

    @classmethod
    def from_options(cls, left: Iterable[Any], right: Iterable[Any]) -> "Value":
        """The value {left | right} of values, integers and dyadic rationals."""
        for side in (left, right):
            if isinstance(side, str) or not isinstance(side, Iterable):
                raise InvalidOptionError(f"expected the options of a player, got {shown(side)}")
        ids = [[short(x).id for x in side] for side in (left, right)]
        return cls(STORE.make(*ids))

    @property
    def id(self) -> int:
        """The id of the value in the store."""
        if self._age != STORE.age:
            raise StaleValueError("this value was made before the store of values was emptied")
        return self._id

    # Identity and text

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self._id == other._id and self._age == other._age
        if isinstance(other, int | Fraction):
            return self.number == other
        return NotImplemented

    def __hash__(self) -> int:
        if self._age != STORE.age:
            return hash((self._id, self._age))
        x = self.number
        return hash((self._id, self._age)) if x is None else hash(x)

    def __str__(self) -> str:
        from zermelo.partizan.text.spelling import spell

        return spell(self.id)

    def __repr__(self) -> str:
        return f"Value({str(self)!r})" if self._age == STORE.age else "Value(stale)"

    def _repr_html_(self) -> str:
        """What a notebook shows: the canonical form, its properties, and the thermograph."""
        from zermelo.partizan.page import value_page

        return value_page(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return value, (str(self),)

    # Arithmetic

    def __add__(self, other: object) -> "Value":
        return NotImplemented if (v := _value(other)) is None else Value(STORE.add(self.id, v.id))

    __radd__ = __add__

    def __sub__(self, other: object) -> "Value":
        return NotImplemented if (v := _value(other)) is None else self + -v

    def __rsub__(self, other: object) -> "Value":
        return NotImplemented if (v := _value(other)) is None else v + -self

    def __neg__(self) -> "Value":
        return Value(STORE.negate(self.id))

    def __pos__(self) -> "Value":
        return self

    def __mul__(self, other: object) -> "Value":
        """A sum of n copies, a product of two numbers, or a Norton product by a positive unit."""
        if (v := _value(other)) is None:
            return NotImplemented
        from zermelo.partizan.analysis.heat import product

        return Value(product(self.id, v.id))

    def __rmul__(self, other: object) -> "Value":
        return NotImplemented if (v := _value(other)) is None else v * self

    # Order

    def __le__(self, other: object) -> bool:
        if _is_thin(other):
            return self.left_stop < other
        return NotImplemented if (v := _value(other)) is None else STORE.le(self.id, v.id)

    def __ge__(self, other: object) -> bool:
        if _is_thin(other):
            return self.right_stop > other
        return NotImplemented if (v := _value(other)) is None else STORE.le(v.id, self.id)

    def __lt__(self, other: object) -> bool:
        return NotImplemented if not _is_like(other) else self != other and self <= other

    def __gt__(self, other: object) -> bool:
        return NotImplemented if not _is_like(other) else self != other and self >= other

    def __or__(self, other: object) -> bool:
        """Whether the values are confused: neither is at least the other."""
        return NotImplemented if not _is_like(other) else not (self <= other or self >= other)

    __ror__ = __or__

    def confused(self, other: Any) -> bool:
        """Whether neither value is at least the other.

        >>> value("*").confused(0), value("{1|0}").confused(Fraction(1, 3))
        (True, True)
        """
        return bool(self | (other if _is_like(other) else value(other)))

    @property
    def outcome(self) -> Outcome:
        """The outcome class: who wins."""
        below, above = STORE.le(self.id, ZERO), STORE.le(ZERO, self.id)
        return Outcome.of(-1 if below else 1, 1 if above else -1)

    # The form

    @property
    def left(self) -> tuple["Value", ...]:
        """Left's options in the canonical form."""
        return tuple(map(Value, STORE.left(self.id)))

    @property
    def right(self) -> tuple["Value", ...]:
        """Right's options in the canonical form."""
        return tuple(map(Value, STORE.right(self.id)))

    @property
    def birthday(self) -> int:
        """The depth of the canonical form."""
        return STORE.birthday(self.id)

    @property
    def number(self) -> Fraction | None:
        """The number that the value equals, or None."""
        return dyadic.as_number(self.id)

    def __index__(self) -> int:
        if (x := self.number) is None or x.denominator != 1:
            raise TypeError(f"{self} is not an integer")
        return int(x)

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.number is not None

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer."""
        return (x := self.number) is not None and x.denominator == 1

    @property
    def nimber(self) -> int | None:
        """The n of ∗n, or None."""
        parts = STORE.parts(self.id)
        return None if parts is None or any(parts[:3]) else parts[3]

    @property
    def is_nimber(self) -> bool:
        """Whether it is a nimber ∗n; 0 is one."""
        return self.nimber is not None

    @property
    def is_infinitesimal(self) -> bool:
        """Whether it lies between all negative and all positive numbers."""
        return self.left_stop == 0 == self.right_stop

    @property
    def is_all_small(self) -> bool:
        """Whether in every position both players can move or neither can."""
        from zermelo.partizan.analysis.stops import is_all_small

        return is_all_small(self.id)

    # Temperature

    @property
    def left_stop(self) -> Fraction:
        """The number that play reaches when Left begins."""
        return dyadic.left_stop(self.id)

    @property
    def right_stop(self) -> Fraction:
        """The number that play reaches when Right begins."""
        return dyadic.right_stop(self.id)

    @property
    def thermograph(self) -> "Thermograph":
        """The two stops at every temperature."""
        from zermelo.partizan.analysis.thermograph import thermograph

        return thermograph(self.id)

    @property
    def mean(self) -> Fraction:
        """The mean value: the value per copy in a sum of many copies."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """The gain of a move; −1/2^k for a number with denominator 2^k."""
        return self.thermograph.temperature

    @property
    def left_incentives(self) -> tuple["Value", ...]:
        """The gains of Left's moves."""
        from zermelo.partizan.analysis.stops import left_incentives

        return tuple(map(Value, left_incentives(self.id)))

    @property
    def right_incentives(self) -> tuple["Value", ...]:
        """The gains of Right's moves."""
        from zermelo.partizan.analysis.stops import right_incentives

        return tuple(map(Value, right_incentives(self.id)))

    @property
    def incentives(self) -> tuple["Value", ...]:
        """The gains of both players' moves, without dominated ones.

        >>> value("{2|-1}").incentives, value("^").incentives
        ((Value('{3|0}'),), (Value('^*'),))
        """
        from zermelo.partizan.analysis.stops import incentives

        return tuple(map(Value, incentives(self.id)))

    def cool(self, t: "Like") -> "Value":
        """Cooled by a number t: every move costs t.

        >>> value("{2|-1}").cool(1), value("{2|-1}").cool("3/2"), value("{2|-1}").cool(2)
        (Value('{1|0}'), Value('1/2*'), Value('1/2'))
        """
        from zermelo.partizan.analysis.heat import cool

        temperature = short(t).number
        if temperature is None:
            raise UndefinedError(f"expected a number to cool by, got {t}")
        return Value(cool(self.id, temperature))

    def heat(self, t: "Like") -> "Value":
        """Heated by t: every move gains t.

        >>> value("*").heat(2), value("{1|0}").heat("*")
        (Value('+-2'), Value('{1*|*}'))
        """
        from zermelo.partizan.analysis.heat import heat

        return Value(heat(self.id, short(t).id))

    def overheat(self, s: "Like", t: "Like") -> "Value":
        """Overheated from s to t.

        >>> value("1/2").overheat(1, 1)
        Value('{1|0}')
        """
        from zermelo.partizan.analysis.heat import overheat

        return Value(overheat(self.id, short(s).id, short(t).id))

    def norton(self, unit: "Like") -> "Value":
        """The Norton product by a positive unit.

        >>> value(3).norton(value("^")) == value("^3")
        True
        """
        from zermelo.partizan.analysis.heat import norton

        return Value(norton(self.id, short(unit).id))

    def verify(self) -> "Value":
        """Check by plain search that the form is canonical, or raise a CertificateError.

        >>> value("{3|1||0}").verify()
        Value('{3|1||0}')
        """
        from zermelo.partizan.certificate import check_canonical

        check_canonical(self.id)
        return self

    def explain(
        self, player: int | None = None, depth: int = 4, *, width: int = 8
    ) -> "Explanation":
        """Who wins when Left (0) or Right (1) begins, by which moves, and why no other move helps.

        >>> print(value("{2|-1}").explain(1))
        {2|-1}: the player who begins wins.
        It is hot: its temperature is 3/2. Play stops at 2 when Left begins and at -1 when Right \
begins.
        If Right begins, Right wins.
          Right moves to -1. Then Left has no move.
        """
        from zermelo.partizan.analysis.explanation import explain_values

        return explain_values(self, player, depth, width=width)

    # Other forms

    @property
    def atomic_weight(self) -> "Value":
        """The atomic weight; only some infinitesimals have one."""
        from zermelo.partizan.analysis.atomic_weight import atomic_weight

        return Value(atomic_weight(self.id))

    @property
    def reduced(self) -> "Value":
        """The reduced canonical form: the simplest value infinitesimally close."""
        from zermelo.partizan.analysis.reduced import reduced

        return Value(reduced(self.id))

    def ordinal_sum(self, other: "Like") -> "Value":
        """The ordinal sum self : other, in which a move in self ends other.

        >>> value("^").ordinal_sum(1), value(1).ordinal_sum(-1)
        (Value('^[2]'), Value('1/2'))
        """
        from zermelo.partizan.analysis.ordinal import ordinal_sum

        return Value(ordinal_sum(self.id, short(other).id))


Like: TypeAlias = Value | str | int | Fraction
"""Types that can be converted to a value."""


def _is_like(x: object) -> bool:
    return isinstance(x, Value | int | Fraction)


def _is_thin(x: object) -> TypeGuard[Fraction]:
    """Whether it is a fraction that is not a value. No stop equals it, so the stops decide."""
    return isinstance(x, Fraction) and bool(x.denominator & (x.denominator - 1))


def _value(x: object) -> Value | None:
    if isinstance(x, Value):
        return x
    return Value.from_number(x) if isinstance(x, int | Fraction) else None


def value(x: Any) -> Any:
    """The value of a text, an integer or a dyadic rational; a value is returned unchanged.

    >>> v = value("{0|1} + {0|1} - 1")
    >>> print(v, v.outcome.name, v.mean, v.temperature)
    0 P 0 -1
    >>> value(Fraction(3, 4)) < value(1), value("{2|-1}").temperature
    (True, Fraction(3, 2))

    A text with the name of a loopy value (``on``, ``over``, …) gives a ``LoopyValue``.
    """
    if isinstance(x, str):
        from zermelo.partizan.text.notation import parse

        result = parse(x)
        return Value(result) if isinstance(result, int) else result
    if isinstance(x, Value):
        return x
    if isinstance(x, SupportsIndex) and not isinstance(x, int | Fraction):
        x = _integer(x)
    if (result := _value(x)) is not None:
        return result
    if hasattr(x, "onside"):
        return x
    raise InvalidOptionError(f"expected text, an integer, a Fraction or a Value, got {shown(x)}")


def _integer(x: SupportsIndex) -> Any:
    """An integer of another type, such as NumPy's, as an ``int``; any other object is unchanged."""
    try:
        return operator.index(x)
    except TypeError:
        return x


def short(x: Any) -> Value:
    """The same as :func:`value`, for values without loops only.

    >>> short("on")
    Traceback (most recent call last):
    zermelo.errors.UndefinedError: expected a value without loops, got on
    """
    result = value(x)
    if not isinstance(result, Value):
        raise UndefinedError(f"expected a value without loops, got {result}")
    return result
