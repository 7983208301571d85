"""EGGS values by matchings against the plain search, by size and family, in one run.

    python benchmarks/eggs.py [largest grid]

The baseline is the definition in plain Python: the mex over all fresh moves, remembered by the
position and the open positions that it reaches. It is given up after LIMIT situations; then the
table shows no time for it. Both are asked for the value of one start, the first position that wins,
and their answers are compared. The columns "all starts" are for zermelo alone; digraphs are asked
about their first position only.
"""

import random
import sys
import time

import zermelo as zm
from zermelo.generators import grid, random_graph

LIMIT = 300_000


def plain(graph, start):
    """The value of a start and the situations examined; None as the value: too many."""
    moves = [sum(1 << w for w in graph.successors(v).tolist() if w != v) for v in range(graph.n)]
    values = {}

    def within(v, free):
        reached = layer = moves[v] & free
        while layer:
            successors = 0
            while layer:
                low = layer & -layer
                successors |= moves[low.bit_length() - 1]
                layer ^= low
            layer = successors & free & ~reached
            reached |= layer
        return reached

    root = (start, within(start, (1 << graph.n) - 1 & ~(1 << start)))
    stack = [root]
    while stack:
        if len(values) > LIMIT:
            return None, len(values)
        v, free = stack[-1]
        options, have = moves[v] & free, 0
        while options:
            low = options & -options
            w = low.bit_length() - 1
            after = (w, within(w, free & ~low))
            if after not in values:
                stack.append(after)
                break
            have |= 1 << values[after]
            options ^= low
        else:
            values[stack.pop()] = (~have & (have + 1)).bit_length() - 1
    return values[root], len(values)


def sparse(n, degree):
    """A random symmetric graph of this mean degree."""
    rng = random.Random(n)
    edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(round(n * degree / 2))]
    edges = [(v, w) for v, w in edges if v != w]
    return zm.Graph.from_edges(edges + [(w, v) for v, w in edges], n=n)


def families(largest):
    """Names and graphs; grids come by size."""
    for k in (3, 4, 5, 6, 8, 16, 32, 64, 100, 200):
        if k <= largest:
            yield f"grid {k} × {k}", grid(k, k, moves="orthogonal").graph
    yield "king 8 × 8", grid(8, 8, moves="king").graph
    yield "knight 8 × 8", grid(8, 8, moves="knight").graph
    for n, degree in ((30, 2.2), (60, 3), (100, 2.2), (200, 2.2), (400, 2.2), (200, 4)):
        yield f"random, mean degree {degree}", sparse(n, degree)
    for n in (16, 20, 24):
        yield "digraph, 3 moves", random_graph(n, degree=3, law="regular", seed=2).graph


def main():
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print("| graph | positions | value | plain: situations | seconds | zermelo: states | seconds "
          "| check | all starts: values | seconds |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, graph in families(largest):
        directed = name.startswith("digraph")
        start = 0 if directed else int(zm.solve(graph, zm.NoReturn()).label.argmax())
        begun = time.perf_counter()
        value, situations = plain(graph, start) if graph.n <= 1100 else (None, 0)
        plain_seconds = time.perf_counter() - begun
        begun = time.perf_counter()
        found = zm.eggs_bounds(graph, start)
        seconds = time.perf_counter() - begun
        assert value is None or found.value == value
        begun = time.perf_counter()
        check = ""
        if graph.n <= 400:
            found.verify()
            check = f"{time.perf_counter() - begun:.3f}"
        every = ("", "")
        if graph.n <= 1100 and not directed:
            begun, game = time.perf_counter(), zm.NoReturnGame(graph)
            values = {game.grundy((v,)) for v in graph}
            every = (f"0 to {max(values)}", f"{time.perf_counter() - begun:.2f}")
        examined = f"{situations:,}" if value is not None else f"> {LIMIT:,}"
        if not situations:
            examined = ""
        old = f"{plain_seconds:.3f}" if value is not None else ""
        print(f"| {name} | {graph.n:,} | {found.value} | {examined} | {old} | {found.nodes:,} "
              f"| {seconds:.4f} | {check} | {every[0]} | {every[1]} |")  # fmt: skip


if __name__ == "__main__":
    main()
