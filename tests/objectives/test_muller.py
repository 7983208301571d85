"""Muller objectives: acceptance formulas, colours, special cases, files."""

import itertools
import random

import numpy as np
import pytest
from tests import muller_oracle as oracle

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, UnknownPositionError
from zermelo.objectives.acceptance import MAX_NESTING, Formula

PATH = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]


def path(owner=(0, 0, 0)):
    return zm.Graph.from_edges(PATH, owner=list(owner))


@pytest.mark.parametrize("seed", range(100))
def test_formulas_mean_the_same_as_in_python(seed):
    rng = random.Random(seed)
    text = oracle.random_formula(rng, 4)
    for size in range(5):
        for seen in itertools.combinations(range(4), size):
            assert Formula(text).holds(set(seen)) == oracle.truth(text, set(seen))


def test_and_binds_stronger_than_or():
    formula = Formula("Inf(0) | Inf(1) & Inf(2)")
    assert formula.holds({0})
    assert not formula.holds({1})


def test_spaces_do_not_matter():
    assert Formula(" Inf ( 0 )&Fin( ! 1 ) ").tree == Formula("Inf(0) & Fin(!1)").tree


@pytest.mark.parametrize(
    ("text", "column", "expected", "got"),
    [
        ("", 1, "Inf(…), Fin(…), t, f or '('", "the end"),
        ("Inf(0) &", 9, "Inf(…)", "the end"),
        ("Inf(0) Fin(1)", 8, "'&', '|' or the end", "'Fin'"),
        ("Inf 0", 5, "'('", "'0'"),
        ("Inf(x)", 5, "a colour's number", "'x'"),
        ("Inf(-1)", 5, "a colour's number", "'-'"),
        ("Inf(²)", 5, "a colour's number", "'²'"),
        ("Inf(99999999999)", 5, "at most", "'99999999999'"),
        ("(Inf(0)", 8, "')'", "the end"),
        ("Inf(0))", 7, "the end", "')'"),
        ("!Inf(0)", 1, "no negation", "'!'"),
        ("Inf(0) # t", 8, "'&'", "'#'"),
        ("true", 1, "Inf(…)", "'true'"),
    ],
)
def test_errors_point_at_the_column(text, column, expected, got):
    with pytest.raises(InvalidObjectiveError) as caught:
        zm.Muller([0], text)
    message = str(caught.value)
    assert f"column {column}: expected " in message
    assert expected in message
    assert message.endswith(f"got {got}")


def test_nesting_has_a_limit():
    def nested(k):
        return "(" * k + "t" + ")" * k

    assert Formula(nested(MAX_NESTING)).holds(set())
    with pytest.raises(InvalidObjectiveError, match="within each other"):
        Formula(nested(MAX_NESTING + 1))
    with pytest.raises(InvalidObjectiveError, match="within each other"):
        Formula("(" * 100_000)


def test_the_ways_to_give_colours():
    g = path()
    wanted = [frozenset({0}), frozenset(), frozenset({1, 2})]
    for given in (
        [0, None, [1, 2]],
        (0, (), {2, 1}),
        {"a": 0, "c": [1, 2]},
        {"a": [0], "b": None, 2: (1, 2)},
        iter([[0], [], np.array([1, 2])]),
    ):
        assert zm.Muller(given, "t").colours(g) == wanted
    array = zm.Muller(np.array([3, 0, 3], np.int8), [{3}])
    assert array.colours(g) == [frozenset({3}), frozenset({0}), frozenset({3})]


@pytest.mark.parametrize(
    ("colour", "says"),
    [
        ([0, 1], "expected 3 entries, one for each position, got 2"),
        (np.array(0), "expected 3 entries"),
        ([0, -1, 0], "colour of 'b': expected colours 0, 1, 2, …, got -1"),
        ([0, "x", 0], "colour of 'b': expected colours 0, 1, 2, …, got 'x'"),
        ([0, True, 0], "got True"),
        ([0, [1.5], 0], r"got 1\.5"),
        ({"a": {0: 1}}, "colour of 'a'"),
    ],
)
def test_bad_colours(colour, says):
    with pytest.raises(InvalidObjectiveError, match=says):
        zm.solve(path(), zm.Muller(colour, "Inf(0)"))


def test_other_bad_input():
    with pytest.raises(UnknownPositionError):
        zm.solve(path(), zm.Muller({"z": 0}, "t"))
    with pytest.raises(InvalidObjectiveError, match="expected a sequence or a mapping, got 'aab'"):
        zm.Muller("aab", "t")
    with pytest.raises(InvalidObjectiveError, match="expected a formula or sets of colours"):
        zm.Muller([0], 3)
    with pytest.raises(InvalidObjectiveError, match="acceptance: expected colours"):
        zm.Muller([0], [["x"]])
    with pytest.raises(InvalidObjectiveError, match="expected a graph with owners"):
        zm.solve(zm.Graph.from_edges(PATH), zm.Muller([0, 1, 2], "t"))


