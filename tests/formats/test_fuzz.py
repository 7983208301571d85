"""A damaged file gives a game or an error of ours, and nothing else."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zermelo as zm
from zermelo.errors import ZermeloError
from zermelo.formats.common.compression import compress
from zermelo.registry import FORMATS
from zermelo.testing.formats import PIECES

NAMED = zm.Graph.from_edges(
    [("a", "b c"), ("b c", "a"), ("a", 'q"\\'), ("é", "a"), ("", "é")], owner=[0, 1, 0, 1, 0]
)
NUMBERS = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (3, 1), (12, 3)], n=14)
TUPLES = zm.Graph.from_edges([((0, "a"), (1, "b")), ((1, "b"), None)])
WEIGHTED = zm.Game(NUMBERS, weight=[3, -2, 7, 1, 5])
ENERGY = zm.Game(NAMED, zm.Energy([3, -2, 0, 7, -(2**40)], capacity=9), "a")
PATH = zm.Game(NAMED, zm.ShortestPath([3, -2, 0, 7, 9], ["b c", "é"], player=0))
PAYOFFS = zm.TerminalPayoff({'q"\\': 3}, infinite=0.5)


def to_bytes(content, name):
    out = io.BytesIO()
    zm.write(content, out, format=name)
    return out.getvalue()


def seeds(row):
    """Whole files of a format."""
    found = []
    if "graph" in row.holds:
        found = [NUMBERS]
        if "names" in row.holds:
            found += [NAMED, NAMED.with_owner(None), NUMBERS.with_owner([0, 1] * 7)]
        if "objective" in row.holds:
            found += [TUPLES, (NAMED, PAYOFFS), (NUMBERS, zm.Reach([3]))]
        found += [WEIGHTED] if "weights" in row.holds else []
        found += [ENERGY, PATH] if "owner" in row.holds and "weights" in row.holds else []
    return [to_bytes(x, row.name) for x in found]


GAMES = {row.name: seeds(row) for row in FORMATS if "graph" in row.holds and not row.games}
GAMES["dot"].append(b'strict graph G { a:p -- {b <x>} -- "q" + "r" [x=1]; node [owner=1] n=1 }')
GAMES["dot"].append(b"graph { edge [weight=2]; a -- b [weight=-3]; objective=energy; b -- {c d} }")
GAMES["mtx"].append(
    b"%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 1.5\n3 1 0\n"
)
GAMES["json"].append(b'{"format": "zermelo-game", "version": 1, "edges": [["a", "b", 3]]}')
GAMES["json"].append(b'{"format": "zermelo-game", "version": 1, "edges": [["a", "b"], [1, 2]]}')
SOLUTIONS = {
    row.name: [
        to_bytes(zm.solve(NAMED, PAYOFFS), row.name),
        to_bytes(zm.solve(NAMED.with_owner(None), zm.Asymmetric()), row.name),
        to_bytes(zm.solve(ENERGY), row.name),
        to_bytes(zm.solve(NAMED.with_owner(None), zm.MeanPayoff([3, -2, 0, 7, 9])), row.name),
        to_bytes(zm.solve(NAMED, zm.MeanPayoff([3, -2, 0, 7, 9], "1/3")), row.name),
        to_bytes(zm.solve(NAMED.with_owner(None), zm.Discounted([3, -2, 0, 7, 9])), row.name),
        to_bytes(zm.solve(PATH), row.name),
    ]
    for row in FORMATS
    if "solution" in row.holds and not row.games
}


@st.composite
def damaged(draw, files):
    data = bytearray(draw(st.sampled_from(files)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["flip", "cut", "drop", "insert", "repeat", "random"]))
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif kind == "cut":
            del data[at:]
        elif kind == "drop":
            del data[at : at + draw(st.integers(1, 9))]
        elif kind == "insert":
            data[at:at] = draw(st.sampled_from(PIECES))
        elif kind == "repeat":
            data[at:at] = data[at : at + 20]
        elif kind == "random":
            data[at : at + 4] = draw(st.binary(max_size=8))
    return bytes(data)


def attempt(read, *args, **more):
    """The result of a reader, or None after an error of one sentence."""
    try:
        return read(*args, **more)
    except ZermeloError as error:
        sentence = str(error)
    assert "\n" not in sentence
    return None


LIMITS = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow("dot", "edgelist", "parquet")
@pytest.mark.parametrize("name", GAMES)
@LIMITS
@given(data=st.data())
def test_damaged_games(name, data):
    blob = data.draw(damaged(GAMES[name]))
    found = attempt(zm.read, io.BytesIO(blob), format=name)
    if found is not None:
        graph = found.graph
        assert graph.names is None or len(set(graph.names)) == graph.n


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLUTIONS)
@LIMITS
@given(data=st.data())
def test_damaged_solutions(name, data):
    index = data.draw(st.integers(0, len(SOLUTIONS[name]) - 1))
    blob = data.draw(damaged(SOLUTIONS[name][index : index + 1]))
    graph = NAMED if index % 2 == 0 else NAMED.with_owner(None)
    solution = attempt(zm.read_solution, io.BytesIO(blob), graph, format=name)
    if solution is not None:
        attempt(solution.verify)


@pytest.mark.slow(".bz2", ".xz", ".zst")
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
@LIMITS
@given(data=st.data())
def test_damaged_compression(suffix, data):
    blob = data.draw(damaged([compress(x, suffix) for x in GAMES["edgelist"]]))
    attempt(zm.read, io.BytesIO(blob))


@LIMITS
@given(st.sampled_from([x for files in GAMES.values() for x in files]), st.integers(0, 200))
def test_what_has_no_name_is_sniffed(blob, cut):
    zm.read(io.BytesIO(blob))
    attempt(zm.read, io.BytesIO(blob[:cut]))
