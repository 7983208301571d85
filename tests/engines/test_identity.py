"""The partitioned program gives the bytes of the solver in memory, whatever the partitions."""

import numpy as np
import pytest
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.engines.moves import rules_source
from zermelo.engines.partitions import messages
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.solve import solve_on_disk
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.tables.solving import choose
from zermelo.tables.solving.solve import solve_rules

ARRAYS = ("level", "label", "distance", "move")


def random_graph(rng, n, owned):
    m = int(n * rng.uniform(0.5, 2.5))
    owner = rng.integers(0, 2, n).astype(np.int8) if owned else None
    return zm.Graph.from_arrays(rng.integers(0, n, m), rng.integers(0, n, m), n, owner=owner)


def objectives(rng, graph):
    """One objective of each layout and kind of payoffs that fits the graph."""
    n = graph.n
    pays = rng.integers(-3, 4, n)
    yield zm.NormalPlay()
    yield zm.Asymmetric()
    yield zm.TerminalPayoff(pays, infinite=int(rng.integers(-2, 3)))
    yield zm.Reach(np.unique(rng.integers(0, n, 3)))
    yield zm.Safety(np.unique(rng.integers(0, n, n)), player=1)
    if graph.owner is None:
        yield zm.Misere()
        yield zm.TerminalPayoff(pays, view="mover")


def assert_same(ours, theirs):
    for name in ARRAYS:
        a, b = getattr(ours, name), getattr(theirs, name)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), name
        assert a.tobytes() == b.tobytes(), name


@pytest.mark.slow("False-2", "False-3", "False-7", "True-3", "True-7")
@pytest.mark.parametrize("partitions", [1, 2, 3, 7])
@pytest.mark.parametrize("owned", [False, True])
def test_random_graphs(partitions, owned, tmp_path):
    rng = np.random.default_rng(partitions + 10 * owned)
    for _ in range(7):
        graph = random_graph(rng, int(rng.integers(1, 40)), owned)
        for objective in objectives(rng, graph):
            ours = solve_on_disk(graph, objective, partitions=partitions, workdir=tmp_path)
            assert_same(ours, zm.solve(graph, objective, solver="retrograde"))
            assert ours.stats["partitions"] == partitions
    assert list(tmp_path.iterdir()) == []


def test_no_positions(tmp_path):
    graph = zm.Graph.from_edges([], n=0)
    assert zm.solve(graph, engine="disk", workdir=tmp_path).label.shape == (0,)


def test_more_levels_than_a_byte_has(tmp_path):
    rng = np.random.default_rng(5)
    graph = zm.Graph.from_arrays(
        rng.integers(0, 300, 450), rng.integers(0, 500, 450), 500, owner=rng.integers(0, 2, 500)
    )
    objective = zm.TerminalPayoff(rng.permutation(500) - 200)
    ours = solve_on_disk(graph, objective, partitions=3, workdir=tmp_path)
    assert ours.level.dtype == np.int32
    assert_same(ours, zm.solve(graph, objective, solver="retrograde"))


def test_many_moves_into_one_situation(tmp_path):
    """More messages to a situation than one message can count, and more than the outbox holds."""
    n = 1000
    edges = [(0, v) for v in range(1, n)] + [(v, 0) for v in range(1, n, 2)]
    graph = zm.Graph.from_edges(edges, n=n)
    ours = solve_on_disk(graph, zm.Misere(), partitions=2, workdir=tmp_path)
    assert_same(ours, zm.solve(graph, zm.Misere(), solver="retrograde"))


@pytest.mark.parametrize("partitions", [1, 3])
def test_a_path_writes_no_file_for_a_layer(partitions, tmp_path):
    n = 300
    graph = zm.Graph.from_arrays(np.arange(n - 1), np.arange(1, n), n)
    ours = solve_on_disk(graph, zm.NormalPlay(), partitions=partitions, workdir=tmp_path)
    assert ours.distance.tolist() == list(range(n - 1, -1, -1))
    assert ours.stats["spilled"] == 0
    # One partition has something to do at a time, so it does many layers in one step.
    assert ours.stats["layers"] <= 2 * partitions


def test_answers_are_an_ordinary_solution(tmp_path):
    graph = random_graph(np.random.default_rng(2), 50, owned=False)
    ours = zm.solve(graph, engine="disk", partitions=3, memory="64MB", workdir=tmp_path, start=3)
    ours.verify()
    assert (ours.start, ours.solver) == (3, "retrograde")


def test_rules_are_explored_first(tmp_path):
    ours = zm.solve(zm.game("nim:2,3"), engine="disk", partitions=2, workdir=tmp_path)
    assert_same(ours.solution, zm.solve(zm.game("nim:2,3")).solution)


