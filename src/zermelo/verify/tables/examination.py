"""The one driver of all checks of a table: *begin, step, finish*, tier after tier.

How positions are looked at is one plugged-in part: one by one in Python
(:mod:`zermelo.verify.tables.plain`), one by one by kernels (:mod:`zermelo.verify.tables.compiled`),
or in sets of 64 (:mod:`zermelo.verify.tables.sets`). What a distance means is the other one
(:mod:`zermelo.verify.tables.meanings`).
"""

from collections.abc import Iterable
from typing import Protocol

Examined = tuple[dict[str, int], int, int]
"""The numbers of a header counted again, how many positions were examined, and how many entries
belong to positions, also to those that play does not reach."""

POSITIONS_BETWEEN_REPORTS = 256


class Tier(Protocol):
    """Entries that are proved together, after those of the tiers that moves lead to from there."""

    def begin(self) -> None:
        """Compare the entries with the ends of play and with those after moves, and count them."""

    def step(self) -> bool:
        """Prove what follows from what is proved; return whether another step is needed."""

    def finish(self) -> None:
        """Refuse what is not proved."""


def prove(tiers: Iterable[Tier]) -> None:
    """Prove all entries; a wrong one is a CertificateError."""
    for tier in tiers:
        tier.begin()
        while tier.step():
            pass
        tier.finish()
