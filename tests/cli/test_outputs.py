"""What is replaced by what: the same kind of file in silence, anything else only by --force."""

import gzip
import os
import shutil
import subprocess
import sys

import pytest

from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.kinds import kind_of
from zermelo.errors import InvalidOptionError

PARITY = "parity 1;\n0 0 0 1;\n1 1 1 0;\n"


@pytest.fixture
def files(run, tmp_path, monkeypatch):
    """A file of every kind that a command writes, by name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.pg").write_text(PARITY)
    (tmp_path / "g.txt").write_text("0 1\n1 2\n")
    (tmp_path / "notes.txt").write_text("These are words that nobody wants to lose.\n")
    (tmp_path / "code.py").write_text("import this\n")
    (tmp_path / "page.svg").write_text("<html><p>no picture</p></html>")
    (tmp_path / "other.json").write_text('{"mine": 1}')
    (tmp_path / "empty.json").write_text("")
    for call in (
        "solve g.pg -q -o s.sol", "solve g.txt -q -o s.json", "solve g.txt -q -o s.csv",
        "solve g.txt -q -o s.npz", "solve g.txt -q -o s.parquet", "solve g.txt -q -o s.json.gz",
        "solve g.txt -q -o s.json.zst", "convert g.txt g.json", "convert g.txt g.npz",
        "convert g.txt g.parquet", "convert g.txt g.dot", "convert g.txt g.graphml",
        "convert g.txt g.mtx", "convert g.pg g.hoa", "convert g.txt g.txt.gz",
        "draw g.txt p.svg", "draw g.txt p.dot", "grundy 0.77 -o v.json", "grundy 0.77 -o v.csv",
        "grundy g.txt -o w.tsv", "build nim:1,1 -o t.zt", "table-info t.zt --export t.csv",
        "table-info t.zt --export t.parquet",
    ):  # fmt: skip
        assert run(*call.split()).exit_code == 0, call
    return tmp_path


KINDS = {"g": "graph", "s": "solution", "p": "picture", "v": "values", "w": "values"}


def test_every_file_that_is_written_names_its_kind(files):
    for path in sorted(files.iterdir()):
        stem, _, suffix = path.name.partition(".")
        wanted = "table" if suffix == "zt" else "values" if stem == "t" else KINDS.get(stem, "")
        assert kind_of(str(path)) == ("empty" if stem == "empty" else wanted), path.name


WRITES = [
    ("solve g.txt -q -o {}", "solution", (".json", ".csv", ".npz", ".parquet")),
    ("convert g.txt {}", "graph", (".json", ".npz", ".parquet", ".txt", ".dot", ".graphml")),
    ("explore nim:1,1 {}", "graph", (".json", ".npz", ".parquet", ".txt", ".dot")),
    ("generate path n=3 {}", "graph", (".json", ".npz", ".parquet", ".txt", ".dot")),
    ("draw g.txt {}", "picture", (".svg", ".dot")),
    ("grundy g.txt -o {}", "values", (".csv", ".tsv")),
    ("grundy 0.77 -o {}", "values", (".csv", ".json")),
    ("grundy 0.77 --plot {}", "picture", (".svg",)),
    ("table-info t.zt --export {}", "values", (".csv", ".parquet")),
]


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize(("call", "kind", "suffixes"), WRITES, ids=[x for x, *_ in WRITES])
def test_another_kind_is_replaced_by_force_alone(run, files, call, kind, suffixes):
    others = 0
    for path in sorted(files.iterdir()):
        if path.suffix not in suffixes or path.name == "g.txt":
            continue
        before, held = path.read_bytes(), kind_of(path.name)
        result = run(*call.format(path.name).split())
        if held in (kind, "empty"):
            assert result.exit_code == 0, (path.name, result.stderr)
            continue
        others += 1
        assert result.exit_code == 2, path.name
        assert f"{path.name}: this file " in result.stderr
        assert "--force" in result.stderr
        assert path.read_bytes() == before
        assert run(*call.format(path.name).split(), "--force").exit_code == 0
        assert kind_of(path.name) == kind
    assert others


INPUTS = [
    "solve g.pg -q -o {} --to json", "convert g.pg {} --to json", "draw g.dot {}",
    "solve g.json -q -o {}", "explore code.py {} --to json", "convert g.txt {}",
]  # fmt: skip


@pytest.mark.sampled(cases=7)
@pytest.mark.parametrize("call", INPUTS)
@pytest.mark.parametrize("link", ["itself", "symbolic", "hard"])
def test_an_input_is_replaced_by_force_alone(run, files, call, link):
    (files / "code.py").write_text("def start():\n    return 1\ndef moves(n):\n    return []\n")
    source = call.split()[1]
    before, out = (files / source).read_bytes(), source
    if link == "symbolic":
        os.symlink(source, out := f"symbolic{files.joinpath(source).suffix}")
    if link == "hard":
        os.link(source, out := f"hard{files.joinpath(source).suffix}")
    result = run(*call.format(out).split())
    assert result.exit_code == 2
    assert result.stderr == f"zermelo: {out}: this is the input itself; --force replaces it\n"
    assert (files / source).read_bytes() == before
    assert run(*call.format(out).split(), "--force").exit_code == 0


def test_standard_input_may_be_the_file_that_is_replaced(files):
    command = [sys.executable, "-m", "zermelo", "solve", "-", "-q", "-o", "g.json"]
    with open("g.json") as game:
        done = subprocess.run(command, stdin=game, capture_output=True, text=True)
    assert done.returncode == 2
    assert "g.json: this is the input itself" in done.stderr


def test_data_of_the_objective_are_inputs(run, files):
    (files / "pays.json").write_text('{"2": 1}')
    result = run("solve", "g.txt", "--payoffs", "pays.json", "-o", "pays.json", "-q")
    assert result.exit_code == 2
    assert "pays.json: this is the input itself" in result.stderr


def test_a_file_of_rules_is_an_input_with_its_class_and_parameters(files):
    with pytest.raises(InvalidOptionError, match=r"code\.py: this is the input itself"):
        check_output("code.py", "table", ["code.py:Game:3,4"])
    check_output("code.py", "table", ["code.py:Game:3,4"], force=True)


def test_tables_replace_tables(files):
    shutil.copy("t.zt", "u.zt")
    check_output("u.zt", "table", ["nim:1,1"])
    with pytest.raises(InvalidOptionError, match="holds a game and would be replaced by a table"):
        check_output("g.txt", "table", ["nim:1,1"])


def test_devices_hold_nothing(run, files):
    assert run("convert", "g.txt", "/dev/null", "--to", "json").exit_code == 0


def test_damaged_packing_is_another_kind(files):
    (files / "x.json.gz").write_bytes(gzip.compress(b"a")[:5])
    assert kind_of("x.json.gz") == ""
    (files / "x.json.xz").write_bytes(b"\xfd7zXZ\0nothing")
    assert kind_of("x.json.xz") == ""
    (files / "x.json.bz2").write_bytes(b"BZh91AY&SYnothing")
    assert kind_of("x.json.bz2") == ""
    (files / "x.json.zst").write_bytes(b"\x28\xb5\x2f\xfdnothing")
    assert kind_of("x.json.zst") == ""
