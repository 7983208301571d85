"""The men on the board: the materials that an endgame can become, in tables.

Men have *slots*: 0 and 1 are White's and Black's king, then come White's other men, then Black's,
each in the order Q R B N P. Captures and promotions lead to other materials. All materials that
follow from one are numbered, with either colour for either side. A material and the one with
colours exchanged share a *tier*: materials with fewer men, then those with fewer pawns, come
first.
"""

import re
from collections.abc import Iterable
from math import comb
from typing import NamedTuple

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.labels import Int64Array
from zermelo.rules.chess.board import BLACK, KING, LETTERS, PAWN

MOST_MEN = 5
SLOTS = 8
"""The room for the slots of one material in a table."""

ORDER = "QRBNP"

KINGS_WITH_PAWNS = 1806
KINGS_WITHOUT = 462
"""The number of pairs of squares for two kings, up to symmetry."""


class Material(NamedTuple):
    """White's men and Black's besides their kings, as letters in the order Q R B N P.

    >>> Material.of("KPQvKR"), str(Material.of("krk"))
    (Material(white='QP', black='R'), 'KRvK')
    """

    white: str
    black: str

    @classmethod
    def of(cls, text: str) -> "Material":
        """Read a material such as KRvK; the v may be left out."""
        found = re.fullmatch("K([QRBNP]*)V?K([QRBNP]*)", text.upper())
        if found is None:
            raise InvalidOptionError(f"expected men such as KRvK or KPvKR, got {text!r}")
        if len(text.upper().replace("V", "")) > MOST_MEN:
            raise InvalidOptionError(f"expected at most {MOST_MEN} men, got {text!r}")
        return cls(ordered(found[1]), ordered(found[2]))

    def __str__(self) -> str:
        return f"K{self.white}vK{self.black}"

    @property
    def men(self) -> int:
        """The number of men, including the kings."""
        return 2 + len(self.white + self.black)

    @property
    def kinds(self) -> list[int]:
        """The kind of man in each slot."""
        white = [LETTERS.index(x) for x in self.white]
        black = [LETTERS.index(x) + BLACK for x in self.black]
        return [KING, KING + BLACK, *white, *black]

    @property
    def turned(self) -> "Material":
        """The material with colours exchanged."""
        return Material(self.black, self.white)

    @property
    def main(self) -> "Material":
        """This material or the one with colours exchanged, in which White has more."""
        return max(self, self.turned, key=lambda x: (x.men - len(x.black), _strength(x.white)))

    @property
    def even(self) -> bool:
        """Whether both sides have the same men."""
        return self.white == self.black

    @property
    def passing(self) -> bool:
        """Whether pawns can be captured en passant."""
        return "P" in self.white and "P" in self.black

    def without(self, slot: int) -> "Material":
        """The material after the man in a slot is captured."""
        k, w = slot - 2, len(self.white)
        if k < w:
            return Material(self.white[:k] + self.white[k + 1 :], self.black)
        return Material(self.white, self.black[: k - w] + self.black[k - w + 1 :])

    def promoted(self, slot: int, to: str) -> "Material":
        """The material after the pawn in a slot is promoted."""
        left = self.without(slot)
        if slot - 2 < len(self.white):
            return Material(ordered(left.white + to), left.black)
        return Material(left.white, ordered(left.black + to))

    @property
    def follows(self) -> Iterable["Material"]:
        """The materials after one capture or one promotion."""
        for slot, kind in enumerate(self.kinds):
            if kind % BLACK != KING:
                yield self.without(slot)
            if kind % BLACK == PAWN:
                yield from (self.promoted(slot, to) for to in ORDER[:4])

    @property
    def most_moves(self) -> int:
        """A bound for the number of moves of one side."""
        most = {"Q": 27, "R": 14, "B": 13, "N": 8, "P": 12}
        return 8 + max(sum(most[x] for x in side) for side in self)


def ordered(men: str) -> str:
    """Letters in the order Q R B N P.

    >>> ordered("PRQ")
    'QRP'
    """
    return "".join(sorted(men, key=ORDER.index))


def _strength(men: str) -> list[int]:
    return [-ORDER.index(x) for x in men]


def closure(material: Material) -> list[Material]:
    """All that captures and promotions make of a material, low tiers first, as main ones.

    >>> [str(x) for x in closure(Material.of("KPvK"))]
    ['KvK', 'KBvK', 'KNvK', 'KQvK', 'KRvK', 'KPvK']
    """
    found = {material.main}
    fresh = list(found)
    while fresh:
        fresh = list({x.main for y in fresh for x in y.follows} - found)
        found.update(fresh)
    return sorted(found, key=lambda x: (x.men, str(x).count("P"), str(x)))


