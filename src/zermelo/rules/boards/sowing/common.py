"""What sowing games have in common: a row of houses and a store for each player, as one number.

A position is what the player to move sees. Its digits to the base seeds + 1 are the houses of the
player to move in the order of sowing, this player's store, then the opponent's houses in their
order. The seeds that are missing from the total are in the opponent's store. So one more seed in
place k adds a power of the base. Above the digits there is a bit that is 1 where the player to
move has to pass.
"""

import re
from abc import abstractmethod

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.board_picture import svg
from zermelo.rules.compiled import OPEN, CompiledRules


class Sowing(CompiledRules):
    """``houses`` houses for each player with ``seeds`` seeds each; more than half win at once."""

    impartial = False

    def __init__(self, houses: int = 3, seeds: int = 2) -> None:
        if not (1 <= houses <= 12 and 1 <= seeds <= 99):
            raise InvalidOptionError(
                f"expected 1 to 12 houses and 1 to 99 seeds, got {houses}x{seeds}"
            )
        self.houses, self.seeds, self.total = houses, seeds, 2 * houses * seeds
        self.base = self.total + 1
        places = 2 * houses + 1
        if self.base**places >= 1 << 62:
            raise InvalidOptionError(f"expected fewer houses or seeds, got {houses}x{seeds}")
        self.power = np.array([self.base**k for k in range(places + 1)], np.int64)
        self.passing = self.base**places
        self.most_moves = houses

    def start(self) -> int:
        """All houses have the same number of seeds, and the stores are empty."""
        places = [k for k in range(2 * self.houses + 1) if k != self.houses]
        return self.seeds * sum(int(self.power[k]) for k in places)

    def at(self, position: int, place: int) -> int:
        """The number of seeds in a place."""
        found: int = position // self.power[place] % self.base
        return found

    def on_side(self, position: int, side: int) -> int:
        """The number of seeds in the houses of the player to move (0), or of the opponent (1)."""
        found = 0
        for k in range(self.houses):
            found += self.at(position, side * (self.houses + 1) + k)
        return found

    def other_store(self, position: int) -> int:
        """The number of seeds in the store of the opponent."""
        houses = self.on_side(position, 0) + self.on_side(position, 1)
        return self.total - houses - self.at(position, self.houses)

    def swapped(self, position: int) -> int:
        """The same position as the opponent sees it."""
        m = self.houses
        own, other = position % self.power[m], position // self.power[m + 1]
        seen: int = other + self.other_store(position) * self.power[m] + own * self.power[m + 1]
        return seen

    def decided(self, position: int) -> int:
        """The outcome where a player has more than half of the seeds, or both have half."""
        own, other = self.at(position, self.houses), self.other_store(position)
        if 2 * own > self.total:
            return 1
        if 2 * other > self.total:
            return -1
        return 0 if own + other == self.total else OPEN

    # As text: the opponent's houses, seen across the board, / those of the mover, and the stores.

    def show(self, position: int) -> str:
        """For example ``2,0,1/1,1,1 3:3``, and ``pass`` at the end where the player has to pass."""
        m, pause = self.houses, position >= self.passing
        position %= self.passing
        own = ",".join(str(self.at(position, k)) for k in range(m))
        other = ",".join(str(self.at(position, 2 * m - k)) for k in range(m))
        stores = f"{self.at(position, m)}:{self.other_store(position)}"
        return f"{other}/{own} {stores}{' pass' if pause else ''}"

    def parse(self, text: str) -> int:
        """The position that ``show`` shows as ``text``."""
        m = self.houses
        found = re.fullmatch(r"([\d,]+)/([\d,]+) (\d{1,3}):(\d{1,3})( pass)?", text)
        rows = [re.findall(r"\d{1,3}", found[k]) for k in (1, 2)] if found else []
        numbers = [int(x) for row in rows for x in row]
        if (
            not found
            or [len(row) for row in rows] != [m, m]
            or sum(numbers) + int(found[3]) + int(found[4]) != self.total
        ):
            raise InvalidOptionError(
                f"expected a position such as {self.show(self.start())!r}, "
                f"of {self.total} seeds, got {text!r}"
            )
        digits = [*numbers[m:], int(found[3]), *reversed(numbers[:m])]
        position = sum(x * int(self.power[k]) for k, x in enumerate(digits))
        position += self.passing if found[5] else 0
        if self.show(position) != text:
            raise InvalidOptionError(f"expected {self.show(position)!r}, got {text!r}")
        return position

    def diagram(self, position: int, second: bool = False) -> str:
        """The board with the first player's houses below; stores at its ends."""
        position %= self.passing
        seen = int(self.swapped(position)) if second else position
        m = self.houses
        above = " ".join(f"{self.at(seen, 2 * m - k):>2}" for k in range(m))
        below = " ".join(f"{self.at(seen, k):>2}" for k in range(m))
        store, gap = f"{self.other_store(seen):>2}", " " * len(below)
        return f"    {above}\n{store}  {gap}  {self.at(seen, m):>2}\n    {below}"

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """The house that was sown, by its number from the left."""
        if position >= self.passing:
            return "pass"
        for k in range(self.houses):
            if self.at(position, k) and self.sown(position, k) == option:
                again = ", and again" if option >= self.passing else ""
                return f"house {k + 1} ({self.at(position, k)}){again}"
        return self.show(option)

    @abstractmethod
    def sown(self, position: int, house: int) -> int:
        """The position after sowing a house, as the opponent sees it."""

    def draw(self, position: int) -> str:
        """The houses with their seeds, those of the player to move below; stores at the ends."""
        return self.draw_for(position)

    def draw_for(self, position: int, second: bool = False) -> str:
        """The same with the first player's houses below."""
        position %= self.passing
        seen = int(self.swapped(position)) if second else position
        m = self.houses
        places = [*((k + 1.0, 1.0) for k in range(m)), (m + 1.0, 0.5)]
        places += [*((m - k + 0.0, 0.0) for k in range(m)), (0.0, 0.5)]
        counts = [self.at(seen, k) for k in range(2 * m + 1)] + [self.other_store(seen)]
        return svg(
            places, (), counts, owners=[0] * (m + 1) + [1] * (m + 1),
            cells=[*self.cells_of_side(False), *self.cells_of_side(True)],
        )  # fmt: skip

    def cells_of_side(self, second: bool) -> list[str]:
        """The names of a player's houses, from the left as this player sees them, and store."""
        side = self.side_names[second]
        return [*(f"{side} {k + 1}" for k in range(self.houses)), f"{side} store"]

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The house that was sown."""
        if position >= self.passing:
            return ()
        names = self.cells_of_side(second)
        houses = (k for k in range(self.houses) if self.at(position, k))
        return tuple((names[k],) for k in houses if self.sown(position, k) == option)
