"""Dawson's chess: pawns in two rows three ranks apart must capture; the last to move wins.

An advance uses up three neighbouring files, or fewer at an edge: the octal game 0.137, with a heap
for every run of open files [GuySmith1956]. From 52 files on, the values have period 34.

Differs from Dawson: under his rule the last player to move loses.
"""

from collections.abc import Iterator

from zermelo.rules.impartial.heaps import HeapRules, Heaps, sizes
from zermelo.rules.impartial.pictures import draw_files


class DawsonsChess(HeapRules):
    """Dawson's chess on boards of the given widths.

    >>> from zermelo.rules.values import position_values
    >>> values = position_values(DawsonsChess(12))
    >>> [values[n,] for n in range(1, 13)]
    [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2]
    """

    def heap_options(self, heap: int) -> Iterator[Heaps]:
        """The open files on both sides of a file and its neighbours."""
        for file in range((heap + 1) // 2):
            yield max(file - 1, 0), max(heap - file - 2, 0)

    def draw(self, position: Heaps) -> str:
        """Rows of files that are open."""
        return draw_files(position)

    def heap_cells(self, k: int, heap: int, parts: Heaps) -> list[tuple[str, ...]]:
        """The files in which an advance leaves these parts."""
        wanted = sizes(parts)
        return [
            (f"{k}.{file + 1}",)
            for file in range(heap)
            if sizes((max(file - 1, 0), max(heap - file - 2, 0))) == wanted
        ]
