"""``zermelo grundy CODE``: tables, periods, pictures and mistakes."""

import json

import pytest
from click.testing import CliRunner

from zermelo.cli.main import cli


def run(*args):
    return CliRunner().invoke(cli, [str(x) for x in args], prog_name="zermelo")


def test_values_by_size():
    done = run("grundy", "0.77", "--to", 5)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "heap\tvalue",
        "0\t0",
        "1\t1",
        "2\t2",
        "3\t3",
        "4\t1",
        "5\t4",
    ]
    assert len(run("grundy", "1,2,3").stdout.splitlines()) == 102
    assert run("grundy", "kayles", "--to", 30).stdout == run("grundy", ".77", "--to", 30).stdout


def test_period():
    lines = run("grundy", "0.07", "--period").stdout.splitlines()
    facts = dict(line.split("\t") for line in lines)
    assert (facts["period"], facts["preperiod"], facts["saltus"]) == ("34", "53", "0")
    assert facts["exceptions"].startswith("0:0 1:0 15:0 17:2")
    assert len(facts["row"].split()) == 34
    assert "period\t-\nsearched_to\t500" in run("grundy", "0.007", "--to", 500, "--period").stdout


def test_json():
    found = json.loads(run("grundy", "0.77", "--to", 200, "--period", "--json").stdout)
    assert found["code"] == "0.77"
    assert len(found["values"]) == 201
    assert found["period"]["period"] == 12
    assert len(found["period"]["exceptions"]) == 14
    assert found["sparse"]["mask"] == 15
    assert found["sparse"]["rare_heaps"] == 9
    assert (
        json.loads(run("grundy", "0.77", "--to", 50, "--period", "--json").stdout)["period"] is None
    )


@pytest.mark.parametrize(("name", "second"), [("v.csv", "0,0"), ("v.tsv", "0\t0")])
def test_tables(tmp_path, name, second):
    assert run("grundy", "0.77", "--to", 9, "--output", tmp_path / name).exit_code == 0
    lines = (tmp_path / name).read_text().splitlines()
    assert lines[1] == second
    assert len(lines) == 11


def test_table_as_json(tmp_path):
    assert run("grundy", "nim", "--to", 3, "--output", tmp_path / "v.json").exit_code == 0
    assert json.loads((tmp_path / "v.json").read_text())["values"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "start"), [("p.svg", b"<svg"), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF")]
)
def test_pictures(tmp_path, name, start):
    pytest.importorskip("matplotlib")
    more = ["--period"] if name == "p.svg" else []
    done = run("grundy", "0.77", "--to", 200, "--plot", tmp_path / name, *more)
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["1.7"], "must split the heap"),
        (["0.77", "--output", "v.doc"], "expected a table to end in .csv"),
        (["0.77", "--plot", "p.gif"], "expected a picture to end in .svg"),
        (["0.77", "--plot", "nowhere/p.svg"], "no directory"),
    ],
)
def test_mistakes(args, message):
    done = run("grundy", *args)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
