"""What a layer costs on a cluster, beside what a user of Dask would write instead.

    python benchmarks/scale_dask.py [--positions 1000000] [--moves 4000000] [--workers 1,2]
        [--rounds 3] [--bag 20000] [--frame 1000000] [--game connect4:5x4] [--only-game]

A random graph of normal play is solved by the engine `dask` on a cluster of this machine, with one
thread for each worker. ``CPU`` is the processor time of the driver, the scheduler and all workers
together, ``wall`` is the time of the clock; both are for one layer, without the files that are
prepared before the first layer. Bytes are those of the messages between partitions, for each move
of the graph: as they are sent, and as they would be if messages to one situation were not added up.

There are two games. ``cyclic`` has random moves, so most positions are drawn, and few moves carry a
message. In ``acyclic`` moves lead to larger numbers only, so every move is handled.

Then the positions of a game that is given by rules are found, and its partitions prepared, by one
process within a budget (as the engine `disk` does it) and by the workers.

The layers of the first game are then computed with ``dask.dataframe`` (moves and states are joined
in each layer) and with ``dask.bag`` (a function for each move, and a fold for each position). These
are cut off after a few layers, and the bag has a smaller graph, because they would take too long.
"""

import argparse
import logging
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import zermelo as zm
from zermelo.engines.cluster import solve as on_cluster
from zermelo.engines.cluster.preparing_driver import prepared_on_cluster
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions import solve as on_disk
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.messages import MESSAGE_BYTES
from zermelo.engines.partitions.solve import DiskEngine, prepared
from zermelo.tables.storage.save import header_of

LAYERS = 3
"""The layers that Dask's own collections compute."""


def random_graph(n, m, game="cyclic", seed=1):
    rng = np.random.default_rng(seed)
    sources, targets = rng.integers(0, n, m), rng.integers(0, n, m)
    if game == "acyclic":
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
        sources, targets = sources[sources < targets], targets[sources < targets]
    return zm.Graph.from_arrays(sources, targets, n)


class Clock:
    """Wall time and processor time of this process and its children."""

    def __init__(self):
        me = psutil.Process()
        self.processes = [me, *me.children(recursive=True)]
        self.begun = (time.perf_counter(), self._cpu())

    def _cpu(self):
        return sum(sum(process.cpu_times()[:2]) for process in self.processes)

    def read(self):
        """Seconds of the clock and of the processor since the beginning."""
        return time.perf_counter() - self.begun[0], self._cpu() - self.begun[1]


def solve(game, graph, client, workers, rounds):
    """Solve a game several times on a cluster; the costs of a layer in the best round."""
    best, run = None, on_disk.run

    def timed(terms, executor):
        nonlocal best
        clock = Clock()
        layers = run(terms, executor)
        wall, cpu = (1000 * seconds / layers for seconds in clock.read())
        best = (cpu, wall, layers) if best is None else min(best, (cpu, wall, layers))
        return layers

    on_disk.run = timed
    try:
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(rounds):
                begun = time.perf_counter()
                ours = on_cluster.solve_on_cluster(
                    graph, zm.NormalPlay(), scheduler=client, workdir=folder, partitions=2
                )
                total = time.perf_counter() - begun
    finally:
        on_disk.run = run
    wanted = zm.solve(graph)
    for name in ("label", "distance", "move"):
        assert getattr(ours, name).tobytes() == getattr(wanted, name).tobytes()
    cpu, wall, layers = best
    stats = ours.stats
    print(f"engine dask, {game}, {workers} workers: {layers} layers, CPU {cpu:.1f} ms and wall "
          f"{wall:.1f} ms a layer; the whole job {total:.2f} s")  # fmt: skip
    print(f"    messages: {stats['message_bytes'] / graph.m:.3f} bytes a move, without adding up "
          f"{MESSAGE_BYTES * stats['messages'] / graph.m:.3f}")  # fmt: skip


def explore(name, client, workers, rounds):
    """Find the positions of a game and prepare its partitions; without a client, by this process.

    The first round is not counted, because it may compile.
    """
    rules = zm.game(name)
    budget, best = Budget.of(None), None
    for k in range(rounds + 1):
        header = header_of(rules, None, True)
        with tempfile.TemporaryDirectory() as folder:
            source = RulesSource(rules, None, True, header)
            engine = DiskEngine(partitions=2, workdir=folder)
            if client is not None:
                engine = on_cluster.ClusterEngine(scheduler=client, partitions=2, workdir=folder)
            with engine.open_job(source) as job, engine.connected():
                clock = Clock()
                source.explore(job, partial(engine.exploration, job))
                exploring = clock.read()
                clock = Clock()
                if client is None:
                    prepared(job, source, budget, 2, None)
                else:
                    prepared_on_cluster(job, source, engine.connection, budget, 2)
                took = (exploring[1], *exploring, *clock.read())
        best = took if best is None or k == 1 else min(best, took)
    _, wall, cpu, prepare_wall, prepare_cpu = best
    who = "one process" if client is None else f"{workers} workers"
    exploring = f"exploring CPU {cpu:.1f} s and wall {wall:.1f} s"
    preparing = f"preparing CPU {prepare_cpu:.1f} s and wall {prepare_wall:.1f} s"
    print(f"{name}, {who}: {source.n:,} positions, {exploring}, {preparing}")


