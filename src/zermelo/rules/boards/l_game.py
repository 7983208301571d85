"""The L game of Edward de Bono: move your L on a board of 4×4, then perhaps a neutral piece.

Each player has an L of four squares; two neutral pieces take one square each. A player moves the
own L to another place, turned or reflected, and then may move one neutral piece. A player who
cannot move the L loses, and infinite play is a draw. There are 2296 positions up to symmetry,
eight times as many without.
"""

from itertools import product
from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import EMPTY, Stones
from zermelo.rules.boards._grid import symmetries
from zermelo.rules.compiled import NO_POSITION

FULL = (1 << 16) - 1


def _all_ls() -> list[int]:
    """The 48 places of an L, as sets of squares x + 4y."""
    shape = ((0, 0), (1, 0), (2, 0), (2, 1))
    found = set()
    for a, b, swap in product((1, -1), (1, -1), (False, True)):
        turned = [(b * y, a * x) if swap else (a * x, b * y) for x, y in shape]
        for dx, dy in product(range(-3, 4), repeat=2):
            squares = [(x + dx, y + dy) for x, y in turned]
            if all(0 <= x < 4 and 0 <= y < 4 for x, y in squares):
                found.add(sum(1 << x + 4 * y for x, y in squares))
    return sorted(found)


class LGame(Stones):
    """A position is three sets of squares: the mover's L, the opponent's, the neutral pieces.

    All positions can be reached from the start, so all symmetries of the board may be used.

    >>> rules = LGame()
    >>> rules.show(rules.start())
    'nxx./.ox./.ox./.oon'
    >>> len(rules.options(rules.start()))
    65
    """

    cells = 16
    relative = True
    others = "n"
    most_moves = 48 * 13

    def __init__(self) -> None:
        self.grid(4, 4)
        self.ls = np.array(_all_ls(), np.int64)
        self.symmetric_under(*symmetries(4, 4))
        self.size = 48 * 48 * 28

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text."""
        if text:
            raise InvalidOptionError(f"expected nothing after the colon, got {text!r}")
        return cls()

    def start(self) -> int:
        """Both L in the middle, neutral pieces in two corners."""
        return self.position_of("".join(reversed(["nxx.", ".ox.", ".ox.", ".oon"])), 0)

    def moves(self, position: int, out: Any) -> int:
        """The L at another place, then perhaps a neutral piece on another square."""
        mine, theirs, neutral = position & FULL, position >> 16 & FULL, position >> 32
        count = 0
        for k in range(48):
            moved = self.ls[k]
            if moved & (theirs | neutral) == 0 and moved != mine:
                count = self.with_neutral(theirs | moved << 16, moved | theirs, neutral, out, count)
        return count

    def with_neutral(self, ls: int, taken: int, neutral: int, out: Any, count: int) -> int:
        """Add the positions with these L and at most one neutral piece elsewhere than before."""
        out[count] = ls | neutral << 32
        count += 1
        for c in range(16):
            if neutral >> c & 1:
                for to in range(16):
                    if (taken | neutral) >> to & 1 == 0:
                        out[count] = ls | (neutral ^ 1 << c ^ 1 << to) << 32
                        count += 1
        return count

    def unmoves(self, position: int, out: Any) -> int:
        """A neutral piece back, then the L back to another place that was free."""
        mine, moved, neutral = position & FULL, position >> 16 & FULL, position >> 32
        count = 0
        ways = self.with_neutral(0, mine | moved, neutral, out, 0)
        # The neutral pairs are kept at the end of out: before them is room for 47 L with each.
        waiting = self.most_moves - ways
        for j in range(ways):
            out[self.most_moves - 1 - j] = out[ways - 1 - j]
        for j in range(ways):
            pair = out[waiting + j]
            for k in range(48):
                was = self.ls[k]
                if was & (mine | pair >> 32) == 0 and was != moved:
                    out[count] = was | mine << 16 | pair
                    count += 1
        return count

    def canonical(self, position: int) -> int:
        """The least of the eight images."""
        least = position
        for k in range(1, self.symmetries):
            least = min(least, self.all_turned(position, k))
        return least

    def orbit(self, position: int) -> int:
        """Eight over the number of symmetries that keep the position."""
        same = 0
        for k in range(self.symmetries):
            if self.all_turned(position, k) == position:
                same += 1
        return self.symmetries // same

    def all_turned(self, position: int, k: int) -> int:
        """The image of the three sets under symmetry k."""
        return (
            self.image(position & FULL, k)
            | self.image(position >> 16 & FULL, k) << 16
            | self.image(position >> 32, k) << 32
        )

    def rank(self, position: int) -> int:
        """The numbers of the two L, and of the neutral pair among the squares that are left."""
        least = self.canonical(position)
        first, second, pair, free, left = 0, 0, 0, 0, 0
        for k in range(48):
            first += self.ls[k] < least & FULL
            second += self.ls[k] < least >> 16 & FULL
        for c in range(16):
            if (least | least >> 16) >> c & 1 == 0:
                if least >> 32 + c & 1:
                    left += 1
                    pair += free if left == 1 else free * (free - 1) // 2
                free += 1
        return (first * 48 + second) * 28 + pair

    def unrank(self, index: int) -> int:
        """The position of an index; none where the L overlap, or if it is not canonical."""
        first, second, pair = self.ls[index // 28 // 48], self.ls[index // 28 % 48], index % 28
        if first & second:
            return NO_POSITION
        high = 1
        while high * (high + 1) // 2 <= pair:
            high += 1
        low = pair - high * (high - 1) // 2
        position, free = first | second << 16, 0
        for c in range(16):
            if (first | second) >> c & 1 == 0:
                if free in (low, high):
                    position |= 1 << 32 + c
                free += 1
        return position if self.canonical(position) == position else NO_POSITION

    def pieces(self, position: int) -> str:
        """The L of the player to move is x."""
        sets = (position & FULL, position >> 16 & FULL, position >> 32)
        found = [EMPTY] * 16
        for places, piece in zip(sets, "xon", strict=True):
            for c in range(16):
                if places >> c & 1:
                    found[c] = piece
        return "".join(found)

    def turn(self, position: int) -> int:
        """The player to move is always x."""
        return 0

    def position_of(self, pieces: str, turn: int) -> int:
        """The three sets."""
        sets = [sum(1 << c for c in range(16) if pieces[c] == piece) for piece in "xon"]
        return sets[0] | sets[1] << 16 | sets[2] << 32

    def fault(self, position: int) -> str:
        """Two L and two neutral pieces."""
        mine, theirs, neutral = position & FULL, position >> 16 & FULL, position >> 32
        fits = mine in self.ls and theirs in self.ls and neutral.bit_count() == 2
        return "" if fits else "an L of x, an L of o and two neutral n"

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """The squares of the L, then the move of a neutral piece."""
        moved = option >> 16 & FULL
        text = "L " + " ".join(name for c, name in enumerate(self.names) if moved >> c & 1)
        gone, come = (position & ~option) >> 32, (option & ~position) >> 32
        if gone:
            text += f", n {self.names[gone.bit_length() - 1]}-{self.names[come.bit_length() - 1]}"
        return text

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The squares of the L, then those that a neutral piece leaves and reaches."""
        moved = option >> 16 & FULL
        squares = [name for c, name in enumerate(self.names) if moved >> c & 1]
        neutral = ((position & ~option) >> 32, (option & ~position) >> 32)
        return ((*squares, *(self.names[x.bit_length() - 1] for x in neutral if x)),)
