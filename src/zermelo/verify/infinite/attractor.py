"""The checker of attractors and of permissive controllers: NumPy, linear time.

Let ``T`` be the targets, ``A`` the claimed region and ``r`` the claimed rank. This is checked:

1. The rank is 0 exactly in ``T``, and a situation has a rank exactly in ``A``.
2. In ``A`` outside ``T``, where the player moves: the rank is 1 + the least rank over the moves
   into ``A``, and ``move`` leads to such a rank. Where the opponent moves: every move leads into
   ``A``, and the rank is 1 + the greatest one, or 1 without a move. There is no ``move``, and none
   in ``T`` or outside ``A`` either.
3. Outside ``A``, where the player moves, no move leads into ``A``; where the opponent moves, some
   move leads outside ``A``.

By 2 the rank falls along every play that follows ``move``, so the token reaches ``T`` or the
opponent gets stuck. By 3 the opponent can stay outside ``A`` for ever, or until the player is
stuck. By induction on the rank, the claimed ranks are those of the layers.

A controller has the opponent's attractor to the unsafe positions, which is checked; its moves must
be exactly those of the player from outside this attractor to the outside.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import NO_MOVE
from zermelo.verify.common.entries import check_array, refuse, row_blocks

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.labels import AnyArray
    from zermelo.solutions.attractor import Attractor, Controller

_NONE = np.int32(2**31 - 1)


def check_attractor(a: "Attractor") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless region, ranks and moves are right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> a = zm.attractor(zm.Graph.from_edges([(0, 1), (1, 1)], owner=[0, 0]), [1], 0)
    >>> check_attractor(dataclasses.replace(a, rank=np.array([2, 0], np.int32)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 0: expected rank 1, the solution claims 2
    """
    graph = a.graph
    shape = (graph.n, 2) if graph.owner is None else (graph.n,)
    for name, kind in (("targets", bool), ("region", bool), ("rank", np.int32), ("move", np.int32)):
        check_array(name, getattr(a, name), shape, kind)
    if graph.owner is not None:
        _check_side(a, graph.owner == a.player, np.s_[:], np.s_[:])
        return
    for e in (0, 1):
        mine = np.full(graph.n, e == a.player)
        _check_side(a, mine, np.s_[:, e], np.s_[:, 1 - e])


def _check_side(a: "Attractor", mine: "AnyArray", here: Any, after: Any) -> None:
    """Check the situations of one player to move; ``after`` are those after a move."""
    graph = a.graph
    targets, region, rank, move = (x[here] for x in (a.targets, a.region, a.rank, a.move))
    inside, rank_after = a.region[after], a.rank[after]
    refuse(graph, region != (rank >= 0), None, "a rank exactly inside the region", "otherwise")
    refuse(graph, targets != (rank == 0), None, "rank 0 exactly in the targets", "otherwise")
    moves = mine & region & ~targets
    refuse(graph, moves != (move != NO_MOVE), None, "a move exactly where one is made", "otherwise")
    if ((move < NO_MOVE) | (move >= graph.n)).any():
        raise CertificateError(f"move: expected numbers {NO_MOVE} … {graph.n - 1}")
    stuck = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, stuck & moves, None, "to be outside, for the player is stuck", "it is inside")
    other = stuck & ~mine & ~targets
    refuse(graph, other & (rank != 1), None, "rank 1, for the opponent is stuck", "another rank")
    for rows, starts, sizes, ends in row_blocks(graph):
        lead, d = inside[ends], rank_after[ends]
        some, every = np.logical_or.reduceat(lead, starts), np.logical_and.reduceat(lead, starts)
        forced = np.where(mine[rows], some, every)
        free = ~targets[rows]
        _refuse(graph, free & (forced != region[rows]), rows, forced)
        least = np.minimum.reduceat(np.where(lead, d, _NONE), starts)
        most = np.maximum.reduceat(d, starts)
        expected = np.where(mine[rows], least, most) + np.int32(1)
        wrong = free & region[rows] & (rank[rows] != expected)
        if wrong.any():
            k = int(np.argmax(wrong))
            refuse(graph, wrong, rows, f"rank {expected[k]}", f"{rank[rows][k]}")
        chosen = np.repeat(move[rows], sizes) == ends
        down = chosen & lead & (d == np.repeat(rank[rows] - 1, sizes))
        good = np.logical_or.reduceat(down, starts)
        refuse(graph, moves[rows] & ~good, rows, "a move into the layer below", "another move")


def _refuse(graph: "Graph", bad: "AnyArray", rows: "AnyArray", forced: "AnyArray") -> None:
    if bad.any():
        inside = forced[int(np.argmax(bad))]
        words = ("inside", "outside") if inside else ("outside", "inside")
        refuse(graph, bad, rows, f"to be {words[0]} the attractor", f"it is {words[1]}")


def check_controller(controller: "Controller") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless region and safe moves are right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> c = zm.permissive_controller(zm.Graph.from_edges([(0, 0)], owner=[0]), [0])
    >>> check_controller(dataclasses.replace(c, allowed=np.array([False])))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: move 0 → 0: expected it to be allowed, the controller ...
    """
    danger, allowed = controller.danger, controller.allowed
    check_attractor(danger)
    graph, player = danger.graph, 1 - danger.player
    check_array("allowed", allowed, (graph.m,), np.bool_)
    ends = graph.to_edges()
    before, after = ends[:, 0], ends[:, 1]
    lost = danger.region
    if graph.owner is None:
        wanted = ~(lost[before, player] | lost[after, 1 - player])
    else:
        wanted = ~(lost[before] | lost[after]) & (graph.owner[before] == player)
    bad = np.flatnonzero(wanted != allowed)
    if bad.size:
        k = int(bad[0])
        words = ("allowed", "forbids") if wanted[k] else ("forbidden", "allows")
        place = f"move {graph.name(int(before[k]))} → {graph.name(int(after[k]))}"
        raise CertificateError(
            f"{place}: expected it to be {words[0]}, the controller {words[1]} it"
        )
