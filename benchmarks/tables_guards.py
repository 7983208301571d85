"""What guards of rules cost: the option ``--guards`` of :mod:`tables`.

    python benchmarks/tables_guards.py GAME none|guards|all

solves one game without guards, with them, or with checks of every index inside the rules, and
prints seconds of the processor.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

GUARDS = ("none", "guards", "all")
RUNS = 5


def change_guards(which):
    """Make the compiler leave guards out, or check every index in the package's own rules, too."""
    from zermelo._runtime.compiled import flatten

    if which == "none":
        flatten.Flattening.guarded = flatten.Flattening.method
    elif which == "all":
        flatten._trusted = lambda kind: False


def measure(name, which):
    """Seconds of the processor for solving one game."""
    from zermelo.rules.loading.load import load_rules
    from zermelo.tables.solving.solve import solve_rules

    change_guards(which)
    rules = load_rules(name)
    begun = time.process_time()
    solve_rules(rules)
    return time.process_time() - begun


def compare_guards(name):
    """Solve a game with and without guards by turns, and say what they cost."""
    best = dict.fromkeys(GUARDS, float("inf"))
    environment = {**os.environ, "ZERMELO_KERNELS": "compile"}
    for attempt in range(RUNS + 1):  # the first one compiles
        for which in GUARDS:
            command = [sys.executable, __file__, name, which]
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode:
                return f"{name:<14} {done.stderr.strip().splitlines()[-1]}"
            if attempt:
                best[which] = min(best[which], float(done.stdout))
    none = best["none"]
    costs = "".join(f"{100 * (best[x] / none - 1):>+10.1f} %" for x in GUARDS[1:])
    return f"{name:<14}{none:>10.2f} s{costs}"


if __name__ == "__main__":
    print(measure(*sys.argv[1:]))
