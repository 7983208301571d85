"""The modal μ-calculus: syntax, and the positions where formulas hold."""

import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from tests.games import all_digraphs
from zermelo.errors import FormatError, InvalidObjectiveError, UnknownPositionError
from zermelo.mu_calculus import Formula, parse


def holds(f: Formula, g: zm.Graph, sets, environment):
    """Plain semantics: sets of positions, fixpoints by iteration."""
    everything = frozenset(range(g.n))
    if f.kind == "true":
        return everything
    if f.kind == "false":
        return frozenset()
    if f.kind == "name":
        return sets[f.name]
    if f.kind == "variable":
        return environment[f.name]
    if f.kind == "!":
        return everything - holds(f.parts[0], g, sets, environment)
    if f.kind in ("mu", "nu"):
        current = everything if f.kind == "nu" else frozenset()
        while True:
            following = holds(f.parts[0], g, sets, {**environment, f.name: current})
            if following == current:
                return current
            current = following
    parts = [holds(part, g, sets, environment) for part in f.parts]
    if f.kind == "|":
        return frozenset().union(*parts)
    if f.kind == "&":
        return everything.intersection(*parts)

    def good(v):
        after = set(g.successors(v).tolist())
        some = {"<>": True, "[]": False}.get(f.kind)
        if some is None:
            some = g.owner[v] == int(f.kind[1])
        return bool(after & parts[0]) if some else after <= parts[0]

    return frozenset(v for v in everything if good(v))


FORMULAS = [
    "p",
    "!p -> <>q",
    "mu X. <>[]X",
    "nu X. p & []X",
    "mu X. q | <>X",
    "nu Y. mu X. <>((q & Y) | X)",
    "mu Y. nu X. [](!p & X | Y)",
    "nu Z. mu Y. nu X. <>(p & X | q & Y | Z & !p & !q)",
    "mu X. (nu Y. q & <>Y) | []X",
    "!(nu Y. mu X. [](q & Y | X)) | mu X. p & <>X",
    "nu X. mu X. <>X | q & []X",
    "(mu X. p | <>X) & nu X. q | []X",
]


def some_graphs(rng, count):
    for _ in range(count):
        n = rng.randint(1, 6)
        edges = [e for e in itertools.product(range(n), repeat=2) if rng.random() < 0.35]
        yield zm.Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])


def random_formula(rng, depth, variables):
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([*variables, *variables, "p", "q", "!p", "true", "false"])
    kind = rng.choice(["|", "&", "<>", "[]", "<0>", "<1>", "mu", "nu", "mu", "nu"])
    if kind in ("|", "&"):
        parts = [random_formula(rng, depth - 1, variables) for _ in range(2)]
        return f"({parts[0]} {kind} {parts[1]})"
    if kind in ("mu", "nu"):
        name = f"X{len(variables)}"
        return f"({kind} {name}. {random_formula(rng, depth - 1, [*variables, name])})"
    return f"{kind}{random_formula(rng, depth - 1, variables)}"


def agree(text, g, rng):
    sets = {x: frozenset(v for v in range(g.n) if rng.random() < 0.4) for x in "pq"}
    found = zm.evaluate(text, g, **{x: sorted(chosen) for x, chosen in sets.items()})
    assert frozenset(np.flatnonzero(found).tolist()) == holds(parse(text), g, sets, {}), text


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_hold_where_their_definition_holds(text):
    rng = random.Random(text)
    for g in some_graphs(rng, 40):
        agree(text, g, rng)


@pytest.mark.slow
def test_random_formulas():
    rng = random.Random(5)
    for g in some_graphs(rng, 400):
        agree(random_formula(rng, 5, []), g, rng)


@pytest.mark.slow
def test_win_lose_and_draw_of_normal_play():
    """GamesOnGraphs §3.1 with the player in the position: she can move, then the opponent must."""
    for n in (1, 2, 3):
        for g in all_digraphs(n):
            label = zm.solve(g).label
            assert (zm.evaluate("mu X. <>[]X", g) == (label == 1)).all()
            assert (zm.evaluate("mu X. []<>X", g) == (label == -1)).all()
            draw = zm.evaluate("(nu X. []<>X) & nu X. <>[]X", g)
            assert (draw == (label == 0)).all()


def test_negation_complements():
    rng = random.Random(6)
    for g in some_graphs(rng, 100):
        text = random_formula(rng, 4, [])
        p, q = [0], list(range(g.n))
        yes = zm.evaluate(text, g, p=p, q=q)
        assert (zm.evaluate(f"!({text})", g, p=p, q=q) == ~yes).all()


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("μX. goal ∨ ◇X", "(mu X. (goal | <>X))"),
        ("not (p and q) or r", "((!p | !q) | r)"),
        ("p -> q -> r", "(!p | (!q | r))"),
        ("!(p -> q)", "(p & !q)"),
        ("!nu X. []X & !p", "(mu X. (<>X | p))"),
        ("(mu X. <>X) & mu X. []X", "((mu X. <>X) & (mu X_. []X_))"),
        ("!<0>p", "<1>!p"),
        ("mu X. !!X", "(mu X. X)"),
    ],
)
def test_positive_normal_form(text, spelt):
    assert str(parse(text)) == spelt
    assert str(parse(spelt)) == spelt
    assert parse(text).negated().negated() == parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected a formula, got the end"),
        ("mu X <>X", "1:6: expected '.', got '<>'"),
        ("mu true. p", "1:4: expected a variable, got 'true'"),
        ("mu", "1:3: expected a variable, got the end"),
        ("(p | q", "1:7: expected ')', got the end"),
        ("p q", "1:3: expected an operator or the end, got 'q'"),
        ("p & ", "1:5: expected a formula, got the end"),
        ("p $ q", "1:3: unexpected '$'"),
        ("mu X. !X", "1:8: variable 'X' must not be negated"),
        ("mu X. X -> p", "1:7: variable 'X' must not be negated"),
        ("<>" * 200 + "p", "nested deeper than 100"),
        ("(" * 5000, "nested deeper than 100"),
        ("((((p->p)->p)->p)->p)" + "->p" * 300, "nested deeper than 100"),
    ],
)
def test_bad_formulas_point_at_the_column(text, message):
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_bad_propositions():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidObjectiveError, match="column 1: no proposition is called 'goal'"):
        zm.evaluate("goal", g)
    with pytest.raises(InvalidObjectiveError, match="column 7: '<0>' needs a graph with owners"):
        zm.evaluate("mu X. <0>X", g)
    with pytest.raises(UnknownPositionError):
        zm.evaluate("p", g, p=["a"])


def test_empty_graph_and_larger_ones():
    assert zm.evaluate("mu X. <>X", zm.Graph.from_edges([])).tolist() == []
    n = 20_000
    path = zm.Graph.from_edges(np.array([[v, v + 1] for v in range(n)]))
    assert zm.evaluate("mu X. last | <>X", path, last=[n]).all()
