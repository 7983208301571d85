"""Solution files of Muller games: machines survive a round trip, false claims are found."""

import io
import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests import muller_oracle as oracle
from tests.sampling import examples
from zermelo.errors import CertificateError, FormatError, InvalidOptionError
from zermelo.registry import FORMATS

from .test_fuzz import LIMITS, attempt, damaged, to_bytes

PATH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")], owner=[1, 0, 1])
BOTH = zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)")


def back(blob, graph):
    return zm.read_solution(io.BytesIO(blob), graph, format="json")


def plain(solution=None):
    return json.loads(to_bytes(solution or zm.solve(PATH, BOTH), "json"))


def claimed(data, graph=PATH):
    return back(json.dumps(data).encode(), graph)


@examples(150)
@given(st.integers(0, 10**6), st.booleans())
def test_round_trip(seed, asked):
    graph, objective = oracle.random_game(seed)
    solution = zm.solve(graph, objective, start=0 if asked else None)
    blob = to_bytes(solution, "json")
    found = back(blob, graph).verify()
    for key in ("label", "distance", "level", "move", "winner"):
        mine, theirs = getattr(solution, key), getattr(found, key)
        assert np.array_equal(mine, theirs)
        assert mine.dtype == theirs.dtype
        assert not theirs.flags.writeable
    for mine, theirs in zip(solution.machines, found.machines, strict=True):
        assert str(mine) == str(theirs)
        for key in ("winning", "letter", "after", "moves"):
            assert np.array_equal(getattr(mine, key), getattr(theirs, key))
            assert not getattr(theirs, key).flags.writeable
    assert (found.solver, found.start) == (solution.solver, solution.start)
    assert found.objective.spec(graph) == objective.spec(graph)
    assert to_bytes(found, "json") == blob


def test_no_positions():
    empty = zm.Graph.from_edges([], n=0, owner=[])
    solution = zm.solve(empty, zm.Muller([], "Inf(0)"))
    assert back(to_bytes(solution, "json"), empty).verify().label.size == 0


def test_another_first_memory():
    """The same machine with its memory states renamed plays the same and is accepted."""
    data = plain()
    machine = data["machines"][0]
    machine["initial"] = 1
    machine["after"] = [[1 - m for m in row] for row in machine["after"][::-1]]
    machine["moves"] = machine["moves"][::-1]
    found, right = claimed(data).verify(), zm.solve(PATH, BOTH)
    assert found.line("b") == right.line("b")
    assert str(found.strategy_machine(0)).startswith("player 0: 2 memory states, first 1\n")
    assert (found.strategy_machine(0).used() == right.strategy_machine(0).used()[::-1]).all()


def test_every_false_machine_that_matters_is_refused():
    """PATH is won by alternating moves from b to a and to c, so neither move can be changed."""
    moves = [row[1] for row in plain()["machines"][0]["moves"]]
    assert sorted(moves) == [0, 2]
    for m, value in itertools.product((0, 1), (-1, 0, 1, 2)):
        if value != moves[m]:
            changed = plain()
            changed["machines"][0]["moves"][m][1] = value
            with pytest.raises(CertificateError):
                claimed(changed).verify()
    changed = plain()
    changed["level"][0], changed["label"][0] = 0, 1
    with pytest.raises(CertificateError):
        claimed(changed).verify()


