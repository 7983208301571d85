"""EGGS values, bounds and thresholds, and sums of games of return and repetition."""

import dataclasses
import itertools
import random

import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import (
    CertificateError,
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.sums.geography.blossoms import bits, exposed_in_some
from zermelo.sums.geography.search import highest, mex
from zermelo.sums.geography.values import GeographyValues
from zermelo.verify.common.inessential import inessential
from zermelo.verify.geography.eggs import check_eggs

OBJECTIVES = [zm.NoReturn(), zm.Return(), zm.NoRepetition(), zm.Repetition()]
NIM = [list(range(k)) for k in range(6)]
"""Heaps of Nim as a graph: from k to all smaller heaps."""


def symmetric_graphs(count, seed, high=8, density=(0.2, 0.6), broken=0.3):
    """Random symmetric graphs; some lose a few moves, some get exits to a lower part."""
    rng = random.Random(seed)
    for _ in range(count):
        n, p = rng.randint(2, high), rng.uniform(*density)
        edges = [e for e in itertools.combinations(range(n), 2) if rng.random() < p]
        edges += [(w, v) for v, w in edges]
        if edges and rng.random() < broken:
            edges.remove(rng.choice(edges))
        if rng.random() < 0.4:  # a lower part: Nim heaps, whose values are 0, 1, 2
            edges += [(n + k, n + j) for k in range(3) for j in range(k)]
            edges += [(rng.randrange(n), n + rng.randrange(3)) for _ in range(rng.randint(1, 3))]
            n += 3
        yield zm.Graph.from_edges(edges, n=n)


# -------------------------------------------------------------------- values


def test_values_are_those_of_the_tree_of_debuts():
    seen = set()
    for g in symmetric_graphs(150, "eggs of symmetric graphs"):
        succ, game = games.rows(g), zm.NoReturnGame(g)
        for v in range(g.n):
            value = oracle.eggs(succ, (v,))
            assert game.bounds((v,)).verify().value == value, (succ, v)
            seen.add(value)
    assert seen >= {0, 1, 2, 3}


def test_values_where_moves_must_be_tried():
    """Sparse graphs with many positions of degree one have perfect matchings in part."""
    rng, tried = random.Random("sparse"), 0
    for _ in range(60):
        n = 9
        edges = [(k, rng.randrange(max(0, k - 3), k)) for k in range(1, n)]
        edges += [(rng.randrange(n), rng.randrange(n)) for _ in range(2)]
        edges = [(v, w) for v, w in edges if v != w]
        g = zm.Graph.from_edges(edges + [(w, v) for v, w in edges], n=n)
        succ, values = games.rows(g), GeographyValues(g, zm.NoReturn(), None)
        for v in range(n):
            value = oracle.eggs(succ, (v,))
            assert values.bounds([v]) == (value, value), (succ, v)
        tried += values.budget.nodes > n
    assert tried > 20


def test_grids_have_values_0_and_1():
    for width, height in ((2, 3), (3, 3), (4, 3), (8, 8), (7, 7)):
        g = zm.generators.grid(width, height, moves="orthogonal").graph
        label = zm.solve(g, zm.NoReturn()).label
        game = zm.NoReturnGame(g)
        values = [game.grundy((v,)) for v in range(g.n)]
        assert values == [1 if x > 0 else 0 for x in label.tolist()]
        if g.n <= 12:
            assert values == [oracle.eggs(games.rows(g), (v,)) for v in range(g.n)]
    assert zm.eggs_bounds(zm.generators.grid(8, 8, moves="orthogonal").graph, 0).verify().exact


def test_later_debuts():
    for g in symmetric_graphs(25, "debuts", high=6):
        succ, game = games.rows(g), zm.NoReturnGame(g)
        for v in range(g.n):
            for after in game.options((v,)):
                assert game.grundy(after) == oracle.eggs(succ, after)
                for later in game.options(after):
                    assert game.bounds(later).verify().value == oracle.eggs(succ, later)


def test_long_and_wide_graphs():
    """Depth is no obstacle, and acyclic graphs take linear time."""
    path = zm.generators.path(1500, symmetric=True).graph
    assert zm.eggs(path, 1) == 2
    heap = zm.Graph.from_edges([(k, j) for k in range(60) for j in range(k)])
    assert [zm.eggs(heap, k) for k in (0, 7, 59)] == [0, 7, 59]
    line = zm.generators.path(3000).graph
    assert [zm.eggs(line, k) for k in (2999, 2998, 0)] == [0, 1, 1]


# -------------------------------------------------------------------- bounds and thresholds


@pytest.mark.slow
def test_bounds_and_thresholds():
    undecided = 0
    for g in symmetric_graphs(25, "bounds", broken=0.6):
        succ = games.rows(g)
        for v in range(g.n):
            value = oracle.eggs(succ, (v,))
            for nodes in (0, 1, 3):
                found = zm.eggs_bounds(g, v, nodes=nodes).verify()
                assert found.lower <= value <= found.upper <= len(succ[v])
                assert found.nodes <= nodes
                undecided += not found.exact
            for t in range(4):
                assert zm.eggs_exceeds(g, v, t) == (value > t)
                found = zm.eggs_bounds(g, v, threshold=t).verify()
                assert found.exceeds(t) == (value > t)
                assert found.lower <= value <= found.upper
    assert undecided > 20


def test_zero_is_decided_by_one_matching():
    """Q_0 takes one state on a symmetric graph, however hard its value is."""
    rng = random.Random("zero")
    edges = [(rng.randrange(40), rng.randrange(40)) for _ in range(60)]
    edges = [(v, w) for v, w in edges if v != w]
    g = zm.Graph.from_edges(edges + [(w, v) for v, w in edges], n=40)
    label = zm.solve(g, zm.NoReturn()).label
    for v in range(g.n):
        found = zm.eggs_bounds(g, v, threshold=0)
        assert found.nodes <= 1
        assert found.exceeds(0) == (label[v] > 0)


def test_limits():
    hard = zm.generators.random_graph(30, degree=3, law="regular", seed=1).graph
    with pytest.raises(LimitError, match="examined 5 situations without an end: the value of"):
        zm.eggs(hard, 0, nodes=5)
    with pytest.raises(LimitError, match="the question was whether it exceeds 1"):
        zm.eggs_exceeds(hard, 0, 1, nodes=5)
    found = zm.eggs_bounds(hard, 0, nodes=5).verify()
    assert (found.exact, found.exceeds(0), found.exceeds(3)) == (False, None, False)
    assert repr(found) == "EggsBounds((0,): 0 to 3)"
    with pytest.raises(InvalidOptionError, match="threshold"):
        zm.eggs_exceeds(hard, 0, -1)


def test_misere_geography_has_no_values():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidObjectiveError, match="misère geography"):
        zm.eggs(zm.Game(g, zm.NoReturn(misere=True)), 0)
    with pytest.raises(InvalidObjectiveError, match="expected a game of return"):
        zm.GeographyGame(g, zm.NormalPlay())
    with pytest.raises(InvalidOptionError, match="wins at once"):
        zm.GeographyGame(g, zm.Return()).grundy((1,))


