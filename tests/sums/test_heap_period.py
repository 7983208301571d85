"""Periods of heap games: published ones, what is not proved, and attacks on the checker."""

import dataclasses
import tracemalloc

import numpy as np
import pytest
from tests.sums.heap_oracle import oracle_values
from tests.sums.test_heap import golden

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.sums.heaps.code import Code, parse
from zermelo.sums.heaps.heap import Heap
from zermelo.sums.heaps.period import Period
from zermelo.verify.sums.heap import check_values

PERIODS = golden("octal_periods.tsv")
SMALL = [row for row in PERIODS if int(row["last_exception"]) < 600]
LARGE = [row for row in PERIODS if row not in SMALL]


def check_published(row):
    found = zm.heap(row["code"]).period(700_000)
    assert (found.period, found.last_exception) == (int(row["period"]), int(row["last_exception"]))
    assert found.saltus == 0
    return found


@pytest.mark.parametrize("row", SMALL, ids=[row["code"] for row in SMALL])
def test_published_periods(row):
    check_published(row).verify()


@pytest.mark.compiled
@pytest.mark.parametrize("row", LARGE, ids=[row["code"] for row in LARGE])
def test_published_periods_of_large_heaps(row):
    found = check_published(row)
    if found.values.size < 10_000:
        found.verify()


def test_exceptions_of_kayles():
    rows = golden("kayles_exceptions.tsv")
    found = zm.heap("kayles").period()
    assert dict(found.exceptions) == {int(row["n"]): int(row["grundy"]) for row in rows}
    for row in rows:
        assert found.row[int(row["n"]) % 12] == int(row["periodic_value_n_mod_12"])


def test_exceptions_of_dawsons_chess():
    # OEIS A002187
    assert list(zm.heap("0.137").period().exceptions) == [0, 14, 16, 17, 31, 34, 51]


GAMES = {
    "octal": (zm.heap("0.137"), 300),
    "hexadecimal": (zm.heap("0.f3"), 60),
    "subtraction": (zm.heap(subtract=[2, 5, 9]), 200),
    "quaternary": (zm.heap("0.312"), 200),
    "nothing to take": (zm.heap("0.1"), 50),
    "unequal": (Heap(Code((0, 3, 5), 0, True)), 250),
    "unequal, long period": (Heap(Code((0, 0, 5), 0, True)), 250),
    "all but 2": (zm.heap(all_but=[2]), 200),
    "all but 1, 4, 6, 13": (zm.heap(all_but=[1, 4, 6, 13]), 200),
    "all but 3, 4, never whole": (Heap(Code((0, 2, 2, 0, 0), 2)), 200),
    "nim": (zm.heap("nim"), 100),
}


@pytest.mark.sampled(cases=6)
@pytest.mark.slow("octal")
@pytest.mark.parametrize("name", GAMES)
def test_periods_foretell_what_the_oracle_finds(name):
    game, n = GAMES[name]
    found = game.period(1000)
    assert found.verify() is found
    assert found.values.size < n
    code = game.code
    wanted = oracle_values(n, code.digits, code.tail, code.unequal)
    assert [found.value(x) for x in range(n + 1)] == wanted
    assert game.nim_sequence(n).tolist() == wanted


def test_what_is_not_proved_is_not_reported():
    kayles = zm.heap("kayles")
    enough = kayles.period().values.size - 1
    for limit in (0, 1, 50, enough - 1):
        assert zm.heap("kayles").period(limit) is None
        assert kayles.period(limit) is None
    assert zm.heap("kayles").period(enough).period == 12
    assert zm.heap("0.007").period(2000) is None
    assert zm.heap("grundy").period(2000) is None
    # 0.3f grows by 3 every 6 heaps as far as anybody looked; no theorem here proves it.
    kenyon = zm.heap("kenyons")
    values = kenyon.nim_sequence(60).tolist()
    assert all(values[n + 6] == values[n] + 3 for n in range(55))
    assert kenyon.period(60) is None


