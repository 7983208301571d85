"""Solution files say who wins each position, and what they say must fit the labels."""

import io
import json

import numpy as np
import pyarrow.parquet
import pytest

import zermelo as zm
from zermelo.errors import CertificateError, FormatError

GRAPH = zm.Graph.from_edges(
    [("a", "b"), ("b", "a"), ("b", "c"), ("c", "c"), ("d", "c"), ("e", "d")],
    owner=[0, 1, 0, 1, 0],
)
OBJECTIVES = [
    zm.Parity([2, 1, 1, 0, 3]),
    zm.Buchi(["a"]),
    zm.CoBuchi(["c"]),
    zm.Reach(["c"], player=1),
    zm.Safety(["a", "b"]),
    zm.NormalPlay(),
]
ALTERNATING = GRAPH.with_owner(None)


def blob_of(solution, name):
    out = io.BytesIO()
    zm.write(solution, out, format=name)
    return out.getvalue()


def winners_in(blob, name):
    """The winners as a program without zermelo reads them."""
    if name == "json":
        return json.loads(blob)["winner"]
    if name == "npz":
        return np.load(io.BytesIO(blob))["winner"].tolist()
    if name == "parquet":
        return pyarrow.parquet.read_table(io.BytesIO(blob))["winner"].to_pylist()
    lines = [line for line in blob.decode().splitlines() if not line.startswith("#")]
    column = lines[0].split(",").index("winner")
    return [int(line.split(",")[column]) for line in lines[1:]]


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
@pytest.mark.parametrize("name", ["json", "npz", "parquet", "csv"])
def test_winners_in_files(name, objective):
    solution = zm.solve(GRAPH, objective)
    blob = blob_of(solution, name)
    assert winners_in(blob, name) == solution.winner.tolist()
    found = zm.read_solution(io.BytesIO(blob), GRAPH, format=name).verify()
    assert found.winner.tolist() == solution.winner.tolist()
    names = [None if w < 0 else w for w in solution.winner.tolist()]
    assert [answer.winner for answer in found] == names


@pytest.mark.parametrize("name", ["json", "npz", "parquet", "csv"])
def test_winners_where_the_players_alternate(name):
    solution = zm.solve(ALTERNATING, zm.Reach(["c"]))
    blob = blob_of(solution, name)
    assert np.array(winners_in(blob, name)).reshape(-1, 2).tolist() == solution.winner.tolist()
    assert zm.read_solution(io.BytesIO(blob), ALTERNATING, format=name).verify() is not None


@pytest.mark.parametrize("name", ["json", "npz", "parquet", "csv"])
def test_no_winners_where_nobody_knows_who_moves(name):
    blob = blob_of(zm.solve(ALTERNATING), name)
    assert b"winner" not in blob


def test_muller_games():
    solution = zm.solve(GRAPH, zm.Muller({"a": 0, "c": 1}, "Inf(0)"))
    assert json.loads(blob_of(solution, "json"))["winner"] == solution.winner.tolist()


def test_files_that_leave_winners_out():
    solution = zm.solve(GRAPH, OBJECTIVES[0])
    data = json.loads(blob_of(solution, "json"))
    del data["winner"]
    zm.read_solution(io.BytesIO(json.dumps(data).encode()), GRAPH, format="json").verify()
    lines = blob_of(solution, "csv").decode().splitlines()
    short = [x if x.startswith("#") else x.rpartition(",")[0] for x in lines]
    zm.read_solution(io.BytesIO("\n".join(short).encode()), GRAPH, format="csv").verify()


def test_winners_that_contradict_the_labels():
    solution = zm.solve(GRAPH, OBJECTIVES[0])
    data = json.loads(blob_of(solution, "json"))
    data["winner"][1] = 1 - data["winner"][1]
    with pytest.raises(CertificateError, match="winner of 'b': expected 1, as its label says"):
        zm.read_solution(io.BytesIO(json.dumps(data).encode()), GRAPH, format="json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: line.rpartition(",")[0] + ",2", "expected a winner 0, 1 or -1, got '2'"),
        (lambda line: line.rpartition(",")[0], "expected 6 entries, got 5"),
        (lambda line: line + ",0", "expected 6 entries, got 7"),
    ],
)
def test_malformed_winners(change, message):
    lines = blob_of(zm.solve(GRAPH, OBJECTIVES[0]), "csv").decode().splitlines()
    lines[-1] = change(lines[-1])
    with pytest.raises(FormatError, match=message):
        zm.read_solution(io.BytesIO("\n".join(lines).encode()), GRAPH, format="csv")


def test_winners_of_a_game_that_has_none():
    solution = zm.solve(ALTERNATING)
    data = json.loads(blob_of(solution, "json")) | {"winner": [0] * 5}
    with pytest.raises(FormatError, match="winner: expected none, because either player"):
        zm.read_solution(io.BytesIO(json.dumps(data).encode()), ALTERNATING, format="json")
