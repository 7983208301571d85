"""Tables of labels alone: what they say agrees with tables that have distances."""

import json
import struct

import numpy as np
import pytest
from tests.tables import plain
from tests.tables.games import HEADER_ALONE, SPREAD, arrays, random_game
from tests.tables.test_build import KINDS, N, Plain, Walk
from tests.tables.test_solve import SETS, Bag, random_rules

import zermelo as zm
from zermelo.errors import BuildError, FormatError, InvalidOptionError
from zermelo.tables.solving import slot_ways as _thin
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import ALONE, KIND_ABSENT, KIND_FREE, Chunk
from zermelo.tables.storage.file import BLOCK, TableFile
from zermelo.tables.storage.write import write_table

LONGEST = ("longest_win", "longest_lose")


def agree(rules, values, solved):
    """Whether labels, and what is a tie, are those of the oracle."""
    for p, (label, distance) in values.items():
        tied = label == 0 and distance >= 0
        assert solved.look_up_label(p)[:2] == (label, tied), rules.show(p)


def random_arrays(members, seed, n=14):
    rng = np.random.default_rng([seed, *map(ord, "+".join(members))])
    given = random_game(rng, n, 3 if "tiers" in members else 1, 4 if "twins" in members else 0)
    if "players" not in members:
        given["players"] = None
    return arrays(*members, **given)


# -------------------------------------------------------------------- solving


@pytest.mark.sampled(cases=25)
@pytest.mark.slow("ends+back+players+twins+index")
@pytest.mark.parametrize("members", SETS)
def test_solving_agrees_with_the_oracle(members):
    misere = len(members) % 2 == 1
    rules = random_arrays(members, 7)
    objective = zm.Misere() if misere else None
    solved = solve_rules(rules, objective, symmetry=False, distances=False)
    agree(rules, plain.solve(rules, misere), solved)
    assert solved.entry.dtype == np.uint8
    both = [0, SPREAD] if "twins" in members else [0]
    agree(rules, plain.solve(rules, misere, both), solve_rules(rules, objective, distances=False))


@pytest.mark.parametrize("way", ["queue", "looking", "small pieces"])
@pytest.mark.parametrize(
    "members",
    [("ends",), ("ends", "tiers"), ("ends", "players"), ("ends", "back", "index", "players")],
)
def test_every_way_to_spread_gives_the_same(members, way, monkeypatch):
    rules = random_rules(3, members, 60, 3, degree=3.0)
    usual = solve_rules(rules, distances=False).entry
    if way == "queue":
        monkeypatch.setattr(_thin, "MIN_THIN_LAYERS", 0)
        monkeypatch.setattr(_thin, "SLOTS_PER_THIN", 0)
        monkeypatch.setattr(_thin, "MIN_QUEUE_SIZE", 5)
    elif way == "looking":
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    else:
        monkeypatch.setattr("zermelo.tables.solving.waves.MAX_SERIAL_SLOTS", 16 * 8)
    assert solve_rules(rules, distances=False).entry.tobytes() == usual.tobytes()
    agree(rules, plain.solve(rules), solve_rules(rules, distances=False))


@pytest.mark.slow("members1-False")
@pytest.mark.parametrize(
    ("members", "looking"),
    [
        (("ends", "back", "tiers"), False),
        (("ends", "index", "players"), False),
        (("ends", "tiers"), True),
    ],
)
def test_any_state_leads_to_the_same_end(members, looking, monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(
        "zermelo.tables.solving.waves.MAX_SERIAL_SLOTS", 16 * 8
    )  # pieces of eight slots
    if looking:
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    rules = random_rules(5, members, 30, 2, degree=3.0)
    bag = Bag()
    whole = solve_rules(rules, checkpoint=bag, distances=False)
    assert {state["step"] for state in bag.states} == {"explore", "solve"}
    for state in bag.states:
        again = solve_rules(rules, checkpoint=Bag(state), distances=False)
        assert again.entry.tobytes() == whole.entry.tobytes()


def test_many_moves_take_wider_entries():
    rules = arrays(edges=[(0, v) for v in range(1, 70)] + [(1, 0)], n=70)
    solved = solve_rules(rules, distances=False)
    assert solved.entry.dtype == np.uint16
    agree(rules, plain.solve(rules), solved)


# -------------------------------------------------------------------- tables


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.__name__)
def rules(request):
    return request.param(N, 17)


