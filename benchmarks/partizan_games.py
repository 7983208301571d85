"""Values of partizan games from their rules, beside cgt-py (Rust) on the same boards.

    python benchmarks/partizan_games.py [--peer PYTHON] [GAME …]

``--peer`` is an interpreter that has cgt-py (``pip install cgt-py anywidget``); without one only
zermelo's figures are printed. Every game is valued in a process of its own, twice: with machine
code from disk, where an earlier process has left it, and again with an empty store. Both sides are
timed from the board to its value, imports apart, in CPU seconds; the ratio is cgt-py's time to that
of the second run. cgt-py has no Clobber for Python.
"""

import argparse
import json
import subprocess
import sys

GAMES = {
    "domineering:4x4": "Domineering",
    "domineering:4x5": "Domineering",
    "domineering:5x5": "Domineering",
    "amazons:3x3": "Amazons",
    "amazons:l.r/.../r.l": "Amazons",
    "clobber:3x4": "",
    "clobber:4x4": "",
}

WARM = """
import sys
import zermelo as zm
from zermelo.partizan import positions
rules = zm.game(sys.argv[1])
positions._explore_compiled(rules, rules.start())
zm.game_value(zm.game("domineering:4x4"))
print("{}")
"""

OURS = """
import json, resource, sys, time
import zermelo as zm
from zermelo.partizan import positions
from zermelo.partizan.store import STORE
rules = zm.game(sys.argv[1])
said = {}
for run in ("first", "again"):
    STORE.clear()
    made, t0 = STORE.made, time.process_time()
    parts = positions.explore_parts(rules, rules.start())
    t1 = time.process_time()
    ids = parts.evaluate(parts.order())
    t2 = time.process_time()
    said[run] = t2 - t0
said |= {
    "explore": t1 - t0, "evaluate": t2 - t1, "parts": len(ids), "options": len(parts.options),
    "made": STORE.made - made, "values": len(STORE), "store": STORE.nbytes,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "value": str(zm.game_value(rules)),
}
print(json.dumps(said))
"""

PEER = """
import json, resource, sys, time
import cgt_py
kind, board = sys.argv[1:]
game = getattr(cgt_py, kind)(board)
t0 = time.process_time()
value = game.canonical_form
print(json.dumps({
    "first": time.process_time() - t0, "value": str(value),
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
}))
"""


def run(python: str, code: str, *arguments: str) -> dict:
    made = subprocess.run(
        [python, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return json.loads(made.stdout)


def main() -> None:
    import zermelo as zm

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--peer", metavar="PYTHON")
    given = parser.parse_args()
    print(
        f"{'game':22}{'first':>8}{'again':>8}{'explore':>9}{'evaluate':>9}{'parts':>8}"
        f"{'options':>9}{'values':>8}{'made/s':>9}{'MB':>6}{'cgt-py':>9}{'MB':>6}{'ratio':>7}"
    )
    for text in given.games or GAMES:
        run(sys.executable, WARM, text)
        ours = run(sys.executable, OURS, text)
        line = (
            f"{text:22}{ours['first']:8.2f}{ours['again']:8.2f}{ours['explore']:9.2f}"
            f"{ours['evaluate']:9.2f}{ours['parts']:8}{ours['options']:9}{ours['values']:8}"
            f"{ours['made'] / ours['evaluate']:9.0f}{ours['memory'] / 1e6:6.0f}"
        )
        if given.peer and (kind := GAMES.get(text, "")):
            rules = zm.game(text)
            letters = str.maketrans({"l": "x", "r": "o", "/": "|"})
            peer = run(given.peer, PEER, kind, rules.show(rules.start()).translate(letters))
            line += f"{peer['first']:9.2f}{peer['memory'] / 1e6:6.0f}"
            line += f"{peer['first'] / ours['again']:7.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
