"""Weights of moves in all formats: round trips, what files mean, what is refused."""

import io
import json
from fractions import Fraction

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo.errors import CertificateError, FormatError, InvalidGraphError, InvalidObjectiveError
from zermelo.formats import dot
from zermelo.formats._dot_tokens import Source
from zermelo.registry import FORMATS

from .games import graphs

WEIGHTED = [row.name for row in FORMATS if "weights" in row.holds and "owner" in row.holds]
SOLUTIONS = [row.name for row in FORMATS if "solution" in row.holds and not row.games]
whole = st.integers(-9, 9) | st.integers(-(2**60), 2**60)


@st.composite
def games(draw, owned=None, most=2**60):
    """Games with weights: of each objective, or of normal play with weights beside it."""
    graph = draw(graphs(owned=owned))
    sizes = st.integers(-most, most) if most < 2**60 else whole
    weight = draw(st.lists(sizes, min_size=graph.m, max_size=graph.m))
    fraction = draw(st.fractions(-3, 3, max_denominator=7))
    some = [graph.name(v) for v in range(graph.n) if draw(st.booleans())]
    objective = draw(
        st.sampled_from(
            [
                zm.NormalPlay(),
                zm.Energy(weight),
                zm.Energy(weight, draw(st.integers(0, 2 * most if most < 2**60 else 2**60))),
                zm.MeanPayoff(weight),
                zm.MeanPayoff(weight, fraction),
                zm.Discounted(weight, draw(st.fractions("1/9", "8/9", max_denominator=9))),
                zm.ShortestPath(weight, some, player=draw(st.integers(0, 1))),
            ]
        )
    )
    start = graph.name(0) if graph.n and draw(st.booleans()) else None
    beside = weight if objective.keyword == "normal" and graph.m else None
    return zm.Game(graph, objective, start, weight=beside)


def to_bytes(content, name):
    out = io.BytesIO()
    zm.write(content, out, format=name)
    return out.getvalue()


def read(data, name):
    return zm.read(io.BytesIO(data if isinstance(data, bytes) else data.encode()), format=name)


@pytest.mark.slow("graphml")
@pytest.mark.parametrize("name", WEIGHTED)
@examples(200)
@given(data=st.data())
def test_round_trip(name, data):
    game = data.draw(games())
    try:
        written = to_bytes(game, name)
    except InvalidObjectiveError:
        # A line of text cannot list all targets; the complete formats can.
        assert game.objective.keyword == "shortest-path"
        assert name not in ("json", "npz", "parquet")
        return
    found = read(written, name)
    assert found == game
    assert to_bytes(found, name) == written


@examples(100)
@given(graphs(named=False, owned=False), st.data())
def test_round_trip_of_a_matrix(graph, data):
    some = st.integers(1, 2**53) | st.integers(-9, -1)
    weight = data.draw(st.lists(some, min_size=graph.m, max_size=graph.m))
    game = zm.Game(graph, weight=weight if weight else None)
    assert read(to_bytes(game, "mtx"), "mtx") == game


@examples(200)
@given(games())
def test_both_readers_of_dot_agree(game):
    plain = zm.Game(game.graph, start=game.start, weight=game.weights())
    data = to_bytes(plain, "dot")
    slow = dot._Parser(Source(data.decode())).parse()
    assert slow == dot.read_graph(data)


