"""Two checkouts of zermelo beside each other: is anything slower than it was?

    python benchmarks/compare.py OLD/src NEW/src [--rounds 3] [--only parity,tables]

Every job runs in processes of its own, the old and the new one in turns. A process does a job once
to load (or compile) its machine code and then several times; its best CPU time counts, and of all
rounds the best. The last column is new / old: above 1.05 something became slower. The jobs use
only calls that both versions have.
"""

import argparse
import json
import os
import subprocess
import sys

PRELUDE = """
import json, sys, tempfile, time, os
from pathlib import Path
import numpy as np
import zermelo as zm
def graph_of(made):
    return made if isinstance(made, zm.Graph) else made.graph
def best(job, repeat=5, least=0.5):
    job()
    times, begun = [], time.process_time()
    while len(times) < repeat or time.process_time() - begun < least:
        t = time.process_time()
        job()
        times.append(time.process_time() - t)
    print(json.dumps(min(times)))
def random(n, degree, seed=1):
    return graph_of(zm.generators.random_graph(n, degree=degree, seed=seed))
def fresh(g):
    return zm.Graph.from_csr(g.indptr, g.indices, g.owner)
"""

ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": str(2**28),
    "MALLOC_TRIM_THRESHOLD_": str(2**30),
    "MALLOC_TOP_PAD_": str(2**28),
}
"""The C library decides by what a process allocated before whether freed memory goes back to the
system, and taking it again costs a quarter of a short job. With these settings memory stays."""

JOBS = {
    "normal play, 10^6": "g = random(10**6, 3)\nbest(lambda: zm.solve(fresh(g)))",
    "asymmetric, 10^6": "g = random(10**6, 3)\nbest(lambda: zm.solve(fresh(g), zm.Asymmetric()))",
    "moves of a solution": "g = random(10**6, 3)\ns = zm.solve(g)\n"
    "best(lambda: type(s).move.func(s))",
    "verify normal play": "g = random(3 * 10**5, 3)\ns = zm.solve(g)\nbest(lambda: s.verify())",
    "bisimulation": "g = random(10**5, 3)\nbest(lambda: zm.bisimulation(fresh(g)))",
    "loopy Grundy values": "g = random(3 * 10**5, 3)\nbest(lambda: zm.grundy(fresh(g)))",
    "heap values 0.007": "best(lambda: zm.heap('0.007').nim_sequence(20000, proofs=False))",
    "matching, 10^5": """
r = np.random.default_rng(1)
a, b = r.integers(0, 10**5, (2, 2 * 10**5))
g = zm.Graph.from_arrays(np.concatenate([a, b]), np.concatenate([b, a]), 10**5)
best(lambda: zm.maximum_matching(fresh(g)))""",
    "no return, n = 30": """
gs = [graph_of(zm.generators.random_graph(30, degree=3, law="regular", seed=k)) for k in range(12)]
best(lambda: [zm.solve(g, zm.NoReturn(), start=0) for g in gs])""",
    "domineering 4x5": """
from zermelo.partizan.store import STORE
best(lambda: (STORE.clear(), zm.game_value(zm.game("domineering:4x5"))))""",
    "sums of values": """
from zermelo.partizan.store import STORE
def job():
    STORE.clear()
    total = zm.value("0")
    for text in ("{2|*||-1}", "{1||0|-3}", "{3|1||-2}", "{1/2|^}", "{0|v*}"):
        total = total + zm.value(text)
    return str(total)
best(job)""",
    "explore connect4:4x4": """
rules = zm.game("connect4:4x4")
best(lambda: zm.explore(rules), 3)""",
    "build chess:KRvK": """
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "t.zt"
    def job():
        path.unlink(missing_ok=True)
        zm.build("chess:KRvK", path).close()
    best(job, 3)""",
    "build dao": """
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "t.zt"
    def job():
        path.unlink(missing_ok=True)
        zm.build("dao", path).close()
    best(job, 3)""",
    "probe chess:KRvK": """
with tempfile.TemporaryDirectory() as folder:
    table = zm.build("chess:KRvK", Path(folder) / "t.zt")
    found = list(table.sample(300))
    best(lambda: [table.probe(x).best_moves for x in found])
    table.close()""",
}
for solver in ("auto", "zielonka", "priority-promotion", "tangle-learning", "fixpoint",
               "strategy-improvement"):  # fmt: skip
    JOBS[f"parity {solver}, 10^5"] = f"""
g, o = zm.generators.parity_random(10**5, priorities=20, out_low=2, out_high=10, seed=1)
best(lambda: zm.solve(fresh(g), o, solver="{solver}"), 3)"""
JOBS["parity auto, ladder 10^6"] = """
g, o = zm.generators.ladder(5 * 10**5)
best(lambda: zm.solve(fresh(g), o), 3)"""
JOBS["Büchi, 10^6"] = """
g, o = zm.generators.parity_random(10**6, priorities=2, out_low=1, out_high=5, seed=1)
b = zm.Buchi(np.flatnonzero(np.arange(g.n) % 3 == 0))
best(lambda: zm.solve(fresh(g), b), 3)"""
JOBS["read .pg"] = """
g, o = zm.generators.parity_random(10**5, priorities=20, out_low=2, out_high=10, seed=1)
with tempfile.TemporaryDirectory() as folder:
    zm.write(zm.Game(g, o), Path(folder) / "g.pg")
    best(lambda: zm.read(Path(folder) / "g.pg"))"""

STARTS = {
    "import zermelo": "import zermelo",
    "zermelo solve, 100 positions": """
import sys, tempfile
from pathlib import Path
path = Path(tempfile.gettempdir()) / "zermelo-compare.txt"
path.write_text("".join(f"{v} {v + 1}\\n" for v in range(100)))
sys.argv = ["zermelo", "solve", str(path), "--start", "0"]
import os
sys.stdout = open(os.devnull, "w")
from zermelo_command import main
try:
    main()
except SystemExit:
    pass
""",
}


def cpu_time(source: str, code: str) -> float:
    """The CPU seconds of a whole process."""
    before = os.times()
    run(source, code)
    after = os.times()
    return (
        after.children_user
        + after.children_system
        - (before.children_user + before.children_system)
    )


def run(source: str, code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": source, **ALLOCATOR}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{source}: {done.stderr[-800:]}")
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    wanted = [x for x in args.only.split(",") if x]
    print(f"{'job':32s} {'old, ms':>10s} {'new, ms':>10s} {'new/old':>8s}")
    for name, code in {**JOBS, **STARTS}.items():
        if wanted and not any(x in name for x in wanted):
            continue
        times: dict[str, list[float]] = {args.old: [], args.new: []}
        for _ in range(args.rounds * (4 if name in STARTS else 1)):
            for source, found in times.items():
                if name in STARTS:
                    found.append(cpu_time(source, code))
                else:
                    found.append(json.loads(run(source, PRELUDE + code)))
        old, new = min(times[args.old]), min(times[args.new])
        print(f"{name:32s} {1000 * old:10.1f} {1000 * new:10.1f} {new / old:8.2f}", flush=True)


if __name__ == "__main__":
    main()
