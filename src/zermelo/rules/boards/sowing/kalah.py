"""Kalah: sow seeds around the board and into your store; most seeds win.

A player whose last seed falls into the own store sows again: here the opponent passes meanwhile,
which counts as a move. A last seed in an empty house of the player captures the seeds opposite, if
there are any, and is stored with them. Play ends as soon as a store has more than half of the
seeds, which wins, although there are moves: distances count to there. It also ends when all houses
of a player are empty, and the opponent gets the rest; half of the seeds for each are a tie. Small
boards were solved in [IrvingDonkersUiterwijk2000].
"""

from typing import Any

from zermelo.rules.boards.sowing.common import Sowing
from zermelo.rules.compiled import OPEN


class Kalah(Sowing):
    """``houses`` houses for each player with ``seeds`` seeds each.

    >>> rules = Kalah(3, 2)
    >>> [rules.describe(rules.start(), x) for x in rules.options(rules.start())]
    ['house 1 (2)', 'house 2 (2), and again', 'house 3 (2)']
    """

    def moves(self, position: int, out: Any) -> int:
        """Sow a house, or pass where the opponent sows again."""
        if position >= self.passing:
            out[0] = self.swapped(position - self.passing)
            return 1
        count = 0
        for k in range(self.houses):
            if self.at(position, k) > 0:
                out[count] = self.sown(position, k)
                count += 1
        return count

    def sown(self, position: int, house: int) -> int:
        """Sow one house: places follow one another as digits, without the opponent's store."""
        m = self.houses
        around = 2 * m + 1
        seeds = self.at(position, house)
        position -= seeds * self.power[house]
        for k in range(1, seeds + 1):
            position += self.power[(house + k) % around]
        last = (house + seeds) % around
        opposite = 2 * m - last
        if last < m and self.at(position, last) == 1 and self.at(position, opposite) > 0:
            booty = self.at(position, opposite)
            position -= self.power[last] + booty * self.power[opposite]
            position += (1 + booty) * self.power[m]
        again = self.passing if last == m else 0
        return self.swapped(position) + again

    def outcome(self, position: int) -> int:
        """More than half of the seeds; or one side is empty, and the other keeps its seeds."""
        position %= self.passing
        found = self.decided(position)
        own, other = self.on_side(position, 0), self.on_side(position, 1)
        if found != OPEN or (own > 0 and other > 0):
            return found
        lead = self.at(position, self.houses) + own - self.other_store(position) - other
        return 1 if lead > 0 else -1 if lead < 0 else 0
