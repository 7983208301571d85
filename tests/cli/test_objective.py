"""Which game the words of the command line mean."""

from fractions import Fraction

import click
import pytest

from zermelo import (
    Buchi,
    CoBuchi,
    Graph,
    Misere,
    Muller,
    NormalPlay,
    Parity,
    Reach,
    Safety,
    TerminalPayoff,
)
from zermelo.cli.inputs.objective import Wish, choose_objective
from zermelo.cli.inputs.parse import find, split
from zermelo.errors import FormatError, UnknownPositionError
from zermelo.objectives import OBJECTIVES

GRAPH = Graph.from_edges([("a", "x"), ("a", "b"), ("b", "y"), ("b", "a")])
PLAIN = ["normal", "misere", "asymmetric", "g0", "g1", "h1"]
PLAIN += ["no-return", "return", "no-repetition", "repetition"]
OWNED = GRAPH.with_owner([0, 1, 0, 1])


def spec(own=None, graph=GRAPH, **wish):
    return choose_objective(graph, own, Wish(**wish)).spec(graph)


@pytest.mark.parametrize("keyword", PLAIN)
def test_keywords(keyword):
    assert type(choose_objective(GRAPH, None, Wish(keyword))) is OBJECTIVES[keyword]


def test_every_objective_has_a_text():
    texts = {"reach:x", "safety:x", "terminal-payoff:x=1,y=2", "buchi:x", "co-buchi:x"}
    texts |= {"reach-avoid:x/y", "parity:a=0,b=1,x=2,y=3", *PLAIN}
    found = {choose_objective(GRAPH, None, Wish(x)).keyword for x in texts}
    found.add(choose_objective(GRAPH, None, Wish("muller:Inf(0)", colour=("a=0",))).keyword)
    weighted = ("energy", "mean-payoff:threshold=1/3", "discounted:1/2", "shortest-path:x")
    found |= {choose_objective(GRAPH, None, Wish(x), [1, 2, 3, 4]).keyword for x in weighted}
    assert found == set(OBJECTIVES)


def test_misere_geography():
    for keyword in ("no-return", "no-repetition"):
        assert choose_objective(GRAPH, None, Wish(f"{keyword}:misere")).misere
        assert not choose_objective(GRAPH, None, Wish(keyword)).misere
    with pytest.raises(click.BadParameter, match="return takes no data after a colon"):
        choose_objective(GRAPH, None, Wish("return:misere"))


def test_normal_play_is_the_default_of_a_file():
    own = Misere()
    assert isinstance(choose_objective(GRAPH, None, Wish()), NormalPlay)
    assert choose_objective(GRAPH, own, Wish()) is own
    assert choose_objective(GRAPH, own, Wish("misere")) is own
    assert isinstance(choose_objective(GRAPH, own, Wish("normal")), NormalPlay)


@pytest.mark.parametrize(
    "wish",
    [{"objective": "reach:x,y"}, {"targets": "x,y"}, {"objective": "reach", "targets": "y, x"}],
)
def test_reach(wish):
    assert spec(**wish) == {"objective": "reach", "positions": [1, 3], "player": 0}


def test_safety_for_the_other_player():
    assert spec(safe="a,b", for_player=1) == {
        "objective": "safety",
        "positions": [0, 2],
        "player": 1,
    }


def test_an_empty_set_is_a_set():
    assert spec(objective="reach:")["positions"] == []


def test_the_files_own_set_is_kept():
    own = Reach(["x"])
    assert choose_objective(GRAPH, own, Wish("reach")) is own
    assert spec(own, for_player=1) == {"objective": "reach", "positions": [1], "player": 1}
    assert spec(Safety(["a"]), targets="b")["objective"] == "reach"


def test_sets_to_be_seen_for_ever_or_left_for_good():
    assert spec(objective="buchi:x,b") == {"objective": "buchi", "positions": [1, 2], "player": 0}
    assert spec(objective="co-buchi:y", for_player=1)["player"] == 1
    own = Buchi(["a"])
    assert choose_objective(GRAPH, own, Wish("buchi")) is own
    assert spec(own, for_player=1) == {"objective": "buchi", "positions": [0], "player": 1}


