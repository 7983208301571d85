"""CTL by translation, against sets computed from the definitions; and paths that show why."""

import itertools
import random

import pytest

import zermelo as zm
from tests.games import all_digraphs
from zermelo.errors import FormatError
from zermelo.mu_calculus import parse, witness

OPERATORS = [f"{a}{x}" for a in "AE" for x in "XFG"]
BINARY = [f"{a}{x}" for a in "AE" for x in "UWR"]


def after(graph, v):
    return set(graph.successors(v).tolist())


def until(graph, left, right, universal):
    """The positions of A[left U right] or E[left U right], by the definition: the least set."""
    found = set(right)
    while True:
        more = {
            v
            for v in left
            if after(graph, v)
            and (after(graph, v) <= found if universal else after(graph, v) & found)
        }
        if more <= found:
            return found
        found |= more


def direct(graph, operator, p, q):
    """Where an operator of CTL holds; everything is reduced to X and to U."""
    everything = set(range(graph.n))
    universal = operator[0] == "A"
    sign = operator[1]
    if sign == "X":
        return {
            v for v in everything
            if (after(graph, v) <= q if universal else after(graph, v) & q)
        }  # fmt: skip
    if sign == "U":
        return until(graph, p, q, universal)
    if sign == "F":
        return until(graph, everything, q, universal)
    if sign == "G":  # not (the other quantifier) F not
        return everything - until(graph, everything, everything - q, not universal)
    if sign == "R":  # not (the other quantifier)[not p U not q]
        return everything - until(graph, everything - p, everything - q, not universal)
    # p W q is q R (p or q)
    return direct(graph, operator[0] + "R", q, p | q)


def text(operator):
    if operator in BINARY:
        return f"{operator[0]}[p {operator[1]} q]"
    return f"{operator} q"


def check(graph, p, q):
    for operator in OPERATORS + BINARY:
        found = zm.evaluate(text(operator), graph, p=sorted(p), q=sorted(q))
        expected = direct(graph, operator, p, q)
        assert set(found.nonzero()[0].tolist()) == expected, (operator, graph.to_edges(), p, q)
        for v in range(graph.n):
            check_path(graph, operator, p, q, v, v in expected)


def check_path(graph, operator, p, q, start, holds):
    """The path is one of the graph, and if it is a proof then it has what the operator says."""
    found = witness(text(operator), graph, start, {"p": sorted(p), "q": sorted(q)})
    path = list(found.path)
    assert found.holds is holds
    assert path[0] == start
    steps = [*itertools.pairwise(path)]
    if found.cycle is not None:
        steps.append((path[-1], path[found.cycle]))
    assert all(w in after(graph, v) for v, w in steps)
    if (operator[0] == "E") == holds:
        assert found.proof
        truth = on_path(graph, operator[1], p, q, path, found.cycle)
        assert truth is None or truth == holds


def on_path(graph, sign, p, q, path, cycle):
    """Whether a maximal path satisfies an operator; None if the path stops before it matters."""
    if sign == "X":
        return len(path) > 1 and path[1] in q
    whole = cycle is not None or not after(graph, path[-1])
    if sign in "UWF":
        ok = set(range(graph.n)) if sign == "F" else p
        for v in path:
            if v in q:
                return True
            if v not in ok:
                return False
        return (sign == "W") if whole else None
    ok = set() if sign == "G" else p
    for v in path:
        if v not in q:
            return False
        if v in ok:
            return True
    return True if whole else None


@pytest.mark.slow
def test_all_small_graphs():
    for graph in all_digraphs(2):
        for p, q in itertools.product([set(), {0}, {1}, {0, 1}], repeat=2):
            check(graph, p, q)


@pytest.mark.slow
def test_random_graphs():
    chance = random.Random(5)
    for _ in range(40):
        n = chance.randint(1, 7)
        moves = [(v, w) for v in range(n) for w in range(n) if chance.random() < 1.6 / n]
        graph = zm.Graph.from_edges(moves, n=n)
        p, q = ({v for v in range(n) if chance.random() < 0.6} for _ in range(2))
        check(graph, p, q)


def test_mixed_and_nested_formulas():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")])
    sets = {"goal": ["c"]}
    assert zm.evaluate("AG EF goal", g, **sets).all()
    assert zm.evaluate("nu X. EF (goal & <>X)", g, **sets).all()
    assert zm.evaluate("!AF goal & EX AG goal", g, **sets).tolist() == [False, True, False]
    assert zm.evaluate("A[!goal W goal]", g, **sets).all()
    assert zm.evaluate("AF goal -> false", g, **sets).tolist() == [True, True, False]


def test_propositions_may_be_called_like_operators():
    g = zm.Graph.from_edges([(0, 1)])
    assert zm.evaluate("AG & !EX", g, AG=[0, 1], EX=[1]).tolist() == [True, False]
    assert zm.evaluate("EF AG", g, AG=[1]).tolist() == [True, True]
    assert zm.evaluate("A | E", g, A=[0], E=[1]).all()


def test_no_variable_is_captured():
    assert str(parse("mu Z0. EF Z0")) == "(mu Z0. (mu Z1. (Z0 | <>Z1)))"
    assert str(parse("EF EF Z0")) == "(mu Z1. ((mu Z1_. (Z0 | <>Z1_)) | <>Z1))"


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("A[p q]", "expected 'U', 'W' or 'R', got 'q'"),
        ("A[p U q", "expected ']', got the end"),
        ("E[", "expected a formula, got the end"),
        ("AG", None),
        ("AG |", "expected a formula, got the end"),
        ("[p]", "expected a formula, got '['"),
    ],
)
def test_mistakes(formula, message):
    if message is None:
        assert parse(formula).kind == "name"
        return
    with pytest.raises(FormatError) as error:
        parse(formula)
    assert message in str(error.value)


def test_a_path_that_is_no_proof_says_so():
    g = zm.Graph.from_edges([("a", "b"), ("a", "c")])
    assert not witness("AX p", g, "a", {"p": ["b", "c"]}).proof
    assert witness("AX p", g, "a", {"p": ["b"]}).path == ("a", "c")
    both = witness("EX p & EX q", g, "a", {"p": ["b"], "q": ["c"]})
    assert (both.holds, both.proof) == (True, False)
    assert witness("nu X. X", g, "a").cycle is None
    assert witness("p | EX p", g, "a", {"p": ["a"]}).path == ("a",)


def test_games_have_witnesses_too():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")], owner=[0, 0, 0])
    found = witness("mu X. goal | <0>X", g, "a", {"goal": ["c"]})
    assert (str(found), found.proof) == ("a → b → c", True)
    often = witness("nu Y. mu X. <0>((goal & Y) | X)", g, "a", {"goal": ["a"]})
    assert str(often) == "a → b → a → …"
