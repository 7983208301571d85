"""The moves of a game given by compiled rules, for the partitioned program.

Positions are numbered as their entries are in a table. If the rules have an index, and at least one
in ``SPARSE`` indices is a position, the number is the index; a number may belong to no position.
Otherwise the positions that play reaches are numbered by their sorted keys, which are indices or
canonical forms. Moves are generated as often as they are read, and stored only by the program.

A source may be restricted to some tiers, see :mod:`zermelo.engines.tiers.tiers`. Then it has only
the positions of these, numbered in the same order, and its moves to lower tiers are apart.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.positions.shares import NOWHERE, Listed, Scope, list_moves, movers
from zermelo._kernels.tables.begin import OPEN
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.guards import MAX_TIERS
from zermelo.engines.jobs.job import Job, Writer
from zermelo.engines.jobs.records import (
    EXPLORED,
    Malformed,
    check_range,
    seal_of,
    sized,
    whole,
)
from zermelo.engines.moves.source import Rows, Source
from zermelo.engines.partitions.keyed import Keys, Stored
from zermelo.engines.partitions.terms import Terms
from zermelo.errors import LimitError, SolverError
from zermelo.graph import Graph
from zermelo.labels import LARGEST_POSITION, AnyArray, Int8Array, Int64Array
from zermelo.objectives import Misere, NormalPlay, Objective
from zermelo.objectives.terminal_form import Layout, form_on
from zermelo.rules.compiled import CompiledRules, first_position, room_for
from zermelo.rules.faults import integer_of, wrong
from zermelo.tables.solving.solve import asked_objective, require_players
from zermelo.tables.storage.entries import has_index, view_of
from zermelo.tables.storage.save import SPARSE

MAX_POSITIONS = (1 << 31) - 2
"""Numbers of positions have 32 bits."""


class RulesSource(Source):
    """A game given by compiled rules; :meth:`explore` finds its positions."""

    def __init__(
        self, rules: Any, objective: Objective | None, symmetry: bool, header: dict[str, Any]
    ) -> None:
        """``header`` is that of the table, which says what the game is."""
        if not isinstance(rules, CompiledRules):
            raise SolverError(
                "plain rules are solved in memory, because their positions are objects of Python; "
                "write compiled rules (moves(position, out)) to use the disk"
            )
        self.rules, self.header, self.given = rules, header, objective
        self.asked = asked_objective(rules, objective)
        self._sign = -1 if isinstance(self.asked, Misere) else 1
        self._stuck: Objective | None = None
        if self.asked is None or isinstance(self.asked, NormalPlay | Misere):
            self.symmetry = symmetry and rules.has("canonical")
            self.view = view_of(rules, symmetry=self.symmetry)
            self.indexed = has_index(rules, self.symmetry)
            self.turns = not rules.has("player")
        else:
            require_players(rules, self.asked)
            self.symmetry, self.indexed, self.turns = symmetry, False, False
            self._stuck = self.asked
            self.view = view_of(rules, symmetry=symmetry, by_form=True)
        self.whole = self.indexed and not rules.reachable
        self.kind = "index" if self.indexed else "positions"
        self.n = int(rules.size) if self.indexed else 0
        self.on_counted: Callable[[int, int], object] | None = None
        """Called with the numbers of moves and of ends when all rows were read once."""
        self.exploration: Any = None
        """The search for the positions, if this process did it."""
        self._marks: Stored | None = None
        self.low = 0
        """The index with the number 0, if numbers are indices."""
        self.scope = Scope(int(self.whole), 0, MAX_TIERS)
        self.terms = self._terms()

    @property
    def plays_by_outcomes(self) -> bool:
        """Whether outcomes and stuck players decide everything, as in tables in memory."""
        return self._stuck is None

    def _terms(self) -> Terms:
        if self._stuck is not None:
            none = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int8)
            return Terms.of(form_on(self._stuck, Graph._of(*none)))
        return Terms(Layout.SYMMETRIC if self.turns else Layout.OWNED, (-1, 0, 1), 1, True)

    def name(self) -> str:
        """The digest of the rules and of what was asked for."""
        text = json.dumps(self.header, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    # ---------------------------------------------------------------- positions

    def explore(self, job: Job, exploring: Callable[["RulesSource"], Any]) -> None:
        """Find the positions, unless an earlier process did; ``exploring`` gives what does it."""
        if not self.whole:
            record = job.record(EXPLORED)
            if record is None:
                self.exploration = exploring(self)
                record = self._explored(job, self.exploration)
            else:
                self._check_found(job, record)
            self.adopt(job, record)
        if self.n > MAX_POSITIONS:
            raise LimitError(
                f"there are {self.n:,} positions or indices; the partitioned program has numbers "
                f"for {MAX_POSITIONS:,}"
            )

    def _check_found(self, job: Job, record: dict[str, Any]) -> None:
        """Refuse positions that are none, or are numbered in another way than these rules do."""
        end = int(self.rules.size) if self.indexed else LARGEST_POSITION + 1
        with job.reading(EXPLORED):
            found = whole(record["found"], "found", most=end)
            if record["kind"] != self._kind_of(found):
                raise Malformed(f"kind: expected {self._kind_of(found)!r}")
            marked = record["kind"] == "index"
            seal = sized(record["file"], "file", end if marked else 8 * found)
        job.check(seal)
        if not marked:
            with job.reading(seal[0]):
                keys = Stored(job.path(seal[0]), np.int64)
                check_range(keys, 0, end, "keys", rising=True)

    def adopt(self, job: Job, record: dict[str, Any]) -> None:
        """Take the positions from the file that the record of an exploration names."""
        self.kind = str(record["kind"])
        path = job.fetched(seal_of(record["file"]))
        if self.kind == "index":
            self._marks = Stored(path, np.uint8)
        else:
            self.n = int(record["found"])
            self.keys = Keys(Stored(path, np.int64), self.missing)

    def _explored(self, job: Job, exploration: Any) -> dict[str, Any]:
        """Find all positions, and write their keys or marks, and the record that names them."""
        try:
            exploration.explore(self.first_key())
            kind = self._kind_of(exploration.found)
            file = Writer(job, "marks" if kind == "index" else "keys")
            for piece in exploration.marks() if kind == "index" else exploration.keys():
                file.add(piece)
            record = {"found": exploration.found, "kind": kind, "file": file.close()}
            job.save(EXPLORED, record)
            exploration.clear()
        finally:
            exploration.close()
        return record

    def _kind_of(self, found: int) -> str:
        """How so many positions are numbered."""
        return "indices" if self.indexed and found * SPARSE < int(self.rules.size) else self.kind

    def first_key(self) -> int:
        """The key of the position in which play starts."""
        start = first_position(self.rules)
        if not self.indexed:
            return first_position(self.view, integer_of(self.view, "canonical", start))
        first, size = integer_of(self.view, "rank", start), int(self.rules.size)
        if not 0 <= first < size:
            expected = f"expected an index from 0 to {size - 1}"
            raise wrong(self.view, "rank", f"{expected}, got {first}", start)
        return first

    def missing(self, key: int) -> Exception:
        """The error of a move to a position that was not found before."""
        return wrong(
            self.rules,
            "moves",
            f"a move leads to {key}, which was not found before; moves and outcome must always "
            "give the same for the same position",
        )

    def keys_between(self, first: int, stop: int) -> Int64Array:
        """The keys of consecutive positions; −1 where an index is not reached."""
        if self.keys is not None:
            return self.keys.array[first:stop]
        first, stop = first + self.low, stop + self.low
        keys = np.arange(first, stop, dtype=np.int64)
        if self._marks is not None:
            keys[self._marks[first:stop] == 0] = -1
        return keys

    def movers(self, keys: Int64Array) -> Int8Array:
        """The players who move at positions; an empty array if they move in turn."""
        if self.terms.layout is Layout.SYMMETRIC:
            return np.empty(0, np.int8)
        mover = np.empty(keys.size, np.int8)
        bind(movers, self.view)(keys, mover)
        return mover

    # ---------------------------------------------------------------- moves

    def rows(self, most: int) -> Iterator[Rows]:
        """The moves of all positions, generated by the rules."""
        moves = ends = 0
        for rows in self.rows_between(0, self.n, most):
            moves, ends = moves + len(rows.moves.indices), ends + rows.ends.size
            yield rows
        if self.on_counted is not None:
            counted, self.on_counted = self.on_counted, None
            counted(moves, ends)

    def rows_between(self, first: int, stop: int, most: int) -> Iterator[Rows]:
        """The moves of consecutive positions."""
        size = max(1, min(most, stop - first))
        for start in range(first, stop, size):
            keys = self.keys_between(start, min(start + size, stop))
            for at, count, listed in self.listed(keys, most):
                yield self._rows(start + at, count, listed)

    def listed(self, keys: Int64Array, most: int) -> Iterator[tuple[int, int, Listed]]:
        """The moves of positions with these keys in pieces: where one begins, its size, the moves.

        The arrays of a piece are used again for the next one.
        """
        room = room_for(self.rules, "moves")
        size = keys.size
        out = np.zeros(room, np.int64)
        listed = Listed(
            np.zeros(size + 1, np.int64),
            np.zeros(max(room, min(most, size * room)), np.int64),
            np.zeros(size, np.int8),
            np.zeros(size, np.int8),
        )
        list_all = bind(list_moves, self.view)
        at = 0
        while at < size:
            count = int(list_all(keys[at:], out, listed, self.scope))
            if count < 0:
                self._refuse(int(keys[at + ~count]))
            yield at, count, listed
            at += count

    def _rows(self, first: int, count: int, listed: Listed) -> Rows:
        """The rows that a kernel has listed."""
        indptr = degrees = listed.indptr[: count + 1]
        targets: Any = listed.targets[: int(indptr[-1])]
        below = None
        if self.lookup is not None:
            lower = targets < 0
            below = Moves(_chosen(indptr, lower), ~targets[lower])
            indptr, targets = _chosen(indptr, ~lower), targets[~lower]
        if self.unmoves is not None:
            indptr, targets = np.zeros_like(degrees), targets[:0]
        if self.keys is None:
            targets = targets - self.low
            if targets.size and not 0 <= targets.min() <= targets.max() < self.n:
                outside = (targets < 0) | (targets >= self.n)
                raise self.missing(int(targets[outside][0]) + self.low)
            targets = targets.astype(np.int32)
        owned = self.terms.layout is Layout.OWNED
        owner = listed.mover[:count] if owned else np.empty(0, np.int8)
        if self._stuck is not None:
            form = form_on(self._stuck, Graph._of(degrees, np.empty(0, np.int32), owner))
            ends, codes = form.absorbing, form.absorbing_level
        else:
            over = (listed.ended[:count] != OPEN) & (listed.ended[:count] != NOWHERE)
            ends = np.flatnonzero(over).astype(np.int32)
            codes = self._sign * listed.ended[ends].astype(np.int32)
            codes = (codes * (1 - 2 * owner[ends]) if owned else codes) + 1
        absent = listed.ended[:count] == NOWHERE
        codes = codes.astype(np.int32)
        return Rows(first, Moves(indptr, targets), owner, ends, codes, degrees, below, absent)

    def _refuse(self, key: int) -> None:
        """The error of a move that the tiers do not allow."""
        position = int(self.rules.unrank(key)) if self.indexed else key
        message = "a move leads to a position of a higher tier, or to one that is none"
        raise wrong(self.rules, "tier", f"position {self.rules.show(position)}: {message}")


def _chosen(indptr: Int64Array, chosen: AnyArray) -> Int64Array:
    """The pointers to rows of which only the chosen elements are left."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(chosen)))[indptr]
