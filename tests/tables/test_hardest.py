"""The hardest positions: the longest wins and losses, in memory and in a table."""

import pytest

import zermelo as zm
from zermelo.tables.probing.hardest import hardest
from zermelo.tables.solving.solve import solve_rules

GAMES = [
    "nim:3,4", "chomp:3x3", "toads-and-frogs:tt..ff", "tictactoe", "hexapawn:3x3", "dodgem:3",
    "hare-and-hounds", "pong-hau-ki", "chopsticks:split-mod5",
    "cat-and-mouse:0-2,0-5,1-3,2-4,2-5,3-4,3-5",
]  # fmt: skip


@pytest.mark.slow("dodgem:3", "hare-and-hounds", "tictactoe")
@pytest.mark.parametrize("game", GAMES)
def test_they_are_as_far_as_any(game, tmp_path):
    solved = solve_rules(zm.game(game))
    counts = solved.counts()
    with zm.build(game, tmp_path / "game.zt") as table:
        for answers in (solved, table):
            found = hardest(answers, 1000)
            assert found
            for position, label, distance in found:
                longest = counts["longest_win" if label > 0 else "longest_lose"]
                assert distance == longest
                answer = solved.at(position)
                assert (int(answer.label), answer.distance) == (label, distance)
            assert len({x for x, _, _ in found}) == len(found)
            firsts = {label: (x, label, distance) for x, label, distance in reversed(found)}
            assert hardest(answers, 1) == [firsts[x] for x in (1, -1) if x in firsts]


def test_the_longest_wins_and_the_longest_losses():
    solved = solve_rules(zm.game("tictactoe"))
    counts, found = solved.counts(), hardest(solved, 3)
    longest = [(1, counts["longest_win"])] * 3 + [(-1, counts["longest_lose"])] * 3
    assert [(label, distance) for _, label, distance in found] == longest


def test_a_game_without_moves_has_none():
    assert hardest(solve_rules(zm.game("konane:3x4"))) == []


@pytest.mark.slow
def test_progress_is_reported(tmp_path):
    seen = []
    with zm.build("tictactoe", tmp_path / "game.zt") as table:
        hardest(table, progress=lambda *given: seen.append(given))
    assert seen[0][2] == "looking for the hardest positions"
