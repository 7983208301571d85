"""What the tables of solvers and objectives promise: every row is covered, every option works."""

import pytest

import zermelo as zm
from tests.contract import (
    test_geography_solvers,
    test_muller_solvers,
    test_parity_solvers,
    test_terminal_solvers,
)
from tests.quantitative import test_solvers as test_quantitative_solvers
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.registry import OBJECTIVES, SOLVERS, Flag, Names, Option, Whole, choose_solver

FAMILIES = {
    "terminal": test_terminal_solvers,
    "parity": test_parity_solvers,
    "muller": test_muller_solvers,
    "geography": test_geography_solvers,
    "quantitative": test_quantitative_solvers,
}
"""The contract of each family."""

OWNED = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
PLAIN = OWNED.with_owner(None)
DATA = {
    "terminal-payoff": zm.TerminalPayoff([0, 0, 0]),
    "reach": zm.Reach([2]),
    "safety": zm.Safety([0, 1]),
    "reach-avoid": zm.ReachAvoid([2], avoid=[0]),
    "parity": zm.Parity([0, 1, 2]),
    "buchi": zm.Buchi([1]),
    "co-buchi": zm.CoBuchi([1]),
    "muller": zm.Muller([0, 1, None], "Inf(0)"),
    "energy": zm.Energy([1, -2, 3, 0]),
    "mean-payoff": zm.MeanPayoff([1, -2, 3, 0]),
    "discounted": zm.Discounted([1, -2, 3, 0]),
    "shortest-path": zm.ShortestPath([1, -2, 3, 0], [2]),
}
VALUES = {
    "quotient": True, "passes": ("components", "compress"), "nodes": 10**6, "threads": 1,
    "worklist": True,
}  # fmt: skip
"""A value of each option that changes no answer."""

OPTIONS = [(row, option) for row in SOLVERS for option in row.options]
over_options = pytest.mark.parametrize(
    ("row", "option"), OPTIONS, ids=[f"{row.name}-{option.name}" for row, option in OPTIONS]
)


def game_for(row):
    """A small game that a solver takes."""
    keyword = next(x.name for x in OBJECTIVES if row.applies_to(x.family, x.name))
    graph = OWNED if OBJECTIVES[keyword].players == "own" else PLAIN
    if row.name in ("acyclic", "symacyclic", "depth-first"):
        graph = zm.Graph.from_edges([(0, 1), (1, 2)])
    return graph, DATA[keyword] if keyword in DATA else OBJECTIVES[keyword].load()()


@pytest.mark.parametrize("row", list(SOLVERS), ids=lambda row: row.name)
def test_every_solver_is_under_contract(row):
    covered = {case[0] for case in FAMILIES[row.family].CASES}
    assert row.name in covered


@pytest.mark.parametrize("row", list(OBJECTIVES), ids=lambda row: row.name)
def test_every_objective_has_a_solver_and_is_under_contract(row):
    cases = FAMILIES[row.family].CASES
    assert row.name in {case[1].partition(" ")[0] for case in cases}
    kind = row.load()
    assert choose_solver(kind).applies_to(row.family, row.name)


@over_options
def test_an_option_changes_no_answer(row, option):
    graph, objective = game_for(row)
    plain = zm.solve(graph, objective, row.name)
    found = zm.solve(graph, objective, row.name, **{option.name: VALUES[option.name]}).verify()
    assert found.label.tolist() == plain.label.tolist()
    usual = zm.solve(graph, objective, row.name, **{option.name: option.default})
    assert usual.label.tolist() == plain.label.tolist()


@over_options
def test_a_value_of_another_type_is_refused(row, option):
    graph, objective = game_for(row)
    for wrong in (2.5, object(), [3]):
        with pytest.raises(InvalidOptionError, match=r"expected .*, got "):
            zm.solve(graph, objective, row.name, **{option.name: wrong})


@pytest.mark.parametrize("row", list(SOLVERS), ids=lambda row: row.name)
def test_an_unknown_option_lists_those_of_the_solver(row):
    graph, objective = game_for(row)
    with pytest.raises(SolverError, match=f"solver '{row.name}' has no option 'speed'; ") as caught:
        zm.solve(graph, objective, row.name, speed=3)
    assert all(option.name in str(caught.value) for option in row.options)


@pytest.mark.parametrize(
    "option", list({x.name: x for _, x in OPTIONS}.values()), ids=lambda x: x.name
)
def test_options_have_a_sentence(option):
    assert option.summary.endswith(".")
    assert option.summary[0].isupper()
    assert option.check(option.default) == option.default


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
