"""The checker of energy and mean-payoff games: NumPy and plain Python, no code of the solvers.

The weights are read again from the objective and the graph; everything in the solution is a claim.
Situations are positions, or pairs of a position and the player to move. Sums are exact: where they
might exceed 64 bits, Python's integers are used. The time is linear in the number of moves.

**Energy.** Let ``w`` be the weight of a move u → v; for a mean-payoff game with the threshold p/q,
let it be q w − p. A situation is *won* if it has a credit, otherwise *lost*.

1. *The credits suffice.* From a won u, the strategy of player 0 and every move of player 1 lead to
   a won v with credit(u) + w ≥ credit(v); player 0 has a move. So credits never become negative.
2. *No smaller credit suffices.* Let u be won with credit(u) > 0. The strategy of player 1 and every
   move of player 0 lead to a lost v, or to one with credit(v) − w > credit(u), or to one with
   credit(v) − w = credit(u) and either credit(v) = 0 or rank(v) < rank(u). Whoever begins with less
   than the credit always has less than the credit; what is missing grows in the second case and
   does not shrink in the third, whose ranks fall. So it ends below 0.
3. *No credit suffices.* From a lost u, the strategy of player 1 and every move of player 0 lead to
   a lost v with stage(v) < stage(u), or with the same stage and potential(v) − w > potential(u), or
   with equality and rank(v) < rank(u). In the long run the stage is constant. Then around each
   cycle the sum of the weights is negative, as ranks cannot fall all the way round.

By 1 and 3 the winner is right everywhere. In a game with a threshold, 1 says that the mean is at
least p/q in the long run, and 3 that it is less.

**With a capacity** player 1 may need memory, and there is no certificate of this kind. The proof is
a sequence of solved energy games without a capacity, each of which is checked by 1 to 3; they are
found when they are asked for. Condition 1 is checked for the strategy, and moreover:

4. *Losses.* In the first game nothing is changed. In each other game player 0 is stuck where the
   game before has no credit, or one that is greater than the capacity; and from where player 1 can
   force the token there, while player 0 makes only moves for which the capacity would be enough by
   the credits of the game before. Needs with a capacity are at least as great as without, so no
   charge suffices there, by induction over the games.
5. *The last game* has no credit that is greater than the capacity, and its credits are those of the
   solution. Player 0 never needs more than the capacity in it, so what a battery cannot take is
   never missing, and the credits suffice; by 4 no smaller ones do.

**Mean payoff.** Situation u has the value p/q, where ±1/0 is ±∞.

6. *At least the value.* Where the value is finite, the strategy of player 0 and every move of
   player 1 lead to a v with a larger value, or with the same value and
   lower(u) + q w − p ≥ lower(v). Values can rise only finitely often; then the mean is at least
   p/q. Where it is +∞, they lead to such a v with lower(v) < lower(u), so player 1 gets stuck.
7. *At most the value.* The same for player 1: a smaller value, or upper(u) − (q w − p) ≥ upper(v);
   where it is −∞, upper(v) < upper(u).
"""

from fractions import Fraction

import numpy as np

from zermelo._inputs.belonging import check_belongs
from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_CREDIT, AnyArray, BoolArray
from zermelo.objectives import Energy, MeanPayoff
from zermelo.solutions.quantitative import (
    EnergySolution,
    MeanPayoffSolution,
    QuantitativeSolution,
)
from zermelo.verify.common.weighted import Claim, every, exact, read_claim


