"""Tables on disk and games in memory answer alike, and as the solution on the graph does."""

import gc
import warnings

import pytest
from tests.tables.test_build import KINDS, N, Stuck

import zermelo as zm
from zermelo.errors import FormatError, InvalidOptionError, ZermeloError
from zermelo.tables.solved import SolvedGame
from zermelo.tables.solving import choose
from zermelo.tables.solving.solve import solve_rules


def comparable(answer):
    """All parts of an answer that users see."""
    return answer, answer.outcome, answer.value, sorted(answer.best_moves), str(answer)


@pytest.mark.slow("Owned", "Sparse")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_on_disk_and_in_memory(kind, tmp_path):
    rules = kind(N, 17)
    solved = solve_rules(rules)
    with zm.build(rules, tmp_path / "t.zt") as table:
        assert len(solved) == len(table)
        assert solved.counts() == table.counts()
        assert {x.position for x in solved} == {x.position for x in table}
        for x in table:
            assert comparable(solved.at(x.position)) == comparable(x)
            assert solved.line(x.position) == table.line(x.position)
        assert solved.verify().verified == table.verify().verified
        assert solved.verify(20).verified == 20


@pytest.mark.slow("tictactoe")
@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "hexapawn:3x3", "domineering:2x2"])
def test_as_on_the_graph(name):
    rules = zm.game(name)
    game = zm.explore(rules)
    solution, solved = zm.solve(game), solve_rules(rules)
    assert solved.counts() == solution.counts()
    for x in game.graph.names:
        one, two = solution.at(x), solved.at(x)
        assert one == two
        assert sorted(one.best_moves) == sorted(two.best_moves)


class Twice(zm.Rules):
    """Plain rules with players: the mover moves again from a number that 3 divides."""

    def start(self):
        return (11, 0)

    def player(self, position):
        return position[1]

    def moves(self, position):
        n, player = position
        after = player if n % 3 == 0 else 1 - player
        return [(n - k, after) for k in (1, 2) if k <= n]


@pytest.mark.slow
def test_plain_rules_in_which_a_player_moves_twice(tmp_path):
    rules = Twice()
    solution = zm.solve(zm.explore(rules)).verify()
    solved = solve_rules(rules)
    assert not solved.turns
    with zm.build(rules, tmp_path / "t.zt") as table:
        for x in solution:
            for found in (solved, table):
                answer = found.at(x.position)
                assert (answer, sorted(answer.best_moves)) == (x, sorted(x.best_moves))
        assert table.verify() is table
        assert table.counts() == solved.verify().counts() == solution.counts()


@pytest.mark.parametrize("objective", [zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1()])
def test_values_are_those_of_player_0(objective, tmp_path):
    rules = Stuck(120)
    solution = zm.solve(zm.explore(rules).graph, objective)
    solved = solve_rules(rules, objective).verify()
    with zm.build(rules, tmp_path / "t.zt", objective) as table:
        for x in solution:
            for found in (table, solved):
                assert found.at(x.position) == x
            with pytest.raises(InvalidOptionError, match="never moves"):
                table.at(x.position, x.player.other)
        assert table.counts() == solved.counts() == solution.counts()


def test_the_longest_way_of_none(tmp_path):
    class Ring(zm.CompiledRules):
        most_moves = 1

        def start(self):
            return 0

        def moves(self, position, out):
            out[0] = (position + 1) % 5
            return 1

    solved = solve_rules(Ring())
    with zm.build(Ring(), tmp_path / "t.zt") as table:
        assert table.header["counts"]["longest_win"] == 0
        assert table.counts() == solved.counts()
    assert solved.counts()["longest_win"] == solved.counts()["longest_lose"] == zm.NO_DISTANCE


@pytest.mark.slow
def test_a_table_that_is_not_closed_makes_no_noise(tmp_path):
    zm.build("nim:1,2", tmp_path / "t.zt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = zm.Table(tmp_path / "t.zt")
        assert table.probe((1, 2)).outcome == "win"
        del table
        gc.collect()
    table = zm.Table(tmp_path / "t.zt")
    table.close()
    table.close()
    with pytest.raises(FormatError, match="the table is closed"):
        table.probe((1, 2))


@pytest.mark.slow
def test_a_copy(tmp_path):
    with zm.build("tictactoe", tmp_path / "t.zt") as table:
        (tmp_path / "t.zt").rename(tmp_path / "moved.zt")
        table.save(tmp_path / "copy.zt")
    assert (tmp_path / "copy.zt").read_bytes() == (tmp_path / "moved.zt").read_bytes()
    solve_rules(zm.game("tictactoe")).save(tmp_path / "solved.zt")
    assert (tmp_path / "copy.zt").read_bytes() == (tmp_path / "solved.zt").read_bytes()
    solve_rules(zm.game("tictactoe")).save(tmp_path / "solved.json")
    solution = zm.read_solution(tmp_path / "solved.json", zm.explore(zm.game("tictactoe")))
    assert solution.verify().counts() == table.counts()
    with pytest.raises(ZermeloError, match=r"\.nothing"):
        solve_rules(zm.game("tictactoe")).save(tmp_path / "solved.nothing")
    names = ["copy.zt", "moved.zt", "solved.json", "solved.zt"]
    assert sorted(x.name for x in tmp_path.iterdir()) == names


# -------------------------------------------------------------------- a graph or a table


@pytest.mark.slow
def test_a_large_game_is_solved_without_its_graph(monkeypatch):
    expected = zm.solve(zm.game("tictactoe"))
    assert expected.storage.layout.keys == "positions"
    monkeypatch.setattr(choose, "MAX_GRAPH_POSITIONS", 1000)
    found = zm.solve(zm.game("tictactoe"))
    assert type(found) is type(expected) is SolvedGame
    assert found.storage.layout.keys == "index"
    assert found.verify().counts() == expected.counts()
    assert found.at(found.start) == expected.at(expected.start)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tictactoe", {"objective": zm.Misere()}),  # its outcomes would be turned around
        ("tictactoe", {"solver": "retrograde"}),
        ("tictactoe", {"quotient": True}),
        ("nim:3,4,5", {}),  # plain rules are solved on their graph
    ],
)
def test_what_needs_a_graph_has_one(name, options, monkeypatch):
    monkeypatch.setattr(choose, "MAX_GRAPH_POSITIONS", 10)
    monkeypatch.setattr("zermelo.tables.solved.MAX_GRAPH_POSITIONS", 10)
    assert zm.solve(zm.game(name), **options).graph.n > 10
