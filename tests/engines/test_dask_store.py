"""A real cluster whose machines share no directory, only a store of objects."""

import os
import re
import subprocess
import sys
import textwrap

import fsspec
import numpy as np
import pytest
from click.testing import CliRunner
from tests.limits import HANG
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.solve import solve_on_cluster
from zermelo.engines.jobs import lease
from zermelo.errors import JobError, StoreError
from zermelo.rules.compiled import OPEN

from . import object_store
from .clusters import Cluster
from .test_identity import assert_same, objectives, random_graph

pytestmark = pytest.mark.cluster

URL = "objects://bucket/jobs"

DRIVER = """
    import sys
    import zermelo as zm
    from zermelo.engines.cluster.solve import solve_on_cluster

    graph, objective = zm.read(sys.argv[1])
    solve_on_cluster(graph, objective, scheduler=sys.argv[2], partitions=3, workdir=sys.argv[3],
                     snapshot_layers=2)
"""


@pytest.fixture(scope="module")
def variables(tmp_path_factory):
    """The environment of all processes of the cluster."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "package").mkdir()
    return {
        "OBJECTS": object_store.start(folder / "objects"),
        "PYTHONPATH": object_store.install(folder / "package"),
    }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, variables):
    made = Cluster(tmp_path_factory.mktemp("cluster"), mail=0)
    try:
        made.start_scheduler()
        for _ in range(2):
            made.start_worker(**variables)
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def client(cluster):
    from distributed import Client

    with Client(cluster.address, set_as_default=False, timeout=HANG) as made:
        made.wait_for_workers(2, timeout=HANG)
        yield made


@pytest.fixture(autouse=True)
def driver(variables, monkeypatch, tmp_path):
    """This process is a driver that shares nothing but the store with the workers."""
    monkeypatch.setattr(lease, "SETTLE_SECONDS", 0.0)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setenv("OBJECTS", variables["OBJECTS"])
    fsspec.register_implementation("objects", object_store.ObjectStore, clobber=True)
    object_store.change("", os.unlink)  # what a test that failed has left
    yield
    assert os.listdir(tmp_path / "scratch") == []


@pytest.fixture(scope="module")
def game():
    rng = np.random.default_rng(3)
    graph = zm.Graph.from_arrays(rng.integers(0, 60, 84), rng.integers(0, 60, 84), 60)
    objective = zm.TerminalPayoff(rng.integers(-2, 3, 60), infinite=1)
    return graph, objective, zm.solve(graph, objective, solver="retrograde")


def copies(cluster):
    """What jobs have left in the directories of the workers."""
    return list((cluster.folder / "scratch").rglob("zermelo-*"))


def solve(cluster, game, scheduler=None, **options):
    """Solve the game, and compare with the solver in memory."""
    graph, objective, wanted = game
    scheduler = cluster.address if scheduler is None else scheduler
    ours = solve_on_cluster(
        graph, objective, scheduler=scheduler, partitions=3, workdir=URL, **options
    )
    assert_same(ours, wanted)
    assert object_store.names() == []
    assert list(cluster.traps.glob("*@*")) == []
    return ours.stats


def start_driver(cluster, game, folder, variables):
    zm.write(game[:2], folder / "game.json")
    environment = {**os.environ, **variables, "TMPDIR": str(folder / "scratch")}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(DRIVER), str(folder / "game.json"),
         cluster.address, URL],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def test_random_graphs(cluster, client, tmp_path):
    rng = np.random.default_rng(11)
    (tmp_path / "files").mkdir()
    for k, url in enumerate([URL, (tmp_path / "files").as_uri()]):
        graph = random_graph(rng, 30, owned=bool(k))
        for objective in objectives(rng, graph):
            ours = solve_on_cluster(
                graph, objective, scheduler=client, partitions=[3, 2][k], workdir=url,
                snapshot_layers=[None, 2][k],
            )  # fmt: skip
            assert_same(ours, zm.solve(graph, objective, solver="retrograde"))
            assert (ours.stats["rebuilt"], ours.stats["workers"]) == (0, 2)
            assert ours.stats["copied_bytes"] > 0
    assert os.listdir(tmp_path / "files") == []
    assert object_store.names() == []
    assert copies(cluster) == []


def test_a_table(cluster, client, tmp_path):
    given = random_game(np.random.default_rng(5), 60, twins=4, degree=3.0)
    given["ends"][0] = given["ends"][1] = OPEN
    rules = arrays("ends", "twins", **given)
    zm.build(rules, tmp_path / "memory.zt", check=False).close()
    options = {"engine": "dask", "scheduler": client, "partitions": 3, "workdir": URL}
    zm.build(rules, tmp_path / "dask.zt", check=False, **options).close()
    assert (tmp_path / "dask.zt").read_bytes() == (tmp_path / "memory.zt").read_bytes()
    for moment in ("visit-1", "deal-0", "sort-1"):
        cluster.set_trap("lose", moment)
    zm.build(rules, tmp_path / "again.zt", check=False, **options).close()
    assert (tmp_path / "again.zt").read_bytes() == (tmp_path / "memory.zt").read_bytes()
    assert list(cluster.traps.glob("*@*")) == []
    assert object_store.names() == []
    assert copies(cluster) == []


def test_the_command(cluster, client, tmp_path):
    graph = random_graph(np.random.default_rng(7), 90, owned=False)
    zm.write(graph, tmp_path / "game.npz")

    def run(*arguments, status=0):
        done = CliRunner().invoke(cli, arguments, prog_name="zermelo")
        assert done.exit_code == status, done.output
        return done

    file, options = str(tmp_path / "game.npz"), ("--engine", "dask", "--scheduler", cluster.address)
    wanted = run("solve", file).stdout
    assert run("solve", file, *options, "--workdir", URL).stdout == wanted
    given, solved = "objects://bucket/game", "objects://bucket/solved"
    run("convert", file, given, "--shards", "3")
    run("solve", given, "-o", solved, *options)  # the files of the job are at objects://bucket
    assert zm.ShardedSolution(solved).array("move").tobytes() == zm.solve(graph).move.tobytes()
    assert " holds: it solves " in run("verify", given, solved).stdout
    left = object_store.names()
    assert [name.split("/")[1] for name in left] == ["game"] * 4 + ["solved"] * 4, left
    assert object_store.change("", os.unlink) == 8
    assert copies(cluster) == []


def test_orders_that_are_carried_out_twice(cluster, client, game, monkeypatch, tmp_path):
    """A cluster that loses an outcome repeats the order; nobody reports the first files."""
    submit, repeated = Connection._submit, set()

    def submit_twice(connection, task, workers):
        submit(connection, task, workers).result(HANG)
        repeated.add(re.match("[a-z]+-[a-z]+", task.title)[0])
        return submit(connection, task, workers)

    monkeypatch.setattr(Connection, "_submit", submit_twice)
    solve(cluster, game, client, snapshot_layers=2)
    given = random_game(np.random.default_rng(5), 60, twins=4, degree=3.0)
    given["ends"][0] = given["ends"][1] = OPEN
    rules = arrays("ends", "twins", **given)
    options = {"engine": "dask", "scheduler": client, "partitions": 3, "workdir": URL}
    zm.build(rules, tmp_path / "dask.zt", check=False, **options).close()
    assert object_store.names() == []
    assert {
        "explore-step",
        "prepare-deal",
        "prepare-sort",
        "solve-step",
        "solve-snapshot",
    } <= repeated


def test_lost_messages_and_killed_workers(cluster, client, game, variables):
    for number in range(1, 9):
        cluster.set_trap("lose", number)
    assert solve(cluster, game, client)["recovered"] > 0
    assert "x" in (cluster.traps / "lost").read_text()
    cluster.set_trap("worker", 2)
    cluster.set_trap("worker", 4)
    cluster.start_worker(**variables)
    cluster.start_worker(**variables)
    assert solve(cluster, game)["rebuilt"] > 0


def test_a_killed_driver(cluster, game, variables, monkeypatch, tmp_path):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1e9)
    driver = start_driver(cluster, game, tmp_path, variables)
    cluster.set_trap("kill", 4, driver.pid)
    assert driver.wait(HANG) == -9
    driver.communicate()
    assert "bucket/jobs" in object_store.names()[0]
    assert os.listdir(tmp_path / "scratch") != []
    assert solve(cluster, game)["resumed"]


def test_a_second_driver_is_refused(cluster, client, game, variables, tmp_path):
    graph, objective, _ = game
    errors = []

    def progress(done, total, stage):
        if not errors:
            errors.append("")
            driver = start_driver(cluster, game, tmp_path, variables)
            errors[0] = driver.communicate(timeout=HANG)[1]

    solve_on_cluster(graph, objective, progress, scheduler=client, partitions=3, workdir=URL)
    assert "JobError: objects://bucket/jobs/zermelo-" in errors[0]
    assert "another process is running this job" in errors[0]
    assert object_store.names() == []


def test_a_store_that_fails(cluster, client, game, variables):
    faults = object_store.folder() / "faults"
    failed = []

    def fail_sometimes(done, total, stage):
        if stage == "settled" and len(failed) < 6:
            failed.append(stage)
            (faults / "put-1").touch()
            (faults / "get-1").touch()

    solve(cluster, game, client, progress=fail_sometimes)
    assert len(failed) == 6

    def fail(done, total, stage):
        if stage == "settled":
            (faults / "put").touch()

    graph, objective, _ = game
    with pytest.raises(
        StoreError, match=r"messages-\S+: the filesystem refused this, 4 times: 503"
    ):
        solve_on_cluster(graph, objective, fail, scheduler=client, partitions=3, workdir=URL)
    (faults / "put").unlink()
    solve(cluster, game, client)


def test_a_filesystem_that_the_workers_do_not_see(client, game):
    graph, objective, _ = game
    with pytest.raises(JobError, match=r"this worker does not see the directory memory://jobs/z"):
        solve_on_cluster(graph, objective, scheduler=client, workdir="memory://jobs")
