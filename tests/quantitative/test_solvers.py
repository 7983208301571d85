"""What solvers of quantitative games must do beside the contract of all solvers."""

import functools
import io
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from tests import sampling
from tests.quantitative import oracle
from tests.sampling import rounds
from zermelo.errors import CertificateError, LimitError, MemoryLimitError, SolverError
from zermelo.objectives import OBJECTIVES
from zermelo.registry import SOLVERS

KEYWORDS = ("energy", "mean-payoff", "discounted", "shortest-path")
CASES = [
    (row.name, keyword)
    for row in SOLVERS
    for keyword in KEYWORDS
    if row.applies_to("quantitative", keyword)
]
ENERGY = [name for name, keyword in CASES if keyword == "energy"]
MEAN = [name for name, keyword in CASES if keyword == "mean-payoff"]
GAMES = 300
"""Random games of each objective, shared by all solvers."""

DISCOUNTS = (Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000), Fraction(10**7 - 1, 10**7))

over_cases = pytest.mark.parametrize(("solver", "keyword"), CASES)


def solved(graph, objective, solver="auto"):
    """Solve and verify; the graph must be as before and the answer's arrays read-only."""
    before = [a.copy() for a in (graph.indptr, graph.indices)]
    s = zm.solve(graph, objective, solver=solver)
    assert s.verify() is s
    assert s.graph is graph
    assert s.objective is objective
    assert all(np.array_equal(a, b) for a, b in zip((graph.indptr, graph.indices), before,
                                                    strict=True))  # fmt: skip
    shape = (graph.n,) if graph.owner is not None else (graph.n, 2)
    for name in ("level", "label", "distance", "strategy", *s.arrays):
        array = getattr(s, name)
        assert array.shape == shape
        assert not array.flags.writeable
    return s


def answer(solution):
    """What the oracle says, too: credits or values."""
    energy = solution.objective.keyword == "energy"
    return (solution.credit if energy else solution.value).tolist()


def make(keyword, weight, rng, n):
    """An objective with these weights."""
    if keyword == "discounted":
        return zm.Discounted(weight, rng.choice(DISCOUNTS))
    if keyword != "shortest-path":
        return OBJECTIVES[keyword](weight)
    targets = [v for v in range(n) if rng.random() < 0.3]
    return zm.ShortestPath(weight, targets, player=rng.choice((0, 1, 1)))


@functools.cache
def corpus(keyword):
    """Small random games with the oracle's answers."""
    rng, found = random.Random(f"corpus {keyword}"), []
    sizes = {"discounted": (5, 8), "shortest-path": (6, 20)}.get(keyword, (6, 10))
    for _ in range(rounds(GAMES, 40)):
        graph, weight = oracle.random_game(rng, *sizes)
        if keyword == "shortest-path":  # the oracle's time depends on the weights
            weight = {edge: x % 9 - 4 for edge, x in weight.items()}
        objective = make(keyword, weight, rng, graph.n)
        found.append((graph, objective, oracle.answer(graph, objective)))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("solver", MEAN)
def test_thresholds(solver):
    """Who gets at least a threshold, for thresholds at, below and above a value."""
    rng = random.Random(2)
    for graph, objective, value in corpus("mean-payoff")[:300]:
        finite = [x for x in value if math.isfinite(x)] or [Fraction(0)]
        x = rng.choice(finite) + rng.choice((0, 0, Fraction(1, 60), -Fraction(1, 60)))
        s = solved(graph, zm.MeanPayoff(objective.weight, threshold=x), solver)
        assert s.winner.tolist() == [0 if y >= x else 1 for y in value]


