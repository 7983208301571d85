"""The definition of the games of return and repetition in the kit, and more in its manner."""

import itertools

from zermelo.testing.oracles.geography import labels as labels
from zermelo.testing.oracles.geography import wins as wins

GAMES = ("no-return", "no-return misere", "return", "no-repetition", "no-repetition misere",
         "repetition")  # fmt: skip


def winning_moves(succ, game, history):
    """All moves that win after a history; a move that repeats is judged by who likes it."""
    v = history[-1]
    arcs = set(itertools.pairwise(history))
    found = []
    for w in succ[v]:
        again = w in history if "return" in game else (v, w) in arcs
        if game in ("return", "repetition") if again else not wins(succ, game, (*history, w)):
            found.append(w)
    return found


def eggs(succ, history):
    """The Sprague–Grundy value of no return after a history."""
    values = {eggs(succ, (*history, w)) for w in succ[history[-1]] if w not in history}
    return next(k for k in itertools.count() if k not in values)


def repeats(game, history, w):
    """Whether a move repeats a position, or a move, as the game counts."""
    if "return" in game:
        return w in history
    return (history[-1], w) in set(itertools.pairwise(history))


def sum_wins(games, histories):
    """Whether the player to move wins a sum; a game is its rows and its name.

    A token repeats, and then the sum is over: in return and repetition the player who moved it
    wins, in the other games she loses. A token without moves counts as one that must repeat. In
    misère geography nobody may repeat, and a player without any fresh move wins.
    """
    fresh = []
    for k, ((succ, game), history) in enumerate(zip(games, histories, strict=True)):
        row = succ[history[-1]]
        again = [w for w in row if repeats(game, history, w)]
        if game in ("return", "repetition") and (again or not row):
            return True
        fresh += [(k, w) for w in row if w not in again]
    if not fresh and any("misere" in game for _, game in games):
        return True
    return any(not sum_wins(games, moved(histories, k, w)) for k, w in fresh)


def moved(histories, k, w):
    """The histories of a sum after a move of token k."""
    return (*histories[:k], (*histories[k], w), *histories[k + 1 :])


def positional_wins(succ, game, player, choice, history):
    """Whether a player wins all plays with her moves by position; choice[v] is her move at v."""
    v, mine = history[-1], (len(history) - 1) % 2 == player
    name, _, misere = game.partition(" ")
    again = [w for w in succ[v] if repeats(name, history, w)]
    fresh = [w for w in succ[v] if w not in again]
    if name in ("return", "repetition"):
        if not succ[v]:
            return mine
        if mine:
            w = choice[v]
            return w in again or positional_wins(succ, game, player, choice, (*history, w))
        return not again and all(
            positional_wins(succ, game, player, choice, (*history, w)) for w in fresh
        )
    if not fresh:
        return mine == bool(misere)
    if mine:
        w = choice[v]
        return w in fresh and positional_wins(succ, game, player, choice, (*history, w))
    return all(positional_wins(succ, game, player, choice, (*history, w)) for w in fresh)


def has_positional(succ, game, player, start):
    """Whether some choice of one move at each position wins for the player."""
    rows = [row or [None] for row in succ]
    return any(
        positional_wins(succ, game, player, choice, (start,)) for choice in itertools.product(*rows)
    )
