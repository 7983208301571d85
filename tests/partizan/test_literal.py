"""Literal forms: sums by the definition, numbers by the definition, and simplification."""

import itertools
import pickle
from fractions import Fraction
from functools import cache
from random import Random

import pytest

import zermelo as zm
from tests.partizan import oracle
from zermelo.partizan.text.literal import summands_of, write_form
from zermelo.partizan.text.literal_text import braced
from zermelo.partizan.text.simplify import simplification


def form_of(game: oracle.Game) -> zm.Literal:
    """A game of the oracle as a form, as it is written."""
    return zm.Literal(*([form_of(x) for x in side] for side in game))


@cache
def game_of(form: zm.Literal) -> oracle.Game:
    """A form as a game of the oracle."""
    return oracle.game(map(game_of, form.left), map(game_of, form.right))


def random_games(seed: int, count: int, day: int = 3, width: int = 2) -> list[oracle.Game]:
    rng = Random(seed)
    return [oracle.random_game(rng, day, width) for _ in range(count)]


def canonical_game(v: zm.Value) -> oracle.Game:
    return oracle.game(map(canonical_game, v.left), map(canonical_game, v.right))


# -------------------------------------------------------------------- sums


@pytest.mark.slow
def test_sums_negatives_and_differences_are_those_of_the_definition():
    games = random_games(1, 30)
    for g, h in itertools.pairwise(games):
        a, b = form_of(g), form_of(h)
        assert game_of(a) == g
        assert game_of(a + b) == oracle.add(g, h)
        assert game_of(-a) == oracle.negate(g)
        assert game_of(a - b) == oracle.add(g, oracle.negate(h))
        assert game_of(zm.literal_sum(a, b, a)) == oracle.add(oracle.add(g, h), g)


def test_a_form_is_not_simplified_and_its_value_is():
    for g in random_games(2, 60):
        form = form_of(g)
        assert canonical_game(form.value) == oracle.canonical(g)
        assert form.is_canonical == (g == oracle.canonical(g))


def test_the_options_of_a_sum_remember_their_summands():
    form = zm.literal("{0|1} + {2|-1}")
    written = [[" + ".join(map(str, x.summands)) for x in side] for side in (form.left, form.right)]
    assert written == [["{2|-1}", "1/2 + 2"], ["1 + {2|-1}", "1/2 + -1"]]
    for x in (*form.left, *form.right):
        assert zm.literal_sum(*x.summands) == x


def test_the_order_of_options_and_repeated_options_do_not_matter():
    one, two = zm.literal("{1,*|0,0}"), zm.literal("{*,1,1|0}")
    assert one == two
    assert hash(one) == hash(two)
    assert zm.literal("{1|0}") != zm.literal("{1,0|0}")


def test_the_text_is_read_back():
    for g in random_games(3, 60):
        form = form_of(g)
        assert zm.literal(form.text) == form
        assert zm.literal(braced(form)) == form
        assert pickle.loads(pickle.dumps(form)) == form


def test_definitions_are_the_form():
    form = zm.literal("{2|-1} + {0|{0|-2}} + *")
    known: dict[str, zm.Literal] = {}

    def meaning(text: str) -> zm.Literal:
        for letter in sorted(known, key=len, reverse=True):
            text = text.replace(letter, known[letter].text)
        return zm.literal(text)

    for line in reversed(form.definitions()):
        letter, _, text = line.partition(" = ")
        known[letter] = meaning(text)
    assert known["G"] == form
    assert len(str(form)) < len(form.text)
    assert form.definitions(2)[-1] == f"… and {len(known) - 2} more forms"


def test_multiples_and_summands():
    assert zm.literal("3.{1|0}") == zm.literal_sum(*["{1|0}"] * 3)
    assert zm.literal("{1|0}.-2") == zm.literal_sum("-{1|0}", "-{1|0}")
    assert summands_of("2.{1|0} - (1 + *)") == tuple(map(zm.literal, ("{1|0}", "{1|0}", "-1", "*")))


def test_forms_of_positions():
    options = {"a": (["b"], []), "b": ([], ["c"]), "c": ([], [])}
    form = write_form("a", lambda p: options[p][0], lambda p: options[p][1])
    assert form.text == "{-1|}"
    with pytest.raises(zm.errors.UndefinedError, match="play can return"):
        write_form(0, lambda p: [1 - p], lambda p: [])


@pytest.mark.slow(example="2000*{1|0}-LimitError-at most 1,000 copies")
@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1000000000", zm.errors.LimitError, "more than 100,000 positions"),
        ("*5000", zm.errors.LimitError, "more than 100,000 positions"),
        ("10.{3|1||-2}", zm.errors.LimitError, "up to 22,880 positions with 124,980 options"),
        ("2000*{1|0}", zm.errors.LimitError, "at most 1,000 copies"),
        ("{1|0}.^", zm.errors.NotationError, "expected an integer factor"),
        ("over + 1", zm.errors.UndefinedError, "loopy value"),
        ("{1|", zm.errors.NotationError, "column 4"),
        (3.5, zm.errors.InvalidOptionError, "expected text"),
    ],
)
def test_what_has_no_literal_form(text, error, message):
    with pytest.raises(error, match=message):
        zm.literal(text)


def test_forms_are_immutable():
    with pytest.raises(AttributeError, match="immutable"):
        zm.literal(1).left = ()
    with pytest.raises(zm.errors.InvalidOptionError, match="options that are forms"):
        zm.Literal([1], [])


@pytest.mark.slow
def test_deep_forms_need_no_recursion():
    form = zm.literal("{" * 5000 + "0" + "|}" * 5000)
    assert form == zm.literal(5000)
    assert zm.is_number(form).number == 5000
    assert (-form).value == -5000


