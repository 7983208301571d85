"""The content of a picture, before anything has a place: positions, moves, a legend.

:func:`make_picture` turns a graph or a solution into a :class:`Picture`; a layout gives it
coordinates and a writer draws it.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from zermelo._inputs import values as _inputs
from zermelo.errors import DrawError, InvalidObjectiveError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE
from zermelo.objectives import Objective
from zermelo.objectives.quantitative import Quantitative
from zermelo.plots.palette import LETTERS
from zermelo.plots.text import LINE_HEIGHT, harmless, lines_of, shortened, width
from zermelo.registry import objective_row
from zermelo.solutions.base import solution_of
from zermelo.solutions.weighted_play import short_value

MAX_POSITIONS = 5_000
"""The largest number of positions in a picture; with more of them nobody can read it."""
MAX_MOVES = 50_000
MAX_NAME, MAX_TOOLTIP = 200, 600
"""The most letters of a name and of a tooltip."""


@dataclass(frozen=True)
class Cell:
    """One result: its text, and the kind that decides its colour."""

    text: str
    kind: str


@dataclass(frozen=True)
class Node:
    """One position: its number in the graph, its text and its appearance."""

    position: int
    name: str
    lines: tuple[str, ...]
    cells: tuple[Cell, ...]
    """No result, one result, or one for each player to move."""
    shape: str
    """``ellipse``, ``oval``, ``box``, or ``card`` if there are two results."""
    width: float
    height: float
    tooltip: str
    ends: bool
    cut: int
    start: bool

    @property
    def kind(self) -> str:
        """The kind of result that decides the colour of the whole position."""
        return self.cells[0].kind if len(self.cells) == 1 else "none"

    @property
    def mono(self) -> bool:
        """Whether the name is a board, which needs letters of equal width."""
        return len(self.lines) > 1

    @property
    def band(self) -> float:
        """The height of the name on a card."""
        return len(self.lines) * LINE_HEIGHT + 6.0


@dataclass(frozen=True)
class Edge:
    """One move; its ends are indices into ``Picture.nodes``.

    ``best`` lists the results for which this is an optimal move: (0,) if there is one result, or
    those of player 0 and of player 1. ``kind`` decides the colour.
    """

    source: int
    target: int
    best: tuple[int, ...]
    kind: str
    label: str = ""
    """What is written at the move: its weight, if it has one."""


@dataclass(frozen=True)
class Picture:
    """The content of a picture."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    title: str | None
    owned: bool
    solved: bool
    from_start: bool = False
    """Whether a result is for play that starts at its position, because the past matters."""
    marks_mean: str = ""
    """The meaning of the marks at positions, such as priorities; empty if there are none."""
    values_mean: str = ""
    """The meaning of the numbers in results, if they are not the moves to the end."""
    endless_mean: str = Objective.endless_mean
    """The meaning of ∞ in results."""


