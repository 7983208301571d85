"""Thermographs against their definition, their pictures, and their consequences."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan import oracle
from tests.partizan.games import LIMITS, compacts, games, value_of, values
from zermelo.errors import InvalidOptionError

temperatures = st.fractions(-1, 4, max_denominator=16)


GRID = 32
"""Steps of a unit: all walls of games born by day 3 bend at multiples of one."""
TOP = 4


@cache
def walls(game: oracle.Game) -> tuple[list[int], list[int]]:
    """Both walls of a canonical form by the definition, at all t = k/GRID from -1 to TOP, in
    steps: scaffolds until they meet, then the mast."""
    size = (TOP + 1) * GRID + 1
    if not (game.left and game.right):
        n = GRID * oracle.birthday(game) * (1 if game.left else -1)
        return [n] * size, [n] * size
    left, right = [], []
    for k in range(size):
        if left and left[-1] == right[-1]:
            left.append(left[-1])
            right.append(right[-1])
            continue
        t = k - GRID
        left.append(max(walls(x)[1][k] for x in game.left) - t)
        right.append(min(walls(x)[0][k] for x in game.right) + t)
        assert left[-1] >= right[-1], "they meet between two steps"
    return left, right


def assert_walls(found, game):
    for k, (x, y) in enumerate(zip(*walls(game), strict=True)):
        t = Fraction(k, GRID) - 1
        assert (found.left(t) * GRID, found.right(t) * GRID) == (x, y)


@LIMITS
@given(games)
def test_walls_agree_with_the_definition(game):
    game = oracle.canonical(game)
    assert_walls(value_of(game).thermograph, game)


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 2), Fraction(-3, 4), Fraction(2)])
def test_ups_and_nimbers_are_cut_short_rightly(x):
    for up in range(-3, 4):
        for star in range(5):
            form = oracle.canonical(oracle.add(oracle.ups(up), oracle.nimber(star)))
            v = zm.value(x) + up * zm.value("^") + zm.value(f"*{star}")
            form = oracle.canonical(oracle.add(oracle.number(x), form))
            assert_walls(v.thermograph, form)


@LIMITS
@given(values, temperatures)
def test_walls_are_walls(v, t):
    walls = v.thermograph
    assert walls.left(t) >= walls.right(t)
    assert (walls.left(t) == walls.right(t)) == (t >= walls.temperature)
    assert walls.left_wall[-1] == walls.right_wall[-1] == (walls.temperature, walls.mean)
    assert walls.left_wall[0][0] == walls.right_wall[0][0] == -1
    assert (walls.left(0), walls.right(0)) == (v.left_stop, v.right_stop)
    for wall, slope in ((walls.left_wall, -1), (walls.right_wall, 1)):
        for (t0, x0), (t1, x1) in pairwise(wall):
            assert t0 < t1
            assert (x1 - x0) / (t1 - t0) in (0, slope)


@LIMITS
@given(values, values)
def test_means_add_and_temperatures_do_not_rise(v, w):
    total = v + w
    assert total.mean == v.mean + w.mean
    assert total.temperature <= max(v.temperature, w.temperature)
    mirror = (-v).thermograph
    assert mirror.left_wall == tuple((t, -x) for t, x in v.thermograph.right_wall)


@LIMITS
@given(compacts)
def test_numbers_are_cold_and_infinitesimals_tepid(v):
    x = v.number
    assert v.temperature == (0 if x is None else -Fraction(1, x.denominator))


def test_values_that_cost_nothing():
    v = zm.value("100 + *1000000 + 1000000000.^")
    assert str(v.thermograph) == "left (-1,101) (0,100); right (-1,100) (0,100)"


def test_temperatures_below_minus_one_are_refused():
    with pytest.raises(InvalidOptionError, match="at least -1, got -2"):
        zm.value("+-1").thermograph.left(-2)


@LIMITS
@given(values)
def test_pictures(v):
    for ascii in (True, False):
        drawn = v.thermograph.draw(height=10, width=40, ascii=ascii)
        rows = drawn.splitlines()
        assert 3 <= len(rows) <= 14
        assert all(len(row) < 80 for row in rows)
        assert drawn.isascii() == ascii
    root = ElementTree.fromstring(v.thermograph.svg(str(v)))
    lines = [x.get("class") for x in root.iter("{http://www.w3.org/2000/svg}polyline")]
    assert lines == ["left", "right", "mast"]


def test_the_picture_of_a_switch():
    assert zm.value("+-1").thermograph.draw(height=4, ascii=True).splitlines() == [
        " 2      |",
        " 1      |",
        " 0    /   \\",
        "-1  /       \\",
        "    2 1 0 -1",
    ]
