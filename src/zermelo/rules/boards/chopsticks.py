"""Chopsticks: tap a hand of the opponent with one of yours, and your fingers are added to it.

Both players start with one finger up on each hand. A hand that reaches the base is dead; with
``mod`` it keeps the fingers beyond the base (roll-over). A dead hand neither taps nor is tapped.
Where splitting is allowed, a player may, as a move, distribute the fingers of both hands anew,
also to a dead hand. A player with two dead hands loses.
"""

import re
from typing import Any, Self

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules.compiled import NO_POSITION, CompiledRules


class Chopsticks(CompiledRules):
    """The hands of the player to move, the lesser first, then the opponent's: four digits.

    >>> rules = Chopsticks()
    >>> rules.show(rules.start())
    '11 11'
    >>> [rules.describe(rules.parse("12 34"), x) for x in rules.options(rules.parse("12 34"))]
    ['1 taps 3: 4', '1 taps 4: 0', '2 taps 3: 0', '2 taps 4: 1', 'split 03']
    """

    impartial = False

    most_moves = 16

    def __init__(self, base: int = 5, *, split: bool = True, mod: bool = True) -> None:
        if not 2 <= base <= 10:
            raise InvalidOptionError(f"expected a base of 2 to 10, got {base}")
        self.base, self.split, self.mod = base, int(split), int(mod)
        self.size = base**4
        self.most_moves = 4 + base

    @classmethod
    def from_text(cls, text: str) -> Self:
        """``split`` or ``nosplit``, then - and ``mod5`` or ``cutoff5``."""
        found = re.fullmatch(r"(split|nosplit)-(mod|cutoff)(\d{1,2})", text or "split-mod5")
        if not found:
            raise InvalidOptionError(
                f"expected split or nosplit, - and mod5 or cutoff5, got {text!r}"
            )
        return cls(int(found[3]), split=found[1] == "split", mod=found[2] == "mod")

    def start(self) -> int:
        """One finger on each hand."""
        return self.joined(1, 1, 1, 1)

    def joined(self, a: int, b: int, c: int, d: int) -> int:
        """The position with hands a, b against c, d."""
        b0 = self.base
        return ((min(a, b) * b0 + max(a, b)) * b0 + min(c, d)) * b0 + max(c, d)

    def tapped(self, hand: int, fingers: int) -> int:
        """A hand after a tap."""
        total = hand + fingers
        if total < self.base:
            return total
        return total % self.base if self.mod else 0

    def moves(self, position: int, out: Any) -> int:
        """A tap, or another distribution of the player's fingers; then the opponent moves."""
        b0 = self.base
        a, b = position // b0**3, position // b0**2 % b0
        c, d = position // b0 % b0, position % b0
        count = 0
        for mine in (a, b):
            if mine > 0 and c > 0:
                out[count] = self.joined(self.tapped(c, mine), d, a, b)
                count += 1
            if mine > 0 and d > 0:
                out[count] = self.joined(c, self.tapped(d, mine), a, b)
                count += 1
        if self.split:
            for less in range((a + b) // 2 + 1):
                if less != a and a + b - less < b0:
                    out[count] = self.joined(c, d, less, a + b - less)
                    count += 1
        return count

    def rank(self, position: int) -> int:
        """A position is its own number."""
        return position

    def unrank(self, index: int) -> int:
        """The index itself; no position where hands are not in order."""
        b0 = self.base
        in_order = index // b0**3 <= index // b0**2 % b0 and index // b0 % b0 <= index % b0
        return index if in_order else NO_POSITION

    def digits(self, position: int) -> list[int]:
        """The four hands."""
        return [position // self.base**k % self.base for k in (3, 2, 1, 0)]

    def show(self, position: int) -> str:
        """The hands of the player to move, then the opponent's."""
        a, b, c, d = self.digits(position)
        return f"{a}{b} {c}{d}"

    def parse(self, text: str) -> int:
        """Two hands, and the opponent's two hands."""
        if not re.fullmatch(r"\d\d \d\d", text) or int(max(text)) >= self.base:
            raise InvalidOptionError(
                f"expected hands such as '11 12', of fingers below {self.base}, got {text!r}"
            )
        a, b, c, d = (int(x) for x in text if x != " ")
        return self.joined(a, b, c, d)

    def diagram(self, position: int, second: bool = False) -> str:
        """The hands of both, the second player's above."""
        a, b, c, d = self.digits(position)
        above, below = ((a, b), (c, d)) if second else ((c, d), (a, b))
        return f"second  {above[0]}  {above[1]}\n first  {below[0]}  {below[1]}"

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """The hand that taps, the tapped one before and after; or the hands after a split."""
        a, b, c, d = self.digits(position)
        e, f, g, h = self.digits(option)
        if (g, h) != (a, b):
            return f"split {g}{h}"
        for mine in (a, b):
            for hand, kept in ((c, d), (d, c)):
                new = self.tapped(hand, mine)
                if mine and hand and sorted((new, kept)) == [e, f]:
                    return f"{mine} taps {hand}: {new}"
        raise InvalidRulesError(f"no move leads from {self.show(position)} to {self.show(option)}")

    def draw(self, position: int) -> str:
        """Four discs with numbers of fingers, those of the player to move below."""
        return self.draw_for(position)

    def draw_for(self, position: int, second: bool = False) -> str:
        """The same with the first player's hands below."""
        from zermelo.rules.boards.board_picture import svg

        a, b, c, d = self.digits(position)
        hands = (c, d, a, b) if second else (a, b, c, d)
        places = ((0, 1), (1, 1), (0, 0), (1, 0))
        cells = [f"{side} {k}" for side in self.side_names for k in (1, 2)]
        return svg(places, (), hands, owners=(0, 0, 1, 1), cells=cells)

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The hand that taps and the one that is tapped; both own hands for a split."""
        a, b, c, d = self.digits(position)
        mine, others = ([f"{self.side_names[x]} {k}" for k in (1, 2)] for x in (second, not second))
        ways = [
            (own, hand)
            for own, fingers in zip(mine, (a, b), strict=True)
            for hand, tapped, kept in zip(others, (c, d), (d, c), strict=True)
            if fingers and tapped
            and self.joined(self.tapped(tapped, fingers), kept, a, b) == option
        ]  # fmt: skip
        split = self.digits(option)[2:] != [a, b]
        return (tuple(mine),) if split else tuple(ways)
