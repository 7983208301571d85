"""Awari (oware) on a small board: sow seeds, capture twos and threes; most seeds win.

Seeds are sown around the board, but not into the house that they come from. If the last seed makes
2 or 3 seeds in a house of the opponent, these are captured, and so are those of the houses before
it as long as they hold 2 or 3. A player must leave the opponent a seed to sow; where no move does,
play is over and both players keep the seeds in their houses. Play ends as soon as a player has
captured more than half of the seeds, which wins; half of them for each player are a tie, and
infinite play is a draw.
"""

from typing import Any

from zermelo.rules.boards.sowing.common import Sowing
from zermelo.rules.compiled import OPEN


class Awari(Sowing):
    """``houses`` houses for each player with ``seeds`` seeds each.

    >>> rules = Awari(3, 2)
    >>> [rules.show(x) for x in rules.options(rules.start())]
    ['3,3,0/2,2,2 0:0', '3,0,2/0,2,2 0:3', '0,2,2/0,0,2 0:6']
    """

    def moves(self, position: int, out: Any) -> int:
        """Sow a house so that the opponent can move; there may be no such house."""
        count = 0
        for k in range(self.houses):
            if self.at(position, k) > 0:
                after = self.sown(position, k)
                if self.on_side(after, 0) > 0:
                    out[count] = after
                    count += 1
        return count

    def sown(self, position: int, house: int) -> int:
        """Sow one house, leaving out itself and both stores, and capture."""
        m = self.houses
        seeds = self.at(position, house)
        position -= seeds * self.power[house]
        place = house
        for _ in range(seeds):
            place = self.following(place)
            if place == house:
                place = self.following(place)
            position += self.power[place]
        while place > m and 2 <= self.at(position, place) <= 3:
            booty = self.at(position, place)
            position += booty * self.power[m] - booty * self.power[place]
            place -= 1
        return self.swapped(position)

    def following(self, place: int) -> int:
        """The next house."""
        place = (place + 1) % (2 * self.houses + 1)
        return place + 1 if place == self.houses else place

    def outcome(self, position: int) -> int:
        """A player has more than half of the seeds; or there is no move, and both keep theirs."""
        found = self.decided(position)
        if found != OPEN:
            return found
        for k in range(self.houses):
            if self.at(position, k) > 0 and self.on_side(self.sown(position, k), 0) > 0:
                return OPEN
        own, rest = self.on_side(position, 0), self.on_side(position, 1)
        lead = self.at(position, self.houses) - self.other_store(position) + own - rest
        return 1 if lead > 0 else -1 if lead < 0 else 0
