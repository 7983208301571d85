"""Which technique solves a game, and what it costs; the advice of ``zermelo info``.

Reference: the tables of [GamesOnGraphs] §10.3 and §11.3; ``docs/howto/which-technique.md``.
"""

from typing import TYPE_CHECKING, NamedTuple

import zermelo as zm
from zermelo.registry import objective_row

if TYPE_CHECKING:
    from zermelo.transform.shape import Shape

MAX_EXAMINED_SIZE = 5_000_000
"""Graphs with more positions and moves are not examined by ``zermelo info``."""


class Advice(NamedTuple):
    """The technique for a game, its cost, and what strategies need to remember."""

    technique: str
    cost: str
    memory: str


_ENDS = "positional strategies, one move for each position"
_INFINITE = {
    "parity": ("recursion, priority promotion and other solvers of parity games",
               "quasi-polynomial at worst, nearly linear on most games"),
    "buchi": ("repeated attractors", "O(V · E)"),
    "co-buchi": ("repeated attractors", "O(V · E)"),
    "muller": ("reduction to a parity game by the Zielonka tree",
               "exponential in the number of colours"),
    "energy": ("value iteration with potentials", "pseudo-polynomial: O(V · E · W)"),
    "mean-payoff": ("energy games for thresholds", "pseudo-polynomial, in the largest weight W"),
    "discounted": ("strategy improvement", "polynomial for a fixed discount"),
    "shortest-path": ("iteration of values", "pseudo-polynomial at worst, in the largest weight W"),
}  # fmt: skip

_RETURN = {
    "acyclic": ("normal (or misère) play, by backward induction", "O(V + E)"),
    "symmetric": ("a maximum matching (no return); going back at once (return)",
                  "that of one matching, O(V · E) at worst"),
    "symacyclic": ("a matching in each strong component", "that of one matching"),
    "general": ("search in the strong components that are not symmetric",
                "exponential; PSPACE-complete in general"),
}  # fmt: skip


def examine(graph: "zm.Graph") -> "Shape | None":
    """The shape of a graph; None if it is too large to examine by the way."""
    if graph.n + graph.m > MAX_EXAMINED_SIZE:
        return None
    from zermelo.transform.shape import shape

    return shape(graph)


def advise(game: "zm.Game", shape: "Shape | None") -> Advice:
    """The technique that applies to a game.

    >>> import zermelo as zm
    >>> from zermelo.transform.shape import shape
    >>> g = zm.Graph.from_edges([(0, 1), (1, 2)])
    >>> print(advise(zm.Game(g), shape(g)).technique)
    backward induction, successors first; there are no draws
    """
    keyword = game.objective.keyword
    family = objective_row(game.objective).family
    if family == "geography":
        kind = "general" if shape is None else shape.kind
        if "repetition" in keyword:
            memory = "strategies depend on the moves that were made"
            technique, cost = _RETURN["acyclic" if kind == "acyclic" else "general"]
            if keyword == "repetition":
                technique, cost = "retrograde analysis of the positions", "O(V + E)"
            elif kind != "acyclic":
                technique = "search on the line digraph, whose positions are the moves"
            return Advice(technique, cost, memory)
        if getattr(game.objective, "misere", False) and kind != "acyclic":
            kind = "general"  # no matching solves the misère form
        memory = "strategies depend on the positions that were visited"
        return Advice(*_RETURN[kind], _ENDS if kind == "acyclic" else memory)
    if family == "terminal":
        if shape is not None and not shape.cyclic:
            technique = "backward induction, successors first; there are no draws"
            if game.objective.keyword not in ("normal", "misere"):
                technique = "backward induction, successors first; play never lasts for ever"
        else:
            technique = "retrograde analysis, one backward wave from the ends"
        return Advice(technique, "O(V + E)", _ENDS)
    if keyword in _INFINITE:
        memory = "strategies with a finite memory" if keyword == "muller" else _ENDS
        return Advice(*_INFINITE[keyword], memory)
    return Advice(f"a solver of {family} games", "see zermelo solvers", _ENDS)


def sums(game: "zm.Game", shape: "Shape | None") -> str | None:
    """How the game is played as a component of a sum; None if it is not an impartial one."""
    if game.objective.keyword != "normal" or game.graph.owner is not None or not game.impartial:
        return None
    if shape is not None and not shape.cyclic:
        return "Sprague–Grundy values, which add by XOR: zermelo grundy"
    return "values of loopy games, numbers and ∞(K): zermelo grundy"
