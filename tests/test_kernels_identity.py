"""What rules are known by: an edit of anything that they read makes other rules of them."""

import itertools
import subprocess
import sys
from collections import namedtuple

import numpy as np
import pytest

import zermelo as zm
from zermelo._runtime.compiled.bind import bind, flat, identity
from zermelo._runtime.compiled.identity import signature
from zermelo.errors import InvalidRulesError
from zermelo.rules.loading.load import load_rules
from zermelo.tables.probing.access import rules_digest
from zermelo.verify.rules.sampling import template_of

RULES = """
import functools, math
from enum import IntEnum
from typing import NamedTuple
import numpy as np
import zermelo as zm
{top}

class Mine({base}zm.CompiledRules):
    most_moves = 2
    by = 1
{members}
    def __init__(self, width=7):
        self.width = width

    def start(self):
        return 20

    def moves(self, position, out{more}):
        {body}
        if position < step:
            return 0
        out[0] = position - step
        return 1
"""

_folders = itertools.count()


def text_of(body="step = 1", top="", members="", more="", base=""):
    return RULES.format(body=body, top=top, members=members, more=more, base=base)


def made(tmp_path, *texts, parameters="", members="", more="", base="", **neighbours):
    """Rules in a folder of their own, with neighbours."""
    folder = tmp_path / str(next(_folders))
    folder.mkdir()
    (folder / "mine.py").write_text(text_of(*texts, members=members, more=more, base=base))
    for name, content in neighbours.items():
        (folder / f"{name}.py").write_text(content)
    return load_rules(f"{folder}/mine.py{parameters}")


def step_of(rules) -> int:
    """How far rules move, as they are interpreted after flattening."""
    out = [0, 0]
    flat(rules, "moves").interpreted(20, out)
    return 20 - out[0]


HELPER = "import numba\nSIZE = 1\n@numba.njit\ndef far(k):\n    return k * SIZE\n"
POINT = "class Point(NamedTuple):\n    x: int\n    y: int = 1\n"

READ = {
    "module": ("step = consts.STEP", "import consts", "STEP = 1"),
    "name": ("step = STEP", "from consts import STEP", "STEP = 1"),
    "alias": ("step = c.STEP", "import consts as c", "STEP = 1"),
    "module in module": ("step = consts.other.STEP", "import consts", "STEP = 1"),
    "function": ("step = consts.far(1)", "import consts", "def far(k):\n    return k * 1"),
    "imported function": ("step = far(1)", "from consts import far", "def far(k):\n    return 1"),
    "function of Numba": ("step = far(1)", "from consts import far", HELPER),
    "function that reads": (
        "step = consts.far()", "import consts", "SIZE = 1\ndef far():\n    return SIZE",
    ),
    "function that calls": (
        "step = consts.far()",
        "import consts",
        "def near():\n    return 1\ndef far():\n    return (lambda: near())()",
    ),
    "default": ("step = consts.far()", "import consts", "def far(k=1):\n    return k"),
    "keyword": ("step = consts.far()", "import consts", "def far(*, k=1):\n    return k"),
    "closure": (
        "step = consts.far()",
        "import consts",
        "def make(k):\n    def far():\n        return k\n    return far\nfar = make(1)",
    ),
    "class": ("step = Config.STEP", "from consts import Config", "class Config:\n    STEP = 1"),
    "method of a class": (
        "step = Config.far()",
        "from consts import Config",
        "class Config:\n    @staticmethod\n    def far():\n        return 1",
    ),
    "object": (
        "step = settings.step",
        "from consts import settings",
        "class S:\n    pass\nsettings = S()\nsettings.step = 1",
    ),
    "enum": (
        "step = int(Far.NEAR)",
        "from consts import Far",
        "from enum import IntEnum\nclass Far(IntEnum):\n    NEAR = 1",
    ),
    "tuple": ("step = STEPS[0][1]", "from consts import STEPS", "STEPS = ((0, 1), 7)"),
    "list": ("step = STEPS[1]", "from consts import STEPS", "STEPS = [7, 1]"),
    "dict": ("step = STEPS['a']", "from consts import STEPS", "STEPS = {'a': 1}"),
    "array": (
        "step = STEPS[2000]",
        "from consts import STEPS",
        "import numpy as np\nSTEPS = np.full(5000, 7)\nSTEPS[2000] = 1",
    ),
    "named tuple": (
        "step = P.y", "from consts import P", f"from typing import NamedTuple\n{POINT}P = Point(7)",
    ),
    "named tuple made": (
        "step = Point(7).y",
        "from consts import Point",
        f"from typing import NamedTuple\n{POINT}",
    ),
    "default of the method": ("step = far", "import consts", "STEP = 1"),
    "base class": ("step = self.far()", "from consts import Base", "STEP = 1"),
}  # fmt: skip


