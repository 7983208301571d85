"""Whatever comes in: exit status 2 and one clear sentence, never a traceback.

A row is a call, the words that its sentence must contain, and the file that it reads, if any. In a
call, FILE is that file, GAME a good one, GOOD its solution, and DIR a directory.
"""

import gzip
import io
import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest

GAME = '{"format": "zermelo-game", "version": 1, %s}'
MATRIX = "%%MatrixMarket matrix coordinate pattern general\n"


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def zipped(name, body):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, body)
    return out.getvalue()


def broken_gzip():
    data = bytearray(gzip.compress(b"a b\n" * 100, mtime=0))
    data[-6] ^= 0xFF
    return bytes(data)


FILES = [
    # edge lists
    ("g.txt", "a b\na b c\n", "g.txt:2:5: expected one or two names, or two"),
    ("g.txt", 'a b\n"a b\n', "g.txt:2:1: this quoted name does not end"),
    ("g.txt", '"a"b c\n', "g.txt:1:4: expected a blank after a quoted name"),
    ("g.txt", '"\\q" c\n', "g.txt:1"),
    ("g.txt", "a [2]\n", "g.txt:1:3: expected a name and its owner [0] or [1]"),
    ("g.txt", "[0]\n", "g.txt:1:1: expected a name"),
    ("g.txt", "a [0]\na [1]\n", "g.txt:2: position 'a' has two owners"),
    ("g.txt", "a [0]\nb\n", "g.txt:2: position 'b' has no owner"),
    ("g.txt", "0 [0]\n1 0\n", "g.txt:2: position '1' has no owner"),
    ("g.txt", "a b [1]\n", "g.txt:1"),
    ("g.txt", b"a b\n\xff\xfe c\n", "g.txt:2"),
    # JSON
    ("g.json", "", "g.json:1:1: expected JSON"),
    ("g.json", "{\n  nope\n}", "g.json:2:3: expected JSON"),
    ("g.json", "[1, 2]", "g.json: expected a JSON object"),
    ("g.json", "{}", "g.json: /format: expected"),
    ("g.json", '{"format": "zermelo-game", "version": 9}', "/version: expected 1, got 9"),
    ("g.json", GAME % '"n": 2', "expected /moves or /edges, got neither"),
    ("g.json", GAME % '"moves": [[1], [5]]', "g.json: /moves/1/0: expected a position"),
    ("g.json", GAME % '"moves": [[1], 3]', "/moves/1: expected a list of position numbers, got 3"),
    ("g.json", GAME % '"moves": [[]], "owner": [2]', "/owner/0: expected"),
    ("g.json", GAME % '"moves": [[]], "owner": []', "/owner: expected 1 entries, got 0"),
    ("g.json", GAME % '"moves": [[], []], "names": ["a", "a"]', "/names/1: 'a' appears twice"),
    ("g.json", GAME % '"moves": [[]], "names": [{}]', "/names/0: expected a name"),
    ("g.json", GAME % '"n": -1, "moves": []', "/n: expected a number of positions, got -1"),
    ("g.json", GAME % '"moves": [], "colour": 3', "/colour: unknown key; known:"),
    ("g.json", GAME % '"moves": [], "moves": []', "key 'moves' appears twice"),
    ("g.json", GAME % '"edges": [["a"]]', "/edges/0: expected a pair [from, to]"),
    ("g.json", GAME % '"moves": [[]], "objective": 7', "/objective: expected an object, got 7"),
    ("g.json", GAME % '"moves": [[]], "objective": {"objective": "chess"}',
     "expected one of normal"),
    ("g.json", GAME % '"moves": [[]], "objective": {"objective": "reach", "positions": [4]}',
     "/objective: expected a position number 0 … 0, got 4"),
    ("g.json", GAME % '"moves": [[]], "objective": {"objective": "terminal-payoff"}',
     "/objective: payoffs: expected an object"),
    ("g.json", "[" * 100_000, "g.json: expected JSON"),
    # DOT
    ("g.dot", "", "g.dot:1"),
    ("g.dot", "digraph {\n  a -> \n}", "g.dot:3:1"),
    ("g.dot", "digraph {\n  a -> b", "g.dot:2"),
    ("g.dot", "digraph { a -- b }", "g.dot:1"),
    ("g.dot", 'digraph { "a }', "g.dot:1:11"),
    ("g.dot", "digraph { a [owner=2] }", "g.dot:1"),
    ("g.dot", "digraph { a [owner=0] b }", "owner"),
    ("g.dot", "flowchart { }", "g.dot:1:1"),
    # GraphML
    ("g.graphml", "<graphml>\n<graph>", "g.graphml:2"),
    ("g.graphml", "<html></html>", "g.graphml:1"),
    ("g.graphml", '<graphml><graph edgedefault="directed"><edge source="a"/></graph></graphml>',
     "g.graphml:1"),
    # Matrix Market
    ("g.mtx", "", "g.mtx:1: expected a first line"),
    ("g.mtx", "1 1 1\n1 1\n", "g.mtx:1: expected a first line such as"),
    ("g.mtx", MATRIX.replace("pattern", "complex") + "1 1 0\n", "g.mtx:1: expected pattern"),
    ("g.mtx", MATRIX + "2 3 1\n1 1\n", "g.mtx:2: expected a square matrix, got 2 × 3"),
    ("g.mtx", MATRIX + "2 2 1\n1 3\n", "g.mtx:3:3: expected a row or column 1 … 2, got '3'"),
    ("g.mtx", MATRIX + "2 2 2\n1 2\n", "expected 2 entries, got 1"),
    ("g.mtx", MATRIX + "2 2 1\n1 2 7\n", "g.mtx:3: expected 'row column', got '1 2 7'"),
    # NumPy archives
    ("g.npz", b"PK no archive", "g.npz: expected a NumPy archive"),
    ("g.npz", npz(indptr=[0, 1]), "g.npz: expected an array 'indices', got indptr"),
    ("g.npz", npz(indptr=[0, 1], indices=[3]), "g.npz: expected positions 0 … 0, got 3"),
    ("g.npz", npz(indptr=[0.5, 1], indices=[0]), "g.npz: indptr: expected integers"),
    ("g.npz", npz(indptr=[0, 0], indices=[], owner=[7]), "owner of position 0: expected 0 or 1"),
    ("g.npz", npz(indptr=np.array([0, 0], object), indices=[]), "g.npz: expected a NumPy archive"),
    ("g.npz", zipped("indptr.npy", b"not an array"), "g.npz: expected"),
    # Parquet
    ("g.parquet", b"PAR1 no table", "g.parquet: expected a Parquet file"),
    # compression and names
    ("g.txt.gz", b"a b\n", "g.txt.gz: expected gzip data"),
    ("g.txt.gz", gzip.compress(b"a b\n" * 100, mtime=0)[:-9], "the gzip data are cut short"),
    ("g.txt.gz", broken_gzip(), "g.txt.gz: the gzip data are damaged"),
    ("g.json.zst", b"no frame", "g.json.zst: expected Zstandard data"),
    ("g.xlsx", b"a b\n", "g.xlsx: "),
]  # fmt: skip

