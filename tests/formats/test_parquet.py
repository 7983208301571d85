"""Parquet files whose pages become more than they say, and sound files of other programs."""

import contextlib
import io
import struct
import zlib

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import FormatError, MemoryLimitError, ZermeloError
from zermelo.formats.binary.parquet_pages import _Pages
from zermelo.formats.binary.shards import _from_parquet

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def read(data):
    return zm.read(io.BytesIO(data), "parquet")


def written(columns, **options):
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out, **options)
    return out.getvalue()


def test_pages_with_statistics_of_several_sizes():
    """The header of a page has the least and the greatest value as bytes."""
    columns = {"source": pyarrow.array([3, -2], "int64"), "text": ["a", "bcdefg"]}
    data = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), data, use_dictionary=False)
    group = parquet.ParquetFile(data).metadata.row_group(0)
    for number in range(2):
        chunk = group.column(number)
        reader = _Pages(data.getvalue())
        reader.count(chunk)
        assert reader.values == 2
        assert reader.at == chunk.data_page_offset + chunk.total_compressed_size


def packed_rows(sources, **options):
    return written({"source": sources, "target": ["b"] * len(sources)}, **options)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["zstd", "snappy", "gzip", "none"])
def test_pages_of_sound_files_are_counted(version, codec):
    """Their headers have statistics of each page, too."""
    names = [f"p{k % 700}" for k in range(5000)]
    for dictionary in (True, False):
        options = {"compression": codec, "use_dictionary": dictionary, "row_group_size": 900}
        data = packed_rows(names, data_page_version=version, data_page_size=512, **options)
        game = read(data)
        assert game.graph.n == 701
        assert game.graph.name(0) == "p0"


def test_a_long_text_in_all_rows_is_kept_once(monkeypatch):
    """20,000 rows of one text of 100 kB are 2 GB, in a file of some kB."""
    monkeypatch.setenv("ZERMELO_MEMORY", "64M")
    texts = pyarrow.array(["a" * 100_000])
    rows = pyarrow.DictionaryArray.from_arrays(np.zeros(20_000, np.int32), texts)
    data = packed_rows(rows, store_schema=False)
    assert len(data) < 100_000
    assert read(data).graph.m == 1


def test_columns_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "8M")
    data = packed_rows(["a" * 9_000_000], use_dictionary=False, compression="zstd")
    assert len(data) < 10_000
    with pytest.raises(MemoryLimitError, match="a table of 1 rows"):
        read(data)


def test_pages_that_are_larger_than_the_metadata_say():
    """Pyarrow believes the header of a page: it may become 2 GB, whatever the metadata say."""
    data = packed_rows(["a" * 5000], use_dictionary=False, compression="zstd")
    start = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0).data_page_offset
    # The type of the page, then twice its size, in bytes of seven bits.
    assert data[start : start + 3] == b"\x15\x00\x15"
    low, high = data[start + 3 : start + 5]
    assert 5000 < (low & 127 | high << 7) // 2 < 5100
    forged = data[: start + 3] + bytes((low, high + 2)) + data[start + 5 :]
    with pytest.raises(FormatError, match=r"column 0 has 5,1\d\d bytes and 1 val.* and 5,0"):
        read(forged)


def test_changed_bytes_of_a_page_header_are_errors_of_ours():
    data = packed_rows(["a", "b", "c"])
    chunk = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0)
    start = chunk.dictionary_page_offset
    for place in range(start, start + chunk.total_compressed_size):
        for byte in (0, 255, data[place] ^ 1, data[place] ^ 64):
            forged = data[:place] + bytes([byte]) + data[place + 1 :]
            with contextlib.suppress(ZermeloError):
                read(forged)


# -------------------------------------------------------------------- files made by hand

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
PLAIN = 0
LARGE = 5_000_000


