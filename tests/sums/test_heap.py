"""Heap games: known sequences, a slow oracle, codes and rules, masks that do not fit."""

import csv
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples
from tests.sums.heap_oracle import oracle_options, oracle_values

import zermelo as zm
from zermelo.errors import InvalidOptionError, MemoryLimitError, UnknownNameError
from zermelo.sums.heaps import values as heap_values
from zermelo.sums.heaps.code import NAMES, Code, parse
from zermelo.sums.heaps.heap import Heap

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name):
    with (GOLDEN / name).open() as file:
        rows = [line for line in file if not line.startswith("#")]
        return list(csv.DictReader(rows, delimiter="\t"))


SEQUENCES = golden("octal_sequences.tsv")


@pytest.mark.parametrize("row", SEQUENCES, ids=[row["code"] for row in SEQUENCES])
def test_known_sequences(row):
    wanted = [int(x) for x in row["n0_to_nmax"].split()]
    assert len(wanted) == 301
    assert zm.heap(row["code"]).nim_sequence(300).tolist() == wanted
    assert zm.heap(row["code"]).nim_sequence(300, proofs=False).tolist() == wanted


# OEIS A002188, A002187, and closed forms for Nim and Lasker's Nim (Winning Ways ch. 4).
GRUNDY = "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4 1 2 4 1 2 4 1 5 4 1 5"
CHESS = "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0 3 3"


def test_games_with_names():
    assert zm.heap("grundy").nim_sequence(44).tolist() == [int(x) for x in GRUNDY.split()]
    assert zm.heap("dawsons-chess").nim_sequence(44).tolist() == [int(x) for x in CHESS.split()]
    assert zm.heap("nim").nim_sequence(200).tolist() == list(range(201))
    lasker = [n + (n % 4 == 3) - (n % 4 == 0 and n > 0) for n in range(201)]
    assert zm.heap("lasker-nim").nim_sequence(200).tolist() == lasker
    for name in NAMES:
        assert zm.heap(name).grundy(0) == 0


codes = st.builds(
    Code,
    st.tuples(st.sampled_from([0, 4]), *[st.integers(0, 7)] * 3),
    st.sampled_from([0, 0, 0, 1, 2, 3, 5, 7]),
    st.booleans(),
)


@pytest.mark.slow
@examples(40)
@given(codes)
def test_octal_codes_against_the_oracle(code):
    wanted = oracle_values(70, code.digits, code.tail, code.unequal)
    for proofs in (True, False):
        assert Heap(code).nim_sequence(70, proofs=proofs).tolist() == wanted


@pytest.mark.slow
@examples(15)
@given(st.tuples(st.sampled_from([0, 8, 12]), *[st.integers(0, 15)] * 2))
def test_hexadecimal_codes_against_the_oracle(digits):
    wanted = oracle_values(30, digits)
    assert Heap(Code(digits)).nim_sequence(30).tolist() == wanted


@pytest.mark.slow("0.356", "0.644", "0.77", "4.7")
@pytest.mark.parametrize(
    "code", ["0.77", "0.007", "4.", "0.127", "0.356", "0.644", "4.7", "grundy"]
)
def test_a_mask_that_does_not_fit_changes_no_value(code, monkeypatch):
    rng = random.Random(code)
    record = parse(code)
    wanted = oracle_values(280, record.digits, record.tail, record.unequal)

    def any_mask(value, splits):
        mask = rng.randrange(1, 16)
        position = rng.randrange(2) if len({i & 1 for i in splits}) == 1 else 0
        size = 1 << max(4, int(value.max()).bit_length())
        odd = heap_values.parities(size, mask)[value]
        rare = odd == ((np.arange(value.size) - splits[0]) & position)
        rare[0] = False
        return mask, position, rare

    monkeypatch.setattr(heap_values, "best_mask", any_mask)
    monkeypatch.setattr(heap_values, "WORTH", 0)
    for _ in range(5):
        assert zm.heap(code).nim_sequence(280, proofs=False).tolist() == wanted


def test_the_kernel_continues_where_it_stopped():
    whole = zm.heap("0.356").nim_sequence(500, proofs=False).tolist()
    piecemeal = zm.heap("0.356")
    for n in (0, 1, 40, 64, 130, 131, 400, 500):
        assert piecemeal.nim_sequence(n, proofs=False).tolist() == whole[: n + 1]


def test_an_interrupted_run_can_go_on():
    game, calls = zm.heap("0.356"), []

    def stop(done, total, what):
        calls.append((done, total, what))
        if done >= 256:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game.nim_sequence(500, proofs=False, progress=stop)
    assert calls[-1][1:] == (501, "heaps")
    wanted = zm.heap("0.356").nim_sequence(400, proofs=False).tolist()
    assert game.nim_sequence(400, proofs=False).tolist() == wanted


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "8G")
    with pytest.raises(MemoryLimitError, match="values up to 2,000,000,000 needs about"):
        zm.heap("0.77").nim_sequence(2_000_000_000)
    assert zm.heap("0.77").grundy(2_000_000_000) == zm.heap("0.77").period().value(2_000_000_000)


@pytest.mark.compiled
def test_large_heaps_by_the_sparse_space_and_by_proof():
    straight = zm.heap("kayles").nim_sequence(300_000, proofs=False)
    assert (straight == zm.heap("kayles").nim_sequence(300_000)).all()
    plain = zm.heap("0.127").nim_sequence(6000, proofs=False)
    slow = heap_values.Values(parse("0.127"))
    slow._choose = lambda value, rare: None
    slow.extend(6000)
    assert (slow.known == plain).all()


