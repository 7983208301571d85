"""A picture with its layout as SVG text: self-contained, without ids and style sheets.

Every position is a ``<g class="node …">`` with its result as classes and ``data-`` attributes, so
that style sheets and scripts of a page find it, and a ``<title>`` that browsers show as a tooltip.
"""

import math
from collections.abc import Iterable

from zermelo.draw.layouts.geometry import Layout, Point, Route
from zermelo.draw.legend import Entry, Stroke, legend, stroke
from zermelo.draw.picture import Edge, Node, Picture
from zermelo.plots.palette import LETTERS, MONO, PALETTE, PAPER, TEXT
from zermelo.plots.svg import first_lines
from zermelo.plots.text import FONT_SIZE, LINE_HEIGHT, width, xml

MARGIN = 18.0
DASHES = {"solid": "", "dashed": ' stroke-dasharray="7 4"', "dotted": ' stroke-dasharray="1.5 4"'}
ROW = 24.0
"""The height of a row in the legend."""


def write_svg(picture: Picture, layout: Layout, *, with_legend: bool = True) -> str:
    """The picture as SVG text."""
    entries = legend(picture) if with_legend else ()
    zoom = max(1.0, min(10.0, layout.width / 1500))  # a large picture needs larger letters
    title_height = 30.0 * zoom if picture.title else 0.0
    title_width = width(picture.title or "", 17.0)
    room = max(layout.width / zoom, title_width, min(420.0, sum(map(_entry_width, entries))))
    rows = _rows(entries, room)
    inner = max([layout.width / zoom, title_width, *(map(_row_width, rows))]) * zoom
    legend_height = (len(rows) * ROW + 14.0) * zoom if rows else 0.0
    wide = inner + 2 * MARGIN
    tall = layout.height + title_height + legend_height + 2 * MARGIN
    caption, middle = picture.title or _caption(picture), 'text-anchor="middle" '
    out = first_lines(_n(wide), _n(tall), _n(FONT_SIZE), caption, middle)
    if picture.title:
        out.append(
            f'<text class="heading" x="{_n(wide / 2)}" y="{_n(MARGIN + 13 * zoom)}" '
            f'font-size="{_n(16 * zoom)}" font-weight="bold" fill="{TEXT}">'
            f"{xml(picture.title)}</text>"
        )
    left = (wide - layout.width) / 2
    out.append(f'<g class="graph" transform="translate({_n(left)} {_n(MARGIN + title_height)})">')
    moves = sorted(
        zip(picture.edges, layout.routes, strict=True), key=lambda pair: bool(pair[0].best)
    )
    out += [_edge(picture, edge, route) for edge, route in moves]
    out += [_node(node, at) for node, at in zip(picture.nodes, layout.centres, strict=True)]
    out.append("</g>")
    if rows:
        at = f"translate({_n(MARGIN)} {_n(tall - MARGIN - legend_height)}) scale({_n(zoom)})"
        out += _legend(rows, inner / zoom, at)
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _n(x: float) -> str:
    """A number with at most one decimal.

    >>> _n(2.0), _n(1 / 3)
    ('2', '0.3')
    """
    short = f"{x:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def _p(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _caption(picture: Picture) -> str:
    noun = "solved game" if picture.solved else "game"
    return f"A {noun} of {len(picture.nodes)} positions and {len(picture.edges)} moves"


# -------------------------------------------------------------------- moves


def _edge(picture: Picture, edge: Edge, route: Route) -> str:
    look = stroke(picture, edge)
    kind = "best" if edge.best else "other"
    source, target = picture.nodes[edge.source], picture.nodes[edge.target]
    return (
        f'<g class="edge {kind if picture.solved else "plain"}" data-from="{source.position}" '
        f'data-to="{target.position}"><title>{xml(f"{source.name} → {target.name}")}</title>'
        f"{_line(route.points, look)}{_head(route.points[-1], route.tip, look)}"
        f"{_weight(edge, route)}</g>"
    )


def _weight(edge: Edge, route: Route) -> str:
    """The weight of a move, half way along its line."""
    if not edge.label:
        return ""
    x, y = route.middle
    return (
        f'<text class="weight" x="{_n(x)}" y="{_n(y + 3.8)}" font-size="11" fill="{TEXT}" '
        f'stroke="{PAPER}" stroke-width="3" paint-order="stroke">{xml(edge.label)}</text>'
    )


