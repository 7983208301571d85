"""Rows that other packages add: a broken one is a warning that names its package, and no more."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.errors import PluginError, PluginWarning
from zermelo.registry import (
    FORMATS,
    GAMES,
    GENERATORS,
    OBJECTIVES,
    SOLVERS,
    FormatRow,
    GameRow,
    GeneratorRow,
    ObjectiveRow,
    SolverRow,
)
from zermelo.registry.table import Table

ROWS = {
    "solvers": ("SolverRow", "zermelo.registry", "'mine', 'a solver', 'thing:run', 'terminal'"),
    "formats": ("FormatRow", "zermelo.registry", "'mine', 'a format', 'thing', ('.mine',)"),
    "generators": ("GeneratorRow", "zermelo.registry", "'mine', 'a family', 'thing:run'"),
    "games": ("GameRow", "zermelo.registry", "'mine', 'a game', 'thing:Game'"),
    "objectives": (
        "ObjectiveRow",
        "zermelo.registry",
        "'mine', 'an objective', 'thing:Mine', 'terminal', 'thing:check'",
    ),
}
BROKEN = {
    "an import that fails": "import nothing_of_this_name",
    "something else": "row = 3",
    "an error": "row = 1 // 0",
}


@pytest.fixture
def package(tmp_path):
    """Install a package whose module ``plug`` has some code, under all five entry points."""

    def make(code, name="plug-in-x"):
        (tmp_path / "plug.py").write_text(code)
        info = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        points = "".join(f"[zermelo.{kind}]\nmine = plug:row\n" for kind in ROWS)
        (info / "entry_points.txt").write_text(points)
        return tmp_path

    return make


def run(place, *words):
    command = [sys.executable, "-m", "zermelo", *words]
    paths = os.pathsep.join([str(place), str(Path(zm.__file__).parents[1])])
    env = {"PYTHONPATH": paths, "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=place)


@pytest.mark.slow
@pytest.mark.parametrize("code", BROKEN.values(), ids=BROKEN)
def test_a_broken_package_ends_no_command(package, code):
    place = package(code)
    (place / "g.txt").write_text("a b\n")
    for words in (["solvers"], ["games"], ["generate", "--list"], ["convert", "g.txt", "-"]):
        done = run(place, *words, *(["--to", "nothing"] if words[0] == "convert" else []))
        assert done.returncode == (2 if words[0] == "convert" else 0), done.stderr
        tables = 2 if words == ["solvers"] else 1  # a list of solvers names their objectives
        assert done.stderr.count("of the package plug-in-x is left out: ") == tables
        assert done.stderr.startswith("zermelo: warning: the ")
        assert "Traceback" not in done.stderr
    done = run(place, "solve", "g.txt")
    assert (done.returncode, done.stderr) == (0, "")  # nobody asked for more than our own


@pytest.mark.slow("generators")
@pytest.mark.parametrize("kind", ROWS)
def test_a_row_whose_module_is_broken_is_reported_when_it_is_used(package, kind):
    row, module, fields = ROWS[kind]
    place = package(f"from {module} import {row}\nrow = {row}({fields})\n")
    (place / "thing.py").write_text("import nothing_of_this_name\n")
    (place / "g.txt").write_text("a b\n")
    calls = {
        "solvers": ["solve", "g.txt", "--solver", "mine"],
        "formats": ["convert", "g.txt", "out.mine", "--no-names"],
        "generators": ["generate", "mine", "out.txt"],
        "games": ["solve", "mine"],
        "objectives": ["solve", "g.txt", "--objective", "mine"],
    }
    done = run(place, *calls[kind])
    assert done.returncode == 2, done.stderr
    assert "mine: the module thing cannot be imported: ModuleNotFoundError" in done.stderr
    if kind == "generators":
        done = run(place, "generate")
        assert done.returncode == 0
        assert "path" in done.stdout
        assert "warning: the generator mine: the module thing cannot be imported" in done.stderr


class Point:
    """An entry point, as much of it as a table looks at."""

    def __init__(self, row):
        self.name, self.value, self.row, self.dist = "mine", "plug:row", row, None

    def load(self):
        return self.row


GOOD = [
    (SOLVERS, SolverRow("mine", "a solver", "thing:run", "terminal")),
    (FORMATS, FormatRow("mine", "a format", "thing", (".mine",))),
    (GENERATORS, GeneratorRow("mine", "a family", "thing:run")),
    (GAMES, GameRow("mine", "a game", "thing:Game")),
    (OBJECTIVES, ObjectiveRow("mine", "an objective", "thing:Mine", "terminal", "thing:check")),
]


@pytest.mark.parametrize(("table", "row"), GOOD, ids=[table.kind for table, _ in GOOD])
def test_good_rows_are_added_and_others_are_left_out(monkeypatch, table, row):
    wrong = [FormatRow("bad", "bad magic", "thing", (".bad",), magic="("), 3, type(row)]
    nameless = type(row)(**{**vars(row), "name": ""})
    points = [Point(x) for x in (*wrong, nameless, row)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    fresh = Table(table.kind, "zermelo.x", tuple(table._rows.values()))
    with pytest.warns(PluginWarning, match="of the package plug:row is left out") as told:
        assert fresh["mine"] is row
    assert len(told) == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "bad" not in fresh  # it is told once


def test_a_missing_attribute_is_reported():
    with pytest.raises(PluginError, match="the module zermelo has no 'nothing'"):
        GeneratorRow("mine", "a family", "zermelo:nothing").load()
    assert zm.solve
