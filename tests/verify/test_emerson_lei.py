"""What the checker of circuits computes by itself, against definitions: functions and winners."""

import itertools
import random
import re
from types import SimpleNamespace

import pytest
from hypothesis import given

import zermelo as zm
from tests import muller_oracle
from tests.sampling import examples
from tests.synthesis.oracle import holds
from tests.synthesis.test_diagrams import VALUATIONS, VARIABLES, formulas, table
from zermelo.verify.common.emerson_lei import Arena, Condition
from zermelo.verify.common.functions import FALSE, TRUE, Functions


def value(functions, f, true):
    while f > TRUE:
        k = functions.first(f)
        f = functions.halves(f, k)[k in true]
    return f == TRUE


@examples(30)
@given(formulas, formulas)
def test_functions(f, g):
    functions = Functions()
    given_ = {x: functions.variable(x) for x in VARIABLES}
    one, two = (functions.formula(x, given_) for x in (f, g))
    assert [value(functions, one, true) for true in VALUATIONS] == table(f)
    assert (one == two) == (table(f) == table(g))
    assert functions.support(one) == {
        x for x in VARIABLES
        if any(holds(f, true | {x}) != holds(f, true - {x}) for true in VALUATIONS)
    }  # fmt: skip
    # A formula of formulas: proposition 0 is replaced by the second one.
    mixed = functions.formula(f, {**given_, 0: two})
    expected = [holds(f, true - {0} | {0} if holds(g, true) else true - {0}) for true in VALUATIONS]
    assert [value(functions, mixed, true) for true in VALUATIONS] == expected


def test_too_many_functions(monkeypatch):
    monkeypatch.setattr("zermelo.verify.common.functions.MAX_FUNCTIONS", 10)
    functions = Functions()
    assert len({functions.variable(k) for k in range(8)}) == 8
    with pytest.raises(OverflowError):
        functions.variable(8)
    assert functions.variable(0) != FALSE


def postfix(text):
    """A formula without ``!``, which Python's own parser takes apart."""
    import ast

    def walk(node):
        if isinstance(node, ast.Call):
            infinite = node.func.id == "Inf"
            return [SimpleNamespace(infinite=infinite, number=node.args[0].value, absent=False)]
        if isinstance(node, ast.Name):
            return [node.id]
        sign = "&" if isinstance(node.op, ast.BitAnd) else "|"
        return [*walk(node.left), *walk(node.right), sign]

    return walk(ast.parse(text, mode="eval").body)


def test_winners():
    """Random games with random formulas, dead ends and sets of colours, for both players."""
    for seed in range(30):
        rng = random.Random(seed)
        colours = rng.randint(1, 3)
        graph = muller_oracle.random_graph(rng, 6)
        rows = muller_oracle.random_colours(rng, graph.n, colours, "sets")
        text = muller_oracle.random_formula(rng, colours, 2)
        # The oracle's formula is what player 0 wants, the other one what player 1 wants.
        expected = muller_oracle.solve(graph, zm.Muller(rows, text))
        swapped = re.sub(r"Inf|Fin|[&|]", lambda m: SWAP[m[0]], text)
        condition = Condition(postfix(swapped))
        after = [graph.successors(v).tolist() for v in range(graph.n)]
        arena = Arena(after, graph.owner.tolist(), [condition.colours(x) for x in rows], condition)
        stuck, endless = arena.regions()
        for v in range(graph.n):
            assert [v in stuck[p] or v in endless[p] for p in (0, 1)].count(True) == 1
            assert (v in stuck[1] or v in endless[1]) == (expected[v] == 1), seed
        for p in (0, 1):  # play that stays where a player wins can go round a cycle that she wins
            assert arena.cycles(endless[p], p) <= endless[p]
            assert bool(arena.cycles(endless[p], p)) == bool(endless[p])


SWAP = {"Inf": "Fin", "Fin": "Inf", "&": "|", "|": "&"}


def test_the_largest_sets():
    """They are the maximal ones of all subsets with the value."""
    for seed in range(12):
        rng = random.Random(seed)
        formula = postfix(muller_oracle.random_formula(rng, 4, 3))
        condition = Condition(formula)
        every = condition.colours(range(4))
        for size in range(len(every) + 1):
            for some in map(frozenset, itertools.combinations(sorted(every), size)):
                subsets = [
                    frozenset(x)
                    for k in range(size + 1)
                    for x in itertools.combinations(sorted(some), k)
                ]
                for wanted in (False, True):
                    right = {x for x in subsets if condition.value(x) is wanted}
                    maximal = {x for x in right if not any(x < y for y in right)}
                    found = condition.largest(some, value=wanted)
                    assert len(found) == len(set(found))
                    assert set(found) == maximal
