"""Retrograde analysis against a plain C++ one, on the same graphs in the same run.

    python benchmarks/retrograde.py [--quick] [--json FILE] [--repeat 5] [--threads 1]

Compiles ``retrograde_baseline.cpp`` with ``-O3 -march=native``, then times both from the forward
graph to all labels and distances, reverse moves included, taking turns; the answers must agree.
``zermelo`` is the public ``solve``. Times are the best of the repeats, in nanoseconds a move; all
memory is touched once before, since a virtual machine's first touch can cost more than the solving.
The memory column is the peak of ``solve`` above what there was before the graph, forward graph
included, as a share of 20 bytes a move and 40 a position.
"""

import argparse
import contextlib
import ctypes
import functools
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from zermelo import Asymmetric, Graph, NormalPlay, solve
from zermelo._runtime.threads import thread_count
from zermelo.generators.graphs.layered import layered
from zermelo.generators.graphs.random import random_graph

SOURCE = Path(__file__).with_name("retrograde_baseline.cpp")
GOALS = {"random": 0.5, "board-like": 0.8, "asymmetric": 2.5, "memory": 1.0}


def board_like(n):
    """Fifty layers, moves to within a hundred places; 3 % are ends, 2 % of the moves go back."""
    near = min(1.0, 100 * 50 / n)
    return layered(n, layers=50, degree=3.5, locality=near, ends=0.03, back=0.02, seed=1).graph


def random_3(n):
    return random_graph(n, 3.0, seed=1).graph


def random_4(n):
    return random_graph(n, 4.0, seed=1).graph


@functools.cache
def baseline():
    directory = tempfile.mkdtemp(prefix="zermelo-baseline-")
    library = os.path.join(directory, "baseline.so")
    compiler = os.environ.get("CXX", "g++")
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, str(SOURCE)], check=True)
    return ctypes.CDLL(library)


def run_plain(graph):
    """Seconds of the reversal and of the wave, labels and distances."""
    label, distance = np.empty(graph.n, np.int8), np.empty(graph.n, np.int32)
    seconds = np.zeros(2)
    arrays = graph.indptr, graph.indices, label, distance, seconds
    baseline().solve_plain(
        ctypes.c_int64(graph.n), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)
    )
    return seconds, label, distance


def run_ours(graph, objective):
    """Seconds of the reversal and of the rest, and the solution."""
    fresh = Graph(graph.indptr, graph.indices)  # what one run caches, the next must not find
    start = time.perf_counter()
    fresh.reverse  # noqa: B018
    reversed_ = time.perf_counter()
    solution = solve(fresh, objective)
    stop = time.perf_counter()
    return np.array([reversed_ - start, stop - reversed_]), solution


def peak_of(graph, objective):
    """Bytes of the peak of one run, forward graph included; None if unknown."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # or the peak hides in what the allocator hoards
    before = resident(reset=True)
    run_ours(graph, objective)
    return None if before is None else resident(peak=True) - before + graph.nbytes


def resident(*, peak=False, reset=False):
    """Bytes of this process in memory, now or at most since the last reset; None if unknown."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    field = "VmHWM" if peak else "VmRSS"
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else None


def touch(graph):
    """Make the machine hand over the memory that either side will need."""
    np.empty(24 * graph.m + 40 * graph.n, np.uint8)[::4096] = 1


def compare(name, graph, repeat):
    """Both on one graph, in turns."""
    touch(graph)
    plain, ours = [], []
    for _ in range(repeat):
        seconds, label, distance = run_plain(graph)
        plain.append(seconds)
        seconds, solution = run_ours(graph, NormalPlay())
        ours.append(seconds)
        if not (
            np.array_equal(label, solution.label) and np.array_equal(distance, solution.distance)
        ):
            raise SystemExit(f"{name}: the answers differ")
    plain, ours = best(plain, graph), best(ours, graph)
    draws = float(np.mean(label == 0))
    del label, distance, solution
    peak = peak_of(graph, NormalPlay())
    allowed = 20 * graph.m + 40 * graph.n
    return {
        "graph": name,
        "n": graph.n,
        "m": graph.m,
        "draws": draws,
        "plain": plain,
        "zermelo": ours,
        "ratio": ours[0] / plain[0],
        "goal": GOALS[name.split()[0]],
        "memory": None if peak is None else peak / allowed,
        "peak_bytes": peak,
        "resident_bytes": resident(peak=True),
    }


