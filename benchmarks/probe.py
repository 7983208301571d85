"""Tables on disk: probes a second, and the time of checking beside the time of building.

    python benchmarks/probe.py [--only GAME ...] [--probes N] [--table FILE] [--no-distances]
                               [--json FILE]

Each game is built, opened, asked and checked in a process of its own, twice: the first process
compiles the rules (kept on disk for later processes) and is not counted. All probes ask for random
positions of the table. ``many`` is one call of ``table.probe_many``, and ``moves`` one that gives a
best move of each position, too; ``one`` is a call of ``table.probe`` for each position, and
``best`` the same with all best moves. The blocks that are needed are decoded by an earlier call
with other positions, as far as they are kept; ``cold`` is the first call of all. ``fresh`` is
``best`` in a new process that has opened the table and has decoded nothing yet; its rules were
compiled by an earlier process. Rates are in thousands a second of the processor. A game with ``/``
behind its name is built into a directory with a file for each tier.
``build`` and ``verify`` are seconds of the processor, of all threads together, and ``ratio`` is the
speed of checking all positions, divided by that of building. With ``--table`` a table that is there
already is asked and checked, and nothing is built. ``--no-distances`` builds tables of labels
alone.
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

GAMES = (
    "nim:9,9,9", "connect4:5x4", "chess:KQvKR", "chess:KRvKN", "chess:KPvKP", "chess:KPvKP/",
)  # fmt: skip
ONE_BY_ONE, PATIENCE = 5_000, 10.0
RATES = ("cold", "many", "moves", "one", "best", "fresh")


def rate(count, job):
    """Thousands a second of the processor."""
    begun = time.process_time()
    job()
    return count / (time.process_time() - begun) / 1000


def rate_of_each(ask, positions):
    """Thousands of calls a second of the processor; after PATIENCE seconds no more are made."""
    begun, count = time.process_time(), 0
    for position in positions:
        ask(position)
        count += 1
        if time.process_time() - begun > PATIENCE:
            break
    return count / (time.process_time() - begun) / 1000


def ask_and_check(table, probes):
    """Ask for random positions of a table, and check all entries: what that took."""
    row = {"stored": len(table), "bits": 8 * table.size / len(table)}
    first, second = (list(table.sample(probes, seed)) for seed in (1, 2))
    row["cold"] = rate(probes, lambda: table.probe_many(first))
    table.probe_many(first, moves=True)
    row["many"] = rate(probes, lambda: table.probe_many(second))
    row["moves"] = rate(probes, lambda: table.probe_many(second, moves=True))
    row["one"] = rate_of_each(lambda x: table.probe(x).distance, second[:ONE_BY_ONE])
    row["best"] = rate_of_each(lambda x: table.probe(x).best_moves, second[:ONE_BY_ONE])
    begun = time.process_time()
    table.verify()
    row["verify"] = time.process_time() - begun
    row["verified"] = table.verified
    return row


def measure(name, probes, given, distances):
    """Build one table, ask and check it, and print what that took, as a line of JSON."""
    import zermelo as zm

    row, game = {"game": name}, name.rstrip("/")
    with tempfile.TemporaryDirectory() as folder:
        path = given or (f"{folder}/" if name.endswith("/") else f"{folder}/table.zt")
        if not given:
            begun = time.process_time()
            zm.build(game, path, distances=distances).close()
            row["build"] = time.process_time() - begun
        with zm.Table(path, game) as table:
            row["fresh"] = fresh(path, game, list(table.sample(ONE_BY_ONE, 3)))
            row |= ask_and_check(table, probes)
    print(json.dumps(row))


def fresh(path, game, positions):
    """The rate of probes with best moves in a new process; the first one may compile."""
    command = [sys.executable, __file__, "--fresh", path, "--measure", game]
    for _ in range(2):
        done = subprocess.run(
            command, input=json.dumps(positions), capture_output=True, text=True, check=True
        )
    return float(done.stdout)


def ask_fresh(path, game):
    """Ask for positions that come from another process, and print the rate."""
    import zermelo as zm

    positions = json.load(sys.stdin)
    if positions and isinstance(positions[0], list):
        positions = [tuple(x) for x in positions]
    with zm.Table(path, game) as table:
        print(rate(len(positions), lambda: [table.probe(x).best_moves for x in positions]))


def run(name, args):
    """Measure in a new process, after another has compiled the rules."""
    command = [sys.executable, __file__, "--measure", name, "--probes", str(args.probes)]
    command += ["--table", args.table] if args.table else []
    command += [] if args.distances else ["--no-distances"]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return {"game": name, "error": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def show(row):
    if "error" in row:
        return f"{row['game']:<14} {row['error']}"
    rates = "".join(f"{row[x]:>9.1f}" for x in RATES)
    build = row.get("build")
    beside = f"{'–':>9}{row['verify']:>9.1f}{'–':>8}"
    if build is not None:
        beside = f"{build:>9.1f}{row['verify']:>9.1f}{build / row['verify']:>8.2f}"
    return f"{row['game']:<14}{row['stored'] / 1e6:>9.2f}{row['bits']:>7.2f}{rates}{beside}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="GAME", help="these games only")
    parser.add_argument("--probes", type=int, default=100_000, help="positions of one call")
    parser.add_argument("--table", metavar="FILE", help="a table of the game, instead of a new one")
    parser.add_argument("--no-distances", dest="distances", action="store_false")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    parser.add_argument("--measure", metavar="GAME", help=argparse.SUPPRESS)
    parser.add_argument("--fresh", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.environ.pop("ZERMELO_KERNELS", None)
    if args.fresh:
        ask_fresh(args.fresh, args.measure)
        return
    if args.measure:
        measure(args.measure, args.probes, args.table, args.distances)
        return
    head = ("stored", "bits", *RATES, "build", "verify", "ratio")
    widths = (9, 7, *[9] * len(RATES), 9, 9, 8)
    print("millions of entries, bits an entry, thousands of probes a second, seconds\n")
    print(f"{'game':<14}" + "".join(f"{x:>{w}}" for x, w in zip(head, widths, strict=True)))
    rows = []
    for name in args.only or GAMES:
        rows.append(run(name, args))
        print(show(rows[-1]), flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