def test_without_a_colour():
    """Inf(!0) is about positions that have not colour 0."""
    g = zm.Graph.from_edges([(0, 0), (1, 1), (2, 2)], owner=[0, 0, 0])
    colour = [0, None, [0, 1]]

    def winners(acceptance):
        return zm.solve(g, zm.Muller(colour, acceptance)).verify().winner.tolist()

    assert winners("Inf(!0)") == [1, 0, 1]
    assert winners("Fin(!0)") == [0, 1, 0]
    assert winners("Inf(0) & Fin(!1)") == [1, 1, 0]
    assert winners("Fin(0)") == [1, 0, 1]


def test_the_empty_set_of_colours():
    g = zm.Graph.from_edges([(0, 0)], owner=[0])
    assert zm.solve(g, zm.Muller([None], [[]])).verify().winner.tolist() == [0]
    assert zm.solve(g, zm.Muller([None], [[0]])).verify().winner.tolist() == [1]


def test_too_many_colours():
    g = zm.Graph.from_edges([(v, v) for v in range(70)], owner=[0] * 70)
    with pytest.raises(InvalidObjectiveError, match="at most 62 colours"):
        zm.solve(g, zm.Muller(range(70), [[0]]))
    assert zm.solve(g, zm.Muller(range(70), "Inf(3)")).winner.tolist().count(0) == 1


CASES = [
    zm.Muller([0, None, [1, 2]], "Inf(0) & Fin(!2)"),
    zm.Muller([0, 1, 2], [[], [0], [1, 2]]),
    zm.Muller({"c": 5}, "t"),
    zm.Muller.rabin([(["a"], ["b", "c"]), ([], ["a"])]),
    zm.Muller.streett([(["a"], ["c"])]),
    zm.Muller.generalised_buchi([["a"], np.array([False, False, True])]),
    zm.Muller.parity([1, 2, 3], "min odd"),
]


@pytest.mark.parametrize("objective", CASES)
def test_files(objective, tmp_path):
    g = path((0, 1, 0))
    spec = objective.spec(g)
    again = zm.Muller.from_spec(spec, g)
    assert again.spec(g) == spec
    assert again.colours(g) == objective.colours(g)
    assert again.condition == objective.condition
    for name in ("game.json", "game.npz"):
        zm.write((g, objective), tmp_path / name)
        read, found = zm.read(tmp_path / name)
        assert read == g
        assert found.spec(g) == spec


@pytest.mark.parametrize(
    "change",
    [
        {"colour": 3},
        {"colour": [0]},
        {"colour": ["x", 0, 0]},
        {"acceptance": "Inf"},
        {"acceptance": None},
        {"acceptance": [["x"]]},
        {"acceptance": 7},
    ],
)
def test_bad_files(change):
    g = path()
    with pytest.raises(InvalidObjectiveError):
        zm.Muller.from_spec({"colour": [0, 1, 2], "acceptance": "t"} | change, g)


def test_special_cases_mean_what_they_say():
    """Against the sets of positions themselves, for every loop of a random graph."""
    g = path()
    everything = frozenset("abc")
    rng = random.Random(1)
    for _ in range(50):
        e, f, x, y = ({p for p in "abc" if rng.random() < 0.5} for _ in range(4))
        cases = {
            zm.Muller.rabin([(e, f), (x, y)]): lambda s: (
                (not s & e and bool(s & f)) or (not s & x and bool(s & y))  # noqa: B023
            ),
            zm.Muller.streett([(e, f), (x, y)]): lambda s: (
                (not s & e or bool(s & f)) and (not s & x or bool(s & y))  # noqa: B023
            ),
            zm.Muller.generalised_buchi([e, f]): lambda s: bool(s & e) and bool(s & f),  # noqa: B023
        }
        for objective, means in cases.items():
            rows = dict(zip("abc", objective.colours(g), strict=True))
            for size in range(1, 4):
                for seen in itertools.combinations(sorted(everything), size):
                    colours = frozenset().union(*(rows[p] for p in seen))
                    assert objective.condition.holds(colours) == means(set(seen))


@pytest.mark.parametrize("convention", ["max even", "max odd", "min even", "min odd"])
def test_parity_means_parity(convention):
    best = max if convention.startswith("max") else min
    condition = zm.Muller.parity([0, 1, 3, 4], convention).condition
    for size in range(1, 5):
        for seen in itertools.combinations([0, 1, 3, 4], size):
            assert condition.holds(set(seen)) == (best(seen) % 2 == convention.endswith("odd"))


def test_bad_special_cases():
    with pytest.raises(InvalidObjectiveError, match="expected a pair of sets"):
        zm.Muller.rabin([["a"]])
    with pytest.raises(InvalidObjectiveError, match="expected a set of positions, got 'a'"):
        zm.Muller.generalised_buchi(["a"])
    with pytest.raises(InvalidObjectiveError, match="convention"):
        zm.Muller.parity([0], "most even")
    assert zm.Muller.rabin([]).acceptance == "f"
    assert zm.Muller.streett([]).acceptance == zm.Muller.generalised_buchi([]).acceptance == "t"
