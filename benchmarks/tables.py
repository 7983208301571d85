"""Building tables: indices a second beside a plain C++ generator, memory, checking, probes.

    python benchmarks/tables.py [--quick | --long] [--only GAME ...] [--json FILE] [--threads N]
    python benchmarks/tables.py --guards [--quick] [--only GAME ...] [--threads N]

Each game is built, asked and checked in a process of its own, twice: the first process compiles
the rules (kept on disk for later processes) and is not counted. Then there are three tables.

*Solving.* ``stored`` is how many entries hold a position, ``all`` how many positions they stand for
without symmetry, ``slots`` the entries with those of no position (the size of the index, for a game
that has one), all in millions. Exploring and solving are seconds of the clock; rates are in
millions a second: positions found by exploring, slots and positions settled by solving. ``bytes``
is the peak of the arrays a slot and ``peak`` that of the process.

*Chess.* Seconds of the processor, and millions of indices for each of them: of the whole endgame
with the materials that captures and promotions lead to, and of its own material alone, without what
one file for each material would have from before. ``build`` is solving and writing. Where a build
of one material alone cannot be measured, what is not solving is divided in proportion to indices.
``C++`` is ``tables_baseline.cpp``, a plain generator of one material on one thread, compiled by
this script; it keeps its result in memory. ``ratio`` is its speed, divided by that of solving the
own material. Both must have the same numbers of positions, up to symmetry, in which the side to
move wins, loses and draws, with either side to move, and the same longest distance.

*Tables on disk.* ``bits`` a position of the file; building and checking in seconds of the
processor; ``ratio`` is the speed of checking divided by that of building; thousands of probes a
second: in one call (``many``), with a best move of each (``moves``), one by one (``one``), and
with all best moves (``best``).

``--long`` adds Dōbutsu shōgi and two chess endgames of five men, which run once, without the
compiler's time: their longest wins are compared with published ones. These take an hour and 4 GiB.

``--guards`` measures what it costs to hold what rules give against its limits: each game is solved
without guards, with them, and with checks of every index inside the rules, too, as users' own rules
are. The three take turns; of each the fastest of several runs counts, in seconds of the processor.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from tables_guards import compare_guards
from tables_show import (
    CHESS,
    DISK,
    SOLVING,
    agrees,
    chess_row,
    disk_row,
    goal_lines,
    heading,
    long_row,
    solving_row,
)

HERE = Path(__file__).parent
GAMES = ("connect4:5x5", "teeko", "chess:KQvKR", "chess:KRvKN", "chess:KPvKP")
QUICK = ("connect4:5x4", "dao", "chess:KRvK")
LONG = ("dobutsu", "chess:KBNvKN", "chess:KRPvKR")


def run(name, once, repeat):
    """Measure in new processes, after another has compiled the rules; the fastest build counts."""
    command = [sys.executable, str(HERE / "tables_measure.py"), name, *["--once"] * once]
    rows = []
    for _ in range(1 if once else repeat + 1):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return {"game": name, "error": done.stderr.strip().splitlines()[-1]}
        rows.append(json.loads(done.stdout))
    return min(rows if once else rows[1:], key=lambda row: row["building"][1])


# ------------------------------------------------------------------------------- the C++ generator


def compiled_baseline(folder):
    """The plain generator as a program, or None if there is no compiler."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        return None
    program = f"{folder}/tables_baseline"
    source = str(HERE / "tables_baseline.cpp")
    flags = ["-std=c++17", "-O3", "-march=native"]
    subprocess.run([compiler, *flags, "-o", program, source], check=True)
    return program


def run_baseline(program, material, repeat):
    """What the plain generator gives for a material, the fastest run; None if it cannot do it."""
    white, _, black = material.partition("v")
    men = [side[1:] or "-" for side in (white, black)]
    if program is None or "P" in "".join(men) or max(map(len, men)) > 1:
        return None
    rows = []
    for _ in range(max(3, repeat)):
        done = subprocess.run([program, *men], capture_output=True, text=True, check=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
    return min(rows, key=lambda row: row["seconds"])


# ------------------------------------------------------------------------------- the whole run


def report(names, long_names, repeat):
    """Measure all games and print three tables and the long jobs; the rows of all."""
    rows = []
    if names:
        heading("Solving: millions, seconds, millions a second", SOLVING)
    for name in names:
        rows.append(row := run(name, False, repeat))
        print(f"{name:<15} {row['error']}" if "error" in row else solving_row(row), flush=True)
    good = [row for row in rows if "error" not in row]
    endgames = [row for row in good if "own_indices" in row]
    if endgames:
        with tempfile.TemporaryDirectory() as folder:
            program = compiled_baseline(folder)
            heading("Chess: seconds of the processor, millions of indices for each", CHESS)
            for row in endgames:
                row["plain"] = run_baseline(program, row["material"], repeat)
                print(chess_row(row), flush=True)
        if program is None:
            print("\nThere is no C++ compiler: install g++ or name one with CXX.")
    if good:
        heading("Tables on disk: seconds of the processor, thousands of probes for each", DISK)
        print("\n".join(map(disk_row, good)), flush=True)
    for name in long_names:
        rows.append(row := run(name, True, repeat))
        print("\n" + (f"{name}: {row['error']}" if "error" in row else long_row(row)), flush=True)
    if goals := goal_lines([row for row in rows if "error" not in row]):
        print("\nGoals\n\n" + "\n".join(goals))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small games only")
    size.add_argument("--long", action="store_true", help="also Dōbutsu shōgi and five men")
    parser.add_argument("--only", nargs="+", metavar="GAME", help="these games only")
    parser.add_argument("--repeat", type=int, default=1, help="runs, of which the fastest counts")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    parser.add_argument("--threads", type=int, help="instead of all cores")
    parser.add_argument("--guards", action="store_true", help="what guards of rules cost")
    args = parser.parse_args()
    os.environ.pop("ZERMELO_KERNELS", None)
    if args.threads:
        os.environ["ZERMELO_THREADS"] = str(args.threads)
    names = args.only or (QUICK if args.quick else GAMES)
    if args.guards:
        print(f"{'game':<14}{'without':>12}{'guards':>12}{'all checks':>12}")
        for name in names:
            print(compare_guards(name), flush=True)
        return
    from zermelo._runtime.threads import thread_count

    print(f"{thread_count()} thread(s)")
    long_names = [x for x in LONG if (x in args.only if args.only else args.long)]
    rows = report([x for x in names if x not in long_names], long_names, args.repeat)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")
    if wrong := [row["game"] for row in rows if "error" in row or not agrees(row)]:
        raise SystemExit(f"not built, or with other values than expected: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
