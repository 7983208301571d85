"""Games on digraphs whose positions are moved in sets, with members that are as plain as can be."""

import numpy as np

from zermelo._runtime.words import left, right
from zermelo.rules.compiled import NO_POSITION, CompiledRules

BELOW = 10
"""Positions of the tier below, so that entries of the other one begin at no multiple of a word."""


class Drawn(CompiledRules):
    """A digraph whose positions from BELOW on are moved in sets, in blocks of two words."""

    reachable = False
    most_moves = 3
    left_out = added = 0
    """What sets are wrong about: places of a word that ``moves_into`` never has, or always."""

    def __init__(self, options, ends, width, gone=()):
        self.size, self.width, n = len(options), width, len(options)
        self.blocks = (n - BELOW) // (2 * width)
        assert n == BELOW + 2 * width * self.blocks
        self.count = np.array([len(x) for x in options], np.int64)
        self.to = np.zeros(3 * n, np.int64)
        for v, x in enumerate(options):
            self.to[3 * v : 3 * v + len(x)] = x
        self.ends, self.gone = np.array(ends, np.int64), np.zeros(n, np.int64)
        self.gone[list(gone)] = 1

    def start(self):
        return 0

    def moves(self, position, out):
        for k in range(self.count[position]):
            out[k] = self.to[3 * position + k]
        return self.count[position]

    def outcome(self, position):
        return self.ends[position]

    def tier(self, position):
        return 1 if position >= BELOW else 0

    def rank(self, position):
        return position

    def unrank(self, index):
        return NO_POSITION if self.gone[index] else index

    @property
    def set_tiers(self):
        ends = np.arange(0, self.blocks**2 + 1, self.blocks)
        near = np.tile(np.arange(self.blocks), self.blocks)
        return {1: (1, range(BELOW, self.size), self.width, False, (ends, near))}

    def board_at(self, index):
        return index

    def positions_in(self, key, block, rest):
        first, members = BELOW + (2 * block + rest) * self.width, 0
        for k in range(self.width):
            if not self.gone[first + k]:
                members |= left(1, k)
        return members

    def moves_into(self, key, block, rest, sets, wanted):
        first, found = BELOW + (2 * block + rest) * self.width, 0
        for k in range(self.width):
            for x in range(self.count[first + k]):
                c = self.to[3 * (first + k) + x] - BELOW
                if c >= 0 and right(sets[c // self.width], c % self.width) & 1:
                    found |= left(1, k)
        return found & ~self.left_out | self.added

    def may_convert(self, key, block, rest):
        return -1

    def conversions(self, position, out):
        count = 0
        for k in range(self.count[position]):
            if self.to[3 * position + k] < BELOW:
                out[count] = self.to[3 * position + k]
                count += 1
        return count
