"""Loopy notation, partizan graphs in files."""

import gzip
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan.test_loopy_values import graphs
from tests.sampling import examples
from zermelo.errors import FormatError, LimitError, MemoryLimitError, NotationError
from zermelo.partizan.loopy.graph_file import read_partizan
from zermelo.partizan.loopy.names import parse_loopy


@examples(40)
@given(graphs())
def test_what_is_written_can_be_read(graph):
    for x in graph.values().value:
        assert parse_loopy(str(x)) == x


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("on", "{pass|}"),
        ("off", "a{|a}"),
        ("under", "-over"),
        ("dud", "on + off"),
        ("upon", "{pass|*}"),
        ("^[on]*", "{0,pass|0}"),
        ("2v<on>*", "2 - ^<on> + *"),
        ("-5under", "-(5over)"),
        ("Tiny(on)", "{0||0|off}"),
        ("+_on", "Tiny(on)"),
        ("3.over", "over"),
        ("-2.on", "off"),
        ("1 & 0", "b{{|b}|}"),
        ("(1 & 0) + 1", "2 & 1"),
        ("a{0|{0|a}}", "a{0||0|a}"),
        ("{0|b{0|b}}", "{0|over}"),
        ("a{0|0}", "*"),
        ("a{a{|a}|0}", "{off|0}"),
    ],
)
def test_spellings(text, same):
    assert parse_loopy(text) == parse_loopy(same)


@pytest.mark.parametrize("name", ["on", "off", "over", "under", "dud", "1 & 0", "a{0|a}"])
def test_zm_value_knows_the_names(name):
    assert zm.value(name) == parse_loopy(name)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("b", 1),
        ("{0|b}", 4),
        ("pass", 1),
        ("a{0|a} + a", 10),
        ("on on", 4),
        ("0 & 1", 6),
        ("1 & ", 5),
        ("1 & 0 & 0", 7),
        ("{1 & 0|2}", 4),
        ("a{0|a+1}", 8),
        ("a{0|a", 6),
        ("{-pass|0}", 3),
        ("on.over", 3),
    ],
)
def test_errors_point_at_the_place(text, column):
    with pytest.raises(NotationError) as error:
        parse_loopy(text)
    assert error.value.column == column


@examples(150)
@given(st.text("{}|a,p0*^v&+-()1. on", max_size=14))
@example("a{{|a}|}&a{0|a}")
def test_any_text_is_read_or_refused(text):
    try:
        value = parse_loopy(text)
    except (NotationError, LimitError, MemoryLimitError):
        return
    assert parse_loopy(str(value)) == value


@pytest.mark.slow
def test_deep_text_meets_no_recursion_limit():
    depth = 2000
    assert parse_loopy("{|" * depth + "on" + "}" * depth) == 1 - depth


# -------------------------------------------------------------------- files


def test_files(tmp_path):
    lines = tmp_path / "game.txt"
    lines.write_text('# tis\n"a b" c L\nc "a b" R\nz\n')
    graph = read_partizan(lines)
    assert graph.positions == ("a b", "c", "z")
    assert [str(x) for x in graph.values().value] == ["1 & 0", "0 & -1", "0"]
    rows = tmp_path / "game.json"
    rows.write_text(json.dumps({"left": [[1], []], "right": [[], [0]], "names": ["x", ["y", 1]]}))
    assert read_partizan(rows).positions == ("x", ("y", 1))
    packed = tmp_path / "game.txt.gz"
    packed.write_bytes(gzip.compress(b"1 0 B\n0 0 left\n"))
    assert [str(x) for x in read_partizan(packed).values().value] == ["on", "on"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b", "bad:1: expected a move and its player"),
        ("a b L\na b X", "bad:2: expected a move"),
        ('a "b', "bad:1:2: expected a name in quotes"),
        ('a "\\q" L', "bad:1: expected a JSON string"),
        ("{", "bad:1:2: expected JSON"),
        ('{"left": 3}', "bad: expected"),
        ('{"left": [["x"]], "right": [[]]}', "bad: "),
        ('{"left": [[7]], "right": [[]]}', "bad: "),
        ('{"left": [[], []], "right": [[], []], "names": ["a", "a"]}', "bad: "),
    ],
)
def test_bad_files(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad").write_text(text)
    with pytest.raises(FormatError) as error:
        read_partizan("bad")
    assert str(error.value).startswith(message)
