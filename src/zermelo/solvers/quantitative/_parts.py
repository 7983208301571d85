"""Parts of a game that players cannot leave, or do not want to leave, as games of their own."""

import numpy as np

from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.objectives.weights import Arena


def inside(arena: Arena, part: BoolArray) -> tuple[Arena, Int64Array, Int64Array]:
    """The game on some situations with the moves between them; the numbers of both in the game.

    >>> a = Arena(np.array([0, 1]), np.array([0, 2, 3]), np.array([0, 1, 0]), np.array([5, 6, 7]))
    >>> small, places, moves = inside(a, np.array([True, False]))
    >>> small.indices.tolist(), small.weight.tolist(), places.tolist(), moves.tolist()
    ([0], [5], [0], [0])
    """
    if part.all():
        return arena, np.arange(arena.n), np.arange(arena.indices.size)
    places = np.flatnonzero(part)
    number = np.cumsum(part) - 1
    source = arena.source
    moves = np.flatnonzero(part[source] & part[arena.indices])
    indptr = np.zeros(places.size + 1, np.int64)
    np.cumsum(np.bincount(number[source[moves]], minlength=places.size), out=indptr[1:])
    indices = number[arena.indices[moves]].astype(np.int32)
    return Arena(arena.owner[places], indptr, indices, arena.weight[moves]), places, moves


def back(places: AnyArray, move: AnyArray) -> AnyArray:
    """Moves of a part, as moves of the whole game."""
    if not places.size:
        return move
    return np.where(move < 0, -1, places[np.maximum(move, 0)]).astype(np.int32)