def of(tmp_path, name, neighbour):
    body, top, _ = READ[name]
    if name == "module in module":
        return made(tmp_path, body, top, consts="import other", other=neighbour)
    if name == "base class":
        neighbour += "\nclass Base:\n    def far(self):\n        return STEP\n"
        return made(tmp_path, body, top, base="Base, ", consts=neighbour)
    more = ", far=consts.STEP" if name == "default of the method" else ""
    return made(tmp_path, body, top, more=more, consts=neighbour)


@pytest.mark.parametrize("name", READ)
def test_an_edit_of_what_is_read_is_seen(tmp_path, name):
    neighbour = READ[name][2]
    edited = neighbour[::-1].replace("1", "3", 1)[::-1]
    if name == "function of Numba":
        edited = neighbour.replace("SIZE = 1", "SIZE = 3")
    rules, again, other = (of(tmp_path, name, text) for text in (neighbour, neighbour, edited))
    assert rules_digest(rules) == rules_digest(again) != rules_digest(other)
    assert (step_of(rules), step_of(again), step_of(other)) == (1, 1, 3)


@pytest.mark.parametrize(
    "body",
    [
        "def far():\n            return self.width\n        step = far()",
        "far = lambda: self.width\n        step = far()",
        "step = [self.width + 0 * k for k in range(2)][1]",
        "step = (lambda k: [k * self.width for _ in range(1)][0])(1)",
        "def far():\n            return (lambda: self.helper())()\n        step = far()",
        "step = self.helper()",
    ],
)
def test_parameters_count_wherever_they_are_read(tmp_path, body):
    members = "    def helper(self):\n        return self.width\n"
    two, three = (made(tmp_path, body, members=members, parameters=f":{k}") for k in (2, 3))
    assert rules_digest(two) != rules_digest(three)
    assert (step_of(two), step_of(three)) == (2, 3)


@pytest.mark.parametrize(
    ("top", "body", "message"),
    [
        ("import consts", "c = consts\n        step = c.STEP", "consts is the module"),
        ("import consts", "step = getattr(consts, 'STEP')", "consts is the module consts"),
        ("import consts", "step = eval('consts.STEP')", "must not use eval"),
        ("", "import consts\n        step = consts.STEP", "it imports consts"),
        ("", "from consts import STEP\n        step = STEP", "it imports STEP"),
        ("STEP = 1", "global STEP\n        STEP = 2\n        step = 1", "changes the global STEP"),
        ("import consts", "consts.STEP = 2\n        step = 1", "changes consts.STEP"),
        ("import consts", "step = consts.MISSING", "there is no consts.MISSING"),
        ("", "step = MISSING", "the name MISSING is not defined"),
        ("far = functools.partial(min, 3)", "step = far(1)", "far is an object of type partial"),
        ("far = [3].count", "step = far(3)", "far is the bound method count"),
        ("far = functools.cache(abs)", "step = far(1)", "far is an object of type"),
        ("far = object()", "step = 0 if far else 1", "far is an object of type object"),
        ("class T(str): pass\nfar = T('a')", "step = len(far)", "far is an object of type T"),
        ("far = np.array([1, None])", "step = far[0]", "far is an array of Python objects"),
        pytest.param("from numba import njit\n@njit(fastmath=True)\ndef far(k):\n    return k",
                     "step = far(1)", "with options .fastmath.", marks=pytest.mark.compiled),
        ("import consts", "step = (lambda self: self)(1)", "give everything else|may be read for"),
        ("import consts", "step = [self for self in (1, 2)][0]", "may be read for"),
        ("import consts",
         "consts = 1\n        def far():\n            global consts\n"
         "            return consts.STEP\n        step = far()", "changes the global consts"),
        ("", "step = super().most_moves", "must not use super"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(tmp_path, top, body, message):
    rules = made(tmp_path, body, top, consts="STEP = 1")
    with pytest.raises(InvalidRulesError, match=message):
        rules_digest(rules)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "True"),
        ("1", "1.0"),
        ("0.0", "-0.0"),
        ("float('nan')", "-float('nan')"),
        ("np.int8(1)", "np.int64(1)"),
        ("'1'", "b'1'"),
        ("(1, 2)", "[1, 2]"),
        ("np.zeros(3, np.int32)", "np.zeros(3, np.uint32)"),
        ("np.zeros((2, 3), np.int8)", "np.zeros((3, 2), np.int8)"),
        ("frozenset({1, 2})", "frozenset({1, 3})"),
        ("10**5000", "10**5000 + 1"),
        ("range(3)", "range(4)"),
        ("math.floor", "math.ceil"),
        ("np.add", "np.subtract"),
        ("np.zeros", "np.ones"),
        ("int", "float"),
    ],
)
def test_values_that_look_alike_differ(tmp_path, one, other):
    body = "step = 1 if VALUE is not None else 2"
    rules, same, changed = (made(tmp_path, body, f"VALUE = {x}") for x in (one, one, other))
    assert rules_digest(rules) == rules_digest(same) != rules_digest(changed)


