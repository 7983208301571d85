"""Integers in files, checked while they are read."""

from typing import Any

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats.common.names import shorten
from zermelo.labels import AnyArray


def whole(flat: list[Any], low: int, high: int) -> bool:
    """Whether all entries are integers within bounds.

    >>> whole([0, 2], 0, 2), whole([0, True], 0, 2), whole([3], 0, 2)
    (True, False, False)
    """
    return set(map(type, flat)) <= {int} and (not flat or (min(flat) >= low and max(flat) <= high))


def signed(array: AnyArray, name: str) -> AnyArray:
    """An array without the type uint64, which NumPy mixes with no other integers.

    >>> signed(np.array([7], np.uint64), "indptr").dtype.name
    'int64'
    """
    if array.dtype != np.uint64:
        return array
    if array.size and array.max() >> np.uint64(63):
        raise FormatError(f"{name}: expected integers below 2**63, got {array.max()}")
    return array.astype(np.int64)


def integers(listed: Any, path: str, n: int, low: int, high: int) -> AnyArray:
    """A list of n integers within bounds; ``path`` is its place in the file.

    >>> integers([1, 7], "/owner", 2, 0, 1)
    Traceback (most recent call last):
    zermelo.errors.FormatError: /owner/1: expected 0 or 1, got 7
    """
    if not isinstance(listed, list):
        raise FormatError(f"{path}: expected a list, got {shorten(listed)}")
    if len(listed) != n:
        raise FormatError(f"{path}: expected {n} entries, got {len(listed)}")
    if not whole(listed, low, high):
        k = next(k for k, x in enumerate(listed) if not whole([x], low, high))
        span = f"{low} or {high}" if high == low + 1 else f"{low} … {high}"
        raise FormatError(f"{path}/{k}: expected {span}, got {shorten(listed[k])}")
    return np.array(listed, np.int64)
