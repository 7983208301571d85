"""Reading a written file gives the same game, and writing it again gives the same bytes."""

import io
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo.errors import FormatError, InvalidGraphError
from zermelo.registry import FORMATS

from .games import graphs, objectives, plain_names, same_names

# Formats for one family of games have tests of their own.
ANY = [row for row in FORMATS if not row.games]
GRAPHS = [row.name for row in ANY if "graph" in row.holds]
NAMED = [row.name for row in ANY if "names" in row.holds]
OBJECTIVES = [row.name for row in ANY if "objective" in row.holds]
SOLUTIONS = [row.name for row in ANY if "solution" in row.holds]


def to_bytes(content, name):
    out = io.BytesIO()
    zm.write(content, out, format=name)
    return out.getvalue()


def back(content, name):
    return zm.read(io.BytesIO(to_bytes(content, name)), format=name).graph


@pytest.mark.slow("edgelist")
@pytest.mark.parametrize("name", NAMED)
@examples(150)
@given(data=st.data())
def test_names_of_text(name, data):
    graph = data.draw(graphs())
    found = back(graph, name)
    assert found == graph
    assert same_names(found, graph)
    assert to_bytes(found, name) == to_bytes(graph, name)


@pytest.mark.parametrize("name", [x for x in NAMED if x != "edgelist"])
@examples(150)
@given(data=st.data())
def test_names_of_any_plain_kind(name, data):
    graph = data.draw(graphs(plain_names, named=True))
    found = back(graph, name)
    assert found == graph
    assert same_names(found, graph)


@examples(200)
@given(graphs(st.integers(-3, 12) | st.integers(-(10**18) + 1, 10**18 - 1), named=True))
def test_integer_names_in_an_edge_list(graph):
    numbers = tuple(range(graph.n))
    if graph.names is not None and tuple(sorted(graph.names)) == numbers != graph.names:
        with pytest.raises(InvalidGraphError, match="in another order"):
            back(graph, "edgelist")
        return
    wanted = graph.with_names(None) if graph.names == numbers else graph
    assert back(graph, "edgelist") == wanted


@examples(100)
@given(graphs(named=False, owned=False))
def test_matrix_market(graph):
    assert back(graph, "mtx") == graph


@pytest.mark.parametrize("name", OBJECTIVES)
@examples(60)
@given(data=st.data())
def test_objectives(name, data):
    graph = data.draw(graphs())
    objective = data.draw(objectives(graph))
    found, goal = zm.read(io.BytesIO(to_bytes((graph, objective), name)), format=name)
    assert found == graph
    assert type(goal) is type(objective)
    assert goal.spec(found) == objective.spec(graph)
    assert to_bytes((found, goal), name) == to_bytes((graph, objective), name)


@pytest.mark.parametrize("name", SOLUTIONS)
@examples(60)
@given(data=st.data())
def test_solutions(name, data):
    graph = data.draw(graphs(plain_names) | graphs())
    objective = data.draw(objectives(graph))
    start = graph.name(0) if graph.n and data.draw(st.booleans()) else None
    solution = zm.solve(graph, objective, start=start)
    blob = to_bytes(solution, name)
    found = zm.read_solution(io.BytesIO(blob), graph, format=name)
    for key in ("label", "distance", "level", "move"):
        mine, theirs = getattr(solution, key), getattr(found, key)
        assert np.array_equal(mine, theirs), key
        assert mine.dtype == theirs.dtype
        assert not theirs.flags.writeable
    assert "move" in found.__dict__
    assert (found.solver, found.start) == (solution.solver, solution.start)
    assert found.form.levels == solution.form.levels
    assert to_bytes(found, name) == blob
    found.verify()


@pytest.mark.parametrize("name", [row.name for row in ANY if "start" in row.holds])
@examples(100)
@given(data=st.data())
def test_starts(name, data):
    graph = data.draw(graphs())
    start = data.draw(st.none() | st.sampled_from(range(graph.n)) if graph.n else st.none())
    game = zm.Game(graph, start=None if start is None else graph.name(start))
    blob = to_bytes(game, name)
    found = zm.read(io.BytesIO(blob), format=name)
    assert found == game
    assert repr(found.start) == repr(game.start)
    assert to_bytes(found, name) == blob


@pytest.mark.parametrize("name", ["pgsolver", "hoa"])
@pytest.mark.parametrize("names", [None, ["x", "y", "z"], [7, 5, 9]])
def test_starts_of_parity_games(name, names):
    if name == "hoa" and names == [7, 5, 9]:
        names = ["7", "5", "9"]
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0]).with_names(names)
    for v in range(3):
        game = zm.Game(graph, zm.Parity([1, 2, 3]), graph.name(v))
        blob = to_bytes(game, name)
        found = zm.read(io.BytesIO(blob), format=name)
        assert (found.start, found.graph) == (game.start, graph)
        assert to_bytes(found, name) == blob
    found = zm.read(io.BytesIO(to_bytes((graph, zm.Parity([1, 2, 3])), name)), format=name)
    assert found.start == (graph.name(0) if name == "hoa" else None)


