"""Euclid: subtract a multiple of the smaller number from the larger, and keep both positive.

The player to move loses just where the larger is less than φ times the smaller, φ the golden
ratio [ColeDavie1969]; (x, y) is worth ⌊|y/x − x/y|⌋ [Nivasch2006].

Differs from [ColeDavie1969]: there a number may become 0, which ends play; that changes who wins
at pairs of equal numbers, and some values, but nothing else of who wins.
"""

from collections.abc import Iterator

from zermelo.rules.impartial.pairs import Pair, PairRules, ordered


class Euclid(PairRules):
    """Euclid with two positive numbers; who finds them equal loses.

    >>> from zermelo.rules.values import position_values
    >>> position_values(Euclid(5, 17))[5, 17]
    3
    """

    least = 1

    def moves(self, position: Pair) -> Iterator[Pair]:
        """The larger number less a multiple of the smaller."""
        a, b = position
        return (ordered(a, c) for c in range(b - a, 0, -a))
