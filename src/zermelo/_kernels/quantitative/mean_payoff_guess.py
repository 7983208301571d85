"""Value and policy iteration for mean-payoff games, in floating point: they only guess.

The strategies that they find are mostly optimal. Their cycles give thresholds, and energy games
with exact integers decide (:mod:`zermelo.solvers.quantitative.mean_payoff`).

Reference: [CochetTerrassonGaubert2006]. Notation, paper → code: η → ``gain``, the mean of the cycle
that play comes to; x → ``bias``, what play collects beyond the mean on the way there.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array

FRESH, OPEN, DONE = 0, 1, 2
"""What an evaluation knows of a position: nothing, that it is on the way, its gain and bias."""


class Policy(NamedTuple):
    """Strategies of both players, and what play collects if they are followed."""

    after: Int64Array
    """The index of the move of each position."""
    gain: AnyArray
    bias: AnyArray
    seen: Int8Array
    path: Int32Array


@kernel
def play_ahead(
    moves: Moves, owner: Int8Array, weight: Int64Array, policy: Policy, rounds: int
) -> None:
    """Fill the strategies that are best if play ends after so many more moves.

    Requires in ``policy.bias`` what player 0 gets if play ends at once, at first zeros; it becomes
    what she gets then. The gain is used as scratch.
    """
    indptr, indices = moves.indptr, moves.indices
    after, gain, bias = policy.after, policy.gain, policy.bias
    n = len(after)
    # Invariant: the bias of each position is the value of the game that ends after so many moves as
    # there were rounds.
    for _ in range(rounds):
        for u in range(n):
            after[u] = indptr[u]
            best = weight[indptr[u]] + bias[indices[indptr[u]]]
            for k in range(indptr[u] + 1, indptr[u + 1]):
                x = weight[k] + bias[indices[k]]
                if (owner[u] == 0 and x > best) or (owner[u] == 1 and x < best):
                    best = x
                    after[u] = k
            gain[u] = best
        for v in range(n):
            bias[v] = gain[v]


@part
def evaluate(moves: Moves, weight: Int64Array, policy: Policy) -> None:
    """Fill gain and bias; the bias is 0 at one position of each cycle."""
    indices = moves.indices
    after, gain, bias = policy.after, policy.gain, policy.bias
    seen, path = policy.seen, policy.path
    n = len(after)
    for v in range(n):
        seen[v] = FRESH
    for start in range(n):
        v, size = start, 0
        while seen[v] == FRESH:
            seen[v] = OPEN
            path[size] = v
            size += 1
            v = indices[after[v]]
        if seen[v] == OPEN:  # a new cycle, through v
            total, length = 0.0, 0
            w = v
            while length == 0 or w != v:
                total += weight[after[w]]
                length += 1
                w = indices[after[w]]
            gain[v], bias[v] = total / length, 0.0
            seen[v] = DONE
        while size > 0:
            size -= 1
            u = path[size]
            if seen[u] != DONE:
                w = indices[after[u]]
                gain[u] = gain[w]
                bias[u] = weight[after[u]] - gain[w] + bias[w]
                seen[u] = DONE


@part
def improve(
    moves: Moves, owner: Int8Array, weight: Int64Array, policy: Policy, player: int, least: float
) -> int:
    """Switch the moves of a player to better ones; returns how many. Smaller gains do not count."""
    indptr, indices = moves.indptr, moves.indices
    after, gain, bias = policy.after, policy.gain, policy.bias
    sign = 1.0 if player == 0 else -1.0
    count = 0
    for u in range(len(after)):
        if owner[u] != player:
            continue
        chosen = after[u]
        best_gain, best = sign * gain[u], sign * bias[u]
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            x = sign * gain[v]
            y = sign * (weight[k] - gain[v] + bias[v])
            slack = least * (1.0 + abs(best) + abs(y))
            if x > best_gain + least or (x > best_gain - least and y > best + slack):
                best_gain, best, chosen = x, y, k
        if chosen != after[u]:
            after[u] = chosen
            count += 1
    return count


@kernel
def guess(
    moves: Moves, owner: Int8Array, weight: Int64Array, policy: Policy, rounds: int, least: float
) -> int:
    """Improve the strategies until nothing changes, or for so many rounds; returns how many.

    Requires a move of each position in ``policy.after``. Player 1 answers every strategy of player
    0 as well as possible. Switches that gain at most ``least`` are not made, as they may be errors
    of rounding.
    """
    left = rounds
    # Invariant: every switch of player 1 lowers what player 0 gets, up to errors of rounding; if he
    # has none, player 0 switches, which raises it.
    while left > 0:
        left -= 1
        evaluate(moves, weight, policy)
        if improve(moves, owner, weight, policy, 1, least) > 0:
            continue
        if improve(moves, owner, weight, policy, 0, least) == 0:
            break
    return rounds - left
