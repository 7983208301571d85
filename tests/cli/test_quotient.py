"""``zermelo quotient``."""

import json

import pytest


def rows(text):
    return dict(line.split("\t") for line in text.splitlines())


def test_kayles_to_5(run):
    result = run("quotient", "0.77", "--to", 5, "--verify")
    assert (result.exit_code, result.stderr) == (0, "")
    assert rows(result.stdout) == {
        "what": "value",
        "game": "0.77",
        "heaps": "5",
        "order": "12",
        "tame": "no",
        "generators": "a=1 b=2 c=5",
        "relations": "a2=1 b3=b c2=1",
        "p_portion": "a b2 ac",
        "elements": "1 a b ab b2 ab2 c ac bc abc b2c ab2c",
        "phi": "1 a b ab a c",
    }


def test_json(run):
    record = json.loads(run("quotient", "0.333", "--to", 4, "--json").stdout)
    assert record["order"] == 6
    assert record["tame"] is True
    assert record["generators"] == {"a": 1, "b": 2}
    assert record["phi"] == ["1", "a", "b", "ab", "1"]


@pytest.mark.slow
def test_on_a_terminal(on_terminal):
    status, shown = on_terminal("quotient", "0.77", "--to", 5)
    assert status == 0
    for text in ("12 elements, wild", "c = heap 5", "b3=b", "P-portion"):
        assert text in shown


def test_failures(run):
    result = run("quotient", "0.07", "--to", 30, "--limit", 20)
    assert result.exit_code == 2
    assert "heaps up to 14: no misère quotient found with at most 20 elements" in result.stderr
    assert run("quotient", "0.7q").exit_code == 2
    assert run("quotient", "0.77", "--to", -1).exit_code == 2
