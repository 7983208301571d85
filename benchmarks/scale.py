"""Games larger than memory: what the engine `disk` costs, compared with `memory`.

    python benchmarks/scale.py [--sizes 10000000,100000000] [--degree 1.5] [--memory 2GiB]
        [--engines memory,disk] [--workdir DIR] [--verify] [--json FILE]

For each size a random graph is written in shards, piece by piece. Then each engine does the whole
job in a process of its own: it reads the shards, solves normal play, and writes labels, distances
and best moves to files. ``solve`` is the time without reading and writing files of the user (for
`disk`: until values and distances are known). Times are wall time and seconds of the processor;
``ratio`` is that of processor seconds to those of `memory`. ``peak`` is the largest resident memory
of the process (VmHWM), in which mapped files count. ``read`` and ``written`` are bytes a position
that the process asked the system for, ``disk read`` and ``disk written`` those that went to the
disk; the page cache of the system takes the rest. Labels, distances and moves of all engines must
be the same bytes. ``--verify`` also checks the solution in shards, within the same budget.

``benchmarks/scale_dask.py`` measures a layer on the engine `dask`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from hashlib import blake2b
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

SHARD = 1 << 21
"""Positions of a shard."""

RESULTS = ("label", "distance", "move")


# -------------------------------------------------------------------- the graph


def write_graph(folder, n, degree, seed=0):
    """Write a random graph in shards, of which only one is in memory at a time.

    Each position draws some targets among all positions, and keeps each draw with a probability, so
    that it has ``degree`` moves on average; equal ones count once.
    """
    from zermelo.formats.binary.npz import save_arrays
    from zermelo.formats.binary.shards import FORMAT, MANIFEST, VERSION

    folder.mkdir()
    entries, draws = [], max(1, round(2 * degree))
    for k, first in enumerate(range(0, n, SHARD)):
        size = min(SHARD, n - first)
        rng = np.random.default_rng([seed, k])
        targets = rng.integers(0, n, (size, draws), np.int32)
        targets[rng.random((size, draws), np.float32) * draws >= degree] = n
        targets.sort(axis=1)
        kept = targets < n
        kept[:, 1:] &= targets[:, 1:] != targets[:, :-1]
        indptr = np.zeros(size + 1, np.int64)
        np.cumsum(kept.sum(axis=1), out=indptr[1:])
        targets = targets[kept]
        content = save_arrays({"indptr": indptr, "indices": targets}, "{}")
        name = f"part-{k:05d}.npz"
        (folder / name).write_bytes(content)
        entries.append(
            {
                "file": name,
                "positions": size,
                "moves": int(targets.size),
                "checksum": zlib.crc32(content),
            }
        )
    record = {
        "format": FORMAT,
        "version": VERSION,
        "positions": n,
        "owned": False,
        "objective": {"objective": "normal"},
        "shards": entries,
    }
    (folder / MANIFEST).write_text(json.dumps(record))
    return sum(entry["moves"] for entry in entries)


# -------------------------------------------------------------------- one run in its own process


def transferred():
    """Bytes that this process has asked for and bytes that went to the disk, as four numbers."""
    try:
        text = Path("/proc/self/io").read_text()
    except OSError:
        return [0, 0, 0, 0]
    found = dict(re.findall(r"(\w+): (\d+)", text))
    return [int(found[key]) for key in ("rchar", "wchar", "read_bytes", "write_bytes")]


def resident_peak():
    """Bytes that this process has held at most; 0 if unknown."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


class Clock:
    """Wall time and processor time since its beginning."""

    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self):
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def in_memory(folder, output, _options):
    """Read the shards into memory, solve, and write an archive."""
    import zermelo as zm

    game = zm.read(folder)
    clock = Clock()
    solution = zm.solve(game, solver="retrograde")
    solved = clock.read()
    zm.write(solution, output / "solution.npz")
    return solved, lambda name: [getattr(solution, name)]


def on_disk(folder, output, options):
    """Solve shards into shards within a budget."""
    import zermelo as zm
    from zermelo.engines import shard_solution

    clock, solved = Clock(), []
    write_results = shard_solution._write_results

    def after_the_waves(*arguments):
        solved.append(clock.read())
        write_results(*arguments)

    shard_solution._write_results = after_the_waves
    solution = zm.solve_shards(folder, output / "solved", memory=options["memory"], workdir=output)
    return solved[0], lambda name: (piece[name] for piece in solution.pieces())


ENGINES = {"memory": in_memory, "disk": on_disk}


