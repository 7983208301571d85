"""A job survives what may happen to it, and says in one sentence what it cannot survive."""

import os
import resource
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import zermelo as zm
from zermelo.engines.jobs.records import JOURNAL, MANIFEST
from zermelo.engines.moves.source import GraphSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.partitions.solve import open_job, solve_on_disk
from zermelo.errors import DiskError, JobError
from zermelo.objectives.terminal_form import form_on

TINY = Budget(1)
"""No message stays in memory, and one partition is mapped at a time."""


class Stop(BaseException):
    """What ends a run in these tests; the files are as a killed process leaves them."""


def example(seed=0, n=60):
    rng = np.random.default_rng(seed)
    m = int(1.4 * n)
    graph = zm.Graph.from_arrays(rng.integers(0, n, m), rng.integers(0, n, m), n)
    return graph, zm.TerminalPayoff(rng.integers(-2, 3, n), infinite=1)


def run(graph, objective, folder, **options):
    return solve_on_disk(graph, objective, partitions=3, workdir=folder, **options)


def assert_same(ours, graph, objective):
    wanted = zm.solve(graph, objective, solver="retrograde")
    assert ours.level.tobytes() == wanted.level.tobytes()
    assert ours.distance.tobytes() == wanted.distance.tobytes()


def stop_after(monkeypatch, layers):
    """Let the executor stop at the end of that many layers."""
    ends, count = DiskExecutor.end_layer, [0]

    def end_layer(self, moment):
        ends(self, moment)
        count[0] += 1
        if count[0] == layers:
            raise Stop

    monkeypatch.setattr(DiskExecutor, "end_layer", end_layer)


@pytest.mark.slow
def test_it_goes_on_from_any_layer(monkeypatch, tmp_path):
    graph, objective = example()
    layers = run(graph, objective, tmp_path).stats["layers"]
    assert layers > 8
    for stop in range(1, layers + 1):
        with monkeypatch.context() as patch:
            stop_after(patch, stop)
            with pytest.raises(Stop):
                run(graph, objective, tmp_path, memory=TINY, snapshot_layers=2)
        ours = run(graph, objective, tmp_path, memory=TINY)
        assert ours.stats["resumed"] == (stop >= 2)
        assert_same(ours, graph, objective)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("moment", ["end_layer", "run", "snapshot", "begin", "_make_ready"])
def test_it_goes_on_after_kill(moment, tmp_path):
    graph, objective = example(3)
    zm.write((graph, objective), tmp_path / "game.json")
    (tmp_path / "files").mkdir()
    code = f"""
        import os, signal, sys
        import zermelo as zm
        from zermelo.engines.partitions.disk import DiskExecutor
        from zermelo.engines.partitions.solve import solve_on_disk

        kept, count = DiskExecutor.{moment}, [0]
        def killed(self, *given):
            count[0] += 1
            if count[0] == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return kept(self, *given)
        DiskExecutor.{moment} = killed
        graph, objective = zm.read(sys.argv[1])
        solve_on_disk(graph, objective, partitions=3, workdir=sys.argv[2], snapshot_layers=1)
    """
    arguments = [sys.executable, "-c", textwrap.dedent(code), tmp_path / "game.json"]
    done = subprocess.run([*arguments, tmp_path / "files"], check=False)
    assert done.returncode == -9
    assert list((tmp_path / "files").iterdir())
    assert_same(run(graph, objective, tmp_path / "files"), graph, objective)
    assert list((tmp_path / "files").iterdir()) == []


@pytest.mark.parametrize("fault", ["lost", "changed", "cut"])
def test_messages_are_computed_again(fault, monkeypatch, tmp_path):
    graph, objective = example(1)
    ends, hurt = DiskExecutor.end_layer, [0]

    def end_layer(self, moment):
        ends(self, moment)
        for path in self.job.directory.glob("messages-*"):
            hurt[0] += 1
            if fault == "lost":
                path.unlink()
            elif fault == "cut":
                os.truncate(path, path.stat().st_size - 1)
            else:
                content = bytearray(path.read_bytes())
                content[len(content) // 2] ^= 1
                path.write_bytes(content)

    monkeypatch.setattr(DiskExecutor, "end_layer", end_layer)
    ours = run(graph, objective, tmp_path, memory=TINY)
    assert_same(ours, graph, objective)
    assert ours.stats["recovered"] >= hurt[0] > 8
    assert ours.stats["spilled"] > 0


def test_a_second_driver_is_refused(tmp_path):
    graph, objective = example()
    with (
        open_job(GraphSource(graph, form_on(objective, graph)), 3, tmp_path),
        pytest.raises(JobError, match="another process is running this job"),
    ):
        run(graph, objective, tmp_path)
    assert_same(run(graph, objective, tmp_path), graph, objective)


def test_another_game_in_the_same_directory_is_refused(tmp_path):
    graph, objective = example()
    with open_job(GraphSource(graph, form_on(objective, graph)), 3, tmp_path) as job:
        job.identity["game"], ours = "another", job.identity["game"]
        job.save(MANIFEST, {})
        job.identity["game"] = ours
        with pytest.raises(JobError, match="begun with another game"):
            job.record(MANIFEST)


def test_damaged_files_are_noticed(monkeypatch, tmp_path):
    graph, objective = example()
    with monkeypatch.context() as patch:
        stop_after(patch, 5)
        with pytest.raises(Stop):
            run(graph, objective, tmp_path, snapshot_layers=1)
    (folder,) = tmp_path.iterdir()
    files = sorted(
        p for p in folder.iterdir() if p.name.split("-")[0] != "work" and p.stat().st_size
    )
    kinds = {path.name.split("-")[0].split(".")[0] for path in files}
    assert kinds >= {"manifest", "journal", "state", "moves", "ends"}
    for path in files:
        if path.name.startswith(("start-", "lock", "messages")):
            continue  # the first states are not needed any more
        content = path.read_bytes()
        for hurt in (content[:-1], content[:-1] + bytes([content[-1] ^ 1]), None):
            if hurt is None and path.name in (MANIFEST, JOURNAL):
                continue  # then the job begins again
            path.unlink() if hurt is None else path.write_bytes(hurt)
            with pytest.raises(JobError, match="remove the directory to begin again"):
                run(graph, objective, tmp_path)
        path.write_bytes(content)
    assert_same(run(graph, objective, tmp_path), graph, objective)


def test_a_full_disk_is_one_sentence(tmp_path):
    graph, _ = example(n=4000)
    zm.write(graph, tmp_path / "game.npz")
    (tmp_path / "files").mkdir()
    done = subprocess.run(
        [sys.executable, "-B", "-m", "zermelo", "solve", "game.npz", "--engine", "disk",
         "--workdir", "files", "--limit", "1"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("zermelo: ")
    assert "could not be written: file too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list((tmp_path / "files").iterdir()) == []  # nothing is worth keeping


def test_a_disk_that_becomes_full_later(monkeypatch, tmp_path):
    graph, objective = example()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full)
        with pytest.raises(DiskError, match="no space left on device"):
            run(graph, objective, tmp_path)
    assert_same(run(graph, objective, tmp_path), graph, objective)
    assert list(tmp_path.iterdir()) == []