@pytest.fixture(scope="module")
def both(rules, tmp_path_factory):
    """A table with distances, and one of labels alone."""
    folder = tmp_path_factory.mktemp("tables")
    full = zm.build(rules, folder / "full.zt", check=False)
    alone = zm.build(rules, folder / "alone.zt", check=False, distances=False)
    with full, alone:
        yield full, alone


@pytest.mark.slow
def test_answers(both):
    full, alone = both
    for one, other in zip(full, alone, strict=True):
        assert (one.position, one.outcome, one.value) == (
            other.position,
            other.outcome,
            other.value,
        )
        assert other.distance == zm.NO_DISTANCE
        assert set(one.best_moves) <= set(other.best_moves)
        assert {alone.at(x).outcome for x in other.best_moves} <= {"win", "lose", one.outcome}
    assert not alone.has_distances
    assert "labels alone" in repr(alone)
    assert alone.counts() == {k: v for k, v in full.counts().items() if k not in LONGEST}


@pytest.mark.slow("Plain")
def test_many_positions(both):
    full, alone = both
    positions = [x.position for x in full]
    one, other = (table.probe_many(positions, moves=True) for table in both)
    assert one.label.tolist() == other.label.tolist()
    assert one.tied.tolist() == other.tied.tolist()
    assert set(other.distance.tolist()) == {zm.NO_DISTANCE}
    for position, move in zip(positions, other.move, strict=True):
        assert move in (*alone.at(position).best_moves, None)


def test_a_line_is_refused(both):
    _, alone = both
    with pytest.raises(InvalidOptionError, match="a line of best play needs distances, and this"):
        alone.line(alone.rules.start())


def test_columns_tell_ties_from_draws(both):
    full, alone = both
    found = alone.columns()
    assert found["outcome"] == [x.outcome for x in full]
    assert found["label"] == full.columns()["label"]


@pytest.mark.slow("Backed", "Indexed", "Owned", "Sparse", "Tiered", "Walk")
def test_it_proves_itself(both):
    _, alone = both
    assert alone.verify().verified == len(alone)
    assert alone.verify(7).verified == 7


def test_the_file(both):
    full, alone = both
    header = alone.header
    assert header["labels_only"] is True
    assert "labels_only" not in full.header
    assert header["distances"] == {}
    assert set(header["kinds"]) <= {"won", "lost", "tied", "draw", "absent"}
    for path, version in ((full.path, 1), (alone.path, 2)):
        with open(path, "rb") as file:
            assert struct.unpack("<8xI", file.read(12)) == (version,)
    with TableFile(alone.path) as table:
        names = ["kind"] if header["keys"] == "index" else ["kind", header["keys"]]
        assert table.layout.planes == names
        assert table.layout.bits <= 2


@pytest.mark.slow("objective0")
@pytest.mark.parametrize("objective", [zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1()])
def test_infinite_play_may_be_worth_something(objective, tmp_path):
    rules = random_arrays(("players", "back"), 3, n=20)
    with (
        zm.build(rules, tmp_path / "full.zt", objective, check=False) as full,
        zm.build(rules, tmp_path / "alone.zt", objective, check=False, distances=False) as alone,
    ):
        assert [x.value for x in full] == [x.value for x in alone]
        alone.verify()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hexapawn:3x3", "mu-torere", "cat-and-mouse", "domineering:2x3"])
def test_games_of_the_package(game, tmp_path):
    with (
        zm.build(game, tmp_path / "full.zt") as full,
        zm.build(game, tmp_path / "alone.zt", distances=False) as alone,
    ):
        assert [x.outcome for x in full] == [x.outcome for x in alone]
        alone.verify()
        assert alone.size < full.size