def measure(engine, folder, output, options):
    """Run one engine; print a line of JSON with what it took and the digests of its results."""
    before, clock = transferred(), Clock()
    (solve_wall, solve_cpu), array = ENGINES[engine](folder, output, options)
    wall, cpu = clock.read()
    moved = [after - start for after, start in zip(transferred(), before, strict=True)]
    record = {
        "wall": wall,
        "cpu": cpu,
        "solve_wall": solve_wall,
        "solve_cpu": solve_cpu,
        "peak": resident_peak(),
        "moved": moved,
    }
    record["digests"] = {name: digest(array(name)) for name in RESULTS}
    print(json.dumps(record))


def verify(folder, solved, options):
    """Check a solution in shards; print a line of JSON."""
    import zermelo as zm

    before, clock = transferred(), Clock()
    zm.ShardedSolution(solved).verify(folder, memory=options["memory"])
    wall, cpu = clock.read()
    moved = [after - start for after, start in zip(transferred(), before, strict=True)]
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": resident_peak(), "moved": moved}))


def digest(arrays):
    """A fingerprint of an array that comes in pieces."""
    h = blake2b(digest_size=16)
    for array in arrays:
        h.update(np.ascontiguousarray(array).data)
    return h.hexdigest()


def child(*arguments):
    """Call this script again with these arguments, and read its line of JSON."""
    run = [sys.executable, __file__, "--child", *(str(x) for x in arguments)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(run)}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


# -------------------------------------------------------------------- tables


def compare(sizes, engines, options, parent):
    """Run all engines on graphs of these sizes, and print a table."""
    print(
        "| positions | moves | engine | wall | processor | solve alone | ratio | peak | read "
        "| written | disk read | disk written |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    records = []
    for n in sizes:
        with tempfile.TemporaryDirectory(dir=parent) as scratch:
            folder = Path(scratch) / "game"
            m = write_graph(folder, n, options["degree"])
            records += compare_one(n, m, folder, engines, options)
    return records


def compare_one(n, m, folder, engines, options):
    """One size."""
    records, first = [], {}
    for engine in engines:
        output = folder.parent / engine
        output.mkdir()
        took = child(engine, folder, output, json.dumps(options))
        first.setdefault("digests", took["digests"])
        if took["digests"] != first["digests"]:
            sys.exit(f"{engine}: {n:,} positions: the results differ from those of {engines[0]}")
        if engine == "memory":
            first["cpu"] = took["cpu"]
        ratio = f"{took['cpu'] / first['cpu']:.2f}" if "cpu" in first else "—"
        moved = " | ".join(f"{x / n:.1f}" for x in took["moved"])
        print(
            f"| {n:,} | {m:,} | {engine} | {took['wall']:.1f} s | {took['cpu']:.1f} s "
            f"| {took['solve_cpu']:.1f} s | {ratio} | {took['peak'] / 1e6:,.0f} MB | {moved} |",
            flush=True,
        )
        records.append({"positions": n, "moves": m, "engine": engine, **took})
        if engine == "disk" and options["verify"]:
            took = child("verify", folder, output / "solved", json.dumps(options))
            moved = " | ".join(f"{x / n:.1f}" for x in took["moved"])
            print(
                f"| {n:,} | {m:,} | verify | {took['wall']:.1f} s | {took['cpu']:.1f} s "
                f"| — | — | {took['peak'] / 1e6:,.0f} MB | {moved} |",
                flush=True,
            )
            records.append({"positions": n, "moves": m, "engine": "verify", **took})
        shutil.rmtree(output)
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000000,100000000", help="numbers of positions")
    parser.add_argument("--degree", type=float, default=1.5, help="draws of targets a position")
    parser.add_argument("--memory", default="2GiB", help="the budget of `disk`")
    parser.add_argument("--engines", default="memory,disk")
    parser.add_argument("--workdir", default=None, help="a directory on a local disk")
    parser.add_argument("--verify", action="store_true", help="check the solution in shards, too")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        name, folder, output, options = given.child
        if name == "verify":
            verify(Path(folder), Path(output), json.loads(options))
        else:
            measure(name, Path(folder), Path(output), json.loads(options))
        return
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"{os.cpu_count()} processors, load {load}\n")
    options = {"memory": given.memory, "degree": given.degree, "verify": given.verify}
    sizes = [int(size) for size in given.sizes.split(",")]
    records = compare(sizes, given.engines.split(","), options, given.workdir)
    if given.json:
        given.json.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()