def test_subtraction():
    assert zm.heap(subtract=[2, 5, 9]).nim_sequence(80).tolist() == oracle_values(
        80, [3 if i in (2, 5, 9) else 0 for i in range(10)]
    )
    for kept in ([2], [1, 3], [2, 3, 7], [1, 4, 6, 13]):
        digits = [0, *(0 if i in kept else 3 for i in range(1, max(kept) + 1))]
        assert zm.heap(all_but=kept).nim_sequence(120).tolist() == oracle_values(120, digits, 3)
    assert zm.heap("1,2,5").code == zm.heap(subtract=(5, 1, 2)).code == zm.heap("{1,2,5}").code
    assert zm.heap("all-but:2,3").code == zm.heap(all_but=[3, 2]).code
    assert zm.heap(subtract=[]).nim_sequence(5).tolist() == [0] * 6


def test_python_rules():
    def unequal(n):
        return [(a, n - a) for a in range(1, n) if 2 * a < n]

    by_rule = zm.heap(rule=unequal)
    assert by_rule.nim_sequence(60).tolist() == zm.heap("grundy").nim_sequence(60).tolist()
    assert by_rule.options(5) == [(4, 1), (3, 2)]
    assert zm.heap(rule=range).nim_sequence(9).tolist() == list(range(10))
    with pytest.raises(InvalidOptionError, match="a heap of 0: expected smaller heaps"):
        zm.heap(rule=lambda n: [(n,)]).grundy(3)
    with pytest.raises(InvalidOptionError, match="Python rule"):
        by_rule.period()


@pytest.mark.parametrize("text", ["0.77", "4.7", "0.f3", "c.5a", "nim", "grundy", "1,4"])
def test_options(text):
    code = parse(text)
    for n in range(12):
        found = zm.heap(text).options(n)
        assert len(found) == len(set(found))
        wanted = oracle_options(n, code.digits, code.tail, code.unequal)
        assert {tuple(sorted(x)) for x in found} == wanted


def test_several_heaps():
    kayles = zm.heap("kayles")
    assert kayles.grundy((5, 7, 9)) == 4 ^ 2 ^ 4
    moves = kayles.options((3, 2))
    assert (3,) in moves
    assert (2, 2) in moves
    assert (2, 1, 1) in moves
    total = zm.Sum([(kayles, 5), (zm.heap("nim"), 2), 3])
    assert total.value == 4 ^ 2 ^ 3
    assert all(move.value == 0 for move in total.winning_moves)
    assert total.winning_moves


def test_codes():
    assert parse(".77") == parse("0.77") == parse("0.770") == parse("kayles")
    assert parse("4") == parse("4.") == parse("4.0")
    assert parse("0.3F") == parse("0.3f")
    assert parse("0.333...") == parse("0.3...") == parse("nim")
    for text in ("0.77", "4.", "0.3...", "4.3...", "c.0f", "0.005"):
        assert str(parse(text)) == text
    for bad in ("1.7", "2", "0.7g", "", ".", "0.77.7", "...", "4...", "1,,2", "7.", "0,5", "{0}"):
        with pytest.raises(InvalidOptionError):
            parse(bad)
    with pytest.raises(UnknownNameError, match="did you mean 'kayles'"):
        parse("kayle")
    with pytest.raises(InvalidOptionError, match="expected one of"):
        zm.heap("0.7", subtract=[1])
    with pytest.raises(InvalidOptionError, match="expected one of"):
        zm.heap()
    for bad in (-1, 2.5, True, "3"):
        with pytest.raises(InvalidOptionError):
            zm.heap("0.7").nim_sequence(bad)
    for bad in (0, -2, 1.5, True):
        with pytest.raises(InvalidOptionError, match="number of tokens"):
            zm.heap(subtract=[bad])


def test_results_are_the_callers():
    game = zm.heap("0.77")
    first = game.nim_sequence(100)
    assert first.dtype == np.int32
    with pytest.raises(ValueError):
        first[3] = 7
    assert game.nim_sequence(40).tolist() == first[:41].tolist()


def test_sparse_space():
    values = zm.heap("0.77").nim_sequence(2000)
    s = zm.heap("0.77").sparse(2000)
    # Winning Ways ch. 4: the rare values of Kayles have an even number of ones.
    assert s.mask == 0b1111
    assert s.position == 0
    assert s.heaps.tolist() == [n for n in range(1, 2001) if values[n].bit_count() % 2 == 0]
    assert (s.last, s.largest, s.largest_at) == (70, 8, 27)
    assert sum(s.counts.values()) == s.heaps.size == 9


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("code", "mask", "position", "rare", "last", "largest", "largest_at"),
    # github.com/tczajka/octal-games SolvedGames.md; it counts the empty heap as rare.
    [
        ("0.156", 0x1B, 0, 15, 357, 23, 1032),
        ("0.644", 0x7E, 0, 31, 511, 64, 333),
        ("0.127", 1, 1, 693, 27106, 56, 24734),
    ],
)
def test_published_masks(code, mask, position, rare, last, largest, largest_at):
    s = zm.heap(code).sparse(60_000)
    assert (s.mask, s.position, s.last) == (mask, position, last)
    assert (s.largest, s.largest_at) == (largest, largest_at)
    assert s.heaps.size in (rare, rare - 1)


@pytest.mark.parametrize("text", ["{", "}", "{1", "1}", "{1,2", "1,2}", "all-but:{2"])
def test_a_brace_alone_is_refused(text):
    with pytest.raises(InvalidOptionError, match="expected a code"):
        zm.heap(text)
