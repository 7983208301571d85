"""Rules from files: what is next to them may be imported, and is part of them."""

import importlib
import inspect
import pickle
import random
import sys
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.errors import InvalidRulesError
from zermelo.rules.loading.load import load_rules
from zermelo.tables.probing.access import rules_digest

COMPILED = """
import zermelo as zm
import consts
from helpers import least

class Steps(zm.CompiledRules):
    most_moves = 1

    def start(self):
        return 12

    def moves(self, position, out):
        out[0] = position - consts.STEP
        return 1 if position >= least(consts.STEP) else 0
"""

PLAIN = """
import zermelo as zm
import consts

class Steps(zm.Rules):
    def start(self):
        return 12

    def moves(self, position):
        from helpers import least
        return [position - consts.STEP] if position >= least(consts.STEP) else []
"""

KINDS = pytest.mark.parametrize("text", [COMPILED, PLAIN], ids=["compiled", "plain"])


def folder(path: Path, text: str, **files: str) -> str:
    """A folder with rules and their neighbours; the path of the rules."""
    path.mkdir(exist_ok=True)
    given = {"consts": "STEP = 1", "helpers": "def least(k):\n    return k", **files}
    for name, content in {"mine": text, **given}.items():
        (path / f"{name}.py").write_text(content)
    return str(path / "mine.py")


def positions(rules) -> int:
    return zm.explore(rules).graph.n


@KINDS
def test_neighbours_are_part_of_the_rules(tmp_path, text):
    one = load_rules(folder(tmp_path / "a", text))
    two = load_rules(folder(tmp_path / "b", text, consts="STEP = 2"))
    same = load_rules(folder(tmp_path / "c", text, consts="STEP = 1  # the same"))
    least = load_rules(folder(tmp_path / "d", text, helpers="def least(k):\n    return 6"))
    assert [positions(x) for x in (one, two, same, least)] == [13, 7, 13, 8]
    digests = [rules_digest(x) for x in (one, two, same, least)]
    assert digests[0] == digests[2]
    assert len(set(digests)) == 3


@KINDS
def test_nothing_is_left_behind(tmp_path, text):
    path, before = list(sys.path), set(sys.modules)
    positions(load_rules(folder(tmp_path / "a", text)))
    assert sys.path == path
    assert not {"consts", "helpers", "mine"} & sys.modules.keys()
    assert all(name.startswith("zermelo") for name in sys.modules.keys() - before)
    assert not list(tmp_path.rglob("*.pyc"))


@KINDS
def test_edits_are_seen_and_old_rules_stay_what_they_were(tmp_path, text):
    path = folder(tmp_path / "a", text)
    old = load_rules(path)
    assert type(load_rules(path)) is type(old)
    folder(tmp_path / "a", text, consts="STEP = 3")
    new = load_rules(path)
    assert [positions(x) for x in (old, new)] == [13, 5]
    (tmp_path / "a" / "mine.py").write_text(text.replace("return 12", "return 6"))
    newest = load_rules(path)
    assert [positions(x) for x in (old, new, newest)] == [13, 5, 3]
    assert len({rules_digest(x) for x in (old, new, newest)}) == 3
    for rules, start in ((old, 12), (new, 12), (newest, 6)):
        assert f"return {start}" in inspect.getsource(type(rules).start)
        assert pickle.loads(pickle.dumps(rules)).start() == start


@KINDS
def test_a_table_of_other_rules_is_refused(tmp_path, text):
    path, table = folder(tmp_path / "a", text), tmp_path / "steps.zt"
    with zm.build(path, table) as built, zm.Table(table, path) as opened:
        assert built.counts() == opened.counts()
        assert opened.counts()["positions"] == 13
    folder(tmp_path / "a", text, consts="STEP = 2")
    with pytest.raises(InvalidRulesError, match="other rules"):
        zm.Table(table, path)


def test_a_neighbour_comes_before_what_is_installed(tmp_path):
    """As when Python runs the file itself; nobody else gets the neighbour."""
    text = COMPILED.replace("import consts", "import random as consts, numpy, sys")
    files = {"random": "STEP = 4", "sys": "1 / 0", "numpy": "import random\nSTEP = random.STEP"}
    rules = load_rules(folder(tmp_path / "a", text, **files))
    assert positions(rules) == 4
    assert random.random() < 1
    assert sys.modules["random"] is random
    assert zm.graph.np.zeros(1)[0] == 0