CERTIFICATES = ["octal", "hexadecimal", "subtraction", "all but 2", "unequal", "nim"]


@pytest.mark.slow("octal")
@pytest.mark.parametrize("name", CERTIFICATES)
def test_every_changed_value_is_noticed(name):
    good = GAMES[name][0].period(1000).verify()
    for n in range(good.values.size):
        for change in (-1, 1, 4):
            values = good.values.copy()
            values[n] += change
            with pytest.raises(CertificateError):
                check_values(good.code, values)
        with pytest.raises(CertificateError):
            dataclasses.replace(good, values=values).verify()


@pytest.mark.parametrize("name", CERTIFICATES)
def test_every_changed_claim_is_noticed(name):
    game = GAMES[name][0]
    good = game.period(1000)
    more = game.nim_sequence(6 * good.values.size)
    p, n0, q = good.period, good.preperiod, good.start
    wrong = [
        {"period": p + 1}, {"period": 2 * p, "saltus": 2 * good.saltus}, {"period": 0},
        {"period": -p}, {"preperiod": n0 + 1, "start": max(q, n0 + 1)}, {"preperiod": n0 - 1},
        {"saltus": good.saltus + 1}, {"saltus": good.saltus - 1}, {"preperiod": q + 1},
        {"start": 0},
    ]  # fmt: skip
    if p > 1:
        wrong.append({"period": p - 1})
    for claim in wrong:
        with pytest.raises(CertificateError):
            dataclasses.replace(good, values=more, **claim).verify()
    with pytest.raises(CertificateError, match="expected values"):
        dataclasses.replace(good, values=good.values[: q + p - 1]).verify()


def test_too_few_values_prove_nothing():
    good = zm.heap("kayles").period()
    with pytest.raises(CertificateError, match="expected values up to 167, got 167"):
        dataclasses.replace(good, values=good.values[:-1]).verify()


def test_other_games_are_not_proved():
    good = zm.heap("kayles").period()
    for code in (Code((0, 7, 5)), Code((0, 7, 7), 3), Code((0, 7, 7, 4)), Code((4, 7, 7))):
        with pytest.raises(CertificateError):
            dataclasses.replace(good, code=code).verify()
    nim = np.arange(50, dtype=np.int32)
    with pytest.raises(CertificateError, match="no theorem"):
        Period(Code((4,), 3), 0, 1, 1, 1, nim).verify()


def test_a_block_of_heaps_is_checked_like_one(monkeypatch):
    from zermelo.verify.sums import heap as checker

    monkeypatch.setattr(checker, "MAX_HEAPS_OF_BLOCK", 7)
    monkeypatch.setattr(checker, "PAIRS_BETWEEN_LOOKS", 1)
    good = zm.heap("0.137").period().verify()
    values = good.values.copy()
    values[100] = 30
    with pytest.raises(CertificateError):
        check_values(good.code, values)


@pytest.mark.parametrize("code", ["0.07", "0.3f", "0.3..."])
@pytest.mark.parametrize("ramp", [False, True])
def test_a_file_with_huge_values_takes_little_memory(code, ramp):
    """Of 60 heaps the last one claims a huge value; or values double as fast as mexes could."""
    values = zm.heap(code).nim_sequence(60).astype(np.int64)
    values[-1] = 2**31 - 1
    if ramp:
        values[-32:] = np.maximum(values[-33], 1) << np.minimum(np.arange(1, 33), 24)
    tracemalloc.start()
    try:
        with pytest.raises(CertificateError, match="the heap of"):
            check_values(parse(code), values)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_period_that_claims_to_grow_fast_takes_little_memory():
    good = zm.heap("nim").period()
    tracemalloc.start()
    try:
        with pytest.raises(CertificateError, match="do not prove the period"):
            dataclasses.replace(good, saltus=2**31 - 1).verify()
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
