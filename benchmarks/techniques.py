"""The techniques of [GamesOnGraphs] against the default solver on the same graphs, in one run.

    python benchmarks/techniques.py [--moves N]

Nanoseconds per move for normal play, the least of several runs.
The reverse moves are built beforehand. "–" where a technique does not apply (depth-first search
with cycles) or would take too long (passes over a path).
"""

import argparse
import math
import os
import time
from typing import Any

os.environ.setdefault("ZERMELO_KERNELS", "compile")

import numpy as np

import zermelo as zm

TECHNIQUES: dict[str, tuple[str, dict[str, Any]]] = {
    "retrograde": ("retrograde", {"threads": 1}),
    "depth-first": ("depth-first", {}),
    "components": ("components", {}),
    "rescan, list": ("rescan", {"worklist": True}),
    "rescan": ("rescan", {}),
}


def path(moves: int) -> zm.Graph:
    """A path, whose passes decide one position each."""
    return zm.Graph.from_arrays(np.arange(moves), np.arange(1, moves + 1), moves + 1)


def acyclic(moves: int) -> zm.Graph:
    """Random moves to positions of higher number."""
    rng = np.random.default_rng(1)
    n = max(2, moves // 3)
    u, v = rng.integers(0, n, moves), rng.integers(0, n, moves)
    return zm.Graph.from_arrays(np.minimum(u, v)[u != v], np.maximum(u, v)[u != v], n)


def scattered(moves: int) -> zm.Graph:
    """A random graph of mean degree 3, nearly all of which is one component."""
    return zm.generators.random_graph(max(1, moves // 3), degree=3, seed=1).graph


def slices(moves: int) -> zm.Graph:
    """Rings of 16 positions, each with random moves to later rings."""
    rng = np.random.default_rng(2)
    n = max(16, moves // 3 // 16 * 16)
    v = np.arange(n)
    ring = v // 16 * 16 + (v + 1) % 16
    later = rng.integers(np.minimum(v + 16, n - 1), n, (2, n))
    source = np.concatenate([v[: n - 16], v[: n - 16], v[: n - 16]])
    target = np.concatenate([ring[: n - 16], later[0, : n - 16], later[1, : n - 16]])
    return zm.Graph.from_arrays(source, target, n)


def broad(moves: int) -> zm.Graph:
    """A position with many successors, each of which has one move: bad for rescanning a list."""
    d = moves // 2
    ones = np.arange(1, d + 1)
    source = np.concatenate([np.zeros(d, np.int64), ones])
    return zm.Graph.from_arrays(source, np.concatenate([ones, np.full(d, d + 1)]), d + 2)


FAMILIES = {
    "path": path, "acyclic": acyclic, "random": scattered, "slices": slices, "broad": broad,
}  # fmt: skip


def too_long(family: str, technique: str) -> bool:
    """Whether the number of looks is quadratic."""
    return (family, technique) in {("path", "rescan"), ("broad", "rescan, list")}


def measure(graph: zm.Graph, technique: str) -> tuple[float, zm.Solution] | None:
    """The least time of a few runs; None if the graph is refused."""
    solver, options = TECHNIQUES[technique]
    best, spent, runs = math.inf, 0.0, 0
    while runs < 2 or (spent < 1 and runs < 10):
        begin = time.perf_counter()
        try:
            solution = zm.solve(graph, solver=solver, **options)
        except zm.errors.SolverError:
            return None
        took = time.perf_counter() - begin
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best, solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1_000_000)
    options = parser.parse_args()
    for technique in TECHNIQUES:
        measure(path(10), technique)  # compile
    print(f"{'family':<9} {'positions':>9} {'moves':>9}" + "".join(f"{x:>14}" for x in TECHNIQUES))
    for small in (False, True):
        for family, make in FAMILIES.items():
            if small and not any(too_long(family, x) for x in TECHNIQUES):
                continue
            graph = make(options.moves // 100 if small else options.moves)
            _ = graph.reverse
            print(f"{family:<9} {graph.n:>9,} {graph.m:>9,}", end="", flush=True)
            answer = None
            for technique in TECHNIQUES:
                quadratic = too_long(family, technique) and not small
                found = None if quadratic else measure(graph, technique)
                if found is None:
                    print(f"{'–':>14}", end="")
                    continue
                best, solution = found
                answer = answer or solution
                assert np.array_equal(answer.label, solution.label)
                assert np.array_equal(answer.distance, solution.distance)
                print(f"{1e9 * best / graph.m:>14.1f}", end="", flush=True)
            print()


if __name__ == "__main__":
    main()
