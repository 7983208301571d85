"""First uses by many threads and processes: a cold cache, first imports, forks, spawns, interrupts.

Each case is a process of its own, in which nothing was imported or compiled before.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo as zm
from tests.limits import HANG

pytestmark = pytest.mark.compiled
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

SCRIPT = Path(__file__).parent / "first_use.py"


def run(tmp_path, *arguments, **variables):
    """The lines that the script prints."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "ZERMELO_KERNELS")
    }
    environment |= {"ZERMELO_CACHE_DIR": str(tmp_path / "cache"), "ZERMELO_THREADS": "2"}
    environment |= {"PYTHONPATH": str(Path(zm.__file__).parents[1])} | variables
    command = [sys.executable, "-W", "ignore", str(SCRIPT), *map(str, arguments)]
    ended = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=tmp_path, timeout=HANG
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return ended.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.unchecked
@pytest.mark.parametrize("first", ["imports", "kernels"])
@pytest.mark.parametrize("start", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_threads_and_processes_agree(tmp_path, start, first):
    """Threads compile or import for the first time while the process starts others."""
    cold = run(tmp_path, "agree", start, first)
    children = [0] * (3 if start == "fork" else 1)
    assert cold == [f"threads {[True] * 4}", f"children {children}"]
    assert run(tmp_path, "agree", start, first) == cold  # with kernels that are kept now


@pytest.mark.slow
@pytest.mark.unchecked
@needs_fork
def test_a_child_that_cannot_compile_builds_the_same_table(tmp_path):
    assert run(tmp_path, "lost") == ["child 0"]


@pytest.mark.slow
@pytest.mark.unchecked
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals of POSIX")
def test_every_call_after_an_interrupt_works(tmp_path):
    """Interrupts at many moments of the first compiled call, from the first import on."""
    assert run(tmp_path, "interrupt", ZERMELO_KERNELS="compile") == ["ok"]


MODULE = """
import zermelo as zm

class Countdown(zm.CompiledRules):
    most_moves = 3

    def start(self):
        return 5000

    def moves(self, position, out):
        count = min(3, position)
        for k in range(count):
            out[k] = position - k - 1
        return count

counts = zm.solve(Countdown()).counts()
"""


@pytest.mark.slow
@pytest.mark.unchecked
@pytest.mark.parametrize("checks", ["0", "1"])  # with them Numba itself loads the machine code
def test_a_module_solves_its_own_rules_while_it_is_imported(tmp_path, checks):
    """The compiler works in another thread, and must not wait for the end of the import."""
    (tmp_path / "solves_at_import.py").write_text(MODULE)
    variables = {"ZERMELO_KERNELS": "compile", "NUMBA_BOUNDSCHECK": checks}
    assert run(tmp_path, "imported", tmp_path, **variables) == ["1251 3750"]
