"""A solved game on disk: look a position up, play on from there, go through all of them."""

import os
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import numpy as np

from zermelo.errors import FormatError, InvalidRulesError, UnknownPositionError, ZermeloError
from zermelo.labels import NO_DISTANCE, Label
from zermelo.rules.base import Rules
from zermelo.rules.explore import explore
from zermelo.rules.faults import blaming
from zermelo.solutions.answers import Line
from zermelo.tables.access import (
    access,
    positions_between,
    rules_class,
    rules_digest,
    rules_name,
    rules_of,
)
from zermelo.tables.codes import ABSENT, LABEL, LOSE_IN, WIN
from zermelo.tables.file import BLOCK, TableFile

Progress = Callable[[int, int, str], object]

COUNTS = ("positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose")

NAMES = {1: "win", -1: "lose"}

VAIN = 20_000
"""So many entries in a row that are of no position are no chance."""


@dataclass(frozen=True)
class Entry:
    """What a table knows of a position, as the player to move there sees it."""

    position: Hashable
    label: Label
    distance: int
    """Plies to the end under best play, ``NO_DISTANCE`` where play may go on for ever."""
    _table: "Table" = field(repr=False, compare=False)
    _place: tuple[Any, int] = field(repr=False, compare=False)

    @property
    def value(self) -> str:
        """``win``, ``lose``, ``tie`` (drawn where play ends) or ``draw`` (by infinite play)."""
        drawn = "tie" if self.distance != NO_DISTANCE else "draw"
        return NAMES.get(int(self.label), drawn)

    @cached_property
    def best_moves(self) -> tuple[Hashable, ...]:
        """What the best moves lead to, as text if the position was asked for as text."""
        position, kind = self._place
        with blaming(self._table.rules):
            best = self._table._best(position, kind, self.distance)
            text = isinstance(self.position, str) and not isinstance(position, str)
            return tuple(map(self._table.rules.show, best)) if text else tuple(best)

    def __str__(self) -> str:
        show = self._table.rules.show
        end = f" in {self.distance}" if self.distance != NO_DISTANCE else ""
        moves = ", ".join(x if isinstance(x, str) else show(x) for x in self.best_moves)
        shown = self.position if isinstance(self.position, str) else show(self.position)
        return f"{shown}: {self.value.upper()}{end}" + (f" by {moves}" if moves else "")


