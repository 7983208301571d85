"""The situations of a game on a graph: pairs of a position and the player to move."""

from typing import Any

Situation = tuple[int, int]
Moves = dict[Situation, list[Situation]]


def rows(graph: Any) -> list[list[int]]:
    """The moves of each position, as lists."""
    return [graph.successors(v).tolist() for v in range(graph.n)]


def situations(graph: Any) -> Moves:
    """The moves of each situation; on a graph without owners the players alternate."""
    moves = rows(graph)
    if graph.owner is None:
        pairs = [(v, e) for v in range(graph.n) for e in (0, 1)]
        return {(v, e): [(w, 1 - e) for w in moves[v]] for v, e in pairs}
    owner = graph.owner.tolist()
    return {(v, owner[v]): [(w, owner[w]) for w in moves[v]] for v in range(graph.n)}
