"""Numbers: the simplest one between two, games of numbers, the sum theorem, the sign rule."""

import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.partizan import oracle
from zermelo.errors import InvalidOptionError, NotANumber
from zermelo.partizan.numbers import number_value, number_values, simplest_number
from zermelo.partizan.store import STORE

dyadic = st.builds(lambda n, k: Fraction(n, 1 << k), st.integers(-500, 500), st.integers(0, 8))
bound = st.one_of(st.none(), dyadic)


def birthday(x):
    """Integers by size; between them, one day for each halving."""
    whole = abs(x.numerator) // x.denominator
    k = x.denominator.bit_length() - 1
    return whole + (k + 1 if k else 0)


@given(bound, bound)
def test_the_simplest_number_is_the_only_one_born_first(a, b):
    if a is not None and b is not None and a >= b:
        with pytest.raises(InvalidOptionError, match="in between"):
            simplest_number(a, b)
        return
    x = simplest_number(a, b)
    assert a is None or a < x
    assert b is None or x < b
    day = birthday(x)
    if day <= 9:
        others = {
            Fraction(n, 1 << k) for k in range(day + 1) for n in range(-(day << k), (day << k) + 1)
        }
        assert [
            y
            for y in others
            if birthday(y) <= day and (a is None or a < y) and (b is None or y < b)
        ] == [x]


@given(bound, bound)
def test_the_store_finds_the_same_number(a, b):
    if a is None or b is None or a < b:
        sides = [[] if x is None else [STORE.number(x.numerator, x.denominator.bit_length() - 1)]
                 for x in (a, b)]  # fmt: skip
        x = simplest_number(a, b)
        assert STORE.make(*sides) == STORE.number(x.numerator, x.denominator.bit_length() - 1)


def test_bounds_of_any_size():
    tiny = Fraction(1, 1 << 5000)
    assert simplest_number(0, tiny) == tiny / 2
    assert simplest_number(1 - tiny, 1) == 1 - tiny / 2
    assert simplest_number(10**40, 10**40 + tiny) == 10**40 + tiny / 2
    assert simplest_number(None, -(10**40)) == -(10**40) - 1


def random_number_game(rng, n):
    """Positions 0 … n − 1, options earlier, all of them numbers (valued by the oracle)."""
    options, values = {}, []
    for p in range(n):
        chosen = [rng.randrange(p) for _ in range(rng.randint(0, 4))] if p else []
        cut = rng.choice([values[q] for q in chosen] or [Fraction(0)])
        left = [q for q in chosen if values[q] < cut]
        right = [q for q in chosen if values[q] > cut]
        options[p] = left, right
        forms = [[oracle.number(values[q]) for q in side] for side in (left, right)]
        g = oracle.canonical(oracle.game(*forms))
        values.append(next(x for x in candidates(g) if oracle.number(x) == g))
    return options, values


def candidates(g):
    day = oracle.birthday(g)
    return (Fraction(n, 1 << k) for k in range(day + 1) for n in range(-(day << k), (day << k) + 1))


@pytest.mark.parametrize("seed", range(10))
def test_the_sum_theorem(seed):
    """The value of a sum, played as a game of its own, is the sum of the values."""
    options, values = random_number_game(random.Random(seed), 7)

    def moves(pair):
        a, b = pair
        return tuple(
            [(x, b) for x in options[a][side]] + [(a, y) for y in options[b][side]]
            for side in range(2)
        )

    pairs = list(itertools.product(range(7), repeat=2))
    assert number_values(options, range(7)) == dict(enumerate(values))
    assert number_values(moves, pairs) == {(a, b): values[a] + values[b] for a, b in pairs}


def stalk(colours):
    """Cutting segment k of a stalk leaves the part below; blue (l) is Left's, red (r) Right's."""
    return tuple([colours[:k] for k, c in enumerate(colours) if c == colour] for colour in "lr")


def berlekamp(colours):
    """The sign rule: the first run counts in integers, and after the first change in halves."""
    total, step, changed = Fraction(0), Fraction(1), False
    for c in colours:
        changed = changed or c != colours[0]
        if changed:
            step /= 2
        total += step if c == "l" else -step
    return total


def test_hackenbush_stalks_by_the_sign_rule():
    for n in range(9):
        for colours in map("".join, itertools.product("lr", repeat=n)):
            assert number_value(stalk, colours) == berlekamp(colours)


def test_long_stalks_meet_no_limit():
    colours = "".join(random.Random(1).choice("lr") for _ in range(300))
    assert number_value(stalk, colours) == berlekamp(colours)
    chain = {k: ([k - 1] if k else [], []) for k in range(20_000)}
    assert number_value(chain, 19_999) == 19_999


@pytest.mark.parametrize(
    ("options", "start", "culprit"),
    [
        ({0: ((), ()), "star": ([0], [0])}, "star", "star"),
        ({0: ((), ()), 1: ([0], ()), "hot": ([1], [0]), "end": (["hot"], ())}, "end", "hot"),
        ({"a": (["b"], ()), "b": ((), ["a"])}, "a", "a"),
        ({"loop": (["loop"], ())}, "loop", "loop"),
    ],
)
def test_the_error_names_the_position_that_is_no_number(options, start, culprit):
    with pytest.raises(NotANumber, match=f"^'{culprit}' is not a number: ") as caught:
        number_value(options, start)
    assert caught.value.position == culprit
    assert isinstance(caught.value, ArithmeticError)
