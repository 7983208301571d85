"""Cooling, heating, products, incentives, ordinal sums, atomic weights, reduced forms."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan import oracle
from tests.partizan.games import LIMITS, games, value_of, values
from zermelo.errors import InvalidOptionError, UndefinedError
from zermelo.partizan.analysis import heat, stops
from zermelo.partizan.store import STORE

small = games.map(value_of)
warm = st.sampled_from([Fraction(k, 4) for k in range(0, 9)])


def norton(v, unit):
    return zm.Value(heat.norton(v.id, unit.id))


@LIMITS
@given(small, warm)
def test_cooling_moves_the_walls(v, t):
    cold = v.cool(t)
    assert cold.mean == v.mean
    if t >= v.temperature:
        assert cold.left_stop == cold.right_stop == v.mean
    else:
        assert cold.temperature == v.temperature - t
        assert (cold.left_stop, cold.right_stop) == (v.thermograph.left(t), v.thermograph.right(t))


@LIMITS
@given(small, small, warm)
def test_cooling_is_a_homomorphism(v, w, t):
    assert (v + w).cool(t) == v.cool(t) + w.cool(t)
    assert (-v).cool(t) == -v.cool(t)


def test_cooling_by_minus_one_is_refused():
    with pytest.raises(UndefinedError, match="above -1 to cool by, got -1"):
        zm.value("*").cool(-1)


@LIMITS
@given(small, small)
def test_norton_products_are_homomorphisms(v, w):
    for unit in (zm.value("^"), zm.value("{2|1}"), zm.value(1)):
        assert norton(v + w, unit) == norton(v, unit) + norton(w, unit)
        assert (norton(v, unit) >= norton(w, unit)) == (v >= w)


@LIMITS
@given(small)
def test_some_products_are_known(v):
    assert norton(v, zm.value(1)) == v
    assert v * 3 == v + v + v == 3 * v
    assert v * 0 == 0
    assert v * -2 == -v - v


def test_heating_known_values():
    """[BerlekampConwayGuy2001] ch. 6: a heated star is a switch, a number does not change."""
    assert zm.value("*").heat(3) == zm.value("+-3")
    assert zm.value("3/4").heat(5) == zm.value("3/4")


def test_overheating_known_values():
    """Overheating from 1 to t turns 1/2 into {1 + t - 1 | 1 - t} and leaves integers alone."""
    assert zm.value("1/2").overheat(1, 2) == zm.value("{2|-1}")
    assert zm.value("3").overheat(zm.value("^"), 2) == zm.value("^3")


def test_products_of_numbers_are_their_products():
    assert zm.value("3/4") * zm.value("5/2") == zm.value("15/8")
    with pytest.raises(UndefinedError, match="greater than 0"):
        zm.value("{1|0}") * zm.value("*")


@LIMITS
@given(small)
def test_incentives(v):
    mine = [x - v for x in v.left]
    assert all(any(y >= x for y in v.left_incentives) for x in mine)
    assert set(v.left_incentives) <= set(mine)
    assert {zm.Value(x) for x in stops.right_incentives(v.id)} == set((-v).left_incentives)
    both = mine + [v - x for x in v.right]
    assert set(v.incentives) == {x for x in both if not any(x < y for y in both)}
    if v.is_number:
        assert all(x < 0 for x in v.left_incentives)


def test_what_a_value_is_cooled_by():
    v = zm.value("{2|-1}")
    assert (
        v.cool("1/2") == v.cool(zm.value("1/2")) == v.cool(Fraction(1, 2)) == zm.value("{3/2|-1/2}")
    )
    for t, message in (("*", "expected a number to cool by, got *"), (-1, "above -1")):
        with pytest.raises(UndefinedError, match=re.escape(message)):
            v.cool(t)
    with pytest.raises(InvalidOptionError, match=r"got 0\.5"):
        v.cool(0.5)


@LIMITS
@given(games, games)
def test_ordinal_sums_agree_with_the_definition(g, h):
    g, h = oracle.canonical(g), oracle.canonical(h)

    def stack(x):
        return oracle.game(g.left | set(map(stack, x.left)), g.right | set(map(stack, x.right)))

    assert value_of(g).ordinal_sum(value_of(h)) == value_of(stack(h))


@pytest.mark.slow
def test_a_huge_second_summand_is_refused():
    with pytest.raises(zm.errors.LimitError, match="there are more; a smaller summand"):
        zm.value("{2|1||0}").ordinal_sum(2**31 - 1)


def test_ordinal_sums_of_hackenbush_stalks():
    assert zm.value(1).ordinal_sum(-1) == zm.value("1/2")
    assert zm.value("*3").ordinal_sum(zm.value("*4")) == zm.value("*7")
    assert zm.value("1*2").ordinal_sum(zm.value("*1000000")) == zm.value("1*1000002")


@LIMITS
@given(small)
def test_reduced_forms_are_close_and_simplest(v):
    reduced = v.reduced
    assert (v - reduced).is_infinitesimal
    assert reduced.reduced == reduced
    assert (v + zm.value("^*")).reduced == reduced
    assert reduced.birthday <= v.birthday


all_small = st.recursive(
    st.sampled_from(["0", "*", "*2", "^", "v*", "^^", "^<2>"]).map(zm.value),
    lambda inner: st.builds(
        zm.Value.from_options,
        st.lists(inner, min_size=1, max_size=2),
        st.lists(inner, min_size=1, max_size=2),
    ),
    max_leaves=5,
)


@LIMITS
@given(all_small, all_small)
def test_atomic_weights_add(v, w):
    assert v.is_all_small
    assert (v + w).atomic_weight == v.atomic_weight + w.atomic_weight
    assert (-v).atomic_weight == -v.atomic_weight
    if v.atomic_weight >= 2:  # the two-ahead rule
        assert v > 0


def test_known_atomic_weights():
    """The weights of a row of options follow from {weights - 2 | weights + 2}."""
    for text, weight in [("5.^ + *3", 5), ("^<2>", 0), ("^[2]", 1), ("Tiny(2)", 0),
                         ("{^^|vv}", "*"), ("{^^|v}", "1/2")]:  # fmt: skip
        assert zm.value(text).atomic_weight == zm.value(weight)


@pytest.mark.parametrize("text", ["1", "+-1", "{1|0}", "1*"])
def test_values_without_an_atomic_weight_are_refused(text):
    with pytest.raises(UndefinedError, match="no atomic weight"):
        zm.value(text).atomic_weight  # noqa: B018


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("{0||v|-100}", "-1"),
        ("{0||vv|-100}", None),
        ("{^^||vv|-9}", None),
        ("{^^*||||v3||v3|-9|||0}", "{0|-3}"),
        ("{0||^^|+-^^||||v||v3|-9|||0}", "{1|-2}"),
    ],
)
def test_weights_of_values_that_are_not_all_small(text, weight):
    """G has the weight g iff v + ☆ <= G - g.^ <= ^ + ☆, which is so for one g at most."""
    v, star = zm.value(text), zm.value("*16")
    assert v.is_infinitesimal
    assert not v.is_all_small
    candidates = {k + zm.value(x) for k in range(-3, 4) for x in ("0", "*", "1/2", "^", "+-1")}
    candidates |= {zm.value(x) for x in ("{0|-3}", "{1|-2}")}
    near = []
    for g in candidates:
        rest = v - g.norton(zm.value("^"))
        if zm.value("v") + star <= rest <= zm.value("^") + star:
            near.append(g)
    if weight is None:
        assert near == []
        with pytest.raises(UndefinedError, match="no multiple of"):
            v.atomic_weight  # noqa: B018
    else:
        assert near == [v.atomic_weight] == [zm.value(weight)]


@LIMITS
@given(values)
def test_all_small_and_infinitesimal(v):
    if v.is_all_small:
        assert v.is_infinitesimal
    assert v.is_infinitesimal == stops.is_infinitesimal(v.id)
    assert (v - v.reduced).is_infinitesimal


def test_clearing_the_store_clears_what_features_remember():
    before = zm.value("{2|-1}")
    assert (before.mean, str(before)) == (Fraction(1, 2), "{2|-1}")
    STORE.clear()
    try:
        for text in ("{3|-1}", "{2|-1}", "^[2]", "{5|3||2}"):
            v = zm.value(text)
            assert str(v) == text
        assert zm.value("{3|-1}").mean == 1
        assert zm.value("^[2]").atomic_weight == 1
    finally:
        STORE.clear()
