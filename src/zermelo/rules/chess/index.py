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

TURN, DIAGONAL, PAIR = 64, 128, 8
"""A fold: six bits to be changed in every square, whether ranks and files are exchanged then,
whether both kings are on the diagonal, and from bit 8 on the number of the pair of kings."""


def _folds(pawns: bool) -> Int64Array:
    """The symmetry that makes each pair of kings canonical, and the number of that pair, if any."""
    number = KINGS_P if pawns else KINGS
    folds = np.zeros(64 * 64, np.int64)
    for white in range(64):
        for black in range(64):
            change = (7 if white & 4 else 0) | (56 if white & 32 and not pawns else 0)
            x, y = (white ^ change) & 7, (white ^ change) >> 3
            u, v = (black ^ change) & 7, (black ^ change) >> 3
            turn = not pawns and (y > x or (y == x and v > u))
            if turn:
                x, y, u, v = y, x, v, u
            diagonal = not pawns and (x, u) == (y, v)
            pair = int(number[(x + 8 * y) * 64 + u + 8 * v])
            fold = change | TURN * turn | DIAGONAL * diagonal | pair << PAIR
            folds[white * 64 + black] = fold
    return folds


FOLDS, FOLDS_P = _folds(pawns=False), _folds(pawns=True)
"""Folds by the square of White's king · 64 + that of Black's, without and with pawns; the number of
a pair of neighbours is negative."""

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
        "weight", "block", "step", "words",
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
        self.weight, self.block = tables.weight, tables.block
        self.step, self.words = tables.step, tables.words
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
        kings = (board & 63) * 64 + (board >> 6 & 63)
        fold = FOLDS_P[kings] if self.pawns[material] else FOLDS[kings]
        board = self.folded(material, board, fold)
        board = self.ordered(material, board)
        return material << MATERIAL | side << SIDE | board

    def folded(self, material: int, board: int, fold: int) -> int:
        """The board after the symmetry of a fold."""
        board ^= (fold & 63) * ONES[self.men[material]]
        if fold & TURN:
            board = self.transposed(board)
        if fold & DIAGONAL:
            board = min(
                self.ordered(material, board), self.ordered(material, self.transposed(board))
            )
        return board

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
        index = index * self.block[material] + self.digits(material, position)
        return index + self.offset[self.tiers[material]]  # type: ignore[no-any-return]

    def digits(self, material: int, board: int) -> int:
        """The part of an index that the men other than the kings make up."""
        if self.plain[material]:
            return (board & BOARD) >> 12
        number = material & 0
        for slot in range(2, self.men[material]):
            at = material * SLOTS + slot
            many = self.runs[at]
            if many:
                base = self.base[at]
                digit = (board >> 6 * slot & 63) - base
                if many > 1:
                    digit += TWO[(board >> 6 * slot + 6 & 63) - base]
                if many > 2:
                    digit += THREE[(board >> 6 * slot + 12 & 63) - base]
                number += digit * self.weight[at]
        return number

    def unrank(self, index: int) -> int:
        """The canonical position of an index; there is none where a king could be captured."""
        position = self.board_at(index)
        return position if self.legal(position) else NO_POSITION

    def board_at(self, index: int) -> int:
        """What an index stands for, a position or none."""
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
        return material << MATERIAL | side << SIDE | board  # type: ignore[no-any-return]

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
