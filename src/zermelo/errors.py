"""Every exception of the package.

All derive from :class:`ZermeloError` and from the builtin that fits, so that a caller may catch
either. A message says what was expected, what came, and where.
"""


class ZermeloError(Exception):
    """The root of all errors raised on purpose by zermelo."""


class InvalidGraphError(ZermeloError, ValueError):
    """Arrays, edges or owners that are no graph."""


class InvalidObjectiveError(ZermeloError, ValueError):
    """An objective that does not fit its graph."""


class InvalidOptionError(ZermeloError, ValueError):
    """An option, a switch or an environment variable with a value that makes no sense."""


class UnknownPositionError(ZermeloError, LookupError):
    """A position that the graph does not have."""


class UnknownNameError(ZermeloError, LookupError):
    """A solver, format or generator that no table lists; the message lists the known ones."""


class InvalidRulesError(ZermeloError, ValueError):
    """Rules of a game that break what is asked of them; ``member`` is which of theirs does."""

    member = ""
    of_kernel = False
    """Whether a kernel found it, which knows no file and no line."""


class LimitError(ZermeloError, RuntimeError):
    """More positions than the caller allowed; the message says how far it went."""


class SolverError(ZermeloError, ValueError):
    """A solver that does not apply to the game it was given."""


class CertificateError(ZermeloError, ValueError):
    """A solution that is not what it claims to be."""


class MemoryLimitError(ZermeloError, MemoryError):
    """A job that would not fit; the message has the number and the way out."""


class MissingDependencyError(ZermeloError, ImportError):
    """An optional package is needed; the message names the extra that installs it."""


class FormatError(ZermeloError, ValueError):
    """A file that is not what its format asks for.

    >>> str(FormatError("expected two names", path="g.txt", line=3, column=7))
    'g.txt:3:7: expected two names'
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.message, self.path, self.line, self.column = message, path, line, column
        super().__init__(message)

    def __str__(self) -> str:
        where = ":".join(str(x) for x in (self.path, self.line, self.column) if x is not None)
        return f"{where}: {self.message}" if where else self.message

    def at(self, path: str) -> "FormatError":
        """Name the file, where the reader that failed saw only its text."""
        if self.path is None:
            self.path = path
        return self


class DrawError(ZermeloError, ValueError):
    """A picture that cannot be drawn; the message has the way out."""


class NotationError(ZermeloError, ValueError):
    """Text that spells no value; below the message stands the text with a caret at the place.

    ``message`` is the sentence alone, ``column`` counts from 1.

    >>> print(NotationError("expected a value, got '}'", "{0|1}}", 6))
    column 6: expected a value, got '}'
      {0|1}}
           ^
    """

    WIDTH = 60

    def __init__(self, message: str, text: str, column: int) -> None:
        self.message, self.text, self.column = f"column {column}: {message}", text, column
        first = max(0, column - 1 - self.WIDTH // 2)
        shown = text[first : first + self.WIDTH]
        shown = "".join(x if x.isprintable() else " " for x in shown)
        super().__init__(f"{self.message}\n  {shown}\n  {' ' * (column - 1 - first)}^")


class UndefinedError(ZermeloError, ArithmeticError):
    """Something that this value does not have, such as the atomic weight of a number."""


class PluginError(ZermeloError, ImportError):
    """Something that another package adds to a table of ours, and that cannot be loaded."""


class PluginWarning(UserWarning):
    """An entry point of another package that is left out, because it cannot be loaded."""


class BuildError(ZermeloError, RuntimeError):
    """A table that cannot be built now: another process builds it, say."""


class DiskError(ZermeloError, OSError):
    """A file that could not be written: the disk is full, say; the message has the way out."""


class NotANumber(ZermeloError, ArithmeticError):
    """A game that is no number; ``position`` is where that shows."""

    def __init__(self, message: str, position: object) -> None:
        self.position = position
        super().__init__(message)


class StaleValueError(ZermeloError, LookupError):
    """A value that was made before the store of values was emptied."""
