"""Every solver agrees with the plain definition, for all games, and passes its checker."""

import itertools
import json
from pathlib import Path

import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from tests.sampling import rounds, some
from zermelo.errors import InvalidObjectiveError, SolverError
from zermelo.generators import all_digraphs, path, random_graph
from zermelo.labels import UNDECIDED
from zermelo.registry import SOLVERS
from zermelo.solutions.geography import Piece

GOLDEN = Path(__file__).parents[1] / "golden"

over_games = pytest.mark.parametrize("game", oracle.GAMES)
over_searchers = pytest.mark.parametrize("solver", ["geography", "geography-search"])


@pytest.mark.slow(
    "geography-no-repetition",
    "geography-no-return",
    "geography-repetition",
    "geography-search-no-return misere",
    "geography-search-repetition",
)
@pytest.mark.sampled
@over_games
@over_searchers
def test_all_small_digraphs(game, solver):
    """The disjoint union of all graphs up to 3 positions and one of each kind with 4."""
    graphs = [g for n in range(4) for g in all_digraphs(n)]
    four = list(all_digraphs(4, up_to_isomorphism=True))
    graphs = some(graphs + (four if solver == "geography" else four[::7]))
    solution = zm.solve(games.union(graphs), games.objective(game), solver)
    assert solution.label.tolist() == games.labels(graphs, game)
    solution.verify()


@pytest.mark.sampled
@over_games
@over_searchers
def test_random_digraphs(game, solver):
    graphs = list(games.random_graphs(rounds(150), f"{game} {solver}"))
    solution = zm.solve(games.union(graphs), games.objective(game), solver)
    assert solution.label.tolist() == games.labels(graphs, game)
    solution.verify()


@over_games
def test_one_start(game):
    for g in games.random_graphs(12, game, high=7):
        for v in range(g.n):
            solution = zm.solve(g, games.objective(game), start=v).verify()
            assert solution.start == v
            won = oracle.wins(games.rows(g), game, (v,))
            assert solution.label[v] == (1 if won else -1)


@pytest.mark.slow("no-repetition", "no-repetition misere")
@over_games
def test_all_winning_moves_after_any_history(game):
    for g in games.random_graphs(12, game, high=6, moves=12):
        succ = games.rows(g)
        solution = zm.solve(g, games.objective(game))
        for history in histories(succ, game, 40):
            found = solution.winning_moves(history)
            assert list(found) == oracle.winning_moves(succ, game, history)
        for v in range(g.n):
            if solution.label[v] > 0:
                moves = oracle.winning_moves(succ, game, (v,))
                assert list(solution[v].best_moves) == moves
                assert solution.move[v] in (moves or [-1])


def histories(succ, game, limit):
    """Debuts, breadth first."""
    queue = [(v,) for v in range(len(succ))]
    for history in queue:
        arcs = set(itertools.pairwise(history))
        for w in succ[history[-1]]:
            again = w in history if "return" in game else (history[-1], w) in arcs
            if not again and len(queue) < limit:
                queue.append((*history, w))
    return queue


@pytest.mark.slow
def test_golden_directed():
    """From ``geography_directed.jsonl``: brute force by another program."""
    for line in (GOLDEN / "geography_directed.jsonl").read_text().splitlines():
        row = json.loads(line)
        edges = [(v, w) for v, out in enumerate(row["succ"]) for w in out]
        check_golden(zm.Graph.from_edges(edges, n=row["n"]), row, edge=True)


def test_golden_undirected():
    """From ``geography_undirected.jsonl``; undirected edge geography is a different game."""
    for line in (GOLDEN / "geography_undirected.jsonl").read_text().splitlines():
        row = json.loads(line)
        edges = [pair for v, w in row["edges"] for pair in ((v, w), (w, v))]
        check_golden(zm.Graph.from_edges(edges, n=row["n"]), row, edge=False)


def check_golden(g, row, edge):
    wanted = {"vertex": zm.NoReturn(), "vertex_misere": zm.NoReturn(misere=True)}
    if edge:
        wanted |= {"edge": zm.NoRepetition(), "edge_misere": zm.NoRepetition(misere=True)}
    for key, objective in wanted.items():
        if key in row:
            label = zm.solve(g, objective).label.tolist()
            assert ["N" if x > 0 else "P" for x in label] == row[key], (key, row)
    if "vertex_grundy" in row:
        assert [zm.eggs(g, v) for v in range(g.n)] == row["vertex_grundy"]


def test_acyclic():
    g = random_graph(200, degree=2, seed=1).graph
    u, v = g.to_edges().T
    g = zm.Graph.from_arrays(u[u < v], v[u < v], 200)
    kernel = zm.kernel(g)
    for objective in (zm.NoReturn(), zm.NoRepetition()):
        solution = zm.solve(g, objective, "acyclic").verify()
        assert ((solution.label < 0) == kernel.mask).all()
    with pytest.raises(SolverError, match="a → b → a"):
        zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]), zm.NoReturn(), "acyclic")


@pytest.mark.parametrize("game", ["no-return misere", "no-repetition misere"])
def test_symacyclic_solves_misere_play_where_nothing_has_to_be_searched(game):
    for graph in (zm.Graph.from_edges([(0, 0), (0, 1), (1, 2)]), path(4).graph):
        solved = zm.solve(graph, games.objective(game), "symacyclic").verify()
        assert solved.label.tolist() == games.labels([graph], game)


