"""Every row of the table of computed games: positions, moves, values, distances, all of them."""

import csv
from pathlib import Path

import pytest

import zermelo as zm
from tests.rules.plain_solver import columns, summary
from zermelo.rules.compiled import OPEN
from zermelo.tables.solving.solve import solve_rules

NAMES = ("three_mens_morris", "mu_torere", "pong_hau_ki", "fox_and_hounds", "l_game", "nine_holes")
COLUMNS = ("positions", "edges", "start_value", "start_remoteness", "W", "L", "T", "D",
           "max_rem_W", "max_rem_L", "max_rem_T")  # fmt: skip


def name_of(row):
    """``chopsticks_split_mod5`` → ``chopsticks:split-mod5``."""
    game = next((name for name in NAMES if row.startswith(name)), row.partition("_")[0])
    rest = row.removeprefix(game).strip("_")
    return (f"{game}:{rest}" if rest else game).replace("_", "-")


def read():
    path = Path(__file__).parents[1] / "golden" / "computed_games.tsv"
    with path.open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            expected = [row[k] if k == "start_value" else int(row[k]) for k in COLUMNS]
            yield name_of(row["game"]), expected


ROWS = list(read())
SMALL = [pytest.param(*row, id=row[0]) for row in ROWS if row[1][1] < 40_000]
MIDDLE = [pytest.param(*row, id=row[0]) for row in ROWS if 40_000 <= row[1][1] < 3_000_000]
LARGE = [pytest.param(*row, id=row[0]) for row in ROWS if row[1][1] >= 3_000_000]


@pytest.mark.slow("fox-and-hounds:6x6-fox0", "nine-holes:orth6lines")
@pytest.mark.parametrize(("name", "expected"), SMALL)
def test_by_the_plain_solver(name, expected):
    assert summary(zm.game(name)) == expected


def solved_graph(name):
    rules = zm.game(name)
    graph, _ = zm.explore(rules)

    def pays(position):
        found = rules.outcome(position)
        return -1 if found == OPEN else found

    solution = zm.solve(graph, zm.TerminalPayoff(pays, view="mover"))
    values = list(zip(solution.label.tolist(), solution.distance.tolist(), strict=True))
    return [graph.n, graph.m, *columns(values)]


@pytest.mark.parametrize(("name", "expected"), SMALL)
def test_by_graphs(name, expected):
    assert solved_graph(name) == expected


@pytest.mark.slow("connect4:4x4", "hexapawn:5x4", "mnk:4x3x3")
@pytest.mark.compiled
@pytest.mark.parametrize(("name", "expected"), MIDDLE)
def test_larger_ones_by_graphs(name, expected):
    assert solved_graph(name) == expected


def counted(counts):
    keys = ("positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose")
    return [counts[k] for k in keys]


def expected_counts(expected):
    return [expected[0], *expected[4:10]]


@pytest.mark.slow(example="False-connect3:3x3")
@pytest.mark.parametrize(("name", "expected"), SMALL)
@pytest.mark.parametrize("symmetry", [True, False])
def test_by_tables(name, expected, symmetry, tmp_path):
    zm.build(zm.game(name), tmp_path / "game.zt", symmetry=symmetry).close()
    with zm.Table(tmp_path / "game.zt") as table:
        assert counted(table.counts()) == expected_counts(expected)
        start = table.probe(table.rules.start())
        kind = {"win": "W", "lose": "L", "tie": "T", "draw": "D"}[start.outcome]
        assert [kind, start.distance] == expected[2:4]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("name", "expected"), MIDDLE + LARGE)
def test_without_storing_moves(name, expected):
    rules = zm.game(name)
    solved = solve_rules(rules)
    assert counted(solved.counts()) == expected_counts(expected)
    assert columns([solved.look_up(rules.start())[:2]])[:2] == expected[2:4]
