"""Misère sums by the product, and the genus of positions."""

import random

import numpy as np
import pytest
from tests.sums.misere_oracle import Octal, Outcomes

import zermelo as zm
from zermelo.errors import InvalidGraphError, MemoryLimitError, SolverError
from zermelo.sums.misere.genus import Genus, Kind, genus
from zermelo.sums.misere.small_sums import misere_sum_outcome, product


def nim(n):
    return zm.Graph.from_edges([(u, v) for u in range(n) for v in range(u)], n=n)


def heap_graph(code, n):
    """The graph of all sums of heaps that can be reached from one heap of at most n."""
    outcomes, edges = Outcomes(Octal(code)), []
    todo, seen = [(heap,) for heap in range(1, n + 1)], set()
    while todo:
        position = todo.pop()
        if position not in seen:
            seen.add(position)
            moves = [to for to, _ in outcomes.moves(position)]
            edges += [(position, to) for to in moves]
            todo += moves
    return zm.Graph.from_edges(edges)


def random_dags(count, n=8, seed=4):
    rng = random.Random(seed)
    for _ in range(count):
        edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.45]
        yield zm.Graph.from_edges(edges, n=n)


def nim_is_lost(heaps):
    """Bouton's rule for misère Nim."""
    total = int(np.bitwise_xor.reduce([0, *heaps]))
    return total == (max(heaps, default=0) <= 1)


def test_misere_nim():
    board = nim(5)
    for a in range(5):
        for b in range(5):
            for c in range(5):
                found = misere_sum_outcome([(board, a), (board, b), (board, c)])
                assert (found is zm.Label.LOSE) == nim_is_lost([a, b, c])


def test_a_sum_of_one_and_of_none():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t"), ("c", "t")])
    labels = zm.solve(graph, zm.Misere()).label
    for v, name in enumerate(graph.names):
        assert misere_sum_outcome([(graph, name)]) == labels[v]
    assert misere_sum_outcome([]) is zm.Label.WIN


def test_octal_sums_are_those_of_brute_force():
    graph, brute = heap_graph("0.77", 6), Outcomes(Octal("0.77"))
    for a in range(1, 7):
        for b in range(1, 7):
            found = misere_sum_outcome([(graph, (a,)), (graph, (b,))])
            assert (found is zm.Label.LOSE) == brute.lost((a, b))


def test_a_large_product_is_refused_with_its_size(monkeypatch):
    board = zm.Graph.from_edges([(v + 1, v) for v in range(1999)])
    with pytest.raises(MemoryLimitError, match="8000000000 positions"):
        misere_sum_outcome([(board, 1999)] * 3)
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    with pytest.raises(MemoryLimitError, match=r"4000000 positions and .* moves needs about"):
        misere_sum_outcome([(board, 1999)] * 2)
    assert misere_sum_outcome([(board, 4), (board, 3)]) is zm.Label.LOSE  # seven moves in all


def test_owners_and_strangers_are_refused():
    owned = zm.Graph.from_edges([("a", "b")], owner={"a": 0, "b": 1})
    with pytest.raises(InvalidGraphError, match="without owners"):
        misere_sum_outcome([(owned, "a")])
    with pytest.raises(InvalidGraphError, match="without owners"):
        genus(owned)
    with pytest.raises(InvalidGraphError, match="expected a Graph or a Game, got str"):
        misere_sum_outcome([("g", 1)])


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        # T. E. Plambeck, plambeck.org, "The Game .312", single heap genus sequence
        ("0.312", "1^{031} 2^{20} 0^{02} 2^{1420} 0^{02} 1^{13}"),
        # Winning Ways, ch. 13, table 5, row of .45, as quoted on plambeck.org, "Octal Game 0.177";
        # it abridges the genera of Nim, which are written out here
        ("0.177", "1^{031} 1^{031} 2^{20} 2^{20} 3^{31} 1^{031} 1^{031} 4^{146} 4^{46} 3^{31} "
                  "2^{20} 2^{20} 1^{13} 1^{031} 4^{057} 2^{20}"),
    ],
)  # fmt: skip
def test_published_genera(code, wanted):
    symbols = wanted.split()
    found = genus(heap_graph(code, len(symbols)))
    assert [str(found[heap,]) for heap in range(1, len(symbols) + 1)] == symbols


def test_superscripts_are_misere_nim_values_with_heaps_of_two():
    two = nim(3)
    for graph in random_dags(12, n=6):
        found = genus(graph)
        for k in range(4):
            lost = zm.solve(product([graph, *[two] * k, nim(9)]), zm.Misere()).label == -1
            top = graph.n * (3**k - 1)  # k heaps of two, and no heap of one
            for v in range(graph.n):
                sums = [lost[v + top + graph.n * 3**k * j] for j in range(9)]
                assert sums.count(True) == 1
                assert sums.index(True) == found[v][k]
        assert np.array_equal(found.value, zm.grundy(graph).value)


def test_tame_games_play_like_nim():
    pairs = 0
    for graph in random_dags(40):
        found = genus(graph)
        lost = zm.solve(product([graph, graph]), zm.Misere()).label == -1
        tame = [v for v in range(graph.n) if found.kind(v) is Kind.TAME]
        for v in tame:
            for w in tame:
                a, b = found[v], found[w]
                fickle = a.value != a[0] and b.value != b[0]
                assert lost[v + graph.n * w] == (a.value ^ b.value ^ fickle == 0)
                pairs += 1
        assert all(found[v].of_nim for v in tame)
    assert pairs > 1000


def test_restive_games_choose_their_size():
    heaps, restive = nim(7), 0
    for graph in random_dags(400):
        found = genus(graph)
        chosen = [v for v in range(graph.n) if found.kind(v) is Kind.RESTIVE]
        if not chosen:
            continue
        lost = zm.solve(product([graph, heaps, heaps]), zm.Misere()).label == -1
        for v in chosen:
            restive += 1
            small = {0, 1, found[v][0], found[v][0] ^ 1}
            for i in range(7):
                for j in range(7):
                    size = found[v][0] if {i, j} <= small else found[v].value
                    assert lost[v + graph.n * (i + 7 * j)] == nim_is_lost([size, i, j])
    assert restive >= 5


def test_kinds_of_known_games():
    kayles = genus(heap_graph("0.77", 9))
    assert [kayles.kind((heap,)).value for heap in (4, 5, 9)] == ["tame", "restless", "wild"]
    assert genus(heap_graph("0.75", 5)).kind((5,)) is Kind.RESTIVE


def test_the_last_two_superscripts_repeat_for_ever():
    symbol = Genus(0, (1, 2, 0))
    assert [symbol[k] for k in range(6)] == [1, 2, 0, 2, 0, 2]
    assert str(Genus(12, (12, 14))) == "12^{12 14}"


def test_cycles_are_refused():
    with pytest.raises(SolverError, match="a → b → a"):
        genus(zm.Graph.from_edges([("a", "b"), ("b", "a")]))


def test_no_positions():
    empty = zm.Graph.from_edges([], n=0)
    assert genus(empty).value.size == 0
    assert product([]).n == 1
    assert product([empty, nim(2)]).n == 0
