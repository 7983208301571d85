"""Situations of a terminal-payoff game with the levels as the player to move sees them.

The solvers that are there for teaching share these records and rules. A level is an index into the
payoffs, larger being better for the player to move; ``top − x`` is what the other player sees. The
moves of situations where play ends are left out of the graph.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import part
from zermelo.labels import Int8Array, Int32Array

UNKNOWN = -1
"""The level of a situation that is not decided."""


class Rules(NamedTuple):
    """Who moves, and what infinite play pays."""

    mover: Int8Array
    """The player to move; all 0 if the game is the same for both players."""
    alternate: int
    """1 if every move leads to a situation of the other player."""
    mirrored: int
    """1 if the game is the same for both players."""
    top: int
    """The greatest level."""
    infinite: int
    """The level of infinite play, as player 0 sees it."""


class Values(NamedTuple):
    """What is known about the situations."""

    level: Int32Array
    """The level that the player to move gets; UNKNOWN before it is decided."""
    distance: Int32Array
    """The moves to the end under best play, −1 if there is no end."""


@part
def seen_level(rules: Rules, level: Int32Array, s: int, t: int) -> int:
    """The level of t, as the player to move at s sees it; there is a move from s to t."""
    same = rules.alternate == 0 and rules.mover[s] == rules.mover[t]
    x: int = level[t] if same else rules.top - level[t]
    return x


@part
def infinite_level(rules: Rules, s: int) -> int:
    """The level of infinite play, as the player to move at s sees it."""
    x: int = rules.infinite if rules.mover[s] == 0 else rules.top - rules.infinite
    return x


@part
def evaluate(successors: Moves, rules: Rules, values: Values, s: int) -> None:
    """Decide s, all of whose successors are decided.

    The best level counts. The player who does better than infinite play, or as well, takes the
    shortest way that keeps the level; the player who does worse takes the longest.
    """
    indptr, indices = successors
    level, distance = values
    best, length = -1, -1
    bound = infinite_level(rules, s)
    for k in range(indptr[s], indptr[s + 1]):
        t = indices[k]
        x, d = seen_level(rules, level, s, t), distance[t]
        if x > best:
            best, length = x, d
        elif x == best and d >= 0:
            if x < bound:
                length = max(length, d)
            elif length < 0 or d < length:
                length = d
    level[s] = best
    distance[s] = length + 1 if length >= 0 else -1