def test_small_parts():
    assert [mex(x) for x in (0, 1, 0b101, 0b111)] == [0, 1, 1, 3]
    rng = random.Random("highest")
    for _ in range(200):
        have = rng.randrange(32)
        spans = [(low, low + rng.randint(0, 3)) for low in rng.choices(range(5), k=3)]
        choices = itertools.product(*(range(low, high + 1) for low, high in spans))
        best = max(mex(have | sum({1 << x for x in row})) for row in choices)
        assert highest(have, spans) == best


def test_matchings_of_parts():
    rng = random.Random("parts")
    for _ in range(300):
        n = rng.randint(1, 9)
        adjacent, p = [0] * n, rng.uniform(0.1, 0.6)
        for v, w in itertools.combinations(range(n), 2):
            if rng.random() < p:
                adjacent[v] |= 1 << w
                adjacent[w] |= 1 << v
        mate = None
        for part in (rng.randrange(1 << n), rng.randrange(1 << n)):
            mate, exposed = exposed_in_some(adjacent, part, mate)
            rows = {v: list(bits(adjacent[v] & part)) for v in bits(part)}
            assert set(bits(exposed)) == inessential(rows)
            assert all(mate[w] == v and w in rows[v] for v, w in mate.items())


# -------------------------------------------------------------------- the checker, attacked


