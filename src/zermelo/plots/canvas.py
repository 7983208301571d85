"""A picture in characters: Braille patterns, eight dots each, or plain ASCII where these fail."""

import sys
from typing import TextIO

from zermelo._inputs.values import whole_number

BRAILLE = 0x2800
BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot of a Braille pattern: left column and right column, from the top."""


class Canvas:
    """Dots on a field of ``width`` × ``height`` characters; (0, 0) is the upper left dot.

    A character has 2 × 4 dots; in ASCII it has one, which shows the mark of the last dot in it.

    >>> canvas = Canvas(3, 1)
    >>> canvas.line((0, 3), (5, 0))
    >>> canvas.rows()
    ['⡠⠔⠊']
    """

    def __init__(self, width: int, height: int, *, ascii: bool = False) -> None:
        self.width = whole_number(width, "width", 1, 10_000)
        self.height = whole_number(height, "height", 1, 10_000)
        self.ascii = ascii
        self.dots_wide, self.dots_high = (width, height) if ascii else (2 * width, 4 * height)
        self._cells = [[0] * width for _ in range(height)]
        self._marks = [[" "] * width for _ in range(height)]

    def dot(self, x: int, y: int, mark: str = "*") -> None:
        """Set a dot; one outside the field is left out."""
        if 0 <= x < self.dots_wide and 0 <= y < self.dots_high:
            if self.ascii:
                self._marks[y][x] = mark
            else:
                self._cells[y // 4][x // 2] |= BITS[x % 2][y % 4]

    def line(self, start: tuple[float, float], end: tuple[float, float], mark: str = "*") -> None:
        """Set the dots of a straight line."""
        (x0, y0), (x1, y1) = start, end
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
        for k in range(steps + 1):
            t = k / steps
            self.dot(round(x0 + (x1 - x0) * t), round(y0 + (y1 - y0) * t), mark)

    def rows(self) -> list[str]:
        """The lines of the picture, without spaces at their ends."""
        if self.ascii:
            return ["".join(row).rstrip() for row in self._marks]
        return [
            "".join(chr(BRAILLE + bits) if bits else " " for bits in row).rstrip()
            for row in self._cells
        ]


def framed(canvas: Canvas, left: dict[int, str], below: dict[int, str]) -> str:
    """The canvas with axes: labels of rows on the left, labels of columns below.

    >>> canvas = Canvas(6, 2, ascii=True)
    >>> canvas.dot(3, 0)
    >>> print(framed(canvas, {0: "1", 1: "0"}, {0: "a", 3: "b"}))
    1 |   *
    0 |
      +------
       a  b
    """
    bar, corner, dash = ("|", "+", "-") if canvas.ascii else ("│", "└", "─")
    room = max(map(len, left.values()), default=0)
    lines = [
        f"{left.get(k, ''):>{room}} {bar}{row}".rstrip() for k, row in enumerate(canvas.rows())
    ]
    lines.append(" " * (room + 1) + corner + dash * canvas.width)
    if below:
        lines.append(" " * (room + 2) + placed(below))
    return "\n".join(lines)


def placed(labels: dict[int, str]) -> str:
    """A line with labels at their columns; a label that has no room is left out.

    >>> placed({0: "zero", 2: "two", 6: "six"})
    'zero  six'
    """
    line = ""
    for at in sorted(labels):
        if not line or len(line) < at:
            line = line.ljust(at) + labels[at]
    return line


def can_show(text: str, file: TextIO | None = None) -> bool:
    """Whether a file, by default stdout, can be sent this text.

    >>> can_show("plain")
    True
    """
    file = sys.stdout if file is None else file
    try:
        text.encode(getattr(file, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