def compare_asymmetric(name, graph, repeat):
    """The asymmetric game against normal play."""
    touch(graph)
    normal, asymmetric = [], []
    for _ in range(repeat):
        normal.append(run_ours(graph, NormalPlay())[0])
        asymmetric.append(run_ours(graph, Asymmetric())[0])
    normal, asymmetric = best(normal, graph), best(asymmetric, graph)
    return {
        "graph": name,
        "n": graph.n,
        "m": graph.m,
        "normal": normal,
        "asymmetric": asymmetric,
        "ratio": asymmetric[0] / normal[0],
        "goal": GOALS["asymmetric"],
    }


def best(seconds, graph):
    """The best total, in nanoseconds a move, and its two parts."""
    parts = min(seconds, key=sum) / max(graph.m, 1) * 1e9
    return [float(parts.sum()), *(float(x) for x in parts)]


def show(ns):
    total, reverse, rest = ns
    return f"{total:6.1f} ({reverse:4.1f} + {rest:4.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10^5 positions only")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--threads", type=int, help="instead of all cores")
    args = parser.parse_args()
    os.environ["ZERMELO_KERNELS"] = "compile"
    if args.threads:
        os.environ["ZERMELO_THREADS"] = str(args.threads)

    start = time.perf_counter()
    warm = random_graph(600_000, 2.5).graph
    for objective in (NormalPlay(), Asymmetric()):
        solve(Graph(warm.indptr, warm.indices), objective)
    solve(random_graph(10, 2.0))
    print(f"kernels ready after {time.perf_counter() - start:.1f} s, {thread_count()} thread(s)")

    shapes = {"random 3": random_3, "random 4": random_4, "board-like": board_like}
    sizes = [10**5] if args.quick else [10**6, 10**7]
    rows = []
    print("\nns a move: total (reversal + rest)")
    head = f"{'graph':<11}{'positions':>11}{'moves':>12}{'draws':>7}"
    print(f"{head}  {'plain C++':<20}{'zermelo':<20}ratio  goal   memory   resident")
    for n in sizes:
        for name, make in shapes.items():
            row = compare(name, make(n), args.repeat)
            rows.append(row)
            memory = "n/a" if row["memory"] is None else f"{row['memory']:.2f}"
            resident_ = (row["resident_bytes"] or 0) / 2**20
            print(
                f"{name:<11}{row['n']:>11,}{row['m']:>12,}{row['draws']:>7.0%}  "
                f"{show(row['plain'])} {show(row['zermelo'])}{row['ratio']:6.2f}{row['goal']:6.2f}"
                f"{memory:>9}{resident_:>7.0f} MiB",
                flush=True,
            )

    print("\nthe asymmetric game, ns a move: total (reversal + rest)")
    print(
        f"{'graph':<11}{'positions':>11}{'moves':>12}  {'normal':<20}{'asymmetric':<20}ratio  goal"
    )
    moves = 10**5 if args.quick else 10**7
    double = []
    for name, make, degree in [
        ("random 3", random_3, 3.0),
        ("random 4", random_4, 4.0),
        ("board-like", board_like, 3.3),
    ]:
        row = compare_asymmetric(name, make(int(moves / degree)), args.repeat)
        double.append(row)
        print(
            f"{name:<11}{row['n']:>11,}{row['m']:>12,}  {show(row['normal'])} "
            f"{show(row['asymmetric'])}{row['ratio']:6.2f}{row['goal']:6.2f}",
            flush=True,
        )
    if args.json:
        machine = {"cpu": platform.processor() or platform.machine(), "threads": thread_count()}
        results = {"machine": machine, "normal": rows, "asymmetric": double}
        Path(args.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
