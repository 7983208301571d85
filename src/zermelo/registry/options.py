"""Options of solvers: a name, the possible values, a default, and a description.

A row of the table of solvers declares its options. :func:`zermelo.solve` and the command check
options by these declarations, so that a new option is declared in one place.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidOptionError

_TRUE = ("true", "yes", "1", "on")
_FALSE = ("false", "no", "0", "off")


@dataclass(frozen=True)
class Option:
    """An option of a solver; the subclasses say which values it takes.

    ``name`` is the keyword of :func:`zermelo.solve` and of ``--option NAME=VALUE``. ``repeatable``
    options may be given more than once on the command line.
    """

    name: str
    summary: str
    default: Any = None
    repeatable = False

    @property
    def values(self) -> str:
        """The values that the option takes, for messages."""
        return "any value"

    def check(self, value: Any) -> Any:
        """The value as the solver gets it; a value that does not fit raises InvalidOptionError."""
        return value

    def parse(self, texts: Iterable[str]) -> Any:
        """The value that the command line gives; only repeatable options may be given twice."""
        *earlier, text = texts
        if earlier:
            raise InvalidOptionError(f"{self.name}: expected one value, got {len(earlier) + 1}")
        return self.check(self.parse_text(text))

    def parse_text(self, text: str) -> Any:
        """One value from its text."""
        return text

    def refuse(self, value: Any) -> InvalidOptionError:
        """The error for a value that does not fit."""
        from zermelo._inputs.values import shown

        return InvalidOptionError(f"{self.name}: expected {self.values}, got {shown(value)}")


@dataclass(frozen=True)
class Flag(Option):
    """True or False.

    >>> Flag("quotient", "Solve the quotient.", False).parse(["yes"])
    True
    """

    @property
    def values(self) -> str:
        """The values that the option takes, for messages."""
        return "true or false"

    def check(self, value: Any) -> bool:
        """True or False, also of the types of NumPy."""
        from zermelo._inputs.values import flag

        return flag(value, self.name)

    def parse_text(self, text: str) -> bool:
        """True or False from a text such as ``yes`` or ``off``."""
        if text.lower() not in _TRUE + _FALSE:
            raise self.refuse(text)
        return text.lower() in _TRUE


@dataclass(frozen=True)
class Whole(Option):
    """An integer from ``least`` to ``most``, or None, the default.

    >>> Whole("nodes", "Search at most this many nodes.").check(2.5)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: nodes: expected an integer from 0 on, got 2.5
    """

    least: int = 0
    most: int | None = None

    @property
    def values(self) -> str:
        """The values that the option takes, for messages."""
        bound = "on" if self.most is None else f"to {self.most:,}"
        return f"an integer from {self.least:,} {bound}"

    def check(self, value: Any) -> int | None:
        """An integer within its bounds, or None."""
        if value is None:
            return None
        from zermelo._inputs.values import whole_number

        return whole_number(value, self.name, self.least, self.most)

    def parse_text(self, text: str) -> int:
        """An integer from its digits."""
        digits = text.strip()
        if not (digits.removeprefix("-").isdecimal() and digits.isascii() and len(digits) <= 18):
            raise self.refuse(text)
        return int(digits)


@dataclass(frozen=True)
class Names(Option):
    """Some names in order; ``of`` names the table that lists them.

    >>> Names("passes", "Simplify the game first.", (), of="passes").check("compress")
    ('compress',)
    """

    of: str = "names"
    repeatable = True

    @property
    def values(self) -> str:
        """The values that the option takes, for messages."""
        return f"the names of {self.of}"

    def check(self, value: Any) -> tuple[str, ...]:
        """The names as a tuple; one name may be given by itself."""
        from zermelo._inputs.values import listed, shown

        names = [value] if isinstance(value, str) else listed(value, self.values)
        for name in names:
            if not isinstance(name, str):
                raise InvalidOptionError(f"{self.name}: expected names, got {shown(name)}")
        return tuple(names)

    def parse(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The names of all values, each of which may be a list with commas."""
        return self.check([name.strip() for text in texts for name in text.split(",")])
