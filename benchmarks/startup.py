"""What the command costs from the shell: a small job cold, a large one with warm kernels.

    python benchmarks/startup.py

Each figure is the least of several runs of a fresh process, beside a process that only imports
NumPy. The kernel cache is warmed by one run of the large job that does not count.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import zermelo as zm
from zermelo.generators import random_graph


def seconds(command: list[str], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=7)
    args = parser.parse_args()
    python = sys.executable
    solve = [python, "-m", "zermelo", "solve"]
    with tempfile.TemporaryDirectory() as directory:
        small, large = Path(directory) / "small.txt", Path(directory) / "large.parquet"
        zm.write(random_graph(n=100, seed=1), small)
        zm.write(random_graph(n=300_000, degree=3.4, seed=1), large)
        moves = zm.read(large).m
        answer = [*solve, str(large), "--output", str(Path(directory) / "out.npz"), "--quiet"]
        subprocess.run(answer, check=True, stdout=subprocess.DEVNULL)
        rows = [
            ("python -c 'import numpy'", [python, "-c", "import numpy"]),
            ("python -c 'import zermelo'", [python, "-c", "import zermelo"]),
            ("zermelo --version", [python, "-m", "zermelo", "--version"]),
            ("zermelo solve, 100 positions", [*solve, str(small)]),
            (f"zermelo solve, Parquet of {moves:,} moves", answer),
        ]
        base = seconds(rows[0][1], args.repeat)
        for name, command in rows:
            t = seconds(command, args.repeat)
            print(f"{name:45} {t * 1000:7.0f} ms  {t / base:5.1f} × importing NumPy")


if __name__ == "__main__":
    main()