@pytest.mark.parametrize(
    "wish",
    [
        {"objective": "parity:a=2,x=1,b=0,y=7"},
        {"priority": ("a=2,x=1", "b=0", "y=7")},
        {"objective": "parity:a=2,x=1", "priority": ("b=0, y=7",)},
    ],
)
def test_priorities(wish):
    found = choose_objective(OWNED, None, Wish(**wish))
    assert found.priorities(OWNED).tolist() == [2, 1, 0, 7]


@pytest.mark.parametrize("text", ['{"a": 2, "x": 1, "b": 3, "y": 7}', "[2, 1, 3, 7]"])
def test_priorities_from_a_file(tmp_path, text):
    path = tmp_path / "priorities.json"
    path.write_text(text)
    found = choose_objective(OWNED, None, Wish(priorities=str(path), priority=("b=0",)))
    assert found.priorities(OWNED).tolist() == [2, 1, 0, 7]


@pytest.mark.parametrize("text", ["[1]", '"a"', "{", '{"a": 1.5}', "[0, 0, 0, true]", "[0,0,0,-1]"])
def test_a_bad_file_of_priorities(tmp_path, text):
    path = tmp_path / "priorities.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"priorities\.json"):
        choose_objective(OWNED, None, Wish(priorities=str(path)))


def test_the_files_own_priorities_in_another_convention():
    own = Parity([0, 1, 2, 3])
    assert choose_objective(OWNED, own, Wish("parity")) is own
    found = choose_objective(OWNED, own, Wish(convention="min odd"))
    assert isinstance(found, Parity)
    assert (found.priority, found.convention) == ([0, 1, 2, 3], "min odd")
    nothing = Graph.from_edges([], n=0, owner=[])
    assert choose_objective(nothing, None, Wish("parity")).keyword == "parity"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Inf(0) & Fin(1)", "Inf(0) & Fin(1)"),
        ("inf(0)&FIN(1)", "Inf(0)&Fin(1)"),
        ("t", "t"),
        ("{0,1},{2}", [[2], [0, 1]]),
        (" { 0 , 1 } , {}", [[], [0, 1]]),
        ("{}", [[]]),
    ],
)
def test_acceptance_conditions(text, expected):
    found = spec(graph=OWNED, objective=f"muller:{text}", colour=("a=0,x=1", "a=2"))
    assert found == {"objective": "muller", "colour": [[0, 2], 1, [], []], "acceptance": expected}


@pytest.mark.parametrize(
    "text", ['{"a": [0, 2], "x": 1, "b": null}', "[[2, 0], 1, [], null]", '{"0": [0,2], "x": [1]}']
)
def test_colours_from_a_file(tmp_path, text):
    path = tmp_path / "colours.json"
    path.write_text(text)
    wish = {"objective": "muller:Inf(0)", "colours": str(path)}
    assert spec(graph=OWNED, **wish)["colour"] == [[0, 2], 1, [], []]
    assert spec(graph=OWNED, **wish, colour=("x=3", "y=4"))["colour"] == [[0, 2], [1, 3], [], 4]


@pytest.mark.parametrize(
    "text", ["[1]", '"a"', "{", '{"a": 1.5}', "[0, 0, 0, true]", "[0, 0, 0, -1]", '{"a": [[0]]}']
)
def test_a_bad_file_of_colours(tmp_path, text):
    path = tmp_path / "colours.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"colours\.json"):
        choose_objective(OWNED, None, Wish("muller:t", colours=str(path)))


def test_the_files_own_colours_or_condition():
    own = Muller([0, 1, None, 0], "Inf(0)")
    assert choose_objective(OWNED, own, Wish()) is own
    assert choose_objective(OWNED, own, Wish("muller")) is own
    other = spec(own, OWNED, objective="muller:Fin(1)")
    assert (other["colour"], other["acceptance"]) == ([0, 1, [], 0], "Fin(1)")
    other = spec(own, OWNED, colour=("b=7",))
    assert (other["colour"], other["acceptance"]) == ([[], [], 7, []], "Inf(0)")
    nothing = Graph.from_edges([], n=0, owner=[])
    assert choose_objective(nothing, None, Wish("muller:t")).keyword == "muller"


