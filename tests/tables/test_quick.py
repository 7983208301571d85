"""Probes by one call of a kernel: the same answers as the general way, and no worse errors."""

import numpy as np
import pytest
from tests.tables.test_build import KINDS, Backed, Indexed, N, Tiered, Walk

import zermelo as zm
from zermelo._kernels.tables.answer import ALL_MOVES, BEST_MOVES, NO_MOVES
from zermelo.errors import FormatError, InvalidRulesError, UnknownPositionError
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.probing.block_cache import BLOCK
from zermelo.tables.probing.lookups import Lookups
from zermelo.tables.storage import packing
from zermelo.tables.storage.codes import KIND_ABSENT, Coding, Decoder, Scale
from zermelo.tables.storage.planes import pack, shuffle

COMPILED = [kind for kind in KINDS if issubclass(kind, CompiledRules)]
STRANGE = [10**6, 2**62, 2**63 - 2, 457 << 31]
WAYS = (NO_MOVES, BEST_MOVES, ALL_MOVES)
MEANS = ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)]


def started(table, means):
    """The kernel of a table, ready for calls."""
    made = table._compiled_probe
    kernel = made._kernel
    ready = kernel.prepared if means == "compiled" else lambda *x: lambda: kernel._on_lists(x)
    made._runs = tuple(ready(*made._arguments(moves)) for moves in WAYS)
    return made


def same(table, positions, means):
    """Compare the kernel with the general way; the number of positions that have entries."""
    made, count = started(table, means), 0
    for position in positions:
        found, general = made.find(position), Lookups._probed(table, position)
        if general is None:
            assert found is not None
            assert found[0] == KIND_ABSENT
            continue
        assert found == (general.kind, general.distance)
        assert list(dict.fromkeys(made.best(position, general.drawn))) == general.best()
        answer = table.at(position)
        assert (answer.distance, answer.best_moves) == (general.distance, tuple(general.best()))
        count += 1
    return count


@pytest.mark.sampled(cases=6)
@pytest.mark.slow(
    "Indexed-distances-compiled",
    "Owned-distances-compiled",
    "Owned-distances-interpreted",
    "Owned-labels-interpreted",
    "Sparse-distances-compiled",
    "Sparse-distances-interpreted",
    "Sparse-labels-interpreted",
    "Walk-distances-compiled",
    "Walk-distances-interpreted",
    "Walk-labels-interpreted",
)
@pytest.mark.parametrize("means", MEANS)
@pytest.mark.parametrize("distances", [True, False], ids=["distances", "labels"])
@pytest.mark.parametrize("kind", COMPILED, ids=lambda kind: kind.__name__)
def test_every_position_of_small_tables(kind, distances, means, tmp_path):
    rules = kind(N, 17)
    with zm.build(rules, tmp_path / "t.zt", distances=distances) as table:
        assert same(table, [*range(N + 3), *STRANGE], means) == len(table)


@pytest.mark.slow
@pytest.mark.parametrize("means", MEANS)
def test_distances_to_conversion(means, tmp_path):
    with zm.build(Tiered(N, 17), tmp_path / "t.zt", distances="conversion") as table:
        assert same(table, [*range(N + 3), *STRANGE], means) == len(table)


@pytest.mark.slow
def test_another_objective(tmp_path):
    with zm.build(Walk(N, 17), tmp_path / "t.zt", objective=zm.Misere()) as table:
        assert same(table, range(N), "interpreted") == len(table)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_keys_in_several_blocks(symmetry, packed, tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "PACKED_FROM", 1 if packed else 1 << 40)
    with zm.build("connect4:4x4", tmp_path / "t.zt", symmetry=symmetry) as table:
        assert table._file.layout.packed == packed
        assert table._file.layout.blocks > 2
        sample = list(table.sample(150, seed=1))
        assert same(table, sample, "compiled") == len(sample)
        assert same(table, [x ^ 1 << 9 for x in sample], "compiled") < len(sample)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("distances", [True, False, "conversion"])
def test_chess_in_one_file_and_in_a_directory(distances, tmp_path):
    places = [tmp_path / "t.zt"]
    if distances != "conversion":
        (tmp_path / "files").mkdir()
        places.append(tmp_path / "files")
    for place in places:
        zm.build("chess:KPvK", place, distances=distances).close()
        with zm.Table(place, "chess:KPvK") as table:
            sample = list(table.sample(150, seed=2))
            assert same(table, sample, "compiled") == len(sample)
            same(table, [x ^ 1 << k % 20 for k, x in enumerate(sample)], "compiled")
            for text in ("8/P7/8/8/8/1k6/8/K7 w - - 0 1", "8/8/8/8/8/1k6/1P6/K7 b - - 0 1"):
                answer = table.probe(text)
                assert answer.best_moves
                assert all(isinstance(x, str) for x in answer.best_moves)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("blocks", [1, 3])
