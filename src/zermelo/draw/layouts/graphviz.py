"""Graphviz, if it is installed: DOT text of pictures, layouts by its engines, its file formats."""

import json
import shutil
import subprocess
from collections.abc import Callable
from typing import TypeVar

from zermelo.draw.layouts.geometry import Layout, Point, Route, reach
from zermelo.draw.legend import Entry, legend, stroke
from zermelo.draw.picture import Edge, Node, Picture
from zermelo.errors import DrawError, MissingDependencyError
from zermelo.plots.palette import LETTERS, PALETTE, TEXT
from zermelo.plots.text import dot_string, xml

T = TypeVar("T")

ENGINES = ("dot", "sfdp", "neato", "fdp", "circo", "twopi")
MAX_SECONDS = 60.0
LAYERED_SECONDS = 6.0
"""Seconds for an automatic layered layout: ``dot`` needs minutes for some graphs, not ``sfdp``."""
FACE = "Helvetica,Arial,sans-serif"
MONO_FACE = "DejaVu Sans Mono,monospace"


class _TookTooLong(DrawError):
    """The engine was stopped at its time limit."""


def installed(engine: str = "dot") -> bool:
    """Whether the Graphviz program of that name is on the path."""
    return shutil.which(engine) is not None


def run(engine: str, text: str, *options: str, limit: float = MAX_SECONDS) -> bytes:
    """The output of an engine for a DOT text."""
    program = shutil.which(engine)
    if program is None:
        raise MissingDependencyError(
            f"this needs Graphviz's {engine}; install Graphviz (https://graphviz.org/download), "
            "or write .svg, which does not need it"
        )
    try:
        done = subprocess.run(
            [program, *options],
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _TookTooLong(
            f"Graphviz's {engine} took more than {limit:g} seconds; draw less of the graph "
            "(start=, depth=) or use engine='sfdp'"
        ) from None
    if done.returncode or not done.stdout:
        message = done.stderr.decode("utf-8", "replace").strip() or f"status {done.returncode}"
        raise DrawError(f"Graphviz's {engine} failed: {message[:300]}")
    return done.stdout


def attempt(engine: str | None, wanted: str, make: Callable[[str, float], T]) -> T:
    """``make(engine, seconds)`` with the given engine, else with the one that fits best.

    If no engine is given and the layered layout takes too long, a spring layout replaces it.
    """
    if engine is not None or wanted == "sfdp" or not installed("sfdp"):
        return make(engine or wanted, MAX_SECONDS)
    try:
        return make(wanted, LAYERED_SECONDS)
    except _TookTooLong:
        return make("sfdp", MAX_SECONDS)


def best_layout(picture: Picture, wanted: str, direction: str) -> Layout:
    """The layout by the engine that fits best, or by a faster one if it takes too long."""
    return attempt(
        None, wanted, lambda kind, limit: graphviz_layout(picture, kind, direction, limit)
    )


def graphviz_layout(
    picture: Picture, engine: str, direction: str = "down", limit: float = MAX_SECONDS
) -> Layout:
    """A layout by one of Graphviz's engines."""
    if not picture.nodes:
        return Layout(0.0, 0.0, (), ())
    text = write_dot(picture, direction=direction, bare=True, engine=engine)
    found = json.loads(run(engine, text, "-Tjson0", limit=limit))
    left, low, right, top = (float(x) for x in found["bb"].split(","))

    def point(text: str) -> Point:
        x, y = (float(a) for a in text.split(",")[-2:])
        return x - left, top - y

    centre: dict[str, Point] = {}
    number: dict[int, str] = {}
    for node in found.get("objects", ()):
        centre[node["name"]] = point(node["pos"])
        number[node["_gvid"]] = node["name"]
    routes: dict[tuple[str, str], Route] = {}
    for edge in found.get("edges", ()):
        tokens = edge["pos"].split(";")[0].split()
        tip = next((point(w) for w in tokens if w.startswith("e,")), None)
        points = [point(w) for w in tokens if w[0] not in "es"]
        routes[number[edge["tail"]], number[edge["head"]]] = Route(tuple(points), tip or points[-1])
    return Layout(
        right - left,
        top - low,
        tuple(centre[f"n{k}"] for k in range(len(picture.nodes))),
        tuple(routes[f"n{e.source}", f"n{e.target}"] for e in picture.edges),
    )


# -------------------------------------------------------------------- DOT text


def write_dot(
    picture: Picture,
    *,
    direction: str = "down",
    with_legend: bool = True,
    bare: bool = False,
    engine: str = "dot",
) -> str:
    """A picture as DOT text; with ``bare`` only the sizes, as a layout needs them.

    >>> from zermelo import Graph
    >>> from zermelo.draw.picture import make_picture
    >>> print(write_dot(make_picture(Graph.from_edges([(0, 1)])), bare=True))
    digraph zermelo {
      graph [rankdir=TB, ranksep=0.5, nodesep=0.28];
      node [shape=ellipse, fixedsize=true, label=""];
      n0 [width=0.5, height=0.472];
      n1 [width=0.611, height=0.583];
      n0 -> n1;
    }
    <BLANKLINE>
    """
    head = f"rankdir={'TB' if direction == 'down' else 'LR'}, ranksep=0.5, nodesep=0.28"
    if len(picture.nodes) > 60:
        head += ", nslimit=1, nslimit1=1"
    if engine != "dot":
        head = 'overlap=prism, sep="+7", outputorder=edgesfirst, splines=line, K=0.9'
        if engine in ("neato", "fdp", "circo", "twopi") and len(picture.nodes) <= 200:
            head = "overlap=false, splines=true, outputorder=edgesfirst, sep=0.2"
    if bare:
        lines = [f"  graph [{head}];", '  node [shape=ellipse, fixedsize=true, label=""];']
        lines += [f"  n{k} [{_size(node)}];" for k, node in enumerate(picture.nodes)]
        lines += [f"  n{e.source} -> n{e.target};" for e in picture.edges]
        return "\n".join(["digraph zermelo {", *lines, "}", ""])
    lines = [
        f'  graph [{head}, fontname="{FACE}", bgcolor=white, pad=0.25, forcelabels=true,',
        f"         labelloc=b, label={_graph_label(picture, with_legend)}];",
        f'  node [fontname="{FACE}", fontsize=12, fontcolor="{TEXT}", fixedsize=true];',
        "  edge [arrowsize=0.75];",
        *(f"  n{k} {_node(node)};" for k, node in enumerate(picture.nodes)),
    ]
    for edge in picture.edges:
        look = stroke(picture, edge)
        lines.append(
            f'  n{edge.source} -> n{edge.target} [color="{look.colour}", penwidth={look.width:g}, '
            f"style={look.dash}{_weight(edge)}];"
        )
    return "\n".join(["digraph zermelo {", *lines, "}", ""])


def _weight(edge: Edge) -> str:
    """The weight of a move as attributes."""
    if not edge.label:
        return ""
    return f', label=" {edge.label} ", fontsize=11, fontname="{FACE}", fontcolor="{TEXT}"'


def _size(node: Node) -> str:
    a, b = reach(node)
    shape = "" if node.shape == "ellipse" else ", shape=box"
    return f"width={a / 36:.3g}, height={b / 36:.3g}{shape}"


def _node(node: Node) -> str:
    colours = PALETTE[node.kind]
    style = ["filled"] + ["dashed"] * bool(node.cut)
    if node.shape in ("oval", "card"):
        style.append("rounded")
    shape = "ellipse" if node.shape == "ellipse" else "box"
    parts = [
        f"label={_label(node)}",
        f"shape={shape}",
        f'style="{",".join(style)}"',
        f'fillcolor="{colours.fill}"',
        f'color="{colours.stroke}"',
        f"width={node.width / 72:.3g}",
        f"height={node.height / 72:.3g}",
        f"peripheries={2 if node.ends else 1}",
        f"penwidth={3.2 if node.start else 1.5}",
        f"tooltip={dot_string(node.tooltip)}",
    ]
    return f"[{', '.join(parts)}]"


def _label(node: Node) -> str:
    face = f' FACE="{MONO_FACE}"' if node.mono else ""
    name = "<BR/>".join(xml(line).replace(" ", "&#160;") or "&#160;" for line in node.lines)
    if face:
        name = f"<FONT{face}>{name}</FONT>"
    if node.shape == "card":
        cells = "".join(
            f'<TD BGCOLOR="{PALETTE[c.kind].fill}" BORDER="1" COLOR="{PALETTE[c.kind].stroke}" '
            f'WIDTH="{node.width / 2 - 6:.0f}"><FONT POINT-SIZE="11">{e}: <B>{xml(c.text)}</B>'
            "</FONT></TD>"
            for e, c in enumerate(node.cells)
        )
        return (
            '<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">'
            f'<TR><TD COLSPAN="2">{name}</TD></TR><TR>{cells}</TR></TABLE>>'
        )
    results = "".join(f"<BR/><B>{xml(cell.text)}</B>" for cell in node.cells)
    return f"<{name}{results}>"


def _graph_label(picture: Picture, with_legend: bool) -> str:
    title = f"<B>{xml(picture.title)}</B>" if picture.title else ""
    entries = legend(picture) if with_legend else ()
    if not entries:
        return f"<{title}>" if title else '""'
    rows = [entries[k : k + 4] for k in range(0, len(entries), 4)]
    body = "".join(
        '<TR><TD><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="3"><TR>'
        f"{''.join(map(_entry, row))}</TR></TABLE></TD></TR>"
        for row in rows
    )
    head = f"<TR><TD>{title}</TD></TR>" if title else ""
    return (
        f'<<FONT POINT-SIZE="11"><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0">{head}{body}'
        "</TABLE></FONT>>"
    )


_PREFIXES = {
    "ellipse": "ellipse:",
    "box": "box:",
    "ends": "double border:",
    "cut": "dashed border:",
    "start": "thick border:",
}
_LINES = {"solid": "thick line:", "dashed": "dashed line:", "dotted": "dotted line:"}


def _entry(entry: Entry) -> str:
    if entry.sign == "cell":
        look = PALETTE[entry.kind]
        return (
            '<TD><TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR>'
            f'<TD FIXEDSIZE="TRUE" WIDTH="20" HEIGHT="17" COLOR="{look.stroke}" '
            f'BGCOLOR="{look.fill}"><B>{LETTERS[entry.kind]}</B></TD>'
            f'<TD BORDER="0" ALIGN="LEFT">{xml(entry.text)}</TD></TR></TABLE></TD>'
        )
    prefix = _PREFIXES.get(entry.kind, "")
    if entry.stroke is not None:
        prefix = _LINES[entry.stroke.dash] if entry.stroke.width > 2 else "thin line:"
    text = xml(f"{prefix} {entry.text}".strip())
    return f"<TD>{text}&#160;&#160;</TD>"
