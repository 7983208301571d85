"""Families of parity games as games with weights."""

from collections.abc import Callable

from zermelo._inputs.values import one_of
from zermelo.game import Game
from zermelo.generators._options import check_integer
from zermelo.generators.parity.hanoi import hanoi
from zermelo.generators.parity.parity_random import parity_random
from zermelo.generators.worst_case.ladders import ladder
from zermelo.generators.worst_case.measures import jurdzinski
from zermelo.generators.worst_case.switch_all import switch_all
from zermelo.generators.worst_case.zielonka import recursive_ladder
from zermelo.transform.reductions import parity_to_energy, parity_to_mean_payoff

_FAMILIES: dict[str, Callable[[int, int], Game]] = {
    "parity-random": lambda size, seed: parity_random(size, 4, 1, min(size, 3), seed=seed),
    "ladder": lambda size, seed: ladder(size),
    "recursive-ladder": lambda size, seed: recursive_ladder(size),
    "jurdzinski": lambda size, seed: jurdzinski(2, size),
    "hanoi": lambda size, seed: hanoi(size),
    "switch-all": lambda size, seed: switch_all(size),
}


def weighted_parity(
    size: int, family: str = "parity-random", objective: str = "mean-payoff", seed: int = 0
) -> Game:
    """A parity game of a family as a game with weights, by the usual reduction.

    A position of priority p gets the weight (−n)^p, so winners and moves are those of the parity
    game; see :func:`zermelo.transform.parity_to_mean_payoff`. The families are ``parity-random``
    with 4 priorities, ``ladder``, ``recursive-ladder``, ``jurdzinski`` with 2 rows, ``hanoi`` and
    ``switch-all``; ``size`` is their first parameter, for ``jurdzinski`` the width. The
    ``objective`` is ``mean-payoff`` with the threshold 0, or ``energy``. A game whose weights would
    exceed 2**60 is refused.

    >>> weighted_parity(3, "ladder", objective="energy")
    Game(energy on Graph(6 positions, 12 moves, 0 terminals, owned))
    """
    size = check_integer("size", size, 1)
    one_of(family, "family", tuple(_FAMILIES))
    one_of(objective, "objective", ("mean-payoff", "energy"))
    seed = check_integer("seed", seed, 0, 2**63 - 1)
    reduce = parity_to_energy if objective == "energy" else parity_to_mean_payoff
    graph, parity = _FAMILIES[family](size, seed)
    made = reduce(graph, parity)
    return Game(made.graph, made.objective)
