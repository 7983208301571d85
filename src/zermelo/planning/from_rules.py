"""Counts of a game given by rules: from random indices, or from positions that play reaches."""

import sys
import time
from typing import Any

import numpy as np

from zermelo._kernels.positions.sampling import (
    COLUMNS,
    INSIDE,
    MOVES,
    TIER,
    count_moves,
    unrank_all,
)
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.guards import MAX_TIERS
from zermelo._runtime.progress import spent
from zermelo.objectives import Objective
from zermelo.planning.census import Census, Sampling, TableSize
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.explore import ENTRY_BYTES
from zermelo.rules.views import Unreduced, view
from zermelo.tables.probing.access import rules_name
from zermelo.tables.solving.choose import has_table
from zermelo.tables.solving.estimates import Estimate, share, show_count, total_of
from zermelo.tables.solving.explore import slots_for
from zermelo.tables.solving.measures import entry_type, label_type
from zermelo.tables.solving.sampling import (
    Explored,
    Grown,
    explore_compiled,
    explore_plain,
    extrapolate,
    grow_if_possible,
)
from zermelo.tables.solving.set_ways import set_bytes, share_of_sets
from zermelo.tables.storage.entries import has_index

LOOK_INDICES = 1 << 13
"""Indices that are looked at between two looks at the clock."""

GUESS_FACTOR = 100
"""The factor within which a curve is expected to hold; nothing is sure about it."""


def census_of_rules(rules: Any, objective: Objective | None, how: Sampling) -> Census:
    """Count the positions of rules, or estimate how many there are."""
    deadline = time.monotonic() + how.seconds
    played = objective or rules.objective()
    if not isinstance(rules, CompiledRules):
        return _plain(rules, played, how, deadline)
    symmetry = how.symmetry and rules.has("canonical")
    base: Any = rules if symmetry else view(rules, Unreduced)
    entry_bytes = None
    if has_table(rules, objective):
        kind = entry_type(rules) if how.distances else label_type(rules)
        entry_bytes = np.dtype(kind).itemsize
        if has_index(rules, symmetry):
            return _indexed(base, rules, played, how, deadline, entry_bytes)
    compiled = spent()
    found = explore_compiled(base, 2 * how.samples, deadline)
    deadline += spent() - compiled  # a wait for the compiler is not sampling
    return _explored(base, rules, played, found, how, deadline, entry_bytes)


def _traits(rules: Any, played: Objective) -> dict[str, Any]:
    return {
        "name": rules_name(rules),
        "family": played.family,
        "keyword": played.keyword,
        "owned": isinstance(rules, CompiledRules) and rules.has("player"),
    }


# -------------------------------------------------------------------- rules with an index


def _indexed(
    base: Any, rules: CompiledRules, played: Objective, how: Sampling, deadline: float,
    entry_bytes: int,
) -> Census:  # fmt: skip
    """Choose random indices; if there are few, take all."""
    size, all_of_them = int(rules.size), rules.size <= how.samples
    rng = np.random.default_rng(how.seed)
    indices = np.arange(size) if all_of_them else rng.integers(0, size, how.samples)
    most = room_for(rules, "moves")
    unrank, count = bind(unrank_all, base), bind(count_moves, base)
    degrees, inside, looked, quickest = [], [], 0, float("inf")
    tiers = np.zeros(MAX_TIERS, np.int64)
    out = np.zeros(most, np.int64)
    compiled = spent()
    for first in range(0, indices.size, LOOK_INDICES):
        positions = indices[first : first + LOOK_INDICES].astype(np.int64)
        unrank(positions, positions.size)
        looked += positions.size
        positions = positions[positions >= 0]
        rows = np.zeros(COLUMNS * LOOK_INDICES, np.int64)
        begun = time.process_time()
        count(positions, positions.size, out, rows)
        took = time.process_time() - begun
        if positions.size:
            quickest = min(quickest, took / positions.size)
        columns = rows[: COLUMNS * positions.size].reshape(-1, COLUMNS)
        degrees.append(columns[:, MOVES])
        inside.append(columns[:, INSIDE])
        tiers += np.bincount(columns[:, TIER], minlength=MAX_TIERS)
        if time.monotonic() - (spent() - compiled) > deadline:
            break
    degree, within = np.concatenate(degrees), np.concatenate(inside)
    complete = all_of_them and looked == size
    valid = Estimate.exact(degree.size) if complete else share(degree.size, looked, size)
    if complete:
        moves, inner, ends = (
            Estimate.exact(x) for x in (degree.sum(), within.sum(), (degree == 0).sum())
        )
        method = "all indices were looked at"
    else:
        moves, inner = total_of(degree, valid), total_of(within, valid)
        ends = share(int((degree == 0).sum()), looked, size)
        method = (
            f"{looked:,} random indices of {size:,} (seed {how.seed}); intervals hold in 95 of 100"
        )
    if rules.reachable:
        # Play may reach only some of the positions that have an index.
        valid, moves, inner, ends = (
            Estimate(x.value, min(1, x.value), x.high) for x in (valid, moves, inner, ends)
        )
        method += "; positions that play cannot reach are counted, too"
    table = TableSize(
        Estimate.exact(size), 0, True, entry_bytes, inner, rules.has("unmoves"),
        rules.reachable, not how.distances, float(tiers.max() / max(1, tiers.sum())),
        set_bytes(base) if how.distances else 0, share_of_sets(base) if how.distances else 0.0,
    )  # fmt: skip
    return Census(
        positions=valid, moves=moves, ends=ends, method=method, table=table,
        position_seconds=0.0 if quickest == float("inf") else quickest,
        **_traits(rules, played),
    )  # fmt: skip


