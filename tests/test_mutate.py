"""The script that changes sources a little and tells what the tests miss."""

import shutil

import pytest

from tests import mutate

SOURCE = '''"""A module with text — not only ASCII."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import this

LIMIT: "int | None" = 3


def larger(x: int, y: int = 0) -> bool:
    """Whether x > y."""
    if x <= y:
        return False
    print(f"naïve {x + 1}", "é"); larger.calls += 1
    return True


larger.calls = 0
'''

TESTS = """from thing import larger


def test_larger():
    assert larger(2, 1)
    assert not larger(1, 2)
"""


def test_mutants_of_a_small_function():
    found = {(mutant.line, mutant.change) for mutant in mutate.mutants(SOURCE)}
    assert found == {
        (7, "3 ⟶ 4"),
        (7, "3 ⟶ 2"),
        (10, "0 ⟶ 1"),
        (10, "0 ⟶ -1"),
        (12, "x <= y ⟶ not x <= y"),
        (12, "x <= y ⟶ x < y"),
        (13, "False ⟶ True"),
        (14, "print(f\"naïve {x + 1}\", 'é') ⟶ pass".replace('"', "'")),
        (14, "larger.calls += 1 ⟶ pass"),
        (14, "1 ⟶ 2"),
        (14, "1 ⟶ 0"),
        (15, "True ⟶ False"),
        (18, "larger.calls = 0 ⟶ pass"),
        (18, "0 ⟶ 1"),
        (18, "0 ⟶ -1"),
    }


def test_a_mutant_differs_in_one_place():
    for mutant in mutate.mutants(SOURCE):
        old, new = SOURCE.splitlines(), mutant.source.splitlines()
        changed = [k + 1 for k, (x, y) in enumerate(zip(old, new, strict=True)) if x != y]
        assert changed == [mutant.line]
        compile(mutant.source, "mutant", "exec")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A small project with tests that do not look at everything."""
    for folder in ("src", "tests", "__pycache__", ".git"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "thing.py").write_text(SOURCE)
    (tmp_path / "tests" / "test_thing.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = compiled\n")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than the tests
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_mutants_that_survive_are_reported(checkout, capsys):
    run = ["src/thing.py", "--tests", "tests", "--lines", "12", "13"]
    assert mutate.main(run) == 1
    told = capsys.readouterr().out
    assert "src/thing.py: 3 of 15 mutants" in told
    assert "killed    src/thing.py:12  x <= y ⟶ not x <= y" in told
    assert "survived  src/thing.py:12  x <= y ⟶ x < y" in told
    assert "-    if x <= y:\n+    if (x < y):" in told
    assert told.endswith("2 killed, 1 survived\n")
    assert (checkout / "src" / "thing.py").read_text() == SOURCE
    assert sorted(p.name for p in checkout.iterdir() if p.name != "__pycache__") == [
        ".git", "pytest.ini", "src", "tests",
    ]  # fmt: skip
    assert mutate.main([*run[:4], "13", "--count", "1"]) == 0


@pytest.mark.slow
def test_a_mutant_that_never_ends_is_killed(checkout, capsys):
    (checkout / "src" / "thing.py").write_text("def f():\n    while False:\n        pass\n")
    (checkout / "tests" / "test_thing.py").write_text(
        "from thing import f\ndef test_f():\n    f()\n"
    )
    run = ["src/thing.py", "--tests", "tests", "--timeout", "2", "--count", "0"]
    assert mutate.main(run) == 0
    assert capsys.readouterr().out.count("too long  src/thing.py:2") == 2


def test_tests_must_pass_without_a_mutant(checkout, capsys):
    (checkout / "tests" / "test_thing.py").write_text("def test_f():\n    assert 0\n")
    assert mutate.main(["src/thing.py", "--tests", "tests"]) == 2
    assert "fail without a mutant" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        mutate.main(["src/none.py", "--tests", "tests"])
    shutil.copy(checkout / "src" / "thing.py", checkout.parent / "outside.py")
    with pytest.raises(SystemExit):
        mutate.main(["../outside.py", "--tests", "tests"])
