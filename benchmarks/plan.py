"""Plans compared with real runs: what was predicted, what it took, and their ratio.

    python benchmarks/plan.py [--sizes 1e6,1e7] [--games NAME ...] [--memory SIZE] [--json FILE]
    python benchmarks/plan.py --sizes 1e8 --games --memory 2G     # 10 GB of memory, 4 GB of disk
    python benchmarks/plan.py --engines dask --games              # a local cluster, one node
    python benchmarks/plan.py --sizes '' --on-disk --games chess:KQvKR --memory 130M

Random graphs with four moves a position on average are solved in memory and from disk, and tables
of games are built in memory. Every run is a process of its own, after a small run that loads the
kernels. ``core s`` compares the predicted time of all cores with the processor time of the process,
which other jobs of the machine disturb less than the time on the clock. ``MB`` is the peak of the
arrays of a table, else the growth of the resident memory of the process; for the disk it includes
mapped pages. ``files MB`` is the largest size of the directory of the job. A graph of 10^8
positions is made and held in memory even if it is solved from disk, so its own size is subtracted.
On a cluster, memory and processor time are those of the processes that the driver has started,
without what the cluster takes for a game of a few positions.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

GAMES = ("connect4:5x4", "teeko", "chess:KQvKR", "connect4:5x5")
DEGREE = 4.0


def status(key):
    """A line of the status of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


def children():
    """Resident bytes and processor seconds of all processes that this one has started."""
    import psutil

    resident, seconds = 0, 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
            resident += process.memory_info().rss
            seconds += times.user + times.system
        except psutil.Error:
            continue
    return resident, seconds


class Watch(threading.Thread):
    """Notes the largest size of a directory, and the largest resident memory.

    On a cluster it notes these of the processes that this one has started, and their seconds.
    """

    def __init__(self, folder, cluster=False):
        super().__init__(daemon=True)
        self.folder, self.files, self.resident, self.ended = Path(folder), 0, 0, False
        self.cluster, self.cpu = cluster, 0.0

    def run(self):
        while not self.ended:
            size = 0
            for path in self.folder.rglob("*"):
                try:
                    size += path.stat().st_size
                except OSError:
                    continue
            self.files = max(self.files, size)
            if self.cluster:
                resident, seconds = children()
                self.resident, self.cpu = max(self.resident, resident), max(self.cpu, seconds)
            else:
                self.resident = max(self.resident, status("VmRSS"))
            time.sleep(0.02)


def measure_graph(n, engine, memory):
    """Solve a random graph; print what was planned and what it took, as a line of JSON."""
    import zermelo as zm

    small = zm.generators.random_graph(200_000, DEGREE, seed=1).graph
    options = {} if engine == "memory" else {"engine": engine, "partitions": 2}
    zm.solve(small, **options)
    machine = zm.plan(small, memory=memory).machine
    game = zm.generators.random_graph(n, DEGREE, seed=2)
    plan = zm.plan(game, machine=machine, memory=memory)
    row = plan.engine(engine)
    with tempfile.TemporaryDirectory() as folder:
        if engine == "disk":
            options = {"engine": "disk", "memory": memory or machine.memory * 3 // 4,
                       "workdir": folder}  # fmt: skip
        before, idle = status("VmRSS"), 0.0
        if engine == "dask":
            options = {"engine": "dask", "workdir": folder}
            before, idle = of_an_idle_cluster(folder)
        watch = Watch(folder, engine == "dask")
        watch.start()
        begun, cpu = time.perf_counter(), time.process_time()
        solution = zm.solve(game, **options)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        watch.ended = True
        watch.join()
        cpu += watch.cpu - idle
    count = int(solution.distance.max()) + 1
    own = game.graph.nbytes if engine == "memory" else 0
    print(json.dumps({
        "job": f"random graph {n:.0e}", "engine": engine, "layers": count,
        "positions": [plan.positions, game.graph.n], "moves": [plan.moves, game.graph.m],
        "memory": [row.memory - own, watch.resident - before],
        "files": [row.disk, watch.files],
        "seconds": [row.seconds + count * row.layer_seconds, took],
        "core": [row.seconds * (machine.cores if engine == "dask" else 1)
                 + count * row.layer_seconds, cpu],
        "partitions": [row.partitions, solution.stats.get("partitions", 1)],
    }))  # fmt: skip


