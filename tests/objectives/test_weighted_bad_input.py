"""Bad data of games with weights: one sentence names the move, position or parameter."""

from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, UnknownPositionError, ZermeloError
from zermelo.objectives.weighted_text import read_text, write_text

G = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])
GOOD = [1, 2, 3]
KINDS = [
    zm.Energy,
    zm.MeanPayoff,
    zm.Discounted,
    lambda weight, **more: zm.ShortestPath(weight, ["a"], **more),
]


def refusal(ask):
    """The sentence with which something is refused."""
    with pytest.raises(ZermeloError) as caught:
        ask()
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        # missing
        ({("a", "b"): 1, ("b", "a"): 2}, "the move 'b' → 'b' has no weight"),
        ([("a", "b", 1)], "the move 'b' → 'a' has no weight"),
        ([1, 2], "expected 3 entries, one for each move"),
        ({("a", "b"): 1, ("a", "a"): 2}, "weight of 'a' → 'a': the graph has no such move"),
        ({("a", "z"): 1}, "'z'"),
        (lambda u, v: None, "weight of the move 'a' → 'b': expected an integer, got None"),
        # not integers
        ([1, 1.5, 2], "weight of the move 'b' → 'a': expected an integer, got 1.5"),
        ([1, float("nan"), 2], "weight of the move 'b' → 'a': expected an integer, got nan"),
        (np.array([1, np.nan, 2]), "expected an integer, got"),
        ([1, "2", 3], "weight"),
        ([1, True, 3.5], "expected an integer"),
        ([1, None, 3], "weight of the move 'b' → 'a': expected an integer, got None"),
        # too large
        ([1, 2**60 + 1, 3], "weight of the move 'b' → 'a': expected an integer from -2**60 to 2"),
        ([1, -(2**63), 3], "weight of the move 'b' → 'a': expected an integer from -2**60 to 2"),
        ([1, 2**64, 3], "weight of the move 'b' → 'a': expected an integer from -2**60 to 2**60"),
        ([1, 10**400, 3], "weight of the move 'b' → 'a': expected an integer from -2**60 to 2**6"),
        # two weights, or something else
        ([("a", "b", 1), ("a", "b", 2)], "the move 'a' → 'b' has two weights, 1 and 2"),
        (7, "weight: expected an array with an entry for each move"),
        ("abc", "weight: expected an array with an entry for each move"),
    ],
)
def test_weights(kind, weight, message):
    assert message in refusal(lambda: zm.solve(G, kind(weight)))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_positions(kind):
    assert "position 'b' has no weight" in refusal(
        lambda: zm.solve(G, kind({"a": 1}, on="positions"))
    )
    assert "on: expected" in refusal(lambda: kind(GOOD, on="edges"))


@pytest.mark.parametrize("discount", [0, 1, -1, 2, Fraction(3, 2), "1", 1.0])
def test_a_discount_is_between_0_and_1(discount):
    message = refusal(lambda: zm.Discounted(GOOD, discount))
    assert "discount: expected a fraction between 0 and 1, got" in message


@pytest.mark.parametrize("number", ["x", "1/0", "nan", float("nan"), float("inf"), None, [], True])
def test_what_is_no_number(number):
    assert "discount: expected a number such as 1/3" in refusal(lambda: zm.Discounted(GOOD, number))
    if number is not None:
        assert "threshold: expected a number such as 1/3" in refusal(
            lambda: zm.MeanPayoff(GOOD, number)
        )


@pytest.mark.parametrize("capacity", [-1, 1.5, "x", float("nan"), 2**61, True])
def test_a_capacity_is_an_integer(capacity):
    assert "capacity" in refusal(lambda: zm.Energy(GOOD, capacity))


def test_targets():
    with pytest.raises(UnknownPositionError, match="'z'"):
        zm.solve(G, zm.ShortestPath(GOOD, ["z"]))
    assert "player" in refusal(lambda: zm.ShortestPath(GOOD, ["a"], player=2))


def test_positions_without_moves():
    """Who is stuck has lost: the value is −∞ for player 0 and +∞ for player 1."""
    g = zm.Graph.from_edges([("a", "s"), ("b", "t")], owner={"a": 0, "s": 0, "b": 0, "t": 1})
    order = [g.index(x) for x in ("a", "s", "b", "t")]
    inf = float("inf")
    values = zm.solve(g, zm.MeanPayoff([5, 5])).verify().value[order].tolist()
    assert values == [-inf, -inf, inf, inf]
    assert zm.solve(g, zm.Energy([5, 5])).verify().credit[order].tolist() == [-1, -1, 0, 0]
    values = zm.solve(g, zm.Discounted([5, 5])).verify().value[order].tolist()
    assert values == [-inf, -inf, inf, inf]


@pytest.mark.parametrize(
    ("keyword", "text", "message"),
    [
        ("parity", None, "expected one of energy, mean-payoff, discounted, shortest-path"),
        ("energy", "x=3", "expected energy or energy:capacity=NUMBER, got 'energy:x=3'"),
        ("energy", "capacity=x", "capacity: expected 0, 1, 2, …, got 'x'"),
        ("energy", "1,2", "expected energy or energy:capacity=NUMBER"),
        ("energy", "", "expected data after the colon"),
        ("mean-payoff", '"', "in '\"'"),
        ("shortest-path", None, "shortest-path needs targets"),
        ("shortest-path", "player=0", "shortest-path needs targets"),
        ("shortest-path", "a,player=x", "expected player=0 or player=1"),
        ("shortest-path", "z", "the graph has no position 'z'"),
    ],
)
def test_texts(keyword, text, message):
    assert message in refusal(lambda: read_text(keyword, text, G, GOOD))


def test_targets_that_a_text_cannot_list():
    names = zm.Graph.from_edges([(1, "x\ny"), ("x\ny", 1)])
    with pytest.raises(InvalidObjectiveError, match="a line of text cannot list these targets"):
        write_text(zm.ShortestPath([1, 2], ["x\ny"]), names)


@pytest.mark.parametrize("on", ["moves", "positions"])
def test_a_class_is_no_function_of_weights(on):
    """Classes can be called, too, but nobody means their objects as weights."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="numbers or a mapping, got the class int"):
        zm.solve(graph, zm.Energy(int, on=on))
