"""Loopy values: arithmetic, order and canonical forms, compared with the independent checker."""

import pickle
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo.errors import InvalidGraphError, LimitError, UndefinedError, UnknownPositionError
from zermelo.partizan.loopy import forms, sidling
from zermelo.partizan.loopy.forms import Form, followers, intern, rows_of
from zermelo.partizan.loopy.names import parse_loopy
from zermelo.partizan.loopy.value import nodes_of
from zermelo.verify.partizan.loopy import Game, survives

TEXTS = ["0", "1", "*", "^", "on", "off", "over", "under", "dud", "1 & 0", "^[on]", "{0|off}"]


@st.composite
def graphs(draw, largest=6):
    n = draw(st.integers(1, largest))
    row = st.lists(st.integers(0, n - 1), max_size=3)
    left, right = (draw(st.lists(row, min_size=n, max_size=n)) for _ in range(2))
    return zm.PartizanGraph.from_rows(left, right if draw(st.booleans()) else left)


def as_game(node):
    return Game(*rows_of(followers([node])))


@pytest.mark.slow
@examples(25)
@given(graphs())
def test_values_pass_the_checker_and_know_the_outcomes(graph):
    values = graph.values().verify()
    assert [x.outcome for x in values.value] == list(graph.outcomes())
    assert list((-graph).values().value) == [-x for x in values.value]
    for v, x in enumerate(values.value):
        assert graph.value(v) == x


@examples(25)
@given(graphs(4), graphs(4))
def test_equal_stoppers_are_the_same(one, two):
    nodes = [n for g in (one, two) for x in g.values().value for n in nodes_of(x)]
    for x, y in product(dict.fromkeys(nodes), repeat=2):
        same = survives(as_game(x), as_game(y)) and survives(as_game(y), as_game(x))
        assert same == (x == y)


@pytest.mark.slow
@examples(25)
@given(graphs(3), graphs(3))
def test_sums_of_values_are_values_of_sums(one, two):
    n, m = one.n, two.n
    rows = [
        [[i * m + y for y in b[j]] + [x * m + j for x in a[i]] for i in range(n) for j in range(m)]
        for a, b in zip(one.rows, two.rows, strict=True)
    ]
    whole = zm.PartizanGraph.from_rows(*rows).values()
    left, right = one.values().value, two.values().value
    assert list(whole.value) == [x + y for x in left for y in right]


@pytest.mark.sampled(cases=47)
@pytest.mark.parametrize("first", TEXTS)
@pytest.mark.parametrize("second", TEXTS)
def test_order_and_sums(first, second):
    x, y = parse_loopy(first), parse_loopy(second)
    assert (x <= y) == (y >= x) == (-y <= -x)
    assert (x == y) == (x <= y and x >= y)
    assert x + y == y + x
    assert -(x + y) == -x - y
    assert x - y == x + -y
    for z in map(parse_loopy, TEXTS[:6]):
        assert (x + y) + z == x + (y + z)
        if x <= y:
            assert x + z <= y + z
        if x <= y <= z:
            assert x <= z


def test_known_sums_and_comparisons():
    on, off, over, dud = map(zm.value, ("on", "off", "over", "dud"))
    assert on + off == on - on == dud
    assert on + 5 == on + over == on
    assert over + over == over
    assert str(over - over) == "over & under"
    assert 0 < over < zm.value("1/1024")
    assert zm.value("*") + over == over
    assert zm.value("^") < over
    assert on > 1000
    assert dud | 0
    assert not over | 0
    assert dud + 3 == dud
    assert zm.value("1 & 0").onside == 1
    assert zm.value("1 & 0").offside == 0
    assert zm.value("1 & 0") + zm.value("1 & 0") == zm.value("2 & 0")
    assert over.left == (zm.value(0),)
    assert over.right == (over,)
    assert 1 - over == zm.value("1under")
    assert 1 + over == over + 1 == zm.value("1over")
    assert len({over, zm.value("{0|pass}"), on}) == 2
    assert over != "over"
    assert pickle.loads(pickle.dumps(dud)) == dud


def test_operations_that_are_undefined():
    with pytest.raises(UndefinedError, match="is not a stopper"):
        _ = zm.value("dud").left
    with pytest.raises(TypeError):
        zm.value("on") + "1"
    with pytest.raises(TypeError):
        _ = zm.value("on") < "1"
    with pytest.raises(AttributeError, match="never changes"):
        zm.value("on").onside = 1
    with pytest.raises(LimitError, match="too many to compare"):
        _ = zm.value("on") + 10**6


