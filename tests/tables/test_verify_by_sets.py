"""The checker of tiers that are moved in sets finds every wrong entry, and wrong sets, too."""

from functools import cache

import numpy as np
import pytest
from tests.tables.forged import claims, forged
from tests.tables.set_games import BELOW, Drawn
from tests.tables.test_flipped import other_entries
from tests.tables.test_forged import forge

import zermelo as zm
from zermelo.errors import CertificateError, InvalidRulesError
from zermelo.rules.compiled import OPEN
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import KIND_LOSE_IN, KIND_WIN, pack
from zermelo.verify.tables import compiled as compiled_table
from zermelo.verify.tables import sets as table_by_sets

WIDTH, SIZE, BLOCKS = 8, 2, 3
N = BELOW + WIDTH * SIZE * BLOCKS
SEED = 39
"""One with wins, losses, ties and draws above the first positions, and long distances."""

RING = N - 1, N - 3
"""Two positions with a move from each to the other and no other moves."""


class Words(Drawn):
    """A random digraph in words of eight; some indices are no positions."""

    size, width, blocks = N, WIDTH, BLOCKS
    most_moves = 6

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.gone = (random.random(N) < 0.1).astype(np.int64)
        self.gone[0] = 0
        self.ends = np.full(N, OPEN, np.int64)
        self.count = random.choice(4, N, p=[0.12, 0.4, 0.28, 0.2])
        self.to = np.zeros(3 * N, np.int64)
        for v in range(N):
            low = 0 if v < BELOW or random.random() < 0.2 else BELOW
            high = BELOW if v < BELOW else N
            live = [x for x in range(low, high) if not self.gone[x] and x != v]
            self.to[3 * v : 3 * v + 3] = random.choice(live, 3, replace=False)
        for v in RING:
            self.gone[v], self.count[v], self.to[3 * v] = 0, 1, sum(RING) - v
        for v in np.flatnonzero(self.count == 0).tolist():
            self.ends[v] = -1 if random.random() < 0.7 else 0


@pytest.fixture(autouse=True)
def all_tables_by_sets(monkeypatch):
    """Small tables, too, are checked by sets; compiling takes longer than interpreting."""
    monkeypatch.setattr(table_by_sets, "MAX_ENTRIES_ONE_BY_ONE", 0)
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")


@pytest.fixture
def one_by_one(monkeypatch):
    """Call this to check without sets."""

    def check(solved):
        with monkeypatch.context() as patch:
            patch.setattr(table_by_sets, "MAX_ENTRIES_ONE_BY_ONE", 1 << 40)
            return solved.verify()

    return check


def changed(solved, entries):
    """The same with other entries: label and distance by index, None for no entry."""
    entry = solved.entry.copy()
    for i, claim in entries.items():
        entry[i] = 0 if claim is None else pack(*(np.array([x]) for x in claim))[0]
    return forged(solved, entry=entry)


def refused(solved, entries, match=None):
    with pytest.raises(CertificateError, match=match):
        changed(solved, entries).verify()


@cache
def solved_words(seed):
    return solve_rules(Words(seed))


def test_what_is_checked_by_sets(monkeypatch):
    solved = solved_words(SEED)
    checked = []
    begin = table_by_sets.SetTierCheck.begin
    monkeypatch.setattr(
        table_by_sets.SetTierCheck, "begin", lambda self: [checked.append(self.tier), begin(self)]
    )
    calls = []
    assert solved.verify(progress=lambda *x: calls.append(x)).verified == len(solved)
    assert calls[-1] == (len(solved), len(solved), "positions verified")
    assert [tier.indices for tier in checked] == [range(BELOW, N)]
    assert solved.verify(20).verified == 20
    assert len(checked) == 1
    kinds = {(label, distance >= 0) for label, distance in zip(*claims(solved), strict=True)}
    assert kinds >= {(1, True), (-1, True), (0, True), (0, False)}
    assert claims(solved)[1][BELOW:].max() > 8


@pytest.mark.parametrize("seed", range(12))
def test_right_tables_are_proved(seed, one_by_one, tmp_path):
    solved = solved_words(seed)
    assert solved.verify().verified == one_by_one(solved).verified == len(solved)
    solved.save(tmp_path / "t.zt")
    with zm.Table(tmp_path / "t.zt", solved.rules) as table:
        assert table.verify().verified == len(table)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, 28])
