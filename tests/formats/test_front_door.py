"""``read`` and ``write``: suffixes, compression, streams, atomic and repeatable writing."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
import zstandard

import zermelo as zm
from zermelo._runtime import files as _files
from zermelo.errors import (
    CertificateError,
    FormatError,
    InvalidGraphError,
    InvalidObjectiveError,
    InvalidOptionError,
    MemoryLimitError,
    MissingDependencyError,
    UnknownNameError,
)
from zermelo.formats.front import sniff
from zermelo.registry import FORMATS

GRAPH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
PLAIN = GRAPH.with_names(None)
SUFFIXES = [x for row in FORMATS if "graph" in row.holds and not row.games for x in row.suffixes]


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2", ".xz", ".zst", ".GZ"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffixes(tmp_path, suffix, packing):
    path = tmp_path / f"g.x{suffix}{packing}"
    zm.write(PLAIN, path)
    assert zm.read(path).graph == PLAIN
    assert zm.read(str(path)).graph == PLAIN
    with path.open("rb") as file:
        assert zm.read(file).graph == PLAIN
    first = path.read_bytes()
    os.utime(path, (1, 1))
    zm.write(PLAIN, path)
    assert path.read_bytes() == first
    if packing:
        assert first[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7", b"\x28\xb5")


def test_a_format_beats_the_suffix(tmp_path):
    path = tmp_path / "g.txt"
    zm.write(GRAPH, path, format="json")
    assert zm.read(path, format="json").graph == GRAPH
    assert zm.read(path, format=".json").graph == GRAPH
    with pytest.raises(FormatError, match=r"g\.txt:1"):
        zm.read(path, format="gv")


def test_unknown_suffixes_list_the_known():
    with pytest.raises(
        UnknownNameError, match=r"known: \.txt \.edges \.edgelist \.el \(edgelist\)"
    ):
        zm.read("g.xyz")


@pytest.mark.parametrize("name", ["g.xyz", "g", "g.gz", ".txt", "dir.txt/g"])
def test_writing_needs_a_known_suffix(name):
    with pytest.raises(UnknownNameError, match=r"\.parquet"):
        zm.write(GRAPH, name)


def test_without_a_suffix_the_first_bytes_tell(tmp_path):
    for format in ("edgelist", "json", "dot", "graphml", "npz", "parquet"):
        path = tmp_path / format
        zm.write(GRAPH, path, format=format)
        assert zm.read(path).graph == GRAPH


def test_unknown_formats_list_the_known():
    with pytest.raises(UnknownNameError, match=r"did you mean 'graphml'.*Known: edgelist, json"):
        zm.read("-", format="graphm")


def test_members_and_frames(tmp_path):
    (tmp_path / "g.txt.gz").write_bytes(gzip.compress(b"a b\n") + gzip.compress(b"b a\na t\n"))
    (tmp_path / "p.txt.gz").write_bytes(gzip.compress(b"a b\nb a\na t\n") + bytes(100))
    (tmp_path / "g.txt.bz2").write_bytes(bz2.compress(b"a b\n") + bz2.compress(b"b a\na t\n"))
    (tmp_path / "g.txt.xz").write_bytes(lzma.compress(b"a b\nb a\n") + lzma.compress(b"a t\n"))
    (tmp_path / "p.txt.xz").write_bytes(lzma.compress(b"a b\nb a\na t\n") + bytes(4))
    skip = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    pack = zstandard.compress
    frames = [skip, pack(b"a b\n"), skip, pack(b"b a\n"), pack(b""), pack(b"a t\n")]
    (tmp_path / "g.txt.zst").write_bytes(b"".join(frames))
    for path in tmp_path.iterdir():
        assert zm.read(path).graph == GRAPH
    (tmp_path / "plain.txt").write_bytes(gzip.compress(b"a b\nb a\na t\n"))
    assert zm.read(tmp_path / "plain.txt").graph == GRAPH


@pytest.mark.slow
def test_many_frames_and_pieces():
    rng = np.random.default_rng(3)
    data = "".join(f"{u} {v}\n" for u, v in rng.integers(0, 10**6, (40_000, 2)).tolist()).encode()
    direct = zm.read(io.BytesIO(data))
    one = zstandard.compress(data)
    many = b"".join(zstandard.compress(data[k : k + 5000]) for k in range(0, len(data), 5000))
    members = b"".join(gzip.compress(data[k : k + 9000]) for k in range(0, len(data), 9000))
    for packed in (one, many, gzip.compress(data), members):
        assert zm.read(io.BytesIO(packed)) == direct


def test_standard_streams(monkeypatch, capfdbinary):
    zm.write(GRAPH, "-", format="edgelist")
    out = capfdbinary.readouterr().out
    assert out == b"a b\na t\nb a\n" or zm.read(io.BytesIO(out)) == GRAPH
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out)))
    assert zm.read("-").graph == GRAPH
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out)))
    assert zm.read(sys.stdin.buffer).graph == GRAPH
    with pytest.raises(InvalidOptionError, match="writing to standard output needs a format: edge"):
        zm.write(GRAPH, "-")


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b'{"format"', "json"),
        (b"\xef\xbb\xbf  \n{", "json"),
        (b"digraph {", "dot"),
        (b"strict graph G\n{", "dot"),
        (b"// comment", "dot"),
        (b"digraph b\n", "edgelist"),
        (b"<?xml", "graphml"),
        (b"%%MatrixMarket matrix", "mtx"),
        (b"PK\x03\x04", "npz"),
        (b"PAR1", "parquet"),
        (b"# x\n", "edgelist"),
        (b"", "edgelist"),
    ],
)
def test_sniffing(start, name):
    assert sniff(start).name == name


def test_files_that_are_no_binary_files(tmp_path):
    with pytest.raises(InvalidOptionError, match="binary mode"):
        zm.read(io.StringIO("a b"))
    with pytest.raises(InvalidOptionError, match="binary mode"):
        zm.write(GRAPH, io.StringIO(), format="dot")
    with pytest.raises(InvalidOptionError, match="expected a path or a binary file, got 7"):
        zm.read(7)
    with pytest.raises(InvalidOptionError, match="expected a Game"):
        zm.write([GRAPH], tmp_path / "g.txt")
    with pytest.raises(FileNotFoundError):
        zm.read(tmp_path / "none.txt")


def test_a_stream_whose_name_has_no_suffix(tmp_path):
    (tmp_path / "noname").write_bytes(b"digraph { a -> b -> a -> t }")
    with (tmp_path / "noname").open("rb") as file:
        assert zm.read(file).graph == GRAPH


def test_a_graph_that_does_not_fit(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1G")
    text = b"%%MatrixMarket matrix coordinate pattern general\n2000000000 2000000000 0\n"
    with pytest.raises(MemoryLimitError, match="a graph of 2,000,000,000 positions needs about"):
        zm.read(io.BytesIO(text))


# -------------------------------------------------------------------- writing whole or not


class Stop(BaseException):
    """An interruption like Ctrl-C."""


@pytest.mark.parametrize("method", ["open", "replace", "chmod"])
def test_nothing_half_written_is_left(tmp_path, monkeypatch, method):
    path = tmp_path / "g.txt"
    path.write_text("old")

    def stop(*args, **more):
        raise Stop

    monkeypatch.setattr(_files.Path, method, stop)
    with pytest.raises(Stop):
        zm.write(GRAPH, path)
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_file(tmp_path):
    path = tmp_path / "g.mtx"
    path.write_text("old")
    with pytest.raises(InvalidGraphError):
        zm.write(GRAPH, path)
    assert path.read_text() == "old"
    with pytest.raises(FileNotFoundError):
        zm.write(GRAPH, tmp_path / "none" / "g.txt")


def test_modes_links_and_devices(tmp_path):
    path, link = tmp_path / "g.txt", tmp_path / "link.txt"
    zm.write(GRAPH, path)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to(path)
    zm.write(PLAIN, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert zm.read(path).graph == PLAIN
    zm.write(GRAPH, "/dev/null", format="json")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


# -------------------------------------------------------------------- what formats have room for


def test_room(tmp_path):
    owned = PLAIN.with_owner([0, 1, 0])
    with pytest.raises(InvalidGraphError, match="not store owners; these do: edgelist, json, dot"):
        zm.write(owned, tmp_path / "g.mtx")
    with pytest.raises(InvalidGraphError, match="not store names; these do: edgelist, json, dot"):
        zm.write(GRAPH, tmp_path / "g.mtx")
    with pytest.raises(InvalidObjectiveError, match="not store objectives; these do: json, npz"):
        zm.write((GRAPH, zm.Misere()), tmp_path / "g.dot")
    with pytest.raises(InvalidOptionError, match="does not store solutions; these do: json, npz"):
        zm.write(zm.solve(GRAPH), tmp_path / "g.txt")
    with pytest.raises(InvalidOptionError, match="the csv format does not store games"):
        zm.read(tmp_path / "g.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("names", [(1, "a"), (0.5, "a"), (True, "a"), ((1, 2), "a")])
def test_an_edge_list_stores_text_or_integers(names):
    graph = PLAIN.with_names((*names, "z"))
    with pytest.raises(InvalidGraphError, match=r"all text or all integers, got .*; json, dot"):
        zm.write(graph, io.BytesIO(), format="edgelist")


@pytest.mark.parametrize(("module", "suffix"), [("zstandard", ".zst"), ("pyarrow", "")])
def test_missing_packages_are_named(tmp_path, monkeypatch, module, suffix):
    path = tmp_path / f"g.parquet{suffix}"
    zm.write(PLAIN, path)
    monkeypatch.setitem(sys.modules, module, None)
    extra = {"zstandard": "zstd", "pyarrow": "parquet"}[module]
    with pytest.raises(MissingDependencyError, match=rf"zermelo\[{extra}\]"):
        zm.read(path)
    with pytest.raises(MissingDependencyError, match=rf"zermelo\[{extra}\]"):
        zm.write(PLAIN, path)


# -------------------------------------------------------------------- foreign files


def test_foreign_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def read(**columns):
        parquet.write_table(pyarrow.table(columns), tmp_path / "g.parquet")
        return zm.read(tmp_path / "g.parquet").graph

    text = {"src": ["a", "b", "a"], "dst": ["b", "a", "t"], "weight": [1.0, 2.0, 3.0]}
    assert read(**text) == GRAPH
    packed = {k: pyarrow.array(text[k]).dictionary_encode() for k in ("src", "dst")}
    assert read(**packed) == GRAPH
    assert read(**{"from": [0, 1, 0], "to": [1, 0, 2]}) == PLAIN
    assert read(source=[5, 7], target=[7, 6]).names == (5, 7, 6)
    assert read(source=pyarrow.array([], "string"), target=pyarrow.array([], "string")).n == 0
    backwards = read(source=["z", "y"], target=["y", "x"])
    assert backwards.names == ("z", "y", "x")


def test_foreign_npz(tmp_path):
    path = tmp_path / "g.npz"
    np.savez(path, indptr=[0, 2, 3, 3], indices=[2, 1, 0], names=["a", "b", "t"])
    assert zm.read(path).graph == GRAPH
    np.savez_compressed(
        path, indptr=np.array([0, 2, 3, 3], ">i4"), indices=np.array([1, 2, 0], ">u2")
    )
    assert zm.read(path).graph == PLAIN


def test_foreign_graphml():
    nx = pytest.importorskip("networkx")
    out = io.BytesIO()
    nx.write_graphml(nx.path_graph(4), out)
    assert zm.read(io.BytesIO(out.getvalue())).graph == zm.Graph.from_networkx(nx.path_graph(4))
    made = nx.DiGraph([("a", "b"), ("b", "t")])
    nx.set_node_attributes(made, {"a": 0, "b": 1, "t": 1}, "owner")
    out = io.BytesIO()
    nx.write_graphml(made, out)
    assert zm.read(io.BytesIO(out.getvalue())).graph == zm.Graph.from_networkx(made)
    zm.write(zm.Graph.from_networkx(made), "/dev/null", format="graphml")


def test_networkx_reads_our_files(tmp_path):
    nx = pytest.importorskip("networkx")
    owned = GRAPH.with_owner([0, 1, 1])
    zm.write(owned, tmp_path / "g.graphml")
    assert zm.Graph.from_networkx(nx.read_graphml(tmp_path / "g.graphml")) == owned


def test_foreign_matrix_market(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    import scipy.sparse

    rng = np.random.default_rng(5)
    dense = rng.integers(-1, 2, (30, 30))
    for matrix in (dense, dense * 0.5, (dense + dense.T), (dense - dense.T) * 1e-3):
        sparse = scipy.sparse.coo_array(matrix)
        path = tmp_path / "g.mtx"
        scipy_io.mmwrite(path, sparse)
        assert zm.read(path).graph == zm.Graph.from_scipy(sparse)
    for field in ("pattern", "real"):
        scipy_io.mmwrite(path, sparse, field=field)
        text = path.read_text().replace("\n", "\r\n")
        path.write_bytes(text.encode())
        assert zm.read(path).graph == zm.Graph.from_scipy(sparse)
    zm.write(PLAIN, path)
    assert zm.Graph.from_scipy(scipy_io.mmread(path)) == PLAIN


# -------------------------------------------------------------------- solutions


@pytest.mark.parametrize("suffix", [".json", ".csv", ".parquet", ".npz", ".csv.gz", ".json.zst"])
def test_a_false_move_is_seen_by_the_checker(tmp_path, suffix):
    path = tmp_path / f"s{suffix}"
    solution = zm.solve(GRAPH)
    zm.write(solution, path)
    assert zm.read_solution(path, GRAPH).verify().move.tolist() == solution.move.tolist()
    lie = zm.read_solution(path, GRAPH)
    lie.__dict__["move"] = np.array([1, 0, -1], np.int32)
    zm.write(lie, path)
    found = zm.read_solution(path, GRAPH)
    assert found.move.tolist() == [1, 0, -1]
    with pytest.raises(CertificateError):
        found.verify()


@pytest.mark.parametrize("suffix", [".json", ".csv", ".parquet", ".npz"])
def test_a_solution_belongs_to_its_graph(tmp_path, suffix):
    path = tmp_path / f"s{suffix}"
    zm.write(zm.solve(GRAPH), path)
    other = zm.Graph.from_edges([("a", "b")])
    with pytest.raises(FormatError, match="this solution is for another graph: its digest is"):
        zm.read_solution(path, other)


def test_a_solution_as_text(tmp_path):
    path = tmp_path / "s.csv"
    zm.write(zm.solve(GRAPH, zm.Asymmetric(), start="b"), path)
    lines = path.read_text().splitlines()
    assert lines[0] == "# zermelo-solution: 1"
    assert lines[1] == f"# graph: {GRAPH.digest}"
    assert lines[2] == '# objective: {"objective":"asymmetric"}'
    assert lines[3:5] == ["# solver: retrograde", "# start: 1"]
    assert lines[5] == "position,player,label,distance,value,move,winner"
    assert lines[6].startswith("a,0,")
    assert [line.rpartition(",")[2] for line in lines[6:]] == ["0", "1", "1", "0", "-1", "0"]
    assert len(lines) == 12
