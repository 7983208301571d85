"""The terminal form of a game: the payoffs of its ends and of infinite play."""

import math
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo._inputs.values import Checked, owned, shown, whole_number
from zermelo.errors import InvalidObjectiveError, ZermeloError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int32Array

Number = int | float | Fraction

MAX_DOUBLED = 2**30 - 1


class Layout(Enum):
    """The numbering of situations; a situation is a position and the player to move."""

    SYMMETRIC = "symmetric"
    """Situation = position; values are for the player to move."""
    OWNED = "owned"
    """Situation = position, its owner moves; values are for player 0."""
    ALTERNATING = "alternating"
    """Situation 2 v + e = token on v, player e to move; values are for player 0."""


@dataclass(frozen=True, eq=False)
class TerminalForm(Checked):
    """The payoffs of a terminal-payoff game on one graph.

    ``levels`` are the distinct payoffs, increasing. ``absorbing`` lists the situations where play
    ends (terminals, and for ``Reach`` and ``Safety`` the targets and the unsafe positions) and
    ``absorbing_level`` the index into ``levels`` that each pays; ``infinite`` is the index of
    the payoff of infinite play. With ``agreed_ends``, an end with the same payoff as infinite play
    gives distances: those of the shortest play on which both players may agree.
    """

    layout: Layout
    levels: tuple[Number, ...]
    infinite: int
    absorbing: Int32Array
    absorbing_level: Int32Array
    agreed_ends: bool = True
    doubled: bool = field(init=False, repr=False)
    """Whether there are two situations for each position."""

    def __post_init__(self) -> None:
        if not isinstance(self.layout, Layout) or not isinstance(self.agreed_ends, bool):
            raise InvalidObjectiveError(
                f"expected a layout and whether ends are agreed on, got {shown(self.layout)} and "
                f"{shown(self.agreed_ends)}"
            )
        if not isinstance(self.levels, tuple) or not all(map(_is_number, self.levels)):
            raise InvalidObjectiveError(f"levels: expected numbers, got {shown(self.levels)}")
        last = len(self.levels) - 1
        whole_number(self.infinite, "infinite", 0, last, InvalidObjectiveError)
        size: int | None = None
        for name, high in (("absorbing", 2**31 - 1), ("absorbing_level", last)):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype != np.int32 or array.ndim != 1:
                raise InvalidObjectiveError(f"{name}: expected an array of int32")
            if size is not None and array.size != size:
                raise InvalidObjectiveError(f"{name}: expected {size} entries, got {array.size}")
            size = array.size
            if size and not 0 <= array.min() <= array.max() <= high:
                raise InvalidObjectiveError(f"{name}: expected numbers 0 … {high}")
            object.__setattr__(self, name, owned(array))
        object.__setattr__(self, "doubled", self.layout is Layout.ALTERNATING)

    def check_fit(self, graph: Graph, error: type[ZermeloError] = InvalidObjectiveError) -> None:
        """Refuse a form that contains situations that the graph does not have."""
        if not isinstance(graph, Graph):
            raise InvalidObjectiveError(f"form: expected a graph, got {shown(graph)}")
        size = graph.n * (2 if self.doubled else 1)
        if self.absorbing.size and int(self.absorbing.max()) >= size:
            raise error(f"form: expected ends among {size} situations, got {self.absorbing.max()}")
        if (self.layout is Layout.OWNED) != (graph.owner is not None):
            raise error(f"form: the layout {self.layout.value} does not fit the graph's owners")


def form_on(objective: Any, graph: Graph) -> TerminalForm:
    """The terminal form of an objective on a graph, checked for objectives of users."""
    if isinstance(objective, type) or not hasattr(objective, "terminal_form"):
        raise InvalidObjectiveError(f"expected an objective, got {shown(objective)}")
    form = objective.terminal_form(as_graph(graph))
    if not isinstance(form, TerminalForm):
        raise InvalidObjectiveError(f"terminal_form: expected a TerminalForm, got {shown(form)}")
    form.check_fit(graph)
    return form


MAX_DIGITS = 1000
"""The largest number of digits of a number, and of the numerator and denominator of a fraction."""


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float | Fraction) and not isinstance(x, bool) and x == x


def exact_number(text: str) -> Fraction:
    """A fraction from its text, ``1/3``, ``0.25`` or ``-1e6``; very long numbers are refused.

    >>> exact_number("0.25")
    Fraction(1, 4)
    >>> exact_number("1e999999999")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: expected a number of at most 1,000 digits, got ...
    """
    shape = _NUMBER.fullmatch(text.strip())
    if shape is None:
        raise InvalidObjectiveError(f"expected a number, got {shown(text)}")
    power = shape["power"] or "0"
    if len(text) > 2 * MAX_DIGITS + 2 or len(power) > 6 or abs(int(power)) > MAX_DIGITS:
        raise _too_long(text)
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InvalidObjectiveError(f"expected a number, got {shown(text)}") from None
    check_digits(found)
    return found


