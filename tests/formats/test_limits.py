"""Small files that would need much memory, and files that define an entry twice."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
import zlib

import numpy as np
import pytest
import zstandard

import zermelo as zm
from zermelo.errors import FormatError, MemoryLimitError, ZermeloError
from zermelo.formats.common import compression


def read(data, format):
    return zm.read(io.BytesIO(data.encode() if isinstance(data, str) else data), format)


@pytest.fixture
def one_gigabyte(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1G")


MATRIX = "%%MatrixMarket matrix coordinate pattern general\n2000000000 2000000000 1\n1 1\n"
GAME = '{"format": "zermelo-game", "version": 1, '


@pytest.mark.usefixtures("one_gigabyte")
@pytest.mark.parametrize(
    ("data", "format"),
    [
        (MATRIX, "mtx"),
        (MATRIX.replace("pattern", "real").replace("1 1\n", "1 1 1\n"), "mtx"),
        (GAME + '"n": 2000000000, "edges": []}', "json"),
        (GAME + '"edges": [[0, 2000000000]]}', "json"),
    ],
)
def test_positions_that_do_not_fit_are_refused(data, format):
    with pytest.raises(MemoryLimitError, match=r"needs about \d+\.\d GiB, 1\.0 GiB are available"):
        read(data, format)


@pytest.mark.usefixtures("one_gigabyte")
@pytest.mark.parametrize(
    "build",
    [
        lambda: zm.Graph.from_edges([], n=2_000_000_000),
        lambda: zm.Graph.from_arrays([0], [2_000_000_000]),
        lambda: zm.generators.path(2_000_000_000),
        lambda: zm.generators.random_graph(2_000_000_000),
        lambda: zm.generators.tree(2, 29),
        lambda: zm.transform.unravel(zm.Graph.from_edges([(0, 0)]), 0, 10**9),
        lambda: zm.transform.unravel(zm.Graph.from_edges([(0, 1), (1, 0)]), 0, 10**100),
    ],
)
def test_graphs_that_do_not_fit_are_refused(build):
    with pytest.raises(MemoryLimitError, match=r"1\.0 GiB are available"):
        build()


def archive(**arrays):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in arrays.items():
            file.writestr(f"{name}.npy", data)
    return out.getvalue()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def test_arrays_that_are_larger_than_their_file():
    out = io.BytesIO()
    head = {"descr": "<i8", "fortran_order": False, "shape": (10**10,)}
    np.lib.format.write_array_header_1_0(out, head)
    with pytest.raises(FormatError, match=r"indptr.npy'?: expected .* entries, got fewer"):
        read(archive(indptr=out.getvalue(), indices=npy(np.zeros(0, np.int32))), "npz")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_twice():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for data in (np.array([0, 0]), np.array([0, 1])):
            file.writestr("indptr.npy", npy(data))
    with pytest.raises(FormatError, match="appears twice"):
        read(out.getvalue(), "npz")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_packed_files_are_unpacked_within_bounds(monkeypatch, pack):
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    monkeypatch.setattr(compression, "_CHECK_EVERY", 1 << 16)
    with pytest.raises(MemoryLimitError, match="unpacking this"):
        read(pack(bytes(3_000_000)), "edgelist")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_no_piece_of_a_packed_file_becomes_much_at_once(monkeypatch, pack):
    """Memory is looked at after each part, so a part must not be large."""
    monkeypatch.setattr(compression, "_CHECK_EVERY", 1 << 16)
    parts, unpacked = [], compression._unpacked

    def noted(*given):
        for part in unpacked(*given):
            parts.append(len(part))
            yield part

    monkeypatch.setattr(compression, "_unpacked", noted)
    content = bytes(300_000) + b"a b\n" * 1000
    assert compression.decompress(pack(content)) == content
    assert compression.decompress(pack(content) + pack(content)) == 2 * content
    assert len(parts) > 4 if pack is not zstandard.compress else parts
    assert max(parts) <= (1 << 16 if pack is not zstandard.compress else 64_000_000)
    with pytest.raises(FormatError, match="cut short"):
        compression.decompress(pack(content)[:-5])


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_the_rest_of_a_file_is_not_copied_for_each_of_its_members(suffix):
    """Each slice of the data is a copy; some of them may be as long as a piece."""
    copied = []

    class Data(bytes):
        def __getitem__(self, key):
            found = super().__getitem__(key)
            copied.append(len(found) if isinstance(key, slice) else 0)
            return found

    many = Data(compression.compress(b"", suffix) * 2000)
    assert compression.decompress(many, suffix) == b""
    assert max(copied) <= 1 << 11
    if suffix in (".gz", ".xz"):
        assert compression.decompress(bytes(many) + bytes(999), suffix) == b""
        with pytest.raises(FormatError, match="data are damaged"):
            compression.decompress(bytes(many) + bytes(999) + b"a", suffix)


def test_headers_of_arrays_are_read_within_bounds(monkeypatch, tmp_path):
    """A header of the second version may say that it is 4 GB long, and NumPy reads all of it."""
    header = b"\x93NUMPY\2\0" + (10**6).to_bytes(4, "little") + b" " * 10**6
    (tmp_path / "g.npz").write_bytes(archive(indptr=header, indices=header))
    sizes, read = [], zipfile.ZipExtFile.read

    def noted(file, size=-1):
        sizes.append(len(found := read(file, size)))
        return found

    monkeypatch.setattr(zipfile.ZipExtFile, "read", noted)
    for work in (zm.read, zm.plan):
        with pytest.raises(FormatError, match="expected a NumPy archive"):
            work(str(tmp_path / "g.npz"))
    assert sum(sizes) < 500_000


def test_archives_of_other_methods_are_refused(tmp_path):
    """Python unpacks 4,096 bytes of bzip2 at once, which may be five gigabytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as file:
        for name in ("indptr", "indices"):
            file.writestr(f"{name}.npy", npy(np.zeros(1, np.int64)))
    (tmp_path / "g.npz").write_bytes(out.getvalue())
    for work in (zm.read, zm.plan):
        with pytest.raises(FormatError, match="stored or deflated"):
            work(str(tmp_path / "g.npz"))


