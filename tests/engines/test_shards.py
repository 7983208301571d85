"""Games in shards: written, read, solved from disk, and damaged."""

import json

import numpy as np
import pytest

import zermelo as zm
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.shard_solution import ShardedSolution, solve_shards
from zermelo.errors import (
    FormatError,
    InvalidGraphError,
    InvalidObjectiveError,
    MemoryLimitError,
    ZermeloError,
)
from zermelo.formats.binary import shards as module
from zermelo.formats.binary.shards import Shards

ARRAYS = ("level", "label", "distance", "move")


class Narrow(Budget):
    """So little memory that moves are chosen in several windows of targets."""

    window = 90


def game(seed, objective, owned=False, n=40):
    rng = np.random.default_rng(seed)
    m = 2 * n
    owner = rng.integers(0, 2, n).astype(np.int8) if owned else None
    graph = zm.Graph.from_arrays(rng.integers(0, n - 9, m), rng.integers(0, n, m), n, owner=owner)
    return zm.Game(graph, objective(rng, n))


OBJECTIVES = {
    "normal": lambda rng, n: zm.NormalPlay(),
    "asymmetric": lambda rng, n: zm.Asymmetric(),
    "reach": lambda rng, n: zm.Reach(np.unique(rng.integers(0, n, 3)), player=1),
    "payoffs": lambda rng, n: zm.TerminalPayoff(rng.integers(-3, 4, n), infinite=1),
    "pairs": lambda rng, n: zm.TerminalPayoff(rng.integers(-3, 4, (n, 2)) / 2),
    "mover": lambda rng, n: zm.TerminalPayoff(rng.integers(-3, 4, n), view="mover"),
}


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize("format", ["npz", "parquet"])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_solution_of_shards_is_that_of_the_game(name, format, tmp_path):
    for owned in (False, True):
        given = game(7, OBJECTIVES[name], owned)
        folder = tmp_path / f"game-{owned}"
        shards = Shards.write(given, folder, shards=3, format=format)
        assert len(shards.files) == 3
        wanted = zm.solve(given, solver="retrograde")
        assert zm.read(folder).graph.digest == given.graph.digest
        again = zm.solve(zm.read(folder))
        assert again.level.tobytes() == wanted.level.tobytes()
        ours = solve_shards(shards, tmp_path / f"out-{owned}", memory=Narrow(99999), partitions=2)
        for array in ARRAYS:
            a, b = ours.array(array), getattr(wanted, array)
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            assert a.tobytes() == b.tobytes()
        counts = [int((wanted.label == sign).sum()) for sign in (1, 0, -1)]
        assert list(ours.counts.values()) == counts
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "game-False", "game-True", "out-False", "out-True"
    ]  # fmt: skip


def test_another_objective(tmp_path):
    given = game(1, OBJECTIVES["normal"])
    shards = Shards.write(given, tmp_path / "game")
    ours = solve_shards(shards, tmp_path / "out", zm.Misere(), partitions=3)
    wanted = zm.solve(given.graph, zm.Misere())
    assert ours.array("distance").tobytes() == wanted.distance.tobytes()
    with pytest.raises(InvalidObjectiveError, match="must be in the shards"):
        solve_shards(shards, tmp_path / "other", zm.Reach([1]))


def test_an_empty_game(tmp_path):
    shards = Shards.write(zm.Game(zm.Graph.from_edges([], n=0)), tmp_path / "game")
    assert shards.game().graph.n == 0
    assert solve_shards(shards, tmp_path / "out").counts == {"win": 0, "draw": 0, "lose": 0}


def test_what_shards_do_not_hold(tmp_path):
    with pytest.raises(InvalidGraphError, match="names"):
        Shards.write(zm.Game(zm.Graph.from_edges([("a", "b")])), tmp_path / "game")
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="not games of parity"):
        Shards.write(zm.Game(graph, zm.Parity([0, 1])), tmp_path / "game")
    with pytest.raises(InvalidObjectiveError, match="not fractions"):
        Shards.write(zm.Game(graph, zm.TerminalPayoff({1: "1/3"})), tmp_path / "game")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(FileExistsError, match="a new or an empty directory"):
        Shards.write(zm.Game(graph), tmp_path / "full")


def test_a_shard_larger_than_the_budget(tmp_path):
    shards = Shards.write(game(1, OBJECTIVES["normal"]), tmp_path / "game")
    with pytest.raises(MemoryLimitError, match="make at least"):
        solve_shards(shards, tmp_path / "out", memory=Budget(100))
    assert [p.name for p in tmp_path.iterdir()] == ["game"]


def outcome(path):
    """What reading shards gives: a game, or a message; any other error fails the test."""
    try:
        return repr(Shards(path).game())
    except ZermeloError as error:
        return str(error)


@pytest.mark.parametrize("format", ["npz", "parquet"])
def test_damaged_shards_are_refused_in_one_sentence(format, tmp_path, monkeypatch):
    given = game(2, OBJECTIVES["payoffs"], owned=True)
    shards = Shards.write(given, tmp_path / "game", shards=2, format=format)
    rng = np.random.default_rng(0)
    path = shards.files[1]
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    with pytest.raises(FormatError, match=f"{path.name}: the shard is not the one"):
        Shards(shards.path).game()
    # The checks behind the checksum, for shards that other programs wrote wrongly.
    monkeypatch.setattr(module.zlib, "crc32", lambda _: 0)
    manifest = tmp_path / "game" / "manifest.json"
    record = json.loads(manifest.read_text())
    for entry in record["shards"]:
        entry["checksum"] = 0
    manifest.write_text(json.dumps(record))
    for _ in range(60):
        changed = bytearray(content)
        for k in rng.integers(0, len(content), 3):
            changed[k] ^= 1 << int(rng.integers(0, 8))
        path.write_bytes(changed)
        assert "\n" not in outcome(shards.path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "expected an object with the format"),
        ({"version": 2}, "expected the version 1"),
        ({"positions": -1}, "positions: expected"),
        ({"positions": 41}, "expected shards with 41 positions"),
        ({"owned": 1}, "owned: expected true or false"),
        ({"objective": "normal"}, "objective: expected an object"),
        ({"objective": {"objective": "parity"}}, "objective: expected one of normal"),
        ({"shards": {}}, "shards: expected a list"),
        ({"shards": [3]}, "entry 0: expected an object"),
        ({"shards": [{"file": "../x.npz"}]}, r"expected a name of a file .npz"),
        ({"shards": [{"file": "x.npz", "positions": "2"}]}, "positions"),
        ({"start": 40}, "start"),
    ],
)
def test_wrong_manifests(change, message, tmp_path):
    Shards.write(game(3, OBJECTIVES["normal"]), tmp_path / "game")
    path = tmp_path / "game" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(FormatError, match=message):
        zm.read(tmp_path / "game")
    path.write_text("{")
    with pytest.raises(FormatError, match=r"manifest.json: expected JSON"):
        zm.read(tmp_path / "game")
    with pytest.raises(FormatError, match="zermelo-solution-shards"):
        ShardedSolution(tmp_path / "game")
