"""``zermelo warm``: kernels are compiled ahead and kept."""

import json
import os

import pytest

from zermelo._runtime.progress import waits


def test_the_parts_are_listed(run):
    rows = [line.split("\t") for line in run("warm", "--list").stdout.splitlines()]
    assert rows[0] == ["part", "summary"]
    assert "parity" in [row[0] for row in rows]
    listed = json.loads(run("warm", "--list", "--json").stdout)["parts"]
    assert [x["part"] for x in listed] == [row[0] for row in rows[1:]]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["no-such-part"], "no-such-part"),
        (["--list", "parity"], "expected --list or names, got both"),
    ],
)
def test_mistakes(run, args, message):
    result = run("warm", *args)
    assert result.exit_code == 2
    assert message in result.stderr


def test_interpreted_kernels_cannot_be_compiled_ahead(run, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    result = run("warm", "sums")
    assert result.exit_code == 2
    assert "kernels are interpreted here" in result.stderr


@pytest.mark.slow
@pytest.mark.compiled
def test_a_game_is_compiled_once(run, monkeypatch):
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    first = json.loads(run("warm", "mu-torere", "--json").stdout)
    assert os.path.isdir(first["directory"])
    assert [x["part"] for x in first["parts"]] == ["mu-torere"]
    before = len(waits)
    again = run("warm", "mu-torere")
    assert again.stdout == "part\tkernels\tseconds\nmu-torere\t0\t0.0\n"
    assert len(waits) == before
    assert os.environ.get("ZERMELO_KERNELS") != "compile"
