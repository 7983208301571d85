"""All positions of a solved game, in the order of their entries."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo._runtime import memory
from zermelo._runtime.threads import in_order
from zermelo.errors import FormatError, InvalidOptionError, InvalidRulesError
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import blaming
from zermelo.tables.probing.access import mover, position_finder, positions_of
from zermelo.tables.probing.block_cache import BLOCK, distance_type
from zermelo.tables.probing.lookups import Lookups
from zermelo.tables.probing.many_answers import LABEL_OF, TIES, chosen
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_TIED, KIND_WIN, LABELS
from zermelo.verify.tables.decoded import ABSENT, TIED, UNKNOWN, Decoded

MAX_MISSES = 20_000
"""If this many random entries one after the other belong to no position, the file is wrong."""

MAX_SAMPLED = 1 << 14
"""Random entries that are read together."""


OUTCOME_OF = np.array([("draw", "win", "lose")[label] for label in LABELS])
OUTCOME_OF[list(TIES)] = "tie"
"""The outcome of each kind."""


class Listing(Lookups):
    """The positions of all entries."""

    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of their entries, with kind and distance of the entry."""
        for positions, kind, distance in self._parts():
            yield from zip(positions, kind.tolist(), distance.tolist(), strict=True)

    def _parts(self) -> Iterator[tuple[list[Any], AnyArray, AnyArray]]:
        """Positions, kinds and distances of their entries, block by block."""
        for number in range(self.storage.layout.blocks):
            block = self.storage.block(number)
            first, keys = number * BLOCK, block.keys
            keys = np.arange(first, first + block.kind.size) if keys is None else keys
            positions = self._positions(number, keys)
            there = [
                i for i in np.flatnonzero(block.kind != KIND_ABSENT).tolist()
                if positions[i] is not None
            ]  # fmt: skip
            yield [positions[i] for i in there], block.kind[there], block.distance[there]

    def _positions(self, number: int, keys: Any) -> list[Any]:
        """The positions of keys of a block, None for an index that is no position."""
        if self.storage.layout.keys == "texts":
            if (unknown := next((x for x in keys if x not in self._named), None)) is not None:
                message = f"block {number} has an entry of {shown(unknown)}, which is no position"
                raise FormatError(message, path=self.location)
            return [self._named[text] for text in keys]
        if self.storage.layout.keys in ("positions", "names"):
            return keys.tolist() if isinstance(keys, np.ndarray) else list(keys)
        descent = self._descent and self.storage.layout.keys == "index"
        return [x if x >= 0 else None for x in positions_of(self.rules, keys, descent).tolist()]

    def decoded(self) -> Decoded:
        """All entries of compiled rules as arrays."""
        storage, layout = self.storage, self.storage.layout
        if not isinstance(self.rules, CompiledRules):
            message = "expected a table of compiled rules, got one of plain rules"
            raise InvalidRulesError(f"{self.location}: {message}")
        indexed = layout.keys == "index"
        memory.require(
            (5 if indexed else 13) * layout.entries, "reading all entries", "use a larger machine"
        )
        label = np.zeros(layout.entries, np.int8)
        distance = np.zeros(layout.entries, distance_type(layout.scales, 1))  # a win is farther
        keys = None if indexed else np.zeros(layout.entries, np.int64)
        find = position_finder(self.rules, self._descent)
        for number, block in enumerate(in_order(storage.read, range(layout.blocks))):
            part = slice(number * BLOCK, number * BLOCK + block.kind.size)
            label[part], distance[part] = LABEL_OF[block.kind], block.distance
            distance[part][block.kind == KIND_WIN] = UNKNOWN
            distance[part][block.kind == KIND_TIED] = TIED
            label[part][block.kind == KIND_ABSENT] = ABSENT
            if keys is not None:
                keys[part] = block.keys
            elif self.rules.reachable:
                label[part][find(np.arange(part.start, part.stop)) < 0] = ABSENT
        return Decoded(label, distance, keys, layout.keys != "positions")

    def sample(self, count: int, seed: int = 0) -> Iterator[Any]:
        """Positions taken at random, repeats not excluded."""
        choose, storage = np.random.default_rng(seed), self.storage
        misses = 0
        while count and storage.stored:
            places = storage.random_places(choose, min(max(count, 16), MAX_SAMPLED))
            found = [x for x in self._positions_at(places) if x is not None]
            yield from found[:count]
            count -= min(count, len(found))
            misses = 0 if found else misses + places.size
            if misses > MAX_MISSES:
                raise FormatError("expected entries of positions, got none", path=self.location)

    def _positions_at(self, places: Int64Array) -> list[Any]:
        """The positions of some entries by their numbers, None for none."""
        found: list[Any] = [None] * places.size
        order = np.argsort(places, kind="stable")
        numbers = places[order] // BLOCK
        for part in np.split(order, np.flatnonzero(np.diff(numbers)) + 1):
            number = int(places[part[0]]) // BLOCK
            block = self.storage.block(number)
            inside = places[part] - number * BLOCK
            present = block.kind[inside] != KIND_ABSENT
            part, inside = part[present], inside[present]
            keys = number * BLOCK + inside if block.keys is None else chosen(block.keys, inside)
            for i, position in zip(part.tolist(), self._positions(number, keys), strict=True):
                found[i] = position
        return found

    # ---------------------------------------------------------------- as arrays and tables

    @property
    def label(self) -> Int8Array:
        """The labels of all positions, in the order of iteration."""
        if self._on_graph is not None:
            return self._on_graph.label
        return np.array(self._columns()["label"], np.int8)

    @property
    def distance(self) -> Int32Array:
        """The distances of all positions, in the order of iteration."""
        if self._on_graph is not None:
            return self._on_graph.distance
        return np.array(self._columns()["distance"], np.int32)

    @property
    def value(self) -> AnyArray:
        """The values of all positions, in the order of iteration; see :class:`~zermelo.Answer`."""
        if self._on_graph is not None:
            return self._on_graph.value
        return np.array(self._columns()["value"], np.int64)

    @property
    def winner(self) -> Any:
        """Who wins each position of a game whose rules tell the players apart: 0, 1 or −1."""
        return self._solution_member("winner")

    @property
    def credit(self) -> Any:
        """The least credits of an energy game; :class:`~zermelo.Energy`."""
        return self._solution_member("credit")

    def _solution_member(self, name: str) -> Any:
        found = getattr(self._on_graph, name, None)
        if found is None:
            raise InvalidOptionError(f"{self.location}: there is no {name}; see .solution")
        return found

    @property
    def move(self) -> list[Any]:
        """A best move of each position in the order of iteration, None where play has ended.

        A move is the position that it leads to, as the rules have it.
        """
        if (solution := self._on_graph) is not None:
            moves = solution.move.reshape(-1).tolist()
            return [None if w < 0 else solution.graph.name(w) for w in moves]
        found: list[Any] = []
        for positions, _, _ in self._parts():
            found += self.probe_many(positions, moves=True).move
        return found

    def rows(self) -> Iterator[tuple[list[Any], ...]]:
        """Positions of the rules, labels, distances and outcomes, block by block."""
        for positions, kind, distance in self._parts():
            wins, far = np.flatnonzero(kind == KIND_WIN), distance.astype(np.int32)
            with blaming(self.rules):
                far[wins] = self._win_distances(chosen(positions, wins))
            yield positions, LABEL_OF[kind].tolist(), far.tolist(), OUTCOME_OF[kind].tolist()

    def _columns(self) -> dict[str, Any]:
        """The columns of entries; positions are those of the rules."""
        names = ("position", "label", "distance", "outcome")
        found: dict[str, list[Any]] = {name: [] for name in names}
        for part in self.rows():
            for name, column in zip(names, part, strict=True):
                found[name] += column
        with blaming(self.rules):
            owner = [mover(self.rules, x) for x in found["position"]]
        found["value"] = [-x if y else x for x, y in zip(found["label"], owner, strict=True)]
        if self._tells_players_apart:
            found["player"] = [int(x or 0) for x in owner]
        if self.distances is True:  # then distances tell ties from draws
            del found["outcome"]
        return found

    def columns(self) -> dict[str, Any]:
        """The answer as columns; positions are the texts by which they can be asked for.

        Where ties have no distances there is a column of outcomes, too: it tells ties from draws.
        """
        found = self._columns() if self._on_graph is None else dict(self._on_graph.columns())
        with blaming(self.rules):
            return {**found, "position": list(map(self.rules.show, found["position"]))}
