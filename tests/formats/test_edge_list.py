"""The fast reader of edge lists agrees with the slow one; owners, comments and quotes work."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo.errors import FormatError
from zermelo.formats import edge_list
from zermelo.formats.common import lines as _lines

token = st.integers(-2, 12).map(str) | st.sampled_from(["007", "00", "0", "9" * 18, "9" * 19])
blank = st.sampled_from([" ", "\t", "  ", " \r"])
line = st.lists(token, max_size=3).flatmap(
    lambda names: st.tuples(*[blank] * len(names)).map(
        lambda gaps: "".join(w + g for w, g in zip(names, gaps, strict=True))
    )
) | st.tuples(token, st.sampled_from(["[0]", "[1]", " [0]", " [1]", " [2]", "[", " [1] 3"])).map(
    "".join
)
files = st.lists(line, max_size=8).map("\n".join)


def outcome(read, *args):
    try:
        return read(*args)
    except FormatError as error:
        return str(error)


@examples(500)
@given(files, st.sampled_from(["", "# a comment\n", "#\n#é\n", "\ufeff"]))
def test_the_quick_and_the_slow_reader_agree(body, head):
    found = outcome(edge_list.read_graph, (head + body).encode())
    assert outcome(edge_list._read_slowly, (head + body).removeprefix("\ufeff")) == found


def test_chunks_join(monkeypatch):
    monkeypatch.setattr(_lines, "_CHUNK", 64)
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 300, (2000, 2))
    data = "".join(f"{u} {v}\n" for u, v in ends.tolist()).encode()
    lone = "".join(f"{v}\n" for v in range(300)).encode()
    assert edge_list._read_digits(data + lone) == zm.Graph.from_edges(ends, n=300)


@pytest.mark.parametrize(
    ("text", "edges", "names", "owner"),
    [
        ("a b\nb a\n", [[0, 1], [1, 0]], ("a", "b"), None),
        ("a b # c d\n# e f\n\n  \nb\tc\r\n", [[0, 1], [1, 2]], ("a", "b", "c"), None),
        ('"a b" "c\\n\\u00e9"', [[0, 1]], ("a b", "c\né"), None),
        ('"" a#b', [[0, 1]], ("", "a#b"), None),
        ("b\na b", [[1, 0]], ("b", "a"), None),
        ("a [1]\nb [0]  # why\na b", [[0, 1]], ("a", "b"), [1, 0]),
        ("1 0\n2 [1]\n0 [0]\n1 [1]", [[1, 0]], None, [0, 1, 1]),
        ("1 0\n2 [1]  # slow\n0 [0]\n1 [1]", [[1, 0]], None, [0, 1, 1]),
        ("2 0\n1 0", [[1, 0], [2, 0]], None, None),
        ("5 7\n7 6", [[0, 1], [1, 2]], (5, 7, 6), None),
        ("5 7\n7 07", [[0, 1], [1, 2]], ("5", "7", "07"), None),
        ("-1 2", [[0, 1]], (-1, 2), None),
        ("# only a comment", [], None, None),
        ("\ufeffa b", [[0, 1]], ("a", "b"), None),
    ],
)
def test_the_content_of_files(text, edges, names, owner):
    graph = edge_list.read_graph(text.encode())
    assert graph.to_edges().tolist() == edges
    assert graph.names == names
    assert (None if graph.owner is None else graph.owner.tolist()) == owner


tokens = st.sampled_from(
    [
        "a",
        "b",
        "é",
        "0",
        "1",
        "-1",
        "a#b",
        'a"b',
        "#",
        "# c",
        '"q"',
        '"',
        "[0]",
        "[1]",
        "[",
        "\u00a0",
        "07",
        "-3",
        "+4",
        "\x00",
    ]
)
token_lines = st.lists(st.lists(tokens, max_size=3).map(" ".join), max_size=8).map("\n".join)


@examples(500)
@given(token_lines)
def test_the_plain_and_the_slow_reader_agree(text):
    quick = outcome(edge_list._read_plain, text.encode())
    if quick is not None:
        graph, weight = quick
        expected = graph if weight is None else zm.Game(graph, weight=weight)
        assert outcome(edge_list._read_slowly, text) == expected
