"""The budget of memory is kept by the whole process."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import zermelo as zm
from zermelo.formats.shards import Shards

N = 3_000_000
BUDGET = 130

CODE = """
    import sys
    import zermelo as zm
    zm.solve_shards(sys.argv[1], sys.argv[2], memory=sys.argv[3])
    status = open("/proc/self/status").read()
    print(status.split("VmHWM:")[1].split()[0])
"""


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
