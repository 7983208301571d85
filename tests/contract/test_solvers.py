"""What every solver and every objective must do: the kit for extenders, over the registry.

The kit compares each solver with the definition of each objective that it takes, on all digraphs
with up to 3 positions and on random ones. The solvers that are there for teaching take fewer.
"""

import random

import pytest

import zermelo as zm
from tests.sampling import rounds
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.registry import OBJECTIVES, SOLVERS, Flag, Names, Option, Whole, choose_solver
from zermelo.testing import check_objective, check_solver
from zermelo.testing.cases import fitted
from zermelo.testing.solvers import DEFINITIONS

CASES = [
    pytest.param(row, kind, id=f"{row.name}-{kind.name}")
    for row in SOLVERS
    for kind in OBJECTIVES
    if row.applies_to(kind.family, kind.name)
]
OPTIONS = [
    pytest.param(row, option, id=f"{row.name}-{option.name}")
    for row in SOLVERS
    for option in row.options
]
TEACHING = ("depth-first", "rescan", "components")
SOME_GRAPHS = ("nmfl", "nmfl-cap", "depth-first", "acyclic", "symacyclic")
"""Solvers that do not take every graph: no owners, no cycles, or only symmetric ones."""

over_rows = pytest.mark.parametrize("row", list(SOLVERS), ids=lambda row: row.name)
over_options = pytest.mark.parametrize(("row", "option"), OPTIONS)
over_objectives = pytest.mark.parametrize("kind", list(OBJECTIVES), ids=lambda kind: kind.name)


@pytest.mark.sampled
@pytest.mark.parametrize(("row", "kind"), CASES)
def test_solvers_keep_the_contract(row, kind):
    report = check_solver(row, kind, games=rounds(300 if row.name in TEACHING else 1800, 40))
    if kind.family in DEFINITIONS:
        assert report.tried["compared with the definition"] > 3
    assert ("refused" in report.tried) <= (row.name in SOME_GRAPHS)


@pytest.mark.sampled
@over_objectives
def test_objectives_keep_the_contract(kind):
    assert choose_solver(kind.load()).applies_to(kind.family, kind.name)
    report = check_objective(kind, games=rounds(200, 15))
    assert report.tried["corrupted solutions refused"] > 30


def test_every_family_of_ours_has_a_definition():
    assert {kind.family for kind in OBJECTIVES.own} == {*DEFINITIONS}


def game_for(row):
    """A small game that a solver takes."""
    kind = next(x for x in OBJECTIVES if row.applies_to(x.family, x.name))
    graph = fitted(zm.Graph.from_edges([(0, 1), (1, 2)]), kind.players, random.Random(1))
    return graph, kind.example(graph, random.Random(1))


@over_options
def test_a_value_of_another_type_is_refused(row, option):
    graph, objective = game_for(row)
    for wrong in (2.5, object(), [3]):
        with pytest.raises(InvalidOptionError, match=r"expected .*, got "):
            zm.solve(graph, objective, row.name, **{option.name: wrong})


@over_rows
def test_an_unknown_option_lists_those_of_the_solver(row):
    graph, objective = game_for(row)
    with pytest.raises(SolverError, match=f"solver '{row.name}' has no option 'speed'; ") as caught:
        zm.solve(graph, objective, row.name, speed=3)
    assert all(option.name in str(caught.value) for option in row.options)


@over_options
def test_options_have_a_sentence(row, option):
    assert option.summary.endswith(".")
    assert option.summary[0].isupper()
    assert option.check(option.default) == option.default


@pytest.mark.parametrize("passes", [("components", "compress"), "compress"])
def test_passes_change_no_answer(passes):
    for seed in range(20):
        graph = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
        objective = zm.Parity.example(graph, random.Random(seed))
        plain = zm.solve(graph, objective, "zielonka")
        found = zm.solve(graph, objective, "zielonka", passes=passes).verify()
        assert found.label.tolist() == plain.label.tolist()


def test_values_from_the_command_line():
    assert Flag("x", "X.", False).parse(["On"]) is True
    assert Flag("x", "X.", False).parse(["0"]) is False
    assert Whole("x", "X.", least=1, most=9).parse([" 7 "]) == 7
    assert Names("x", "X.", ()).parse(["a,b", "c"]) == ("a", "b", "c")
    assert Option("x", "X.").parse(["y"]) == "y"
    for option, texts in (
        (Flag("x", "X.", False), ["maybe"]),
        (Flag("x", "X.", False), ["yes", "no"]),
        (Whole("x", "X."), ["-1"]),
        (Whole("x", "X."), ["1e3"]),
        (Whole("x", "X."), ["9" * 30]),
        (Whole("x", "X.", most=3), ["4"]),
    ):
        with pytest.raises(InvalidOptionError, match=r"^x: expected "):
            option.parse(texts)
