"""A game keeps its objective from every entry to every exit."""

import io

import pytest

import zermelo as zm
from zermelo.errors import InvalidGraphError, InvalidObjectiveError, UnknownPositionError

GRAPH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])


def test_a_game_is_a_checked_record():
    game = zm.Game(GRAPH, zm.Misere(), "a")
    graph, objective = game
    assert graph is GRAPH
    assert objective.keyword == "misere"
    assert zm.Game(GRAPH, start=2).start == "t"
    assert zm.Game(GRAPH) == zm.Game(GRAPH, zm.NormalPlay()) != game
    assert hash(zm.Game(GRAPH)) == hash(zm.Game(GRAPH, zm.NormalPlay()))
    with pytest.raises(UnknownPositionError):
        zm.Game(GRAPH, start="z")
    with pytest.raises(InvalidGraphError, match="expected a Graph, got int"):
        zm.Game(3)
    with pytest.raises(InvalidObjectiveError, match="expected an objective"):
        zm.Game(GRAPH, "misere")


def test_what_is_given_to_solve_comes_before_what_the_game_has():
    game = zm.Game(GRAPH, zm.Misere(), "a")
    assert zm.solve(game).objective.keyword == "misere"
    assert zm.solve(game).start == 0
    assert zm.solve(game, zm.NormalPlay(), start="b").start == 1
    assert zm.solve(game, zm.NormalPlay())["a"].label == zm.Label.WIN
    with pytest.raises(InvalidGraphError, match="expected a Graph or a Game, got int"):
        zm.solve(3)


def through_json(game):
    names = [str(x) for x in game.graph.names]
    shown = game.graph.with_names(names)
    spec = game.objective.spec(game.graph)
    file = io.BytesIO()
    zm.write(zm.Game(shown, type(game.objective).from_spec(spec, shown)), file, format="json")
    return zm.read(io.BytesIO(file.getvalue()))


ENTRIES = {"rules": lambda rules: rules, "explore": zm.explore,
           "file": lambda rules: through_json(zm.explore(rules))}  # fmt: skip
SMALL = ("tictactoe", "hexapawn:3x3", "pong-hau-ki", "nim:3,4", "domineering:2x3")


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", SMALL)
def test_an_objective_is_not_lost_on_the_way(entry, name):
    rules = zm.game(name)
    game = ENTRIES[entry](rules)
    explored = zm.explore(rules)
    wanted = zm.solve(explored.graph, explored.objective)
    found = zm.solve(game)
    assert found.label.tolist() == wanted.label.tolist()
    assert found.distance.tolist() == wanted.distance.tolist()
    if name == "tictactoe":
        assert found.at(0).label == zm.Label.DRAW
        assert found.at(0).distance == 9


@pytest.mark.parametrize("ask", [zm.grundy, zm.kernel, zm.genus])
@pytest.mark.parametrize("name", ["tictactoe", "domineering:2x2", "hexapawn:3x3", "l-game"])
def test_values_of_impartial_games_are_refused_for_others(ask, name):
    refused = (InvalidObjectiveError, InvalidGraphError)
    with pytest.raises(refused, match=r"are for (normal play|impartial)"):
        ask(zm.explore(zm.game(name)))


def test_values_of_rules_are_refused_where_players_differ():
    from zermelo.rules.values import position_values

    rules = zm.game("domineering:2x2")
    for ask in (zm.grundy, position_values):
        with pytest.raises(ValueError, match="impartial games"):
            ask(rules)


def test_payoffs_that_are_normal_play_have_grundy_values():
    class Poisoned(zm.Rules):
        def start(self):
            return 3

        def moves(self, n):
            return range(n)

        def outcome(self, n):
            return zm.Label.LOSE if n == 0 else None

    assert zm.grundy(Poisoned())[3] == 3


def test_a_misere_game_is_only_for_misere_sums():
    game = zm.Game(zm.Graph.from_edges([(1, 0)]), zm.Misere())
    assert zm.misere_sum_outcome([(game, 1)]) == zm.Label.LOSE
    with pytest.raises(InvalidObjectiveError, match="EGGS values are for no-return games"):
        zm.eggs(game, 0)
    assert zm.eggs(zm.Game(game.graph, zm.NoReturn()), 1) == 1
    assert zm.maximum_matching(game).verify().size == 1
    assert zm.classify(game).kind == zm.classify(game.graph).kind
    assert [str(r) for r in zm.trace(game)] == [str(r) for r in zm.trace(game.graph, zm.Misere())]
    assert str(zm.explain(game, 1)) != str(zm.explain(game.graph, 1))
