"""Misère quotients: published ones, and brute force on the games they speak of."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples
from tests.sums.misere_oracle import Listed, Octal, Outcomes, positions

from zermelo.errors import InvalidOptionError, SolverError, UnknownPositionError
from zermelo.labels import Label
from zermelo.sums.misere.quotient import misere_quotient

GOLDEN = Path(__file__).parents[1] / "golden" / "misere_quotients.tsv"
ROWS = list(csv.DictReader(GOLDEN.read_text().splitlines(), delimiter="\t"))
SLOW = {"0.15", "0.77"}


def check_row(row):
    q = misere_quotient(Octal(row["code"]), int(row["found_at_heap"]))
    assert (q.order, len(q.p_portion)) == (int(row["Q_size"]), int(row["P_size"]))
    assert q.tame == (row["tame"] == "Yes")
    if not q.tame:
        assert str(q) == row["presentation"]
    phi = row["phi_first_40_heaps"].split()
    assert [q.name(x) for x in q.phi][: len(phi)] == phi
    q.verify()


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["code"] not in SLOW], ids=lambda row: row["code"]
)
def test_published_quotients(row):
    check_row(row)


@pytest.mark.slow("0.15")
@pytest.mark.compiled
@pytest.mark.parametrize("row", [r for r in ROWS if r["code"] in SLOW], ids=lambda row: row["code"])
def test_published_quotients_of_many_generators(row):
    check_row(row)


@pytest.mark.slow("0.15-14-3", "0.77-9-4")
@pytest.mark.parametrize(
    ("code", "largest", "most"),
    [("0.77", 9, 4), ("0.07", 10, 4), ("0.15", 14, 3), ("4.7", 7, 4), ("0.333", 6, 5),
     ("0.71", 6, 5), ("0.123", 10, 4), ("0.26", 11, 3)],
)  # fmt: skip
def test_outcomes_and_winning_moves_are_those_of_brute_force(code, largest, most):
    game = Octal(code)
    quotient, brute = misere_quotient(game, largest), Outcomes(game)
    for position in positions(largest, most):
        lost = brute.lost(position)
        assert quotient.outcome(position) is (Label.LOSE if lost else Label.WIN)
        if len(position) <= 3:
            winning = {move for to, move in brute.moves(position) if brute.lost(to)}
            assert set(quotient.winning_moves(position)) == winning


@st.composite
def heap_games(draw):
    rows = [[]]
    for n in range(1, draw(st.integers(1, 5)) + 1):
        heap = st.integers(0, n - 1)
        rows.append(draw(st.lists(st.lists(heap, max_size=2).map(tuple), max_size=4)))
    return Listed(rows)


@pytest.mark.slow
@examples(60)
@given(heap_games())
def test_random_heap_games(game):
    largest = len(game.rows) - 1
    try:
        quotient = misere_quotient(game, largest, limit=200)
    except SolverError:
        return  # perhaps infinite
    quotient.verify()
    brute = Outcomes(game)
    for position in positions(largest, 5):
        assert (quotient.outcome(position) is Label.LOSE) == brute.lost(position)


def test_positions_distinguish_the_elements():
    game = Octal("0.77")
    quotient, brute = misere_quotient(game, 5), Outcomes(game)
    heaps = [
        [heap for heap, e in zip(quotient.generators, monomial, strict=True) for _ in range(e)]
        for monomial in quotient.monomials
    ]
    rows = {tuple(brute.lost([*x, *z]) for z in heaps) for x in heaps}
    assert len(rows) == quotient.order


def test_no_heaps_and_dead_heaps():
    q = misere_quotient(Listed([[], [], []]), 2)
    assert (q.order, q.tame, str(q)) == (1, True, "Q = {1}; P = {}")
    assert q.verify().outcome([1, 2]) is Label.WIN
    assert q.winning_moves([1, 2]) == []


def test_an_exceeded_limit_reports_how_far_it_got():
    with pytest.raises(SolverError, match=r"at most 100 elements; heaps up to 24 .* 24 elements"):
        misere_quotient(Octal("0.07"), 30, limit=100)


def test_arrays_are_read_only():
    q = misere_quotient(Octal("0.77"), 5)
    for array in (q.product, q.losing, q.phi):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_progress_counts_heaps():
    seen = []
    misere_quotient(Octal("0.77"), 3, progress=lambda *x: seen.append(x))
    assert seen == [(k, 4, "heaps") for k in range(1, 5)]


def test_bad_input():
    with pytest.raises(InvalidOptionError, match="n ≥ 0"):
        misere_quotient(Octal("0.77"), -1)
    with pytest.raises(InvalidOptionError, match="heaps below 1"):
        misere_quotient(Listed([[], [(1,)]]), 1)
    with pytest.raises(UnknownPositionError, match="from 0 to 3"):
        misere_quotient(Octal("0.77"), 3).outcome([4])


def test_the_empty_position_is_the_one():
    q = misere_quotient(Octal("0.77"), 5)
    assert np.array_equal(q.product[0], np.arange(q.order))
    assert (q.element([]), q.name(0), q.outcome([])) == (0, "1", Label.WIN)
