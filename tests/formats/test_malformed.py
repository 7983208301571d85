"""Malformed files: each error names the file, the place and what was expected, in one sentence."""

import bz2
import gzip
import io
import json
import lzma

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import zstandard

import zermelo as zm
from zermelo.errors import FormatError

GRAPH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
MTX = "%%MatrixMarket matrix coordinate "
XML = '<graphml>\n<graph edgedefault="directed">\n{}\n</graph>\n</graphml>'
OWNER = '<graphml>\n<key id="k" for="node" attr.name="owner"/>\n<graph>\n{}\n</graph></graphml>'


def game(**more):
    return json.dumps({"format": "zermelo-game", "version": 1, **more})


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def table(meta=None, **columns):
    made = pyarrow.table(columns)
    if meta is not None:
        made = made.replace_schema_metadata({"zermelo": json.dumps(meta)})
    out = io.BytesIO()
    pyarrow.parquet.write_table(made, out)
    return out.getvalue()


META = {"format": "zermelo-game", "version": 1}

GAMES = [
    # edge lists
    (
        "g.txt",
        "a b\nb c d\n",
        "g.txt:2:5: expected one or two names, or two and an integer weight, got 'd'",
    ),
    (
        "g.txt",
        "0 1\n1 2 3 4\n",
        "g.txt:2:7: expected one or two names, or two and an integer weight, got 4 entries",
    ),
    ("g.txt", 'a "b', "g.txt:1:3: this quoted name does not end on its line"),
    ("g.txt", '"a"b', "g.txt:1:4: expected a blank after a quoted name, got 'b'"),
    ("g.txt", 'a\n  "b\\q" c', "g.txt:2:5: expected a name quoted as in JSON"),
    (
        "g.txt",
        "a b\n[x] b",
        "g.txt:2:1: expected a name, got '[x]'; a name that begins with [ must be quoted",
    ),
    (
        "g.txt",
        "a [2]",
        "g.txt:1:3: expected a name and its owner [0] or [1], or [start], got 'a [2]'",
    ),
    (
        "g.txt",
        "a b [1]",
        "g.txt:1:5: expected a name and its owner [0] or [1], or [start], got 'a b [1]'",
    ),
    (
        "g.txt",
        "a [1]\na b",
        "g.txt:2: position 'b' has no owner, but others do: expected a line 'b [0]'",
    ),
    ("g.txt", "0 [1]\n0 1", "g.txt:2: position '1' has no owner, but others do"),
    ("g.txt", "a [1]\na [0]", "g.txt:2: position 'a' has two owners"),
    ("g.txt", b"a b\n\xc3\xa9 \xff", "g.txt:2:3: expected UTF-8 text, got byte 0xff"),
    ("g.el", b"\xff\xfea\0", "g.el:1:1: expected UTF-8 text, got byte 0xff"),
    # compression
    ("g.txt.gz", "a b", "g.txt.gz: expected gzip data, because the name ends with .gz"),
    ("g.txt.gz", b"", "g.txt.gz: expected gzip data, because the name ends with .gz"),
    ("g.txt.gz", gzip.compress(b"a b", mtime=0)[:-9], "g.txt.gz: the gzip data are cut short"),
    ("g.txt.gz", gzip.compress(b"a b", mtime=0)[:-8] + bytes(8), "the gzip data are damaged"),
    ("g.txt.gz", gzip.compress(b"a b", mtime=0) + b"junk", "the gzip data are damaged"),
    ("g.txt.bz2", "a b", "g.txt.bz2: expected bzip2 data, because the name ends with .bz2"),
    ("g.txt.bz2", bz2.compress(b"a b")[:-4], "g.txt.bz2: the bzip2 data are cut short"),
    ("g.txt.bz2", bz2.compress(b"a b") + b"junk", "g.txt.bz2: the bzip2 data are damaged"),
    ("g.txt.xz", b"", "g.txt.xz: expected xz data, because the name ends with .xz"),
    ("g.txt.xz", lzma.compress(b"a b")[:-4], "g.txt.xz: the xz data are cut short"),
    ("g.txt.xz", lzma.compress(b"a b") + b"much more junk", "g.txt.xz: the xz data are damaged"),
    ("g.txt.xz", lzma.compress(b"a b c"), "g.txt.xz:1:5: expected one or two names, or two"),
    ("g.txt.zst", "a b", "g.txt.zst: expected Zstandard data, because the name ends with .zst"),
    ("g.txt.zst", zstandard.compress(b"a b" * 9)[:-2], "the Zstandard data are cut short"),
    ("g.txt.zst", zstandard.compress(b"a b") + b"junk", "the Zstandard data are damaged"),
    (
        "g.txt.gz",
        gzip.compress(b"a b c", mtime=0),
        "g.txt.gz:1:5: expected one or two names, or two",
    ),
    # JSON
    ("g.json", '{"format": "zermelo-game",\n "n": }', "g.json:2:7: expected JSON: Expecting value"),
    ("g.json", "", "g.json:1:1: expected JSON: Expecting value"),
    ("g.json", "[1]", "g.json: expected a JSON object, got [1]"),
    ("g.json", "{}", 'g.json: /format: expected "zermelo-game", got nothing'),
    ("g.json", '{"format": "zermelo-game"}', "g.json: /version: expected 1, got nothing"),
    ("g.json", '{"format": "zermelo-game", "version": 2}', "/version: expected 1, got 2"),
    ("g.json", '{"format": "zermelo-solution"}', "expected a game, got a solution"),
    ("g.json", game(), "g.json: expected /moves or /edges, got neither"),
    ("g.json", game(moves=[], edges=[]), "expected /moves or /edges, got both"),
    ("g.json", game(moves=[], colour=3), "/colour: unknown key; known: format, version, n,"),
    ("g.json", '{"n": 1, "n": 2}', "key 'n' appears twice"),
    ("g.json", game(n=-1, moves=[]), "/n: expected a number of positions, got -1"),
    ("g.json", game(n=2, moves=[[]]), "/moves: expected 2 lists, one for each position, got 1"),
    ("g.json", game(moves=[[0], 3]), "/moves/1: expected a list of position numbers, got 3"),
    ("g.json", game(moves=[[0], [1, 2]]), "/moves/1/1: expected a position 0 … 1, got 2"),
    ("g.json", game(moves=[[True]]), "/moves/0/0: expected a position 0 … 0, got True"),
    ("g.json", game(moves=[[0.0]]), "/moves/0/0: expected a position 0 … 0, got 0.0"),
    ("g.json", game(edges=[["a", "b"], ["a"]]), "/edges/1: expected a pair [from, to], got ['a']"),
    (
        "g.json",
        game(names=["a"], edges=[["a", "b"]]),
        "/edges/0/1: expected one of /names, got 'b'",
    ),
    ("g.json", game(n=1, edges=[[0, 1]]), "/edges/0/1: expected a position 0 … 0, got 1"),
    ("g.json", game(edges=[["a", {}]]), "/edges/0/1: expected a name, got an object {}"),
    ("g.json", game(moves=[[], []], names=["a", "a"]), "/names/1: 'a' appears twice"),
    ("g.json", game(n=1, moves=[[]], names=["a", "b"]), "/names: expected 1 names, got 2"),
    ("g.json", game(moves=[[]], owner=[2]), "/owner/0: expected 0 or 1, got 2"),
    ("g.json", game(moves=[[]], owner=[]), "/owner: expected 1 entries, got 0"),
    (
        "g.json",
        game(moves=[[]], objective={}),
        "/objective/objective: expected one of normal, misere",
    ),
    (
        "g.json",
        game(moves=[[]], objective={"objective": "misere", "x": 1}),
        "/objective: unknown key 'x'; known: objective",
    ),
    (
        "g.json",
        game(moves=[[]], objective={"objective": "reach", "positions": [7]}),
        "/objective: expected a position number 0 … 0, got 7",
    ),
    (
        "g.json",
        game(moves=[[]], objective={"objective": "terminal-payoff", "payoffs": {}}),
        "/objective: terminal 0 has no payoff",
    ),
    ("g.json", '{"a": NaN}', "expected a number, got NaN"),
    ("g.json", "[" * 100_000, "lists within lists that are nested too deeply"),
    ("g.json", '{"n": ' + "1" * 5000 + "}", "expected JSON: Exceeds the limit"),
    # DOT
    ("g.dot", "digraph {\n  a -> ;\n}", "g.dot:2:8: expected a node, a subgraph or '}', got ';'"),
    ("g.dot", "digraph { a -- b }", "g.dot:1:13: expected '->' in a digraph, got '--'"),
    ("g.gv", "graph { a -> b }", "g.gv:1:11: expected '--' in a graph, got '->'"),
    ("g.dot", "tree { }", "g.dot:1:1: expected 'graph' or 'digraph', got 'tree'"),
    (
        "g.dot",
        "digraph {\n a",
        "g.dot:2:3: expected a node, a subgraph or '}', got the end of the file",
    ),
    (
        "g.dot",
        "digraph { } digraph { }",
        "g.dot:1:13: expected the end of the file after one graph",
    ),
    ("g.dot", 'digraph { "a }', "g.dot:1:11: this quoted name does not end"),
    ("g.dot", "digraph { /* a }", "g.dot:1:11: this comment does not end"),
    ("g.dot", "digraph { <a }", "g.dot:1:11: this <…> does not end"),
    ("g.dot", "digraph { a ! }", "g.dot:1:13: expected a name or a sign, got '!'"),
    ("g.dot", "digraph { a [owner=2] }", "g.dot:1:20: expected owner=0 or owner=1, got '2'"),
    ("g.dot", "digraph { a [owner=1]\nb }", "g.dot:2:1: node 'b' has no owner, but others do"),
    ("g.dot", "digraph { a [owner 1] }", "g.dot:1:20: expected '=', got '1'"),
    ("g.dot", "digraph { node }", "g.dot:1:16: expected '[' after 'node', got '}'"),
    ("g.dot", "digraph { names=json a }", "g.dot:1:22: expected a name in JSON, got 'a'"),
    ("g.dot", "digraph " + "{" * 200, "g.dot:1:110: expected subgraphs at most 100 deep"),
    ("g.dot", "", "g.dot:1:1: expected 'graph' or 'digraph', got the end of the file"),
    # GraphML
    ("g.graphml", "<graphml>\n<graph>", "g.graphml:2:8: expected XML: no element found"),
    ("g.graphml", "<html/>", "g.graphml:1: expected <graphml>, got <html>"),
    ("g.graphml", "<graphml/>", "g.graphml: expected a <graph> element, got none"),
    (
        "g.graphml",
        '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>',
        "g.graphml:1: expected no <!DOCTYPE>",
    ),
    ("g.graphml", XML.format("<node/>"), "g.graphml:3: expected <node id=…>, got no id"),
    ("g.graphml", XML.format('<node id="a"/>\n<node id="a"/>'), ":4: node 'a' appears twice"),
    (
        "g.graphml",
        XML.format('<node id="a"/>\n<edge source="a" target="b"/>'),
        "g.graphml:4: an edge names 'b', which is not a node",
    ),
    ("g.graphml", XML.format("<hyperedge/>"), "g.graphml:3: expected edges, got a <hyperedge>"),
    (
        "g.graphml",
        '<graphml><graph edgedefault="up"/></graphml>',
        "edgedefault: expected directed or undirected, got 'up'",
    ),
    (
        "g.graphml",
        OWNER.format('<node id="a"><data key="k">2</data></node>'),
        "g.graphml:4: expected an owner 0 or 1, got '2'",
    ),
    (
        "g.graphml",
        OWNER.format('<node id="a"><data key="k">1</data></node>\n<node id="b"/>'),
        "g.graphml:5: node 'b' has no owner, but others do",
    ),
    ("g.graphml", "<graphml><graph/><graph/></graphml>", "expected one graph, got a second"),
    ("g.graphml", '<?xml version="1.0" encoding="nonsense"?><graphml/>', "g.graphml:1"),
    # Matrix Market
    ("g.mtx", "1 1 1\n", "g.mtx:1: expected a first line such as '%%MatrixMarket matrix"),
    ("g.mtx", "", "g.mtx:1: expected a first line"),
    ("g.mtx", MTX + "complex general\n", "g.mtx:1: expected pattern or integer or real or double"),
    ("g.mtx", MTX + "pattern general\n% x\n", "g.mtx:3: expected a line 'rows columns entries'"),
    (
        "g.mtx",
        MTX + "pattern general\n2 2\n",
        "g.mtx:2: expected 'rows columns entries', got '2 2'",
    ),
    ("g.mtx", MTX + "pattern general\n2 3 0\n", "g.mtx:2: expected a square matrix, got 2 × 3"),
    (
        "g.mtx",
        MTX + "pattern general\n2 2 1\n1 3\n",
        "g.mtx:3:3: expected a row or column 1 … 2, got '3'",
    ),
    (
        "g.mtx",
        MTX + "pattern general\n2 2 1\n0 1\n",
        "g.mtx:3:1: expected a row or column 1 … 2, got '0'",
    ),
    ("g.mtx", MTX + "pattern general\n2 2 1\n1\n", "g.mtx:3: expected 'row column', got '1'"),
    ("g.mtx", MTX + "pattern general\n2 2 2\n1 1\n", "g.mtx:4: expected 2 entries, got 1"),
    ("g.mtx", MTX + "pattern general\n2 2 0\n1 1\n", "g.mtx:3: expected 0 entries, got more"),
    ("g.mtx", MTX + "real general\n2 2 1\n1 1 x\n", "g.mtx:3: expected a number, got 'x'"),
    (
        "g.mtx",
        MTX + "real general\n2 2 1\n1 1\n",
        "g.mtx:3: expected 'row column value', got '1 1'",
    ),
    # NumPy archives
    ("g.npz", "nonsense", "g.npz: expected a NumPy archive"),
    ("g.npz", npz(indptr=[0, 0]), "g.npz: expected an array 'indices', got indptr"),
    ("g.npz", npz(indptr=[0, 1], indices=[1]), "g.npz: expected positions 0 … 0, got 1"),
    ("g.npz", npz(indptr=[0, 1], indices=[0], x=[1]), "unknown array 'x'; known: indptr, indices"),
    ("g.npz", npz(indptr=[0, 1], indices=[0], owner=[3]), "owner of position 0: expected 0 or 1"),
    ("g.npz", npz(indptr=[0, 1], indices=[0], names=[0.5]), "names: expected text or integers"),
    ("g.npz", npz(indptr=[0, 1], indices=[0], meta="{"), "expected JSON in the file's metadata"),
    ("g.npz", npz(indptr=[0, 1], indices=[0], meta="{}"), '/format: expected "zermelo-game"'),
    # Parquet
    ("g.parquet", "nonsense", "g.parquet: expected a Parquet file: "),
    (
        "g.parquet",
        table(a=[1], b=[2]),
        "expected columns source and target, src and dst, or from and",
    ),
    (
        "g.parquet",
        table(source=[1, None], target=[2, 3]),
        "column source, row 1: expected a position",
    ),
    ("g.parquet", table(source=[0.5], target=[2]), "of integers or text, got double and int64"),
    (
        "g.parquet",
        table(META | {"n": 1}, source=[0], target=[1]),
        "expected positions 0 … 0, got 1",
    ),
    ("g.parquet", table(META | {"n": "x"}, source=[0], target=[1]), "/n: expected a number of pos"),
    (
        "g.parquet",
        table(META | {"n": 2, "owner": "03"}, source=[0], target=[1]),
        "/owner: expected 2 digits 0 or 1, got '03'",
    ),
]


