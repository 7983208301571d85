"""Tiers that are solved by sets get the entries that waves give, in place or apart, short or long.

The chess endgames that are solved so are in ``tests/rules/test_chess_sets.py``.
"""

import copy

import numpy as np
import pytest
from tests.tables import set_games
from tests.tables.forged import claims
from tests.tables.set_games import BELOW, Drawn

from zermelo.errors import MemoryLimitError
from zermelo.rules.compiled import OPEN
from zermelo.rules.set_tiers import set_tiers
from zermelo.tables.solving import set_ways as _set_ways
from zermelo.tables.solving import waves as _waves
from zermelo.tables.solving.solve import solve_rules


def random_rules(seed, width, blocks):
    random = np.random.default_rng(seed)
    n = BELOW + 2 * width * blocks
    gone = np.flatnonzero(random.random(n) < 0.1)
    gone = gone[gone > 0]
    options, ends = [], []
    for v in range(n):
        low, high = (0, BELOW) if v < BELOW or random.random() < 0.1 else (BELOW, n)
        live = np.setdiff1d(np.arange(low, high), [*gone, v])
        count = random.choice(4, p=[0.1, 0.4, 0.3, 0.2])
        options.append(random.choice(live, count, replace=False).tolist())
        ends.append(OPEN if count else -1 if random.random() < 0.7 else 0)
    return Drawn(options, ends, width, gone)


def line_rules(width, blocks, end):
    """A line of positions with one move each: the next one, or to the end in the tier below."""
    n = BELOW + 2 * width * blocks
    options = [[] for _ in range(BELOW)] + [[v - 1 if v > BELOW else 0] for v in range(BELOW, n)]
    return Drawn(options, [end] * BELOW + [OPEN] * (n - BELOW), width)


def by_waves(rules, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_waves.Waves, "_tiers_by_sets", lambda waves: {})
        return solve_rules(rules)


def watch_giving_up(monkeypatch):
    """A list that gets the layer of each tier that is left to another way."""
    layers, give_up = [], _set_ways.BySets._give_up

    def watched(way):
        layers.append(way.waves.layer)
        give_up(way)

    monkeypatch.setattr(_set_ways.BySets, "_give_up", watched)
    return layers


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")


@pytest.mark.sampled(cases=8)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("width", "in_place"), [(8, False), (40, False), (56, True), (64, True)])
def test_the_same_entries_as_by_waves(seed, width, in_place, monkeypatch):
    monkeypatch.setattr(_set_ways, "MAX_COPIED_WORDS", 4)  # so that there are two rounds
    rules = random_rules(seed, width, 3)
    assert (_set_ways.set_bytes(rules) == 0) == in_place
    solved, expected = solve_rules(rules), by_waves(rules, monkeypatch)
    assert solved.entry.tolist() == expected.entry.tolist()
    assert solved.stats["longest"] == expected.stats["longest"]
    solved.verify()


@pytest.mark.parametrize("width", [8, 64])
def test_wide_entries(width, monkeypatch):
    rules = random_rules(1, width, 3)
    expected = solve_rules(rules)
    monkeypatch.setattr(_set_ways, "MAX_COPIED_WORDS", 4)
    monkeypatch.setattr("zermelo.tables.solving.solve.entry_type", lambda rules: np.uint32)
    solved = solve_rules(rules)
    assert solved.entry.dtype == np.uint32
    assert solved.label.tolist() == expected.label.tolist()
    assert solved.distance.tolist() == expected.distance.tolist()


@pytest.mark.slow
def test_random_games_have_all_kinds():
    kinds = [set(random_rules(seed, 64, 3).ends.tolist()) for seed in range(6)]
    assert all(ends == {-1, 0, OPEN} for ends in kinds)
    totals = np.sum(
        [list(solve_rules(random_rules(s, 64, 3)).counts().values()) for s in (0, 1)], 0
    )
    assert (totals[:5] > 20).all()


@pytest.mark.parametrize(("end", "length", "short"), [
    (-1, 510, True), (-1, 514, False), (0, 252, True), (0, 258, False),
])  # fmt: skip
def test_play_that_is_too_long_for_codes_is_solved_by_waves(end, length, short, monkeypatch):
    width = 64 if length > 300 else 43
    blocks = -(-length // (2 * width))
    rules = line_rules(width, blocks, end)
    for v in range(BELOW, rules.size):  # more positions than the line needs are ends of play
        if v >= BELOW + length:
            rules.count[v], rules.ends[v] = 0, end
    given_up = watch_giving_up(monkeypatch)
    solved = solve_rules(rules)
    assert len(given_up) == (not short)
    assert claims(solved)[1][BELOW : BELOW + length].tolist() == list(range(1, length + 1))
    assert solved.entry.tolist() == by_waves(rules, monkeypatch).entry.tolist()


def test_far_entries_below_are_too_long_too(monkeypatch):
    rules = line_rules(64, 1, -1)
    given_up = watch_giving_up(monkeypatch)
    begin = _set_ways.BySets._take_room

    def far(way):
        begin(way)
        way.sets.entry[0] = 1 << 14 | 600  # as if the end of the line were lost in 600 plies

    monkeypatch.setattr(_set_ways.BySets, "_take_room", far)
    solve_rules(rules)
    assert given_up == [0]


def test_memory_apart_is_asked_for():
    rules = random_rules(0, 8, 3)
    tier = set_tiers(rules)[1]
    assert _set_ways.set_bytes(rules) == _set_ways.bytes_of(tier) > 2 * len(tier.indices)
    assert _set_ways.set_bytes(rules, 64) == 0
    with pytest.raises(MemoryLimitError, match="solving 58 positions needs about"):
        solve_rules(rules, memory=rules.size * 2 + _set_ways.set_bytes(rules) - 1)


class Stopped(Exception):
    pass


class StopsInSweep:
    """A checkpoint that stops the job in the first sweep of a tier, and keeps that state."""

    saved = None

    def load(self):
        return self.saved

    def save(self, state):
        if self.saved is None and (state["tier"], state["stage"]) == (1, 0) and state["slot"]:
            self.saved = {key: copy.copy(value) for key, value in state.items()}
            raise Stopped


@pytest.mark.slow
@pytest.mark.compiled
def test_a_tier_that_sets_gave_up_is_resumed_slot_by_slot(monkeypatch):
    """Play is too long for sets; a job that stops in the sweep after that goes on in this sweep."""
    monkeypatch.setattr(set_games, "BELOW", 1034)
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    n = 1034 + 2 * 64 * 96
    line = [[min(v, 1034) - 1] if v else [] for v in range(n)]
    rules = set_games.Drawn(line, [-1] + [OPEN] * (n - 1), 64)
    checkpoint = StopsInSweep()
    with pytest.raises(Stopped):
        solve_rules(rules, checkpoint=checkpoint)
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", 20.0)
    assert solve_rules(rules, checkpoint=checkpoint).counts()["lose"] == n - 517