@pytest.mark.parametrize("members", [("ends", "twins"), ("index", "ends"), ("index", "players")])
def test_rules_with_many_positions_are_explored_by_the_engine(members, monkeypatch, tmp_path):
    monkeypatch.setattr(choose, "MAX_GRAPH_POSITIONS", 10)
    rules = arrays(*members, **random_game(np.random.default_rng(5), 40, twins=3, degree=3.0))
    wanted = solve_rules(rules)
    for sparse in (8, 0):
        monkeypatch.setattr(rules_source, "SPARSE", sparse)
        ours = zm.solve(rules, engine="disk", partitions=2, workdir=tmp_path)
        assert (ours.storage.layout.keys, ours.start) == (wanted.storage.layout.keys, 0)
        assert ours.counts() == wanted.counts()
        assert ours.label.tolist() == wanted.label.tolist()
        assert ours.distance.tolist() == wanted.distance.tolist()
        assert ours.stats["partitions"] == 2
    ours.verify()
    with pytest.raises(InvalidOptionError, match=r"partitions: .* the engine 'disk' does"):
        zm.solve(rules, partitions=2)
    assert list(tmp_path.iterdir()) == []


def test_what_an_engine_refuses(tmp_path):
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    with pytest.raises(zm.errors.UnknownNameError, match="memory, disk"):
        zm.solve(graph, engine="tape")
    with pytest.raises(InvalidOptionError, match="engine: expected a name"):
        zm.solve(graph, engine=3)
    with pytest.raises(InvalidOptionError, match=r"partitions: .* the engine 'disk' does"):
        zm.solve(graph, partitions=2)
    with pytest.raises(InvalidOptionError, match="the engine 'dask' does"):
        zm.solve(graph, engine="disk", scheduler="tcp://localhost:8786")
    for wrong in (0, -1, True, 1.5, "2", 10**6):
        with pytest.raises(InvalidOptionError, match="partitions: expected a number"):
            zm.solve(graph, engine="disk", partitions=wrong)
    for wrong in ("lots", -1, 2.5, True):
        with pytest.raises(InvalidOptionError, match="memory: expected a size"):
            zm.solve(graph, engine="disk", memory=wrong)
    with pytest.raises(InvalidOptionError, match="workdir: expected a directory"):
        zm.solve(graph, engine="disk", workdir=tmp_path / "nothing")
    with pytest.raises(SolverError, match="a game of parity is solved in memory"):
        zm.solve(graph, zm.Parity([0, 1]), engine="disk")
    with pytest.raises(SolverError, match="the solver fraenkel-levy works in memory"):
        zm.solve(graph, solver="fraenkel-levy", engine="disk")
    with pytest.raises(InvalidOptionError, match="takes no options of solvers"):
        zm.solve(graph, engine="disk", quotient=True)


def test_partitions_larger_than_the_budget(monkeypatch, tmp_path):
    graph = random_graph(np.random.default_rng(4), 900, owned=False)
    monkeypatch.setattr(Budget, "residents", 10_000)
    with pytest.raises(zm.errors.MemoryLimitError, match="more memory or more partitions"):
        zm.solve(graph, engine="disk", memory="100MB", partitions=1, workdir=tmp_path)
    ours = zm.solve(graph, engine="disk", memory="100MB", partitions=7, workdir=tmp_path)
    assert_same(ours, zm.solve(graph))


def test_the_disk_is_chosen_where_memory_fails(monkeypatch, tmp_path):
    from zermelo.engines import choose

    graph = random_graph(np.random.default_rng(4), 9000, owned=False)
    monkeypatch.setenv("ZERMELO_MEMORY", "100k")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(zm.errors.MemoryLimitError):  # so little that the disk would not help
        zm.solve(graph)
    monkeypatch.setattr(choose, "MIN_FREE_BYTES", 1)
    with pytest.raises(zm.errors.MemoryLimitError):
        zm.solve(graph, engine="memory")
    with pytest.warns(choose.EngineWarning, match=r"are available, so this is solved from disk"):
        ours = zm.solve(graph)
    monkeypatch.delenv("ZERMELO_MEMORY")
    assert_same(ours, zm.solve(graph))


def test_records_of_messages_notice_every_change():
    batch = messages.Batch(3, 1, np.arange(5, dtype=np.int32), np.full(5, 9, np.uint8))
    record = messages.pack(batch)
    assert messages.unpack(record).targets.tolist() == [0, 1, 2, 3, 4]
    for k in (*range(24), len(record) - 1):
        changed = bytearray(record)
        changed[k] ^= 4
        with pytest.raises(messages.DamagedRecord):
            messages.unpack(bytes(changed))
    with pytest.raises(messages.DamagedRecord):
        messages.unpack(record[:-1])
    with pytest.raises(messages.DamagedRecord):
        messages.unpack(record[:5])