def test_symacyclic():
    """A symmetric path: in an odd one the second player wins from every second position."""
    label = zm.solve(path(7, symmetric=True), zm.NoReturn(), "symacyclic").verify().label
    assert label.tolist() == [-1, 1, -1, 1, -1, 1, -1]
    with pytest.raises(SolverError, match="one of 3 positions with 0 that is not symmetric"):
        zm.solve(zm.generators.cycle(3), zm.NoReturn(), "symacyclic")


def test_return_on_a_symmetric_graph_is_lost_unless_one_returns_at_once():
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)], n=4)
    assert zm.solve(g, zm.Return()).label.tolist() == [-1, -1, 1, 1]


def test_undecided():
    g = random_graph(40, degree=3, law="regular", seed=1).graph
    solution = zm.solve(g, zm.NoReturn(), start=0, nodes=50).verify()
    assert solution.label[0] == UNDECIDED
    assert solution[0].label is zm.Label.UNDECIDED
    assert str(solution[0]) == "0: undecided after 50 nodes"
    assert "undecided" in repr(solution)
    assert solution.counts()["undecided"] == (solution.label == UNDECIDED).sum()
    assert zm.solve(g, zm.NoReturn(), start=0, nodes=10**6).label[0] in (-1, 1)
    with pytest.raises(SolverError, match="has no option 'nodes'; its options are quotient"):
        zm.solve(g, nodes=3)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_interruption_reaches_the_caller_with_what_is_known(after, monkeypatch):
    from zermelo.solutions.geography import SearchInterrupted
    from zermelo.solvers.geography._arena import Arena

    decide, calls = Arena.decide, []

    def interrupted(*given):
        calls.append(given)
        if len(calls) > after:
            raise KeyboardInterrupt
        return decide(*given)

    monkeypatch.setattr(Arena, "decide", interrupted)
    g = zm.Graph.from_edges(
        [(0, 1), (1, 2), (2, 0), (3, 0), (4, 5), (2, 6), (6, 7), (7, 8), (8, 6)]
    )
    with pytest.raises(KeyboardInterrupt) as caught:
        zm.solve(g, zm.NoReturn())
    assert isinstance(caught.value, SearchInterrupted)
    known = caught.value.solution.verify()
    right = oracle.labels(games.rows(g), "no-return")
    assert known.label[4:6].tolist() == [1, -1]
    assert (known.label[6:] != UNDECIDED).sum() == after
    assert all(x in (UNDECIDED, y) for x, y in zip(known.label.tolist(), right, strict=True))
    assert len(calls) == after + 1


def test_an_interruption_between_any_two_steps_leaves_a_proof(monkeypatch):
    """Raised when a piece is partly decided: it has labels, but is not in the list yet."""
    from zermelo.solutions.geography import SearchInterrupted
    from zermelo.solvers.geography import _settle

    edges = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 4), (4, 5), (5, 3), (6, 6), (6, 3), (6, 5)]
    g = zm.Graph.from_edges(edges)
    total = len(zm.solve(g, zm.NoReturn()).play.pieces)
    assert total > 3
    for kept in range(total):
        made = []

        def piece(*given, made=made, kept=kept):
            made.append(given)
            if len(made) > kept:
                raise KeyboardInterrupt
            return Piece(*given)

        monkeypatch.setattr(_settle, "Piece", piece)
        with pytest.raises(SearchInterrupted) as caught:
            zm.solve(g, zm.NoReturn())
        known = caught.value.solution.verify()
        assert len(known.play.pieces) == kept


def test_more_positions_than_bits_in_a_number():
    """A long directed cycle with chords needs sets of two machine words."""
    n = 71
    edges = [(v, (v + 1) % n) for v in range(n)] + [(v, v - 1) for v in range(1, n, 7)]
    g = zm.Graph.from_edges(edges)
    searched = zm.solve(g, zm.NoReturn()).verify()
    assert searched.play.pieces[0].proof.width == 2
    for v in (0, 1, 35):
        won = oracle_long(g, v)
        assert searched.label[v] == (1 if won else -1)


def oracle_long(g, start):
    """The oracle without recursion; there are few branches, so all debuts are visited."""
    import sys

    sys.setrecursionlimit(10_000)
    return oracle.wins(games.rows(g), "no-return", (start,))


def test_nearly_symmetric_graphs_end_in_matchings():
    """A symmetric graph with a few one-way moves gives the same with and without leaves."""
    leaves = 0
    for seed in range(40):
        g = random_graph(9, degree=1.2, seed=seed).graph
        u, v = g.to_edges().T
        g = zm.Graph.from_arrays([*u, *v, 0, 3, 5], [*v, *u, 5, 8, 1], 9)
        solution = zm.solve(g, zm.NoReturn()).verify()
        assert solution.label.tolist() == oracle.labels(games.rows(g), "no-return")
        leaves += sum(p.proof.leaves for p in solution.play.pieces if p.kind == "search")
    assert leaves > 20


def test_owners_are_refused():
    g = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    for row in SOLVERS:
        if row.family == "geography":
            with pytest.raises(InvalidObjectiveError, match="expected a graph without owners"):
                zm.solve(g, zm.NoReturn(), row.name)


def test_progress_is_reported():
    reports = []
    g = random_graph(40, degree=3, law="regular", seed=1).graph
    zm.solve(g, zm.NoReturn(), start=0, nodes=500, progress=lambda *x: reports.append(x))
    assert (500, 500, "nodes") in reports
