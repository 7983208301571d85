"""What every solver of terminal-payoff games must do; runs over the registry.

Each solver, on each objective that it takes, agrees with the oracle in labels, values and
distances, passes its checker, and leaves its input alone: on all digraphs with up to 3 positions
and on 10,000 random ones with up to 8. The solvers that are there for teaching take each digraph
with 3 positions with one of the objectives, the others take it with all.
"""

import functools
import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from tests import games, oracles
from tests.sampling import rounds, some
from zermelo.errors import SolverError
from zermelo.registry import SOLVERS

CASES = [
    (row.name, keyword)
    for row in SOLVERS
    for keyword in games.KEYWORDS
    if row.applies_to("terminal", keyword)
]
RANDOM_GRAPHS = -(-10_000 // len(CASES))
RANDOM_LINES = -(-2_000 // len(CASES))

over_cases = pytest.mark.parametrize(("solver", "keyword"), CASES)


def seeded(*parts):
    """A generator of random numbers that depends on the case alone."""
    return random.Random(" ".join(map(str, parts)))


@functools.cache
def takes_owners(solver, keyword):
    """Whether a solver takes owned graphs; those that do not must say so (see below)."""
    g = zm.Graph.from_edges([(0, 1)], n=2, owner=[0, 1])
    try:
        zm.solve(g, games.objective(keyword, g, seeded()), solver=solver)
    except SolverError:
        return False
    return True


@functools.cache
def takes_cycles(solver):
    """Whether a solver takes games that can last for ever; those that do not must say so."""
    loop = zm.Graph.from_edges([(0, 0)])
    keyword = next(keyword for name, keyword in CASES if name == solver)
    try:
        zm.solve(loop, games.objective(keyword, loop, seeded()), solver=solver)
    except SolverError:
        return False
    return True


@functools.cache
def all_graphs(n, *, owned):
    """All small graphs, made once."""
    return tuple(games.all_owned_digraphs(n) if owned else games.all_digraphs(n))


def share(graphs, solver, keyword):
    """The graphs of a case: for teaching solvers those whose number leaves a certain remainder."""
    if solver not in ("depth-first", "rescan", "components") or len(graphs) < 300:
        return some(graphs)
    return some(graphs[games.KEYWORDS.index(keyword) :: len(games.KEYWORDS)])


def can_last(graph, objective):
    """Whether some play is infinite."""
    game = oracles.game_of(graph, objective)
    rest = set(game.moves) - set(game.pays)
    while gone := {s for s in rest if not rest.intersection(game.moves[s])}:
        rest -= gone
    return bool(rest)


def random_digraph(rng, solver, keyword):
    """A random graph that the solver takes, most of the time."""
    graph = games.random_digraph(rng)
    if not takes_owners(solver, keyword):
        graph = graph.with_owner(None)
    if not takes_cycles(solver) and rng.random() < 0.9:
        edges = [(u, v) for u, v in graph.to_edges().tolist() if u < v]
        graph = zm.Graph.from_edges(edges, n=graph.n, owner=graph.owner)
    return graph


def arrays(graph):
    return [a for a in (graph.indptr, graph.indices, graph.owner) if a is not None]


def solve_untouched(graph, objective, solver):
    """Solve; the graph must be as before and the answer's arrays fixed and read-only."""
    before = [a.copy() for a in arrays(graph)]
    digest = zm.Graph(*before[:2], *before[2:]).digest
    s = zm.solve(graph, objective, solver=solver)
    assert s.solver == solver
    assert s.graph is graph
    assert s.objective is objective
    assert graph.digest == digest
    assert all(np.array_equal(a, b) for a, b in zip(arrays(graph), before, strict=True))
    assert s.label.shape in ((graph.n,), (graph.n, 2))
    assert s.label.dtype == np.int8
    assert s.distance.dtype == s.move.dtype == np.int32
    for a in (s.level, s.label, s.distance, s.move):
        assert a.shape == s.label.shape
        assert a.flags.c_contiguous
        assert not a.flags.writeable
    return s


def by_situation(solution, array):
    """An array of a solution as a dict; where a position has one entry, both movers get it."""
    flat = array.tolist()
    g = solution.graph
    if g.owner is not None:
        return {(v, int(g.owner[v])): flat[v] for v in range(g.n)}
    pairs = itertools.product(range(g.n), (0, 1))
    return {(v, e): flat[v][e] if array.ndim == 2 else flat[v] for v, e in pairs}


def check(graph, objective, solver):
    """A solver's answers equal the oracle's, and its checker agrees."""
    if not takes_cycles(solver) and can_last(graph, objective):
        with pytest.raises(SolverError, match=r"cycles.*come back to.*retrograde"):
            zm.solve(graph, objective, solver=solver)
        return
    s = solve_untouched(graph, objective, solver)
    value, distance = oracles.solve(graph, objective)
    what = f"{graph.to_edges().tolist()}, owner {graph.owner}, {objective}"
    got = by_situation(s, s.value)
    if s.label.ndim == 1 and graph.owner is None:  # one entry a position: the mover's own value
        got = {(v, e): -x if e else x for (v, e), x in got.items()}
    assert got == value, what
    assert by_situation(s, s.label) == {t: oracles.seen_by_mover(t, x) for t, x in value.items()}, (
        what
    )
    assert by_situation(s, s.distance) == distance, what
    assert s.verify() is s


@pytest.mark.sampled
@over_cases
@pytest.mark.parametrize("n", range(4))
def test_all_digraphs(solver, keyword, n):
    rng = seeded(keyword, n)
    for graph in share(all_graphs(n, owned=False), solver, keyword):
        check(graph, games.objective(keyword, graph, rng), solver)


@pytest.mark.sampled
@over_cases
@pytest.mark.parametrize("n", range(1, 4))
def test_all_owned_digraphs(solver, keyword, n):
    rng = seeded(keyword, n)
    if takes_owners(solver, keyword):
        for graph in share(all_graphs(n, owned=True), solver, keyword):
            check(graph, games.objective(keyword, graph, rng), solver)


@pytest.mark.sampled
@over_cases
def test_random_digraphs(solver, keyword):
    rng = seeded(solver, keyword)
    for _ in range(rounds(RANDOM_GRAPHS, 50)):
        graph = random_digraph(rng, solver, keyword)
        check(graph, games.objective(keyword, graph, rng), solver)


@over_cases
def test_moves_and_lines(solver, keyword):
    """Best moves are the oracle's, and a line of best play is as long as the distance says."""
    rng = seeded(solver, keyword)
    for _ in range(RANDOM_LINES):
        graph = random_digraph(rng, solver, keyword)
        objective = games.objective(keyword, graph, rng)
        if not takes_cycles(solver) and can_last(graph, objective):
            continue
        s = zm.solve(graph, objective, solver=solver)
        game = oracles.game_of(graph, objective)
        value, distance = oracles.solve(graph, objective)
        for v, e in value:
            best = oracles.best_moves(game, value, distance, (v, e))
            answer = s.at(v, player=e)
            assert list(answer.best_moves) == best
            assert answer.move == (best[0] if best else None)
            one_entry = s.label.ndim == 1
            check_line(s.line(v, player=e), game, (v, e), distance[v, e], one_entry)


def check_line(line, game, start, distance, one_entry):
    """Moves of the game; distance + 1 positions to an end, or a cycle where there is no end."""
    situations, s = [start], start
    for w in line[1:]:
        s = next(t for t in game.moves[s] if t[0] == w)
        situations.append(s)
    assert line[0] == start[0]
    if distance != zm.NO_DISTANCE:
        assert line.cycle is None
        assert len(line) == distance + 1
        assert s in game.pays
    elif line.cycle is not None:
        places = line if one_entry else situations
        assert places.index(places[-1]) == line.cycle < len(line) - 1
    else:  # an end that is as good as infinite play, where ends like that have no distance
        assert game.pays[s] == game.infinite
        assert not game.agreed


@over_cases
def test_owners_are_accepted_or_refused_with_a_message(solver, keyword):
    if not takes_owners(solver, keyword):
        g = zm.Graph.from_edges([(0, 1)], n=2, owner=[0, 1])
        others = "|".join(name for name, k in CASES if k == keyword and name != solver)
        with pytest.raises(SolverError, match=rf"owners.*({others})"):
            zm.solve(g, games.objective(keyword, g, seeded()), solver=solver)


@over_cases
def test_corner_cases(solver, keyword):
    rng = seeded(solver, keyword)
    nothing = zm.Graph.from_edges([], n=0)
    s = solve_untouched(nothing, games.objective(keyword, nothing, rng), solver)
    assert s.label.size == s.distance.size == s.move.size == s.winner.size == 0
    s.verify()
    for graph in (
        zm.Graph.from_edges([(0, 0)]),
        zm.Graph.from_edges([], n=1),
        zm.Graph.from_edges([], n=5),
        zm.Graph.from_edges([(0, 1)], n=4),
        zm.Graph.from_edges([("loop", "loop"), ("x", "dead end"), ("x", "loop")]),
        zm.Graph.from_edges([(k, k + 1) for k in range(60)]),
        zm.Graph.from_edges([(k, (k + 1) % 60) for k in range(60)]),
        zm.Graph.from_edges([(0, k) for k in range(1, 60)]),
        zm.Graph.from_edges([(k, 0) for k in range(1, 60)]),
        zm.Graph.from_edges([(j, k) for j in range(12) for k in range(12)]),
    ):
        plain = zm.Graph.from_csr(graph.indptr, graph.indices)
        check(plain, games.objective(keyword, plain, rng), solver)


@over_cases
def test_progress_and_repetition(solver, keyword):
    """The same bytes every time, whether or not somebody watches."""
    rng = seeded(solver, keyword)
    graph = random_digraph(rng, solver, keyword).with_owner(None)
    objective = games.objective(keyword, graph, rng)
    if not takes_cycles(solver) and can_last(graph, objective):
        graph = zm.Graph.from_edges([(0, 1), (1, 2)])
        objective = games.objective(keyword, graph, rng)
    seen = []
    first = zm.solve(graph, objective, solver, progress=lambda *report: seen.append(report))
    again = zm.solve(graph, objective, solver)
    for name in ("level", "label", "distance", "move"):
        assert getattr(first, name).tobytes() == getattr(again, name).tobytes()
    for done, total, what in seen:
        assert 0 <= done <= total
        assert what


def test_the_value_pairs_of_the_asymmetric_game():
    """[Loewe2004] Prop. 3.8: all pairs (ℓ₀, ℓ₁) occur except (WIN, LOSE).

    Six occur with three positions, the other two need a fourth.
    """
    small = [
        *itertools.chain.from_iterable(map(games.all_digraphs, range(4))),
        zm.Graph.from_edges([(0, 0), (1, 0), (1, 2), (2, 3)]),
        zm.Graph.from_edges([(0, 1), (0, 2), (1, 0), (2, 3)]),
    ]
    seen = [set(map(tuple, zm.solve(g, zm.Asymmetric()).label.tolist())) for g in small]
    all_but_one = set(itertools.product((-1, 0, 1), repeat=2)) - {(1, -1)}
    assert set().union(*seen) == all_but_one
    assert set().union(*seen[:-2]) == all_but_one - {(0, 1), (-1, 0)}
    assert (0, 1) in seen[-2]
    assert (-1, 0) in seen[-1]


@pytest.mark.parametrize("seed", range(60))
def test_the_oracle_is_right(seed):
    """Value iteration agrees with all positional strategies against all others."""
    rng = seeded("oracle", seed)
    graph = games.random_digraph(rng, most=3)
    objective = games.objective(rng.choice(games.KEYWORDS), graph, rng)
    game = oracles.game_of(graph, objective)
    value = oracles.values(game)
    assert oracles.values_by_strategies(game) == (value, value)
    distance = oracles.distances(game, value)
    forced = {s: d for s, d in distance.items() if value[s] != game.infinite}
    assert oracles.forced_distances_by_strategies(game, value) == forced