def check_energy(solution: QuantitativeSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> right = zm.solve(g, zm.Energy({("a", "b"): -3, ("b", "a"): 9}))
    >>> check_energy(right)
    >>> check_energy(dataclasses.replace(right, credit=np.array([4, 0])))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 0 to move: expected that less than the \
credit does not suffice, the solution claims otherwise; see the move to 'b'
    """
    claim = read_claim(solution, EnergySolution)
    objective = solution.objective
    weight = claim.weight
    if isinstance(objective, MeanPayoff):
        if not isinstance(objective.threshold, Fraction):
            raise CertificateError("objective: expected a threshold, got none")
        p, q = objective.threshold.numerator, objective.threshold.denominator
        bound = max(abs(p), q) * (1 + int(np.abs(weight).max(initial=0)))
        weight = q * (weight.astype(object) if bound >= 2**60 else weight) - p
    won = claim.flat("credit") != NO_CREDIT
    _check_energy_entries(claim, won)
    credit, rank, potential, stage, weight = exact(
        *(claim.flat(name) for name in ("credit", "rank", "potential", "stage")), weight
    )
    u, v = claim.source, claim.target
    led = every(claim, 0, won)
    claim.need_moves(~led | won[v], "that no move leads to where no credit suffices")
    claim.need_moves(~led | (credit[u] + weight >= credit[v]), "that the credit suffices")
    capacity = objective.capacity if isinstance(objective, Energy) else None
    if capacity is not None:
        assert isinstance(solution, EnergySolution)
        _check_capacity(claim, solution, claim.flat("credit"), capacity)
        return
    led = every(claim, 1, won & (credit > 0))
    missing = credit[v] - weight - credit[u]
    falls = (credit[v] == 0) | (rank[v] < rank[u])
    enough = ~won[v] | (missing > 0) | ((missing == 0) & falls)
    claim.need_moves(~led | enough, "that less than the credit does not suffice")
    led = every(claim, 1, ~won)
    claim.need_moves(~led | ~won[v], "that no move leads to where a credit suffices")
    loss = potential[v] - weight - potential[u]
    same = (stage[v] == stage[u]) & ((loss > 0) | ((loss == 0) & (rank[v] < rank[u])))
    claim.need_moves(
        ~led | (stage[v] < stage[u]) | same, "that every cycle that player 1 allows costs something"
    )


def _check_energy_entries(claim: Claim, won: BoolArray) -> None:
    """Everything that does not need the weights."""
    objective = claim.solution.objective
    credit, stage = claim.flat("credit"), claim.flat("stage")
    owner, moves = claim.owner, claim.moves
    claim.need_array("credit", credit >= NO_CREDIT, "from 0 on, or NO_CREDIT")
    claim.need(claim.level == np.where(won, 2, 0), "that player 0 wins exactly with a credit")
    claim.need(moves | (won == (owner == 1)), "that whoever is stuck has lost")
    claim.need_array("credit", moves | (credit <= 0), "0, because player 1 is stuck")
    claim.need_array("potential", ~won | (claim.flat("potential") == 0), "0")
    idle = won & (credit == 0)
    claim.need_array("rank", ~idle | (claim.flat("rank") == 0), "0")
    if isinstance(objective, Energy) and objective.capacity is not None:
        for name in ("rank", "potential", "stage"):
            claim.need_array(name, claim.flat(name) == 0, "0")
        claim.need_array("credit", credit <= objective.capacity, "up to the capacity")
        claim.choices(won & (owner == 0))
        return
    claim.need_array("stage", (stage > 0) == ~won, "0 exactly where a credit suffices")
    claim.need_array("stage", stage >= 0, "from 0 on")
    claim.choices(np.where(owner == 0, won, moves & (~won | (credit > 0))))


def _check_capacity(
    claim: Claim, solution: EnergySolution, credit: AnyArray, capacity: int
) -> None:
    """Conditions 4 and 5."""
    lost = np.zeros(claim.n, bool)
    order = np.lexsort((claim.target, claim.source))
    while True:
        kept = order[~lost[claim.source[order]]]
        indptr = np.zeros(claim.n + 1, np.int64)
        np.cumsum(np.bincount(claim.source[kept], minlength=claim.n), out=indptr[1:])
        owner = np.where(lost, 0, claim.owner).astype(np.int8)
        graph = Graph.from_csr(indptr, claim.target[kept], owner=owner)
        game = Energy(claim.weight[kept])
        found = solution.proof(graph, game)
        check_belongs("the game without a capacity", found, graph=graph, objective=game)
        check_energy(found)
        if (found.credit <= capacity).all():
            break
        lost = _losses(claim, found.credit, capacity)
    wrong = found.credit != credit
    if wrong.any():
        s = int(np.argmax(wrong))
        claim.refuse(s, f"credit {found.credit[s]}", f"{credit[s]}")


def _losses(claim: Claim, credit: AnyArray, capacity: int) -> BoolArray:
    """Condition 4: where no charge suffices if at least these credits are needed."""
    lost: BoolArray = (credit > capacity) | (credit == NO_CREDIT)
    order = np.argsort(claim.target, kind="stable")
    before, after = claim.source[order], claim.target[order]
    forced, fits = claim.owner[before] == 1, credit[after] - claim.weight[order] <= capacity
    left = np.bincount(before[fits], minlength=claim.n).tolist()
    first = np.searchsorted(after, np.arange(claim.n + 1)).tolist()
    waiting = np.flatnonzero(lost).tolist()
    # Invariant: for a situation s of player 0 that is not lost, left[s] counts the moves for which
    # the capacity is enough, without those to lost situations that have left ``waiting``.
    while waiting:
        t = waiting.pop()
        for k in range(first[t], first[t + 1]):
            s = int(before[k])
            if lost[s] or not (forced[k] or fits[k]):
                continue
            left[s] -= 1
            if forced[k] or left[s] == 0:
                lost[s] = True
                waiting.append(s)
    return lost


# -------------------------------------------------------------------- mean payoff


def check_mean_payoff(solution: QuantitativeSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> right = zm.solve(g, zm.MeanPayoff({("a", "b"): -3, ("b", "a"): 4}))
    >>> check_mean_payoff(right)
    >>> check_mean_payoff(dataclasses.replace(right, numerator=right.numerator + 2))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 0 to move: expected that player 0 gets \
at least the value, the solution claims otherwise; see the move to 'b'
    """
    objective = solution.objective
    if isinstance(objective, MeanPayoff) and objective.threshold is not None:
        check_energy(solution)
        return
    claim = read_claim(solution, MeanPayoffSolution)
    p, q = claim.flat("numerator"), claim.flat("denominator")
    check_fractions(claim)
    owner, moves = claim.owner, claim.moves
    claim.need(claim.level == np.sign(p) + 1, "that the sign of the value decides who wins")
    finite = q > 0
    claim.need(moves | (~finite & ((p > 0) == (owner == 1))), "that whoever is stuck has lost")
    claim.choices(moves & (finite | ((p > 0) == (owner == 0))))
    for player, name in ((0, "lower"), (1, "upper")):
        sign = 1 - 2 * player
        better = ~finite & (p == sign)
        worse = ~finite & (p == -sign)
        claim.need_array(name, ~worse | (claim.flat(name) == 0), "0")
        _check_bound(claim, player, name, better)


def check_fractions(claim: Claim) -> None:
    """Check that values are fractions in lowest terms, or ±1 over 0."""
    p, q = claim.flat("numerator"), claim.flat("denominator")
    claim.need_array("denominator", q >= 0, "from 0 on")
    claim.need_array("numerator", (p != -(2**63)), "above -2**63")
    claim.need(np.gcd(p, q) == 1, "a value in lowest terms, or ±1 over 0")


def _check_bound(claim: Claim, player: int, name: str, better: BoolArray) -> None:
    """Conditions 6 and 7: that a player gets at least (or at most) the value."""
    u, v = claim.source, claim.target
    p, q, weight = claim.flat("numerator"), claim.flat("denominator"), claim.weight
    bounds = [int(np.abs(a).max(initial=0)) for a in (p, q, weight)]
    if max(bounds[0], bounds[1] * max(1, bounds[2])) * max(1, bounds[1]) >= 2**60:
        p, q, weight = p.astype(object), q.astype(object), weight.astype(object)
    sign = 1 - 2 * player
    potential, gain = exact(claim.flat(name), sign * (q[u] * weight - p[u]))
    led = every(claim, player, np.ones(claim.n, bool))
    worst = (q == 0) & (p == -sign)
    led &= ~worst[u]
    # p/q of v minus that of u, times both denominators; with a denominator 0, the sign is right.
    difference = sign * (p[v] * q[u] - p[u] * q[v])
    above = np.where(better[u], False, np.where(better[v], True, difference > 0)).astype(bool)
    same = (p[v] == p[u]) & (q[v] == q[u])
    enough = np.where(better[u], potential[v] < potential[u], potential[u] + gain >= potential[v])
    least = "at least" if player == 0 else "at most"
    whom = "gets" if player == 0 else "concedes"
    claim.need_moves(
        ~led | above | (same & enough.astype(bool)),
        f"that player {player} {whom} {least} the value",
    )
