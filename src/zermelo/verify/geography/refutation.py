"""The checker of proofs that no positional strategy wins a game of return or repetition.

A refutation is a tree. At a leaf is a play that the player loses; at a branch is a play that ends
where she is to move, and a refutation for each of her moves there. The checker goes down all ways
of the tree and remembers the moves that were chosen. Every play must begin at the start, follow the
rules, and at her positions use the moves chosen above it. Every positional strategy follows one way
to a leaf, whose play it loses. Where she has one move only, nothing is chosen. Linear in the size
of the proof, without a solver.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo.errors import CertificateError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from zermelo.graph import Graph


def check_refutation(
    graph: "Graph", objective: Any, start: "Hashable", player: int, refutation: Any
) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless no positional strategy wins.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 2)])
    >>> proof = zm.positional_strategy(g, zm.NoReturn(), 0, player=0).refutation
    >>> check_refutation(g, zm.NoReturn(), 0, 0, proof)
    >>> check_refutation(g, zm.NoReturn(), 0, 1, proof)
    Traceback (most recent call last):
    zermelo.errors.CertificateError: the play 0 → 1 → 2: expected a play that player 1 loses
    """
    waiting: list[tuple[Any, dict[int, int]]] = [(refutation, {})]
    while waiting:
        node, chosen = waiting.pop()
        if node is None or not len(node.play):
            raise CertificateError("expected a refutation with a play, got none")
        name = f"the play {node.play}"
        walk = [graph.index(x) for x in node.play]
        if walk[0] != graph.index(start):
            raise CertificateError(f"{name}: expected the start {start!r} at its beginning")
        ended = _follow(graph, objective, walk, player, chosen, name)
        if not node.branches:
            if not _lost(graph, objective, walk, player, ended):
                raise CertificateError(f"{name}: expected a play that player {player} loses")
            continue
        v = walk[-1]
        if ended or (len(walk) - 1) % 2 != player or v in chosen:
            raise CertificateError(f"{name}: expected a position where player {player} must choose")
        branches = {graph.index(w): after for w, after in node.branches.items()}
        if set(branches) != set(graph.successors(v).tolist()):
            raise CertificateError(f"{name}: expected a refutation of each move at its end")
        waiting += [(after, {**chosen, v: w}) for w, after in branches.items()]


def _follow(
    graph: "Graph", objective: Any, walk: list[int], player: int, chosen: dict[int, int], name: str
) -> bool:
    """Follow a play; whether its last move repeats a position or a move. Nothing may follow it."""
    by_moves = "repetition" in objective.keyword
    seen: set[Any] = set() if by_moves else {walk[0]}
    for k in range(1, len(walk)):
        v, w = walk[k - 1], walk[k]
        if w not in graph.successors(v):
            raise CertificateError(f"{name}: expected a move from {graph.name(v)!r}")
        mine = (k - 1) % 2 == player
        if mine and graph.out_degree[v] > 1 and chosen.get(v) != w:
            raise CertificateError(f"{name}: expected a chosen move at {graph.name(v)!r}")
        mark = (v, w) if by_moves else w
        if mark in seen:
            if k + 1 < len(walk):
                raise CertificateError(f"{name}: expected its end where it repeats")
            return True
        seen.add(mark)
    return False


def _lost(graph: "Graph", objective: Any, walk: list[int], player: int, ended: bool) -> bool:
    """Whether the player has lost at the end of a play."""
    if ended:
        # The last move repeats, and was made by the player whose turn it was one step before.
        mover = len(walk) % 2
        if objective.keyword in ("return", "repetition"):
            return mover != player
        # A forbidden move loses, unless she had no other one and a stuck player wins.
        stuck = not _fresh(graph, objective, walk[:-1])
        return mover == player and not (stuck and objective.terminal > 0)
    mover, moves = (len(walk) - 1) % 2, graph.successors(walk[-1]).tolist()
    if objective.keyword in ("return", "repetition"):
        return not moves and mover != player
    return not _fresh(graph, objective, walk) and (objective.terminal > 0) != (mover == player)


def _fresh(graph: "Graph", objective: Any, walk: list[int]) -> list[int]:
    """The moves at the end of a play that repeat nothing."""
    moves: list[int] = graph.successors(walk[-1]).tolist()
    return [w for w in moves if not repeats(objective, walk, w)]


def repeats(objective: Any, walk: list[int], w: int) -> bool:
    """Whether a move to ``w`` at the end of a play repeats a position, or a move."""
    if "repetition" in objective.keyword:
        return (walk[-1], w) in pairwise(walk)
    return w in walk
