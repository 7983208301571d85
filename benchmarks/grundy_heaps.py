"""Nim-values of octal games against plain C++, values compared; then how far a second goes.

    python benchmarks/grundy_heaps.py [--to 50000] [--far 1000000] [--repeat 3]

Compiles ``grundy_heaps_baseline.cpp`` (all options of every heap, quadratic) with ``-O3
-march=native``. ``sparse`` is the kernel alone, ``proofs=False``; ``proved`` may fill in values by
a period that it has proved. Plain C++ is not run to ``--far``: quadratic, it would take hours.
"""

import argparse
import ctypes
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import zermelo as zm

SOURCE = Path(__file__).with_name("grundy_heaps_baseline.cpp")
CODES = ["0.77", "0.07", "0.16", "0.56", "0.127", "0.356", "0.007"]
FAR = ["0.77", "0.16", "0.56", "0.127", "0.356"]
"""Games with a sparse space."""


def baseline():
    library = os.path.join(tempfile.mkdtemp(prefix="zermelo-baseline-"), "baseline.so")
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([os.environ.get("CXX", "g++"), *flags, "-o", library, str(SOURCE)], check=True)
    return ctypes.CDLL(library)


def timed(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def plain(library, code, to):
    digits = np.array([int(x) for x in code.replace(".", "")], np.int32)
    value = np.zeros(to + 1, np.int32)
    library.nim_values(
        ctypes.c_void_p(digits.ctypes.data), ctypes.c_int64(digits.size), ctypes.c_int64(to),
        ctypes.c_void_p(value.ctypes.data),
    )  # fmt: skip
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=int, default=50_000)
    parser.add_argument("--far", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    library = baseline()
    zm.heap("0.77").nim_sequence(1000, proofs=False)  # loads the kernel
    print(f"seconds to heap {args.to:,}, best of {args.repeat}")
    print(f"{'code':8} {'plain C++':>10} {'sparse':>10} {'proved':>10} {'sparse / C++':>14}")
    for code in CODES:
        best = [float("inf")] * 3
        for _ in range(args.repeat):
            runs = [
                timed(lambda: plain(library, code, args.to)),  # noqa: B023
                timed(lambda: zm.heap(code).nim_sequence(args.to, proofs=False)),  # noqa: B023
                timed(lambda: zm.heap(code).nim_sequence(args.to)),  # noqa: B023
            ]
            if any((values != runs[0][1]).any() for _, values in runs):
                raise SystemExit(f"{code}: the answers differ")
            best = [min(x, seconds) for x, (seconds, _) in zip(best, runs, strict=True)]
        print(f"{code:8} {best[0]:10.3f} {best[1]:10.3f} {best[2]:10.3f} {best[1] / best[0]:14.4f}")
    print(f"\nseconds to heap {args.far:,}, sparse")
    for code in FAR:
        seconds = min(
            timed(lambda: zm.heap(code).nim_sequence(args.far, proofs=False))[0]  # noqa: B023
            for _ in range(args.repeat)
        )
        print(f"{code:8} {seconds:10.3f}")


if __name__ == "__main__":
    main()
