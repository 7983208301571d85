"""The definition of parity games, and strategies against all others, in pure Python.

A game is a tuple (moves, owner, priority): lists by position, the moves as lists.
"""

import itertools

from zermelo.testing.oracles.parity import (  # noqa: F401  for tests that import this module
    attractor,
    game_of,
    zielonka,
)

# -------------------------------------------------------------------- strategies


def strategies(moves, owner, player):
    """Every positional strategy of a player."""
    mine = [v for v in range(len(moves)) if owner[v] == player and moves[v]]
    for choice in itertools.product(*(moves[v] for v in mine)):
        yield dict(zip(mine, choice, strict=True))


def play(moves, owner, priority, both, v):
    """Who wins when both follow their strategies from v."""
    seen = []
    while v not in seen:
        seen.append(v)
        if not moves[v]:
            return 1 - owner[v]
        v = both[v]
    return max(priority[u] for u in seen[seen.index(v) :]) % 2


def beats_all(game, player, strategy, start):
    """Whether a strategy wins from start against every strategy of the opponent."""
    return all(
        play(*game, strategy | other, start) == player
        for other in strategies(game[0], game[1], 1 - player)
    )


def winners_by_strategies(game):
    """The winner of each position, by all strategies against all; for tiny games."""
    moves, owner, _ = game
    winner = []
    for v in range(len(moves)):
        wins = [any(beats_all(game, p, s, v) for s in strategies(moves, owner, p)) for p in (0, 1)]
        assert wins[0] != wins[1], "parity games are determined, by positional strategies"
        winner.append(0 if wins[0] else 1)
    return winner


def strategy_wins(game, winner, player, strategy):
    """Whether a strategy (moves by position) wins wherever the player is said to win.

    By paths: no walk from there that the opponent can choose leaves the region, ends at the
    player's own position, or goes round a cycle whose highest priority is the opponent's.
    """
    moves, owner, priority = game
    region = {v for v in range(len(moves)) if winner[v] == player}
    left = {v: [strategy[v]] if owner[v] == player else moves[v] for v in region}
    if any(w not in region for v in region for w in left[v]):
        return False
    if any(w not in moves[v] for v in region for w in left[v]):
        return False
    if any(owner[v] == player and not moves[v] for v in region):
        return False
    return not any(
        priority[v] % 2 != player and _returns(left, priority, v, priority[v]) for v in region
    )


def _returns(left, priority, v, top):
    """Whether v can come back to itself through priorities of at most top."""
    seen, waiting = set(), [w for w in left[v] if priority[w] <= top]
    while waiting:
        u = waiting.pop()
        if u not in seen:
            seen.add(u)
            waiting += [w for w in left[u] if priority[w] <= top]
    return v in seen
