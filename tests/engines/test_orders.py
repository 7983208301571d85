"""Orders for partitions give the same answers whatever the workers and the files lose."""

import os

import numpy as np
import pytest

import zermelo as zm
from zermelo.engines.cluster import messages, worker
from zermelo.engines.cluster.executor import ClusterExecutor
from zermelo.engines.cluster.stepping_worker import Snapshot, Step
from zermelo.engines.moves.source import GraphSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import open_job, prepared, solution_of
from zermelo.errors import JobError
from zermelo.objectives.terminal_form import form_on

from .test_identity import assert_same, objectives, random_graph


class Stop(BaseException):
    """What ends a driver in these tests."""


class Bench:
    """Two workers in this process, which lose things as ``mischief`` says."""

    def __init__(self, mischief=None):
        self.mischief = mischief
        self.orders = 0
        self.run = None

    def homes(self, size):
        return [f"worker-{q % 2}" for q in range(size)]

    def check(self, run, job, needed):
        self.run, self.job = run, job
        assert needed > 0 or job is not None
        assert worker.describe(run, job.location.parent, job.location.name)[1]

    def balance(self, run, homes):
        return list(homes[1:]) + list(homes[:1])  # everything moves

    def perform(self, orders, homes):
        outcomes = []
        for order in orders:
            self.orders += 1
            if self.mischief is not None:
                self.mischief(self, order)
            outcomes.append(worker.perform(order))
        return outcomes

    def forget(self, run):
        return worker.forget(run)


def solve(graph, objective, folder, mischief=None, partitions=3, snapshot_layers=None):
    form = form_on(objective, graph)
    source = GraphSource(graph, form)
    with open_job(source, partitions, folder, shared=True) as job:
        record, trusted = prepared(job, source, Budget(1), partitions, None)
        executor = ClusterExecutor(job, record, Bench(mischief), Budget(1), trusted=trusted,
                                   snapshot_layers=snapshot_layers)  # fmt: skip
        try:
            layers = run(source.terms, executor)
            return solution_of(graph, objective, form, executor, "dask", layers)
        finally:
            executor.close()


def lose_partitions(rng, share):
    """Empty the cache of the workers now and then."""

    def mischief(bench, order):
        if order.run in worker._RUNS and rng.random() < share:
            worker._RUNS[order.run].held.clear()

    return mischief


