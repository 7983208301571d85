"""What a picture shows, before anybody says where: positions, moves, a legend.

:func:`make_picture` turns a graph or a solution into a :class:`Picture`; layouts place it and
writers draw it.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from zermelo._door import inputs as _inputs
from zermelo.draw.palette import LETTERS
from zermelo.draw.text import LINE_HEIGHT, harmless, lines_of, width
from zermelo.errors import DrawError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE

MAX_POSITIONS = 5_000
"""The largest picture; what it shows beyond is a cloud."""
MAX_MOVES = 50_000


@dataclass(frozen=True)
class Cell:
    """One result: how it is written, and the kind that colours it."""

    text: str
    kind: str


@dataclass(frozen=True)
class Node:
    """One position: its number in the graph, its words, its looks."""

    position: int
    name: str
    lines: tuple[str, ...]
    cells: tuple[Cell, ...]
    """No result, one, or one for each player to move."""
    shape: str
    """``ellipse``, ``box``, or ``card`` where there are two results."""
    tooltip: str
    ends: bool
    cut: int
    start: bool
    width: float
    height: float

    @property
    def kind(self) -> str:
        """What colours the whole of it."""
        return self.cells[0].kind if len(self.cells) == 1 else "none"

    @property
    def mono(self) -> bool:
        """Whether the name is a board, whose columns must stand under each other."""
        return len(self.lines) > 1

    @property
    def band(self) -> float:
        """The height that the name takes on a card."""
        return len(self.lines) * LINE_HEIGHT + 6.0


@dataclass(frozen=True)
class Edge:
    """One move, by places in ``Picture.nodes``.

    ``best`` lists the results for which it is an optimal move: (0,) where there is one, or those
    of player 0 and of player 1. ``kind`` colours it.
    """

    source: int
    target: int
    best: tuple[int, ...]
    kind: str


@dataclass(frozen=True)
class Picture:
    """All that a picture shows."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    title: str | None
    owned: bool
    solved: bool
    family: str = ""
    """That of the objective, where it is solved."""


def make_picture(
    thing: object,
    *,
    start: Hashable | None = None,
    depth: int | None = None,
    title: str | None = None,
) -> Picture:
    """The picture of a graph or solution, or of what ``start`` reaches in ``depth`` moves.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> [node.name for node in make_picture(g, start="b", depth=1).nodes]
    ['b', 'a']
    """
    graph, solution = _parts(thing)
    shown = _shown(graph, solution, start, depth)
    moves = int(graph.out_degree[shown].sum())
    if moves > MAX_MOVES:
        raise DrawError(
            f"expected at most {MAX_MOVES:,} moves to draw, got {moves:,}; "
            "draw a part: start= a position and depth= a small number of moves"
        )
    home = getattr(solution, "start", None) if start is None else graph.index(start)
    place = {v: k for k, v in enumerate(shown)}
    doubled = solution is not None and solution.label.ndim == 2
    absorbing = _absorbing(graph, solution, doubled)
    exact = _show_values(solution)
    family = "" if solution is None else solution.objective.family
    nodes: list[Node] = []
    edges: list[Edge] = []
    for v in shown:
        successors = graph.successors(v).tolist()
        answers = _answers(graph, solution, v, doubled)
        cells = tuple(_cell(answer, exact, family) for answer in answers)
        best = [{graph.index(w) for w in answer.best_moves} for answer in answers]
        kept = [w for w in successors if w in place]
        nodes.append(
            _node(
                graph,
                v,
                cells,
                tooltip=_tooltip(graph, v, answers),
                ends=not successors or v in absorbing,
                cut=len(successors) - len(kept),
                start=v == home,
            )
        )
        for w in kept:
            hits = tuple(e for e, moves in enumerate(best) if w in moves)
            kind = cells[0].kind if len(cells) == 1 and hits else "none"
            edges.append(Edge(place[v], place[w], hits, kind))
    if title is not None and not isinstance(title, str):
        raise DrawError(f"title: expected text, got {_inputs.shown(title)}")
    owned = graph.owner is not None
    return Picture(tuple(nodes), tuple(edges), title, owned, solution is not None, family)


def _parts(thing: object) -> tuple[Graph, Any]:
    """The graph and, where it was one, the solution."""
    if isinstance(thing, Graph):
        return thing, None
    graph = getattr(thing, "graph", None)
    if isinstance(thing, Game):
        return thing.graph, None
    if not isinstance(graph, Graph):
        raise DrawError(f"expected a Graph or a Solution to draw, got {type(thing).__name__}")
    return graph, thing


