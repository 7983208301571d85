"""Exploring compiled rules: positions, graphs, growth, and what goes wrong."""

import numpy as np
import pytest
from tests.tables import plain
from tests.tables.games import SPREAD, arrays, random_game

import zermelo as zm
from zermelo._kernels.positions.hash_table import EMPTY, PARTS, find, scatter
from zermelo._runtime.progress import SoFar
from zermelo._runtime.threads import Team
from zermelo.errors import InvalidRulesError, LimitError, MemoryLimitError
from zermelo.rules.boards.rows.mnk import MNK
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.views import Unreduced, view
from zermelo.tables.solving import explore as module
from zermelo.tables.solving.explore import IndexExploration, TableExploration
from zermelo.tables.solving.job import Job


class Grid(CompiledRules):
    """A king walks on a torus; positions are far apart, and each has four moves."""

    most_moves = 4

    def __init__(self, width, height):
        self.width, self.height = width, height

    @property
    def size(self):
        return self.width * self.height

    def start(self):
        return 5

    def moves(self, position, out):
        step = 1 << 40
        x, y = position % step - 5, position // step
        out[0] = (x + 1) % self.width + y * step + 5
        out[1] = (x + self.width - 1) % self.width + y * step + 5
        out[2] = x + (y + 1) % self.height * step + 5
        out[3] = x + (y + self.height - 1) % self.height * step + 5
        return 4

    def rank(self, position):
        return position % (1 << 40) - 5 + position // (1 << 40) * self.width

    def unrank(self, index):
        return index % self.width + 5 + index // self.width * (1 << 40)


class Chain(Grid):
    """One long way: nothing to share, and as many rounds as positions."""

    most_moves = 1

    def moves(self, position, out):
        out[0] = position + 3 if position < 3 * self.width else 5
        return 1


def table(rules, **options):
    with Team() as team:
        made = TableExploration(rules, Job(team, **options))
        made.run()
    return made


@pytest.mark.parametrize("seed", range(20))
def test_finds_what_the_oracle_finds(seed):
    rng = np.random.default_rng(seed)
    twins = int(rng.integers(0, 4))
    members = ("ends", "twins") if twins else ("ends",)
    rules = arrays(*members, **random_game(rng, 40, twins=twins, degree=1.5))
    moves = plain.explore(rules)
    found = table(view(rules, Unreduced))
    assert sorted(found.array[found.array != EMPTY].tolist()) == sorted(moves)
    assert (found.count, found.expanded) == (len(moves), len(moves))
    assert found.moves == sum(map(len, moves.values()))
    reduced = table(rules)
    both = plain.explore(rules, [0, SPREAD] if twins else [0])
    assert reduced.count == len({rules.canonical(p) for p in both})


@pytest.mark.slow("Grid")
@pytest.mark.parametrize("kind", [Grid, Chain])
def test_tables_grow(kind):
    rules = kind(61, 50)
    found = table(rules)
    expected = plain.explore(rules)
    assert found.count == found.expanded == len(expected)
    assert found.slots * module.LOAD >= found.count
    for p in expected:
        assert found.array[find(found.array, p)] == p
    assert find(found.array, 4) == -1
    for part in range(PARTS):  # each position is in its own part
        own = found.array.reshape(PARTS, -1)[part]
        assert {scatter.function(int(p)) >> 27 for p in own[own != EMPTY]} <= {part}


@pytest.mark.slow
@pytest.mark.compiled
def test_threads_share_a_large_table():
    rules = Grid(700, 600)
    found = table(rules)
    assert found.count == found.expanded == rules.size
    assert found.moves == 4 * rules.size
    keys = np.sort(found.array[found.array != EMPTY])
    every = [rules.unrank(i) for i in range(rules.size)]
    assert np.array_equal(keys, np.sort(np.array(every)))


