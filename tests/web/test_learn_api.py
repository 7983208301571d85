"""The worked examples of the Learn view: each one opens, and is what its sentence says."""

import io
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.web.api.call import Call
from zermelo.web.api.endpoints import ENDPOINTS
from zermelo.web.api.learn import Name, example, groups, link, listed
from zermelo.web.api.schema import Nothing, check
from zermelo.web.settings import Settings

ROOT = Path(__file__).parents[2]
EXAMPLES = [x for group in groups() for x in group["examples"]]
OF_GRAPHS = [x for x in EXAMPLES if x["room"] == "graph"]
ROWS = {row.path: row for row in ENDPOINTS}


def named(examples):
    return [pytest.param(x, id=x["name"]) for x in examples]


def call(**request):
    kind = Name if request else Nothing
    return Call(kind(**request), Settings(), lambda *_: None)


def read(game):
    return zm.read(io.BytesIO(json.dumps(game).encode()), format="json")


def test_list_has_every_example_once():
    found = listed(call())
    assert check(found, ROWS["/learn/list"].answer) == found
    names = [x["name"] for group in found["groups"] for x in group["examples"]]
    assert names == [x["name"] for x in EXAMPLES]
    assert len(set(names)) == len(names) > 80


def test_sentences_are_sentences():
    for x in EXAMPLES:
        assert x["sentence"].endswith((".", "?")), x["name"]
        assert x["expect"], x["name"]


@pytest.mark.parametrize("x", named(OF_GRAPHS))
def test_graph_example(x):
    found = example(call(name=x["name"]))
    assert check(found, ROWS["/learn/example"].answer) == found
    game = zm.read(io.BytesIO(found["text"].encode()), format=found["format"])
    assert link(x) == f"#/graph?example={x['name']}"
    assert found["objective"] == game.objective.keyword
    solution = zm.solve(game, **({"solver": found["solver"]} if found["solver"] else {})).verify()
    names = {str(name): name for name in game.graph}
    for name, label in x["expect"].get("labels", {}).items():
        if isinstance(label, list):
            labels = [solution.at(names[name], player=player).label.name for player in (0, 1)]
        else:
            labels, label = [solution.at(names[name]).label.name], [label]
        assert labels == label, name
    for name, winner in x["expect"].get("winner", {}).items():
        assert solution.winner[game.graph.index(names[name])] == winner, name
    if found["trace"]:
        film = zm.trace(game, **({"solver": found["solver"]} if found["solver"] else {}))
        assert str(film)


@pytest.mark.parametrize("x", named(x for x in OF_GRAPHS if "file" in x))
def test_graph_example_is_that_of_its_file(x):
    assert read(x["game"]).graph == zm.read(ROOT / x["file"]).graph


@pytest.mark.parametrize("x", named(x for x in EXAMPLES if x["room"] == "values"))
def test_value_example(x):
    given = {k: v[0] for k, v in parse_qs(urlsplit(link(x)).fragment.partition("?")[2]).items()}
    assert given == x["parameters"]
    expected = x["expect"]
    if "heap" in given:
        game = zm.heap(given["heap"])
        if "nim_sum" in expected:
            heaps = [int(n) for n in given["heaps"].split(",")]
            assert game.grundy(heaps) == expected["nim_sum"]
            return
        period = game.period(2_000)
        if expected["period"] is None:
            assert period is None
            return
        assert period.period == expected["period"]
        assert period.preperiod == expected.get("preperiod", period.preperiod)
        assert period.saltus == expected.get("saltus", 0)
        assert len(period.exceptions) == expected.get("exceptions", len(period.exceptions))
        return
    if "expr" in given:
        value = zm.value(given["expr"])
    else:
        value = zm.game_value(zm.game(f"{given['game']}:{given['at']}"))
    assert str(value) == expected["value"]
    assert value.outcome.name == expected["outcome"]


@pytest.mark.parametrize("x", named(x for x in EXAMPLES if x["room"] == "play"))
def test_play_example(x):
    rules = zm.game(x["parameters"]["game"])
    if x["expect"] == {"rules": True}:
        assert rules.start() is not None
        return
    game = zm.explore(rules)
    answer = zm.solve(game).at(game.start)
    assert answer.outcome == x["expect"]["outcome"]
    if x["expect"]["distance"] is not None:
        assert answer.distance == x["expect"]["distance"]


def test_unknown_example_is_refused():
    with pytest.raises(InvalidOptionError, match="no example"):
        example(call(name="nothing"))
