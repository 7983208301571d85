"""A picture in our SVG as PNG or PDF by Matplotlib, which needs no Graphviz.

It reads only what :mod:`zermelo.draw.writers.svg` and :mod:`zermelo.plots.sequence` write.
"""

import io
import math
import re
import warnings
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from zermelo.errors import MissingDependencyError
from zermelo.plots.palette import PAPER

MAX_INCHES = 160.0
"""The longest side of a picture; a larger one is made smaller."""
FONT_SHARE = 0.9
"""The size of letters, as a share of that in SVG: the letters of Matplotlib are wider."""
INHERITED = ("fill", "font-family", "font-size", "font-weight", "text-anchor")
"""What an element passes on to those in it."""
ALIGNMENT = {"start": "left", "middle": "center", "end": "right"}
CAPS = {"round": "round", "square": "projecting"}
SHORTEST = 0.5
"""The length of a line for Matplotlib that is a dot in SVG."""


def write_matplotlib(svg: str, form: str, missing: str) -> bytes:
    """The picture as the bytes of a PNG or PDF file.

    ``missing`` is the sentence for a machine without Matplotlib.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D
    except ImportError:
        raise MissingDependencyError(missing) from None
    root = ElementTree.fromstring(svg)
    wide, tall = float(root.attrib["width"]), float(root.attrib["height"])
    shrink = min(1.0, MAX_INCHES * 72 / max(wide, tall))
    figure = Figure(figsize=(wide * shrink / 72, tall * shrink / 72), facecolor=PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, wide), ylim=(tall, 0))
    axes.axis("off")
    _paint(axes, root, {}, Affine2D(), shrink)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the reader sees an empty box
        metadata = {} if form == "png" else {"CreationDate": None}
        figure.savefig(out, format=form, dpi=144 if shrink == 1.0 else 72, metadata=metadata)
    return out.getvalue()


def _paint(axes: Any, element: Any, outer: Mapping[str, str], place: Any, scale: float) -> None:
    """Draw an element and those in it; ``place`` is where its coordinates are in the picture."""
    from matplotlib.transforms import Affine2D

    look = {**{k: outer[k] for k in INHERITED if k in outer}, **element.attrib}
    for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", look.get("transform", "")):
        values = [float(x) for x in numbers.split()]
        step = getattr(Affine2D(), {"rotate": "rotate_deg"}.get(kind, kind))(*values)
        place, scale = step + place, scale * values[0] if kind == "scale" else scale
    tag = element.tag.rpartition("}")[2]
    if tag == "text":
        _write(axes, "".join(element.itertext()), look, place, scale)
    elif tag in ("svg", "g"):
        for child in element:
            _paint(axes, child, look, place, scale)
    elif tag != "title" and look.get("class") != "paper":
        patch = _shape(tag, look)
        thick = float(look.get("stroke-width", 1.0))
        dash = [float(x) / thick for x in look.get("stroke-dasharray", "").split()]
        patch.set(
            facecolor=look.get("fill", "none"),
            edgecolor=look.get("stroke", "none"),
            linewidth=thick * scale,
            linestyle=(0, dash) if dash else "-",
            capstyle=CAPS.get(look.get("stroke-linecap", ""), "butt"),
            transform=place + axes.transData,
            zorder=1,
        )
        axes.add_artist(patch)


def _write(axes: Any, text: str, look: Mapping[str, str], place: Any, scale: float) -> None:
    at = place.transform((float(look.get("x", 0)), float(look.get("y", 0))))
    across, down = place.get_matrix()[:2, 0]
    axes.text(
        *at,
        text.replace("$", r"\$"),
        fontsize=FONT_SHARE * float(look["font-size"]) * scale,
        fontweight=look.get("font-weight", "normal"),
        family="monospace" if "Mono" in look["font-family"].partition(",")[0] else "sans-serif",
        color=look["fill"],
        ha=ALIGNMENT[look.get("text-anchor", "start")],
        rotation=-math.degrees(math.atan2(down, across)),
        rotation_mode="anchor",
        zorder=1,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5} if "stroke" in look else None,
    )


def _shape(tag: str, look: Mapping[str, str]) -> Any:
    """A shape as a patch of Matplotlib, without its looks."""
    from matplotlib.patches import Ellipse, FancyBboxPatch, PathPatch, Polygon

    if tag == "ellipse":
        return Ellipse((0, 0), 2 * float(look["rx"]), 2 * float(look["ry"]))
    if tag == "polygon":
        numbers = [float(x) for x in look["points"].split()]
        return Polygon(list(zip(numbers[::2], numbers[1::2], strict=True)))
    if tag == "path":
        return PathPatch(_path(look["d"]))
    x, y, wide, tall = (float(look[name]) for name in ("x", "y", "width", "height"))
    corners = f"round,pad=0,rounding_size={look['rx']}" if "rx" in look else "square,pad=0"
    return FancyBboxPatch((x, y), wide, tall, boxstyle=corners)


def _path(text: str) -> Any:
    """The path that a ``d`` of SVG describes; its commands are M, C, Q, H, V, h, v and Z."""
    from matplotlib.path import Path

    codes = {"M": Path.MOVETO, "C": Path.CURVE4, "Q": Path.CURVE3, "Z": Path.CLOSEPOLY}
    points: list[tuple[float, float]] = []
    kinds: list[Any] = []
    for command, numbers in re.findall(r"([A-Zhv])([^A-Zhv]*)", text):
        values = [float(x) for x in numbers.split()]
        if command in "HVhv":
            (x, y), end = points[-1], values[0]
            ends = {"H": [end, y], "V": [x, end], "h": [x + max(end, SHORTEST), y]}
            values = ends.get(command, [x, y + end])
        elif command == "Z":
            values = list(points[0])
        points += zip(values[::2], values[1::2], strict=True)
        kinds += [codes.get(command, Path.LINETO)] * (len(values) // 2)
    return Path(points, kinds)
