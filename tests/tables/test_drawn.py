"""Drawn positions: a draw is called a draw, and every move that keeps it is a best move."""

import json

import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.labels import NO_DISTANCE, Label
from zermelo.play.match import Match
from zermelo.play.scene import scene
from zermelo.tables.building.build import build
from zermelo.tables.probing import compiled_probe as quick
from zermelo.tables.solving.solve import solve_rules

PAWN = "8/8/3k4/4P1K1/8/8/8/8 b - - 0 1"
"""Black draws by Kxe5, Ke6 and Ke7; nobody forces a stalemate."""


@pytest.mark.slow
def test_the_pawn_that_does_not_win(tmp_path):
    path = tmp_path / "KPvK.zt"
    with build("chess:KPvK", path) as table:
        found = table.probe(PAWN)
        assert sorted(names[0] for names in found.move_names) == ["Ke6", "Ke7", "Kxe5"]
    assert found.verdict == "draw"
    assert (found.agreed_distance, found.forced_distance) == (8, NO_DISTANCE)
    record = json.loads(CliRunner().invoke(cli, ["probe", str(path), PAWN, "--json"]).stdout)
    assert record["verdict"] == "draw"
    assert record["distance"] is None
    assert record["agreed_distance"] == 8
    assert len(record["best_moves"]) == 3


@pytest.mark.slow
def test_lists_of_positions(tmp_path):
    path = tmp_path / "t.zt"
    build("tictactoe", path).close()
    start = ".../.../..."
    listed = CliRunner().invoke(cli, ["probe", str(path), "--from", "-", "--json"], input=start)
    row = json.loads(listed.stdout)
    assert (row["label"], row["distance"], row["agreed_distance"]) == ("DRAW", None, 9)


def keeping(solved, position):
    """The moves that keep the draw, by the labels after them."""
    after = solved.rules.options(position)
    return {x for x in after if solved.at(x).label == Label.DRAW}


def some_drawn(solved):
    """Some drawn positions in which play goes on, the start among them."""
    found = [x.position for x in solved if x.label == Label.DRAW and x.best_moves]
    return [solved.rules.start(), *found[::97]]


def test_moves_that_keep_the_draw_are_best_in_memory():
    solved = solve_rules(zm.game("tictactoe"))
    for position in some_drawn(solved):
        found = solved.at(position)
        assert set(found.best_moves) == keeping(solved, position)
        assert solved.at(found.best_moves[0]).distance == found.distance - 1
        assert found.verdict == "DRAW"
    assert len(solved.line(solved.rules.start())) == 10


@pytest.mark.slow
@pytest.mark.parametrize("distances", [False, True])
@pytest.mark.parametrize("compiled", [False, True])
def test_moves_that_keep_the_draw_are_best_in_tables(compiled, distances, tmp_path, monkeypatch):
    """By the general way, and by the kernel of :mod:`zermelo.tables.probing.compiled_probe`."""
    if compiled:
        monkeypatch.setattr(quick.CompiledProbe, "_load", interpreted_kernel)
    else:
        monkeypatch.setattr(quick.CompiledProbe, "_load", lambda self: False)
    with build("tictactoe", tmp_path / "t.zt", distances=distances) as table:
        for position in some_drawn(table)[:10]:
            found = table.at(position)
            assert set(found.best_moves) == keeping(table, position)
            if distances:
                assert table.at(found.best_moves[0]).distance == found.distance - 1


def interpreted_kernel(self):
    """Let the kernel answer from the first probe on, as Python."""
    ways = (quick.NO_MOVES, quick.BEST_MOVES, quick.ALL_MOVES)
    calls = [self._arguments(way) for way in ways]
    self._runs = [lambda given=given: self._kernel.interpreted(*given) for given in calls]
    return True


@pytest.mark.slow
def test_moves_that_keep_the_draw_are_best_in_play(tmp_path):
    with build("tictactoe", tmp_path / "t.zt") as table:
        match = Match(table.rules, table, table.rules.start())
        assert len(match.best(match.options())) == 9
        assert {x.worth for x in match.options()} == {"draws"}
        shown = scene(match, values=True)
        assert all(x["best"] for x in shown["moves"])
        assert shown["value"] == {
            "result": "tie", "distance": None, "agreed_distance": 9, "words": "draws",
        }  # fmt: skip


def test_moves_that_keep_the_draw_are_best_on_graphs():
    solution = zm.solve(
        zm.Graph.from_edges([("a", "tie"), ("a", "b"), ("b", "a"), ("a", "lost")]),
        zm.TerminalPayoff({"tie": 0, "lost": 1}, view="mover"),
    )
    found = solution["a"]
    assert found.best_moves == ("tie", "b")
    assert str(found) == "a: DRAW by tie, b"
    assert (found.agreed_distance, found.forced_distance) == (1, NO_DISTANCE)
    assert str(solution["tie"]) == "tie: DRAW in 0"
    assert str(solution.explain("a")).startswith("a is DRAW: no move wins, and tie keeps the draw")
    assert solution.line("b") == ["b", "a", "tie"]


def test_a_forced_draw_has_its_distance():
    """In the game A, infinite play is lost for player 0, who forces an end that is drawn."""
    edges = [("a", "b"), ("b", "t"), ("a", "c"), ("c", "d"), ("d", "e"), ("e", "u")]
    solution = zm.solve(zm.Graph.from_edges(edges), zm.Asymmetric())
    found = solution.at("a", player=0)
    assert found.label == Label.DRAW
    assert found.forced_distance == found.distance == 2
    assert found.best_moves == ("b",)
    assert found.verdict == "DRAW in 2"


def test_what_infinite_play_pays_is_forced_by_nobody():
    """The same holds for other labels: in G₀, player 0 loses infinite play."""
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "t")])
    found = zm.solve(graph, zm.G0()).at("b", player=1)
    assert found.label == Label.WIN
    assert found.agreed
    assert (found.forced_distance, found.agreed_distance) == (NO_DISTANCE, 3)
    assert found.best_moves == ("c",)
    assert found.verdict == "WIN"
