"""Progress measures, small and succinct, and strategy improvement against plain oracles.

All three must tell both winning regions and both strategies; the oracle is Zielonka's recursion on
sets, and strategies are judged by the cycles that they leave.
"""

import itertools
import random

import numpy as np
import pytest
from tests import oracles_parity as oracle
from tests.sampling import rounds

import zermelo as zm
from zermelo._kernels.parity.progress_measures import advance_small, compare_small
from zermelo._kernels.parity.quasi_polynomial import advance_succinct, compare_succinct
from zermelo.errors import MemoryLimitError
from zermelo.objectives.infinite import CONVENTIONS
from zermelo.solvers.infinite.frame import compress

SOLVERS = ("progress-measures", "quasi-polynomial", "strategy-improvement")
MODES = ("interpret", pytest.param("compile", marks=pytest.mark.compiled))

over_solvers = pytest.mark.parametrize("solver", SOLVERS)
over_modes = pytest.mark.parametrize("mode", MODES)


def random_game(rng, most, dead=0.0):
    n = rng.randint(1, most)
    colours = rng.choice([1, 2, 3, 5, n + 1, 2 * n])
    degree = rng.choice([2, 3, n])
    arcs = {
        (v, rng.randrange(n))
        for v in range(n)
        if rng.random() >= dead
        for _ in range(rng.randint(1, degree))
    }
    g = zm.Graph.from_edges(sorted(arcs), n=n, owner=[rng.randint(0, 1) for _ in range(n)])
    return g, zm.Parity([rng.randrange(colours) for _ in range(n)], rng.choice(CONVENTIONS))