def varint(number):
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def encoded(value, kind):
    """A value in the compact protocol of Thrift; a struct is a list of (field, kind, value)."""
    if kind in (I32, I64):
        return varint(2 * value)
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == LIST:
        inner, items = value
        return bytes([len(items) << 4 | inner]) + b"".join(encoded(x, inner) for x in items)
    return b"".join(bytes([k]) + varint(2 * n) + encoded(x, k) for n, k, x in value) + b"\0"


def data_head(count, encoding=PLAIN):
    return 5, STRUCT, [(1, I32, count), (2, I32, encoding), (3, I32, 3), (4, I32, 3)]


def page(content, head, kind=0, lengths=None, packed=None):
    """A page; ``lengths`` and ``packed`` are there instead of the true lengths."""
    body = zlib.compress(content)
    lengths = [(2, I32, len(content))] if lengths is None else lengths
    return encoded([(1, I32, kind), *lengths, (3, I32, packed or len(body)), *head], STRUCT) + body


def by_hand(pages, values, kind=2, logical=(), unpacked=500):
    """A table whose columns source and target have the same pages, which say they are small."""
    out, columns, schema = b"PAR1", [], [[(4, BINARY, b"schema"), (5, I32, 2)]]
    for name in (b"source", b"target"):
        meta = [(1, I32, kind), (2, LIST, (I32, [PLAIN])), (3, LIST, (BINARY, [name]))]
        sizes = [(5, I64, values), (6, I64, unpacked), (7, I64, len(pages)), (9, I64, len(out))]
        columns.append([(2, I64, len(out)), (3, STRUCT, [*meta, (4, I32, 2), *sizes])])
        schema.append([(1, I32, kind), (3, I32, 0), (4, BINARY, name), *logical])
        out += pages
    group = [(1, LIST, (STRUCT, columns)), (2, I64, 1000), (3, I64, values)]
    fields = [(1, I32, 2), (2, LIST, (STRUCT, schema)), (3, I64, values)]
    footer = encoded([*fields, (4, LIST, (STRUCT, [group]))], STRUCT)
    return out + footer + struct.pack("<I", len(footer)) + b"PAR1"


ONE = struct.pack("<q", 1)
DICTIONARY = 7, STRUCT, [(1, I32, 1), (2, I32, PLAIN)]
V2 = 8, STRUCT, [(1, I32, 1), (2, I32, 0), (3, I32, 1), (4, I32, 0), (5, I32, 0), (6, I32, 0)]
SOUND, BOMB = page(ONE, [data_head(1)]), page(ONE + bytes(LARGE), [data_head(1)])
LONG = (2, I32, LARGE + 8)

FORGED = {
    "length": (BOMB, 1, "has 5,000,008 bytes and 1 values in its pages, and 500 and 1"),
    "two headers": (page(ONE, [data_head(2), V2], 3) + BOMB, 2, "lacks the header of its type"),
    "dictionary with values": (
        page(ONE, [data_head(2), DICTIONARY], 2) + SOUND + BOMB,
        2,
        "lacks the header of its type",
    ),
    "length of 64 bits": (
        page(ONE + bytes(LARGE), [data_head(1)], lengths=[LONG, (2, I64, 8)]),
        1,
        "the header of a page is unknown",
    ),
    "field number that wraps": (
        page(ONE + bytes(LARGE), [data_head(1)], lengths=[(2, I32, 8), (65538, *LONG[1:])]),
        1,
        "the header of a page is unknown",
    ),
    "number that wraps": (
        page(ONE, [data_head(1)], packed=len(zlib.compress(ONE)) + (1 << 32)) + BOMB,
        2,
        "a number has too many bytes",
    ),
}
"""Pages of 5 MB in which pyarrow believes; their number of values; why they are refused."""


@pytest.mark.parametrize("name", FORGED)
def test_pages_whose_length_is_hidden(name):
    pages, values, part = FORGED[name]
    data = by_hand(pages, values)
    assert parquet.read_table(io.BytesIO(data)).num_rows == values
    with pytest.raises(FormatError, match=part):
        read(data)


