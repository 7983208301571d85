"""The door of :class:`~zermelo.graph.Graph`: what comes in is checked and put in order here.

Inside, everything trusts its arrays; so every message about a bad graph is in this file.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import InvalidGraphError, MissingDependencyError
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array, read_only

MAX_POSITIONS = 2**31 - 2

OwnerLike = npt.ArrayLike | Mapping[Any, int] | None


def frozen(array: npt.ArrayLike, dtype: npt.DTypeLike) -> Any:
    """A read-only, contiguous array; copied unless it is that already."""
    given = np.asarray(array)
    if given.flags.writeable and given.base is not None:
        given = given.copy()
    return read_only(np.ascontiguousarray(given, dtype))


def optional_module(module: str, extra: str) -> Any:
    """Import a package that an extra installs, or say which extra."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingDependencyError(
            f"this needs {module}; install it with: pip install 'zermelo[{extra}]'"
        ) from None


def check_size(n: int) -> None:
    """Refuse more positions than 32 bits can number."""
    if not 0 <= n <= MAX_POSITIONS:
        raise InvalidGraphError(f"expected 0 to {MAX_POSITIONS:,} positions, got {n:,}")


def edge_pair(k: int, edge: Any) -> tuple[Any, Any]:
    """The two ends of edge number ``k``."""
    if isinstance(edge, str) or not isinstance(edge, Sequence | np.ndarray) or len(edge) != 2:
        raise InvalidGraphError(f"edge {k}: expected a pair (from, to), got {edge!r}")
    return edge[0], edge[1]


def integer_array(values: npt.ArrayLike, what: str) -> AnyArray:
    """A one-dimensional array of integers."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidGraphError(f"{what}: expected one dimension, got {array.ndim}")
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype == object and all(isinstance(x, int | np.integer) for x in array):
        try:
            array = array.astype(np.int64)
        except OverflowError:
            raise InvalidGraphError(f"{what}: a number is out of range") from None
    if array.dtype.kind not in "iu":
        raise InvalidGraphError(f"{what}: expected integers, got {array.dtype}")
    return array


def position_numbers(values: npt.ArrayLike, what: str) -> AnyArray:
    """An array of position numbers, none negative, none too large."""
    array = integer_array(values, what)
    if array.size and array.min() < 0:
        k = int(np.argmax(array < 0))
        raise InvalidGraphError(f"{what} {k}: positions are numbered from 0, got {array[k]}")
    if array.size and array.max() > MAX_POSITIONS:
        raise InvalidGraphError(f"{what}: expected at most {MAX_POSITIONS:,}, got {array.max()}")
    return array


def distinct_names(names: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Names as a tuple, hashable and all different."""
    if isinstance(names, str):
        raise InvalidGraphError(f"expected a sequence of names, got the string {names!r}")
    names = tuple(names)
    try:
        distinct = len(set(names))
    except TypeError as error:
        raise InvalidGraphError(f"a position's name must be hashable: {error}") from None
    if distinct < len(names):
        seen: set[Hashable] = set()
        double = next(x for x in names if x in seen or seen.add(x))  # type: ignore[func-returns-value]
        raise InvalidGraphError(f"expected distinct names, got {double!r} twice")
    return names


def check_names(names: tuple[Hashable, ...] | None, n: int) -> tuple[Hashable, ...] | None:
    """Names if there are as many as positions."""
    if names is not None and len(names) != n:
        raise InvalidGraphError(f"expected {n} names, got {len(names)}")
    return names


def owner_array(owner: OwnerLike, n: int, names: tuple[Hashable, ...] | None) -> Int8Array | None:
    """Owners as an array, from a sequence by position or a mapping by name."""
    if owner is None:
        return None
    if isinstance(owner, Mapping):
        who: Iterable[Hashable] = range(n) if names is None else names
        mapping = owner
        missing = [x for x in who if x not in mapping]
        if missing:
            raise InvalidGraphError(f"owner: position {missing[0]!r} has none")
        owner = [mapping[x] for x in (range(n) if names is None else names)]
    array = np.asarray(owner)
    if array.shape != (n,):
        raise InvalidGraphError(f"owner: expected {n} entries, got shape {array.shape}")
    bad = [x for x in ((0, 1) if array.size == 0 else np.unique(array)) if x not in (0, 1)]
    if bad or (array.dtype.kind not in "iubO" and array.size):
        culprit = bad[0] if bad else array[0]
        v = int(np.argmax(array == culprit))
        raise InvalidGraphError(f"owner of position {v}: expected 0 or 1, got {culprit!r}")
    return array.astype(np.int8)


def rows_increase(indptr: Int64Array, indices: AnyArray) -> bool:
    """Whether the moves of every position are strictly increasing."""
    if indices.size < 2:
        return True
    rising = indices[1:] > indices[:-1]
    starts = indptr[1:-1]
    starts = starts[(starts > 0) & (starts < indices.size)]
    rising[starts - 1] = True
    return bool(rising.all())


def canonical_rows(key: Int64Array, n: int) -> tuple[Int64Array, Int32Array]:
    """Sorted, merged rows from keys ``source · 2³² + target``; the keys are used up."""
    if key.size > 1:
        step = key[1:] > key[:-1]
        if not step.all():
            key.sort()
            np.not_equal(key[1:], key[:-1], out=step)
            if not step.all():
                key = key[np.concatenate([[True], step])]
    indices = (key & 0xFFFFFFFF).astype(np.int32)
    key >>= 32
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=n), out=indptr[1:])
    return indptr, indices
