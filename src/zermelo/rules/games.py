"""The table of games: a new one is one new file and one row here.

Other packages add rows through the entry point ``zermelo.games``; each names a :class:`GameRow`.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.registry import Row, Table
from zermelo.rules.base import Rules


@dataclass(frozen=True)
class GameRow(Row):
    """A game: ``target`` is a subclass of :class:`~zermelo.rules.base.Rules`."""

    parameters: str = ""
    """How its parameters are written after the colon."""
    example: str = ""
    """A small game of the kind, as :func:`game` reads it."""


GAMES: Table[GameRow] = Table(
    "game",
    "zermelo.games",
    (
        GameRow(
            "nim",
            "take any number of counters from one heap",
            "zermelo.rules.nim:Nim",
            "HEAP,HEAP,…",
            "nim:3,4,5",
        ),
        GameRow(
            "subtraction",
            "take a number of counters that a set allows from one heap",
            "zermelo.rules.subtraction:Subtraction",
            "TAKE,TAKE,…/HEAP,…",
            "subtraction:1,2,5/12",
        ),
        GameRow(
            "mark",
            "take one counter from a heap, or half of them, rounded up",
            "zermelo.rules.mark:Mark",
            "HEAP,HEAP,…",
            "mark:20",
        ),
        GameRow(
            "fibonacci-nim",
            "take at most twice what the opponent took",
            "zermelo.rules.fibonacci_nim:FibonacciNim",
            "HEAP",
            "fibonacci-nim:20",
        ),
        GameRow(
            "wythoff",
            "take from one of two heaps, or as many from both",
            "zermelo.rules.wythoff:Wythoff",
            "HEAP,HEAP",
            "wythoff:8,13",
        ),
        GameRow(
            "euclid",
            "subtract a multiple of the smaller number from the larger",
            "zermelo.rules.euclid:Euclid",
            "NUMBER,NUMBER",
            "euclid:25,7",
        ),
        GameRow(
            "kayles",
            "knock down one pin of a row, or two neighbours",
            "zermelo.rules.kayles:Kayles",
            "ROW,ROW,…",
            "kayles:9",
        ),
        GameRow(
            "dawsons-chess",
            "pawns that must capture: take a file and its neighbours",
            "zermelo.rules.dawsons_chess:DawsonsChess",
            "WIDTH,WIDTH,…",
            "dawsons-chess:9",
        ),
        GameRow(
            "chomp",
            "bite off a square and all above and to the right; one is poisoned",
            "zermelo.rules.chomp:Chomp",
            "ROWSxCOLUMNS",
            "chomp:3x4",
        ),
        GameRow(
            "cram",
            "put a domino on two free neighbouring squares",
            "zermelo.rules.cram:Cram",
            "ROWSxCOLUMNS",
            "cram:3x3",
        ),
        GameRow(
            "node-kayles",
            "take a vertex of a graph away, with its neighbours",
            "zermelo.rules.node_kayles:NodeKayles",
            "EDGE,EDGE,…",
            "node-kayles:a-b,b-c,c-d,d-b",
        ),
        GameRow(
            "annihilation",
            "move tokens along arcs; two that meet destroy each other",
            "zermelo.rules.annihilation:Annihilation",
            "ARC,ARC,…[/VERTEX,…]",
            "annihilation:a-b,b-c,c-a,c-d/a,b",
        ),
    ),
)


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
    return made