def test_wrong_bounds_and_forged_tables_are_refused():
    refused = 0
    for g in symmetric_graphs(40, "forgeries", high=7, broken=0.5):
        values = GeographyValues(g, zm.NoReturn(), None)
        for v in range(g.n):
            low, high = values.bounds([v])
            assert low == high
            table, starts = values.table(), dict(values.starts)
            for wrong in (low - 1, low + 1):
                if wrong < 0:
                    continue
                with pytest.raises(CertificateError):
                    check_eggs(g, zm.NoReturn(), [v], (wrong, wrong), table, starts)
                for claims in (table, starts):
                    for key, old in list(claims.items())[:12]:
                        for forged in (old[0] - 1, old[0] + 1):
                            claims[key] = (forged, forged)
                            with pytest.raises(CertificateError):
                                check_eggs(g, zm.NoReturn(), [v], (wrong, wrong), table, starts)
                            refused += 1
                        claims[key] = old
    assert refused > 500


def test_a_table_of_another_game_proves_nothing():
    one, two = list(symmetric_graphs(60, "tables", high=7, broken=0))[:2]
    for g, other in ((one, two), (two, one)):
        table = GeographyValues(other, zm.NoReturn(), None)
        for v in range(other.n):
            table.bounds([v])
        for v in range(g.n):
            value = oracle.eggs(games.rows(g), (v,))
            bounds = (value + 1, value + 1)
            with pytest.raises(CertificateError):
                check_eggs(g, zm.NoReturn(), [v], bounds, table.table(), table.starts)


def test_a_changed_answer_does_not_verify():
    g = zm.generators.path(6, symmetric=True).graph
    found = zm.eggs_bounds(g, 2)
    for change in ({"lower": 0, "upper": 0}, {"upper": found.upper + 1, "lower": found.upper + 1}):
        with pytest.raises(CertificateError):
            dataclasses.replace(found, **change).verify()
    assert dataclasses.replace(found, lower=0).verify().span == f"0 to {found.upper}"


# -------------------------------------------------------------------- sums


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_values_of_all_four_games_by_sums_with_nim(objective):
    """A value t means that the sum with a heap of t is lost, and all others are won."""
    values = set()
    for g in games.random_graphs(25, f"nim {objective.keyword}", low=3, high=5, moves=7):
        succ, game = games.rows(g), zm.GeographyGame(g, objective)
        for v in range(g.n):
            if zm.geography_sum([(g, v)], objective).value is None:
                assert oracle.sum_wins([(succ, objective.keyword)], ((v,),))
                continue
            value = game.bounds((v,)).verify().value
            values.add(value)
            for t in range(value + 2):
                both = [(succ, objective.keyword), (NIM, "no-return")]
                assert oracle.sum_wins(both, ((v,), (t,))) == (t != value), (succ, v, t)
    assert values >= {0, 1}


def test_sums_against_their_definition():
    rng, labels = random.Random("sums"), set()
    graphs = list(games.random_graphs(60, "components", low=2, high=4, moves=4))
    for _ in range(120):
        k = rng.choice([1, 2, 2, 3])
        chosen = [rng.choice(graphs) for _ in range(k)]
        kinds = [rng.choice(OBJECTIVES) for _ in range(k)]
        if rng.random() < 0.25:
            kinds = [rng.choice([zm.NoReturn(True), zm.NoRepetition(True)]) for _ in range(k)]
        starts = [rng.randrange(g.n) for g in chosen]
        parts = [(zm.Game(g, x), v) for g, x, v in zip(chosen, kinds, starts, strict=True)]
        found = zm.geography_sum(parts).verify()
        names = [x.keyword + " misere" * getattr(x, "misere", False) for x in kinds]
        rules = [(games.rows(g), name) for g, name in zip(chosen, names, strict=True)]
        histories = tuple((v,) for v in starts)
        assert (found.label > 0) == oracle.sum_wins(rules, histories), (rules, starts)
        good = {(m.component, m.to) for m in found.winning_moves}
        assert good == {
            (j, w)
            for j, (succ, name) in enumerate(rules)
            for w in succ[starts[j]]
            if _wins(rules, histories, name, j, w)
        }
        labels.add((found.label, names[0]))
        for move in found.winning_moves:
            if not oracle.repeats(names[move.component], histories[move.component], move.to):
                assert found.after(move.component, move.to).verify().label < 0
    assert len(labels) >= 8


