"""Boards as SVG pictures: squares, holes and men, from the text of a position."""

from collections.abc import Sequence
from typing import Final

SQUARE: Final = 32
MARGIN: Final = 6
BLUE: Final = "#0068a8"
RED: Final = "#c0392b"
GREEN: Final = "#3a8f3a"
MEN: Final = {
    "l": BLUE, "r": RED, "t": BLUE, "f": RED, "x": RED, "o": BLUE, "e": GREEN, "g": GREEN,
}  # fmt: skip
"""The colours of men by letter: Left's are blue, Right's red, anyone's green."""


def draw_rows(rows: Sequence[str]) -> str:
    """A picture of rows of letters: ``.`` is an empty square, ``#`` none, another letter a man.

    >>> draw_rows(["l.", "#r"]).count("<circle")
    2
    """
    wide = max(map(len, rows), default=0) * SQUARE + 2 * MARGIN
    tall = len(rows) * SQUARE + 2 * MARGIN
    parts = []
    for i, row in enumerate(rows):
        for j, letter in enumerate(row):
            if letter in "# ":
                continue
            x, y = MARGIN + j * SQUARE, MARGIN + i * SQUARE
            shade = "#f7f3e8" if (i + j) % 2 else "#efe7d3"
            parts.append(
                f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{shade}" '
                'stroke="#8a8574"/>'
            )
            if letter != ".":
                middle = f'x="{x + SQUARE // 2}" y="{y + SQUARE // 2 + 5}"'
                colour = MEN.get(letter, "#4d4d4d")
                parts.append(
                    f'<circle cx="{x + SQUARE // 2}" cy="{y + SQUARE // 2}" r="12" '
                    f'fill="{colour}"/><text {middle}>{_escaped(letter.upper())}</text>'
                )
    return svg(wide, tall, parts)


def svg(wide: float, tall: float, parts: Sequence[str]) -> str:
    """An SVG picture of this size in pixels, made of its parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{tall:g}" '
        f'viewBox="0 0 {wide:g} {tall:g}" font-family="Helvetica, Arial, sans-serif" '
        f'font-size="14" fill="#ffffff" text-anchor="middle" role="img">{"".join(parts)}</svg>'
    )


def _escaped(letter: str) -> str:
    return {"<": "&lt;", "&": "&amp;", ">": "&gt;"}.get(letter, letter)


def draw_graph(edges: Sequence[tuple[str, str, str]], ground: str) -> str:
    """A picture of edges (vertex, vertex, colour) above the ground, blue, red or green.

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
    for u, v, colour in edges:
        pair = (min(u, v), max(u, v))
        bend = count[pair] = count.get(pair, 0) + 1
        x, y = place.get(u, (place.get(v, (wide / 2, 0.0))[0] + 8 * (bend - 1), tall - 20))
        z, w = place.get(v, (x + 24, tall - 20)) if u != v else (x + 24, y)
        side = 14 * (bend // 2) * (-1) ** bend
        curve = f"Q{(x + z) / 2 + side:g} {(y + w) / 2 - (22 if y == w else 0):g}"
        parts.append(
            f'<path d="M{x:g} {y:g}{curve} {z:g} {w:g}" fill="none" '
            f'stroke="{MEN[colour]}" stroke-width="4"/>'
        )
    parts += [f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="#1a1a1a"/>' for x, y in place.values()]
    return svg(wide, tall, parts)
