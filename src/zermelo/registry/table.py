"""Tables of rows by name; the object of a row is imported only when it is used.

The registry imports no NumPy, so that the command can show its help from the tables quickly.
"""

import contextlib
import importlib
import itertools
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from zermelo.errors import PluginError, PluginWarning, UnknownNameError


@dataclass(frozen=True)
class Row:
    """One entry of a table: a name, a summary, and its place as ``module:attribute``."""

    name: str
    summary: str
    target: str

    def load(self) -> Callable[..., Any]:
        """Import and return the object that the row names."""
        return self.attribute(self.target)

    def attribute(self, target: str) -> Callable[..., Any]:
        """Import and return the object that ``module:attribute`` names, for this row."""
        module, _, attribute = target.partition(":")
        loaded: Callable[..., Any] | None = getattr(self.imported(module), attribute, None)
        if loaded is None:
            raise PluginError(f"{self.name}: the module {module} has no {attribute!r}")
        return loaded

    def module(self) -> Any:
        """Import and return the module that the row names, for rows that name one."""
        return self.imported(self.target)

    def imported(self, module: str) -> Any:
        """Import a module of the row; a module of another package may fail in any way."""
        try:
            return importlib.import_module(module)
        except Exception as error:
            if module.partition(".")[0] == "zermelo":
                raise
            raise PluginError(
                f"{self.name}: the module {module} cannot be imported: "
                f"{type(error).__name__}: {error}"
            ) from error


R = TypeVar("R", bound=Row)


class Table(Generic[R]):
    """Rows by name, in the order of the source; the first row that applies is the default."""

    def __init__(self, kind: str, group: str, rows: tuple[R, ...]) -> None:
        self.kind, self._group = kind, group
        self._rows = {row.name: row for row in rows}
        self._row = type(rows[0])
        self._complete = False
        self._looking: set[int] = set()
        """The threads that look for rows of other packages."""
        self.own = rows
        """The rows of this package."""

    def _all(self) -> dict[str, R]:
        me = threading.get_ident()
        if not self._complete and me not in self._looking:
            from importlib.metadata import entry_points

            self._looking.add(me)  # a row may use this table while it is imported
            try:
                rows = dict(self._rows)
                for point in entry_points(group=self._group):
                    row = self._added(point)
                    if row is not None:
                        rows.setdefault(row.name, row)
                self._rows, self._complete = rows, True
            finally:
                self._looking.discard(me)
        return self._rows

    @contextlib.contextmanager
    def including(self, *rows: R) -> Iterator[None]:
        """A context in which the table has more rows, for tests of what is not installed."""
        before = self._all()
        self._rows = {**before, **{row.name: row for row in rows}}
        try:
            yield
        finally:
            self._rows = before

    def _added(self, point: Any) -> R | None:
        """The row of another package; a broken row is left out with a warning that names the
        package."""
        package = point.dist.name if point.dist is not None else point.value
        try:
            row: R = point.load()
            if not isinstance(row, self._row):
                raise TypeError(f"expected a {self._row.__name__}, got {type(row).__name__}")
            if not (isinstance(row.name, str) and row.name):
                raise TypeError(f"expected a name, got {row.name!r}")
            re.compile(getattr(row, "magic", ""))
        except Exception as error:
            warnings.warn(
                f"the {self.kind} {point.name!r} of the package {package} is left out: "
                f"{type(error).__name__}: {error}",
                PluginWarning,
                stacklevel=2,
            )
            return None
        return row

    def __iter__(self) -> Iterator[R]:
        """All rows; other packages are looked for only after the last of our own rows."""
        known = list(self._rows.values())
        return itertools.chain(known, self._after(len(known)))

    def _after(self, count: int) -> Iterator[R]:
        """The rows after the first ones."""
        yield from list(self._all().values())[count:]

    def get(self, name: str) -> R | None:
        """The row of that name; None if there is none."""
        return self._rows.get(name) or self._all().get(name)

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
        from zermelo._inputs.values import shown

        article = "an" if kind[0] in "aeio" else "a"
        return UnknownNameError(f"expected the name of {article} {kind}, got {shown(name)}")
    close = get_close_matches(name, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return UnknownNameError(f"no {kind} is called {name!r}{hint} Known: {', '.join(known)}")
