"""Bytes of the model against what the engines really allocate and write."""

import tracemalloc

import pytest

import zermelo as zm
from zermelo._runtime.compiled.jit import interpreting
from zermelo.engines.partitions import solve as engine_run
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.estimate import (
    MAX_NUMBERED_POSITIONS,
    Size,
    disk_bytes,
    held_bytes,
    message_bytes,
    partitions_for,
    whole_bytes,
)
from zermelo.planning.machine import Machine
from zermelo.planning.model import memory_bytes, nodes_for, table_bytes
from zermelo.rules.base import as_rules
from zermelo.tables.solving.explore import slots_for
from zermelo.tables.solving.solve import solve_rules

MACHINE = Machine(2, 8 << 30, 1 << 40, 2e-8, 2e-7, 655_360, 3e-4, 5e8, (1e-9, 3e-9, 1e-8), 1e-10)


def on_paper(n, m=None, machine=MACHINE, **more):
    return zm.plan(positions=n, moves=m, machine=machine, **more)


# -------------------------------------------------------------------- what is allocated


@pytest.mark.parametrize(
    ("objective", "owners"),
    [(zm.NormalPlay(), "none"), (zm.NormalPlay(), "random"), (zm.Asymmetric(), "none")],
)
def test_memory_is_what_solving_allocates(objective, owners):
    """The prediction is a bound of the true peak, and not much more than twice as large."""
    n = 3000 if interpreting() else 40_000
    game = zm.generators.random_graph(n, 4, seed=3, owners=owners)
    found = zm.plan(game, objective, machine=MACHINE)
    graph = game.graph
    zm.solve(zm.generators.random_graph(n, 4, seed=4, owners=owners), objective)  # loads kernels
    expected = found.engine("memory").memory - graph.nbytes
    tracemalloc.start()
    try:
        zm.solve(graph, objective)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert expected <= 2.2 * peak
    if not interpreting():  # lists of Python take more than arrays
        assert peak <= 1.1 * expected


@pytest.mark.parametrize(
    ("name", "distances"),
    [
        ("tictactoe", True),
        ("achi", True),
        ("connect3:3x3", True),
        ("kalah:2x2", True),
        ("chopsticks", True),
        ("achi", False),
        ("chopsticks", False),
    ],
)
def test_a_table_takes_what_was_planned(name, distances):
    """With the true number of positions the peak is right, up to one growth of the table."""
    found = zm.plan(name, machine=MACHINE, seconds=600, distances=distances)
    solved = solve_rules(as_rules(zm.game(name)), distances=distances)
    assert found.engine("memory").memory == table_bytes(found.census)
    assert solved.stats["peak_bytes"] <= found.engine("memory").memory * 1.75
    assert found.engine("memory").memory <= solved.stats["peak_bytes"] * 1.75


def test_slots_grow_as_tables_do():
    assert slots_for(1, 3) == (2048, 0)
    sizes = [slots_for(10**k, 7) for k in range(3, 13)]
    assert sizes == sorted(sizes)
    for k, (slots, before) in zip(range(3, 13), sizes, strict=True):
        assert before < 10**k / 0.7 < 1.8 * slots


class Watched:
    """Notes how large the directory of a job is after each file and each layer."""

    largest = 0

    @classmethod
    def look(cls, job):
        cls.largest = max(cls.largest, sum(x.stat().st_size for x in job.directory.iterdir()))


class WatchedExecutor(engine_run.DiskExecutor):
    def end_layer(self, moment):
        super().end_layer(moment)
        Watched.look(self.job)


class WatchedJob(engine_run.Job):
    def write(self, name, pieces, size=0):
        seal = super().write(name, pieces, size)
        Watched.look(self)
        return seal


