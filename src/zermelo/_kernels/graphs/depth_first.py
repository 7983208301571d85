"""Depth-first search with a table of results, without recursion."""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.situations import UNKNOWN, Rules, Values, evaluate
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array

OPEN = -2
"""The level of a situation that is on the stack."""
FINISHED, RUNNING = -1, -2


class Calls(NamedTuple):
    """The calls that have not returned; there is room for all situations."""

    situation: Int32Array
    at: Int64Array
    """The move that each call comes to next."""


# Slots of the ``state`` array: the situation that is called next from outside, the number of calls
# on the stack, the largest such number, the situations decided, and how often a result was known.
ROOT, DEPTH, DEEPEST, DECIDED, REMEMBERED = 0, 1, 2, 3, 4
STATE_SIZE = 5


@kernel
def depth_first(
    successors: Moves, rules: Rules, values: Values, calls: Calls, state: Int64Array, budget: int
) -> int:
    """Decide every situation after its successors.

    Returns FINISHED, RUNNING when ``budget`` moves were looked at, or a situation that play can
    come back to.
    """
    indptr, indices = successors
    level = values.level
    situation, at = calls
    size = len(level)
    root, depth, deepest = state[ROOT], state[DEPTH], state[DEEPEST]
    decided, remembered = state[DECIDED], state[REMEMBERED]
    outcome = RUNNING
    done = 0
    # Invariant: situation[:depth] is a path of moves, and its situations are OPEN; all situations
    # that at[:depth] has passed are decided.
    while done < budget and outcome == RUNNING:
        child = -1
        if depth == 0:
            while root < size and level[root] != UNKNOWN:
                root += 1
            if root == size:
                outcome = FINISHED
            else:
                child = root
        else:
            s = situation[depth - 1]
            k = at[depth - 1]
            if k < indptr[s + 1]:
                at[depth - 1] = k + 1
                done += 1
                t = indices[k]
                if level[t] == OPEN:
                    outcome = t
                elif level[t] == UNKNOWN:
                    child = t
                else:
                    remembered += 1
            else:
                evaluate(successors, rules, values, s)
                decided += 1
                depth -= 1
        if child >= 0:
            level[child] = OPEN
            situation[depth], at[depth] = child, indptr[child]
            depth += 1
            deepest = max(deepest, depth)
    state[ROOT], state[DEPTH], state[DEEPEST] = root, depth, deepest
    state[DECIDED], state[REMEMBERED] = decided, remembered
    return outcome
