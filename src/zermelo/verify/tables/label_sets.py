"""Checking the labels of a tier by sets of positions, where there are no distances to prove them.

The kernels are in :mod:`zermelo._kernels.verify.label_sets`; nothing else uses them. What
:mod:`zermelo.verify.tables.sets` says of sets and of ``moves`` holds here, too.
"""

import numpy as np

from zermelo._kernels.verify.label_sets import (
    LabelClaims,
    drop_won,
    hold_even,
    mark_proved,
    prove_losses,
    prove_reaching,
    read_ends,
    read_labels,
)
from zermelo._kernels.verify.sets import Layer
from zermelo.labels import Int64Array
from zermelo.verify.tables.sets import SetTierCheck


class LabelTierCheck(SetTierCheck):
    """The check of one tier; the labels of all tiers below it are proved."""

    claims: LabelClaims

    def _take_sets(self) -> None:
        book = self.examination.book
        unwon, wins, losses, ties, backed, leaving, *self.pair = np.zeros(
            (8, self.tier.words), np.int64
        )
        self.claims = LabelClaims(
            book.label, book.distance, unwon, wins, losses, ties, backed, leaving, *self.tier.near
        )

    def run(self) -> None:
        """Check the tier; a wrong label is a CertificateError."""
        claims = self.claims
        self._each(read_labels, (), [(notes.out,) for notes in self.notes])
        self._mirror(claims.unwon)
        self._each(read_ends, ())
        lost, tied = claims.losses.copy(), claims.ties.copy()
        self._compare_sample()
        self._prove_wins_and_losses()
        self._prove_even(lost, tied)
        state = self.examination.book.state
        self.team.run(self.bind(mark_proved), [(claims, state, part) for part in self.parts])

    def _prove_wins_and_losses(self) -> None:
        claims, (losses, wins) = self.claims, self.pair
        lost = Layer(claims.unwon, wins, losses, self.changed[0])
        won = Layer(claims.unwon, losses, wins, self.changed[1])
        before, first = np.ones_like(self.changed[1]), True
        # Invariant: ``unwon`` lacks the proved wins, and ``before`` has the blocks of those that
        # are new; all losses that follow from older wins are proved.
        while True:
            self._each(prove_losses, (before, lost))
            self._mirror(losses)
            given = claims.wins, self._blocks(self.changed[0]), won
            self._each(prove_reaching, given, None, first)
            if not self.changed[1].any():
                break
            self.team.run(self.bind(drop_won), [(claims, won, part) for part in self.parts])
            self._mirror(claims.unwon)
            before, first = self._blocks(self.changed[1]), False
        self._require_none(claims.wins, claims.losses)

    def _prove_even(self, lost: Int64Array, tied: Int64Array) -> None:
        """Prove ties, and then draws; ``lost`` and ``tied`` are the claims."""
        claims, (reach, fresh) = self.claims, self.pair
        reach[:] = fresh[:] = self.changed[:] = 0
        drawn = claims.unwon & ~lost & ~tied
        self._mirror(lost)
        self._each(hold_even, (tied, Layer(lost, lost, fresh, self.changed[0])), None, False)
        before, first = np.zeros_like(self.changed[0]), True
        while first or before.any():
            layer = Layer(lost, reach, fresh, self.changed[1])
            self._each(prove_reaching, (claims.ties, before, layer), None, first)
            self._mirror(fresh)
            before, first = self._blocks(self.changed[1]), False
            reach, fresh = fresh, reach
            self.changed = self.changed[::-1]
        self._require_none(claims.ties)
        avoid = lost | tied
        self._mirror(avoid, drawn)
        self._each(hold_even, (drawn, Layer(avoid, drawn, fresh, self.changed[0])), None, True)

    def _require_none(self, *sets: Int64Array) -> None:
        """Refuse the first member of sets: labels that support one another in a circle."""
        for members in sets:
            left = np.flatnonzero(members)
            if left.size:
                mask = int(members[left[0]])
                position = self._position(int(left[0]), (mask & -mask).bit_length() - 1)
                raise self.examination.game.circle(position)
