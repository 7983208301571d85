"""What all generators share: the checks of their parameters, owners, and the game they return."""

import math
import numbers

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import one_of, shown, whole_number
from zermelo._runtime.memory import require
from zermelo.errors import InvalidOptionError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.labels import Int8Array
from zermelo.objectives import Objective

MAX_POSITIONS = 2**31 - 2

OWNERS = ("none", "random", "alternate")
"""Positions have no owners; or each has a random owner; or the owners alternate."""


def check_integer(what: str, given: object, low: int = 0, high: int = MAX_POSITIONS) -> int:
    """An integer option between two bounds.

    >>> check_integer("n", 7)
    7
    >>> check_integer("n", -1)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: n: expected an integer from 0 to 2,147,483,646, got -1
    """
    return whole_number(given, what, low, high)


def check_real(what: str, given: object, low: float = 0.0, high: float = math.inf) -> float:
    """A finite number between two bounds.

    >>> check_real("back", 2, 0, 1)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: back: expected a number from 0 to 1, got 2
    """
    number = isinstance(given, numbers.Real) and not isinstance(given, bool)
    try:
        x = float(given) if number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        x = math.inf
    if not (low <= x <= high and math.isfinite(x)):
        span = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise InvalidOptionError(f"{what}: expected a number {span}, got {shown(given)}")
    return x


def check_room(n: int, m: float) -> None:
    """Refuse a graph of ``n`` positions and about ``m`` moves that would not fit in memory."""
    require(
        int(24 * n + 24 * m),
        f"a graph of {n:,} positions and about {int(m):,} moves",
        "ask for fewer positions or moves",
    )


def generator(seed: object) -> np.random.Generator:
    """The random generator of a seed."""
    return np.random.default_rng(check_integer("seed", seed, 0, 2**63 - 1))


def with_owners(
    graph: Graph, owners: str, seed: int = 0, turn: npt.ArrayLike | None = None
) -> Graph:
    """The same moves, with the owners that ``owners`` names.

    With ``"alternate"`` the owner is the parity of ``turn``, or of the number of the position if
    there is no ``turn``. ``"random"`` uses its own random numbers, so that a seed gives the same
    moves with owners and without.

    >>> g = Graph.from_edges([(0, 1), (1, 2)])
    >>> with_owners(g, "alternate").owner.tolist()
    [0, 1, 0]
    >>> with_owners(g, "none") is g
    True
    """
    one_of(owners, "owners", OWNERS)
    seed = check_integer("seed", seed, 0, 2**63 - 1)
    if owners == "none":
        return graph
    owner: Int8Array
    if owners == "random":
        owner = np.random.default_rng([int(seed), 1]).integers(0, 2, graph.n, dtype=np.int8)
    else:
        turns = np.arange(graph.n) if turn is None else np.asarray(turn)
        owner = (turns & 1).astype(np.int8)
    return graph.with_owner(owner)


def make_game(
    graph: Graph,
    owners: str,
    seed: int = 0,
    turn: npt.ArrayLike | None = None,
    *,
    objective: Objective | None = None,
    start: int | None = None,
) -> Game:
    """The game that a generator returns: normal play if it has no ``objective`` of its own.

    >>> make_game(Graph.from_edges([(0, 1)]), "none", start=0)
    Game(normal on Graph(2 positions, 1 move, 1 terminal), start 0)
    """
    return as_game(with_owners(graph, owners, seed, turn), objective, start)


def check_range(
    low_name: str, low: object, high_name: str, high: object, least: int, most: int
) -> tuple[int, int]:
    """Two integers in order, both within bounds.

    >>> check_range("out_low", 3, "out_high", 2, 1, 9)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: out_high: expected at least out_low = 3, got 2
    """
    a, b = check_integer(low_name, low, least, most), check_integer(high_name, high, least, most)
    if a > b:
        raise InvalidOptionError(f"{high_name}: expected at least {low_name} = {a:,}, got {b:,}")
    return a, b