def make_picture(
    subject: object,
    *,
    start: Hashable | None = None,
    depth: int | None = None,
    title: str | None = None,
    positions: Iterable[int] | None = None,
) -> Picture:
    """The picture of a graph or solution, or of the part within ``depth`` moves from ``start``.

    With ``positions``, some numbers of positions, it shows these and no others.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> [node.name for node in make_picture(g, start="b", depth=1).nodes]
    ['b', 'a']
    """
    subject = solution_of(subject, shown=True)
    graph, solution = _parts(subject)
    home = _home(graph, subject, start)
    shown = shown_positions(subject, start, depth) if positions is None else list(positions)
    moves = int(graph.out_degree[shown].sum())
    if moves > MAX_MOVES:
        raise DrawError(
            f"expected at most {MAX_MOVES:,} moves to draw, got {moves:,}; "
            "draw a part: start= a position and depth= a small number of moves"
        )
    place = {v: k for k, v in enumerate(shown)}
    doubled = solution is not None and solution.label.ndim == 2
    ends = _absorbing(graph, solution, doubled) | set(graph.terminals.tolist())
    exact = shows_values(solution)
    objective = getattr(subject, "objective", None)
    marks = _marks(graph, objective)
    row = None if solution is None else objective_row(solution.objective)
    by_winner = solution is not None and shows_winners(graph, solution.objective)
    weights = _weights(subject)
    nodes: list[Node] = []
    edges: list[Edge] = []
    for v in shown:
        successors = graph.successors(v).tolist()
        answers = _answers(graph, solution, v, doubled)
        if isinstance(objective, Quantitative):
            cells = tuple(_weighted_cell(answer, objective) for answer in answers)
        else:
            cells = tuple(
                result_cell(answer, exact, row, by_winner=by_winner) for answer in answers
            )
        if marks and marks[v] and len(cells) < 2:
            cells = (_marked(marks[v], cells),)
        best = [{graph.index(w) for w in answer.best_moves} for answer in answers]
        kept = [w for w in successors if w in place]
        lines = lines_of(graph.name(v))
        nodes.append(
            Node(
                v,
                shortened(harmless(str(graph.name(v))), MAX_NAME),
                lines,
                cells,
                *_shape(lines, cells, graph.owner is not None and bool(graph.owner[v])),
                _tooltip(graph, v, answers),
                ends=v in ends,
                cut=len(successors) - len(kept),
                start=v == home,
            )
        )
        for w in kept:
            hits = tuple(e for e, moves in enumerate(best) if w in moves)
            kind = cells[0].kind if len(cells) == 1 and hits else "none"
            at = int(graph.indptr[v]) + successors.index(w)
            label = "" if weights is None else f"{int(weights[at])}"
            edges.append(Edge(place[v], place[w], hits, kind, label))
    if title is not None and not isinstance(title, str):
        raise DrawError(f"title: expected text, got {_inputs.shown(title)}")
    owned = graph.owner is not None
    return Picture(
        tuple(nodes),
        tuple(edges),
        title,
        owned,
        solution is not None,
        row is not None and row.strategies == "past",
        objective.marks_mean if marks and isinstance(objective, Objective) else "",
        _values_mean(objective) if solution is not None else "",
        objective.endless_mean if isinstance(objective, Objective) else Objective.endless_mean,
    )


def _weights(subject: object) -> Any:
    """The weight of each move of a game or of a solved game; None if there are none."""
    if isinstance(subject, Game):
        return subject.weights()
    objective = getattr(subject, "objective", None)
    graph: Any = getattr(subject, "graph", None)
    return objective.weights(graph) if isinstance(objective, Quantitative) else None


def _values_mean(objective: Any) -> str:
    """The meaning of the numbers in results of games with weights."""
    if not isinstance(objective, Quantitative):
        return ""
    if objective.keyword == "energy":
        return "number: least credit of player 0"
    threshold = getattr(objective, "threshold", None)
    return "number: value" if threshold is None else f"the threshold is {threshold}"


def _weighted_cell(answer: Any, objective: Quantitative) -> Cell:
    """The credit or the value, in the colour of the winner."""
    kind = "draw" if answer.winner is None else f"player{int(answer.winner)}"
    if objective.keyword == "energy":
        return Cell(str(answer.value) if answer.value >= 0 else "none", kind)
    if getattr(objective, "threshold", None) is not None:
        return Cell(f"{int(answer.winner)} wins", kind)
    return Cell(short_value(answer.value, 10).replace("inf", "∞"), kind)


def _parts(subject: object) -> tuple[Graph, Any]:
    """The graph and, if a solution is given, the solution."""
    if isinstance(subject, Graph):
        return subject, None
    graph = getattr(subject, "graph", None)
    if isinstance(subject, Game):
        return subject.graph, None
    if not isinstance(graph, Graph):
        raise DrawError(f"expected a Graph or a Solution to draw, got {type(subject).__name__}")
    return graph, subject


def _home(graph: Graph, subject: object, start: Hashable | None) -> int | None:
    """The number of the start: of the given one, else of that of the game or the solution."""
    if start is None and isinstance(subject, Game):
        start = subject.start
    if start is not None:
        return graph.index(start)
    number: int | None = getattr(subject, "start", None)
    return number


def _marks(graph: Graph, objective: Any) -> list[str]:
    """The marks of all positions; none for an objective that does not fit the graph."""
    if not isinstance(objective, Objective):
        return []
    try:
        return objective.marks(graph)
    except InvalidObjectiveError:
        return []


def _marked(mark: str, cells: tuple[Cell, ...]) -> Cell:
    """A mark before the result, or alone if there is none."""
    return Cell(f"{mark}, {cells[0].text}", cells[0].kind) if cells else Cell(mark, "none")


