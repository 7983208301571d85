"""Chess endgames by number: a position as an integer, its symmetry, and a dense index.

A position is a *board*, six bits for the square of the man in each slot, with the side to move
above it, and the number of its material above that. A pawn that can be captured en passant does
not have its own square, but that of its file on the rank behind it, where no pawn can stand (the
first rank for White's, the eighth for Black's).

Symmetries: the colours are exchanged; left and right are exchanged; without pawns, the eight
symmetries of the square. The index of a canonical position has its tier first, then the pair of
kings, the side to move, and the other men; like men count as the number of the set of their
squares.

Differs from usual tables: positions with the same men on both sides are kept with White to move.
"""

import numpy as np

from zermelo.labels import Int64Array
from zermelo.rules.chess.board import ATTACKS, BETWEEN, BIT, KING
from zermelo.rules.chess.material import KINGS_WITH_PAWNS, KINGS_WITHOUT, SLOTS, Material, Tables
from zermelo.rules.compiled import NO_POSITION, CompiledRules

SIDE = 30
"""The bit that is set when Black is to move."""
MATERIAL = 31
"""The lowest bit of the material's number."""
BOARD = (1 << SIDE) - 1
THIRDS = 0o0707070707
"""The low three bits of five squares."""


def _kings(pawns: bool) -> tuple[Int64Array, Int64Array]:
    """Numbers of pairs of kings, −1 for those not canonical, and the pairs by number."""
    number = np.full(64 * 64, -1, np.int64)
    pairs: list[int] = []
    for white in range(64):
        x, y = white % 8, white // 8
        for black in range(64):
            u, v = black % 8, black // 8
            apart = max(abs(u - x), abs(v - y)) > 1
            folded = x < 4 and (pawns or (y <= x and (y < x or v <= u)))
            if apart and folded:
                number[white * 64 + black] = len(pairs)
                pairs.append(white + 64 * black)
    return number, np.array(pairs, np.int64)


KINGS, PAIRS = _kings(pawns=False)
KINGS_P, PAIRS_P = _kings(pawns=True)
assert (len(PAIRS), len(PAIRS_P)) == (KINGS_WITHOUT, KINGS_WITH_PAWNS)

