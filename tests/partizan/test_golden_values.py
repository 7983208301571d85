"""Every row and column of the tables of values that CGSuite made."""

import csv
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.errors import UndefinedError

GOLDEN = Path(__file__).parents[1] / "golden"


def table(name):
    with open(GOLDEN / f"{name}.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def atomic_weight(v):
    try:
        return str(v.atomic_weight)
    except UndefinedError:
        return ""


def common(v):
    return {
        "outcome": v.outcome.name,
        "left_stop": str(v.left_stop),
        "right_stop": str(v.right_stop),
        "mean": str(v.mean),
        "temperature": str(v.temperature),
        "birthday": str(v.birthday),
    }


@pytest.mark.slow
def test_all_games_born_by_day_3():
    rows = table("games_born_by_day_3")
    assert len(rows) == 1474
    for row in rows:
        v = zm.value(row["plain"])
        found = common(v) | {
            "plain": row["plain"],
            "cgsuite": str(v),
            "all_small": str(v.is_all_small).lower(),
            "atomic_weight": atomic_weight(v),
            "reduced_canonical_form": str(v.reduced),
        }
        assert found == row
        assert zm.value(row["cgsuite"]) == v
    assert len({zm.value(row["plain"]) for row in rows}) == 1474


def test_all_thermographs():
    rows = table("thermographs")
    assert len(rows) == 100
    for row in rows:
        game, _, left, right = row.values()
        assert str(zm.value(game).thermograph) == f"left {left}; right {right}"


@pytest.mark.parametrize(
    "name", ["hackenbush_strings", "toads_and_frogs", "domineering_rectangles"]
)
def test_values_of_positions_are_read_and_written_alike(name):
    for row in table(name):
        v = zm.value(row["value_plain"])
        assert zm.value(row["value_cgsuite"]) == v
        assert str(v) == row["value_cgsuite"]
        assert common(v).items() <= row.items()
