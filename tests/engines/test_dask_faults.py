"""A job on a real cluster survives the end of workers, drivers and schedulers."""

import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from tests.limits import HANG

import zermelo as zm
from zermelo.engines.cluster.solve import solve_on_cluster
from zermelo.engines.moves.source import GraphSource
from zermelo.engines.partitions.solve import open_job
from zermelo.objectives.terminal_form import form_on

from .clusters import Cluster
from .test_identity import assert_same

pytestmark = pytest.mark.cluster

DRIVER = """
    import sys
    import zermelo as zm
    from zermelo.engines.cluster.solve import solve_on_cluster

    graph, objective = zm.read(sys.argv[1])
    solve_on_cluster(graph, objective, scheduler=sys.argv[2], partitions=3, workdir=sys.argv[3],
                     snapshot_layers=2)
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"), mail=0)
    try:
        made.start_scheduler()
        made.start_worker()
        made.start_worker(nanny=True)
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def game():
    rng = np.random.default_rng(3)
    graph = zm.Graph.from_arrays(rng.integers(0, 60, 84), rng.integers(0, 60, 84), 60)
    objective = zm.TerminalPayoff(rng.integers(-2, 3, 60), infinite=1)
    return graph, objective, zm.solve(graph, objective, solver="retrograde")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "files"
    made.mkdir()
    return made


def solve(cluster, game, folder, **options):
    """Solve the game, and compare with the solver in memory."""
    graph, objective, wanted = game
    ours = solve_on_cluster(
        graph, objective, scheduler=cluster.address, partitions=3, workdir=folder, **options
    )
    assert_same(ours, wanted)
    assert list(folder.iterdir()) == []
    assert list(cluster.traps.glob("*@*")) == []
    return ours.stats


def start_driver(cluster, game, folder):
    zm.write(game[:2], folder.parent / "game.json")
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(DRIVER), str(folder.parent / "game.json"),
         cluster.address, str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def command(cluster, game, folder):
    zm.write(game[:2], folder.parent / "game.json")
    return subprocess.run(
        [sys.executable, "-m", "zermelo", "solve", str(folder.parent / "game.json"), "--engine",
         "dask", "--scheduler", cluster.address, "--partitions", "3", "--workdir", str(folder)],
        capture_output=True, text=True, timeout=HANG, check=False,
    )  # fmt: skip


def sentence(done):
    """The only line of an error message."""
    assert done.returncode == 2
    assert done.stderr.startswith("zermelo: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("snapshot_layers", [None, 2])
def test_lost_messages(snapshot_layers, cluster, game, folder):
    for number in range(1, 9):
        cluster.set_trap("lose", number)
    stats = solve(cluster, game, folder, snapshot_layers=snapshot_layers)
    assert "x" in (cluster.traps / "lost").read_text()
    assert stats["recovered"] > 0


def test_killed_workers(cluster, game, folder):
    cluster.set_trap("worker", 2)
    cluster.set_trap("worker", 4)
    stats = solve(cluster, game, folder)
    assert stats["rebuilt"] > 0
    while sum(process.poll() is None for process in cluster.processes) < 3:
        cluster.start_worker()
    assert solve(cluster, game, folder)["rebuilt"] == 0


def test_a_killed_driver(cluster, game, folder):
    driver = start_driver(cluster, game, folder)
    cluster.set_trap("kill", 4, driver.pid)
    assert driver.wait(HANG) == -9
    driver.communicate()
    assert list(folder.iterdir()) != []
    assert solve(cluster, game, folder)["resumed"]


def test_a_second_driver_is_refused(cluster, game, folder):
    graph, objective, _ = game
    with open_job(GraphSource(graph, form_on(objective, graph)), 3, folder):
        assert "another process is running this job" in sentence(command(cluster, game, folder))
    solve(cluster, game, folder)


def test_a_full_file_system(cluster, game, folder):
    """A small file system of its own where this is allowed; else a limit for the size of files."""
    size = "size=400k"
    mounted = (
        shutil.which("mount") is not None
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)],
            capture_output=True,
            check=False,
        ).returncode
    )
    try:
        cluster.set_trap("fill" if mounted else "limit", 3)
        message = sentence(command(cluster, game, folder))
        assert "a file of the job could not be written" in message
        assert ("no space left" if mounted else "file too large") in message
        (folder / "filler").unlink(missing_ok=True)
        solve(cluster, game, folder)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_killed_scheduler(cluster, game, folder):
    """The last test, because it ends the cluster."""
    cluster.set_trap("kill", 3, cluster.scheduler.pid)
    message = sentence(command(cluster, game, folder))
    assert "the scheduler ended, or cannot be reached any more" in message
    cluster.scheduler.wait(HANG)
    cluster.start_scheduler()
    for _ in range(2):
        cluster.start_worker()
    driver = start_driver(cluster, game, folder)
    cluster.set_trap("kill", 4, cluster.scheduler.pid)
    _, errors = driver.communicate(timeout=HANG)
    assert driver.returncode == 1
    assert "JobError" in errors
    assert os.listdir(folder) != []  # there was a snapshot
    cluster.scheduler.wait(HANG)
    cluster.start_scheduler()
    cluster.start_worker()
    assert solve(cluster, game, folder)["resumed"]