@pytest.mark.parametrize("dtype", ["<U0", "|S0", "|V0"])
def test_an_array_of_nothing_many_times(dtype):
    """Names of no bytes: 10¹² of them are in a file of 1 kB."""
    out = io.BytesIO()
    head = {"descr": dtype, "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(out, head)
    parts = {"indptr": npy(np.zeros(2, np.int64)), "indices": npy(np.zeros(0, np.int32))}
    with pytest.raises(FormatError, match=r"names.npy'?: expected .* entries, got fewer"):
        read(archive(**parts, names=out.getvalue()), "npz")


def test_archives_are_unpacked_within_bounds(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    with pytest.raises(MemoryLimitError, match="unpacking this"):
        read(archive(indptr=npy(np.zeros(100_000, np.int64))), "npz")


def test_an_xz_file_that_asks_for_much_memory():
    packer = lzma.LZMACompressor(filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}])
    data = bytearray(packer.compress(b"a b\n") + packer.flush())
    assert read(bytes(data), "edgelist").graph.n == 2
    # The byte after the filter's size is its dictionary: 40 stands for 4 GiB. Its header has a sum.
    data[16] = 40
    data[20:24] = zlib.crc32(bytes(data[12:20])).to_bytes(4, "little")
    with pytest.raises(FormatError, match="the xz data are damaged: Memory usage limit exceeded"):
        read(bytes(data), "edgelist")


def test_edges_between_subgraphs_are_counted():
    nodes = " ".join(map(str, range(5000)))
    with pytest.raises(FormatError, match="at most 10,000,000 edges between subgraphs, got 25,000"):
        read(f"digraph {{ {{{nodes}}} -> {{{nodes}}} }}", "dot")
    few = read("digraph { {a b} -> {c d} -> e; a -> b }", "dot")
    assert few.graph.m == 7


@pytest.mark.parametrize(
    ("data", "format", "part"),
    [
        ("a, b\n", "edgelist", "1:2: expected names separated by blanks, got a comma in 'a, b'"),
        ("a b\na,b\n", "edgelist", "2:2: expected names separated by blanks"),
        ("a ,b # c\n", "edgelist", "1:3: expected names separated by blanks"),
        ("", "pg", "1: expected a parity game, got an empty file"),
        (" \n\n", "pg", "expected a parity game, got an empty file"),
        ("digraph { a [owner=0, owner=1] }", "dot", "expected one owner, got a second"),
        ("digraph {\na [owner=0];\na [owner=1];\n}\n", "dot", "3:10: node 'a' has two owners"),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n",
            "mtx",
            "3: expected a number, got 'nan'",
        ),
        ("HOA: v1 States: 2 Start: 0 Start: 1", "hoa", "'Start:' appears twice"),
        ("HOA: v1 States: 2 Start: 0 Start: 0", "hoa", "'Start:' appears twice"),
        (
            '<graphml><key id="o" for="node" attr.name="owner"/><key id="o"/></graphml>',
            "graphml",
            "key 'o' appears twice",
        ),
        (
            '<graphml><key id="o" for="node" attr.name="owner"/><graph><node id="a">'
            '<data key="o">0</data><data key="o">1</data></node></graph></graphml>',
            "graphml",
            "expected one owner of a node",
        ),
    ],
)
def test_input_that_was_once_accepted_silently_is_refused(data, format, part):
    with pytest.raises(FormatError) as caught:
        read(data, format)
    assert part in str(caught.value)


