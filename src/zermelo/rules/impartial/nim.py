"""Nim: take any number of counters from one heap.

The player to move loses exactly where the sizes, written in binary, add up to 0 without carrying
[Bouton1901].
"""

from collections.abc import Iterator

from zermelo.rules.impartial.heaps import HeapRules, Heaps


class Nim(HeapRules):
    """Nim with heaps of the given sizes.

    >>> import zermelo as zm
    >>> print(zm.solve(zm.explore(Nim(1, 4, 5)))[1, 4, 5])
    (1, 4, 5): LOSE in 10 by (4, 5), (1, 4, 4)
    """

    def heap_options(self, heap: int) -> Iterator[Heaps]:
        """Any smaller heap."""
        return ((k,) for k in range(heap))
