"""One backward wave in each strong component, seeded by the components that it leads to."""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative.weighted import Agenda, pop_least, push_or_lower
from zermelo._kernels.terminal.situations import (
    UNKNOWN,
    Rules,
    Values,
    evaluate,
    infinite_level,
    seen_level,
)
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int32Array, Int64Array


class Partition(NamedTuple):
    """The strong components, each after those that its moves lead to."""

    order: Int32Array
    """All situations, component by component."""
    mark: Int32Array
    """The same number for all situations of a component."""


class Exits(NamedTuple):
    """For each move that leads out of its component: what it brings, and when."""

    phase: Int64Array
    distance: Int64Array
    source: Int32Array


# Slots of the ``state`` array: the place in ``order``, and the number of components, of waves, of
# exits, and of situations in the largest component.
PLACE, COMPONENTS, WAVES, EXITS, LARGEST = 0, 1, 2, 3, 4
STATE_SIZE = 5


@part
def phase_of(rules: Rules, s: int, x: int) -> int:
    """The phase that decides the level x, seen from s: extreme levels first, infinite play last."""
    top, infinite = rules.top, rules.infinite
    y = x if rules.mover[s] == 0 else top - x
    if rules.mirrored:
        phase = min(y, top - y)
    elif y > infinite:
        phase = top - y
    elif y < infinite:
        phase = top - infinite + y
    else:
        phase = top + 1
    return phase


@part
def arrive(
    rules: Rules, values: Values, left: Int32Array, queue: Int32Array, s: int, t: int, tail: int
) -> int:
    """Tell s that its successor t is decided; returns the end of the queue."""
    level, distance = values
    if level[s] == UNKNOWN:
        x = seen_level(rules, level, s, t)
        bad = x < infinite_level(rules, s)
        if bad:
            left[s] -= 1
        if not bad or left[s] == 0:
            level[s], distance[s] = x, distance[t] + 1
            queue[tail] = s
            tail += 1
    return tail


@part
def has_loop(successors: Moves, s: int) -> bool:
    """Whether there is a move from s to s."""
    found = False
    for k in range(successors.indptr[s], successors.indptr[s + 1]):
        found = found or successors.indices[k] == s
    return found


@kernel
def component_waves(
    successors: Moves,
    predecessors: Moves,
    rules: Rules,
    values: Values,
    partition: Partition,
    exits: Exits,
    agenda: Agenda,
    left: Int32Array,
    state: Int64Array,
    budget: int,
) -> bool:
    """Decide the components one after the other; True when all are decided.

    Situations where play ends are decided at first. ``exits`` and the heap of ``agenda`` have an
    entry for each move; ``agenda.place`` is −1 at first.
    """
    indptr, indices = successors
    rev_indptr, rev_indices = predecessors
    level, distance = values
    order, mark = partition
    queue = agenda.queue
    at, done = state[PLACE], 0
    while at < len(order) and done < budget:
        stop = at + 1
        while stop < len(order) and mark[order[stop]] == mark[order[at]]:
            stop += 1
        state[COMPONENTS] += 1
        state[LARGEST] = max(state[LARGEST], stop - at)
        first = order[at]
        if stop == at + 1 and not has_loop(successors, first):
            if level[first] == UNKNOWN:
                evaluate(successors, rules, values, first)
            done += indptr[first + 1] - indptr[first] + 1
            at = stop
            continue
        state[WAVES] += 1
        waiting = 0
        for i in range(at, stop):
            s = order[i]
            left[s] = indptr[s + 1] - indptr[s]
            done += left[s] + 1
            for k in range(indptr[s], indptr[s + 1]):
                t = indices[k]
                if mark[t] != mark[s] and distance[t] >= 0:
                    exits.phase[k] = phase_of(rules, s, seen_level(rules, level, s, t))
                    exits.distance[k] = distance[t]
                    exits.source[k] = s
                    waiting = push_or_lower(agenda, exits.phase, exits.distance, k, waiting)
        state[EXITS] += waiting
        head, tail, phase = 0, 0, 0
        # Invariant: queue[head:tail] are decided situations of this phase by increasing distance;
        # the heap has the exits that are not yet used, and none is earlier in (phase, distance)
        # than what has been processed. left[s] counts the successors that are not known to be bad.
        while waiting > 0 or head < tail:
            take = head == tail
            if waiting > 0 and head < tail:
                k = agenda.heap[0]
                near = exits.distance[k] <= distance[queue[head]]
                take = exits.phase[k] < phase or (exits.phase[k] == phase and near)
            if take:
                k = pop_least(agenda, exits.phase, exits.distance, waiting)
                waiting -= 1
                phase = exits.phase[k]
                tail = arrive(rules, values, left, queue, exits.source[k], indices[k], tail)
            else:
                t = queue[head]
                head += 1
                for k in range(rev_indptr[t], rev_indptr[t + 1]):
                    s = rev_indices[k]
                    if mark[s] == mark[t]:
                        tail = arrive(rules, values, left, queue, s, t, tail)
        for i in range(at, stop):
            s = order[i]
            if level[s] == UNKNOWN:
                level[s], distance[s] = infinite_level(rules, s), -1
        at = stop
    state[PLACE] = at
    ended: bool = at == len(order)
    return ended
