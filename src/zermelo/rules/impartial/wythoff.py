"""Wythoff's game: take from one of two heaps, or the same number from both.

The player to move loses at the pairs (⌊kφ⌋, ⌊kφ²⌋), φ the golden ratio [Wythoff1907].
"""

from collections.abc import Iterator

from zermelo.rules.impartial.pairs import Pair, PairRules, ordered
from zermelo.rules.impartial.pictures import MOST_COUNTERS, draw_heaps


class Wythoff(PairRules):
    """Wythoff's game with two heaps; the same as a queen that moves to a corner of a chess board.

    >>> import zermelo as zm
    >>> s = zm.solve(zm.explore(Wythoff(7, 7)))
    >>> sorted(x for x in s.graph if s[x].label < 0)
    [(0, 0), (1, 2), (3, 5), (4, 7)]
    """

    def moves(self, position: Pair) -> Iterator[Pair]:
        """Counters off one heap, or the same number off both."""
        a, b = position
        yield from ((k, b) for k in range(a))
        yield from (ordered(a, k) for k in range(b))
        yield from ((a - k, b - k) for k in range(1, a + 1))

    def draw(self, position: Pair) -> str:
        """Two heaps of counters."""
        return draw_heaps(position)

    def move_cells(
        self, position: Pair, option: Pair, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The lowest counter that is taken from each heap."""
        ways = []
        for pair in dict.fromkeys((option, option[::-1])):
            taken = [a - b for a, b in zip(position, pair, strict=True)]
            if min(taken) >= 0 and (0 in taken or taken[0] == taken[1]):
                ways.append(
                    tuple(
                        str(k) if position[k - 1] > MOST_COUNTERS else f"{k}.{rest + 1}"
                        for k, rest in enumerate(pair, 1)
                        if taken[k - 1]
                    )
                )
        return tuple(ways)
