"""D′, a loop at every terminal: who wins there, by the definitions."""

import pytest
from tests.games import all_digraphs
from tests.papers import plain

import zermelo as zm
from zermelo.errors import InvalidObjectiveError
from zermelo.transform import loops_at_terminals, named

SMALL = [*all_digraphs(1), *all_digraphs(2), *list(all_digraphs(3))[::16]]
FOUR = dict(
    zip(plain.FOUR, (zm.NoReturn(), zm.Return(), zm.NoRepetition(), zm.Repetition()), strict=True)
)


def successors(graph):
    return [graph.successors(v).tolist() for v in range(graph.n)]


def test_only_games_that_count_positions_keep_their_winners():
    changed = set()
    for graph in SMALL:
        new = loops_at_terminals(graph)
        assert new.terminals.size == 0
        assert new.m == graph.m + graph.terminals.size
        before, after = successors(graph), successors(new)
        for game in plain.FOUR:
            for v in range(graph.n):
                if plain.wins(before, game, (v,)) != plain.wins(after, game, (v,)):
                    changed.add(game)
    assert changed == {"no-repetition", "repetition"}


@pytest.mark.parametrize("game", plain.FOUR)
def test_the_solvers_agree_on_d_prime(game):
    graph = zm.Graph.from_edges([("s", "t")])
    for d in (graph, loops_at_terminals(graph)):
        wins = plain.wins(successors(d), game, (0,))
        assert zm.solve(d, FOUR[game])["s"].label == (1 if wins else -1)


def test_no_repetition_on_s_to_t_wins_and_on_d_prime_loses():
    graph = zm.Graph.from_edges([("s", "t")])
    made = named.loops_at_terminals(zm.Game(graph, zm.NoRepetition(), "s"))
    assert (made.start, made.objective.keyword) == ("s", "no-repetition")
    assert zm.solve(graph, zm.NoRepetition())["s"].label.name == "WIN"
    assert zm.solve(made)["s"].label.name == "LOSE"


def test_play_on_an_acyclic_graph_becomes_a_game_of_return():
    for graph in [*all_digraphs(2), zm.Graph.from_edges([(0, 1), (0, 2), (1, 2)])]:
        for objective in (zm.NormalPlay(), zm.Misere()):
            if zm.classify(graph).kind != "acyclic":
                with pytest.raises(InvalidObjectiveError, match="without cycles"):
                    named.loops_at_terminals(zm.Game(graph, objective))
                continue
            made = named.loops_at_terminals(zm.Game(graph, objective))
            assert zm.solve(made).label.tolist() == zm.solve(graph, objective).label.tolist()
