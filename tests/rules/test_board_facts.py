"""What is published about games on boards, with its source. A game without a fact fails a test."""

from collections import Counter

import pytest

import zermelo as zm
from tests.rules.plain_solver import Plain, explored, solved, summary
from tests.rules.test_board_games import MINE

IRVING = ["TLWLWT", "WLLLWW", "TWW"]
"""For the first player, with 1, 2, … houses (a row each) and 1, 2, … seeds: the results of
[IrvingDonkersUiterwijk2000] from memory, to be compared with the paper; its draws are ties here."""


def start_of(name):
    """Start value and distance."""
    return summary(zm.game(name))[2:4]


def tictactoe():
    """Tie; 765 positions up to symmetry, 390 won, 224 lost, 151 tied: GamesmanOne, ``mttt``."""
    rules = zm.game("tictactoe")
    value = solved(rules, explored(rules))
    forms = {x: label for x, (label, _) in value.items() if rules.canonical(x) == x}
    assert Counter(forms.values()) == {1: 390, -1: 224, 0: 151}
    assert value[0] == (0, 9)


def mnk():
    """3,3,3 is a tie; the first player wins with two in a row, given three squares."""
    assert start_of("mnk:3x3x3")[0] == "T"
    assert [start_of(f"mnk:{w}x1x2")[0] for w in (2, 3, 4)] == ["T", "W", "W"]


def connect4():
    """161,029 positions of 4×4, as in the table of markus7800/Connect4-Strong-Solver
    (solved_games.tsv)."""
    graph, _ = zm.explore(zm.game("connect4:4x4"))
    assert graph.n == 161029


def connect3():
    """Positions of 3×3 with gravity; a tie (project's table of computed games)."""
    assert start_of("connect3:3x3") == ["T", 9]


def hexapawn():
    """The second player wins (solved_games.tsv; the game is from [Gardner1962])."""
    assert start_of("hexapawn:3x3")[0] == "L"


def dodgem():
    """The first player wins on 3×3: GamesmanClassic ``mdodgem`` (solved_games.tsv)."""
    assert start_of("dodgem:3")[0] == "W"


def three_mens_morris():
    """The first player wins; a draw if men fly (table of computed games)."""
    assert start_of("three-mens-morris")[0] == "W"
    assert start_of("three-mens-morris:fly")[0] == "D"


def tapatan():
    """GamesmanClassic ``machi``: 5390 positions, 2997 won, 1185 lost, 1208 drawn."""
    found = summary(zm.game("tapatan"))
    assert (found[0], found[4:8]) == (5390, [2997, 1185, 0, 1208])


def achi():
    """With three men it is Tapatan; with four nothing draws (table of computed games)."""
    assert summary(zm.game("achi:3")) == summary(zm.game("tapatan"))
    assert summary(zm.game("achi"))[7] == 0


def nine_holes():
    """A draw (table of computed games)."""
    assert start_of("nine-holes")[0] == "D"


def mu_torere():
    """A draw; the free game is won at once (table of computed games)."""
    assert start_of("mu-torere")[0] == "D"
    assert start_of("mu-torere:free") == ["W", 1]


def pong_hau_ki():
    """GamesmanClassic ``mhorse``: 56 positions, 8 won, 4 lost, 44 drawn."""
    found = summary(zm.game("pong-hau-ki"))
    assert (found[0], found[4:8]) == (56, [8, 4, 0, 44])


def hare_and_hounds():
    """GamesmanClassic ``mharegame``: 1118 won, 849 lost, at most 27 and 28 plies; the hounds win,
    as [Gardner1963] is reported to show. (Its 1023 draws are not what play can reach: there are
    2640 ways to place the men and the turn.)"""
    for name, start in (("hare-and-hounds", "W"), ("hare-and-hounds:hare-first", "L")):
        found = summary(zm.game(name))
        assert [found[2], *found[4:6], *found[8:10]] == [start, 1118, 849, 27, 28]


