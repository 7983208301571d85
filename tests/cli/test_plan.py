"""``zermelo plan``: what it prints, and what it refuses."""

import json

import pytest

import zermelo as zm
from zermelo.cli.main import cli

GAME = zm.generators.random_graph(5000, 4, seed=2)


def test_the_command_prints_two_tables(run):
    lines = run("plan", "nim:3,4,5").stdout.splitlines()
    assert lines[:3] == ["what\tvalue", "game\tnim:3,4,5", "positions\t48"]
    blank = lines.index("")
    assert lines[blank + 1].split("\t")[0] == "engine"
    assert [line.split("\t")[0] for line in lines[blank + 2 :]] == ["memory", "disk", "dask"]


def test_json_has_the_plan(run, tmp_path):
    zm.write(GAME.graph, tmp_path / "g.npz")
    found = json.loads(run("plan", str(tmp_path / "g.npz"), "--json", "--memory", "2G").stdout)
    assert found["positions"] == {"value": 5000, "low": 5000, "high": 5000, "exact": True}
    assert found["recommended"] == "memory"
    assert [row["engine"] for row in found["engines"]] == ["memory", "disk", "dask"]
    assert found["machine"]["memory"] == 2 << 30


def test_a_plan_on_paper(run):
    for text in ("1e12", "10^12", "1000000000000", "1,000,000,000,000"):
        found = json.loads(run("plan", "--positions", text, "--json").stdout)
        assert found["positions"]["value"] == 10**12
        assert found["moves"]["value"] == 4 * 10**12
        assert "--engine dask" in found["advice"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a FILE or a GAME"),
        (["--positions", "many"], "expected a number such as"),
        (["--positions", "1e99"], "positions: expected an integer"),
        (["nim:1", "--positions", "3"], "without a game"),
        (["missing.npz"], "no such file"),
        (["chess"], "chess"),
        (["nim:1", "--samples", "0"], "samples"),
        (["nim:1", "--memory", "much"], "memory: expected a size"),
        (["nim:1", "--nodes-memory", "much"], "memory: expected a size"),
        (["nim:1", "--objective", "parity"], "no objective of a table"),
        (["-"], "not a stream"),
    ],
)
def test_bad_calls_end_with_one_sentence(run, arguments, message):
    result = run("plan", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_help_names_the_options():
    names = {option.opts[0] for option in cli.get_command(None, "plan").params}
    assert {"--memory", "--cores", "--nodes-memory", "--samples", "--positions"} <= names
