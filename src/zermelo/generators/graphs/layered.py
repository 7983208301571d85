"""Layered graphs, like board games that advance move by move."""

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_real, check_room, generator, make_game
from zermelo.graph import Graph


def layered(
    n: int,
    layers: int = 20,
    degree: float = 3.0,
    locality: float = 0.1,
    ends: float = 0.02,
    back: float = 0.0,
    seed: int = 0,
    owners: str = "none",
) -> Game:
    """Positions in layers with moves to near places of the next layer, as in many board games.

    The ``n`` positions are spread evenly over ``layers``, numbered layer by layer. A position has
    1 + Poisson(``degree`` − 1) moves into the next layer. They lead to places whose distance from
    the position's own place is at most ``locality`` times the width of the layer; repeated moves
    are merged. A share ``ends`` of the positions is terminal, and so is all of the last layer. A
    share ``back`` of the moves leads to the layer before instead, so that there are cycles. Owners
    that alternate do so from layer to layer.

    >>> g = layered(1000, layers=10, ends=0.0).graph
    >>> g.n, g.terminals.size, int(g.successors(0).min()) // 100
    (1000, 100, 1)
    """
    n = check_integer("n", n)
    layers = check_integer("layers", layers, 1)
    degree = check_real("degree", degree, 1.0, 2.0**31)
    locality = check_real("locality", locality, 0.0, 1.0)
    ends = check_real("ends", ends, 0.0, 1.0)
    back = check_real("back", back, 0.0, 1.0)
    if n and layers > n:
        raise InvalidOptionError(f"layers: expected at most n = {n:,}, got {layers:,}")
    check_room(n, 2 * n * float(degree))
    rng = generator(seed)
    first = np.arange(layers + 1, dtype=np.int64) * n // layers
    size = np.diff(first)
    layer = np.repeat(np.arange(layers, dtype=np.int64), size)
    degrees = 1 + rng.poisson(degree - 1.0, n)
    degrees[(rng.random(n) < ends) | (layer == layers - 1)] = 0
    u = np.repeat(np.arange(n, dtype=np.int64), degrees)
    to = layer[u] + 1
    to[(rng.random(u.size) < back) & (to >= 2)] -= 2
    place = (u - first[layer[u]] + 0.5) / size[layer[u]]
    place += locality * (2.0 * rng.random(u.size) - 1.0)
    v = first[to] + np.clip((place * size[to]).astype(np.int64), 0, size[to] - 1)
    return make_game(Graph.from_arrays(u, v, n), owners, seed, layer)