class Table:
    """A table that :func:`~zermelo.build` made; ``rules`` are found by name unless given.

    >>> import tempfile, zermelo as zm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = zm.build("tictactoe", f"{folder}/tictactoe.zt")
    ...     found = table.probe(table.rules.start())
    ...     table.close()
    >>> found.value, found.distance
    ('tie', 9)
    """

    def __init__(self, path: str | os.PathLike[str], rules: Any = None) -> None:
        self._file = TableFile(path)
        try:
            self.rules = self._checked(rules)
            self.header = self._file.header
            self._symmetry = bool(self.header["symmetry"])
            self._descent = bool(self.header["descent"])
            numbers = [self.header["stored"], *map(self.header["counts"].__getitem__, COUNTS)]
            if not all(type(x) is int and x >= 0 for x in numbers):
                raise FormatError("the header counts with other than numbers", path=self.path)
            keys = self._file.layout.keys
            self._access = access(self.rules, keys, self._symmetry, self._descent)
        except KeyError as error:
            self.close()
            raise FormatError(f"the header lacks {error}", path=self.path) from None
        except (AttributeError, TypeError) as error:
            self.close()
            raise FormatError(f"the header is damaged: {error}", path=self.path) from None
        except BaseException:
            self.close()
            raise

    def _checked(self, rules: Any) -> Any:
        """The rules that the file was built with; others are refused."""
        said = self._file.header["rules"]
        if rules is None:
            if said["game"] is None:
                raise InvalidRulesError(
                    f"{self.path}: it was built with rules of the class {said['class']!r}; "
                    "give them, as in zm.Table(path, rules=…)"
                )
            rules = said["game"]
        rules = rules_of(rules)
        if rules_digest(rules) != said["digest"]:
            name, asked = said["game"] or said["class"], rules_name(rules)
            if _parameters(name) != _parameters(asked) or said["class"] != rules_class(rules):
                raise InvalidRulesError(f"{self.path}: it is a table of {name}, not of {asked}")
            raise InvalidRulesError(
                f"{self.path}: it was built with other rules than {name} has now; build it again"
            )
        return rules

    @property
    def path(self) -> str:
        """Where the file is."""
        return self._file.path

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._file.size

    def counts(self) -> dict[str, int]:
        """How many positions win, lose, tie and draw, and the longest roads; no entry is read."""
        return {name: self.header["counts"][name] for name in COUNTS}

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

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
        c = self.counts()
        parts = [f"{c[k]:,} {k}" for k in ("win", "lose", "tie", "draw") if c[k]]
        said = self.header["rules"]
        return f"Table({said['game'] or said['class']}: {', '.join(parts)})"

    # ---------------------------------------------------------------- one position

    def probe(self, position: Any) -> Entry:
        """The entry of a position, given as the rules have it or as their text.

        One that the table does not have is an :class:`~zermelo.errors.UnknownPositionError`.
        """
        return self._found(position)[1]

    def numbered(self, position: Any) -> tuple[int, Entry]:
        """The number of a position's entry in the file, from 0 on, and the entry."""
        key, found = self._found(position)
        return (key if self._file.layout.keys == "index" else self._file.find(key)), found

    def _found(self, position: Any) -> tuple[Any, Entry]:
        """The key and the entry of a position."""
        with blaming(self.rules):
            own = self._position(position)
            key = self._access.key(own)
        kind, distance = (ABSENT, NO_DISTANCE) if key is None else self._file.look(key)
        if kind == ABSENT:
            raise UnknownPositionError(f"{self.path}: the table has no position {position!r}")
        with blaming(self.rules):
            return key, self._entry(position, own, kind, distance)

    def __getitem__(self, position: Any) -> Entry:
        return self.probe(position)

    def line(self, position: Any, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat."""
        here = self.probe(position)
        line, seen = Line([position]), {position: 0}
        while (limit is None or len(line) <= limit) and here.best_moves:
            here = self.probe(here.best_moves[0])
            line.append(here.position)
            if here.position in seen:
                line.cycle = seen[here.position]
                break
            seen[here.position] = len(line) - 1
        return line

    def _position(self, given: Any) -> Any:
        """A position of the rules, from such or from text."""
        if not isinstance(given, str):
            return given
        if getattr(self.rules.parse, "__func__", None) is Rules.parse:  # plain, and cannot read
            return self._named.get(given, given)
        try:
            return self.rules.parse(given)
        except ZermeloError:
            raise
        except Exception as error:  # of rules that do not look at what they read
            such = self.rules.show(self.rules.start())
            raise UnknownPositionError(
                f"{self.path}: expected a position such as {such!r}, got {given!r}: "
                f"{type(error).__name__}: {error}"
            ) from error

    @cached_property
    def _named(self) -> dict[str, Any]:
        """The positions of plain rules by their texts; such games are small."""
        graph, _ = explore(self.rules, symmetry=self._symmetry)
        return {self.rules.show(x): x for x in graph.names or ()}

    def _entry(self, shown: Any, position: Any, kind: int, distance: int) -> Entry:
        if kind == WIN:
            distance = self._win_distance(position)
        return Entry(shown, Label(LABEL[kind]), distance, self, (position, kind))

    def _win_distance(self, position: Any) -> int:
        """1 + the least distance of a lost position that a move leads to; 0 where play is over."""
        options = self._access.options(position)
        if not options:
            return 0
        lost = [d for kind, d in (self._file.look(key) for _, key, _ in options) if kind == LOSE_IN]
        return 1 + min(lost, default=NO_DISTANCE - 1)

    def _best(self, position: Any, kind: int, distance: int) -> list[Any]:
        """All moves that keep the value and, where there is a distance, its best course."""
        wanted = distance - 1 if distance != NO_DISTANCE else NO_DISTANCE
        best = []
        for option, key, sign in self._access.options(position):
            there, far = self._file.look(key)
            if sign * LABEL[there] == LABEL[kind]:
                if there == WIN:
                    far = self._win_distance(option)
                if far == wanted:
                    best.append(option)
        return best

    # ---------------------------------------------------------------- all positions

    def verify(
        self, samples: int | None = None, *, progress: Progress | None = None, seed: int = 0
    ) -> int:
        """Check entries by the rules alone, all or some; see :mod:`zermelo.verify.table`.

        Returns how many positions were looked at; raises
        :class:`~zermelo.errors.CertificateError` where an entry is wrong.
        """
        from zermelo.verify.table import check_table

        return check_table(self, samples, progress=progress, seed=seed)

    def __len__(self) -> int:
        """How many positions have entries; with symmetry, one of those that look alike."""
        return int(self.header["stored"])

    @property
    def entries(self) -> int:
        """How many entries the file has, also such of no position."""
        return self._file.layout.entries

    def absent(self) -> Any:
        """A position that has an index, but no entry; None without such."""
        if self._file.layout.keys == "index":
            for number in range(self._file.layout.blocks):
                block = self._file.block(number)
                found = self._positions_of(number, 0, block.kind.size)
                for position, kind in zip(found, block.kind.tolist(), strict=True):
                    if position is not None and kind == ABSENT:
                        return position
        return None

    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of the file, with the kind and distance of the entry."""
        for number in range(self._file.layout.blocks):
            block = self._file.block(number)
            found = self._positions_of(number, 0, block.kind.size)
            for position, kind, far in zip(
                found, block.kind.tolist(), block.distance.tolist(), strict=True
            ):
                if position is not None and kind != ABSENT:
                    yield position, kind, far

    def _positions_of(self, number: int, start: int, stop: int) -> list[Any]:
        """Positions of entries of a block, None for an index that is none."""
        block = self._file.block(number)
        if block.texts is not None:
            return [self._named[text] for text in block.texts[start:stop]]
        if block.numbers is not None and self._file.layout.keys == "positions":
            return list(block.numbers[start:stop].tolist())
        if block.numbers is not None:
            return [self.rules.unrank(i) for i in block.numbers[start:stop].tolist()]
        first = number * BLOCK
        found = positions_between(self.rules, first + start, first + stop, self._descent)
        return [x if x >= 0 else None for x in found.tolist()]

    def sample(self, count: int, seed: int = 0) -> Iterator[Any]:
        """Positions taken at random, repeats not excluded."""
        choose = np.random.default_rng(seed)
        vain = 0
        while count:
            vain += 1
            if vain > VAIN:
                raise FormatError("expected positions, the entries are of none", path=self.path)
            number = int(choose.integers(self._file.layout.blocks))
            block = self._file.block(number)
            i = int(choose.integers(block.kind.size))
            position = self._positions_of(number, i, i + 1)[0]
            if position is not None and block.kind[i] != ABSENT:
                count, vain = count - 1, 0
                yield position

    def __iter__(self) -> Iterator[Entry]:
        """All entries in the order of the file, by index or sorted."""
        for position, kind, distance in self.kinds():
            yield self._entry(position, position, kind, distance)


def _parameters(name: str) -> str:
    """A game's name and parameters; of a file of rules, wherever it is, its name and what follows.

    >>> _parameters("nim:1,2"), _parameters("games/push.py:5")
    ('nim:1,2', 'push.py:5')
    """
    file, suffix, rest = name.rpartition(".py")
    return f"{os.path.basename(file)}{suffix}{rest}" if suffix else name
