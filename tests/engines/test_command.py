"""The command solves from disk, makes shards, and solves them."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.engines.shard_solution import ShardedSolution


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def call(*args, status=0):
        done = CliRunner().invoke(cli, [str(x) for x in args], prog_name="zermelo")
        assert done.exit_code == status, done.output
        return done

    return call


@pytest.fixture
def graph(tmp_path):
    rng = np.random.default_rng(0)
    made = zm.Graph.from_arrays(rng.integers(0, 80, 160), rng.integers(0, 99, 160), 99)
    zm.write(made, tmp_path / "game.npz")
    return made


def test_an_engine_of_the_command(run, graph):
    wanted = run("solve", "game.npz").stdout
    for partitions in (1, 3):
        options = ("--engine", "disk", "--memory", "100MB", "--partitions", partitions)
        assert run("solve", "game.npz", *options, "--workdir", ".").stdout == wanted
    message = run("solve", "game.npz", "--engine", "disk", "--memory", "much", status=2).stderr
    assert message.startswith("zermelo: memory: expected a size such as 8G or 500M")
    message = run("solve", "game.npz", "--engine", "tape", status=2).stderr
    assert "memory, disk" in message


def test_shards_of_the_command(run, graph, tmp_path):
    run("convert", "game.npz", "shards/", "--shards", 3)
    run("convert", "game.npz", "columns", "--shards", 2, "--to", "parquet")
    assert len(list((tmp_path / "shards").glob("*.npz"))) == 3
    assert len(list((tmp_path / "columns").glob("*.parquet"))) == 2
    solution = zm.solve(graph)
    wins = f"win\t{int((solution.label == 1).sum())}"
    for folder in ("shards", "columns"):
        assert wins in run("solve", folder, "-o", f"{folder}-out", "--partitions", 2).stdout
        ours = ShardedSolution(tmp_path / f"{folder}-out")
        assert ours.array("move").tobytes() == solution.move.tobytes()
    # In memory the shards are a game like every other.
    assert (
        run("solve", "shards", "--limit", 5).stdout == run("solve", "game.npz", "--limit", 5).stdout
    )
    assert "99" in run("info", "shards").stdout
    run("convert", "shards", "again.npz")
    assert zm.read("again.npz").graph.digest == graph.digest
    answer = run("solve", "shards", "-o", "misere", "--objective", "misere", "--json").stdout
    assert json.loads(answer)["win"] == int((zm.solve(graph, zm.Misere()).label == 1).sum())


def test_what_shards_refuse_on_the_command_line(run, graph, tmp_path):
    run("convert", "game.npz", "shards/")
    for options, message in (
        (("--start", "1"), "--start is for solutions in memory"),
        (("--objective", "reach:1"), "has the data of its objective in the shards"),
        (("--engine", "memory"), "--engine disk"),
        (("--solver", "fraenkel-levy"), "retrograde"),
    ):
        assert message in run("solve", "shards", "-o", "out", *options, status=2).stderr
    assert "a new or an empty directory" in run("convert", "game.npz", "shards/", status=2).stderr
    assert "new or an empty" in run("solve", "shards", "-o", "shards", status=2).stderr
    assert "npz or parquet" in run("convert", "game.npz", "x/", "--to", "dot", status=2).stderr
    assert "--force is for files" in run("convert", "game.npz", "x/", "--force", status=2).stderr
    (tmp_path / "shards" / "part-00000.npz").unlink()
    assert "part-00000.npz" in run("solve", "shards", "-o", "out", status=2).stderr
    assert not (tmp_path / "out").exists()
