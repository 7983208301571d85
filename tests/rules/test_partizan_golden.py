"""Tables of known values, and what is published about each partizan game. A game needs a fact."""

import csv
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.partizan.positions import game_values
from zermelo.registry import GAMES
from zermelo.rules.loading.games import game
from zermelo.rules.partizan.base import PartizanRules
from zermelo.rules.partizan.toppling_dominoes import TopplingDominoes

GOLDEN = Path(__file__).parents[1] / "golden"
TABLES = {
    "hackenbush_strings": ("string_from_ground", "hackenbush"),
    "toads_and_frogs": ("position", "toads-and-frogs"),
    "domineering_rectangles": ("rows_x_cols(Left_vertical)", "domineering"),
}


def rows(name):
    with (GOLDEN / f"{name}.tsv").open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.slow("domineering_rectangles")
@pytest.mark.parametrize("name", TABLES)
def test_tables_agree_in_every_column(name):
    column, kind = TABLES[name]
    for row in rows(name):
        value = zm.game_value(game(f"{kind}:{row[column]}"))
        assert str(value) == row["value_cgsuite"], row
        assert value == zm.value(row["value_plain"]) == zm.value(row["value_cgsuite"]), row
        assert value.outcome.name == row["outcome"], row
        assert value.left_stop == Fraction(row["left_stop"]), row
        assert value.right_stop == Fraction(row["right_stop"]), row
        assert value.mean == Fraction(row["mean"]), row
        assert value.temperature == Fraction(row["temperature"]), row
        assert value.birthday == int(row["birthday"]), row


KNOWN = {
    "clobber:4x3": (13343, 36339, 7678, 5665, "L", 8),
    "clobber:4x4": (600161, 2203516, 382423, 217738, "W", 11),
    "domineering:4x4": (2443, 6964, 1477, 966, "W", 7),
    "domineering:5x5": (455317, 2052030, 282789, 172528, "L", 12),
}
"""Positions, moves, won and lost ones, label and distance of the start: rows of the project's table
of computed games, made by plain retrograde analysis."""
LARGE = pytest.mark.compiled


@pytest.mark.slow("clobber:4x4", "domineering:5x5")
@pytest.mark.parametrize(
    "text",
    [
        "clobber:4x3",
        "domineering:4x4",
        pytest.param("clobber:4x4", marks=LARGE),
        pytest.param("domineering:5x5", marks=LARGE),
    ],
)
def test_explored_graphs_have_the_known_counts(text):
    graph, _ = zm.explore(game(text))
    solved = zm.solve(graph)
    label, distance = solved.label, solved.distance
    found = graph.n, graph.m, (label > 0).sum(), (label < 0).sum(), "LDW"[label[0] + 1], distance[0]
    assert found == KNOWN[text]


def hackenbush():
    """[BerlekampConwayGuy2001] ch. 2, 7: Berlekamp's sign rule; green stalks are nim heaps."""
    for signs in product("lr", repeat=6):
        stalk = "".join(signs)
        run = len(stalk) - len(stalk.lstrip(stalk[0]))
        total, half = Fraction(run), Fraction(1, 2)
        for letter in stalk[run:]:
            total += half if letter == stalk[0] else -half
            half /= 2
        assert zm.game_value(game(f"hackenbush:{stalk}")) == (total if stalk[0] == "l" else -total)
    assert zm.game_value(game("hackenbush:ggg")) == zm.value("*3")
    # the fusion principle: a cycle of n green edges at one vertex is worth n mod 2
    assert zm.game_value(game("hackenbush:0-a:g,a-b:g,b-0:g")) == zm.value("*")
    assert zm.game_value(game("hackenbush:0-a:g,a-b:g,b-c:g,c-0:g")) == 0


def domineering():
    """[BerlekampConwayGuy2001] ch. 5: a corner of three squares is ∗; the L of 2 + 2 + 1 is ½."""
    assert zm.game_value(game("domineering:../.#")) == zm.value("*")
    assert zm.game_value(game("domineering:.#/.#/..")) == Fraction(1, 2)