def test_the_option_is_checked(tmp_path):
    message = "distances: expected True, False or 'conversion', got 'no'"
    with pytest.raises(InvalidOptionError, match=message):
        zm.build("nim:1,2", tmp_path / "t.zt", distances="no")


def test_a_build_continues_only_what_it_began(tmp_path, monkeypatch):
    """Distances belong to what a job is."""
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    rules = Walk(N, 17)

    class Stopped(BaseException):
        pass

    def stop(self):
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr("zermelo.tables.solving.slot_ways.BySlots._find_before", stop)
        with pytest.raises(Stopped):
            zm.build(rules, tmp_path / "t.zt", check=False, distances=False)
    with pytest.raises(BuildError, match="begun with other rules, options"):
        zm.build(rules, tmp_path / "t.zt", check=False)
    with zm.build(rules, tmp_path / "t.zt", check=False, distances=False) as table:
        table.verify()
    zm.build(rules, tmp_path / "whole.zt", check=False, distances=False).close()
    assert (tmp_path / "t.zt").read_bytes() == (tmp_path / "whole.zt").read_bytes()


# -------------------------------------------------------------------- the format


@pytest.mark.parametrize("count", range(1, 6))
def test_entries_come_back(tmp_path, count):
    rng = np.random.default_rng(count)
    kind = rng.choice(np.array([*ALONE[:count], KIND_FREE], np.uint8), BLOCK + 5)
    kind[:count] = ALONE[:count]
    none = np.full(kind.size, -1, np.int32)

    def source(start, stop, rough):
        return Chunk(kind[start:stop], none[start:stop])

    write_table(tmp_path / "t.zt", HEADER_ALONE, source, kind.size, "index")
    with TableFile(tmp_path / "t.zt") as table:
        assert table.layout.bits == (0, 1, 2, 2, 4)[count - 1]
        got = np.concatenate([table.block(k).kind for k in range(2)])
    kept = kind != KIND_FREE
    assert got[kept].tolist() == kind[kept].tolist()


def test_damage_is_one_sentence(tmp_path):
    path = tmp_path / "t.zt"
    zm.build(Plain(N, 17), path, check=False, distances=False).close()
    sound = path.read_bytes()
    for at in range(0, len(sound), 7):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << at % 8]) + sound[at + 1 :])
        with pytest.raises(FormatError) as error, TableFile(path) as table:
            table.check()
        assert "\n" not in str(error.value)
    for size in range(0, len(sound), 41):
        path.write_bytes(sound[:size])
        with pytest.raises(FormatError):
            TableFile(path)


def forge_header(path, change):
    """Change the header of a table under a good checksum."""
    with TableFile(path) as table:
        header, block = json.loads(json.dumps(table.header)), table.block(0)
        keys = table.layout.keys
    change(header)

    def source(start, stop, rough):
        return Chunk(block.kind[start:stop], block.distance[start:stop])

    write_table(path, header, source, block.kind.size, keys, block.keys)


def test_a_version_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "t.zt"
    zm.build(Walk(N, 17), path, check=False, distances=False).close()
    forge_header(path, lambda header: header.pop("labels_only"))
    with pytest.raises(FormatError, match="the header is damaged: expected the counts"):
        TableFile(path)


def test_counts_must_be_there(tmp_path):
    path = tmp_path / "t.zt"
    zm.build(Walk(N, 17), path, check=False, distances=False).close()
    forge_header(path, lambda header: header["counts"].pop("tie"))
    with pytest.raises(FormatError, match="/counts: expected the counts of a table"):
        zm.Table(path, Walk(N, 17))


def test_no_entry_of_a_position_is_absent(tmp_path):
    with zm.build(KINDS[1](N, 17), tmp_path / "t.zt", check=False, distances=False) as table:
        assert KIND_ABSENT not in {kind for _, kind, _ in table.kinds()}
