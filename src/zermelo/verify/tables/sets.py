"""Checking the entries of a tier by sets of 64 positions, where the rules move such sets.

The kernels are in :mod:`zermelo._kernels.verify.sets` and
:mod:`zermelo._kernels.verify.set_proofs`; nothing else uses them. They prove the same statements as
the check of one position after the other. The members of the rules for sets are less
plain than ``moves``. So they are compared with ``moves`` on some words of each tier, and a table is
never refused because of them alone: where sets find a wrong entry, the position is checked once
more by its moves.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._kernels.verify.set_proofs import (
    Layer,
    hold,
    mark_proved,
    prove_claims,
    prove_losses,
    prove_reaching,
)
from zermelo._kernels.verify.sets import (
    ENDLESS,
    NEVER,
    Claims,
    Part,
    compare_moves,
    mirror_part,
    read_claims,
    read_ends,
)
from zermelo._runtime.compiled.bind import Binding
from zermelo.errors import InvalidRulesError
from zermelo.labels import Int64Array
from zermelo.rules.compiled import room_for
from zermelo.rules.set_tiers import SetTier, set_tiers
from zermelo.verify.tables.game import Game

if TYPE_CHECKING:
    from zermelo.verify.tables.compiled import Examination

MAX_ENTRIES_ONE_BY_ONE = 1 << 16
"""A table of at most this many entries is not worth the compilation of further kernels."""

SETS, SETS_OF_LABELS = 7, 12
"""Sets of a tier that are held at a time, with distances and for labels alone."""

WORDS_PER_SAMPLE, MIN_SAMPLES = 256, 64
"""One of so many words is compared with the moves of its positions, and at least so many."""


def set_bytes(tier: SetTier, alone: bool) -> int:
    """What the sets need; with distances, a copy of one and three numbers for each word, too."""
    return (8 * SETS_OF_LABELS if alone else 8 * (SETS + 1) + 4 * 3) * tier.words


def tiers_by_sets(game: Game) -> list[SetTier]:
    """The tiers of a table that are checked by sets, in the order of their indices.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> from zermelo.tables.solving.solve import solve_rules
    >>> from zermelo.verify.tables.meanings import game_of
    >>> tiers_by_sets(game_of(solve_rules(Nim(1, 2))))
    []
    """
    table, rules = game.table, game.rules
    usual = game.stuck == (-1, 1) and game.infinite_play == 0
    indexed = table.symmetry or not rules.has("canonical")
    whole = indexed and not game.reachable and not game.owned
    if not usual or not whole or not MAX_ENTRIES_ONE_BY_ONE < table.entries == rules.size:
        return []
    return sorted(set_tiers(rules).values(), key=lambda tier: tier.indices.start)


class SetTierCheck:
    """The check of one tier; all tiers below it are proved, and their entries are complete."""

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
        self.alone = examination.table.alone
        alone, ranked = (tier.words, 0) if self.alone else (0, tier.words)
        unwon, wins, lost, backed, *self.pair = np.zeros((6, tier.words), np.int64)
        losses, ties, leaving = np.zeros((3, alone), np.int64)
        hidden = np.zeros(ranked, np.int64)
        win, loss, even = np.full((3, ranked), NEVER, np.int32)
        table = examination.table
        self.claims = Claims(
            table.label, table.distance, self.alone, unwon, wins, lost, backed,
            losses, ties, leaving, hidden, win, loss, even, *tier.near,
        )  # fmt: skip
        self.changed = np.zeros((2, blocks), np.int64)
        self.depth, self.before = 0, np.ones(blocks, np.int64)
        losses, wins = self.pair
        self.lost = Layer(unwon, wins, losses, self.changed[0])
        self.won = Layer(unwon, losses, wins, self.changed[1])

    def begin(self) -> None:
        """Make the sets, and compare the entries with ends of play and moves out of the tier."""
        self._each(read_claims)
        self._mirror(self.claims.unwon, self.claims.lost)
        if self.alone:
            self._each(read_ends)
        self._compare_sample()

    def step(self) -> bool:
        """Prove the losses in ``depth`` plies, and the wins in one ply more.

        Labels alone have no distances: there these are the labels that follow from the last step.
        """
        # Invariant: all claims of wins and losses in fewer than ``depth`` plies are proved, and no
        # other position is won or lost in fewer plies; ``won.fresh`` are those in ``depth`` − 1.
        # For labels alone: ``unwon`` lacks the proved wins, ``before`` has the blocks of those that
        # are new, and all losses that follow from older wins are proved.
        claims = self.claims
        if self.alone:
            self._each(prove_losses, (self.before, self.lost))
        else:
            if not self.changed[1].any():
                next_loss, next_win = int(claims.next_loss.min()), int(claims.next_win.min())
                nearest = min(next_loss + next_loss % 2, (next_win - 1) // 2 * 2)
                if not self.depth <= nearest < NEVER - 1:
                    return False
                self.depth = nearest
                self.won.fresh[:] = 0  # images may still have the wins of an earlier layer
            self._each(prove_claims, (claims.next_loss, self.lost), -1, self.depth)
        if self.changed[0].any():
            self._mirror(self.lost.fresh)
        given = claims.wins, self._blocks(self.changed[0]), self.won
        self._each(prove_reaching, given, self.depth + 1)
        self.before = self._blocks(self.changed[1])
        if self.changed[1].any():
            self._mirror(self.won.fresh, claims.unwon)
        self.depth += 2
        return bool(not self.alone or self.changed[1].any())

    def finish(self) -> None:
        """Refuse wins and losses that are not proved; prove ties, and then draws."""
        claims, (reach, fresh) = self.claims, self.pair
        self._require_none(claims.wins, claims.losses)
        reach[:] = fresh[:] = self.changed[:] = 0
        avoid = self._prove_tied_labels() if self.alone else self._prove_ties()
        drawn = np.bitwise_and(claims.unwon, ~avoid, out=self.pair[0])
        self._mirror(drawn)
        self._each(hold, (drawn, Layer(avoid, drawn, drawn, self.changed[0])), True)
        if self.alone:
            state = self.examination.table.state
            self.team.run(self.bind(mark_proved), [(claims, state, part) for part in self.parts])

    def _prove_ties(self) -> Int64Array:
        """Prove ties in the order of their distances; return ties and losses."""
        claims, (reach, fresh) = self.claims, self.pair
        avoid, depth = claims.lost, -1
        # Invariant: ``reach`` are the ties in ``depth`` plies, and ``avoid`` are the losses and
        # the ties in fewer plies.
        while (nearest := int(claims.next_even.min())) < ENDLESS:
            if nearest > depth + 1:
                avoid |= reach
                reach[:] = self.changed[0] = 0
            depth = max(depth + 1, nearest)
            layer = Layer(avoid, reach, fresh, self.changed[1])
            self._each(prove_claims, (claims.next_even, layer), 0, depth)
            self._mirror(fresh)
            if self.changed[0].any():
                avoid |= reach
            reach, fresh = fresh, reach
            self.changed = self.changed[::-1]
        avoid |= reach
        return avoid

    def _prove_tied_labels(self) -> Int64Array:
        """Prove ties that have no distances; return ties and losses."""
        claims, (reach, fresh) = self.claims, self.pair
        avoid, tied, depth = claims.lost, claims.ties.copy(), 1
        self._each(hold, (tied, Layer(avoid, avoid, fresh, self.changed[0])), False)
        before = np.zeros_like(self.changed[0])
        while depth == 1 or before.any():
            layer = Layer(avoid, reach, fresh, self.changed[1])
            self._each(prove_reaching, (claims.ties, before, layer), depth)
            self._mirror(fresh)
            before, depth = self._blocks(self.changed[1]), depth + 1
            reach, fresh = fresh, reach
            self.changed = self.changed[::-1]
        self._require_none(claims.ties)
        self._mirror(tied)
        avoid |= tied
        return avoid

    def _require_none(self, *sets: Int64Array) -> None:
        """Refuse the first member of sets: a wrong distance, or labels that support one another."""
        for members in sets:
            if (left := np.flatnonzero(members)).size:
                mask = int(members[left[0]])
                position = self._position(int(left[0]), (mask & -mask).bit_length() - 1)
                if self.alone:
                    raise self.examination.game.circle(position)
                self.examination.refuse(position, by_sets=True)

    def _each(self, template: Any, given: tuple[Any, ...] = (), *last: int) -> None:
        """Call a kernel for all blocks: claims, what is given, notes, a part of the blocks, rest.

        An entry that cannot be right ends the check.
        """
        calls = [
            (self.claims, *given, notes, part, *last)
            for notes, part in zip(self.notes, self.parts, strict=True)
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

    def _compare_sample(self) -> None:
        """Compare sets with the moves one by one, for words taken at random."""
        random = np.random.default_rng(0)
        stored = self.tier.words // self.stride
        count = min(stored, max(MIN_SAMPLES, stored // WORDS_PER_SAMPLE))
        words = np.sort(random.choice(stored, count, replace=False))
        some = self.pair[0]
        some[:] = self.claims.unwon
        for _ in range(4):  # so that one position of 16 is left
            some &= random.integers(-1 << 63, 1 << 63, some.size, np.int64)
        self._mirror(some)
        room = room_for(self.rules, "moves")
        calls = [
            (self.claims, some, words[k :: len(self.notes)].copy(), np.zeros(room, np.int64),
             notes, self.parts[k])
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
