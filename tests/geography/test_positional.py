"""Positional strategies in games of return and repetition: found, or refuted with a proof."""

import dataclasses
import random
from pathlib import Path

import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import (
    CertificateError,
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.solutions.answers import Line
from zermelo.solvers.geography.positional import Refutation
from zermelo.verify.geography.refutation import check_refutation

EXAMPLES = Path(__file__).parents[2] / "examples" / "geography"

OBJECTIVES = {
    "no-return": zm.NoReturn(),
    "no-return misere": zm.NoReturn(misere=True),
    "return": zm.Return(),
    "no-repetition": zm.NoRepetition(),
    "no-repetition misere": zm.NoRepetition(misere=True),
    "repetition": zm.Repetition(),
}

MEMORY = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("e", "b"), ("e", "c")]


@pytest.mark.slow("no-repetition", "no-repetition misere", "no-return")
@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_answer_is_that_of_all_strategies(name):
    answers = set()
    for g in games.random_graphs(30, f"positional {name}", high=5, moves=8):
        succ = games.rows(g)
        for v in range(g.n):
            won = oracle.wins(succ, name, (v,))
            found = zm.positional_strategy(g, OBJECTIVES[name], v).verify()
            assert found.player == (0 if won else 1)
            expected = oracle.has_positional(succ, name, found.player, v)
            assert bool(found) == expected, (succ, v)
            assert (found.refutation is None) == expected
            if found:
                choice = [found.moves.get(u, row[0] if row else None) for u, row in enumerate(succ)]
                assert oracle.positional_wins(succ, name, found.player, choice, (v,))
            other = zm.positional_strategy(g, OBJECTIVES[name], v, 1 - found.player).verify()
            assert not other
            answers.add(bool(found))
    assert True in answers


def test_winners_without_positional_strategies_are_found_among_random_graphs():
    missing, rng = 0, random.Random("positional memory")
    for _ in range(30):
        extra = [(rng.choice("abcdef"), rng.choice("abcdef")) for _ in range(rng.randint(0, 3))]
        g = zm.Graph.from_edges(MEMORY + extra)
        for v in range(g.n):
            found = zm.positional_strategy(g, zm.NoReturn(), g.name(v)).verify()
            succ = games.rows(g)
            assert bool(found) == oracle.has_positional(succ, "no-return", found.player, v)
            missing += not found
    assert missing > 0


def test_the_counterexample_to_theorem_3():
    """[EdmondsGurvich2010] Theorem 3 claims a positional solution of each symacyclic game."""
    game = zm.read(EXAMPLES / "theorem-3.json")
    assert zm.classify(game).kind == "symacyclic"
    assert game.graph.n == 6
    found = zm.positional_strategy(game).verify()
    assert (found.start, found.player, found.moves) == ("s", 1, None)
    succ = games.rows(game.graph)
    assert oracle.wins(succ, "no-return", (game.graph.index("s"),)) is False
    assert not oracle.has_positional(succ, "no-return", 1, game.graph.index("s"))
    lost = {str(x.play) for x in found.refutation.branches.values()}
    assert lost == {"s → v → l → m → l", "s → w → r → m → r"}


def test_the_smallest_winner_who_needs_memory():
    game = zm.read(EXAMPLES / "needs-memory.json")
    assert game.graph == zm.Graph.from_edges(MEMORY)
    found = zm.positional_strategy(game).verify()
    assert not found
    assert (found.player, found.strategies, len(found.refutation)) == (1, 2, 2)


def test_player_2_wins_four_games_and_none_by_position():
    """What [EdmondsGurvich2010] Example 1 says of the bipartite digraph of its Figure 1."""
    graph = zm.read(EXAMPLES / "four-games.json").graph
    succ, start = games.rows(graph), graph.index("s")
    colour = dict(zip("slrpqv", (0, 1, 1, 0, 0, 1), strict=True))
    assert all(colour[graph.name(u)] != colour[graph.name(w)] for u in range(6) for w in succ[u])
    for name in ("no-return", "return", "no-repetition", "repetition"):
        found = zm.positional_strategy(graph, OBJECTIVES[name], "s").verify()
        assert (found.player, found.moves) == (1, None)
        assert not oracle.wins(succ, name, (start,))
        assert not oracle.has_positional(succ, name, 1, start)


def test_polynomial_cases_take_no_search():
    grid = zm.generators.grid(8, 8, moves="orthogonal").graph
    found = zm.positional_strategy(grid, zm.NoReturn(), 0).verify()
    assert (found.method, found.player, found.nodes) == ("matching", 0, 0)
    tree = zm.generators.tree(3, 4).graph
    for objective in OBJECTIVES.values():
        found = zm.positional_strategy(tree, objective, 0).verify()
        assert (found.method, found.nodes) == ("plain", 0)
        assert found


def test_limits_say_how_many_strategies_there_are():
    g = zm.generators.random_graph(14, degree=3, law="regular", seed=3).graph
    with pytest.raises(LimitError, match="not known who wins"):
        zm.positional_strategy(g, zm.NoReturn(), 0, nodes=0)
    with pytest.raises(LimitError, match=r"there are up to [0-9,]+ strategies"):
        zm.positional_strategy(g, zm.NoReturn(), 0, 1, nodes=3)


def test_bad_questions():
    g = zm.Graph.from_edges(MEMORY)
    with pytest.raises(InvalidObjectiveError, match="games of return and repetition"):
        zm.positional_strategy(g, zm.NormalPlay(), "a")
    with pytest.raises(InvalidOptionError, match="the game has no start"):
        zm.positional_strategy(g, zm.NoReturn())
    with pytest.raises(InvalidOptionError, match="player"):
        zm.positional_strategy(g, zm.NoReturn(), "a", 2)


