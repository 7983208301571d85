"""Rules, solved games and their answers are pickled and copied; positions are plain integers."""

import copy
import pickle

import numpy as np
import pytest

import zermelo as zm
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.tables.building.build import build
from zermelo.tables.solving.solve import solve_rules

COPIES = {
    "pickled": lambda x: pickle.loads(pickle.dumps(x)),
    "copied": copy.copy,
    "copied whole": copy.deepcopy,
}


@pytest.fixture(params=COPIES)
def copied(request):
    return COPIES[request.param]


@pytest.mark.parametrize("name", [*(row.example for row in GAMES), "chess:KPvK"])
def test_rules(name, copied):
    for rules in (zm.game(name), as_rules(zm.game(name))):
        again = copied(rules)
        assert type(again).__name__ == type(rules).__name__
        assert again.show(again.start()) == rules.show(rules.start())
        assert getattr(again, "known_as", None) == getattr(rules, "known_as", None)
    assert again.options(again.start()) == rules.options(rules.start())


def same(one, other):
    """Whether two answers say the same."""
    facts = ("position", "label", "distance", "best_moves", "move_names", "verdict")
    return all(getattr(one, x) == getattr(other, x) for x in facts) and str(one) == str(other)


@pytest.mark.parametrize("name", ["nim:1,2", "domineering:2x2", "toads-and-frogs:tf"])
def test_tables_and_what_they_answer(name, copied, tmp_path):
    with build(name, tmp_path / "table.zt") as table:
        start = table.rules.show(table.rules.start())
        found = table.probe(start)
        answer = copied(found)
        with copied(table) as again:
            assert again.path == table.path
            assert same(again.probe(start), found)
        assert same(table.probe(start), found)  # the copy closed its own file
    assert same(answer, found)


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2"])
def test_solved_games_and_what_they_answer(name, copied):
    solved = solve_rules(zm.game(name))
    found = solved.at(solved.rules.start())
    str(found)  # which remembers things
    again = copied(solved)
    assert again.counts() == solved.counts()
    assert same(again.at(solved.rules.start()), found)
    assert same(copied(found), found)


def plain(position):
    """Whether no part of a position is one of NumPy's numbers."""
    if isinstance(position, tuple):
        return all(map(plain, position))
    return not isinstance(position, np.generic)


@pytest.mark.slow
def test_positions_from_iteration_are_plain_integers(tmp_path):
    """L-game's table has indices beside its entries, and ``unrank`` reads an array."""
    with build("l-game", tmp_path / "l.zt") as table:
        for number, found in enumerate(table):
            assert plain(found.position)
            if number % 500 == 0:
                assert same(table.probe(found.position), found)


@pytest.mark.parametrize("make", [lambda rules, path: solve_rules(rules), build])
def test_positions_may_be_given_as_numbers_of_numpy(make, tmp_path):
    rules = zm.game("hexapawn:3x3")
    solved = make(rules, tmp_path / "t.zt")
    start = rules.start()
    found = solved.at(np.int64(start))
    assert type(found.position) is int
    assert same(found, solved.at(start))
    assert solved.line(np.int64(start)) == solved.line(start)
