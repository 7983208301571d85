"""Thin layers come from a queue: the same entries as by scans, whatever the limits are."""

import numpy as np
import pytest
from tests.tables import plain
from tests.tables.test_solve import SETS, Bag, Ladder, Steps, check, random_rules

from zermelo._kernels.tables import queue as tables_queue
from zermelo.tables.solving import slot_ways as _thin
from zermelo.tables.solving.solve import solve_rules


@pytest.fixture(params=[1, 3, 1 << 10], ids=lambda room: f"room {room}")
def hasty(request, monkeypatch):
    """Every layer counts as thin, and the queue has room for few or for many positions."""
    monkeypatch.setattr(_thin, "MIN_THIN_LAYERS", 0)
    monkeypatch.setattr(_thin, "SLOTS_PER_THIN", 0)
    monkeypatch.setattr(_thin, "MIN_QUEUE_SIZE", request.param)
    return request.param


def count_calls(monkeypatch):
    """A list that gets an item for each time that layers are spread from a queue."""
    calls = []
    original = _thin.ThinLayers.follow

    def follow(self, parts):
        spread = original(self, parts)
        if spread:
            calls.append(self.waves.layer)
        return spread

    monkeypatch.setattr(_thin.ThinLayers, "follow", follow)
    return calls


@pytest.mark.sampled(cases=12)
@pytest.mark.parametrize("members", SETS)
def test_agrees_with_the_oracle(members, hasty, monkeypatch):
    calls = count_calls(monkeypatch)
    for seed in range(3):
        twins = 4 if "twins" in members else 0
        rules = random_rules(seed, members, 24, 3 if "tiers" in members else 1, twins=twins)
        check(rules, plain.solve(rules), solve_rules(rules, symmetry=False))
    assert calls or hasty < 1 << 10


@pytest.mark.parametrize("batch", [1, 2, 1 << 14])
@pytest.mark.parametrize("members", [("ends", "back", "tiers"), ("ends", "index", "players")])
def test_any_state_leads_to_the_same_end(members, batch, hasty, monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(_thin, "LAYERS_PER_CALL", batch)
    rules = random_rules(5, members, 60, 3, degree=2.0)
    bag = Bag()
    whole = solve_rules(rules, checkpoint=bag)
    for state in bag.states:
        again = solve_rules(rules, checkpoint=Bag(state))
        assert again.entry.tobytes() == whole.entry.tobytes()
    monkeypatch.setattr(_thin, "MIN_THIN_LAYERS", 1 << 20)
    scanned = solve_rules(rules)
    assert scanned.entry.tobytes() == whole.entry.tobytes()
    assert scanned.stats["longest"] == whole.stats["longest"]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", [Ladder, Steps])
@pytest.mark.parametrize("ending", [-1, 0])
def test_few_layers_of_a_long_line_are_scanned(kind, ending, monkeypatch):
    """A scan of each layer would take time that grows with the square of the length."""
    calls = count_calls(monkeypatch)
    steps, scans = 17_000, []
    note = _thin.ThinLayers.note
    monkeypatch.setattr(_thin.ThinLayers, "note", lambda *args: scans.append(1) or note(*args))
    solved = solve_rules(kind(steps, ending))
    assert np.array_equal(solved.distance, steps - np.arange(steps + 1))
    assert calls
    assert len(scans) < 3 * _thin.MIN_THIN_LAYERS


def test_a_queue_passes_over_empty_layers():
    far = np.array([5, 5, 9])
    queue = tables_queue.Queue(np.zeros(4, np.int64), np.array([7, 8, 6]), far, np.array([2, 0, 0]))
    assert tables_queue.take_waiting.function(queue, 100)
    assert queue.place.tolist() == [5, 2, 2]
    assert queue.slots[:2].tolist() == [7, 8]
    queue.place[tables_queue.COUNT] = 0
    assert not tables_queue.take_waiting.function(queue, 9)
    assert queue.place.tolist() == [9, 0, 2]
