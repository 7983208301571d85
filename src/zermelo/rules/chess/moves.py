"""Moves of kings, queens, rooks, bishops and knights in endgames; check, mate, stalemate.

Moves of pawns are hooks, which :mod:`zermelo.rules.chess.pawns` fills in: a game without pawns is
compiled in half the time. Un-moves stay within a material, since the positions that captures and
promotions lead to are solved before.
"""

from typing import Any

from zermelo._runtime.words import lowest
from zermelo.rules.chess.board import ATTACKS, BEHIND, BETWEEN, BIT, BLACK, KING, NEAR_AXIS, PAWN
from zermelo.rules.chess.index import FOLDS, MATERIAL, PAIR, SIDE, Indexed
from zermelo.rules.chess.material import SLOTS
from zermelo.rules.compiled import OPEN

ZERO = 0
"""``x & ZERO`` is 0 but not a constant: with constants, helpers would be compiled again."""


class Moving(Indexed):
    """Moves of chess endgames without pawns."""

    def outcome(self, position: int) -> int:
        """Checkmate loses, stalemate is a tie."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        board = self.standing(position)
        mask = self.occupied(material, board)
        own = self.men_of(material, board, side)
        if self.refuges(material, board, side, own):
            return OPEN
        answers, pinned = self.answers(material, board, side, mask)
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            kind = self.kinds[material * SLOTS + slot]
            here = board >> 6 * slot & 63
            ok = answers
            if pinned >> here & 1:
                ok &= self.pin(material, board, here, side, mask)
            if kind % BLACK == PAWN:
                if self.pawn_can_move(position, board, slot, ok, mask):
                    return OPEN
                continue
            if self.seen(material, board, kind, here, slot) & ok & ~own:
                return OPEN
        return 0 if answers == -1 else -1

    def moves(self, position: int, out: Any) -> int:
        """All legal moves; there is no castling."""
        material, side = position >> MATERIAL, position >> SIDE & 1
        board = self.standing(position)
        mask = self.occupied(material, board)
        own = self.men_of(material, board, side)
        answers, pinned = self.answers(material, board, side, mask)
        refuges = self.refuges(material, board, side, own)
        count = side & ZERO
        count = self.walked(material, board, side, side, own, mask, refuges, out, count)
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            here = board >> 6 * slot & 63
            ok = answers
            if pinned >> here & 1:
                ok &= self.pin(material, board, here, side, mask)
            if self.kinds[material * SLOTS + slot] % BLACK == PAWN:
                count = self.pawn_moves(position, board, slot, ok, mask, out, count)
            else:
                count = self.walked(material, board, side, slot, own, mask, ok, out, count)
        return count

    def walked(
        self, material: int, board: int, side: int, slot: int, own: int, mask: int, ok: int,
        out: Any, count: int,
    ) -> int:  # fmt: skip
        """Add the moves of a man other than a pawn to the squares of ``ok``."""
        kind = self.kinds[material * SLOTS + slot]
        ends = self.seen(material, board, kind, board >> 6 * slot & 63, slot) & ok & ~own
        while ends:
            to = lowest(ends)
            ends ^= BIT[to]
            out[count] = self.after(material, board, side, slot, to, mask)
            count += 1
        return count

    def seen(self, material: int, board: int, kind: int, here: int, absent: int) -> int:
        """The squares that a man would attack from a square, if the one in a slot were absent.

        Every other man hides the squares behind it; that is no loss to kings, knights and pawns.
        """
        seen = ATTACKS[kind * 64 + here]
        for slot in range(self.men[material]):
            if slot != absent:
                seen &= ~BEHIND[here * 64 + (board >> 6 * slot & 63)]
        return seen  # type: ignore[no-any-return]

    def after(self, material: int, board: int, side: int, slot: int, to: int, mask: int) -> int:
        """The position after a man has moved, and captured what stands on a square of ``mask``."""
        moved = board ^ ((board >> 6 * slot & 63) ^ to) << 6 * slot
        if mask >> to & 1:
            victim = self.man_at(material, board, to, 1 - side)
            material = self.taken[material * SLOTS + victim]
            moved = self.without(moved, victim)
        return material << MATERIAL | (1 - side) << SIDE | self.ordered(material, moved)

    def man_at(self, material: int, board: int, square: int, side: int) -> int:
        """The slot of the man of a side, other than its king, on a square; −1 where none is."""
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            if board >> 6 * slot & 63 == square:
                return slot
        return -1

    def without(self, board: int, slot: int) -> int:
        """The board without the man in a slot."""
        low = 6 * slot
        return board & (1 << low) - 1 | board >> low + 6 << low

    def men_of(self, material: int, board: int, side: int) -> int:
        """The mask of one side's men."""
        mask = BIT[board >> 6 * side & 63]
        for slot in range(self.first[2 * material + side], self.last[2 * material + side]):
            mask |= BIT[board >> 6 * slot & 63]
        return mask  # type: ignore[no-any-return]

    def refuges(self, material: int, board: int, side: int, own: int) -> int:
        """The squares that a king can go to."""
        king = board >> 6 * side & 63
        theirs = board >> 6 * (1 - side) & 63
        safe = ATTACKS[KING * 64 + king] & ~own & ~ATTACKS[KING * 64 + theirs]
        other = 2 * material + 1 - side
        for slot in range(self.first[other], self.last[other]):
            here = board >> 6 * slot & 63
            kind = self.kinds[material * SLOTS + slot]
            if ATTACKS[kind * 64 + here] & safe:
                safe &= ~self.seen(material, board, kind, here, side)
        return safe  # type: ignore[no-any-return]

    def answers(self, material: int, board: int, side: int, mask: int) -> tuple[int, int]:
        """Where men other than the king may go, and the squares of those that may be pinned.

        They may go to any square, but in check only to those that end every check.
        """
        king = board >> 6 * side & 63
        answers, pinned = -1, 0
        other = 2 * material + 1 - side
        for slot in range(self.first[other], self.last[other]):
            here = board >> 6 * slot & 63
            if ATTACKS[self.kinds[material * SLOTS + slot] * 64 + here] >> king & 1:
                between = BETWEEN[here * 64 + king]
                if not between & mask:
                    answers &= between | BIT[here]
                pinned |= between & mask
        return answers, pinned

    def pin(self, material: int, board: int, square: int, side: int, mask: int) -> int:
        """The squares that the man on a square may go to without exposing its king."""
        king = board >> 6 * side & 63
        pin = -1
        other = 2 * material + 1 - side
        for slot in range(self.first[other], self.last[other]):
            here = board >> 6 * slot & 63
            if ATTACKS[self.kinds[material * SLOTS + slot] * 64 + here] >> king & 1:
                between = BETWEEN[here * 64 + king]
                if between & mask == BIT[square]:
                    pin &= between | BIT[here]
        return pin

    def unmoves(self, position: int, out: Any) -> int:
        """The positions of the same material from which a move leads here."""
        material, mover = position >> MATERIAL, 1 - (position >> SIDE & 1)
        board = self.standing(position)
        mask = self.occupied(material, board)
        count = mover & ZERO
        if board == position & (1 << SIDE) - 1:  # else a pawn has just moved
            count = self.walked_back(material, board, mover, mover, mask, out, count)
        for slot in range(self.first[2 * material + mover], self.last[2 * material + mover]):
            if self.kinds[material * SLOTS + slot] % BLACK == PAWN:
                count = self.pawn_unmoves(position, board, slot, mask, out, count)
            elif board == position & (1 << SIDE) - 1:
                count = self.walked_back(material, board, mover, slot, mask, out, count)
        return count

    def walked_back(
        self, material: int, board: int, mover: int, slot: int, mask: int, out: Any, count: int
    ) -> int:
        """Add the positions before a move of a man other than a pawn; return the new count."""
        king = board >> 6 * (1 - mover) & 63
        rest = mask & ~BIT[board >> 6 * slot & 63]
        origins = self.origins(material, board, mover, slot, king, mask)
        while origins:
            origin = lowest(origins)
            origins ^= BIT[origin]
            count = self.before(material, board, mover, slot, origin, rest, out, count)
        return count

    def unmoves_by_index(self, index: int, out: Any) -> int:
        """The indices of the positions of the same material from which a move leads to an index.

        A man that is not a king changes one digit of the index, and the side to move. A king
        changes the symmetry, too. Where two positions before could have the same index, and where
        the side to move is always White, the positions are ranked.
        """
        position = self.board_at(index)
        material, mover = position >> MATERIAL, 1 - (position >> SIDE & 1)
        board = self.standing(position)
        slow = self.even[material] | self.pawns[material] | self.twins[material]
        if slow or not self.differ(position, mover):
            return self.ranked_unmoves(position, out)
        mask = self.occupied(material, board)
        king = board >> 6 * (1 - mover) & 63
        near = index + self.block[material] * (2 * mover - 1)
        count = mover & ZERO
        origins = self.origins(material, board, mover, mover, king, mask)
        while origins:
            origin = lowest(origins)
            origins ^= BIT[origin]
            moved = board ^ ((board >> 6 * mover & 63) ^ origin) << 6 * mover
            kings = (moved & 63) * 64 + (moved >> 6 & 63)
            fold = FOLDS[kings]
            pair = (fold >> PAIR) * 2 + mover
            digits = self.digits(material, self.folded(material, moved, fold))
            first = self.offset[self.tiers[material]]
            out[count] = first + pair * self.block[material] + digits
            count += 1
        for slot in range(self.first[2 * material + mover], self.last[2 * material + mover]):
            here = board >> 6 * slot & 63
            weight = self.weight[material * SLOTS + slot]
            origins = self.origins(material, board, mover, slot, king, mask)
            while origins:
                origin = lowest(origins)
                origins ^= BIT[origin]
                out[count] = near + (origin - here) * weight
                count += 1
        return count

    def ranked_unmoves(self, position: int, out: Any) -> int:
        """The indices of the positions before one, each once, found by ranking them."""
        count, differ = position & ZERO, self.differ(position, 1 - (position >> SIDE & 1))
        for k in range(self.unmoves(position, out)):
            index, new = self.rank(out[k]), True
            if not differ:
                for j in range(count):
                    new = new and out[j] != index
            if new:
                out[count] = index
                count += 1
        return count

    def moves_differ(self, position: int) -> bool:
        """Whether no two moves of a position lead to positions with the same index."""
        return self.differ(position, position >> SIDE & 1)

    def differ(self, position: int, mover: int) -> bool:
        """Whether no two moves of one side, from here or to here, have the same index.

        If a symmetry maps the position after one move to that after another, it keeps the king of
        the other side, and it keeps the mover's king or maps it to a neighbouring square. With
        pawns there is no such symmetry.
        """
        if self.pawns[position >> MATERIAL]:
            return True
        king, other = position >> 6 * mover & 63, position >> 6 * (1 - mover) & 63
        return not NEAR_AXIS[other] >> king & 1

    def origins(
        self, material: int, board: int, mover: int, slot: int, king: int, mask: int
    ) -> int:
        """The squares from which a man other than a pawn can have moved to its own.

        It and the others of its side did not attack the king then.
        """
        kind = self.kinds[material * SLOTS + slot]
        here = board >> 6 * slot & 63
        origins = self.seen(material, board, kind, here, slot) & ~mask
        origins &= self.unseen(material, board, mover, slot, king, mask & ~BIT[here])
        if origins & ATTACKS[kind * 64 + king]:
            origins &= ~self.seen(material, board, kind, king, slot)
        return origins

    def unseen(self, material: int, board: int, side: int, slot: int, king: int, rest: int) -> int:
        """The squares where the man in a slot can have been while no other attacked the king."""
        unseen = -1
        for other in range(self.first[2 * material + side], self.last[2 * material + side]):
            here = board >> 6 * other & 63
            kind = self.kinds[material * SLOTS + other]
            if other != slot and ATTACKS[kind * 64 + here] >> king & 1:
                between = BETWEEN[here * 64 + king]
                if not between & rest:
                    unseen &= between
        return unseen

    def before(
        self, material: int, board: int, mover: int, slot: int, origin: int, rest: int, out: Any,
        count: int,
    ) -> int:  # fmt: skip
        """Add the position with a man on its origin; return the new count."""
        old = board ^ ((board >> 6 * slot & 63) ^ origin) << 6 * slot
        out[count] = material << MATERIAL | mover << SIDE | self.ordered(material, old)
        return self.lapsed(material, old, mover, rest | BIT[origin], out, count + 1)

    def pawn_can_move(self, position: int, board: int, slot: int, ok: int, mask: int) -> bool:
        """Whether a pawn has a move; there are no pawns."""
        return False

    def pawn_moves(
        self, position: int, board: int, slot: int, ok: int, mask: int, out: Any, count: int
    ) -> int:
        """Add the moves of a pawn; there are no pawns."""
        return count

    def pawn_unmoves(
        self, position: int, board: int, slot: int, mask: int, out: Any, count: int
    ) -> int:
        """Add the positions before a move of a pawn; there are no pawns."""
        return count

    def lapsed(self, material: int, old: int, mover: int, mask: int, out: Any, count: int) -> int:
        """Add positions in which a capture en passant was not made; there are no pawns."""
        return count

    def pushes(self, here: int, kind: int, mask: int) -> int:
        """Where a pawn can go without a capture or a promotion; there are no pawns."""
        return here & ZERO

    def conversions_with_pawns(self, position: int, out: Any) -> int:
        """Fill ``out`` with the positions after captures and promotions; there are no pawns."""
        return position & ZERO

    def pawn_positions(self, marked: int, board: int, mask: int) -> int:
        """Where White's pawn may stand; there are no pawns."""
        return mask & ZERO

    def pushed_set(self, members: int, other: int, mask: int) -> int:
        """From where White's pawn is pushed to a member; there are no pawns."""
        return members & ZERO
