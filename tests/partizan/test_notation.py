"""Text to values and back: accepted texts, errors and their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan.games import LIMITS, values
from zermelo.errors import LimitError, NotationError
from zermelo.partizan.text.notation import read
from zermelo.verify.partizan.values import Plain, check_value

UP, STAR = zm.value("{0|{0|0}}"), zm.value("{0|0}")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1*", "1 + {0|0}"),
        ("1*2", "1 + *2"),
        ("-1^", "-1 + ^"),
        ("- 1^", "-1 + ^"),
        ("2-1^", "1 - ^"),
        ("-(1^)", "-1 - ^"),
        ("-^*", "v + *"),
        ("^2", "^ + ^"),
        ("^^*", "^ + ^ + *"),
        ("v4*", "v + v + v + v + *"),
        ("^3*2", "^ + ^ + ^ + *2"),
        ("1/2v3*2", "1/2 + v3 + *2"),
        ("^<2>", "{0|v*}"),
        ("^[2]", "{^|*}"),
        ("v[3]*", "-{{^|*}|*} + *"),
        ("+_2", "{0||0|-2}"),
        ("-_2", "{2|0||0}"),
        ("+_{1|0}", "{0||0|{0|-1}}"),
        ("-_(2*)", "{2*|0||0}"),
        ("1Tiny(2)", "1 + {0||0|-2}"),
        ("3-1Tiny(2)", "2 - {0||0|-2}"),
        ("tiny(1/2)", "{0||0|-1/2}"),
        ("-1Miny(2)", "-1 + {2|0||0}"),
        ("1+_2", "1 + {0||0|-2}"),
        ("1-_2", "1 + {2|0||0}"),
        ("{2||1|0}", "{2|{1|0}}"),
        ("{3|2||1|||0}", "{{{3|2}|1}|0}"),
        ("{4|||3||2|1}", "{4|{3|{2|1}}}"),
        ("{1|0,*||-1*}", "{{1|0,*}|-1*}"),
        ("{0,*||1|0,*}", "{0,*|{1|0,*}}"),
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("{||1}", "0"),
        ("+-1", "{1|-1}"),
        ("+-(1*)", "{1*|-1*}"),
        ("+-{1|0}", "{{1|0}|{0|-1}}"),
        ("+-{0,^*}", "{0,^*|0,v*}"),
        ("+-(2,{3|1})", "{2,{3|1}|-2,{-1|-3}}"),
        ("1+-1", "{2|0}"),
        ("1 + -1", "0"),
        ("1 - -1", "2"),
        ("3.{1|0}", "{1|0} + {1|0} + {1|0}"),
        ("3*{1|0}", "{2|1}"),
        ("3 * 4", "12"),
        ("-2.^", "vv"),
        ("2.(1 + *)", "2"),
        ("1/2.(3/2)", "3/4"),
        ("{1|0}*", "{1*|*}"),
        ("(1 + 1)^", "2^"),
        ("↑ + ⇓* + ±1 − ⧾₂", "v* + {1|-1} - Tiny(2)"),
        (" { 2 | - 1 } ", "{2|-1}"),
        ("+1", "1"),
    ],
)
def test_the_meaning_of_texts(text, plain):
    assert zm.value(text) == zm.value(plain)


def test_the_simplest_texts_have_the_right_values():
    zero = zm.Value.from_options([], [])
    star = zm.Value.from_options([zero], [zero])
    assert zm.value("0") == zero == 0
    assert zm.value("*") == star
    assert zm.value("^") == zm.Value.from_options([0], [star])
    assert zm.value("*2") == zm.Value.from_options([0, star], [0, star])
    assert zm.value("3/4") == zm.Value.from_options(["1/2"], [1])


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a value, got the end"),
        ("1 +", 4, "expected a value, got the end"),
        ("1 + ,", 5, "expected a comma only within brackets"),
        ("{0|1", 5, "expected '}' for the '{' of column 1, got the end"),
        ("{0|1)", 5, "expected '}' for the '{' of column 1, got ')'"),
        ("(1|2)", 3, "expected bars only within braces"),
        ("(1", 3, "expected ')' for the '(' of column 1, got the end"),
        ("1}", 2, "expected no '}', because no bracket is open"),
        ("{1}", 3, "expected a bar within the braces"),
        ("{1|2|3}", 5, "expected one '|' here; use braces"),
        ("{1,,2|3}", 4, "expected a value, got ','"),
        ("{1,|3}", 4, "expected a value, got '|'"),
        ("{1 +|3}", 5, "expected a value, got '|'"),
        ("(1,2)", 5, "expected one value within parentheses"),
        ("()", 2, "expected a value, got ')'"),
        ("1 2", 3, "expected an operator between two values"),
        ("1 *", 3, "expected an operator between two values"),
        ("{1|0}(2)", 6, "expected an operator between two values"),
        ("1/3", 1, "expected a power of two as denominator, got 3"),
        ("1/0", 1, "expected a power of two as denominator, got 0"),
        ("3.5", 2, "expected a fraction such as 7/2, got a decimal point"),
        ("^^3", 1, "expected ^^ or ^3, got ^^3"),
        ("^<0>", 1, "expected a power of at least 1"),
        ("+_2*", 3, "expected parentheses around the operand after _"),
        ("Tiny 2", 5, "expected '('"),
        ("±$", 2, "expected a value, got '$'"),
        ("↑⇑ + ?", 6, "expected a value, got '?'"),
        ("{1|0}.{0|-1}", 6, "expected a unit greater than 0"),
    ],
)
def test_errors_point_at_the_column(text, column, message):
    with pytest.raises(NotationError) as caught:
        zm.value(text)
    assert caught.value.column == column
    assert message in caught.value.message
    shown, caret = str(caught.value).splitlines()[1:]
    assert caret.index("^") == column + 1
    assert shown == f"  {text}"


def test_the_caret_is_at_the_right_column_of_a_long_text():
    text = "1 + " * 1000 + "?" + " + 1" * 1000
    with pytest.raises(NotationError) as caught:
        zm.value(text)
    shown, caret = str(caught.value).splitlines()[1:]
    assert shown[caret.index("^")] == "?"


@LIMITS
@given(values)
def test_what_is_written_is_read_back(v):
    assert zm.value(str(v)) == v
    assert zm.value(f"-({v})") == -v


@LIMITS
@given(st.text("0123 +-*^v|{}(),./<>[]_TinyMouder&↑±\n", max_size=25))
def test_any_text_is_a_value_or_a_notation_error(text):
    try:
        v = zm.value(text)
    except (NotationError, LimitError):
        return
    assert str(zm.value(str(v))) == str(v)


@LIMITS
@given(
    st.lists(
        st.sampled_from(
            [
                "{",
                "}",
                "(",
                ")",
                "|",
                "||",
                ",",
                "+",
                "-",
                "+-",
                "+_",
                ".",
                "0",
                "1",
                "*",
                "^",
                "1/2",
                "^[2]",
                "{0|",
            ]
        )
    )
)
def test_any_row_of_signs_is_a_value_or_a_notation_error(signs):
    text = "".join(signs)
    try:
        v = zm.value(text)
    except (NotationError, LimitError):
        return
    plain = Plain()
    try:
        game = plain.options(read(text, plain))
    except (NotationError, LimitError):  # unchecked products, and games that are too large
        return
    from zermelo.partizan.certificate import written_out

    check_value(game, written_out(v.id))


DEEP = 20_000


@pytest.mark.slow("integers", "switches")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(" * DEEP + "^" + ")" * DEEP, "^"),
        ("-" * DEEP + "^", "^"),
        ("+-" * DEEP + "1", "0"),
        ("{" * DEEP + "1" + "|}" * DEEP, str(DEEP + 1)),
        ("1+" * DEEP + "1", str(DEEP + 1)),
    ],
    ids=["parentheses", "minus", "switches", "integers", "terms"],
)
def test_nothing_is_too_deep_to_be_read(text, value):
    assert str(zm.value(text)) == value


@pytest.mark.slow("+-(")
@pytest.mark.parametrize("bracket", ["{", "(", "+-("])
def test_brackets_left_open_are_counted_to_the_last(bracket):
    with pytest.raises(NotationError) as caught:
        zm.value(bracket * DEEP)
    assert caught.value.column == len(bracket) * DEEP + 1


def test_deep_values_are_written():
    n = 1200
    text = "".join(f"{{{k}|" for k in range(n, 0, -1)) + "-1" + "}" * n
    v = zm.value(text)
    assert v.birthday > n
    assert zm.value(str(v)) == v
    assert (v.thermograph.left(0), v.thermograph.right(0)) == (n, n - 1)


def test_a_text_that_would_be_too_long_is_refused(monkeypatch):
    from zermelo.partizan.text import spelling

    monkeypatch.setattr(spelling, "MAX_TEXT", 9)
    assert str(zm.value("{5|3||2}")) == "{5|3||2}"
    with pytest.raises(LimitError, match="more than 9 characters"):
        str(zm.value("{5|3||2|0}"))


def test_names_of_loopy_values_are_read_elsewhere():
    assert str(zm.value("on")) == "on"
    assert str(zm.value("1 + over")) == "1over"
    with pytest.raises(NotationError):
        zm.value("xyzzy")