def change(*path, to):
    def spoil(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return spoil


M = "machines"
MALFORMED = [
    (lambda d: d.pop(M), "machines: expected a list of two, got None"),
    (change(M, to=[]), r"machines: expected a list of two, got \[\]"),
    (change(M, 1, to=3), "/machines/1: expected an object, got 3"),
    (lambda d: d[M][0].pop("after"), "/machines/0: expected a key 'after'; known: initial, letter"),
    (change(M, 0, "colour", to=1), "/machines/0: unknown key 'colour'"),
    (change(M, 0, "initial", to=2), "/machines/0/initial: expected 0 … 1, got 2"),
    (change(M, 0, "initial", to=True), "/machines/0/initial: expected 0 … 1, got True"),
    (change(M, 0, "after", to=[]), "/machines/0/after: expected a list for each memory state"),
    (change(M, 0, "after", to=7), "/machines/0/after: expected a list for each memory state"),
    (change(M, 0, "after", 1, to=[0]), "/machines/0/after/1: expected 3 entries, got 1"),
    (change(M, 0, "after", 1, 2, to=2), "/machines/0/after/1/2: expected 0 or 1, got 2"),
    (change(M, 0, "letter", 0, to=3), "/machines/0/letter/0: expected 0 … 2, got 3"),
    (change(M, 0, "letter", to="aaa"), "/machines/0/letter: expected a list, got 'aaa'"),
    (change(M, 0, "moves", to=[[0, 0, 0]]), "/machines/0/moves: expected 2 lists, one for each"),
    (change(M, 0, "moves", 0, 1, to=3), "/machines/0/moves/0/1: expected -1 … 2, got 3"),
    (change(M, 0, "moves", 0, 1, to=1.5), "/machines/0/moves/0/1: expected -1 … 2, got 1.5"),
    (change("move", to=[1, 0, 1]), "move: expected machines instead"),
    (change("level", 0, to=2), "level of 'a': expected 0 … 1, got 2"),
    (change("objective", "acceptance", to="Inf("), "/objective: acceptance 'Inf\\(', column 5"),
]


@pytest.mark.parametrize(("spoil", "message"), MALFORMED)
def test_malformed(spoil, message):
    data = plain()
    spoil(data)
    with pytest.raises(FormatError, match=message):
        claimed(data)


def test_machines_where_there_is_no_memory():
    data = plain(zm.solve(PATH, zm.Parity([0, 1, 2]))) | {M: plain()[M]}
    with pytest.raises(FormatError, match="machines: expected none in a game of 'parity'"):
        claimed(data)


@pytest.mark.parametrize(
    "name", [row.name for row in FORMATS if "solution" in row.holds and "machines" not in row.holds]
)
def test_formats_without_room(name):
    message = f"the {name} format has one move for each position, .*; these store them: json"
    with pytest.raises(InvalidOptionError, match=message):
        to_bytes(zm.solve(PATH, BOTH), name)


def test_a_table_with_one_move_a_position_is_no_solution_of_a_muller_game():
    table = to_bytes(zm.solve(PATH, zm.Parity([0, 1, 2])), "csv").decode()
    lines = table.splitlines()
    k = next(k for k, line in enumerate(lines) if line.startswith("# objective:"))
    lines[k] = f"# objective: {json.dumps(BOTH.spec(PATH))}"
    with pytest.raises(FormatError, match="move: expected machines instead"):
        zm.read_solution(io.BytesIO("\n".join(lines).encode()), PATH, format="csv")


@LIMITS
@given(damaged([to_bytes(zm.solve(PATH, BOTH), "json")]))
def test_damaged(blob):
    solution = attempt(zm.read_solution, io.BytesIO(blob), PATH, format="json")
    if solution is not None:
        attempt(solution.verify)


numbers = st.integers(-2, 4)


@examples(300)
@given(st.data())
def test_well_formed_claims_are_checked(data):
    """A file with changed entries gives an error that names the place, or a claim to be checked."""
    found = plain()
    for _ in range(data.draw(st.integers(1, 3))):
        machine = found[M][data.draw(st.integers(0, 1))]
        key = data.draw(st.sampled_from(["letter", "after", "moves"]))
        row = machine[key] if key == "letter" else data.draw(st.sampled_from(machine[key]))
        row[data.draw(st.integers(0, len(row) - 1))] = data.draw(numbers)
    solution = attempt(claimed, found)
    if solution is not None and attempt(solution.verify) is not None:
        line = solution.line("b")
        assert {"a", "c"} <= set(line[line.cycle :])