@pytest.mark.parametrize(
    "wish",
    [
        {"payoff": ("x=3", "y=1/2")},
        {"objective": "terminal-payoff:x=3,y=1/2"},
        {"objective": "terminal-payoff:x=3", "payoff": ("y=0.5",)},
    ],
)
def test_payoffs_are_exact(wish):
    found = choose_objective(GRAPH, None, Wish(**wish, infinite="1/3"))
    assert isinstance(found, TerminalPayoff)
    assert found.payoffs == {"x": 3, "y": Fraction(1, 2)}
    assert found.infinite == Fraction(1, 3)


def test_payoffs_for_either_player():
    found = choose_objective(GRAPH, None, Wish(payoff=("x=3,-3", "y=0"), view="mover"))
    assert isinstance(found, TerminalPayoff)
    assert (found.payoffs, found.view) == ({"x": (3, -3), "y": 0}, "mover")


def test_payoffs_from_a_file(tmp_path):
    path = tmp_path / "pays.json"
    path.write_text('{"x": 0.1, "y": [1, "2/3"]}')
    found = choose_objective(GRAPH, None, Wish(payoffs=str(path), payoff=("x=7",)))
    assert isinstance(found, TerminalPayoff)
    assert found.payoffs == {"x": 7, "y": (1, Fraction(2, 3))}
    alone = choose_objective(GRAPH, None, Wish(payoffs=str(path)))
    assert isinstance(alone, TerminalPayoff)
    assert alone.payoffs["x"] == Fraction(1, 10)  # type: ignore[call-overload, index]


@pytest.mark.parametrize("text", ["[1]", '{"x": "a"}', '{"x": NaN}', '{"x": true}', "{", "é"])
def test_a_bad_file_of_payoffs(tmp_path, text):
    path = tmp_path / "pays.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(FormatError, match=r"pays\.json"):
        choose_objective(GRAPH, None, Wish(payoffs=str(path)))