def shown_positions(
    subject: object, start: Hashable | None = None, depth: int | None = None
) -> list[int]:
    """The numbers of the positions to draw; if there is a start, the nearest come first.

    >>> shown_positions(Graph.from_edges([("a", "b"), ("b", "c")]), "b")
    [1, 2]
    """
    graph = _parts(subject)[0]
    home = _home(graph, subject, start)
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise DrawError(f"depth: expected a number of moves, got {depth!r}")
    if start is None and depth is not None:
        if home is None:
            raise DrawError("depth: expected a start to count from; give start=")
        start = graph.name(home)
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
    """Positions where play ends although they may have moves, such as a target."""
    form = getattr(solution, "form", None)
    if form is None:
        return set()
    ends = form.absorbing >> 1 if doubled else form.absorbing
    return set(ends.tolist())


def shows_values(solution: Any) -> bool:
    """Whether to show values, because they are numbers that the labels do not determine."""
    levels = getattr(getattr(solution, "form", None), "levels", ())
    return any(x not in (-1, 0, 1) for x in levels)


def shows_winners(graph: Graph, objective: Any) -> bool:
    """Whether results are shown as the player who wins, not as what the player to move gets."""
    owned = graph.owner is not None or isinstance(objective, Quantitative)
    return owned and objective_row(objective).winners


def _answers(graph: Graph, solution: Any, v: int, doubled: bool) -> list[Any]:
    if solution is None:
        return []
    name = graph.name(v)
    return [solution.at(name, player=e) for e in (0, 1)] if doubled else [solution.at(name)]


def result_cell(answer: Any, exact: bool, row: Any, *, by_winner: bool) -> Cell:
    """A result; with payoffs at the ends, a missing distance means that play never ends.

    Where one of the players always wins and positions have owners, the result is the winner.
    """
    endless, ends = answer.distance == NO_DISTANCE, row.payoffs
    kind = answer.outcome
    far = "" if kind == "draw" or not ends else "∞"
    text = LETTERS[kind] + (far if endless else "" if answer.agreed else str(answer.distance))
    if by_winner and answer.winner is not None:
        kind = f"player{int(answer.winner)}"
        end = f" in {answer.distance}" if not endless else f" {far}" if far else ""
        end = "" if answer.agreed and not endless else end
        text = f"{int(answer.winner)} wins{end}"
    if exact:
        value = str(answer.value)
        text = f"{value if len(value) <= 10 else value[:9] + '…'} {text}"
    return Cell(text, kind)


def _tooltip(graph: Graph, v: int, answers: Iterable[Any]) -> str:
    if answers:
        return shortened(harmless("\n".join(str(answer) for answer in answers)), MAX_TOOLTIP)
    moves = int(graph.out_degree[v])
    mover = "" if graph.owner is None else f", player {int(graph.owner[v])} to move"
    count = "terminal" if moves == 0 else f"{moves} move{'' if moves == 1 else 's'}"
    return shortened(harmless(f"{graph.name(v)}{mover}: {count}"), MAX_TOOLTIP)


def _shape(lines: tuple[str, ...], cells: tuple[Cell, ...], box: bool) -> tuple[str, float, float]:
    """The shape of a position, its width and its height; player 1 has boxes."""
    mono = len(lines) > 1
    text_width = max(width(line, mono=mono) for line in lines)
    tall = LINE_HEIGHT * len(lines)
    if len(cells) == 2:
        half = max(width(f"{e}: {cell.text}", 11.5) for e, cell in enumerate(cells)) + 14.0
        return "card", round(max(text_width + 18.0, 2 * half, 88.0), 1), round(tall + 27.0, 1)
    text_width = max([text_width, *(width(cell.text) * 1.05 for cell in cells)])
    tall += LINE_HEIGHT * len(cells)
    shape = "box" if box else "oval" if mono else "ellipse"
    across, high = text_width + 20.0, tall + 14.0
    if shape == "ellipse":
        across, high = text_width * 1.22 + 18.0, tall * 1.2 + 12.0
    return shape, round(max(across, 36.0 + 10.0 * bool(cells)), 1), round(max(high, 34.0), 1)
