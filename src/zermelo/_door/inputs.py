"""What comes from outside: numbers and arrays are checked, copied and sealed when a record is made.

Kernels index freely, so whatever reaches one was checked in this process, and nobody can change it
afterwards. An array of a record is *sealed*: a read-only view that cannot be unlocked, of memory
that nothing else writes. Arrays that are not sealed are copied.
"""

import operator
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from zermelo.errors import CertificateError, InvalidOptionError, ZermeloError
from zermelo.labels import A, AnyArray

if TYPE_CHECKING:
    from zermelo.graph import Graph

SHOWN = 80
"""So many characters of what came are shown in a message."""

_sealed: WeakValueDictionary[int, AnyArray] = WeakValueDictionary()
"""The arrays that were sealed here, by their identity."""


def shown(x: object) -> str:
    """What came, for a message: short, whatever it is.

    >>> shown("a" * 200)[-5:], shown(10**5000)
    ('aaaa…', 'a number of more than 80 digits')
    """
    if isinstance(x, int) and abs(x) >= 10**SHOWN:
        return f"a number of more than {SHOWN} digits"
    try:
        text = repr(x)
    except (RecursionError, ValueError):
        text = f"a {type(x).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def whole_number(
    x: Any,
    what: str,
    low: int | None = 0,
    high: int | None = None,
    error: type[ZermeloError] = InvalidOptionError,
) -> int:
    """An integer of any kind as an ``int``, within its bounds.

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
    raise error(f"{what}: expected an integer{span}, got {shown(x)}")


def one_of(x: Any, what: str, choices: tuple[Any, ...], error: type[ZermeloError]) -> None:
    """Refuse what is none of some numbers or words; True is no 1.

    >>> one_of("min", "convention", ("max even", "max odd"), InvalidOptionError)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: convention: expected 'max even' or 'max odd', got 'min'
    """
    plain = isinstance(x, int | np.integer | str) and not isinstance(x, bool)
    if not plain or x not in choices:
        *others, last = map(repr, choices)
        raise error(f"{what}: expected {', '.join(others)} or {last}, got {shown(x)}")


def listed(given: Any, what: str, error: type[ZermeloError] = InvalidOptionError) -> list[Any]:
    """The entries of a collection; text is none.

    >>> listed(5, "heaps")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected heaps, got 5
    """
    try:
        if not isinstance(given, str | bytes):
            return list(given)
    except TypeError:
        pass
    raise error(f"expected {what}, got {shown(given)}")


def flag(x: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(x, bool | np.bool_):
        raise InvalidOptionError(f"{what}: expected True or False, got {shown(x)}")
    return bool(x)


# -------------------------------------------------------------------- arrays


def is_sealed(array: object) -> bool:
    """Whether an array was sealed here."""
    return _sealed.get(id(array)) is array


def sealed(array: A) -> A:
    """A view of an array that nobody can write or unlock; the caller gives the array away.

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
    """An array that is nobody else's: itself where it is sealed and of the type, else a copy."""
    if is_sealed(array) and (dtype is None or array.dtype == dtype):
        return array
    return sealed(np.array(array, dtype, order="C", copy=True, subok=False))


def plain_array(values: Any, what: str, error: type[ZermeloError]) -> AnyArray:
    """Values as an array, whatever they are; masked and ragged ones are refused.

    >>> plain_array([[1], [2, 3]], "owner", InvalidOptionError)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: owner: expected an array, got [[1], [2, 3]]
    """
    masked = isinstance(values, np.ma.MaskedArray)
    try:
        array = None if masked else np.asarray(values)
    except (ValueError, TypeError, OverflowError, RecursionError):
        array = None
    if array is None:
        got = "a masked array" if masked else shown(values)
        raise error(f"{what}: expected an array, got {got}")
    return array.view(np.ndarray)


class Checked:
    """A record that is checked when it is made, and again when a pickle brings it back."""

    def __post_init__(self) -> None:
        """Check the fields, and make their arrays the record's own."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a pickle's fields; NumPy's pickles forget that an array is read-only."""
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
    """Check an array of a record for shape, type and range, and make it the record's own.

    No type given means any signed integers. ``graph`` serves messages with the positions' names.
    """
    array = getattr(record, name)
    if not isinstance(array, np.ndarray) or array.shape != shape:
        got = array.shape if isinstance(array, np.ndarray) else type(array).__name__
        raise CertificateError(f"{name}: expected an array of shape {shape}, got {got}")
    if array.dtype.kind != "i" if dtype is None else array.dtype != dtype:
        wanted = "signed integers" if dtype is None else np.dtype(dtype).name
        raise CertificateError(f"{name}: expected {wanted}, got {array.dtype}")
    if isinstance(array, np.ma.MaskedArray):
        raise CertificateError(f"{name}: expected an array, got a masked one")
    array = owned(array)
    if array.dtype != bool and array.size and not low <= array.min() <= array.max() <= high:
        s = int(np.argmax((array < low) | (array > high)))
        span = f"{low}" if low == high else f"{low} … {high}"
        where = name if graph is None else f"{_place(graph, s, shape)}: expected {name}"
        middle = ": expected" if graph is None else ""
        raise CertificateError(f"{where}{middle} {span}, the solution claims {array.flat[s]}")
    object.__setattr__(record, name, array)


def _place(graph: "Graph", s: int, shape: tuple[int, ...]) -> str:
    """A situation in words."""
    v, player = divmod(s, 2) if shape[1:] == (2,) else (s, None)
    if player is None and graph.owner is not None:
        player = int(graph.owner[v])
    name: Hashable = graph.name(v)
    return f"position {name!r}" + ("" if player is None else f", player {player} to move")


def claim_graph(record: Any, kind: type, name: str = "graph") -> None:
    """Refuse a record whose graph is none."""
    if not isinstance(getattr(record, name), kind):
        got = type(getattr(record, name)).__name__
        raise CertificateError(f"{name}: expected a {kind.__name__}, got {got}")


def claim_start(record: Any, n: int) -> None:
    """Check the position that was asked about, if any."""
    start = record.start
    if start is None:
        return
    try:
        number = whole_number(start, "start", 0, n - 1)
    except InvalidOptionError:
        message = f"start: expected a position number 0 … {n - 1}, got {shown(start)}"
        raise CertificateError(message) from None
    object.__setattr__(record, "start", number)
