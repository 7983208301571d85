"""``zm.plan``: what it takes, and what it refuses."""

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import FormatError, InvalidOptionError, InvalidRulesError
from zermelo.planning import from_files
from zermelo.planning.machine import Machine, measure
from zermelo.planning.plan import show_seconds

MACHINE = Machine(2, 8 << 30, 1 << 40, 2e-8, 2e-7, 655_360, 3e-4, 5e8, (1e-9, 3e-9, 1e-8), 1e-10)
GAME = zm.generators.random_graph(5000, 4, seed=2, owners="random")


def planned(game, **more):
    return zm.plan(game, machine=MACHINE, **more)


@pytest.fixture
def large(monkeypatch):
    """Every file counts as large, so none is read whole."""
    monkeypatch.setattr(from_files, "MAX_WHOLE_BYTES", 1000)
    monkeypatch.setattr(from_files, "WINDOW_BYTES", 1 << 12)


# -------------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["g.npz", "g.json", "g.txt", "g.mtx", "g.parquet"])
def test_a_small_file_is_counted_exactly(tmp_path, name):
    graph = GAME.graph.with_owner(None)
    zm.write(graph, tmp_path / name)
    found = planned(tmp_path / name)
    assert (found.positions, found.moves) == (graph.n, graph.m)
    assert found.census.positions.is_exact


@pytest.mark.parametrize("name", ["g.npz", "g.mtx", "g.parquet"])
def test_headers_have_exact_counts(large, tmp_path, monkeypatch, name):
    graph = GAME.graph.with_owner(None)
    zm.write(graph, tmp_path / name)
    monkeypatch.setattr(from_files, "read", None)
    found = planned(str(tmp_path / name))
    assert (found.positions, found.moves) == (graph.n, graph.m)
    assert found.census.method == "the header has the counts"


def test_the_header_of_an_archive_has_owners_and_objective(large, tmp_path):
    zm.write(zm.Game(GAME.graph, zm.Reach([3])), tmp_path / "g.npz")
    found = planned(tmp_path / "g.npz")
    assert found.census.owned
    assert found.census.keyword == "reach"
    assert found.census.shift == 0
    zm.write(zm.Game(GAME.graph.with_owner(None), zm.Reach([3])), tmp_path / "h.npz")
    assert planned(tmp_path / "h.npz").census.shift == 1
    assert planned(tmp_path / "h.npz", objective=zm.Misere()).census.shift == 0


def test_shards_have_a_manifest(tmp_path):
    zm.Shards.write(zm.Game(GAME.graph, zm.Safety([1])), tmp_path / "game", shards=3)
    for given in (tmp_path / "game", str(tmp_path / "game"), zm.Shards(tmp_path / "game")):
        found = planned(given)
        assert (found.positions, found.moves) == (5000, GAME.graph.m)
        assert found.census.keyword == "safety"


@pytest.mark.parametrize("name", ["g.pg", "g.txt"])
def test_samples_of_a_text_hold_the_true_number(large, tmp_path, monkeypatch, name):
    graph = GAME.graph
    game = zm.Game(graph, zm.Parity(np.arange(graph.n) % 5)) if name == "g.pg" else zm.Game(
        graph.with_owner(None))  # fmt: skip
    zm.write(game, tmp_path / name)
    monkeypatch.setattr(from_files, "read", None)
    found = planned(tmp_path / name)
    assert abs(found.moves - graph.m) <= 0.1 * graph.m
    assert abs(found.positions - graph.n) <= 0.1 * graph.n
    assert "were looked at" in found.census.method
    assert found.census.family == ("parity" if name == "g.pg" else "terminal")


