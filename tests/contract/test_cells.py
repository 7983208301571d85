"""Every move of every game can be clicked: its cells are in the picture, and they choose it."""

import random
from xml.etree import ElementTree

import pytest

import zermelo as zm
from zermelo.errors import InvalidRulesError
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.cells import cells_of, changed_cells, chosen_moves, picture_of, ways_of
from zermelo.rules.loading.games import game
from zermelo.rules.notation import second_moves

ROWS = [pytest.param(row, id=row.name) for row in GAMES]


def walks(rules, count=3, plies=12):
    """Positions of random plays, and whether the second player is to move."""
    chance = random.Random(11)
    for _ in range(count):
        position, ply = rules.start(), 0
        while ply < plies:
            options = rules.options(position)
            yield position, second_moves(rules, position, ply), options
            if not options:
                break
            position, ply = chance.choice(options), ply + 1


@pytest.mark.parametrize("row", ROWS)
def test_every_move_can_be_clicked(row):
    rules = as_rules(game(row.example))
    for position, second, options in walks(rules):
        cells = cells_of(picture_of(rules, position, second))
        ways = [ways_of(rules, position, x, second, cells) for x in options]
        for k, option in enumerate(options):
            if not ways[k]:
                assert rules.describe(position, option, second) == "pass"
            for way in ways[k]:
                meant, exact = chosen_moves(ways, way)
                assert k in exact
                assert {*exact} <= {*meant}
        same = [tuple(map(tuple, some)) for some in ways if some]
        assert len({*same}) * 2 >= len(same)  # lists of moves with the same cells are short


@pytest.mark.slow("l-game")
@pytest.mark.parametrize("row", ROWS)
def test_pictures_keep_the_colours_of_the_players(row):
    """A move changes only what moved: never most of the cells of a larger board."""
    rules = as_rules(game(row.example))
    for position, second, options in walks(rules, count=1):
        before = picture_of(rules, position, second)
        for option in options:
            after = picture_of(rules, option, second_moves(rules, option, 1, second))
            changed = changed_cells(before, after)
            ways = rules.move_cells(position, option, second)
            assert changed or not ways
            if "data-flips" in before and len(cells_of(before)) > 11:  # a board, not heaps
                assert len(changed) < len(cells_of(before))


def test_cells_do_not_overlap_and_have_names():
    for row in GAMES:
        rules = as_rules(game(row.example))
        root = ElementTree.fromstring(picture_of(rules, rules.start(), False))
        cells = [x for x in root.iter() if x.get("data-cell")]
        assert cells
        assert len({x.get("data-cell") for x in cells}) == len(cells)
        for cell in cells:
            assert cell.get("aria-label").startswith(cell.get("data-cell"))
            assert not [x for x in cell.iter() if x is not cell and x.get("data-cell")]


def test_relative_games_show_the_same_stone_in_the_same_colour():
    rules = zm.game("teeko")
    start = rules.start()
    stone = rules.options(start)[0]
    changed = changed_cells(rules.draw_for(start), rules.draw_for(stone, second=True))
    assert rules.move_cells(start, stone) == (changed,)
    assert rules.draw_for(start) == rules.draw(start)


def test_promotions_have_the_same_cells():
    rules = zm.game("chess:KPvK")
    last = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
    options = rules.options(last)
    ways = [ways_of(rules, last, x, False, cells_of(rules.draw(last))) for x in options]
    _, exact = chosen_moves(ways, ["a8", "a7"])
    assert [rules.describe(last, options[k]) for k in exact] == ["a8=Q", "a8=R", "a8=B", "a8=N"]


class Row(zm.Rules):
    """Three squares; a player fills one."""

    def start(self):
        return "..."

    def moves(self, position):
        return [position[:k] + "x" + position[k + 1 :] for k in range(3) if position[k] == "."]

    def draw(self, position):
        squares = (
            f'<g data-cell="{k}"><rect x="{k}" width="1" height="1" class="{x}"/></g>'
            for k, x in enumerate(position, 1)
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(squares)}</svg>'


def test_rules_of_a_user_need_only_a_picture_with_cells():
    rules = Row()
    cells = cells_of(rules.draw("..."))
    assert [ways_of(rules, "...", x, False, cells) for x in rules.options("...")] == [
        [["1"]], [["2"]], [["3"]],
    ]  # fmt: skip


@pytest.mark.slow
def test_rules_without_cells_have_lists_of_moves():
    class Plain(Row):
        draw = zm.Rules.draw

    assert ways_of(Plain(), "...", "x..", False, cells_of(Plain().draw("..."))) == []


def test_wrong_cells_are_a_fault_of_the_rules():
    class Wrong(Row):
        def move_cells(self, position, option, second=False):
            return 3

    with pytest.raises(InvalidRulesError, match=r"move_cells.*expected tuples of the names"):
        ways_of(Wrong(), "...", "x..", False, ["1"])
