"""Steps of NMFL, of its variant with CAP and of retrograde analysis, by the number of moves.

    python benchmarks/nmfl_cap.py [--scale K] [--plot FILE.svg]

The counts are exact, so they do not depend on the machine:

- NMFL: executions of line 225 of Figure 3 of [Loewe2004], one for each successor that is read.
- CAP: executions of lines 211 and 226, if CAP is one step as in the paper.
- CAP, counters: those, and the updates of the counters that stand for the sets. All of this is done
  on an ordinary machine.
- CAP, bit sets: those lines if a CAP is an AND of bit sets, 64 positions at a time.
- retrograde: reverse moves that the default solver follows, one for each predecessor of a settled
  situation.

Families: ``star``, a root with n terminals, the example of the paper; ``lower``, where each
position has a move to every position of lower number; ``random``, with two moves per position on
average.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("ZERMELO_KERNELS", "compile")

import numpy as np

import zermelo as zm

COUNTS = ("NMFL", "CAP", "CAP, counters", "CAP, bit sets", "retrograde")


def star(n: int) -> zm.Graph:
    """A root and n terminals."""
    return zm.Graph.from_arrays(np.zeros(n, np.int64), np.arange(1, n + 1), n + 1)


def lower(n: int) -> zm.Graph:
    """Every position has a move to each position of lower number."""
    source, target = np.tril_indices(n, -1)
    return zm.Graph.from_arrays(source, target, n)


def scattered(n: int) -> zm.Graph:
    """A random graph with two moves per position on average."""
    return zm.generators.random_graph(n, degree=2, seed=n).graph


FAMILIES: dict[str, tuple[Callable[[int], zm.Graph], int, int]] = {
    "star": (star, 16, 10),
    "lower": (lower, 8, 7),
    "random": (scattered, 16, 13),
}
"""The graph of a family by its size, the first size, and how often the size is doubled."""


def count(graph: zm.Graph) -> dict[str, int]:
    """The steps of all algorithms on one graph; their labels must be equal."""
    default = zm.solve(graph, zm.Asymmetric(), solver="retrograde")
    plain = zm.solve(graph, zm.Asymmetric(), solver="nmfl")
    cap = zm.solve(graph, zm.Asymmetric(), solver="nmfl-cap")
    assert np.array_equal(plain.label, default.label)
    assert np.array_equal(cap.label, default.label)
    caps, updates = cap.stats["steps"], cap.stats["updates"]
    settled = np.asarray(default.value) != -1  # infinite play pays −1; the wave settles the rest
    incoming = np.bincount(graph.indices, minlength=graph.n)
    steps = (plain.stats["steps"], caps, caps + updates, caps * -(-graph.n // 64))
    return dict(zip(COUNTS, (*steps, int((settled.sum(axis=1) * incoming).sum())), strict=True))


def measure(scale: int) -> dict[str, list[tuple[int, int, dict[str, int]]]]:
    """For each family the positions, the moves and the counts of its graphs, printed as well."""
    rows: dict[str, list[tuple[int, int, dict[str, int]]]] = {}
    for name, (make, first, doublings) in FAMILIES.items():
        rows[name] = []
        print(f"\n{name:<9} {'n':>9} {'moves':>9}" + "".join(f"{x:>16}" for x in COUNTS))
        for k in range(max(1, doublings - scale) + 1):
            graph = make(first << k)
            counts = count(graph)
            rows[name].append((graph.n, graph.m, counts))
            print(f"{'':<9} {graph.n:>9,} {graph.m:>9,}", end="")
            print("".join(f"{counts[x]:>16,}" for x in COUNTS))
        (_, m0, c0), (_, m1, c1) = rows[name][-2:]
        growth = {x: np.log(c1[x] / c0[x]) / np.log(m1 / m0) for x in COUNTS}
        print("growth    " + ", ".join(f"{x} E^{growth[x]:.2f}" for x in COUNTS))
    return rows


def plot(rows: dict[str, list[tuple[int, int, dict[str, int]]]], path: Path) -> None:
    """Draw the steps per move of each family over the number of moves, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # The same file for the same counts, with letters as text.
    plt.rcParams.update({"svg.hashsalt": "zermelo", "svg.fonttype": "none"})
    style: dict[str, dict[str, Any]] = {
        "NMFL": {"color": "#c0392b", "marker": "o"},
        "CAP": {"color": "#7fb069", "marker": "v", "ls": "--"},
        "CAP, counters": {"color": "#2e7d32", "marker": "^"},
        "CAP, bit sets": {"color": "#8e6bb0", "marker": "D", "ls": ":"},
        "retrograde": {"color": "#2c5f9e", "marker": "s"},
    }
    figure, panels = plt.subplots(1, 3, figsize=(10.5, 3.8), sharey=True, layout="constrained")
    for axes, (name, found) in zip(panels, rows.items(), strict=True):
        for x in COUNTS:
            points = [(m, counts[x] / m) for _, m, counts in found]
            axes.loglog(*zip(*points, strict=True), ms=4, lw=1.3, label=x, **style[x])
        axes.minorticks_off()
        axes.set_title(name)
        axes.set_xlabel("moves, E")
        axes.grid(True, which="major", color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("steps / E")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=0, help="leave out this many largest sizes")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the steps to a file")
    options = parser.parse_args()
    rows = measure(options.scale)
    if options.plot:
        plot(rows, options.plot)
        print(f"\ndrawn to {options.plot}")


if __name__ == "__main__":
    main()
