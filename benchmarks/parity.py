"""Parity games: reading, passes, every solver, writing and the whole command, per family and size.

    python benchmarks/parity.py [--sizes 10000,100000,1000000] [--families random-2-10-d2,ladder,…]
                                [--solvers auto,zielonka,…] [--limit 20] [--repeat 3] [--json FILE]

Each family is written once as a PGSolver file. Each solver has a process of its own that reads the
game, builds the reverse moves and solves it as often as ``--repeat`` says; the best time counts, in
nanoseconds a move; one that needs much longer than ``--limit`` seconds is given up (—). The columns
``read``, ``loops`` (the cheapest pass) and ``write`` are from the process of ``auto``; ``command``
is the wall time of ``zermelo solve GAME.pg -o GAME.sol`` with a warm cache, start-up included, and
``bytes`` the peak of its memory a move. ``C++`` is ``parity_baseline.cpp``, a textbook Zielonka,
reading and solving; winners must agree.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

SOURCE = Path(__file__).with_name("parity_baseline.cpp")


def random(low, high, priorities):
    def words(n):
        d = priorities or n
        return ["parity-random", f"n={n}", f"priorities={d}", f"out_low={low}", f"out_high={high}"]

    return words


FAMILIES = {
    "random-2-10-d2": random(2, 10, 2),
    "random-2-10-d20": random(2, 10, 20),
    "random-2-10-dn": random(2, 10, None),
    "random-1-5-d2": random(1, 5, 2),
    "random-1-5-d20": random(1, 5, 20),
    "random-1-5-dn": random(1, 5, None),
    "random-1-2-dn": random(1, 2, None),
    "steady": lambda n: ["steady", f"n={n}"],
    "clustered": lambda n: ["clustered", f"n={n}"],
    "ladder": lambda n: ["ladder", f"n={n // 2}"],
    "jurdzinski": lambda n: ["jurdzinski", "depth=50", f"width={n // 149}"],
    "elevator": lambda n: ["elevator", f"n={ {4: 5, 5: 6, 6: 7}[len(str(n)) - 1] }"],
    "hanoi": lambda n: ["hanoi", f"n={ {4: 9, 5: 11, 6: 13}[len(str(n)) - 1] }"],
}


def zermelo(*words, **options):
    return subprocess.run([sys.executable, "-m", "zermelo", *words], check=True, **options)


def one(path, solver, limit, repeat):
    """What the process of one solver does; prints its figures as JSON."""
    import zermelo as zm
    from zermelo.solvers.infinite.frame import make_game
    from zermelo.solvers.infinite.passes import self_loops

    def best(action):
        times = []
        for _ in range(repeat):
            start = time.perf_counter()
            result = action()
            times.append(time.perf_counter() - start)
            if sum(times) > limit / 2:
                break
        return min(times), result

    read, (graph, objective) = best(lambda: zm.read(path))
    _ = graph.reverse
    solve, solution = best(lambda: zm.solve(graph, objective, solver=solver))
    found = {"n": graph.n, "m": graph.m, "read": read, "solve": solve}
    found["won"] = int((solution.winner == 0).sum())
    if solver == "auto":
        game = make_game(graph, objective)
        found["loops"], _ = best(lambda: self_loops(game))
        found["write"], _ = best(lambda: zm.write(solution, path + ".sol"))
    print(json.dumps(found))


def measured(path, solver, limit, repeat):
    command = [sys.executable, __file__, "--one", path, solver]
    command += ["--repeat", str(repeat), "--limit", str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=1.5 * limit + 10, check=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return json.loads(done.stdout)


def command(path, repeat):
    """Wall time and peak memory of the command."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "solve", path, "-o", path + ".sol", "--quiet"]
        )
        usage = os.wait4(child.pid, 0)[2]
        times.append(time.perf_counter() - start)
    return min(times), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def compiled(directory):
    program = os.path.join(directory, "baseline")
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(SOURCE)], check=True)
    return program


def main():
    from zermelo.registry import SOLVERS

    known = [row.name for row in SOLVERS if row.family == "parity" and not row.objectives]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--solvers", default=",".join(["auto", *known]))
    parser.add_argument("--limit", type=float, default=20, help="seconds that a solver may take")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        one(*args.one, args.limit, args.repeat)
        return
    solvers = args.solvers.split(",")
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        baseline = compiled(directory)
        path = os.path.join(directory, "game.pg")
        for size in map(int, args.sizes.split(",")):
            for family in args.families.split(","):
                zermelo("generate", *FAMILIES[family](size), path, stdout=subprocess.DEVNULL)
                found = {s: measured(path, s, args.limit, args.repeat) for s in solvers}
                done = {s: f for s, f in found.items() if f is not None}
                assert len({f["won"] for f in done.values()}) <= 1, "the solvers disagree"
                if not done:
                    print(f"{family:16} {size:>8}  no solver within {args.limit} s", flush=True)
                    continue
                some = next(iter(done.values()))
                ns = 1e9 / some["m"]
                row = {"family": family, "n": some["n"], "m": some["m"]}
                row |= {s: done[s]["solve"] * ns if s in done else None for s in solvers}
                if auto := done.get("auto"):
                    row |= {k: auto[k] * ns for k in ("read", "loops", "write")}
                    wall, peak = command(path, args.repeat)
                    row |= {"command": wall * ns, "bytes": peak / some["m"]}
                try:
                    plain = subprocess.run(
                        [baseline, path], capture_output=True, timeout=args.limit, check=True
                    )
                    reading, solving, won = map(int, plain.stdout.split())
                    assert won == some["won"], "the baseline disagrees"
                    row["C++"] = (reading + solving) / some["m"]
                except subprocess.TimeoutExpired:
                    row["C++"] = None
                rows.append(row)
                report(row, solvers)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


def report(row, solvers):
    def shown(key):
        value = row.get(key)
        return f"{key} —" if value is None else f"{key} {value:.0f}"

    print(f"{row['family']:16} {row['n']:>9,} positions {row['m']:>9,} moves, ns a move: ", end="")
    print(", ".join(map(shown, ["read", "loops", *solvers, "write", "command", "C++"])))
    best = min((row[s] for s in solvers if s != "auto" and row[s] is not None), default=None)
    if best and row.get("auto"):
        print(f"{'':16} auto / best solver {row['auto'] / best:.2f}", end="")
        if row["C++"]:
            print(f", command / C++ {row['command'] / row['C++']:.2f}", end="")
        print(f", {row['bytes']:.0f} bytes a move", flush=True)


if __name__ == "__main__":
    main()
