"""Misère outcomes by plain recursion over multisets of heaps; octal games by their definition."""

import itertools


class Octal:
    """An octal game, from its code."""

    def __init__(self, code):
        whole, _, rest = code.partition(".")
        self.digits = [int(whole), *map(int, rest)]

    def options(self, n):
        found = set()
        for taken, digit in enumerate(self.digits):
            left = n - taken
            if digit & 1 and taken and left == 0:
                found.add(())
            if digit & 2 and taken and left > 0:
                found.add((left,))
            if digit & 4:
                found |= {(a, left - a) for a in range(1, left // 2 + 1)}
        return sorted(found)


class Listed:
    """A heap game given by the options of each heap."""

    def __init__(self, options):
        self.rows = options

    def options(self, n):
        return self.rows[n]


class Outcomes:
    """Who loses which position; positions are sorted tuples of heaps."""

    def __init__(self, game):
        self.game, self.known = game, {}

    def moves(self, position):
        """The positions to which one can move, each with the heap and what replaced it."""
        for i, heap in enumerate(position):
            for option in self.game.options(heap):
                to = tuple(sorted((*position[:i], *position[i + 1 :], *option)))
                yield to, (heap, tuple(option))

    def lost(self, position):
        position = tuple(sorted(position))
        if position not in self.known:
            options = [to for to, _ in self.moves(position)]
            self.known[position] = bool(options) and not any(map(self.lost, options))
        return self.known[position]


def positions(largest, most):
    """All sums of at most ``most`` heaps up to ``largest``."""
    for size in range(most + 1):
        yield from itertools.combinations_with_replacement(range(1, largest + 1), size)
