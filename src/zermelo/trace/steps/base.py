"""What all traces have in common: steps in their order, as a table and as plain data."""

import dataclasses
import itertools
from abc import ABC
from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any, ClassVar

from zermelo._inputs import page
from zermelo.graph import Graph
from zermelo.labels import Label
from zermelo.objectives.terminal_form import plain
from zermelo.solutions.answers import Line

Row = tuple[object, ...]
"""A row of a table; None stands for nothing."""

MOST_ROWS = 40
"""The number of rows that a notebook shows."""


class Steps(ABC):
    """The steps of a method on a game, in their order; made by :func:`zermelo.trace`.

    ``for step in steps`` gives each step, ``str(step)`` is a sentence. With a ``position``,
    :meth:`rows` and :meth:`records` give only what concerns this position. A subclass has a list
    ``steps`` of dataclasses, or its own methods.
    """

    graph: Graph
    steps: list[Any]
    columns: ClassVar[tuple[str, ...]] = ()
    """The attributes of a step that are columns of a table."""
    places: ClassVar[str] = "region"
    """The attribute of a step that has the positions which it concerns."""
    key: ClassVar[str] = "steps"
    """The name of the list of steps in JSON."""

    sections: ClassVar[bool] = False
    """Whether rows with the same first cell belong together."""

    def __iter__(self) -> Iterator[Any]:
        """The steps."""
        return iter(self.steps)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of :meth:`rows`."""
        return self.columns

    def rows(self, position: Hashable | None = None) -> Iterator[Row]:
        """The steps as rows of a table."""
        for step in self._about(position):
            yield tuple(_cell(getattr(step, name)) for name in self.columns)

    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The steps as plain data (JSON types)."""
        return map(plain_record, self._about(position))

    def _about(self, position: Hashable | None) -> Iterator[Any]:
        """The steps that concern a position, or all."""
        name = self._known(position)
        return (x for x in self if name is None or name in getattr(x, self.places))

    def _known(self, position: Hashable | None) -> Hashable | None:
        """The name of a position of the graph; an error if there is none."""
        return None if position is None else self.graph.name(self.graph.index(position))

    def facts(self) -> dict[str, Any]:
        """What JSON has beside the steps."""
        return {}

    def table(self, position: Hashable | None = None) -> tuple[tuple[str, ...], Iterator[Row]]:
        """The header and the rows for a reader; by default those of :meth:`rows`."""
        return self.header, self.rows(position)

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows as a table."""
        return rows_page(repr(self), self.header, self.rows())


def rows_page(caption: str, header: tuple[str, ...], rows: Iterator[Row]) -> str:
    """The first rows of a table in HTML.

    >>> rows_page("caption", ("a",), iter([(1,), (None,)])).count("<td")
    2
    """
    first = list(itertools.islice(rows, MOST_ROWS + 1))
    shown = [tuple("" if x is None else x for x in row) for row in first[:MOST_ROWS]]
    table = page.table(header, shown, "and more" if len(first) > MOST_ROWS else "")
    return page.block(page.caption(caption), table)


def plain_name(name: Hashable) -> str | int:
    """The name of a position for JSON.

    >>> plain_name("a"), plain_name((0, 1))
    ('a', '(0, 1)')
    """
    return name if isinstance(name, str | int) and not isinstance(name, bool) else str(name)


def plain_names(names: Iterable[Hashable]) -> list[str | int]:
    """The names of positions for JSON.

    >>> plain_names([0, (0, 1)])
    [0, '(0, 1)']
    """
    return [plain_name(x) for x in names]


def plain_record(thing: Any, names: Iterable[str] | None = None, **changed: Any) -> dict[str, Any]:
    """The fields of a dataclass as plain data, in their order or in that of ``names``.

    Names of positions become texts or integers, and a distance of −1 becomes None. ``changed`` has
    other entries for fields, and more of them.

    >>> from zermelo.trace.steps.pieces import Settled
    >>> plain_record(Settled(1, "exit", ("a", (0, 1)), won=("a",)))
    {'piece': 1, 'rule': 'exit', 'positions': ['a', '(0, 1)'], 'won': ['a'], 'lost': []}
    """
    if names is None:
        names = [field.name for field in dataclasses.fields(thing)]
    kept = (name for name in names if name not in changed)
    found = {name: _plain(name, getattr(thing, name)) for name in kept}
    return {name: changed.pop(name) if name in changed else found[name] for name in names} | changed


def _plain(name: str, entry: Any) -> Any:
    """An entry of a record as plain data."""
    if entry is None or (name == "distance" and entry < 0):
        return None
    if isinstance(entry, Label):
        return entry.name
    if isinstance(entry, IntEnum):
        return int(entry)
    if name in ("position", "move"):
        return plain_name(entry)
    if isinstance(entry, Line):
        return line_record(entry)
    if isinstance(entry, tuple):
        return plain_names(entry)
    if isinstance(entry, Mapping):
        return {str(key): x for key, x in entry.items()}
    return plain(entry) if name == "value" else entry


def line_record(line: Line) -> dict[str, Any]:
    """A play as plain data; ``cycle`` is the index from which it repeats.

    >>> line_record(Line("ab"))
    {'positions': ['a', 'b'], 'cycle': None}
    """
    return {"positions": plain_names(line), "cycle": line.cycle}


def _cell(entry: Any) -> Any:
    """An entry of a record as the cell of a table."""
    if isinstance(entry, tuple):
        return commas(entry)
    return int(entry) if isinstance(entry, IntEnum) else entry


def commas(names: Iterable[Hashable]) -> str | None:
    """Some names with commas between, None if there are none: the cell of a table.

    >>> commas("ab"), commas([])
    ('a,b', None)
    """
    return ",".join(map(str, names)) or None
