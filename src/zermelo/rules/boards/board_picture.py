"""Pictures of boards: lines of text, and SVG."""

from collections.abc import Sequence

from zermelo.rules.picture import Picture, cell, ground, label, picture

Place = tuple[int, int]
"""Column and row of a place, counted from the top left."""

Roads = Sequence[tuple[int, int]]

UNIT = 40
LIGHT, DARK, LINE = "#f4f1ea", "#ddd5c3", "#6b6456"
COLOURS = (
    ("#30343f", "#ffffff"), ("#ffffff", "#30343f"), ("#c9803a", "#ffffff"), ("#f4f1ea", "#6b6456"),
)  # fmt: skip
"""Pieces of the first player, the second, and neither, and places: the colour, and that of its
letter."""
CROSS, RING = "#0068a8", "#c0392b"
LABELS = 18
"""The room for letters and numbers beside a board."""


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
    places: Sequence[tuple[float, float]],
    roads: Roads,
    pieces: Sequence[object],
    sides: str = "xo",
    *,
    chequered: bool = False,
    crosses: bool = False,
    owners: Sequence[int] = (),
    names: Sequence[str] | None = None,
    cells: Sequence[str] | None = None,
    caption: str = "",
    hands: Sequence[tuple[float, float, str, int, str]] = (),
) -> Picture:
    """Squares, or points and roads, with the pieces on them.

    The colours follow ``owners`` (2 for neither player, 3 for a place) if these are given, else
    ``sides``. With ``names``, points have their names beside them, and squares have letters below
    and numbers at the left, as names of moves use them. With ``crosses``, x is a
    cross and o a ring. ``cells`` are the names of places that can be clicked, by default ``names``.
    ``hands`` are pieces beside the board: column, row, text, owner and the name of the cell.

    >>> svg([(0, 0), (1, 0)], [], "x.").count("<circle")
    1
    """
    across = UNIT // 2 if roads else UNIT  # points are where a terminal's narrow letters are
    left = LABELS if names and not roads else 0
    middle = [(x * across + UNIT / 2 + left, y * UNIT + UNIT / 2) for x, y in places]
    wide = max(x for x, _ in middle) + UNIT / 2 + (LABELS if names and roads else 0)
    board = max(y for _, y in middle) + UNIT / 2
    tall = board + left + (LABELS if caption else 0)
    wide = max([wide, 7 * len(caption) + LABELS, *((x + 1) * UNIT + left for x, *_ in hands)])
    parts = [ground(wide, tall)]
    if roads:
        for a, b in roads:
            (x, y), (u, v) = middle[a], middle[b]
            parts.append(f'<path d="M{x:g} {y:g}L{u:g} {v:g}" stroke="{LINE}" stroke-width="2"/>')
        for (x, y), name in zip(middle, names or (), strict=names is not None):
            parts.append(label(x + 19, y - 9, name, size=11, fill=LINE))
    elif names:
        parts += _letters_and_numbers(places, board)
    called = cells or names or [str(k + 1) for k in range(len(places))]
    for k, piece in enumerate(map(str, pieces)):
        x, y = middle[k]
        fill = DARK if chequered and (places[k][0] + places[k][1]) % 2 else LIGHT
        owner = owners[k] if owners else sides.find(piece) if piece in sides else 2
        drawn = _point(x, y) if roads else _square(x, y, fill)
        inside = "empty"
        if piece != ".":
            drawn += _piece(x, y, piece, COLOURS[owner], crosses=crosses)
            inside = piece if owner != 3 else "empty"
        parts.append(cell(called[k], drawn, inside))
    for u, v, piece, owner, name in hands:
        x, y = u * UNIT + UNIT / 2 + left, v * UNIT + UNIT / 2
        parts.append(cell(name, _piece(x, y, piece, COLOURS[owner], crosses=False), piece))
    if caption:
        parts.append(label(wide / 2, tall - 6, caption))
    return picture(wide, tall, parts, style='data-flips="true"')


def _point(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{LINE}"/>'


def _square(x: float, y: float, fill: str) -> str:
    return (
        f'<rect x="{x - UNIT / 2:g}" y="{y - UNIT / 2:g}" width="{UNIT}" '
        f'height="{UNIT}" fill="{fill}" stroke="{LINE}"/>'
    )


def _piece(x: float, y: float, piece: str, colours: tuple[str, str], *, crosses: bool) -> str:
    if crosses and piece in "xo":
        return _cross(x, y) if piece == "x" else _ring(x, y)
    fill, ink = colours
    disc = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * 2 // 5}" fill="{fill}" stroke="{LINE}" '
        'stroke-width="2"/>'
    )
    return disc + ("" if piece in "xo" else label(x, y + 6, piece, size=18, fill=ink))


def _letters_and_numbers(places: Sequence[tuple[float, float]], board: float) -> list[str]:
    """Letters of columns below a board of squares, numbers of rows at its left."""
    columns, rows = (sorted({place[k] for place in places}) for k in (0, 1))
    height = int(max(rows)) + 1
    found = [
        label(LABELS + UNIT * (x + 0.5), board + 13, chr(97 + int(x)), size=11, fill=LINE)
        for x in columns
    ]
    return found + [
        label(LABELS / 2, UNIT * (y + 0.5) + 4, height - int(y), size=11, fill=LINE) for y in rows
    ]


def _cross(x: float, y: float) -> str:
    arm = UNIT * 0.28
    return (
        f'<path d="M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} '
        f'{2 * arm:g}" stroke="{CROSS}" stroke-width="5" stroke-linecap="round"/>'
    )


def _ring(x: float, y: float) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * 0.3:g}" fill="none" stroke="{RING}" '
        'stroke-width="5"/>'
    )