class Tables:
    """All that moves and index ask of materials, by their number.

    >>> tables = Tables(Material.of("KRvK"))
    >>> [str(x) for x in tables.materials], tables.size
    (['KvK', 'KRvK', 'KvKR'], 59598)
    """

    def __init__(self, material: Material) -> None:
        tiers = closure(material)
        self.materials = [y for x in tiers for y in dict.fromkeys((x, x.turned))]
        self.number = {x: k for k, x in enumerate(self.materials)}
        n = len(self.materials)
        self.men = np.array([x.men for x in self.materials], np.int64)
        self.white = np.array([len(x.white) for x in self.materials], np.int64)
        first = [(2, 2 + len(x.white)) for x in self.materials]
        last = [(2 + len(x.white), x.men) for x in self.materials]
        self.first, self.last = np.array(first, np.int64).ravel(), np.array(last, np.int64).ravel()
        self.kinds = np.zeros(n * SLOTS, np.int64)
        self.taken = np.zeros(n * SLOTS, np.int64)
        self.promoted = np.zeros(n * SLOTS * 4, np.int64)
        self.place = np.zeros(n * SLOTS * 4, np.int64)
        self.tiers = np.array([tiers.index(x.main) for x in self.materials], np.int64)
        self.turned = np.array([self.number[x.turned] for x in self.materials], np.int64)
        self.aside = np.array([x != x.main for x in self.materials], np.int64)
        self.even = np.array([x.even for x in self.materials], np.int64)
        self.pawns = np.array(["P" in str(x) for x in self.materials], np.int64)
        self.passing = np.array([x.passing for x in self.materials], np.int64)
        self.plain = np.array([len(set(x.kinds)) == x.men and "P" not in str(x)
                               for x in self.materials], np.int64)  # fmt: skip
        self.twins = np.zeros(n, np.int64)
        self.runs = np.zeros(n * SLOTS, np.int64)
        self.base = np.zeros(n * SLOTS, np.int64)
        self.radix = np.zeros(n * SLOTS, np.int64)
        for k, x in enumerate(self.materials):
            self._slots(k, x)
        self.weight, self.block = self._weights()
        lowest = np.maximum(1, self.radix[2::SLOTS])
        self.words, self.step = self.block // lowest, self.weight // np.repeat(lowest, SLOTS)
        self.main = np.array([self.number[x] for x in tiers], np.int64)
        sizes = [self._size(self.number[x]) for x in tiers]
        self.offset: Int64Array = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.size = int(self.offset[-1])

    def _slots(self, k: int, x: Material) -> None:
        """Fill in the slots of material x, the one with number k."""
        kinds = x.kinds
        self.kinds[k * SLOTS : k * SLOTS + x.men] = kinds
        self.twins[k] = max(kinds.count(kind) for kind in kinds) - 1
        for slot, kind in enumerate(kinds[2:], 2):
            at = k * SLOTS + slot
            self.taken[at] = self.number[x.without(slot)]
            pawn = kind % BLACK == PAWN
            if pawn:
                for j, to in enumerate(ORDER[:4]):
                    after = x.promoted(slot, to)
                    self.promoted[at * 4 + j] = self.number[after]
                    self.place[at * 4 + j] = after.kinds.index(
                        LETTERS.index(to) + kind // BLACK * BLACK
                    )
            if kinds[slot - 1] != kind:
                many = kinds.count(kind)
                squares = (56 if x.passing else 48) if pawn else 64
                self.runs[at] = many
                self.radix[at] = comb(squares, many)
            self.base[at] = 8 if pawn and not (x.passing and kind == PAWN) else 0

    def _weights(self) -> tuple[Int64Array, Int64Array]:
        """By how much an index grows with the number of a slot's squares; and with all of them."""
        weight = np.zeros(len(self.runs), np.int64)
        block = np.zeros(len(self.materials), np.int64)
        for k in range(len(self.materials)):
            block[k] = 1
            for at in range(k * SLOTS + 2, k * SLOTS + int(self.men[k])):
                weight[at] = block[k]
                block[k] *= max(1, int(self.radix[at]))
        return weight, block

    def _size(self, k: int) -> int:
        size = (KINGS_WITH_PAWNS if self.pawns[k] else KINGS_WITHOUT) * (2 - int(self.even[k]))
        for slot in range(2, int(self.men[k])):
            if self.runs[k * SLOTS + slot]:
                size *= int(self.radix[k * SLOTS + slot])
        return size