def large_random_game(seed, n, low, high, colours):
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(n), rng.integers(low, high + 1, n))
    arcs = np.unique(source * n + rng.integers(0, n, source.size))
    owner = rng.integers(0, 2, n)
    g = zm.Graph.from_edges(np.stack([arcs // n, arcs % n], 1), n=n, owner=owner)
    return g, zm.Parity(rng.integers(0, colours, n))


def ladder(rungs):
    """A ring of pairs, one position for each player; both may go to either of the next pair."""
    n = 2 * rungs
    arcs = [(v, (v - v % 2 + 2 + e) % n) for v in range(n) for e in (0, 1)]
    side = [v % 2 for v in range(n)]
    return zm.Graph.from_edges(arcs, n=n, owner=side), zm.Parity(side)


def counting_game(levels, width):
    """Rows of two-way paths, row i of priorities i and i + 1, joined column by column: measures
    must count in every row."""
    arcs, owner, priority = [], [], []
    for i in range(levels):
        for j in range(width):
            v = i * width + j
            owner.append((i + j) % 2)
            priority.append(i + j % 2)
            if j + 1 < width:
                arcs += [(v, v + 1), (v + 1, v)]
            if i + 1 < levels:
                arcs += [(v, v + width), (v + width, v)]
    return zm.Graph.from_edges(arcs, n=levels * width, owner=owner), zm.Parity(priority)


def check(graph, objective, solver, winner=None):
    """The winner is that of the oracle and both strategies win."""
    game = oracle.game_of(graph, objective)
    if winner is None:
        winner = oracle.zielonka(*game)
    s = zm.solve(graph, objective, solver=solver)
    assert s.solver == solver
    assert s.winner.tolist() == winner
    strategy = s.strategy.tolist()
    for player in (0, 1):
        assert oracle.strategy_wins(game, winner, player, strategy)
    won = s.winner == graph.owner
    assert (s.strategy[~won] == -1).all()
    return s


# -------------------------------------------------------------------- whole games


@pytest.mark.sampled
@over_modes
@over_solvers
def test_small_games(solver, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    rng = random.Random(f"small {mode}")
    for k in range(rounds(1000)):
        check(*random_game(rng, 8, dead=0.15 * (k % 2)), solver)


@over_modes
@over_solvers
def test_somewhat_larger_games(solver, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    rng = random.Random(f"larger {mode}")
    for k in range(100):
        check(*random_game(rng, 40, dead=0.1 * (k % 2)), solver).verify()


@over_solvers
def test_all_strategies_of_tiny_games(solver):
    rng = random.Random(5)
    for k in range(60):
        g, objective = random_game(rng, 4, dead=0.2 * (k % 2))
        check(g, objective, solver, oracle.winners_by_strategies(oracle.game_of(g, objective)))


@pytest.mark.slow(
    "progress-measures-compile",
    "progress-measures-interpret",
    "quasi-polynomial-compile",
    "quasi-polynomial-interpret",
)
@over_modes
@over_solvers
def test_every_game_of_two_positions(solver, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    arcs = list(itertools.product(range(2), repeat=2))
    for mask, owner in itertools.product(range(16), itertools.product((0, 1), repeat=2)):
        chosen = [a for k, a in enumerate(arcs) if mask >> k & 1]
        g = zm.Graph.from_edges(chosen, n=2, owner=list(owner))
        for priority in itertools.product(range(4), repeat=2):
            check(g, zm.Parity(list(priority)), solver)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("n", "low", "high", "colours"),
    [(100, 1, 5, 20), (300, 1, 5, 7), (300, 2, 3, 9), (1000, 2, 10, 2), (1000, 1, 2, 5),
     (1000, 2, 10, 20)],
)  # fmt: skip
def test_medium_games_agree(n, low, high, colours):
    for seed in range(3):
        agree(large_random_game(seed, n, low, high, colours), SOLVERS)


@pytest.mark.compiled
@pytest.mark.parametrize(("n", "low", "high"), [(100, 1, 2), (300, 2, 3), (1000, 1, 5)])
def test_medium_games_of_many_priorities_agree(n, low, high):
    """Small progress measures are left out: they count exponentially far in some of these."""
    for seed in range(3):
        agree(large_random_game(seed, n, low, high, n), SOLVERS[1:])


def agree(game, solvers):
    solutions = [zm.solve(*game, solver=solver).verify() for solver in solvers]
    assert len({s.winner.tobytes() for s in solutions}) == 1


@over_modes
@pytest.mark.parametrize("rungs", [1, 2, 3, 50])
def test_ladders(rungs, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    g, objective = ladder(rungs)
    for solver in SOLVERS:
        s = zm.solve(g, objective, solver=solver).verify()
        assert s.winner.tolist() == oracle.zielonka(*oracle.game_of(g, objective))


@pytest.mark.compiled
def test_a_long_ladder():
    agree(ladder(20_000), SOLVERS)


@over_modes
@over_solvers
def test_games_in_which_measures_count(solver, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    for levels, width in [(2, 3), (3, 4), (4, 4), (6, 3)]:
        check(*counting_game(levels, width), solver).verify()


@over_solvers
def test_huge_priorities(solver):
    rng = random.Random(31)
    for _ in range(50):
        g, objective = random_game(rng, 8)
        huge = zm.Parity([int(p) * 10**8 + p % 2 for p in objective.priority])
        check(g, huge, solver)
    g = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    assert zm.solve(g, zm.Parity([2**31 - 3, 0]), solver=solver).winner.tolist() == [1, 1]


@over_solvers
def test_no_positions_and_one(solver):
    empty = zm.Graph.from_edges([], n=0, owner=[])
    assert zm.solve(empty, zm.Parity([]), solver=solver).winner.size == 0
    for owner, priority in itertools.product((0, 1), repeat=2):
        loop = zm.Graph.from_edges([(0, 0)], owner=[owner])
        assert zm.solve(loop, zm.Parity([priority]), solver=solver).winner.tolist() == [priority]
        stuck = zm.Graph.from_edges([], n=1, owner=[owner])
        assert zm.solve(stuck, zm.Parity([priority]), solver=solver).winner.tolist() == [1 - owner]


@over_solvers
def test_other_objectives_and_short_names(solver):
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    for objective in (zm.Buchi([0]), zm.CoBuchi([2]), zm.Buchi([2], player=1)):
        check(g, objective, solver).verify()
    alias = {"progress-measures": "spm", "quasi-polynomial": "qpt", "strategy-improvement": "si"}
    assert zm.solve(g, zm.Buchi([0]), solver=alias[solver]).solver == solver


@over_solvers
def test_the_input_is_left_alone(solver):
    g, objective = large_random_game(1, 50, 1, 4, 9)
    before = g.digest, objective.priority.copy()
    zm.solve(g, objective, solver=solver)
    assert g.digest == before[0]
    assert (objective.priority == before[1]).all()


@over_solvers
def test_memory_is_asked_for_first(solver, monkeypatch):
    g, objective = large_random_game(1, 1000, 1, 4, 1000)
    monkeypatch.setenv("ZERMELO_MEMORY", "20k")
    with pytest.raises(MemoryLimitError, match=rf"{solver} on 1,000 positions"):
        zm.solve(g, objective, solver=solver)


@pytest.mark.parametrize("solver", SOLVERS[:2])
def test_progress(solver):
    reports = []
    g, objective = large_random_game(1, 200, 1, 4, 10)
    zm.solve(g, objective, solver=solver, progress=lambda *x: reports.append(x))
    assert reports[-1] == (200, 200, "decided")
    assert [x[0] for x in reports] == sorted(x[0] for x in reports)


# -------------------------------------------------------------------- priorities and measures


def test_compressed_priorities():
    rng = random.Random(8)
    for _ in range(200):
        priority = [rng.randrange(30) for _ in range(rng.randint(1, 9))]
        small = compress(np.array(priority, np.int32)).tolist()
        assert set(range(min(small), max(small) + 1)) == set(small)
        assert min(small) == min(priority) % 2
        for (p, x), (q, y) in itertools.product(zip(priority, small, strict=True), repeat=2):
            assert p % 2 == x % 2
            assert x <= y if p <= q else x >= y
            if p % 2 != q % 2:
                assert (p < q) == (x < y)


def test_small_measures_against_all():
    rng = random.Random(9)
    for _ in range(300):
        width = rng.randint(1, 4)
        bound = [rng.randint(0, 2) for _ in range(width)]
        every = sorted(itertools.product(*(range(b + 1) for b in bound)))
        length = rng.randint(1, width)
        source = tuple(rng.randint(0, 3) for _ in range(width))  # may be beyond the bounds
        for strict in (0, 1):
            above = [x for x in every if x[:length] > source[:length] and not any(x[length:])]
            rows = np.array([(0,) * width, source], np.int32).reshape(-1)
            fits = advance_small(rows, 0, 1, width, length, strict, np.array(bound, np.int32))
            got = tuple(rows[:width].tolist())
            if not strict:
                assert fits
                assert got == source[:length] + (0,) * (width - length)
                assert compare_small(rows, 0, 1, width, length) == 0
                continue
            assert fits or not above
            if fits:  # above the source, and not above the least that keeps the bounds
                assert compare_small(rows, 0, 1, width, length) == 1
                assert got > source[:length]
                assert not above or got <= above[0]
                assert above or any(x > b for x, b in zip(source, bound, strict=True))


ORDER = str.maketrans("01", "02")


def key(strings):
    """Bit strings compare by 0… < ε < 1…: with ε written as a letter between."""
    return [s.translate(ORDER) + "1" for s in strings]


def encode(strings, width, levels):
    bits = [2 * i + int(b) for i, s in enumerate(strings) for b in s]
    return bits + [2 * levels] * (width - len(bits))


def decode(row, levels):
    strings = [""] * levels
    for x in row:
        if x < 2 * levels:
            strings[x // 2] += str(x % 2)
    return tuple(strings)


def tuples(levels, bits):
    """Every tuple of bit strings with at most so many bits together, in order."""
    if levels == 0:
        return [()]
    found = [
        ("".join(s), *rest)
        for size in range(bits + 1)
        for s in itertools.product("01", repeat=size)
        for rest in tuples(levels - 1, bits - size)
    ]
    return sorted(found, key=key)


@pytest.mark.parametrize(("levels", "width"), [(1, 3), (2, 3), (3, 2), (4, 3), (2, 1), (2, 0)])
def test_succinct_measures_against_all(levels, width):
    every = tuples(levels, width)
    assert list(every[0]) == ["0" * width] + [""] * (levels - 1)
    for limit, length in itertools.product(range(width + 1), range(levels + 1)):
        allowed = [x for x in every if sum(map(len, x)) <= limit]
        for source in every:
            for strict in (0, 1) if length else (0,):
                rows = np.array([0] * width + encode(source, width, levels), np.int32)
                fits = advance_succinct(rows, 0, 1, width, length, strict, limit, levels)
                low = key(source[:length])
                if strict:
                    wanted = next((x for x in allowed if key(x[:length]) > low), None)
                    assert fits == (wanted is not None)
                    if fits:
                        assert decode(rows[:width].tolist(), levels) == wanted
                        assert compare_succinct(rows, 0, 1, width, length) == 1
                        assert compare_succinct(rows, 1, 0, width, length) == -1
                else:
                    assert fits
                    got = decode(rows[:width].tolist(), levels)
                    assert got[:length] == source[:length]
                    used = sum(map(len, source[:length]))
                    spare = "0" * max(0, limit - used) if length < levels else ""
                    assert "".join(got[length:]) == spare


@pytest.mark.parametrize(("levels", "width"), [(1, 3), (2, 2), (3, 2)])
def test_the_order_of_succinct_measures(levels, width):
    for a, b in itertools.product(tuples(levels, width), repeat=2):
        rows = np.array(encode(a, width, levels) + encode(b, width, levels), np.int32)
        for length in range(levels + 1):
            x, y = key(a[:length]), key(b[:length])
            assert compare_succinct(rows, 0, 1, width, length) == (x > y) - (x < y)