def test_a_text_with_names_is_a_guess(large, tmp_path):
    edges = [(f"p{u}", f"p{v}") for u in range(1000) for v in (u, u // 2, u // 3)]
    zm.write(zm.Graph.from_edges(edges), tmp_path / "g.txt")
    found = planned(tmp_path / "g.txt")
    assert 500 <= found.positions <= 2000
    assert found.census.positions.high is None


def test_a_file_without_header_or_lines_is_read_whole(large, tmp_path):
    zm.write(GAME.graph, tmp_path / "g.json")
    found = planned(tmp_path / "g.json")
    assert found.census.method.startswith("the whole file was read")
    assert found.positions == GAME.graph.n


@pytest.mark.parametrize("name", ["g.npz", "g.mtx", "g.parquet", "g.txt", "g.pg"])
def test_a_damaged_large_file_is_an_error_of_its_format(large, tmp_path, name):
    (tmp_path / name).write_bytes(b"\x07" * 50_000)
    with pytest.raises(FormatError, match=name):
        planned(tmp_path / name)


# -------------------------------------------------------------------- what is taken and refused


def test_a_plan_of_everything_that_is_a_game():
    graph = zm.Graph.from_edges([(0, 1), (1, 2)])
    for game in (graph, zm.Game(graph), (graph, zm.Reach([2]))):
        assert planned(game).positions == 3
    assert planned("nim:1,2").positions == planned(zm.game("nim:1,2")).positions == 5
    assert planned("domineering:2x2").positions == zm.explore(zm.game("domineering:2x2")).graph.n


def test_rules_of_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def start():\n    return 9\ndef moves(x):\n    return range(max(0, x - 2), x)\n"
    )
    assert planned(str(tmp_path / "mine.py")).positions == 10
    (tmp_path / "bad.py").write_text(
        "def start():\n    return 9\ndef moves(x):\n    return 1 / 0\n"
    )
    with pytest.raises(InvalidRulesError, match="ZeroDivisionError"):
        planned(str(tmp_path / "bad.py"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"game": None}, "expected a game, or positions"),
        ({"game": 3}, "expected a game, a graph, rules"),
        ({"game": "-"}, "not a stream"),
        ({"game": "nim:1", "positions": 3}, "without a game"),
        ({"positions": -1}, "positions: expected an integer"),
        ({"positions": 10**19}, "positions: expected an integer"),
        ({"positions": 1.5}, "positions: expected an integer"),
        ({"positions": 1, "samples": 0}, "samples"),
        ({"positions": 1, "seconds": 0}, "seconds"),
        ({"positions": 1, "seconds": float("nan")}, "seconds"),
        ({"positions": 1, "seed": -1}, "seed"),
        ({"positions": 1, "cores": 0}, "cores"),
        ({"positions": 1, "memory": "lots"}, "memory"),
        ({"positions": 1, "node_memory": "lots"}, "node_memory"),
        ({"positions": 1, "node_memory": 0}, "node_memory"),
        ({"positions": 1, "objective": "normal"}, "objective"),
        ({"positions": 1, "symmetry": 2}, "symmetry"),
        ({"positions": 1, "workdir": "nowhere"}, "workdir: expected a directory"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InvalidOptionError, match=message):
        zm.plan(machine=MACHINE, **given)
    with pytest.raises(InvalidOptionError, match="machine"):
        zm.plan(positions=1, machine="fast")
    with pytest.raises(InvalidOptionError, match="expected one of memory, disk, dask"):
        zm.plan(positions=1, machine=MACHINE).engine("abacus")


@pytest.mark.slow
def test_the_machine_is_measured_and_its_files_removed(tmp_path):
    found = measure(1 << 30, 3, str(tmp_path))
    assert (found.cores, found.memory) == (3, 1 << 30)
    times = (found.memory_item, found.disk_item, found.disk_layer, found.scan, *found.reads)
    assert all(x > 0 for x in times)
    assert found.disk_speed > 0
    assert not list(tmp_path.iterdir())


def test_a_limit_of_memory_does_not_stop_a_plan(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_MEMORY", "100k")
    found = zm.plan(positions=10**6, workdir=tmp_path)
    assert found.machine.memory == 100 << 10
    assert not found.engine("memory").fits
    assert found.engine("disk").fits


def test_options_replace_what_the_machine_has():
    found = zm.plan(positions=10**6, machine=MACHINE, memory="1G", cores=8)
    assert (found.machine.cores, found.machine.memory) == (8, 1 << 30)
    assert found.machine.disk_speed == MACHINE.disk_speed


def test_times_are_readable():
    texts = [show_seconds(x) for x in (1e-7, 7e-4, 0.5, 30, 3000, 40_000, 10**6, 10**9, 10**15)]
    assert texts == [
        "0 µs", "1 ms", "500 ms", "30.0 s", "50.0 min", "11.1 h", "11.6 days", "31.7 years",
        "3.17e+07 years",
    ]  # fmt: skip
