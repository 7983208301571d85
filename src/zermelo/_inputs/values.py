"""Input from outside: numbers and arrays are checked, copied and sealed when a record is made.

Kernels index without checks. So everything that reaches a kernel was checked in this process, and
cannot be changed afterwards. An array of a record is *sealed*: it is a read-only view that cannot
be made writable, and no other code writes to its memory. Arrays that are not sealed are copied.
"""

import operator
import sys
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from zermelo.errors import (
    CertificateError,
    InvalidOptionError,
    MissingDependencyError,
    ZermeloError,
)
from zermelo.labels import A, AnyArray

if TYPE_CHECKING:
    from zermelo.graph import Graph

SHOWN = 80
"""A message shows at most this many characters of a given value."""

_sealed: WeakValueDictionary[int, AnyArray] = WeakValueDictionary()
"""The arrays that were sealed here, by identity."""


def shown(x: object) -> str:
    """A short text of any given value, for a message.

    >>> shown("a" * 200)[-5:], shown(10**5000)
    ('aaaa…', 'a number of more than 80 digits')
    """
    if isinstance(x, int) and abs(x) >= 10**SHOWN:
        return f"a number of more than {SHOWN} digits"
    try:
        text = repr(x)
    except Exception:  # an object of a user may fail in any way
        text = f"a {type(x).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def whole_number(
    x: Any,
    name: str,
    low: int | None = 0,
    high: int | None = None,
    error: type[ZermeloError] = InvalidOptionError,
) -> int:
    """Any kind of integer as an ``int``, checked against its bounds.

    >>> whole_number(np.uint16(65535), "n") + 1
    65536
    >>> whole_number(1.0, "n")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: n: expected an integer from 0 on, got 1.0
    """
    try:
        number = None if isinstance(x, bool | np.bool_) else operator.index(x)
    except (TypeError, ValueError):
        number = None
    if number is not None and (low is None or low <= number) and (high is None or number <= high):
        return number
    if low is None:
        span = "" if high is None else f" up to {high:,}"
    else:
        span = f" from {low:,} on" if high is None else f" from {low:,} to {high:,}"
    raise error(f"{name}: expected an integer{span}, got {shown(x)}")


def one_of(
    x: Any, name: str, choices: tuple[Any, ...], error: type[ZermeloError] = InvalidOptionError
) -> None:
    """Refuse a value that is not among the choices; True is not accepted as 1.

    >>> one_of("min", "convention", ("max even", "max odd"), InvalidOptionError)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: convention: expected 'max even' or 'max odd', got 'min'
    """
    plain = isinstance(x, int | np.integer | str) and not isinstance(x, bool)
    if not plain or x not in choices:
        *others, last = map(repr, choices)
        raise error(f"{name}: expected {', '.join(others)} or {last}, got {shown(x)}")


def listed(given: Any, name: str, error: type[ZermeloError] = InvalidOptionError) -> list[Any]:
    """The entries of a collection; a text is not accepted as one.

    >>> listed(5, "heaps")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected heaps, got 5
    """
    try:
        if not isinstance(given, str | bytes):
            return list(given)
    except TypeError:
        pass
    raise error(f"expected {name}, got {shown(given)}")


def flag(x: Any, name: str) -> bool:
    """A Boolean option, checked to be True or False."""
    if not isinstance(x, bool | np.bool_):
        raise InvalidOptionError(f"{name}: expected True or False, got {shown(x)}")
    return bool(x)


