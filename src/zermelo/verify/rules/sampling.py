"""Templates that call members of rules on a list of arguments, compiled or in Python.

They are bound to rules (:mod:`zermelo._runtime.compiled.bind`), to compare the results of the
compiler with those of Python.
"""

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array

moves, unmoves, outcome = placeholder("moves"), placeholder("unmoves"), placeholder("outcome")
canonical, orbit, tier = placeholder("canonical"), placeholder("orbit"), placeholder("tier")
player, rank, unrank = placeholder("player"), placeholder("rank"), placeholder("unrank")
fill_left, fill_right = placeholder("fill_left"), placeholder("fill_right")
fill_components = placeholder("fill_components")
moves_differ, unmoves_by_index = placeholder("moves_differ"), placeholder("unmoves_by_index")
image, opposite_image = placeholder("image"), placeholder("opposite_image")


@kernel
def each_moves(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each position the number of its moves, then the moves."""
    at = 0
    for x in values:
        count = moves(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_unmoves(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each position the number of its un-moves, then the un-moves."""
    at = 0
    for x in values:
        count = unmoves(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_unmoves_by_index(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each index the number of those before it, then these."""
    at = 0
    for x in values:
        count = unmoves_by_index(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_moves_differ(values: Int64Array, results: Int64Array) -> None:
    """Whether all moves differ, for all positions."""
    for i in range(len(values)):
        results[i] = moves_differ(values[i])


@kernel
def each_outcome(values: Int64Array, results: Int64Array) -> None:
    """All outcomes."""
    for i in range(len(values)):
        results[i] = outcome(values[i])


@kernel
def each_canonical(values: Int64Array, results: Int64Array) -> None:
    """All canonical forms."""
    for i in range(len(values)):
        results[i] = canonical(values[i])


@kernel
def each_orbit(values: Int64Array, results: Int64Array) -> None:
    """All orbits."""
    for i in range(len(values)):
        results[i] = orbit(values[i])


@kernel
def each_tier(values: Int64Array, results: Int64Array) -> None:
    """All tiers."""
    for i in range(len(values)):
        results[i] = tier(values[i])


@kernel
def each_player(values: Int64Array, results: Int64Array) -> None:
    """All players to move."""
    for i in range(len(values)):
        results[i] = player(values[i])


@kernel
def each_rank(values: Int64Array, results: Int64Array) -> None:
    """All indices."""
    for i in range(len(values)):
        results[i] = rank(values[i])


@kernel
def each_unrank(values: Int64Array, results: Int64Array) -> None:
    """The positions of all indices."""
    for i in range(len(values)):
        results[i] = unrank(values[i])


@kernel
def each_fill_left(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each position the number of Left's moves, then the moves."""
    at = 0
    for x in values:
        count = fill_left(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_fill_right(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each position the number of Right's moves, then the moves."""
    at = 0
    for x in values:
        count = fill_right(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_fill_components(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each position the number of its components, then the components."""
    at = 0
    for x in values:
        count = fill_components(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


@kernel
def each_image(values: Int64Array, results: Int64Array) -> None:
    """The image of each position, which is the same for all symmetric positions."""
    for i in range(len(values)):
        results[i] = image(values[i])


@kernel
def each_opposite_image(values: Int64Array, results: Int64Array) -> None:
    """The images after exchanging the sides; −1 if the game has no opposites."""
    for i in range(len(values)):
        results[i] = opposite_image(values[i])
