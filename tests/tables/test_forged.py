"""Tables that lie under good checksums, and rules whose members do not agree."""

import json
import shutil

import numpy as np
import pytest
from tests.tables.test_build import KINDS, Backed, Indexed, Owned, Tiered, Walk

import zermelo as zm
from zermelo.errors import CertificateError, FormatError, InvalidRulesError
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_LOSE_IN, KIND_TIE_IN, KIND_WIN
from zermelo.tables.storage.file import TableFile
from zermelo.tables.storage.layout import Layout
from zermelo.tables.storage.write import Chunk, write_table

N = 60


def forge(path, change=lambda header: None, entries=lambda kind, distance, keys: None):
    """Change the header and the entries of a table, and sign it again."""
    with TableFile(path) as table:
        blocks = [table.block(k) for k in range(table.layout.blocks)]
        header, layout = json.loads(json.dumps(table.header)), table.layout
    for name in (*layout.to_json(), "first"):
        header.pop(name, None)
    kind = np.concatenate([b.kind for b in blocks])
    distance = np.concatenate([b.distance for b in blocks])
    keys = None
    if layout.keys == "texts":
        keys = [text for b in blocks for text in b.keys]
    elif layout.keys != "index":
        keys = np.concatenate([b.keys for b in blocks])
    change(header)
    made = entries(kind, distance, keys)
    if made is not None:
        kind, distance, keys = made

    def source(start, stop, rough):
        return Chunk(kind[start:stop], distance[start:stop])

    write_table(path, header, source, kind.size, layout.keys, keys)


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.__name__)
def honest(request, tmp_path_factory):
    """Rules and their table, which is copied and not changed."""
    rules, path = request.param(N, 17), tmp_path_factory.mktemp("honest") / "t.zt"
    zm.build(rules, path).close()
    return rules, path


@pytest.fixture
def built(honest, tmp_path):
    rules, path = honest
    return rules, shutil.copy(path, tmp_path / "t.zt")


def refused(rules, path, samples=None, message="expected"):
    with zm.Table(path, rules) as table, pytest.raises(CertificateError, match=message):
        table.verify(samples)


def test_forging_nothing_changes_nothing(built):
    _, path = built
    before = path.read_bytes()
    forge(path)
    assert path.read_bytes() == before


@pytest.mark.sampled(cases=32)
@pytest.mark.slow("Plain-1-draw", "Plain-1-tie")
@pytest.mark.parametrize("name", ["win", "lose", "tie", "draw", "positions", "stored"])
@pytest.mark.parametrize("by", [1, -1])
def test_counts(built, name, by):
    rules, path = built

    def change(header):
        where = header if name == "stored" else header["counts"]
        where[name] += by if where[name] else 1

    forge(path, change)
    refused(rules, path, message="the header")
    if name != "stored":
        refused(rules, path, 5, message="the header counts")


@pytest.mark.slow("Plain-longest_lose-1")
@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("name", ["longest_win", "longest_lose"])
def test_longest(built, name, by):
    rules, path = built
    forge(path, lambda header: header["counts"].update({name: header["counts"][name] + by}))
    refused(rules, path, message=f"the header has {name}")


@pytest.mark.parametrize("one", ["win", "lose", "tie"])
def test_counts_that_add_up(built, one):
    rules, path = built

    def change(header):
        header["counts"][one] -= 1
        header["counts"]["draw"] += 1

    forge(path, change)
    refused(rules, path, message="the header has")


def place_of(rules, path, position):
    with zm.Table(path, rules) as table:
        return table.look_up(position)[2]


def without(i):
    """Take an entry away: the key with it, or mark it as absent."""

    def entries(kind, distance, keys):
        if keys is None:
            kind = kind.copy()
            kind[i] = KIND_ABSENT
            return kind, distance, None
        rest = np.arange(kind.size) != i
        keys = (
            [x for x, kept in zip(keys, rest, strict=True) if kept]
            if isinstance(keys, list)
            else keys[rest]
        )
        return kind[rest], distance[rest], keys

    return entries


def fewer(value):
    def change(header):
        header["stored"] -= 1
        header["counts"]["positions"] -= 1
        header["counts"][value] -= 1

    return change


