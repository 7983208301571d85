"""Policy iteration for discounted games, in floating point.

It ends at strategies which no switch improves by more than errors of rounding; exact numbers decide
about the rest (:mod:`zermelo.solvers.quantitative.discounted`).
"""

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative.mean_payoff_guess import DONE, FRESH, OPEN, Policy
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int64Array


@kernel
def evaluate_discounted(moves: Moves, weight: Int64Array, policy: Policy, discount: float) -> None:
    """Fill ``policy.bias`` with the values of the plays that follow the strategies."""
    indices = moves.indices
    after, value = policy.after, policy.bias
    seen, path = policy.seen, policy.path
    n = len(after)
    for v in range(n):
        seen[v] = FRESH
    # Invariant: the values of positions that are done are right, and those that are open are the
    # path that is followed.
    for start in range(n):
        v, size = start, 0
        while seen[v] == FRESH:
            seen[v] = OPEN
            path[size] = v
            size += 1
            v = indices[after[v]]
        if seen[v] == OPEN:  # a new cycle, through v
            first = size - 1
            while path[first] != v:
                first -= 1
            total, power = 0.0, 1.0
            for i in range(size - 1, first - 1, -1):
                total = weight[after[path[i]]] + discount * total
                power *= discount
            value[v] = total / (1.0 - power)
            seen[v] = DONE
        while size > 0:
            size -= 1
            u = path[size]
            if seen[u] != DONE:
                value[u] = weight[after[u]] + discount * value[indices[after[u]]]
                seen[u] = DONE


@part
def switch_discounted(
    moves: Moves,
    owner: Int8Array,
    weight: Int64Array,
    policy: Policy,
    discount: float,
    player: int,
    least: float,
) -> int:
    """Switch the moves of a player that gain more than ``least``; returns how many."""
    indptr, indices = moves.indptr, moves.indices
    after, value = policy.after, policy.bias
    sign = 1.0 if player == 0 else -1.0
    count = 0
    for u in range(len(after)):
        if owner[u] != player:
            continue
        chosen, best = after[u], sign * value[u] + least
        for k in range(indptr[u], indptr[u + 1]):
            x = sign * (weight[k] + discount * value[indices[k]])
            if x > best:
                best = x
                chosen = k
        if chosen != after[u]:
            after[u] = chosen
            count += 1
    return count


@kernel
def improve_discounted(
    moves: Moves,
    owner: Int8Array,
    weight: Int64Array,
    policy: Policy,
    discount: float,
    least: float,
    rounds: int,
) -> bool:
    """Improve strategies for so many rounds; whether no switch is left.

    Player 1 makes switches that gain more than ``least``. Then his answer is worse than the best
    one by at most ``least`` / (1 − discount), and player 0 makes switches that gain more than twice
    that, so that they are gains against the best answer, too.
    """
    most = least * (1.0 + 2.0 / (1.0 - discount))
    # Invariant: player 1 answers the strategy of player 0 better in every round, until he has no
    # switch; then player 0 has a better one, or both have the best ones, up to errors of rounding.
    for _ in range(rounds):
        evaluate_discounted(moves, weight, policy, discount)
        if switch_discounted(moves, owner, weight, policy, discount, 1, least) > 0:
            continue
        if switch_discounted(moves, owner, weight, policy, discount, 0, most) == 0:
            return True
    return False
