"""``draw(subject, path)`` and ``svg(subject)``: choose the layout and the writer of a picture."""

import os
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from zermelo._runtime.files import write_bytes
from zermelo.draw.layouts import graphviz
from zermelo.draw.layouts.circular import circular_layout, suits_circle
from zermelo.draw.layouts.geometry import Layout, reach
from zermelo.draw.layouts.layered import layered_layout, ranks
from zermelo.draw.layouts.spring import spring_layout
from zermelo.draw.picture import Picture, make_picture
from zermelo.draw.writers.matplotlib import write_matplotlib
from zermelo.draw.writers.svg import write_svg
from zermelo.errors import DrawError

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.solutions.base import Solution

OwnEngine = Literal["layered", "circular", "spring"]
OWN_ENGINES = get_args(OwnEngine)
"""The layouts that need nothing but Python."""
FORMATS = ("svg", "png", "pdf", "dot")
MAX_LAYERED = 1_000
"""With more positions than this, a spring layout replaces the layered one."""
MAX_EASY_STRIP = 7
"""Up to this many positions a strip of layers is easy to read."""
MAX_OWN_LAYERED = 150
"""With more positions than this, layers are not tried without Graphviz."""
SLIM = 2.0
"""Layers that are longer than this, as a multiple of their width, are a strip."""
STRIP, STRIP_POSITIONS = 3.0, 20
"""Graphviz's layers of more positions that are longer than this give way to springs."""
EMPTY = 30.0
"""Layers that are larger than this, as a multiple of what positions cover, are full of moves."""
MAX_FINE = 300
"""Up to this many positions a PNG has 144 dots per inch."""


def svg(
    subject: "Graph | Solution",
    *,
    start: Hashable | None = None,
    depth: int | None = None,
    engine: str | None = None,
    title: str | None = None,
    legend: bool = True,
    direction: str = "down",
) -> str:
    """A picture of a graph or a solution, as SVG text.

    The colour and the letter of a position show its result for the player to move, and a number
    shows the distance: W3 is a win in 3 moves, L2 a loss in 2, T a draw in which both may agree on
    an end, and D a draw by infinite play. Best moves are bold. At a position with a double border
    play ends. On owned graphs, positions of player 0 are round and positions of player 1 are boxes.
    If the results of the two players differ, a position shows both. In parity, Büchi, Muller,
    reachability and safety games on owned graphs, the colour and the text show the winner, and in
    parity and Muller games also the priority or the colours of a position.

    With ``start`` and ``depth``, only the part within ``depth`` moves from ``start`` is drawn.
    ``engine`` is one of Graphviz's (``dot``, ``sfdp``, ``neato``, ``fdp``, ``circo``, ``twopi``)
    or a built-in one (``layered``, ``circular``, ``spring``); the default is Graphviz if it is
    installed, else the built-in one that suits the graph.
    ``direction`` is ``down`` or ``right``.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> text = svg(zm.solve(g), engine="layered")
    >>> text.startswith("<svg"), text.count('class="node')
    (True, 3)
    """
    picture = make_picture(subject, start=start, depth=depth, title=title)
    placed = lay_out(picture, engine, direction)
    return write_svg(picture, placed, with_legend=legend)


def draw(
    subject: "Graph | Solution",
    path: str | os.PathLike[str],
    *,
    start: Hashable | None = None,
    depth: int | None = None,
    engine: str | None = None,
    title: str | None = None,
    legend: bool = True,
    direction: str = "down",
    format: str | None = None,
) -> Path:
    """Draw a graph or a solution into a file, and return its path.

    The suffix decides the format, unless ``format`` is given: ``.svg`` always works; ``.png`` and
    ``.pdf`` need Graphviz or Matplotlib (``zermelo[draw]``); ``.dot`` is text for Graphviz. The
    other options are those of :func:`svg`.

    >>> import tempfile, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw(zm.solve(g), folder + "/game.svg").name
    'game.svg'
    """
    target = Path(path)
    form = _format(target, format)
    picture = make_picture(subject, start=start, depth=depth, title=title)
    _check(engine, direction)
    if form == "svg":
        placed = lay_out(picture, engine, direction)
        data = write_svg(picture, placed, with_legend=legend).encode()
    elif form == "dot":
        kind = engine if engine and engine not in OWN_ENGINES else choose_engine(picture)
        text = graphviz.write_dot(picture, direction=direction, with_legend=legend, engine=kind)
        data = text.encode()
    else:
        data = _rendered(picture, form, engine, direction, legend)
    write_bytes(data, target)
    return target


