"""Terminal-payoff games by value iteration over situations.

A situation is a pair (position, player to move), even where both players' situations look alike.
Payoffs are those of player 0.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.labels import NO_DISTANCE
from zermelo.testing.oracles.situations import Moves, Situation, situations

STUCK = {
    "normal": (-1, +1, 0),
    "misere": (+1, -1, 0),
    "asymmetric": (0, +1, -1),
    "g0": (-1, +1, -1),
    "g1": (-1, +1, +1),
    "h1": (+1, +1, -1),
}
"""What player 0 gets when player 0 is stuck, when player 1 is stuck, and from infinite play."""


@dataclass
class Game:
    """A terminal-payoff game: moves and payoffs by situation, and what infinite play pays."""

    moves: Moves
    pays: dict[Situation, Any]
    """The payoff of each situation in which play ends."""
    infinite: Any
    agreed: bool
    """Whether an end that pays what infinite play pays gives distances."""


def game_of(graph: Any, objective: Any) -> Game | None:
    """Write down the rules of an objective on a graph; None for an objective that is not known."""
    keyword, moves = objective.keyword, situations(graph)
    stuck = [s for s in moves if not moves[s]]
    if keyword in STUCK:
        *pay, infinite = STUCK[keyword]
        return Game(moves, {(v, e): pay[e] for v, e in stuck}, infinite, True)
    if keyword == "terminal-payoff":
        pays = {}
        for v, e in stuck:
            x = objective.payoffs[v]
            x = x[e] if isinstance(x, tuple) else x
            pays[v, e] = -x if objective.view == "mover" and e == 1 else x
        return Game(moves, pays, objective.infinite, True)
    ends = {"reach": ("positions", "", -1), "safety": ("", "positions", 1),
            "reach-avoid": ("goal", "avoid", -1)}  # fmt: skip
    if keyword not in ends:
        return None
    goal, bad, infinite = ends[keyword]
    wanted = 1 if objective.player == 0 else -1
    pays = {(v, e): -1 if e == 0 else +1 for v, e in stuck}
    if goal:
        pays |= {s: wanted for s in moves if s[0] in set(getattr(objective, goal))}
    if bad:  # a position of both sets is one to avoid; Safety avoids all others
        chosen, inside = set(getattr(objective, bad)), keyword == "reach-avoid"
        pays |= {s: -wanted for s in moves if (s[0] in chosen) == inside}
    return Game(moves, pays, infinite * wanted, False)


def can_get(game: Game, x: Any) -> set[Situation]:
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


def values(game: Game) -> dict[Situation, Any]:
    """What player 0 gets from every situation."""
    value = {}
    for x in sorted({*game.pays.values(), game.infinite}):
        for s in can_get(game, x):
            value[s] = x
    return value


def distances(game: Game, value: dict[Situation, Any]) -> dict[Situation, int]:
    """Plies to the end under best play.

    Best play is moves that keep the value. Where it is not the value of infinite play, the side
    that does better than infinite play wants to end soon and the other to hold out: the distance
    is the least k such that the former can end the game within k plies. Where it is, both may
    agree to end the game: the length of the shortest way.
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


def seen_by_mover(s: Situation, x: Any) -> int:
    """A payoff as the player to move sees its sign."""
    sign = int(x > 0) - int(x < 0)
    return sign if s[1] == 0 else -sign


def solve(graph: Any, objective: Any) -> dict[str, dict[Situation, Any]] | None:
    """The values, labels and distances by situation; None for an objective that is not known."""
    game = game_of(graph, objective)
    if game is None:
        return None
    value = values(game)
    label = {s: seen_by_mover(s, x) for s, x in value.items()}
    return {"value": value, "label": label, "distance": distances(game, value)}
