"""A solved game in memory: an array of entries, and where each position's entry is.

The array ``entry`` has one unsigned integer for each position, in the layout of
:mod:`zermelo.tables.storage.entry`, and 0 for no position. There are three kinds:

``index``
    the rules have ``size``, ``rank`` and ``unrank``: entry ``rank(position)``, in all ``size``;
    0 where an index is no position, or one that play cannot reach;
``positions``
    compiled rules without an index: entry ``i`` is that of ``positions[i]``, which is sorted and
    holds canonical positions;
``names``
    plain rules: entry ``i`` is that of ``names[i]``, numbered as exploring finds them.
"""

import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import count_entries
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.threads import Team
from zermelo.errors import InvalidOptionError, InvalidRulesError, UnknownPositionError
from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives import Objective
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import text_of
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
from zermelo.tables.probing.access import Access, ByPosition, access, positions_between, rules_name
from zermelo.tables.probing.lookups import SolvedRules
from zermelo.tables.storage.codes import KIND_ABSENT, UInt8Array, kinds_of
from zermelo.tables.storage.entry import bits_of, distances, labels
from zermelo.verify.tables.decoded import ABSENT, Decoded

COUNTED = 1 << 20
"""The number of entries that a thread counts at a time."""

LISTED = 1 << 14
"""The number of entries whose positions are listed at a time."""

_KINDS = kinds_of(turns=False)
"""The kinds by distance and label: in memory, a win has its distance beside it."""


