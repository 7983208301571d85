"""Tables of explored games: bits a position on disk, for entries, for keys and in all.

    python benchmarks/bits.py [GAME ...] [--json FILE]

Each game is built twice, with distances and with labels alone. ``all`` is the whole file with its
header and directory. ``base``, ``row``, ``layer`` and ``ground`` are what the writer has found of
the keys, see docs/decisions/0014-packed-tables.md; a table of few keys is not packed. ``unpack``
is the time for a block of 16,384 entries, in milliseconds of the processor, the least of three.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

GAMES = (
    "connect4:5x4",
    "connect3:5x4",
    "connect3:4x5",
    "hexapawn:5x4",
    "awari:4",
    "awari:3,4",
    "kalah:4,2",
    "kalah:3,4",
    "mnk:4x4x3",
)
"""Explored games of more than 65,536 positions; the last one has an index with few positions."""

ENTRIES = ("entries", "kind", "lose-in", "tie-in", "win-in")
"""The planes that are not keys."""


def measure(name, folder, distances):
    """Build a table, and tell what its planes take."""
    import zermelo as zm
    from zermelo.tables.storage.file import TableFile

    path = Path(folder) / "table.zt"
    zm.build(name, path, distances=distances).close()
    with TableFile(path) as file:
        count, sizes, layout = file.layout.entries, file.plane_sizes(), file.layout
        least = 1e9
        for _ in range(3):
            begun = time.process_time()
            file.read(layout.blocks // 2)
            least = min(least, time.process_time() - begun)
        entries = sum(size for plane, size in sizes.items() if plane in ENTRIES)
        row = {
            "game": name,
            "distances": distances,
            "positions": count,
            "entries": 8 * entries / count,
            "keys": 8 * (sum(sizes.values()) - entries) / count,
            "all": 8 * file.size / count,
            "unpack": 1000 * least,
            "shape": None if layout.shape is None else layout.shape._asdict(),
        }
    path.unlink()
    return row


def show(row):
    """One line for a table."""
    shape = row["shape"] or {}
    found = " ".join(f"{name} {shape[name]}" for name in shape if name != "width")
    kind = "distances" if row["distances"] else "labels"
    figures = " ".join(f"{row[name]:8.3f}" for name in ("entries", "keys", "all", "unpack"))
    print(f"{row['game']:14} {row['positions']:>11,} {kind:9} {figures}  {found}", flush=True)


def main():
    """Measure the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"{'game':14} {'positions':>11} {'table':9}  entries     keys      all   unpack")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.games:
            for distances in (True, False):
                rows.append(measure(name, folder, distances))
                show(rows[-1])
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
