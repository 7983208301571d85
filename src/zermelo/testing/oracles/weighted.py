"""Games with weights by all pairs of positional strategies, in exact numbers."""

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from zermelo.labels import NO_CREDIT
from zermelo.testing.oracles.situations import Situation, situations

Plan = dict[Situation, Situation]


class Game:
    """A small game in plain Python; ``weight`` has an integer for each move (u, v)."""

    def __init__(self, graph: Any, weight: dict[Any, int]) -> None:
        self.moves = situations(graph)
        self.weight = weight

    def cost(self, s: Situation, t: Situation) -> int:
        """The weight of a move between situations."""
        return self.weight[s[0], t[0]]

    def strategies(self, player: int) -> Iterator[Plan]:
        """All positional strategies of a player."""
        mine = [s for s, moves in self.moves.items() if s[1] == player and moves]
        for choice in itertools.product(*(self.moves[s] for s in mine)):
            yield dict(zip(mine, choice, strict=True))

    def play(self, plan: Plan, s: Situation) -> tuple[list[int], list[int] | None, Situation]:
        """The weights before the cycle, those on it (None if play ends), and the last situation."""
        seen: dict[Situation, int] = {}
        weights: list[int] = []
        while s not in seen:
            if s not in plan:
                return weights, None, s
            seen[s] = len(weights)
            weights.append(self.cost(s, plan[s]))
            s = plan[s]
        return weights[: seen[s]], weights[seen[s] :], s

    def values(self, pays: Callable[[Any, Any], Any]) -> dict[Situation, Any]:
        """The value of each situation, if ``pays(way, cycle)`` is what player 0 gets of a play."""
        found = dict.fromkeys(self.moves, -math.inf)
        answers = list(self.strategies(1))
        for mine in self.strategies(0):
            worst = dict.fromkeys(self.moves, math.inf)
            for theirs in answers:
                both = {**mine, **theirs}
                for s in self.moves:
                    way, cycle, last = self.play(both, s)
                    value = stuck(way, last, pays) if cycle is None else pays(way, cycle)
                    worst[s] = min(worst[s], value)
            found = {s: max(x, worst[s]) for s, x in found.items()}
        return found


def stuck(way: list[int], last: Situation, pays: Callable[[Any, Any], Any]) -> float:
    """What player 0 gets where play ends: the player who is stuck loses."""
    if last[1] == 0:
        return -math.inf
    return -needed(way) if pays is energy else math.inf


def needed(weights: list[int]) -> int:
    """The credit with which no sum of the first weights is negative."""
    return max(0, *(-x for x in itertools.accumulate(weights))) if weights else 0


def energy(way: list[int], cycle: list[int]) -> float:
    """The negative of the credit that a play needs."""
    return -math.inf if sum(cycle) < 0 else -needed(way + cycle)


def mean(way: list[int], cycle: list[int]) -> Fraction:
    """The mean of the weights in the long run."""
    return Fraction(sum(cycle), len(cycle))


def discounted(discount: Fraction) -> Callable[[Any, Any], Any]:
    """The function that gives the discounted sum of the weights of a play."""

    def pays(way: list[int], cycle: list[int]) -> Any:
        value = sum(discount**k * x for k, x in enumerate(cycle)) / (1 - discount ** len(cycle))
        for x in reversed(way):
            value = x + discount * value
        return value

    return pays


def credits(game: Game) -> dict[Situation, Any]:
    """The least credits, NO_CREDIT where none suffices."""
    return {s: NO_CREDIT if x == -math.inf else -x for s, x in game.values(energy).items()}


def charges(game: Game, capacity: int) -> dict[Situation, int]:
    """The least charges of a battery, by going through all of them until nothing changes."""
    lost = capacity + 1
    found = dict.fromkeys(game.moves, 0)
    while True:
        after = {}
        for s, moves in game.moves.items():
            through = [
                lost if found[t] == lost else min(lost, max(0, found[t] - game.cost(s, t)))
                for t in moves
            ]
            after[s] = min(through, default=lost) if s[1] == 0 else max(through, default=0)
        if after == found:
            return {s: NO_CREDIT if x == lost else x for s, x in found.items()}
        found = after


def cheapest(game: Game, targets: Any, player: int = 1) -> dict[Situation, float]:
    """Values of a shortest-path game: horizon by horizon, from "never" on."""
    sign = 1 if player == 1 else -1
    most = len(game.moves) * max([abs(x) for x in game.weight.values()], default=0)
    value: dict[Situation, float] = {}
    for s, moves in game.moves.items():
        if s[0] in targets:
            value[s] = 0
        else:
            value[s] = math.inf if moves or s[1] == player else -math.inf
    while True:
        after = dict(value)
        for s, moves in game.moves.items():
            if s[0] in targets or not moves:
                continue
            through = [sign * game.cost(s, t) + value[t] for t in moves]
            after[s] = min(through) if s[1] == player else max(through)
            if after[s] < -most:
                after[s] = -math.inf
        if after == value:
            return {s: sign * x for s, x in value.items()}
        value = after


def solve(graph: Any, objective: Any) -> dict[str, dict[Situation, Any]] | None:
    """The credits, values or winners by situation; None for an objective that is not known."""
    edges = map(tuple, graph.to_edges().tolist())
    game = Game(graph, dict(zip(edges, objective.weights(graph).tolist(), strict=True)))
    if objective.keyword == "energy":
        capacity = objective.capacity
        return {"credit": credits(game) if capacity is None else charges(game, capacity)}
    if objective.keyword == "mean-payoff":
        value = game.values(mean)
        if objective.threshold is None:
            return {"value": value}
        return {"winner": {s: 0 if x >= objective.threshold else 1 for s, x in value.items()}}
    if objective.keyword == "discounted":
        return {"value": game.values(discounted(objective.discount))}
    if objective.keyword == "shortest-path":
        targets = {v for v, chosen in enumerate(graph.mask(objective.targets)) if chosen}
        return {"value": cheapest(game, targets, objective.player)}
    return None