EDGES = [["a", "b", 3], ["b", "a", -2], ["b", "b", 0]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("edgelist", "a b 3\nb a -2  # a comment\nb b +0\n"),
        ("edgelist", '"a" b 3\nb "a" -2\nb b 0'),
        ("dot", "digraph { a -> b [weight=3]; b -> a [weight=-2]; b -> b [weight=0] }"),
        ("dot", "digraph {\n  a -> b [weight=3];\n  b -> a [weight=-2];\n  b -> b [weight=0];\n}"),
        ("dot", 'digraph { edge [weight=0]; a -> b [weight="3"] b -> a [weight=-2] b -> b }'),
        ("json", json.dumps({"format": "zermelo-game", "version": 1, "edges": EDGES})),
        (
            "json",
            '{"format": "zermelo-game", "version": 1, "names": ["a", "b"], '
            '"moves": [[1], [1, 0]], "weight": [[3], [0, -2]]}',
        ),
        (
            "graphml",
            '<graphml><key id="w" for="edge" attr.name="weight"><default>0.0</default></key><graph>'
            '<node id="a"/><node id="b"/><edge source="b" target="b"/>'
            '<edge source="a" target="b"><data key="w">3.0</data></edge>'
            '<edge source="b" target="a"><data key="w">-2</data></edge></graph></graphml>',
        ),
    ],
)
def test_weights_without_an_objective(name, text):
    """Such a file is a game of normal play, and keeps its weights."""
    game = read(text, name)
    assert game.objective.keyword == "normal"
    assert game.graph.names == ("a", "b")
    assert game.weight.tolist() == [3, -2, 0]
    assert zm.solve(game, zm.Energy(game.weight)).verify().credit.shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("digraph { a -> b -> c [weight=2]; c -> a [weight=1] }", [2, 2, 1]),
        ("digraph { a -> {b c} [weight=4]; {b c} -> a [weight=-1] }", [4, 4, -1, -1]),
        ("graph { a -- b [weight=5] }", [5, 5]),
        ("digraph { a -> {b -> c [weight=1]} [weight=7] }", [7, 7, 1]),
        ("digraph { subgraph { edge [weight=1]; a -> b } b -> a [weight=2] }", [1, 2]),
    ],
)
def test_weights_in_dot(text, weights):
    assert read(text, "dot").weight.tolist() == weights


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dot", "digraph { a -> b [weight=1.5]; b -> a [weight=2] }"),
        ("dot", "digraph { a -> b [weight=1]; b -> a }"),
        ("dot", "digraph { a -> b [weight=1]; a -> b [weight=2] }"),
        (
            "graphml",
            '<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="a"/>'
            '<edge source="a" target="a"><data key="w">0.5</data></edge></graph></graphml>',
        ),
        ("mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n"),
        ("mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 5\n1 2 6\n"),
        ("mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
    ],
)
def test_numbers_that_are_no_weights_of_a_game_are_ignored(name, text):
    """Graphviz lays out by weights, and others mean probabilities by them."""
    game = read(text, name)
    assert game.weights() is None
    assert game.graph.m == len(set(map(tuple, game.graph.to_edges().tolist())))


def test_matrices():
    head = "%%MatrixMarket matrix coordinate integer "
    game = read(head + "skew-symmetric\n3 3 2\n2 1 4\n3 2 -1\n", "mtx")
    assert game.graph.to_edges().tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert game.weight.tolist() == [-4, 4, 1, -1]
    assert read(head + "general\n2 2 2\n1 2 3\n2 1 0\n", "mtx").weight.tolist() == [3]


def test_tables_of_other_programs():
    out = io.BytesIO()
    made = pyarrow.table({"src": ["x", "y", "x"], "dst": ["y", "x", "x"], "weight": [4, -1, 2]})
    pyarrow.parquet.write_table(made, out)
    game = read(out.getvalue(), "parquet")
    assert game.graph.names == ("x", "y")
    assert game.weight.tolist() == [2, 4, -1]
    out = io.BytesIO()
    np.savez(out, indptr=[0, 2, 3], indices=[1, 0, 0], weight=[7, 8, 9])
    assert read(out.getvalue(), "npz").weight.tolist() == [8, 7, 9]


