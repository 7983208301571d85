"""Dōbutsu shōgi by number: a position as an integer, its symmetry, and a dense index.

A position is what the player to move sees, who walks upwards: four sets of twelve squares, three
squares in a rank, then the animals in the mover's hand and in the opponent's, two bits for each of
chick, elephant and giraffe. The four sets are the mover's squares, and three binary digits of the
animal on each square. One more position stands for all in which a lion has been captured.

The index has the lions first (the mover's is never on the farthest rank), then elephants, giraffes
and chicks. Of each pair, both, one or none may be in hand; the others are on the squares that are
left.
"""

import numpy as np

from zermelo._runtime.words import count_bits, lowest
from zermelo.labels import Int64Array
from zermelo.rules.compiled import NO_POSITION, CompiledRules

FULL = 0o7777
LEFT, RIGHT = 0o1111, 0o4444
"""The squares of the files at the left and at the right."""
FAR, HOME = 0o7000, 0o7

CHICK, ELEPHANT, GIRAFFE, LION, HEN = 1, 2, 3, 4, 5
LETTERS = ".CEGLH"

MINE, ONES, TWOS, FOURS = 0, 12, 24, 36
"""The lowest bits of the four sets."""
EACH = 1 << MINE | 1 << ONES | 1 << TWOS | 1 << FOURS
"""The bits of all four sets, for the first square."""
HAND, THEIRS = 48, 54
"""The lowest bits of the mover's hand and of the opponent's."""
SQUARES = (1 << HAND) - 1
HANDS = 0o77

TAKEN = 0
"""The position in which the mover's lion has been captured."""

PLACED = np.array([k % 2 << ONES | (k >> 1 & 1) << TWOS | (k >> 2) << FOURS for k in range(6)],
                  np.int64)  # fmt: skip
"""An animal of the opponent's on the first square."""
HELD = np.array([0, 1, 4, 16, 0, 1], np.int64)
"""One captured animal, in a hand."""

EACH_FILE = 0o1111111111111111
EACH_MIDDLE = 0o2222222222222222
EACH_RANK = 0o0707070707070707
EACH_PAIR = 0o0077007700770077

_SQUARES = [[s for s in range(12) if squares >> s & 1] for squares in range(4096)]
NTH = np.array([sum(s << 4 * n for n, s in enumerate(x)) for x in _SQUARES], np.int64)
"""``NTH[squares] >> 4 * n & 15``: the nth square of a set."""


def _lions() -> tuple[Int64Array, Int64Array]:
    """Numbers of pairs of lions, −1 for those not canonical, and the pairs by number."""
    number = np.full(12 * 12, -1, np.int64)
    pairs: list[int] = []
    for mine in range(9):
        for theirs in range(12):
            if mine != theirs and (mine % 3 == 0 or (mine % 3 == 1 and theirs % 3 < 2)):
                number[mine * 12 + theirs] = len(pairs)
                pairs.append(mine * 12 + theirs)
    return number, np.array(pairs, np.int64)


LIONS, PAIRS = _lions()


