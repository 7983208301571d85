"""Teeko: four men for each player on 5×5 squares; drop them all, then move them like chess kings.

Four men in a row (horizontal, vertical or diagonal) or on a square of 2×2 win: 44 goals. A player
who cannot move loses. In Advanced Teeko the corners of all upright squares up to 5×5 win, too: 58
goals. The former is a draw; in the latter the first player wins [Steele1999].

A position is what the player to move sees: bits 0 … 24 are the mover's men, 25 … 49 the
opponent's. The tier is the number of men still to be dropped. The index has first the opponent's
men, as one of the classes of sets up to the eight symmetries, then the mover's.
"""

from itertools import combinations
from math import comb
from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.labels import Int32Array, Int64Array
from zermelo.rules.boards._board import Board
from zermelo.rules.compiled import NO_POSITION, OPEN

CELLS = 25
FULL = (1 << CELLS) - 1
LOW = 13
"""Sets are looked up in two parts, of this many squares and the rest."""


def _images() -> Int64Array:
    """``images[(g * 5 + rank) * 32 + squares]``: the image of squares of a rank, symmetry g."""
    images = np.zeros((8, 5, 32), np.int64)
    for g in range(8):
        for s in range(CELLS):
            x, y = s % 5, s // 5
            x, y = (y, x) if g & 4 else (x, y)
            x, y = 4 - x if g & 1 else x, 4 - y if g & 2 else y
            for squares in range(32):
                if squares >> s % 5 & 1:
                    images[g, s // 5, squares] |= 1 << x + 5 * y
    return images.reshape(-1)


def _set_ranks() -> tuple[Int32Array, Int32Array]:
    """The parts of a set's rank in combinatorial order, from its low squares and its high ones.

    ``low[squares]`` and ``high[(count * 4096) + squares]`` where count are the low ones.
    """
    low = np.zeros(1 << LOW, np.int32)
    high = np.zeros((5, 1 << CELLS - LOW), np.int32)
    for squares in range(1 << LOW):
        members = [s for s in range(LOW) if squares >> s & 1]
        low[squares] = sum(comb(s, k) for k, s in enumerate(members, 1))
    for squares in range(1 << CELLS - LOW):
        members = [s for s in range(LOW, CELLS) if squares >> s - LOW & 1]
        for count in range(5):
            high[count, squares] = sum(comb(s, k) for k, s in enumerate(members, count + 1))
    return low, high.reshape(-1)


IMAGES = _images()
LOW_RANK, HIGH_RANK = _set_ranks()
BITS = np.array([bin(x).count("1") for x in range(1 << LOW)], np.int64)


class _Sets:
    """All sets of at most four squares: by rank, and in classes of symmetry."""

    def __init__(self) -> None:
        sets: list[int] = []
        self.first = np.zeros(6, np.int64)
        """Where the sets of each number of squares begin."""
        for many in range(5):
            found = [sum(1 << s for s in x) for x in combinations(range(CELLS), many)]
            sets += sorted(found)  # in combinatorial order
            self.first[many + 1] = len(sets)
        self.sets = np.array(sets, np.int64)
        pictures = IMAGES.reshape(8, 5, 32)
        all_images = np.zeros((8, len(sets)), np.int64)
        for y in range(5):
            all_images |= pictures[:, y, self.sets >> 5 * y & 31]
        least = all_images.min(axis=0)
        self.folding = all_images.argmin(axis=0).astype(np.int64)
        """The symmetry that makes the least of each set's images."""
        mine = np.flatnonzero(least == self.sets)
        numbers = np.full(len(sets), -1, np.int64)
        self.first_class = np.searchsorted(mine, self.first)
        """Where the classes of each number of squares begin."""
        numbers[mine] = np.arange(mine.size)
        where = {x: k for k, x in enumerate(sets)}
        self.number = numbers[[where[x] for x in least.tolist()]]
        """The class of each set."""
        self.least = self.sets[mine]
        """The least set of each class."""
        self.fixing = ((all_images[:, mine] == self.least) << np.arange(8)[:, None]).sum(axis=0)
        """The symmetries that keep the least set of each class, as bits."""


class Teeko(Board):
    """Standard Teeko, or ``advanced``; in text x are the men of the player to move.

    >>> rules = Teeko()
    >>> rules.show(rules.start()), len(rules.options(rules.start()))
    ('...../...../...../...../.....', 25)
    >>> int(rules.goals.sum()), int(Teeko(advanced=True).goals.sum())
    (44, 58)
    """

    most_moves = 32
    relative = True

    def __init__(self, advanced: bool = False) -> None:
        self.grid(5, 5)
        sets = _Sets()
        self.sets, self.first, self.folding = sets.sets, sets.first, sets.folding
        self.number, self.least, self.fixing = sets.number, sets.least, sets.fixing
        self.first_class = sets.first_class.astype(np.int64)
        self.goals = np.zeros(comb(CELLS, 4), np.int64)
        for goal in _goals(advanced):
            self.goals[self.set_rank(goal)] = 1
        near = [[t for t in range(CELLS) if 0 < _apart(s, t) < 2] for s in range(CELLS)]
        self.near = np.array([sum(1 << t for t in ends) for ends in near], np.int64)
        many = [
            int(self.first_class[b + 1] - self.first_class[b]) * comb(CELLS, a)
            for b, a in (((men + 1) // 2, men // 2) for men in range(9))
        ]
        self.offset = np.array([sum(many[men + 1 :]) for men in range(9)], np.int64)
        """Where positions with so many men begin: all men on the board come first."""
        self.size = sum(many)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``advanced``."""
        if text not in ("", "advanced"):
            raise InvalidOptionError(
                f"expected advanced, or nothing, after the colon, got {text!r}"
            )
        return cls(advanced=bool(text))

    def start(self) -> int:
        """An empty board."""
        return 0

    def count(self, squares: int) -> int:
        """The number of squares in a set."""
        return BITS[squares & (1 << LOW) - 1] + BITS[squares >> LOW]  # type: ignore[no-any-return]

    def set_rank(self, squares: int) -> int:
        """The rank of a set among those with as many squares."""
        low = squares & (1 << LOW) - 1
        return int(LOW_RANK[low]) + int(HIGH_RANK[(BITS[low] << CELLS - LOW) + (squares >> LOW)])

    def image(self, squares: int, g: int) -> int:
        """The image of a set under symmetry g."""
        image = 0
        for y in range(5):
            image |= IMAGES[(g * 5 + y) * 32 + (squares >> 5 * y & 31)]
        return image

    def wins(self, squares: int) -> bool:
        """Whether four men are on a goal."""
        return self.count(squares) == 4 and self.goals[self.set_rank(squares)] != 0

    def tier(self, position: int) -> int:
        """The number of men that are still to be dropped."""
        return 8 - self.count(position & FULL) - self.count(position >> CELLS)

    def outcome(self, position: int) -> int:
        """The opponent's last move has reached a goal, or play goes on."""
        return -1 if self.wins(position >> CELLS) else OPEN

    def moves(self, position: int, out: Any) -> int:
        """Drop a man; when all are dropped, move one to a free square beside it."""
        mine, theirs = position & FULL, position >> CELLS
        free = FULL & ~(mine | theirs)
        count = 0
        if self.count(mine) < 4:
            for to in range(CELLS):
                if free >> to & 1:
                    out[count] = theirs | (mine | 1 << to) << CELLS
                    count += 1
            return count
        for here in range(CELLS):
            if mine >> here & 1:
                ends = self.near[here] & free
                for to in range(max(0, here - 6), min(CELLS, here + 7)):
                    if ends >> to & 1:
                        out[count] = theirs | (mine ^ 1 << here ^ 1 << to) << CELLS
                        count += 1
        return count

    def unmoves(self, position: int, out: Any) -> int:
        """The opponent's men back to free squares beside them, when all have been dropped."""
        mine, theirs = position & FULL, position >> CELLS
        if self.count(mine) < 4 or self.wins(mine):
            return 0
        free = FULL & ~(mine | theirs)
        count = 0
        for here in range(CELLS):
            if theirs >> here & 1:
                origins = self.near[here] & free
                for origin in range(max(0, here - 6), min(CELLS, here + 7)):
                    if origins >> origin & 1:
                        before = theirs ^ 1 << here ^ 1 << origin
                        if not self.wins(before):
                            out[count] = before | mine << CELLS
                            count += 1
        return count

    def folded(self, mine: int, at: int) -> int:
        """The least image of the mover's men under the symmetries that fold the set ``at``."""
        mine = self.image(mine, self.folding[at])
        fixing = self.fixing[self.number[at]]
        least = mine
        if fixing > 1:
            for g in range(1, 8):
                if fixing >> g & 1:
                    least = min(least, self.image(mine, g))
        return least

    def canonical(self, position: int) -> int:
        """The opponent's men as the least of their images, then the mover's."""
        theirs = position >> CELLS
        at = self.first[self.count(theirs)] + self.set_rank(theirs)
        return self.folded(position & FULL, at) | self.least[self.number[at]] << CELLS  # type: ignore[no-any-return]

    def orbit(self, position: int) -> int:
        """Eight, divided by the number of symmetries that keep the position."""
        position = self.canonical(position)
        kept = 0
        for g in range(8):
            kept += (
                self.image(position & FULL, g) == position & FULL
                and self.image(position >> CELLS, g) == position >> CELLS
            )
        return 8 // kept

    def rank(self, position: int) -> int:
        """The tier, then the class of the opponent's men, then the mover's men."""
        mine, theirs = position & FULL, position >> CELLS
        a, b = self.count(mine), self.count(theirs)
        at = self.first[b] + self.set_rank(theirs)
        number = self.number[at] - self.first_class[b]
        many = self.first[a + 1] - self.first[a]
        mine = self.folded(mine, at)
        return self.offset[a + b] + number * many + self.set_rank(mine)  # type: ignore[no-any-return]

    def unrank(self, index: int) -> int:
        """The position of an index; none where men share a square, or the mover has won."""
        men = 8
        while men > 0 and index >= self.offset[men - 1]:
            men -= 1
        index -= self.offset[men]
        a, b = men // 2, (men + 1) // 2
        many = self.first[a + 1] - self.first[a]
        theirs = self.least[self.first_class[b] + index // many]
        mine = self.sets[self.first[a] + index % many]
        position = mine | theirs << CELLS
        if mine & theirs or self.wins(mine) or self.canonical(position) != position:
            return NO_POSITION
        return position  # type: ignore[no-any-return]

    def pieces(self, position: int) -> str:
        """The character on each square."""
        codes = (position >> s & 1 | (position >> CELLS + s & 1) << 1 for s in range(CELLS))
        return "".join(".xo"[code] for code in codes)

    def turn(self, position: int) -> int:
        """Positions are what the player to move sees, who is always x."""
        return 0

    def position_of(self, pieces: str, turn: int) -> int:
        """The two sets of squares."""
        return sum(1 << s + CELLS * (c == "o") for s, c in enumerate(pieces) if c != ".")

    def fault(self, position: int) -> str:
        """The opponent has dropped as many men or one more, and the mover has not won."""
        a, b = bin(position & FULL).count("1"), bin(position >> CELLS).count("1")
        if not (a <= b <= a + 1 and b <= 4):
            return "at most four men each, and as many x as o, or one less"
        return "play that is not over before the last move" if self.wins(position & FULL) else ""


def _apart(s: int, t: int) -> int:
    return max(abs(s % 5 - t % 5), abs(s // 5 - t // 5))


def _goals(advanced: bool) -> list[int]:
    """The sets that win."""
    shapes = [[(k * dx, k * dy) for k in range(4)] for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
    sides = range(1, 5 if advanced else 2)
    shapes += [[(0, 0), (side, 0), (0, side), (side, side)] for side in sides]
    goals = []
    for shape in shapes:
        for s in range(CELLS):
            squares = [(s % 5 + dx, s // 5 + dy) for dx, dy in shape]
            if all(0 <= x < 5 and 0 <= y < 5 for x, y in squares):
                goals.append(sum(1 << x + 5 * y for x, y in squares))
    return goals
