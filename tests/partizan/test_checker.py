"""The checker of canonical forms: right ones pass, every kind of wrong one is found."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan import oracle
from tests.partizan.games import games, value_of, values
from tests.sampling import examples
from zermelo.errors import CertificateError, LimitError
from zermelo.partizan.certificate import (
    check_canonical,
    check_expression,
    check_rules,
    write_out,
    written_out,
)
from zermelo.partizan.text.notation import read
from zermelo.verify.partizan.values import Options, Plain, check_value


def form(game: oracle.Game) -> Options:
    return write_out(game, lambda g: g.left, lambda g: g.right)


@given(games)
def test_canonical_forms_pass(game):
    check_value(form(game), written_out(value_of(game).id))


@given(games, games)
def test_other_values_are_found(game, other):
    claim = form(oracle.canonical(other))
    if oracle.eq(game, other):
        check_value(form(game), claim)
    else:
        with pytest.raises(CertificateError, match="equal to the game"):
            check_value(form(game), claim)


@given(games)
def test_forms_that_are_not_canonical_are_found(game):
    if oracle.canonical(game) == game:
        check_value(form(game), form(game))
    else:
        with pytest.raises(CertificateError, match=r"dominated|reversible"):
            check_value(form(game), form(game))


@given(values, st.integers(0, 1 << 30))
def test_one_option_more_or_less_is_found(v, seed):
    claim = written_out(v.id)
    check_value(claim, claim)
    random = Random(seed)
    sides = [list(map(list, claim.left)), list(map(list, claim.right))]
    k, side = random.randrange(len(sides[0])), random.choice(sides)
    if k and random.random() < 0.5:
        side[k] = sorted({*side[k]} ^ {random.randrange(k)})
    elif side[k]:
        side[k].remove(random.choice(side[k]))
    changed = Options(*(tuple(map(tuple, rows)) for rows in sides))
    if changed != claim:
        with pytest.raises(CertificateError):
            check_value(claim, changed)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Options((), ()), "equally many"),
        (Options(((),), ((), ())), "equally many"),
        (Options(((0,),), ((),)), "with smaller numbers"),
        (Options(((), (1,)), ((), ())), "with smaller numbers"),
        (Options(((), (-1,)), ((), ())), "with smaller numbers"),
    ],
)
def test_what_is_no_game_is_refused(game, message):
    zero = Options(((),), ((),))
    for pair in ((game, zero), (zero, game)):
        with pytest.raises(CertificateError, match=message):
            check_value(*pair)


@examples(50)
@given(values)
def test_expressions_are_evaluated_literally(v):
    try:
        check_expression(str(v), v.id)
        check_canonical(v.id)
    except LimitError:
        return
    with pytest.raises(CertificateError):
        check_expression(str(v), (v + zm.value("*")).id)


@pytest.mark.parametrize(
    "text",
    ["{0|1} + {0|1} - 1", "^<3> - ^[2]*", "3.{2|1||0} + 5/8", "+-(2,{3|1})", "Tiny(2) - 1Miny(1*)"],
)
def test_sums_are_checked(text):
    check_expression(text, zm.value(text).id)


def test_games_too_large_to_write_out(monkeypatch):
    monkeypatch.setattr("zermelo.verify.partizan.values.MAX_WRITTEN_OUT", 10_000)
    for text in ("*1000", "10000", "1000.^", "^[100]"):
        with pytest.raises(LimitError, match="written out"):
            read(text, Plain())


def test_positions_of_rules_are_checked():
    rules = zm.game("domineering:3x3")
    check_rules(rules, rules.start(), zm.value("+-1").id)
    with pytest.raises(CertificateError):
        check_rules(rules, rules.start(), zm.value("+-1*").id)
