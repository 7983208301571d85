"""Measure one table: :mod:`tables` runs this in a process of its own for each game.

    python benchmarks/tables_measure.py GAME [--once]

builds a table of the game in a temporary directory, asks it, checks all entries, and prints what
that took, as a line of JSON. With ``--once`` nothing is asked or checked, and the time of the
compiler is subtracted, so that a long job need not run twice.
"""

import importlib
import json
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from probe import ask_and_check

PROBES = 100_000
PAIRS_OF_KINGS = 462
"""The number of pairs of squares for two kings, up to symmetry, without pawns."""


def resident_peak():
    """Bytes that this process has held at most; None if unknown."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else None


class Clock:
    """Seconds of the clock and of the processor since it was made, without those of the compiler.

    The compiler runs on one thread, so its seconds are about the same for both.
    """

    def __init__(self):
        from zermelo._runtime.progress import spent

        self.spent = spent
        self.begun = self.now()

    def now(self):
        compiled = self.spent()
        return time.perf_counter() - compiled, time.process_time() - compiled

    def read(self):
        return tuple(now - begun for now, begun in zip(self.now(), self.begun, strict=True))


class Watch:
    """What a build gives for its parts: the solved game, and the seconds of each tier."""

    def __init__(self):
        self.solved, self.solving, self.tiers = None, (0.0, 0.0), []
        build = importlib.import_module("zermelo.tables.building.build")
        self.solve_rules = build.solve_rules
        build.solve_rules = self.solve
        self.watch_tiers()

    def solve(self, *arguments, **options):
        """Solve as always, and keep what was solved."""
        clock = Clock()
        self.solved = self.solve_rules(*arguments, **options)
        self.solving = clock.read()
        return self.solved

    def watch_tiers(self):
        """Note the seconds of the processor of each tier."""
        from zermelo.tables.solving.waves import Waves

        method = Waves._solve_tier

        def timed(waves):
            clock = Clock()
            method(waves)
            self.tiers.append(clock.read()[1])

        Waves._solve_tier = timed


def own_values(rules, entry):
    """Wins, losses and draws of the last material up to symmetry, and its longest distance.

    White is to move in the first row of counts, Black in the second. Positions with the same men on
    both sides are kept with White to move only. Endgames with pawns have no counts here.
    """
    import numpy as np

    from zermelo.tables.storage.codes import distances, labels

    if "P" in str(rules.material):
        return {}
    first, last = rules.offset[-2:].tolist()
    own = entry[first:last].reshape(PAIRS_OF_KINGS, 1 if rules.material.even else 2, -1)
    counts, longest = [], 0
    for side in range(own.shape[1]):
        there = own[:, side].ravel()
        there = there[there != 0]
        label = labels(there)
        counts.append([int(np.count_nonzero(label == x)) for x in (1, -1, 0)])
        longest = max(longest, int(distances(there[label != 0]).max(initial=0)))
    return {"own_counts": counts, "own_longest": longest}


def build_alone(name, material, folder):
    """Seconds of the processor of a build that finds all other materials in a directory.

    None where tables are not built into directories.
    """
    import zermelo as zm

    try:
        zm.build(name, folder).close()
    except IsADirectoryError:
        return None
    for path in Path(folder).glob(f"*{material}*.zt"):
        path.unlink()
    clock = Clock()
    zm.build(name, folder).close()
    return clock.read()[1]


def measure_chess(rules, watch):
    """What concerns the last material alone."""
    first, last = rules.offset[-2:].tolist()
    return {
        "own_indices": last - first,
        "own_solving": watch.tiers[-1] if watch.tiers else None,
        "material": str(rules.material),
        **own_values(rules, watch.solved.entry),
    }


def measure(name, once):
    """Build one table, ask and check it: what that took."""
    import zermelo as zm
    from zermelo.rules.loading.load import load_rules

    rules, watch = load_rules(name), Watch()
    chess = name.startswith("chess:")
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock()
        table = zm.build(name, f"{folder}/table.zt")
        seconds, cpu = clock.read()
        solved = watch.solved
        row = {
            "game": name,
            "once": once,
            "slots": solved.entries,
            "stored": len(table),
            "bits": 8 * table.size / len(table),
            "solving": watch.solving,
            "building": (seconds, cpu),
            "peak": resident_peak(),
            "counts": table.counts(),
            **solved.stats,
        }
        with table:
            start = table.probe(rules.start())
            row["start"] = start.outcome, start.distance
            if chess:
                row |= measure_chess(rules, watch)
            watch.solved = solved = None
            if not once:
                row |= ask_and_check(table, PROBES)
        if chess and not once:
            with tempfile.TemporaryDirectory() as other:
                row["own_building"] = build_alone(name, row["material"], other)
    return row


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], "--once" in sys.argv[2:])))
