"""Satisfiability as a game, EGGS values, and kinds of digraphs."""

import itertools
import random

import pytest
from pysat.solvers import Minisat22

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import FormatError, InvalidOptionError
from zermelo.generators.graphs.sat_gadget import EXAMPLE, assignment, read_dimacs, sat_gadget


def random_cnf(rng, variables, count, width=3):
    chosen = (rng.sample(range(1, variables + 1), width) for _ in range(count))
    return [[rng.choice((-1, 1)) * x for x in clause] for clause in chosen]


def dimacs(variables, clauses):
    lines = [f"p cnf {variables} {len(clauses)}", *(f"{' '.join(map(str, c))} 0" for c in clauses)]
    return "\n".join(lines)


def satisfies(values, clauses):
    return all(any((x > 0) == values[abs(x)] for x in clause) for clause in clauses)


def satisfiable(clauses):
    """By python-sat."""
    with Minisat22(bootstrap_with=clauses) as solver:
        return solver.solve()


@pytest.mark.slow
def test_random_formulas():
    rng, answers = random.Random(5), set()
    for _ in range(25):
        n = rng.randint(3, 7)
        clauses = random_cnf(rng, n, round(n * rng.uniform(3.5, 6)))
        graph = sat_gadget(dimacs(n, clauses)).graph
        solution = zm.solve(graph, zm.NoReturn(), start="u1")
        known = satisfiable(clauses)
        answers.add(known)
        assert solution["u1"].label == (1 if known else -1)
        if known:
            values = assignment(solution.strategy().move)
            assert satisfies(values, clauses)
    assert answers == {True, False}


@pytest.mark.slow
def test_all_formulas_of_two_variables():
    """By brute force; and no repetition has the same winner as no return."""
    literals = (1, -1, 2, -2)
    clauses = [list(c) for k in (1, 2) for c in itertools.combinations(literals, k)]
    for k in (1, 2, 3):
        for chosen in itertools.combinations(clauses, k):
            graph = sat_gadget(dimacs(2, chosen)).graph
            known = any(
                satisfies({1: x, 2: y}, chosen)
                for x, y in itertools.product((False, True), repeat=2)
            )
            for objective in (zm.NoReturn(), zm.NoRepetition(), zm.Return(), zm.Repetition()):
                label = zm.solve(graph, objective, start="u1")["u1"].label
                assert label == (1 if known else -1)


def test_the_oracle_agrees_that_the_winners_are_the_same():
    """The paper's remark says "opposite"; this holds only for the same path and literal."""
    for text in ("p cnf 1 1 1 0", "p cnf 1 2 1 0 -1 0", EXAMPLE):
        graph = sat_gadget(text).graph
        succ = games.rows(graph)
        assert oracle.wins(succ, "no-return", (0,)) == oracle.wins(succ, "no-repetition", (0,))
    succ = games.rows(sat_gadget("p cnf 1 1 1 0").graph)
    at = sat_gadget("p cnf 1 1 1 0").graph.index
    walks = [tuple(map(at, ("u1", x, "u2", "c", "c1", "x1"))) for x in ("~x1", "x1")]
    assert not oracle.wins(succ, "no-return", walks[0])  # literal off the path: first player wins
    assert oracle.wins(succ, "no-repetition", walks[0])  # the second player wins
    assert not oracle.wins(succ, "no-repetition", walks[1])  # literal on it: first player wins


def test_odd_formulas():
    assert zm.solve(sat_gadget("p cnf 0 0"), zm.NoReturn())["u1"].label == 1
    assert zm.solve(sat_gadget("p cnf 1 1 0"), zm.NoReturn())["u1"].label == -1
    for text, match in (
        ("p cnf 1", "problem line"),
        ("p cnf 1 1 2 0", "literals up to 1"),
        ("p cnf 1 2 1 0", "expected 2 clauses, got 1"),
        ("p cnf 1 1 x 0", "expected numbers"),
    ):
        with pytest.raises(FormatError, match=match):
            read_dimacs(text)
    with pytest.raises(InvalidOptionError, match="literal of variable 1"):
        assignment(lambda history: "?")


def test_a_file(tmp_path):
    path = tmp_path / "formula.cnf"
    path.write_text("c comment\n" + EXAMPLE)
    assert sat_gadget(str(path)) == sat_gadget()


def test_eggs_values():
    for g in games.random_graphs(40, "eggs", high=7, moves=14):
        succ = games.rows(g)
        label = zm.solve(g, zm.NoReturn()).label
        for v in range(g.n):
            value = zm.eggs(g, v)
            assert value == oracle.eggs(succ, (v,))
            assert (value == 0) == (label[v] < 0)


def test_sums_of_games_of_no_return():
    """All moves of a sum of two, against the plain definition of a sum."""

    def wins(places):
        return any(not wins(after) for after in moves(places))

    def moves(places):
        for k, history in enumerate(places):
            for w in succ[k][history[-1]]:
                if w not in history:
                    yield (*places[:k], (*history, w), *places[k + 1 :])

    graphs = list(games.random_graphs(6, "sums", low=3, high=4, moves=6))
    for one, two in itertools.pairwise(graphs):
        succ = [games.rows(one), games.rows(two)]
        both = zm.Sum([(zm.NoReturnGame(one), (0,)), (zm.NoReturnGame(two), (1,))])
        assert (both.outcome > 0) == wins(((0,), (1,)))
        found = {(m.component, m.to) for m in both.winning_moves}
        assert found == {
            (int(after[0] == (0,)), after[int(after[0] == (0,))])
            for after in moves(((0,), (1,)))
            if not wins(after)
        }


def test_debuts_are_checked():
    game = zm.NoReturnGame(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    for wrong in ("a", (), ("a", "a"), ("a", "b", "a")):
        with pytest.raises(InvalidOptionError, match="debut"):
            game.grundy(wrong)


@pytest.mark.parametrize(
    ("edges", "kind", "searched"),
    [
        ([], "acyclic", 0),
        ([(0, 1), (0, 2), (1, 2)], "acyclic", 0),
        ([(0, 1), (1, 0), (2, 2)], "symmetric", 0),
        ([(0, 1), (1, 0), (1, 2)], "symacyclic", 0),
        ([(0, 1), (1, 2), (2, 0), (2, 3), (3, 3)], "general", 1),
    ],
)
def test_kinds(edges, kind, searched):
    found = zm.classify(zm.Graph.from_edges(edges))
    assert found.kind == kind
    assert len(found.searched) == searched


def test_components_against_networkx():
    import networkx as nx

    for g in games.random_graphs(40, "classify"):
        found = zm.classify(g)
        assert {frozenset(x) for x in found.components} == {
            frozenset(x) for x in nx.strongly_connected_components(g.to_networkx())
        }
        for v, w in g.to_edges().tolist():
            assert found.component[w] <= found.component[v]
        acyclic = nx.is_directed_acyclic_graph(g.to_networkx())
        assert (found.kind == "acyclic") == acyclic
