"""A real cluster, with a scheduler and two workers, gives the bytes of the solver in memory."""

import contextlib
import os
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from click.testing import CliRunner
from tests.limits import HANG

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.engines.cluster import connection
from zermelo.engines.cluster.solve import solve_on_cluster
from zermelo.errors import InvalidOptionError, JobError, MemoryLimitError, MissingDependencyError

from .clusters import Cluster
from .test_identity import assert_same, objectives, random_graph

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"), mail=2000)
    try:
        made.start_scheduler()
        for _ in range(2):
            made.start_worker()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def client(cluster):
    from distributed import Client

    with Client(cluster.address, set_as_default=False, timeout=HANG) as made:
        made.wait_for_workers(2, timeout=HANG)
        yield made


@pytest.mark.parametrize("partitions", [1, 2, 3, 7])
def test_random_graphs(partitions, client, tmp_path):
    rng = np.random.default_rng(partitions)
    workers = set()
    for k in range(3):
        graph = random_graph(rng, int(rng.integers(1, 40)), owned=bool(k % 2))
        for objective in objectives(rng, graph):
            ours = solve_on_cluster(
                graph, objective, scheduler=client, partitions=partitions, workdir=tmp_path,
                snapshot_layers=[None, 2, 5][k],
            )  # fmt: skip
            assert_same(ours, zm.solve(graph, objective, solver="retrograde"))
            assert (ours.stats["engine"], ours.stats["partitions"]) == ("dask", partitions)
            assert ours.stats["rebuilt"] == 0
            workers.add(ours.stats["workers"])
    assert list(tmp_path.iterdir()) == []
    assert max(workers) == min(2, partitions)


def test_large_messages_travel_in_files(client, tmp_path):
    rng = np.random.default_rng(0)
    n = 4000
    graph = zm.Graph.from_arrays(rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n), n)
    seen = set()

    def progress(done, total, stage):
        seen.update(path.name.split("-")[0] for path in tmp_path.glob("*/*"))
        assert 0 <= done <= total

    ours = solve_on_cluster(graph, zm.NormalPlay(), progress, scheduler=client, workdir=tmp_path)
    assert_same(ours, zm.solve(graph))
    assert ours.stats["partitions"] == 2  # as many as there are threads
    assert "messages" in seen
    assert ours.stats["messages"] > ours.stats["combined"] > 0
    assert ours.stats["message_bytes"] > 5 * ours.stats["combined"]


def test_the_command(cluster, client, monkeypatch, tmp_path):
    graph = random_graph(np.random.default_rng(7), 90, owned=False)
    zm.write(graph, tmp_path / "game.npz")
    (tmp_path / "files").mkdir()
    monkeypatch.chdir(tmp_path)

    def run(*options, status=0):
        done = CliRunner().invoke(cli, ["solve", "game.npz", *options], prog_name="zermelo")
        assert done.exit_code == status, done.output
        return done

    wanted = run().stdout
    options = ("--engine", "dask", "--scheduler", cluster.address, "--workdir", "files")
    assert run(*options).stdout == wanted
    assert run(*options, "--partitions", "3").stdout == wanted
    assert os.listdir("files") == []
    zm.Shards.write(zm.Game(graph), "shards", shards=3)
    arguments = ["solve", "shards", "-o", "solved", *options, "--partitions", "3"]
    done = CliRunner().invoke(cli, arguments, prog_name="zermelo")
    assert done.exit_code == 0, done.output
    moves = zm.ShardedSolution("solved").array("move")
    assert moves.tobytes() == zm.solve(graph).move.tobytes()
    assert os.listdir("files") == []
    monkeypatch.setattr(connection, "CONNECT_SECONDS", "1s")
    message = run("--engine", "dask", "--scheduler", "tcp://127.0.0.1:9", status=2).stderr
    assert message.startswith("zermelo: scheduler: nothing answers at tcp://127.0.0.1:9; start")
    assert message.count("\n") == 1
    message = run("--engine", "dask", "--scheduler", "tcp://node3:8786", status=2).stderr
    assert "--workdir" in message
    message = run("--engine", "disk", "--scheduler", cluster.address, status=2).stderr
    assert "the engine 'dask' does" in message


