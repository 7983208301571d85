"""Fibonacci Nim: take at most twice what the opponent took from a heap, and at first not all.

The first player loses exactly where the heap is a Fibonacci number [Whinihan1963].
"""

from collections.abc import Iterator

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import Rules, integers
from zermelo.rules.impartial.pictures import MOST_COUNTERS, draw_heaps

HeapAndLimit = tuple[int, int]
"""The number of counters left, and the number of them that may be taken."""


class FibonacciNim(Rules[HeapAndLimit]):
    """Fibonacci Nim with a heap of ``n`` counters.

    >>> import zermelo as zm
    >>> [n for n in range(2, 22) if zm.solve(zm.explore(FibonacciNim(n))).label[0] < 0]
    [2, 3, 5, 8, 13, 21]
    """

    def __init__(self, n: int) -> None:
        if n < 2:
            raise InvalidOptionError(f"expected 2 counters or more, got {n}")
        self.n = n

    def start(self) -> HeapAndLimit:
        """The whole heap, which may not be taken at once."""
        return self.n, self.n - 1

    def moves(self, position: HeapAndLimit) -> Iterator[HeapAndLimit]:
        """Take some counters; then at most twice as many may be taken from the rest."""
        n, limit = position
        return ((n - k, min(2 * k, n - k)) for k in range(1, limit + 1))

    def show(self, position: HeapAndLimit) -> str:
        """The number of counters, then the number that may be taken."""
        return f"{position[0]},{position[1]}"

    def parse(self, text: str) -> HeapAndLimit:
        """The position written ``20,6``."""
        numbers = integers(text)
        if len(numbers) != 2 or not 0 <= numbers[1] <= numbers[0]:
            raise InvalidOptionError(f"expected counters and a limit, such as 20,6, got {text!r}")
        return numbers[0], numbers[1]

    def draw(self, position: HeapAndLimit) -> str:
        """The heap, and how many counters may be taken."""
        return draw_heaps(position[:1], f"at most {position[1]} may be taken")

    def move_cells(
        self, position: HeapAndLimit, option: HeapAndLimit, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The lowest counter that is taken."""
        return (("1" if position[0] > MOST_COUNTERS else f"1.{option[0] + 1}",),)