def test_a_format_without_room_for_a_start():
    game = zm.Game(zm.Graph.from_edges([(0, 1)]), start=1)
    with pytest.raises(InvalidGraphError, match="mtx format does not store where play starts"):
        to_bytes(game, "mtx")
    assert back(game.graph, "mtx") == game.graph


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [
        ("edgelist", "a b\nb a\nb [start]\n", "b"),
        ("edgelist", "b [start]\na b\n", "b"),
        ("edgelist", "0 1\n1 0\n1 [start]", 1),
        ("edgelist", "7 5\n5 [start]", 5),
        ("edgelist", "0 1\n2 [start]\n", 2),
        ("edgelist", '"two words" b\n"two words" [start] # here\n', "two words"),
        ("edgelist", "a [0]\nb [1]\na b\na [start]\na [start]\n", "a"),
        ("edgelist", "5 a\n5 [start]\n", "5"),
        ("edgelist", "a [start]", "a"),
        ("dot", "digraph { a -> b; b [start=true, shape=box] }", "b"),
        ("dot", "digraph {\n  1 -> 0;\n  1 [start=true];\n}\n", 1),
        ("dot", 'graph { a -- b; graph [start=rand]; a [start="false"] }', None),
        ("pgsolver", "start 3; 3 0 0 4; 4 1 1 3;", 3),
        ("pgsolver", 'parity 1; start 0; 1 0 0 0 "b"; 0 1 1 1 "a";', "a"),
    ],
)
def test_starts_written_by_hand(name, text, start):
    game = zm.read(io.BytesIO(text.encode()), format=name)
    assert game.start == start
    assert type(game.start) is type(start)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "edgelist",
            "a b\na [start]\nb [start]\n",
            "^3: expected one start, which is 'a', got 'b'",
        ),
        ("edgelist", "a b [start]\n", "^1:5: expected a name and its owner"),
        ("edgelist", "a [begin]\n", r"^1:3: expected a name and its owner \[0\] or \[1\], or"),
        ("dot", "digraph { a [start=true] b [start=true] }", "expected one start, which is 'a'"),
        ("dot", "digraph {\n  a [start=true];\n  b [start=true];\n}\n", "expected one start"),
        (
            "graphml",
            '<graphml><key id="s" attr.name="start"/><graph><node id="a"><data key="s">true</data>'
            '</node><node id="b"><data key="s">true</data></node></graph></graphml>',
            "expected one start, which is 'a', got 'b'",
        ),
        ("pgsolver", "start 7; 3 0 0 4; 4 1 1 3;", "no statement defines the start 7"),
    ],
)
def test_wrong_starts(name, text, message):
    with pytest.raises(FormatError) as caught:
        zm.read(io.BytesIO(text.encode()), format=name)
    assert re.search(message, str(caught.value).removeprefix("standard input:"))


@pytest.mark.parametrize("name", GRAPHS)
def test_no_positions(name):
    empty = zm.Graph.from_edges([])
    assert back(empty, name) == empty


def test_a_name_that_is_no_plain_data():
    graph = zm.Graph.from_edges([(frozenset("a"), "b")])
    for name in NAMED:
        with pytest.raises(InvalidGraphError, match="text, numbers or tuples"):
            to_bytes(graph, name)


def test_numbers_with_a_file_of_their_own_kind():
    quoted = zm.Graph.from_edges([("0", "1")])
    assert to_bytes(quoted, "edgelist") == b'"0" "1"\n'
    assert back(quoted, "edgelist").names == ("0", "1")
    assert zm.read(io.BytesIO(b"0 1"), format="edgelist").graph.names is None
    assert zm.read(io.BytesIO(b"1 2"), format="edgelist").graph.names == (1, 2)
    assert zm.read(io.BytesIO(b"1 a"), format="edgelist").graph.names == ("1", "a")
    assert zm.read(io.BytesIO(b'digraph {"0" -> 1}'), format="dot").graph.names is None


def test_carriage_returns_in_names_survive_csv():
    g = zm.Graph.from_edges([("a\rb", "\r")])
    file = io.BytesIO()
    zm.write(zm.solve(g), file, format="csv")
    assert b"\r" not in file.getvalue()
    assert zm.read_solution(io.BytesIO(file.getvalue()), g).verify().label.tolist() == [1, -1]


def test_payoffs_that_are_equal_but_of_other_types(tmp_path):
    graph = zm.Graph.from_edges([("a", "s"), ("a", "t")])
    for payoffs in ({"s": 0, "t": 0.0}, {"s": 0.0, "t": 0}):
        solution = zm.solve(graph, zm.TerminalPayoff(payoffs, infinite=1))
        for suffix in (".csv", ".json"):
            zm.write(solution, tmp_path / f"solution{suffix}")
            again = zm.read_solution(tmp_path / f"solution{suffix}", graph).verify()
            assert again.level.tolist() == solution.level.tolist()


def test_a_start_is_kept(tmp_path):
    game = zm.explore(zm.game("tictactoe"))
    graph = zm.Graph.from_edges([("a", "b"), ("b", "c")])
    for before in (zm.Game(graph, zm.Misere(), "b"), game, zm.Game(graph, impartial=False)):
        zm.write(before, tmp_path / "game.json")
        again = zm.read(tmp_path / "game.json")
        assert (again.start, again.impartial) == (before.start, before.impartial)
        assert again.graph == before.graph
        assert again.objective.spec(again.graph) == before.objective.spec(before.graph)


@pytest.mark.parametrize(
    ("key", "value"),
    [("start", 2), ("start", -1), ("start", True), ("start", "a"), ("impartial", 1)],
)
def test_a_start_out_of_range_is_refused(tmp_path, key, value):
    text = {"format": "zermelo-game", "version": 1, "edges": [["a", "b"]], key: value}
    (tmp_path / "game.json").write_text(json.dumps(text))
    with pytest.raises(FormatError, match=f"/{key}: expected"):
        zm.read(tmp_path / "game.json")
