"""Boards in the terminal: chequered squares and figures, where the terminal can show them."""

import os
import sys
from typing import Any, TextIO

from zermelo.cli.output.show import on_terminal

FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
SOLID = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))
"""The figures that are drawn in the colour of their side."""

LIGHT_SQUARE, DARK_SQUARE = "48;5;108", "48;5;65"
WHITE_MAN, BLACK_MAN = "1;38;5;231", "1;38;5;16"
"""Codes of ANSI terminals with 256 colours."""


def board_text(
    rules: Any, position: Any, second: bool = False, stream: TextIO | None = None
) -> str:
    """A position on lines of text, for a stream; by default for standard output.

    Rules with the member ``rows`` have boards of chess: on a terminal their men are figures on
    chequered squares, without colours if ``NO_COLOR`` is set, and letters where the encoding has no
    figures.
    """
    stream = sys.stdout if stream is None else stream
    rows = getattr(rules, "rows", None)
    if not callable(rows) or not on_terminal(stream) or not _can_write(stream, FIGURES.values()):
        return str(rules.diagram(position, second))
    coloured = "NO_COLOR" not in os.environ and os.environ.get("TERM", "") not in ("", "dumb")
    return chess_board(rows(position), coloured)


def chess_board(rows: list[str], coloured: bool) -> str:
    """A board of chess with figures, from its ranks of letters.

    >>> print(chess_board(["k.", ".R"], coloured=False))
    2  ♚ .
    1  . ♖
    <BLANKLINE>
       a b
    """
    lines = []
    for y, row in enumerate(rows):
        if coloured:
            cells = "".join(_square(letter, (x + y) % 2 == 1) for x, letter in enumerate(row))
            lines.append(f"{len(rows) - y} {cells}")
        else:
            lines.append(f"{len(rows) - y}  " + " ".join(FIGURES.get(x, x) for x in row))
    files = "abcdefgh"[: len(rows[0])]
    last = "   " + ("  " if coloured else " ").join(files)
    return "\n".join([*lines, *([] if coloured else [""]), last])


def _square(letter: str, dark: bool) -> str:
    """A square, three columns wide, with the man on it."""
    ground = DARK_SQUARE if dark else LIGHT_SQUARE
    ink = WHITE_MAN if letter.isupper() else BLACK_MAN
    return f"\x1b[{ground};{ink}m {SOLID.get(letter.lower(), ' ')} \x1b[0m"


def _can_write(stream: TextIO, letters: Any) -> bool:
    """Whether the encoding of a stream has these letters."""
    try:
        "".join(letters).encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
