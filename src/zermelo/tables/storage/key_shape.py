"""What the keys of a table are made of, found by trial: digits, rows, layers.

Positions are numbers, and the rules do not say how. Most are boards of bits, or digits to a base
such as the number of seeds. So some keys are packed in several ways, and the shortest one tells.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zermelo._kernels.tables.pack import KEY_BITS, Shape
from zermelo.labels import Int64Array
from zermelo.tables.storage.packing import decided_keys, fields_of

MAX_BASE = 64
"""The greatest base that is tried."""

MAX_ROW_BITS = 12
"""The longest row of bits that is tried."""

BASE_KEYS, ROW_KEYS, GROUND_KEYS = 1024, 4096, 8192
"""So many consecutive keys are tried at each of three places: for a base, for rows and layers, and
for the ground of entries, which are learned slowly."""


EntriesSize = Callable[[int, int, Int64Array, Shape], int]
"""The bytes of entries ``start … stop − 1``, whose keys have these fields, in a shape."""


def possible(shape: Shape) -> bool:
    """Whether a shape is one that keys can have.

    >>> possible(Shape(17, 5, 5, 20, 20)), possible(Shape(17, 4, 4, 20, 20))
    (True, False)
    """
    base, width, row, layer, ground = shape
    return (
        all(type(x) is int for x in shape)
        and 2 <= base <= MAX_BASE
        and width == (base - 1).bit_length()
        and 2 <= row <= 16
        and row + 2 <= min(layer, ground)
        and max(layer, ground) <= KEY_BITS - row
    )


def choose_shape(keys: Any, entries: int, size_of: EntriesSize) -> Shape:
    """The shape in which some of the sorted keys and their entries take the fewest bytes.

    Some ninety shapes are tried, which takes about half a second.
    """
    few, more, many = (_some(keys, entries, count) for count in (BASE_KEYS, ROW_KEYS, GROUND_KEYS))
    best = _shortest(_by_base(), lambda shape: _size(few, shape))
    if best.width == 1:
        best = _shortest(_by_row(), lambda shape: _size(more, shape))
    best = _shortest(_by(best, "layer"), lambda shape: _size(more, shape))
    parts = [(start, start + own.size, fields_of(own, best)) for start, own in many.items()]

    def size(shape: Shape) -> int:
        return sum(size_of(a, b, fields, shape) for a, b, fields in parts if fields is not None)

    return _shortest(_by(best, "ground"), size)


def _some(keys: Any, entries: int, count: int) -> dict[int, Int64Array]:
    """Consecutive keys at three places, by the number of the first; keys may be in a file."""
    starts = sorted({max(0, entries * k // 4 - count // 2) for k in (1, 2, 3)})
    return {x: np.ascontiguousarray(keys[x : min(x + count, entries)], np.int64) for x in starts}


def _shortest(shapes: Iterator[Shape], size: Callable[[Shape], int]) -> Shape:
    """The first of the shapes that need the fewest bytes."""
    return min(filter(possible, shapes), key=size)


def _size(sample: dict[int, Int64Array], shape: Shape) -> int:
    """Bytes for a sample of keys; too many for a shape that they do not have."""
    size = 0
    for keys in sample.values():
        fields = fields_of(keys, shape)
        size += 1 << KEY_BITS if fields is None else len(decided_keys(fields, shape))
    return size


def _by_base() -> Iterator[Shape]:
    yield Shape(2, 1, 5, 15, 15)
    for base in range(3, MAX_BASE + 1):
        width = (base - 1).bit_length()
        layer = 4 * max(width, 3)
        yield Shape(base, width, width, layer, layer)


def _by_row() -> Iterator[Shape]:
    for row in range(2, MAX_ROW_BITS + 1):
        yield Shape(2, 1, row, 3 * row, 3 * row)


def _by(best: Shape, name: str) -> Iterator[Shape]:
    """Shapes with a layer or a ground of several rows."""
    yield best
    for bits in range(2 * best.row, KEY_BITS - best.row + 1, best.row):
        yield best._replace(**{name: bits})
