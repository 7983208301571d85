"""Where the entries of a solved game are: the common interface, and entries in memory.

A *key* is what an entry is found by, see :mod:`zermelo.tables.probing.access`. Entries come in
blocks of ``BLOCK``, as in files (:mod:`zermelo.tables.storage.file`). In memory they are an array
of unsigned integers in the layout of :mod:`zermelo.tables.storage.codes`, with 0 for no position.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import count_entries
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.threads import Team
from zermelo.errors import InvalidRulesError
from zermelo.labels import NO_DISTANCE, AnyArray, Int32Array, Int64Array, UInt8Array
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.views import (
    Alternating,
    ByPlayer,
    Hashed,
    Indexed,
    IndicesBefore,
    PositionsBefore,
    Unreduced,
    view,
)
from zermelo.solutions.answers import counted
from zermelo.tables.probing.block_cache import BLOCK, Block
from zermelo.tables.storage.codes import (
    KIND_ABSENT,
    STORED,
    Scale,
    bits_of,
    distances,
    kinds_of,
    labels,
)
from zermelo.tables.storage.layout import Layout

COUNTED_TOGETHER = 1 << 20
"""The number of entries that a thread counts at a time."""

_KINDS = kinds_of(turns=False)
"""The kinds by distance and label: in memory, a win has its distance beside it."""


class Entries(ABC):
    """The entries of a solved game: kinds, distances where a kind carries one, and keys."""

    layout: Layout
    """What the entries are made of: the kind of their keys, their number, and their distances."""

    @property
    @abstractmethod
    def stored(self) -> int:
        """How many entries belong to positions."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """How many positions there are of each kind, and the longest distances."""

    @abstractmethod
    def find(self, key: Any) -> int:
        """The number of the entry of a key, −1 for none."""

    @abstractmethod
    def look(self, key: Any) -> tuple[int, int]:
        """The kind of the entry of a key, and its distance where the kind carries one."""

    @abstractmethod
    def look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        """Do what :meth:`look` does for many keys that are numbers."""

    @abstractmethod
    def block(self, number: int) -> Block:
        """The entries of a block."""

    def read(self, number: int) -> Block:
        """The same for a caller that reads every block once."""
        return self.block(number)

    @abstractmethod
    def random_places(self, choose: np.random.Generator, count: int) -> Int64Array:
        """Numbers of entries taken at random; some may belong to no position."""


@dataclass(frozen=True, eq=False)
class MemoryEntries(Entries):
    """Entries in memory, of compiled rules or of plain ones.

    Compiled rules have positions that are sorted and in canonical form, or an index: then entry i
    is that of the position of index i. Plain rules have names, numbered as exploring finds them.
    """

    rules: Any
    symmetry: bool
    entry: AnyArray
    positions: Int64Array | None = None
    names: tuple[Hashable, ...] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have: the fields; what was made of them is made again."""
        return {x.name: getattr(self, x.name) for x in fields(self)}

    @cached_property
    def layout(self) -> Layout:  # type: ignore[override]
        """What the entries are made of; a win has its distance beside it."""
        names = "index" if self.positions is None else "positions"
        scales = dict.fromkeys(STORED, Scale(0, 1, (1 << bits_of(self.entry)) - 2))
        return Layout(self.entry.size, names if self.names is None else "names", (), scales)

    @cached_property
    def stored(self) -> int:
        """How many entries belong to positions."""
        return int(np.count_nonzero(self.entry))

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return sum(int(x.nbytes) for x in (self.entry, self.positions) if x is not None)

    def counts(self) -> dict[str, int]:
        """How many positions there are of each kind, and the longest distances.

        Where one entry stands for all positions of a canonical form, each of them counts.
        """
        if self.names is not None:
            return counted(labels(self.entry), distances(self.entry))
        by_form = self.positions is not None
        seen = view_of(self.rules, symmetry=self.symmetry, by_form=by_form)
        return counts_between(seen, self.entry, 0, self.entry.size, self.positions)

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {x: v for v, x in enumerate(self.names or ())}

    def find(self, key: Any) -> int:
        """The number of the entry of a key, −1 for none."""
        if self.names is not None:
            return self._numbers.get(key, -1)
        if self.positions is None:
            return int(key)
        i = int(np.searchsorted(self.positions, key))
        return i if i < self.entry.size and self.positions[i] == key else -1

    def look(self, key: Any) -> tuple[int, int]:
        """The kind of the entry of a key, and its distance where the kind carries one."""
        i = self.find(key)
        entry = int(self.entry[i]) if i >= 0 else 0
        if not entry:
            return KIND_ABSENT, NO_DISTANCE
        bits = bits_of(self.entry)
        none = (1 << bits) - 1
        ends = entry & none != none
        return int(_KINDS[int(ends), (entry >> bits) - 1]), entry & none if ends else NO_DISTANCE

    def look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        """Do what :meth:`look` does for many keys that are numbers."""
        places = keys
        if self.positions is not None:
            places = np.minimum(np.searchsorted(self.positions, keys), self.entry.size - 1)
            places = np.where(self.positions[places] == keys, places, -1)
        entry = self.entry[places]
        entry[places < 0] = 0
        return _decoded(entry)

    def block(self, number: int) -> Block:
        """The entries of a block."""
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        keys = self.names if self.positions is None else self.positions
        return Block(*_decoded(self.entry[part]), None if keys is None else keys[part])

    def random_places(self, choose: np.random.Generator, count: int) -> Int64Array:
        """Numbers of entries of positions taken at random."""
        return choose.choice(np.flatnonzero(self.entry), count)