# -------------------------------------------------------------------- rules without an index


def _explored(
    base: Any, rules: CompiledRules, played: Objective, found: Explored, how: Sampling,
    deadline: float, entry_bytes: int | None,
) -> Census:  # fmt: skip
    """Explore; ``entry_bytes`` is None if there is no table."""
    grown = grow_if_possible(rules, base, found, how.samples, how.seed, deadline)
    positions, moves, ends, method, layers = _judged(found, grown, how.seed)
    table = None
    if entry_bytes is not None:
        most = room_for(rules, "moves")
        slots, before = slots_for(positions.value, most)
        high = None if positions.high is None else slots_for(2 * positions.high, most)[0]
        count = Estimate(slots, slots_for(positions.low, most)[0], high)
        inner = moves if not rules.has("tier") else Estimate(0, 0, moves.high)
        if rules.has("tier") and not found.graded:
            inner = Estimate(moves.value, 0, moves.high)
        largest = 1.0
        if rules.has("tier") and found.graded:  # then tiers are layers, or consist of them
            whole = max(found.layers) / sum(found.layers) if found.whole else 1.0
            largest = whole if grown is None else grown.largest
        table = TableSize(
            count, before, False, entry_bytes, inner, rules.has("unmoves"), True,
            not how.distances, largest,
        )  # fmt: skip
    return Census(
        positions=positions, moves=moves, ends=ends, method=method, layers=layers, table=table,
        position_seconds=found.seconds, **_traits(rules, played),
    )  # fmt: skip


def _judged(
    found: Explored, grown: Grown | None, seed: int
) -> tuple[Estimate, Estimate, Estimate, str, str]:
    """Positions, moves and ends, the method, and what is known of the layers."""
    if found.whole:
        counts = (Estimate.exact(x) for x in (found.found, found.moves, found.ends))
        bound = f"at most {len(found.layers) - 1:,}" if found.graded else "unknown"
        return *counts, "all positions were explored, so the counts are exact", bound  # type: ignore[return-value]
    if grown is not None:
        method = (
            f"{show_count(found.found)} positions were explored, then populations of positions "
            f"were followed (seed {seed}); intervals hold in 95 of 100 if un-moves of positions "
            "that play cannot reach are found out"
        )
        bound = f"about {grown.layers - 1:,} at most"
        return grown.positions, grown.moves, grown.ends, method, bound
    guess = max(found.found, round(extrapolate(found.layers)))
    positions = Estimate(guess, found.found, None)
    each = found.moves / max(1, found.expanded)
    moves = Estimate(round(guess * each), found.moves, None)
    ends = Estimate(round(guess * found.ends / max(1, found.expanded)), found.ends, None)
    method = (
        f"a guess: {show_count(found.found)} positions were explored, and the growth of the first "
        f"{len(found.layers)} layers was continued; this may be wrong by a factor of "
        f"{GUESS_FACTOR} or more"
    )
    return positions, moves, ends, method, "unknown"


def _plain(rules: Any, played: Objective, how: Sampling, deadline: float) -> Census:
    """Rules whose positions are any objects."""
    found = explore_plain(rules, how.samples, deadline, symmetry=how.symmetry)
    positions, moves, ends, method, layers = _judged(found, None, 0)
    traits = _traits(rules, played)
    traits["owned"] = rules.player(rules.start()) is not None
    return Census(
        positions=positions, moves=moves, ends=ends, method=method, layers=layers,
        position_seconds=found.seconds,
        position_bytes=ENTRY_BYTES + sys.getsizeof(rules.start()),
        **traits,
    )  # fmt: skip
