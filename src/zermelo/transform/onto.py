"""Games on a derived graph whose positions and moves each stand for one of another graph."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from zermelo.errors import InvalidObjectiveError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import Int64Array
from zermelo.objectives import Objective

BY_POSITION = ("priority", "colour")
"""Keys of an objective's data that have an entry for each position."""

SETS = ("positions", "targets", "goal", "avoid")
"""Keys of an objective's data that are sets of positions."""


def carried_objective(
    objective: Objective,
    old: Graph,
    new: Graph,
    origin: Sequence[int] | Int64Array,
    added: int = 0,
) -> Objective:
    """The objective on ``new``, whose position v stands for ``origin[v]`` of ``old``.

    Every move of ``new`` stands for the move of ``old`` between what its ends stand for, except
    the last ``added`` ones. They stand for none, whatever their ends stand for, and have the
    weight 0.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> h = zm.Graph.from_edges([(0, 1), (1, 2), (2, 1)], owner=[0, 1, 0])
    >>> carried_objective(zm.Parity([4, 7]), g, h, [0, 1, 0]).priority.tolist()
    [4, 7, 4]
    """
    places = np.asarray(origin, np.int64)
    data = dict(objective.spec(old))
    for key in BY_POSITION:
        if key in data:
            data[key] = [data[key][v] for v in places.tolist()]
    for key in SETS:
        if key in data:
            chosen = set(data[key])
            data[key] = [k for k, v in enumerate(places.tolist()) if v in chosen]
    if "payoffs" in data:
        data["payoffs"] = _payoffs(data["payoffs"], new, places)
    if "weight" in data:
        weight = np.array(data["weight"], np.int64)
        data["weight"] = carried_weights(weight, old, new, places, added).tolist()
    known = {"objective", *BY_POSITION, *SETS, "payoffs", "weight"}
    strange = [k for k, x in data.items() if k not in known and isinstance(x, list | dict)]
    strange = [k for k in strange if k != "acceptance"]
    if strange:
        raise InvalidObjectiveError(
            f"a game of {objective.keyword} cannot be carried to another graph: its data "
            f"{strange[0]!r} may be about positions"
        )
    return objective.from_spec(data, new)


def _payoffs(payoffs: dict[str, Any], new: Graph, places: Int64Array) -> dict[str, Any]:
    """The payoffs at the ends of ``new``; a pair is what the players 0 and 1 get when stuck."""
    found = {}
    for v in new.terminals.tolist():
        pay = payoffs[str(int(places[v]))]
        owned = new.owner is not None and isinstance(pay, list)
        found[str(v)] = pay[int(new.owner[v])] if owned and new.owner is not None else pay
    return found


def carried_weights(
    weight: Int64Array, old: Graph, new: Graph, places: Int64Array, added: int
) -> Int64Array:
    """The weights of the moves of ``new``: those of ``old``, and 0 for the last ``added`` ones."""
    # Moves are sorted by their ends, so these numbers increase.
    known = np.repeat(np.arange(old.n, dtype=np.int64), old.out_degree) * old.n + old.indices
    ends = places[new.to_edges().astype(np.int64)].reshape(-1, 2)[: new.m - added]
    wanted = ends[:, 0] * old.n + ends[:, 1]
    at = np.searchsorted(known, wanted)
    missing = at == known.size
    missing[~missing] = known[at[~missing]] != wanted[~missing]
    if missing.any():
        u, v = new.to_edges()[int(np.argmax(missing))].tolist()
        raise InvalidObjectiveError(
            f"the move {new.name(u)!r} → {new.name(v)!r} stands for no move of the game, so it "
            "has no weight"
        )
    return np.append(weight[at], np.zeros(added, np.int64))


def game_onto(
    game: Game,
    new: Graph,
    origin: Sequence[int] | Int64Array,
    start: Hashable | None,
    added: int = 0,
) -> Game:
    """The game on a derived graph, with its objective, its weights and a new start."""
    places = np.asarray(origin, np.int64)
    objective = carried_objective(game.objective, game.graph, new, places, added)
    weight = None
    if game.weight is not None:
        weight = np.asarray(game.weight, np.int64)
        weight = carried_weights(weight, game.graph, new, places, added)
    return Game(new, objective, start, impartial=game.impartial, weight=weight)