def _decoded(entry: AnyArray) -> tuple[UInt8Array, Int32Array]:
    """The kinds and the distances of entries."""
    distance = distances(entry)
    kind: UInt8Array = _KINDS[(distance != NO_DISTANCE).astype(np.int8), labels(entry) + 1]
    kind[entry == 0] = KIND_ABSENT
    return kind, distance


def counts_between(
    seen: Any, entry: AnyArray, first: int, last: int, positions: Int64Array | None = None
) -> dict[str, int]:
    """The counts of entries ``first … last − 1``; ``seen`` is what :func:`view_of` gives."""
    keys = np.zeros(1, np.int64) if positions is None else positions
    starts = range(first, max(first + 1, last), COUNTED_TOGETHER)
    rows = [np.array([0] * 4 + [NO_DISTANCE] * 3, np.int64) for _ in starts]
    calls = [
        (keys, entry, row, start, min(start + COUNTED_TOGETHER, last), bits_of(entry))
        for start, row in zip(starts, rows, strict=True)
    ]
    with Team() as team:
        team.run(bind(count_entries, seen), calls)
    table = np.array(rows)
    return counts_of(np.concatenate([table[:, :4].sum(0), table[:, 4:].max(0)]))


def counts_of(totals: Int64Array) -> dict[str, int]:
    """The counts by name, from those of the kernel that counts entries."""
    draw, lose, tie, win, longest_lose, _, longest_win = totals.tolist()
    return {
        "positions": draw + lose + tie + win,
        "win": win,
        "lose": lose,
        "tie": tie,
        "draw": draw,
        "longest_win": longest_win,
        "longest_lose": longest_lose,
    }


def has_index(rules: CompiledRules, symmetry: bool) -> bool:
    """Whether entries are by the rules' own index: it goes by canonical forms."""
    size: Any = rules.size
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
        raise InvalidRulesError(f"size: expected a number of indices, got {size!r}")
    return bool(size) and (symmetry or not rules.has("canonical"))


def view_of(rules: CompiledRules, *, symmetry: bool, by_form: bool = False) -> Any:
    """The rules in the form that the kernels need; ``by_form`` if an index is not to be used."""
    base = rules if symmetry else view(rules, Unreduced)
    indexed = has_index(rules, symmetry) and not by_form
    players = ByPlayer if rules.has("player") else Alternating
    quick = indexed and rules.has("unmoves_by_index") and players is Alternating
    before = IndicesBefore if quick else PositionsBefore
    return view(base, Indexed if indexed else Hashed, before, players)
