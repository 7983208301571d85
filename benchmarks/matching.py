"""Maximum matching beside LEMON, Boost, networkx and rustworkx.

    python benchmarks/matching.py [--sizes 10000 100000 1000000] [--limit SECONDS] [--json FILE]

LEMON and Boost are compiled here if their headers are installed, each peer that is missing is
named. Each runs in a process of its own, without counting the time to build its graph, until the
limit; sizes are compared. The vertices have random numbers (``--ordered`` keeps those of the
family, which a greedy start profits from), and zermelo's time includes looking whether moves go
both ways and finding the Gallai–Edmonds decomposition.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from zermelo import Graph, maximum_matching

SOURCE = Path(__file__).with_name("matching_baseline.cpp")
LARGEST = {"networkx": 10_000, "rustworkx": 10_000}
"""Peers with no chance beyond."""


def graph_of(sources, targets, n):
    return Graph.from_arrays(
        np.concatenate([sources, targets]), np.concatenate([targets, sources]), n
    )


def random_graph(n, degree):
    ends = np.random.default_rng(1).integers(0, n, (2, n * degree // 2))
    return graph_of(*ends[:, ends[0] != ends[1]], n)


def grid(height, width, diagonals=False):
    place = np.arange(height * width).reshape(height, width)
    steps = [(place[:, :-1], place[:, 1:]), (place[:-1], place[1:])]
    if diagonals:
        steps.append((place[:-1, :-1], place[1:, 1:]))
    ends = [np.concatenate([s[side].ravel() for s in steps]) for side in (0, 1)]
    return graph_of(*ends, place.size)


def path(n):
    return graph_of(np.arange(n - 1), np.arange(1, n), n)


def chain(n, length):
    """Odd cycles in a row, the middle of each joined with the first vertex of the next."""
    n -= n % length
    v = np.arange(n)
    onward = np.where(v % length == length - 1, v - length + 1, v + 1)
    joint = np.arange(0, n - length, length)
    return graph_of(
        np.concatenate([v, joint + length // 2]), np.concatenate([onward, joint + length]), n
    )


FAMILIES = {
    "random, mean degree 3": lambda n: random_graph(n, 3),
    "random, mean degree 8": lambda n: random_graph(n, 8),
    "grid": lambda n: grid(int(n**0.5), int(n**0.5)),
    "triangulated grid": lambda n: grid(int(n**0.5), int(n**0.5), diagonals=True),
    "strip of width 10": lambda n: grid(10, n // 10),
    "triangulated strip": lambda n: grid(5, n // 5, diagonals=True),
    "path": path,
    "chain of triangles": lambda n: chain(n, 3),
    "chain of pentagons": lambda n: chain(n, 5),
    "chain of 101-cycles": lambda n: chain(n, 101),
}


def shuffled(graph):
    name = np.random.default_rng(2).permutation(graph.n)
    ends = graph.to_edges()
    return Graph.from_arrays(name[ends[:, 0]], name[ends[:, 1]], graph.n)


def peers(directory):
    """Commands that take a file with a graph, and the reasons why others are missing."""
    found, missing = {}, {}
    compiler = os.environ.get("CXX", "g++")
    for name, package in (("LEMON", "liblemon-dev"), ("Boost", "libboost-graph-dev")):
        program = os.path.join(directory, name)
        flags = ["-O3", "-march=native", "-std=c++14", f"-D{name.upper()}", "-w"]
        try:
            run = subprocess.run(
                [compiler, *flags, "-o", program, str(SOURCE)], capture_output=True, text=True
            )
        except FileNotFoundError:
            missing[name] = f"there is no {compiler}"
            continue
        if run.returncode:
            missing[name] = f"does not compile, as without {package}"
        else:
            found[name] = [program]
    for name in ("networkx", "rustworkx"):
        if importlib.util.find_spec(name) is None:
            missing[name] = "not installed"
        else:
            found[name] = [sys.executable, __file__, "--peer", name]
    return found, missing


def run_python_peer(name, file):
    """What a peer's own process does."""
    numbers = np.fromfile(file, np.int64)
    n = int(numbers[0])
    indptr, indices = numbers[2 : n + 3], numbers[n + 3 :]
    source = np.repeat(np.arange(n), np.diff(indptr))
    edges = np.stack([source, indices], axis=1)[source < indices].tolist()
    if name == "networkx":
        import networkx

        graph = networkx.Graph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from(edges)
        match = networkx.max_weight_matching
    else:
        import rustworkx

        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(n))
        graph.add_edges_from([(u, v, 1) for u, v in edges])
        match = rustworkx.max_weight_matching
    start = time.perf_counter()
    size = len(match(graph, True))
    print(time.perf_counter() - start, size)


def run_peer(command, file, limit):
    """Seconds and size; or why not, and None."""
    try:
        run = subprocess.run([*command, file], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"> {limit:.0f}", None
    if run.returncode:
        return "crashes", None
    seconds, size = run.stdout.split()
    return float(seconds), int(size)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--limit", type=float, default=60, help="seconds for each peer and graph")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--ordered", action="store_true", help="the numbers of the family itself")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("file", nargs="?", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        run_python_peer(args.peer, args.file)
        return
    os.environ["ZERMELO_KERNELS"] = "compile"
    start = time.perf_counter()
    maximum_matching(grid(5, 5))
    print(f"kernels ready after {time.perf_counter() - start:.1f} s")
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        found, missing = peers(directory)
        for name, why in missing.items():
            print(f"{name} is left out: {why}")
        print(f"\n{'graph':<24}{'vertices':>10}{'edges':>10}{'exposed':>9}{'zermelo s':>10}"
              + "".join(f"{name + ' s':>12}" for name in found))  # fmt: skip
        file = os.path.join(directory, "graph")
        for size in args.sizes:
            for name in args.family:
                graph = FAMILIES[name](size)
                graph = graph if args.ordered else shuffled(graph)
                seconds = []
                for _ in range(args.repeat):
                    start = time.perf_counter()
                    matching = maximum_matching(graph)
                    seconds.append(time.perf_counter() - start)
                matching.verify()
                row = {"graph": name, "n": graph.n, "edges": graph.m // 2}
                row |= {"exposed": matching.deficiency, "zermelo": min(seconds)}
                head = np.array([graph.n, graph.m], np.int64)
                np.concatenate([head, graph.indptr, graph.indices]).tofile(file)
                line = f"{name:<24}{graph.n:>10,}{row['edges']:>10,}{row['exposed']:>9,}"
                line += f"{row['zermelo']:>10.3f}"
                for peer, command in found.items():
                    if graph.n > LARGEST.get(peer, graph.n):
                        line += f"{'–':>12}"
                        continue
                    seconds, found_size = run_peer(command, file, args.limit)
                    row[peer] = seconds
                    if found_size is None:
                        line += f"{seconds:>12}"
                        continue
                    line += f"{seconds:>12.3f}"
                    if found_size != matching.size:
                        raise SystemExit(f"{name}: {peer} has {found_size}, not {matching.size}")
                print(line, flush=True)
                rows.append(row)
    if args.json:
        Path(args.json).write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
