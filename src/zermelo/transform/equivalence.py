"""Equivalent and anti-equivalent games, after [Loewe2004] §3.1.

**Whose value?** Löwe's val(G) is W if *player 0* has a winning strategy, no matter who starts. Only
with this definition are S and S̄ anti-equivalent (Prop. 3.1). His bilabelling, and so Prop. 3.8 and
every label of this library, gives the value for the *starter*. Here ``view="player0"`` (the
default) means the first definition and ``view="starter"`` the second, under which S and S̄ are
equivalent. Prop. 3.2 holds under both.

The inverted games S̄ and Ā are ``starter=1``. Values are exact. For general payoffs, two games are
equivalent if their values are equal, and anti-equivalent if one value is the negative of the other.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import flag, one_of, shown
from zermelo.errors import InvalidGraphError, InvalidObjectiveError, InvalidOptionError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray
from zermelo.objectives import NormalPlay, Objective
from zermelo.objectives.terminal_form import Number, form_on
from zermelo.registry import choose_solver
from zermelo.solutions.base import Solution
from zermelo.transform.carry import carry
from zermelo.transform.epimorphism import MappingLike, as_array
from zermelo.transform.reachable import reachable_mask, subgraph

Pointed = tuple[Graph, Hashable]
"""A graph and its start, Löwe's ⟨G, s⟩."""


def pointed_value(
    pointed: Pointed,
    objective: Objective | None = None,
    *,
    starter: int = 0,
    view: str = "player0",
) -> Number:
    """The value of the game on ⟨G, s⟩; only the part reachable from s is solved.

    ``starter`` is the player who moves first. In an owned graph the owner decides who moves, and
    ``starter`` must be 0. ``view`` is ``"player0"`` or ``"starter"``.

    >>> g = Graph.from_edges([("s", "t")])
    >>> pointed_value((g, "s")), pointed_value((g, "s"), starter=1)
    (1, -1)
    >>> pointed_value((g, "s"), starter=1, view="starter")
    1
    """
    objective = _check(objective, starter, view)
    if not isinstance(pointed, tuple) or len(pointed) != 2:
        raise InvalidGraphError(f"expected a pair (graph, start), got {shown(pointed)}")
    graph, start = as_graph(pointed[0]), pointed[1]
    kept = reachable_mask(graph, [start])
    s = int(np.count_nonzero(kept[: graph.index(start)]))
    part = subgraph(graph, kept)
    form = form_on(objective, graph)
    here = carry(objective, form, part, np.flatnonzero(kept))
    value: Number = _values(_solved(part, here), starter, view)[s]
    return value


def equivalent(
    first: Pointed,
    second: Pointed,
    objective: Objective | None = None,
    other: Objective | None = None,
    starter: int = 0,
    other_starter: int = 0,
    *,
    view: str = "player0",
) -> bool:
    """Whether two pointed games have the same value.

    ``objective`` (by default normal play) is played on ``first``, and ``other`` (by default the
    same) on ``second``. The module explains ``starter`` and ``view``.

    >>> from zermelo import Asymmetric
    >>> g, h = Graph.from_edges([("s", "t")]), Graph.from_edges([(0, 1), (0, 2)])
    >>> equivalent((g, "s"), (h, 0)), equivalent((g, "s"), (h, 0), Asymmetric())
    (True, True)
    >>> equivalent((g, "t"), (h, 1), NormalPlay(), Asymmetric())
    False
    """
    one = pointed_value(first, objective, starter=starter, view=view)
    return one == pointed_value(
        second, objective if other is None else other, starter=other_starter, view=view
    )


def anti_equivalent(
    first: Pointed,
    second: Pointed,
    objective: Objective | None = None,
    other: Objective | None = None,
    starter: int = 0,
    other_starter: int = 0,
    *,
    view: str = "player0",
) -> bool:
    """Whether one pointed game has the negative value of the other; see :func:`equivalent`.

    >>> g = Graph.from_edges([("s", "t")])
    >>> anti_equivalent((g, "s"), (g, "s"), other_starter=1)  # S and S̄, Prop. 3.1
    True
    """
    one = pointed_value(first, objective, starter=starter, view=view)
    return one == -pointed_value(
        second, objective if other is None else other, starter=other_starter, view=view
    )