def test_local_names_are_not_the_global_ones(tmp_path):
    top = "import consts\nself_width = 100\nopen_ = object()\nsize = object()"
    body = (
        "consts = np.zeros(3, np.int64)\n        self_width = 5\n"
        "        size = consts.size\n        step = self.width - self_width - 2 + 0 * size"
    )
    rules = made(tmp_path, body, top, consts="STEP = 1", parameters=":9")
    assert step_of(rules) == 2
    other = made(tmp_path, body, top, consts="STEP = 2", parameters=":9")
    assert rules_digest(rules) == rules_digest(other)


def test_reachable_is_part_of_the_rules(tmp_path):
    all_of_it = made(tmp_path, members="    reachable = False\n")
    assert rules_digest(made(tmp_path)) != rules_digest(all_of_it)


def test_comments_types_and_docstrings_are_not(tmp_path):
    plain = made(tmp_path, "step = 1")
    talking = made(tmp_path, '"""Far."""\n        step: int = 1  # near')
    assert rules_digest(plain) == rules_digest(talking)


def test_changed_parameters_are_bound_again(tmp_path):
    rules = made(tmp_path, "step = self.width + self.table[0]", parameters=":2")
    rules.table = np.array([0, 1])
    before = identity(rules, "moves")
    assert step_of(rules) == 2
    rules.width = 3
    assert step_of(rules) == 3
    assert identity(rules, "moves") != before
    rules.table[0] = 4
    assert step_of(rules) == 7
    rules.width, rules.table[0] = 2, 0
    assert identity(rules, "moves") == before


def test_a_view_has_the_parameters_of_today(tmp_path):
    rules = made(tmp_path, "step = self.width", parameters=":2")
    assert zm.explore(rules).graph.n == 11
    rules.width = 5
    assert zm.explore(rules).graph.n == 5


def test_equal_rules_are_not_one(tmp_path):
    members = (
        "    def __eq__(self, other):\n        return True\n"
        "    def __hash__(self):\n        return 1\n"
    )
    two = made(tmp_path, "step = self.width", members=members, parameters=":2")
    three = type(two)(3)
    assert (step_of(two), step_of(three)) == (2, 3)
    assert (zm.explore(two).graph.n, zm.explore(three).graph.n) == (11, 7)
    unhashable = made(tmp_path, members="    __hash__ = None\n")
    assert zm.explore(unhashable).graph.n == 21


def test_a_method_of_a_private_name(tmp_path):
    members = "    __far = 3\n    def __near(self):\n        return 1\n"
    assert step_of(made(tmp_path, "step = self.__far + self.__near()", members=members)) == 4