def _line(points: tuple[Point, ...], look: Stroke) -> str:
    path = f"M{_p(points[0])}C{' '.join(map(_p, points[1:]))}"
    return (
        f'<path d="{path}" fill="none" stroke="{look.colour}" stroke-width="{_n(look.width)}"'
        f"{DASHES[look.dash]}/>"
    )


def head(end: Point, tip: Point, look: Stroke) -> list[Point]:
    """The three corners of an arrowhead."""
    length = math.dist(end, tip) or 1.0
    side = (2.6 + 0.75 * look.width) / length
    dx, dy = (tip[0] - end[0]) * side, (tip[1] - end[1]) * side
    return [tip, (end[0] - dy, end[1] + dx), (end[0] + dy, end[1] - dx)]


def _head(end: Point, tip: Point, look: Stroke) -> str:
    corners = " ".join(map(_p, head(end, tip, look)))
    return f'<polygon points="{corners}" fill="{look.colour}"/>'


# -------------------------------------------------------------------- positions


def _node(node: Node, at: Point) -> str:
    classes = ["node", *(cell.kind for cell in node.cells)]
    classes += [k for k in ("ends", "start") if getattr(node, k)] + ["cut"] * bool(node.cut)
    results = f' data-result="{xml(" ".join(cell.text for cell in node.cells))}"'
    tip = node.tooltip
    if node.cut:
        tip += f"\n{node.cut} move{'' if node.cut == 1 else 's'} not drawn"
    parts = [
        f'<g class="{" ".join(dict.fromkeys(classes))}" data-position="{node.position}"'
        f'{results if node.cells else ""} transform="translate({_p(at)})">',
        f"<title>{xml(tip)}</title>",
        *(_card(node) if node.shape == "card" else _body(node)),
        "</g>",
    ]
    return "".join(parts)


def _outline(shape: str, w: float, h: float, look: str) -> str:
    if shape == "ellipse":
        return f'<ellipse rx="{_n(w / 2)}" ry="{_n(h / 2)}" {look}/>'
    corner = {"box": 0.0, "oval": min(12.0, h / 3), "card": 5.0}[shape]
    round_off = f' rx="{_n(corner)}"' if corner else ""
    return (
        f'<rect x="{_n(-w / 2)}" y="{_n(-h / 2)}" width="{_n(w)}" height="{_n(h)}"{round_off} '
        f"{look}/>"
    )


def _borders(node: Node, fill: str) -> list[str]:
    """The shape of a position, and a second border if play ends there."""
    line = PALETTE[node.kind].stroke
    dash = ' stroke-dasharray="5 3"' if node.cut else ""
    thick = 3.4 if node.start else 1.5
    parts = []
    if node.ends:
        rim = f'fill="none" stroke="{line}" stroke-width="1.2"'
        parts.append(_outline(node.shape, node.width + 7, node.height + 7, rim))
    look = f'fill="{fill}" stroke="{line}" stroke-width="{thick}"{dash}'
    return [*parts, _outline(node.shape, node.width, node.height, look)]


def _text_lines(lines: Iterable[str], top: float, *, mono: bool) -> list[str]:
    face = f' font-family="{MONO}" xml:space="preserve"' if mono else ""
    return [
        f'<text y="{_n(top + k * LINE_HEIGHT)}" fill="{TEXT}"{face}>{xml(line)}</text>'
        for k, line in enumerate(lines)
    ]


def _body(node: Node) -> list[str]:
    count = len(node.lines) + len(node.cells)
    top = -count * LINE_HEIGHT / 2 + 11.2
    parts = _borders(node, PALETTE[node.kind].fill)
    parts += _text_lines(node.lines, top, mono=node.mono)
    for cell in node.cells:
        parts.append(
            f'<text class="result" y="{_n(top + len(node.lines) * LINE_HEIGHT)}" '
            f'font-weight="bold" fill="{TEXT}">{xml(cell.text)}</text>'
        )
    return parts


