"""Functions for all families of parity games: making a game."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.objectives.infinite import Parity

Moves: TypeAlias = list[tuple[npt.ArrayLike, npt.ArrayLike]]

MAX_PRIORITIES = 2**31 - 2


def assemble(
    n: int,
    moves: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
    owner: npt.ArrayLike,
    priority: npt.ArrayLike,
) -> Game:
    """A game from groups of moves; in each group, sources and targets are broadcast together.

    >>> graph, parity = assemble(3, [([0, 1], 2), (2, [0, 1])], [0, 1, 0], [4, 5, 6])
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 2], [1, 2], [2, 0], [2, 1]], [4, 5, 6])
    """
    pairs = [np.broadcast_arrays(np.asarray(u), np.asarray(v)) for u, v in moves]
    sources = np.concatenate([u.ravel() for u, _ in pairs])
    targets = np.concatenate([v.ravel() for _, v in pairs])
    owners = np.broadcast_to(np.asarray(owner, np.int8), (n,)).copy()
    return with_priorities(Graph.from_arrays(sources, targets, n, owners), priority)


def with_priorities(graph: Graph, priority: npt.ArrayLike) -> Game:
    """The parity game: player 0 wins iff the highest priority seen infinitely often is even."""
    priorities = np.broadcast_to(np.asarray(priority, np.int32), (graph.n,)).copy()
    priorities.flags.writeable = False
    return Game(graph, Parity(priorities))
