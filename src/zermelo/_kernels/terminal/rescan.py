"""The naive ways to a least fixpoint: look at all moves of a situation again and again."""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.situations import UNKNOWN, Rules, Values, seen_level
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array


class Goals(NamedTuple):
    """The levels that are decided in one phase, as each player sees them; −1 for none."""

    good: Int32Array
    """By the player to move: the level that he can force."""
    bad: Int32Array
    """By the player to move: the level that he is forced to accept."""


class Decided(NamedTuple):
    """The situations that are decided."""

    settled: Int8Array
    """1 if the rules may use it."""
    queue: Int32Array
    """Situations that were decided, in this order."""


# Slots of the ``state`` array: the situations that were looked at, and their moves.
SCANS, LOOKS, HEAD, TAIL = 0, 1, 2, 3
STATE_SIZE = 4


@part
def judge(
    successors: Moves,
    rules: Rules,
    level: Int32Array,
    goals: Goals,
    settled: Int8Array,
    state: Int64Array,
    s: int,
) -> int:
    """The level that the rules give to s now, UNKNOWN if they give none."""
    indptr, indices = successors
    good, bad = goals.good[rules.mover[s]], goals.bad[rules.mover[s]]
    found = bad
    state[SCANS] += 1
    for k in range(indptr[s], indptr[s + 1]):
        state[LOOKS] += 1
        t = indices[k]
        if settled[t] == 0:
            found = UNKNOWN
            continue
        x = seen_level(rules, level, s, t)
        if x == good:
            found = good
            break
        if x > bad:
            found = UNKNOWN
    answer: int = found
    return answer


@kernel
def rescan_all(
    successors: Moves,
    rules: Rules,
    values: Values,
    goals: Goals,
    decided: Decided,
    state: Int64Array,
    time: int,
) -> int:
    """One pass over all situations, an application of Φ; returns how many it decides.

    They get the distance ``time``. The rules use what earlier passes have decided.
    """
    level, distance = values
    settled, queue = decided
    count = 0
    for s in range(len(level)):
        if level[s] != UNKNOWN:
            continue
        x = judge(successors, rules, level, goals, settled, state, s)
        if x != UNKNOWN:
            level[s], distance[s] = x, time
            queue[count] = s
            count += 1
    for i in range(count):
        settled[queue[i]] = 1
    return count


@kernel
def rescan_predecessors(
    successors: Moves,
    predecessors: Moves,
    rules: Rules,
    values: Values,
    goals: Goals,
    decided: Decided,
    state: Int64Array,
    budget: int,
) -> bool:
    """Look at the predecessors of every situation in the queue; True when the queue is used up.

    At first ``queue[HEAD:TAIL]`` has the ends of this phase. All situations come into it in the
    order of their distances.
    """
    rev_indptr, rev_indices = predecessors
    level, distance = values
    settled, queue = decided
    head, tail = state[HEAD], state[TAIL]
    stop = state[LOOKS] + budget
    # Invariant: settled are the situations of earlier phases and those of queue[:head]; a situation
    # that is not decided has been looked at since its last successor was settled.
    while head < tail and state[LOOKS] < stop:
        t = queue[head]
        head += 1
        settled[t] = 1
        for k in range(rev_indptr[t], rev_indptr[t + 1]):
            s = rev_indices[k]
            if level[s] != UNKNOWN:
                continue
            x = judge(successors, rules, level, goals, settled, state, s)
            if x != UNKNOWN:
                level[s], distance[s] = x, distance[t] + 1
                queue[tail] = s
                tail += 1
    state[HEAD], state[TAIL] = head, tail
    ended: bool = head == tail
    return ended
