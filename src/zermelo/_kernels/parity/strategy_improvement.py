"""Strategy improvement on plays that player 0 may stop.

Player 0 may *stop* the play whenever it arrives at a position. A play that was stopped is worth the
multiset of the priorities seen; of two, the one with more of an even priority or fewer of an odd
one is better for player 0, where the highest priority in which they differ decides. A play that
ends in a cycle that is good for player 0 is worth more than all of these. Cycles that are good for
player 1 never close: player 0 only makes switches that are strictly better.

There are five numbers for each position, ``node[5 v + …]``:

| entry     | meaning                                                                           |
|-----------|-----------------------------------------------------------------------------------|
| `OWNER`   | who moves                                                                         |
| `LEVEL`   | how many priorities are higher                                                    |
| `CHOICE`  | the owner's present move                                                          |
| `GOING`   | 1 if player 0 lets the play go on when it arrives here, 0 if it is stopped        |
| `ENDLESS` | 1 if the value from here is the best of all, else 0                               |

``value[v · width : (v + 1) · width]`` counts the priorities seen from ``v``, ``v`` included, by
level; it means nothing where the value is endless. ``sign`` is +1 at the levels of even priorities
and −1 at those of odd ones; ``width`` is its length.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array

OWNER, LEVEL, CHOICE, GOING, ENDLESS = 0, 1, 2, 3, 4
NODE_SIZE = 5

UNKNOWN, ON_PATH = 2, 3
"""What ``ENDLESS`` says while the values are computed."""

ROUNDS, ANSWERS, SWITCHES = 0, 1, 2
"""Slots of ``state``: rounds of player 0 and of player 1, switches of both."""
STATE_SIZE = 3


class Plays(NamedTuple):
    """The present strategies of both players and what they are worth."""

    node: Int32Array
    value: Int32Array
    sign: Int8Array
    path: Int32Array
    """Scratch of ``evaluate``: n entries."""


@kernel
def evaluate(plays: Plays) -> None:
    """Fill ``value`` and the entries ``ENDLESS`` for the present choices."""
    node, value, path = plays.node, plays.value, plays.path
    n, width = len(path), len(plays.sign)
    for v in range(n):
        node[5 * v + ENDLESS] = UNKNOWN
    for start in range(n):
        if node[5 * start + ENDLESS] != UNKNOWN:
            continue
        size = 0
        v = w = start
        # Invariant: path[:size] leads from start to just before v; it is marked, v is unknown.
        while True:
            node[5 * v + ENDLESS] = ON_PATH
            path[size] = v
            size += 1
            w = node[5 * v + CHOICE]
            if node[5 * w + GOING] == 0 or node[5 * w + ENDLESS] != UNKNOWN:
                break
            v = w
        stopped = node[5 * w + GOING] == 0
        endless = not stopped and node[5 * w + ENDLESS] != 0
        for i in range(size):
            v = path[size - 1 - i]
            if endless:
                node[5 * v + ENDLESS] = 1
                continue
            node[5 * v + ENDLESS] = 0
            row, after = v * width, node[5 * v + CHOICE] * width
            if stopped and i == 0:
                for j in range(width):
                    value[row + j] = 0
            else:
                for j in range(width):
                    value[row + j] = value[after + j]
            value[row + node[5 * v + LEVEL]] += 1


@kernel
def worth(plays: Plays, a: int, b: int) -> int:
    """−1, 0 or +1: how arriving at ``a`` compares with arriving at ``b``, for player 0."""
    node, value, sign = plays.node, plays.value, plays.sign
    x = node[5 * a + GOING] * node[5 * a + ENDLESS]
    y = node[5 * b + GOING] * node[5 * b + ENDLESS]
    if x != y:
        return 1 if x else -1
    if x:
        return 0
    go_a, go_b = node[5 * a + GOING], node[5 * b + GOING]
    width = len(sign)
    for j in range(width):
        p, q = go_a * value[a * width + j], go_b * value[b * width + j]
        if p != q:
            return 1 if (p > q) == (sign[j] > 0) else -1
    return 0


@kernel
def switch(moves: Moves, plays: Plays, player: int) -> int:
    """Let a player switch to the best move wherever one is strictly better; count the switches."""
    indptr, indices, node = moves.indptr, moves.indices, plays.node
    wanted = 1 if player == 0 else -1
    switches = 0
    for v in range(len(indptr) - 1):
        if node[5 * v + OWNER] != player:
            continue
        best = node[5 * v + CHOICE]
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if w != best and worth(plays, w, best) == wanted:
                best = w
        if best != node[5 * v + CHOICE]:
            node[5 * v + CHOICE] = best
            switches += 1
    return switches


@kernel
def proceed(plays: Plays) -> int:
    """Let player 0 go on wherever that is strictly better than to stop; count the changes."""
    node, value, sign = plays.node, plays.value, plays.sign
    width = len(sign)
    changes = 0
    for v in range(len(node) // 5):
        if node[5 * v + GOING]:
            continue
        better = node[5 * v + ENDLESS] == 1
        if not better:
            for j in range(width):
                if value[v * width + j]:
                    better = sign[j] > 0
                    break
        if better:
            node[5 * v + GOING] = 1
            changes += 1
    return changes


@kernel
def improve(moves: Moves, plays: Plays, state: Int64Array, budget: int) -> bool:
    """Improve for at most ``budget`` evaluations; whether nobody has a switch left.

    Requires any choices and no position ``GOING`` at first.
    """
    # Invariant: no cycle of choices through positions that are GOING is good for player 1; from
    # each round of player 0 to the next no value sinks, and within one no value rises.
    for _ in range(budget):
        evaluate(plays)
        state[ANSWERS] += 1
        switches = switch(moves, plays, 1)
        if switches == 0:  # player 1 has answered as well as possible
            state[ROUNDS] += 1
            switches = switch(moves, plays, 0)
            switches += proceed(plays)
        state[SWITCHES] += switches
        if switches == 0:
            return True
    return False
