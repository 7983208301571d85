"""Sets of 64 chess positions move as the positions do one by one, and give the same tables."""

import numpy as np
import pytest

from zermelo._runtime import words
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.chess.sets import NEAR
from zermelo.rules.compiled import NO_POSITION
from zermelo.tables import _waves
from zermelo.tables.solve import solve_rules

MEN = ["KRvK", "KNvK", "KQvKR", "KRvKN", "KBvKN", "KQvKP", "KBvKP", "KRPvK", "KRNvKR", "KBNvKN",
       "KQBvKN", "KRPvKR", "KNPvKB", "KRPvKQ"]  # fmt: skip


class Scattered:
    """A set that has some of the positions of every word."""

    def __init__(self, rules, material, share, seed):
        self.rules, self.material, self.share, self.seed = rules, material, share, seed

    def __getitem__(self, word):
        random = np.random.default_rng([self.seed, word])
        drawn = np.packbits(random.random(64) < self.share, bitorder="little").view(np.int64)[0]
        return int(drawn) & self.rules.positions_in(self.material, word)


def squares(mask):
    return [k for k in range(64) if mask >> k & 1]


@pytest.mark.parametrize("men", MEN)
def test_words_and_positions_agree(men):
    rules = Chess(men)
    tier, (material, indices, (ends, near)) = max(rules.set_tiers.items())
    assert str(rules.tables.materials[material]) == men.upper().replace("V", "v")
    size = len(indices) // 64 // (len(ends) - 1)
    random = np.random.default_rng(len(men))
    words_seen = random.integers(0, len(indices) // 64, 8).tolist()
    corner = [b for b in range(len(ends) - 1) if rules.on_diagonal(material, int(
        rules.board_of(material, b * size)))][:40:10]  # fmt: skip
    words_seen += [b * size + int(random.integers(size)) for b in corner]
    found = converted = 0
    for word in words_seen:
        first = indices.start + 64 * word
        members = squares(rules.positions_in(material, word))
        assert members == [k for k in range(64) if rules.unrank(first + k) != NO_POSITION]
        near_here = {int(b) for b in near[ends[word // size] : ends[word // size + 1]]}
        for share in (0.02, 0.5):
            chosen = Scattered(rules, material, share, 7)
            into = rules.moves_into(material, word, chosen, -1)
            some = rules.moves_into(material, word, chosen, 1 << members[0] if members else 0)
            assert some & ~into == 0
            for k in members[:: 1 if share < 0.1 else 9]:
                options = rules.options(rules.unrank(first + k))
                ranks = [rules.rank(x) for x in options if rules.tier(x) == tier]
                hits = [
                    i
                    for i in ranks
                    if chosen[(i - indices.start) // 64] >> (i - indices.start) % 64 & 1
                ]
                assert bool(into >> k & 1) == bool(hits), rules.show(rules.unrank(first + k))
                assert {(i - indices.start) // 64 // size for i in ranks} <= near_here
                found += bool(hits)
        may = rules.may_convert(material, word)
        for k in members[::5]:
            position = rules.unrank(first + k)
            exits = {rules.rank(x) for x in rules.options(position) if rules.tier(x) != tier}
            out = [0] * rules.most_moves
            given = out[: rules.conversions(position, out)]
            assert {rules.rank(x) for x in given} == exits
            assert may >> k & 1 or not exits
            converted += len(exits)
    assert found > 3
    assert converted or men in ("KNvK", "KRvK")


def test_materials_that_are_not_moved_in_sets():
    rules = Chess("KPvKP")
    others = set(range(len(rules.main))) - set(rules.set_tiers)
    names = {str(rules.tables.materials[rules.main[tier]]) for tier in others}
    assert names == {"KvK", "KPvK", "KPvKP", "KBvKB", "KNvKN", "KQvKQ", "KRvKR"}


def test_blocks_are_near_each_other_in_both_directions():
    for ends, near in NEAR[:1]:  # pawns do not go back
        pairs = {(b, int(c)) for b in range(len(ends) - 1) for c in near[ends[b] : ends[b + 1]]}
        assert {(c, b) for b, c in pairs} == {(b ^ 1, c ^ 1) for b, c in pairs}


@pytest.mark.compiled
@pytest.mark.parametrize("men", ["KQvK", "KBvK", "KRvK"])
def test_the_same_entries_as_by_waves(men, monkeypatch):
    by_sets = solve_rules(Chess(men))
    monkeypatch.setattr(_waves.Waves, "_tiers_by_sets", lambda waves: {})
    by_waves = solve_rules(Chess(men))
    assert by_sets.entry.tobytes() == by_waves.entry.tobytes()
    assert by_sets.stats["longest"] == by_waves.stats["longest"]


def test_instructions_on_words():
    random = np.random.default_rng(4)
    for mask in [0, -1, 1, -(2**63), *random.integers(-(2**63), 2**63, 50).tolist()]:
        bits = f"{mask % 2**64:064b}"
        assert words.count_bits(mask) == bits.count("1")
        assert words.turned_bits(mask) % 2**64 == int(bits[::-1], 2)
        rows = [bits[k : k + 8] for k in range(0, 64, 8)]
        assert words.turned_bytes(mask) % 2**64 == int("".join(rows[::-1]), 2)
        for by in (0, 1, 8, 63):
            assert words.left(mask, by) == np.int64(mask) << by
            assert words.right(mask, by) % 2**64 == mask % 2**64 >> by
