"""Grids: a piece moves on a board."""

import numpy as np

from zermelo._inputs.values import flag, one_of
from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room, make_game
from zermelo.graph import Graph

_STEPS = {
    "forward": ((1, 0), (0, 1)),
    "orthogonal": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "king": tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)),
    "knight": tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)),
}
MOVES = (*_STEPS, "rook")


def grid(
    width: int = 8,
    height: int = 8,
    moves: str = "forward",
    torus: bool = False,
    owners: str = "none",
    seed: int = 0,
) -> Game:
    """A piece on a board of ``width`` × ``height`` squares; square (x, y) is x + y · width.

    ``moves`` names the moves of the piece: ``forward`` one step to the right or up, ``orthogonal``
    one step along a row or column, ``king`` and ``knight`` as in chess, ``rook`` any number of
    steps along a row or column. On a ``torus`` opposite edges of the board are joined. A step that
    leads back to its own square is a loop; only the rook has no such steps. With owners that
    alternate, player 0 owns the squares of one colour of a chessboard, and player 1 the others.

    >>> grid(3, 2)
    Game(normal on Graph(6 positions, 7 moves, 1 terminal))
    >>> grid(8, 8, moves="knight").graph.m
    336
    """
    width = check_integer("width", width, 1)
    height = check_integer("height", height, 1)
    one_of(moves, "moves", MOVES)
    torus = flag(torus, "torus")
    if width * height > MAX_POSITIONS:
        raise InvalidOptionError(
            f"expected at most {MAX_POSITIONS:,} squares, got {width:,} × {height:,}"
        )
    steps = _STEPS.get(moves) or (
        *((x, 0) for x in range(-width + 1, width) if x),
        *((0, y) for y in range(-height + 1, height) if y),
    )
    check_room(width * height, 3 * width * height * len(steps))
    square = np.arange(width * height, dtype=np.int64)
    x, y = square % width, square // width
    sources, targets = [], []
    for dx, dy in steps:
        to_x, to_y = x + dx, y + dy
        inside = (to_x >= 0) & (to_x < width) & (to_y >= 0) & (to_y < height)
        if torus:
            to_x, to_y, inside = to_x % width, to_y % height, np.ones(square.size, bool)
        sources.append(square[inside])
        targets.append((to_x + to_y * width)[inside])
    none = square[:0]
    graph = Graph.from_arrays(
        np.concatenate([none, *sources]), np.concatenate([none, *targets]), square.size
    )
    return make_game(graph, owners, seed, x + y)