@pytest.mark.parametrize("owner", [[0, 1], None])
def test_a_threshold_gives_no_values(tmp_path, owner):
    """Whether the mean is at least 1/3 is decided, and the mean 1/2 is not found."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=owner)
    s = zm.solve(graph, zm.MeanPayoff([4, -3, 1], threshold="1/3")).verify()
    assert set(s.value.reshape(-1).tolist()) == {None}
    assert s.value.shape == s.label.shape
    assert {x.value for x in s} == {None}
    assert s.to_pandas()["value"].isna().all()
    assert s.to_arrow()["value"].null_count == len(s)
    assert "value" not in s[0]._repr_html_()
    assert "None" not in s._repr_html_()
    assert s.explain(0).to_dict()["value"] is None
    for suffix in ("csv", "json"):
        s.save(tmp_path / f"solution.{suffix}")
        again = zm.read_solution(tmp_path / f"solution.{suffix}", graph).verify()
        assert again[0].value is None
    text = (tmp_path / "solution.csv").read_text()
    (tmp_path / "solution.csv").write_text(text.replace("WIN,,,", "WIN,,1,"))
    with pytest.raises(
        CertificateError, match=r"value of 0: expected nothing, as the other .* got '1'"
    ):
        zm.read_solution(tmp_path / "solution.csv", graph)


@pytest.mark.parametrize(("capacity", "credit"), [(10**9, 10**9), (10**9 - 1, -1), (2**60, 10**9)])
def test_the_time_does_not_depend_on_the_capacity(capacity, credit):
    """A loop that costs 1 and an exit that costs 10⁹: the battery is used up in 10⁹ moves."""
    graph = zm.Graph.from_edges([(0, 0), (0, 1), (1, 1)], owner=[0, 0])
    s = zm.solve(graph, zm.Energy([-1, -(10**9), 0], capacity)).verify()
    assert s.credit.tolist() == [credit, 0]


def test_losses_that_follow_from_each_other_take_few_games():
    """From v one can move to v − 1 with profit, or to 0 for more than the capacity."""
    n = 60
    weight = {(0, 0): 0} | {(v, 0): -20 for v in range(1, n)}
    weight |= {(v, v - 1): 30 for v in range(2, n)}
    graph = zm.Graph.from_edges(list(weight), owner=[0] * n)
    s = zm.solve(graph, zm.Energy(weight, capacity=10)).verify()
    assert (s.credit.tolist(), s.stats["games"]) == ([0] + [-1] * (n - 1), 2)


@pytest.mark.sampled
def test_capacities():
    """A battery of bounded capacity, by every solver that is asked."""
    rng, several = random.Random(3), 0
    for graph, objective, _ in corpus("energy")[:300]:
        weight = {edge: x % 7 - 3 for edge, x in objective.weight.items()}
        capacity = rng.choice([rng.randint(0, 8), rng.randint(9, 60)])
        s = solved(graph, zm.Energy(weight, capacity), rng.choice(["auto", *ENERGY]))
        several += s.stats["games"] > 1
        assert s.credit.tolist() == oracle.answer(graph, s.objective)
        huge = solved(graph, zm.Energy(weight, 2**60))
        assert huge.credit.tolist() == solved(graph, zm.Energy(weight)).credit.tolist()
        s = solved(graph, zm.Energy(weight, 3 * graph.n))
        assert s.credit.tolist() == solved(graph, zm.Energy(weight)).credit.tolist()
    assert several > (10 if sampling.complete else 0)


def test_player_one_needs_memory_against_a_battery():
    """Each of two ways round is fine for a battery of 5, one after the other is not."""
    edges = {("u", "a"): 10, ("a", "u"): -3, ("u", "b"): -3, ("b", "u"): 10}
    graph = zm.Graph.from_edges(list(edges), owner={"u": 1, "a": 0, "b": 0})
    assert set(solved(graph, zm.Energy(edges, capacity=5)).credit.tolist()) == {zm.NO_CREDIT}
    assert solved(graph, zm.Energy(edges, capacity=6)).credit.min() == 0
    for left_out in ("a", "b"):
        some = {edge: x for edge, x in edges.items() if left_out not in edge}
        names = [name for name in "uab" if name != left_out]
        part = zm.Graph.from_edges(list(some), owner={n: int(n == "u") for n in names})
        assert solved(part, zm.Energy(some, capacity=5)).credit.min() == 0


# -------------------------------------------------------------------- how answers must move


def shuffled(keyword, count=150):
    return corpus(keyword)[:count]


@pytest.mark.sampled
@pytest.mark.parametrize("solver", MEAN)
def test_scaled_and_shifted_means(solver):
    for graph, objective, value in shuffled("mean-payoff"):
        weight = objective.weights(graph)
        s = solved(graph, zm.MeanPayoff(3 * weight), solver)
        assert answer(s) == [3 * x for x in value]
        s = solved(graph, zm.MeanPayoff(weight + 7), solver)
        assert answer(s) == [x + 7 for x in value]
        swapped = graph.with_owner(1 - graph.owner)
        s = solved(swapped, zm.MeanPayoff(-weight), solver)
        assert answer(s) == [-x for x in value]


@pytest.mark.sampled
@pytest.mark.parametrize("solver", ENERGY)
def test_scaled_credits(solver):
    for graph, objective, credit in shuffled("energy"):
        s = solved(graph, zm.Energy(5 * objective.weights(graph)), solver)
        assert answer(s) == [5 * x if x >= 0 else x for x in credit]


@pytest.mark.sampled
def test_scaled_discounted_sums():
    for graph, objective, value in shuffled("discounted"):
        weight, discount = objective.weights(graph), objective.discount
        swapped = graph.with_owner(1 - graph.owner)
        s = solved(swapped, zm.Discounted(-2 * weight, discount))
        assert answer(s) == [-2 * x for x in value]
        s = solved(graph, zm.Discounted(weight + 1, discount))
        assert answer(s) == [x + 1 / (1 - discount) for x in value]


@pytest.mark.sampled
def test_who_wants_to_reach_changes_signs():
    for graph, objective, value in shuffled("shortest-path"):
        other = zm.ShortestPath(
            -objective.weights(graph), objective.targets, player=1 - objective.player
        )
        s = solved(graph.with_owner(1 - graph.owner), other)
        assert answer(s) == [-x for x in value]


@pytest.mark.sampled
def test_energy_and_mean_payoff_agree():
    """Some credit suffices exactly where the mean is not negative."""
    for graph, objective, value in shuffled("mean-payoff", 300):
        s = solved(graph, zm.Energy(objective.weight))
        assert (s.credit >= 0).tolist() == [x >= 0 for x in value]


@pytest.mark.sampled
@over_cases
def test_alternating_players(solver, keyword):
    """On a graph without owners, the answers are those of the alternating graph."""
    rng = random.Random(4)
    for graph, objective, _ in shuffled(keyword, 60):
        plain = graph.with_owner(None)
        s = solved(plain, objective, solver)
        doubled = zm.transform.alternating_graph(plain, named=False)
        edges = zip(plain.to_edges().tolist(), objective.weights(plain).tolist(), strict=True)
        weight = {(2 * u + e, 2 * v + 1 - e): x for (u, v), x in edges for e in (0, 1)}
        spec = objective.spec(plain)
        spec["weight"] = [weight[tuple(edge)] for edge in doubled.to_edges().tolist()]
        spec["targets"] = [2 * v + e for v in spec.get("targets", []) for e in (0, 1)]
        other = type(objective).from_spec(spec, doubled)
        twin = solved(doubled, other, solver)
        assert list(itertools.chain(*answer(s))) == answer(twin)
        if graph.n:
            v = rng.randrange(graph.n)
            assert s.at(v, player=1).label == twin.label[2 * v + 1]


# -------------------------------------------------------------------- strategies and lines


@pytest.mark.sampled
def test_lines():
    """Best play of both has the value: the mean of its cycle, or who is stuck."""
    for graph, objective, value in corpus("mean-payoff")[:300]:
        s = zm.solve(graph, objective)
        for v in range(graph.n):
            line = s.line(v)
            pairs = list(itertools.pairwise(line))
            assert all(pair in objective.weight for pair in pairs)
            if line.cycle is None:
                assert not graph.successors(line[-1]).size
                assert value[v] == (-math.inf if graph.owner[line[-1]] == 0 else math.inf)
            elif math.isfinite(value[v]):
                cycle = [objective.weight[pair] for pair in pairs[line.cycle :]]
                assert Fraction(sum(cycle), len(cycle)) == value[v]
            found = s.at(v)
            assert found.value == value[v]
            assert found.label == (1 if graph.owner[v] == 0 else -1) * (
                (value[v] > 0) - (value[v] < 0)
            )


@pytest.mark.sampled
def test_lines_end_at_targets():
    for graph, objective, value in corpus("shortest-path")[:200]:
        s = zm.solve(graph, objective)
        ends = graph.mask(objective.targets)
        for v in range(graph.n):
            line = s.line(v)
            assert not any(ends[w] for w in line[:-1])
            if line.cycle is None and ends[line[-1]] and math.isfinite(value[v]):
                assert sum(objective.weight[pair] for pair in itertools.pairwise(line)) == value[v]


@pytest.mark.sampled(cases=8)
@pytest.mark.parametrize("format", ["json", "npz", "parquet", "csv"])
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_files(keyword, format):
    """Solutions come back from files as they were, certificates included."""
    for graph, objective, wanted in corpus(keyword)[:20]:
        for game in (zm.Game(graph, objective), zm.Game(graph.with_owner(None), objective)):
            file = io.BytesIO()
            zm.write(zm.solve(game), file, format=format)
            again = zm.read_solution(io.BytesIO(file.getvalue()), game, format=format).verify()
            assert game.graph is not graph or answer(again) == wanted


# -------------------------------------------------------------------- corners


def middling(seed, n, low, high, largest):
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(n), rng.integers(low, high + 1, n))
    graph = zm.Graph.from_arrays(source, rng.integers(0, n, source.size), n, rng.integers(0, 2, n))
    return graph, rng.integers(-largest, largest + 1, graph.m)


@pytest.mark.parametrize(("n", "low", "high"), [(40, 0, 3), (200, 2, 2), (300, 1, 5)])
@pytest.mark.parametrize("largest", [1, 20, 10**6])
def test_middling_games(n, low, high, largest):
    """Answers are unique, so all solvers must have the same ones."""
    for seed in range(2):
        graph, weight = middling(seed, n, low, high, largest)
        objectives = [zm.MeanPayoff(weight), zm.MeanPayoff(weight, threshold=Fraction(1, 3))]
        if largest <= 20:
            objectives.append(zm.Energy(weight))
        for objective in objectives:
            fast = [name for name in ENERGY if largest <= 20 or name != "value-iteration"]
            found = [solved(graph, objective, name) for name in fast]
            for s in found[1:]:
                for name in ("label", "credit", "numerator", "denominator"):
                    if hasattr(s, name):
                        assert np.array_equal(getattr(s, name), getattr(found[0], name))


def test_values_with_large_denominators():
    """Two rings of 40 and 41 positions whose means differ by 1/1640."""
    one = [(v, (v + 1) % 40) for v in range(40)]
    two = [(40 + v, 40 + (v + 1) % 41) for v in range(41)]
    weight = dict.fromkeys(one + two, 0)
    weight[0, 1] = weight[40, 41] = 1
    choice = [(81, 0), (81, 40), (82, 0), (82, 40)]
    weight |= dict.fromkeys(choice, 5)
    graph = zm.Graph.from_edges(list(weight), owner=[0] * 82 + [1])
    value = solved(graph, zm.MeanPayoff(weight)).value
    assert (value[81], value[82]) == (Fraction(1, 40), Fraction(1, 41))


# -------------------------------------------------------------------- limits


def test_sums_beyond_64_bits_are_refused():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    for objective in (
        zm.Energy([2**60, -(2**60)]),
        zm.MeanPayoff([2**60, -(2**60)]),
        zm.MeanPayoff([1, 2], threshold=Fraction(1, 2**61)),
        zm.ShortestPath([2**60, 1], [0]),
    ):
        with pytest.raises(LimitError, match="whose sums may exceed 64 bits; use smaller weights"):
            zm.solve(graph, objective)
    for name in ENERGY:
        s = solved(graph, zm.Energy([2**59, -(2**59)]), name)
        assert s.credit.tolist() == [0, 2**59]
    assert solved(graph, zm.Discounted([2**60, -(2**60)], "1/2")).value[0] == Fraction(2**61, 3)


@over_cases
def test_memory_is_estimated(solver, keyword, monkeypatch):
    graph, weight = middling(1, 3000, 2, 2, 9)
    objective = make(keyword, weight, random.Random(1), graph.n)
    monkeypatch.setenv("ZERMELO_MEMORY", "100k")
    with pytest.raises(MemoryLimitError, match=f"{solver} on 3,000 positions and"):
        zm.solve(graph, objective, solver)


def test_solvers_of_other_objectives_are_refused():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    with pytest.raises(SolverError, match="'fast-value-iteration' does not solve 'discounted'"):
        zm.solve(graph, zm.Discounted([1, 2]), solver="fast-value-iteration")
