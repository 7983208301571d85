"""``zermelo generate``: families and their parameters."""

import json

import pytest

import zermelo as zm
from zermelo.cli.graphs.parameters import parse_parameters
from zermelo.registry import GENERATORS


@pytest.mark.parametrize("args", [(), ("--list",)])
def test_the_list_of_families(run, args):
    result = run("generate", *args)
    assert result.exit_code == 0
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert rows[0] == ["family", "parameters", "summary"]
    assert [row[0] for row in rows[1:]] == [row.name for row in GENERATORS]
    assert "n=INT [degree=3.0]" in result.stdout


def test_the_list_as_json(run):
    data = json.loads(run("generate", "--list", "--json").stdout)
    random = next(x for x in data["families"] if x["family"] == "random")
    assert random["parameters"][:2] == [
        {"name": "n", "type": "int", "required": True, "default": None},
        {"name": "degree", "type": "float", "required": False, "default": 3.0},
    ]


def test_one_family_of_the_list(run):
    assert len(run("generate", "random", "--list").stdout.splitlines()) == 2


def test_a_file(run, tmp_path):
    out = tmp_path / "random.json"
    result = run("generate", "random", "n=50", "degree=2", "owners=random", "--seed", 7, out)
    assert (result.exit_code, result.output) == (0, "")
    assert zm.read(out) == GENERATORS["random"].load()(n=50, degree=2.0, owners="random", seed=7)


@pytest.mark.slow
def test_standard_output(process):
    done = process("generate", "path", "n=3", "-", "--to", "json", check=0)
    assert json.loads(done.stdout)
    solved = process("solve", "-", "--format", "json", stdin=done.stdout, check=0)
    assert len(solved.stdout.splitlines()) == 4


def test_a_pipe_needs_no_format_option(process):
    done = process("generate", "path", "n=3", "-", check=0)
    assert done.stdout == "0 1\n1 2\n"


def test_parameters_are_typed():
    def family(
        n: int, degree: float = 1.0, loops: bool = False, law: str = "x", cap: int | None = None
    ) -> None: ...

    pairs = ["n=3", "degree=2", "loops=no", "law=3", "cap=none"]
    found = parse_parameters("family", family, pairs)
    assert found == {"n": 3, "degree": 2.0, "loops": False, "law": "3", "cap": None}
    assert isinstance(found["degree"], float)
    assert parse_parameters("family", family, ["n=3", "cap=4"])["cap"] == 4
