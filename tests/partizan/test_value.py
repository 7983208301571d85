"""Values as objects: arithmetic, order, identity, equality with numbers."""

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan import oracle
from zermelo.errors import InvalidOptionError, StaleValueError, UndefinedError
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.store import STORE


def basics():
    return zm.value(0), zm.value("*"), zm.value("^")


def put(g: oracle.Game) -> zm.Value:
    return zm.Value.from_options(map(put, g.left), map(put, g.right))


def form(v: zm.Value) -> oracle.Game:
    return oracle.game(map(form, v.left), map(form, v.right))


born = st.sampled_from(oracle.born_by(2))


@given(born, born)
def test_arithmetic_and_order_are_those_of_games(g, h):
    a, b = put(g), put(h)
    assert form(a) == g
    assert form(a + b) == oracle.canonical(oracle.add(g, h))
    assert a - b == a + -b == -(b - a)
    assert (a <= b, a >= b) == (oracle.le(g, h), oracle.le(h, g))
    assert (a < b) == (a <= b and a != b)
    assert (a > b) == (b < a)
    assert (a | b) == a.confused(b) == (not a <= b and not b <= a)
    assert a.outcome.name == oracle.outcome(g)
    assert 2 * a == a * 2 == a + a
    assert -3 * a == -(a + a + a)
    assert a.birthday == oracle.birthday(g)


def test_numbers_are_equal_to_numbers():
    half, (_, star, up) = zm.value(Fraction(1, 2)), basics()
    assert half == Fraction(1, 2) != star
    assert half + half == 1 == zm.value("1")
    assert {half: "x"}[Fraction(1, 2)] == "x"
    assert {1: "one"}[half + half] == "one"
    assert 1 - half == half
    assert half < 1 < half + 1
    assert 0 < up < Fraction(1, 1 << 40)
    assert int(zm.value(5)) == range(9)[zm.value(5)] == 5
    assert star != 0
    assert star != "*"
    with pytest.raises(TypeError, match="is not an integer"):
        int(half)
    with pytest.raises(TypeError):
        half + "1"
    with pytest.raises(TypeError):
        assert half < None


def test_values_refuse_what_is_none():
    with pytest.raises(UndefinedError, match="power of two, got 1/3"):
        zm.value(Fraction(1, 3))
    assert zm.value(1) != Fraction(1, 3)
    with pytest.raises(InvalidOptionError, match="expected text, an integer"):
        zm.value(0.5)
    with pytest.raises(InvalidOptionError, match="number of a value"):
        zm.Value(0)
    star = zm.value("*")
    with pytest.raises(AttributeError, match="immutable"):
        star._id = 5


def test_properties_of_values():
    zero, star, up = basics()
    assert [v.is_number for v in (zero, star, up)] == [True, False, False]
    assert [v.is_nimber for v in (zero, star, up)] == [True, True, False]
    assert [v.is_infinitesimal for v in (zero, star, zm.value(1))] == [True, True, False]
    assert [v.is_all_small for v in (star, up, zm.value(1))] == [True, True, False]
    assert zm.value("*5").nimber == 5
    assert (up + star).nimber is None
    assert (zm.value("3/4").is_number, zm.value("3/4").is_integer) == (True, False)
    switch = zm.value("{3|-1}")
    assert (switch.left_stop, switch.right_stop) == (3, -1)
    assert (switch.mean, switch.temperature) == (1, 2)
    assert zm.value(value := zm.value("{2|1}")) is value


def test_values_survive_pickling_and_copying():
    v = zm.value("{2||1|0} + ^*")
    assert pickle.loads(pickle.dumps(v)) == v
    assert copy.deepcopy(v) == v
    assert repr(v) == f"Value({str(v)!r})"


def test_a_value_of_an_emptied_store_is_an_error(monkeypatch):
    v = zm.value("{2|1}")
    monkeypatch.setattr(STORE, "age", STORE.age + 1)
    for use in (lambda: v + 1, lambda: str(v), lambda: v.left, lambda: v <= v):
        with pytest.raises(StaleValueError, match="before the store of values was emptied"):
            use()
    assert repr(v) == "Value(stale)"
    assert v != zm.value("{2|1}")
    hash(v)


def test_outcomes_have_nine_classes():
    assert len(Outcome) == 9
    assert {Outcome.of(x.left_first, x.right_first) for x in Outcome} == set(Outcome)
    assert len({str(x) for x in Outcome}) == 9
    swapped = {x: Outcome.of(-x.right_first, -x.left_first).name for x in Outcome}
    assert swapped[Outcome.PHat] == "PCheck"
    assert swapped[Outcome.NHat] == "NCheck"
    assert swapped[Outcome.N] == "N"


@given(st.sampled_from(oracle.born_by(2)), st.integers(-40, 40), st.sampled_from([3, 5, 6, 7]))
def test_fractions_that_are_no_values_are_compared(g, numerator, denominator):
    v, x = put(g), Fraction(numerator, denominator)
    if not x.denominator & (x.denominator - 1):
        return
    low = Fraction((x * 64).__floor__(), 64)  # no value born by day 2 stops in between
    high = low + Fraction(1, 64)
    assert (v < x) == (v <= x) == (v < high)
    assert (v > x) == (v >= x) == (v > low)
    assert (v | x) == v.confused(x) == (not v < x and not v > x)
    assert v != x
    assert (x > v) == (v < x)


@pytest.mark.parametrize(
    "ask",
    [
        lambda v, loop: v.heat(loop),
        lambda v, loop: v.cool(loop),
        lambda v, loop: v.overheat(1, loop),
        lambda v, loop: v.norton(loop),
        lambda v, loop: v.ordinal_sum(loop),
        lambda v, loop: zm.Value.from_options([loop], [v]),
        lambda v, loop: zm.sum_outcome([v, loop]),
    ],
)
def test_loopy_values_are_refused_where_play_must_end(ask):
    for loop in ("on", zm.value("over")):
        with pytest.raises(UndefinedError, match="without loops, got o"):
            ask(zm.value("{1|0}"), loop)


def test_a_number_in_the_store_is_no_text():
    with pytest.raises(InvalidOptionError, match=r"zm\.value"):
        zm.Value("5")
