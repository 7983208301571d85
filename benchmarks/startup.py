"""What the README's commands cost from the shell: at their first use, and later.

    python benchmarks/startup.py

Each command runs in a process of its own. At its *first use* the cache of compiled kernels is
empty, so the process compiles what it needs; the column ``compiling`` is the part of the time that
this takes. *Later* figures are the least of several runs with the cache that the first run left. On
a busy machine the seconds of the processor (``CPU``) say more than those of the clock (``wall``).
The peer is a process that imports NumPy only.

A later run links its kernels with llvmlite. Importing llvmlite costs about 0.03 s of the processor:
a parity game of 100,000 positions takes 0.30 s of CPU in one command, and it took 0.27 s with a
linker of our own; a table of KQvK takes 0.86 s instead of 0.83 s (the least of nine runs).

The last lines are for parity games of 100,000 positions: one file in one command, eight files in
one command (seconds a file), and the plain C++ program of ``parity.py``, which reads and solves
one.

With ``--kernels`` a second table has every kernel that was compiled at a first use, and how long it
took.
"""

import argparse
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for block in BLOCKS
    for line in block.splitlines()
    if not line.startswith("zermelo warm")
]
"""The commands of the README, but for ``warm``, which is to compile."""

SMALL, FILES = 100_000, 8
"""Positions of a small parity game, and the number of such files in one command."""

RUN = """
import atexit, json, sys
from zermelo._runtime import progress
from zermelo.cli.main import main
report = sys.argv.pop()
atexit.register(lambda: open(report, "w").write(json.dumps([list(w) for w in progress.waits])))
main()
"""
"""Run a command, and write which kernels it has compiled to a file."""


def run(command: list[str], folder: Path, cache: Path) -> tuple[float, float]:
    """Seconds of the clock and of the processor."""
    environment = {**os.environ, "ZERMELO_CACHE_DIR": str(cache)}
    used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, cwd=folder, env=environment, input=b"quit\n",
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    wall, now = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="runs after the first use")
    parser.add_argument("--kernels", action="store_true", help="show every compiled kernel")
    args = parser.parse_args()
    python, compiled = sys.executable, []
    print(f"{'':52} {'first use':^30} {'later':^15}")
    print(f"{'command':52} {'wall':>8} {'CPU':>8} {'compiling':>12} {'wall':>8} {'CPU':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        report = folder / "waits.json"
        rows = [("python -c 'import numpy'", [python, "-c", "import numpy"])]
        rows += [
            (f"zermelo {shlex.join(words)}", [python, "-c", RUN, *words, str(report)])
            for words in COMMANDS
        ]
        for k, (text, command) in enumerate(rows):
            cache = folder / f"cache{k}"
            report.write_text("[]")
            wall, cpu = run(command, folder, cache)
            waits = json.loads(report.read_text())
            compiled += [(text, kernel, seconds) for kernel, seconds in waits]
            share = sum(seconds for _, seconds in waits)
            later = [run(command, folder, cache) for _ in range(args.repeat)]
            again, again_cpu = (min(x[i] for x in later) for i in (0, 1))
            shown = text if len(text) <= 52 else text[:51] + "…"
            print(
                f"{shown:52} {wall:6.2f} s {cpu:6.2f} s {share:6.2f} s {share / wall:3.0%} "
                f"{again:6.2f} s {again_cpu:5.2f} s",
                flush=True,
            )
        show_small(folder, args.repeat)
    if args.kernels:
        print(f"\n{'kernel':40} {'seconds':>7}  compiled for")
        for text, kernel, seconds in sorted(compiled, key=lambda row: -row[2]):
            print(f"{kernel:40} {seconds:7.2f}  {text}")


def show_small(folder: Path, repeat: int) -> None:
    """Small parity games: one file, several files, and the C++ program."""
    zermelo = [str(Path(sys.executable).with_name("zermelo"))]
    files, cache = [f"small{k}.pg" for k in range(FILES)], folder / "cache-small"
    for k, file in enumerate(files):
        words = ["parity-random", f"n={SMALL}", "priorities=20", "--seed", str(k), file]
        run([*zermelo, "generate", *words], folder, cache)
    program = folder / "baseline"
    source = Path(__file__).with_name("parity_baseline.cpp")
    subprocess.run(["g++", "-O3", "-march=native", "-o", program, source], check=True)
    jobs = [
        ("one file", [*zermelo, "solve", files[0], "-o", "small.sol", "--force"], 1),
        (f"{FILES} files", [*zermelo, "solve", *files, "--output-dir", "small", "--force"], FILES),
        ("plain C++, one file, no solution written", [str(program), files[0]], 1),
    ]
    for text, command, count in jobs:
        run(command, folder, cache)
        later = [run(command, folder, cache) for _ in range(2 * repeat)]
        wall, cpu = (min(x[i] for x in later) / count for i in (0, 1))
        print(f"{text:52} {'':30} {wall:6.2f} s {cpu:5.2f} s")


if __name__ == "__main__":
    main()