def _wins(rules, histories, name, j, w):
    if oracle.repeats(name, histories[j], w):
        return name in ("return", "repetition")
    return not oracle.sum_wins(rules, oracle.moved(histories, j, w))


def test_symmetric_games_of_return_add_up_to_nothing():
    """The second player goes straight back, in every component."""
    g = zm.generators.grid(3, 3, moves="orthogonal").graph
    found = zm.geography_sum([(g, 0), (g, 4), (g, 1)], zm.Return()).verify()
    assert (found.values, found.value, found.label.name) == ((0, 0, 0), 0, "LOSE")


def test_forged_sums_are_refused():
    path = zm.generators.path(4, symmetric=True).graph
    cycle = zm.generators.cycle(3).graph
    cases = [
        zm.geography_sum([(path, 1), (path, 0)]),
        zm.geography_sum([(path, 1), (path, 1)]),
        zm.geography_sum([(cycle, 0), (cycle, 1)], zm.Return()),
        zm.geography_sum([(path, 1), (path, 2)], zm.NoReturn(misere=True)),
    ]
    for found in cases:
        found.verify()
        with pytest.raises(CertificateError):
            dataclasses.replace(found, label=zm.Label(-found.label)).verify()
        if found.winning_moves:
            with pytest.raises(CertificateError):
                dataclasses.replace(found, winning_moves=()).verify()
            twice = (*found.winning_moves, found.winning_moves[0])
            with pytest.raises(CertificateError, match="expected each winning move once"):
                dataclasses.replace(found, winning_moves=twice).verify()
    first = cases[0]
    for k, to in ((0, 0), (1, 1), (0, 3)):
        forged = dataclasses.replace(first.winning_moves[0], component=k, to=to)
        with pytest.raises(CertificateError):
            dataclasses.replace(first, winning_moves=(forged,)).verify()
    with pytest.raises(CertificateError, match=r"the value of .* expected one of the debut"):
        dataclasses.replace(first, components=first.components[::-1]).verify()
    with pytest.raises(CertificateError, match="expected a value"):
        dataclasses.replace(first, components=(None, None)).verify()


@pytest.mark.parametrize(
    ("edges", "objective"),
    [([(0, 0), (0, 1)], zm.Return()), ([(0, 1), (0, 2)], zm.NoReturn(misere=True))],
)
def test_sums_that_lack_a_winning_move_are_refused(edges, objective):
    g = zm.Graph.from_edges(edges)
    found = zm.geography_sum([(g, 0), (g, 0)], objective).verify()
    assert len(found.winning_moves) > 1
    for move in found.winning_moves:
        rest = tuple(x for x in found.winning_moves if x is not move)
        with pytest.raises(CertificateError, match=f"all winning moves, the sum lacks {move}"):
            dataclasses.replace(found, winning_moves=rest).verify()


def test_bad_sums():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidOptionError, match="component 0: expected a pair"):
        zm.geography_sum([g])
    with pytest.raises(InvalidObjectiveError, match="component 1: expected a game of return"):
        zm.geography_sum([(g, 0), (zm.Game(g, zm.Misere()), 0)])
    with pytest.raises(InvalidObjectiveError, match="all misère geography or none"):
        zm.geography_sum([(zm.Game(g, zm.NoReturn(True)), 0), (zm.Game(g, zm.NoReturn()), 0)])
    with pytest.raises(InvalidObjectiveError, match="objective: expected"):
        zm.geography_sum([(g, 0)], zm.NormalPlay())
    hard = zm.generators.random_graph(30, degree=3, law="regular", seed=1).graph
    for objective in (zm.NoReturn(), zm.NoReturn(misere=True)):
        with pytest.raises(LimitError, match="has examined"):
            zm.geography_sum([(hard, 0), (hard, 1)], objective, nodes=4)


def test_the_empty_sum_is_lost():
    found = zm.geography_sum([]).verify()
    assert (found.label.name, found.value, found.move) == ("LOSE", 0, None)
