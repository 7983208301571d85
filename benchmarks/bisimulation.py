"""Coarsest bisimulation: Paige–Tarjan in O(E log V), beside naive rounds in NumPy in the same run.

    python benchmarks/bisimulation.py [--sizes 100000 1000000] [--patience 20]

Prints seconds and ns per (move × log2 positions), which stays flat up to cache effects if growth is
near-linear. The naive peer renumbers all positions by (class, set of successor classes) round after
round, hashing the sets; it needs as many rounds as the longest chain of splits, so it is given up
after ``--patience`` seconds. The reverse moves are built beforehand, both classes are compared.
"""

import argparse
import time

import numpy as np

from zermelo import Graph, bisimulation
from zermelo.labels import Int32Array
from zermelo.transform.quotient import canonical_partition


def random_graph(n: int, degree: int, rng: np.random.Generator) -> Graph:
    return Graph.from_arrays(rng.integers(0, n, n * degree), rng.integers(0, n, n * degree), n)


def families(n: int, rng: np.random.Generator) -> dict[str, Graph]:
    v = np.arange(1, n)
    side = int(n**0.5)
    square = np.arange(side * side)
    right, down = square[square % side < side - 1], square[: side * (side - 1)]
    lost = rng.random(right.size + down.size) < 0.05
    grid = np.concatenate([right, down]), np.concatenate([right + 1, down + side])
    return {
        "random, degree 4": random_graph(n, 4, rng),
        "random, degree 1": random_graph(n, 1, rng),
        "binary tree": Graph.from_arrays((v - 1) // 2, v, n),
        "random tree": Graph.from_arrays((rng.random(n - 1) * v).astype(np.int64), v, n),
        "grid": Graph.from_arrays(*grid, side * side),
        "grid, 5% lost": Graph.from_arrays(grid[0][~lost], grid[1][~lost], side * side),
        "path": Graph.from_arrays(v - 1, v, n),
    }


def naive(graph: Graph, patience: float) -> tuple[Int32Array | None, int, float]:
    """Rounds of hashed sets of successor classes: classes, rounds, seconds."""
    rng = np.random.default_rng(0)
    begin = time.perf_counter()
    sources = graph.to_edges()[:, 0].astype(np.int64)
    classes = np.zeros(graph.n, np.int64)
    found, rounds = 1, 0
    while True:
        rounds += 1
        code = rng.integers(0, 2**63, found, dtype=np.uint64)
        pairs = np.unique(sources * found + classes[graph.indices])
        total = np.zeros(graph.n, np.uint64)
        owner, member = np.divmod(pairs, found)  # sorted by owner
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        total[owner[first]] = np.add.reduceat(code[member], first)
        keys = total + code[classes] * np.uint64(0x9E3779B97F4A7C15)
        distinct, classes = np.unique(keys, return_inverse=True)
        seconds = time.perf_counter() - begin
        if distinct.size == found:
            return canonical_partition(classes, graph.n), rounds, seconds
        if seconds > patience:
            return None, rounds, seconds
        found = distinct.size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--patience", type=float, default=20.0)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    bisimulation(random_graph(100_000, 4, rng))  # compile
    for n in args.sizes:
        print(f"{'family':18} {'positions':>10} {'moves':>10} {'classes':>9} {'seconds':>8} "
              f"{'ns/(E log V)':>12}  naive")  # fmt: skip
        for name, graph in families(n, rng).items():
            _ = graph.reverse
            times = []
            for _ in range(args.repeat):
                begin = time.perf_counter()
                classes = bisimulation(graph)
                times.append(time.perf_counter() - begin)
            best = min(times)
            scaled = best * 1e9 / (graph.m * np.log2(graph.n))
            peer, rounds, seconds = naive(graph, args.patience)
            if peer is None:
                beside = f"given up after {seconds:.0f} s, {rounds} rounds"
            else:
                same = "same classes" if np.array_equal(peer, classes) else "DIFFERENT CLASSES"
                beside = f"{seconds:.2f} s, {rounds} rounds, × {seconds / best:.1f}, {same}"
            print(f"{name:18} {graph.n:10,} {graph.m:10,} {int(classes.max()) + 1:9,} {best:8.3f} "
                  f"{scaled:12.2f}  {beside}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
