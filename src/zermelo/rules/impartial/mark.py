"""Mark: turn a heap of n counters into one of n − 1 or of ⌊n/2⌋.

The player to move loses with 0 counters, and with n counters where the binary digits of n end in
an odd number of zeros, the *dopey* numbers. The values are 0, 1 and 2, and never become periodic
[Fraenkel2011].
"""

from zermelo.rules.impartial.heaps import HeapRules, Heaps


class Mark(HeapRules):
    """Mark with heaps of the given sizes.

    >>> from zermelo.rules.values import position_values
    >>> values = position_values(Mark(10))
    >>> [n for n in range(1, 11) if values[n,] == 0]
    [2, 6, 8, 10]
    """

    def heap_options(self, heap: int) -> tuple[Heaps, ...]:
        """One counter less, or half of them."""
        return (heap - 1,), (heap // 2,)
