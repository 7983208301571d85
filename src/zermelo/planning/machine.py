"""How fast this machine is, measured in a second or two on games that are made for it."""

import functools
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.engines.partitions.solve import solve_on_disk
from zermelo.generators.graphs.random import random_graph
from zermelo.graph import Graph
from zermelo.objectives import NormalPlay
from zermelo.objectives.terminal_form import form_on
from zermelo.solvers.terminal.retrograde import peel

DEGREE = 4.0
"""Moves of a position of the game that is measured."""

SMALL_MEMORY = 1 << 26
"""If less memory may be used, a smaller game is measured."""

WRITTEN_BYTES = 1 << 24
"""Bytes that are written to measure the disk."""

REACHES = (1 << 20, 1 << 23, 1 << 26)
"""Sizes of the arrays in bytes whose elements are read in random order."""

RANDOM_READS = 1 << 18

PATH_LAYERS = 400
"""Layers of the game that measures the cost of a layer."""


@dataclass(frozen=True)
class Machine:
    """Times in seconds, sizes in bytes.

    >>> slow = Machine(1, 1 << 30, 1 << 40, 1e-8, 1e-7, 10**5, 1e-3, 1e8, (1e-9, 2e-9, 3e-9), 1e-9)
    >>> slow.access(1 << 20), slow.access(1 << 30)
    (1e-09, 3e-09)
    """

    cores: int
    memory: int
    """Bytes that may be used."""
    disk_free: int
    memory_item: float
    """Solving in memory, for each position and each move."""
    disk_item: float
    """Solving from disk, while all files are in the cache of the system."""
    measured_items: int
    """Positions and moves of the game that was measured."""
    disk_layer: float
    """The least time that a layer takes if a move leaves its partition."""
    disk_speed: float
    """Bytes written in a second."""
    reads: tuple[float, ...]
    """A random read from arrays of the sizes REACHES."""
    scan: float
    """Reading an entry of a table in order."""

    def access(self, size: int) -> float:
        """The time of a random read from an array of so many bytes."""
        k = sum(size > reach for reach in REACHES[:-1])
        return self.reads[k]

    def record(self) -> dict[str, object]:
        """The measurements as plain data."""
        return {**self.__dict__, "reads": list(self.reads)}


def measure(
    available: int | None = None, cores: int | None = None, workdir: str | None = None
) -> Machine:
    """Measure this machine, once in a process; files that are written for it are removed again."""
    parent = tempfile.gettempdir() if workdir is None else workdir
    return Machine(
        cores or os.cpu_count() or 1,
        memory.available() if available is None else available,
        shutil.disk_usage(parent).free,
        *_times(parent),
    )


@functools.cache
def _times(parent: str) -> tuple[float, float, int, float, float, tuple[float, ...], float]:
    """The measurements, in the order of the fields of a machine."""
    small = interpreting() or memory.available() < SMALL_MEMORY
    graph = random_graph(1 << (8 if small else 17), DEGREE, seed=1).graph
    items, form = graph.n + graph.m, form_on(NormalPlay(), graph)
    with tempfile.TemporaryDirectory(prefix="zermelo-plan-", dir=parent) as folder:
        disk_item = _seconds(lambda: _from_disk(_fresh(graph), folder)) / items
        layer = _seconds(lambda: _from_disk(_path(PATH_LAYERS), folder)) / PATH_LAYERS
        speed = _disk_speed(Path(folder) / "block")
    return (
        _seconds(lambda: peel(_fresh(graph), form)) / items,
        disk_item,
        items,
        layer,
        speed,
        tuple(_random_read(size) for size in REACHES),
        _scan(),
    )


def _fresh(graph: Graph) -> Graph:
    """The same graph, whose reverse moves are not known yet."""
    return Graph._of(graph.indptr, graph.indices, graph.owner)


def _from_disk(graph: Graph, folder: str) -> None:
    solve_on_disk(graph, NormalPlay(), memory=1 << 28, partitions=2, workdir=folder)


def _path(length: int) -> Graph:
    """A path whose moves all lead to the other half of the positions."""
    half = -(-length // 2)
    k = np.arange(length)
    place = k // 2 + half * (k % 2)
    return Graph.from_arrays(place[:-1], place[1:], 2 * half)


def _seconds(call: Callable[[], object]) -> float:
    """The processor time of the quickest of three runs; the first one loads what is needed.

    Other processes change the time on the clock, but hardly that of the processor.
    """
    times = []
    for _ in range(3):
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    return max(1e-9, min(times))


def _disk_speed(path: Path) -> float:
    block = np.random.default_rng(0).bytes(WRITTEN_BYTES)
    begun = time.perf_counter()
    with path.open("wb") as file:
        file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return WRITTEN_BYTES / max(1e-9, time.perf_counter() - begun)


def _random_read(size: int) -> float:
    array = np.zeros(size // 4, np.int32)
    array += 1
    order = np.random.default_rng(0).integers(0, array.size, RANDOM_READS)
    return _seconds(lambda: array.take(order)) / RANDOM_READS


def _scan() -> float:
    entry = np.zeros(1 << 21, np.uint16)
    return _seconds(lambda: np.count_nonzero(entry == 1)) / entry.size
