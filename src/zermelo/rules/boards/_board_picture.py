"""Pictures of boards: lines of text, and SVG."""

from collections.abc import Sequence

Place = tuple[int, int]
"""Column and row of a place, counted from the top left."""

Roads = Sequence[tuple[int, int]]

UNIT = 40
LIGHT, DARK, LINE = "#f4f1ea", "#ddd5c3", "#6b6456"
COLOURS = (("#30343f", "#ffffff"), ("#ffffff", "#30343f"), ("#c9803a", "#ffffff"))
"""Pieces of the first player, the second, and neither: the colour, and that of its letter."""


def text_grid(places: Sequence[Place], pieces: str) -> str:
    """Rows with their numbers, columns with their letters."""
    width = 1 + max(x for x, _ in places)
    height = 1 + max(y for _, y in places)
    rows = [[" "] * width for _ in range(height)]
    for (x, y), piece in zip(places, pieces, strict=True):
        rows[y][x] = piece
    margin = len(str(height))
    lines = [f"{height - y:>{margin}}  {' '.join(row)}" for y, row in enumerate(rows)]
    letters = " ".join(chr(97 + x) for x in range(width))
    return "\n".join([*(line.rstrip() for line in lines), "", f"{'':>{margin}}  {letters}"])


def text_network(places: Sequence[Place], roads: Roads, pieces: str, names: Sequence[str]) -> str:
    """The points with roads between them, and beside them their names."""
    boards = (_canvas(places, roads, marks) for marks in (pieces, "".join(names)))
    left, right = boards
    width = max(map(len, left))
    return "\n".join(f"{a:<{width}}     {b}".rstrip() for a, b in zip(left, right, strict=True))


def _canvas(places: Sequence[Place], roads: Roads, marks: str) -> list[str]:
    width = 1 + max(x for x, _ in places)
    height = 1 + max(y for _, y in places)
    rows = [[" "] * width for _ in range(height)]
    for a, b in roads:
        (x, y), (u, v) = places[a], places[b]
        steps = max(abs(u - x), abs(v - y)) if x == u or y == v else min(abs(u - x), abs(v - y))
        sign = "|" if x == u else "-" if y == v else "\\" if (u - x) * (v - y) > 0 else "/"
        for k in range(1, steps):
            rows[y + (v - y) * k // steps][x + (u - x) * k // steps] = sign
    for (x, y), mark in zip(places, marks, strict=True):
        rows[y][x] = mark
    return ["".join(row) for row in rows]


def svg(
    places: Sequence[Place],
    roads: Roads,
    pieces: Sequence[object],
    sides: str = "xo",
    *,
    chequered: bool = False,
    owners: Sequence[int] = (),
) -> str:
    """Squares, or points and roads, with the pieces on them.

    The colours follow ``owners`` (2 for neither player) if these are given, else ``sides``.

    >>> svg([(0, 0), (1, 0)], [], "x.").count("<circle")
    1
    """
    across = UNIT // 2 if roads else UNIT  # points are where a terminal's narrow letters are
    middle = [(x * across + UNIT // 2, y * UNIT + UNIT // 2) for x, y in places]
    width = max(x for x, _ in middle) + UNIT // 2
    height = max(y for _, y in middle) + UNIT // 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">'
    ]
    if roads:
        for a, b in roads:
            (x, y), (u, v) = middle[a], middle[b]
            parts.append(f'<path d="M{x} {y}L{u} {v}" stroke="{LINE}" stroke-width="2"/>')
        for x, y in middle:
            parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{LINE}"/>')
    else:
        for x, y in places:
            fill = DARK if chequered and (x + y) % 2 else LIGHT
            parts.append(
                f'<rect x="{x * UNIT}" y="{y * UNIT}" width="{UNIT}" height="{UNIT}" '
                f'fill="{fill}" stroke="{LINE}"/>'
            )
    for k, piece in enumerate(map(str, pieces)):
        if piece == ".":
            continue
        x, y = middle[k]
        fill, ink = COLOURS[owners[k] if owners else sides.find(piece) if piece in sides else 2]
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{UNIT * 2 // 5}" fill="{fill}" stroke="{LINE}" '
            'stroke-width="2"/>'
        )
        if piece not in "xo":
            parts.append(
                f'<text x="{x}" y="{y + 6}" text-anchor="middle" font-size="18" '
                f'fill="{ink}">{piece}</text>'
            )
    return "".join([*parts, "</svg>"])
