"""The budget of memory is kept by the whole process."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import zermelo as zm
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers import compile_apart as module
from zermelo.formats.binary.shards import Shards
from zermelo.objectives.terminal_form import Layout

N = 3_000_000
BUDGET = 130

CODE = """
    import sys
    import zermelo as zm
    zm.solve_shards(sys.argv[1], sys.argv[2], memory=sys.argv[3])
    status = open("/proc/self/status").read()
    print(status.split("VmHWM:")[1].split()[0])
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_the_peak_of_a_process_stays_below_its_budget(tmp_path):
    rng = np.random.default_rng(0)
    ends = rng.integers(0, N, (2, N * 3 // 2), np.int32)
    graph = zm.Graph.from_arrays(ends[0], ends[1], N)
    Shards.write(zm.Game(graph), tmp_path / "game", shards=32)
    variables = {x: y for x, y in os.environ.items() if x != "NUMBA_BOUNDSCHECK"}
    peaks = []
    for k in range(2):  # the first process may have to compile, which takes memory of its own
        arguments = [tmp_path / "game", tmp_path / f"out-{k}", f"{BUDGET}MB"]
        run = [sys.executable, "-c", textwrap.dedent(CODE), *arguments]
        done = subprocess.run(run, env=variables, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout) // 1024)
    assert peaks[-1] < BUDGET
    ours = zm.ShardedSolution(tmp_path / "out-1").array("distance")
    assert ours.tobytes() == zm.solve(graph).distance.tobytes()


@pytest.mark.compiled
def test_with_a_small_budget_another_process_compiles(tmp_path, monkeypatch):
    calls = []
    terms = Terms(Layout.SYMMETRIC, (-1, 0, 1), 1, True)
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    monkeypatch.setattr(module, "cache_directory", lambda: str(tmp_path))
    monkeypatch.setattr(module, "kernels_are_kept", lambda terms: False)
    monkeypatch.setattr(module.subprocess, "run", lambda args, **_: calls.append(args[-1]))
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert module.compile_apart(terms, Budget(200 << 20))
    assert calls == ["from zermelo.engines.tiers.compile_apart import compile_all; compile_all(3)"]
    # There is room for the compiler, or kernels are interpreted, or they are kept.
    assert not module.compile_apart(terms, Budget(2 << 30))
    monkeypatch.setattr(module, "kernels_are_kept", lambda _: True)
    assert not module.compile_apart(terms, Budget(200 << 20))
    monkeypatch.setattr(module, "kernels_are_kept", lambda _: False)
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    assert not module.compile_apart(terms, Budget(200 << 20))
    assert len(calls) == 1


@pytest.mark.parametrize("levels", [3, 200])
def test_what_the_other_process_does_uses_every_kernel_of_a_job(levels, tmp_path, monkeypatch):
    """So that the job itself has nothing to compile, also where messages and moves are large."""
    from zermelo._kernels.terminal import partitioned
    from zermelo._runtime.compiled.jit import Kernel

    used, call = set(), Kernel.__call__

    def noted(self, *args):
        used.add(self.function.__name__)
        return call(self, *args)

    monkeypatch.setattr(Kernel, "__call__", noted)
    module.compile_all(levels)
    ours = {
        name
        for name, value in vars(partitioned).items()
        if isinstance(value, Kernel) and value.function.__module__ == partitioned.__name__
    }
    rare = {"find_layer", "_combine_stream", "prefetch"}  # after a loss; a part of another one
    assert ours - rare <= used