# -------------------------------------------------------------------- numbers


def simplest(a, b):
    """The simplest number between a and b, by trying numbers from the simplest on."""
    for n in range(20):
        for x in (n, -n):
            if a < x < b:
                return Fraction(x)
    for k in range(1, 12):
        for n in range(-20 << k, 20 << k):
            if a < Fraction(n, 1 << k) < b:
                return Fraction(n, 1 << k)
    raise AssertionError


@cache
def sleator(g: oracle.Game):
    """The number of a game by the definition, or None where it assigns no number."""
    lefts, rights = [sleator(x) for x in g.left], [sleator(x) for x in g.right]
    if None in lefts + rights:
        return None
    a, b = max(lefts, default=Fraction(-100)), min(rights, default=Fraction(100))
    return simplest(a, b) if a < b else None


def test_numbers_are_those_of_the_definition():
    yes = no = hidden = 0
    for g in random_games(4, 400, day=3, width=1) + random_games(5, 200, day=3, width=2):
        test = zm.is_number(form_of(g))
        assert test.number == sleator(g)
        if test:
            yes += 1
            assert test.value == test.number
            continue
        no += 1
        hidden += test.value.is_number
        # The witness: moves lead to the position, whose options are numbers that do not fit.
        at = test.form
        for player, after in test.moves:
            assert after in (at.left if player == "Left" else at.right)
            at = after
        assert at == test.position
        assert test.left in at.left
        assert test.right in at.right
        options = [game_of(x) for x in (*at.left, *at.right)]
        assert None not in map(sleator, options)
        assert test.left_number == sleator(game_of(test.left))
        assert test.right_number == sleator(game_of(test.right))
        assert test.left_number >= test.right_number
    assert min(yes, no, hidden) > 10


def test_the_sum_of_numbers_is_a_number():
    """The theorem of [Sleator2001]: G + H has the value g + h, on the literal sum."""
    games = [g for g in random_games(6, 200, day=2) if sleator(g) is not None][:25]
    for g, h in itertools.pairwise(games):
        assert zm.is_number(form_of(g) + form_of(h)).number == sleator(g) + sleator(h)


@pytest.mark.parametrize(
    ("text", "number"),
    [("{|}", 0), ("{0|}", 1), ("{|0}", -1), ("{1|}", 2), ("{|4}", 0), ("{3|5}", 4),
     ("{3|4}", Fraction(7, 2)), ("{0|1}", Fraction(1, 2)), ("{0|1}+{0|1}+{|0}", 0)],
)  # fmt: skip
def test_the_examples_of_the_lecture(text, number):
    assert zm.is_number(text).number == number


def test_a_form_that_is_not_a_number_though_its_value_is():
    test = zm.is_number("{1,{0|0}|2}")
    assert not test
    assert [(player, x.text) for player, x in test.moves] == [("Left", "*")]
    assert test.value == Fraction(3, 2)
    assert "Its value is the number 3/2 all the same: it equals {1|2}" in str(test)
    assert test.to_dict()["value_is_number"] is True
    deep = zm.is_number("{|{{3|-1}|}}")
    assert "after Right moves to {{3|-1}|}, and then Left moves to {3|-1}, Left's option 3" in str(
        deep
    )


def test_long_forms_are_only_mentioned():
    test = zm.is_number("3.{2|-1}")
    assert not test
    assert "No: this form is not a number, because after " in str(test)


# -------------------------------------------------------------------- simplification


def test_every_step_of_a_simplification_follows_its_rule():
    rules = set()
    for g in random_games(7, 80, day=3, width=3):
        trace = simplification(form_of(g))
        assert canonical_game(trace.value) == oracle.canonical(g)
        last: dict[oracle.Game, str] = {}
        for step in trace:
            rules.add(step.rule)
            check(step)
            last[game_of(step.position)] = step.after
        if g != oracle.canonical(g) and g in last:
            assert game_of(zm.literal(last[g])) == oracle.canonical(g)
    assert rules == {"equal", "dominated", "reversible"}


def check(step):
    """One step, by the oracle's order."""
    whole = game_of(step.position)
    before, after = (literally(x) for x in (step.before, step.after))
    side = 0 if step.player == "Left" else 1
    assert oracle.eq(before, whole)
    assert oracle.eq(after, whole)
    assert before[1 - side] == after[1 - side]
    option = canonical_game(step.option)
    assert option in before[side]
    if step.rule == "equal":
        assert before == after
        return
    by = canonical_game(step.by)
    gained = {canonical_game(x) for x in step.gained}
    if step.rule == "dominated":
        assert by in before[side] - {option}
        assert oracle.le(by, option) if side else oracle.le(option, by)
        assert not gained
    else:
        assert by in option[1 - side]
        assert oracle.le(whole, by) if side else oracle.le(by, whole)
        assert gained == by[side]
    assert after[side] == (before[side] - {option}) | gained


def literally(text):
    """A position whose options are written as values."""
    form = zm.literal(text)
    return oracle.game(
        *([canonical_game(x.value) for x in side] for side in (form.left, form.right))
    )


def test_a_canonical_form_has_no_steps():
    trace = zm.trace(zm.value("{2|-1}"))
    assert len(trace) == 0
    assert str(trace) == "{2|-1} is in canonical form: {2|-1}."


def test_the_trace_of_values():
    trace = zm.trace(zm.literal("{*|*}"))
    assert [str(x.by) for x in trace] == ["0", "0"]
    assert str(trace).endswith("The canonical form is 0.")
    with pytest.raises(zm.errors.UndefinedError, match="has no trace"):
        zm.trace(zm.value("dud"))
    with pytest.raises(zm.errors.InvalidOptionError, match="no objective"):
        zm.trace(zm.value(1), zm.Misere())
