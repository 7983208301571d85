"""A solved game on disk: look up a position, play from there, iterate over all positions."""

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from zermelo._inputs.values import shown, whole_number
from zermelo._runtime import memory
from zermelo._runtime.threads import in_order
from zermelo.errors import FormatError, InvalidRulesError, LimitError
from zermelo.labels import Int32Array, Int64Array
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.explore import explore
from zermelo.solutions.answers import Answer
from zermelo.tables.building.disk_errors import writing
from zermelo.tables.building.folder import located
from zermelo.tables.probing.access import (
    Access,
    ByNumber,
    access,
    has_descent,
    positions_between,
    positions_of,
    rules_class,
    rules_digest,
    rules_name,
    rules_of,
)
from zermelo.tables.probing.block_cache import BLOCK, CACHE, distance_type
from zermelo.tables.probing.compiled_probe import Quick, QuickAhead
from zermelo.tables.probing.lookups import SolvedRules
from zermelo.tables.probing.many_answers import LABEL_OF
from zermelo.tables.probing.successors import Ahead
from zermelo.tables.solved import has_index
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_TIED, KIND_WIN, UInt8Array
from zermelo.tables.storage.layout import VERIFIED
from zermelo.tables.storage.recorded import recorded_rules
from zermelo.tables.storage.tier_file import TierFile, open_file
from zermelo.verify.tables.decoded import ABSENT, TIED, UNKNOWN, Decoded

MOST_MISSES = 20_000
"""If this many random entries one after the other belong to no position, the file is wrong."""

NOT_TIMED = nullcontext()

SAMPLED = 1 << 14
"""Random entries that are read together."""