def test_a_file_with_the_name_of_a_package_may_import_it(tmp_path):
    (tmp_path / "random.py").write_text(
        "import random\ndef start():\n    return random.Random(0).randrange(1)\n"
        "def moves(n):\n    return []\n"
    )
    assert load_rules(str(tmp_path / "random.py")).start() == 0


def test_packages_and_circles(tmp_path):
    package = tmp_path / "a" / "parts"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import inner\nfrom .inner import STEP\n")
    (package / "inner.py").write_text("import consts\nSTEP = consts.STEP\n")
    text = COMPILED.replace("import consts", "import parts.inner, parts\nfrom parts import inner")
    body = "parts.inner.STEP * inner.STEP * parts.STEP"
    path = folder(tmp_path / "a", text.replace("consts.STEP", body), consts="import mine\nSTEP = 1")
    rules = load_rules(path)
    assert positions(rules) == 13
    before = rules_digest(rules)
    (package / "inner.py").write_text("import consts\nSTEP = 2\n")
    assert positions(load_rules(path)) == 2
    assert rules_digest(load_rules(path)) != before


@pytest.mark.slow("plain-two/__init__", "plain-two/util")
@pytest.mark.parametrize("edited", ["one/__init__", "one/util", "two/__init__", "two/util"])
@KINDS
def test_every_file_of_every_package_counts(tmp_path, text, edited):
    names = "one.STEP * one.util.STEP * two.STEP * two.util.STEP"
    text = text.replace("import consts", "import one.util, two.util").replace("consts.STEP", names)
    for package in ("one", "two"):
        (tmp_path / package).mkdir()
        for name in ("__init__", "util"):
            (tmp_path / package / f"{name}.py").write_text("STEP = 1\n")
    path = folder(tmp_path, text)
    before = load_rules(path)
    (tmp_path / f"{edited}.py").write_text("STEP = 2\n")
    after = load_rules(path)
    assert [positions(before), positions(after)] == [13, 7]
    assert rules_digest(before) != rules_digest(after)


@KINDS
def test_a_module_that_is_loaded_again_is_another(tmp_path, monkeypatch, text):
    folder(tmp_path, text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    modules = [importlib.import_module(name) for name in ("consts", "helpers", "mine")]
    try:
        before = rules_digest(modules[2].Steps())
        (tmp_path / "consts.py").write_text("STEP = 3\n")
        assert positions(modules[2].Steps()) == 13
        assert rules_digest(modules[2].Steps()) == before
        for module in modules:
            importlib.reload(module)
        assert positions(modules[2].Steps()) == 5
        assert rules_digest(modules[2].Steps()) != before
    finally:
        for name in ("consts", "helpers", "mine"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"consts": "STEP = "}, r"consts\.py:1: it does not run: SyntaxError"),
        ({"consts": "1 / 0"}, "it does not run: ZeroDivisionError"),
        ({"consts": "import nowhere_at_all"}, "No module named 'nowhere_at_all'"),
        ({"consts": "raise SystemExit(3)"}, "it does not run: SystemExit"),
        ({"consts": "OTHER = 1"}, "there is no consts.STEP"),
    ],
)
def test_an_error_in_a_neighbouring_file_is_reported(tmp_path, files, message):
    path = folder(tmp_path / "a", COMPILED, **files)
    with pytest.raises(InvalidRulesError, match=message):
        rules_digest(load_rules(path))
    folder(tmp_path / "a", COMPILED)
    assert positions(load_rules(path)) == 13  # mended


def test_a_new_neighbour_is_seen(tmp_path):
    text = COMPILED.replace("from helpers import least", "import colorsys\nleast = abs")
    path = folder(tmp_path / "a", text.replace("consts.STEP", "int(3 * colorsys.ONE_THIRD)"))
    assert positions(load_rules(path)) == 13
    (tmp_path / "a" / "colorsys.py").write_text("ONE_THIRD = 1\n")
    assert positions(load_rules(path)) == 5
