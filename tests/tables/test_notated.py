"""Answers of solved games name moves, say results in words, and draw positions."""

import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.labels import Label
from zermelo.solutions.answers import Answer
from zermelo.tables.solving.solve import solve_rules


@pytest.fixture(scope="module")
def tictactoe():
    return solve_rules(zm.game("tictactoe"))


def test_moves_have_the_names_of_the_game(tictactoe):
    found = tictactoe.probe("xx./oo./...")
    assert found.best_moves == ("xxx/oo./...",)
    assert found.move_names == (("c3",),)
    assert str(found) == "xx./oo./...: WIN in 1 by c3"
    assert found.verdict == "WIN in 1"


def test_moves_are_played_before_the_answer(tictactoe):
    assert tictactoe.probe("xx./oo./...", "c1", "c2") == tictactoe.at("xx./ooo/..x")
    start = tictactoe.rules.start()
    asked = tictactoe.probe(start, "b2", "a1")
    assert asked.position == tictactoe.rules.parse(".../.x./o..")
    with pytest.raises(
        InvalidOptionError, match="there is no move 'a3' here; the moves are a1, b1"
    ):
        tictactoe.probe("xx./oo./...", "a3")


def test_lines_have_the_names_of_the_game(tictactoe):
    line = tictactoe.line("xx./oo./...")
    assert line == ["xx./oo./...", "xxx/oo./..."]
    assert line.text == str(line) == "c3"
    assert tictactoe.line("xxx/oo./...").text == ""


def test_a_game_without_names_of_moves():
    nim = solve_rules(zm.game("nim:1,2"))
    found = nim.probe("1+2")
    assert found.move_names == (("1+1",),)
    assert str(found) == "1+2: WIN in 3 by 1+1"
    assert str(nim.line("1+2")) == "1+2 → 1+1 → 1 → 0"
    assert nim.probe("1+2", "1+1") == nim.at("1+1")


def test_partizan_positions_are_drawn_with_their_turn():
    turns = solve_rules(zm.game("toads-and-frogs:t.f"))
    found = turns.probe(".tf R")
    assert found.draw() == zm.game("toads-and-frogs:t.f").draw(".tf")
    assert str(found) == ".tf R, player 1 to move: LOSE in 2 by ft. L"


def test_what_a_notebook_shows(tictactoe):
    shown = tictactoe.probe("xx./oo./...")._repr_html_()
    assert shown.startswith("<div><svg")
    assert "<p>xx./oo./...: WIN in 1 by c3</p>" in shown
    plain = zm.solve(zm.Graph.from_edges([("a", "<b>")]))["a"]
    assert "&lt;b&gt;" in plain._repr_html_()
    assert plain.draw() is None
    assert plain.move_names == (("<b>",),)


def test_another_objective_does_not_use_the_words_of_the_game():
    class Chesslike(zm.Rules):
        def start(self):
            return 2

        def moves(self, n):
            return [n - 1] if n else []

        def verdict(self, position, label, distance):
            return f"words {label} {distance}"

    rules = Chesslike()
    assert solve_rules(rules).at(2).verdict == "words -1 2"
    assert solve_rules(rules, zm.Misere()).at(2).verdict == "WIN in 2"


def test_a_notation_is_checked():
    with pytest.raises(InvalidOptionError, match="notation: expected a Notated, got 3"):
        Answer("a", None, Label.WIN, 1, 1, notation=3)


@pytest.mark.slow
@pytest.mark.compiled
def test_chess_in_python(tmp_path):
    with zm.build("chess:KRvK", tmp_path / "krk.zt") as table:
        found = table.probe("8/8/8/8/8/2k5/8/K6R w - - 0 1")
        assert found.move_names == (("Rd1", "h1d1"), ("Rh4", "h1h4"))
        assert str(found) == (
            "8/8/8/8/8/2k5/8/K6R w - - 0 1: White mates in 14 (27 plies) by Rd1 (h1d1), Rh4 (h1h4)"
        )
        assert 'aria-label="white rook"' in found._repr_html_()
        after = table.probe("8/8/8/8/8/2k5/8/K6R w", "Rh4", "c3b3")
        assert after.verdict == "White mates in 13 (25 plies)"
        line = table.line("1k6/8/1K6/8/8/8/8/2R5 b")
        assert str(line) == "1... Ka8 2. Rc8#"
        assert len(line) == 3
