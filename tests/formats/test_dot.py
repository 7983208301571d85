"""The meaning of DOT files; the fast reader of plain files agrees with the slow one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples
from zermelo.errors import FormatError
from zermelo.formats import dot
from zermelo.formats._dot_tokens import Source
from zermelo.graph import as_graph


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("digraph{}", []),
        ("digraph { a -> b }", ["a b"]),
        ("digraph {\n a -> b\n b -> c }", ["a b", "b c"]),
        ("strict digraph G { a -> b; a -> b }", ["a b"]),
        ("graph { a -- b }", ["a b", "b a"]),
        ("digraph { a -> b -> c [color=red, weight=2] }", ["a b", "b c"]),
        ("digraph { {a b} -> c }", ["a c", "b c"]),
        ("digraph { a -> {b c} -> d }", ["a b", "a c", "b d", "c d"]),
        ("digraph { subgraph s {a b} subgraph s -> c }", ["a c", "b c"]),
        ("digraph { subgraph cluster_1 { label=x; a -> b } a -> c }", ["a b", "a c"]),
        ('digraph { "a b":n:sw -> c:p }', ["a b|c"]),
        ('digraph { "x" + "y" -> z }', ["xy z"]),
        ("digraph { <<b>x</b>> -> a }", ["<<b>x</b>> a"]),
        ("digraph { // c\n a /* b */ -> b\n# c\n}", ["a b"]),
        ("DiGraph { node [shape=box] edge [x=1]; rankdir=LR; a->b }", ["a b"]),
        ('digraph { "a\\"b" -> "c\\d" }', ['a"b c\\d']),
        ('digraph { "a\\\nb" -> c }', ["ab c"]),
        ("digraph { a_1 -> é }", ["a_1 é"]),
        ("digraph { 1.5 -> -.5 }", ["1.5 -.5"]),
        ('digraph "G" {\n  a -> b;\n}\n', ["a b"]),
    ],
)
def test_the_content_of_files(text, edges):
    graph = as_graph(dot.read_graph(text.encode()))
    found = {(str(graph.name(u)), str(graph.name(v))) for u, v in graph.to_edges().tolist()}
    assert found == {tuple(x.split("|" if "|" in x else " ")) for x in edges}


def test_owners_by_attribute_and_default():
    text = "digraph { node [owner=1]; a; { node [owner=0]; b } c [owner=0]; a -> d }"
    graph = dot.read_graph(text.encode())
    assert graph.names == ("a", "b", "c", "d")
    assert graph.owner.tolist() == [1, 0, 0, 1]


LINES = [
    "  a;",
    "  a -> b;",
    "b -> a",
    '  "a b" -> c;',
    "  c [owner=1];",
    "  a [owner=0];",
    "  b [owner=1]",
    '  "a" -> "b";',
    "  0 -> 1;",
    "  12abc;",
    "  node;",
    '  "node" -> a;',
    "  a [color=red];",
    "",
    "  a -> b -> c;",
    "  a -> b [owner=1];",
    "// x",
    "  a b;",
    "-1 -> 07;",
    '  "a\\"" -> b;',
    "  graph [names=json];",
    '  "é" -> a',
    "  a [owner=1] -> b",
]


def outcome(read, *args):
    try:
        return read(*args)
    except FormatError as error:
        return str(error)


@examples(500)
@given(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join), st.sampled_from(["", "\n"]))
def test_the_quick_and_the_slow_reader_agree(body, end):
    text = f"digraph {{\n{body}{end}}}\n"
    quick = outcome(dot._read_plain, text)
    if quick is not None:
        assert outcome(dot._Parser(Source(text)).parse) == quick