# -------------------------------------------------------------------- the checkers, attacked


def _nodes(tree, path=()):
    yield path, tree
    for w, after in tree.branches.items():
        yield from _nodes(after, (*path, w))


def _replaced(tree, path, node):
    if not path:
        return node
    branches = dict(tree.branches)
    branches[path[0]] = _replaced(branches[path[0]], path[1:], node)
    return Refutation(tree.play, branches)


def _forgeries(node):
    """Refutations that are each wrong at this place."""
    if len(node.play) > 1 and node.play[1] != node.play[0]:
        yield Refutation(Line(node.play[1:]), node.branches)
    if node.branches:
        yield Refutation(node.play)
        yield Refutation(node.play, dict(list(node.branches.items())[1:]))
        first = next(iter(node.branches.values()))
        yield Refutation(node.play, dict.fromkeys(node.branches, first))
        if len(node.play) > 1:
            yield Refutation(Line(node.play[:-1]), node.branches)


@pytest.mark.slow
def test_forged_refutations_are_refused():
    refused = 0
    for g in games.random_graphs(25, "refutations", high=5, moves=9):
        for v in range(g.n):
            for objective in (zm.NoReturn(), zm.Return(), zm.NoRepetition(misere=True)):
                loser = 1 if zm.solve(g, objective).label[v] > 0 else 0
                found = zm.positional_strategy(g, objective, v, loser)
                for path, node in _nodes(found.refutation):
                    for forged in _forgeries(node):
                        tree = _replaced(found.refutation, path, forged)
                        with pytest.raises(CertificateError):
                            check_refutation(g, objective, v, loser, tree)
                        refused += 1
                # A player who wins by position cannot be refuted by this proof.
                with pytest.raises(CertificateError):
                    check_refutation(g, objective, v, 1 - loser, found.refutation)
    assert refused > 200


def _random_tree(rng, g, walk, depth):
    """A tree of random plays, with all moves at its branches."""
    play = list(walk)
    while rng.random() < 0.8 and g.out_degree[g.index(play[-1])]:
        play.append(g.name(rng.choice(g.successors(g.index(play[-1])).tolist())))
    moves = g.successors(g.index(play[-1])).tolist()
    if not depth or not moves or rng.random() < 0.4:
        return Refutation(Line(play))
    after = {w: _random_tree(rng, g, walk, depth - 1) for w in map(g.name, moves)}
    return Refutation(Line(play), after)


def test_no_random_tree_refutes_a_player_who_has_a_positional_strategy():
    rng, accepted, refused = random.Random("trees"), 0, 0
    for g in games.random_graphs(15, "random trees", high=4, moves=6):
        succ = games.rows(g)
        for v in range(g.n):
            for name, objective in OBJECTIVES.items():
                for player in (0, 1):
                    wins = oracle.has_positional(succ, name, player, v)
                    for _ in range(10):
                        try:
                            tree = _random_tree(rng, g, [v], 2)
                            check_refutation(g, objective, v, player, tree)
                        except CertificateError:
                            refused += 1
                        else:
                            assert not wins, (succ, name, v, player, str(tree))
                            accepted += 1
    assert accepted > 20
    assert refused > 1000


@pytest.mark.slow
def test_forged_strategies_are_refused():
    refused = 0
    for g in games.random_graphs(20, "forged strategies", high=6, moves=12):
        succ = games.rows(g)
        for v in range(g.n):
            for name in ("no-return", "return", "repetition"):
                found = zm.positional_strategy(g, OBJECTIVES[name], v)
                for u in found.moves or ():
                    for w in succ[u]:
                        moves = {**found.moves, u: w}
                        choice = [moves.get(x, r[0] if r else None) for x, r in enumerate(succ)]
                        if oracle.positional_wins(succ, name, found.player, choice, (v,)):
                            continue
                        forged = dataclasses.replace(found, moves=moves)
                        with pytest.raises(CertificateError):
                            forged.verify()
                        refused += 1
    assert refused > 20


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("graph", zm.Graph.from_edges([(0, 1)], n=5)),
        ("start", 1),
        ("start", 4),
        ("player", 0),
        ("objective", zm.Return()),
        ("objective", zm.NoReturn(misere=True)),
    ],
)
def test_a_strategy_of_another_game_is_refused(name, other):
    path = zm.generators.path(5, symmetric=True).graph
    found = zm.positional_strategy(path, zm.NoReturn(), 0).verify()
    assert (found.method, found.player) == ("matching", 1)
    with pytest.raises(CertificateError):
        dataclasses.replace(found, **{name: other}).verify()


def test_refutations_are_checked_when_they_are_made():
    for play, branches in ((None, {}), (Line([]), {}), (Line("a"), {"b": None}), (Line("a"), None)):
        with pytest.raises(CertificateError):
            Refutation(play, branches)


def test_a_claim_without_a_proof_is_refused():
    g = zm.Graph.from_edges(MEMORY)
    found = zm.positional_strategy(g, zm.NoReturn(), "a")
    with pytest.raises(CertificateError, match="expected a refutation"):
        dataclasses.replace(found, refutation=None).verify()


def test_the_order_of_positions_does_not_matter():
    rng = random.Random("order")
    for _ in range(5):
        names = list("abcde")
        rng.shuffle(names)
        number = {x: k for k, x in enumerate(names)}
        g = zm.Graph.from_edges([(number[u], number[v]) for u, v in MEMORY])
        assert not zm.positional_strategy(g, zm.NoReturn(), number["a"]).verify()
