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

from zermelo._runtime.words import count_bits, lowest
from zermelo.errors import InvalidOptionError
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.boards._board import Board
from zermelo.rules.compiled import NO_POSITION, OPEN

CELLS = 25
FULL = (1 << CELLS) - 1
LOW = 13
"""Sets are looked up in two parts, of this many squares and the rest."""


def _images() -> Int64Array:
    """``images[g, rank, squares]``: the image of the squares of a rank under the symmetry g."""
    images = np.zeros((8, 5, 32), np.int64)
    for g in range(8):
        for s in range(CELLS):
            x, y = s % 5, s // 5
            x, y = (y, x) if g & 4 else (x, y)
            x, y = 4 - x if g & 1 else x, 4 - y if g & 2 else y
            for squares in range(32):
                if squares >> s % 5 & 1:
                    images[g, s // 5, squares] |= 1 << x + 5 * y
    return images


class _Sets:
    """All sets of at most four squares: by number, and in classes of symmetry.

    Numbers go by the number of squares, then in combinatorial order. Arrays are as narrow as they
    may be, so that all of them stay near the processor.
    """

    def __init__(self) -> None:
        sets: list[int] = []
        self.first = np.zeros(6, np.int64)
        """Where the sets of each number of squares begin."""
        for many in range(5):
            found = [sum(1 << s for s in x) for x in combinations(range(CELLS), many)]
            sets += sorted(found)  # in combinatorial order
            self.first[many + 1] = len(sets)
        self.sets = np.array(sets, np.int64)
        self.low, self.high = self._parts()
        pictures = _images()
        all_images = np.zeros((8, len(sets)), np.int64)
        for y in range(5):
            all_images |= pictures[:, y, self.sets >> 5 * y & 31]
        numbers = np.searchsorted(self.sets, all_images, sorter=np.argsort(self.sets))
        numbers = np.argsort(self.sets)[numbers]
        self.images = numbers.T.astype(np.int16).reshape(-1)
        """``images[8 * number + g]``: the number of the image of a set under symmetry g."""
        least = numbers.min(axis=0)
        folds = ((numbers == least) << np.arange(8)[:, None]).sum(axis=0)
        mine = np.flatnonzero(least == np.arange(len(sets)))
        self.first_class = np.searchsorted(mine, self.first).astype(np.int64)
        """Where the classes of each number of squares begin."""
        classes = np.searchsorted(mine, least)
        self.fold = (classes << 8 | folds).astype(np.int32)
        """The class of each set, and as eight bits the symmetries that make the least of it."""
        self.least = self.sets[mine]
        """The least set of each class."""

    def _parts(self) -> tuple[AnyArray, AnyArray]:
        """The parts of a set's number, from its low squares and its high ones.

        ``low[squares]`` and ``high[(count << 12) + squares]`` where count are the low ones.
        """
        low = np.zeros(1 << LOW, np.int16)
        high = np.zeros((5, 1 << CELLS - LOW), np.int16)
        for squares in range(1 << LOW):
            members = [s for s in range(LOW) if squares >> s & 1]
            low[squares] = sum(comb(s, k) for k, s in enumerate(members[:4], 1))
        for squares in range(1 << CELLS - LOW):
            members = [s for s in range(LOW, CELLS) if squares >> s - LOW & 1]
            for count in range(5 - len(members)):
                rank = sum(comb(s, k) for k, s in enumerate(members, count + 1))
                high[count, squares] = self.first[count + len(members)] + rank
        return low, high.reshape(-1)


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

    as_data = (
        "first", "first_class", "sets", "low", "high", "images", "fold", "least", "goals", "near",
        "offset",
    )  # fmt: skip
    """Both games share one machine code."""

    def __init__(self, advanced: bool = False) -> None:
        self.grid(5, 5)
        sets = _Sets()
        self.sets, self.low, self.high, self.first = sets.sets, sets.low, sets.high, sets.first
        self.images, self.fold, self.least = sets.images, sets.fold, sets.least
        self.first_class = sets.first_class
        self.goals = np.zeros(self.first[5], np.int8)
        """Whether each set wins."""
        for goal in _goals(advanced):
            self.goals[self.set_number(goal)] = 1
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

    def set_number(self, squares: int) -> int:
        """The number of a set of at most four squares."""
        low = squares & (1 << LOW) - 1
        high = (count_bits(low) << CELLS - LOW) + (squares >> LOW)
        return int(self.low[low]) + int(self.high[high])

    def image(self, squares: int, g: int) -> int:
        """The image of a set under symmetry g."""
        return self.sets[self.images[8 * self.set_number(squares) + g]]  # type: ignore[no-any-return]

    def tier(self, position: int) -> int:
        """The number of men that are still to be dropped."""
        return 8 - count_bits(position)

    def outcome(self, position: int) -> int:
        """The opponent's last move has reached a goal, or play goes on."""
        return -1 if self.goals[self.set_number(position >> CELLS)] else OPEN

    def moves(self, position: int, out: Any) -> int:
        """Drop a man; when all are dropped, move one to a free square beside it."""
        mine, theirs = position & FULL, position >> CELLS
        free = FULL & ~(mine | theirs)
        count = 0
        if count_bits(mine) < 4:
            while free:
                out[count] = theirs | (mine | free & -free) << CELLS
                free &= free - 1
                count += 1
            return count
        men = mine
        while men:
            ends = self.near[lowest(men)] & free
            rest = mine ^ men & -men
            men &= men - 1
            while ends:
                out[count] = theirs | (rest | ends & -ends) << CELLS
                ends &= ends - 1
                count += 1
        return count

    def unmoves(self, position: int, out: Any) -> int:
        """The opponent's men back to free squares beside them, when all have been dropped."""
        mine, theirs = position & FULL, position >> CELLS
        if count_bits(mine) < 4 or self.goals[self.set_number(mine)]:
            return 0
        free = FULL & ~(mine | theirs)
        count, men = 0, theirs
        while men:
            origins = self.near[lowest(men)] & free
            rest = theirs ^ men & -men
            men &= men - 1
            while origins:
                before = rest | origins & -origins
                origins &= origins - 1
                if not self.goals[self.set_number(before)]:
                    out[count] = before | mine << CELLS
                    count += 1
        return count

    def unmoves_by_index(self, index: int, out: Any) -> int:
        """The indices of the positions of the same tier with a move to that of an index.

        In all of them the opponent has the men of the present mover. These are made the least of
        their images first, so that the numbers of sets differ from indices by a constant.
        """
        if index >= self.offset[7]:
            return 0
        many = self.first[5] - self.first[4]
        number = self.first[4] + index % many
        fold = self.fold[number]
        if self.goals[number]:
            return 0
        theirs = self.image(self.least[self.first_class[4] + index // many], lowest(fold))
        mine = self.least[fold >> 8]
        free = FULL & ~(mine | theirs)
        start = ((fold >> 8) - self.first_class[4]) * many - self.first[4]
        keeping = self.fold[self.set_number(mine)] & 255
        count, men = 0, theirs
        while men:
            origins = self.near[lowest(men)] & free
            rest = theirs ^ men & -men
            men &= men - 1
            while origins:
                before = self.set_number(rest | origins & -origins)
                origins &= origins - 1
                if not self.goals[before]:
                    out[count] = start + before
                    count += 1
        return count if keeping == 1 else self.each_once(start, keeping, out, count)

    def each_once(self, start: int, keeping: int, out: Any, count: int) -> int:
        """The least of the images of the mover's men under some symmetries, each index once."""
        distinct = 0
        for k in range(count):
            index, new = start + self.least_image(out[k] - start, keeping), True
            for j in range(distinct):
                new = new and out[j] != index
            if new:
                out[distinct] = index
                distinct += 1
        return distinct

    def least_image(self, number: int, symmetries: int) -> int:
        """The least number among those of the images of a set under the symmetries of a mask."""
        least = self.images[8 * number + lowest(symmetries)]
        symmetries &= symmetries - 1
        while symmetries:
            least = min(least, self.images[8 * number + lowest(symmetries)])
            symmetries &= symmetries - 1
        return least  # type: ignore[no-any-return]

    def moves_differ(self, position: int) -> bool:
        """Whether no symmetry keeps the opponent's men, which no move changes."""
        symmetries = self.fold[self.set_number(position >> CELLS)] & 255
        return symmetries & symmetries - 1 == 0  # type: ignore[no-any-return]

    def canonical(self, position: int) -> int:
        """The opponent's men as the least of their images, then the mover's."""
        fold = self.fold[self.set_number(position >> CELLS)]
        mine = self.least_image(self.set_number(position & FULL), fold & 255)
        return self.sets[mine] | self.least[fold >> 8] << CELLS  # type: ignore[no-any-return]

    def orbit(self, position: int) -> int:
        """Eight, divided by the number of symmetries that keep the position."""
        mine, theirs = self.set_number(position & FULL), self.set_number(position >> CELLS)
        kept = 0
        for g in range(8):
            kept += self.images[8 * mine + g] == mine and self.images[8 * theirs + g] == theirs
        return 8 // kept

    def rank(self, position: int) -> int:
        """The tier, then the class of the opponent's men, then the mover's men."""
        mine, theirs = position & FULL, position >> CELLS
        a, b = count_bits(mine), count_bits(theirs)
        fold = self.fold[self.set_number(theirs)]
        number = (fold >> 8) - self.first_class[b]
        many = self.first[a + 1] - self.first[a]
        least = self.least_image(self.set_number(mine), fold & 255)
        return self.offset[a + b] + number * many + least - self.first[a]  # type: ignore[no-any-return]

    def unrank(self, index: int) -> int:
        """The position of an index; none where men share a square, or the mover has won."""
        men = 8
        while men > 0 and index >= self.offset[men - 1]:
            men -= 1
        index -= self.offset[men]
        a, b = men // 2, (men + 1) // 2
        many = self.first[a + 1] - self.first[a]
        theirs = self.least[self.first_class[b] + index // many]
        number = self.first[a] + index % many
        mine = self.sets[number]
        if mine & theirs or self.goals[number]:
            return NO_POSITION
        symmetries = self.fold[self.set_number(theirs)] & 255
        if symmetries != 1 and self.least_image(number, symmetries) != number:
            return NO_POSITION
        return mine | theirs << CELLS  # type: ignore[no-any-return]

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
        won = self.goals[self.set_number(position & FULL)]
        return "play that is not over before the last move" if won else ""


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
