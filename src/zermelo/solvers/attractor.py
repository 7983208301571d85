"""The attractor of a set of positions, and the most permissive controller of a safety game.

The attractor Attr(T) of a player is the set of all positions from which she can force the token
into T. It is the union of layers: layer 0 is T, and layer i + 1 adds

- the positions where she moves and *some* move leads into layers 0 … i, and
- the positions where the opponent moves and *every* move does.

The time is O(V + E): the second condition is a counter of the moves that do not lead inside yet.

**Who moves.** On a graph with owners the owner of a position moves there, and arrays have an entry
for each position. If the players alternate, a situation is a position and the player to move, and
arrays have the shape (n, 2), ``[v, player to move]``, as in solutions of
:class:`~zermelo.objectives.terminal.Reach`; a target counts for both players to move.

**Stuck players.** The second condition holds for a position without moves where the opponent is to
move, because there is no move that leads elsewhere: it is in layer 1. So a stuck player loses, as
in :class:`~zermelo.objectives.terminal.Reach`, and the region is that of the winner there. The rank
of a position is its distance in that game, except that play there ends at once where the opponent
is stuck, at distance 0.

Reference: [GamesOnGraphs] §8, Definition 8.2; §8.2 for controllers. Notation: Attr_i → ``rank <=
i``.
"""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from zermelo._inputs.values import is_masked, one_of, owned, sealed
from zermelo._kernels.graphs.layers import Layers, attract_by_layers
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime import memory
from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import NO_MOVE, AnyArray, BoolArray
from zermelo.objectives.terminal_form import MAX_DOUBLED
from zermelo.solutions.attractor import NO_RANK, Attractor, Controller


def attractor(
    graph: Graph | Game, targets: Iterable[Hashable] | AnyArray, player: int = 0
) -> Attractor:
    """The positions from which a player can force the token into a set, with ranks and moves.

    ``targets`` are names, numbers, or a Boolean array; its shape may also be (n, 2) if the players
    alternate. Of a game only the graph is used. The module's docstring says who moves, and what
    happens to a player who is stuck.

    >>> g = Graph.from_edges([(0, 1), (1, 2), (1, 3), (3, 0), (2, 2)], owner=[0, 0, 1, 1])
    >>> a = attractor(g, [2], player=0)
    >>> a.region.tolist(), a.rank.tolist(), a.move.tolist()
    ([True, True, True, True], [2, 1, 0, 3], [1, 2, -1, -1])
    >>> a.verify() is a
    True
    >>> attractor(g, [2], player=1)
    Attractor(player 1: 1 of 4 positions)

    If the players alternate, it matters who is to move:

    >>> attractor(Graph.from_edges([("a", "b"), ("b", "b")]), ["b"], 0).rank.tolist()
    [[1, 1], [0, 0]]
    """
    graph = as_graph(graph)
    one_of(player, "player", (0, 1), InvalidOptionError)
    n, both = graph.n, graph.owner is None
    if both and n > MAX_DOUBLED:
        raise InvalidOptionError(
            f"expected at most {MAX_DOUBLED:,} positions if the players alternate, got {n:,}; "
            "use a graph with owners"
        )
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * n
    memory.require(
        reverse + (n << both) * 19,
        f"the attractor on {n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more",
    )
    mask = _mask(graph, targets)
    flat = mask.reshape(-1)
    if graph.owner is None:
        mover = np.tile(np.array([0, 1], np.int8), n)
        left = np.repeat(graph.out_degree, 2)
    else:
        mover, left = graph.owner, graph.out_degree.copy()
    rank, move = np.full(flat.size, NO_RANK, np.int32), np.full(flat.size, NO_MOVE, np.int32)
    first = np.flatnonzero(flat)
    stuck = np.flatnonzero((left == 0) & (mover != player) & ~flat)
    queue = np.empty(flat.size, np.int32)
    queue[: first.size] = first
    queue[first.size : first.size + stuck.size] = stuck
    rank[first], rank[stuck] = 0, 1
    attract_by_layers(
        Moves(*graph.reverse),
        mover,
        Layers(rank, move, left),
        queue,
        first.size + stuck.size,
        int(player),
        int(both),
    )
    shape = mask.shape
    return Attractor(
        graph,
        int(player),
        sealed(mask),
        sealed((rank >= 0).reshape(shape)),
        sealed(rank.reshape(shape)),
        sealed(move.reshape(shape)),
    )


def _mask(graph: Graph, targets: Any) -> BoolArray:
    """The targets as situations."""
    shape = (graph.n, 2)
    if graph.owner is not None:
        return graph.mask(targets)
    given = isinstance(targets, np.ndarray) and targets.dtype == bool and not is_masked(targets)
    if given and targets.shape == shape:
        return np.array(targets, bool, order="C", subok=False)
    chosen = graph.mask(targets)
    return np.repeat(chosen, 2).reshape(shape)


def permissive_controller(
    graph: Graph | Game, safe: Iterable[Hashable] | AnyArray, player: int = 0
) -> Controller:
    """The most permissive controller that keeps the token in a set: all moves that are safe.

    A player who is stuck loses, as in :class:`~zermelo.objectives.terminal.Safety`, whose region
    this is. If the players alternate, the moves are those of the player when she is to move.

    >>> g = Graph.from_edges([("a", "b"), ("a", "c"), ("a", "d"), ("b", "a"), ("c", "a"),
    ...                       ("c", "d"), ("d", "d")], owner={"a": 0, "b": 1, "c": 1, "d": 1})
    >>> control = permissive_controller(g, ["a", "b", "c"])
    >>> control.moves("a"), control.region.tolist()
    (('b',), [True, True, False, False])
    >>> control.verify()
    Controller(player 0: 1 safe move)
    """
    graph = as_graph(graph)
    one_of(player, "player", (0, 1), InvalidOptionError)
    danger = attractor(graph, ~_mask(graph, safe), 1 - player)
    inside = ~danger.region
    sources = np.repeat(np.arange(graph.n, dtype=np.int32), graph.out_degree)
    if graph.owner is None:
        allowed = inside[sources, player] & inside[graph.indices, 1 - player]
    else:
        mine = graph.owner[sources] == player
        allowed = mine & inside[sources] & inside[graph.indices]
    return Controller(danger, owned(allowed))