def test_fewer_blocks_are_kept_than_a_probe_needs(blocks, tmp_path):
    zm.build("connect4:4x4", tmp_path / "t.zt", distances=False).close()
    with zm.Table(tmp_path / "t.zt", cache=9 * BLOCK * blocks) as table:
        assert table._file.cache.slots == blocks
        assert not table._compiled_probe.waits
        sample = list(table.sample(8))
        started(table, "compiled")
        expected = [Lookups._probed(table, x).best() for x in sample]
        assert [list(table.probe(x).best_moves) for x in sample] == expected


@pytest.mark.parametrize("position", [True, 2.0, "x", None, -1, 2**63, (1,), np.int64(3)])
def test_what_is_no_number_goes_the_general_way(position, tmp_path):
    with zm.build(Indexed(N, 17), tmp_path / "t.zt") as table:
        made = started(table, "interpreted")
        assert made.find(position) is None
        if not isinstance(position, np.integer | str):
            with pytest.raises(UnknownPositionError):
                table.probe(position)


def test_an_error_of_rules_is_that_of_the_general_way(tmp_path):
    with zm.build(Backed(N, 17), tmp_path / "t.zt") as table:
        made = started(table, "interpreted")

        def wrong():
            raise ValueError("the rules are wrong")

        expected = table.probe(0).best_moves
        made._runs = [wrong for _ in WAYS]
        assert made.find(0) is None
        assert table.probe(0).best_moves == expected


def test_a_table_that_is_closed(tmp_path):
    with zm.build(Walk(N, 17), tmp_path / "t.zt") as table:
        started(table, "interpreted")
        answer = table.probe(0)
        table.close()
        with pytest.raises(FormatError, match="the table is closed"):
            table.probe(0)
        with pytest.raises(FormatError, match="the table is closed"):
            assert answer.best_moves