def lay_out(picture: Picture, engine: str | None = None, direction: str = "down") -> Layout:
    """The layout of a picture by the given engine, or by the best available one."""
    _check(engine, direction)
    if engine is None:
        wanted = choose_engine(picture)
        if graphviz.installed(wanted):
            placed = graphviz.best_layout(picture, wanted, direction)
            return spring_layout(picture) if _is_strip(picture, placed) else placed
        if not suits_circle(picture):
            return _legible(picture, direction)
        engine = "circular"
    if engine == "circular":
        return circular_layout(picture)
    if engine == "layered":
        return layered_layout(picture, direction)
    if engine == "spring":
        return spring_layout(picture)
    return graphviz.graphviz_layout(picture, engine, direction)


def _legible(picture: Picture, direction: str) -> Layout:
    """Layers, unless they are a strip or too many moves pass through them; then springs."""
    if len(picture.nodes) <= MAX_EASY_STRIP:
        return layered_layout(picture, direction)
    if len(picture.nodes) <= MAX_OWN_LAYERED:
        layers = layered_layout(picture, direction)
        covered = sum(4 * a * b for a, b in map(reach, picture.nodes))
        slim = max(layers.width, layers.height) > SLIM * min(layers.width, layers.height)
        if not slim and layers.width * layers.height <= EMPTY * covered + 250_000:
            return layers
    return spring_layout(picture)


def _is_strip(picture: Picture, layout: Layout) -> bool:
    """Whether a picture of many positions is much longer than wide, so that it cannot be read."""
    long, short = max(layout.width, layout.height), min(layout.width, layout.height)
    return len(picture.nodes) > STRIP_POSITIONS and long > STRIP * short


def choose_engine(picture: Picture) -> str:
    """Graphviz's engine for a picture: layers if most moves are short, else springs."""
    if len(picture.nodes) > MAX_LAYERED:
        return "sfdp"
    rank = ranks(picture)
    span = sum(abs(rank[edge.source] - rank[edge.target]) for edge in picture.edges)
    return "dot" if span <= 1_000 + 4 * len(picture.edges) else "sfdp"


def straight_engine(picture: Picture) -> str:
    """The built-in layout for a picture whose moves are drawn as straight lines.

    >>> import zermelo as zm
    >>> from zermelo.draw.picture import make_picture
    >>> straight_engine(make_picture(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)])))
    'circular'
    >>> straight_engine(make_picture(zm.Graph.from_edges([], n=100)))
    'spring'
    """
    if suits_circle(picture):
        return "circular"
    if len(picture.nodes) > MAX_OWN_LAYERED:
        return "spring"
    rank = ranks(picture)
    widest, layers = max(map(rank.count, set(rank)), default=0), len(set(rank))
    if max(widest, layers) > STRIP * min(widest, layers) + MAX_EASY_STRIP:
        return "spring"
    # A move across several layers would pass through the positions between.
    far = sum(abs(rank[edge.source] - rank[edge.target]) > 1 for edge in picture.edges)
    return "layered" if 8 * far <= len(picture.edges) else "spring"


def _rendered(
    picture: Picture, form: str, engine: str | None, direction: str, legend: bool
) -> bytes:
    """The picture as PNG or PDF, by Graphviz if it is installed, else by Matplotlib."""
    wanted = engine or choose_engine(picture)
    if engine is None and wanted == "dot" and graphviz.installed("sfdp") and picture.nodes:
        layers = graphviz.best_layout(picture, "dot", direction)
        wanted = "sfdp" if _is_strip(picture, layers) else wanted
    if wanted not in OWN_ENGINES and (engine or graphviz.installed(wanted)) and picture.nodes:

        def render(kind: str, limit: float) -> bytes:
            text = graphviz.write_dot(picture, direction=direction, with_legend=legend, engine=kind)
            fine = ["-Gdpi=144"] if form == "png" and len(picture.nodes) <= MAX_FINE else []
            return graphviz.run(kind, text, f"-T{form}", *fine, limit=limit)

        return graphviz.attempt(engine, wanted, render)
    placed = lay_out(picture, engine, direction)
    missing = (
        f"a picture as {form} needs Graphviz (https://graphviz.org/download) or Matplotlib "
        "(pip install 'zermelo[draw]'); .svg needs neither"
    )
    return write_matplotlib(write_svg(picture, placed, with_legend=legend), form, missing)


def _format(path: Path, given: str | None) -> str:
    form = given if given is not None else path.suffix.removeprefix(".").lower()
    form = {"gv": "dot"}.get(form, form)
    if form not in FORMATS:
        given_as = f"format {given!r}" if given is not None else f"file {path.name!r}"
        raise DrawError(f"expected a picture's format, one of {', '.join(FORMATS)}; got {given_as}")
    return form


def _check(engine: str | None, direction: str) -> None:

    known = (*graphviz.ENGINES, *OWN_ENGINES)
    if engine is not None and engine not in known:
        raise DrawError(f"engine: expected one of {', '.join(known)}, got {engine!r}")
    if direction not in ("down", "right"):
        raise DrawError(f"direction: expected 'down' or 'right', got {direction!r}")
