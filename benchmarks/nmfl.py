"""NMFL against the default solver on the example of [Loewe2004] Theorem 4.3.

A root with n terminal successors: every one of the 2 n calls of Label reads all n of them, so
NMFL takes 2 n² steps where the default solver takes one backward wave.

    python benchmarks/nmfl.py [--largest N] [--plot FILE.png|FILE.svg]

Both run compiled, in one process, on the same graphs, whose reverse moves are built beforehand;
each time is the least of several. NMFL's time contains the default solver's attractors, from
which its solution takes the distances; they do not show. Where NMFL would take too long only the
default solver runs. The counts of steps are exact: they carry no noise at all.
"""

import argparse
import math
import os
import time

os.environ.setdefault("ZERMELO_KERNELS", "compile")

import numpy as np

import zermelo as zm


def star(n: int) -> zm.Graph:
    """The paper's example: a root and n terminals."""
    return zm.Graph.from_arrays(np.zeros(n, np.int64), np.arange(1, n + 1), n + 1)


def least_time(graph: zm.Graph, solver: str, patience: float = 1.0) -> tuple[float, zm.Solution]:
    """The least time of at least three runs, of more while they are short."""
    best, spent, runs = math.inf, 0.0, 0
    while runs < 3 or (spent < patience and runs < 50):
        begin = time.perf_counter()
        solution = zm.solve(graph, zm.Asymmetric(), solver=solver)
        took = time.perf_counter() - begin
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best, solution


def exponent(sizes: list[int], times: list[float], last: int = 4) -> float:
    """The slope of log time over log n through the last few points."""
    x, y = np.log(sizes[-last:]), np.log(times[-last:])
    return float(np.polyfit(x, y, 1)[0])


def measure(largest: int, beyond: int) -> list[dict[str, float]]:
    """Time both solvers up to ``largest``, the default solver alone up to ``beyond``."""
    for solver in ("nmfl", "retrograde"):
        zm.solve(star(10), zm.Asymmetric(), solver=solver)  # compile
    rows = []
    n = 64
    while n <= beyond:
        graph = star(n).graph
        _ = graph.reverse
        row: dict[str, float] = {"n": n}
        row["retrograde"], default = least_time(graph, "retrograde")
        if n <= largest:
            row["nmfl"], solution = least_time(graph, "nmfl")
            assert np.array_equal(solution.label, default.label)
            row["calls"], row["steps"] = solution.stats["label_calls"], solution.stats["steps"]
        rows.append(row)
        n *= 2
    return rows


def report(rows: list[dict[str, float]]) -> dict[str, float]:
    """Print the table, the ratios and the exponents, and return the latter."""
    print(f"{'n':>9} {'calls':>9} {'steps':>15} {'NMFL ms':>10} {'default ms':>11} {'ratio':>9}")
    for row in rows:
        default = 1e3 * row["retrograde"]
        if "nmfl" in row:
            ratio = row["nmfl"] / row["retrograde"]
            counts = f"{row['calls']:9,} {row['steps']:15,} {1e3 * row['nmfl']:10.3f}"
            print(f"{row['n']:9,} {counts} {default:11.3f} {ratio:9.1f}")
        else:
            print(f"{row['n']:9,} {'–':>9} {'–':>15} {'–':>10} {default:11.3f} {'–':>9}")
    both = [row for row in rows if "nmfl" in row]
    slopes = {
        "steps": exponent([row["n"] for row in both], [row["steps"] for row in both]),
        "nmfl": exponent([row["n"] for row in both], [row["nmfl"] for row in both]),
        "retrograde": exponent([row["n"] for row in rows], [row["retrograde"] for row in rows]),
    }
    print(
        f"\ngrowth, by the last four sizes: NMFL's steps n^{slopes['steps']:.2f} (exact), ", end=""
    )
    print(f"NMFL's time n^{slopes['nmfl']:.2f}, default n^{slopes['retrograde']:.2f}")
    return slopes


def plot(rows: list[dict[str, float]], slopes: dict[str, float], path: str) -> None:
    """Draw both times over n, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    lines = [("nmfl", "NMFL", "#c0392b", "o"), ("retrograde", "default solver", "#2c5f9e", "s")]
    for key, title, colour, marker in lines:
        points = [(row["n"], 1e3 * row[key]) for row in rows if key in row]
        label = f"{title}: time ∝ n^{slopes[key]:.2f} at the end"
        axes.loglog(*zip(*points, strict=True), marker=marker, ms=5, color=colour, label=label)
    last = [(row["n"], 1e3 * row["nmfl"]) for row in rows if "nmfl" in row][-1]
    sizes = np.array([row["n"] for row in rows if "nmfl" in row], float)
    guide = last[1] * (sizes / last[0]) ** 2
    axes.loglog(sizes, guide, ls=":", color="0.5", zorder=0, label="slope 2")
    axes.set_ylim(bottom=0.5 * min(1e3 * row["retrograde"] for row in rows))
    axes.set_xlabel("n, terminal successors of the root")
    axes.set_ylabel("time, ms")
    axes.set_title("The asymmetric game on the example of Löwe's Theorem 4.3")
    axes.grid(True, which="major", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=1 << 14, help="largest n for NMFL")
    parser.add_argument("--beyond", type=int, default=1 << 21, help="largest n for the default")
    parser.add_argument("--plot", metavar="FILE", help="draw the times to a PNG or SVG file")
    options = parser.parse_args()
    if options.largest < 1024:
        parser.error(f"--largest: expected at least 1024, got {options.largest}")
    rows = measure(options.largest, max(options.largest, options.beyond))
    slopes = report(rows)
    if options.plot:
        plot(rows, slopes, options.plot)
        print(f"drawn to {options.plot}")


if __name__ == "__main__":
    main()
