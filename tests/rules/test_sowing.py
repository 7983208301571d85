"""Kalah and Awari against the same rules written with lists."""

import sys

import pytest

import zermelo as zm
from tests.rules.plain_solver import explored
from zermelo.registry import GAMES


class Lists:
    """Houses of both players, each in the order of sowing, and both stores."""

    def __init__(self, own, other, stores):
        self.rows, self.stores = [list(own), list(other)], list(stores)

    @classmethod
    def read(cls, rules, position):
        board, stores, *_ = rules.show(position).split()
        other, own = ([int(x) for x in row.split(",")] for row in board.split("/"))
        return cls(own, other[::-1], [int(x) for x in stores.split(":")])

    def after(self):
        """What the other player sees."""
        return (*self.rows[1], "/", *self.rows[0], "/", *self.stores[::-1])

    def copy(self):
        return Lists(*self.rows, self.stores)


def kalah(board, house):
    """One sowing; whether the same player goes on."""
    m = len(board.rows[0])
    ring = [(0, k) for k in range(m)] + ["store"] + [(1, k) for k in range(m)]
    seeds, board.rows[0][house] = board.rows[0][house], 0
    place = house
    while seeds:
        place = (place + 1) % len(ring)
        seeds -= 1
        if ring[place] == "store":
            board.stores[0] += 1
        else:
            side, k = ring[place]
            board.rows[side][k] += 1
    if ring[place] == "store":
        return True
    side, k = ring[place]
    if side == 0 and board.rows[0][k] == 1 and board.rows[1][m - 1 - k]:
        board.stores[0] += 1 + board.rows[1][m - 1 - k]
        board.rows[0][k] = board.rows[1][m - 1 - k] = 0
    return False


def awari(board, house):
    """One sowing; whether the other player has a seed then."""
    m = len(board.rows[0])
    ring = [(0, k) for k in range(m)] + [(1, k) for k in range(m)]
    seeds, board.rows[0][house] = board.rows[0][house], 0
    place = house
    while seeds:
        place = (place + 1) % (2 * m)
        if place != house:
            side, k = ring[place]
            board.rows[side][k] += 1
            seeds -= 1
    side, k = ring[place]
    while side == 1 and k >= 0 and board.rows[1][k] in (2, 3):
        board.stores[0] += board.rows[1][k]
        board.rows[1][k] = 0
        k -= 1
    return any(board.rows[1])


@pytest.mark.parametrize("size", ["1x3", "2x2", "2x3", "3x1", "3x2", "4x1"])
def test_kalah(size):
    rules = zm.game(f"kalah:{size}")
    for x, options in explored(rules).items():
        if not options or x >= rules.passing:
            if options:
                assert rules.show(options[0]).endswith(":".join(stores(rules, x)[::-1]))
            continue
        board, found = Lists.read(rules, x), set()
        for k in range(rules.houses):
            if board.rows[0][k]:
                new = board.copy()
                again = kalah(new, k)
                found.add((new.after(), again))
        given = {(seen(rules, y), y >= rules.passing) for y in options}
        assert given == found


@pytest.mark.slow("3x2")
@pytest.mark.parametrize("size", ["1x3", "2x2", "2x3", "3x1", "3x2"])
def test_awari(size):
    rules = zm.game(f"awari:{size}")
    for x, options in explored(rules).items():
        if options:
            board, found = Lists.read(rules, x), set()
            for k in range(rules.houses):
                new = board.copy()
                if board.rows[0][k] and awari(new, k):
                    found.add(new.after())
            assert {seen(rules, y) for y in options} == found


def seen(rules, position):
    """A position as :meth:`Lists.after` writes it."""
    board = Lists.read(rules, position)
    return (*board.rows[0], "/", *board.rows[1], "/", *board.stores)


def stores(rules, position):
    return rules.show(position).split()[1].split(":")


def test_ends():
    rules = zm.game("kalah:2x2")
    assert rules.outcome(rules.parse("0,0/1,0 2:5")) == -1  # 3 against 5
    assert rules.outcome(rules.parse("0,2/0,0 4:2")) == 0
    assert (
        rules.outcome(rules.parse("1,0/1,0 5:1")) == 1
    )  # more than half, although there are moves
    rules = zm.game("awari:2x2")
    assert rules.outcome(rules.parse("0,0/1,0 3:4")) == 0  # no seed can be left for the other
    assert rules.outcome(rules.parse("0,1/0,0 4:3")) == 0
    assert rules.outcome(rules.parse("1,0/0,0 3:4")) == -1


@pytest.mark.parametrize("name", ["kalah", "awari"])
def test_the_text_of_the_rules_says_that_more_than_half_of_the_seeds_end_play(name):
    rules = zm.game(f"{name}:2x2")
    text = " ".join(sys.modules[type(rules).__module__].__doc__.split())
    assert "Play ends as soon as" in text
    assert "more than half" in GAMES[name].summary
