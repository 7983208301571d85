"""Every row of the table of generators keeps the contract, from the day it is there."""

import inspect
import subprocess
import sys
import types
from typing import get_args, get_type_hints

import pytest

from zermelo import Game, Graph
from zermelo.errors import InvalidOptionError, ZermeloError
from zermelo.registry import GENERATORS

ROWS = [pytest.param(row, id=row.name) for row in GENERATORS]
OWNED = ("parity", "mean-payoff", "energy")
"""The objectives of families whose games have owners of their own."""
GRAPHS = [pytest.param(row, id=row.name) for row in GENERATORS if row.objective not in OWNED]
PLAIN = {int, float, str, bool, type(None)}


def small(row) -> dict:
    """Arguments for a small graph: defaults, and 6 for a size that has none."""
    parameters = inspect.signature(row.load()).parameters.values()
    given = {p.name: 6 for p in parameters if p.default is p.empty}
    if "layers" in {p.name for p in parameters}:
        given["layers"] = 3
    return given


@pytest.mark.parametrize("row", ROWS)
def test_gives_a_game_with_small_arguments(row):
    game = row.load()(**small(row))
    assert isinstance(game, Game)
    graph, objective = game
    assert objective.keyword == (row.objective or "normal")
    assert game.start is None or game.start in graph
    again = Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.names)
    assert graph == again  # canonical
    assert not graph.indices.flags.writeable


@pytest.mark.parametrize("row", ROWS)
def test_same_arguments_same_game(row):
    make, given = row.load(), small(row)
    assert make(**given) == make(**given)
    assert make(**given).graph.digest == make(**given).graph.digest


@pytest.mark.parametrize("row", ROWS)
def test_parameters_have_plain_types_that_a_command_line_can_read(row):
    function = row.load()
    hints = get_type_hints(function)
    assert hints.pop("return") is Game
    for name in inspect.signature(function).parameters:
        hint = hints[name]
        kinds = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        assert set(kinds) <= PLAIN, name


@pytest.mark.parametrize("row", ROWS)
def test_is_documented_with_an_example(row):
    assert row.summary
    assert ">>>" in (row.load().__doc__ or "")


@pytest.mark.parametrize("row", GRAPHS)
def test_owners_change_no_move(row):
    make, given = row.load(), small(row)
    plain = make(**given)
    for owners in ("random", "alternate"):
        owned = make(**given, owners=owners).graph
        assert set(owned.owner.tolist()) <= {0, 1}
        assert owned.with_owner(None) == plain.graph
    assert make(**given, owners="random") == make(**given, owners="random")


@pytest.mark.parametrize("row", GRAPHS)
@pytest.mark.parametrize("wrong", ["both", None, True, 3])
def test_owners_are_checked(row, wrong):
    with pytest.raises(InvalidOptionError, match="owners: expected 'none', 'random' or 'alter"):
        row.load()(**small(row), owners=wrong)


@pytest.mark.parametrize("row", ROWS)
def test_the_message_names_the_parameter_that_makes_no_sense(row):
    make, given = row.load(), small(row)
    for name, parameter in inspect.signature(make).parameters.items():
        for wrong in (-1, "?", 2.5, None):
            if isinstance(wrong, float) and parameter.default.__class__ is float:
                continue
            with pytest.raises(ZermeloError, match=name):
                make(**{**given, name: wrong})


@pytest.mark.parametrize("row", ROWS)
def test_too_large_games_are_refused_before_they_are_built(row, monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "10")
    if row.name == "digraph":
        return
    with pytest.raises(ZermeloError, match="10 bytes are available; ask for fewer"):
        row.load()(**small(row))


def test_the_package_imports_no_heavy_module():
    code = "import sys, zermelo.generators; print({'numba', 'scipy', 'networkx'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