def fox_and_hounds():
    """The hounds win on 4×4, the fox on 6×6 (table of computed games)."""
    assert start_of("fox-and-hounds:4x4")[0] == "L"
    assert start_of("fox-and-hounds:6x6")[0] == "W"


def l_game():
    """2296 positions up to symmetry (solved_games.tsv, from memory there), each in eight images."""
    rules = zm.game("l-game")
    plain = Plain(rules)
    forms = [x for i in range(rules.size) if (x := plain.unrank(i)) >= 0]
    assert len(forms) == 2296
    assert {plain.orbit(x) for x in forms} == {8}


def chopsticks():
    """207 positions, 72 won, 35 lost, 100 drawn, with roll-over and splits (solved_games.tsv)."""
    found = summary(zm.game("chopsticks:split-mod5"))
    assert (found[0], found[2], found[4:10]) == (207, "D", [72, 35, 0, 100, 25, 24])


def dao():
    """Positions are those of four men each, 2 · 16!/(4! 4! 8!), as far as they can be reached."""
    assert zm.game("dao").size == 2 * 900_900


def othello():
    """The second player wins on 4×4: Wikipedia, Reversi (solved_games.tsv)."""
    rules = zm.game("othello:4x4")
    graph, _ = zm.explore(rules, symmetry=True)
    pays = {x: rules.outcome(x) for v, x in enumerate(graph.names) if not graph.out_degree[v]}
    assert zm.solve(graph, zm.TerminalPayoff(pays, view="mover")).label[0] == -1


def awari():
    """Four houses with one seed each: the first sowing captures (by hand)."""
    rules = zm.game("awari:2x1")
    assert [rules.show(x) for x in rules.options(rules.start())] == [
        "2,0/1,1 0:0", "0,1/0,1 0:2",
    ]  # fmt: skip


def kalah():
    """[IrvingDonkersUiterwijk2000], as far as it is quick."""
    for houses, row in enumerate(IRVING, 1):
        assert "".join(start_of(f"kalah:{houses}x{k}")[0] for k in range(1, len(row) + 1)) == row


def chinese_checkers():
    """[Sturtevant2020]: the first player wins on all boards that were solved."""
    for size in ("3x1", "4x1", "5x1", "3x2"):
        assert start_of(f"chinese-checkers:{size}")[0] == "W"


def cat_and_mouse():
    """The two examples of LeetCode 913: a draw, and the mouse wins."""
    assert start_of("cat-and-mouse:0-2,0-5,1-3,2-4,2-5,3-4,3-5")[0] == "D"
    assert start_of("cat-and-mouse:0-1,0-3,2-3") == ["W", 1]


FACTS = {
    f.__name__.replace("_", "-"): f
    for f in (
        tictactoe, mnk, connect4, connect3, hexapawn, dodgem, three_mens_morris, tapatan, achi,
        nine_holes, mu_torere, pong_hau_ki, hare_and_hounds, fox_and_hounds, l_game, chopsticks,
        dao, othello, awari, kalah, chinese_checkers, cat_and_mouse,
    )
}  # fmt: skip


@pytest.mark.sampled(cases=9)
@pytest.mark.slow("dodgem", "kalah", "othello")
@pytest.mark.parametrize("name", sorted(MINE))
def test_published_results_hold(name):
    FACTS[name]()


def test_connect_four_takes_the_letter_of_a_column():
    rules = zm.game("connect4:4x4")
    position = rules.parse("..../.o../.x../.o.x")
    assert rules.show(rules.parse_move(position, "B")) == ".x../.o../.x../.o.x"
    assert rules.parse_move(position, "b") == rules.parse_move(position, "b4")
    full = rules.parse_move(position, "b")
    with pytest.raises(ValueError, match="there is no move 'b' here; the moves are a1, c1, d2"):
        rules.parse_move(full, "b")
