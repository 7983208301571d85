"""The interface for values: what it answers, and what it refuses with one sentence."""

from fractions import Fraction

import httpx
import pytest
from tests.limits import HANG

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.registry import GAMES
from zermelo.web.api.endpoints import ENDPOINTS, PREFIX
from zermelo.web.api.schema import check
from zermelo.web.api.values.positions import LETTERS
from zermelo.web.server.worker import answer
from zermelo.web.settings import Limits, Settings

ROWS = {row.path: row for row in ENDPOINTS}


def ask(path, settings=None, **request):
    """The answer, compared with its schema."""
    row = ROWS[f"/values/{path}"]
    found = answer(row, check(request, row.request), settings or Settings(), lambda _: None)
    assert "answer" in found, found
    assert check(found["answer"], row.answer) == found["answer"]
    return found["answer"]


def refused(path, settings=None, **request):
    row = ROWS[f"/values/{path}"]
    found = answer(row, check(request, row.request), settings or Settings(), lambda _: None)
    return found["error"]["kind"], found["error"]["message"]


@pytest.mark.parametrize(
    "expression",
    ["{3|1||-2}", "0", "1/2", "*3", "^*", "+_2", "{0|1} + {0|1} - 1", "on", "dud", "over", "+-on"],
)
def test_evaluate_agrees_with_the_package(expression):
    found = ask("evaluate", expression=expression)["value"]
    value = zm.value(expression)
    assert found["text"] == str(value)
    assert found["outcome"]["name"] == value.outcome.name
    facts = {x["name"]: x["text"] for x in found["facts"]}
    if found["kind"] == "loopy":
        assert found["thermograph"] is None
        return
    assert facts["mean"] == str(value.mean)
    assert facts["temperature"] == found["thermograph"]["temperature"] == str(value.temperature)
    for side, wall in (("left", value.thermograph.left), ("right", value.thermograph.right)):
        for point in found["thermograph"][side]:
            assert wall(Fraction(point["t"])) == Fraction(point["x"])
    assert [x["text"] for x in found["left"]] == [str(x) for x in value.left]


def test_outcome_tells_both_beginnings():
    outcome = ask("evaluate", expression="on - on")["value"]["outcome"]
    assert (outcome["left"], outcome["right"]) == ("draws", "draws")
    outcome = ask("evaluate", expression="1")["value"]["outcome"]
    assert (outcome["left"], outcome["right"]) == ("wins", "loses")


@pytest.mark.slow
def test_long_texts_are_cut():
    switches = " + ".join(f"{{{3 * 2**k + k}|{-(2**k)}}}" for k in range(12))
    found = ask("evaluate", expression=switches)["value"]
    assert not found["whole"]
    assert len(found["text"]) == 20_000


def test_moves_are_those_of_best_moves():
    parts = ["{3|-3}", "{1|-1}", "{5|2}", "-6"]
    found = ask("moves", expression=" + ".join(parts))
    assert [x["hottest"] for x in found["components"]] == [True, False, False, False]
    winning = [x for x in found["left"]["moves"] if x["wins"]]
    assert [(x["component"], x["from"], x["to"]) for x in winning] == [(0, "+-3", "3")]
    assert found["left"]["wins"]
    assert found["outcome"]["name"] == zm.sum_outcome(parts).name


def test_equal_components_are_listed_once():
    found = ask("moves", expression="5.{2|-1} + ^*")
    assert [(x["value"], x["count"]) for x in found["components"]] == [("{2|-1}", 5), ("^*", 1)]


def test_steps_and_number():
    found = ask("steps", expression="{0|1} + {0|1}")
    assert found["form"] == ["{1/2|{1/2,1|2}}"]
    assert len(found["steps"]) == 3
    assert found["value"] == "1"
    assert "No:" in ask("steps", expression="{1,*|2}")["number"]


def test_explanation():
    lines = ask("explain", expression="{2|-1}")["lines"]
    assert {"level": 0, "text": "If Left begins, Left wins."} in lines


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("{2|-1", "column 6: expected '}' for the '{' of column 1, got the end"),
        ("1/3", "column 1: expected a power of two as denominator, got 3"),
        ("xx", "column 1: expected a value, got the unknown name 'xx'"),
    ],
)
def test_errors_name_the_place(expression, sentence):
    for path in ("evaluate", "moves", "steps", "explain"):
        assert refused(path, expression=expression) == ("invalid", sentence)


@pytest.mark.slow
def test_limits_of_expressions():
    assert refused("evaluate", expression="9" * 40)[0] == "limit"
    kind, sentence = refused("moves", expression=" + ".join(f"{{{k}|-1}}" for k in range(90)))
    assert (kind, "at most 60" in sentence) == ("limit", True)
    assert refused("steps", expression="10.{3|1||-2}")[0] == "limit"


