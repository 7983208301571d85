"""Slow, plain oracles of quantitative games: all pairs of positional strategies, exact numbers."""

import itertools
import math
from fractions import Fraction

import zermelo as zm


class Game:
    """A small game in plain Python: ``moves[v]`` are the successors, ``weight[u, v]`` integers."""

    def __init__(self, graph, weight):
        self.graph = graph
        self.n = graph.n
        self.owner = graph.owner.tolist()
        self.moves = [graph.successors(v).tolist() for v in range(graph.n)]
        self.weight = weight

    def strategies(self, player):
        """All positional strategies of a player."""
        mine = [v for v in range(self.n) if self.owner[v] == player and self.moves[v]]
        for choice in itertools.product(*(self.moves[v] for v in mine)):
            yield dict(zip(mine, choice, strict=True))

    def play(self, strategy, v):
        """The weights before the cycle and on it; None and the stuck position if play ends."""
        seen, weights = {}, []
        while v not in seen:
            if v not in strategy:
                return weights, None, v
            seen[v] = len(weights)
            weights.append(self.weight[v, strategy[v]])
            v = strategy[v]
        return weights[: seen[v]], weights[seen[v] :], v

    def values(self, pays):
        """The value of each position, if ``pays(way, cycle)`` is what player 0 gets of a play."""
        found = [-math.inf] * self.n
        answers = list(self.strategies(1))
        for mine in self.strategies(0):
            worst = [math.inf] * self.n
            for theirs in answers:
                both = {**mine, **theirs}
                for v in range(self.n):
                    way, cycle, last = self.play(both, v)
                    stuck = cycle is None
                    value = self.stuck(way, last, pays) if stuck else pays(way, cycle)
                    worst[v] = min(worst[v], value)
            found = [max(x, y) for x, y in zip(found, worst, strict=True)]
        return found

    def stuck(self, way, last, pays):
        """What player 0 gets where play ends: whoever is stuck has lost."""
        if self.owner[last] == 0:
            return -math.inf
        return -needed(way) if pays is energy else math.inf


def needed(weights):
    """The credit with which no sum of the first weights is negative."""
    return max(0, *(-x for x in itertools.accumulate(weights))) if weights else 0


def energy(way, cycle):
    """The negative of the credit that a play needs."""
    return -math.inf if sum(cycle) < 0 else -needed(way + cycle)


def mean(way, cycle):
    """The mean of the weights in the long run."""
    return Fraction(sum(cycle), len(cycle))


def discounted(discount):
    """The discounted sum of the weights."""

    def pays(way, cycle):
        value = sum(discount**k * x for k, x in enumerate(cycle)) / (1 - discount ** len(cycle))
        for x in reversed(way):
            value = x + discount * value
        return value

    return pays


def credits(game):
    """The least credits, NO_CREDIT where none suffices."""
    return [zm.NO_CREDIT if x == -math.inf else -x for x in game.values(energy)]


def charges(game, capacity):
    """The least charges of a battery, by going through all of them until nothing changes."""
    lost = capacity + 1
    found = [0] * game.n
    while True:
        after = []
        for u in range(game.n):
            through = [
                lost if found[v] == lost else min(lost, max(0, found[v] - game.weight[u, v]))
                for v in game.moves[u]
            ]
            if game.owner[u] == 0:
                after.append(min(through, default=lost))
            else:
                after.append(max(through, default=0))
        if after == found:
            return [zm.NO_CREDIT if x == lost else x for x in found]
        found = after


def cheapest(game, targets, player=1):
    """Values of a shortest-path game: horizon by horizon, from "never" on."""
    sign = 1 if player == 1 else -1
    most = game.n * max([abs(x) for x in game.weight.values()], default=0)
    value = []
    for v in range(game.n):
        if v in targets:
            value.append(0)
        elif game.moves[v] or (game.owner[v] == 1) == (player == 1):
            value.append(math.inf)
        else:
            value.append(-math.inf)
    while True:
        after = list(value)
        for u in range(game.n):
            if u in targets or not game.moves[u]:
                continue
            through = [sign * game.weight[u, v] + value[v] for v in game.moves[u]]
            after[u] = min(through) if game.owner[u] == player else max(through)
            if after[u] < -most:
                after[u] = -math.inf
        if after == value:
            return [sign * x for x in value]
        value = after


def random_game(rng, most=6, choices=12, weights=4):
    """A small random game, with at most so many moves; half of the games have no dead end."""
    while True:
        n = rng.randint(1, most)
        density = rng.choice((0.15, 0.3, 0.5))
        edges = {(u, v) for u in range(n) for v in range(n) if rng.random() < density}
        if rng.random() < 0.5:
            edges |= {(u, rng.randrange(n)) for u in range(n)}
        if len(edges) <= choices:
            break
    owner = [rng.randint(0, 1) for _ in range(n)]
    graph = zm.Graph.from_edges(sorted(edges), n=n, owner=owner)
    largest = rng.choice((1, weights, 10**6))
    weight = {edge: rng.randint(-largest, largest) for edge in edges}
    return graph, weight