CALLS = [
    # the command itself
    ("slove GAME", "no command is called 'slove'; did you mean 'solve'?"),
    ("--nope", "no such option"),
    ("solve", "missing argument 'FILE|GAME...' (see zermelo solve --help)"),
    ("solve GAME GAME -o x.json", "--output is for one file"),
    ("solve GAME --hue", "no such option '--hue'"),
    ("solve GAME --start", "--start"),
    ("solve missing.txt", "missing.txt: no such file or directory"),
    ("solve DIR", "expected a file, this is a directory"),
    ("solve GAME/x", "game.txt/x: not a directory"),
    ("solve GAME --format klingon", "no format is called 'klingon'"),
    ("solve GAME --format npz", "game.txt: expected a NumPy archive"),
    # objectives
    ("solve GAME --objective norml", "--objective: no objective is called 'norml'; did you mean"),
    ("solve GAME --objective reach", "reach needs positions"),
    ("solve GAME --objective reach:zz", "--objective: no position is called 'zz'; the graph has"),
    ("solve GAME --objective normal:a", "normal takes no data after a colon"),
    ("solve GAME --targets a,zz", "--targets: no position is called 'zz'"),
    ("solve GAME --targets a,,b", "expected names between commas"),
    ("solve GAME --targets a --safe b", "the options imply reach and safety"),
    ("solve GAME --objective misere --targets a", "--targets goes with reach or reach-a"),
    ("solve GAME --for-player 2 --targets a", "--for-player"),
    ("solve GAME --infinite 3", "--infinite goes with terminal-payoff"),
    ("solve GAME --payoff t", "expected NAME=NUMBER, got 't'"),
    ("solve GAME --payoff t=much", "expected a number, got 'much'"),
    ("solve GAME --payoff a=1", "payoff of 'a': expected a terminal, but it has moves"),
    ("solve GAME --payoff t=1 --infinite x", "--infinite: expected a number, got 'x'"),
    ("solve GAME --payoff t=1 --infinite 2 --view mover", "--view mover: expected --infinite 0"),
    ("solve GAME --payoffs missing.json", "missing.json: no such file"),
    ("solve GAME --payoffs GAME", "game.txt:1:1: "),
    ("solve GAME --view sideways", "'sideways' is not one of 'player0', 'mover'"),
    ("solve GAME --objective muller:inf(0) --colour a=0", "Muller: expected a graph with owners"),
    ("solve GAME --objective muller:inf(0 --colour a=0", "acceptance 'Inf(0', column 6: expected"),
    ("solve GAME --objective muller:inf(0)", "muller needs colours: --colour x=0"),
    ("solve GAME --objective muller:t --colour zz=0", "--colour: no position is called 'zz'"),
    ("solve GAME --objective muller:t --colours missing.json", "missing.json: no such file"),
    ("solve GAME --machine 0", "--machine is for muller games; strategies of normal games need no"),
    # what to show
    ("solve GAME --solver magic", "no solver is called 'magic'"),
    ("solve GAME --solver nmfl", "solver 'nmfl' does not solve 'normal' games"),
    ("solve GAME --start zz", "--start: no position is called 'zz'"),
    ("solve GAME --line zz", "--line: no position is called 'zz'"),
    ("solve GAME --explain zz", "--explain: no position is called 'zz'"),
    ("solve GAME --player two", "'two' is not one of '0', '1'"),
    ("solve GAME --limit -1", "--limit"),
    ("solve GAME --limit 3 --all", "expected --all or --limit, got both"),
    ("solve GAME --json --quiet", "expected --json or --quiet, got both"),
    ("solve GAME --depth 3", "--depth goes with --explain"),
    ("solve GAME --output DIR/no/such/out.json", "out.json: there is no directory"),
    ("solve GAME --output DIR", "expected a file, this is a directory"),
    ("solve GAME --output out.klingon", "out.klingon: no format for a solution"),
    ("solve GAME --output DIR/out.dot", "out.dot: no format for a solution"),
    # the other commands
    ("verify GAME", "missing argument 'SOLUTION'"),
    ("verify GAME missing.json", "missing.json: no such file"),
    ("verify GAME GAME", "game.txt: the edgelist format does not store solutions"),
    ("verify missing.txt GOOD", "missing.txt: no such file"),
    ("solve GOOD", "expected a game, got a solution"),
    ("convert GAME", "missing argument 'OUT'"),
    ("convert GAME out.klingon", "out.klingon: no format for a graph"),
    ("convert GAME DIR/no/out.json", "out.json: there is no directory"),
    ("draw GAME DIR/no/out.svg", "out.svg: there is no directory"),
    ("convert GAME DIR/out.csv", "out.csv: no format for a graph has this suffix"),
    ("solve GAME --to json", "--to goes with --output"),
    ("solve GAME --output -", "writing to standard output needs a format"),
    ("convert GAME - --to klingon", "no format is called 'klingon'"),
    ("generate klingons n=3 out.txt", "no generator is called 'klingons'"),
    ("generate path", "expected a file to write 'path' to"),
    ("generate path n=3", "expected a file to write 'path' to"),
    ("generate path out.txt", "'path' needs n=…; its parameters are n=INT [symmetric=false]"),
    ("generate path m=3 out.txt", "'path' has no parameter 'm'; its parameters are n=INT"),
    ("generate path n=three out.txt", "n: expected an integer, got 'three'"),
    ("generate path n=-3 out.txt", "n: expected an integer from 0"),
    ("generate path n=3 n=4 out.txt", "parameter 'n' is given twice"),
    ("generate path n=3 symmetric=perhaps out.txt", "symmetric: expected true or false"),
    ("generate random n=3 degree=x out.txt", "degree: expected a number, got 'x'"),
    ("generate random n=3 law=murphy out.txt", "law: expected 'poisson'"),
    ("generate path 3 out.txt", "expected KEY=VALUE before the last argument, got '3'"),
    ("generate path n=3 --json out.txt", "--json goes with --list"),
    ("generate path n=3 --seed -1 out.txt", "--seed"),
    ("draw GAME", "missing argument 'OUT'"),
    ("draw GAME out.klingon", "out.klingon"),
    ("draw GAME out.svg --start zz", "--start: no position is called 'zz'"),
    ("draw GAME out.svg --engine magic", "magic"),
    ("trace missing.txt", "missing.txt: no such file"),
    ("trace GAME --objective norml", "no objective is called 'norml'"),
    ("info missing.txt", "missing.txt: no such file"),
    ("solvers extra", "no solver is called 'extra'"),
    ("solvers zielonka extra", "unexpected extra argument"),
    ("completion tcsh", "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
]

SOLUTIONS = [
    ("s.json", lambda d: d.pop("label"), "s.json: label: expected an array"),
    ("s.json", lambda d: d["label"].pop(), "/label: expected a list of 5 entries"),
    ("s.json", lambda d: d["label"].__setitem__(0, 5), "label of 'a': expected"),
    ("s.json", lambda d: d["distance"].__setitem__(0, "far"), "/distance/0: expected"),
    ("s.json", lambda d: d["objective"].__setitem__("objective", "chess"), "expected one of"),
    ("s.json", lambda d: d.__setitem__("graph", "00"), "this solution is for another graph"),
    ("s.json", lambda d: d.__setitem__("version", 2), "/version: expected 1, got 2"),
]


def check(result, message):
    assert result.exit_code == 2, (result.exit_code, result.stderr)
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("zermelo: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.fixture
def good(run, game, tmp_path):
    path = tmp_path / "good.json"
    assert run("solve", game, "--quiet", "--output", path).exit_code == 0
    return path


@pytest.mark.parametrize(("name", "content", "message"), FILES)
@pytest.mark.parametrize("command", ["solve", "convert"])
def test_bad_files(run, tmp_path, command, name, content, message):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    out = [tmp_path / "out.json"] if command == "convert" else []
    check(run(command, path, *out), message)
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[call for call, _ in CALLS])
def test_bad_calls(run, game, good, tmp_path, monkeypatch, call, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    stands_for = {"GAME": str(game), "GOOD": str(good), "DIR": str(tmp_path)}
    args = []
    for argument in call.split():
        head, slash, tail = argument.partition("/")
        args.append(stands_for.get(head, head) + slash + tail)
    check(run(*args), message)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(("name", "spoil", "message"), SOLUTIONS)
def test_bad_solutions(run, game, good, tmp_path, name, spoil, message):
    data = json.loads(good.read_text())
    spoil(data)
    path = tmp_path / name
    path.write_text(json.dumps(data))
    check(run("verify", game, path), message)


@pytest.mark.parametrize("arguments", [["solve", "missing.txt"], ["solve", "--nope"], ["nope"]])
def test_another_process_gives_the_same_answer(run, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments], capture_output=True, text=True
    )
    result = run(*arguments)
    assert done.returncode == result.exit_code
    assert done.stderr == result.stderr
    assert done.stdout == result.stdout


def test_bad_standard_input(run):
    check(run("solve", "-", stdin="a b c\n"), "standard input:1:5: expected one or two names")


def test_too_little_memory(run, game, monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1")
    check(run("solve", game), "bytes are available")


def test_a_size_that_is_none(run, game, monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "plenty")
    check(run("solve", game), "expected a size such as 8G or 500M, got 'plenty'")
