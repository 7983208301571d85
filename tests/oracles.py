"""The definitions of the kit, and answers by all strategies against all, plainer and slower still.

A situation is a pair (position, player to move), even where both players' situations look alike.
Payoffs are player 0's.
"""

import itertools

from zermelo.labels import NO_DISTANCE
from zermelo.testing.oracles.terminal import (  # noqa: F401  for tests that import this module
    Game,
    distances,
    game_of,
    seen_by_mover,
    values,
)


def solve(graph, objective):
    """All values and distances by situation."""
    game = game_of(graph, objective)
    value = values(game)
    return value, distances(game, value)


def best_moves(game, value, distance, s):
    """The positions that best play may go to: they keep the value and the distance's promise.

    Nobody forces the end of a draw where infinite play is a draw, so there all moves that keep it
    are best; those that lead along the distance come first.
    """
    if s in game.pays:
        return []
    after = distance[s] - 1 if distance[s] != NO_DISTANCE else NO_DISTANCE
    kept = [t for t in game.moves[s] if value[t] == value[s]]
    others = value[s] == game.infinite == 0
    return [t[0] for t in kept if distance[t] == after] + [
        t[0] for t in kept if others and distance[t] != after
    ]


def sign(x):
    """−1, 0 or +1."""
    return (x > 0) - (x < 0)


# -------------------------------------------------------------------- slower and plainer still


def _strategies(game, player, allowed):
    """All positional strategies of a player that use allowed moves only."""
    mine = [s for s in game.moves if s[1] == player and s not in game.pays]
    options = [[t for t in game.moves[s] if allowed(s, t)] for s in mine]
    for choice in itertools.product(*options):
        yield dict(zip(mine, choice, strict=True))


def _play(game, s, plan):
    """The payoff and length of the play that two strategies make (None if infinite)."""
    for k in range(len(game.moves) + 1):
        if s in game.pays:
            return game.pays[s], k
        s = plan[s]
    return game.infinite, None


def values_by_strategies(game):
    """(max min, min max) of the payoff over positional strategies, by situation."""
    first = list(_strategies(game, 0, lambda s, t: True))
    second = list(_strategies(game, 1, lambda s, t: True))
    lower, upper = {}, {}
    for s in game.moves:
        table = [[_play(game, s, a | b)[0] for b in second] for a in first]
        lower[s] = max(min(row) for row in table)
        upper[s] = min(max(column) for column in zip(*table, strict=True))
    return lower, upper


def forced_distances_by_strategies(game, value):
    """Lengths of play where the value is not infinite play's, over strategies that keep values."""

    def keeps(s, t):
        return value[s] == value[t]

    plans = [list(_strategies(game, player, keeps)) for player in (0, 1)]
    distance = {}
    for s, x in value.items():
        if x == game.infinite:
            continue
        forcing = 0 if x > game.infinite else 1
        lengths = []
        for a in plans[forcing]:
            row = [_play(game, s, a | b)[1] for b in plans[1 - forcing]]
            lengths.append(max((k if k is not None else float("inf")) for k in row))
        distance[s] = min(lengths)
    return distance