def test_a_better_move_that_leads_back_is_no_reason_to_give_up_the_other():
    """r = {v|}, v = {|0, r}: without the 0 the onside of r would be 1."""
    values = zm.PartizanGraph.from_edges(left=[("r", "v")], right=[("v", "0"), ("v", "r")]).values()
    assert [str(values.verify()[x]) for x in "rv"] == ["0", "-1"]


def test_cutting_moves_instead_of_sidling_is_right(monkeypatch):
    """Without sidling, moves on cycles are cut, and the answers are the same."""
    rows = [([[1], []], [[], [0]]), ([[0, 1], []], [[0, 1], []])]
    wanted = [sidling.sides(*x) for x in rows]
    monkeypatch.setattr(sidling, "ROUNDS", 0)
    assert [sidling.sides(*x) for x in rows] == wanted


def test_forms_are_kept_once():
    (over,) = intern([[zm.value(0)]], [[0]])
    assert isinstance(over, Form)
    pair = intern([[zm.value(0)], [zm.value(0)]], [[1], [0]])
    assert pair == [over, over]
    assert intern([[zm.value(0)]], [[over]]) == [over]
    assert forms.over() is over


def test_graphs_from_all_sides():
    edges = zm.PartizanGraph.from_edges(left=[("a", "b")], right=[("b", "a")], both=[("b", "c")])
    rows = zm.PartizanGraph.from_rows([[1], [2], []], [[], [0, 2], []], names=list("abc"))
    pair = zm.PartizanGraph(edges.left, edges.right)
    data = zm.PartizanGraph.from_json({"left": [[1], [2], []], "right": [[], [0, 2], []]})
    for graph in (edges, rows, pair, data):
        assert graph.values().value == edges.values().value
    assert edges.values()["a"] == edges.values()[0] == edges.value("a")
    assert edges.positions == ("a", "b", "c")
    assert data.positions == (0, 1, 2)
    assert len(edges.outcomes()) == 3
    assert repr(edges) == "PartizanGraph(3 positions, 2 moves of Left, 2 moves of Right)"
    assert zm.PartizanGraph.from_rows([], []).values().verify().value == ()
    with pytest.raises(UnknownPositionError):
        edges.values()["z"]


@pytest.mark.parametrize(
    "data",
    [{}, [], {"left": [[]]}, {"left": [[]], "right": [3]}, {"left": [[]], "right": []},
     {"left": [[1]], "right": [[]]}, {"left": [[]], "right": [[]], "names": 3}],
)  # fmt: skip
def test_bad_graphs(data):
    with pytest.raises(InvalidGraphError):
        zm.PartizanGraph.from_json(data)


def test_graphs_that_do_not_fit():
    with pytest.raises(InvalidGraphError, match="same positions"):
        zm.PartizanGraph(zm.Graph.from_edges([(0, 1)]), zm.Graph.from_edges([(0, 2)]))


class Stroll:
    """Left walks up, Right walks down, up to n."""

    def __init__(self, n):
        self.n = n

    def start(self):
        return 0

    def left(self, x):
        return [x + 1] if x < self.n else []

    def right(self, x):
        return [x - 1] if x else []


def test_rules():
    graph = zm.PartizanGraph.from_rules(Stroll(3))
    assert graph.n == 4
    values = graph.values().verify()
    assert values[0].outcome is zm.Outcome.PHat or values[0].outcome is zm.Outcome.NHat
    assert zm.PartizanGraph.from_rules(Stroll(3), position=2).name(0) == 2
    with pytest.raises(LimitError, match="more than 2 positions"):
        zm.PartizanGraph.from_rules(Stroll(3), limit=2)
    with pytest.raises(zm.errors.InvalidRulesError):
        zm.PartizanGraph.from_rules(object())


def test_long_graphs_meet_no_recursion_limit():
    n = 4000
    left = [[v - 1] if v else [] for v in range(n)]
    assert str(zm.PartizanGraph.from_rows(left, [[]] * n).values()[n - 1]) == str(n - 1)
    ring = [[(v + 1) % 3000] for v in range(3000)]
    assert str(zm.PartizanGraph.from_rows(ring, [[]] * 3000).values()[7]) == "on"


@pytest.mark.parametrize("text", ["1 & 0", "over", "on", "{0|off}", "^[on]*", "dud"])
def test_multiples_are_sums(text):
    v = zm.value(text)
    total = zm.value(0)
    for n in range(5):
        assert n * v == v * n == zm.value(n) * v == total
        assert -n * v == -total
        total = total + v
    for factor in (Fraction(1, 2), zm.value("*"), v):
        with pytest.raises(UndefinedError, match="only integers"):
            v * factor
    with pytest.raises(LimitError, match="1,000 copies"):
        v * 1001