def col():
    """[BerlekampConwayGuy2001] ch. 2: every value is a number, or a number and ∗."""
    for text in ("col:3x3", "col:2x4", "col:1x9", "col:..l/.r."):
        values = game_values(game(text))
        values.start  # noqa: B018
        star = zm.value("*")
        for x in values:
            assert x.value.is_number or (x.value + star).is_number


def snort():
    """[BerlekampConwayGuy2001] ch. 5: two squares are ±1, three in a row ±2."""
    assert zm.game_value(game("snort:1x1")) == zm.value("*")
    assert zm.game_value(game("snort:1x2")) == zm.value("+-1")
    assert zm.game_value(game("snort:1x3")) == zm.value("+-2")


def clobber():
    """[AlbertGrossman2005]: all-small; n men of Left before one of Right are (n − 1)·↑ (+ ∗)."""
    for n in range(1, 7):
        value = zm.game_value(game(f"clobber:{'l' * n}r"))
        assert value == (n - 1) * zm.value("^") + (zm.value("*") if n % 2 else 0)
    values = game_values(game("clobber:2x4"))
    values.start  # noqa: B018
    assert all(x.value.is_all_small for x in values)


def toads_and_frogs():
    """[BerlekampConwayGuy2001] ch. 1, 5: TFT□F and T□F are ∗, T□TFF is ↑."""
    assert zm.game_value(game("toads-and-frogs:t.f")) == zm.value("*")
    assert zm.game_value(game("toads-and-frogs:tt.ff")) == zm.value("*")
    assert zm.game_value(game("toads-and-frogs:t.tff")) == zm.value("^")
    assert zm.game_value(game("toads-and-frogs:tft.f")) == zm.value("*")


def backsliding_toads_and_frogs():
    """[BerlekampConwayGuy2001] ch. 11: a toad alone, with room, is on; nobody moves in tf."""
    assert str(zm.game_value(game("backsliding-toads-and-frogs:t."))) == "on"
    assert str(zm.game_value(game("backsliding-toads-and-frogs:.f"))) == "off"
    assert zm.game_value(game("backsliding-toads-and-frogs:tf")) == 0


def amazons():
    """Territory counts: a lone queen among n empty squares in a strip has n moves."""
    for n in range(6):
        assert zm.game_value(game(f"amazons:l{'.' * n}")) == n
    assert zm.game_value(game("amazons:l..#.r")) == 1


def fox_and_geese():
    """[BerlekampConwayGuy2001] ch. 20: a fox behind the geese is off; hemmed in, nobody moves."""
    assert str(zm.game_value(game("fox-and-geese:#l#./.#.#/#.#r/.#.#"))) == "off"
    assert zm.game_value(game("fox-and-geese:#r#/l#l")) == 0


def nogo():
    """[Chou2011]'s rules: one square takes no man; two take one of either side."""
    assert zm.game_value(game("nogo:1x1")) == 0
    assert zm.game_value(game("nogo:1x2")) == zm.value("*")
    assert zm.game_value(game("nogo:l.r")) == 0


def konane():
    """[Ernst1995]: a man with k men to jump one after the other, each in a row of its own."""
    for k in range(1, 5):
        assert zm.game_value(game("konane:" + "/###/".join(["lr."] * k))) == k
    assert zm.game_value(game("konane:.lr.")) == zm.value("*")


def toppling_dominoes():
    """[FinkNowakowski2015]: a number is one row of blue and red, a palindrome; m rows are ∗m."""
    values = game_values(TopplingDominoes("l"))
    found = {}
    for n in range(1, 9):
        for letters in product("lr", repeat=n):
            row = "".join(letters)
            found.setdefault(values[row], set()).add(min(row, row[::-1]))
    for value, same in found.items():
        if value.is_number:
            assert len(same) == 1
            assert all(row == row[::-1] for row in same)
    for m in (1, 2):
        assert len(found[zm.value(f"*{m}")]) == m


FACTS = {
    row.name: globals()[row.name.replace("-", "_")]
    for row in GAMES
    if issubclass(row.load(), PartizanRules)
}
"""A game without a fact fails here."""


@pytest.mark.slow("clobber")
@pytest.mark.parametrize("name", FACTS)
def test_facts(name):
    FACTS[name]()
