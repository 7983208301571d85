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
fill_left, fill_right = placeholder("fill_left"), placeholder("fill_right")
fill_components = placeholder("fill_components")
image, opposite_image = placeholder("image"), placeholder("opposite_image")


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


@kernel
def each_fill_left(values: Int64Array, out: Int64Array, made: Int64Array) -> None:
    """How many moves Left has, then all of them."""
    at = 0
    for x in values:
        count = fill_left(x, out)
        made[at] = count
        for k in range(count):
            made[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_fill_right(values: Int64Array, out: Int64Array, made: Int64Array) -> None:
    """How many moves Right has, then all of them."""
    at = 0
    for x in values:
        count = fill_right(x, out)
        made[at] = count
        for k in range(count):
            made[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_fill_components(values: Int64Array, out: Int64Array, made: Int64Array) -> None:
    """How many components, then all of them."""
    at = 0
    for x in values:
        count = fill_components(x, out)
        made[at] = count
        for k in range(count):
            made[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_image(values: Int64Array, made: Int64Array) -> None:
    """What stands for all positions that look alike."""
    for i in range(len(values)):
        made[i] = image(values[i])


@kernel
def each_opposite_image(values: Int64Array, made: Int64Array) -> None:
    """The same for the sides exchanged; −1 where a game has no opposites."""
    for i in range(len(values)):
        made[i] = opposite_image(values[i])
