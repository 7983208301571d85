"""Chess endgames by sets: 64 positions at a time, which differ in the square of one man.

If the first of White's men, in slot 2, has no like, the last digit of an index is its square. So
the positions of a *word*, at most 64, have all other men, the *standing* ones, on the same squares,
and a set of them is a mask of squares. A move of a standing man leads from each of them to the same
place of another word, as far as the man in slot 2 is not in the way; a move of a king applies a
symmetry of the board to a whole mask; and moves of the man in slot 2 itself are found by filling
lines. Sets have one element for each word of a tier, in the order of the index: the pair of kings,
the side to move, the other standing men. If both sides have the same men, only positions with White
to move have indices; sets have words with Black to move all the same, which are images of the
others.

All moves meant here stay within the material: they are neither captures nor promotions.
"""

from typing import Any

import numpy as np

from zermelo._runtime.words import left, lowest, right, turned_bits, turned_bytes
from zermelo.labels import Int64Array
from zermelo.rules.chess.board import ATTACKS, BETWEEN, BISHOP, BIT, BLACK, KING, KNIGHT, PAWN, ROOK
from zermelo.rules.chess.index import (
    BOARD,
    DIAGONAL,
    FOLDS,
    FOLDS_P,
    MATERIAL,
    ONES,
    PAIR,
    PAIRS,
    PAIRS_P,
    SIDE,
    TURN,
)
from zermelo.rules.chess.material import SLOTS
from zermelo.rules.chess.moves import ZERO, Moving

NOT_A, NOT_H = ~0x0101010101010101, 0x7F7F7F7F7F7F7F7F
NOT_AB, NOT_GH = ~0x0303030303030303, 0x3F3F3F3F3F3F3F3F
"""The squares that are not on these files."""

SWAPS = (0x00AA00AA00AA00AA, 0x0000CCCC0000CCCC, 0x00000000F0F0F0F0)
"""The bits that change places with others when ranks and files are exchanged, in three steps."""

SEVENTH = 0xFF << 48
"""The seventh rank."""

COLUMNS = np.array(
    [sum(1 << k for k in range(64) if not k & 32 >> step) for step in range(6)], np.uint64
).view(np.int64)
"""The columns whose numbers lack a bit, from the highest bit on."""

