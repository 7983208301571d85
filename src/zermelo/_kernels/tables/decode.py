"""The planes of a block become the numbers under which its entries are kept.

A block of a file has a plane of symbols, one for each entry, and a plane of distances for each kind
of entry that stores them. The bytes may be anything: a forged file has good checksums, too. So the
kernel holds every index that depends on them against the length of what it reads.
"""

from typing import NamedTuple

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

AT, BY, MOST, WIDTH, ROW = 0, 1, 2, 3, 4
"""The row of a symbol: the number of an entry with the code 0 or with none, what each code adds,
the greatest code, and how many bytes a code has, 0 if there is none."""

SOUND, WRONG_KIND, WRONG_DISTANCE, WRONG_COUNT = 0, 1, 2, 3
"""What the kernel found."""


class Planes(NamedTuple):
    """The planes of a block."""

    data: AnyArray
    """The bytes of all planes, that of symbols first."""
    begin: Int64Array
    """Where the first byte of the next code of each symbol is; the kernel changes it."""
    stop: Int64Array
    """Where the first bytes of its codes stop."""
    size: Int64Array
    """How many codes it has: the second bytes of codes are so far behind the first, and so on."""


@kernel
def decode_entries(planes: Planes, rows: Int64Array, bits: int, code: AnyArray, count: int) -> int:
    """Fill ``code`` with the numbers of ``count`` entries; the result is one of SOUND ….

    ``rows`` has a row for each symbol, see AT. Symbols have ``bits`` bits, the first in the lowest
    bits of a byte, and the plane has at least ``count`` of them.
    """
    data, begin, stop, size = planes
    symbols = len(rows) // ROW
    each, mask = 8 // bits if bits != 0 else count, (1 << bits) - 1
    for start in range(0, count, each):
        byte = data[start // each] & 255 if bits != 0 else 0
        for i in range(start, min(start + each, count)):
            symbol, far = byte & mask, 0
            byte >>= bits
            if symbol >= symbols:
                return WRONG_KIND
            row = ROW * symbol
            width = rows[row + WIDTH]
            if width != 0:
                place = begin[symbol]
                if place >= stop[symbol]:
                    return WRONG_COUNT
                far = data[place] & 255
                for k in range(1, width):
                    far |= (data[place + k * size[symbol]] & 255) << 8 * k
                if far > rows[row + MOST]:
                    return WRONG_DISTANCE
                begin[symbol] = place + 1
            code[i] = rows[row + AT] + rows[row + BY] * far
    for symbol in range(symbols):
        if begin[symbol] != stop[symbol]:
            return WRONG_COUNT
    return SOUND
