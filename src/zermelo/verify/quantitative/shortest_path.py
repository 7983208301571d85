"""The checker of shortest-path games: NumPy and plain Python, no code of the solvers.

Let player 1 be the one who wants to reach a target; otherwise owners and signs are exchanged first.
A move u → v costs ``w``. Play ends at targets. This is checked for every situation u that is not a
target, in linear time with exact integers:

1. *+∞.* The strategy of player 0 and every move of player 1 lead to a v of value +∞, where there
   is no target; player 0 has a move. So no target is reached.
2. *Reach.* Elsewhere, one move of player 1, and every move of player 0, lead to a v with
   reach(v) < reach(u), where reach ≥ 0. So player 1 can reach a target from there at a cost that is
   bounded, or player 0 is stuck.
3. *−∞.* The strategy of player 1 and every move of player 0 lead to a v of value −∞ with
   stage(v) < stage(u), or with the same stage and potential(v) − w > potential(u), or with equality
   and rank(v) < rank(u). So cycles have negative sums, or player 0 gets stuck, which is lost for
   him; after enough of them player 1 goes to a target by 2.
4. *At least the value.* Where it is finite, the strategy of player 0 and every move of player 1
   have value(u) ≤ w + value(v). So a play to a target costs at least value(u).
5. *At most the value.* Where it is finite, the strategy of player 1 and every move of player 0 lead
   to a v of value −∞, or to one of finite value with value(u) > w + value(v), or with equality and
   rank(v) < rank(u). So player 1 comes to a target having paid at most value(u), or goes round
   cycles of negative sums; after enough of them he goes to a target by 2.
"""

import numpy as np

from zermelo.labels import AnyArray
from zermelo.objectives import ShortestPath
from zermelo.solutions.quantitative import QuantitativeSolution, ShortestPathSolution
from zermelo.verify.common.weighted import Claim, exact, read_claim
from zermelo.verify.quantitative.mean_payoff import check_fractions


def check_shortest_path(solution: QuantitativeSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "t"), ("a", "a")], owner={"a": 1, "t": 0})
    >>> right = zm.solve(g, zm.ShortestPath({("a", "t"): 3, ("a", "a"): 1}, ["t"]))
    >>> check_shortest_path(right)
    >>> check_shortest_path(dataclasses.replace(right, numerator=right.numerator * 2))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 1 to move: expected a cost of at least \
the value, the solution claims otherwise; see the move to 't'
    """
    claim = read_claim(solution, ShortestPathSolution)
    objective = solution.objective
    assert isinstance(objective, ShortestPath)
    check_fractions(claim)
    sign = 1 if objective.player == 1 else -1
    owner = claim.owner if sign == 1 else 1 - claim.owner
    mask = claim.graph.mask(objective.targets)
    target = mask if claim.graph.owner is not None else np.repeat(mask, 2)
    numerator, denominator = sign * claim.flat("numerator"), claim.flat("denominator")
    claim.need(denominator <= 1, "an integer, or ±1 over 0")
    never = (denominator == 0) & (numerator > 0)
    endless = (denominator == 0) & (numerator < 0)
    finite = denominator == 1
    claim.need(claim.level == np.where(never, 1 + sign, 1 - sign), "that who can reach wins")
    claim.need(~target | (finite & (numerator == 0)), "the value 0, because it is a target")
    stuck = ~claim.moves & ~target
    claim.need(~stuck | np.where(owner == 1, never, endless), "that whoever is stuck has lost")
    moving = claim.moves & ~target
    claim.choices(moving & (finite | np.where(owner == 0, never, endless)))
    for name, where in (
        ("rank", never | target), ("potential", ~endless), ("stage", ~endless),
        ("reach", target | (stuck & (owner == 0))),
    ):  # fmt: skip
        claim.need_array(name, ~where | (claim.flat(name) == 0), "0")
    claim.need_array("reach", ~never | (claim.flat("reach") == -1), "-1")
    claim.need_array("reach", never | (claim.flat("reach") >= 0), "from 0 on")
    _check_moves(claim, owner, sign, target, numerator)


def _check_moves(
    claim: Claim, owner: AnyArray, sign: int, target: AnyArray, numerator: AnyArray
) -> None:
    """Conditions 1 to 5, move by move."""
    u, v = claim.source, claim.target
    value, weight, rank, potential, stage, reach = exact(
        numerator, sign * claim.weight,
        *(claim.flat(name) for name in ("rank", "potential", "stage", "reach")),
    )  # fmt: skip
    denominator = claim.flat("denominator")
    finite = denominator == 1
    never, endless = ~finite & (numerator > 0), ~finite & (numerator < 0)
    play = ~target[u]
    zero = claim.chosen | (owner[u] == 1)  # what player 0 must reckon with, and player 1
    one = claim.chosen | (owner[u] == 0)
    claim.need_moves(
        ~(play & never[u] & zero) | never[v], "that play never comes to where a target is reached"
    )
    nearer = ~never[v] & (reach[v] < reach[u])
    claim.need_moves(~(play & ~never[u] & (owner[u] == 0)) | nearer, "that a target comes nearer")
    some = np.zeros(claim.n, bool)
    some[u[nearer]] = True
    settled = never | target | (owner == 0)
    claim.need(settled | some, "a move by which a target comes nearer", "none")
    loss = potential[v] - weight - potential[u]
    falls = (stage[v] < stage[u]) | (
        (stage[v] == stage[u]) & ((loss > 0) | ((loss == 0) & (rank[v] < rank[u])))
    )
    claim.need_moves(
        ~(play & endless[u] & one) | (endless[v] & falls), "that every cycle has a negative sum"
    )
    rest = weight + value[v] - value[u]
    inside = play & finite[u]
    claim.need_moves(
        ~(inside & zero) | never[v] | (finite[v] & (rest >= 0)), "a cost of at least the value"
    )
    most = endless[v] | (finite[v] & ((rest < 0) | ((rest == 0) & (rank[v] < rank[u]))))
    claim.need_moves(~(inside & one) | most, "a cost of at most the value")
