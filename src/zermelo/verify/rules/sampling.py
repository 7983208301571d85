"""Templates that call members of rules on a list of arguments, compiled or in Python.

They are bound to rules (:mod:`zermelo._runtime.bind`), to compare the results of the compiler with
those of Python.
"""

from zermelo._runtime.bind import placeholder
from zermelo._runtime.jit import kernel
from zermelo.labels import Int64Array

moves, unmoves, outcome = placeholder("moves"), placeholder("unmoves"), placeholder("outcome")
canonical, orbit, tier = placeholder("canonical"), placeholder("orbit"), placeholder("tier")
player, rank, unrank = placeholder("player"), placeholder("rank"), placeholder("unrank")


@kernel
def each_moves(values: Int64Array, out: Int64Array, made: Int64Array) -> None:
    """For each position the number of its moves, then the moves."""
    at = 0
    for x in values:
        count = moves(x, out)
        made[at] = count
        for k in range(count):
            made[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_unmoves(values: Int64Array, out: Int64Array, made: Int64Array) -> None:
    """For each position the number of its un-moves, then the un-moves."""
    at = 0
    for x in values:
        count = unmoves(x, out)
        made[at] = count
        for k in range(count):
            made[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_outcome(values: Int64Array, made: Int64Array) -> None:
    """All outcomes."""
    for i in range(len(values)):
        made[i] = outcome(values[i])


@kernel
def each_canonical(values: Int64Array, made: Int64Array) -> None:
    """All canonical forms."""
    for i in range(len(values)):
        made[i] = canonical(values[i])


@kernel
def each_orbit(values: Int64Array, made: Int64Array) -> None:
    """All orbits."""
    for i in range(len(values)):
        made[i] = orbit(values[i])


@kernel
def each_tier(values: Int64Array, made: Int64Array) -> None:
    """All tiers."""
    for i in range(len(values)):
        made[i] = tier(values[i])


@kernel
def each_player(values: Int64Array, made: Int64Array) -> None:
    """All players to move."""
    for i in range(len(values)):
        made[i] = player(values[i])


@kernel
def each_rank(values: Int64Array, made: Int64Array) -> None:
    """All indices."""
    for i in range(len(values)):
        made[i] = rank(values[i])


@kernel
def each_unrank(values: Int64Array, made: Int64Array) -> None:
    """The positions of all indices."""
    for i in range(len(values)):
        made[i] = unrank(values[i])