def _ways(free: int, states: int) -> list[int]:
    """The numbers of ways for a pair: both in hand, one in hand, none in hand."""
    return [3, 2 * free * states, free * (free - 1) // 2 * states**2]


CHICKS = np.array([sum(_ways(free, 4)) for free in range(11)], np.int64)
"""The number of ways for two chicks, by the number of free squares."""
HERD = np.array([sum(w * int(CHICKS[free - k]) for k, w in enumerate(_ways(free, 2)))
                 for free in range(2, 11)], np.int64)  # fmt: skip
"""The number of ways for giraffes and chicks on 2 … 10 free squares."""
ALL = sum(w * int(HERD[10 - k - 2]) for k, w in enumerate(_ways(10, 2)))
"""The number of ways for all animals but the lions."""

UPPER = np.array([to << 4 | at for to in range(10) for at in range(to)], np.int64)
"""The members of the pair with a number, the greater one four bits above."""


def _shares(free: int, states: int, sizes: list[int]) -> tuple[list[int], list[int]]:
    """Where the numbers of a pair begin, by its members on the board, and by their places.

    ``sizes`` are the numbers of what follows with none, one and two of the pair on the board. The
    place of a pair is ``11 * to + at``, by the numbers of its members among the free squares; a
    member in hand has the number ``free``.
    """
    ways = _ways(free, states)
    begins = [0, ways[0] * sizes[0], ways[0] * sizes[0] + ways[1] * sizes[1]]
    places = [0] * 121
    for to in range(free + 1):
        for at in range(to):
            one = begins[1] + 2 * states * at * sizes[1]
            two = begins[2] + states**2 * (to * (to - 1) // 2 + at) * sizes[2]
            places[11 * to + at] = one if to == free else two
    return begins, places


def _of_elephants() -> list[int]:
    return [int(HERD[free - 2]) for free in (10, 9, 8)]


def _of_giraffes(free: int) -> list[int]:
    return [int(CHICKS[free - k]) for k in range(3)]


SIZE_E = np.array(_of_elephants(), np.int64)
BEGIN_E, PLACE_E = (np.array(x, np.int64) for x in _shares(10, 2, _of_elephants()))
SIZE_G = np.array([_of_giraffes(free) for free in (8, 9, 10)], np.int64).reshape(-1)
BEGIN_G = np.array([_shares(free, 2, _of_giraffes(free))[0] for free in (8, 9, 10)]).reshape(-1)
PLACE_G = np.array([_shares(free, 2, _of_giraffes(free))[1] for free in (8, 9, 10)]).reshape(-1)
PLACE_C = np.array([_shares(free, 4, [1, 1, 1])[1] for free in range(6, 11)]).reshape(-1)
"""The shares of elephants, of giraffes on 8 … 10 free squares, and of chicks on 6 … 10."""


class DobutsuIndex(CompiledRules):
    """Positions of Dōbutsu shōgi and their numbers; the game itself adds moves and text."""

    impartial = False

    size = 1 + ALL * len(PAIRS)

    def turned(self, position: int) -> int:
        """The position as the other player sees it."""
        x = self.mirrored(position) & SQUARES
        x = x >> 3 & EACH_RANK | (x & EACH_RANK) << 3
        x = x >> 6 & EACH_PAIR | (x & EACH_PAIR) << 6
        x ^= (x >> ONES | x >> TWOS | x >> FOURS) & FULL
        return x | (position >> HAND & HANDS) << THEIRS | (position >> THEIRS & HANDS) << HAND

    def mirrored(self, position: int) -> int:
        """The position with left and right exchanged."""
        x = position & SQUARES
        x = x >> 2 & EACH_FILE | (x & EACH_FILE) << 2 | x & EACH_MIDDLE
        return position >> HAND << HAND | x

    def canonical(self, position: int) -> int:
        """The mover's lion at the left or in the middle, then the opponent's; or the smaller."""
        lions = position >> FOURS & ~(position >> ONES) & FULL
        mine = lions & position
        side = mine if mine & (LEFT | RIGHT) else lions & ~mine
        image = self.mirrored(position)
        if not side & (LEFT | RIGHT):
            return min(position, image)
        return image if side & RIGHT else position

    def orbit(self, position: int) -> int:
        """A position and its image count as one; the captured lion is not counted."""
        return 0 if position == TAKEN else 1

    def tier(self, position: int) -> int:
        """The captured lion comes first."""
        return 0 if position == TAKEN else 1

    def rank(self, position: int) -> int:
        """Lions, elephants, giraffes, chicks of the canonical position."""
        if position == TAKEN:
            return 0
        position = self.canonical(position)
        mine = position & FULL
        ones, twos = position >> ONES & FULL, position >> TWOS & FULL
        fours = position >> FOURS & FULL
        lions = fours & ~ones
        index = 1 + LIONS[lowest(lions & mine) * 12 + lowest(lions & ~mine)] * ALL
        elephants, giraffes, chicks = twos & ~ones, twos & ones, ones & ~twos
        free = FULL ^ lions
        digit = self.owners(elephants, mine) + (position >> HAND + 2 & 3)
        index += PLACE_E[self.place(elephants, free)] + digit * SIZE_E[count_bits(elephants)]
        free ^= elephants
        left = count_bits(free) - 8
        digit = self.owners(giraffes, mine) + (position >> HAND + 4 & 3)
        index += PLACE_G[left * 121 + self.place(giraffes, free)]
        index += digit * SIZE_G[left * 3 + count_bits(giraffes)]
        free ^= giraffes
        index += PLACE_C[(count_bits(free) - 6) * 121 + self.place(chicks, free)]
        return index + self.states(chicks, mine, fours) + (position >> HAND & 3)  # type: ignore[no-any-return]

    def place(self, pair: int, free: int) -> int:
        """The place of a pair on free squares, see :func:`_shares`."""
        low = pair & -pair
        return 11 * count_bits(free & (pair ^ low) - 1) + count_bits(free & low - 1)

    def owners(self, pair: int, mine: int) -> int:
        """Whether the first of a pair and the second are the mover's, as binary digits."""
        low = pair & -pair
        return (2 if mine & low else 0) + (1 if mine & (pair ^ low) else 0)

    def states(self, pair: int, mine: int, hens: int) -> int:
        """The owner of each chick on the board, and whether it is a hen."""
        low = pair & -pair
        high = pair ^ low
        state = (2 if mine & low else 0) + (1 if hens & low else 0)
        other = (2 if mine & high else 0) + (1 if hens & high else 0)
        return state * (4 if high else 2) + other

    def unrank(self, index: int) -> int:
        """The position of an index; none where it is not canonical."""
        if index == 0:
            return TAKEN
        index -= 1
        pair = PAIRS[index // ALL]
        index %= ALL
        first, second = pair // 12, pair % 12
        position = (PLACED[LION] + 1 << first) + (PLACED[LION] << second)
        free = FULL & ~(1 << first | 1 << second)
        many = (1 if index >= BEGIN_E[1] else 0) + (1 if index >= BEGIN_E[2] else 0)
        index -= BEGIN_E[many]
        digit = index // SIZE_E[many]
        index -= digit * SIZE_E[many]
        position += self.unpaired(digit, many, free, ELEPHANT)
        free &= ~(position >> TWOS)
        at = 3 * (count_bits(free) - 8)
        many = (1 if index >= BEGIN_G[at + 1] else 0) + (1 if index >= BEGIN_G[at + 2] else 0)
        index -= BEGIN_G[at + many]
        digit = index // SIZE_G[at + many]
        index -= digit * SIZE_G[at + many]
        position += self.unpaired(digit, many, free, GIRAFFE)
        free &= ~(position >> TWOS)
        position += self.unbrooded(index, free)
        if (first % 3, second % 3) == (1, 1) and self.mirrored(position) < position:
            return NO_POSITION
        return position  # type: ignore[no-any-return]

    def unpaired(self, digit: int, many: int, free: int, kind: int) -> int:
        """Two animals, so many of them on free squares, the others in hands, from their number."""
        held, squares = HELD[kind], NTH[free]
        if many == 0:
            return (held * digit << HAND) + (held * (2 - digit) << THEIRS)  # type: ignore[no-any-return]
        if many == 1:
            hand = held << (HAND if digit & 1 else THEIRS)
            return hand + (PLACED[kind] + (digit >> 1 & 1) << (squares >> 4 * (digit >> 2) & 15))  # type: ignore[no-any-return]
        pair = UPPER[digit >> 2]
        low = PLACED[kind] + (digit >> 1 & 1) << (squares >> 4 * (pair & 15) & 15)
        return low + (PLACED[kind] + (digit & 1) << (squares >> 4 * (pair >> 4) & 15))  # type: ignore[no-any-return]

    def unbrooded(self, digit: int, free: int) -> int:
        """Two chicks or hens in hands or on free squares, from their number."""
        if digit < 3:
            return (digit << HAND) + (2 - digit << THEIRS)
        digit -= 3
        many, squares = count_bits(free), NTH[free]
        if digit < 8 * many:
            hand = 1 << (HAND if digit & 1 else THEIRS)
            return hand + self.bird(digit >> 1, squares >> 4 * (digit >> 3) & 15)
        digit -= 8 * many
        pair = UPPER[digit >> 4]
        low = self.bird(digit >> 2, squares >> 4 * (pair & 15) & 15)
        return low + self.bird(digit, squares >> 4 * (pair >> 4) & 15)

    def bird(self, state: int, square: int) -> int:
        """A bird on a square; in ``state`` bit 0 says that it is a hen, bit 1 the mover's."""
        kind = HEN if state & 1 else CHICK
        return PLACED[kind] + (state >> 1 & 1) << square  # type: ignore[no-any-return]
