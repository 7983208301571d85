"""Tiers one after the other, and moves that are generated backwards: the same bytes."""

import numpy as np
import pytest
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.engines import tiers
from zermelo.engines.budget import Budget
from zermelo.engines.disk import DiskExecutor
from zermelo.engines.unmoves import Unmoves
from zermelo.rules.compiled import OPEN

from .test_tables import TINY, built, written


@pytest.fixture(autouse=True)
def _each_alone(monkeypatch):
    """No tier is solved together with another one."""
    monkeypatch.setattr(tiers, "SMALL", 0)


@pytest.fixture
def generated(monkeypatch):
    """The numbers of positions whose predecessors were generated."""
    kept, calls = Unmoves.rows, []

    def rows(self, numbers, first):
        calls.append(numbers.size)
        return kept(self, numbers, first)

    monkeypatch.setattr(Unmoves, "rows", rows)
    return calls


def game_of(members, seed=0, n=60, **given):
    rng = np.random.default_rng(seed)
    several = (2 if "back" in members else 4) if "tiers" in members else 1
    made = random_game(rng, n, several, twins=4, **given)
    made["ends"][0] = made["ends"][1] = OPEN
    return arrays(*members, **made)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "members",
    [
        ("tiers",),
        ("tiers", "ends", "twins"),
        ("tiers", "ends", "players"),
        ("tiers", "index", "ends"),
        ("tiers", "index", "ends", "back"),
        ("tiers", "index", "twins", "players", "back"),
        ("index", "ends", "twins", "back"),
        ("index", "ends", "players", "back"),
    ],
    ids=" ".join,
)
def test_the_same_bytes(members, whole, generated, tmp_path):
    for seed in range(3):
        rules = game_of(members, seed, degree=3.0)
        type(rules).reachable = not whole
        wanted = built(rules, tmp_path / "memory.zt")
        for partitions in (1, 2, 3, 7):
            found, job = written(rules, tmp_path, partitions=partitions)
            assert found == wanted, (seed, partitions)
            assert (job.statistics["tiers"] > 1) == ("tiers" in members)
    assert bool(generated) == {"index", "back"}.issubset(members)


def test_the_smallest_budget(generated, tmp_path):
    """Windows of the results of lower tiers, and snapshots in each tier."""
    rules = game_of(("tiers", "index", "ends", "back"), n=200, degree=3.0)
    wanted = built(rules, tmp_path / "memory.zt")
    found, job = written(rules, tmp_path, memory=TINY, snapshot_layers=1)
    assert found == wanted
    assert job.statistics["spilled"] > 0
    assert job.statistics["snapshots"] > 4
    assert generated
