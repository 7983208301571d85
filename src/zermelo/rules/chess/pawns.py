"""Pawns of chess endgames: steps, captures, en passant, promotions, and all of them backwards.

In the position before a move a pawn may have been capturable en passant, without being captured:
each such pawn makes one more position.
"""

from typing import Any

from zermelo._runtime.words import left, right
from zermelo.rules.chess.board import ATTACKS, BIT, BLACK, KING, PAWN
from zermelo.rules.chess.index import BOARD, MATERIAL, SIDE
from zermelo.rules.chess.material import SLOTS
from zermelo.rules.chess.moves import ZERO, Moving

SECOND, FOURTH, FIFTH = 0xFF << 8, 0xFF << 24, 0xFF << 32
"""The squares of a rank."""
BETWEEN_RANKS = (1 << 56) - (1 << 8)
"""The squares of the second to the seventh rank."""

NOWHERE = -1
"""The result of a capture en passant that is not possible."""


class WithPawns(Moving):
    """Moves of chess endgames with pawns."""

    def standing(self, position: int) -> int:
        """The board with the pawn that may be captured en passant on its own square."""
        board = position & BOARD
        material = position >> MATERIAL
        if self.passing[material]:
            for slot in range(2, self.men[material]):
                kind = self.kinds[material * SLOTS + slot]
                rank = board >> 6 * slot + 3 & 7
                if kind == PAWN and rank == 0:
                    board += 3 << 6 * slot + 3
                elif kind == PAWN + BLACK and rank == 7:
                    board -= 3 << 6 * slot + 3
        return board

    def converts(self, position: int, option: int) -> bool:
        """Whether a move is a capture, a promotion or a move of a pawn."""
        material = position >> MATERIAL
        if option >> MATERIAL != material:
            return True
        before, after = self.standing(position), self.standing(option)
        return self.pawn_squares(material, before) != self.pawn_squares(material, after)

    def pawn_squares(self, material: int, board: int) -> int:
        """The mask of the pawns of both sides."""
        mask = board & ZERO
        for slot in range(2, self.men[material]):
            if self.kinds[material * SLOTS + slot] % BLACK == PAWN:
                mask |= BIT[board >> 6 * slot & 63]
        return mask

    def passed(self, position: int, board: int) -> int:
        """The slot of the pawn that may be captured en passant, or −1."""
        moved = (position & BOARD) ^ board
        slot = -1
        if moved:
            slot = 2
            while not moved >> 6 * slot & 63:
                slot += 1
        return slot

    def just_passed(self, position: int, real: int, mask: int) -> bool:
        """Whether exactly one pawn is marked as just moved, and can be captured."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        moved = 0
        for slot in range(2, self.men[material]):
            here = real >> 6 * slot & 63
            if position >> 6 * slot & 63 != here:
                moved += 1
                kind = self.kinds[material * SLOTS + slot]
                if kind // BLACK == side or not self.open_behind(here, kind, mask):
                    return False
                if not self.beside(material, real, here, side):
                    return False
        return moved == 1

    def open_behind(self, here: int, kind: int, mask: int) -> bool:
        """Whether a pawn can just have moved two squares: those behind it are empty."""
        black = kind // BLACK
        back = 16 * black - 8
        return here >> 3 == 3 + black and not mask & (BIT[here + back] | BIT[here + 2 * back])

    def beside(self, material: int, board: int, here: int, side: int) -> bool:
        """Whether a pawn of ``side`` stands beside a square."""
        for slot in range(2, self.men[material]):
            if self.kinds[material * SLOTS + slot] == PAWN + BLACK * side:
                there = board >> 6 * slot & 63
                if there >> 3 == here >> 3 and ATTACKS[KING * 64 + here] >> there & 1:
                    return True
        return False

    def pawn_can_move(self, position: int, board: int, slot: int, ok: int, mask: int) -> bool:
        """Whether a pawn has a move to a square of ``ok``, or en passant."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        here = board >> 6 * slot & 63
        ahead = 8 - 16 * side
        to = here + ahead
        if not mask >> to & 1:
            if ok >> to & 1:
                return True
            to += ahead
            if here >> 3 == 1 + 5 * side and not mask >> to & 1 and ok >> to & 1:
                return True
        prey = mask & ~self.men_of(material, board, side) & ok
        if ATTACKS[(PAWN + BLACK * side) * 64 + here] & prey:
            return True
        return self.en_passant(position, board, slot) != NOWHERE

    def pawn_moves(
        self, position: int, board: int, slot: int, ok: int, mask: int, out: Any, count: int
    ) -> int:
        """Add the moves of a pawn to the squares of ``ok``; return the new count."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        here = board >> 6 * slot & 63
        ahead = 8 - 16 * side
        prey = ATTACKS[(PAWN + BLACK * side) * 64 + here] & ok
        prey &= mask & ~self.men_of(material, board, side)
        ends = prey | BIT[here + ahead] & ok & ~mask
        for to in range(here + ahead - 1, here + ahead + 2):
            if 0 <= to < 64 and ends >> to & 1:
                if here >> 3 == 6 - 5 * side:
                    count = self.promotions(material, board, side, slot, to, mask, out, count)
                else:
                    out[count] = self.after(material, board, side, slot, to, mask)
                    count += 1
        to = here + 2 * ahead
        if here >> 3 == 1 + 5 * side and not (BIT[here + ahead] | BIT[to]) & mask and ok >> to & 1:
            if self.passing[material] and self.beside(material, board, to, 1 - side):
                to -= 3 * ahead  # its file on the rank behind it
            moved = self.ordered(material, board ^ (here ^ to) << 6 * slot)
            out[count] = material << MATERIAL | (1 - side) << SIDE | moved
            count += 1
        taken = self.en_passant(position, board, slot)
        if taken != NOWHERE:
            out[count] = taken
            count += 1
        return count

    def promotions(
        self, material: int, board: int, side: int, slot: int, to: int, mask: int, out: Any,
        count: int,
    ) -> int:  # fmt: skip
        """Add the four promotions of a pawn, with or without a capture."""
        if mask >> to & 1:
            victim = self.man_at(material, board, to, 1 - side)
            material = self.taken[material * SLOTS + victim]
            board = self.without(board, victim)
            if victim < slot:
                slot -= 1
        board = self.without(board, slot)
        for k in range(4):
            at = (material * SLOTS + slot) * 4 + k
            low = 6 * self.place[at]
            new = board & (1 << low) - 1 | to << low | board >> low << low + 6
            after = self.promoted[at]
            out[count + k] = after << MATERIAL | (1 - side) << SIDE | self.ordered(after, new)
        return count + 4

    def en_passant(self, position: int, board: int, slot: int) -> int:
        """The position after a capture en passant by the pawn in a slot, or NOWHERE."""
        passed = self.passed(position, board)
        if passed < 0:
            return NOWHERE
        material, side = position >> MATERIAL, position >> SIDE & 1
        here = board >> 6 * slot & 63
        to = (board >> 6 * passed & 63) + 8 - 16 * side
        if not ATTACKS[(PAWN + BLACK * side) * 64 + here] >> to & 1:
            return NOWHERE
        moved = self.without(board ^ (here ^ to) << 6 * slot, passed)
        fewer: int = self.taken[material * SLOTS + passed]
        king = moved >> 6 * side & 63
        if self.attacked(fewer, moved, king, 1 - side, self.occupied(fewer, moved)):
            return NOWHERE
        return fewer << MATERIAL | (1 - side) << SIDE | self.ordered(fewer, moved)

    def pawn_unmoves(
        self, position: int, board: int, slot: int, mask: int, out: Any, count: int
    ) -> int:
        """Add the positions before a pawn moved here; return the new count."""
        material, mover = position >> MATERIAL, 1 - (position >> SIDE & 1)
        here = board >> 6 * slot & 63
        back = -8 + 16 * mover
        passed = self.passed(position, board)
        if here >> 3 == 1 + 5 * mover or mask >> here + back & 1 or passed not in (-1, slot):
            return count
        rest = mask & ~BIT[here]
        king = board >> 6 * (1 - mover) & 63
        ok = self.unseen(material, board, mover, slot, king, rest)
        ok &= ~mask & ~ATTACKS[(PAWN + BLACK * (1 - mover)) * 64 + king]
        if passed < 0 and ok >> here + back & 1:
            count = self.before(material, board, mover, slot, here + back, rest, out, count)
        origin = here + 2 * back
        if (
            here >> 3 == 3 + mover
            and ok >> origin & 1
            and (passed >= 0 or not self.beside(material, board, here, 1 - mover))
        ):
            count = self.before(material, board, mover, slot, origin, rest, out, count)
        return count

    def lapsed(self, material: int, old: int, mover: int, mask: int, out: Any, count: int) -> int:
        """Add the positions in which a capture en passant was not made."""
        if self.passing[material]:
            pawn = PAWN + BLACK * (1 - mover)
            for slot in range(2, self.men[material]):
                here = old >> 6 * slot & 63
                if (
                    self.kinds[material * SLOTS + slot] == pawn
                    and self.open_behind(here, pawn, mask)
                    and self.beside(material, old, here, mover)
                ):
                    step = 3 << 6 * slot + 3
                    shown = self.ordered(material, old + step if mover == 0 else old - step)
                    out[count] = material << MATERIAL | mover << SIDE | shown
                    count += 1
        return count

    def pushes(self, here: int, kind: int, mask: int) -> int:
        """Where a pawn can go without a capture or a promotion."""
        black = kind // BLACK
        ahead = 8 - 16 * black
        to = here + ahead
        ends = to & ZERO
        if 8 <= to < 56 and not mask >> to & 1:
            ends |= BIT[to]
            if here >> 3 == 1 + 5 * black and not mask >> to + ahead & 1:
                ends |= BIT[to + ahead]
        return ends

    def conversions_with_pawns(self, position: int, out: Any) -> int:
        """Fill ``out`` with the positions after captures and promotions; return how many."""
        count = position & ZERO
        for k in range(self.moves(position, out)):
            if out[k] >> MATERIAL != position >> MATERIAL:
                out[count] = out[k]
                count += 1
        return count

    def pawn_positions(self, marked: int, board: int, mask: int) -> int:
        """Where White's pawn may stand, when White is to move and both sides have one pawn.

        If Black's pawn is ``marked`` as just moved, White's is beside it.
        """
        here = board >> 18 & 63
        if marked >> 18 == board >> 18:
            return BETWEEN_RANKS
        if not self.open_behind(here, PAWN + BLACK, mask):
            return here & ZERO
        return ATTACKS[KING * 64 + here] & FIFTH  # type: ignore[no-any-return]

    def pushed_set(self, members: int, other: int, mask: int) -> int:
        """From where White's pawn is pushed to a member, when Black's pawn is on ``other``.

        A pawn that moves two squares and lands beside the other one is marked as just moved: its
        square is then on the first rank.
        """
        free = SECOND & ~right(mask, 8)
        beside = right(ATTACKS[KING * 64 + other] & FOURTH, 16) if other >> 3 == 3 else other & ZERO
        found = right(members, 8) & BETWEEN_RANKS
        found |= right(members, 16) & free & ~beside
        return found | left(members, 8) & free & beside
