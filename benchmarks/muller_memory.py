"""Muller games: the leaves of the Zielonka tree beside latest appearance records.

    python benchmarks/muller_memory.py [--positions N]

For each condition over k colours, on one random game in which each position has one colour: the
states of the two automata, the positions of the two parity games, the memory states of the machines
of player 0, and milliseconds. The textbook's record also has the hit, so there are k times as many.
Both must find the same winners. "–" where there are too many records.
"""

import argparse
import os
import random
import time
from collections.abc import Iterator

os.environ.setdefault("ZERMELO_KERNELS", "compile")

import zermelo as zm

Family = list[list[int]]


def conditions(k: int) -> Iterator[tuple[str, str | Family]]:
    """Conditions over the colours 0 … k − 1."""
    yield "parity", zm.Muller.parity(range(k)).acceptance  # type: ignore[misc]
    yield "all of them", " & ".join(f"Inf({c})" for c in range(k))
    pairs = [f"Fin({c}) & Inf({c + 1})" for c in range(0, k - 1, 2)]
    yield "Rabin", " | ".join(pairs)
    yield "even number", [members(x) for x in range(1 << k) if even(x)]
    rng = random.Random(k)
    yield "random", [members(x) for x in range(1 << k) if rng.random() < 0.5]


def members(x: int) -> list[int]:
    """A set of colours from its bits."""
    return [c for c in range(x.bit_length()) if x >> c & 1]


def even(x: int) -> bool:
    """Whether a set has an even number of colours; here the tree is as large as it can be."""
    return x.bit_count() % 2 == 0


def timed(graph: zm.Graph, objective: zm.Muller, solver: str) -> tuple[float, zm.Solution] | None:
    """The time of a solver; None if it refuses."""
    begin = time.perf_counter()
    try:
        solution = zm.solve(graph, objective, solver=solver)
    except zm.errors.MemoryLimitError:
        return None
    return 1e3 * (time.perf_counter() - begin), solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=200)
    options = parser.parse_args()
    n = options.positions
    rng = random.Random(0)
    moves = [(v, rng.randrange(n)) for v in range(n) for _ in range(3)]
    graph = zm.Graph.from_edges(sorted(set(moves)), n=n, owner=[rng.randrange(2) for _ in range(n)])
    head = ("condition", "k", "leaves", "records", "pairs", "pairs", "memory", "memory", "ms", "ms")
    print(f"{head[0]:<12}{head[1]:>3}" + "".join(f"{x:>10}" for x in head[2:]))
    for k in range(2, 8):
        colour = [rng.randrange(k) for _ in range(n)]
        for name, acceptance in conditions(k):
            objective = zm.Muller(colour, acceptance)
            timed(graph, objective, "zielonka-tree")  # compile
            tree, records = (timed(graph, objective, x) for x in ("zielonka-tree", "lar"))
            assert tree is not None
            found = [tree[1].stats["leaves"], None, tree[1].stats["parity_positions"], None]
            found += [len(tree[1].strategy_machine(0)), None, round(tree[0], 1), None]
            if records is not None:
                assert (tree[1].winner == records[1].winner).all()
                stats, machine = records[1].stats, records[1].strategy_machine(0)
                found[1::2] = (
                    stats["records"], stats["parity_positions"], len(machine), round(records[0], 1)
                )  # fmt: skip
            cells = ("–" if x is None else f"{x:,}" for x in found)
            print(f"{name:<12}{k:>3}" + "".join(f"{x:>10}" for x in cells), flush=True)


if __name__ == "__main__":
    main()
