"""Solving without storing moves agrees with the plain oracle, whatever members the rules have."""

import itertools

import numpy as np
import pytest
from tests.tables import plain
from tests.tables.forged import claims
from tests.tables.games import SPREAD, arrays, random_game

import zermelo as zm
from zermelo._runtime.threads import Team
from zermelo.errors import (
    InvalidObjectiveError,
    InvalidRulesError,
    MemoryLimitError,
    UnknownPositionError,
)
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.impartial.nim import Nim
from zermelo.tables.solving import solve as module
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.solving.waves import widened

MEMBERS = ("ends", "back", "tiers", "players", "twins", "index")
SETS = [
    pytest.param(chosen, id="+".join(chosen) or "none")
    for k in range(len(MEMBERS) + 1)
    for chosen in itertools.combinations(MEMBERS, k)
]


def check(rules, values, solved):
    """All positions, and nothing else."""
    for p, value in values.items():
        assert solved.look_up(p)[:2] == value, rules.show(p)
    assert solved.counts() == plain.counts(values)


@pytest.mark.sampled(cases=23)
@pytest.mark.parametrize("members", SETS)
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_oracle(members, seed):
    rng = np.random.default_rng([seed, *map(ord, "+".join(members))])
    twins = 4 if "twins" in members else 0
    given = random_game(rng, 14, 3 if "tiers" in members else 1, twins)
    if "players" not in members:
        given["players"] = None
    rules = arrays(*members, **given)
    misere = bool(rng.integers(0, 2))
    objective = zm.Misere() if misere else None
    both = [0, SPREAD] if twins else [0]
    check(rules, plain.solve(rules, misere, both), solve_rules(rules, objective))
    check(rules, plain.solve(rules, misere), solve_rules(rules, objective, symmetry=False))


def random_rules(seed, members, n=30, tiers=1, **options):
    rng = np.random.default_rng(seed)
    given = random_game(rng, n, tiers, **options)
    if "players" not in members:
        given["players"] = None
    return arrays(*members, **given)


@pytest.mark.parametrize(
    "members", [(), ("ends",), ("ends", "tiers"), ("ends", "players", "index")]
)
@pytest.mark.parametrize("seed", range(6))
def test_moves_are_made_again_where_memory_is_short(members, seed, monkeypatch):
    monkeypatch.setattr(Job, "fits", lambda self, more: False)
    rules = random_rules(seed, members, 40, 3)
    reports = []
    monkeypatch.setattr("zermelo.tables.solving.job.REPORT_SECONDS", -1.0)
    solved = solve_rules(rules, progress=lambda *args: reports.append(args[2]))
    check(rules, plain.solve(rules), solved)
    if any("layer" in text for text in reports):
        assert any("moves are made again each time" in text for text in reports)


@pytest.mark.parametrize("members", [("ends",), ("ends", "players"), ("ends", "back", "players")])
@pytest.mark.parametrize("seed", range(4))
def test_layers_of_many_chunks(members, seed, monkeypatch):
    """Most layers of small games are a part of one chunk."""
    monkeypatch.setattr("zermelo.rules.views.CHUNK", 2)
    monkeypatch.setattr("zermelo._kernels.tables.begin.CHUNK", 2)
    rules = random_rules(seed, members)
    check(rules, plain.solve(rules, False), solve_rules(rules))


def test_memory_decides_whether_moves_are_stored(monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.REPORT_SECONDS", -1.0)
    rules = random_rules(3, ("ends",), 200, degree=3.0)
    for memory, text in [(None, "moves stored in"), (22_000, "are made again each time")]:
        reports = []
        solve_rules(rules, memory=memory, progress=lambda *args, into=reports: into.append(args))
        assert any(text in line for _, _, line in reports)
        assert reports[-1][0] <= reports[-1][1]
    with pytest.raises(MemoryLimitError, match="1000 bytes are allowed"):
        solve_rules(rules, memory=1000)


class Ladder(CompiledRules):
    """A way of n steps to a lost end: the start is as far as it is long."""

    most_moves = 1

    def __init__(self, steps, ending=-1):
        self.steps, self.ending = steps, ending

    def start(self):
        return 0

    def moves(self, position, out):
        out[0] = position + 1
        return 1

    def outcome(self, position):
        return self.ending if position == self.steps else 2

    def unmoves(self, position, out):
        out[0] = position - 1
        return 1 if position else 0


class Steps(Ladder):
    """The same in tiers of a hundred steps, the last ones of a high tier."""

    def tier(self, position):
        return (self.steps - position) // 100


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "ending"), [(Ladder, 0), (Steps, -1)])
def test_long_play_gets_wider_entries(kind, ending):
    steps = 16_500
    solved = solve_rules(kind(steps, ending))
    assert solved.entry.dtype == np.uint32
    far = steps - np.arange(steps + 1)
    assert np.array_equal(solved.distance, far)
    label = np.where(far % 2, 1, -1) if ending else 0 * far
    assert np.array_equal(solved.label, label)
    assert solve_rules(kind(1000, ending)).entry.dtype == np.uint16


