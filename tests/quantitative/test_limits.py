"""Games with weights at the edges: sums that just fit into 64 bits, long solves, Ctrl-C."""

import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from tests.interrupts import start
from tests.limits import HANG
from zermelo.errors import InvalidObjectiveError, LimitError
from zermelo.registry import SOLVERS
from zermelo.solvers.quantitative.frame import MAX_SUM

ENERGY = [row.name for row in SOLVERS if row.applies_to("quantitative", "energy")]
BEYOND = "whose sums may exceed 64 bits; use smaller weights"


def ring(n, owner=0):
    """A cycle 0 → 1 → … → 0, all of whose positions have one owner."""
    return zm.Graph.from_edges([(v, (v + 1) % n) for v in range(n)], owner=[owner] * n)


@pytest.mark.parametrize("solver", ENERGY)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_largest_weights_of_energy_games(n, solver):
    """A ring that costs W at all positions but the last one, which pays everything back."""
    largest = MAX_SUM // (n + 1)
    graph = ring(n)
    weight = np.full(n, -(largest // n))
    weight[-1] = (n - 1) * (largest // n) + largest % n
    right = [(n - 1 - v) * (largest // n) for v in range(n)]
    assert zm.solve(graph, zm.Energy(weight), solver).verify().credit.tolist() == right
    lost = zm.solve(graph, zm.Energy(np.full(n, -largest)), solver).verify()
    assert lost.credit.tolist() == [-1] * n
    won = zm.solve(graph, zm.Energy(np.full(n, largest)), solver).verify()
    assert won.credit.tolist() == [0] * n
    for one_more in (largest + 1, -largest - 1, 2**60, -(2**60)) if n > 1 else ():
        weight = np.zeros(n, np.int64)
        weight[n // 2] = one_more
        with pytest.raises(LimitError, match=f"the energy game has weights up to .* {BEYOND}"):
            zm.solve(graph, zm.Energy(weight), solver)


@pytest.mark.parametrize("solver", ENERGY)
def test_credits_of_the_largest_size(solver):
    """A path of the most expensive moves: the credit is as large as credits can be."""
    n = 6
    largest = MAX_SUM // (n + 1)
    edges = [(v, v + 1) for v in range(n - 1)] + [(n - 1, n - 1)]
    graph = zm.Graph.from_edges(edges, owner=[v % 2 for v in range(n)])
    weight = [-largest] * (n - 1) + [0]
    right = [(n - 1 - v) * largest for v in range(n)]
    assert zm.solve(graph, zm.Energy(weight), solver).verify().credit.tolist() == right


@pytest.mark.parametrize("solver", ENERGY)
def test_the_largest_thresholds(solver):
    graph = ring(2)
    largest = MAX_SUM // 3 - 1  # q W + |p| may be a third of the bound
    for sign in (1, -1):
        objective = zm.MeanPayoff([0, 0], threshold=sign * (largest + 1))
        winner = 1 if sign > 0 else 0
        assert zm.solve(graph, objective, solver).verify().winner.tolist() == [winner] * 2
        with pytest.raises(LimitError, match=BEYOND):
            zm.solve(graph, zm.MeanPayoff([0, 0], threshold=sign * (largest + 2)), solver)
    objective = zm.MeanPayoff([1, 0], threshold=Fraction(1, largest))
    assert zm.solve(graph, objective, solver).verify().winner.tolist() == [0, 0]
    with pytest.raises(LimitError, match=BEYOND):
        zm.solve(graph, zm.MeanPayoff([1, 0], threshold=Fraction(1, largest + 1)), solver)


@pytest.mark.parametrize("solver", ENERGY)
def test_the_largest_weights_of_mean_payoff_games(solver):
    graph = ring(1)
    for x in (MAX_SUM // 4, -(MAX_SUM // 4), 0):
        assert zm.solve(graph, zm.MeanPayoff([x]), solver).verify().value.tolist() == [x]
    for x in (MAX_SUM // 3 + 1, -(2**60)):
        with pytest.raises(LimitError, match=BEYOND):
            zm.solve(ring(2), zm.MeanPayoff([x, 0]), solver)
    # The threshold of a mean of two weights is multiplied out: 2 w − p.
    x = MAX_SUM // 16
    value = zm.solve(ring(2), zm.MeanPayoff([x, x - 1]), solver).verify().value
    assert value.tolist() == [Fraction(2 * x - 1, 2)] * 2


@pytest.mark.parametrize("player", [0, 1])
def test_the_largest_weights_of_shortest_paths(player):
    n = 5
    largest = MAX_SUM // (n + 1)
    graph = zm.Graph.from_edges([(v, v + 1) for v in range(n - 1)], n=n, owner=[0] * n)
    for x in (largest, -largest):
        objective = zm.ShortestPath([x] * (n - 1), [n - 1], player=player)
        value = zm.solve(graph, objective).verify().value
        assert value.tolist() == [(n - 1 - v) * x for v in range(n)]
    for x in (largest + 1, -largest - 1):
        with pytest.raises(LimitError, match=f"the shortest-path game has .* {BEYOND}"):
            zm.solve(graph, zm.ShortestPath([0, x, 0, 0], [n - 1], player=player))


def test_the_largest_weights_of_discounted_games():
    """Values are fractions of any size, so every weight that an objective takes is possible."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (0, 0)], owner=[0, 1])
    x = 2**60
    for weight in ([x, -x, x - 1], [-x, x, -x + 1]):
        solution = zm.solve(graph, zm.Discounted(weight, "1/2")).verify()
        order = dict(zip(map(tuple, graph.to_edges().tolist()), weight, strict=True))
        round_trip = (order[0, 1] + Fraction(order[1, 0], 2)) * Fraction(4, 3)
        assert solution.value[0] == max(round_trip, 2 * order[0, 0])


@pytest.mark.parametrize(
    "kind", [zm.Energy, zm.MeanPayoff, zm.Discounted, lambda w: zm.ShortestPath(w, [0])]
)
def test_weights_are_bounded(kind):
    """A weight of ±2**60 is taken, one more is refused before anything is solved."""
    graph = ring(1)
    for x in (2**60, -(2**60)):
        assert kind([x]).arena(graph).weight.tolist() == [x]
    for x in (2**60 + 1, -(2**60) - 1, 2**63, -(2**63), 2**64):
        with pytest.raises(InvalidObjectiveError, match=r"from -2\*\*60 to 2\*\*60, got"):
            zm.solve(graph, kind([x]))


# -------------------------------------------------------------------- long solves


def counter(k):
    """A game in which plain value iteration lifts the credits of a ring one by one, k times."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (0, 2), (2, 2)], owner=[0, 1, 1])
    return graph, {(0, 1): 0, (1, 0): -1, (0, 2): -k, (2, 2): 0}


def test_progress_is_reported_during_a_long_solve(monkeypatch):
    """Every solver reports whenever its budget is spent, with numbers that make sense."""
    from zermelo.solvers.quantitative import frame as _frame
    from zermelo.solvers.quantitative import value_iteration as plain

    rng = np.random.default_rng(5)
    n = 300
    source = np.repeat(np.arange(n), 2)
    graph = zm.Graph.from_arrays(source, rng.integers(0, n, 2 * n), n, rng.integers(0, 2, n))
    weight = rng.integers(-9, 10, graph.m)
    for module in (_frame, plain):
        monkeypatch.setattr(module, "BUDGET", 50)
    for name in ENERGY:
        for objective in (zm.Energy(weight), zm.MeanPayoff(weight)):
            reports = []
            solution = zm.solve(graph, objective, name, progress=lambda *r: reports.append(r))  # noqa: B023
            solution.verify()
            solving = [report for report in reports if not report[2].startswith("compiling")]
            assert len(solving) > 3
            for done, total, what in solving:
                assert 0 <= done <= total == n
                assert what in ("lost by player 0", "values found")


@pytest.mark.parametrize("solver", ["auto", *ENERGY])
def test_progress_may_stop_a_solve(solver, monkeypatch):
    """An exception of the callback ends the solve and comes out as it is."""
    from zermelo.solvers.quantitative import frame as _frame
    from zermelo.solvers.quantitative import value_iteration as plain

    for module in (_frame, plain):
        monkeypatch.setattr(module, "BUDGET", 1)
    graph, weight = counter(50)

    def stop(done, total, what):
        raise KeyboardInterrupt(what)

    with pytest.raises(KeyboardInterrupt, match="lost by player 0"):
        zm.solve(graph, zm.Energy(weight), solver, progress=stop)


@pytest.mark.slow
@pytest.mark.compiled
def test_interrupted_while_it_solves(tmp_path):
    """Plain value iteration would need hours here; Ctrl-C ends it soon, and no file is left."""
    graph, weight = counter(10**15)
    code = """
import sys
import zermelo as zm
graph = zm.Graph.from_edges([(0, 1), (1, 0), (0, 2), (2, 2)], owner=[0, 1, 1])
weight = {(0, 1): 0, (1, 0): -1, (0, 2): -(10**15), (2, 2): 0}
def report(done, total, what):
    print("solving", flush=True)
try:
    zm.solve(graph, zm.Energy(weight), "value-iteration", progress=report)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
"""
    fast = zm.solve(graph, zm.Energy(weight)).verify()
    assert fast.credit.tolist() == [10**15, 10**15 + 1, 0]
    child = start([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert child.stdout is not None
    assert child.stdout.readline() == "solving\n"
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=HANG)
    assert child.returncode == 130
    assert output.splitlines()[-1] == "interrupted"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("digits", [6, 7, 16, 17, 20, 400, 900])
@pytest.mark.parametrize("owner", [[0, 1], None])
def test_a_discount_as_close_to_1_as_one_likes(tmp_path, digits, owner):
    """Floating point cannot tell it from 1, nor 1 − discount from 0."""
    discount = 1 - Fraction(1, 10**digits)
    graph = zm.Graph.from_edges([(0, 0), (0, 1), (1, 1)], owner=owner)
    solved = zm.solve(graph, zm.Discounted([1, 2, 3], discount)).verify()
    stay = Fraction(3) / (1 - discount)
    assert solved.value.flat[0] == 2 + discount * stay
    assert solved.value.flat[-1] == stay
    zm.write(zm.Game(graph, solved.objective), tmp_path / "game.json")
    assert zm.read(tmp_path / "game.json").objective.discount == discount
    assert zm.solve(zm.read(tmp_path / "game.json")).value.tolist() == solved.value.tolist()


@pytest.mark.parametrize(
    "number", [1 - Fraction(1, 10**1000), 1 - Fraction(1, 10**5000), "1e-1000"]
)
def test_numbers_of_very_many_digits(number):
    """A file could not keep them; Python writes no integers of more than 4,300 digits."""
    for make in (lambda: zm.Discounted([1], number), lambda: zm.MeanPayoff([1], number)):
        with pytest.raises(InvalidObjectiveError, match=r"0\.25, of at most 1,000 digits"):
            make()
    with pytest.raises(InvalidObjectiveError, match="of at most 1,000 digits"):
        zm.solve(zm.Graph.from_edges([(0, 1)]), zm.TerminalPayoff({1: number}))
