"""Exact fractions for the search of mean-payoff values."""

from fractions import Fraction


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator strictly between two others, by Stern and Brocot.

    >>> simplest_between(Fraction(3, 10), Fraction(2, 5))
    Fraction(1, 3)
    >>> simplest_between(Fraction(-1), Fraction(1))
    Fraction(0, 1)
    """
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    # Continued fractions: either an integer lies between, or both have the same integer part, and
    # the simplest fraction is found between the inverses of the rests.
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    rest_low, rest_high = low - whole, high - whole
    if rest_low == 0:  # between 0 and rest_high ≤ 1: 1 / k for the least k above 1 / rest_high
        inverse = 1 / rest_high
        return whole + Fraction(1, inverse.numerator // inverse.denominator + 1)
    return whole + 1 / simplest_between(1 / rest_high, 1 / rest_low)


def middle(low: Fraction, high: Fraction, longest: int) -> Fraction:
    """A threshold that divides the values between two others, if denominators are bounded.

    It is the simplest fraction in the middle third; where only one fraction with a denominator up
    to ``longest`` is possible, it is that one.

    >>> middle(Fraction(0), Fraction(1), 10)
    Fraction(1, 2)
    >>> middle(Fraction(33, 100), Fraction(34, 100), 9)
    Fraction(1, 3)
    """
    if (high - low) * longest * longest <= 1:
        return simplest_between(low, high)
    third = (high - low) / 3
    return simplest_between(low + third, high - third)
