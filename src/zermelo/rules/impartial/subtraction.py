"""Subtraction games: take a number of counters that a fixed set allows from one heap.

With {1, …, k} a heap of n counters has the value n mod (k + 1); with any finite set the values
are periodic in n from some n on [BerlekampConwayGuy2001] ch. 4.
"""

from collections.abc import Iterable, Iterator
from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import integers
from zermelo.rules.impartial.heaps import HeapRules, Heaps


class Subtraction(HeapRules):
    """Take as many counters from one heap as ``take`` allows.

    >>> from zermelo.rules.values import position_values
    >>> values = position_values(Subtraction({1, 2, 3}, 10))
    >>> [values[n,] for n in range(1, 11)]
    [1, 2, 3, 0, 1, 2, 3, 0, 1, 2]
    """

    def __init__(self, take: Iterable[int], *heaps: int) -> None:
        super().__init__(*heaps)
        self.take = sorted(set(take))
        if not self.take or self.take[0] < 1:
            raise InvalidOptionError(f"expected numbers of 1 or more to take, got {self.take}")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """What may be taken, then ``/`` and the heaps: ``1,2,3/10``."""
        take, _, heaps = text.partition("/")
        return cls(integers(take), *integers(heaps))

    def heap_options(self, heap: int) -> Iterator[Heaps]:
        """The heap minus a number that may be taken."""
        return ((heap - k,) for k in self.take if k <= heap)
