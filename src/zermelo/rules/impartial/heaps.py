"""Heaps of counters: each move is made in one heap, and the others stay as they are."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from numbers import Integral

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError
from zermelo.rules.base import Rules
from zermelo.rules.impartial.pictures import MOST_COUNTERS, draw_heaps

Heaps = tuple[int, ...]
"""Heaps in increasing order, none of them empty."""


class HeapRules(Rules[Heaps]):
    """A game of heaps; ``heap_options`` gives what one heap becomes: heaps again, empty or not.

    >>> class Lasker(HeapRules):
    ...     def heap_options(self, heap):
    ...         yield from ((k,) for k in range(heap))
    ...         yield from ((k, heap - k) for k in range(1, heap // 2 + 1))
    >>> sorted(Lasker(2, 1).moves((1, 2)))
    [(1,), (1, 1), (1, 1, 1), (2,)]
    """

    def __init__(self, *heaps: int) -> None:
        self.heaps = sizes(heaps)

    @abstractmethod
    def heap_options(self, heap: int) -> Iterable[Heaps]:
        """REQUIRED. What a heap of this size, at least 1, becomes in one move."""

    def start(self) -> Heaps:
        """The heaps given."""
        return self.heaps

    def moves(self, position: Heaps) -> Iterator[Heaps]:
        """Move in one heap; of heaps of the same size only one is tried."""
        for k, heap in enumerate(position):
            if k == 0 or position[k - 1] != heap:
                rest = position[:k] + position[k + 1 :]
                for parts in self.heap_options(heap):
                    yield tuple(sorted(rest + tuple(x for x in parts if x)))

    def components(self, position: Heaps) -> list[Heaps]:
        """Every heap is a game of its own."""
        return [(heap,) for heap in position]

    def show(self, position: Heaps) -> str:
        """Sizes with ``+`` between; ``0`` means that there is no heap."""
        return "+".join(map(str, position)) or "0"

    def parse(self, text: str) -> Heaps:
        """The heaps written ``3+4+5``, in any order."""
        parts = [part.strip() for part in text.split("+")]
        if not all(part.isdecimal() for part in parts):
            raise InvalidOptionError(f"expected heaps such as 3+4+5, got {text!r}")
        return sizes(map(int, parts))

    def draw(self, position: Heaps) -> str:
        """Heaps of counters."""
        return draw_heaps(position)

    def move_cells(
        self, position: Heaps, option: Heaps, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The lowest counter that is taken; a heap that is split is the cell of its top."""
        gone, parts = difference(position, option)
        if len(gone) != 1:
            return ()
        (heap,) = gone
        found = [k for k, x in enumerate(position, 1) if x == heap]
        return tuple(way for k in found for way in self.heap_cells(k, heap, parts))

    def heap_cells(self, k: int, heap: int, parts: Heaps) -> list[tuple[str, ...]]:
        """The ways to click a move that leaves parts of heap number k."""
        if heap > MOST_COUNTERS:
            return [(str(k),)]
        return [(f"{k}.{min(heap, 1 + sum(parts))}",)]


def difference(position: Heaps, option: Heaps) -> tuple[Heaps, Heaps]:
    """The heaps that one position has beyond another, and those that the other has beyond it.

    >>> difference((3, 3, 4), (2, 3, 4))
    ((3,), (2,))
    """
    here, there = Counter(position), Counter(option)
    return tuple((here - there).elements()), tuple((there - here).elements())


def sizes(heaps: Iterable[int]) -> Heaps:
    """Heaps in order, without the empty ones.

    >>> sizes([5, 0, 3])
    (3, 5)
    """
    found = tuple(heaps)
    for heap in found:
        if not isinstance(heap, Integral):
            raise InvalidOptionError(f"expected heaps, as integers, got {shown(heap)}")
        if heap < 0:
            raise InvalidOptionError(f"expected heaps of 0 or more, got {heap}")
    return tuple(sorted(heap for heap in found if heap))