def test_names_with_commas_are_quoted():
    graph = zm.Graph.from_edges([("a,b", "c"), ("c", "a,b")])
    out = io.BytesIO()
    zm.write(graph, out, format="edgelist")
    assert out.getvalue() == b'"a,b" c\nc "a,b"\n'
    assert read(out.getvalue(), "edgelist").graph == graph


def test_a_heading_twice_in_a_solution():
    graph, out = zm.Graph.from_edges([("a", "b")]), io.BytesIO()
    zm.write(zm.solve(graph), out, format="csv")
    data = out.getvalue().replace(b"# solver", b"# solver: nmfl\n# solver")
    with pytest.raises(FormatError, match=r"'# solver:' appears twice"):
        zm.read_solution(io.BytesIO(data), graph, "csv")


@pytest.mark.parametrize("payoff", ["1e999999999", "1e-999999999", "9" * 5000, "1/" + "9" * 5000])
def test_payoffs_have_a_limited_number_of_digits(payoff):
    objective = {"objective": "terminal-payoff", "payoffs": {"1": payoff}}
    data = {"format": "zermelo-game", "version": 1, "edges": [[0, 1]], "objective": objective}
    with pytest.raises(ZermeloError, match="at most 1,000 digits"):
        read(json.dumps(data), "json")


def test_nested_data_is_refused():
    deep = "[" * 100_000 + "]" * 100_000
    for data in (deep, GAME + f'"names": [{deep}], "edges": []}}', "[" * 900 + "]" * 900):
        with pytest.raises(FormatError):
            read(data, "json")
    with pytest.raises(FormatError):
        read("digraph {" + "{" * 5000 + "}" * 5000 + "}", "dot")


# -------------------------------------------------------------------- types of other programs


def saved(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def table(**columns):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    names = [name.rstrip("_") for name in columns]
    parquet.write_table(arrow.Table.from_arrays([*map(arrow.array, columns.values())], names), out)
    return out.getvalue()


@pytest.mark.parametrize("weighted", [False, True])
def test_unsigned_numbers(weighted):
    rows = {"indptr": np.array([0, 2, 2]), "indices": np.array([0, 1])}
    ends = {"source": np.array([0, 0]), "target": np.array([0, 1])}
    if weighted:
        rows["weight"] = ends["weight"] = np.array([3, 4])
    for make, arrays, format in ((saved, rows, "npz"), (table, ends, "parquet")):
        wanted = read(make(**arrays), format)
        unsigned = {name: array.astype(np.uint64) for name, array in arrays.items()}
        game = read(make(**unsigned), format)
        assert game.graph == wanted.graph
        assert (game.weight is None) == (wanted.weight is None) == (not weighted)
        target = list(unsigned)[1]
        unsigned[target][-1] = 2**63
        with pytest.raises(FormatError, match=rf"{target}: expected integers below 2\*\*63"):
            read(make(**unsigned), format)


def test_two_columns_of_one_name():
    one = np.array([0, 1])
    with pytest.raises(FormatError, match="expected one column source, got 2 of this name"):
        read(table(source=one, source_=one, target=one), "parquet")
    solution = io.BytesIO()
    game = zm.Graph.from_edges([(0, 1)])
    zm.write(zm.solve(game), solution, format="parquet")
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(io.BytesIO(solution.getvalue()))
    out = io.BytesIO()
    parquet.write_table(found.append_column("label", found.column("label")), out)
    with pytest.raises(FormatError, match="expected one column label, got 2"):
        zm.read_solution(io.BytesIO(out.getvalue()), game, "parquet")


def test_a_budget_for_the_process_counts_what_reading_takes(monkeypatch, tmp_path):
    from zermelo._runtime import memory

    size = 1 << 17
    indptr = np.arange(size + 1)
    path = tmp_path / "game.npz"
    path.write_bytes(saved(indptr=indptr, indices=np.zeros(size, np.int32)))
    monkeypatch.setattr(memory, "resident", lambda: 1 << 20)
    few = pytest.raises(MemoryLimitError, match=r"reading .*game\.npz needs about 1\.5 MiB")
    with memory.within(path.stat().st_size - 1), few:
        zm.read(path)
    more = pytest.raises(MemoryLimitError, match=r"unpacking .* 3\.0 MiB, 2\.0 MiB are available")
    with memory.within(2 << 20), more:
        zm.read(path)
    assert zm.read(path).graph.n == size