@pytest.mark.parametrize("which", ["start", "another"])
def test_a_position_that_is_not_there(built, which):
    """The header is right about what is left."""
    rules, path = built
    with zm.Table(path, rules) as table:
        start = rules.start()
        entries = sorted(table, key=lambda x: (x.position == start) != (which == "start"))
        position, value = entries[0].position, entries[0].outcome
    forge(path, fewer(value), without(place_of(rules, path, position)))
    refused(rules, path)
    if which == "start":
        refused(rules, path, 1, message="expected an entry of .*, which play reaches, got none")


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("kind", [Walk, Indexed])
def test_positions_that_play_does_not_reach(kind, counted, tmp_path):
    """Entries are locally right, and the header may count them."""
    rules, path = kind(N, 17), tmp_path / "t.zt"
    zm.build(rules, path).close()
    with zm.Table(path, rules) as table:
        reached = {x.position for x in table}
        extra = next(x for x in range(N) if x not in reached and set(rules.options(x)) <= reached)
        after = [table.probe(x) for x in rules.options(extra)]
    if lost := [x.distance for x in after if x.outcome == "lose"]:
        value, code, far = "win", KIND_WIN, 1 + min(lost)
    elif tied := [x.distance for x in after if x.outcome == "tie"]:
        value, code, far = "tie", KIND_TIE_IN, 1 + min(tied)
    else:
        value, code, far = "lose", KIND_LOSE_IN, 1 + max(x.distance for x in after)

    def change(header):
        header["stored"] += 1
        if not counted:
            return
        counts = header["counts"]
        counts["positions"] += 1
        counts[value] += 1
        if value != "tie":
            counts[f"longest_{value}"] = max(far, counts[f"longest_{value}"])

    def entries(kind, distance, keys):
        if keys is None:
            kind, distance = kind.copy(), distance.copy()
            kind[2 * extra], distance[2 * extra] = code, far
            return kind, distance, None
        at = int(np.searchsorted(keys, extra))
        return (
            np.insert(kind, at, code),
            np.insert(distance, at, far).astype(np.int32),
            np.insert(keys, at, extra),
        )

    forge(path, change, entries)
    refused(rules, path, message="expected")


def test_flags(tmp_path):
    path = tmp_path / "t.zt"
    zm.build("tictactoe", path).close()
    forge(path, lambda header: header.update(symmetry=False))  # then there is no index
    with pytest.raises(FormatError, match="6,046 entries for 0 indices, and its rules do not"):
        zm.Table(path)
    rules = Backed(N, 17)
    zm.build(rules, path).close()
    forge(path, lambda header: header.update(descent=not header["descent"]))
    refused(rules, path)


def test_another_objective(built):
    rules, path = built
    forge(path, lambda header: header.update(objective="misere"))
    refused(rules, path, message="by the entries after its moves")


def test_entries_in_another_order(built):
    rules, path = built

    def entries(kind, distance, keys):
        order = np.roll(np.arange(kind.size), 2)
        return kind[order], distance[order], keys

    forge(path, entries=entries)
    refused(rules, path)


def test_distances_on_another_scale(built, monkeypatch):
    rules, path = built

    def stretched(self):
        made = honest(self)
        made["distances"] = {
            k: [base + 2, step, most] for k, (base, step, most) in made["distances"].items()
        }
        return made

    honest = Layout.to_json
    monkeypatch.setattr(Layout, "to_json", stretched)
    forge(path)
    monkeypatch.undo()
    refused(rules, path)


@pytest.mark.slow("Plain-<lambda>6")
@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(counts=3),
        lambda header: header.update(counts={}),
        lambda header: header["counts"].update(win=None),
        lambda header: header["counts"].update(win=-1),
        lambda header: header.update(stored="many"),
        lambda header: header.update(rules=None),
        lambda header: header["rules"].pop("digest"),
    ],
)
def test_headers_that_make_no_sense(built, change):
    rules, path = built
    forge(path, change)
    with pytest.raises(FormatError, match="the header"):
        zm.Table(path, rules)


