"""A table runs no code: whatever a file names, rules of one's own are those that the user gives."""

import pytest
from tests.fuzz.tables import Parts

import zermelo as zm
from zermelo.cli.complete import _names
from zermelo.errors import InvalidOptionError, InvalidRulesError, ZermeloError
from zermelo.tables.building.folder import located, located_by
from zermelo.tables.probing.access import recorded_rules

RULES = """import pathlib
pathlib.Path(__file__).with_name("ran").touch()


def start():
    return 3


def moves(n):
    return range(n)
"""


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A table whose header names a file, which lies beside it and says when it is run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(RULES)
    zm.build("evil.py", "evil.zt", check=False).close()
    (tmp_path / "evil.py").write_text(f"{RULES}# edited, so that it would be run again\n")
    (tmp_path / "ran").unlink()
    return tmp_path / "evil.zt"


FUNCTIONS = [zm.Table, zm.read_solution, lambda path: list(_names(str(path), None, None))]

COMMANDS = [
    "probe evil.zt", "probe evil.zt 2", "probe evil.zt --from evil.py",
    "table-info evil.zt --verify", "table-info evil.zt --export x.csv",
    "serve evil.zt --port 0 --no-browser",
]  # fmt: skip

OTHERS = [
    "play nim:3 --table evil.zt",
    "solve evil.zt",
    "draw evil.zt x.svg",
    "verify nim:1 evil.zt",
]
"""Commands that take rules, or no table at all."""


@pytest.mark.parametrize("read", FUNCTIONS)
def test_no_function_runs_the_file_that_a_table_names(evil, read):
    with pytest.raises(InvalidRulesError) as caught:
        read(evil)
    assert str(caught.value) == (
        f"{evil}: it was built with the rules evil.py, and a table runs no code; give its "
        "rules: --rules evil.py (rules= in Python)"
    )
    assert not (evil.parent / "ran").exists()


@pytest.mark.parametrize("command", [*COMMANDS, *OTHERS])
def test_no_command_runs_the_file_that_a_table_names(evil, run, command):
    done = run(*command.split())
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert ("give its rules: --rules evil.py" in done.stderr) == (command in COMMANDS)
    assert not (evil.parent / "ran").exists()


def test_rules_that_are_given_open_it(evil, run):
    with zm.Table(evil, "evil.py") as table:
        assert table.verify().at(3).outcome == "win"
    assert zm.read_solution(evil, "evil.py").counts()["positions"] == 4
    assert "win" in run("probe", "evil.zt", "--rules", "evil.py").stdout
    (evil.parent / "ran").unlink()
    (evil.parent / "evil.py").write_text(f"{RULES}# edited again\n")
    assert list(_names(str(evil), "evil.py", None)) == []  # nor because a key was pressed
    assert not (evil.parent / "ran").exists()


@pytest.mark.parametrize(
    "name", ["evil.py", "./evil.py:", "nim.py", "evil", "os:system", "\u202eevil.py", "", None]
)
def test_any_name_but_that_of_a_game(evil, name):
    parts = Parts.of(evil.read_bytes())
    parts.header["rules"]["game"] = name
    evil.write_bytes(parts.signed())
    with pytest.raises(ZermeloError) as caught:
        zm.Table(evil)
    assert "\u202e" not in str(caught.value)
    assert not (evil.parent / "ran").exists()


@pytest.mark.parametrize("name", ["nim:evil.py", "nim:evil.py:3", "chess:evil.py"])
def test_a_file_that_is_called_like_a_game(evil, name):
    """The name of a game before the colon does not make the rest of it a path."""
    path = name.removesuffix(":3")
    (evil.parent / path).write_text(RULES)
    parts = Parts.of(evil.read_bytes())
    parts.header["rules"]["game"] = name
    evil.write_bytes(parts.signed())
    for read in FUNCTIONS:
        with pytest.raises(InvalidRulesError, match=f"evil.zt: '{name}': expected"):
            read(evil)
    with pytest.raises(InvalidOptionError, match=f"'{name}': expected"):
        list(_names(str(evil), name, None))
    with pytest.raises(InvalidRulesError, match=f"t.zt: '{name}': expected"):
        recorded_rules(name, "", "t.zt")  # as for each game of a directory
    assert not (evil.parent / "ran").exists()


def test_a_directory_of_tables(evil):
    """The files of a directory name their games, too."""
    stairs = "tests.tables.stairs"
    source = __import__(stairs, fromlist=["x"]).__file__
    with open(source) as file:
        (evil.parent / "stairs.py").write_text(file.read())
    zm.build("stairs.py:1", "t/", check=False).close()
    for call in (lambda: located_by("t", "1"), lambda: zm.Table("t")):
        with pytest.raises(InvalidRulesError, match=r"give its rules: --rules stairs.py:1"):
            call()
    assert located("t") == "t/stairs.py-1.zt"
    zm.Table("t", "stairs.py:1").close()


def test_rules_go_with_a_table(run):
    done = run("serve", "nim:3", "--rules", "nim:3")
    assert done.exit_code == 2
    assert "--rules goes with a table" in done.stderr