def test_a_text_that_is_too_long_is_refused_in_a_sentence():
    row = ROWS["/values/evaluate"]
    with pytest.raises(InvalidOptionError, match="expression: expected a text of at most 2,000"):
        check({"expression": "1 + " * 600 + "1"}, row.request)


def test_moves_that_are_left_out_are_counted(monkeypatch):
    """Winning moves come first, so none of them is left out before the others."""
    monkeypatch.setattr("zermelo.web.api.values.expressions.MAX_MOVES", 1)
    left = ask("moves", expression="{1|-1} + *2")["left"]
    assert (len(left["moves"]), left["more"], left["moves"][0]["wins"]) == (1, 2, True)


# -------------------------------------------------------------------- positions


def test_every_partizan_game_can_be_drawn():
    from zermelo.rules.partizan.base import PartizanRules

    partizan = {row.name for row in GAMES if issubclass(row.load(), PartizanRules)}
    assert partizan == set(LETTERS)
    assert [x["name"] for x in ask("games")["games"]] == list(LETTERS)


@pytest.mark.parametrize("name", LETTERS)
def test_letters_are_those_of_the_rules(name):
    _, letters, example = LETTERS[name]
    rules = GAMES[name].load()
    if hasattr(rules, "LETTERS"):
        assert set(letters) == set(rules.LETTERS)
    found = ask("position", game=name, position=example)
    assert found["value"]["text"] == str(zm.game_value(zm.game(f"{name}:{example}")))
    assert found["position"] == example


def test_position_moves_have_the_values_of_their_positions():
    found = ask("position", game="domineering", position=".../...")
    rules = zm.game("domineering:.../...")
    for side in ("left", "right"):
        assert len(found[side]) == len(set(getattr(rules, side)(rules.start())))
        for move in found[side]:
            value = zm.game_value(rules, move["text"])
            assert move["value"] == str(value)
            wins = value >= 0 if side == "left" else value <= 0
            assert move["result"] == ("wins" if wins else "loses")


def test_parts_are_components():
    found = ask("position", game="domineering", position="..##/..##/##../##..")
    assert [(x["count"], x["value"]) for x in found["components"]] == [(2, "+-1")]


def test_positions_are_refused_in_a_sentence():
    assert refused("position", game="chess", position="x")[1].startswith("expected a game, one of")
    assert "got 'x'" in refused("position", game="domineering", position="x")[1]
    kind, sentence = refused("position", game="domineering", position="/".join(["." * 20] * 20))
    assert (kind, sentence) == (
        "limit",
        "the position has 400 squares; at most 100 are valued here",
    )


@pytest.mark.slow
def test_large_board_gives_up_with_a_sentence():
    brief = Settings(limits=Limits(seconds=0.5))
    board = "/".join(["." * 9] * 9)
    kind, sentence = refused("position", settings=brief, game="domineering", position=board)
    assert kind == "limit"
    assert "this position of domineering is too large to be valued in 0.5 seconds" in sentence


# -------------------------------------------------------------------- heaps


def test_heaps_of_kayles():
    found = ask("heap", game="kayles", to=20, heaps=[5, 4, 3])
    assert found["values"] == zm.heap("0.77").nim_sequence(20).tolist()
    assert found["period"]["period"] == 12
    assert len(found["period"]["exceptions"]) == 14
    position = found["position"]
    assert (position["values"], position["value"]) == ([4, 1, 3], 6)
    for move in position["moves"]:
        rest = [n for k, n in enumerate(position["heaps"]) if k != move["heap"]]
        assert zm.heap("0.77").grundy([*rest, *move["to"]]) == 0


def test_heaps_without_a_position_or_a_period():
    found = ask("heap", game="0.007")
    assert found["position"] is None
    assert found["period"] is None
    assert len(found["values"]) == 101


@pytest.mark.parametrize("game", ["zz", "", "1.7", "{x"])
def test_unknown_heap_games_are_refused(game):
    assert refused("heap", game=game)[0] == "invalid"


def test_names_of_heap_games_are_games():
    for x in ask("heaps")["games"]:
        assert zm.heap(x["name"]).grundy(0) == 0


def test_over_the_wire(server):
    address = server.rstrip("/") + PREFIX
    found = httpx.post(f"{address}/values/evaluate", json={"expression": "{2|-1}"}, timeout=HANG)
    assert found.json()["value"]["text"] == "{2|-1}"
    found = httpx.post(f"{address}/values/evaluate", json={"expression": "{2|"}, timeout=HANG)
    assert found.status_code == 422
    assert found.json()["error"]["message"].startswith("column 4: expected")
    found = httpx.get(f"{address}/learn/example", params={"name": "loewe-nmfl"}, timeout=HANG)
    assert found.json()["solver"] == "nmfl"
