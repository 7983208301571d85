"""Euclid: subtract a multiple of the smaller number from the larger, and keep both positive.

The player to move loses exactly where the larger number is less than φ times the smaller one, φ
the golden ratio [ColeDavie1969]; (x, y) has the value ⌊|y/x − x/y|⌋ [Nivasch2006].

Differs from [ColeDavie1969]: there a number may become 0, which ends play. That changes the winner
at pairs of equal numbers, and some values, but no other winner.
"""

from collections.abc import Iterator

from zermelo.rules.impartial.pairs import Pair, PairRules, ordered


class Euclid(PairRules):
    """Euclid with two positive numbers; the player to move loses where they are equal.

    >>> from zermelo.rules.values import position_values
    >>> position_values(Euclid(5, 17))[5, 17]
    3
    """

    least = 1

    def moves(self, position: Pair) -> Iterator[Pair]:
        """The larger number minus a multiple of the smaller one."""
        a, b = position
        return (ordered(a, c) for c in range(b - a, 0, -a))

    def move_cells(
        self, position: Pair, option: Pair, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The first square that the longer bar loses."""
        rest = sum(option) - position[0]
        return ((f"2.{rest + 1}",),)
