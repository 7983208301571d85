"""Parameters of rules that machine code reads from memory, and not as constants.

Rules say in ``as_data`` which of their parameters these are. Games that differ in them alone, such
as chess endgames with other men, then share one machine code: its key has the names and the types
of such parameters, but not their values. The code refers to them by symbols, and where it is loaded
for a game, the linker puts in the addresses of that game's values.
"""

from typing import Any

import numpy as np

PREFIX = "zermelo_data_"
"""How the symbols of data begin; LENGTH is the end of the symbol of a number of elements."""

LENGTH = "_length"


class Datum(np.ndarray[Any, Any]):
    """A parameter in memory: a one-dimensional array with the symbol that machine code has for it.

    >>> width = datum("width", 7)
    >>> width.symbol, width.tolist(), width.flags.writeable
    ('zermelo_data_width', [7], False)
    """

    symbol = ""
    length: Any = None
    """The number of elements, in an array of its own."""

    def addresses(self) -> dict[str, int]:
        """The addresses that the linker puts in place of symbols."""
        return {self.symbol: self.ctypes.data, self.symbol + LENGTH: self.length.ctypes.data}

    def form(self) -> str:
        """What machine code knows of it."""
        return f"data {self.symbol} {self.dtype.str}"


def datum(name: str, value: Any) -> Datum:
    """A parameter in memory: a copy of an array, or one element for a number."""
    given = np.array(value, np.int64 if isinstance(value, int) else None, ndmin=1)
    made: Datum = given.view(Datum)
    made.symbol, made.length = PREFIX + name, np.array([given.size], np.int64)
    made.flags.writeable = False
    return made


def is_data(value: Any) -> bool:
    """Whether a parameter can be data: an integer, or a one-dimensional array of integers.

    >>> is_data(3), is_data(np.zeros(2, np.int8)), is_data((1, 2)), is_data(np.zeros(2))
    (True, True, False, False)
    """
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu" and value.dtype.isnative
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
