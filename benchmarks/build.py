"""Building a canonical Graph from two arrays, beside scipy's coo → csr in the same run.

    python benchmarks/build.py [--moves 10000000]

Prints seconds, ns per move and the ratio. ``--moves 100000000`` needs about 5 GB.
"""

import argparse
import time

import numpy as np
import scipy.sparse

from zermelo import Graph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    m, n = args.moves, max(1, args.moves // 4)
    u = rng.integers(0, n, m, dtype=np.int32)
    v = rng.integers(0, n, m, dtype=np.int32)
    ones = np.ones(m, np.int8)

    def ours() -> int:
        return Graph.from_arrays(u, v, n).m

    def scipys() -> int:
        matrix = scipy.sparse.coo_array((ones, (u, v)), shape=(n, n)).tocsr()
        matrix.sum_duplicates()
        return int(matrix.nnz)

    best = {}
    for name, build in (("zermelo", ours), ("scipy", scipys)):
        times = []
        for _ in range(args.repeat):
            start = time.perf_counter()
            moves = build()
            times.append(time.perf_counter() - start)
        best[name] = min(times)
        print(f"{name:8} {moves:,} moves  {best[name]:.2f} s  {best[name] / m * 1e9:.0f} ns/move")
    print(f"ratio zermelo / scipy: {best['zermelo'] / best['scipy']:.2f}")


if __name__ == "__main__":
    main()