def of_an_idle_cluster(folder):
    """Memory and processor seconds of a local cluster that solves a tiny game."""
    import zermelo as zm

    watch = Watch(folder, True)
    watch.start()
    zm.solve(zm.generators.random_graph(100, DEGREE, seed=1).graph, engine="dask", workdir=folder)
    watch.ended = True
    watch.join()
    return watch.resident, watch.cpu


def measure_game(name, memory):
    """Solve a game into a table in memory; print what was planned and what it took."""
    import zermelo as zm
    from zermelo.rules.base import as_rules
    from zermelo.rules.loading.load import load_rules
    from zermelo.tables.solving.prepare import prepare
    from zermelo.tables.solving.solve import solve_rules

    rules = as_rules(load_rules(name))
    prepare(rules)
    plan = zm.plan(rules, memory=memory)
    row = plan.engine("memory")
    begun, cpu = time.perf_counter(), time.process_time()
    solved = solve_rules(rules)
    took, cpu = time.perf_counter() - begun, time.process_time() - cpu
    layers = solved.stats["longest"] + 1
    print(json.dumps({
        "job": name, "engine": "memory", "layers": layers,
        "positions": [plan.positions, int((solved.entry != 0).sum())], "moves": [plan.moves, None],
        "memory": [row.memory, solved.stats["peak_bytes"]], "files": [0, 0],
        "seconds": [row.seconds + layers * row.layer_seconds, took],
        "core": [(row.seconds + layers * row.layer_seconds) * plan.machine.cores, cpu],
        "partitions": [1, 1],
    }))  # fmt: skip


def measure_game_on_disk(name, memory):
    """Build a table from disk; print what was planned and what it took."""
    import zermelo as zm

    plan = zm.plan(name, memory=memory)
    row = plan.engine("disk")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as target:
        options = {"engine": "disk", "workdir": folder, "memory": memory or "1GB"}
        before = status("VmRSS")
        watch = Watch(folder)
        watch.start()
        begun, cpu = time.perf_counter(), time.process_time()
        with zm.build(name, f"{target}/game.zt", **options) as table:
            positions = len(table)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        watch.ended = True
        watch.join()
    print(json.dumps({
        "job": name, "engine": "disk", "layers": 0,
        "positions": [plan.positions, positions], "moves": [plan.moves, None],
        "memory": [row.memory, watch.resident - before], "files": [row.disk, watch.files],
        "seconds": [row.seconds, took], "core": [row.seconds, cpu],
        "partitions": [row.partitions, None],
    }))  # fmt: skip


def run(*arguments):
    """Run one measurement in a process of its own."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"job": " ".join(arguments), "error": done.stderr.strip().splitlines()[-1:]}
    return json.loads(done.stdout.splitlines()[-1])


def show(found):
    """A line of the table: predicted, real and ratio of each."""
    if "error" in found:
        return f"{found['job']}: {found['error']}"
    parts = [f"{found['job']:<20} {found['engine']:<7}{found['layers']:>6}"]
    for key, unit in (
        ("positions", 1e6),
        ("memory", 1e6),
        ("files", 1e6),
        ("seconds", 1),
        ("core", 1),
    ):
        predicted, real = found[key]
        ratio = f"{predicted / real:.2f}" if real else "-"
        parts.append(f"{predicted / unit:>10.2f}{real / unit:>10.2f}{ratio:>6}")
    return " |".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1e6,1e7")
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--engines", nargs="*", default=["memory", "disk"])
    parser.add_argument("--memory")
    parser.add_argument("--json")
    parser.add_argument("--graph", nargs=2)
    parser.add_argument("--game")
    parser.add_argument("--on-disk", action="store_true", help="build tables of games from disk")
    given = parser.parse_args()
    if given.graph:
        measure_graph(int(float(given.graph[0])), given.graph[1], given.memory)
        return
    if given.game:
        measure = measure_game_on_disk if given.on_disk else measure_game
        measure(given.game, given.memory)
        return
    more = ["--memory", given.memory] if given.memory else []
    how = ["--on-disk"] if given.on_disk else []
    heads = "".join(f" |{key:>10}{'real':>10}{'ratio':>6}" for key in
                    ("positions", "MB", "files MB", "s", "core s"))  # fmt: skip
    print(f"{'job':<20} {'engine':<7}{'layers':>6}{heads}")
    results = []
    for size in filter(None, given.sizes.split(",")):
        for engine in given.engines:
            results.append(run("--graph", size, engine, *more))
            print(show(results[-1]), flush=True)
    for name in given.games:
        results.append(run("--game", name, *how, *more))
        print(show(results[-1]), flush=True)
    if given.json:
        Path(given.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
