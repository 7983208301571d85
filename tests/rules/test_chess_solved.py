"""Solved chess endgames against published figures.

Sources: the mates counted by A. Luiro, A. Tiilikainen and S. Savikko (Kemi Chess Club); the drawn
positions of KQK in the Wikibook "Analysis of KQK Endgame"; the database of KRK in the UCI Machine
Learning Repository [BainHoff1994]; how many positions are farthest from mate, up to symmetry, as
found by Guido (discussion board of K. Kryukov, "Longest mate in kqk").
"""

import functools
from collections import Counter

import pytest

import zermelo as zm
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.chess.index import SIDE
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import distances, labels

pytestmark = pytest.mark.compiled

WHITE, BLACK = 0, 1


@functools.cache
def solved(men):
    return solve_rules(Chess(men))


def tier(men):
    """The solved game that has these men, and where they begin and end in it.

    Pawns become queens and rooks, so that one game has them all.
    """
    found = solved(men if men[1:3] == "BN" else "KPvK")
    k = [str(x) for x in found.rules.tables.materials].index(men)
    t = int(found.rules.tiers[k])
    return found, int(found.rules.offset[t]), int(found.rules.offset[t + 1])


def tally(men):
    """Positions with these men, up to symmetry, by side to move, label and distance."""
    found, first, last = tier(men)
    label, distance = labels(found.entry[first:last]), distances(found.entry[first:last])
    pairs = 1806 if "P" in men else 462
    inner = (last - first) // (2 * pairs)  # the side to move comes behind the pair of kings
    return Counter(
        (i // inner % 2, int(label[i]), int(distance[i]))
        for i in found.entry[first:last].nonzero()[0].tolist()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("men", "moves", "white", "black"),
    [("KQvK", 10, 1, 8), ("KRvK", 16, 121, 390), ("KPvK", 28, 3, 2)],
)
def test_the_longest_wins_of_three_men(men, moves, white, black):
    count = tally(men)
    assert max(d for (side, x, d) in count if x == 1) == 2 * moves - 1
    assert max(d for (side, x, d) in count if x == -1) == 2 * moves
    assert count[WHITE, 1, 2 * moves - 1] == white
    assert count[BLACK, -1, 2 * moves] == black


@pytest.mark.slow
def test_the_longest_win_of_bishop_and_knight():
    counts = solved("KBNvK").counts()
    assert (counts["longest_win"], counts["longest_lose"]) == (65, 66)


@pytest.mark.slow
def test_rook_against_king_is_the_database_of_the_repository():
    count = tally("KRvK")
    lost = [count[BLACK, -1, 2 * moves] for moves in range(17)]
    assert lost == [
        27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390,
    ]  # fmt: skip
    drawn = sum(n for (side, x, _), n in count.items() if side == BLACK and x == 0)
    assert (drawn, drawn + sum(lost)) == (2796, 28056)


def weighted(men, wanted):
    """How many positions with Black to move have an entry such as wanted, without symmetry."""
    found, first, last = tier(men)
    label, distance = labels(found.entry[first:last]), distances(found.entry[first:last])
    positions = (
        int(found.rules.unrank(first + i))
        for i in found.entry[first:last].nonzero()[0].tolist()
        if wanted(label[i], distance[i])
    )
    return sum(int(found.rules.orbit(x)) for x in positions if x >> SIDE & 1)


@pytest.mark.parametrize(("men", "mates"), [("KQvK", 364), ("KRvK", 216)])
def test_mates(men, mates):
    assert weighted(men, lambda label, distance: label < 0 and distance == 0) == mates


def test_positions_that_a_queen_does_not_win():
    assert weighted("KQvK", lambda label, distance: label == 0) == 23048


@pytest.mark.slow
def test_a_table_is_probed_in_fen(tmp_path):
    table = zm.build(zm.game("chess:KPvK"), tmp_path / "kpk.zt")
    found = table.probe("8/8/8/8/8/2k5/8/K6R w - - 0 1")
    other = table.probe("k6r/8/2K5/8/8/8/8/8 b - - 0 1")
    assert (found.label, found.distance) == (other.label, other.distance)
    assert found.label == 1
    counts = table.counts()
    assert (counts["longest_win"], counts["longest_lose"]) == (55, 56)
    table.close()
