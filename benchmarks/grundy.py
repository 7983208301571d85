"""Sprague–Grundy values: acyclic graphs beside normal play, cyclic ones, both beside plain C++.

    python benchmarks/grundy.py [--quick] [--repeat N] [--json FILE]

Each side builds its own reverse moves in every run; answers are compared, times are the best.
"""

import argparse
import ctypes
import functools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from zermelo import Graph, grundy, solve
from zermelo._runtime.threads import thread_count
from zermelo.generators.graphs.layered import layered
from zermelo.generators.graphs.random import random_graph

SOURCE = Path(__file__).with_name("grundy_baseline.cpp")
GOALS = {"acyclic": 2.0, "loopy": 0.6}
"""At most so many times normal play; at most so many seconds."""


def shuffled(n, degree, reach, seed=1):
    """Moves to positions at most ``reach`` places down a hidden order, uniformly."""
    rng = np.random.default_rng(seed)
    u = rng.integers(1, n, int(n * degree))
    v = u - 1 - (rng.random(u.size) * np.minimum(u, reach)).astype(np.int64)
    name = rng.permutation(n)
    return Graph.from_arrays(name[u], name[v], n)


def numbered(n):
    """Layers in the order of their numbers, so that no order has to be found."""
    return layered(n, layers=50, degree=3.5, locality=min(1.0, 5000 / n), seed=1).graph


@functools.cache
def baseline():
    library = os.path.join(tempfile.mkdtemp(prefix="zermelo-baseline-"), "baseline.so")
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, *flags, "-o", library, str(SOURCE)], check=True)
    return ctypes.CDLL(library)


def run_plain(name, graph):
    value, seconds = np.empty(graph.n, np.int32), np.zeros(1)
    arrays = graph.indptr, graph.indices, value, seconds
    getattr(baseline(), name)(
        ctypes.c_int64(graph.n), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)
    )
    return float(seconds[0]), value


def timed(job, graph):
    fresh = Graph(graph.indptr, graph.indices)  # what one run caches, the next must not find
    start = time.perf_counter()
    answer = job(fresh)
    return time.perf_counter() - start, answer


def compare(kind, name, graph, repeat):
    """Plain C++, normal play and values on one graph, in turns; the best seconds of each."""
    plain, normal, ours = [], [], []
    for _ in range(repeat):
        seconds, value = run_plain(f"{kind}_plain", graph)
        plain.append(seconds)
        seconds, solution = timed(solve, graph)
        normal.append(seconds)
        seconds, solved = timed(grundy, graph)
        ours.append(seconds)
        if not np.array_equal(value, solved.value):
            raise SystemExit(f"{name}: the values differ")
        if not np.array_equal(solved.label, solution.label):
            raise SystemExit(f"{name}: the outcomes differ")
    row = {"kind": kind, "graph": name, "n": graph.n, "m": graph.m}
    row |= {"plain": min(plain), "normal": min(normal), "grundy": min(ours)}
    row |= {"infinite": float(np.mean(value < 0)), "largest": int(value.max())}
    measured = row["grundy"] / row["normal"] if kind == "acyclic" else row["grundy"]
    return row | {"goal": GOALS[kind], "measured": measured}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a hundredth of the size")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    args = parser.parse_args()
    os.environ["ZERMELO_KERNELS"] = "compile"
    start = time.perf_counter()
    for graph in (random_graph(600_000, 2.6).graph, shuffled(600_000, 2.0, 1000), numbered(1000)):
        solve(graph)
        grundy(graph)
    print(f"kernels ready after {time.perf_counter() - start:.1f} s, {thread_count()} thread(s)\n")
    scale = 100 if args.quick else 1
    jobs = [
        ("acyclic", "any lower", lambda: shuffled(3_000_000 // scale, 3.4, 1 << 40)),
        ("acyclic", "1000 lower", lambda: shuffled(3_000_000 // scale, 3.4, 1000)),
        ("acyclic", "dense", lambda: shuffled(1_000_000 // scale, 10.0, 1 << 40)),
        ("acyclic", "numbered", lambda: numbered(3_000_000 // scale)),
        ("loopy", "random 2.7", lambda: random_graph(1_000_000 // scale, 2.7, seed=1).graph),
        ("loopy", "random 3", lambda: random_graph(1_000_000 // scale, 3.0, seed=1).graph),
        ("loopy", "random 4", lambda: random_graph(1_000_000 // scale, 4.0, seed=1).graph),
    ]
    print(f"{'kind':<9}{'graph':<12}{'positions':>10}{'moves':>12}{'infinite':>9}{'largest':>8}"
          f"{'C++ s':>8}{'normal s':>9}{'grundy s':>9}{'/ C++':>7}{'/ normal':>9}")  # fmt: skip
    rows = []
    for kind, name, make in jobs:
        row = compare(kind, name, make(), args.repeat)
        rows.append(row)
        print(f"{kind:<9}{name:<12}{row['n']:>10,}{row['m']:>12,}{row['infinite']:>9.0%}"
              f"{row['largest']:>8}{row['plain']:>8.3f}{row['normal']:>9.3f}{row['grundy']:>9.3f}"
              f"{row['grundy'] / row['plain']:>7.2f}{row['grundy'] / row['normal']:>9.2f}",
              flush=True)  # fmt: skip
    if args.json:
        Path(args.json).write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
