"""Games on graphs: places, results, the steps of an algorithm, reasons, summaries, exports."""

import io
import re
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from msgspec import Meta

import zermelo as zm
from zermelo.draw.drawing import OwnEngine, lay_out, straight_engine
from zermelo.draw.layouts.spring import spring_places, straight_layout
from zermelo.draw.picture import make_picture
from zermelo.draw.steps import Highlight, Result, first_results, highlight
from zermelo.draw.summary import Summary, Way, counted_results, grid_places, summarise
from zermelo.draw.writers.svg import write_svg
from zermelo.errors import (
    DrawError,
    InvalidGraphError,
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.formats.python_lines import python_lines
from zermelo.plots.text import shortened
from zermelo.registry import FORMATS
from zermelo.trace.steps.base import line_record
from zermelo.web.api.call import Call
from zermelo.web.api.graphs.data import (
    BINARY,
    MAX_DRAWN,
    GameRequest,
    PictureData,
    game_key,
    kept,
    picture_data,
    read_game,
)
from zermelo.web.api.graphs.objectives import nothing_chosen
from zermelo.web.api.schema import Integer, Natural, Text

MAX_STEPS = 500
"""Steps of a trace in one answer."""

LEAST_SIZE = 92.0, 46.0
"""The least size of a position in a layout, so that its results have room."""

MAX_SENTENCE = 1_200
"""Characters of the sentence of a step that are sent."""

MAX_EXPLANATION = 20_000
"""Characters of an explanation that are sent."""

# -------------------------------------------------------------------- requests and answers

Player = Annotated[int, Meta(ge=0, le=1)]
Place = Annotated[list[Annotated[float, Meta(ge=-1e9, le=1e9)]], Meta(min_length=2, max_length=2)]
ResultData = Annotated[
    list[Any],
    Meta(max_length=4, description="A position, the player to move or null, a text and a kind"),
]


class ToLayOut(GameRequest):
    """A game, and how to place its positions; null chooses."""

    engine: OwnEngine | None = None


class ToExplainPosition(GameRequest, kw_only=True):
    """The number of a position of a game, and perhaps the player to move."""

    position: Natural
    player: Player | None = None
    depth: Annotated[int, Meta(ge=0, le=20)] = 3


class ToTrace(GameRequest):
    """A game, a solver as in ``zm.trace``, and which steps are asked for."""

    solver: Annotated[str, Meta(max_length=40)] = "auto"
    first: Natural = 0
    count: Annotated[int, Meta(ge=1, le=MAX_STEPS)] = MAX_STEPS


class ToSummarise(GameRequest, kw_only=True):
    """A game, how to group its positions, and whether results are shown."""

    by: Way
    solved: bool


class ToShow(ToSummarise, kw_only=True):
    """A group of a summary, or the name of a position, and how many positions to show."""

    group: Natural | None = None
    position: Annotated[str, Meta(max_length=1_000)] | None = None
    most: Annotated[int, Meta(ge=1, le=MAX_DRAWN)] = 300


class ToExport(GameRequest, kw_only=True):
    """A format, svg or python; a picture may show results, and have places."""

    to: Annotated[str, Meta(max_length=40)]
    solved: bool = False
    places: list[Place] | None = None


class Places(TypedDict):
    """A place for each position."""

    places: list[Place]


class Solved(TypedDict):
    """How many positions, or situations, each player wins, and the results of a small game.

    ``note`` is what may be forgotten. ``doubled`` says whether results depend on the player to
    move.
    """

    verdict: Text
    objective: Text
    note: Text
    solver: Text
    counts: dict[str, Integer]
    doubled: bool
    picture: PictureData | None


class Reasons(TypedDict):
    """Why a position has its result; ``cycle`` is the place that the line repeats from."""

    text: Annotated[str, Meta(max_length=MAX_EXPLANATION)]
    answer: Text
    line: list[Natural]
    cycle: Integer | None


class TraceStep(TypedDict):
    """What happens in a step, its rule or line of the algorithm, and what a picture shows."""

    text: Text
    rule: Text
    positions: list[Natural]
    moves: list[Annotated[list[Natural], Meta(min_length=2, max_length=2)]]
    results: list[ResultData]
    within: list[Natural] | None


class Trace(TypedDict):
    """Some steps of an algorithm, and the results before them."""

    total: Integer
    first: Integer
    before: list[ResultData]
    steps: list[TraceStep]
    positions: Integer


class SummaryGroup(TypedDict):
    """A group of positions."""

    name: Text
    size: Integer
    counts: dict[str, Integer]


class Groups(TypedDict):
    """The groups of a graph; a link is two groups and the number of moves between them."""

    groups: list[SummaryGroup]
    links: list[Annotated[list[Natural], Meta(max_length=3)]]
    places: list[Place]


class Part(TypedDict):
    """A part of a graph; of ``total`` positions, the first ones are drawn."""

    total: Integer
    picture: PictureData
    places: list[Place]


class File(TypedDict):
    """A file, and a note on what it does not hold."""

    name: Text
    type: Text
    text: Annotated[str, Meta(max_length=1 << 26)]
    note: Text


# -------------------------------------------------------------------- layouts and results


def solution_of(call: Call[Any]) -> Any:
    """The solution of the game of a request."""
    game = read_game(call)
    return kept(("solution", game_key(call)), lambda: zm.solve(game, progress=call.report))


def layout(call: Call[ToLayOut]) -> Places:
    """Places for the positions of a small game."""
    game, engine = read_game(call), call.request.engine
    if game.graph.n > MAX_DRAWN:
        raise LimitError(
            f"the graph has {game.graph.n:,} positions; graphs of at most {MAX_DRAWN:,} are drawn"
        )
    picture = make_picture(game)
    nodes = tuple(
        replace(x, width=max(x.width, LEAST_SIZE[0]), height=max(x.height, LEAST_SIZE[1]))
        for x in picture.nodes
    )
    places = _places(replace(picture, nodes=nodes), engine)
    return {"places": _rounded(places)}


def _places(picture: Any, engine: str | None) -> Any:
    engine = engine or straight_engine(picture)
    return spring_places(picture) if engine == "spring" else lay_out(picture, engine).centres


def _rounded(places: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in places]


def solve(call: Call[GameRequest]) -> Solved:
    """Who wins from every position, and how; for a small game with the results of all positions."""
    found = solution_of(call)
    graph = found.graph
    small = graph.n <= MAX_DRAWN
    return {
        "verdict": counted_results(found),
        "objective": shortened(found.objective.describe(graph), MAX_SENTENCE),
        "note": nothing_chosen(found.objective, graph),
        "solver": found.solver,
        "counts": {str(name): int(k) for name, k in found.counts().items()},
        "doubled": bool(found.label.ndim == 2),
        "picture": picture_data(make_picture(found), graph) if small else None,
    }


def explain(call: Call[ToExplainPosition]) -> Reasons:
    """Why a position has its result, in sentences, and a line of best play."""
    found, v = solution_of(call), call.request.position
    graph = found.graph
    if v >= graph.n:
        raise InvalidOptionError(f"position: expected a number below {graph.n:,}, got {v:,}")
    player = call.request.player or 0 if found.label.ndim == 2 else None
    name = graph.name(v)
    explanation = zm.explain(found, name, player, call.request.depth)
    line = getattr(explanation, "line", None) or found.line(name, player, limit=200)
    return {
        "text": shortened(str(explanation), MAX_EXPLANATION),
        "answer": shortened(str(found.at(name, player)), MAX_SENTENCE),
        "line": [graph.index(x) for x in line],
        "cycle": line_record(line)["cycle"],
    }


# -------------------------------------------------------------------- traces


def trace(call: Call[ToTrace]) -> Trace:
    """Some steps of an algorithm: each with its sentence, its rule and what it shows."""
    solver, first = call.request.solver, call.request.first
    game, steps, shown = kept(
        ("trace", game_key(call), solver), lambda: _traced(read_game(call), solver)
    )
    last = min(len(shown), first + call.request.count)
    at_first = () if steps is None else first_results(steps)
    before: dict[tuple[int, int | None], Result] = {(x.position, x.player): x for x in at_first}
    for _, step in shown[:first]:
        before.update(((x.position, x.player), x) for x in step.results)
    return {
        "total": len(shown),
        "first": first,
        "before": [list(x) for x in before.values()],
        "steps": [_step(sentence, step) for sentence, step in shown[first:last]],
        "positions": game.graph.n,
    }


def _traced(game: zm.Game, solver: str) -> tuple[Any, Any, list[tuple[str, Highlight]]]:
    """A game, its steps, and what each step shows."""
    steps, graph = zm.trace(game, None, solver), game.graph
    if graph.n > MAX_DRAWN:  # the page shows the sentences only
        return game, None, [(str(x), Highlight(str(getattr(x, "rule", "")))) for x in steps]
    return game, steps, [(str(x), highlight(x, graph, game.objective)) for x in steps]


def _step(sentence: str, step: Highlight) -> TraceStep:
    return {
        "text": shortened(sentence, MAX_SENTENCE),
        "rule": step.rule,
        "positions": list(step.positions),
        "moves": [list(x) for x in step.moves],
        "results": [list(x) for x in step.results],
        "within": None if step.within is None else list(step.within),
    }


# -------------------------------------------------------------------- large graphs


def _summary(call: Call[Any]) -> Summary:
    """The summary of the solution or the graph of a request."""
    by, solved = call.request.by, call.request.solved
    if by == "results" and not solved:
        raise InvalidOptionError("by: a summary by results needs the game to be solved")
    subject = solution_of(call) if solved else read_game(call).graph
    key = ("summary", game_key(call), by, solved)
    return kept(key, lambda: summarise(subject, by))


def summary(call: Call[ToSummarise]) -> Groups:
    """The groups of a large graph, with the number of moves between them, and places."""
    found = _summary(call)
    return {
        "groups": [
            {"name": x.name, "size": len(x.positions), "counts": x.counts} for x in found.groups
        ],
        "links": [list(x) for x in found.links],
        "places": _rounded(grid_places(found)),
    }


def part(call: Call[ToShow]) -> Part:
    """The first positions of a group of a large graph, or those around a position, drawn."""
    request = call.request
    subject = solution_of(call) if request.solved else read_game(call)
    graph = subject.graph
    if request.position is not None:
        home = graph.index(_named(graph, request.position))
        positions = _around(graph, home, request.most)
        total = len(positions)
    else:
        groups = _summary(call).groups
        group = request.group or 0
        if group >= len(groups):
            raise InvalidOptionError(f"group: expected a number below {len(groups)}, got {group}")
        total = len(groups[group].positions)
        positions = groups[group].positions[: request.most].tolist()
    picture = make_picture(subject, positions=positions)
    return {
        "total": total,
        "picture": picture_data(picture, graph),
        "places": _rounded(_places(picture, None)),
    }


def _named(graph: zm.Graph, name: str) -> Any:
    """The position that a text names: by its name, or by its number."""
    if name in graph:
        return name
    if re.fullmatch(r"[0-9]{1,10}", name) and int(name) in graph:
        return int(name)
    for v in range(graph.n if graph.names is not None else 0):
        if str(graph.name(v)) == name:
            return graph.name(v)
    raise InvalidOptionError(f"there is no position {name[:60]!r}")


def _around(graph: zm.Graph, home: int, most: int) -> list[int]:
    """The positions nearest to one, along moves in both directions."""
    found = {home: None}
    layer = [home]
    while layer and len(found) < most:
        near = [
            w
            for v in layer
            for w in (*graph.successors(v).tolist(), *graph.predecessors(v).tolist())
        ]
        layer = [w for w in dict.fromkeys(near) if w not in found][: most - len(found)]
        found.update(dict.fromkeys(layer))
    return list(found)


# -------------------------------------------------------------------- export

MEDIA = {"json": "application/json", "svg": "image/svg+xml", "python": "text/x-python"}


def export(call: Call[ToExport]) -> File:
    """The game in a format of files, as a picture, or as lines of Python."""
    form = call.request.to
    game = read_game(call)
    note = ""
    if form == "python":
        content, suffix = python_lines(game), ".py"
    elif form == "svg":
        content, suffix = _svg(call, game), ".svg"
    else:
        row = FORMATS[form]
        if "graph" not in row.holds or form in BINARY:
            raise InvalidOptionError(f"to: expected a text format of games, got {form!r}")
        content, note = _written(game, form)
        suffix = row.suffixes[0]
    return {
        "name": "game" + suffix,
        "type": MEDIA.get(form, "text/plain"),
        "text": content,
        "note": note,
    }


def _written(game: zm.Game, form: str) -> tuple[str, str]:
    """The game as text, or its graph alone if the format holds no more; then a note says so."""
    file = io.BytesIO()
    try:
        zm.write(game, file, format=form)
        return file.getvalue().decode(), ""
    except (InvalidObjectiveError, InvalidGraphError) as error:
        if FORMATS[form].games:  # such a format is nothing without the objective
            raise
        reason = str(error)
    weight = game.weight if "weights" in FORMATS[form].holds else None
    start = game.start if "start" in FORMATS[form].holds else None
    zm.write(zm.Game(game.graph, start=start, weight=weight), file, format=form)
    return file.getvalue().decode(), f"This file has the graph alone: {reason}."


def _svg(call: Call[ToExport], game: zm.Game) -> str:
    if game.graph.n > MAX_DRAWN:
        raise LimitError(f"a picture has at most {MAX_DRAWN:,} positions here")
    subject = solution_of(call) if call.request.solved else game
    picture, places = make_picture(subject), call.request.places
    if places is None:
        return write_svg(picture, lay_out(picture, "spring" if game.graph.n > 150 else "layered"))
    if len(places) != game.graph.n:
        raise DrawError(f"places: expected {game.graph.n:,} places, got {len(places):,}")
    return write_svg(picture, straight_layout(picture, [(x, y) for x, y in places]))