LOWER = np.array([sum(1 << s for s in range(64) if s <= s % 8 * 8 + s // 8)], np.uint64)
LOWER_HALF = int(LOWER.view(np.int64)[0])
"""The squares whose numbers do not become lower when ranks and files are exchanged."""


def _walks() -> tuple[Int64Array, Int64Array]:
    """For each pair of kings and side to move, the squares and the folds of this king's moves."""
    ends, walks = [0], []
    steps = [
        [to for to in range(64) if mask >> to & 1]
        for mask in ATTACKS[KING * 64 : KING * 64 + 64].tolist()
    ]
    for pairs, folds in ((PAIRS, FOLDS.tolist()), (PAIRS_P, FOLDS_P.tolist())):
        for pair in pairs.tolist():
            kings = pair & 63, pair >> 6
            for side in (0, 1):
                for to in steps[kings[side]]:
                    white, black = (kings[0], to) if side else (to, kings[1])
                    fold = folds[white * 64 + black]
                    if fold >> PAIR >= 0:
                        walks.append(fold << 6 | to)
                ends.append(len(walks))
    return np.array(ends, np.int64), np.array(walks, np.int64)


WALK_ENDS, WALKS = _walks()
"""``WALKS[WALK_ENDS[b]:WALK_ENDS[b + 1]]``: the moves of the king in block b, each as the square in
six bits and the fold above. A *block* is a pair of kings and a side, and its number is twice that
of the pair, plus 1 for Black; here, those with pawns follow those without."""

BLOCKS = 2 * len(PAIRS)
"""The number of blocks without pawns."""


def _near_blocks(first: int, stop: int) -> tuple[Int64Array, Int64Array]:
    """For each of some blocks, those that its moves can lead to."""
    ends, near = [0], []
    for b in range(stop - first):
        walks = WALKS[WALK_ENDS[first + b] : WALK_ENDS[first + b + 1]] >> 6 + PAIR
        near += sorted(2 * x + 1 - b % 2 for x in {*walks.tolist(), b // 2})
        ends.append(len(near))
    return np.array(ends, np.int64), np.array(near, np.int64)


NEAR = _near_blocks(0, BLOCKS), _near_blocks(BLOCKS, len(WALK_ENDS) - 1)
"""Without and with pawns, two arrays: block b has moves to ``near[ends[b]:ends[b + 1]]``."""


def _images(pairs: Int64Array, folds: Int64Array) -> Int64Array:
    """The number of each pair of kings after colours are exchanged."""
    return folds[(pairs >> 6 ^ 56) * 64 + (pairs & 63 ^ 56)] >> PAIR


IMAGES = _images(PAIRS, FOLDS), _images(PAIRS_P, FOLDS_P)
"""Without and with pawns: where White's moves of a pair of kings become Black's."""


class InSets(Moving):
    """Moves of sets of 64 positions of chess endgames."""

    @property
    def set_tiers(self) -> dict[int, tuple[Any, ...]]:
        """The tiers that are moved in sets.

        Each has the material, the indices, how many of them are in a word, whether only White's
        moves have indices, near blocks, and images of pairs of kings.
        """
        found: dict[int, tuple[Any, ...]] = {}
        for tier, k in enumerate(self.main.tolist()):
            indices = range(*self.offset[tier : tier + 2].tolist())
            width, even = int(self.radix[k * SLOTS + 2]), bool(self.even[k])
            movable = width == 64 or (even and self.passing[k])
            if movable and self.men[k] > 2 and not self.twins[k]:
                pawns = self.pawns[k]
                found[tier] = k, indices, width, even, NEAR[pawns], IMAGES[pawns]
        return found

    def standing_men(self, material: int, board: int) -> int:
        """The squares of all men but that in slot 2; 0 where two are on the same square."""
        mask = BIT[board & 63] | BIT[board >> 6 & 63]
        for slot in range(3, self.men[material]):
            bit = BIT[board >> 6 * slot & 63]
            if mask & bit:
                return board & ZERO
            mask |= bit
        return mask  # type: ignore[no-any-return]

    def board_of(self, material: int, block: int, rest: int) -> int:
        """The squares of the kings and of the standing men, in a word of a block."""
        board = PAIRS_P[block >> 1] if self.pawns[material] else PAIRS[block >> 1]
        if self.plain[material]:
            return board | rest << 18  # type: ignore[no-any-return]
        last = self.men[material] - 1
        for slot in range(3, last):
            at = material * SLOTS + slot
            digit = rest % self.radix[at]
            rest //= self.radix[at]
            board |= digit + self.base[at] << 6 * slot
        if last > 2:
            board |= rest + self.base[material * SLOTS + last] << 6 * last
        return board  # type: ignore[no-any-return]

    def on_diagonal(self, material: int, board: int) -> bool:
        """Whether ranks and files can be exchanged without a change of the kings."""
        return (board >> 3 ^ board) & 0o707 == 0 and self.pawns[material] == 0

    def positions_in(self, material: int, block: int, rest: int) -> int:
        """Which of the indices of a word are positions."""
        marked, side = self.board_of(material, block, rest), block & 1
        board = self.standing(material << MATERIAL | marked)
        mask = self.standing_men(material, board)
        if not mask:
            return mask
        members = ~mask
        if self.passing[material]:
            members &= self.pawn_positions(marked, board, mask)
        king = board >> 6 * (1 - side) & 63
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            kind = self.kinds[material * SLOTS + slot]
            here = board >> 6 * slot & 63
            if slot == 2:
                if kind == PAWN:
                    kind += (
                        BLACK  # what attacks the king is what such a man would attack from there
                    )
                members &= ~self.seen(material, board, kind, king, 2)
            elif ATTACKS[kind * 64 + here] >> king & 1:
                between = BETWEEN[here * 64 + king]
                if not between & mask:
                    members &= between
        if self.on_diagonal(material, board):
            rest = board >> 18
            other = self.transposed(rest)
            if rest > other:
                return rest & ZERO
            if rest == other:
                members &= LOWER_HALF
        return members

    def word_at(self, material: int, board: int, block: int) -> int:
        """The number of a word, by its block and the squares of the standing men."""
        if self.plain[material]:
            high = block << 6 * self.men[material] - 18
            return high | (board & BOARD) >> 18  # type: ignore[no-any-return]
        word = block * self.words[material]
        for slot in range(3, self.men[material]):
            at = material * SLOTS + slot
            word += ((board >> 6 * slot & 63) - self.base[at]) * self.step[at]
        return word  # type: ignore[no-any-return]

    def image_set(self, sets: Any, material: int, board: int, block: int) -> int:
        """The members of a set on the other side of the diagonal.

        Where both kings are on the diagonal, the index has one of two images only.
        """
        other = self.word_at(material, self.transposed(board), block)
        return self.exchanged_set(sets[other])

    def exchanged_set(self, mask: int) -> int:
        """The mask with ranks and files exchanged."""
        change = (mask ^ right(mask, 7)) & SWAPS[0]
        mask ^= change ^ left(change, 7)
        change = (mask ^ right(mask, 14)) & SWAPS[1]
        mask ^= change ^ left(change, 14)
        change = (mask ^ right(mask, 28)) & SWAPS[2]
        return mask ^ change ^ left(change, 28)

    def unfolded_set(self, mask: int, fold: int) -> int:
        """The squares that the symmetry of a fold maps into a mask."""
        if fold & TURN:
            mask = self.exchanged_set(mask)
        if fold & 7:
            mask = turned_bits(mask)
            if not fold & 56:
                mask = turned_bytes(mask)
        elif fold & 56:
            mask = turned_bytes(mask)
        return mask

    def moves_into(self, material: int, block: int, rest: int, sets: Any, wanted: int) -> int:
        """Which of the positions of a word have a move into a set.

        When all that are ``wanted`` were found, others may be left out.
        """
        board, side = self.board_of(material, block, rest), block & 1
        if self.passing[material]:
            marked, board = board, self.standing(material << MATERIAL | board)
            rest += ((board - marked) >> 18) * self.step[material * SLOTS + 3]
        mask = self.standing_men(material, board)
        walks = block + BLOCKS * self.pawns[material]
        block ^= 1
        word = block * self.words[material] + rest
        diagonal = self.on_diagonal(material, board)
        found = mask & ZERO
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            kind = self.kinds[material * SLOTS + slot]
            if slot == 2:
                members = sets[word]
                if diagonal:
                    members |= self.image_set(sets, material, board, block)
                if kind == PAWN:
                    found |= self.pushed_set(members, board >> 18 & 63, mask)
                elif members:
                    found |= self.before_set(members, kind, ~mask)
            else:
                here = board >> 6 * slot & 63
                if kind % BLACK == PAWN:
                    ends = self.pushes(here, kind, mask)
                else:
                    ends = self.seen(material, board, kind, here, 2) & ~mask
                step = self.step[material * SLOTS + slot]
                while ends:
                    to = lowest(ends)
                    ends ^= BIT[to]
                    members = sets[word + (to - here) * step]
                    if diagonal:
                        moved = board ^ (here ^ to) << 6 * slot
                        members |= self.image_set(sets, material, moved, block)
                    found |= members & ~BETWEEN[here * 64 + to]
            if not wanted & ~found:
                return found
        for x in range(WALK_ENDS[walks], WALK_ENDS[walks + 1]):
            if mask >> (WALKS[x] & 63) & 1:
                continue
            fold = WALKS[x] >> 6
            moved = board ^ (fold & 63) * ONES[self.men[material]]
            if fold & TURN:
                moved = self.transposed(moved)
            block = (fold >> PAIR) * 2 + 1 - side
            members = sets[self.word_at(material, moved, block)]
            if fold & DIAGONAL:
                members |= self.image_set(sets, material, moved, block)
            if members:
                found |= self.unfolded_set(members, fold)
                if not wanted & ~found:
                    return found
        return found

    def mirror_set(self, material: int, sets: Any, pair: int, room: Any) -> None:
        """Fill in the words with Black to move of a pair of kings, where White's have the index.

        With colours exchanged, both kings change places. The men of both sides do, too, so the
        squares of one man, which are the bits of a word, become the numbers of words: bit b of word
        a is bit σ(a) of word σ(b), where σ turns the board upside down and then applies the fold.
        """
        kings = PAIRS_P[pair] if self.pawns[material] else PAIRS[pair]
        white, black = kings >> 6 ^ 56, kings & 63 ^ 56
        fold = FOLDS_P[white * 64 + black] if self.pawns[material] else FOLDS[white * 64 + black]
        many, base = self.words[material], self.base[material * SLOTS + 3]
        first, to = (fold >> PAIR) * 2 * many - base, (2 * pair + 1) * many - base
        every = kings & ZERO
        for here in range(64):
            there = self.folded_square(here, fold)
            members = kings & ZERO
            if base <= there < base + many:
                members = sets[first + there]
                if fold & DIAGONAL:
                    members |= self.exchanged_set(sets[first + self.transposed(there)])
            room[here] = members
            every |= members
        if every:
            self.exchange_rows(room)
        for here in range(base, base + many):
            sets[to + here] = room[self.folded_square(here, fold)]

    def folded_square(self, square: int, fold: int) -> int:
        """A square of the board turned upside down, after the symmetry of a fold."""
        square ^= 56 ^ fold & 63
        return self.transposed(square) if fold & TURN else square

    def exchange_rows(self, room: Any) -> None:
        """Exchange the rows and the columns of 64 × 64 bits."""
        for step in range(6):
            by, columns = 32 >> step, COLUMNS[step]
            for first in range(0, 64, 2 * by):
                for k in range(first, first + by):
                    change = (right(room[k], by) ^ room[k + by]) & columns
                    room[k + by] ^= change
                    room[k] ^= left(change, by)

    def before_set(self, members: int, kind: int, free: int) -> int:
        """The squares from which a man sees a member when all but ``free`` squares are blocked."""
        if kind == KNIGHT:
            return self.leapt(members)
        found = members & ZERO
        if kind != BISHOP:
            found |= self.slid_up(members, free, 8, -1) | self.slid_down(members, free, 8, -1)
            found |= self.slid_up(members, free, 1, NOT_A) | self.slid_down(members, free, 1, NOT_H)
        if kind != ROOK:
            found |= self.slid_up(members, free, 9, NOT_A) | self.slid_down(members, free, 9, NOT_H)
            found |= self.slid_up(members, free, 7, NOT_H) | self.slid_down(members, free, 7, NOT_A)
        return found

    def slid_up(self, members: int, free: int, by: int, inner: int) -> int:
        """The squares beyond members, towards higher numbers; a step ends on ``inner`` ones."""
        free &= inner
        members |= free & left(members, by)
        free &= left(free, by)
        members |= free & left(members, 2 * by)
        free &= left(free, 2 * by)
        members |= free & left(members, 4 * by)
        return left(members, by) & inner

    def slid_down(self, members: int, free: int, by: int, inner: int) -> int:
        """The squares beyond members, towards lower numbers; a step ends on ``inner`` ones."""
        free &= inner
        members |= free & right(members, by)
        free &= right(free, by)
        members |= free & right(members, 2 * by)
        free &= right(free, 2 * by)
        members |= free & right(members, 4 * by)
        return right(members, by) & inner

    def leapt(self, members: int) -> int:
        """The squares that are a knight's move from members."""
        near = left(members, 17) & NOT_A | right(members, 15) & NOT_A
        near |= left(members, 15) & NOT_H | right(members, 17) & NOT_H
        far = left(members, 10) & NOT_AB | right(members, 6) & NOT_AB
        far |= left(members, 6) & NOT_GH | right(members, 10) & NOT_GH
        return near | far

    def may_convert(self, material: int, block: int, rest: int) -> int:
        """Which of the positions of a word may have a capture or a promotion."""
        board, side = self.board_of(material, block, rest), block & 1
        if self.passing[material]:
            marked, board = board, self.standing(material << MATERIAL | board)
            if marked >> 18 != board >> 18:
                return -1
        mask = self.standing_men(material, board)
        found = mask & ZERO
        mine, theirs = 2 * material + side, 2 * material + 1 - side
        for own in range(self.first[mine] - 1, self.last[mine]):
            slot = own if own >= self.first[mine] else side
            kind = self.kinds[material * SLOTS + slot]
            here = board >> 6 * slot & 63
            if kind % BLACK == PAWN and slot > 2 and here >> 3 == 6 - 5 * side:
                return -1
            if slot == 2 and kind == PAWN:
                found |= SEVENTH
                kind += BLACK  # see positions_in
            for other in range(self.first[theirs], self.last[theirs]):
                there = board >> 6 * other & 63
                if slot == 2:
                    found |= self.seen(material, board, kind, there, 2)
                elif other == 2:
                    found |= self.seen(material, board, kind, here, 2)
                elif ATTACKS[kind * 64 + here] >> there & 1:
                    between = BETWEEN[here * 64 + there]
                    if not between & mask:
                        found |= ~between
        return found

    def conversions(self, position: int, out: Any) -> int:
        """Fill ``out`` with the positions after captures and promotions; return how many."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        if self.pawns[material]:
            return self.conversions_with_pawns(position, out)
        board = position & BOARD
        mask = self.occupied(material, board)
        mine, theirs = 2 * material + side, 2 * material + 1 - side
        count = side & ZERO
        for victim in range(self.first[theirs], self.last[theirs]):
            to = board >> 6 * victim & 63
            for own in range(self.first[mine] - 1, self.last[mine]):
                slot = own if own >= self.first[mine] else side
                here = board >> 6 * slot & 63
                kind = self.kinds[material * SLOTS + slot]
                if ATTACKS[kind * 64 + here] >> to & 1 and not BETWEEN[here * 64 + to] & mask:
                    after = self.after(material, board, side, slot, to, mask)
                    king = after >> 6 * side & 63
                    rest = mask & ~BIT[here]
                    if not self.attacked(after >> MATERIAL, after & BOARD, king, 1 - side, rest):
                        out[count] = after
                        count += 1
        return count
