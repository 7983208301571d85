"""Survival in the difference of two loopy games: the basis of all comparisons.

Write G⁺ for G with infinite play won by Left. G⁺ ≥ H⁺ means that Left, moving second, survives in G
− H: she always has a move, and if play is infinite, infinitely many moves are made in G. This is a
Büchi game on pairs of positions. In a difference of *stoppers* (in each of them alternating play
must end) every infinite play is a draw, which she survives; so all positions are in the Büchi set.
H⁻ ≤ G⁻ is −G⁺ ≤ −H⁺, so one comparison is enough.

Reference: [Siegel2013] ch. VI; [BerlekampConwayGuy2001] ch. 11. O(V E) at worst for a Büchi game of
V pairs with E moves, nearly linear in practice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo._runtime import memory
from zermelo.graph import Graph
from zermelo.labels import BoolArray, Int64Array
from zermelo.solvers.geography.parts import Parts
from zermelo.solvers.infinite.buchi import run
from zermelo.solvers.infinite.frame import ParityGame

LEFT, RIGHT = 0, 1


class Rows(NamedTuple):
    """A game graph as plain lists: Left's and Right's options of every position."""

    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]

    def negative(self) -> "Rows":
        """The negative: Left and Right are exchanged."""
        return Rows(self.right, self.left)


def survives(g: Rows, h: Rows, *, stoppers: bool) -> BoolArray:
    """The matrix of all i, j with ``g[i]⁺ ≥ h[j]⁺``; ``stoppers`` says that all are stoppers.

    >>> zero_and_on = Rows([[], [1]], [[], []])
    >>> survives(zero_and_on, zero_and_on, stoppers=True).tolist()
    [[True, False], [True, True]]
    >>> dud = Rows([[0]], [[0]])
    >>> survives(dud, zero_and_on, stoppers=False).tolist()
    [[True, True]]
    """
    n, m, marks = len(g.left), len(h.left), 1 if stoppers else 2
    moves = [(_arrays(g.left), _arrays(h.right)), (_arrays(g.right), _arrays(h.left))]
    edges = marks * sum(a[0].size * m + n * b[0].size for a, b in moves)
    memory.require(
        150 * n * m * marks + 60 * edges,
        f"comparing {n:,} with {m:,} loopy positions",
        "set ZERMELO_MEMORY to allow more, or evaluate a part of the graph",
    )
    # Situation ((i m + j) 2 + mover) marks + (1 if the last move was in g, or if marks is 1).
    sources: list[Int64Array] = []
    targets: list[Int64Array] = []
    stuck = np.ones((n, m, 2), bool)
    all_n, all_m = np.arange(n, dtype=np.int64), np.arange(m, dtype=np.int64)
    for mover, ((u, v), (x, y)) in enumerate(moves):
        stuck[u, :, mover] = False
        stuck[:, x, mover] = False
        here, there = (
            np.concatenate([np.add.outer(a * m, all_m).ravel(), np.add.outer(all_n * m, b).ravel()])
            for a, b in ((u, x), (v, y))
        )
        inside = np.zeros(here.size, np.int64)
        inside[: u.size * m] = marks - 1
        for mark in range(marks):
            sources.append((2 * here + mover) * marks + mark)
            targets.append((2 * there + 1 - mover) * marks + inside)
    ends = np.flatnonzero(stuck.ravel().repeat(marks))
    count = 2 * n * m * marks
    graph = Graph.from_arrays(
        np.concatenate([*sources, ends]),
        np.concatenate([*targets, ends]),
        count,
        owner=(np.arange(count) // marks % 2).astype(np.int8),
    )
    priority = np.full(count, 2, np.int32)
    if not stoppers:
        priority[::2] = 1
    priority[ends] = np.where(ends // marks % 2 == LEFT, 1, 2)
    winner = run(ParityGame(graph, priority), None).winner
    won: BoolArray = winner.reshape(n, m, 2, marks)[:, :, RIGHT, 0] == LEFT
    return won


def _arrays(options: Sequence[Sequence[int]]) -> tuple[Int64Array, Int64Array]:
    """Moves as arrays of sources and targets."""
    degree = [len(x) for x in options]
    target = np.fromiter((w for x in options for w in x), np.int64, sum(degree))
    return np.repeat(np.arange(len(options), dtype=np.int64), degree), target


def doubled(rows: Rows) -> Graph:
    """The game of alternating moves: situation 2 v is v with Left to move, 2 v + 1 with Right.

    >>> doubled(Rows([[1], []], [[], [0]])).to_edges().tolist()
    [[0, 3], [3, 0]]
    """
    (u, v), (x, y) = _arrays(rows.left), _arrays(rows.right)
    sources = np.concatenate([2 * u, 2 * x + 1])
    targets = np.concatenate([2 * v + 1, 2 * y])
    return Graph.from_arrays(sources, targets, 2 * len(rows.left))


def components(graph: Graph) -> list[list[int]]:
    """The strong components; each comes after those that its moves lead to."""
    if graph.n == 0:
        return []
    return [part.tolist() for part in Parts(graph).components(np.arange(graph.n))]


def alternating(rows: Rows) -> list[bool]:
    """Whether alternating play can return to each position, with either player to move.

    >>> alternating(Rows([[1], [], [2]], [[], [0], []]))
    [True, True, False]
    """
    comes_back = [False] * len(rows.left)
    for part in components(doubled(rows)):
        if len(part) > 1:
            for situation in part:
                comes_back[situation // 2] = True
    return comes_back


def union(rows: Rows) -> Graph:
    """The moves of both players in one graph."""
    (u, v), (x, y) = _arrays(rows.left), _arrays(rows.right)
    return Graph.from_arrays(np.concatenate([u, x]), np.concatenate([v, y]), len(rows.left))
