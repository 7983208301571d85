"""The portfolio: who solves what, and that its limits change no answer."""

import pytest
from tests.solvers.test_parity_side_by_side import side_by_side

import zermelo as zm
from zermelo import generators
from zermelo.solvers.infinite import portfolio


@pytest.mark.parametrize(
    ("family", "parameters", "solver"),
    [
        ("recursive_dull", {"n": 100}, "portfolio"),  # loops decide all
        ("ladder", {"n": 500}, "zielonka"),
        ("recursive_ladder", {"n": 100}, "tangle-learning"),
        ("gazda", {"n": 40}, "tangle-learning"),
        ("worst_core", {"n": 20}, "tangle-learning"),
    ],
)
def test_the_portfolio_chooses_the_solver(family, parameters, solver, monkeypatch):
    monkeypatch.setattr(portfolio, "TURN_LIMIT", 20)
    graph, objective = getattr(generators, family)(**parameters)
    solution = zm.solve(graph, objective).verify()
    assert solution.solver == solver


def test_auto_is_the_portfolio():
    from zermelo.solve import choose_solver

    assert choose_solver(zm.Parity([])).name == "portfolio"
    assert choose_solver(zm.Buchi([])).name == "buchi"


@pytest.mark.parametrize("seed", range(4))
def test_short_limits(seed, monkeypatch):
    """With next to no room for the first run, components and turns solve everything."""
    graph, objective = side_by_side(60, 12, seed)
    expected = zm.solve(graph, objective, solver="priority-promotion").winner
    monkeypatch.setattr(portfolio, "FIRST_LIMIT", 0)
    monkeypatch.setattr(portfolio, "TURN_LIMIT", 0)
    monkeypatch.setattr(portfolio, "MIN_LIMIT", 1)
    solution = zm.solve(graph, objective).verify()
    assert (solution.winner == expected).all()
    assert solution.stats["runs"] > 0
