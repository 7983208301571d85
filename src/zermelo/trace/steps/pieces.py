"""How the starts of a game of return or repetition are decided, piece by piece.

====================  ==============================================================================
rule                  what happens
====================  ==============================================================================
plain                 the game without memory is decided; its results also hold with memory
exit                  a move leads to a lost start that was decided before, so the start is won
single                no move stays inside, and none leads to a lost start
augment               in a symmetric component the matching grows along an augmenting path
matching              no augmenting path is left: a start is lost iff some maximum matching leaves
                      it exposed
reversible            every move can be taken back at once, and coming back wins
search                an exhaustive search decides the component
open                  the search was given up
====================  ==============================================================================

In games of repetition the pieces consist of moves, because the game is one of return on the line
digraph. The augmenting paths are found by Edmonds' algorithm [Edmonds1965], here in plain Python.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from zermelo.graph import Graph
from zermelo.labels import UNDECIDED
from zermelo.objectives import Objective
from zermelo.registry import choose_solver
from zermelo.solutions.geography import GeographySolution, Piece
from zermelo.trace.steps.augmenting import augmenting_paths
from zermelo.trace.steps.base import Steps

MOST_MATCHED = 300
"""The matching of a larger component is not shown path by path."""
MOST_NODES = 1_000_000
"""The search of a trace is given up after this many situations."""


@dataclass(frozen=True)
class Settled:
    """One step: positions that are decided, or a path along which a matching grows."""

    piece: int
    """The number of the piece, from 1; 0 for the game without memory."""
    rule: str
    positions: tuple[Hashable, ...]
    won: tuple[Hashable, ...] = ()
    lost: tuple[Hashable, ...] = ()

    def __str__(self) -> str:
        if self.rule == "augment":
            path = " – ".join(map(str, self.positions))
            return f"piece {self.piece}: the matching grows along {path}"
        parts = []
        if self.won:
            parts.append(f"won: {', '.join(map(str, self.won))}")
        if self.lost:
            parts.append(f"lost: {', '.join(map(str, self.lost))}")
        if parts and len(self.won) + len(self.lost) < len(self.positions):
            parts.append("the others are undecided")
        verdict = "; ".join(parts) or f"undecided: {', '.join(map(str, self.positions))}"
        return f"piece {self.piece} ({self.rule}): {verdict}"


class Settling(Steps):
    """The pieces of a game of return or repetition in their order; made by :func:`zermelo.trace`.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("d", "a")])
    >>> for step in zm.trace(g, zm.NoReturn()):
    ...     print(step)
    piece 1: the matching grows along a – b
    piece 1 (matching): won: b; lost: a, c
    piece 2 (exit): won: d
    """

    sections = True
    columns = ("piece", "rule", "positions", "won", "lost")
    places = "positions"

    def __init__(self, solution: GeographySolution) -> None:
        self.solution, self.graph = solution, solution.graph

    def __iter__(self) -> Iterator[Settled]:
        play = self.solution.play
        plain = [
            k for k in range(play.graph.n) if play.order[k] == 0 and play.label[k] != UNDECIDED
        ]
        if plain:
            yield self._step(0, "plain", plain)
        for number, piece in enumerate(play.pieces, 1):
            yield from self._paths(number, piece)
            yield self._step(number, piece.kind, piece.positions.tolist())

    def _paths(self, number: int, piece: Piece) -> Iterator[Settled]:
        """The growing matching of a symmetric component."""
        if piece.kind != "matching" or piece.positions.size > MOST_MATCHED:
            return
        part = piece.positions.tolist()
        graph = piece.proof.graph
        for path in augmenting_paths([graph.successors(k).tolist() for k in range(graph.n)]):
            names = tuple(node_name(self.solution, part[k]) for k in path)
            yield Settled(number, "augment", names)

    def _step(self, number: int, rule: str, nodes: list[int]) -> Settled:
        label = self.solution.play.label
        sets = (
            tuple(
                node_name(self.solution, k) for k in nodes if wanted is None or label[k] == wanted
            )
            for wanted in (None, 1, -1)
        )
        return Settled(number, rule, *sets)

    def __repr__(self) -> str:
        return f"Settling({self.solution!r})"


def node_name(solution: GeographySolution, node: int) -> Hashable:
    """The name of a node of the game: a position, or a move ``a→b`` in games of repetition.

    >>> import zermelo as zm
    >>> s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]), zm.NoRepetition())
    >>> [node_name(s, k) for k in range(s.play.graph.n)]
    ['a→b', 'b→a', 'a', 'b']
    """
    graph = solution.graph
    if node >= solution._offset:
        return graph.name(node - solution._offset)
    u, w = graph.to_edges()[node].tolist()
    return f"{graph.name(u)}→{graph.name(w)}"


def geography_steps(graph: Graph, objective: Objective, solver: str, start: int | None) -> Settling:
    """The pieces of a game of return or repetition, or those that a start depends on.

    >>> import zermelo as zm
    >>> str(geography_steps(Graph.from_edges([("a", "t")]), zm.NoReturn(), "auto", None))
    'piece 0 (plain): won: a; lost: t'
    """
    solve = choose_solver(objective).load()
    solution = solve(graph, objective, None, start=start, nodes=MOST_NODES)
    assert isinstance(solution, GeographySolution)
    return Settling(solution)
