"""The tables of ``docs/papers.md``: every name exists, every command runs, every file is there."""

import re
from pathlib import Path

import pytest

import zermelo as zm
from tests.papers import pages
from zermelo.registry import OBJECTIVES, SOLVERS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers.md"
NAME = re.compile(r"\bzm((?:\.\w+)+)")
CODE = re.compile(r"`([^`]+)`")
SOLVER = re.compile(r'solver="([\w-]+)"|--solver ([\w-]+)')
TERMS = (
    "bilabelling", "bounded epimorphism", "ConCom(G, v)", "G_s*", "pointed graph", "nonlosing",
    "A-sound", "Gale–Stewart", "controller", "lasso", "debut", "arborescence", "symacyclic",
)  # fmt: skip


def tables(text):
    """The rows of every table, as lists of cells, under the heading that they stand below."""
    found, heading, rows = [], "", []
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.strip().replace("\\|", "|") for cell in cells])
        elif rows:
            found.append((heading, rows[0], rows[2:]))
            rows = []
    return found


TABLES = tables(PAGE.read_text())
ROWS = [(heading, head, row) for heading, head, rows in TABLES for row in rows]
COMMANDS = sorted(
    {
        code
        for _, head, row in ROWS
        if "command" in head
        for code in CODE.findall(row[head.index("command")])
        if code.startswith("zermelo ")
    }
)


def exists(path):
    """Whether ``zm`` has a name such as ``.Solution.label``, which may be a field of a record."""
    thing = zm
    for name in path.strip(".").split("."):
        if hasattr(thing, name):
            thing = getattr(thing, name)
        else:
            return any(
                name in getattr(kind, "__annotations__", {})
                for kind in getattr(thing, "__mro__", ())
            )
    return True


def test_the_tables_are_whole():
    assert len(ROWS) > 120
    for heading, head, row in ROWS:
        assert len(row) == len(head), (heading, row)
        assert all(row), (heading, row)


@pytest.mark.parametrize("term", TERMS)
def test_every_term_that_is_asked_for_has_a_row(term):
    assert any(term in row[0] for _, head, row in ROWS if head[0] == "term")


def test_every_name_exists():
    names = {name for _, _, row in ROWS for cell in row for name in NAME.findall(cell)}
    assert len(names) > 70
    assert sorted(name for name in names if not exists(name)) == []
    assert not exists(".solve.nothing")
    assert not exists(".Solution.nothing")


def test_every_solver_and_objective_exists():
    for _, _, row in ROWS:
        for cell in row:
            for name in filter(None, sum(SOLVER.findall(cell), ())):
                assert name in SOLVERS
            for keyword in re.findall(r"--objective ([\w-]+)", cell):
                assert keyword in OBJECTIVES


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command):
    status, out, message = pages.run(command)
    assert (status, message) == (0, "")
    assert out.strip()


def test_every_row_of_terms_has_a_command_or_says_that_there_is_none():
    for heading, head, row in ROWS:
        if head == ["term", "Python", "command"]:
            commands = [x for x in CODE.findall(row[2]) if x.startswith("zermelo ")]
            assert commands or row[2] == "Python only", (heading, row)
            assert NAME.search(row[1]) or "stats" in row[1] or "](" in row[1] or "film" in row[1]


def test_every_file_is_there_and_every_example_is_on_the_page():
    text = PAGE.read_text()
    for name in re.findall(r"examples/[\w./-]*\w", text):
        assert (ROOT / name).exists(), name
    for folder in ("loewe2004", "games-on-graphs", "sleator2001", "edmonds-gurvich2010"):
        for path in (ROOT / "examples" / folder).iterdir():
            assert f"`examples/{folder}/{path.name}`" in text


def test_the_console_of_the_page():
    wrong, _ = pages.check(PAGE.read_text())
    assert not wrong, "\n\n".join(wrong)
