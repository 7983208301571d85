"""What all traces have in common: steps in their order, as a table and as plain data."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

from zermelo._inputs import page
from zermelo.graph import Graph

Row = tuple[object, ...]
"""A row of a table; None stands for nothing."""

MOST_ROWS = 40
"""The number of rows that a notebook shows."""


class Steps(ABC):
    """The steps of a method on a game, in their order; made by :func:`zermelo.trace`.

    ``for step in steps`` gives each step, ``str(step)`` is a sentence. With a ``position``,
    :meth:`rows` and :meth:`records` give only what concerns this position.
    """

    graph: Graph
    key: ClassVar[str] = "steps"
    """The name of the list of steps in JSON."""

    sections: ClassVar[bool] = False
    """Whether rows with the same first cell belong together."""

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """The steps."""

    @property
    @abstractmethod
    def header(self) -> tuple[str, ...]:
        """The names of the columns of :meth:`rows`."""

    @abstractmethod
    def rows(self, position: Hashable | None = None) -> Iterator[Row]:
        """The steps as rows of a table."""

    @abstractmethod
    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The steps as plain data (JSON types)."""

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


def commas(names: Iterable[Hashable]) -> str | None:
    """Some names with commas between, None if there are none: the cell of a table.

    >>> commas("ab"), commas([])
    ('a,b', None)
    """
    return ",".join(map(str, names)) or None