def test_widening_keeps_what_is_undecided():
    bits = [0, 1, 77, 0x1FFF, 0x2000, 0x2005, 0x4000, 0x4007, 0x8003, 0xBFFF, 0xC009]
    wide = widened(np.array(bits, np.uint16)).tolist()
    assert wide == [
        *(0, 1, 77, 0x1FFFFFFF, 0x20000000, 0x20000005),
        *(1 << 30, (1 << 30) + 7, (2 << 30) + 3, (3 << 30) - 1, (3 << 30) + 9),
    ]


class Bag:
    """A checkpoint in memory that forgets what comes after a number of states."""

    def __init__(self, states=None):
        self.states, self.given = [], states

    def load(self):
        return self.given

    def save(self, state):
        copy = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in state.items()}
        self.states.append(copy)


@pytest.mark.parametrize(
    "members",
    [
        ("ends", "back"),
        ("ends", "tiers"),
        ("ends", "back", "tiers", "index"),
        ("ends", "index", "players"),
        ("ends", "twins", "back", "tiers"),
        ("ends", "tiers", "index"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_any_state_leads_to_the_same_end(members, seed, monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(
        "zermelo.tables.solving.waves.MAX_SERIAL_SLOTS", 16 * 8
    )  # pieces of eight slots
    rules = random_rules(seed, members, 60, 3, twins=5 if "twins" in members else 0, degree=4.0)
    bag = Bag()
    whole = solve_rules(rules, checkpoint=bag)
    assert {state["step"] for state in bag.states} == {"explore", "solve"}
    for state in bag.states:
        again = solve_rules(rules, checkpoint=Bag(state))
        assert again.entry.tobytes() == whole.entry.tobytes()
        if whole.storage.positions is not None:
            assert np.array_equal(again.storage.positions, whole.storage.positions)


def test_asymmetric_games_of_rules_with_a_player_to_move():
    rules = random_rules(1, ("players",), 12)
    graph, _ = zm.explore(rules)
    for objective in (zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1()):
        solved, expected = solve_rules(rules, objective), zm.solve(graph, objective)
        for p in graph.names:
            assert solved.look_up(p)[:2] == (expected[p].label, expected[p].distance)
    with pytest.raises(InvalidObjectiveError, match=r"asymmetric: expected rules that tell which"):
        solve_rules(random_rules(1, ()), zm.Asymmetric())


def test_plain_rules_by_name():
    solved = solve_rules(Nim(3, 4))
    assert solved.storage.layout.keys == "names"
    assert solved.look_up((3, 4))[:2] == (1, 7)
    assert solved.place((9, 9)) == -1
    with pytest.raises(InvalidObjectiveError, match="do not tell which player moves"):
        solve_rules(Nim(1), zm.Asymmetric())


def test_positions_that_are_none():
    solved = solve_rules(random_rules(2, ("index",)))
    assert solved.place(10**15) == solved.place("x") == solved.place(True) == -1
    with pytest.raises(UnknownPositionError, match="play cannot reach"):
        solved[10**15]


class Astray(Ladder):
    """A move out of the tier to a position of a higher one."""

    def tier(self, position):
        return position


class Tierless(Ladder):
    def tier(self, position):
        return -1


def test_rules_with_wrong_tiers_are_refused():
    with pytest.raises(InvalidRulesError, match="tier"):
        solve_rules(Astray(5))
    with pytest.raises(InvalidRulesError, match="tier"):
        solve_rules(Tierless(5))


@pytest.mark.slow("connect4:4x4-options3", "mnk:4x3x3-options0", "mnk:4x3x3-options1")
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mnk:4x3x3", {}),
        ("mnk:4x3x3", {"symmetry": False}),
        ("fox-and-hounds:6x6", {}),
        ("connect4:4x4", {}),
    ],
)
def test_machine_code_agrees_with_the_solver_of_graphs(name, options, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    rules = zm.game(name)
    graph, _ = zm.explore(rules)
    expected = zm.solve(graph, rules.objective())
    solved = solve_rules(rules, **options)
    places = [solved.place(p) for p in graph.names]
    assert np.array_equal(claims(solved)[0][places], expected.label)
    assert np.array_equal(claims(solved)[1][places], expected.distance)
    assert solved.counts()["positions"] == graph.n


@pytest.mark.parametrize("n", [0, 1, 20, 3000])
@pytest.mark.parametrize("bits", [1, 9, 62])
def test_pairs_are_sorted_in_place(n, bits, monkeypatch):
    rng = np.random.default_rng(n + bits)
    found = np.unique(rng.integers(0, 1 << bits, n))
    keys, entry = np.full(2 * n + 4, -5, np.int64), np.zeros(2 * n + 4, np.uint16)
    places = rng.permutation(keys.size)[: found.size]
    keys[places], entry[places] = found, found % 1000 + 1
    for few in (0, 1 << 20):
        monkeypatch.setattr(module, "MAX_SERIAL_SLOTS", few)
        k, e = keys.copy(), entry.copy()
        with Team() as team:
            assert module.sorted_together(k, e, team) == found.size
        assert np.array_equal(k[: found.size], found)
        assert np.array_equal(e[: found.size], found % 1000 + 1)