@pytest.mark.compiled
def test_machine_code_is_used_when_it_is_worth_its_time(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    with zm.build(Indexed(N, 17), tmp_path / "t.zt") as table:
        made = table._compiled_probe
        table.probe(0)
        assert made.waits
        made._seconds = 1e9
        assert list(table.probe(0).best_moves) == Lookups._probed(table, 0).best()
        assert not made.waits
        assert same(table, range(N), "compiled") == len(table)


@pytest.mark.compiled
def test_rules_that_the_compiler_refuses_stay_on_the_general_way(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")

    def refused(self, *args):
        raise InvalidRulesError("cannot be compiled")

    with zm.build(Indexed(N, 17), tmp_path / "t.zt") as table:
        made = table._compiled_probe
        monkeypatch.setattr(type(made._kernel), "prepared", refused)
        made._seconds = 1e9
        assert table.probe(0).position == 0
        assert not made.waits
        assert made.find(0) is None


@pytest.mark.slow("compile")
@pytest.mark.compiled
@pytest.mark.parametrize("kernels", ["interpret", "compile"])
def test_a_damaged_block_is_one_sentence(kernels, tmp_path, monkeypatch):
    zm.build("connect4:4x3", tmp_path / "t.zt").close()
    with zm.Table(tmp_path / "t.zt") as table:
        positions, start = list(table.sample(5)), int(table._file._starts[0])
    data = bytearray((tmp_path / "t.zt").read_bytes())
    data[start + 3] ^= 5
    (tmp_path / "t.zt").write_bytes(data)
    monkeypatch.setenv("ZERMELO_KERNELS", kernels)
    with zm.Table(tmp_path / "t.zt") as table:
        for position in positions:
            with pytest.raises(FormatError, match="block 0 is damaged: its checksum is wrong"):
                table.probe(position)


# -------------------------------------------------------------------- decoding

LAYOUTS = [
    ((0, 3), {}, 1),
    ((0, 1, 3), {1: Scale(2, 2, 9)}, 2),
    ((1,), {1: Scale(0, 1, 300)}, 0),
    ((0, 1, 2, 3, 5), {1: Scale(1, 2, 200), 2: Scale(0, 1, 70_000), 5: Scale(0, 1, 255)}, 4),
]


def planes_of(rng, kinds, scales, bits, count):
    """The planes of random entries."""
    symbols = rng.integers(len(kinds), size=count).astype(np.uint8)
    planes = [pack(symbols, bits)]
    for kind, scale in scales.items():
        size = np.count_nonzero(symbols == kinds.index(kind))
        planes.append(shuffle(rng.integers(scale.most + 1, size=size), scale.width))
    return planes


def outcome(decoder, planes, count):
    """What a decoder does: entries, or a message."""
    try:
        return decoder.decode(planes, count).tolist()
    except ValueError as error:
        return str(error)


def read_plainly(planes, kinds, scales, bits, count):
    """The entries of planes as pairs of kind and distance, byte by byte."""
    number = int.from_bytes(planes[0], "little")
    rest = {}
    for (kind, scale), plane in zip(scales.items(), planes[1:], strict=True):
        size = len(plane) // scale.width
        columns = [plane[k * size : (k + 1) * size] for k in range(scale.width)]
        rest[kind] = [int.from_bytes(bytes(x), "little") for x in zip(*columns, strict=True)][::-1]
    found = []
    for k in range(count):
        kind = kinds[number >> bits * k & (1 << bits) - 1]
        scale = scales.get(kind)
        found.append((kind, -1 if scale is None else scale.base + scale.step * rest[kind].pop()))
    return found


def mutated(rng, planes):
    """Planes with some bytes changed, cut or added."""
    changed = [bytearray(x) for x in planes]
    plane = changed[int(rng.integers(len(changed)))]
    for _ in range(int(rng.integers(1, 4))):
        what = int(rng.integers(4))
        if what == 0 and plane:
            plane[int(rng.integers(len(plane)))] = int(rng.integers(256))
        elif what == 1:
            del plane[int(rng.integers(len(plane) + 1)) :]
        elif what == 2:
            plane += bytes(rng.integers(256, size=int(rng.integers(1, 9)), dtype=np.uint8))
        else:
            changed.sort(key=len)
    return [bytes(x) for x in changed]


@pytest.mark.parametrize(("kinds", "scales", "bits"), LAYOUTS)
def test_planes_are_decoded_or_refused_whatever_the_bytes_are(kinds, scales, bits):
    rng = np.random.default_rng(len(kinds))
    coding, seen = Coding(kinds, scales), set()
    decoder = Decoder(kinds, scales, bits, coding)
    for turn in range(400):
        count = int(rng.integers(1, 60))
        planes = planes_of(rng, kinds, scales, bits, count)
        planes = mutated(rng, planes) if turn % 5 else planes
        found = outcome(decoder, planes, count)
        seen.add(found if isinstance(found, str) else "sound")
        if not isinstance(found, str):
            entries = [coding.entry(x) for x in found]
            assert entries == read_plainly(planes, kinds, scales, bits, count)
    assert "sound" in seen
    assert len(seen) > 1


@pytest.mark.parametrize(("kinds", "scales", "bits"), LAYOUTS)
def test_numbers_tell_kind_and_distance(kinds, scales, bits):
    coding = Coding(kinds, scales)
    kind, distance = coding.entries(np.arange(min(coding.count, 1000)))
    assert coding.codes(kind, distance).tolist() == list(range(kind.size))
    assert [coding.entry(k) for k in range(kind.size)] == list(
        zip(kind.tolist(), distance.tolist(), strict=True)
    )
    assert (coding.tables is None) == (coding.count > 1 << 16)


def test_the_same_entries_in_a_wider_coding():
    """As several files are read as one."""
    kinds, scales = (0, 1, 3), {1: Scale(2, 2, 9)}
    wide = Coding((0, 1, 2, 3), {1: Scale(0, 1, 20), 2: Scale(0, 1, 20)})
    planes = planes_of(np.random.default_rng(3), kinds, scales, 2, 500)
    own = Decoder(kinds, scales, 2, Coding(kinds, scales)).decode(planes, 500)
    one, other = Coding(kinds, scales).entries(own), Decoder(kinds, scales, 2, wide)
    two = wide.entries(other.decode(planes, 500))
    assert all((x == y).all() for x, y in zip(one, two, strict=True))
    short = Coding((0, 1, 3), {1: Scale(0, 1, 19)})
    with pytest.raises(ValueError, match="a distance is longer than it says"):
        Decoder(kinds, scales, 2, short)
