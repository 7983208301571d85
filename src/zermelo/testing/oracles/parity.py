"""Parity games by Zielonka's recursion on sets.

Player 0 wins a play iff the highest priority that is seen infinitely often is even; the owner of a
position without moves loses there. No objective is asked for its priorities.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.testing.oracles.situations import Situation, rows

Places = Sequence[Any] | Mapping[Any, Any]
"""A list by position, or a mapping by state."""


def game_of(graph: Any, objective: Any) -> tuple[list[list[int]], list[int], list[int]] | None:
    """The moves, owners and priorities of a game; None for an objective that is not known."""
    priority = priorities(graph, objective)
    return None if priority is None else (rows(graph), graph.owner.tolist(), priority)


def priorities(graph: Any, objective: Any) -> list[int] | None:
    """The priorities of an objective, so that the highest counts and even is good for player 0."""
    if objective.keyword == "parity":
        which, parity = objective.convention.split()
        given = [int(x) for x in objective.priority]
        ranked = sorted(set(given), reverse=which == "min")
        good = 0 if parity == "even" else 1
        # The k-th worst becomes 2k or 2k + 1, whichever favours the same player.
        place = {x: 2 * k + (x % 2 != good) for k, x in enumerate(ranked)}
        return [place[x] for x in given]
    if objective.keyword not in ("buchi", "co-buchi"):
        return None
    chosen, player = set(objective.positions), objective.player
    glad = player if objective.keyword == "buchi" else 1 - player  # who wants to see the set
    # Seeing it counts (4 or 3), whatever else is seen; else the other one wins (1 or 2).
    return [(4 - glad) if v in chosen else (1 + glad) for v in range(graph.n)]


def attractor(
    moves: Places, owner: Places, within: set[Any], player: int, target: set[Any]
) -> set[Any]:
    """The positions of ``within`` from which a player can force the token to the target."""
    found = set(target)
    while True:
        more = {
            v
            for v in within - found
            if any(w in found for w in moves[v])
            and (any if owner[v] == player else all)(w in found for w in moves[v] if w in within)
        }
        if not more:
            return found
        found |= more


def zielonka(moves: Sequence[Any], owner: Sequence[int], priority: Sequence[int]) -> list[int]:
    """The winner of each position, by Zielonka's recursion on the subgame without dead ends."""
    everything = set(range(len(moves)))
    lost: list[set[Any]] = []
    for player in (0, 1):  # the opponent attracts to where the player is stuck
        stuck = {v for v in everything if not moves[v] and owner[v] == player}
        lost.append(attractor(moves, owner, everything, 1 - player, stuck))
    won = recursion(moves, owner, priority, everything - lost[0] - lost[1])
    return [0 if v in lost[1] or v in won[0] else 1 for v in range(len(moves))]


def recursion(
    moves: Places, owner: Places, priority: Places, within: set[Any]
) -> tuple[set[Any], set[Any]]:
    """The positions that each player wins, in a game without dead ends."""
    if not within:
        return set(), set()
    top = max(priority[v] for v in within)
    player = top % 2
    first = attractor(moves, owner, within, player, {v for v in within if priority[v] == top})
    won = recursion(moves, owner, priority, within - first)
    if not won[1 - player]:
        return (within, set()) if player == 0 else (set(), within)
    second = attractor(moves, owner, within, 1 - player, won[1 - player])
    won = recursion(moves, owner, priority, within - second)
    mine, others = won[player], won[1 - player] | second
    return (mine, others) if player == 0 else (others, mine)


def solve(graph: Any, objective: Any) -> dict[str, dict[Situation, int]] | None:
    """The winner of each situation; None for an objective that is not known."""
    game = game_of(graph, objective)
    if game is None:
        return None
    return {"winner": dict(zip(enumerate(game[1]), zielonka(*game), strict=True))}
