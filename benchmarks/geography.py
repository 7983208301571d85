"""How far the search of games of no return goes: random digraphs of out-degree 3, by size.

    python benchmarks/geography.py [largest n] [graphs of each size]

For each game and n: nodes and seconds of the median and the worst graph for one start, and how many
nodes the plain search needs that remembers (position, visited positions), where it ends at all.
Seconds are without compilation. A graph that takes more than LIMIT nodes counts as not decided.
"""

import statistics
import sys
import time

import zermelo as zm
from zermelo.generators import random_graph

LIMIT = 20_000_000
PLAIN_LIMIT = 300_000
GAMES = {
    "no-return": zm.NoReturn(),
    "no-return misère": zm.NoReturn(misere=True),
    "return": zm.Return(),
    "no-repetition": zm.NoRepetition(),
}


def plain_nodes(graph, start):
    """Situations of no return where nothing but the whole past is known; None: too many."""
    moves = [graph.successors(v).tolist() for v in range(graph.n)]
    known: dict[tuple[int, int], bool] = {}
    stack = [(start, 1 << start)]
    while stack:
        if len(known) > PLAIN_LIMIT:
            return None
        v, seen = stack[-1]
        if (v, seen) in known:
            stack.pop()
            continue
        wins, waits = False, False
        for w in moves[v]:
            if seen >> w & 1:
                continue
            after = known.get((w, seen | 1 << w))
            if after is None:
                stack.append((w, seen | 1 << w))
                waits = True
                break
            if not after:
                wins = True
                break
        if not waits:
            known[v, seen] = wins
            stack.pop()
    return len(known)


def main():
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    warm = random_graph(50, degree=3, law="regular", seed=0).graph
    for objective in GAMES.values():
        zm.solve(warm, objective, start=0, nodes=10_000)
    print("| game | n | nodes, median | worst | s, median | worst | not decided | plain nodes |")
    print("|---|---|---|---|---|---|---|---|")
    for name, objective in GAMES.items():
        for n in range(10, largest + 1, 10):
            nodes, seconds, plain, unknown = [], [], [], 0
            for seed in range(count):
                graph = random_graph(n, degree=3, law="regular", seed=seed).graph
                begun = time.perf_counter()
                solution = zm.solve(graph, objective, start=0, nodes=LIMIT)
                seconds.append(time.perf_counter() - begun)
                nodes.append(solution.play.nodes)
                unknown += int(solution.label[0] == 0)
                if name == "no-return" and n <= 30:
                    plain.append(plain_nodes(graph, 0) or PLAIN_LIMIT)
            beside = f"{statistics.median(plain):,.0f}" if plain else ""
            print(
                f"| {name} | {n} | {statistics.median(nodes):,.0f} | {max(nodes):,} | "
                f"{statistics.median(seconds):.3f} | {max(seconds):.2f} | {unknown} of {count} | "
                f"{beside} |",
                flush=True,
            )
            if unknown > count // 2:
                break


if __name__ == "__main__":
    main()
