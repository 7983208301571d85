"""The terminal-payoff family: a game spelled out as payoffs of ends and of infinite play."""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array

Number = int | float | Fraction

MAX_DOUBLED = 2**30 - 1


class Layout(Enum):
    """How situations (who moves where) are numbered."""

    SYMMETRIC = "symmetric"
    """Situation = position; values are as the mover sees them."""
    OWNED = "owned"
    """Situation = position, its owner moves; values are as player 0 sees them."""
    ALTERNATING = "alternating"
    """Situation 2 v + e = token on v, player e to move; values are as player 0 sees them."""


@dataclass(frozen=True, eq=False)
class TerminalForm:
    """A game of the terminal-payoff family, spelled out for one graph.

    ``levels`` are the distinct payoffs, increasing. ``absorbing`` lists the situations where play
    ends (terminals, and for ``Reach`` and ``Safety`` the targets and the unsafe positions) and
    ``absorbing_level`` the index into ``levels`` that each pays; ``infinite`` is the index of what
    infinite play pays. Under ``agreed_ends``, an end that pays just what infinite play pays gives
    distances (the shortest way, which both sides may agree on).
    """

    layout: Layout
    levels: tuple[Number, ...]
    infinite: int
    absorbing: Int32Array
    absorbing_level: Int32Array
    agreed_ends: bool = True

    @property
    def doubled(self) -> bool:
        """Whether there are two situations for each position."""
        return self.layout is Layout.ALTERNATING


def number(x: Any) -> Number:
    """A payoff from plain data: a number, or a fraction in a string.

    >>> number("1/3")
    Fraction(1, 3)
    """
    if isinstance(x, str):
        try:
            return Fraction(x)
        except (ValueError, ZeroDivisionError):
            raise InvalidObjectiveError(f"expected a number, got {x!r}") from None
    if isinstance(x, np.generic):
        x = x.item()
    if (
        isinstance(x, bool)
        or not isinstance(x, Real)
        or (isinstance(x, float) and not math.isfinite(x))
    ):
        raise InvalidObjectiveError(f"expected a finite number, got {x!r}")
    return x if isinstance(x, int | float | Fraction) else Fraction(str(x))


def plain(x: Number) -> int | float | str:
    """The inverse of :func:`number`."""
    return str(x) if isinstance(x, Fraction) else x


def payoff_pair(name: Hashable, given: Any) -> tuple[Number, Number]:
    """What a terminal pays when player 0 and when player 1 is stuck there."""
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
    """A position number from a file: an integer, or its digits where a key must be text."""
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
    """Code the payoffs of ends by their rank; ``others[0]`` is what infinite play pays."""
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
            f"expected at most {MAX_DOUBLED:,} positions where each has two situations, got {n:,}; "
            "give the graph owners, or play a game that is the same for both players"
        )
    both = np.repeat(positions.astype(np.int32) * np.int32(2), 2)
    both[1::2] += np.int32(1)
    return both
