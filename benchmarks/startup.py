"""What the README's commands cost from the shell: at their first use, and later.

    python benchmarks/startup.py

Each command runs in a process of its own. At its *first use* the cache of compiled kernels is
empty, so the process compiles what it needs; the column ``compiling`` is the part of the time that
this takes. *Later* figures are the least of several runs with the cache that the first run left. On
a busy machine the seconds of the processor (``CPU``) say more than those of the clock (``wall``).
The peer is a process that imports NumPy only.

With ``--kernels`` a second table has every kernel that was compiled at a first use, and how long it
took.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "pong_hau_ki.txt"

COMMANDS = [
    "solve pong_hau_ki.txt --start xx.oo --verify",
    "solve game.txt --start xx.oo",
    "solve game.txt --explain xo.xo",
    "solve game.txt -o game.sol.json --force",
    "verify game.txt game.sol.json",
    "draw game.txt game.svg --force",
    "value '{3|1||-2} + ^*'",
    "value domineering:4x4",
    "build chess:KRvK -o krk.zt --force",
    "probe krk.zt '8/8/8/8/8/2k5/8/K6R w - - 0 1'",
    "play tictactoe",
    "generate random n=1000000 degree=3.5 big.npz --force",
    "solve big.npz -o big.sol.npz --force --quiet",
]
"""The commands of the README; ``big.npz`` in place of ``big.parquet``, which needs pyarrow."""

RUN = """
import atexit, json, sys
from zermelo._runtime import waiting
from zermelo.cli.main import main
report = sys.argv.pop()
atexit.register(lambda: open(report, "w").write(json.dumps([list(w) for w in waiting.waits])))
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
    import shlex

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="runs after the first use")
    parser.add_argument("--kernels", action="store_true", help="show every compiled kernel")
    args = parser.parse_args()
    python, compiled = sys.executable, []
    print(f"{'':52} {'first use':^30} {'later':^15}")
    print(f"{'command':52} {'wall':>8} {'CPU':>8} {'compiling':>12} {'wall':>8} {'CPU':>7}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for copy in ("pong_hau_ki.txt", "game.txt"):
            shutil.copy(EXAMPLE, folder / copy)
        report = folder / "waits.json"
        rows = [("python -c 'import numpy'", [python, "-c", "import numpy"])]
        rows += [
            (f"zermelo {text}", [python, "-c", RUN, *shlex.split(text), str(report)])
            for text in COMMANDS
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
    if args.kernels:
        print(f"\n{'kernel':40} {'seconds':>7}  compiled for")
        for text, kernel, seconds in sorted(compiled, key=lambda row: -row[2]):
            print(f"{kernel:40} {seconds:7.2f}  {text}")


if __name__ == "__main__":
    main()
