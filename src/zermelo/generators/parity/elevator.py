"""The verification of an elevator: a model-checking game."""

from math import perm

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble
from zermelo.labels import Int64Array

MAX_STOREYS = 9

_FORMULAS = 12
# The subformulas of νX.μY.νZ. □X ∧ (at ∨ (□Z ∧ (¬pressed ∨ □Y))), by number: their owners, their
# priorities, and the moves between them in the same state. 4 is "at", and 9 is "not pressed".
_OWNER = (0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0)
_PRIORITY = (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
_SAME = (
    (0, 1), (1, 2), (1, 3), (3, 4), (3, 5), (4, 4), (5, 6), (5, 8), (7, 1), (8, 9), (8, 10), (9, 9),
    (11, 1),
)  # fmt: skip
_NEXT = ((2, 0), (6, 7), (10, 11))  # the moves of the boxes □, which lead to all next states

_State = tuple[int, bool, tuple[int, ...]]


def elevator(n: int = 3, fair: bool = True) -> Game:
    """A game about an elevator of ``n`` storeys: does it serve all calls from the top storey?

    It should come to the top infinitely often if it is called there infinitely often. The state of
    the elevator is its storey, whether its door is open, and the list of requests. In each step
    at most one button is pressed. If the elevator is ``fair``, a new storey is appended to the
    list; if not, the storey moves to the front of the list. Then an open door closes, or the
    elevator goes one storey towards the first request and, if it arrives, opens its door and
    removes the request. Player 0 defends A(GF pressed → GF at), as a formula of the μ-calculus,
    from position 0 and wins iff the elevator is fair or ``n`` = 1. Position 12 s + f is the f-th
    subformula in the s-th state that is reached. This is ``elevatorverification`` of
    PGSolver [FriedmannLange2009].

    Later versions of PGSolver give ∧, ∨ and □ priority 1 instead of 0; in these games player 0
    loses for the fair elevator, too.

    >>> graph, parity = elevator(3)
    >>> graph.n, graph.m, int(parity.priority.max())
    (564, 950, 2)
    """
    n = check_integer("n", n, 1, MAX_STOREYS)
    fair = flag(fair, "fair")
    most = 2 * n * sum(perm(n, k) for k in range(n + 1))
    check_room(_FORMULAS * most, (len(_SAME) + 3 * (n + 1)) * most)
    states, source, target = _explore(n, fair)
    at = np.array([place == n - 1 for place, _, _ in states])
    free = np.array([n - 1 not in requests for _, _, requests in states])
    priority = np.tile(np.array(_PRIORITY), (at.size, 1))
    priority[:, 4], priority[:, 9] = ~at, ~free
    base = np.arange(at.size, dtype=np.int64) * _FORMULAS
    moves = [(base + f, base + g) for f, g in _SAME]
    moves += [(base[source] + f, base[target] + g) for f, g in _NEXT]
    size = at.size * _FORMULAS
    return assemble(size, moves, np.tile(np.array(_OWNER), at.size), priority.reshape(-1))


def _explore(n: int, fair: bool) -> tuple[list[_State], Int64Array, Int64Array]:
    """The states in the order in which they are reached, and the steps between them."""
    start: _State = (0, False, ())
    number = {start: 0}
    states = [start]
    source, target = [], []
    for k, (place, door, requests) in enumerate(states):  # new states are appended in the loop
        lists = {requests: None}
        for i in range(n):
            if not fair:
                lists[(i, *(j for j in requests if j != i))] = None
            elif i not in requests:
                lists[(*requests, i)] = None
        for calls in lists:
            after: _State = (place, False, calls)
            if calls and not door:
                first = calls[0]
                there = place + (first > place) - (first < place)
                after = (there, there == first, calls[1:] if there == first else calls)
            reached = number.setdefault(after, len(states))
            if reached == len(states):
                states.append(after)
            source.append(k)
            target.append(reached)
    return states, np.array(source, np.int64), np.array(target, np.int64)
