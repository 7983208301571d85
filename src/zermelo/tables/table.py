"""A solved game on disk: look up a position, play from there, iterate over all positions."""

import os
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from typing import Any, Self

from zermelo._inputs.values import shown, whole_number
from zermelo.errors import FormatError, InvalidRulesError, LimitError, UnknownPositionError
from zermelo.objectives import OBJECTIVES
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.explore import explore
from zermelo.solutions.answers import Answer
from zermelo.tables.building.disk_errors import appearing
from zermelo.tables.building.folder import located
from zermelo.tables.probing.access import (
    ByNumber,
    has_descent,
    recorded_rules,
    rules_class,
    rules_digest,
    rules_name,
    rules_of,
)
from zermelo.tables.probing.block_cache import CACHE_BYTES
from zermelo.tables.probing.compiled_probe import CompiledPosition, CompiledProbe
from zermelo.tables.probing.successors import ProbedPosition
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import KIND_ABSENT
from zermelo.tables.storage.entries import has_index
from zermelo.tables.storage.header import SUFFIX
from zermelo.tables.storage.layout import VERIFIED
from zermelo.tables.storage.tier_file import TierFile, open_file
from zermelo.verify.tables.game import ENDS

NOT_TIMED = nullcontext()


class Table(SolvedGame):
    """A solved game in a file or a directory that :func:`~zermelo.build` made.

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
        self, path: str | os.PathLike[str], rules: Any = None, *, cache: int = CACHE_BYTES
    ) -> None:
        self._cache_size = whole_number(cache, "cache")
        self._file = file = open_file(located(path, rules), self._cache_size)
        try:
            self.header, layout = file.header, file.layout
            keyword = self.header["objective"]
            asked = OBJECTIVES[keyword]() if keyword in ENDS else None
            rules = self._checked(rules)
            super().__init__(rules, file, symmetry=self.header["symmetry"], asked=asked)
            self._descent = self.header["descent"]
            self.distances = CONVERSION if layout.conversion else not layout.alone
            self._check_layout()
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

    def tier_counts(self) -> dict[str, dict[str, int]]:
        """The counts of each tier by the name of its game, if each tier has its own file.

        Otherwise these are the counts of the whole game.
        """
        if isinstance(self._file, TierFile):
            names, records = self._file.count_names, self._file.records
            return {x["game"]: {name: x["counts"][name] for name in names} for x in records}
        return {rules_name(self.rules): self.counts()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Copy the file, or write another kind of file; it appears when it is whole."""
        if os.path.splitext(path)[1] not in ("", SUFFIX):
            super().save(path)
            return
        with appearing(path, "the table") as fresh:
            self._file.copy(fresh)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, and what is pickled, opens the file again; its blocks are not kept."""
        return partial(Table, cache=self._cache_size), (self.path, self.rules)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        stored = self.header["rules"]
        kind = {False: ", labels alone", CONVERSION: ", distances to conversion"}
        more = kind.get(self.distances, "")
        doubt = ", not verified" if self.unverified else ""
        return f"Table({stored['game'] or stored['class']}: {self._summary()}{more}{doubt})"

    # ---------------------------------------------------------------- positions

    def _unknown(self, position: Any) -> UnknownPositionError:
        return UnknownPositionError(f"{self.location}: the table has no position {shown(position)}")

    def _names(self) -> Any:
        try:
            graph, _ = explore(self.rules, limit=self.entries, symmetry=self.symmetry)
        except LimitError:
            message = f"expected an entry for each position, got {self.entries:,} for more"
            raise FormatError(message, path=self.path) from None
        return graph.names or ()

    @cached_property
    def _compiled_probe(self) -> CompiledProbe | None:
        """Machine code that answers at one position, if the rules are compiled."""
        access = self._access
        return CompiledProbe(access, self._file) if isinstance(access, ByNumber) else None

    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position, given as the rules have it or as their text.

        A position that has no entry is an :class:`~zermelo.errors.UnknownPositionError`.
        """
        with self._timed():
            return super().at(position, player)

    def _probed(self, own: Any) -> ProbedPosition | None:
        quick = self._compiled_probe
        if quick is None or (found := quick.find(own)) is None:
            return super()._probed(own)
        return None if found[0] == KIND_ABSENT else CompiledPosition(self, own, found, quick)

    def _shown_best(self, find: Callable[[], list[Any]], as_text: bool) -> tuple[Hashable, ...]:
        with self._timed():
            return super()._shown_best(find, as_text)

    def _timed(self) -> AbstractContextManager[Any]:
        """Time what may soon be worth machine code."""
        quick = self._compiled_probe
        return NOT_TIMED if quick is None or not quick.waits else quick


def _parameters(name: str) -> str:
    """A game's name and parameters; of a file of rules its name without the directory.

    >>> _parameters("nim:1,2"), _parameters("games/push.py:5")
    ('nim:1,2', 'push.py:5')
    """
    file, suffix, rest = name.rpartition(".py")
    return f"{os.path.basename(file)}{suffix}{rest}" if suffix else name
