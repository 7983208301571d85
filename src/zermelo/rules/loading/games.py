"""Games by name: rules from the table of games, with parameters after a colon."""

from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.registry import GAMES
from zermelo.rules.base import Rules


def game(text: str) -> Rules[Any]:
    """The rules of a game by its name, and its parameters after a colon.

    >>> game("nim:3,4,5").start()
    (3, 4, 5)
    >>> game("chomps:3x4")
    Traceback (most recent call last):
    zermelo.errors.UnknownNameError: no game is called 'chomps'; did you mean 'chomp'? Known: ...
    >>> game("chomp:3")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: 'chomp:3': missing a required argument: 'columns', ...
    """
    if not isinstance(text, str):
        raise InvalidOptionError(f"expected a game such as 'nim:3,4,5', got {text!r}")
    name, _, parameters = text.partition(":")
    row = GAMES[name]
    try:
        made: Rules[Any] = row.load().from_text(parameters)  # type: ignore[attr-defined]
    except InvalidOptionError as error:
        form = f"{name}:{row.parameters}" if row.parameters else name
        example = f", such as {row.example}" if row.parameters else ""
        raise InvalidOptionError(f"{text!r}: {error}; expected {form}{example}") from None
    made.known_as = text  # type: ignore[attr-defined]  # stored in a table, to find its rules again
    return made