def test_what_is_refused(cluster, client, monkeypatch, tmp_path):
    graph = random_graph(np.random.default_rng(7), 30, owned=False)

    def solve(**options):
        options = {"scheduler": client, "workdir": tmp_path, **options}
        return zm.solve(graph, engine="dask", **options)

    for wrong in (3, b"tcp://127.0.0.1:9", ["tcp://127.0.0.1:9"], True):
        with pytest.raises(InvalidOptionError, match="scheduler: expected an address"):
            solve(scheduler=wrong)
    with pytest.raises(InvalidOptionError, match="scheduler: expected an address"):
        solve(scheduler="carrier-pigeon://127.0.0.1:9")
    with pytest.raises(InvalidOptionError, match="memory: expected a size"):
        solve(memory="lots")
    with pytest.raises(InvalidOptionError, match="workdir: expected a directory"):
        solve(workdir=tmp_path / "nothing")
    with monkeypatch.context() as patch:
        patch.setattr(connection, "__version__", "0.0.1")
        with pytest.raises(JobError, match=r"this worker has zermelo .* the driver has 0\.0\.1"):
            solve()
    with monkeypatch.context() as patch:
        version = zm.__version__
        patch.setattr(connection, "describe", lambda *_, **__: (version, True, 10))
        with pytest.raises(MemoryLimitError, match="the 2 workers have"):
            solve(partitions=1)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "distributed", None)
        with pytest.raises(MissingDependencyError, match=r"pip install 'zermelo\[cluster\]'"):
            solve(scheduler=None)
    assert list(tmp_path.iterdir()) == []
    solve()


def test_a_worker_that_does_not_see_the_files(cluster, client, tmp_path):
    graph = random_graph(np.random.default_rng(7), 30, owned=False)
    process = cluster.start_worker(ZERMELO_WORKDIR=str(tmp_path / "elsewhere"))
    client.wait_for_workers(3, timeout=HANG)
    try:
        with pytest.raises(JobError, match=r"does not see the directory .*ZERMELO_WORKDIR"):
            zm.solve(graph, engine="dask", scheduler=client, workdir=tmp_path)
    finally:
        process.kill()
        process.wait(HANG)
    assert list(tmp_path.iterdir()) == []


def test_a_local_cluster_ends_with_its_job(tmp_path):
    """In a script without a guard for its main program; then again, and the driver is killed."""
    code = """
        import os, signal, sys
        import zermelo as zm
        graph = zm.Graph.from_arrays(range(99), range(1, 100), 100)
        def progress(done, total, stage):
            if stage == "settled" and sys.argv[1] == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
        ours = zm.solve(graph, engine="dask", partitions=3, progress=progress)
        print(ours.distance.tolist() == list(range(99, -1, -1)), ours.stats["workers"])
    """
    environment = {**os.environ, "TMPDIR": str(tmp_path), "ZERMELO_THREADS": "2"}
    for end, status, output in (("killed", -9, ""), ("alive", 0, "True")):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), end], env=environment,
            capture_output=True, text=True, timeout=HANG, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        assert done.stdout.startswith(output)
    assert done.stderr == ""
    assert [path for path in tmp_path.iterdir() if path.name.startswith("zermelo-")] == []

    def left():
        for process in psutil.process_iter():
            try:
                if process.environ().get("TMPDIR") == str(tmp_path):
                    yield process
            except psutil.Error:
                continue

    _, alive = psutil.wait_procs(list(left()), timeout=HANG)
    assert alive == []


class SlowNews:
    """A client that hears of the state of its orders later than it can ask the scheduler."""

    status = "running"
    scheduler = SimpleNamespace(address="tcp://nowhere")

    def __init__(self, assigned):
        self.assigned, self.looks, self.sent = assigned, 0, []

    def wait_for_workers(self, count, timeout):
        assert count == 1

    def as_current(self):
        return contextlib.nullcontext()

    def nthreads(self):
        return {"worker": 1}

    def submit(self, function, order, key, **options):
        self.sent.append(SimpleNamespace(key=key, status="pending", function=function, order=order))
        return self.sent[-1]

    def processing(self):
        self.looks += 1
        return {"worker": [self.sent[k].key for k in self.assigned(self.looks)]}

    def gather(self, futures):
        return [future.function(future.order) for future in futures]


@pytest.mark.parametrize(
    ("assigned", "ended", "sent"),
    [
        (lambda look: [], 2, 2),  # both orders were carried out, and the news is on its way
        (lambda look: [[], [0, 1], []][look - 1], 3, 2),  # they were sent just now, and so on
        (lambda look: [1], 4, 2),  # while a worker has one, the other waits for it
        (lambda look: [] if look < 3 else [2, 3], 4, 4),  # the scheduler gives them to nobody
    ],
)
def test_orders_are_sent_again_only_if_nobody_has_them(monkeypatch, assigned, ended, sent):
    client = SlowNews(assigned)

    def wait(futures, timeout):
        if client.looks + 1 < ended:
            raise TimeoutError
        for future in futures:
            future.status = "finished"

    monkeypatch.setattr("distributed.wait", wait)
    orders = [SimpleNamespace(partition=q, title="", run="") for q in range(2)]
    monkeypatch.setattr(connection, "perform", lambda task: task)
    found = connection.Connection(client).perform(orders, ["worker"] * 2)
    assert found == orders
    assert len(client.sent) == sent
