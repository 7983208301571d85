"""Clustered random games: random games within random games."""

import itertools

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_range, check_room, generator
from zermelo.generators.graphs.random import distinct_targets
from zermelo.generators.parity.common import MAX_PRIORITIES, assemble
from zermelo.labels import Int64Array

MAX_DEPTH = 64


def clustered(
    n: int,
    priorities: int = 10,
    out_low: int = 1,
    out_high: int = 5,
    depth: int = 3,
    parts_low: int = 2,
    parts_high: int = 5,
    links_low: int = 1,
    links_high: int = 5,
    seed: int = 0,
) -> Game:
    """A random game on ``n`` positions in clusters within clusters.

    The positions are cut into ``parts_low`` to ``parts_high`` consecutive parts, and each of these
    is cut again, ``depth`` times in all. Within an innermost part each position has ``out_low`` to
    ``out_high`` moves to distinct targets of the part (to all of it if it is smaller). Every
    larger part gets ``links_low`` to ``links_high`` additional moves within it. Owners are random,
    and priorities are uniform below ``priorities``. The structure is that of
    ``clusteredrandomgame`` of PGSolver [FriedmannLange2009].

    >>> graph, parity = clustered(1000, out_low=2, out_high=2, links_low=0, links_high=0)
    >>> graph.n, int(parity.priority.max())
    (1000, 9)
    """
    n = check_integer("n", n, 1)
    priorities = check_integer("priorities", priorities, 1, MAX_PRIORITIES)
    check_range("out_low", out_low, "out_high", out_high, 1, 2**31)
    depth = check_integer("depth", depth, 0, MAX_DEPTH)
    check_range("parts_low", parts_low, "parts_high", parts_high, 1, 2**31)
    check_range("links_low", links_low, "links_high", links_high, 0, 2**31)
    check_room(n, n * min((out_low + out_high) / 2, n))
    rng = generator(seed)
    first, width = np.empty(n, np.int64), np.empty(n, np.int64)
    moves: list[tuple[Int64Array, Int64Array]] = []
    waiting = [(depth, 0, n)]
    while waiting:
        left, start, stop = waiting.pop()
        size = stop - start
        if left == 0 or size < parts_low:
            first[start:stop], width[start:stop] = start, size
            continue
        parts = min(size, int(rng.integers(parts_low, parts_high + 1)))
        cuts = start + 1 + distinct_targets(rng, np.array([parts - 1]), size - 1).astype(np.int64)
        bounds = [start, *cuts.tolist(), stop]
        waiting += [(left - 1, a, b) for a, b in itertools.pairwise(bounds)]
        links = int(rng.integers(links_low, links_high + 1))
        moves.append((rng.integers(start, stop, links), rng.integers(start, stop, links)))
    moves.append(_within(rng, np.minimum(rng.integers(out_low, out_high + 1, n), width), width))
    moves[-1][1][:] += first[moves[-1][0]]
    owner = rng.integers(0, 2, n, dtype=np.int8)
    return assemble(n, moves, owner, rng.integers(0, priorities, n))


def _within(
    rng: np.random.Generator, degrees: Int64Array, width: Int64Array
) -> tuple[Int64Array, Int64Array]:
    """Rows and, for each, ``degrees[row]`` distinct numbers below ``width[row]``."""
    row = np.repeat(np.arange(degrees.size, dtype=np.int64), degrees)
    key = np.sort(row << 32 | rng.integers(0, width[row]))
    # Invariant: key is sorted and has the right number of entries in every row; by symmetry each
    # set of distinct numbers stays as likely as any other.
    while (again := np.flatnonzero(key[1:] == key[:-1])).size:
        key[again] = row[again] << 32 | rng.integers(0, width[row[again]])
        key.sort(kind="stable")
    return row, key & 0xFFFFFFFF