class Table(SolvedRules):
    """A table that :func:`~zermelo.build` made.

    ``rules`` need not be given for a game of :func:`~zermelo.game`, which the table names. Rules of
    your own must be given, because a table runs no code: rules, or their text such as
    ``"strip.py:5"``.

    ``path`` is a file, or a directory with a file for each tier of a game. There the rules say
    which game is meant; they need not be given if all files are tiers of one game.

    ``cache`` is the number of bytes of decoded blocks that are kept, 256 MiB unless given. Several
    threads may use one table. Several processes that open the same file share its compressed bytes
    in the page cache of the operating system; decoded blocks belong to one process. A table can be
    pickled and copied: the copy opens the same file.

    >>> import tempfile, zermelo as zm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = zm.build("tictactoe", f"{folder}/tictactoe.zt")
    ...     found = table.probe(table.rules.start())
    ...     table.close()
    >>> found.outcome, found.distance
    ('tie', 9)
    """

    def __init__(
        self, path: str | os.PathLike[str], rules: Any = None, *, cache: int = CACHE
    ) -> None:
        self._cache_size = whole_number(cache, "cache")
        self._file = open_file(located(path, rules), self._cache_size)
        try:
            self.rules = self._checked(rules)
            self.header = self._file.header
            self.symmetry, self._descent = self.header["symmetry"], self.header["descent"]
            layout = self._file.layout
            self.distances = CONVERSION if layout.conversion else not layout.alone
            self._check_layout()
            facts = layout.keys, self.symmetry, self._descent, layout.conversion
            self._accessor = access(self.rules, *facts)
        except BaseException:
            self.close()
            raise

    def _checked(self, rules: Any) -> Any:
        """The rules that the file was built with; others are refused."""
        stored = self._file.header["rules"]
        if rules is None:
            rules = recorded_rules(stored["game"], stored["class"], self.path)
        rules = rules_of(rules)
        conversion = self._file.layout.conversion
        if rules_digest(rules, conversion=conversion) != stored["digest"]:
            name, given = stored["game"] or stored["class"], rules_name(rules)
            if _parameters(name) != _parameters(given) or stored["class"] != rules_class(rules):
                raise InvalidRulesError(f"{self.path}: it is a table of {name}, not of {given}")
            raise InvalidRulesError(
                f"{self.path}: it was built with other rules than {name} has now; build it again"
            )
        return rules

    def _check_layout(self) -> None:
        """Refuse a layout that these rules cannot have, before a kernel sees its numbers."""
        rules, layout = self.rules, self._file.layout
        fault = ""
        if isinstance(rules, CompiledRules) == (layout.keys == "texts"):
            fault = f"keys that are {layout.keys}"
        elif layout.keys in ("index", "indices"):
            size = rules.size if has_index(rules, self.symmetry) else 0
            sound = layout.entries == size if layout.keys == "index" else layout.entries <= size
            fault = "" if sound else f"{layout.entries:,} entries for {size:,} indices"
        if self._descent and not has_descent(rules):
            fault = "descent, which needs unmoves"
        if fault:
            raise FormatError(
                f"the header is damaged: it has {fault}, and its rules do not", path=self.path
            )
        if layout.keys == "indices":
            self._file.key_limit = rules.size

    @property
    def path(self) -> str:
        """Where the file is."""
        return self._file.path

    @property
    def location(self) -> str:
        """Where the file is."""
        return self._file.path

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._file.size

    @property
    def files(self) -> set[str]:
        """The names of all files that have entries of the table."""
        if isinstance(self._file, TierFile):
            return {record["file"] for record in self._file.records}
        return {os.path.basename(self.path)}

    @property
    def keyword(self) -> str | None:
        """The keyword of the objective that was asked for, None for that of the rules."""
        keyword: str | None = self.header["objective"]
        return keyword

    @property
    def unverified(self) -> bool:
        """Whether this is a table of a user's rules whose entries were not all checked.

        That is done before a table gets its name, unless it was asked not to.
        """
        return self.header.get(VERIFIED) is False

    def counts(self) -> dict[str, int]:
        """How many positions win, lose, tie and draw, and the longest ways; no entry is read.

        A table of labels alone has no longest ways.
        """
        return self._file.counts()

    def tier_counts(self) -> dict[str, dict[str, int]]:
        """The counts of each tier by the name of its game, if each tier has its own file.

        Otherwise these are the counts of the whole game.
        """
        if isinstance(self._file, TierFile):
            names, records = self._file.count_names, self._file.records
            return {x["game"]: {name: x["counts"][name] for name in names} for x in records}
        return {rules_name(self.rules): self.counts()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Copy the file; the copy appears when it is whole."""
        target = Path(os.path.realpath(path))
        fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            with writing(fresh, target, "the table"):
                self._file.copy(fresh)
                fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, and what is pickled, opens the file again; its blocks are not kept."""
        return partial(Table, cache=self._cache_size), (self.path, self.rules)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        stored = self.header["rules"]
        kind = {False: ", labels alone", CONVERSION: ", distances to conversion"}
        more = kind.get(self.distances, "")
        doubt = ", not verified" if self.unverified else ""
        return f"Table({stored['game'] or stored['class']}: {self._summary()}{more}{doubt})"

    # ---------------------------------------------------------------- entries

    @property
    def _access(self) -> Access:
        return self._accessor

    @cached_property
    def _named(self) -> dict[str, Any]:
        """The positions of plain rules by their texts; such games are small."""
        try:
            graph, _ = explore(self.rules, limit=self.entries, symmetry=self.symmetry)
        except LimitError:
            message = f"expected an entry for each position, got {self.entries:,} for more"
            raise FormatError(message, path=self.path) from None
        return {self.rules.show(x): x for x in graph.names or ()}

    @cached_property
    def _quick(self) -> Quick | None:
        """Machine code that answers at one position, if the rules are compiled."""
        access = self._accessor
        return Quick(access, self._file) if isinstance(access, ByNumber) else None

    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position, given as the rules have it or as their text.

        A position that has no entry is an :class:`~zermelo.errors.UnknownPositionError`.
        """
        with self._timed():
            return super().at(position, player)

    def _ahead(self, own: Any) -> Ahead | None:
        quick = self._quick
        if quick is None or (found := quick.find(own)) is None:
            return super()._ahead(own)
        return None if found[0] == KIND_ABSENT else QuickAhead(self, own, found, quick)

    def _shown_best(self, find: Callable[[], list[Any]], as_text: bool) -> tuple[Hashable, ...]:
        with self._timed():
            return super()._shown_best(find, as_text)

    def _timed(self) -> AbstractContextManager[Any]:
        """Time what may soon be worth machine code."""
        quick = self._quick
        return NOT_TIMED if quick is None or not quick.waits else quick

    def _look(self, key: Any) -> tuple[int, int]:
        return self._file.look(key)

    def _look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        if self._file.layout.keys == "texts":
            return super()._look_many(keys)
        return self._file.look_many(keys)

    def _number(self, key: Any) -> int:
        return int(key) if self._file.layout.keys == "index" else self._file.find(key)

    def __len__(self) -> int:
        """How many positions have entries; with symmetry, one of those that look alike."""
        return int(self.header["stored"])

    @property
    def entries(self) -> int:
        """How many entries the file has, also those of no position."""
        return self._file.layout.entries

    def decoded(self) -> Decoded:
        """All entries of compiled rules as arrays."""
        layout = self._file.layout
        if layout.keys == "texts":
            message = "expected a table of compiled rules, got one of plain rules"
            raise InvalidRulesError(f"{self.path}: {message}")
        each = 5 if layout.keys == "index" else 13
        memory.require(each * layout.entries, "reading all entries", "use a larger machine")
        label = np.zeros(layout.entries, np.int8)
        distance = np.zeros(layout.entries, distance_type(layout.scales, 1))  # a win is farther
        keys = None if layout.keys == "index" else np.zeros(layout.entries, np.int64)
        for number, block in enumerate(in_order(self._file.read, range(layout.blocks))):
            part = slice(number * BLOCK, number * BLOCK + block.kind.size)
            label[part], distance[part] = LABEL_OF[block.kind], block.distance
            distance[part][block.kind == KIND_WIN] = UNKNOWN
            distance[part][block.kind == KIND_TIED] = TIED
            label[part][block.kind == KIND_ABSENT] = ABSENT
            if keys is not None:
                assert block.numbers is not None
                keys[part] = block.numbers
            elif self.rules.reachable:
                positions = positions_between(self.rules, part.start, part.stop, self._descent)
                label[part][positions < 0] = ABSENT
        return Decoded(label, distance, keys, layout.keys != "positions")

    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of the file, with kind and distance of the entry."""
        for number in range(self._file.layout.blocks):
            block = self._file.block(number)
            positions = self._positions_of(number, 0, block.kind.size)
            for position, kind, distance in zip(
                positions, block.kind.tolist(), block.distance.tolist(), strict=True
            ):
                if position is not None and kind != KIND_ABSENT:
                    yield position, kind, distance

    def _positions_of(self, number: int, start: int, stop: int) -> list[Any]:
        """Positions of entries of a block, None for an index that is no position."""
        block = self._file.block(number)
        if block.texts is not None:
            texts = block.texts[start:stop]
            if (unknown := next((x for x in texts if x not in self._named), None)) is not None:
                message = f"block {number} has an entry of {shown(unknown)}, which is no position"
                raise FormatError(message, path=self.path)
            return [self._named[text] for text in texts]
        if block.numbers is not None and self._file.layout.keys == "positions":
            return list(block.numbers[start:stop].tolist())
        if block.numbers is not None:
            positions = positions_of(self.rules, block.numbers[start:stop], descent=False)
        else:
            first = number * BLOCK
            positions = positions_between(self.rules, first + start, first + stop, self._descent)
        return [x if x >= 0 else None for x in positions.tolist()]

    def sample(self, count: int, seed: int = 0) -> Iterator[Any]:
        """Positions taken at random, repeats not excluded."""
        choose = np.random.default_rng(seed)
        misses = 0
        while count and self.entries:
            places = choose.integers(self.entries, size=min(max(count, 16), SAMPLED))
            kind, _ = self._file.entries(places)
            found = [x for x in self._positions_at(places[kind != KIND_ABSENT]) if x is not None]
            yield from found[:count]
            count -= min(count, len(found))
            misses = 0 if found else misses + places.size
            if misses > MOST_MISSES:
                raise FormatError("expected entries of positions, got none", path=self.path)

    def _positions_at(self, places: Int64Array) -> list[Any]:
        """The positions of some entries, None for an index that is no position."""
        if self._file.layout.keys == "index":
            positions = positions_of(self.rules, places, self._descent)
            return [x if x >= 0 else None for x in positions.tolist()]
        split = (divmod(place, BLOCK) for place in places.tolist())
        return [self._positions_of(number, i, i + 1)[0] for number, i in split]


def _parameters(name: str) -> str:
    """A game's name and parameters; of a file of rules its name without the directory.

    >>> _parameters("nim:1,2"), _parameters("games/push.py:5")
    ('nim:1,2', 'push.py:5')
    """
    file, suffix, rest = name.rpartition(".py")
    return f"{os.path.basename(file)}{suffix}{rest}" if suffix else name