DOT = "digraph {{ objective={}; {} }}"
JSON = {"format": "zermelo-game", "version": 1, "moves": [[1], [0]]}
ENERGY = {"objective": "energy"}
XML = (
    '<graphml>\n<key id="w" for="edge" attr.name="weight"/><key id="o" attr.name="objective"/>\n'
    '<graph><data key="o">{}</data>\n<node id="a"/>\n<edge source="a" target="a">{}</edge>\n'
    "</graph></graphml>"
)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        # missing
        ("edgelist", "a b 3\nb a\n", "2: the move 'b' → 'a' has no weight, but others do"),
        ("edgelist", "[energy]\na b\n", "1: an objective energy needs weights"),
        ("dot", DOT.format("energy", "a -> b [weight=1] b -> a"), "'b' → 'a' has no weight"),
        ("dot", DOT.format("energy", "a -> b"), "an objective energy needs weights"),
        ("graphml", XML.format("energy", ""), "an objective energy needs weights"),
        ("json", json.dumps({**JSON, "objective": ENERGY}), "/objective: an objective energy need"),
        ("json", json.dumps({**JSON, "weight": [[1], []]}), "/weight/1: expected 1 weights, one"),
        ("json", json.dumps({**JSON, "weight": [[1]]}), "/weight: expected 2 lists, one for each"),
        (
            "json",
            json.dumps({"format": "zermelo-game", "version": 1, "edges": [["a", "b", 1], ["b"]]}),
            "/edges/1: expected a triple [from, to, weight], as others are",
        ),
        # not integers
        ("edgelist", "a b 1.5\n", "1:5: expected one or two names, or two and an integer weight"),
        ("edgelist", "a b nan\n", "1:5: expected one or two names, or two and an integer weight"),
        ("dot", DOT.format("energy", "a -> b [weight=1.5]"), "expected an integer as weight of a"),
        ("graphml", XML.format("energy", '<data key="w">x</data>'), "5: expected an integer as"),
        ("json", json.dumps({**JSON, "weight": [[1.5], [1]]}), "/weight/0/0: expected an integer"),
        ("json", json.dumps({**JSON, "weight": [["x"], [1]]}), "/weight/0/0: expected an integer"),
        (
            "json",
            json.dumps({**JSON, "objective": {**ENERGY, "weight": [1, 0.5]}}),
            "weight of the move 1 → 0: expected an integer, got 0.5",
        ),
        # too large
        ("edgelist", "a b 99999999999999999999\n", "1:5: expected a weight from -2**60 to 2**60"),
        ("json", json.dumps({**JSON, "weight": [[1], [2**63]]}), "/weight/1/0: expected an integ"),
        # contradictions
        ("edgelist", "a b 1\na b 2\n", "has two weights, 1 and 2"),
        ("edgelist", "[energy]\n[energy]\na b 1\n", "2: expected one objective, got a second"),
        ("json", json.dumps({**JSON, "weight": [[1], [2]], "objective": {**ENERGY, "weight": []}}),
         "/objective/weight: expected none, as the moves have weights"),
        # objectives
        ("edgelist", "[parity]\na b 1\n", "1: expected an objective energy, mean-payoff, disco"),
        ("edgelist", "[discounted:3/2]\na b 1\n", "1: discount: expected a fraction between 0 and"),
        ("edgelist", "[discounted:0]\na b 1\n", "1: discount: expected a fraction between 0 and 1"),
        ("edgelist", "[mean-payoff:x]\na b 1\n", "1: threshold: expected a number such as 1/3"),
        ("edgelist", "[mean-payoff:a=1]\na b 1\n", "1: expected mean-payoff or mean-payoff:thresh"),
        ("edgelist", "[energy:capacity=-1]\na b 1\n", "1: capacity: expected 0, 1, 2, …, got '-1'"),
        ("edgelist", "[shortest-path:z]\na b 1\n", "1: the graph has no position 'z'"),
        ("edgelist", "[shortest-path]\na b 1\n", "1: shortest-path needs targets"),
        ("edgelist", "[shortest-path:a,,b]\na b 1\n", "1: expected data after the colon"),
        ("dot", DOT.format("parity", "a -> b [weight=1]"), "expected an objective energy, mean-p"),
        ("graphml", XML.format("discounted:2", '<data key="w">1</data>'), "3: discount: expected"),
    ],
)  # fmt: skip
def test_what_is_refused(name, text, message):
    with pytest.raises(FormatError) as caught:
        read(text, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_positions_without_moves_are_allowed():
    game = read("[mean-payoff]\na [0]\nb [1]\nt [0]\na b 3\nb a 1\nb t 0\n", "edgelist")
    assert zm.solve(game).verify().value.tolist() == [-np.inf, -np.inf, -np.inf]


@pytest.mark.parametrize("name", ["pgsolver", "hoa"])
def test_formats_of_parity_games_refuse_weights(name):
    game = zm.Game(zm.Graph.from_edges([(0, 0)], owner=[0]), zm.Parity([0]), weight=[1])
    with pytest.raises(InvalidGraphError, match="does not store weights of moves; these do: edge"):
        to_bytes(game, name)


def test_a_matrix_has_no_weights_that_are_0():
    with pytest.raises(InvalidObjectiveError, match="stores weights up to 2"):
        to_bytes(zm.Game(zm.Graph.from_edges([(0, 0)]), weight=[0]), "mtx")


@pytest.mark.parametrize("name", SOLUTIONS)
@examples(60)
@given(data=st.data())
def test_solutions(name, data):
    game = data.draw(games(most=9))
    solution = zm.solve(game)
    found = zm.read_solution(io.BytesIO(to_bytes(solution, name)), game, format=name)
    assert found.verify() is found
    assert found.value.tolist() == solution.value.tolist()
    assert found.label.tolist() == solution.label.tolist()
    assert found.move.tolist() == solution.move.tolist()
    assert to_bytes(found, name) == to_bytes(solution, name)


G = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])