def lose_files(rng, share):
    """Remove or change files of messages now and then."""

    def mischief(bench, order):
        for path in bench.job.directory.glob("messages-*"):
            if rng.random() < share:
                fault = rng.integers(3)
                if fault == 0:
                    path.unlink()
                elif fault == 1:
                    os.truncate(path, path.stat().st_size // 2 + 1)
                else:
                    content = bytearray(path.read_bytes())
                    content[rng.integers(len(content))] ^= 1
                    path.write_bytes(content)

    return mischief


def both(rng, share):
    first, second = lose_partitions(rng, share), lose_files(rng, share)

    def mischief(bench, order):
        first(bench, order)
        second(bench, order)

    return mischief


@pytest.mark.sampled(cases=6)
@pytest.mark.slow("both-2", "both-3", "both-7", "lose_files-3", "lose_files-7", "lose_partitions-7")
@pytest.mark.parametrize("partitions", [1, 2, 3, 7])
@pytest.mark.parametrize("fault", [None, lose_partitions, lose_files, both])
def test_every_loss_is_repaired(partitions, fault, monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0 if fault is not None else 100)
    rng = np.random.default_rng(partitions)
    totals = {"recovered": 0, "rebuilt": 0}
    for k in range(2):
        graph = random_graph(rng, int(rng.integers(1, 40)), owned=bool(k % 2))
        for objective in objectives(rng, graph):
            mischief = None if fault is None else fault(rng, 0.1)
            snapshot_layers = [None, 3][k]
            ours = solve(graph, objective, tmp_path, mischief, partitions, snapshot_layers)
            assert_same(ours, zm.solve(graph, objective, solver="retrograde"))
            assert ours.stats["partitions"] == partitions
            for name in totals:
                totals[name] += ours.stats[name]
    assert list(tmp_path.iterdir()) == []
    assert worker._RUNS == {}
    assert (totals["rebuilt"] > 0) == (
        fault is not None and (partitions > 1 or fault is not lose_files)
    )
    assert (totals["recovered"] > 0) == (fault in (lose_files, both) and partitions > 1)


@pytest.mark.slow
def test_a_driver_goes_on_from_any_order(monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0)
    rng = np.random.default_rng(3)
    graph = zm.Graph.from_arrays(rng.integers(0, 60, 84), rng.integers(0, 60, 84), 60)
    objective = zm.TerminalPayoff(rng.integers(-2, 3, 60), infinite=1)
    wanted, counts = zm.solve(graph, objective, solver="retrograde"), []

    def count(bench, order):
        counts.append(order)

    solve(graph, objective, tmp_path, count, snapshot_layers=2)
    assert len(counts) > 30
    resumed = 0
    for stop in range(1, len(counts), 11):

        def end(bench, order, stop=stop):
            if bench.orders == stop:
                raise Stop

        with pytest.raises(Stop):
            solve(graph, objective, tmp_path, end, snapshot_layers=2)
        worker._RUNS.clear()
        ours = solve(graph, objective, tmp_path)
        assert_same(ours, wanted)
        resumed += ours.stats["resumed"]
        assert list(tmp_path.iterdir()) == []
    assert resumed > len(counts) // 22


def test_a_step_that_is_asked_for_twice_is_taken_once(tmp_path):
    graph = random_graph(np.random.default_rng(1), 30, owned=False)

    class Twice(Bench):
        def perform(self, orders, homes):
            first = super().perform(orders, homes)
            second = super().perform(orders, homes)
            for order, a, b in zip(orders, first, second, strict=True):
                assert not isinstance(order.work, Step) or a == b
            return second

    form = form_on(zm.NormalPlay(), graph)
    source = GraphSource(graph, form)
    with open_job(source, 3, tmp_path) as job:
        record, _ = prepared(job, source, Budget(1), 3, None)
        executor = ClusterExecutor(job, record, Twice(), Budget(1))
        layers = run(source.terms, executor)
        ours = solution_of(graph, zm.NormalPlay(), form, executor, "dask", layers)
        executor.close()
    assert_same(ours, zm.solve(graph))


def test_messages_that_nobody_can_read_end_the_job(monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0)
    monkeypatch.setattr(messages, "MAX_REPAIRED_BYTES", 0)
    graph = random_graph(np.random.default_rng(1), 40, owned=False)

    def lose_all(bench, order):
        for path in bench.job.directory.glob("messages-*"):
            path.unlink()

    with pytest.raises(JobError, match="the workers cannot read the messages"):
        solve(graph, zm.NormalPlay(), tmp_path, lose_all)


def test_many_messages_are_followed_by_a_snapshot(monkeypatch, tmp_path):
    from zermelo.engines.cluster import stepping_driver

    graph = random_graph(np.random.default_rng(1), 40, owned=False)
    assert solve(graph, zm.NormalPlay(), tmp_path).stats["snapshots"] == 1
    monkeypatch.setattr(stepping_driver, "MAX_HELD_BYTES", 1)
    ours = solve(graph, zm.NormalPlay(), tmp_path)
    assert ours.stats["snapshots"] == ours.stats["layers"]
    assert_same(ours, zm.solve(graph))


def test_machines_with_other_paths(monkeypatch, tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "mounted").symlink_to("files")
    monkeypatch.setenv(worker.WORKDIR, str(tmp_path / "mounted"))
    graph = random_graph(np.random.default_rng(1), 40, owned=False)
    places = set()

    class Elsewhere(Bench):
        def perform(self, orders, homes):
            outcomes = super().perform(
                [o._replace(info=o.info._replace(workdir="/not/here")) for o in orders], homes
            )
            places.add(str(worker._RUNS[self.run].job.directory.parent))
            return outcomes

    form = form_on(zm.NormalPlay(), graph)
    source = GraphSource(graph, form)
    with open_job(source, 2, tmp_path / "files") as job:
        record, _ = prepared(job, source, Budget(1), 2, None)
        executor = ClusterExecutor(job, record, Elsewhere(), Budget(1))
        layers = run(source.terms, executor)
        ours = solution_of(graph, zm.NormalPlay(), form, executor, "dask", layers)
        monkeypatch.setenv(worker.WORKDIR, str(tmp_path))
        worker._RUNS.clear()
        with pytest.raises(JobError, match=r"does not see the files of the job.*ZERMELO_WORKDIR"):
            executor.connection.perform([executor.task(0, Snapshot(9))], [])
        executor.close()
    assert_same(ours, zm.solve(graph))
    assert places == {str(tmp_path / "mounted")}


def test_workers_forget_runs_whose_driver_has_ended(tmp_path):
    graph = random_graph(np.random.default_rng(1), 20, owned=False)

    def end(bench, order):
        if bench.orders == 4:
            os.unlink(bench.job.path(worker.token(bench.run)))
            bench.forget = lambda run: None  # as if the driver had been killed
            raise Stop

    with pytest.raises(Stop):
        solve(graph, zm.NormalPlay(), tmp_path, end)
    assert len(worker._RUNS) == 1
    solve(graph, zm.Misere(), tmp_path)
    assert worker._RUNS == {}
