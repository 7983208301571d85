"""Checking all distances to conversion of a table of compiled rules.

The labels are proved first, as those of a table of labels alone. A distance to conversion proves no
label, because it begins anew after each conversion. Then let ``d`` be the distance of a won or lost
position. This is compared: ``d`` is 0 where play is over, and otherwise 1 + the least (of a win) or
the greatest (of a loss) of the numbers after the moves that keep the label; the number is 0 after a
conversion, else the distance there. If this holds everywhere, all distances are right: at a
position where the claimed and the true distance differ and the less of the two is as small as
possible, the moves that decide on it lead to distances that agree, and so do the two.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._kernels.verify.conversion import examine_distances
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.threads import Team
from zermelo.labels import NO_DISTANCE
from zermelo.rules.conversion import with_conversions
from zermelo.rules.set_tiers import SetTier
from zermelo.verify.tables.compiled import Decoded, Examination, Progress

if TYPE_CHECKING:
    from zermelo.verify.tables.table import Game


class ConversionExamination(Examination):
    """All entries of a table with distances to conversion, and how far they were examined."""

    def __init__(self, game: "Game", decoded: Decoded, team: Team, by_sets: list[SetTier]) -> None:
        self.far = decoded.distance
        tied = np.where(decoded.label == 0, decoded.distance, NO_DISTANCE).astype(np.int8)
        super().__init__(game, decoded._replace(distance=tied), team, by_sets)

    def run(self, progress: Progress | None) -> None:
        """Prove the labels, and then examine the distances; an error says what is wrong."""
        super().run(progress)
        self.book = self.book._replace(distance=self.far)
        self.rules = with_conversions(self.rules)
        self.bind = Binding(self.rules)
        for first in (True, False):
            self._sweep(examine_distances, 0, self.far.size, first)
