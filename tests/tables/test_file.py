"""The format .zt: what goes in comes out, and damage is seen, wherever it is."""

import shutil
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.tables import Parts
from tests.sampling import examples
from tests.tables.games import HEADER

import zermelo as zm
from zermelo.errors import FormatError
from zermelo.tables.storage.codes import (
    ALONE,
    KIND_ABSENT,
    KIND_FREE,
    KINDS,
    KINDS_ALONE,
    LABELS,
    STORED,
    Chunk,
    Scale,
)
from zermelo.tables.storage.file import BLOCK, PREAMBLE, TableFile, pack, shuffle, unpack, unshuffle
from zermelo.tables.storage.write import write_table


def some_entries(n, kinds, longest, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.choice(np.array(kinds, np.uint8), n)
    distance = rng.integers(0, longest + 1, n, dtype=np.int32)
    return Chunk(kind, np.where(np.isin(kind, STORED), distance, -1).astype(np.int32))


def write(path, entries, keys=None, key_kind="index", header=HEADER):
    def source(start, stop, rough):
        return Chunk(entries.kind[start:stop], entries.distance[start:stop])

    write_table(path, header, source, entries.kind.size, key_kind, keys)
    return path


def read(path):
    with TableFile(path) as table:
        blocks = [table.block(k) for k in range(table.layout.blocks)]
    return (
        np.concatenate([b.kind for b in blocks]),
        np.concatenate([b.distance for b in blocks]),
    )


ALL = list(range(KIND_ABSENT + 1))


@pytest.mark.parametrize("kinds", [[0], [1], [0, 1], [0, 1, 3], [0, 1, 2, 3], ALL])
@pytest.mark.parametrize("longest", [0, 255, 256, 70_000])
@pytest.mark.parametrize("n", [1, 5, BLOCK, 2 * BLOCK + 3])
def test_entries_come_back(tmp_path, kinds, longest, n):
    entries = some_entries(n, kinds, longest)
    kind, distance = read(write(tmp_path / "t.zt", entries))
    np.testing.assert_array_equal(kind, entries.kind)
    np.testing.assert_array_equal(distance, entries.distance)


def test_a_free_entry_costs_nothing_and_touches_no_other(tmp_path):
    entries = some_entries(3 * BLOCK, [0, 1, 2, KIND_FREE], 40)
    kind, distance = read(write(tmp_path / "t.zt", entries))
    kept = entries.kind != KIND_FREE
    np.testing.assert_array_equal(kind[kept], entries.kind[kept])
    np.testing.assert_array_equal(distance[kept], entries.distance[kept])
    assert (kind[~kept] == 0).all()


def test_without_wins_a_free_entry_is_something_else(tmp_path):
    entries = some_entries(1000, [1, 2, KIND_FREE], 40)
    kind, distance = read(write(tmp_path / "t.zt", entries))
    kept = entries.kind != KIND_FREE
    np.testing.assert_array_equal(kind[kept], entries.kind[kept])
    np.testing.assert_array_equal(distance[kept], entries.distance[kept])


@pytest.mark.parametrize("spread", [1, 3, 1000, 2**40])
@pytest.mark.parametrize("key_kind", ["positions", "indices"])
def test_numbers_are_found_again(tmp_path, spread, key_kind):
    rng = np.random.default_rng(spread)
    keys = np.cumsum(rng.integers(1, spread + 1, 2 * BLOCK + 7)).astype(np.int64)
    entries = some_entries(keys.size, [0, 1, 3], 60)
    with TableFile(write(tmp_path / "t.zt", entries, keys, key_kind)) as table:
        assert table.layout.keys == key_kind
        for i in [0, 1, BLOCK - 1, BLOCK, keys.size - 1, *rng.integers(0, keys.size, 50)]:
            assert table.find(int(keys[i])) == i
            assert table.look(int(keys[i])) == (entries.kind[i], entries.distance[i])
        for missing in [0, int(keys[0]) - 1, int(keys[-1]) + 1, 2**62]:
            assert table.find(missing) == -1
            assert table.look(missing) == (KIND_ABSENT, -1)
        present = set(keys.tolist())
        for x in rng.integers(keys[0], keys[-1], 50).tolist():
            assert (table.find(x) >= 0) == (x in present)


@pytest.mark.slow
@pytest.mark.parametrize("key_kind", ["positions", "indices"])
def test_a_key_is_in_one_block_only(tmp_path, key_kind):
    path = write(tmp_path / "t.zt", some_entries(BLOCK + 9, [0], 0), np.arange(BLOCK + 9), key_kind)
    parts = Parts.of(path.read_bytes())
    parts.first[1] -= 1
    path.write_bytes(parts.signed())
    message = f"block 0 is damaged: expected keys below {BLOCK - 1:,}, got {BLOCK - 1:,}"
    with TableFile(path) as table, pytest.raises(FormatError, match=message):
        table.read(0)


def test_texts_are_found_again(tmp_path):
    texts = sorted({f"{k:x}·{'a' * (k % 7)}" for k in range(BLOCK + 9)} | {""})
    entries = some_entries(len(texts), [0, 1], 9)
    with TableFile(write(tmp_path / "t.zt", entries, texts, "texts")) as table:
        assert [table.find(text) for text in texts] == list(range(len(texts)))
        assert [table.find(text) for text in ("?", "zz", "1·b")] == [-1, -1, -1]


@given(st.lists(st.integers(0, 15), min_size=1, max_size=99), st.sampled_from([1, 2, 4]))
def test_packing_is_undone(numbers, bits):
    codes = np.array(numbers, np.uint8) & (1 << bits) - 1
    packed = pack(codes, bits)
    assert len(packed) == -(-codes.size * bits // 8)
    np.testing.assert_array_equal(unpack(packed, bits, codes.size), codes)


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=30))
def test_shuffling_is_undone(numbers):
    array = np.array(numbers, np.int64)
    width = max(1, -(-max(numbers).bit_length() // 8))
    np.testing.assert_array_equal(unshuffle(shuffle(array, width), width), array)


def test_distances_of_one_parity_are_halved():
    assert Scale.covering(1, 511, {1}).width == 1
    assert Scale.covering(1, 511, {0, 1}).width == 2


def test_the_same_entries_make_the_same_bytes(tmp_path, monkeypatch):
    entries = some_entries(5 * BLOCK + 1, ALL, 90)
    one = write(tmp_path / "one.zt", entries).read_bytes()
    monkeypatch.setenv("ZERMELO_THREADS", "1")
    assert write(tmp_path / "two.zt", entries).read_bytes() == one


# -------------------------------------------------------------------- damage


@pytest.fixture(scope="module", params=["index", "positions", "texts"])
def sound(request, tmp_path_factory):
    n = 2 * BLOCK + 100
    keys = {
        "index": None,
        "positions": np.arange(3, 3 + 7 * n, 7, dtype=np.int64),
        "texts": sorted(map(str, range(n))),
    }[request.param]
    path = tmp_path_factory.mktemp("sound") / "t.zt"
    write(path, some_entries(n, [0, 1, 2, 3], 90), keys, request.param)
    with TableFile(path) as table:
        starts = table._starts.tolist()
    return path.read_bytes(), starts


def complaint(path):
    """What opening a file and reading all of it complains about."""
    with pytest.raises(FormatError) as caught, TableFile(path) as table:
        table.check()
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
def test_flipped_bytes(sound, tmp_path):
    """1,200 of them in three kinds of files, a quarter before the blocks."""
    data, starts = sound
    rng = np.random.default_rng(7)
    path = tmp_path / "t.zt"
    head = starts[0]
    places = [*rng.integers(0, head, 100).tolist(), *rng.integers(head, len(data), 300).tolist()]
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= int(rng.integers(1, 256))
        path.write_bytes(damaged)
        message = complaint(path)
        if place < head:
            assert "block" not in message.partition(str(path))[2] or "header" in message
        else:
            number = int(np.searchsorted(starts, place, side="right")) - 1
            assert f"block {number} is damaged" in message


def test_every_byte_of_the_preamble_matters(sound, tmp_path):
    data, _ = sound
    for place in range(PREAMBLE.size):
        damaged = bytearray(data)
        damaged[place] ^= 1
        (tmp_path / "t.zt").write_bytes(damaged)
        complaint(tmp_path / "t.zt")


@examples(60)
@given(cut=st.floats(0, 1, exclude_max=True))
def test_a_file_cut_short(sound, tmp_path_factory, cut):
    data, _ = sound
    path = tmp_path_factory.mktemp("cut") / "t.zt"
    path.write_bytes(data[: int(cut * len(data))])
    message = complaint(path)
    assert "cut short" in message or "expected a table" in message


def test_a_file_extended(sound, tmp_path):
    data, _ = sound
    (tmp_path / "t.zt").write_bytes(data + b"\0")
    assert "extended" in complaint(tmp_path / "t.zt")


def test_swapped_blocks_are_seen(tmp_path):
    """Blocks of one length, swapped with their lengths and checksums in the directory."""
    n = 4 * BLOCK
    path = write(tmp_path / "t.zt", some_entries(n, [0, 3], 0))
    data = bytearray(path.read_bytes())
    with TableFile(path) as table:
        starts = table._starts.tolist()
    sizes = np.diff(starts)
    i, j = next((i, j) for i in range(4) for j in range(i) if sizes[i] == sizes[j])
    a, b = slice(starts[i], starts[i + 1]), slice(starts[j], starts[j + 1])
    assert data[a] != data[b]
    data[a], data[b] = data[b], data[a]
    path.write_bytes(data)
    assert f"block {min(i, j)} is damaged" in complaint(path)


def test_a_newer_version_of_the_format_is_refused(sound, tmp_path):
    data = bytearray(sound[0])
    struct.pack_into("<I", data, 8, 99)
    (tmp_path / "t.zt").write_bytes(data)
    assert "version 99; a newer zermelo may read it" in complaint(tmp_path / "t.zt")


@pytest.mark.parametrize("data", [b"", b"a b\n", b"\x89ZMT\r\n\x1a\n", bytes(100)])
def test_what_is_no_table(tmp_path, data):
    (tmp_path / "t.zt").write_bytes(data)
    assert "expected a table" in complaint(tmp_path / "t.zt")


def test_wrong_fields_with_a_right_checksum_are_errors(tmp_path, monkeypatch):
    """Unknown kinds and too few distances, made on purpose, cause no crash."""
    from zermelo.tables.storage import write as writer

    entries = some_entries(BLOCK, [0, 1, 3], 20)
    encode = writer.encode
    for damage in (
        lambda planes: [b"\xff" * len(planes[0]), *planes[1:]],
        lambda planes: [planes[0], planes[1][:-3]],
        lambda planes: [planes[0][:-3], planes[1]],
    ):
        monkeypatch.setattr(writer, "encode", lambda *x, f=damage: f(encode(*x)))
        message = complaint(write(tmp_path / "t.zt", entries))
        assert "block 0 is damaged" in message


def test_the_cache_forgets_what_was_used_least_recently(tmp_path):
    entries = some_entries(5 * BLOCK, [0, 1], 20)
    with TableFile(write(tmp_path / "t.zt", entries), cache=2 * BLOCK) as table:
        assert table._cache.slots == 2
        held = []
        for k in (0, 1, 2, 0, 4, 0, 3, 4):
            assert table.look(k * BLOCK) == (
                entries.kind[k * BLOCK],
                entries.distance[k * BLOCK],
            )
            held.append(table._cache.held)
        assert held == [[0], [0, 1], [1, 2], [0, 2], [0, 4], [0, 4], [0, 3], [3, 4]]


@pytest.mark.parametrize("cache", [0, 4 * BLOCK, 1 << 28])
def test_many_entries_at_once(tmp_path, cache):
    """Also more blocks than are kept."""
    entries = some_entries(5 * BLOCK - 7, [0, 1], 20)
    places = np.random.default_rng(1).integers(0, entries.kind.size, 500)
    places[[3, 7]] = -1, entries.kind.size
    there = (places >= 0) & (places < entries.kind.size)
    with TableFile(write(tmp_path / "t.zt", entries), cache=cache) as table:
        for _ in range(2):
            kind, distance = table.look_many(places)
            assert kind[there].tolist() == entries.kind[places[there]].tolist()
            stored = there & (kind == 1)
            assert distance[stored].tolist() == entries.distance[places[stored]].tolist()
            assert set(kind[~there].tolist()) == {KIND_ABSENT}
        assert len(table._cache.held) <= table._cache.slots


def test_kinds_have_names():
    assert len(set(KINDS)) == len(KINDS) == len(LABELS) == len(KINDS_ALONE)
    assert {KINDS[kind] for kind in KINDS_ALONE} == {KINDS[kind] for kind in ALONE} | {"free"}


CUT = """
import os, sys
import zermelo as zm
import zermelo as zm
from zermelo.errors import FormatError
from zermelo.tables.storage.export import export

with zm.Table("t.zt") as table:
    os.truncate("t.zt", int(sys.argv[1]))
    position = table.rules.start()
    for job in (
        lambda: table.probe(position),
        lambda: table.verify(),
        lambda: table.verify(20),
        lambda: list(table),
        lambda: export(table, "t.csv"),
        lambda: table.line(position),
        lambda: table._file.check(),
    ):
        try:
            job()
        except FormatError as error:
            print(error)
    print(sorted(table.counts()) != [])
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table of many blocks, which is copied and not changed."""
    path = tmp_path_factory.mktemp("large") / "t.zt"
    zm.build("connect4:4x4", path).close()
    return path


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kept", [0, 100, -1])
def test_a_file_cut_short_while_it_is_open(large, tmp_path, kept):
    shutil.copy(large, tmp_path)
    size = (tmp_path / "t.zt").stat().st_size
    left = kept if kept >= 0 else size - 30
    command = [sys.executable, "-c", CUT, str(left)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "True"
    assert all("t.zt: the file was cut short while it was open" in line for line in lines[:-1])
    assert len(lines) == 8 if kept >= 0 else len(lines) > 3
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.slow
def test_using_a_closed_table_is_an_error(tmp_path):
    table = zm.build("tictactoe", tmp_path / "t.zt")
    table.close()
    with pytest.raises(FormatError, match="the table is closed"):
        table.probe(table.rules.start())