@dataclass(frozen=True)
class EquivalenceReport:
    """Whether a map is an equivalence; the report converts to a Boolean.

    ``counterexample`` is the first position whose value differs, with its image, and ``values``
    are their values; both are None if the map is an equivalence.
    """

    counterexample: tuple[Hashable, Hashable] | None
    values: tuple[Number, Number] | None
    anti: bool = False

    def __post_init__(self) -> None:
        for name in ("counterexample", "values"):
            pair = getattr(self, name)
            if pair is not None and (not isinstance(pair, tuple) or len(pair) != 2):
                raise InvalidOptionError(f"{name}: expected a pair or None, got {shown(pair)}")
        flag(self.anti, "anti")

    def __bool__(self) -> bool:
        return self.counterexample is None

    def __str__(self) -> str:
        kind = "anti-equivalence" if self.anti else "equivalence"
        if self.counterexample is None or self.values is None:
            return f"an {kind}"
        (v, w), (x, y) = self.counterexample, self.values
        return f"no {kind}: {v!r} is worth {x}, its image {w!r} {y}"


def is_equivalence(
    g: Graph,
    h: Graph,
    mapping: MappingLike,
    objective: Objective | None = None,
    other: Objective | None = None,
    starter: int = 0,
    other_starter: int = 0,
    *,
    anti: bool = False,
    view: str = "player0",
) -> EquivalenceReport:
    """Whether a map from ``g`` to ``h`` is an equivalence: v and its image have equal values.

    ``mapping`` is an array by number, or a mapping or a function from names to names. With
    ``anti``, one value must be the negative of the other. See :func:`equivalent` for the rest.

    >>> g = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> print(is_equivalence(g, g, lambda v: v, other_starter=1, anti=True))
    an anti-equivalence
    >>> print(is_equivalence(g, g, lambda v: "c"))
    no equivalence: 'b' is worth 1, its image 'c' -1
    """
    flag(anti, "anti")
    objective = _check(objective, starter, view)
    other = objective if other is None else _check(other, other_starter, view)
    _check(other, other_starter, view)
    z = as_array(g, h, mapping)
    one = _values(_solved(g, objective), starter, view)
    two = _values(_solved(h, other), other_starter, view)[z]
    wrong = np.flatnonzero(one != (-two if anti else two))
    if wrong.size == 0:
        return EquivalenceReport(None, None, anti)
    v = int(wrong[0])
    return EquivalenceReport((g.name(v), h.name(int(z[v]))), (one[v], two[v]), anti)


# -------------------------------------------------------------------- helpers


def _check(objective: Objective | None, starter: int, view: str) -> Objective:
    one_of(starter, "starter", (0, 1), InvalidOptionError)
    one_of(view, "view", ("player0", "starter"), InvalidOptionError)
    if objective is None:
        return NormalPlay()
    if not isinstance(objective, Objective):
        raise InvalidObjectiveError(f"expected an objective, got {shown(objective)}")
    if objective.family != "terminal":
        raise InvalidObjectiveError(
            f"expected a terminal-payoff game, got {type(objective).__name__}"
        )
    return objective


def _solved(graph: Graph, objective: Objective) -> Solution:
    solution: Solution = choose_solver(objective).load()(as_graph(graph), objective)
    return solution


def _values(solution: Solution, starter: int, view: str) -> AnyArray:
    """Exact values of all positions, as Python numbers, in the chosen view."""
    if solution.graph.owner is not None:
        if starter:
            raise InvalidOptionError("starter: expected 0, because the graph has owners")
        flip, level = solution.graph.owner == 1, solution.level
        if view == "player0":
            flip = np.zeros_like(flip)
    elif solution.mirrored:
        level = solution.level
        flip = np.full(level.size, starter == 1 and view == "player0")
    else:
        level = solution.level[:, starter]
        flip = np.full(level.size, starter == 1 and view == "starter")
    table = np.empty(len(solution.levels), object)
    table[:] = solution.levels
    values = table[level]
    return np.where(flip, -values, values)
