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

COUNT = np.array([bin(x).count("1") for x in range(4096)], np.int64)


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
        if side & RIGHT:
            return self.mirrored(position)
        if side & LEFT:
            return position
        return min(position, self.mirrored(position))

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
        first = COUNT[(lions & mine) - 1]
        second = COUNT[(lions & ~mine) - 1]
        free = FULL & ~lions
        elephants, giraffes, chicks = twos & ~ones, twos & ones, ones & ~twos
        left = 10 - COUNT[elephants]
        digit = self.pair(elephants, free, mine, position >> HAND + 2 & 3)
        index = self.share(digit, 10, HERD[8], HERD[7], HERD[6])
        free &= ~elephants
        digit = self.pair(giraffes, free, mine, position >> HAND + 4 & 3)
        index += self.share(digit, left, CHICKS[left], CHICKS[left - 1], CHICKS[left - 2])
        free &= ~giraffes
        index += self.brood(chicks, free, mine, fours, position >> HAND & 3)
        return 1 + LIONS[first * 12 + second] * ALL + index  # type: ignore[no-any-return]

    def pair(self, pair: int, free: int, mine: int, hand: int) -> int:
        """The number of the way in which two animals are in hand or on free squares."""
        many = COUNT[pair]
        if many == 0:
            return hand
        low = pair & -pair
        at = COUNT[free & low - 1]
        owner = 1 if mine & low else 0
        if many == 1:
            return 3 + (at * 2 + owner) * 2 + hand  # type: ignore[no-any-return]
        high = pair ^ low
        to = COUNT[free & high - 1]
        owners = owner * 2 + (1 if mine & high else 0)
        return 3 + 4 * COUNT[free] + (to * (to - 1) // 2 + at) * 4 + owners  # type: ignore[no-any-return]

    def share(self, digit: int, free: int, none: int, one: int, two: int) -> int:
        """The first number of a digit; ``none``, ``one``, ``two`` numbers follow by men placed."""
        if digit < 3:
            return digit * none
        if digit < 3 + 4 * free:
            return 3 * none + (digit - 3) * one
        return 3 * none + 4 * free * one + (digit - 3 - 4 * free) * two

    def brood(self, pair: int, free: int, mine: int, hens: int, hand: int) -> int:
        """The number of the way in which two chicks or hens are in hand or on free squares."""
        many = COUNT[pair]
        if many == 0:
            return hand
        low = pair & -pair
        at = COUNT[free & low - 1]
        state = (2 if mine & low else 0) + (1 if hens & low else 0)
        if many == 1:
            return 3 + (at * 4 + state) * 2 + hand  # type: ignore[no-any-return]
        high = pair ^ low
        to = COUNT[free & high - 1]
        states = state * 4 + (2 if mine & high else 0) + (1 if hens & high else 0)
        return 3 + 8 * COUNT[free] + (to * (to - 1) // 2 + at) * 16 + states  # type: ignore[no-any-return]

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
        none, one, two = HERD[8], HERD[7], HERD[6]
        digit = self.digit(index, 10, none, one, two)
        index -= self.share(digit, 10, none, one, two)
        position += self.unpaired(digit, free, ELEPHANT)
        free &= ~(position >> TWOS)
        left = COUNT[free]
        none, one, two = CHICKS[left], CHICKS[left - 1], CHICKS[left - 2]
        digit = self.digit(index, left, none, one, two)
        index -= self.share(digit, left, none, one, two)
        position += self.unpaired(digit, free, GIRAFFE)
        free &= ~(position >> TWOS)
        position += self.unbrooded(index, free)
        if (first % 3, second % 3) == (1, 1) and self.mirrored(position) < position:
            return NO_POSITION
        return position  # type: ignore[no-any-return]

    def digit(self, index: int, free: int, none: int, one: int, two: int) -> int:
        """The digit that an index belongs to."""
        if index < 3 * none:
            return index // none
        index -= 3 * none
        if index < 4 * free * one:
            return 3 + index // one
        return 3 + 4 * free + (index - 4 * free * one) // two

    def unpaired(self, digit: int, free: int, kind: int) -> int:
        """Two animals in hands or on free squares, from their number."""
        held = HELD[kind]
        if digit < 3:
            return (held * digit << HAND) + (held * (2 - digit) << THEIRS)  # type: ignore[no-any-return]
        digit -= 3
        many = COUNT[free]
        if digit < 4 * many:
            hand = held << (HAND if digit & 1 else THEIRS)
            return hand + (PLACED[kind] + (digit >> 1 & 1) << self.nth(free, digit >> 2))  # type: ignore[no-any-return]
        digit -= 4 * many
        to = self.upper(digit >> 2)
        at = (digit >> 2) - to * (to - 1) // 2
        low = PLACED[kind] + (digit >> 1 & 1) << self.nth(free, at)
        high = PLACED[kind] + (digit & 1) << self.nth(free, to)
        return low + high  # type: ignore[no-any-return]

    def unbrooded(self, digit: int, free: int) -> int:
        """Two chicks or hens in hands or on free squares, from their number."""
        if digit < 3:
            return (digit << HAND) + (2 - digit << THEIRS)
        digit -= 3
        many = COUNT[free]
        if digit < 8 * many:
            hand = 1 << (HAND if digit & 1 else THEIRS)
            return hand + self.bird(digit >> 1, self.nth(free, digit >> 3))
        digit -= 8 * many
        to = self.upper(digit >> 4)
        at = (digit >> 4) - to * (to - 1) // 2
        low = self.bird(digit >> 2, self.nth(free, at))
        return low + self.bird(digit, self.nth(free, to))

    def bird(self, state: int, square: int) -> int:
        """A bird on a square; in ``state`` bit 0 says that it is a hen, bit 1 the mover's."""
        kind = HEN if state & 1 else CHICK
        return PLACED[kind] + (state >> 1 & 1) << square  # type: ignore[no-any-return]

    def upper(self, pair: int) -> int:
        """The greater member of the pair with a number."""
        upper = 1
        while (upper + 1) * upper // 2 <= pair:
            upper += 1
        return upper

    def nth(self, squares: int, n: int) -> int:
        """The nth square of a set."""
        for _ in range(n):
            squares &= squares - 1
        return COUNT[(squares & -squares) - 1]  # type: ignore[no-any-return]
