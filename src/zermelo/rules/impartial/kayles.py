"""Kayles: knock down one pin of a row, or two that stand side by side.

The octal game 0.77 [GuySmith1956]: the rest of the row may be in two parts. From 71 pins on, the
values have period 12.
"""

from collections.abc import Iterator

from zermelo.rules.impartial.heaps import HeapRules, Heaps
from zermelo.rules.impartial.pictures import draw_pins


class Kayles(HeapRules):
    """Kayles with rows of the given lengths.

    >>> from zermelo.rules.values import position_values
    >>> values = position_values(Kayles(12))
    >>> [values[n,] for n in range(1, 13)]
    [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    """

    def heap_options(self, heap: int) -> Iterator[Heaps]:
        """What is left of a row on both sides of one pin or two."""
        for hit in (1, 2):
            for left in range((heap - hit) // 2 + 1):
                yield left, heap - hit - left

    def draw(self, position: Heaps) -> str:
        """Rows of pins."""
        return draw_pins(position)

    def heap_cells(self, k: int, heap: int, parts: Heaps) -> list[tuple[str, ...]]:
        """The pins that fall, counted from either end of the row."""
        first = min(parts) if len(parts) == 2 else 0
        hit = range(first + 1, first + 1 + heap - sum(parts))
        mirrored = (heap + 1 - pin for pin in reversed(hit))
        return [tuple(f"{k}.{pin}" for pin in pins) for pins in (hit, mirrored)]