def with_frames(graph, workers):
    """Layers of normal play as joins of data frames."""
    import dask.dataframe as dd
    import pandas as pd

    source = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    moves = dd.from_pandas(
        pd.DataFrame({"source": source, "target": graph.indices}), npartitions=2 * workers
    ).persist()
    degree = np.diff(graph.indptr)
    states = dd.from_pandas(
        pd.DataFrame({"position": np.arange(graph.n), "left": degree,
                      "label": np.where(degree == 0, -1, 0)}), npartitions=2 * workers,
    ).persist()  # fmt: skip
    front = states[states.label != 0][["position", "label"]].persist()
    clock = Clock()
    for _ in range(LAYERS):
        hits = moves.merge(front, left_on="target", right_on="position")
        counts = hits.groupby("source").label.agg(["min", "count"]).reset_index()
        joined = states.merge(counts, left_on="position", right_on="source", how="left")

        def settle(frame):
            undecided = (frame.label == 0) & frame["count"].notna()
            wins = undecided & (frame["min"] < 0)
            left = frame.left - frame["count"].fillna(0).where(undecided & ~wins, 0)
            loses = undecided & ~wins & (left <= 0)
            label = frame.label.mask(wins, 1).mask(loses, -1)
            return pd.DataFrame({"position": frame.position, "left": left, "label": label,
                                 "fresh": wins | loses})  # fmt: skip

        settled = joined.map_partitions(settle).persist()
        front = settled[settled.fresh][["position", "label"]].persist()
        states = settled[["position", "left", "label"]]
        len(front)
    wall, cpu = (1000 * seconds / LAYERS for seconds in clock.read())
    print(f"dask.dataframe, {workers} workers, {graph.n:,} positions: CPU {cpu:.0f} ms and wall "
          f"{wall:.0f} ms a layer (the first {LAYERS} layers)")  # fmt: skip


def with_bags(graph, workers):
    """Layers of normal play as folds of bags."""
    import dask.bag as db

    source = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    pairs = list(zip(source.tolist(), graph.indices.tolist(), strict=True))
    moves = db.from_sequence(pairs, npartitions=2 * workers).persist()
    left = np.diff(graph.indptr)
    label = np.where(left == 0, -1, 0)
    front = dict.fromkeys(np.flatnonzero(label).tolist(), -1)
    clock = Clock()
    for _ in range(LAYERS):

        def hits(pair, front):
            return [(pair[0], front[pair[1]])] if pair[1] in front else []

        def add(total, hit):
            return (min(total[0], hit[1]), total[1] + 1)

        def merge(a, b):
            return (min(a[0], b[0]), a[1] + b[1])

        counts = moves.map(hits, front=front).flatten()
        counts = counts.foldby(lambda hit: hit[0], add, (1, 0), merge, (1, 0)).compute()
        front = {}
        for v, (least, count) in counts:
            if label[v]:
                continue
            left[v] -= 0 if least < 0 else count
            if least < 0 or left[v] <= 0:
                label[v] = front[v] = 1 if least < 0 else -1
    wall, cpu = (1000 * seconds / LAYERS for seconds in clock.read())
    print(f"dask.bag, {workers} workers, {graph.n:,} positions: CPU {cpu:.0f} ms and wall "
          f"{wall:.0f} ms a layer (the first {LAYERS} layers)")  # fmt: skip


def local(workers):
    """A cluster on this machine."""
    from distributed import LocalCluster

    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None,
                        silence_logs=logging.ERROR)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=10**6)
    parser.add_argument("--moves", type=int, default=4 * 10**6)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bag", type=int, default=20_000, help="positions of the bag")
    parser.add_argument("--frame", type=int, default=10**6, help="positions of the data frames")
    parser.add_argument("--game", default="connect4:5x4", help="a game given by compiled rules")
    parser.add_argument("--only-game", action="store_true", help="explore this game, nothing else")
    given = parser.parse_args()
    from distributed import Client

    warnings.simplefilter("ignore")  # Dask warns of large graphs
    logging.getLogger("distributed").setLevel(logging.ERROR)
    explore(given.game, None, 0, given.rounds)
    if given.only_game:
        for workers in map(int, given.workers.split(",")):
            with local(workers) as cluster, Client(cluster) as client:
                explore(given.game, client, workers, given.rounds)
        return
    degree = given.moves // given.positions
    graphs = {
        game: random_graph(given.positions, given.moves, game) for game in ("cyclic", "acyclic")
    }
    for game, graph in graphs.items():
        zm.solve(graph)
        begun = time.perf_counter()
        solution = zm.solve(graph)
        seconds = time.perf_counter() - begun
        print(f"memory, {game}: {graph.n:,} positions, {graph.m:,} moves, {seconds:.2f} s, largest "
              f"distance {solution.distance.max()}")  # fmt: skip
    for workers in map(int, given.workers.split(",")):
        with local(workers) as cluster, Client(cluster) as client:
            explore(given.game, client, workers, given.rounds)
            for game, graph in graphs.items():
                solve(game, graph, client, workers, given.rounds)
            with_frames(random_graph(given.frame, degree * given.frame), workers)
            with_bags(random_graph(given.bag, degree * given.bag), workers)


if __name__ == "__main__":
    main()