def test_entries_of_no_position_do_not_go_on_for_ever(tmp_path):
    path = tmp_path / "t.zt"
    zm.build(Indexed(N, 17), path).close()
    forge(
        path, entries=lambda kind, distance, keys: (np.full_like(kind, KIND_ABSENT), distance, keys)
    )
    with zm.Table(path, Indexed(N, 17)) as table:
        with pytest.raises(FormatError, match="expected entries of positions"):
            list(table.sample(1))
        with pytest.raises(CertificateError):
            table.verify(1)


# -------------------------------------------------------------------- members that do not agree


class ForgetsOne(Backed):
    """One move is missing backwards."""

    def unmoves(self, position, out):
        count = self.origins(position, out)
        return count - 1 if count > 1 else count


class NeverBack(Tiered):
    def unmoves(self, position, out):
        return 0


class TooFarBack(Backed):
    def unmoves(self, position, out):
        out[0] = (position + 1) % self.n
        return 1


class SharedIndex(Indexed):
    """Two positions have one index."""

    def rank(self, position):
        return 2 * (position - position % 2)

    def unrank(self, index):
        return index // 2 if index % 4 == 0 else -1


class WrongForm(Walk):
    """What it takes for the same is not."""

    def canonical(self, position):
        return position - position % 2 if position > 4 else position

    def orbit(self, position):
        return 2 if position > 4 else 1


class Turned(Owned):
    """The tier of ends rises: a move leads up."""

    def tier(self, position):
        return position // 30


@pytest.mark.parametrize(
    "kind", [ForgetsOne, NeverBack, TooFarBack, SharedIndex, WrongForm, Turned]
)
def test_a_table_that_its_moves_refute_gets_no_name(kind, tmp_path):
    with pytest.raises(InvalidRulesError) as caught:
        zm.build(kind(N, 17), tmp_path / "t.zt", check=False)
    message = str(caught.value)
    assert ".partial" not in message
    if kind is not Turned:
        assert f"{kind.__name__}: " in message
        assert "must be wrong: zermelo check-rules" in message
    assert list(tmp_path.iterdir()) == []


class Mirror(CompiledRules):
    """Take 1 or 2 from either of two heaps; heaps may be exchanged."""

    most_moves = 4
    claimed = 2

    def start(self):
        return 33

    def moves(self, position, out):
        a, b, count = position // 10, position % 10, 0
        for k in range(1, 3):
            if a >= k:
                out[count] = position - 10 * k
                count += 1
            if b >= k:
                out[count] = position - k
                count += 1
        return count

    def canonical(self, position):
        a, b = position // 10, position % 10
        return position if a <= b else 10 * b + a

    def orbit(self, position):
        return self.claimed if position // 10 != position % 10 else 1


class MirrorFew(Mirror):
    claimed = 1


class MirrorMany(Mirror):
    claimed = 3


class MirrorSelf(Mirror):
    def orbit(self, position):
        return 1 if position == 33 else 2


def test_orbits_are_counted(tmp_path):
    with zm.build(Mirror(), tmp_path / "t.zt") as table:
        assert table.counts()["positions"] == 16
        assert table.verify() is table
        assert table.verified == len(table) == 10
    for kind in (MirrorFew, MirrorMany, MirrorSelf):
        with pytest.raises(InvalidRulesError, match="expected an orbit of"):
            zm.build(kind(), tmp_path / "wrong.zt", check=False)
        assert not (tmp_path / "wrong.zt").exists()


class Askew(Mirror):
    """The start is not its own image, so play does not reach all images."""

    def start(self):
        return 13


def test_a_start_that_a_symmetry_changes_is_reported(tmp_path):
    """The labels are right, but images that play does not reach would be counted."""
    with pytest.raises(InvalidRulesError, match="stand for 12 positions, but play reaches 8"):
        zm.build(Askew(), tmp_path / "t.zt")
    with zm.build(Askew(), tmp_path / "t.zt", check=False) as table:
        assert table.verify().verified == len(table)
    with zm.build(Askew(), tmp_path / "u.zt", symmetry=False, check=False) as table:
        assert table.counts()["positions"] == 8


def test_a_saved_state_of_wrong_rules_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    with pytest.raises(InvalidRulesError):
        zm.build(ForgetsOne(N, 17), tmp_path / "t.zt", check=False)
    assert list(tmp_path.iterdir()) == []