def test_text_of_a_module_is_that_of_its_import(tmp_path, monkeypatch):
    """Of a file that was imported as usual, and edited since."""
    text = text_of()
    file = tmp_path / "imported_by_a_test.py"
    file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import imported_by_a_test

    monkeypatch.delitem(sys.modules, "imported_by_a_test")
    file.write_text(text.replace("step = 1", "step = 3"))
    rules = imported_by_a_test.Mine()
    assert rules.options(20) == [19]
    assert step_of(rules) == 1
    import imported_by_a_test as edited

    monkeypatch.delitem(sys.modules, "imported_by_a_test")
    assert step_of(edited.Mine()) == 3
    assert rules_digest(rules) != rules_digest(edited.Mine())


def test_a_helper_that_was_edited_since_is_refused(tmp_path, monkeypatch):
    (tmp_path / "helper_of_a_test.py").write_text("def far():\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import helper_of_a_test

    monkeypatch.delitem(sys.modules, "helper_of_a_test")
    (tmp_path / "helper_of_a_test.py").write_text("def far():\n    return 3\n")
    rules = made(tmp_path, "step = self.far()")
    type(rules).far = staticmethod(helper_of_a_test.far)
    with pytest.raises(InvalidRulesError, match="was edited after the import"):
        rules_digest(rules)


@pytest.mark.slow
@pytest.mark.compiled
def test_machine_code_has_what_nested_code_reads(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    body = (
        "def far(k):\n            return k * self.width + consts.STEP + consts.near(1)\n"
        "        steps = np.zeros(2, np.int64)\n        steps[1] = far(1)\n"
        "        step = [x + 0 * self.width for x in steps][1]"
    )
    near = "import numba\n@numba.njit\ndef near(k):\n    return k"
    for k in (1, 2):
        rules = made(
            tmp_path, body, "import consts", consts=f"STEP = 1\n{near}", parameters=f":{k}"
        )
        assert zm.explore(rules).graph.n == 20 // (k + 2) + 1


@pytest.mark.compiled
def test_fresh_code_is_compiled_whatever_is_kept(tmp_path, monkeypatch):
    members = "    def outcome(self, position):\n        return 2 if position > self.by else 0\n"
    rules = made(tmp_path, members=members)
    args = np.array([0, 1, 2]), np.zeros(3, np.int64)
    template = template_of("outcome", filling=False)
    fresh = bind(template, rules, kept=False)
    assert fresh is not bind(template, rules)
    monkeypatch.setattr("zermelo._runtime.compiled.jit.read", lambda *args: 1 / 0)
    fresh.compiled(*args)
    assert args[1].tolist() == [0, 0, 2]


def test_a_record_class_is_known_by_its_fields():
    def named(fields, defaults=(), home="zermelo._kernels.probe"):
        return signature(namedtuple("Pair", fields, defaults=defaults, module=home))

    same = named("left right")
    assert same == named("left right")
    others = [
        named("right left"),
        named("left right more"),
        named("left right", [1]),
        named("left right", [1.0]),
        named("left right", home="zermelo._kernels.other"),
        named("left right", home="my_rules"),
    ]
    assert len({same, *others}) == 7


@pytest.mark.compiled
def test_rules_that_read_a_record_are_kept_apart(tmp_path, monkeypatch):
    """The fields of a record that rules read are part of what they are."""
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    top = "class Steps(NamedTuple):\n    first: int\n    second: int\nSTEPS = Steps({}, {})"
    one, other = (made(tmp_path, "step = STEPS.second", top.format(*x)) for x in ((1, 2), (2, 1)))
    assert rules_digest(one) != rules_digest(other)
    assert (zm.explore(one).graph.n, zm.explore(other).graph.n) == (11, 21)


SCRIPT = "import sys, zermelo as zm\nfrom zermelo.rules.loading.load import load_rules\n" + (
    "print(zm.explore(load_rules(sys.argv[1])).graph.n, 'numba' in sys.modules)"
)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_an_edited_neighbour_never_meets_old_code(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)  # nothing is kept with bounds checks
    made(tmp_path, "step = consts.STEP", "import consts", consts="STEP = 1")
    [consts] = tmp_path.glob("*/consts.py")

    def run(step: int) -> str:
        consts.write_text(f"STEP = {step}")
        command = [sys.executable, "-B", "-c", SCRIPT, str(consts.with_name("mine.py"))]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert [run(1), run(1), run(2), run(1)] == ["21 True", "21 False", "11 True", "21 False"]
