"""Tables of things by name, each row imported only when it is used."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from zermelo._inputs import shown
from zermelo.errors import UnknownNameError


@dataclass(frozen=True)
class Row:
    """One entry of a table: a name, what it is, and ``module:attribute`` where it lives."""

    name: str
    summary: str
    target: str

    def load(self) -> Callable[..., Any]:
        """Import and return what the row names."""
        module, _, attribute = self.target.partition(":")
        found: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
        return found


R = TypeVar("R", bound=Row)


class Table(Generic[R]):
    """Rows by name, in the order written; the first that applies is the default."""

    def __init__(self, kind: str, group: str, rows: tuple[R, ...]) -> None:
        self.kind, self._group = kind, group
        self._rows = {row.name: row for row in rows}
        self._complete = False

    def _all(self) -> dict[str, R]:
        if not self._complete:
            from importlib.metadata import entry_points

            for point in entry_points(group=self._group):
                row = point.load()
                self._rows.setdefault(row.name, row)
            self._complete = True
        return self._rows

    def __iter__(self) -> Iterator[R]:
        """Our own rows first; other packages are looked for only by who goes on beyond them."""
        own = list(self._rows.values())
        yield from own
        yield from list(self._all().values())[len(own) :]

    def first(self, fits: Callable[[R], bool]) -> R | None:
        """The first row that fits."""
        return next((row for row in self if fits(row)), None)

    def __contains__(self, name: str) -> bool:
        return name in self._rows or name in self._all()

    def __getitem__(self, name: str) -> R:
        """The row of that name; an unknown name lists the known ones."""
        if not isinstance(name, str):
            raise unknown(self.kind, name, list(self._rows))
        if name in self._rows:
            return self._rows[name]
        if name in self._all():
            return self._rows[name]
        for row in self._rows.values():
            if name and getattr(row, "alias", "") == name:
                return row
        raise unknown(self.kind, name, list(self._rows))


def unknown(kind: str, name: str, known: list[str]) -> UnknownNameError:
    """The error for a name that no table has.

    >>> str(unknown("solver", "retrogade", ["retrograde", "nmfl"]))
    "no solver is called 'retrogade'; did you mean 'retrograde'? Known: retrograde, nmfl"
    """
    from difflib import get_close_matches

    if not isinstance(name, str):
        return UnknownNameError(f"expected the name of a {kind}, got {shown(name)}")
    close = get_close_matches(name, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return UnknownNameError(f"no {kind} is called {name!r}{hint} Known: {', '.join(known)}")
