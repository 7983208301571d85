"""What solvers of terminal-payoff games must do beside the contract of all solvers.

``test_solvers.py`` has the contract. Here best moves and lines of play are those of the definition,
and solvers that take only some graphs say which ones.
"""

import functools
import itertools
import random

import pytest

import zermelo as zm
from tests import games, oracles
from zermelo.errors import SolverError
from zermelo.registry import SOLVERS

CASES = [
    (row.name, keyword)
    for row in SOLVERS
    for keyword in games.KEYWORDS
    if row.applies_to("terminal", keyword)
]
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


@pytest.mark.parametrize("solver", sorted({name for name, _ in CASES}))
def test_cycles_are_accepted_or_refused_with_a_message(solver):
    if not takes_cycles(solver):
        loop = zm.Graph.from_edges([(0, 1), (1, 0)])
        with pytest.raises(SolverError, match=r"cycles.*come back to.*retrograde"):
            zm.solve(loop, solver=solver)


@over_cases
def test_owners_are_accepted_or_refused_with_a_message(solver, keyword):
    if not takes_owners(solver, keyword):
        g = zm.Graph.from_edges([(0, 1)], n=2, owner=[0, 1])
        others = "|".join(name for name, k in CASES if k == keyword and name != solver)
        with pytest.raises(SolverError, match=rf"owners.*({others})"):
            zm.solve(g, games.objective(keyword, g, seeded()), solver=solver)


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