def optional_module(module: str, extra: str) -> Any:
    """Import an optional package; if it is missing, the error names the extra that installs it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingDependencyError(
            f"this needs {module}; install it with: pip install 'zermelo[{extra}]'"
        ) from None


# -------------------------------------------------------------------- arrays


def is_sealed(array: object) -> bool:
    """Whether an array was sealed here."""
    return _sealed.get(id(array)) is array


def sealed(array: A) -> A:
    """A view of an array that cannot be made writable; the caller must not keep the array.

    >>> array = sealed(np.zeros(2))
    >>> array.flags.writeable = True
    Traceback (most recent call last):
    ValueError: cannot set WRITEABLE flag to True of this array
    """
    if is_sealed(array):
        return array
    flat: Any = np.ascontiguousarray(array)
    flat.flags.writeable = False
    view: Any = np.asarray(memoryview(flat).toreadonly())
    _sealed[id(view)] = view
    return view  # type: ignore[no-any-return]


def owned(array: AnyArray, dtype: npt.DTypeLike | None = None) -> Any:
    """The array itself if it is sealed and has the dtype, else a sealed copy."""
    if is_sealed(array) and (dtype is None or array.dtype == dtype):
        return array
    return sealed(np.array(array, dtype, order="C", copy=True, subok=False))


def is_masked(values: Any) -> bool:
    """Whether values are an array with a mask, by NumPy's module for such arrays.

    >>> is_masked(np.arange(3)), is_masked(np.ma.masked_array([1, 2], [True, False]))
    (False, True)
    """
    # The module is asked only if somebody imported it: importing it takes some milliseconds. While
    # another thread imports it, the class is not there, and nobody has such an array.
    return isinstance(values, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


def plain_array(values: Any, name: str, error: type[ZermeloError]) -> AnyArray:
    """Any values as an array; masked and ragged ones are refused.

    >>> plain_array([[1], [2, 3]], "owner", InvalidOptionError)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: owner: expected an array, got [[1], [2, 3]]
    """
    masked = is_masked(values)
    try:
        array = None if masked else np.asarray(values)
    except (ValueError, TypeError, OverflowError, RecursionError):
        array = None
    if array is None:
        got = "a masked array" if masked else shown(values)
        raise error(f"{name}: expected an array, got {got}")
    return array.view(np.ndarray)


class Checked:
    """A record that is checked when it is made, and again when it is unpickled."""

    def __post_init__(self) -> None:
        """Check the fields, and replace arrays by sealed ones."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a pickle; NumPy's pickles forget that an array is read-only."""
        self.__dict__.update(state)
        self.__post_init__()
        for name, kept in self.__dict__.items():
            if isinstance(kept, np.ndarray) and kept.dtype != object:
                self.__dict__[name] = owned(kept)


def claim_array(
    record: Any,
    name: str,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike | None,
    low: int,
    high: int,
    graph: "Graph | None" = None,
) -> None:
    """Check an array of a record for shape, dtype and range, and replace it by a sealed one.

    Without a dtype, any signed integers are allowed. ``graph`` gives the names for messages.
    """
    array = getattr(record, name)
    if not isinstance(array, np.ndarray) or array.shape != shape:
        got = array.shape if isinstance(array, np.ndarray) else type(array).__name__
        raise CertificateError(f"{name}: expected an array of shape {shape}, got {got}")
    if array.dtype.kind != "i" if dtype is None else array.dtype != dtype:
        wanted = "signed integers" if dtype is None else np.dtype(dtype).name
        raise CertificateError(f"{name}: expected {wanted}, got {array.dtype}")
    if is_masked(array):
        raise CertificateError(f"{name}: expected an array, got a masked one")
    array = owned(array)
    if array.dtype != bool and array.size and not low <= array.min() <= array.max() <= high:
        s = int(np.argmax((array < low) | (array > high)))
        span = f"{low}" if low == high else f"{low} … {high}"
        prefix = name if graph is None else f"{_place(graph, s, shape)}: expected {name}"
        middle = ": expected" if graph is None else ""
        raise CertificateError(f"{prefix}{middle} {span}, the solution claims {array.flat[s]}")
    object.__setattr__(record, name, array)


def _place(graph: "Graph", s: int, shape: tuple[int, ...]) -> str:
    """A situation described for a message."""
    v, player = divmod(s, 2) if shape[1:] == (2,) else (s, None)
    if player is None and graph.owner is not None:
        player = int(graph.owner[v])
    name: Hashable = graph.name(v)
    return f"position {name!r}" + ("" if player is None else f", player {player} to move")


def claim_graph(record: Any, kind: type, name: str = "graph") -> None:
    """Refuse a record whose graph is not of the given type."""
    if not isinstance(getattr(record, name), kind):
        got = type(getattr(record, name)).__name__
        raise CertificateError(f"{name}: expected a {kind.__name__}, got {got}")


def claim_start(record: Any, n: int) -> None:
    """Check the start position of a record, if it has one."""
    start = record.start
    if start is None:
        return
    try:
        number = whole_number(start, "start", 0, n - 1)
    except InvalidOptionError:
        message = f"start: expected a position number 0 … {n - 1}, got {shown(start)}"
        raise CertificateError(message) from None
    object.__setattr__(record, "start", number)