def _card(node: Node) -> list[str]:
    """A card: the name, and below it the results with player 0 and with player 1 to move."""
    w, h, top = node.width, node.height, -node.height / 2 + node.band
    parts = _borders(node, PALETTE["none"].fill)
    parts += _text_lines(node.lines, -h / 2 + 14.0, mono=node.mono)
    low = h / 2 - 0.8
    for e, cell in enumerate(node.cells):
        x0, x1 = (-w / 2 + 0.8, 0.0) if e == 0 else (0.0, w / 2 - 0.8)
        curl, turn = (x0, 4.2) if e == 0 else (x1, -4.2)
        flat = x1 if e == 0 else x0
        parts.append(
            f'<path class="{cell.kind}" d="M{_n(flat)} {_n(top)}V{_n(low)}H{_n(curl + turn)}'
            f'Q{_n(curl)} {_n(low)} {_n(curl)} {_n(low - 4.2)}V{_n(top)}Z" '
            f'fill="{PALETTE[cell.kind].fill}" stroke="{PALETTE[cell.kind].stroke}" '
            f'stroke-width="0.8"/>'
            f'<text class="result" x="{_n((x0 + x1) / 2)}" y="{_n(top + 14.6)}" font-size="11.5" '
            f'fill="{TEXT}">{e}: <tspan font-weight="bold">{xml(cell.text)}</tspan></text>'
        )
    return parts


# -------------------------------------------------------------------- legend


def _entry_width(entry: Entry) -> float:
    sign = {"cell": 27.0, "move": 37.0, "shape": 31.0, "note": 0.0}[entry.sign]
    return sign + width(entry.text, 11.5) + 18.0


def _rows(entries: tuple[Entry, ...], room: float) -> list[list[Entry]]:
    """The entries of the legend in rows that fit, of about equal width."""
    rows = best = _broken(entries, room)
    while room > 60.0 and len(rows) == len(best):
        best, room = rows, room - 8.0
        rows = _broken(entries, room)
    return best


def _broken(entries: tuple[Entry, ...], room: float) -> list[list[Entry]]:
    rows: list[list[Entry]] = []
    used = room + 1.0
    for entry in entries:
        if used + _entry_width(entry) - 18.0 > room:
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += _entry_width(entry)
    return rows


def _row_width(row: list[Entry]) -> float:
    return sum(map(_entry_width, row)) - 18.0


def _legend(rows: list[list[Entry]], wide: float, at: str) -> list[str]:
    out = [
        f'<g class="legend" text-anchor="start" font-size="11.5" fill="{TEXT}" transform="{at}">',
        f'<path d="M0 8H{_n(wide)}" stroke="#d9d9d9"/>',
    ]
    for k, row in enumerate(rows):
        x = (wide - _row_width(row)) / 2
        y = 14.0 + ROW * (k + 0.5)
        for entry in row:
            out.append(_entry(entry, x, y))
            x += _entry_width(entry)
    return [*out, "</g>"]


def _entry(entry: Entry, x: float, y: float) -> str:
    sign, shift = _sign(entry, x, y)
    return f'{sign}<text x="{_n(x + shift)}" y="{_n(y + 4)}">{xml(entry.text)}</text>'


def _sign(entry: Entry, x: float, y: float) -> tuple[str, float]:
    if entry.sign == "cell":
        look = PALETTE[entry.kind]
        return (
            f'<rect x="{_n(x)}" y="{_n(y - 9)}" width="20" height="18" rx="4" fill="{look.fill}" '
            f'stroke="{look.stroke}" stroke-width="1.3"/><text x="{_n(x + 10)}" y="{_n(y + 4)}" '
            f'text-anchor="middle" font-weight="bold">{LETTERS[entry.kind]}</text>',
            27.0,
        )
    if entry.sign == "move" and entry.stroke is not None:
        end, tip = (x + 22.0, y), (x + 30.0, y)
        line = _line(((x, y), (x + 7, y), (x + 15, y), end), entry.stroke)
        return line + _head(end, tip, entry.stroke), 37.0
    if entry.sign == "shape":
        dash = ' stroke-dasharray="4 2.5"' if entry.kind == "cut" else ""
        thick = 3.2 if entry.kind == "start" else 1.3
        look_at = f'fill="#ffffff" stroke="{PALETTE["none"].stroke}" stroke-width="{thick}"{dash}'
        shape = "box" if entry.kind == "box" else "ellipse"
        body = _outline(shape, 20.0, 13.0, look_at)
        if entry.kind == "ends":
            body = _outline(shape, 24.0, 17.0, look_at) + _outline(shape, 18.0, 11.0, look_at)
        return f'<g transform="translate({_n(x + 12)} {_n(y)})">{body}</g>', 31.0
    return "", 0.0
