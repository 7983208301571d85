"""Words of 64 bits as sets: the instructions of the machine for them, for kernels and for rules.

A set is a signed integer, and element 63 is its sign. ``&``, ``|``, ``^`` and ``~`` mean the same
in Python and in machine code, but shifts do not: therefore :data:`left` and :data:`right`.
"""

from zermelo._runtime.compiled.instructions import build_lowest, build_on_words
from zermelo._runtime.compiled.jit import Intrinsic

WORD = 1 << 64


def _lowest(mask: int) -> int:
    """The number of the lowest bit that is set in a mask of 64 bits, which is not 0."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


lowest: Intrinsic[[int], int] = Intrinsic(_lowest, build_lowest)


def _signed(word: int) -> int:
    """The integer that machine code has for the lowest 64 bits of one."""
    word %= WORD
    return word - WORD if word >> 63 else word


def _left(mask: int, by: int) -> int:
    """The bits of a mask of 64, ``by`` places higher; those that leave it are lost."""
    return _signed(int(mask) << by)


def _right(mask: int, by: int) -> int:
    """The bits of a mask of 64, ``by`` places lower; zeros come in from above."""
    return _signed(int(mask) % WORD >> by)


def _turned_bytes(mask: int) -> int:
    """The eight bytes of a mask in reverse order."""
    return _signed(int.from_bytes((int(mask) % WORD).to_bytes(8, "little"), "big"))


def _turned_bits(mask: int) -> int:
    """The 64 bits of a mask in reverse order."""
    return _signed(int(f"{int(mask) % WORD:064b}"[::-1], 2))


def _count_bits(mask: int) -> int:
    """How many bits of a mask of 64 are set."""
    return (int(mask) % WORD).bit_count()


left: Intrinsic[[int, int], int] = Intrinsic(_left, build_on_words("shl"))
right: Intrinsic[[int, int], int] = Intrinsic(_right, build_on_words("lshr"))
turned_bytes: Intrinsic[[int], int] = Intrinsic(_turned_bytes, build_on_words("bswap"))
turned_bits: Intrinsic[[int], int] = Intrinsic(_turned_bits, build_on_words("bitreverse"))
count_bits: Intrinsic[[int], int] = Intrinsic(_count_bits, build_on_words("ctpop"))
