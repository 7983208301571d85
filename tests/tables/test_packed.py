"""Packed blocks: what goes in comes out, the bytes are those of the format, and garbage is safe."""

import contextlib
import hashlib
import json
import math

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples
from tests.tables.games import HEADER

import zermelo as zm
from zermelo._kernels.tables.pack import KEY_BITS, LIMIT, Shape
from zermelo.errors import FormatError
from zermelo.tables.storage import key_shape as shape_of_keys
from zermelo.tables.storage import packing
from zermelo.tables.storage.codes import (
    ALONE,
    KIND_ABSENT,
    KIND_DRAW,
    KIND_LOSE_IN,
    KIND_TIE_IN,
    KIND_WIN,
    STORED,
    Chunk,
    Scale,
)
from zermelo.tables.storage.file import MAGIC, PREAMBLE, TableFile
from zermelo.tables.storage.key_shape import choose_shape, possible
from zermelo.tables.storage.layout import VERSION, VERSION_PACKED, Layout
from zermelo.tables.storage.packing import (
    DECIDED,
    DIFFERENT,
    can_pack,
    decided_keys,
    pack_block,
    tables,
    unpack_block,
)
from zermelo.tables.storage.planes import shuffle
from zermelo.tables.storage.write import write_table

ALL = tuple(range(KIND_ABSENT + 1))

BITS, DIGITS = Shape(2, 1, 5, 15, 10), Shape(17, 5, 5, 20, 15)

compress = zstandard.ZstdCompressor(level=6).compress


@pytest.fixture
def few_tries(monkeypatch):
    """Shapes are chosen by very few keys: interpreted code is slow."""
    monkeypatch.setattr(shape_of_keys, "MAX_BASE", 4)
    for name in ("BASE_KEYS", "ROW_KEYS", "GROUND_KEYS", "MAX_ROW_BITS"):
        monkeypatch.setattr(shape_of_keys, name, 8)