@dataclass(frozen=True, eq=False, repr=False)
class SolvedGame(SolvedRules):
    """A solved game in memory: entries, and where each position's is.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> from zermelo.tables.solving.solve import solve_rules
    >>> solved = solve_rules(Nim(1, 2))
    >>> solved
    SolvedGame(Nim: 3 win, 2 lose)
    >>> print(solved[(1, 1)])
    1+1: LOSE in 2 by 1
    """

    rules: Any
    objective: Objective
    kind: str
    """``"index"``, ``"positions"`` or ``"names"``, see above."""
    entry: AnyArray
    positions: Int64Array | None = None
    names: tuple[Hashable, ...] | None = None
    symmetry: bool = True
    """Whether one entry stands for all positions of a canonical form."""
    stats: dict[str, Any] = field(default_factory=dict)
    """Counts and times of the solver."""
    asked: Objective | None = None
    """The objective that was asked for; None: that of the rules."""
    turns: bool = True
    """Whether the players move in turn, so that the distance of a win follows from its moves."""
    start: Any = None
    """The position that was asked about, if any."""

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have: the fields; what was made of them is made again."""
        return {x.name: getattr(self, x.name) for x in fields(self)} | {"verified": self.verified}

    @property
    def n(self) -> int:
        """How many entries there are; of kind ``index``, also those of no position."""
        return int(self.entry.size)

    @property
    def label(self) -> Int8Array:
        """The label of every entry, computed at each call."""
        return labels(self.entry)

    @property
    def distance(self) -> Int32Array:
        """The distance of every entry, computed at each call."""
        return distances(self.entry)

    @property
    def location(self) -> str:
        """The name of the game."""
        return rules_name(self.rules)

    @property
    def keyword(self) -> str | None:
        """The keyword of the objective that was asked for, None for that of the rules."""
        return None if self.asked is None else self.asked.keyword

    @property
    def entries(self) -> int:
        """How many entries there are, also those of no position."""
        return self.n

    def __repr__(self) -> str:
        return f"SolvedGame({self.location}: {self._summary()})"

    # ---------------------------------------------------------------- entries

    @cached_property
    def _access(self) -> Access:
        if self.kind == "names":
            return ByPosition(self.rules, self.symmetry)
        return access(self.rules, self.kind, self.symmetry, descent=False)

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {x: v for v, x in enumerate(self.names or ())}

    @cached_property
    def _named(self) -> dict[str, Any]:
        return {text_of(self.rules, x): x for x in self.names or ()}

    def place(self, position: Any) -> int:
        """The number of a position's entry, −1 where it has none."""
        key = self._access.key(position)
        i = -1 if key is None else self._number(key)
        return i if i >= 0 and self.entry[i] else -1

    def _number(self, key: Any) -> int:
        if self.kind == "names":
            return self._numbers.get(key, -1)
        if self.kind == "index":
            return int(key)
        assert self.positions is not None
        i = int(np.searchsorted(self.positions, key))
        return i if i < self.n and self.positions[i] == key else -1

    def _look(self, key: Any) -> tuple[int, int]:
        i = self._number(key)
        if i < 0 or not self.entry[i]:
            return KIND_ABSENT, NO_DISTANCE
        bits = bits_of(self.entry)
        entry, none = int(self.entry[i]), (1 << bits) - 1
        ends = entry & none != none
        kind = int(_KINDS[int(ends), (entry >> bits) - 1])
        return kind, entry & none if ends else NO_DISTANCE

    def _look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        if self.kind == "names":
            return super()._look_many(keys)
        places = keys
        if self.positions is not None:
            places = np.minimum(np.searchsorted(self.positions, keys), self.n - 1)
            places = np.where(self.positions[places] == keys, places, -1)
        entry = self.entry[places]
        entry[places < 0] = 0
        distance = distances(entry)
        kind = _KINDS[(distance != NO_DISTANCE).astype(np.int8), labels(entry) + 1]
        kind[entry == 0] = KIND_ABSENT
        return kind, distance

    def _unknown(self, position: Any) -> UnknownPositionError:
        try:
            text = str(self.rules.show(position))
        except Exception:  # it may be no position at all
            text = repr(position)
        return UnknownPositionError(
            f"{self.location}: play cannot reach the position {text if text else position!r}"
        )

    @cached_property
    def _stored(self) -> int:
        return int(np.count_nonzero(self.entry))

    def __len__(self) -> int:
        """How many positions have entries; with symmetry, one of those that look alike."""
        return self._stored

    def _positions_of(self, start: int, stop: int) -> list[Any]:
        """The positions of some entries, None for an index that is no position."""
        if self.kind == "names":
            assert self.names is not None
            return list(self.names[start:stop])
        if self.positions is not None:
            return list(self.positions[start:stop].tolist())
        positions = positions_between(self.rules, start, stop, descent=False)
        return [x if x >= 0 else None for x in positions.tolist()]

    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of their entries, with kind and distance of the entry."""
        for start in range(0, self.n, LISTED):
            part = self.entry[start : start + LISTED]
            label, distance = labels(part), distances(part)
            kind = _KINDS[(distance != NO_DISTANCE).astype(np.int8), label + 1]
            positions = self._positions_of(start, start + part.size)
            for i in np.flatnonzero(part).tolist():
                if positions[i] is not None:
                    yield positions[i], int(kind[i]), int(distance[i])

    def decoded(self) -> Decoded:
        """All entries of compiled rules as arrays."""
        label, distance = labels(self.entry), distances(self.entry)
        label[self.entry == 0] = ABSENT
        if self.kind == "index" and self.rules.reachable:
            for start in range(0, self.n, LISTED):
                stop = min(start + LISTED, self.n)
                positions = positions_between(self.rules, start, stop, descent=False)
                label[start:stop][positions < 0] = ABSENT
        return Decoded(label, distance, self.positions, self.kind == "index")

    def sample(self, count: int, seed: int = 0) -> Iterator[Any]:
        """Positions taken at random, repeats not excluded."""
        choose = np.random.default_rng(seed)
        stored = np.flatnonzero(self.entry)
        for i in choose.choice(stored, count).tolist():
            yield self._positions_of(i, i + 1)[0]

    # ---------------------------------------------------------------- the whole game

    def counts(self) -> dict[str, int]:
        """How many positions there are of each kind, and the longest distances.

        Where one entry stands for all positions of a canonical form, each of them counts.

        >>> from zermelo.rules.impartial.nim import Nim
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solve_rules(Nim(1, 2)).counts()["lose"]
        2
        """
        if self.kind == "names":
            return counted(self.label, self.distance)
        by_form = self.positions is not None
        seen = view_of(self.rules, symmetry=self.symmetry, by_form=by_form)
        return counts_between(seen, self.entry, 0, self.n, self.positions)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game as a table, a file ``….zt`` that :class:`zermelo.Table` reads.

        The file appears when it is whole.
        """
        from zermelo.tables.storage.save import keep  # the package for compression is optional

        if not os.fspath(path).endswith(".zt"):
            raise InvalidOptionError(f"{path}: expected a name that ends with .zt")
        keep(self, path)


def counts_between(
    seen: Any, entry: AnyArray, first: int, last: int, positions: Int64Array | None = None
) -> dict[str, int]:
    """The counts of entries ``first … last − 1``; ``seen`` is what :func:`view_of` gives."""
    keys = np.zeros(1, np.int64) if positions is None else positions
    starts = range(first, max(first + 1, last), COUNTED)
    rows = [np.array([0] * 4 + [NO_DISTANCE] * 3, np.int64) for _ in starts]
    calls = [
        (keys, entry, row, start, min(start + COUNTED, last), bits_of(entry))
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