@pytest.mark.compiled
def test_lists_without_room_lose_no_position(monkeypatch):
    monkeypatch.setattr(module, "SLOTS_PER_LISTED", 1 << 40)
    found = table(Grid(300, 300))
    assert found.count == found.expanded == 90_000


def test_marks_by_index():
    rules = Grid(31, 20)
    entry = np.zeros(rules.size + 7, np.uint16)
    with Team() as team:
        found = IndexExploration(rules, Job(team), entry, saved=False)
        found.run()
    assert found.count == found.expanded == rules.size
    assert entry[: rules.size].all()
    assert not entry[rules.size :].any()


class Saver:
    """Keeps all states."""

    def __init__(self):
        self.states = []

    def load(self):
        return None

    def save(self, state):
        self.states.append(state["keys"].copy())


def test_going_on_from_a_saved_table(monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(module, "POSITIONS_PER_CALL", 100)
    rules, saver = Grid(30, 30), Saver()
    table(rules, saver=saver)
    assert len(saver.states) > 3
    for keys in saver.states:
        with Team() as team:
            again = TableExploration(rules, Job(team), keys.copy())
            again.run()
        found = again.array[again.array != EMPTY]
        assert sorted(found.tolist()) == sorted(rules.unrank(i) for i in range(900))


def test_memory_is_asked_for_first():
    with pytest.raises(MemoryLimitError, match=r"are allowed; allow more .*--memory"):
        table(Grid(200, 200), budget=100_000)


def test_progress_tells_positions_rate_and_memory(monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.REPORT_SECONDS", 0.0)
    reports = []
    table(Grid(40, 40), progress=lambda *args: reports.append(args))
    done, found, text = reports[-1]
    assert done <= found <= 1600
    assert isinstance(found, SoFar)
    assert "exploring positions" in text
    assert "/s" in text
    assert "iB" in text


class Lost(Grid):
    """A move to nowhere."""

    def moves(self, position, out):
        out[0] = -7
        return 1


def test_moves_to_nowhere_are_refused():
    with pytest.raises(InvalidRulesError, match=r"moves\(5\) gave -7; expected positions"):
        table(Lost(3, 3))
    with pytest.raises(InvalidRulesError, match=r"moves\(5\) gave -7; expected positions"):
        zm.explore(Lost(3, 3))
    small = Grid(9, 9)
    with (
        Team() as team,
        pytest.raises(
            InvalidRulesError, match=r"Grid.rank\(5\): expected an index from 0 to -1, got 0"
        ),
    ):
        IndexExploration(small, Job(team), np.zeros(0, np.uint16), saved=False)


@pytest.mark.parametrize("seed", range(10))
def test_graphs_are_those_of_plain_exploring(seed):
    rng = np.random.default_rng(seed)
    rules = arrays("ends", "players", **random_game(rng, 30))

    class AsPlain(zm.Rules):
        def start(self):
            return rules.start()

        def moves(self, p):
            return rules.options(p)

    ours, theirs = zm.explore(rules).graph, zm.explore(AsPlain()).graph
    assert ours.names == theirs.names
    assert np.array_equal(ours.indptr, theirs.indptr)
    assert np.array_equal(ours.indices, theirs.indices)
    assert ours.owner.tolist() == [rules.player(p) for p in ours.names]


@pytest.mark.compiled
def test_large_graphs():
    graph = zm.explore(Grid(400, 300)).graph
    assert (graph.n, graph.m) == (120_000, 480_000)


def test_limits_and_starts():
    with pytest.raises(LimitError, match="more than 50 positions"):
        zm.explore(Grid(30, 30), limit=50)
    assert zm.explore(MNK(3, 3, 3), symmetry=True).graph.n == 765
    graph = zm.explore(Chain(50, 1), start=140).graph
    assert graph.names[:3] == (140, 143, 146)
    with pytest.raises(InvalidRulesError, match="integer from 0 on"):
        zm.explore(Grid(3, 3), start="x")