@pytest.mark.parametrize(
    ("objective", "partitions"), [(zm.NormalPlay(), 3), (zm.NormalPlay(), 1), (zm.G0(), 2)]
)
@pytest.mark.parametrize("snapshots", [None, 1])
def test_files_take_what_was_planned(monkeypatch, tmp_path, objective, partitions, snapshots):
    """The prediction is a bound of the directory of a job, and at most 1.5 times as large."""
    monkeypatch.setattr(engine_run, "DiskExecutor", WatchedExecutor)
    monkeypatch.setattr(engine_run, "Job", WatchedJob)
    Watched.largest = 0
    game = zm.generators.random_graph(2000, 4, seed=5)
    engine_run.solve_on_disk(
        game.graph, objective, partitions=partitions, workdir=tmp_path, snapshot_layers=snapshots
    )
    size = zm.plan(game, objective, machine=MACHINE).census.size
    expected = disk_bytes(size, partitions, snapshots=snapshots is not None)
    manifest = 20_000  # the manifest, the journal and the lock
    assert Watched.largest <= expected + manifest
    assert expected <= 1.5 * Watched.largest


# -------------------------------------------------------------------- how it grows


def test_everything_grows_with_the_game():
    plans = [on_paper(10**k) for k in range(1, 16)]
    for name in ("memory", "disk", "dask"):
        rows = [found.engine(name) for found in plans]
        assert [row.memory for row in rows[:8]] == sorted(row.memory for row in rows[:8])
        for key in ("disk", "messages", "partitions"):
            values = [getattr(row, key) for row in rows]
            assert values == sorted(values), (name, key)
    nodes = [found.engine("dask").nodes for found in plans]
    assert nodes == sorted(nodes)
    seconds = [found.engine("memory").seconds for found in plans]
    assert seconds == sorted(seconds)


def test_the_engine_follows_the_size():
    assert on_paper(10**6).recommended.engine == "memory"
    middle = on_paper(3 * 10**8)
    assert middle.recommended.engine == "disk"
    assert "engine='disk'" in middle.advice
    assert middle.engine("disk").memory <= 8 << 30
    large = on_paper(2 * 10**9, node_memory="32G", machine=MACHINE_WITHOUT_DISK)
    assert large.recommended.engine == "dask"
    assert large.recommended.fits
    assert large.recommended.nodes > 1


MACHINE_WITHOUT_DISK = Machine(**{**MACHINE.__dict__, "disk_free": 1 << 30})


def test_a_trillion_positions_on_paper():
    found = on_paper(10**12, 8 * 10**12)
    cluster = found.recommended
    assert cluster.engine == "dask"
    assert not cluster.fits
    assert str(MAX_NUMBERED_POSITIONS)[:1] == "2"
    assert "on paper" in cluster.reason
    assert cluster.memory * cluster.nodes >= whole_bytes(found.census.size)
    assert found.engine("memory").memory > 10**14
    text = str(found)
    assert "TiB" in text
    assert "e+" in text
    twice = on_paper(10**12, 8 * 10**12, node_memory="128G").recommended.nodes
    assert abs(cluster.nodes - 2 * twice) <= 2


def test_partitions_follow_the_budget():
    size = Size(10**8, 4 * 10**8, 10**7)
    for memory in (1 << 30, 1 << 32, 1 << 36):
        budget = Budget(memory)
        partitions = partitions_for(size, budget)
        assert whole_bytes(size) <= partitions * budget.partition
        assert held_bytes(size, budget, partitions) <= memory
        assert message_bytes(size, partitions) <= 5 * size.moves
    assert nodes_for(Size(1, 1, 1), 1 << 30) == 1


def test_families_that_only_memory_solves():
    game = zm.Game(zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Parity([0, 1]))
    found = zm.plan(game, machine=MACHINE)
    assert found.recommended.engine == "memory"
    assert found.engine("disk").reason.endswith("solved in memory")
    assert found.engine("memory").seconds is None
    assert memory_bytes(found.census) > game.graph.nbytes
    weighted = zm.Game(zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.MeanPayoff([1, -1]))
    assert zm.plan(weighted, machine=MACHINE).engine("memory").memory > 500
    pursuit = zm.plan(zm.Graph.from_edges([(0, 1)]), zm.Return(), machine=MACHINE)
    assert not pursuit.engine("memory").fits
    assert "does not fit" in pursuit.advice
