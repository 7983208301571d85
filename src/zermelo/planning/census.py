"""What is known of a game before it is solved."""

from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.engines.partitions.estimate import Size
from zermelo.tables.solving.estimates import Estimate


class Sampling(NamedTuple):
    """How a game given by rules is looked at."""

    samples: int
    """Random indices that are looked at, and half of the positions that are explored."""
    seconds: float
    seed: int
    symmetry: bool
    distances: bool
    """Whether the table of the game is to have distances, else labels alone."""


@dataclass(frozen=True)
class TableSize:
    """What a table of a game given by compiled rules needs to know of it."""

    slots: Estimate
    """Entries, with those of no position."""
    before: int
    """Slots of the last smaller table; 0 for a table with an index."""
    indexed: bool
    entry_bytes: int
    inside: Estimate
    """Moves within tiers."""
    unmoves: bool
    """Whether the rules have un-moves, so that no moves are stored."""
    explored: bool
    """Whether positions have to be found by play from the start."""
    alone: bool = False
    """Whether the table is to have labels alone."""
    largest: float = 1.0
    """The share of the positions that are in the largest tier."""
    sets: int = 0
    """Bytes of sets of positions, for rules that are solved by them, beside the entries."""
    by_sets: float = 0.0
    """The share of the slots that are solved by sets."""


@dataclass(frozen=True)
class Census:
    """Counts of a game, and how they were obtained."""

    name: str
    positions: Estimate
    moves: Estimate
    ends: Estimate
    method: str
    """A sentence that says how the counts were obtained."""
    layers: str = "unknown"
    """What is known of the number of layers."""
    family: str = "terminal"
    keyword: str = "normal"
    shift: int = 0
    """1 if each position has two situations, else 0."""
    code_bytes: int = 1
    owned: bool = False
    table: TableSize | None = None
    position_seconds: float = 0.0
    """The time in which one core makes the moves of a position; 0 for a file."""
    position_bytes: int = 0
    """Memory for a position of plain rules while they are explored."""
    notes: tuple[str, ...] = field(default=())

    @property
    def size(self) -> Size:
        """The size for the partitioned program, which takes every index for a position."""
        indexed = self.table is not None and self.table.indexed
        counted = self.table.slots if self.table is not None and indexed else self.positions
        return Size(
            counted.value,
            self.moves.value,
            self.ends.value << self.shift,
            self.shift,
            self.code_bytes,
        )

    @property
    def work(self) -> Size:
        """The size of the largest tier, which is solved alone; of a graph, that of the whole."""
        if self.table is None:
            return self.size
        share = self.table.largest
        return Size(
            round(self.size.positions * share),
            round(self.table.inside.value * share),
            round(self.size.ends * share),
            self.shift,
            self.code_bytes,
            not (self.table.indexed and self.table.unmoves),
        )
