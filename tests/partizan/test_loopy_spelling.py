"""The text of loopy values: names, bars and braces; reading it gives the same value."""

import random

import pytest

import zermelo as zm
from zermelo.errors import LimitError
from zermelo.partizan.loopy.forms import intern, zero
from zermelo.partizan.loopy.names import parse_loopy
from zermelo.partizan.loopy.spelling import spell_node
from zermelo.partizan.text import spelling

LEAVES = ["0", "0", "0", "*", "*2", "^", "v", "^*", "1", "-1", "1/2", "{1|0}", "+-1", "on", "off",
          "over", "under", "^[on]", "v[on]*", "^<on>", "Tiny(1)", "{0|-2}", "{3|0}"]  # fmt: skip


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize("arrow", ["^[on]", "v[on]", "^<on>", "v<on>"])
@pytest.mark.parametrize("number", ["", "1", "-3/4"])
def test_numbers_before_and_nimbers_after_names(arrow, number):
    for n, star in enumerate(["", "*", "*2", "*3", "*4", "*5", "*6"]):
        value = parse_loopy(arrow) + parse_loopy(number or "0") + parse_loopy(f"*{n}")
        assert str(value) == f"{number}{arrow}{star}"
        assert parse_loopy(str(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        "2over",
        "-1/2under",
        "+-(1over)",
        "+-{on|1over}",
        "+-(1^[on]*)",
        "+-{{1|0},over}",
        "Tiny(1over)",
        "-1Miny(on)",
        "Tiny({on|1})",
        "{0|Tiny(on)}",
        "{1||pass|Tiny(1)}",
        "{0,*,pass|0,*}",
        "{3||0|off}",
        "a{0|0,{0|a}||0|||0}",
        "a{0||0|a|||^||||^}",
        "{on||1|*} & a{on||^,{0||a|0}|*}",
        "{0,{0|Miny({1|0})}|Miny({1|0}),pass} & {0|under}",
    ],
)
def test_texts_that_are_written_as_they_are_read(text):
    assert str(parse_loopy(text)) == text


def random_text(rng, depth, names=""):
    """Braces in braces, some with names that are used within, and passes."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(names) if names and rng.random() < 0.45 else rng.choice(LEAVES)
    name = "abcdefgh"[len(names)] if rng.random() < 0.5 else ""
    rows = []
    for _ in "LR":
        size = rng.choice([0, 1, 1, 1, 2, 2])
        row = [random_text(rng, depth - 1, names + name) for _ in range(size)]
        rows.append(row + ["pass"] * (rng.random() < 0.1))
    return f"{name}{{{','.join(rows[0])}|{','.join(rows[1])}}}" if any(rows) else "0"


@pytest.mark.slow
def test_random_texts():
    rng = random.Random(31)
    texts = set()
    for _ in range(90):
        value = parse_loopy(random_text(rng, 4))
        text = str(value)
        assert parse_loopy(text) == value, text
        assert str(parse_loopy(text)) == text or not value.has_sides
        assert -parse_loopy(str(-value)) == value
        texts.add(text)
    assert len(texts) > 40


def test_names_are_given_in_the_order_of_the_text():
    """Two rings of three, one of which leads to the other; a pass needs no name."""
    one, two, star = zm.value(1), zm.value(2), zm.value("*")
    inner = [[one], [star], [zero()]], [[1], [2], [0]]
    outer = [[two], [one, 0], [star]], [[4], [5], [3, 5]]
    text = spell_node(intern(inner[0] + outer[0], inner[1] + outer[1])[3])
    assert text == "a{2|||1,b{1|||*||0|b}||*|a,pass}"


def test_options_on_a_shared_ring_have_names_where_they_are_come_back_to():
    ring = intern([[zm.value(1)], [zm.value("*")]], [[1], [0]])
    (both,) = intern([[ring[0]]], [[ring[1]]])
    assert spell_node(ring[0]) == "a{1||*|a}"
    assert spell_node(both) == "{a{1||*|a}|b{*||1|b}}"


def test_deep_values_meet_no_recursion_limit():
    """Tiny(Tiny(…(on)…)), made of its options and those of its negative."""
    depth, left, right = 400, [[0], []], [[], [1]]
    top, bottom = 0, 1
    for _ in range(depth):
        n = len(left)
        left += [[zero()], [zero()], [top], [n + 2]]
        right += [[bottom], [n], [zero()], [zero()]]
        top, bottom = n + 1, n + 3
    assert spell_node(intern(left, right)[top]) == "Tiny(" * depth + "on" + ")" * depth


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    value = parse_loopy("{0,*,*2,pass|0,*,*2}")
    monkeypatch.setattr(spelling, "MAX_TEXT", 10)
    with pytest.raises(LimitError, match="more than 10 characters"):
        str(value)
