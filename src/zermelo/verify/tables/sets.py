"""Checking the entries of a tier by sets of 64 positions, where the rules move such sets.

The kernels are in :mod:`zermelo._kernels.verify.sets`; nothing else uses them. They prove the same
statements as the check of one position after the other. The members of the rules for sets are less
plain than ``moves``. So they are compared with ``moves`` on some words of each tier, and a table is
never refused because of them alone: where sets find a wrong entry, the position is checked once
more by its moves.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._kernels.verify.sets import (
    ENDLESS,
    NEVER,
    Claims,
    Layer,
    Part,
    compare_moves,
    mirror_part,
    prove_claims,
    prove_wins,
    read_claims,
)
from zermelo._runtime.compiled.bind import Binding
from zermelo.errors import InvalidRulesError
from zermelo.labels import Int64Array
from zermelo.rules.compiled import room_for
from zermelo.rules.set_tiers import SetTier, set_tiers

if TYPE_CHECKING:
    from zermelo.verify.tables.compiled import Examination
    from zermelo.verify.tables.table import Game

FEW = 1 << 16
"""A table of at most this many entries is not worth the compilation of further kernels."""

SETS, SETS_OF_LABELS = 7, 12
"""Sets of a tier that are held at a time, with distances and for labels alone."""

SAMPLED, LEAST_SAMPLED = 256, 64
"""One of so many words is compared with the moves of its positions, and at least so many."""


def set_bytes(tier: SetTier, alone: bool) -> int:
    """What the sets need; with distances, a copy of one and three numbers for each word, too."""
    return (8 * SETS_OF_LABELS if alone else 8 * (SETS + 1) + 4 * 3) * tier.words


def tiers_by_sets(game: "Game") -> list[SetTier]:
    """The tiers of a table that are checked by sets, in the order of their indices.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> from zermelo.tables.solving.solve import solve_rules
    >>> from zermelo.verify.tables.table import game_of
    >>> tiers_by_sets(game_of(solve_rules(Nim(1, 2))))
    []
    """
    table, rules = game.table, game.rules
    usual = game.stuck == (-1, 1) and game.infinite_play == 0
    indexed = table.symmetry or not rules.has("canonical")
    whole = indexed and not game.reachable and not game.owned
    if not usual or not whole or not FEW < table.entries == rules.size:
        return []
    return sorted(set_tiers(rules).values(), key=lambda tier: tier.indices.start)


class SetTierCheck:
    """The check of one tier; all tiers below it are proved, and their entries have distances."""

    def __init__(self, examination: "Examination", tier: SetTier) -> None:
        self.examination, self.tier, self.team = examination, tier, examination.team
        self.rules, self.notes = examination.game.rules, examination.notes
        self.bind = Binding(self.rules)
        self.stride, blocks = 1 + tier.even, len(tier.near[0]) - 1
        self.size = tier.words // blocks
        cuts = [blocks // self.stride * k // len(self.notes) for k in range(len(self.notes) + 1)]
        self.parts = [
            Part(start, stop, self.stride, self.size, tier.width, tier.key,
                 tier.indices.start, tier.indices.stop)
            for start, stop in pairwise(cuts)
        ]  # fmt: skip
        self.changed = np.zeros((2, blocks), np.int64)
        self._take_sets()

    def _take_sets(self) -> None:
        """Make the sets, which are empty."""
        book, words = self.examination.book, self.tier.words
        unwon, wins, lost, hidden, backed, *self.pair = np.zeros((SETS, words), np.int64)
        win, loss, even = np.full((3, words), NEVER, np.int32)
        self.claims = Claims(
            book.label, book.distance, unwon, wins, lost, hidden, backed, win, loss, even,
            *self.tier.near,
        )  # fmt: skip

    def run(self) -> None:
        """Check the tier; a wrong entry is a CertificateError."""
        outs = [(notes.out,) for notes in self.notes]
        self._each(read_claims, (), outs)
        self._mirror(self.claims.unwon, self.claims.lost)
        self._compare_sample()
        self._prove_wins_and_losses()
        self._prove_ties_and_draws()

    def _each(self, template: Any, given: tuple[Any, ...], own: Any = None, *last: int) -> None:
        """Call a kernel for all blocks: claims, what is given, what a call has of its own, notes.

        An entry that cannot be right ends the check.
        """
        own = [()] * len(self.notes) if own is None else own
        calls = [
            (self.claims, *given, *mine, notes.totals, notes.wrong, part, *last)
            for mine, notes, part in zip(own, self.notes, self.parts, strict=True)
        ]
        self.team.run(self.bind(template), calls)
        self.examination.look(by_sets=True)

    def _mirror(self, *sets: Int64Array) -> None:
        """Fill in the blocks of sets that have no indices."""
        for words in sets if self.tier.even else ():
            calls = [(words, np.zeros(64, np.int64), part) for part in self.parts]
            self.team.run(self.bind(mirror_part), calls)

    def _blocks(self, changed: Int64Array) -> Int64Array:
        """The blocks in which a layer has positions; if blocks have images, perhaps all."""
        return np.full_like(changed, changed.any()) if self.tier.even else changed

    def _prove_wins_and_losses(self) -> None:
        """Go through the layers in ascending order: losses after an even number of plies."""
        claims, (losses, wins) = self.claims, self.pair
        lost = Layer(claims.unwon, wins, losses, self.changed[0])
        won = Layer(claims.unwon, losses, wins, self.changed[1])
        depth = 0
        # Invariant: all claims of wins and losses in fewer than ``depth`` plies are proved, and no
        # other position is won or lost in fewer plies; ``wins`` are those in ``depth`` − 1.
        while True:
            next_loss, next_win = int(claims.next_loss.min()), int(claims.next_win.min())
            if not self.changed[1].any():
                nearest = min(next_loss + next_loss % 2, (next_win - 1) // 2 * 2)
                if not depth <= nearest < NEVER - 1:
                    break
                depth = nearest
            self._each(prove_claims, (claims.next_loss, lost), None, -1, depth)
            if self.changed[0].any():
                self._mirror(losses)
            before = self._blocks(self.changed[0])
            self._each(prove_wins, (before, won), None, depth + 1)
            if self.changed[1].any():
                self._mirror(wins, claims.unwon)
            depth += 2
        left = np.flatnonzero(claims.wins)
        if left.size:
            mask = int(claims.wins[left[0]])
            place = (mask & -mask).bit_length() - 1
            self.examination.refuse(self._position(int(left[0]), place), by_sets=True)

    def _prove_ties_and_draws(self) -> None:
        """Prove positions that are neither won nor lost, first ties in the order of distances."""
        claims, (reach, fresh) = self.claims, self.pair
        avoid = claims.lost
        reach[:] = fresh[:] = self.changed[:] = 0
        depth = -1
        # Invariant: ``reach`` are the ties in ``depth`` plies, and ``avoid`` are the losses and
        # the ties in fewer plies.
        while (nearest := int(claims.next_even.min())) < ENDLESS:
            if nearest > depth + 1:
                avoid |= reach
                reach[:] = self.changed[0] = 0
            layer = Layer(avoid, reach, fresh, self.changed[1])
            depth = max(depth + 1, nearest)
            self._each(prove_claims, (claims.next_even, layer), None, 0, depth)
            self._mirror(fresh)
            if self.changed[0].any():
                avoid |= reach
            reach, fresh = fresh, reach
            self.changed = self.changed[::-1]
        if nearest == ENDLESS:
            avoid |= reach
            drawn = np.bitwise_and(claims.unwon, ~avoid, out=reach)
            layer = Layer(avoid, drawn, fresh, self.changed[1])
            self._each(prove_claims, (claims.next_even, layer), None, 0, ENDLESS)

    def _compare_sample(self) -> None:
        """Compare sets with the moves one by one, for words taken at random."""
        random = np.random.default_rng(0)
        stored = self.tier.words // self.stride
        count = min(stored, max(LEAST_SAMPLED, stored // SAMPLED))
        words = np.sort(random.choice(stored, count, replace=False))
        some = self.pair[0]
        some[:] = self.claims.unwon
        for _ in range(4):  # so that one position of 16 is left
            some &= random.integers(-1 << 63, 1 << 63, some.size, np.int64)
        self._mirror(some)
        room = room_for(self.rules, "moves")
        calls = [
            (self.claims, some, words[k :: len(self.notes)].copy(), np.zeros(room, np.int64),
             np.zeros(room, np.int64), notes.wrong, self.parts[k])
            for k, notes in enumerate(self.notes)
        ]  # fmt: skip
        self.team.run(self.bind(compare_moves), calls)
        for notes in self.notes:
            if notes.wrong[0] >= 0:
                raise sets_disagree(self.rules, int(notes.wrong[0]))
        some[:] = 0

    def _position(self, word: int, place: int) -> int:
        """The position at a place of a word."""
        word -= word // self.size // self.stride * (self.stride - 1) * self.size
        return int(self.rules.board_at(self.tier.indices.start + word * self.tier.width + place))


def sets_disagree(rules: Any, position: int) -> InvalidRulesError:
    """The error for rules whose moves of sets are not those of positions."""
    return InvalidRulesError(
        f"{type(rules).__name__}: moves of sets (moves_into, conversions, positions_in) are not "
        f"those of moves at {rules.show(position)}, so these rules must be wrong"
    )