def test_csv_of_values():
    text = to_bytes(zm.solve(G, zm.MeanPayoff([4, -3, 1])), "csv").decode()
    head, first, second = text.splitlines()[-3:]
    assert head.startswith("position,label,distance,value,move,numerator,denominator,lower,upper")
    assert first.startswith("a,WIN,,1/2,b,1,2,")
    assert second.startswith("b,LOSE,,1/2,a,1,2,")
    for old, new in (("a,WIN,,1/2,b,1,2", "a,WIN,,1/3,b,1,2"), ("1/2,b,1,2", "1/2,b,1,3")):
        with pytest.raises(CertificateError, match="value of 'a': expected"):
            zm.read_solution(io.BytesIO(text.replace(old, new).encode()), G, format="csv")
    wrong = text.replace("1/2,b,1,2", "1/2,b,x,2").encode()
    with pytest.raises(FormatError, match="numerator: expected an integer, got 'x'"):
        zm.read_solution(io.BytesIO(wrong), G, format="csv")


def test_arrays_of_another_objective_are_refused():
    record = json.loads(to_bytes(zm.solve(G, zm.Energy([4, -3, 1])), "json"))
    record["lower"] = record["credit"]
    with pytest.raises(FormatError, match="lower: expected no such array in a game of 'energy'"):
        zm.read_solution(io.BytesIO(json.dumps(record).encode()), G, format="json")
    del record["lower"], record["credit"]
    with pytest.raises(FormatError, match="credit: expected an array, got nothing"):
        zm.read_solution(io.BytesIO(json.dumps(record).encode()), G, format="json")


def test_a_changed_credit_fails_the_check():
    record = json.loads(to_bytes(zm.solve(G, zm.Energy([4, -3, 1])), "json"))
    record["credit"][1] += 1
    found = zm.read_solution(io.BytesIO(json.dumps(record).encode()), G, format="json")
    with pytest.raises(CertificateError):
        found.verify()


def test_weights_of_a_game():
    game = zm.Game(G, weight={("a", "b"): 1, ("b", "a"): 2, ("b", "b"): 3})
    assert game.weights().tolist() == [1, 2, 3]
    assert game != zm.Game(G)
    assert game == zm.Game(G, weight=[1, 2, 3])
    energy = zm.Game(G, zm.Energy([1, 2, 3]))
    assert energy.weight is None
    assert energy.weights().tolist() == [1, 2, 3]
    assert zm.Game(G, zm.MeanPayoff([1, 2, 3], Fraction(1, 2))).weights().tolist() == [1, 2, 3]
    assert zm.Game(G).weights() is None
    for wrong in ([1, 2], [1, 2, 0.5], {("a", "b"): 1}, "abc", [1, 2, 2**61], [1, 2, float("nan")]):
        with pytest.raises(InvalidObjectiveError):
            zm.Game(G, weight=wrong)
