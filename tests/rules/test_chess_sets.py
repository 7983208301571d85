"""Sets of 64 chess positions move as the positions do one by one, and give the same tables."""

import numpy as np
import pytest

from zermelo._runtime import words
from zermelo._runtime.compiled import jit
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.chess.sets import NEAR
from zermelo.rules.compiled import NO_POSITION
from zermelo.tables.solving import waves as _waves
from zermelo.tables.solving.solve import solve_rules

MEN = ["KRvK", "KNvK", "KQvKR", "KRvKN", "KBvKN", "KQvKP", "KBvKP", "KRPvK", "KRNvKR", "KBNvKN",
       "KRPvKR", "KNPvKB", "KRPvKQ", "KQvKQ", "KNvKN", "KPvKP"]  # fmt: skip


class Scattered:
    """A set that has some of the positions of every word, of each image, too."""

    def __init__(self, rules, tier, share):
        self.rules, self.share, self.words = rules, share, {}
        self.material, self.indices, self.width, self.even, (ends, _), _ = rules.set_tiers[tier]
        self.size = len(self.indices) // self.width * (1 + self.even) // (len(ends) - 1)

    def __setitem__(self, word, mask):
        self.words[word] = mask

    def __getitem__(self, word):
        if word not in self.words:
            pair, black = divmod(word // self.size, 2)
            if black and self.even:
                self.rules.mirror_set(self.material, self, pair, [0] * 64)
            else:
                drawn = np.random.default_rng([7, word]).random(64) < self.share
                drawn = int(np.packbits(drawn, bitorder="little").view(np.int64)[0])
                place = divmod(word, self.size)
                self.words[word] = drawn & self.rules.positions_in(self.material, *place)
        return self.words[word]

    def first_index(self, word):
        block, k = divmod(word, self.size)
        return self.indices.start + self.width * (block // (1 + self.even) * self.size + k)

    def word_of(self, index):
        block, k = divmod((index - self.indices.start) // self.width, self.size)
        return block * (1 + self.even) * self.size + k

    def __contains__(self, index):
        return bool(self[self.word_of(index)] >> (index - self.indices.start) % self.width & 1)


def squares(mask):
    return [k for k in range(64) if mask >> k & 1]


@pytest.mark.sampled(cases=7)
@pytest.mark.slow("KNvKN", "KPvKP", "KQvKQ")
@pytest.mark.parametrize("men", MEN)
def test_words_and_positions_agree(men):
    rules = Chess(men)
    tier = max(rules.set_tiers)
    few, half = (Scattered(rules, tier, share) for share in (0.02, 0.5))
    material, size, stride = few.material, few.size, 1 + few.even
    ends, near = rules.set_tiers[tier][-2]
    images = rules.set_tiers[tier][-1]
    assert str(rules.tables.materials[material]) == men
    random = np.random.default_rng(len(men))
    blocks = random.integers(0, (len(ends) - 1) // stride, 8) * stride
    diagonal = [
        b for b in range(0, len(ends) - 1, stride)
        if rules.on_diagonal(material, int(rules.board_of(material, b, 0)))
    ]  # fmt: skip
    found = converted = 0
    for block in [*blocks.tolist(), *diagonal[:40:10]]:
        rest = int(random.integers(size))
        first = few.first_index(block * size + rest)
        members = squares(rules.positions_in(material, block, rest))
        assert members == [k for k in range(few.width) if rules.unrank(first + k) != NO_POSITION]
        for chosen in (few, half):
            into = rules.moves_into(material, block, rest, chosen, -1)
            wanted = 1 << members[0] if members else 0
            some = rules.moves_into(material, block, rest, chosen, wanted)
            assert some & ~into == 0
            for k in members[:: 1 if chosen is few else 9]:
                options = rules.options(rules.unrank(first + k))
                ranks = [rules.rank(x) for x in options if rules.tier(x) == tier]
                hits = [i for i in ranks if i in chosen]
                assert bool(into >> k & 1) == bool(hits), rules.show(rules.unrank(first + k))
                reached = {few.word_of(i) // size for i in ranks}
                if few.even:  # what has an index is the image of what a move leads to
                    here = set(near[ends[block] : ends[block + 1]].tolist())
                    assert reached <= {2 * int(images[b // 2]) for b in here}
                else:
                    assert reached <= set(near[ends[block] : ends[block + 1]].tolist())
                found += bool(hits)
        may = rules.may_convert(material, block, rest)
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


def test_pawns_that_have_just_moved():
    rules = Chess("KPvKP")
    tier = max(rules.set_tiers)
    chosen = Scattered(rules, tier, 0.5)
    for rows, passed in (("8/8/8/3pP3/8/8/8/K1k5", "d6"), ("8/8/8/Pp6/8/8/8/K1k5", "b6")):
        for fen in (f"{rows} w - {passed} 0 1", f"{rows} w - - 0 1"):
            index = rules.rank(rules.parse(fen))
            k = (index - chosen.indices.start) % chosen.width
            place = chosen.material, *divmod(chosen.word_of(index), chosen.size)
            assert rules.positions_in(*place) >> k & 1
            options = rules.options(rules.unrank(index))
            inside = [rules.rank(x) in chosen for x in options if rules.tier(x) == tier]
            into = rules.moves_into(*place, chosen, -1)
            assert bool(into >> k & 1) == any(inside)
            assert len(options) - len(inside) == (passed in fen)
            assert rules.may_convert(*place) >> k & 1 or passed not in fen


def test_materials_that_are_not_moved_in_sets():
    rules = Chess("KPvKP")
    others = set(range(len(rules.main))) - set(rules.set_tiers)
    names = {str(rules.tables.materials[rules.main[tier]]) for tier in others}
    assert names == {"KvK", "KPvK"}
    rules = Chess("KRRvK")
    assert [str(rules.tables.materials[k]) for k, *_ in rules.set_tiers.values()] == ["KRvK"]


def test_blocks_are_near_each_other_in_both_directions():
    for ends, near in NEAR[:1]:  # pawns do not go back
        pairs = {(b, int(c)) for b in range(len(ends) - 1) for c in near[ends[b] : ends[b + 1]]}
        assert {(c, b) for b, c in pairs} == {(b ^ 1, c ^ 1) for b, c in pairs}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("men", ["KQvK", "KRvK", "KNvKN"])
def test_the_same_entries_as_by_waves(men, monkeypatch):
    by_sets = solve_rules(Chess(men))
    monkeypatch.setattr(_waves.Waves, "_tiers_by_sets", lambda waves: {})
    by_waves = solve_rules(Chess(men))
    assert by_sets.entry.tobytes() == by_waves.entry.tobytes()
    assert by_sets.stats["longest"] == by_waves.stats["longest"]
    assert by_sets.stats["peak_bytes"] == 2 * by_sets.entry.size


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


def test_instructions_are_never_compiled_alone(monkeypatch):
    monkeypatch.setattr(jit._Budget, "spent", jit.MAX_INTERPRETED_ELEMENTS + 1)
    assert words.lowest(8) == 3
    rules = Chess("KRvK")
    assert len(rules.options(rules.parse("8/8/8/8/8/2k5/8/K6R w"))) == 15
