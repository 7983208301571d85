"""Games that are numbers: the simplest number between the options, position by position.

Suppose that all options are numbers and that every Left option is less than every Right option.
Then the game is the *simplest* number between them: the integer nearest to 0 if there is one, else
the number with the smallest denominator 2^k. Numbers are exact and of any size. [Sleator2001]; each
position is evaluated once, options first, without recursion.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError, NotANumber

P = TypeVar("P", bound=Hashable)
Options: TypeAlias = tuple[Iterable[P], Iterable[P]]


def simplest_number(a: Fraction | int | None, b: Fraction | int | None) -> Fraction:
    """The simplest number x with a < x < b; None means that there is no bound.

    >>> simplest_number(0, 1), simplest_number(Fraction(1, 2), None), simplest_number(-5, 7)
    (Fraction(1, 2), Fraction(1, 1), Fraction(0, 1))
    >>> print(simplest_number(Fraction(5, 4), Fraction(3, 2)))
    11/8
    """
    a, b = _bound(a), _bound(b)
    if a is not None and b is not None and a >= b:
        raise InvalidOptionError(
            f"expected bounds with a number in between, got {shown(a)} and {shown(b)}"
        )
    if (a is None or a < 0) and (b is None or b > 0):
        return Fraction(0)
    if a is None or a < 0:
        return -simplest_number(-b if b is not None else None, -a if a is not None else None)
    low = Fraction(a)
    scale = 1
    if b is not None and low // 1 + 1 >= b:
        # No integer lies between a and b. A multiple of 1/2^k does once b − a is larger than 1/2^k,
        # and perhaps earlier. Multiples of 1/2^k are multiples of 1/2^(k+1), so bisection finds k.
        gap = 1 / (Fraction(b) - low)
        few, many = 0, (gap // 1).numerator.bit_length()
        while few + 1 < many:
            k = (few + many) // 2
            if _next(low, 1 << k) < b:
                many = k
            else:
                few = k
        scale = 1 << many
    return _next(low, scale)


def _bound(x: Any) -> Fraction | None:
    """A bound as a fraction, or None."""
    if x is None:
        return None
    if isinstance(x, np.generic):
        x = x.item()
    whole = isinstance(x, int | Fraction) and not isinstance(x, bool)
    if not whole and not (isinstance(x, float) and math.isfinite(x)):
        raise InvalidOptionError(f"expected a bound, a number or None, got {shown(x)}")
    return Fraction(x)


def _next(x: Fraction, scale: int) -> Fraction:
    """The least multiple of 1/scale above x."""
    return Fraction(x * scale // 1 + 1, scale)


def number_value(
    options: Mapping[P, Options[P]] | Callable[[P], Options[P]], position: P
) -> Fraction:
    """The number that a position equals; NotANumber names a position that is not a number.

    ``options`` gives Left's and Right's options of every position, as a mapping or a function.

    >>> stalk = {"": ((), ()), "b": ([""], ()), "br": ([""], ["b"])}
    >>> number_value(stalk, "br")
    Fraction(1, 2)
    >>> number_value({0: ((), ()), "star": ([0], [0])}, "star")
    Traceback (most recent call last):
    zermelo.errors.NotANumber: 'star' is not a number: Left can move to 0, which is not less ...
    """
    return number_values(options, [position])[position]


def number_values(
    options: Mapping[P, Options[P]] | Callable[[P], Options[P]], positions: Iterable[P]
) -> dict[P, Fraction]:
    """The numbers of positions and of all their followers.

    >>> {p: str(x) for p, x in number_values({0: ((), ()), 1: ([0], ())}, [1]).items()}
    {0: '0', 1: '1'}
    """
    look: Callable[[P], Options[P]] = (
        options.__getitem__ if isinstance(options, Mapping) else options
    )
    known: dict[P, Fraction] = {}
    for start in positions:
        stack = [start]
        open_: dict[P, tuple[list[P], list[P]]] = {}
        # Invariant: the open positions are on the stack; each one is an option of the open position
        # before it. A position is evaluated when it is on top and all its options are known.
        while stack:
            p = stack[-1]
            if p in known:
                stack.pop()
                continue
            if p not in open_:
                left, right = look(p)
                open_[p] = list(left), list(right)
                missing = [q for q in (*open_[p][0], *open_[p][1]) if q not in known]
                for q in missing:
                    if q in open_:
                        raise NotANumber(f"{q!r} is not a number: play can return to it", q)
                stack += missing
                if missing:
                    continue
            known[p] = _value(p, *open_.pop(p), known)
            stack.pop()
    return known


def _value(p: P, left: list[P], right: list[P], known: dict[P, Fraction]) -> Fraction:
    best = max(left, key=known.__getitem__, default=None)
    worst = min(right, key=known.__getitem__, default=None)
    low = known[best] if best is not None else None
    high = known[worst] if worst is not None else None
    if low is not None and high is not None and low >= high:
        raise NotANumber(
            f"{p!r} is not a number: Left can move to {low}, which is not less than {high}, to "
            "which Right can move",
            p,
        )
    return simplest_number(low, high)
