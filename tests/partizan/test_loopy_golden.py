"""Loopy values against tables made by CGSuite, and against the theory of ∞(K)."""

import ast
import json
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.partizan.loopy.names import parse_loopy

GOLDEN = Path(__file__).parents[1] / "golden"


def lines(name):
    return (GOLDEN / name).read_text().splitlines()


DIGRAPHS = [json.loads(x) for x in lines("loopy_partizan_digraphs.jsonl")]
NIMBERS = [x.split("\t") for x in lines("loopy_nimbers_inf_K.tsv")[1:]]


@pytest.mark.parametrize("row", DIGRAPHS, ids=range(len(DIGRAPHS)))
def test_digraphs(row):
    graph = zm.PartizanGraph.from_json(row)
    values = graph.values().verify().value
    assert [str(x) for x in values] == row["cgsuite_value"]
    assert [x.name for x in graph.outcomes()] == row["outcome"]
    assert [x.outcome.name for x in values] == row["outcome"]
    assert [x.name for x in graph.outcomes(misere=True)] == row["misere_outcome"]
    finite = [isinstance(x, zm.Value) for x in values]
    assert finite == row["loopfree"]
    assert [a or x.is_stopper for a, x in zip(finite, values, strict=True)] == row["stopper"]
    assert [parse_loopy(str(x)) for x in values] == list(values)


@pytest.mark.parametrize("row", NIMBERS, ids=[row[0] for row in NIMBERS])
def test_infinite_nimbers(row):
    options, game, text, outcome = row
    value = zm.value(game)
    assert str(value) == text
    assert value == parse_loopy(text)
    assert value.outcome.name == outcome
    k = {int(x) for x in options.strip("{}").split(",") if x}
    loop = zm.grundy(
        zm.Graph.from_edges(
            [(4, x) for x in (*k, 4)] + [(a, b) for a in range(4) for b in range(a)]
        )
    )[4]
    assert loop == zm.Infinite(k)


@pytest.mark.slow
def test_impartial_graphs_with_heaps_of_nim_beside_them():
    """The first player wins ∞(K) + ∗n iff n is in K; else it is a draw ([FraenkelYesha1986])."""
    kinds = set()
    for row in map(json.loads, lines("loopy_values.jsonl")[::8]):
        graph = zm.PartizanGraph.from_rows(row["succ"], row["succ"])
        for found, known in set(zip(graph.values().value, map(str, row["sg"]), strict=True)):
            sg = ast.literal_eval(known)
            for n in range(4):
                if isinstance(sg, int):
                    wanted = "P" if sg == n else "N"
                else:
                    wanted = "N" if n in sg["inf"] else "D"
                assert (found + zm.value(f"*{n}")).outcome.name == wanted
            kinds.add(known)
    assert len(kinds) > 5


@pytest.mark.parametrize(
    ("text", "spelled", "outcome"),
    [
        ("{pass|3/2}", "3/2under", "L"),
        ("{-1/4+*|pass}", "-1/4v[on]", "R"),
        ("{0||0|0,pass}", "^<on>", "L"),
        ("{0|^<on>||v<on>}", "{0|^<on>||v<on>}", "N"),
        ("{0|||0||0|off}", "{0|Tiny(on)}", "L"),
        ("{on|0||0}", "Miny(on)", "R"),
        ("{0||0|under}", "Tiny(over)", "L"),
        ("+-{0|pass}", "+-over", "N"),
        ("+-{5|pass}", "+-(5over)", "N"),
        ("a{0||||0|||a|*||*}", "a{0||||0|||a|*||*}", "L"),
        ("a{{|a}|}", "1 & 0", "PHat"),
        ("{0|{dud|},*}", "^ & v*", "NHat"),
        ("{1|1,pass}", "1v[on]*", "L"),
    ],
)
def test_examples_of_cgsuite(text, spelled, outcome):
    """Inputs and outputs of CGSuite's tests of stoppers and sided values."""
    value = parse_loopy(text)
    assert str(value) == spelled
    assert value.outcome.name == outcome
    assert parse_loopy(spelled) == value
    negative = -value
    assert -negative == value


def test_the_carousel_has_no_stoppers_for_its_sides():
    """Bach's carousel, from CGSuite's tests of sided values."""
    carousel = parse_loopy("a{0,{1|1,{*,{1*|1*,a}|*}}|0}")
    assert not carousel.has_sides
    assert carousel.onside is None
    assert carousel.offside is None
    assert carousel.outcome is zm.Outcome.N
    assert carousel == parse_loopy(str(carousel))
    assert hash(carousel) == hash(parse_loopy(str(carousel)))
    assert carousel != parse_loopy("a{0|0,a}")
    assert carousel <= 1
    assert not carousel >= 0
    assert (carousel + zm.value("on")).onside == zm.value("on")


def test_fox_and_geese_on_small_boards():
    """Two geese on four columns have the value over, and the outcomes of retrograde analysis."""
    from zermelo.rules.partizan.fox_and_geese import FoxAndGeese

    for rows in (4, 5):
        graph = zm.PartizanGraph.from_rules(FoxAndGeese(rows, 4))
        values = graph.values().value
        assert str(values[0]) == "over"
        assert [x.outcome for x in values] == list(graph.outcomes())
