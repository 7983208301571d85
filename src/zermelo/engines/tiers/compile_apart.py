"""Compile the kernels in a process of their own, if the budget has no room for the compiler."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.terminal.partitioned import deliver, expand
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.compiled.store import cache_directory
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.partition import Buffers, Partition
from zermelo.engines.partitions.terms import Terms
from zermelo.labels import AnyArray

COMPILER_BYTES = 150 << 20
"""Memory that the compiler takes in a process."""


def compile_apart(terms: Terms, budget: Budget) -> bool:
    """Start a process that compiles the kernels and keeps them, if necessary; whether it did.

    The compiler stays in the memory of a process that has imported it. So with a small budget
    another process compiles, and this one loads the machine code.

    >>> from zermelo.objectives.terminal_form import Layout
    >>> compile_apart(Terms(Layout.SYMMETRIC, (-1, 0, 1), 1, True), Budget(8 << 30))
    False
    """
    if budget.usable >= 8 * COMPILER_BYTES or interpreting() or cache_directory() is None:
        return False
    if "numba" in sys.modules or kernels_are_kept(terms):
        return False
    code = f"from {__name__} import compile_all; compile_all({len(terms.levels)})"
    paths = os.pathsep.join(path for path in sys.path if path)
    variables = {**os.environ, "ZERMELO_KERNELS": "compile", "PYTHONPATH": paths}
    subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, check=False)
    return True


def kernels_are_kept(terms: Terms) -> bool:
    """Whether earlier processes have compiled the largest kernels for these payoffs."""
    division = Division((0, 1, 2), 0)

    def read(key: str, dtype: "np.dtype[Any]", size: int) -> AnyArray:
        array = np.zeros(size, dtype)
        array.flags.writeable = key not in ("indptr", "indices")
        return array

    cursor = Partition.new_cursor()
    one = Partition.of_files(division, terms, 0, 1, read, cursor)
    wave, buffers = terms.wave(0), Buffers(division, terms.shift, 1)
    targets, counts = buffers.sorted.target, buffers.sorted.counts
    expanding = (one.share, one.predecessors, one.places, wave, buffers.outbox, cursor, 0, -1)
    return expand.kept(expanding) and deliver.kept((one.share, targets, counts, 0, wave, cursor))


def compile_all(levels: int) -> None:
    """Solve a small game with so many payoffs from shards, which compiles all kernels.

    >>> compile_all(3)
    """
    from zermelo.engines.shard_solution import solve_shards
    from zermelo.formats.binary.shards import Shards
    from zermelo.game import Game
    from zermelo.graph import Graph
    from zermelo.objectives import NormalPlay, TerminalPayoff

    n = 2 * levels
    graph = Graph.from_edges([(v, n - 1 - v) for v in range(levels)], n=n)
    payoffs = TerminalPayoff(np.arange(n) - n // 2, view="mover")
    game = Game(graph, NormalPlay() if levels < 4 else payoffs)
    with tempfile.TemporaryDirectory() as folder:
        shards = Shards.write(game, Path(folder) / "game", shards=2)
        solve_shards(shards, Path(folder) / "solved", partitions=2)
