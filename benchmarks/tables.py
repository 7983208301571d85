"""Exploring and solving games given by rules: positions a second, bytes a position, peak memory.

    python benchmarks/tables.py [--quick] [--only NAME ...] [--json FILE] [--threads N]
    python benchmarks/tables.py --guards [--quick] [--only NAME ...] [--threads N]

Each game is solved in a process of its own, twice: the first run compiles the rules (kept on disk
for later processes) and is not counted. ``stored`` is how many entries hold a position, ``all`` how
many positions they stand for without symmetry, ``slots`` the entries with those of no position
(the size of the index, for a game that has one). Rates are in millions a second: positions found
by exploring, slots and positions settled by solving. ``bytes`` is the peak of the arrays a slot and
``peak`` that of the process.

``--guards`` measures what it costs to hold what rules give against its limits: each game is solved
without guards, with them, and with checks of every index inside the rules, too, as users' own rules
are. The three take turns; of each the fastest of several runs counts, in seconds of the processor.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

GAMES = {
    "connect4:5x5": "no index, tiers",
    "teeko": "index, un-moves",
    "dobutsu": "un-moves",
    "chess:KQvKR": "index, un-moves, tiers",
    "chess:KRNvKR": "index, un-moves, tiers; 242 million indices and the tables below",
}
QUICK = {
    "connect4:5x4": "no index, tiers",
    "dao": "index, un-moves",
    "chess:KRvK": "index, un-moves, tiers",
}


def resident_peak():
    """Bytes that this process has held at most; None if unknown."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else None


def measure(name):
    """Solve one game and print what it took, as a line of JSON."""
    from zermelo.rules.load import load_rules
    from zermelo.tables.solve import solve_rules

    rules = load_rules(name)
    begun, cpu = time.perf_counter(), time.process_time()
    solved = solve_rules(rules)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    peak = resident_peak()
    counts, stored = solved.counts(), int((solved.entry != 0).sum())
    print(
        json.dumps(
            {
                "game": name,
                "kind": solved.kind,
                "slots": solved.n,
                "stored": stored,
                "seconds": seconds,
                "cpu_seconds": cpu,
                "peak": peak,
                "counts": counts,
                "start": solved.look_up(rules.start())[:2],
                **solved.stats,
            }
        )
    )


GUARDS = ("none", "guards", "all")
RUNS = 5


def change_guards(which):
    """Make the compiler leave guards out, or check every index in the package's own rules, too."""
    from zermelo._runtime import flatten

    if which == "none":
        flatten.Flattening.guarded = flatten.Flattening.method
    elif which == "all":
        flatten._trusted = lambda kind: False


def compare_guards(name):
    """Solve a game with and without guards by turns, and say what they cost."""
    best = dict.fromkeys(GUARDS, float("inf"))
    for attempt in range(RUNS + 1):  # the first one compiles
        for which in GUARDS:
            command = [sys.executable, __file__, "--measure", name, "--with-guards", which]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                return f"{name:<14} {done.stderr.strip().splitlines()[-1]}"
            if attempt:
                best[which] = min(best[which], json.loads(done.stdout)["cpu_seconds"])
    none = best["none"]
    costs = "".join(f"{100 * (best[x] / none - 1):>+10.1f} %" for x in GUARDS[1:])
    return f"{name:<14}{none:>10.2f} s{costs}"


def run(name):
    """Measure in a new process, after another has compiled the rules."""
    command = [sys.executable, __file__, "--measure", name]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return {"game": name, "error": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def show(row):
    if "error" in row:
        return f"{row['game']:<14} {row['error']}"
    explore, solve, counts = row["explore_seconds"], row["solve_seconds"], row["counts"]
    found = "–" if explore < 0.01 else f"{row['stored'] / explore / 1e6:.2f}"
    label, distance = row["start"]
    value = {1: "win", 0: "draw", -1: "loss"}[label] + (f" in {distance}" if distance >= 0 else "")
    return (
        f"{row['game']:<14}{row['stored'] / 1e6:>9.2f}{counts['positions'] / 1e6:>9.2f}"
        f"{row['slots'] / 1e6:>9.2f}{explore:>9.1f}{found:>8}{solve:>9.1f}"
        f"{row['slots'] / solve / 1e6:>8.2f}{counts['positions'] / solve / 1e6:>8.2f}"
        f"{row['peak_bytes'] / row['slots']:>7.1f}{(row['peak'] or 0) / 2**20:>8.0f} MiB"
        f"  {value}, longest {max(counts['longest_win'], counts['longest_lose'])}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small games only")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these games only")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    parser.add_argument("--threads", type=int, help="instead of all cores")
    parser.add_argument("--measure", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--guards", action="store_true", help="what guards of rules cost")
    parser.add_argument("--with-guards", choices=GUARDS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.environ["ZERMELO_KERNELS"] = "compile"
    if args.threads:
        os.environ["ZERMELO_THREADS"] = str(args.threads)
    if args.measure:
        change_guards(args.with_guards)
        measure(args.measure)
        return
    if args.guards:
        print(f"{'game':<14}{'without':>12}{'guards':>12}{'all checks':>12}")
        for name in args.only or (QUICK if args.quick else GAMES):
            print(compare_guards(name), flush=True)
        return
    from zermelo._runtime.threads import thread_count

    print(f"{thread_count()} thread(s); millions of positions, seconds, millions a second\n")
    head = ("game", "stored", "all", "slots", "explore", "/s", "solve", "slots/s", "all/s", "bytes")
    widths = (14, 9, 9, 9, 9, 8, 9, 8, 8, 7)
    line = f"{head[0]:<14}" + "".join(
        f"{word:>{width}}" for word, width in zip(head[1:], widths[1:], strict=True)
    )
    print(f"{line}{'peak':>12}")
    rows = []
    for name in args.only or (QUICK if args.quick else GAMES):
        rows.append(run(name))
        print(show(rows[-1]), flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
