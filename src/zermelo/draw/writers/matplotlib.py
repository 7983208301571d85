"""A picture with its layout as PNG or PDF by Matplotlib, for machines without Graphviz."""

import io
import warnings
from typing import Any

from zermelo.draw.layouts.geometry import Layout, Point
from zermelo.draw.legend import Entry, legend, stroke
from zermelo.draw.picture import Node, Picture
from zermelo.draw.writers.svg import head
from zermelo.errors import MissingDependencyError
from zermelo.plots.palette import LETTERS, PALETTE, PAPER, TEXT
from zermelo.plots.text import LINE_HEIGHT

MARGIN = 18.0
LARGEST = 160.0
"""The longest side in inches; a larger picture is made smaller."""
STYLES = {"solid": "-", "dashed": (0, (2.6, 1.5)), "dotted": (0, (0.6, 1.6))}


def write_matplotlib(picture: Picture, layout: Layout, form: str, with_legend: bool) -> bytes:
    """The picture as the bytes of a PNG or PDF file."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingDependencyError(
            f"a picture as {form} needs Graphviz (https://graphviz.org/download) or Matplotlib "
            "(pip install 'zermelo[draw]'); .svg needs neither"
        ) from None
    entries = legend(picture) if with_legend else ()
    columns = max(1, int((max(layout.width, 420.0) + 10) // 150))
    title = 26.0 if picture.title else 0.0
    below = 20.0 * -(-len(entries) // columns) + 16.0 if entries else 0.0
    wide = max(layout.width, 420.0 if entries else 60.0) + 2 * MARGIN
    tall = layout.height + title + below + 2 * MARGIN
    shrink = min(1.0, LARGEST * 72 / max(wide, tall))
    figure = Figure(figsize=(wide * shrink / 72, tall * shrink / 72), facecolor=PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, wide)
    axes.set_ylim(tall, 0)
    axes.axis("off")
    shift = ((wide - layout.width) / 2, MARGIN + title)
    pen = _Pen(axes, shrink, shift)
    if picture.title:
        pen.write((layout.width / 2, 8.0 - title), picture.title, 14, bold=True)
    _moves(pen, picture, layout)
    for node, at in zip(picture.nodes, layout.centres, strict=True):
        _position(pen, node, at)
    pen.shift = (MARGIN, tall - MARGIN - below)
    for k, entry in enumerate(entries):
        cell = (wide - 2 * MARGIN) / columns
        _entry(pen, entry, (k % columns * cell, 20.0 * (k // columns) + 20.0))
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the reader sees an empty box
        figure.savefig(out, format=form, dpi=144 if shrink == 1.0 else 72, facecolor=PAPER)
    return out.getvalue()


class _Pen:
    """A pen with coordinates in points, relative to ``shift``; y grows downwards."""

    def __init__(self, axes: Any, scale: float, shift: Point) -> None:
        self.axes, self.scale, self.shift = axes, scale, shift
        self.depth = 1

    def at(self, p: Point) -> Point:
        return p[0] + self.shift[0], p[1] + self.shift[1]

    def add(self, patch: Any) -> None:
        self.depth += 1
        patch.set_zorder(self.depth)
        self.axes.add_patch(patch)

    def write(self, p: Point, text: str, size: float, *, bold: bool = False, **looks: Any) -> None:
        x, y = self.at(p)
        self.depth += 1
        self.axes.text(
            x,
            y,
            text.replace("$", r"\$"),
            fontsize=size * self.scale,
            fontweight="bold" if bold else "normal",
            color=TEXT,
            zorder=self.depth,
            **{"ha": "center", "va": "center", "family": "sans-serif", **looks},
        )

    def outline(self, shape: str, p: Point, w: float, h: float, **looks: Any) -> None:
        from matplotlib.patches import Ellipse, FancyBboxPatch, Rectangle

        x, y = self.at(p)
        looks["linewidth"] = looks.get("linewidth", 1.4) * self.scale
        if shape == "ellipse":
            self.add(Ellipse((x, y), w, h, **looks))
        elif shape == "oval":
            style = f"round,pad=0,rounding_size={min(12.0, h / 3)}"
            self.add(FancyBboxPatch((x - w / 2, y - h / 2), w, h, boxstyle=style, **looks))
        else:
            self.add(Rectangle((x - w / 2, y - h / 2), w, h, **looks))

    def arrow(self, points: tuple[Point, ...], tip: Point, look: Any) -> None:
        from matplotlib.patches import PathPatch, Polygon
        from matplotlib.path import Path

        points_there = [self.at(p) for p in points]
        codes = [Path.MOVETO] + [Path.CURVE4] * (len(points_there) - 1)
        self.add(
            PathPatch(
                Path(points_there, codes),
                facecolor="none",
                edgecolor=look.colour,
                linewidth=look.width * self.scale,
                linestyle=STYLES[look.dash],
            )
        )
        corners = [self.at(p) for p in head(points[-1], tip, look)]
        self.add(Polygon(corners, facecolor=look.colour, edgecolor="none"))


def _moves(pen: _Pen, picture: Picture, layout: Layout) -> None:
    pairs = zip(picture.edges, layout.routes, strict=True)
    for edge, route in sorted(pairs, key=lambda pair: bool(pair[0].best)):
        pen.arrow(route.points, route.tip, stroke(picture, edge))
    for edge, route in zip(picture.edges, layout.routes, strict=True):
        if edge.label:
            box = {"boxstyle": "round,pad=0.1", "facecolor": PAPER, "edgecolor": "none"}
            pen.write(route.middle, edge.label, 10, bbox=box)


def _position(pen: _Pen, node: Node, at: Point) -> None:
    colours = PALETTE[node.kind]
    line = {"edgecolor": colours.stroke}
    if node.ends:
        pen.outline(node.shape, at, node.width + 7, node.height + 7, facecolor="none", **line)
    pen.outline(
        node.shape,
        at,
        node.width,
        node.height,
        facecolor=colours.fill,
        linewidth=3.2 if node.start else 1.4,
        linestyle="--" if node.cut else "-",
        **line,
    )
    rows = len(node.lines) + (len(node.cells) == 1)
    top = at[1] - (rows - 1) * LINE_HEIGHT / 2
    if node.shape == "card":
        top = at[1] - node.height / 2 + 3.0 + LINE_HEIGHT / 2
    family = "monospace" if node.mono else "sans-serif"
    for k, text in enumerate(node.lines):
        pen.write((at[0], top + k * LINE_HEIGHT), text, 11, family=family)
    if node.shape != "card":
        for cell in node.cells:
            pen.write((at[0], top + len(node.lines) * LINE_HEIGHT), cell.text, 11, bold=True)
        return
    low, half = node.height - node.band, node.width / 2
    y = at[1] + node.height / 2 - low / 2
    for e, cell in enumerate(node.cells):
        x = at[0] + (e - 0.5) * half
        looks = {"facecolor": PALETTE[cell.kind].fill, "edgecolor": PALETTE[cell.kind].stroke}
        pen.outline("box", (x, y), half - 1, low - 1, linewidth=0.8, **looks)
        pen.write((x, y), f"{e}: {cell.text}", 10.5)


def _entry(pen: _Pen, entry: Entry, at: Point) -> None:
    x, y = at
    indent = 0.0
    if entry.sign == "cell":
        look = PALETTE[entry.kind]
        pen.outline("oval", (x + 10, y), 20, 15, facecolor=look.fill, edgecolor=look.stroke)
        pen.write((x + 10, y), LETTERS[entry.kind], 10, bold=True)
        indent = 27.0
    elif entry.stroke is not None:
        pen.arrow(((x, y), (x + 7, y), (x + 15, y), (x + 22, y)), (x + 30, y), entry.stroke)
        indent = 36.0
    elif entry.sign == "shape":
        looks = {"facecolor": "white", "edgecolor": PALETTE["none"].stroke}
        shape = "box" if entry.kind == "box" else "ellipse"
        if entry.kind == "ends":
            pen.outline(shape, (x + 12, y), 24, 16, **looks)
        thick = 3.0 if entry.kind == "start" else 1.2
        dash = "--" if entry.kind == "cut" else "-"
        pen.outline(shape, (x + 12, y), 18, 11, linewidth=thick, linestyle=dash, **looks)
        indent = 31.0
    pen.write((x + indent, y), entry.text, 10, ha="left")
