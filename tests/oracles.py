"""Slow, plain, obviously right answers, from the definitions alone and in pure Python.

A situation is a pair (position, player to move), even where both players' situations look alike.
Payoffs are player 0's. Nothing here imports a solver, a kernel, a checker or a terminal form.
"""

import itertools
from dataclasses import dataclass

NO_DISTANCE = -1

# What player 0 gets when player 0 is stuck, when player 1 is stuck, and from infinite play.
STUCK = {
    "normal": (-1, +1, 0),
    "misere": (+1, -1, 0),
    "asymmetric": (0, +1, -1),
    "g0": (-1, +1, -1),
    "g1": (-1, +1, +1),
    "h1": (+1, +1, -1),
}


@dataclass
class Game:
    """A terminal-payoff game: moves and payoffs by situation, and what infinite play pays."""

    moves: dict  # situation -> list of situations
    pays: dict  # situation where play ends -> payoff
    infinite: object
    agreed: bool  # whether an end that pays what infinite play pays gives distances


def game_of(graph, objective):
    """Write down an objective's rules on a graph."""
    n, keyword = graph.n, objective.keyword
    succ = [graph.successors(v).tolist() for v in range(n)]
    if graph.owner is None:
        situations = [(v, e) for v in range(n) for e in (0, 1)]
        moves = {(v, e): [(w, 1 - e) for w in succ[v]] for v, e in situations}
    else:
        owner = graph.owner.tolist()
        situations = list(enumerate(owner))
        moves = {(v, e): [(w, owner[w]) for w in succ[v]] for v, e in situations}
    stuck = [s for s in situations if not moves[s]]
    if keyword in STUCK:
        *pays, infinite = STUCK[keyword]
        return Game(moves, {(v, e): pays[e] for v, e in stuck}, infinite, True)
    if keyword == "terminal-payoff":
        pays = {}
        for v, e in stuck:
            x = objective.payoffs[v]
            x = x[e] if isinstance(x, tuple) else x
            pays[v, e] = -x if objective.view == "mover" and e == 1 else x
        return Game(moves, pays, objective.infinite, True)
    if keyword == "reach-avoid":  # a position of both sets is one to avoid
        wanted = +1 if objective.player == 0 else -1
        goal, avoid = set(objective.goal), set(objective.avoid)
        pays = {(v, e): -1 if e == 0 else +1 for v, e in stuck}
        pays |= {(v, e): wanted for v, e in situations if v in goal}
        pays |= {(v, e): -wanted for v, e in situations if v in avoid}
        return Game(moves, pays, -wanted, False)
    # Reach: the player wants one of the positions; Safety: the player wants to stay in them.
    chosen, player = set(objective.positions), objective.player
    wanted = +1 if player == 0 else -1
    pays = {(v, e): -1 if e == 0 else +1 for v, e in stuck}
    if keyword == "reach":
        pays |= {(v, e): wanted for v, e in situations if v in chosen}
        return Game(moves, pays, -wanted, False)
    assert keyword == "safety"
    pays |= {(v, e): -wanted for v, e in situations if v not in chosen}
    return Game(moves, pays, wanted, False)


def can_get(game, x):
    """The situations from which player 0 can make sure of at least x, by value iteration.

    If infinite play pays x, she only has to avoid worse ends: the greatest fixpoint of "an end
    that pays x, or a move of mine into the set, or only moves of his into the set". If it does
    not, she has to reach a good end: the least one.
    """
    good = set(game.moves) if game.infinite >= x else set()
    while True:
        step = set()
        for s, moves in game.moves.items():
            if s in game.pays:
                inside = game.pays[s] >= x
            else:
                inside = (any if s[1] == 0 else all)(t in good for t in moves)
            if inside:
                step.add(s)
        if step == good:
            return good
        good = step


def values(game):
    """What player 0 gets from every situation."""
    value = {}
    for x in sorted({*game.pays.values(), game.infinite}):
        for s in can_get(game, x):
            value[s] = x
    return value


def distances(game, value):
    """Plies to the end under best play.

    Best play is moves that keep the value. Where it is not infinite play's, the side that does
    better than infinite play wants to end soon and the other to hold out: the distance is the
    least k such that the former can end the game within k plies. Where it is, both may agree to
    end the game: the length of the shortest way.
    """
    distance = dict.fromkeys(game.moves, NO_DISTANCE)
    for x in set(value.values()):
        if x == game.infinite and not game.agreed:
            continue
        here = [s for s in value if value[s] == x]
        ended = {s for s in here if s in game.pays}
        k = 0
        while ended:  # the situations from which the game can be ended within k plies
            for s in ended:
                if distance[s] == NO_DISTANCE:
                    distance[s] = k
            k += 1
            longer = set(ended)
            for s in here:
                best = [t in ended for t in game.moves[s] if value[t] == x]
                hurried = x == game.infinite or (s[1] == 0) == (x > game.infinite)
                if s not in game.pays and (any(best) if hurried else all(best)):
                    longer.add(s)
            if longer == ended:
                break
            ended = longer
    return distance


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


def seen_by_mover(s, x):
    """A payoff as the player to move sees its sign."""
    return sign(x) if s[1] == 0 else -sign(x)


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