def test_the_files_own_payoffs_with_another_end():
    own = TerminalPayoff({"x": 1, "y": 2})
    found = choose_objective(GRAPH, own, Wish(infinite="5"))
    assert isinstance(found, TerminalPayoff)
    assert (found.payoffs, found.infinite) == ({"x": 1, "y": 2}, 5)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"objective": "norml"}, "did you mean 'normal'"),
        ({"objective": ""}, "Known: normal"),
        ({"objective": "normal:a"}, "takes no data after a colon"),
        ({"objective": "reach"}, "reach needs positions"),
        ({"objective": "safety"}, "--safe a,b"),
        ({"objective": "terminal-payoff"}, "needs payoffs"),
        ({"objective": "misere", "targets": "x"}, "--targets goes with reach or"),
        ({"targets": "x", "safe": "y"}, "imply reach and safety"),
        ({"objective": "reach:x", "targets": "y"}, "got both"),
        ({"objective": "reach-avoid"}, "reach-avoid needs positions"),
        ({"avoid": "x"}, "--targets a,b with --avoid c,d"),
        ({"objective": "reach-avoid:x/y", "avoid": "y"}, "--targets and --avoid, got both"),
        ({"objective": "reach:x", "avoid": "y"}, "--avoid goes with reach-avoid, not with reach"),
        ({"targets": "x", "avoid": "y", "safe": "x"}, "imply reach and safety and reach-avoid"),
        ({"infinite": "3"}, "--infinite goes with terminal-payoff, not with normal"),
        ({"for_player": 1}, "--for-player goes with reach or safety"),
        ({"payoff": ("x",)}, "expected NAME=NUMBER, got 'x'"),
        ({"payoff": ("x=three",)}, "expected a number, got 'three'"),
        ({"payoff": ("x=1,2,3",)}, "one or two numbers"),
        ({"payoff": ("x=1/0",)}, "expected a number"),
        ({"targets": "x,,y"}, "names between commas"),
        ({"targets": '"x'}, "unexpected end"),
        ({"objective": "buchi"}, "buchi needs positions: --objective buchi:a,b"),
        ({"objective": "buchi:x", "targets": "y"}, "--targets goes with reach or reach-"),
        ({"objective": "parity"}, "parity needs priorities"),
        ({"objective": "parity:a"}, "expected NAME=NUMBER, got 'a'"),
        ({"priority": ("a=1/2",)}, "expected NAME=NUMBER, got 'a=1/2'"),
        ({"priority": ("a=-1",)}, "expected NAME=NUMBER, got 'a=-1'"),
        ({"priority": ("a=1",), "targets": "x"}, "imply reach and parity"),
        ({"convention": "min odd"}, "--convention goes with parity, not with normal"),
        ({"objective": "muller"}, "muller needs an acceptance condition: --objective 'muller:Inf"),
        ({"colour": ("a=0",)}, "muller needs an acceptance condition"),
        ({"objective": "muller:Inf(0)"}, "muller needs colours: --colour x=0"),
        ({"objective": "muller:Inf(0", "colour": ("a=0",)}, "column 6: expected ')', got the end"),
        ({"objective": "muller:", "colour": ("a=0",)}, "column 1: expected Inf(…), Fin(…), t, f"),
        ({"objective": "muller:{0,x}", "colour": ("a=0",)}, "expected sets of colours such as {0"),
        ({"objective": "muller:{0}{1}", "colour": ("a=0",)}, "expected sets of colours such as"),
        ({"objective": "muller:{0},", "colour": ("a=0",)}, "expected sets of colours such as"),
        ({"objective": "muller:t", "colour": ("a",)}, "expected NAME=NUMBER, got 'a'"),
        ({"objective": "muller:t", "colour": ("a=-1",)}, "expected NAME=NUMBER, got 'a=-1'"),
        ({"objective": "parity", "colour": ("a=1",)}, "--colour goes with muller, not with parity"),
        ({"priority": ("a=1",), "colour": ("a=1",)}, "imply parity and muller"),
    ],
)
def test_objectives_that_make_no_sense(wish, message):
    with pytest.raises(click.UsageError) as caught:
        choose_objective(GRAPH, None, Wish(**wish))
    assert message in caught.value.format_message()


def test_positions_by_name_and_by_number():
    numbers = Graph.from_edges([(0, 1), (1, 2)])
    digits = Graph.from_edges([("1", "0")])
    assert find(GRAPH, "b", "--start") == "b"
    assert find(GRAPH, "2", "--start") == "b"
    assert find(numbers, "2", "--start") == 2
    assert find(digits, "0", "--start") == "0"
    for graph, text in ((GRAPH, "zz"), (numbers, "3"), (numbers, "b"), (GRAPH, "-1")):
        with pytest.raises(UnknownPositionError, match="--start: "):
            find(graph, text, "--start")


def test_names_with_commas():
    assert split('"a,b",c', "--targets") == ["a,b", "c"]


@pytest.mark.parametrize("keyword", PLAIN)
def test_descriptions(keyword):
    text = OBJECTIVES[keyword]().describe(GRAPH)
    assert text.startswith(f"{keyword}: ")
    assert "\n" not in text


def test_descriptions_of_infinite_games():
    assert Buchi(["a"]).describe(OWNED) == "buchi a, wanted for ever by player 0"
    text = "co-buchi no position, wanted only finitely often by player 1"
    assert CoBuchi([], player=1).describe(OWNED) == text
    text = "parity, min odd, 2 different priorities"
    assert Parity([3, 3, 0, 0], "min odd").describe(OWNED) == text
    text = "muller, Inf(0) | Fin(1), 2 different colours"
    assert Muller([0, 1, None, 0], "Inf(0) | Fin(1)").describe(OWNED) == text
    text = "muller, {},{0,1}, 2 different colours"
    assert Muller([0, 1, None, 0], [{1, 0}, []]).describe(OWNED) == text
    assert "no set" in Muller([0, 0, 0, 0], []).describe(OWNED)
    long = Muller([0, 0, 0, 0], " | ".join(["Inf(0)"] * 99)).describe(OWNED)
    assert "…, 1 different colours" in long
    assert len(long) < 100
