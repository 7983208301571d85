"""Every row of the table of generators keeps the contract, from the day it is there."""

import inspect
import subprocess
import sys
from typing import get_type_hints

import pytest

from zermelo import Game
from zermelo.errors import InvalidOptionError, ZermeloError
from zermelo.registry import GENERATORS
from zermelo.testing import check_generator

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
def test_generators_keep_the_contract(row):
    """The same canonical game every time, which is solved; wrong parameters are named."""
    assert check_generator(row, **small(row)).tried["positions solved"] > 0
    game = row.load()(**small(row))
    assert game.start is None or game.start in game.graph
    assert not game.graph.indices.flags.writeable
    assert get_type_hints(row.load())["return"] is Game


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