def _shown(graph: Graph, solution: Any, start: Hashable | None, depth: int | None) -> list[int]:
    """The positions to draw, nearest first where there is a start."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise DrawError(f"depth: expected a number of moves, got {depth!r}")
    if start is None and depth is not None:
        number = getattr(solution, "start", None)
        if number is None:
            raise DrawError("depth: expected a start to count from; say start=")
        start = graph.name(number)
    if start is None:
        if graph.n > MAX_POSITIONS:
            raise DrawError(_too_many(f"the graph has {graph.n:,}"))
        return list(range(graph.n))
    layer = [graph.index(start)]
    seen = dict.fromkeys(layer)
    moves = 0
    while layer and (depth is None or moves < depth):
        further = (w for v in layer for w in graph.successors(v).tolist())
        layer = list(dict.fromkeys(w for w in further if w not in seen))
        seen.update(dict.fromkeys(layer))
        moves += 1
        if len(seen) > MAX_POSITIONS:
            raise DrawError(_too_many(f"{start!r} reaches {len(seen):,} in {moves} moves"))
    return list(seen)


def _too_many(count: str) -> str:
    return (
        f"expected at most {MAX_POSITIONS:,} positions to draw, {count}; "
        "draw a part of it: start= a position and depth= a small number of moves"
    )


def _absorbing(graph: Graph, solution: Any, doubled: bool) -> set[int]:
    """Positions where play ends although there may be moves, as at a target."""
    form = getattr(solution, "form", None)
    if form is None:
        return set()
    ends = form.absorbing >> 1 if doubled else form.absorbing
    return set(ends.tolist())


def _show_values(solution: Any) -> bool:
    """Whether results are numbers that a label does not tell."""
    levels = getattr(getattr(solution, "form", None), "levels", ())
    return any(x not in (-1, 0, 1) for x in levels)


def _answers(graph: Graph, solution: Any, v: int, doubled: bool) -> list[Any]:
    if solution is None:
        return []
    name = graph.name(v)
    return [solution.at(name, player=e) for e in (0, 1)] if doubled else [solution.at(name)]


def _cell(answer: Any, exact: bool, family: str) -> Cell:
    """A result; only where ends have payoffs does the lack of a distance mean endless play."""
    endless, ends = answer.distance == NO_DISTANCE, family == "terminal"
    undecided = ("draw" if ends else "unknown") if endless else "tie"
    kind = {1: "win", -1: "lose"}.get(int(answer.label), undecided)
    far = "" if kind == "draw" or not ends else "∞"
    text = LETTERS[kind] + (far if endless else str(answer.distance))
    if exact:
        value = str(answer.value)
        text = f"{value if len(value) <= 10 else value[:9] + '…'} {text}"
    return Cell(text, kind)


def _tooltip(graph: Graph, v: int, answers: Iterable[Any]) -> str:
    if answers:
        return harmless("\n".join(str(answer) for answer in answers))
    moves = int(graph.out_degree[v])
    who = "" if graph.owner is None else f", player {int(graph.owner[v])} to move"
    count = "terminal" if moves == 0 else f"{moves} move{'' if moves == 1 else 's'}"
    return harmless(f"{graph.name(v)}{who}: {count}")


def _node(
    graph: Graph,
    v: int,
    cells: tuple[Cell, ...],
    *,
    tooltip: str,
    ends: bool,
    cut: int,
    start: bool,
) -> Node:
    lines = lines_of(graph.name(v))
    mono = len(lines) > 1
    words = max(width(line, mono=mono) for line in lines)
    tall = LINE_HEIGHT * (len(lines) + (len(cells) == 1))
    shape = "ellipse" if graph.owner is None or graph.owner[v] == 0 else "box"
    if len(cells) == 2:
        shape = "card"
        half = max(width(f"{e}: {cell.text}", 11.5) for e, cell in enumerate(cells)) + 14.0
        across, high = max(words + 18.0, 2 * half, 88.0), len(lines) * LINE_HEIGHT + 6.0 + 21.0
    else:
        words = max([words, *(width(cell.text) * 1.05 for cell in cells)])
        if shape == "box" or mono:
            shape, across, high = "box" if shape == "box" else "oval", words + 20.0, tall + 14.0
        else:
            across, high = words * 1.22 + 18.0, tall * 1.2 + 12.0
        across, high = max(across, 36.0 + 10.0 * bool(cells)), max(high, 34.0)
    return Node(
        v,
        harmless(str(graph.name(v))),
        lines,
        cells,
        shape,
        tooltip,
        ends,
        cut,
        start,
        round(across, 1),
        round(high, 1),
    )
