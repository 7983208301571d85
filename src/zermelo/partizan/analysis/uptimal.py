"""Uptimals: x + d₁·↑ + d₂·↑² + … + dₖ·↑ᵏ + ∗m, written x.d₁d₂…dₖ.

↑ⁿ = {0 | ∗ − ↑^[n−1]} and ↑^[n] = ↑ + ↑² + … + ↑ⁿ = {↑^[n−1] | ∗}. All options of an uptimal in
canonical form are uptimals. If its last digit is positive, Right has one option, in which all
digits are one less and ∗ is added. So the digits can be read from the options. The result is built
and compared, so a wrong guess is rejected. Reference: [BerlekampConwayGuy2001] ch. 8, [Siegel2013].
"""

from fractions import Fraction
from typing import NamedTuple

from zermelo.errors import LimitError
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold

LONGEST = 40
"""A value with more digits than this is written by its options."""
HIGHEST = 10_000
"""The highest power of ↑ that is made."""


class Uptimal(NamedTuple):
    """A number, digits of ↑, ↑², … (the last is not 0), and a nimber."""

    number: Fraction
    digits: tuple[int, ...]
    star: int

    def __neg__(self) -> "Uptimal":
        return Uptimal(-self.number, tuple(-d for d in self.digits), self.star)


class _Found(NamedTuple):
    """The result for a value: its uptimal, or None."""

    uptimal: Uptimal | None


_FOUND: dict[int, _Found] = STORE.memo()
_NONE = _Found(None)
_POWER: dict[int, int] = STORE.memo()
_SUM: dict[int, int] = STORE.memo()


def power(n: int) -> int:
    """↑ⁿ for n ≥ 1."""
    if n == 1:
        return power_sum(1)
    if n not in _POWER:
        rest = STORE.add(_star(), STORE.negate(power_sum(n - 1)))
        _POWER[n] = STORE.make([STORE.number(0, 0)], [rest])
    return _POWER[n]


def power_sum(n: int) -> int:
    """↑ + ↑² + … + ↑ⁿ for n ≥ 1."""
    if n > HIGHEST:
        raise LimitError(f"expected a power of ^ of at most {HIGHEST:,}, got {n:,}")
    if not _SUM:
        _SUM[1] = STORE.number_up_star(0, 0, 1, 0)
    for k in range(len(_SUM) + 1, n + 1):
        _SUM[k] = STORE.make([_SUM[k - 1]], [_star()])
    return _SUM[n]


def _star() -> int:
    return STORE.number_up_star(0, 0, 0, 1)


def build(uptimal: Uptimal) -> int:
    """The id of an uptimal."""
    number, digits, star = uptimal
    exponent = number.denominator.bit_length() - 1
    up = digits[0] if digits else 0
    total = STORE.number_up_star(number.numerator, exponent, up, star)
    for n, digit in enumerate(digits[1:], 2):
        unit = power(n) if digit > 0 else STORE.negate(power(n))
        for _ in range(abs(digit)):
            total = STORE.add(total, unit)
    return total


def expansion(v: int) -> Uptimal | None:
    """The digits of a value, or None if it is not an uptimal.

    >>> up, star = STORE.number_up_star(0, 0, 1, 0), STORE.number_up_star(0, 0, 0, 1)
    >>> expansion(STORE.make([up], [star])).digits
    (1, 1)
    """
    return fold(v, _FOUND, _leaf, _join).uptimal


def compact(v: int) -> Uptimal | None:
    """The parts of a value that the store keeps as number + ups + nimber, or None."""
    parts = STORE.parts(v)
    if parts is None:
        return None
    numerator, exponent, up, star = parts
    return Uptimal(Fraction(numerator, 1 << exponent), (up,) if up else (), star)


def _leaf(v: int) -> _Found | None:
    uptimal = compact(v)
    return None if uptimal is None else _Found(uptimal)


def _join(v: int, left: list[_Found], right: list[_Found]) -> _Found:
    mine = [x.uptimal for x in left if x.uptimal is not None]
    yours = [x.uptimal for x in right if x.uptimal is not None]
    if len(mine) < len(left) or len(yours) < len(right):
        return _NONE
    if len({x.number for x in (*mine, *yours)}) != 1:
        return _NONE
    for guess in _guesses(mine, yours):
        if build(guess) == v:
            return _Found(guess)
    for guess in _guesses([-x for x in yours], [-x for x in mine]):
        if build(-guess) == v:
            return _Found(-guess)
    return _NONE


def _guesses(left: list[Uptimal], right: list[Uptimal]) -> list[Uptimal]:
    """The candidates for the value if its last digit is positive."""
    if len(right) != 1:
        return []
    number, digits, star = right[0]
    longest = max([len(digits), *(len(x.digits) for x in left)])
    if longest >= LONGEST:
        return []
    lengths = [longest + 1]
    if digits and digits[-1] > 0:
        lengths.insert(0, len(digits))
    padded = digits + (0,) * (longest + 1 - len(digits))
    return [Uptimal(number, tuple(d + 1 for d in padded[:k]), star ^ 1) for k in lengths]
