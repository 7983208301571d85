"""Every exception of the package.

Each one derives from :class:`ZermeloError` and from the builtin exception that fits, so that a
caller may catch either. A message says what was expected, what was given, and where.
"""


class ZermeloError(Exception):
    """The base class of all errors that zermelo raises for wrong input or missing resources."""


class InvalidGraphError(ZermeloError, ValueError):
    """The arrays, edges or owners do not form a graph."""


class InvalidObjectiveError(ZermeloError, ValueError):
    """The objective does not fit its graph."""


class InvalidOptionError(ZermeloError, ValueError):
    """An option or an environment variable has a value that is not allowed."""


class UnknownPositionError(ZermeloError, LookupError):
    """The graph has no such position."""


class UnknownNameError(ZermeloError, LookupError):
    """No table lists this solver, format or generator; the message lists the known names."""


class InvalidRulesError(ZermeloError, ValueError):
    """The rules of a game break their contract; ``member`` is the name of the faulty member."""

    member = ""
    of_kernel = False
    """Whether a kernel found the fault; a kernel knows no file and no line."""


class LimitError(ZermeloError, RuntimeError):
    """There are more positions than allowed, or sums are too large; the message says which."""


class SolverError(ZermeloError, ValueError):
    """The solver does not apply to this game."""


class CertificateError(ZermeloError, ValueError):
    """A claim of the solution is wrong."""


class ContractError(ZermeloError, AssertionError):
    """An extension breaks its contract; ``code`` is a line of Python that shows the fault."""

    def __init__(self, message: str, code: str = "") -> None:
        self.code = code
        super().__init__(message)


class MemoryLimitError(ZermeloError, MemoryError):
    """The job would not fit into memory; the message says how much it needs and what to do."""


class MissingDependencyError(ZermeloError, ImportError):
    """An optional package is missing; the message names the extra that installs it."""


class FormatError(ZermeloError, ValueError):
    """The content of a file does not follow its format.

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
        place = ":".join(str(x) for x in (self.path, self.line, self.column) if x is not None)
        return f"{place}: {self.message}" if place else self.message

    def at(self, path: str) -> "FormatError":
        """Add the name of the file; the reader that failed saw only the text."""
        if self.path is None:
            self.path = path
        return self


class DrawError(ZermeloError, ValueError):
    """The picture cannot be drawn; the message says what to do instead."""


class NotationError(ZermeloError, ValueError):
    """The text is not the notation of a value; below the message, a caret marks the place.

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
    """This value does not have the wanted property; a number has no atomic weight, for example."""


class PluginError(ZermeloError, ImportError):
    """An object that another package adds to one of our tables cannot be loaded."""


class PluginWarning(UserWarning):
    """An entry point of another package was left out, because it cannot be loaded."""


class EngineWarning(UserWarning):
    """Another engine than the memory was chosen, or files of a job could not be removed."""


class BuildError(ZermeloError, RuntimeError):
    """The table cannot be built now; another process may be building it, for example."""


class JobError(ZermeloError, RuntimeError):
    """A job cannot go on: another process runs it, or its directory is not what was written."""


class ForkError(ZermeloError, RuntimeError):
    """This process was forked while another thread changed the object, which is lost here."""


class DiskError(ZermeloError, OSError):
    """A file could not be written; the disk may be full. The message says what to do."""


class StoreError(ZermeloError, OSError):
    """Files at a URL cannot be read or written; the message has the reason."""


class NotANumber(ZermeloError, ArithmeticError):
    """The game is not a number; ``position`` is a position that shows it."""

    def __init__(self, message: str, position: object) -> None:
        self.position = position
        super().__init__(message)


class StaleValueError(ZermeloError, LookupError):
    """The value was made before the store of values was emptied."""
