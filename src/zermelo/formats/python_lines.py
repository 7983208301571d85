"""A game as lines of Python that build and solve it; for readers, not for files.

The lines have the graph by its moves, its names and owners, and the objective by its class. A game
that is large, or that has names or data which Python cannot write down, is read from a JSON file
instead, whose name the lines contain.
"""

import dataclasses
import math
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.objectives import Objective

MOST_MOVES = 400
"""Games with more moves, or more positions, are read from a file."""

FILE = "game.json"

POSITIONS = frozenset(("positions", "targets", "goal", "avoid"))
"""Members of objectives that are sets of positions."""


def python_lines(game: Game, solver: str = "auto") -> str:
    """The lines that build a game, solve it and print the answers.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> print(python_lines(zm.Game(g, zm.Buchi(["b"]), "a")))
    import zermelo as zm
    <BLANKLINE>
    moves = [("a", "b"), ("b", "a")]
    graph = zm.Graph.from_edges(moves, names=["a", "b"], owner=[0, 1])
    game = zm.Game(graph, zm.Buchi(["b"]), start="a")
    solution = zm.solve(game)
    print(solution)
    for answer in solution:
        print(answer)
    <BLANKLINE>
    """
    lines = ["import zermelo as zm", ""]
    try:
        lines += _built(game)
    except _NotWritten:
        lines.append(f"game = zm.read({_text(FILE)})  # the file that the export as JSON gives")
    option = "" if solver == "auto" else f", solver={_text(solver)}"
    lines += [f"solution = zm.solve(game{option})", "print(solution)"]
    if game.graph.n <= MOST_MOVES:
        lines += ["for answer in solution:", "    print(answer)"]
    return "\n".join(lines) + "\n"


class _NotWritten(Exception):
    """Python cannot write this down in a line or two."""


def _built(game: Game) -> list[str]:
    graph = game.graph
    if graph.n > MOST_MOVES or graph.m > MOST_MOVES or not game.impartial:
        raise _NotWritten
    by_name = graph.names is not None and all(isinstance(x, str) for x in graph.names)
    pairs = graph.to_edges().tolist()
    moves = [tuple(map(graph.name, x)) if by_name else tuple(x) for x in pairs]
    options = [f"n={graph.n}" if graph.names is None else f"names={_text(list(graph.names))}"]
    if graph.owner is not None:
        options.append(f"owner={graph.owner.tolist()}")
    more = [] if game.start is None else [f"start={_text(game.start)}"]
    if game.weight is not None:
        more.append(f"weight={_weights(graph, game.weight)}")
    objective = ", ".join([_objective(game.objective, graph), *more])
    return [
        f"moves = {_text(moves)}",
        f"graph = zm.Graph.from_edges(moves, {', '.join(options)})",
        f"game = zm.Game(graph, {objective})",
    ]


def _objective(objective: Objective, graph: Graph) -> str:
    import zermelo.objectives as home

    kind = type(objective)
    if getattr(home, kind.__name__, None) is not kind:
        raise _NotWritten
    parts = []
    for member in dataclasses.fields(objective):
        given = getattr(objective, member.name)
        if not member.init or member.name == "on":
            continue
        if member.default is not dataclasses.MISSING and _same(given, member.default):
            continue
        text = _member(member.name, given, objective, graph)
        required = member.default is dataclasses.MISSING and not member.kw_only
        parts.append(text if required else f"{member.name}={text}")
    return f"zm.{kind.__name__}({', '.join(parts)})"


def _same(one: Any, other: Any) -> bool:
    return not isinstance(one, np.ndarray | list) and bool(one == other)


def _member(name: str, given: Any, objective: Objective, graph: Graph) -> str:
    if name in POSITIONS:
        return _text([graph.name(v) for v in np.flatnonzero(graph.mask(given)).tolist()])
    if name == "weight":
        return _weights(graph, objective.weights(graph))  # type: ignore[attr-defined]
    spec = objective.spec(graph)
    if name == "payoffs":
        return _text({graph.name(int(v)): _payoff(x) for v, x in spec[name].items()})
    plain = spec.get(name, given)
    if name in ("priority", "colour") and isinstance(plain, list):
        return _text({graph.name(v): x for v, x in enumerate(plain)} if graph.names else plain)
    return _text(str(plain) if isinstance(plain, Fraction) else plain)


def _payoff(x: Any) -> Any:
    return tuple(x) if isinstance(x, list) else x


def _weights(graph: Graph, weights: Any) -> str:
    moves = graph.to_edges().tolist()
    return _text(
        {(graph.name(u), graph.name(w)): int(x) for (u, w), x in zip(moves, weights, strict=True)}
    )


def _text(given: Any) -> str:
    """Data as Python writes them, with double quotes."""
    if isinstance(given, str):
        plain = repr(given)
        return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain else plain
    if isinstance(given, list):
        return f"[{', '.join(map(_text, given))}]"
    if isinstance(given, tuple):
        return f"({', '.join(map(_text, given))}{',' if len(given) == 1 else ''})"
    if isinstance(given, dict):
        return f"{{{', '.join(f'{_text(x)}: {_text(y)}' for x, y in given.items())}}}"
    if given is None or isinstance(given, bool | int):
        return repr(given)
    if isinstance(given, float) and math.isfinite(given):
        return repr(given)
    if isinstance(given, Hashable) and hasattr(given, "item"):
        return _text(given.item())
    raise _NotWritten
