"""Numbers in the store: conversion between ids and fractions, and the stops of a value."""

from fractions import Fraction

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError, UndefinedError
from zermelo.partizan.store import STORE


def number(x: Fraction | int) -> int:
    """The id of a dyadic rational.

    >>> number(Fraction(1, 2)) == STORE.number(1, 1)
    True
    >>> number(Fraction(1, 3))
    Traceback (most recent call last):
    zermelo.errors.UndefinedError: expected a number whose denominator is a power of two, got 1/3
    """
    if isinstance(x, bool) or not isinstance(x, int | Fraction):
        raise InvalidOptionError(f"expected an integer or a Fraction, got {shown(x)}")
    x = Fraction(x)
    if x.denominator & (x.denominator - 1):
        raise UndefinedError(f"expected a number whose denominator is a power of two, got {x}")
    return STORE.number(x.numerator, x.denominator.bit_length() - 1)


def as_number(v: int) -> Fraction | None:
    """The number that a value equals, or None.

    >>> as_number(STORE.number(3, 2)), as_number(STORE.number_up_star(0, 0, 0, 1))
    (Fraction(3, 4), None)
    """
    parts = STORE.parts(v)
    if parts is None or parts[2] or parts[3]:
        return None
    return Fraction(parts[0], 1 << parts[1])


def as_integer(v: int) -> int | None:
    """The integer that a value equals, or None.

    >>> as_integer(STORE.number(3, 0)), as_integer(STORE.number(3, 2))
    (3, None)
    """
    x = as_number(v)
    return None if x is None or x.denominator != 1 else x.numerator


def left_stop(v: int) -> Fraction:
    """The Left stop: the number that play reaches when Left begins.

    >>> left_stop(STORE.make([STORE.number(2, 0)], [STORE.number(-1, 0)]))
    Fraction(2, 1)
    """
    numerator, exponent = STORE.stops(v)[0]
    return Fraction(numerator, 1 << exponent)


def right_stop(v: int) -> Fraction:
    """The Right stop: the number that play reaches when Right begins.

    >>> right_stop(STORE.make([STORE.number(2, 0)], [STORE.number(-1, 0)]))
    Fraction(-1, 1)
    """
    numerator, exponent = STORE.stops(v)[1]
    return Fraction(numerator, 1 << exponent)
