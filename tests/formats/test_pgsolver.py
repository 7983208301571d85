"""PGSolver's games and solutions: round trips, damaged files, and files like those in use."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo._kernels import pgsolver as kernels
from zermelo.errors import (
    FormatError,
    InvalidGraphError,
    InvalidObjectiveError,
)
from zermelo.formats import pgsolver
from zermelo.formats.front import sniff
from zermelo.solutions.parity import parity_solution

from .parity_games import attempt, parity_games

read = pgsolver.read_graph
write = pgsolver.write_graph

good_names = st.text(min_size=1, max_size=5).filter(
    lambda x: not set(x) & set('"\n') and max(x) < "\ud800"
)


def describe(data):
    graph, objective = read(data if isinstance(data, bytes) else data.encode())
    return (
        graph.to_edges().tolist(),
        graph.owner.tolist(),
        objective.priorities(graph).tolist(),
        graph.names,
    )


@examples(300)
@given(parity_games(good_names | st.sampled_from(["0", "1", ";", ",", "//", "é", "\r", " "])))
def test_round_trip(game):
    graph, objective = game
    data = write(graph, objective)
    found, goal = read(data)
    assert found == graph
    assert goal.priorities(found).tolist() == objective.priorities(graph).tolist()
    assert write(found, goal) == data
    assert sniff(data).name == "pgsolver" or graph.n == 0


@examples(200)
@given(parity_games(st.integers(0, 12) | st.integers(0, kernels.MAX_ID)))
def test_identifiers_as_names(game):
    graph, objective = game
    numbers = tuple(range(graph.n))
    if graph.names is not None and tuple(sorted(graph.names)) == numbers != graph.names:
        with pytest.raises(InvalidGraphError, match="in another order"):
            write(graph, objective)
        return
    found, goal = read(write(graph, objective))
    assert found == (graph.with_names(None) if graph.names == numbers else graph)
    assert goal.priorities(found).tolist() == objective.priorities(graph).tolist()


@examples(200)
@given(parity_games(), st.randoms(use_true_random=False))
def test_any_order_and_any_blanks(game, random):
    graph, objective = game
    priority = objective.priorities(graph).tolist()
    statements = []
    for v in range(graph.n):
        successors = graph.successors(v).tolist() * 2
        random.shuffle(successors)
        blank = [random.choice([" ", "\t", "\r\n", " // x;y \n "]) for _ in range(3)]
        maybe = [random.choice(["", " ", "\n", "//,\n"]) for _ in range(4)]
        listed = f"{maybe[0]},{maybe[1]}".join(map(str, successors))
        head = f"{v}{blank[0]}{priority[v]}{blank[1]}{graph.owner[v]}{blank[2]}"
        statements.append(f"{head}{listed}{maybe[2]};{maybe[3]}")
    random.shuffle(statements)
    found, goal = read("".join(statements or ["parity 0;"]).encode())
    assert found == graph
    assert goal.priorities(found).tolist() == priority


@pytest.mark.parametrize(
    ("text", "edges", "owner", "priority", "names"),
    [
        # the example of PGSolver's report, chapter 3.5
        (
            'parity 4;\n0 6 1 4,2 "Africa";\n4 5 1 0 "Antarctica";\n1 8 1 2,4,3 "America";\n'
            '3 6 0 4,2 "Australia";\n2 7 0 3,1,0,4 "Asia";\n',
            [[0, 2], [0, 4], [1, 2], [1, 3], [1, 4], [2, 0], [2, 1], [2, 3], [2, 4], [3, 2],
             [3, 4], [4, 0]],
            [1, 1, 0, 0, 1],
            [6, 8, 7, 6, 5],
            ("Africa", "America", "Asia", "Australia", "Antarctica"),
        ),
        ("parity 1;start 1;0 0 0 1;1 1 1 0;", [[0, 1], [1, 0]], [0, 1], [0, 1], None),
        ("start 0; 0 0 0 0;", [[0, 0]], [0], [0], None),
        ("parity 0; 0 3 1 0 \"\";", [[0, 0]], [1], [3], None),
        ("0 0 0 1; 1 0 1 0 \"b\"", None, None, None, None),
        ("0 0 0 1 \"a\"; 1 0 1 0;", [[0, 1], [1, 0]], [0, 1], [0, 0], ("a", 1)),
        ("0 0 0 1 \"a\"; 1 0 1 0 \"a\";", [[0, 1], [1, 0]], [0, 1], [0, 0], None),
        ("5 0 0 7; 7 2 1 5,7;", [[0, 1], [1, 0], [1, 1]], [0, 1], [0, 2], (5, 7)),
        ("7 2 1 5,7; 5 0 0 7;", [[0, 0], [0, 1], [1, 0]], [1, 0], [2, 0], (7, 5)),
        ("5 0 0 7 \"a\"; 7 2 1 5 \"b\";", [[0, 1], [1, 0]], [0, 1], [0, 2], (5, 7)),
        ("1 0 0 0; 0 2 1 1,1,0;", [[0, 0], [0, 1], [1, 0]], [1, 0], [2, 0], None),
        ("1 0 0 0 \"b\"; 0 2 1 1 \"a\";", [[0, 1], [1, 0]], [1, 0], [2, 0], ("a", "b")),
        ("0 2147483645 0 0;", [[0, 0]], [0], [2147483645], None),
        ("2147483646 1 0 2147483646;", [[0, 0]], [0], [1], (2147483646,)),
        ("0 1 0 ;", [], [0], [1], None),
        ("0 1 0;", [], [0], [1], None),
        ("0 1 0 \"dead\";", [], [0], [1], ("dead",)),
        ("parity 0;", [], [], [], None),
        ("// nothing", [], [], [], None),
        ("\ufeff// x\nparity 0; // y\n0 1 0 0; // z", [[0, 0]], [0], [1], None),
        ("007 01 0 0007;", [[0, 0]], [0], [1], (7,)),
    ],
)  # fmt: skip
def test_the_content_of_files(text, edges, owner, priority, names):
    if edges is None:
        with pytest.raises(FormatError):
            describe(text)
    else:
        assert describe(text) == (edges, owner, priority, names)


MALFORMED = [
    ("parity", "1:7: expected a number after 'parity', got the end of the file"),
    ("parity x;", "1:8: expected a number after 'parity', got 'x'"),
    ("parity 5\n0 0 0 0;", "2:1: expected ';', got '0'"),
    ("parity 5; parity 5;", "1:11: expected 'start', an identifier, got 'parity'"),
    ("start 1; parity 5;", "1:10: expected an identifier, got 'parity'"),
    ("parity 99999999999;", "1:8: expected a number of at most 2147483647, got '99999999999'"),
    ("start 3;\n0 0 0 0;", "1:7: no statement defines the start 3"),
    ("party 5;", "1:1: expected 'parity', 'start', an identifier, got 'party'"),
    ("paritysol 5;", "1:1: expected 'parity', 'start', an identifier, got 'paritysol'"),
    ("0 0 0 0;\nstart 0;", "2:1: expected an identifier, got 'start'"),
    ("0 0 0 0;;", "1:9: expected an identifier, got ';'"),
    ("-1 0 0 0;", "1:1: expected an identifier, got '-1'"),
    ("2147483647 0 0 0;", "1:1: expected an identifier of at most 2147483646, got '2147483647'"),
    ("9" * 50 + " 0 0 0;", "1:1: expected an identifier of at most 2147483646, got '9999"),
    ("0;", "1:2: expected a priority, got ';'"),
    ("0 -3 0 0;", "1:3: expected a priority, got '-3'"),
    ("0 2147483646 0 0;", "1:3: expected a priority of at most 2147483645, got '2147483646'"),
    ("0 0\n\n 2 0;", "3:2: expected an owner 0 or 1, got '2'"),
    ("0 0 ;", "1:5: expected an owner 0 or 1, got ';'"),
    ("0 0 0 x;", "1:7: expected a successor, a name in quotes or ';', got 'x'"),
    ("0 0 0 0,;", "1:9: expected a successor, got ';'"),
    ("0 0 0 0,,0;", "1:9: expected a successor, got ','"),
    ("0 0 0 0 0;", "1:9: expected ',', a name in quotes or ';', got '0'"),
    ("0 0 0 0", "1:8: expected ',', a name in quotes or ';', got the end of the file"),
    ("0 0 0 0\n", "1:8: expected ',', a name in quotes or ';', got the end of the file"),
    ("0 0 0 9999999999;", "1:7: expected an identifier of at most 2147483646, got '9999999999'"),
    ('0 0 0 0 "a\n";', "1:9: this name in quotes does not end on its line"),
    ('0 0 0 0 "a', "1:9: this name in quotes does not end on its line"),
    ('0 0 0 0 "a" 3;', "1:13: expected ';', got '3'"),
    ('0 0 0 0 "é" "b";', "1:13: expected ';', got '\"'"),
    ("0 0 0 0;\n1 0 0 0; 0 1 1 1;", "2:10: 0 is defined twice"),
    ("0 0 0 0;\n1 0 0 0,\n 3,1,2;", "3:2: no statement defines the successor 3"),
    ("5 0 0 5;\n700000 0 0 5,\n 3,5;", "3:2: no statement defines the successor 3"),
    ("0 0 0 /0;", "1:7: expected a successor, a name in quotes or ';', got '/'"),
    ("0 0 0 é;", "1:7: expected a successor, a name in quotes or ';', got 'é'"),
    (b'0 0 0 0 "\xc3\xa9\xff";', "1:11: expected UTF-8 text, got byte 0xff"),
    (b"0 0 0 0;\0", "1:9: expected an identifier, got '\\x00'"),
]


@pytest.mark.parametrize(("data", "message"), MALFORMED)
def test_malformed(data, message):
    with pytest.raises(FormatError) as caught:
        zm.read(io.BytesIO(data if isinstance(data, bytes) else data.encode()), format="pg")
    assert f":{message}" in str(caught.value)
    assert "\n" not in str(caught.value)


token = st.sampled_from(
    [*"0123", " ", " ", " ", "\n", ",", ";", '"', '"a"', "//", "parity 3;", "start 0;", "é", "-",
     "0 1 0 1;", "1 1 1 0,1;", "99999999999", "\0"]
)  # fmt: skip


@examples(500)
@given(st.lists(token, max_size=20).map("".join) | st.text(max_size=20))
def test_any_text(text):
    data = text.encode("utf-8", "surrogatepass")
    attempt(read, data)
    attempt(pgsolver.read_solution, data, GRAPH, GOAL)


@examples(300)
@given(parity_games(good_names), st.data())
def test_damaged(game, data):
    blob = bytearray(write(*game))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(blob)))
        blob[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from([b"", b";", b",", b'"', b"7", b" ", b"\n", b"\xff", b"//", b"x"])
        )
    found = attempt(read, bytes(blob))
    if found is not None:
        graph, objective = found
        assert len(objective.priorities(graph)) == graph.n
        assert graph == zm.Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.names)


def test_what_is_no_parity_game():
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="expected a pair"):
        write(graph)
    with pytest.raises(InvalidObjectiveError, match="got a game of 'misere'"):
        write(graph, zm.Misere())
    with pytest.raises(InvalidObjectiveError, match="owners"):
        write(graph.with_owner(None), zm.Parity([0, 1]))
    assert write(graph, zm.Buchi([1])) == b"parity 1;\n0 1 0 1;\n1 2 1 ;\n"
    assert write(graph, zm.Parity([1, 2], "min odd")) == b"parity 1;\n0 2 0 1;\n1 1 1 ;\n"


@pytest.mark.parametrize("name", ['a"b', "a\nb", "", 1.5, (1, 2), None, True, "\ud800", 7, -1])
def test_names_that_do_not_fit(name):
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1]).with_names(["x", name])
    with pytest.raises(InvalidGraphError, match="PGSolver's format stores names"):
        write(graph, zm.Parity([0, 1]))


# -------------------------------------------------------------------- large files


def large(n=100_000):
    rng = np.random.default_rng(7)
    degree = rng.integers(0, 5, n)
    degree[17] = 300
    sources = np.repeat(np.arange(n), degree)
    targets = rng.integers(0, n, sources.size)
    graph = zm.Graph.from_arrays(sources, targets, n, rng.integers(0, 2, n))
    return graph, zm.Parity(rng.integers(0, 2**31 - 3, n).astype(np.int32)), sources, targets


def test_large():
    graph, objective, sources, targets = large()
    data = write(graph, objective)
    found, goal = read(data)
    assert found == graph
    assert np.array_equal(goal.priorities(found), objective.priorities(graph))
    # Unsorted successors, in a row that is longer than the kernel sorts.
    first = np.searchsorted(sources, np.arange(graph.n + 1))
    priority, owner = objective.priorities(graph).tolist(), graph.owner.tolist()
    order = np.random.default_rng(8).permutation(graph.n).tolist()
    listed = [
        f"{v} {priority[v]} {owner[v]} "
        + ",".join(map(str, targets[first[v] : first[v + 1]].tolist()))
        + ";"
        for v in range(graph.n)
    ]
    assert read("\n".join(listed).encode()).graph == graph
    assert read("".join([listed[v] for v in order]).encode()).graph == graph
    with pytest.raises(FormatError, match="no statement defines the successor"):
        read("\n".join(listed[:-1]).encode())
    winner = np.random.default_rng(9).integers(0, 2, graph.n)
    strategy = np.where(graph.out_degree > 0, graph.indices[graph.indptr[:-1] - 1], -1)
    solution = parity_solution(graph, objective, "x", winner, strategy.astype(np.int32))
    again = pgsolver.read_solution(pgsolver.write_solution(solution), graph, objective)
    assert np.array_equal(again.strategy, solution.strategy)
    assert np.array_equal(again.label, solution.label)


@pytest.mark.parametrize("mode", ["interpret", pytest.param("compile", marks=pytest.mark.compiled)])
def test_both_ways_to_run(monkeypatch, mode):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    graph, objective, *_ = large(300)
    named = graph.with_names([f"é{v}" for v in range(graph.n)])
    for game in (graph, named):
        data = write(game, objective)
        assert read(data).graph == game
    for text, message in MALFORMED:
        with pytest.raises(FormatError) as caught:
            read(text if isinstance(text, bytes) else text.encode())
        assert message in str(caught.value)
    blob = pgsolver.write_solution(CLAIM)
    assert pgsolver.read_solution(blob, GRAPH, GOAL).winner.tolist() == [0, 0, 1]


# -------------------------------------------------------------------- solutions

GRAPH = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 0, 1])
GOAL = zm.Parity([2, 1, 1])
CLAIM = parity_solution(GRAPH, GOAL, "me", np.array([0, 0, 1]), np.array([1, 0, 2], np.int32))


@examples(200)
@given(parity_games(st.integers(0, 12) | st.integers(0, kernels.MAX_ID)), st.data())
def test_solutions(game, data):
    graph, objective = game
    winner = data.draw(st.lists(st.integers(0, 1), min_size=graph.n, max_size=graph.n))
    most = max(graph.n - 1, 0)
    moves = data.draw(st.lists(st.integers(-1, most), min_size=graph.n, max_size=graph.n))
    made = parity_solution(
        graph, objective, "me", np.array(winner, np.int8), np.array(moves, np.int32)
    )
    out = io.BytesIO()
    zm.write(made, out, format="sol")
    found = zm.read_solution(io.BytesIO(out.getvalue()), graph, format="sol", objective=objective)
    for key in ("label", "level", "distance", "move"):
        assert np.array_equal(getattr(made, key), getattr(found, key)), key
        assert getattr(made, key).dtype == getattr(found, key).dtype
    assert found.objective is objective


def test_a_solution_as_text():
    assert pgsolver.write_solution(CLAIM) == b"paritysol 2;\n0 0 1;\n1 0 0;\n2 1 2;\n"
    text = b"// a claim\n2 1 2; 1 0\n0; 0 0 1;"
    found = pgsolver.read_solution(text, GRAPH, GOAL)
    assert found.strategy.tolist() == [1, 0, 2]
    assert found.winner.tolist() == [0, 0, 1]
    assert sniff(b"paritysol 2;\n", "solution").name == "sol"
    assert sniff(b"0 1 2;\n", "solution").name == "sol"
    forgotten = pgsolver.read_solution(b"0 1 1; 1 0 0; 2 1 2;", GRAPH, GOAL)
    assert forgotten.strategy.tolist() == [-1, 0, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paritysol;", "1:10: expected a number after 'paritysol', got ';'"),
        ("parity 3;", "1:1: expected 'paritysol', an identifier, got 'parity'"),
        ("0 0 1;\n1 2;", "2:3: expected a winner 0 or 1, got '2'"),
        ("0 0 x;", "1:5: expected a successor or ';', got 'x'"),
        ("0 0 1 2;", "1:7: expected ';', got '2'"),
        ("0 0 1", "1:6: expected ';', got the end of the file"),
        ("0 0 9999999999;", "1:5: expected an identifier of at most 2147483646"),
        ("0 0 1;\n3 0 1;", "2:1: the game has no position 3"),
        ("0 0 1;\n1 0 3;", "2:5: the game has no position 3"),
        ("0 0 1;\n1 0 0; 0 1;", "2:8: 0 appears twice"),
        ("0 0 1;\n2 1 2;", "position 1 has no winner: no statement begins with it"),
        ("x", "1:1: expected 'paritysol', an identifier, got 'x'"),
        ("", "position 0 has no winner"),
    ],
)
def test_malformed_solutions(text, message):
    with pytest.raises(FormatError) as caught:
        zm.read_solution(io.BytesIO(text.encode()), GRAPH, format="sol", objective=GOAL)
    assert message in str(caught.value)


def test_a_solution_needs_its_objective(tmp_path):
    with pytest.raises(FormatError, match="needs the objective of its parity game, got none"):
        zm.read_solution(io.BytesIO(b"0 0;"), GRAPH, format="sol")
    with pytest.raises(FormatError, match="got 'normal'"):
        zm.read_solution(io.BytesIO(b"0 0;"), GRAPH, format="sol", objective=zm.NormalPlay())
    with pytest.raises(InvalidObjectiveError, match="got one of a game of 'normal'"):
        zm.write(zm.solve(GRAPH.with_owner(None)), tmp_path / "s.sol")
