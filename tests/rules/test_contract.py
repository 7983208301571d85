"""Every row of the table of games keeps the contract, from the day it is there."""

import contextlib
import functools
import re
import tracemalloc

import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError, InvalidRulesError, UnknownNameError, ZermeloError
from zermelo.registry import GAMES
from zermelo.rules.base import Rules
from zermelo.rules.loading.games import game
from zermelo.rules.values import position_values

ROWS = [pytest.param(row, id=row.name) for row in GAMES if ".impartial." in row.target]
"""Impartial games on any objects; others have tests of their own."""
CYCLIC = {"annihilation"}


def mex_of_all(graph):
    """The plain definition, on a graph without cycles: no components, no symmetry."""

    @functools.cache
    def value(v):
        options = {value(w) for w in graph.successors(v).tolist()}
        return next(k for k in range(len(options) + 1) if k not in options)

    return [value(v) for v in range(graph.n)]


@pytest.fixture(scope="module")
def explored():
    return functools.cache(lambda name: zm.explore(game(GAMES[name].example), limit=20_000).graph)


@pytest.mark.parametrize("row", ROWS)
def test_rows_are_documented(row):
    assert row.summary
    assert row.example.startswith(f"{row.name}:" if row.parameters else row.name)
    cls = row.load()
    assert issubclass(cls, Rules)
    assert ">>>" in cls.__doc__
    for name, member in vars(cls).items():
        if callable(member) and not name.startswith("_"):
            assert member.__doc__, name


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.name) for row in GAMES if re.search(":.*[0-9]", row.example)]
)
def test_large_parameters_take_no_memory(row):
    """A table names its game before anything is compared, so a name alone must cost nothing."""
    game(row.example).start()
    name, colon, parameters = row.example.partition(":")
    tracemalloc.start()
    try:
        for digits in (8, 18):
            with contextlib.suppress(InvalidOptionError):
                game(name + colon + re.sub("[0-9]+", "9" * digits, parameters)).start()
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["chomp", "cram"])
def test_boards_have_a_bound(name):
    for side in (0, 101, 10**17):
        message = f"expected a board of 1 to 10,000 squares, got {side}x100; expected {name}:ROWS"
        with pytest.raises(InvalidOptionError, match=message):
            game(f"{name}:{side}x100")
    game(f"{name}:100x100").start()


@pytest.mark.parametrize("text", ["9" * 5000, "999999999", ",".join(["101"] * 100)])
def test_a_bar_of_chocolate_has_a_bound(text):
    with pytest.raises(InvalidOptionError, match="expected"):
        game("chomp:3x4").parse(text)


@pytest.mark.parametrize("row", ROWS)
def test_text_is_written_and_read_back(row, explored):
    rules, graph = game(row.example), explored(row.name)
    assert graph.names[0] == rules.start()
    shown = [rules.show(x) for x in graph.names]
    assert len(set(shown)) == graph.n
    assert [rules.parse(x) for x in shown] == list(graph.names)
    with pytest.raises(ZermeloError, match=r"expected|no vertex|cannot read"):
        rules.parse("?!")


@pytest.mark.parametrize("row", ROWS)
def test_values_are_those_of_the_plain_definition(row, explored):
    rules, graph = game(row.example), explored(row.name)
    if row.name in CYCLIC:
        with pytest.raises(InvalidRulesError, match="play can come back to"):
            position_values(rules).start  # noqa: B018
        return
    values = position_values(rules)
    expected = mex_of_all(graph)
    assert [values[x] for x in graph.names] == expected
    assert values.start == expected[0]
    label = zm.solve(graph).verify().label
    assert [x < 0 for x in label] == [k == 0 for k in expected]
    grundy = zm.grundy(graph)
    assert [grundy[x] for x in graph.names] == expected
    for v, x in enumerate(graph.names):
        wins = {graph.names[w] for w in graph.successors(v).tolist() if expected[w] == 0}
        assert set(values.winning_moves(x)) == wins


@pytest.mark.parametrize("row", ROWS)
def test_symmetry_keeps_labels_and_distances(row, explored):
    rules, graph = game(row.example), explored(row.name)
    small, _ = zm.explore(rules, symmetry=True)
    assert small.n <= graph.n
    solution, reduced = zm.solve(graph), zm.solve(small)
    for x in graph.names:
        y = rules.canonical(x)
        assert rules.canonical(y) == y
        assert (solution[x].label, solution[x].distance) == (reduced[y].label, reduced[y].distance)


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("wrong", ["?", "-3", "1,2,a", "3xx3", "/", ",", "9" * 30])
def test_wrong_parameters_say_what_is_expected(row, wrong):
    expected = f"expected {row.name}:"
    with pytest.raises(InvalidOptionError) as caught:
        game(f"{row.name}:{wrong}")
    assert repr(f"{row.name}:{wrong}") in str(caught.value)
    assert expected in str(caught.value)
    assert row.example in str(caught.value)


def test_an_unknown_game_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"did you mean 'wythoff'\? Known: nim, "):
        zm.game("wythof:3,4")
    with pytest.raises(InvalidOptionError, match="expected a game such as"):
        zm.game(3)
