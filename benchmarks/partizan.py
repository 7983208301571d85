"""Sums of random games born by day 3 and values of boards, beside cgt-py (Rust).

    python benchmarks/partizan.py [--peer PYTHON] [GAME …]

``--peer`` is an interpreter that has cgt-py (``pip install cgt-py anywidget``); without one only
zermelo's figures are printed. Sums: the same random games of ``tests/golden`` are added up one by
one by both, in a process of their own, in CPU seconds without imports and reading the games;
"made" counts the canonical forms that were searched for on the way. Birthdays and stops of all
sums are compared. Zermelo remembers sums, so a second row in one process would profit from the
first: each row is a process. Boards: see ``partizan_games.py``, whose rows follow.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import partizan_games

GAMES = Path(__file__).parents[1] / "tests" / "golden" / "games_born_by_day_3.tsv"
ROWS = [(2, 20_000), (3, 2_000), (4, 100)]
"""Terms of a sum, and how many sums."""

JOBS = """
import json, random, resource, sys, time
terms, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
plain = [line.split("\\t")[0] for line in open(path)][1:]
rng = random.Random(1)
jobs = [[rng.randrange(len(plain)) for _ in range(terms)] for _ in range(count)]
"""
OURS = (
    JOBS
    + """
from zermelo.partizan.text.notation import parse
from zermelo.partizan.store import STORE
games = [parse(text) for text in plain]
for k in range(1000):  # so that what is compiled is loaded
    STORE.add(games[k], STORE.number_up_star(1, 1, 1, 1))
made, start = STORE.made, time.process_time()
totals = []
for first, *others in jobs:
    total = games[first]
    for k in others:
        total = STORE.add(total, games[k])
    totals.append(total)
seconds = time.process_time() - start
def text(pair):
    num, exp = pair
    return f"{num}/{1 << exp}" if exp else str(num)
print(json.dumps({
    "seconds": seconds, "made": STORE.made - made, "values": len(STORE), "store": STORE.nbytes,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "said": [[STORE.birthday(v), *map(text, STORE.stops(v))] for v in totals],
}))
"""
)
PEER = (
    JOBS
    + """
from cgt_py import CanonicalForm
games = [CanonicalForm(text) for text in plain]
start = time.process_time()
totals = []
for first, *others in jobs:
    total = games[first]
    for k in others:
        total = total + games[k]
    totals.append(total)
seconds = time.process_time() - start
print(json.dumps({
    "seconds": seconds,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "said": [
        [int(v.birthday), *(str(x).split("'")[1] for x in (v.left_stop, v.right_stop))]
        for v in totals
    ],
}))
"""
)


def run(python: str, code: str, *arguments: object) -> dict:
    words = [python, "-c", code, *map(str, arguments)]
    made = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(made.stdout)


def sums(peer: str | None, rows: list[tuple[int, int]]) -> None:
    print(
        f"{'sums of':10}{'count':>7}{'seconds':>9}{'sums/s':>9}{'made/s':>9}{'values':>8}"
        f"{'store MB':>9}{'MB':>6}{'cgt-py':>9}{'MB':>6}{'ratio':>7}"
    )
    for terms, count in rows:
        ours = run(sys.executable, OURS, terms, count, GAMES)
        line = (
            f"{terms:<10}{count:7}{ours['seconds']:9.2f}{count / ours['seconds']:9.0f}"
            f"{ours['made'] / ours['seconds']:9.0f}{ours['values']:8}{ours['store'] / 1e6:9.0f}"
            f"{ours['memory'] / 1e6:6.0f}"
        )
        if peer:
            theirs = run(peer, PEER, terms, count, GAMES)
            different = sum(a != b for a, b in zip(ours["said"], theirs["said"], strict=True))
            line += f"{theirs['seconds']:9.2f}{theirs['memory'] / 1e6:6.0f}"
            line += f"{theirs['seconds'] / ours['seconds']:7.1f}"
            line += f"  {different} differ" if different else ""
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--peer", metavar="PYTHON")
    given = parser.parse_args()
    sums(given.peer, ROWS)
    print()
    sys.argv[1:] = [*(["--peer", given.peer] if given.peer else []), *given.games]
    partizan_games.main()


if __name__ == "__main__":
    main()
