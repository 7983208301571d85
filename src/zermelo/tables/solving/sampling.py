"""How many positions play can reach: by exploring, and where that takes too long by estimates.

Positions are explored breadth first up to a limit. If that ends, the counts are exact. If not,
there are two ways:

- **A population** (:func:`grow`), if all moves seen lead from one layer to the next and the rules
  have un-moves. Let a position y have in(y) predecessors. Then the next layer has as many
  positions as the sum of 1 / in(y) over all moves x → y of this layer. So a population that stands
  for a uniform choice in a layer tells how much larger the next layer is, and a choice among its
  moves in proportion to 1 / in(y) stands for a uniform choice there. Un-moves may lead to
  positions that play cannot reach; they are found out by going further back.
- **A curve** (:func:`extrapolate`): the logarithms of the ratios of successive layers are continued
  in a straight line. That is no more than a guess.

Reference: [Knuth1975] estimates the size of a tree by random plays, and [Chen1992] by many that are
followed together.

Differs from the papers: several plays may reach one position, so moves are weighed by 1 / in(y).
"""

import math
import time
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.positions.graph import number_moves, renumber
from zermelo._kernels.positions.sampling import Stack, list_children
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.progress import spent
from zermelo.errors import InvalidRulesError
from zermelo.labels import Int64Array
from zermelo.rules.compiled import CompiledRules, first_position, room_for
from zermelo.rules.faults import each_option, hashable, integer_of
from zermelo.tables.solving.estimates import Estimate, from_repeats

POPULATIONS = 8
"""Independent populations, which give the interval."""

POPULATION_SIZE = 1000
"""Positions of each."""

MIN_POPULATION, MAX_POPULATION_MOVES = 64, 1 << 22
"""The smallest population, and the most moves of one."""

MIN_POPULATIONS = 3
"""With fewer populations there is no estimate."""

POSITIONS_PER_STEP = 1 << 14
"""Positions that are explored between two looks at the clock."""

MIN_TIMED_POSITIONS = 1000
"""A step of at least so many positions tells how long one takes."""

MAX_PLIES_BACK, MAX_POSITIONS_BACK = 24, 200
"""How many plies an un-move is followed back, and how many positions are looked at for that."""

MAX_LAYERS = 10_000


class Explored(NamedTuple):
    """The beginning of a game, or the whole of it."""

    layers: list[int]
    """Positions of each layer that is complete."""
    found: int
    expanded: int
    moves: int
    """Distinct moves of the positions that were expanded."""
    ends: int
    """Positions without moves among them."""
    whole: bool
    graded: bool
    """Whether all moves that were seen lead to the next layer."""
    seconds: float
    """The time in which the moves of a position are made."""
    positions: Int64Array | None = None
    """The last complete layer, of compiled rules."""


def explore_compiled(rules: CompiledRules, limit: int, deadline: float) -> Explored:
    """Number positions breadth first, by the kernel of :func:`zermelo.explore`.

    The deadline is moved by the time of the compiler.
    """
    most = room_for(rules, "moves")
    number = bind(number_moves, rules)
    room = 2 * limit + most + 2
    found, slots = np.zeros(room, np.int64), np.zeros(2 * room, np.int32)
    indptr = np.zeros(room + 1, np.int64)
    indices, out = np.zeros(max(8 * limit, 2 * most), np.int32), np.zeros(most, np.int64)
    state = np.array([0, 1, 0], np.int64)
    found[0] = first_position(rules, integer_of(rules, "canonical", first_position(rules)))
    renumber(found, 1, slots)
    layers, first, end, graded, compiled = [1], 0, 1, True, spent()
    quickest, total, at = math.inf, 0.0, -1
    # Invariant: the positions first … end - 1 are the last complete layer.
    while int(state[1]) <= limit and at != int(state[0]):
        at = int(state[0])
        if at == end:
            layers.append(int(state[1]) - end)
            graded = graded and bool((indices[indptr[first] : indptr[end]] >= end).all())
            first, end = end, int(state[1])
        if time.monotonic() - (spent() - compiled) > deadline or first == end:
            break
        moment = time.process_time()
        number(found, slots, indptr, indices, out, state, min(end - at, POSITIONS_PER_STEP))
        took, done = time.process_time() - moment, int(state[0]) - at
        total += took
        if done >= MIN_TIMED_POSITIONS:
            quickest = min(quickest, took / done)
    v, n, _ = state.tolist()
    whole = v == n
    if whole and not layers[-1]:
        layers.pop()
    seconds = quickest if quickest < math.inf else total / max(1, v)
    degree = np.diff(indptr[: v + 1])
    rows = np.repeat(np.arange(v, dtype=np.int64), degree)
    m = np.unique(rows * n + indices[: rows.size]).size
    return Explored(
        layers, n, v, m, int((degree == 0).sum()), whole, graded, seconds, found[first:end].copy()
    )


