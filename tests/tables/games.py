"""Rules made of arrays: every small game, with every combination of members."""

import numpy as np

from zermelo.rules.compiled import NO_POSITION, OPEN, CompiledRules
from zermelo.tables.storage.codes import COUNTS, COUNTS_ALONE

HEADER = {
    "rules": {"game": None, "class": "Arrays", "digest": ""},
    "objective": None,
    "symmetry": False,
    "descent": False,
    "stored": 1,
    "counts": dict.fromkeys(COUNTS, 0),
}
"""What the header of any table has, for tests of its entries alone."""

HEADER_ALONE = HEADER | {"labels_only": True, "counts": dict.fromkeys(COUNTS_ALONE, 0)}

SPREAD = 1_000_003  # positions are far apart, as those of real games are


class Arrays(CompiledRules):
    """A digraph as rules: position SPREAD · v; ``ends[v]`` is an outcome or OPEN."""

    def __init__(self, edges, n, ends=None, tiers=None, players=None, twins=0):
        """``twins``: the first 2 · twins vertices are pairs v, v ^ 1 that a symmetry exchanges."""
        rows = [sorted({b for a, b in edges if a == v}) for v in range(n)]
        back = [sorted({a for a, b in edges if b == v}) for v in range(n)]
        self.ends = np.array([OPEN] * n if ends is None else ends, np.int64)
        back = [[a for a in row if self.ends[a] == OPEN] for row in back]
        self.indptr, self.indices = self.packed(rows)
        self.rev_indptr, self.rev_indices = self.packed(back)
        self.tiers = np.array([0] * n if tiers is None else tiers, np.int64)
        self.players = np.array([0] * n if players is None else players, np.int64)
        self.twins = twins
        self.most_moves = max(1, *map(len, rows))
        self.most_back = max(1, *map(len, back))
        self.n = n

    @staticmethod
    def packed(rows):
        return (
            np.cumsum([0, *map(len, rows)]).astype(np.int64),
            np.array([x for row in rows for x in row] + [0], np.int64),
        )

    def start(self):
        return 0

    def moves(self, position, out):
        v = position // SPREAD
        count = 0
        for k in range(self.indptr[v], self.indptr[v + 1]):
            out[count] = SPREAD * self.indices[k]
            count += 1
        return count

    def parse(self, text):
        return SPREAD * int(text)

    def show(self, position):
        return str(position // SPREAD)


class Ends:
    def outcome(self, position):
        return self.ends[position // SPREAD]


class Back:
    @property
    def most_unmoves(self):
        return self.most_back

    def unmoves(self, position, out):
        v = position // SPREAD
        count = 0
        for k in range(self.rev_indptr[v], self.rev_indptr[v + 1]):
            out[count] = SPREAD * self.rev_indices[k]
            count += 1
        return count


class Tiered:
    def tier(self, position):
        return self.tiers[position // SPREAD]


class Players:
    def player(self, position):
        return self.players[position // SPREAD]


class Twins:
    def canonical(self, position):
        v = position // SPREAD
        return SPREAD * (v & -2 if v < 2 * self.twins else v)

    def orbit(self, position):
        return 2 if position // SPREAD < 2 * self.twins else 1


class Converts:
    """Some moves are conversions, within tiers or not; the twins of a move are, too."""

    def converts(self, position, option):
        return (position // SPREAD // 2 + 2 * (option // SPREAD // 2)) % 3 == 0


class Index:
    """Indices with holes: 3 v + 1."""

    @property
    def size(self):
        return 3 * self.n

    def rank(self, position):
        return 3 * (self.canonical(position) // SPREAD) + 1

    def unrank(self, index):
        v = index // 3
        if index % 3 != 1 or self.canonical(SPREAD * v) != SPREAD * v:
            return NO_POSITION
        return SPREAD * v


def arrays(*members, **given):
    """A game of arrays with the members named."""
    kinds = {
        "ends": Ends,
        "back": Back,
        "tiers": Tiered,
        "players": Players,
        "twins": Twins,
        "index": Index,
        "converts": Converts,
    }
    chosen = tuple(kinds[name] for name in members)
    if "ends" not in members:
        given["ends"] = None
    return type("Made", (*chosen, Arrays), {"__module__": __name__})(**given)


def random_game(rng, n=12, tiers=1, twins=0, degree=2.0):
    """What ``arrays`` takes, at random; moves never lead to a higher tier."""
    tier = rng.integers(0, tiers, n)
    player = rng.integers(0, 2, n)
    ends = np.where(rng.random(n) < 0.25, rng.integers(-1, 2, n), OPEN)
    for v in range(0, 2 * twins, 2):
        tier[v + 1], player[v + 1], ends[v + 1] = tier[v], player[v], ends[v]
    edges = set()

    def image(v):
        return v ^ 1 if v < 2 * twins else v

    for a in range(n):
        for _ in range(rng.poisson(degree)):
            b = int(rng.integers(0, n))
            if tier[a] >= tier[b]:
                edges |= {(a, b), (image(a), image(b))}
    return {
        "edges": edges,
        "n": n,
        "ends": ends.tolist(),
        "tiers": tier.tolist(),
        "players": player.tolist(),
        "twins": twins,
    }
