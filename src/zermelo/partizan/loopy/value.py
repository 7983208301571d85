"""Loopy values: the values of positions in sums if play may be infinite.

A loopy value is a pair of sides S & T (see :mod:`zermelo.partizan.loopy.sidling`): the onside is
the value if Left wins infinite play, and the offside is the value if Right wins it. For a *stopper*
the two are the same. A position whose sides are not stoppers has no such value, but it can be
compared, added and played.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Union

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError, LimitError, StaleValueError, UndefinedError
from zermelo.partizan.dyadic import as_integer
from zermelo.partizan.loopy.forms import (
    Form,
    Node,
    Option,
    check_size,
    followers,
    is_stopper,
    rows_of,
    zero,
)
from zermelo.partizan.loopy.sidling import mirror, onsides
from zermelo.partizan.loopy.survival import Rows, survives
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value, value

if TYPE_CHECKING:
    from zermelo.partizan.analysis.explanation import Explanation

_ORDER: dict[tuple[Node, Node, int], bool] = STORE.memo()
_SUMS: dict[tuple[Node, Node], Node] = STORE.memo()

AnyValue: TypeAlias = Union[Value, "LoopyValue"]

COPIES = 1000
"""More copies than this are not added."""


class LoopyValue:
    """The value of a game in which play may be infinite.

    Equality, order, sums and negatives are those of games: G ≥ H if Left, moving second, does not
    lose G − H, in any sum with other games.

    >>> import zermelo as zm
    >>> on, over = zm.value("on"), zm.value("over")
    >>> print(on + over, on - on, over - over, over > 0, over < zm.value("1/1024"))
    on dud over & under True True
    >>> (on - on).onside == on, (on - on).outcome.name
    (True, 'D')
    """

    __slots__ = ("_age", "_nodes")

    _nodes: tuple[Node, Node]
    _age: int

    def __init__(self, upper: Node, lower: Node) -> None:
        """Take the nodes of both sides; other callers use :func:`value_of_sides`."""
        for node in (upper, lower):
            if not isinstance(node, Value | Form):
                raise InvalidOptionError(f"expected a node, got {shown(node)}; use zm.value")
        object.__setattr__(self, "_nodes", (upper, lower))
        object.__setattr__(self, "_age", STORE.age)

    @property
    def nodes(self) -> tuple[Node, Node]:
        """The graphs of the onside and the offside."""
        if self._age != STORE.age:
            raise StaleValueError("this value was made before the store of values was emptied")
        return self._nodes

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a LoopyValue never changes; cannot set {name!r}")

    # ---------------------------------------------------------------- sides

    @property
    def onside(self) -> "AnyValue | None":
        """The value if infinite play is a win for Left; None if that is not a stopper."""
        return _stopper(self.nodes[0])

    @property
    def offside(self) -> "AnyValue | None":
        """The value if infinite play is a win for Right; None if that is not a stopper."""
        return _stopper(self.nodes[1])

    @property
    def has_sides(self) -> bool:
        """Whether both sides are stoppers; if not, the position has no value S & T."""
        return is_stopper(self.nodes[0]) and is_stopper(self.nodes[1])

    @property
    def is_stopper(self) -> bool:
        """Whether it is a stopper: alternating play in it alone always ends."""
        return self.nodes[0] is self.nodes[1] and is_stopper(self.nodes[0])

    is_loopfree = False
    """A value without loops is a :class:`~zermelo.partizan.value.Value`."""

    @property
    def left(self) -> tuple["AnyValue", ...]:
        """Left's options of a stopper in canonical form."""
        return tuple(value_of_sides(x, x) for x in self._form().left)

    @property
    def right(self) -> tuple["AnyValue", ...]:
        """Right's options of a stopper in canonical form."""
        return tuple(value_of_sides(x, x) for x in self._form().right)

    def _form(self) -> Form:
        if not self.is_stopper or not isinstance(self.nodes[0], Form):
            raise UndefinedError(f"{self} is not a stopper, so it has no options in canonical form")
        return self.nodes[0]

    @property
    def outcome(self) -> Outcome:
        """The winner when Left begins and when Right begins: one of nine classes.

        >>> import zermelo as zm
        >>> [zm.value(x).outcome.name for x in ("on", "dud", "1 & 0", "{0|off}", "* & -1*")]
        ['L', 'D', 'PHat', 'N', 'NCheck']
        """
        left = (
            1
            if not le(self.nodes[1], zero(), -1)
            else 0
            if not le(self.nodes[0], zero(), 1)
            else -1
        )
        right = 1 if le(zero(), self.nodes[1], -1) else 0 if le(zero(), self.nodes[0], 1) else -1
        return Outcome.of(left, right)

    def explain(
        self, player: int | None = None, depth: int = 4, *, width: int = 8
    ) -> "Explanation":
        """Who wins when Left (0) or Right (1) begins, and the moves if it is a stopper.

        >>> import zermelo as zm
        >>> print(zm.value("dud").explain(0).remarks[-1])
        Its moves are not shown, because only stoppers have options in canonical form.
        """
        from zermelo.partizan.analysis.explanation import explain_values

        return explain_values(self, player, depth, width=width)

    # ---------------------------------------------------------------- arithmetic

    def __neg__(self) -> "AnyValue":
        return value_of_sides(mirror(self.nodes[1]), mirror(self.nodes[0]))

    def __pos__(self) -> "LoopyValue":
        return self

    def __add__(self, other: Any) -> "AnyValue":
        both = _sides(other)
        if both is None:
            return NotImplemented
        upper = _sum(self.nodes[0], both[0])
        if self.is_stopper and isinstance(both[0], Value) and both[0] == both[1]:
            return value_of_sides(upper, upper)  # a stopper, because one summand is finite
        lower = mirror(_sum(mirror(self.nodes[1]), mirror(both[1])))
        return value_of_sides(upper, lower)

    __radd__ = __add__

    def __sub__(self, other: Any) -> "AnyValue":
        return NotImplemented if _sides(other) is None else self + -as_value(other)

    def __rsub__(self, other: Any) -> "AnyValue":
        return NotImplemented if _sides(other) is None else -self + other

    def __mul__(self, other: Any) -> "AnyValue":
        """The sum of n copies, by doubling.

        >>> import zermelo as zm
        >>> print(2 * zm.value("1 & 0"), zm.value("over") * -3)
        2 & 0 under
        """
        if _sides(other) is None:
            return NotImplemented
        factor = as_value(other)
        n = as_integer(factor.id) if isinstance(factor, Value) else None
        if n is None:
            raise UndefinedError("only integers can be multiplied with loopy values")
        if abs(n) > COPIES:
            raise LimitError(f"expected at most {COPIES:,} copies of a loopy value, got {n:,}")
        total: AnyValue = zero()
        for bit in bin(abs(n))[2:]:
            total = total + total
            if bit == "1":
                total = total + self
        return -total if n < 0 else total

    __rmul__ = __mul__

    # ---------------------------------------------------------------- order

    def __le__(self, other: Any) -> bool:
        both = _sides(other)
        if both is None:
            return NotImplemented
        return le(self.nodes[0], both[0], 1) and le(self.nodes[1], both[1], -1)

    def __ge__(self, other: Any) -> bool:
        both = _sides(other)
        if both is None:
            return NotImplemented
        return le(both[0], self.nodes[0], 1) and le(both[1], self.nodes[1], -1)

    def __lt__(self, other: Any) -> bool:
        return NotImplemented if _sides(other) is None else self <= other and not self >= other

    def __gt__(self, other: Any) -> bool:
        return NotImplemented if _sides(other) is None else self >= other and not self <= other

    def __eq__(self, other: object) -> bool:
        both = _sides(other)
        if both is None:
            return NotImplemented
        if all(map(is_stopper, (self.nodes[0], self.nodes[1], *both))):
            return self.nodes[0] == both[0] and self.nodes[1] == both[1]
        return bool(self <= other and self >= other)

    def __hash__(self) -> int:
        return hash(self.nodes if self.has_sides else self.outcome)

    def __or__(self, other: Any) -> bool:
        """Whether neither is at least the other."""
        return NotImplemented if _sides(other) is None else self.confused(other)

    __ror__ = __or__

    def confused(self, other: Any) -> bool:
        """Whether neither is at least the other.

        >>> import zermelo as zm
        >>> zm.value("dud").confused(0), zm.value("over").confused(0)
        (True, False)
        """
        other = value(other)
        return not (self <= other or self >= other)

    # ---------------------------------------------------------------- text

    def _repr_html_(self) -> str:
        """What a notebook shows: the value, its sides, and who wins."""
        from zermelo.partizan.page import loopy_page

        return loopy_page(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return value, (str(self),)

    def __str__(self) -> str:
        from zermelo.partizan.loopy.spelling import spell_sides

        return spell_sides(self.nodes[0], self.nodes[1])

    def __repr__(self) -> str:
        return f"LoopyValue({str(self)!r})"


def value_of_sides(upper: Node, lower: Node) -> "AnyValue":
    """The value with these nodes as its sides; a Value if it has no loops."""
    if upper == lower:
        return upper if isinstance(upper, Value) else LoopyValue(upper, upper)
    return LoopyValue(upper, lower)


def as_value(x: "AnyValue | int | Fraction") -> "AnyValue":
    """A value, from a value or a number."""
    return Value.from_number(x) if isinstance(x, int | Fraction) else x


def _stopper(node: Node) -> "AnyValue | None":
    return value_of_sides(node, node) if is_stopper(node) else None


def nodes_of(value: "AnyValue") -> tuple[Node, Node]:
    """The graphs of both sides of a value."""
    return value.nodes if isinstance(value, LoopyValue) else (value, value)


def _sides(x: Any) -> tuple[Node, Node] | None:
    """The graphs of both sides of a value or a number; None for anything else."""
    if isinstance(x, bool) or not isinstance(x, LoopyValue | Value | int | Fraction):
        return None
    return nodes_of(as_value(x))


def le(x: Node, y: Node, side: int = 1) -> bool:
    """x⁺ ≤ y⁺ for side 1, x⁻ ≤ y⁻ for side −1."""
    if x == y:
        return True
    if isinstance(x, Value) and isinstance(y, Value):
        return x <= y
    key = x, y, side
    if key not in _ORDER:
        _ORDER[key] = _compare(*key)
    return _ORDER[key]


def _compare(x: Node, y: Node, side: int) -> bool:
    stoppers = is_stopper(x) and is_stopper(y)
    both = [rows_of(followers([node])) for node in (y, x)]
    if side < 0:
        both = [Rows(rows.right, rows.left) for rows in reversed(both)]
    return bool(survives(both[0], both[1], stoppers=stoppers)[0, 0])


def _sum(x: Node, y: Node) -> Node:
    """The onside of a sum of onsides."""
    if isinstance(x, Value) and isinstance(y, Value):
        return x + y
    if (x, y) not in _SUMS:
        _SUMS[x, y] = _add(x, y)
    return _SUMS[x, y]


def _add(x: Node, y: Node) -> Node:
    place = {(x, y): 0}
    waiting = [(x, y)]
    left: list[list[Option]] = []
    right: list[list[Option]] = []
    for a, b in waiting:
        for rows, mine, yours in ((left, a.left, b.left), (right, a.right, b.right)):
            row: list[Option] = []
            for pair in [(c, b) for c in mine] + [(a, d) for d in yours]:
                if isinstance(pair[0], Value) and isinstance(pair[1], Value):
                    row.append(pair[0] + pair[1])
                    continue
                if pair not in place:
                    place[pair] = len(place)
                    waiting.append(pair)
                row.append(place[pair])
            rows.append(row)
        check_size(len(place))
    return onsides(left, right)[0]