def one_sentence(error, name, part):
    assert part in str(error)
    assert str(error).startswith(name)
    assert "\n" not in str(error)


@pytest.mark.parametrize(("name", "data", "part"), GAMES)
def test_games(tmp_path, monkeypatch, name, data, part):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(FormatError) as caught:
        zm.read(name)
    one_sentence(caught.value, name, part)


# -------------------------------------------------------------------- solutions


def solved(**changes):
    out = io.BytesIO()
    zm.write(zm.solve(GRAPH), out, format="json")
    found = json.loads(out.getvalue()) | changes
    return json.dumps({k: x for k, x in found.items() if x is not None})


def sheet(old="", new=""):
    out = io.BytesIO()
    zm.write(zm.solve(GRAPH), out, format="csv")
    text = out.getvalue().decode()
    assert old in text
    return text.replace(old, new, 1)


SOLUTIONS = [
    ("s.json", solved(graph="0" * 32), "s.json: this solution is for another graph: its digest is"),
    ("s.json", game(moves=[]), "s.json: expected a solution, got a game"),
    ("s.json", solved(label=[2, 0, 0]), "label of 'a': expected -1 … 1, got 2"),
    ("s.json", solved(distance=[1, -2, 0]), "distance of 'b': expected -1 …"),
    ("s.json", solved(move=[3, 0, -1]), "move of 'a': expected -1 … 2, got 3"),
    ("s.json", solved(level=[3, 0, 0]), "level of 'a': expected 0 … 2, got 3"),
    ("s.json", solved(label=[1, -1]), "/label: expected a list of 3 entries, got [1, -1]"),
    ("s.json", solved(label=[[1, 1]] * 3), "label: expected shape (3,), got (3, 2)"),
    ("s.json", solved(label=[1, 0.5, 1]), "/label/1: expected"),
    ("s.json", solved(move=None), "move: expected an array, got nothing"),
    ("s.json", solved(start=7), "start: expected a position 0 … 2, got 7"),
    ("s.json", solved(solver=7), "/solver: expected text, got 7"),
    ("s.json", solved(colour=7), "/colour: unknown key"),
    (
        "s.json",
        solved(objective={"objective": "x"}),
        "/objective/objective: expected one of normal",
    ),
    (
        "s.csv",
        sheet("zermelo-solution: 1", "zermelo-solution: 9"),
        "s.csv:1: expected a first line",
    ),
    ("s.csv", sheet("# solver: retrograde\n"), "s.csv:1: expected a line '# solver: …' at the top"),
    ("s.csv", sheet("# graph:", "# wall:"), "s.csv:2: expected '# key: value' with a key of"),
    ("s.csv", sheet("WIN", "VIN"), "s.csv:6: expected a label LOSE, DRAW, WIN, got 'VIN'"),
    ("s.csv", sheet("a,WIN,1", "a,WIN,x"), "s.csv:6: expected a distance or nothing, got 'x'"),
    (
        "s.csv",
        sheet("a,WIN,1,1,t", "a,WIN,1,2,t"),
        "s.csv:6: expected a value that the game can pay",
    ),
    ("s.csv", sheet("a,WIN,1,1,t", "a,WIN,1,1,z"), "s.csv:6: expected a move to a position or"),
    ("s.csv", sheet("a,WIN,1,1,t", "a,WIN,1,1"), "s.csv:6: expected 5 entries, got 4"),
    ("s.csv", sheet("a,WIN", "q,WIN"), "s.csv:6: expected position 'a', got 'q'"),
    ("s.csv", sheet("t,LOSE,0,-1,\n"), "s.csv: expected 3 rows, got 2"),
    ("s.csv", sheet() + "u,LOSE,0,-1,\n", "s.csv:9: expected 3 rows, got more"),
    (
        "s.csv",
        sheet("position,label", "label,position"),
        "s.csv:5: expected columns position,label",
    ),
    ("s.csv", sheet("a,WIN", '"a,WIN'), "s.csv:8: expected CSV: unexpected end of data"),
    ("s.npz", npz(label=[1]), "s.npz: expected an array 'meta', which solutions of zermelo have"),
    ("s.npz", npz(label=[1.5], meta=solved()), "s.npz: label: expected integers, got float64"),
    ("s.parquet", table(label=[1]), "s.parquet: expected a solution written by zermelo"),
    ("s.parquet", table(json.loads(solved()), label=["a"]), "column label: expected integers"),
]


@pytest.mark.parametrize(("name", "data", "part"), SOLUTIONS)
def test_solutions(tmp_path, monkeypatch, name, data, part):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(FormatError) as caught:
        zm.read_solution(name, GRAPH)
    one_sentence(caught.value, name, part)
