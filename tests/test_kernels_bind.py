"""Rules as methods, bound into templates: interpreted, compiled, and kept on disk."""

import subprocess
import sys

import numpy as np
import pytest

from zermelo._runtime.compiled.bind import bind, flat, identity, placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.errors import InvalidRulesError
from zermelo.rules.compiled import OPEN, CompiledRules

moves = placeholder("moves")
outcome = placeholder("outcome")

STEP = 1
TABLE = np.array([5, 7, 11])


def plus(a: int, b: int) -> int:
    return a + b


@kernel
def first_option(position, out):
    """A kernel that waits for rules, called by another."""
    return out[0] if moves(position, out) > 0 else -1


@kernel
def walk(position, out, steps):
    """First moves, one after the other, while play goes on."""
    while outcome(position) == 2 and steps > 0:
        position = first_option(position, out)
        steps -= 1
    return position


class Walk(CompiledRules):
    most_moves = 2

    def __init__(self, by: int, table=TABLE) -> None:
        self.by = by
        self.table = table

    def start(self) -> int:
        return 0

    def step(self, position: int) -> int:
        """A helper, with types and a docstring."""
        far: int = plus(self.by, self.table[position % 3])
        return far

    def moves(self, position, out):
        out[0] = position + self.step(position)
        out[1] = position + STEP
        return 2

    def outcome(self, position):
        return 0 if position > 40 else OPEN


def oracle(rules: Walk, position: int, steps: int) -> int:
    while position <= 40 and steps > 0:
        position += rules.by + int(rules.table[position % 3])
        steps -= 1
    return position


@pytest.mark.slow("compiled")
@pytest.mark.parametrize(
    "run", ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)]
)
def test_bound_templates_agree_with_plain_python(run: str) -> None:
    for by in (1, 2, 10):
        bound = getattr(bind(walk, Walk(by)), run)
        for steps in range(6):
            out = np.zeros(2, np.int64)
            assert bound(3, out, steps) == oracle(Walk(by), 3, steps)


def test_binding_is_done_once_for_one_object() -> None:
    rules = Walk(1)
    assert bind(walk, rules) is bind(walk, rules)
    assert flat(rules, "moves") is flat(rules, "moves")


def test_identity_knows_parameters_text_and_helpers() -> None:
    class Other(Walk):
        def step(self, position: int) -> int:
            return self.by

    base = identity(Walk(1), "moves", "outcome")
    assert base == identity(Walk(1), "moves", "outcome")
    assert base != identity(Walk(2), "moves", "outcome")
    assert base != identity(Walk(1, np.array([5, 7, 12])), "moves", "outcome")
    assert base != identity(Other(1), "moves", "outcome")


def test_defaults_of_the_base_class_can_be_bound() -> None:
    class Plain(Walk):
        outcome = CompiledRules.outcome

    assert bind(walk, Plain(1)).interpreted(0, np.zeros(2, np.int64), 20) == oracle_endless(20)


def oracle_endless(steps: int) -> int:
    position = 0
    for _ in range(steps):
        position += 1 + int(TABLE[position % 3])
    return position


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def moves(self, p, out):\n        self.by = 3\n        return 0", "changes self.by"),
        ("def moves(self, p, out):\n        return len(vars(self))", "may be read for"),
        ("def moves(self, p, out):\n        return self.moves(p, out)", "must not recurse"),
        ("moves = 3", "expected a method"),
    ],
)
def test_methods_that_cannot_be_flattened_are_refused(method: str, message: str, tmp_path) -> None:
    path = tmp_path / "rules_of_a_user.py"
    path.write_text(f"class Mine:\n    by = 1\n    {method}\n")
    scope: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(InvalidRulesError, match=message):
        flat(scope["Mine"](), "moves")


def test_rules_without_source_are_refused() -> None:
    scope: dict = {}
    exec("class Mine:\n    def moves(self, p, out):\n        return 0\n", scope)
    with pytest.raises(InvalidRulesError, match="write the rules into a file"):
        flat(scope["Mine"](), "moves")


@pytest.mark.slow
@pytest.mark.compiled
def test_rules_that_do_not_compile_say_which() -> None:
    class Wrong(Walk):
        def moves(self, position, out):
            out[0] = "text"
            return 1

    with pytest.raises(InvalidRulesError, match="Wrong cannot be compiled"):
        bind(walk, Wrong(1)).compiled(0, np.zeros(2, np.int64), 1)


TEMPLATE = """
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel

moves = placeholder("moves")

@kernel
def first(position, out):
    moves(position, out)
    return out[0]
"""

RULES = """
class Mine:
    def __init__(self, by):
        self.by = by

    def moves(self, position, out):
        out[0] = position * FACTOR + self.by
        return 1
"""

SCRIPT = """
import importlib.util
import sys
import numpy as np
from zermelo._runtime.compiled.bind import bind
name = "zermelo._kernels.templates_of_a_test"
spec = importlib.util.spec_from_file_location(name, "templates.py")
module = sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from rules_of_a_user import Mine
out = np.zeros(4, np.int64)
print(*(bind(module.first, Mine(int(by))).compiled(5, out) for by in sys.argv[1:]))
print("numba" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_object_code_is_kept_by_rules_and_parameters(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)  # nothing is kept with bounds checks
    (tmp_path / "templates.py").write_text(TEMPLATE)
    (tmp_path / "script.py").write_text(SCRIPT)

    def run(factor: int, *by: str) -> list[str]:
        (tmp_path / "rules_of_a_user.py").write_text(RULES.replace("FACTOR", str(factor)))
        command = [sys.executable, "-B", "script.py", *by]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert run(1, "2") == ["7", "True"]
    assert run(1, "3") == ["8", "True"]
    assert run(1, "2", "3") == ["7 8", "False"]  # each from its own file, no compiler
    assert run(10, "2", "3") == ["52 53", "True"]  # edited rules never meet old code
    assert run(10, "3", "2") == ["53 52", "False"]
