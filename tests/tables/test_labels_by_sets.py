"""The checker of labels alone by sets finds every wrong label, circles, and wrong sets."""

import numpy as np
import pytest
from tests.sampling import rounds
from tests.tables.test_labels_forged import LABELS, Forged
from tests.tables.test_verify_by_sets import (
    BELOW,
    BLOCKS,
    RING,
    SEED,
    SIZE,
    FewerMoves,
    MoreMoves,
    N,
    NoConversions,
    Words,
)

import zermelo as zm
from zermelo.errors import CertificateError, InvalidRulesError
from zermelo.rules.compiled import NO_POSITION
from zermelo.verify.tables import compiled as compiled_table
from zermelo.verify.tables import sets as table_by_sets


@pytest.fixture(autouse=True)
def all_tables_by_sets(monkeypatch):
    """Small tables, too, are checked by sets; compiling takes longer than interpreting."""
    monkeypatch.setattr(table_by_sets, "MAX_ENTRIES_ONE_BY_ONE", 0)
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")


@pytest.fixture
def checked(monkeypatch):
    """The tiers that are checked by sets."""
    tiers = []
    begin = table_by_sets.SetTierCheck.begin
    monkeypatch.setattr(
        table_by_sets.SetTierCheck, "begin", lambda self: [tiers.append(self.tier), begin(self)]
    )
    return tiers


def one_by_one(table, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(table_by_sets, "MAX_ENTRIES_ONE_BY_ONE", 1 << 40)
        table.verify()


@pytest.mark.parametrize("seed", [SEED, *range(8)])
def test_right_tables_are_proved(seed, tmp_path, checked, monkeypatch):
    with Forged.build(Words(seed), tmp_path / "t.zt") as table:
        assert table.verify().verified == len(table)
        assert [tier.indices for tier in checked] == [range(BELOW, N)]
        one_by_one(table, monkeypatch)
        assert len(checked) == 1


@pytest.mark.slow
def test_every_wrong_label_is_found(tmp_path):
    with Forged.build(Words(SEED), tmp_path / "t.zt") as table:
        assert set(table.right.values()) == set(LABELS)
        for place, right in table.right.items():
            for wrong in LABELS.keys() - {right}:
                table.refuses({place: wrong})


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [2, 3, 28])
def test_several_wrong_labels_are_found(seed, tmp_path, monkeypatch):
    random = np.random.default_rng(seed)
    with Forged.build(Words(seed), tmp_path / "t.zt") as table:
        places = list(table.right)
        for _ in range(rounds(40)):
            some = random.choice(places, int(random.integers(2, 6)), replace=False).tolist()
            wrong = {place: list(LABELS)[random.integers(4)] for place in some}
            if any(table.right[place] != label for place, label in wrong.items()):
                table.refuses(wrong)
                with pytest.raises(CertificateError):
                    one_by_one(table, monkeypatch)


@pytest.mark.parametrize("labels", [("win", "lose"), ("lose", "win"), ("tie", "tie")])
def test_labels_that_support_one_another_are_found(labels, tmp_path):
    with Forged.build(Words(SEED), tmp_path / "t.zt") as table:
        assert [table.right[v] for v in RING] == ["draw", "draw"]
        table.refuses(dict(zip(RING, labels, strict=True)), "support one another in a circle")


@pytest.mark.parametrize("kind", [FewerMoves, MoreMoves, NoConversions])
def test_sets_that_do_not_move_as_positions_do(kind, tmp_path):
    """The table is right: it was made by the rules with the right sets."""
    with Forged.build(Words(SEED), tmp_path / "t.zt") as table:
        object.__setattr__(table, "rules", kind(SEED))
        with pytest.raises(InvalidRulesError, match=r"moves of sets .* are not"):
            table.verify()


def test_memory_for_sets_is_asked_for(tmp_path, monkeypatch):
    asked = []
    with Forged.build(Words(SEED), tmp_path / "t.zt") as table:
        monkeypatch.setattr(compiled_table, "require", lambda size, *_: asked.append(size))
        table.verify()
    assert asked == [7 * N + 96 * SIZE * BLOCKS]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("distances", [False, "conversion"])
@pytest.mark.parametrize("men", ["KQvK", "KNvKN"])
def test_chess(men, distances, tmp_path, checked, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    monkeypatch.setenv("ZERMELO_THREADS", "2")
    monkeypatch.setattr(compiled_table, "MAX_ENTRIES_OF_ONE_THREAD", 0)
    name = f"chess:{men}"
    zm.build(name, tmp_path / "t.zt", distances=distances).close()
    with zm.Table(tmp_path / "t.zt") as table:
        assert table.verify().verified == len(table)
        assert len(checked) == len(table_by_sets.set_tiers(table.rules))
        right, random = zm.Table.decoded, np.random.default_rng(5)
        indices = checked[-1].indices
        places = [x for x in indices if table.rules.unrank(x) != NO_POSITION]
        for place in random.choice(places, 3, replace=False).tolist():

            def decoded(table, place=place):
                found = right(table)
                found.label[place] = -found.label[place] or 1
                return found

            monkeypatch.setattr(zm.Table, "decoded", decoded)
            with pytest.raises(CertificateError):
                table.verify()