ONES = np.array([sum(1 << 6 * k for k in range(men)) for men in range(6)], np.int64)
"""The number with a 1 in each of so many slots."""
TWO = np.array([n * (n - 1) // 2 for n in range(65)], np.int64)
THREE = np.array([n * (n - 1) * (n - 2) // 6 for n in range(65)], np.int64)


class Indexed(CompiledRules):
    """Positions of chess endgames and their numbers; subclasses add moves and text."""

    impartial = False

    reachable = False
    """A table has every position, whether or not play from the start can reach it."""

    as_data = (
        "men", "white", "kinds", "first", "last", "plain", "taken", "promoted", "place", "tiers",
        "turned", "aside", "even", "pawns", "passing", "twins", "runs", "base", "radix", "main",
        "offset", "size", "most_moves", "most_unmoves",
    )  # fmt: skip
    """All that depends on the men: one machine code serves all endgames, another those with
    pawns."""

    def __init__(self, material: Material) -> None:
        tables = Tables(material)
        self.tables = tables
        self.men, self.white, self.kinds = tables.men, tables.white, tables.kinds
        self.first, self.last, self.plain = tables.first, tables.last, tables.plain
        self.taken, self.promoted, self.place = tables.taken, tables.promoted, tables.place
        self.tiers, self.turned, self.aside = tables.tiers, tables.turned, tables.aside
        self.even, self.pawns, self.passing = tables.even, tables.pawns, tables.passing
        self.twins, self.runs, self.base = tables.twins, tables.runs, tables.base
        self.radix, self.main, self.offset = tables.radix, tables.main, tables.offset
        self.size = tables.size

    def tier(self, position: int) -> int:
        """The number of the material, the same for both assignments of colours."""
        return self.tiers[position >> MATERIAL]  # type: ignore[no-any-return]

    def standing(self, position: int) -> int:
        """The board with all men on their own squares."""
        return position & BOARD

    def occupied(self, material: int, board: int) -> int:
        """The mask of all men."""
        mask = BIT[board & 63]
        for slot in range(1, self.men[material]):
            mask |= BIT[board >> 6 * slot & 63]
        return mask  # type: ignore[no-any-return]

    def attacked(self, material: int, board: int, square: int, side: int, occupied: int) -> bool:
        """Whether a man of ``side`` attacks a square, when ``occupied`` are in the way."""
        king = board >> 6 * side & 63
        if ATTACKS[KING * 64 + king] >> square & 1:
            return True
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            here = board >> 6 * slot & 63
            kind = self.kinds[material * SLOTS + slot]
            if (
                ATTACKS[kind * 64 + here] >> square & 1
                and not BETWEEN[here * 64 + square] & occupied
            ):
                return True
        return False

    def ordered(self, material: int, board: int) -> int:
        """The board with the squares of like men in ascending order."""
        for _ in range(self.twins[material]):
            for slot in range(3, self.men[material]):
                at = material * SLOTS + slot
                if self.kinds[at] == self.kinds[at - 1]:
                    low, high = board >> 6 * slot - 6 & 63, board >> 6 * slot & 63
                    if low > high:
                        change = low ^ high
                        board ^= (change | change << 6) << 6 * slot - 6
        return board

    def exchanged(self, material: int, board: int) -> int:
        """The board, turned upside down, with the slots of the other colour."""
        others = self.white[material]
        rest = board >> 12
        theirs = self.men[material] - 2 - others
        rest = rest >> 6 * others | (rest & (1 << 6 * others) - 1) << 6 * theirs
        kings = board >> 6 & 63 | (board & 63) << 6
        return (rest << 12 | kings) ^ 56 * ONES[self.men[material]]  # type: ignore[no-any-return]

    def canonical(self, position: int) -> int:
        """The stronger side (or the side to move) as White, with its king moved into a corner."""
        material = position >> MATERIAL
        side = position >> SIDE & 1
        board = position & BOARD
        if self.aside[material] or (side and self.even[material]):
            board = self.exchanged(material, board)
            material = self.turned[material]
            side = 1 - side
        ones = ONES[self.men[material]]
        if board & 4:
            board ^= 7 * ones
        if not self.pawns[material]:
            if board & 32:
                board ^= 56 * ones
            flip = (board >> 3 & 7) - (board & 7)
            if flip == 0:
                flip = (board >> 9 & 7) - (board >> 6 & 7)
            if flip > 0:
                board = self.transposed(board)
            elif flip == 0:
                board = min(
                    self.ordered(material, board), self.ordered(material, self.transposed(board))
                )
        board = self.ordered(material, board)
        return material << MATERIAL | side << SIDE | board

    def transposed(self, board: int) -> int:
        """The board with ranks and files exchanged."""
        return board >> 3 & THIRDS | (board & THIRDS) << 3

    def orbit(self, position: int) -> int:
        """The number of images of a position; colours are exchanged if both have the same men."""
        position = self.canonical(position)
        material = position >> MATERIAL
        count = 2 if self.pawns[material] else 8
        board = position & BOARD
        if count == 8 and self.ordered(material, self.transposed(board)) == board:
            count = 4
        return count * (1 + self.even[material])  # type: ignore[no-any-return]

    def rank(self, position: int) -> int:
        """The index of a position's canonical form."""
        position = self.canonical(position)
        material = position >> MATERIAL
        kings = (position & 63) * 64 + (position >> 6 & 63)
        index = KINGS_P[kings] if self.pawns[material] else KINGS[kings]
        if not self.even[material]:
            index = index * 2 + (position >> SIDE & 1)
        men = self.men[material]
        if self.plain[material]:
            index = index << 6 * men - 12 | (position & BOARD) >> 12
            return index + self.offset[self.tiers[material]]  # type: ignore[no-any-return]
        for k in range(2, men):
            slot = men + 1 - k
            at = material * SLOTS + slot
            many = self.runs[at]
            if many:
                base = self.base[at]
                digit = (position >> 6 * slot & 63) - base
                if many > 1:
                    digit += TWO[(position >> 6 * slot + 6 & 63) - base]
                if many > 2:
                    digit += THREE[(position >> 6 * slot + 12 & 63) - base]
                index = index * self.radix[at] + digit
        return index + self.offset[self.tiers[material]]  # type: ignore[no-any-return]

    def unrank(self, index: int) -> int:
        """The canonical position of an index; there is none where a king could be captured."""
        low, high = 0, len(self.main)
        # Invariant: the tier is at least low and less than high.
        while high - low > 1:
            middle = (low + high) // 2
            if index >= self.offset[middle]:
                low = middle
            else:
                high = middle
        material = self.main[low]
        index -= self.offset[low]
        men = self.men[material]
        if self.plain[material]:
            board = (index & (1 << 6 * men - 12) - 1) << 12
            index >>= 6 * men - 12
        else:
            board = 0
            for slot in range(2, men):
                at = material * SLOTS + slot
                many = self.runs[at]
                if many:
                    radix = self.radix[at]
                    digit = index % radix
                    index //= radix
                    board |= self.members(digit, many, self.base[at]) << 6 * slot
        side = 0
        if not self.even[material]:
            side = index & 1
            index >>= 1
        board |= PAIRS_P[index] if self.pawns[material] else PAIRS[index]
        position = material << MATERIAL | side << SIDE | board
        return position if self.legal(position) else NO_POSITION

    def members(self, digit: int, many: int, base: int) -> int:
        """The squares of like men, from the number of their set."""
        third = second = 0
        if many > 2:
            third = 2
            while THREE[third + 1] <= digit:
                third += 1
            digit -= THREE[third]
            third += base
        if many > 1:
            second = 1
            while TWO[second + 1] <= digit:
                second += 1
            digit -= TWO[second]
            second += base
        return digit + base | second << 6 | third << 12

    def legal(self, position: int) -> bool:
        """Whether an index may stand for a position with these squares."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        board = self.standing(position)
        mask = BIT[board & 63]
        for slot in range(1, self.men[material]):
            bit = BIT[board >> 6 * slot & 63]
            if mask & bit:
                return False
            mask |= bit
        king = board >> 6 * (1 - side) & 63
        if self.attacked(material, board, king, side, mask):
            return False
        if board != position & BOARD:
            return self.just_passed(position, board, mask)
        both = (board >> 3 ^ board) & 0o707  # 0 where both kings are on the diagonal
        return both != 0 or self.pawns[material] != 0 or self.canonical(position) == position

    def just_passed(self, position: int, real: int, mask: int) -> bool:
        """Whether exactly one pawn is capturable en passant, if any; here there are no pawns."""
        return False