def test_every_wrong_entry_is_found(seed):
    solved = solved_words(seed)
    for i in np.flatnonzero(solved.entry).tolist():
        label, distance = (int(x[i]) for x in claims(solved))
        for claim in [*other_entries(label, distance)[i % 2 :: 2], None]:
            refused(solved, {i: claim}, f"expected an entry of {i}," if claim is None else None)
    for i in np.flatnonzero(solved.entry == 0).tolist():
        refused(solved, {i: (-1, 0)})


@pytest.mark.parametrize("seed", [2, 3])
def test_what_one_check_finds_the_other_finds(seed, one_by_one):
    """Several entries at a time are wrong, in ways that fit to one another."""
    solved, random = solved_words(seed), np.random.default_rng(seed)
    stored = np.flatnonzero(solved.entry)
    for _ in range(40):
        wrong = {
            int(i): (int(random.integers(-1, 2)), int(random.integers(-1, 9)))
            for i in random.choice(stored, int(random.integers(1, 5)), replace=False)
        }
        other = changed(solved, wrong)
        if (other.entry == solved.entry).all():
            continue
        refused(solved, wrong)
        with pytest.raises(CertificateError):
            one_by_one(other)


@pytest.mark.parametrize("distance", [0, 2, 4])
def test_wins_that_support_one_another_are_found(distance, tmp_path):
    """The table leaves out the distance of the win, so only that of the loss is wrong."""
    solved = solved_words(SEED)
    assert [int(claims(solved)[0][v]) for v in RING] == [0, 0]
    refused(solved, {RING[0]: (1, distance + 1), RING[1]: (-1, distance)})
    solved.save(tmp_path / "t.zt")

    def entries(kind, distances, keys):
        kind[list(RING)], distances[list(RING)] = (KIND_WIN, KIND_LOSE_IN), (0, distance)
        return kind, distances, keys

    forge(tmp_path / "t.zt", entries=entries)
    claim = f"the table has -1 and {distance}"
    with (
        zm.Table(tmp_path / "t.zt", solved.rules) as table,
        pytest.raises(CertificateError, match=claim),
    ):
        table.verify()


def test_ties_that_support_one_another_are_found():
    refused(solved_words(SEED), {RING[0]: (0, 4), RING[1]: (0, 5)}, "the table has 0 and 4")


class FewerMoves(Words):
    left_out, added = 8, 0


class MoreMoves(Words):
    left_out, added = 0, 4


class NoConversions(Words):
    def conversions(self, position, out):
        return 0


@pytest.mark.parametrize("kind", [FewerMoves, MoreMoves, NoConversions])
def test_sets_that_do_not_move_as_positions_do(kind):
    """The table is right: it was made by the rules with the right sets."""
    right = forged(solved_words(SEED), rules=kind(SEED))
    with pytest.raises(InvalidRulesError, match=r"moves of sets .* are not"):
        right.verify()


def test_memory_for_sets_is_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(compiled_table, "require", lambda size, *_: asked.append(size))
    solved_words(SEED).verify()
    assert asked == [6 * N + 76 * SIZE * BLOCKS]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("men", ["KRvK", "KNvKN"])
def test_chess(men, monkeypatch):
    """Entries taken at random have other labels, other distances, or are missing."""
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    monkeypatch.setenv("ZERMELO_THREADS", "2")
    monkeypatch.setattr(compiled_table, "MAX_ENTRIES_OF_ONE_THREAD", 0)
    solved = solve_rules(zm.game(f"chess:{men}"))
    assert solved.verify().verified == len(solved)
    random = np.random.default_rng(5)
    stored = np.flatnonzero(solved.entry)
    for i in random.choice(stored[stored > 462], 7, replace=False).tolist():
        label, distance = (int(x[i]) for x in claims(solved))
        wrong = [(label, distance + 2), *other_entries(label, distance), None]
        claim = wrong[int(random.integers(len(wrong)))]
        match = "expected an entry of .*, which play reaches" if claim is None else "by the entries"
        refused(solved, {i: claim}, match)


@pytest.mark.slow
@pytest.mark.compiled
def test_losses_after_a_layer_without_wins(monkeypatch):
    """The last losses are claimed two plies later, with no win between them and the others.

    Both sides have the same men here, so that half of the blocks are images of the others.
    """
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    solved = solve_rules(zm.game("chess:KRvKR"))
    last = int(solved.distance[solved.label == -1].max())
    for i in np.flatnonzero((solved.label == -1) & (solved.distance == last))[:3].tolist():
        refused(solved, {i: (-1, last + 2)}, "by the entries after its moves")
