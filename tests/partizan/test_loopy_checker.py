"""The checker of loopy values is attacked: every wrong claim must be refused."""

import random

import pytest

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.partizan.loopy.forms import followers, rows_of
from zermelo.partizan.loopy.graph import Values
from zermelo.partizan.loopy.names import parse_loopy
from zermelo.partizan.loopy.value import nodes_of
from zermelo.verify.partizan.loopy import Game, check_sides, survives

ZERO, ON, OFF = Game([[]], [[]]), Game([[0]], [[]]), Game([[]], [[0]])
DUD, OVER = Game([[0]], [[0]]), Game([[1], []], [[0], []])
TEXTS = ("0", "1", "-1", "*", "^", "on", "off", "over", "under", "^[on]", "{0|off}", "1/2", "+-1")


def game_of(value, side):
    return Game(*rows_of(followers([nodes_of(value)[side]])))


def test_right_claims_pass():
    check_sides(DUD, ON, OFF)
    check_sides(OVER, OVER, OVER)
    check_sides(Game([[1], []], [[], [0]]), Game([[1], []], [[], []]), ZERO)


@pytest.mark.slow
@pytest.mark.parametrize("side", ["onside", "offside"])
def test_every_other_side_is_refused(side):
    values = [parse_loopy(x) for x in TEXTS]
    rng = random.Random(3)
    for _ in range(15):
        n = rng.randint(1, 5)
        rows = [[[w for w in range(n) if rng.random() < 0.3] for _ in range(n)] for _ in "LR"]
        known = zm.PartizanGraph.from_rows(*rows).values()
        for v, right in enumerate(known.value):
            sides = [game_of(right, 0), game_of(right, 1)]
            for wrong in values:
                if nodes_of(wrong)[0] == nodes_of(right)[side == "offside"]:
                    continue
                claim = list(sides)
                claim[side == "offside"] = game_of(wrong, 0)
                with pytest.raises(CertificateError, match=side):
                    check_sides(Game(*rows, v), *claim)


def test_a_side_must_be_a_stopper():
    for k in range(2):
        claim = [ON, OFF]
        claim[k] = DUD
        with pytest.raises(CertificateError, match="expected a stopper"):
            check_sides(DUD, *claim)


def test_wrong_values_of_a_graph_are_named():
    graph = zm.PartizanGraph.from_edges(left=[("a", "b")], right=[("b", "a")])
    with pytest.raises(CertificateError, match="position 'b': onside"):
        Values(graph, [zm.value("1 & 0"), zm.value(1)]).verify()


def test_infinite_play_counts_for_the_side_that_it_is_for():
    assert survives(DUD, ON)
    assert not survives(ZERO, DUD)
    assert survives(DUD, ZERO)
    assert not survives(OFF, DUD)
