"""Energy and mean-payoff games: every solver side by side, and a plain value iteration in C++.

    python benchmarks/quantitative.py [--sizes 10000,100000,1000000] [--degrees 1-5,2-2,5-5]
                                      [--weights 1000,1000000] [--objectives energy,mean-payoff]
                                      [--solvers NAME,…] [--limit 30] [--repeat 2] [--json FILE]

Each game is random: every position has an owner, a number of moves within the bounds and targets
by chance, and weights are uniform up to the largest. Each solver has a process of its own, which
makes the game, solves it as often as ``--repeat`` says, and verifies the answer; the best time
counts, in seconds of the processor, which other programs disturb less than those on the clock.
A solver that takes longer than ``--limit`` seconds is given up (—), and is not asked about larger
games of the same kind. ``C++`` is ``quantitative_baseline.cpp``, Brim's value iteration without
counters, on energy games; the positions that player 0 wins must be as many.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

SOURCE = Path(__file__).with_name("quantitative_baseline.cpp")


def make(n, low, high, largest, seed=1):
    """A random graph with owners, and weights along its moves."""
    import zermelo as zm

    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(n), rng.integers(low, high + 1, n))
    graph = zm.Graph.from_arrays(source, rng.integers(0, n, source.size), n, rng.integers(0, 2, n))
    return graph, rng.integers(-largest, largest + 1, graph.m)


def one(keyword, solver, n, low, high, largest, repeat):
    """What the process of one solver does; prints its figures as JSON."""
    import zermelo as zm

    kinds = {"energy": zm.Energy, "mean-payoff": zm.MeanPayoff}
    small, weight = make(2000, low, high, 20)
    zm.solve(small, kinds[keyword](weight), solver=solver)  # kernels are compiled or loaded
    graph, weight = make(n, low, high, largest)
    objective = kinds[keyword](weight)
    times = []
    for _ in range(repeat):
        start = time.process_time()
        solution = zm.solve(graph, objective, solver=solver)
        times.append(time.process_time() - start)
    start = time.process_time()
    solution.verify()
    checked = time.process_time() - start
    won = int((solution.level == 2).sum())
    if keyword == "mean-payoff":
        won = hash((solution.numerator.tobytes(), solution.denominator.tobytes())) % 2**32
    print(json.dumps({"solve": min(times), "verify": checked, "won": won, "stats": solution.stats}))


def measured(words, limit, repeat):
    command = [sys.executable, __file__, "--one", *map(str, words), "--repeat", str(repeat)]
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=(repeat + 1) * limit + 10, check=True,
            env=environment,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return json.loads(done.stdout)


def baseline(program, directory, n, low, high, largest, limit):
    """Seconds of the C++ program, and how many positions player 0 wins; None if it takes longer."""
    graph, weight = make(n, low, high, largest)
    path = Path(directory) / "game.bin"
    arrays = (np.array([graph.n, graph.m]), graph.owner, graph.indptr, graph.indices, weight)
    path.write_bytes(b"".join(np.ascontiguousarray(a, "<i8").tobytes() for a in arrays))
    try:
        done = subprocess.run(
            [program, str(path)], capture_output=True, timeout=limit, check=True, text=True
        )
    except subprocess.TimeoutExpired:
        return None
    spent, won = map(int, done.stdout.split())
    return spent / 1e9, won


def compiled(directory):
    program = os.path.join(directory, "baseline")
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(SOURCE)], check=True)
    return program


def main():
    from zermelo.registry import SOLVERS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--degrees", default="1-5,2-2,5-5")
    parser.add_argument("--weights", default="1000,1000000")
    parser.add_argument("--objectives", default="energy,mean-payoff")
    parser.add_argument("--solvers", help="only these, beside the default; none without names")
    parser.add_argument("--limit", type=float, default=30, help="seconds that a solver may take")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--json")
    parser.add_argument("--one", nargs=6, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        one(*args.one[:2], *map(int, args.one[2:]), args.repeat)
        return
    rows, given_up = [], set()
    degrees = [tuple(map(int, text.split("-"))) for text in args.degrees.split(",")]
    with tempfile.TemporaryDirectory() as directory:
        program = compiled(directory)
        for keyword, size, (low, high), largest in itertools.product(
            args.objectives.split(","), list(map(int, args.sizes.split(","))), degrees,
            list(map(int, args.weights.split(","))),
        ):  # fmt: skip
            names = [r.name for r in SOLVERS if r.applies_to("quantitative", keyword)]
            if args.solvers is not None:
                names = [name for name in names if name in args.solvers.split(",")]
            kind = (keyword, low, high, largest)
            row = {"objective": keyword, "n": size, "moves": f"{low}-{high}", "W": largest}
            answers = set()
            for name in ["auto", *names]:
                if (*kind, name) in given_up:
                    continue
                found = measured((keyword, name, size, *kind[1:]), args.limit, args.repeat)
                if found is None or found["solve"] > args.limit:
                    given_up.add((*kind, name))
                if found is not None:
                    row[name] = found["solve"]
                    row.setdefault("verify", found["verify"])
                    answers.add(found["won"])
            if keyword == "energy" and args.solvers is None and (*kind, "C++") not in given_up:
                plain = baseline(program, directory, size, *kind[1:], args.limit)
                if plain is None:
                    given_up.add((*kind, "C++"))
                else:
                    row["C++"] = plain[0]
                    answers.add(plain[1])
            assert len(answers) <= 1, "the solvers disagree"
            rows.append(row)
            report(row, names)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


def report(row, names):
    def shown(key):
        return f"{key} —" if row.get(key) is None else f"{key} {row[key]:.3f}"

    columns = ["auto", *names, "verify", *(["C++"] if row["objective"] == "energy" else [])]
    print(
        f"{row['objective']:12} {row['n']:>9,} positions, {row['moves']} moves, weights up to "
        f"{row['W']:,}, seconds: {', '.join(map(shown, columns))}"
    )
    best = min((row[x] for x in names if row.get(x) is not None), default=None)
    if best and row.get("auto"):
        print(f"{'':12} auto / best solver {row['auto'] / best:.2f}", flush=True)


if __name__ == "__main__":
    main()
