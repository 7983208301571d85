"""Pictures of heaps, rows and graphs, in SVG."""

from collections.abc import Callable, Hashable, Sequence
from math import cos, hypot, pi, sin

from zermelo.graph import Graph
from zermelo.rules.picture import (
    INK,
    PAPER,
    SHADE,
    Picture,
    cell,
    ground,
    label,
    picture,
    square_name,
)

COUNTER, PIN, FILE = "#0068a8", "#c9803a", "#efe7d3"
STEP = 18
"""The room of a counter or a pin."""
HIGHEST = 10
"""The most counters above each other; a larger heap has several columns."""
MOST_COUNTERS = 120
"""A heap that is larger is drawn as a bar with its number."""
MOST_ACROSS = 40
"""The most pins or squares of a row that are drawn; a longer row is cut short."""
EDGE = 10


def draw_heaps(heaps: Sequence[int], caption: str = "") -> Picture:
    """Heaps of counters side by side, with their sizes below.

    The cell ``2.3`` is the third counter of the second heap; a bar is the cell ``2``.

    >>> draw_heaps((3, 4)).count("<circle")
    7
    """
    parts, x = [], float(EDGE)
    widths = [-(-heap // HIGHEST) if heap <= MOST_COUNTERS else 2 for heap in heaps]
    rows = max((HIGHEST if heap > HIGHEST else heap for heap in heaps), default=0)
    floor = EDGE + STEP * max(rows, 1)
    for i, (heap, columns) in enumerate(zip(heaps, widths, strict=True), 1):
        room = STEP * max(columns, 1)
        if heap > MOST_COUNTERS:
            bar = (
                f'<rect x="{x:g}" y="{EDGE}" width="{room}" height="{floor - EDGE}" rx="6" '
                f'fill="{COUNTER}"/>'
            )
            parts.append(cell(i, bar, f"{heap} counters"))
        else:
            for k in range(heap):
                cx = x + STEP * (k // HIGHEST) + STEP / 2
                cy = floor - STEP * (k % HIGHEST) - STEP / 2
                counter = f'<circle cx="{cx:g}" cy="{cy:g}" r="{STEP / 2 - 1:g}" fill="{COUNTER}"/>'
                parts.append(cell(f"{i}.{k + 1}", counter))
        parts.append(label(x + room / 2, floor + 18, heap))
        x += room + STEP
    return _standing(parts, x, floor, caption if heaps else caption or "no heap is left")


def _standing(parts: list[str], right: float, floor: float, caption: str) -> Picture:
    """Things on a line, with a caption below."""
    content = right - STEP + EDGE
    wide = max(content, 7 * len(caption) + 2 * EDGE, 4 * EDGE)
    shifted = [f'<g transform="translate({(wide - content) / 2:g})">', *parts, "</g>"]
    tall = floor + 26 + (18 if caption else 0)
    line = f'<path d="M4 {floor + 1:g}H{wide - 4:g}" stroke="{SHADE}" stroke-width="2"/>'
    below = [label(wide / 2, tall - 8, caption)] if caption else []
    return picture(wide, tall, [ground(wide, tall), line, *shifted, *below])


def draw_pins(rows: Sequence[int]) -> Picture:
    """Rows of pins, one below the other, with their lengths.

    >>> draw_pins((3, 1)).count("<path")
    4
    """
    return _rows(rows, _pin, 26)


def draw_files(rows: Sequence[int]) -> Picture:
    """Rows of squares, one below the other, with their lengths.

    >>> draw_files((3, 1)).count("<rect")
    5
    """
    return _rows(rows, _square, STEP)


def draw_bars(numbers: Sequence[int]) -> Picture:
    """Numbers as bars of squares; if they are large, as plain bars.

    >>> draw_bars((25, 7)).count("<rect")
    33
    """
    if max(numbers) <= MOST_ACROSS:
        return draw_files(numbers)
    most = max(numbers)
    parts, wide = [], STEP * MOST_ACROSS + 70
    for k, number in enumerate(numbers):
        y, long = EDGE + 26 * k, max(1.0, STEP * MOST_ACROSS * number / most)
        parts.append(
            f'<rect x="{EDGE}" y="{y}" width="{long:g}" height="{STEP}" fill="{FILE}" '
            f'stroke="{SHADE}"/>'
        )
        parts.append(label(EDGE + long + 30, y + 14, number))
    tall = 2 * EDGE + 26 * len(numbers)
    return picture(wide, tall, [ground(wide, tall), *parts])


def _rows(rows: Sequence[int], shape: Callable[[float, float], str], high: int) -> Picture:
    """Rows of shapes; the cell ``2.3`` is the third of the second row."""
    parts = []
    across = max([min(row, MOST_ACROSS) for row in rows], default=0)
    wide = 2 * EDGE + STEP * across + 40
    for k, row in enumerate(rows):
        y = EDGE + (high + 8) * k
        drawn = min(row, MOST_ACROSS)
        parts += [cell(f"{k + 1}.{j + 1}", shape(EDGE + STEP * j, y)) for j in range(drawn)]
        end = f"… {row}" if row > drawn else row
        parts.append(label(EDGE + STEP * drawn + 22, y + high / 2 + 4, end))
    if not rows:
        wide, parts = 120, [label(60, EDGE + 14, "nothing is left")]
    tall = 2 * EDGE + (high + 8) * max(len(rows), 1) - 8
    return picture(wide, tall, [ground(wide, tall), *parts])


def _pin(x: float, y: float) -> str:
    """A skittle, 18 pixels wide and 26 high."""
    return (
        f'<path d="M{x + 9:g} {y:g}c3 0 4 3 3 6c-1 3 2 6 2 11c0 5 -2 9 -2 9h-6c0 0 -2 -4 -2 -9'
        f'c0 -5 3 -8 2 -11c-1 -3 0 -6 3 -6z" fill="{PIN}"/>'
    )


def _square(x: float, y: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{STEP}" height="{STEP}" fill="{FILE}" stroke="{SHADE}"/>'
    )


def draw_chocolate(bar: Sequence[int]) -> Picture:
    """A bar of chocolate; the square in the corner is poisoned.

    >>> draw_chocolate((3, 1)).count("<rect")
    5
    """
    unit = 30
    wide, tall = 2 * EDGE + unit * max(bar, default=1), 2 * EDGE + unit * max(len(bar), 1)
    parts = [ground(wide, tall)]
    for i, row in enumerate(bar):
        y = tall - EDGE - unit * (i + 1)
        for j in range(row):
            poison = i == j == 0
            square = (
                f'<rect x="{EDGE + unit * j + 1}" y="{y + 1}" width="{unit - 2}" '
                f'height="{unit - 2}" rx="4" fill="{"#3a8f3a" if poison else "#7b4b2a"}"/>'
            )
            if poison:
                square += label(EDGE + unit / 2, y + 20, "☠", size=16, fill=PAPER)
            parts.append(cell(square_name(i, j), square, "poisoned" if poison else ""))
    return picture(wide, tall, parts)


def draw_squares(rows: Sequence[str]) -> Picture:
    """Rows of squares: ``.`` is free, another letter is covered.

    >>> draw_squares(["..", "#."]).count("<rect")
    5
    """
    unit = 30
    wide, tall = 2 * EDGE + unit * len(rows[0]), 2 * EDGE + unit * len(rows)
    parts = [ground(wide, tall)]
    for i, row in enumerate(rows):
        for j, letter in enumerate(row):
            fill = FILE if letter == "." else "#6b6456"
            square = (
                f'<rect x="{EDGE + unit * j}" y="{EDGE + unit * i}" width="{unit}" '
                f'height="{unit}" fill="{fill}" stroke="{SHADE}"/>'
            )
            inside = "free" if letter == "." else "covered"
            parts.append(cell(square_name(len(rows) - 1 - i, j), square, inside))
    return picture(wide, tall, parts)


def draw_vertices(graph: Graph, marked: Sequence[Hashable], *, tokens: bool) -> Picture:
    """The vertices of a graph on a circle.

    With ``tokens``, the marked vertices have a token, and edges are arrows. Without, vertices that
    are not marked are gone, and only edges between the others are there.

    >>> import zermelo as zm
    >>> graph = zm.Graph.from_edges([("a", "b"), ("b", "c")])
    >>> draw_vertices(graph, ("a", "b"), tokens=False).count("<circle")
    3
    """
    disc = 15
    reach = max(48.0, 44 * graph.n / (2 * pi))
    middle = reach + disc + EDGE + (14 if tokens else 0)
    turns = [2 * pi * v / max(graph.n, 1) for v in range(graph.n)]
    places = [(middle + reach * sin(t), middle - reach * cos(t)) for t in turns]
    chosen = {graph.index(x) for x in marked}
    size = 2 * middle
    parts = [ground(size, size)]
    if tokens:
        parts.append(
            '<defs><marker id="zermelo-arrow" viewBox="0 0 8 8" refX="7" refY="4" '
            'markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{SHADE}"/></marker></defs>'
        )
    drawn = set()
    for u, v in graph.to_edges().tolist():
        there = tokens or (u in chosen and v in chosen)
        if tokens or (v, u) not in drawn:
            parts.append(_edge(places[u], places[v], middle, disc, arrow=tokens, there=there))
        drawn.add((u, v))
    for v, (x, y) in enumerate(places):
        on = v in chosen
        fill = COUNTER if on else FILE
        ink = PAPER if on else (INK if tokens else "#b9b2a0")
        line = SHADE if on or tokens else "#d9d3c3"
        vertex = f'<circle cx="{x:g}" cy="{y:g}" r="{disc}" fill="{fill}" stroke="{line}"/>'
        vertex += label(round(x, 2), round(y + 4, 2), str(graph.name(v))[:4], fill=ink)
        inside = ("token" if on else "no token") if tokens else "" if on else "gone"
        parts.append(cell(graph.name(v), vertex, inside))
    return picture(round(size, 2), round(size, 2), parts)


def _edge(
    start: tuple[float, float], end: tuple[float, float], middle: float, disc: int, *,
    arrow: bool, there: bool,
) -> str:  # fmt: skip
    """A line between two discs, slightly bent if it is an arrow; a loop is a circle."""
    (x, y), (u, v) = start, end
    long = hypot(u - x, v - y)
    style = f'stroke="{SHADE if there else "#e3dccb"}" stroke-width="2" fill="none"'
    if long == 0:
        away = hypot(x - middle, y - middle) or 1
        cx, cy = x + 18 * (x - middle) / away, y + 18 * (y - middle) / away
        return f'<ellipse cx="{cx:.1f}" cy="{cy:.1f}" rx="10" ry="10" {style}/>'
    dx, dy = (u - x) / long, (v - y) / long
    x, y, u, v = x + disc * dx, y + disc * dy, u - disc * dx, v - disc * dy
    if not arrow:
        return f'<path d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}" {style}/>'
    bx, by = (x + u) / 2 - 12 * dy, (y + v) / 2 + 12 * dx
    return (
        f'<path d="M{x:.1f} {y:.1f}Q{bx:.1f} {by:.1f} {u:.1f} {v:.1f}" {style} '
        'marker-end="url(#zermelo-arrow)"/>'
    )