def some(n, kinds, most, widest, seed=0):
    """Random entries with sorted keys, the scales of their distances, and the layout's kinds."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(np.array(kinds, np.uint8), n)
    far = rng.integers(0, most + 1, n)
    distance = np.where(np.isin(kind, STORED), 2 * far + 1, -1).astype(np.int32)
    keys = np.unique(rng.integers(0, widest, 2 * n))[:n]
    scales = {k: Scale(1, 2, most) for k in STORED if k in kinds}
    return Chunk(kind[: keys.size], distance[: keys.size]), keys, scales


def assert_comes_back(chunk, keys, kinds, scales, compress=compress, shape=BITS):
    planes = pack_block(chunk, keys, kinds, scales, shape, compress)
    again = unpack_block(planes, (int(keys[0]), keys.size), kinds, scales, shape)
    assert (again.keys == keys).all()
    assert (again.kind == chunk.kind).all()
    assert (again.distance == chunk.distance).all()
    return planes


@pytest.mark.slow("0-400-kinds0")
@pytest.mark.parametrize("kinds", [(0,), (1,), (0, 1, 3), ALL, ALONE])
@pytest.mark.parametrize(("most", "widest"), [(0, 400), (9, 1 << 20), ((1 << 30) - 1, 1 << 62)])
def test_blocks_come_back(kinds, most, widest):
    kinds = tuple(sorted(kinds))
    for n in (1, 2, 150):
        chunk, keys, scales = some(n, kinds, most, widest)
        assert_comes_back(chunk, keys, kinds, scales)


@examples(20)
@given(st.sets(st.integers(0, (1 << KEY_BITS) - 1), min_size=1, max_size=40))
def test_any_keys_come_back(numbers):
    keys = np.array(sorted(numbers), np.int64)
    kind = (keys % 3).astype(np.uint8)
    chunk = Chunk(kind, np.where(kind > 0, keys % 7, -1).astype(np.int32))
    scales = {KIND_LOSE_IN: Scale(0, 1, 6), KIND_TIE_IN: Scale(0, 1, 6)}
    assert_comes_back(chunk, keys, (0, 1, 2), scales)


@pytest.mark.parametrize("shape", [BITS, DIGITS])
def test_the_bytes_are_those_of_the_format(shape):
    kinds = (KIND_WIN, KIND_LOSE_IN, KIND_TIE_IN, KIND_DRAW)
    keys = np.array([x * x + x % 5 for x in range(3, 400)], np.int64)
    kind = np.array([kinds[x * x % 11 % 4] for x in range(keys.size)], np.uint8)
    far = [x % 13 if k in STORED else -1 for x, k in enumerate(kind.tolist())]
    scales = {KIND_LOSE_IN: Scale(0, 1, 12), KIND_TIE_IN: Scale(0, 1, 12)}
    chunk = Chunk(kind, np.array(far, np.int32))
    planes = assert_comes_back(chunk, keys, kinds, scales, lambda data: bytes(1000), shape)
    assert planes[1][:1] == DECIDED
    digests = [hashlib.sha256(plane).hexdigest()[:16] for plane in planes]
    assert (digests, [len(plane) for plane in planes]) == GOLDEN[shape]


GOLDEN = {
    BITS: (["f5de612585910694", "1feaf39a27060e59"], [136, 473]),
    DIGITS: (["5301f139829549c7", "1b5501681f2e3031"], [135, 591]),
}


def test_logarithms_are_far_from_where_rounding_changes():
    for p, value in enumerate(tables().stretch.tolist()):
        assert abs(256 * math.log((p + 0.5) / (65535.5 - p)) - value) < 0.5 - 1e-8
    for x, value in enumerate(tables().squash.tolist(), -LIMIT - 1):
        exact = 65536 / (1 + math.exp(-x / 256))
        assert abs(exact - value) < 0.5 - 1e-8 or not 1 < exact < 65535


@pytest.mark.parametrize("shape", [BITS, DIGITS])
@pytest.mark.parametrize("seed", range(6))
def test_garbage_is_an_error_or_a_block(seed, shape):
    rng = np.random.default_rng(seed)
    kinds, scales = (0, 1, 2), {1: Scale(0, 2, 5), 2: Scale(0, 1, 1 << 20)}
    for size in (0, 1, 3, 200):
        data = rng.integers(0, 1 << rng.integers(1, 9), size, np.uint8).tobytes()
        planes = [data, DECIDED + data]
        with contextlib.suppress(ValueError):
            place = int(rng.integers(1 << 62 if shape == BITS else 17**12)), 120
            block = unpack_block(planes, place, kinds, scales, shape)
            assert (np.diff(block.keys) > 0).all()
            assert block.keys[-1] < 1 << KEY_BITS
            assert set(block.kind.tolist()) <= set(kinds)


def test_the_shorter_of_two_ways_is_taken_for_keys():
    rng = np.random.default_rng(3)
    pattern = rng.integers(1, 1000, 20)
    repeating = np.cumsum(np.tile(pattern, 40))
    balanced = np.array([x for x in range(4096) if x.bit_count() == 6][:800])
    for keys, method in ((repeating, DIFFERENT), (balanced, DECIDED)):
        chunk = Chunk(np.zeros(800, np.uint8), np.full(800, -1, np.int32))
        planes = assert_comes_back(chunk, keys, (0,), {})
        assert planes[1][:1] == method


@pytest.mark.parametrize(
    "steps", [[0, 3, 0, 1], [1, 3, 4, 1], [0, 1 << 62, 1 << 62, 1], [0, 1, 1, -5]]
)
def test_forged_differences_are_refused(steps):
    plane = DIFFERENT + compress(shuffle(np.array(steps), 8))
    with pytest.raises(ValueError, match="sorted keys"):
        unpack_block([b"", plane], (7, 4), (0,), {}, BITS)
    plane = DIFFERENT + compress(shuffle(np.array([0, 1, 1, 1 << 62]), 8))
    with pytest.raises(ValueError, match="keys of at most 62 bits"):
        unpack_block([b"", plane], (7, 4), (0,), {}, BITS)
    with pytest.raises(ValueError, match="expected at most 32 bytes in a plane, got 1,000,000"):
        unpack_block([b"", DIFFERENT + compress(bytes(10**6))], (7, 4), (0,), {}, BITS)
    for data in (b"", b"123456789"):
        with pytest.raises(ValueError, match="a difference for each key"):
            unpack_block([b"", DIFFERENT + compress(data)], (7, 4), (0,), {}, BITS)


def test_keys_in_an_unknown_way_are_refused():
    for plane in (b"", b"\2abc"):
        with pytest.raises(ValueError, match="an unknown way"):
            unpack_block([b"", plane], (7, 4), (0,), {}, BITS)


def test_keys_with_too_many_digits_are_refused():
    kinds, chunk = (0,), Chunk(np.zeros(2, np.uint8), np.full(2, -1, np.int32))
    keys = np.array([17**12 - 2, 17**12 - 1])
    assert_comes_back(chunk, keys, kinds, {}, shape=DIGITS)
    for plane in (DECIDED, DIFFERENT + compress(shuffle(np.array([0, 1]), 1))):
        with pytest.raises(ValueError, match="too many digits"):
            unpack_block([b"", plane], ((1 << 62) - 2, 2), kinds, {}, DIGITS)


def test_digits_beyond_the_base_are_refused():
    fields = np.array([3, 16, 17], np.int64)
    plane = DECIDED + decided_keys(fields, DIGITS)
    with pytest.raises(ValueError, match="digits beyond the base"):
        unpack_block([b"", plane], (3, 3), (0,), {}, DIGITS)


@examples(20)
@given(
    st.sets(st.integers(0, 3**26 - 1), min_size=1, max_size=30),
    st.sampled_from([3, 4, 5, 8, 10, 17, 33, 64]),
    st.integers(0, 40),
    st.integers(0, 40),
)
def test_keys_of_any_shape_come_back(numbers, base, layer, ground):
    keys = np.array(sorted(numbers), np.int64)
    width = (base - 1).bit_length()
    shape = Shape(base, width, width, width + 2 + layer, width + 2 + ground)
    assert possible(shape)
    chunk = Chunk(np.full(keys.size, 1, np.uint8), (keys % 300).astype(np.int32))
    assert_comes_back(chunk, keys, (0, 1), {1: Scale(0, 1, 299)}, shape=shape)


def test_the_shape_is_found(monkeypatch):
    monkeypatch.setattr(shape_of_keys, "MAX_BASE", 12)
    for name in ("BASE_KEYS", "ROW_KEYS", "GROUND_KEYS"):
        monkeypatch.setattr(shape_of_keys, name, 60)

    def size_of(start, stop, fields, shape):
        return abs(shape.ground - 10)

    seeds = [x for x in range(9**5) if sum(x // 9**k % 9 for k in range(5)) == 8]
    found = choose_shape(np.array(seeds), len(seeds), size_of)
    assert (found.base, found.width, found.row) == (9, 4, 4)
    assert possible(found)


def test_what_a_shape_may_be():
    for shape in (BITS, DIGITS, Shape(2, 1, 2, 4, 60)):
        assert possible(shape)
        for name in Shape._fields:
            for number in (-1, 0, 1 << 40, 2.0, True, "3", None):
                assert not possible(shape._replace(**{name: number})), (name, number)


@pytest.mark.parametrize("first", [-1, 1 << 62, (1 << 63) - 1])
def test_a_first_key_that_is_no_key_is_refused(first):
    with pytest.raises(ValueError, match="at most 62 bits"):
        unpack_block([b"", b""], (first, 3), (0,), {}, BITS)


def test_what_is_packed(monkeypatch):
    monkeypatch.setattr(packing, "PACKED_FROM", 2)
    assert can_pack(np.array([1, 2, 3]), 3, 8)
    assert not can_pack(np.array([1, 2]), 2, 8)
    assert not can_pack(np.array([1, 2, 1 << 62]), 3, 8)
    assert not can_pack(np.array([1, 2, 3]), 3, 9)


def written(path, chunk, keys, **header):
    def source(start, stop, rough):
        return Chunk(chunk.kind[start:stop], chunk.distance[start:stop])

    write_table(path, HEADER | header, source, keys.size, "positions", keys)
    return path


@pytest.mark.usefixtures("few_tries")
def test_packed_and_other_files_say_the_same(tmp_path, monkeypatch):
    chunk, keys, _ = some(300, (0, 1, 2), 9, 5000)
    versions = []
    for name, limit in (("packed", 0), ("other", 1000)):
        monkeypatch.setattr(packing, "PACKED_FROM", limit)
        with TableFile(written(tmp_path / name, chunk, keys)) as file:
            versions.append(file.layout.version)
            assert sum(file.plane_sizes().values()) < file.size
            block = file.block(0)
            assert (block.keys == keys).all()
            assert (block.kind == chunk.kind).all()
            assert (block.distance == chunk.distance).all()
            assert file.look(int(keys[7])) == (chunk.kind[7], chunk.distance[7])
            assert file.look(int(keys[7]) + 5000) == (KIND_ABSENT, -1)
            file.check()
    assert versions == [VERSION_PACKED, VERSION]


def test_a_packed_layout_without_keys_is_impossible():
    layout = Layout(10, "positions", (0, 1), {1: Scale(0, 1, 3)}, shape=DIGITS).to_json()
    assert Layout.from_json(layout).shape == DIGITS
    for keys in ("index", "texts"):
        with pytest.raises(ValueError, match="impossible"):
            Layout.from_json({**layout, "keys": keys})
    for name in Shape._fields:
        with pytest.raises(ValueError, match="impossible"):
            Layout.from_json({**layout, "packed": {**layout["packed"], name: 99}})


@pytest.mark.usefixtures("few_tries")
@pytest.mark.parametrize("version", [3, 4])
def test_blocks_that_an_older_version_packed_are_refused(tmp_path, monkeypatch, version):
    monkeypatch.setattr(packing, "PACKED_FROM", 0)
    chunk, keys, _ = some(50, (0, 1), 9, 5000)
    path = written(tmp_path / "t.zt", chunk, keys)
    data = path.read_bytes()
    _, _, length, _, _ = PREAMBLE.unpack(data[: PREAMBLE.size])
    start, stop = PREAMBLE.size, PREAMBLE.size + length
    header = {**json.loads(data[start:stop]), "packed": True}
    text = json.dumps(header).encode().ljust(length)
    size = len(data) - length + len(text)
    front = PREAMBLE.pack(MAGIC, version, len(text), size, bytes(8))
    path.write_bytes(front + text + data[stop:])
    with pytest.raises(FormatError, match=f"version {version}.*build the table again"):
        TableFile(path)


def test_a_distance_beyond_the_header_is_an_error():
    chunk, keys, scales = some(50, (0, 1), 9, 5000)
    planes = pack_block(chunk, keys, (0, 1), scales, BITS, compress)
    place = int(keys[0]), keys.size
    with pytest.raises(ValueError, match="a distance is not in the header"):
        unpack_block(planes, place, (0, 1), {1: Scale(1, 2, 3)}, BITS)


@pytest.mark.usefixtures("few_tries")
def test_every_changed_byte_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "PACKED_FROM", 0)
    chunk, keys, _ = some(50, (0, 1), 9, 5000)
    path = written(tmp_path / "t.zt", chunk, keys)
    sound = path.read_bytes()
    for place in range(len(sound)):
        data = bytearray(sound)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        with pytest.raises(FormatError), TableFile(path) as file:
            file.check()
    path.write_bytes(sound[:-1])
    with pytest.raises(FormatError, match="cut short"):
        TableFile(path)


@pytest.mark.slow("False")
@pytest.mark.usefixtures("few_tries")
@pytest.mark.parametrize("distances", [True, False])
def test_packed_tables_of_all_engines(tmp_path, monkeypatch, distances):
    rules = zm.game("connect4:3x2,3")
    answers, data = [], []
    for name, limit, engine in (("a", 10**6, "memory"), ("b", 0, "memory"), ("c", 0, "disk")):
        monkeypatch.setattr(packing, "PACKED_FROM", limit)
        path = tmp_path / f"{name}.zt"
        with zm.build(rules, path, engine=engine, distances=distances) as table:
            table.verify()
            rows = [(x.position, x.value, x.distance) for x in table]
            many = table.probe_many([position for position, _, _ in rows], moves=True)
            answers.append((rows, many.move))
            assert ("packed" in table.header) == (limit == 0)
        data.append(path.read_bytes())
    assert answers[0] == answers[1] == answers[2]
    assert data[1] == data[2]
