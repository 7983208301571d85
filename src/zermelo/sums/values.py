"""Values of impartial games: nimbers, which are plain integers, and the infinite values ∞(K).

A position has the value ``n`` if it behaves in every sum like a heap of ``n``. ∞(K) is the value of
a position in which neither player can prevent the other from prolonging play; ``K`` is the set of
the finite values of its options.

Reference: [Smith1966], [FraenkelPerl1975]. Sums:

- ``m + n`` is the exclusive or of both;
- ``∞(K) + n = ∞({k xor n : k in K})``, and ``∞(K) + ∞(L) = ∞()``;
- the player to move loses at 0, wins at ``n > 0`` and at ∞(K) with 0 in ``K``; all else is a draw.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from zermelo._inputs.values import listed, shown, whole_number
from zermelo.errors import InvalidOptionError
from zermelo.labels import Label


@dataclass(frozen=True, repr=False)
class Infinite:
    """The value ∞(K); ``+`` is the sum of games.

    >>> x = Infinite({0, 2})
    >>> print(x, x + 3, 3 + x, x + x)
    ∞(0,2) ∞(1,3) ∞(1,3) ∞()
    >>> x.outcome.name, (x + 3).outcome.name
    ('WIN', 'DRAW')
    """

    options: frozenset[int] = frozenset()
    """K: the values of the options that are finite."""

    def __init__(self, options: Iterable[int] = ()) -> None:
        kept = frozenset(nimber(k) for k in listed(options, "nimbers"))
        object.__setattr__(self, "options", kept)

    def __add__(self, other: "Value") -> "Infinite":
        if isinstance(other, Infinite):
            return Infinite()
        if isinstance(other, bool) or not isinstance(other, int):
            return NotImplemented
        n = nimber(other)
        return Infinite(k ^ n for k in self.options)

    __radd__ = __add__

    @property
    def outcome(self) -> Label:
        """What the player to move gets: WIN by a move to 0, else DRAW."""
        return Label.WIN if 0 in self.options else Label.DRAW

    def __str__(self) -> str:
        return f"∞({','.join(map(str, sorted(self.options)))})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the value with K as a subscript, and the outcome."""
        options = ", ".join(map(str, sorted(self.options))) or "∅"
        return f"<div>∞<sub>{options}</sub> ({self.outcome.name} for the player to move)</div>"

    def __repr__(self) -> str:
        return f"Infinite({sorted(self.options) if self.options else ''})"


Value: TypeAlias = int | Infinite
"""The value of a position."""


def nimber(n: object) -> int:
    """The size of a heap as an ``int``, checked.

    >>> nimber(-1)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected a nimber, an integer from 0 on, got -1
    """
    if type(n) is int and n >= 0:
        return n
    try:
        return whole_number(n, "n")
    except InvalidOptionError:
        message = f"expected a nimber, an integer from 0 on, got {shown(n)}"
        raise InvalidOptionError(message) from None


def mex(values: Iterable[int]) -> int:
    """The least natural number that is missing.

    >>> mex([0, 1, 3]), mex([])
    (2, 0)
    """
    seen = {nimber(x) for x in listed(values, "nimbers")}
    return next(k for k in range(len(seen) + 1) if k not in seen)


def nim_sum(values: Iterable[Value]) -> Value:
    """The value of a sum of games.

    >>> nim_sum([1, 2, 4]), nim_sum([3, Infinite({0}), 2])
    (7, Infinite([1]))
    """
    total: Value = 0
    for given in listed(values, "values of games"):
        x = given if isinstance(given, Infinite) else nimber(given)
        total = x + total if isinstance(x, Infinite) or isinstance(total, Infinite) else x ^ total
    return total


def outcome(value: Value) -> Label:
    """What the player to move gets in a game of this value.

    >>> outcome(0).name, outcome(3).name, outcome(Infinite({1})).name
    ('LOSE', 'WIN', 'DRAW')
    """
    if isinstance(value, Infinite):
        return value.outcome
    return Label.WIN if nimber(value) else Label.LOSE
