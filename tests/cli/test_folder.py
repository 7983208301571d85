"""``zermelo build``, ``probe``, ``play`` and ``table-info`` with a directory of tables."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.cli.main import cli

RULES = Path(__file__).parents[1] / "tables" / "stairs.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A directory with rules and the tables of two games, which is copied and not changed."""
    place = tmp_path_factory.mktemp("built")
    shutil.copy(RULES, place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for floor in (1, 3):
            call = ["build", f"stairs.py:{floor}", "-o", "t/", "--no-check"]
            assert CliRunner().invoke(cli, call).exit_code == 0
    return place


@pytest.fixture
def folder(built, tmp_path, monkeypatch):
    """A directory with the tables of two games."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return tmp_path / "t"


def test_what_is_there_is_not_built_again(folder, run):
    assert sorted(path.name for path in folder.iterdir()) == [
        f"stairs.py-{floor}.zt" for floor in range(4)
    ]
    done = run("build", "stairs.py:4", "-o", "t", "--no-check", "--json")
    assert json.loads(done.stdout)["built"] == ["stairs.py-4.zt"]
    assert json.loads(done.stdout)["counts"]["positions"] == 25


def test_table_info_has_a_row_for_each_game(folder, run):
    rows = [line.split("\t") for line in run("table-info", "t").stdout.splitlines()]
    assert rows[0][:2] == ["game", "positions"]
    assert [row[:2] for row in rows[1:]] == [[f"stairs.py:{f}", str(f + 3)] for f in range(4)]
    assert [int(row[-1]) for row in rows[1:]] == [
        (folder / f"stairs.py-{f}.zt").stat().st_size for f in range(4)
    ]
    found = json.loads(run("table-info", "t", "--json", "--check").stdout)
    assert found["files_checked"] == 4
    assert found["games"][2]["counts"]["positions"] == 5
    call = ("table-info", "t", "--rules", "stairs.py:3", "--json", "--verify")
    assert json.loads(run(*call).stdout)["positions_verified"] == 18
    one = json.loads(run("table-info", "t", "--rules", "stairs.py:2", "--json").stdout)
    assert (one["game"], one["counts"]["positions"]) == ("stairs.py:2", 5)
    assert run("table-info", "t", "--export", "x.csv").exit_code == 2


@pytest.mark.slow
def test_on_a_terminal_the_games_are_a_table(folder, on_terminal):
    status, shown = on_terminal("table-info", "t", "--check", columns=120)
    assert status == 0
    assert "stairs.py:3" in shown
    assert "4 files checked" in shown


def test_positions_are_found(folder, run):
    given = ("--rules", "stairs.py:3", "--json")
    assert json.loads(run("probe", "t", "4", *given).stdout)["position"] == "4"
    start = json.loads(run("probe", "t", *given).stdout)
    assert start["position"] == "15"
    played = run("play", "stairs.py:3", "--table", "t", "--self", "--no-check")
    assert played.exit_code == 0, played.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("build nim:3,4 -o t/", "t/: expected a file, this is a directory; nim:3,4 has one file"),
        ("build stairs.py:3 -o t --no-distances --no-check", "another option (distances)"),
        ("build stairs.py:3 -o t --no-check --engine disk", "the engine 'disk' writes one file"),
        ("build stairs.py:3 -o no/no/ --no-check", "there is no directory"),
        ("probe t x", "stairs.py-3.zt: it was built with the rules stairs.py:3, and a table runs"),
        ("probe t", "give its rules: --rules stairs.py:3"),
        ("table-info t --verify", "give its rules: --rules stairs.py:3"),
        ("probe t --rules stairs.py:9", "there is no table of stairs.py:9"),
        ("probe t --rules nim:1", "a table of nim:1 is one file"),
        ("table-info empty", "the directory has no table"),
    ],
)
def test_mistakes_are_one_sentence(folder, run, command, message):
    (folder.parent / "empty").mkdir()
    done = run(*command.split())
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_missing_and_damaged_files_are_one_sentence(folder, run):
    first, second = folder / "stairs.py-0.zt", folder / "stairs.py-1.zt"
    whole = first.read_bytes()
    first.unlink()
    done = run("probe", "t", "0", "--rules", "stairs.py:3")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "stairs.py-3.zt needs this file, and it is missing" in done.stderr
    first.write_bytes(second.read_bytes())
    done = run("build", "stairs.py:3", "-o", "t", "--no-check")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert "it is a table of stairs.py:1, not of stairs.py:0" in done.stderr
    assert run("build", "stairs.py:3", "-o", "t", "--no-check", "--force").exit_code == 0
    assert first.read_bytes() == whole