def check_digits(x: int | Fraction) -> None:
    """Refuse a number of very many digits, which no file could keep.

    >>> check_digits(10**1000)
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: expected a number of at most 1,000 digits, got ...
    """
    if max(abs(x.numerator), x.denominator) >= 10**MAX_DIGITS:
        raise _too_long(x)


def _too_long(given: object) -> InvalidObjectiveError:
    return InvalidObjectiveError(
        f"expected a number of at most {MAX_DIGITS:,} digits, got {shown(given)}"
    )


_NUMBER = re.compile(r"[-+]?[\d_]*(/[\d_]+|\.?[\d_]*([eE](?P<power>[-+]?\d+))?)", re.ASCII)


def number(x: Any) -> Number:
    """A payoff from plain data: a number, or a fraction in a string.

    >>> number("1/3")
    Fraction(1, 3)
    """
    if isinstance(x, str):
        return exact_number(x)
    if isinstance(x, np.floating):  # a long double is not converted to a float automatically
        x = float(x) if float(x) == x else exact_number(str(x))
    elif isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, Decimal):
        x = exact_number(str(x))
    if (
        isinstance(x, bool)
        or not isinstance(x, int | float | Fraction)
        or (isinstance(x, float) and not math.isfinite(x))
    ):
        raise InvalidObjectiveError(f"expected a finite number, got {shown(x)}")
    if not isinstance(x, float):
        check_digits(x)
    return x


def plain(x: Number) -> int | float | str:
    """The inverse of :func:`number`."""
    return str(x) if isinstance(x, Fraction) else x


def payoff_pair(name: Hashable, given: Any) -> tuple[Number, Number]:
    """The payoffs of a terminal if player 0, and if player 1, is stuck there."""
    pair = given if isinstance(given, tuple | list | np.ndarray) else (given, given)
    if len(pair) != 2:
        raise InvalidObjectiveError(
            f"payoff of {name!r}: expected one or two numbers, got {given!r}"
        )
    try:
        return number(pair[0]), number(pair[1])
    except InvalidObjectiveError as error:
        raise InvalidObjectiveError(f"payoff of {name!r}: {error}") from None


def place_number(v: Any, graph: Graph) -> int:
    """A position number from a file: an integer, or its digits if it is the key of an object."""
    if isinstance(v, str) and v.isascii() and v.isdigit() and (v == "0" or v[0] != "0"):
        v = int(v)
    if isinstance(v, bool) or not isinstance(v, int) or not 0 <= v < graph.n:
        raise InvalidObjectiveError(f"expected a position number 0 … {graph.n - 1}, got {v!r}")
    return v


def entries(given: Any) -> AnyArray:
    """A sequence of payoffs or of pairs of them, as an array of its entries."""
    rows = list(given) if isinstance(given, Iterable) else [given]
    array = np.empty(len(rows), object)
    array[:] = rows
    return array


def exact_array(values: list[Number]) -> AnyArray:
    """Numbers as an array that holds them exactly."""
    if all(isinstance(x, int) and abs(x) < 2**63 for x in values):
        return np.array(values, np.int64)
    if all(isinstance(x, float) for x in values):
        return np.array(values, np.float64)
    array = np.empty(len(values), object)
    array[:] = values
    return array


def coded_form(
    layout: Layout,
    absorbing: Int32Array,
    values: AnyArray,
    others: list[Number],
    mirrored: bool = False,
) -> TerminalForm:
    """Code the payoffs of ends by their rank; ``others[0]`` is the payoff of infinite play."""
    distinct: set[Number] = {*np.unique(values).tolist(), *others}
    if mirrored:
        distinct |= {-x for x in distinct}
    levels = tuple(sorted(distinct))
    infinite = levels.index(others[0])
    if values.dtype == object or not all(isinstance(x, int | float) for x in levels):
        code = {x: c for c, x in enumerate(levels)}
        codes = np.fromiter((code[x] for x in values.tolist()), np.int32, values.size)
    else:
        codes = np.searchsorted(exact_array(list(levels)), values).astype(np.int32)
    return TerminalForm(layout, levels, infinite, absorbing, codes)


def doubled(positions: Int32Array, n: int) -> Int32Array:
    """Both situations of each position, in order.

    >>> doubled(np.array([1, 3], np.int32), 4).tolist()
    [2, 3, 6, 7]
    """
    if n > MAX_DOUBLED:
        raise InvalidObjectiveError(
            f"expected at most {MAX_DOUBLED:,} positions if each has two situations, got {n:,}; "
            "use a graph with owners, or a game that is the same for both players"
        )
    both = np.repeat(positions.astype(np.int32) * np.int32(2), 2)
    both[1::2] += np.int32(1)
    return both
