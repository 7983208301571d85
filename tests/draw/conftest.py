"""Graphviz is optional on a developer's machine and required in CI, where its lack is a failure."""

import os
import shutil

import pytest

import zermelo as zm


@pytest.fixture
def graphviz():
    """Skip without Graphviz, or fail in CI."""
    missing = [program for program in ("dot", "sfdp") if shutil.which(program) is None]
    if missing:
        reason = f"Graphviz's {', '.join(missing)} is not installed"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(reason + ", and CI must have it")
        pytest.skip(reason)


@pytest.fixture
def no_graphviz(monkeypatch, tmp_path):
    """A machine without Graphviz."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def game():
    """Wins, losses, draws, a loop, a cycle and a dead end."""
    moves = [("a", "b"), ("b", "a"), ("a", "t"), ("c", "d"), ("d", "c"), ("c", "a"), ("d", "d")]
    return zm.Graph.from_edges(moves)


@pytest.fixture
def solution(game):
    return zm.solve(game)