@pytest.mark.parametrize(
    ("pages", "part"),
    [
        (SOUND + BOMB[:-1], "a page is longer than its column"),
        (b"", "has 0 bytes and 0 values in its pages, and 500 and 1 in its metadata"),
        (page(ONE, [(4, LIST, (I32, [1])), data_head(1)]), "the header of a page is unknown"),
        (page(ONE, [(5, I32, 1)]), "lacks the header of its type"),
        (page(ONE, [(6, STRUCT, [])], 1) + SOUND, "lacks the header of its type"),
        (page(ONE, [data_head(1)], lengths=[]), "a page has no length or encoding"),
        (page(ONE, [(5, STRUCT, [(1, I32, 1)])]), "a page has no length or encoding"),
    ],
    ids=range(7),
)
def test_pages_that_no_program_writes(pages, part):
    assert read(by_hand(SOUND, 1)).graph.m == 1
    with pytest.raises(FormatError, match=part):
        read(by_hand(pages, 1))


# -------------------------------------------------------------------- encodings and types


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
def test_encodings_that_become_any_size(encoding, version):
    """Pyarrow reads them without a bound, so the sentence says how to write another file."""
    delta = {"use_dictionary": False, "column_encoding": {"source": encoding, "target": "PLAIN"}}
    data = packed_rows(["a", "ab"], data_page_version=version, **delta)
    with pytest.raises(FormatError, match=f"source is encoded as {encoding}, .* write the table"):
        read(data)
    rows = parquet.read_table(io.BytesIO(data))
    assert read(written(rows)).graph.names == ("a", "b", "ab")
    other = pyarrow.table({"comment": rows["source"], "source": [1, 2], "target": [2, 1]})
    delta["column_encoding"] = {"comment": encoding}
    assert read(written(other, **delta)).graph.names == (1, 2)  # a column that is not read


def test_more_lengths_of_texts_than_texts():
    """A page says by itself how many lengths it has: 400 MB of them are in ten bytes."""
    lengths = varint(1 << 30) + varint(1) + varint(100_000_000) + bytes(3)
    texts = page(lengths, [data_head(2, encoding=6)])
    with pytest.raises(FormatError, match="source is encoded as DELTA_LENGTH_BYTE_ARRAY"):
        read(by_hand(texts, 2, kind=6, logical=[(6, I32, 0)]))


def test_entries_of_a_dictionary_are_counted(monkeypatch):
    """Each entry becomes a text of Python, though equal ones take few bytes of the file."""
    monkeypatch.setenv("ZERMELO_MEMORY", "8M")
    entry, count = struct.pack("<I", 1) + b"a", 150_000
    head = 7, STRUCT, [(1, I32, count), (2, I32, PLAIN)]
    pages = page(entry * count, [head], 2) + page(b"\1\2\0", [data_head(1, encoding=8)])
    data = by_hand(pages, 1, kind=6, logical=[(6, I32, 0)], unpacked=10**6)
    with pytest.raises(MemoryLimitError, match="a table of 1 rows"):
        read(data)
    monkeypatch.setenv("ZERMELO_MEMORY", "1G")
    assert read(data).graph.names == ("a",)


def test_types_are_checked_before_columns_are_read(monkeypatch):
    """3,000 rows of 100 kB each are in a file of 700 bytes."""
    wide, ends = pyarrow.array([b"x" * 1000] * 9, pyarrow.binary(1000)), [0] * 9
    original, seen = parquet.ParquetFile.read, []

    def noted(file, columns=None):
        seen.append(columns)
        return original(file, columns=columns)

    monkeypatch.setattr(parquet.ParquetFile, "read", noted)
    part = r"integers or text, got fixed_size_binary\[1000\] and int64"
    with pytest.raises(FormatError, match=part):
        read(written({"source": wide, "target": ends}))
    with pytest.raises(FormatError, match=r"owner: expected numbers, got fixed_size_binary"):
        _from_parquet(written({"successors": [ends] * 9, "owner": wide}))
    assert not seen
    assert read(written({"source": ends, "target": ends, "weight": wide})).weight is None
    assert seen == [["source", "target"]]
