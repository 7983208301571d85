"""Boards as SVG pictures: squares, holes and men, from the text of a position."""

from collections.abc import Sequence
from typing import Final

from zermelo.rules.picture import SHADE, Picture, cell, label, picture, square_name
from zermelo.rules.picture import ground as ground_colour

SQUARE: Final = 32
MARGIN: Final = 6
BLUE: Final = "#0068a8"
RED: Final = "#c0392b"
GREEN: Final = "#3a8f3a"
BLOCKED: Final = "#a59e8c"
TINTS: Final = {"l": "#bcd9ee", "r": "#f1c3bd"}
MEN: Final = {
    "l": BLUE, "r": RED, "t": BLUE, "f": RED, "x": RED, "o": BLUE, "e": GREEN, "g": GREEN,
}  # fmt: skip
"""The colours of men by letter: Left's are blue, Right's red, anyone's green."""


def draw_rows(rows: Sequence[str], *, tinted: bool = False) -> Picture:
    """A picture of rows of letters: ``.`` is an empty square, ``#`` a blocked one, `` `` none.

    Another letter is a man; with ``tinted`` it is a square that is left to one player only.

    >>> draw_rows(["l.", "#r"]).count("<circle")
    2
    """
    wide = max(map(len, rows), default=0) * SQUARE + 2 * MARGIN
    tall = len(rows) * SQUARE + 2 * MARGIN
    parts = []
    for i, row in enumerate(rows):
        for j, letter in enumerate(row):
            if letter == " ":
                continue
            x, y = MARGIN + j * SQUARE, MARGIN + i * SQUARE
            shade = "#f7f3e8" if (i + j) % 2 else "#efe7d3"
            if letter == "#":
                shade = BLOCKED
            elif tinted:
                shade = TINTS.get(letter, shade)
            drawn = (
                f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{shade}" '
                f'stroke="{SHADE}"/>'
            )
            middle, colour = x + SQUARE // 2, MEN.get(letter, "#4d4d4d")
            if letter not in ".#" and not tinted:
                drawn += f'<circle cx="{middle}" cy="{y + SQUARE // 2}" r="12" fill="{colour}"/>'
            if letter not in ".#":
                ink = colour if tinted else "#ffffff"
                drawn += label(middle, y + SQUARE // 2 + 5, letter.upper(), size=14, fill=ink)
            inside = {".": "free", "#": "blocked"}.get(letter, letter.upper())
            parts.append(cell(square_name(len(rows) - 1 - i, j), drawn, inside))
    return picture(wide, tall, parts, style='data-flips="true"')


def draw_dominoes(rows: Sequence[str]) -> Picture:
    """Rows of upright dominoes in the colours of their owners, with gaps between the rows.

    The cell ``2.3`` is the third domino of the second row.

    >>> draw_dominoes(["lre", "r"]).count("<rect")
    5
    """
    parts, x = [], 2 * MARGIN
    for i, row in enumerate(rows, 1):
        for k, letter in enumerate(row, 1):
            drawn = (
                f'<rect x="{x}" y="{MARGIN}" width="12" height="38" rx="3" fill="{MEN[letter]}"/>'
            )
            drawn += label(x + 6, MARGIN + 52, letter.upper(), size=11, fill="#4d4d4d")
            parts.append(cell(f"{i}.{k}", drawn, letter.upper()))
            x += 20
        x += 24
    wide, tall = max(x - 20, 60), MARGIN + 60
    line = f'<path d="M4 {MARGIN + 39}H{wide - 4}" stroke="#4d4d4d" stroke-width="2"/>'
    return picture(wide, tall, [ground_colour(wide, tall), line, *parts])


def draw_graph(
    edges: Sequence[tuple[str, str, str]], ground: str, cells: Sequence[str] | None = None
) -> Picture:
    """A picture of edges (vertex, vertex, colour) above the ground, blue, red or green.

    ``cells`` are the names of the edges, by default their numbers.

    >>> draw_graph([("0", "a", "l"), ("a", "b", "r")], "0").count("<path")
    3
    """
    place: dict[str, tuple[float, float]] = {}
    column, level, row = {ground: -1}, {ground: 0}, [ground]
    # Invariant: level holds the distance from the ground of all vertices as near as row's; the
    # first vertex above another stands in its column, others have columns of their own.
    while row:
        above = []
        for below in row:
            ends = [v if u == below else u for u, v, _ in edges if below in (u, v)]
            new = [*dict.fromkeys(end for end in ends if end not in level)]
            above += new
            for k, end in enumerate(new):
                first = k == 0 and below != ground
                level[end] = level[below] + 1
                column[end] = column[below] if first else 1 + max(column.values())
        row = above
    wide = 60.0 * (max(column.values()) + 1) + 20
    tall = 50.0 * (max(level.values()) + 1)
    for vertex, k in level.items():
        if vertex != ground:
            place[vertex] = 40 + 60.0 * column[vertex], tall - 20 - 50 * k
    parts = [f'<path d="M4 {tall - 20:g}H{wide - 4:g}" stroke="#4d4d4d" stroke-width="3"/>']
    count: dict[tuple[str, str], int] = {}
    names = cells or [str(k + 1) for k in range(len(edges))]
    for name, (u, v, colour) in zip(names, edges, strict=True):
        pair = (min(u, v), max(u, v))
        bend = count[pair] = count.get(pair, 0) + 1
        x, y = place.get(u, (place.get(v, (wide / 2, 0.0))[0] + 8 * (bend - 1), tall - 20))
        z, w = place.get(v, (x + 24, tall - 20)) if u != v else (x, y)
        side = 14 * (bend // 2) * (-1) ** bend
        lift = 22 * bend if y == w else 0
        curve = f"Q{(x + z) / 2 + side:g} {(y + w) / 2 - lift:g}"
        if u == v:
            curve = f"C{x - 14 * bend:g} {y - 30:g} {x + 14 * bend:g} {y - 30:g}"
        path = (
            f'<path d="M{x:g} {y:g}{curve} {z:g} {w:g}" fill="none" '
            f'stroke="{MEN[colour]}" stroke-width="4"/>'
        )
        parts.append(cell(name, path, {BLUE: "blue", RED: "red"}.get(MEN[colour], "green")))
    parts += [f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="#1a1a1a"/>' for x, y in place.values()]
    return picture(wide, tall, [ground_colour(wide, tall), *parts])