def explore_plain(rules: Any, limit: int, deadline: float, *, symmetry: bool) -> Explored:
    """Explore rules whose positions are any objects, breadth first."""
    canonical: Callable[[Any], Hashable] = rules.canonical if symmetry else lambda x: x
    first = hashable(rules, "start", rules.start())
    current = [hashable(rules, "canonical", canonical(first)) if symmetry else first]
    seen: set[Hashable] = set(current)
    layers, moves, ends, expanded, graded, whole = [1], 0, 0, 0, True, False
    begun = time.process_time()
    while True:
        following: dict[Hashable, None] = {}
        for position in current:
            options = {
                hashable(rules, "canonical", canonical(x)) if symmetry else x
                for x in each_option(rules, position)
            }
            new = options - seen
            graded = graded and len(new) == len(options)
            following.update(dict.fromkeys(sorted(new, key=repr) if len(new) > 1 else new))
            moves += len(options)
            ends += not options
            expanded += 1
            full = len(seen) + len(following) > limit
            if full or (expanded % 64 == 0 and time.monotonic() > deadline):
                return Explored(layers, len(seen) + len(following), expanded, moves, ends, False,
                                graded, (time.process_time() - begun) / expanded)  # fmt: skip
        if not following:
            whole = True
            break
        seen.update(following)
        layers.append(len(following))
        current = list(following)
    seconds = (time.process_time() - begun) / expanded
    return Explored(layers, len(seen), expanded, moves, ends, whole, graded, seconds)


class Grown(NamedTuple):
    """Counts of a game from populations."""

    positions: Estimate
    moves: Estimate
    ends: Estimate
    layers: int
    """The most layers that a population had."""
    largest: float
    """The share of the positions that are in the largest layer."""


def grow(
    rules: CompiledRules, begun: Explored, population: int, seed: int, deadline: float
) -> Grown | None:
    """Estimate the layers after those that were explored; None if time ends too early.

    Rules with very many moves get a smaller population, or none.
    """
    assert begun.positions is not None
    most, most_back = room_for(rules, "moves"), room_for(rules, "unmoves")
    population = min(population, MAX_POPULATION_MOVES // max(most, most_back))
    if population < MIN_POPULATION:
        return None
    start = integer_of(rules, "canonical", first_position(rules))
    job = bind(list_children, rules)
    # Positions that play cannot reach may have more un-moves than the rules promise.
    room = max(most, 4 * most_back + 64)
    out, before = np.zeros(room, np.int64), np.zeros(population * most, np.int64)
    children, ends = np.zeros_like(before), np.zeros(population, np.int64)
    length = min((MAX_PLIES_BACK + 2) * room, 1 << 16)
    stack = Stack(np.zeros(length, np.int64), np.zeros(length, np.int64), np.zeros(room, np.int64))
    limits = np.array([start, MAX_PLIES_BACK, MAX_POSITIONS_BACK], np.int64)
    known, compiled = sum(begun.layers[:-1]), spent()
    totals = []
    for repeat in range(POPULATIONS):
        rng = np.random.default_rng([seed, repeat])
        chosen = begun.positions[rng.integers(0, begun.positions.size, population)]
        layer, layers = float(begun.layers[-1]), len(begun.layers)
        count = moves = dead = largest = 0.0
        while layers <= MAX_LAYERS and time.monotonic() - (spent() - compiled) <= deadline:
            job(chosen, population, out, before, children, ends, limits, stack)
            filled = int(ends[-1])
            count += layer
            largest = max(largest, layer)
            moves += layer * filled / population
            dead += layer * int((np.diff(ends, prepend=0) == 0).sum()) / population
            if not filled:
                totals.append((known + count, moves, dead, layers, largest / (known + count)))
                break
            ladder = np.cumsum(1.0 / before[:filled])
            layer *= float(ladder[-1]) / population
            layers += 1
            rungs = (np.arange(population) + rng.random(population)) * (ladder[-1] / population)
            chosen = children[np.minimum(np.searchsorted(ladder, rungs), filled - 1)]
    if len(totals) < MIN_POPULATIONS:
        return None
    columns = list(zip(*totals, strict=True))
    explored_moves = begun.moves * known / max(1, begun.expanded)
    return Grown(
        from_repeats(columns[0], begun.found),
        from_repeats([x + explored_moves for x in columns[1]], begun.moves),
        from_repeats(columns[2], begun.ends),
        max(columns[3]),
        sum(columns[4]) / len(totals),
    )


def grow_if_possible(
    rules: CompiledRules, base: Any, begun: Explored, samples: int, seed: int, deadline: float
) -> Grown | None:
    """What :func:`grow` gives where the layers and the rules allow it; else None.

    ``base`` are the rules in the form in which they are explored.
    """
    if begun.whole or not begun.graded or not rules.has("unmoves"):
        return None
    population = max(MIN_POPULATION, min(POPULATION_SIZE, samples // 100))
    try:
        return grow(base, begun, population, seed, deadline)
    except InvalidRulesError:
        return None  # un-moves of positions that play cannot reach need not be right


def extrapolate(layers: list[int], limit: int = MAX_LAYERS) -> float:
    """The number of positions if the ratios of successive layers go on as they did.

    >>> round(extrapolate([math.comb(20, k) for k in range(8)]) / 2**20, 1)
    0.7
    """
    sizes = np.array(layers, float)
    ratios = np.log(sizes[1:] / sizes[:-1])
    if len(ratios) < 2:
        return float(sizes.sum()) * 2
    half = ratios[len(ratios) // 2 :] if len(ratios) > 3 else ratios
    slope, level = np.polyfit(np.arange(len(half)), half, 1)
    slope = min(float(slope), -1e-3)  # no game grows for ever
    total, size, k = float(sizes.sum()), float(sizes[-1]), len(half)
    while size >= 1 and k < limit and total < 1e30:
        size *= math.exp(min(level + slope * k, float(half.max())))
        total += size
        k += 1
    return total
