"""The proof of an answer belongs to its graph, objective, start and player, or it is refused."""

import dataclasses

import pytest

import zermelo as zm
from zermelo.errors import CertificateError

PATH = zm.generators.path(4, symmetric=True).graph
CYCLE = zm.generators.cycle(4, symmetric=True).graph
OWNED = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
OTHER = zm.Graph.from_edges([(0, 1), (1, 0), (0, 0)], owner=[0, 1])
MULLER = zm.Muller([0, 1], "Inf(0) & Inf(1)")


def eggs(graph, objective=None):
    return zm.GeographyGame(graph, objective).bounds((1,))


def both(graph, objective):
    return zm.geography_sum([(graph, 1), (graph, 0)], objective)


GRAFTS = {
    "eggs, another graph": lambda: (eggs(PATH), {"_values": eggs(CYCLE)._values}),
    "eggs, another objective": lambda: (
        eggs(PATH, zm.NoReturn()), {"_values": eggs(PATH, zm.NoRepetition())._values},
    ),
    "a sum, another graph": lambda: (
        both(PATH, zm.NoReturn()), {"components": both(CYCLE, zm.NoReturn()).components},
    ),
    "a sum, another objective": lambda: (
        both(PATH, zm.NoReturn()), {"components": both(PATH, zm.NoRepetition()).components},
    ),
    "return, another graph": lambda: (
        zm.solve(PATH, zm.NoReturn()), {"play": zm.solve(CYCLE, zm.NoReturn()).play},
    ),
    "return, another objective": lambda: (
        zm.solve(PATH, zm.NoReturn()), {"play": zm.solve(PATH, zm.NoReturn(misere=True)).play},
    ),
    "machines of another graph": lambda: (
        zm.solve(OWNED, MULLER), {"machines": zm.solve(OTHER, MULLER).machines},
    ),
    "machines of the other player": lambda: (
        zm.solve(OWNED, MULLER), {"machines": zm.solve(OWNED, MULLER).machines[::-1]},
    ),
}  # fmt: skip
"""An answer, and a part that was made for another question."""


@pytest.mark.parametrize("name", GRAFTS)
def test_the_proof_of_another_question_is_refused(name):
    answer, graft = GRAFTS[name]()
    answer.verify()
    with pytest.raises(CertificateError, match=r"expected (one of|the pieces)"):
        dataclasses.replace(answer, **graft).verify()


@pytest.mark.parametrize("weight", [[-1, 0, 1], [-2, 2, 0]])
def test_the_games_that_prove_a_capacity_are_its_own(monkeypatch, weight):
    """The checker of a capacity asks for solved games without one; here it gets another."""
    answer = zm.solve(OWNED, zm.Energy([-1, 1, 0], capacity=3)).verify()
    proof = type(answer).proof
    other = staticmethod(lambda graph, objective: proof(graph, zm.Energy(weight)))
    monkeypatch.setattr(type(answer), "proof", other)
    with pytest.raises(CertificateError, match="the game without a capacity: expected one of the"):
        answer.verify()


def test_an_equal_game_is_the_same_game():
    """A proof may come from an equal graph and objective, as after pickling a part."""
    again = zm.generators.path(4, symmetric=True).graph
    twin = eggs(again, zm.NoReturn())
    assert dataclasses.replace(eggs(PATH, zm.NoReturn()), _values=twin._values).verify()
