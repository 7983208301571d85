"""What the bits of a distance mean while a game is being solved, and the types of entries.

A solver goes through all tiers once for each measure: for plies to the end, or for labels alone, or
for labels and then for plies to the next conversion.

**Labels alone.** Wins, losses and ties do not depend on the order in which positions are settled.
So a settled position only has to be spread once for each thing that it does to its predecessors,
and the bits of its distance count how often that is still to happen
(:mod:`zermelo._kernels.tables.begin`). A layer spreads what was settled in the layer before.

**Plies to conversion.** The labels do not depend on conversions, so they are found first. The
distances are then found by a second wave over the same entries
(:mod:`zermelo._kernels.tables.conversion`).
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.tables.begin import (
    EVEN,
    FAR,
    LONGEST,
    LOSE,
    NEAREST,
    WIN,
    Coding,
    begin,
)
from zermelo._kernels.tables.conversion import begin_distances
from zermelo._kernels.tables.wave import COUNTS, TIES, WINS
from zermelo._runtime.compiled.jit import Kernel
from zermelo.labels import Int64Array
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.conversion import CONVERSION, with_conversions
from zermelo.rules.views import IndicesBefore, KeptMoves, PositionsBefore

DEPTHS = 1 << 10
"""Distances that are counted one by one."""

MANY_ROUNDS = 1 << 60
"""More layers than any game has."""


class Part(NamedTuple):
    """A part of a layer: what it spreads, and what that does to the predecessors."""

    kind: int
    action: int
    times: int = 1
    """For labels alone: how often positions that this part spreads are still to be spread."""


ALTERNATING = (Part(LOSE, WINS), Part(WIN, COUNTS))
BY_OWNER = (Part(LOSE, WINS, 2), Part(WIN, WINS, 2), Part(LOSE, COUNTS), Part(WIN, COUNTS))
TYING = (Part(EVEN, TIES),)
"""The parts of a layer, in this order.

Where the players move in turn, a loss of a successor is good for the player to move; a win is bad.
"""


def entry_type(rules: CompiledRules) -> Any:
    """The type of entries with distances, as long as play is not too long for them."""
    return np.uint32 if room_for(rules, "moves") >= (1 << 13) - 2 else np.uint16


def label_type(rules: CompiledRules) -> Any:
    """The type of entries without distances: counters of moves are below their last two codes.

    >>> import zermelo as zm
    >>> label_type(zm.game("connect4:4x4")), label_type(zm.game("l-game"))
    (<class 'numpy.uint8'>, <class 'numpy.uint16'>)
    """
    most = room_for(rules, "moves")
    types = ((np.uint8, 6), (np.uint16, 14))
    return next((kind for kind, bits in types if most <= (1 << bits) - 3), np.uint32)


class PliesToEnd:
    """Distances are plies to the end of play."""

    description = "solving"
    """The text about it in reports of progress."""
    begin: Kernel[..., Any] = begin
    settles_ties = True
    by_sets = True
    """Whether tiers may be solved by sets."""

    def view(self, rules: Any) -> Any:
        """The rules as the kernels of the wave need them."""
        return rules

    def coding(self, bits: int, twice: bool) -> Coding:
        """How entries are read; ``twice`` where a position may be spread in two ways."""
        return Coding(bits, 1 << (bits - 1), 0)

    def farthest_layer(self, bits: int) -> int:
        """The first layer for which entries with so many bits are too narrow."""
        return (1 << bits) - 3

    def next_layer(self, tally: Int64Array, layer: int, parts: tuple[Part, ...]) -> int | None:
        """The layer to be spread, not before ``layer``; None where nothing is left to be spread."""
        if layer > tally[LONGEST]:
            return None
        return layer if layer < DEPTHS - 1 else max(layer, FAR - int(tally[NEAREST]))

    def low(self, part: Part, layer: int) -> int:
        """The bits of the distance of what a part of a layer spreads."""
        return layer


class Labels(PliesToEnd):
    """There are no distances: their bits count how often a position is to be spread."""

    by_sets = False

    def coding(self, bits: int, twice: bool) -> Coding:
        """How entries are read; ``twice`` where a position may be spread in two ways."""
        return Coding(bits, (1 << bits) - 1, 2 if twice else 1)

    def farthest_layer(self, bits: int) -> int:
        """The number of a layer is not written into entries."""
        return MANY_ROUNDS

    def next_layer(self, tally: Int64Array, layer: int, parts: tuple[Part, ...]) -> int | None:
        """The present layer, as long as anything is still to be spread."""
        waiting = sum(tally[part.kind * DEPTHS + part.times] for part in parts)
        return layer if waiting else None

    def low(self, part: Part, layer: int) -> int:
        """How often positions that a part spreads are still to be spread."""
        return part.times


class PliesToConversion(PliesToEnd):
    """Distances are plies to the next conversion or to the end; the labels are known."""

    description = "distances to conversion"
    begin = begin_distances
    settles_ties = by_sets = False

    def view(self, rules: Any) -> Any:
        """The rules as the kernels of the wave need them: conversions are left out."""
        indices_do = not rules.has("converts") and isinstance(rules, IndicesBefore)
        by_position = indices_do or isinstance(rules, PositionsBefore)
        return with_conversions(rules, KeptMoves, *(() if by_position else (PositionsBefore,)))


def measures_of(distances: bool | str) -> tuple[PliesToEnd, ...]:
    """What a game is solved for, one after the other.

    >>> [type(measure).__name__ for measure in measures_of("conversion")]
    ['Labels', 'PliesToConversion']
    """
    if distances == CONVERSION:
        return Labels(), PliesToConversion()
    return (PliesToEnd() if distances else Labels(),)
