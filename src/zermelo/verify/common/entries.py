"""What checkers of arrays have in common: shapes and ranges, the place of a wrong entry, rows.

The messages say what was expected, what came, and where.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, AnyArray, BoolArray, Int32Array, Label

MAX_MOVES_OF_BLOCK = 1 << 20
"""A block of rows has at most this many moves, to bound the size of temporary arrays."""


def first(bad: AnyArray) -> int | None:
    """The place of the first bad entry; None if there is none.

    >>> first(np.array([False, True])), first(np.array([False]))
    (1, None)
    """
    return int(np.argmax(bad)) if bad.any() else None


def place(graph: Graph, v: int, player: int | None = None) -> str:
    """A position for a message, with the player to move if there is one."""
    mover = player if graph.owner is None else int(graph.owner[v])
    turn = "" if mover is None else f", player {mover} to move"
    return f"position {graph.name(v)!r}{turn}"


def refuse(graph: Graph, bad: AnyArray, rows: AnyArray | None, expected: str, claimed: str) -> None:
    """Raise an error that names the position of the first bad entry, if there is one."""
    if (k := first(bad)) is not None:
        v = k if rows is None else int(rows[k])
        raise CertificateError(
            f"position {graph.name(v)!r}: expected {expected}, the solution claims {claimed}"
        )


def check_array(name: str, array: AnyArray, shape: tuple[int, ...], dtype: type) -> None:
    """Refuse an array of another shape or dtype."""
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
        got = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else "none"
        raise CertificateError(f"{name}: expected {np.dtype(dtype)} of shape {shape}, got {got}")


def check_numbers(
    name: str,
    array: AnyArray,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike | None,
    bounds: tuple[int, int],
    refusal: Callable[[int, str], str],
) -> None:
    """Check shape, dtype and range; without a dtype, any signed integers are allowed.

    ``refusal`` makes a message from the place of the first number out of range, and the range.
    """
    if not isinstance(array, np.ndarray) or array.shape != shape:
        got = array.shape if isinstance(array, np.ndarray) else type(array).__name__
        raise CertificateError(f"{name}: expected an array of shape {shape}, got {got}")
    if array.dtype.kind != "i" if dtype is None else array.dtype != dtype:
        wanted = "signed integers" if dtype is None else np.dtype(dtype).name
        raise CertificateError(f"{name}: expected {wanted}, got {array.dtype}")
    low, high = bounds
    if array.size and not low <= array.min() <= array.max() <= high:
        s = int(np.argmax((array < low) | (array > high)))
        raise CertificateError(refusal(s, f"{low}" if low == high else f"{low} … {high}"))


def check_start(graph: Graph, start: Any) -> None:
    """Refuse a start that is no position; None is none."""
    if start is not None and not 0 <= start < graph.n:
        raise CertificateError(
            f"start: expected a position number 0 … {graph.n - 1}, got {start!r}"
        )


def read_winners(solution: Any) -> AnyArray:
    """The winners of a game of infinite duration; checks start, levels, labels and distances."""
    graph = solution.graph
    check_start(graph, solution.start)
    for name, dtype, bounds in (
        ("level", None, (0, 1)),
        ("label", np.int8, (-1, 1)),
        ("distance", np.int32, (NO_DISTANCE, NO_DISTANCE)),
    ):
        check_entries(graph, name, getattr(solution, name), dtype, bounds)
    winner: AnyArray = (1 - solution.level).astype(np.int8)
    wanted = np.where(winner == graph.owner, np.int8(1), np.int8(-1))
    if (v := first(solution.label != wanted)) is not None:
        claimed = Label(solution.label[v]).name
        raise CertificateError(
            f"{place(graph, v)}: expected label {Label(wanted[v]).name}, the solution claims "
            f"{claimed}"
        )
    return winner


def check_entries(
    graph: Graph,
    name: str,
    array: AnyArray,
    dtype: npt.DTypeLike | None,
    bounds: tuple[int, int],
    *,
    doubled: bool = False,
) -> None:
    """Check an array with one number for each position, or one for each player to move there."""

    def refusal(s: int, span: str) -> str:
        v, player = divmod(s, 2) if doubled else (s, None)
        where = place(graph, v, player)
        return f"{where}: expected {name} {span}, the solution claims {array.flat[s]}"

    check_numbers(name, array, (graph.n, 2) if doubled else (graph.n,), dtype, bounds, refusal)


# -------------------------------------------------------------------- payoffs at the ends


@dataclass(frozen=True, eq=False)
class Side:
    """One situation for each of some positions, in a game with payoffs at the ends.

    ``own`` are claimed values, as ranks relative to the value of infinite play. The player to move
    sees ``sign · own``, and more is better.
    """

    terms: Any
    """The payoffs: ``levels``, the index ``infinite`` of that of infinite play, ``agreed_ends``."""
    place: Callable[[int], str]
    """A position for a message."""
    sign: AnyArray
    ends: BoolArray
    pays: Int32Array
    """The rank of the payoff, where play ends."""
    own: Int32Array
    label: AnyArray
    distance: Int32Array

    def refuse(
        self,
        bad: AnyArray,
        describe: Callable[[int], tuple[object, object]],
        rows: AnyArray | None = None,
    ) -> None:
        """Raise an error that names the first bad entry, if there is one.

        ``describe`` returns the expected and the claimed entry; ``rows`` are the positions of the
        entries, if they are not all positions.
        """
        if (k := first(bad)) is not None:
            expected, claimed = describe(k)
            where = self.place(k if rows is None else int(rows[k]))
            raise CertificateError(f"{where}: expected {expected}, the solution claims {claimed}")

    def value(self, rank: int) -> object:
        """The payoff of a rank."""
        return self.terms.levels[int(rank) + self.terms.infinite]

    def check_ends(self, graph: Graph) -> None:
        """Ends have their payoff and distance 0; forced values have a distance."""
        rows = np.flatnonzero(self.ends)
        own, pays, d = self.own[rows], self.pays[rows], self.distance[rows]
        self.refuse(
            own != pays,
            lambda k: (f"payoff {self.value(pays[k])}", f"value {self.value(own[k])}"),
            rows,
        )
        zero = np.where((own != 0) | self.terms.agreed_ends, 0, NO_DISTANCE)
        self.refuse(d != zero, lambda k: (f"distance {zero[k]} at an end", d[k]), rows)
        self.refuse(
            (self.own != 0) & (self.distance == NO_DISTANCE),
            lambda k: ("a distance", f"value {self.value(self.own[k])} without one"),
        )
        self.refuse(
            ~self.ends & (graph.indptr[1:] == graph.indptr[:-1]),
            lambda k: ("a move, because the objective has no payoff here", "that play goes on"),
        )

    def check_labels(self) -> None:
        """A label is the sign of the value for the player to move."""
        levels = self.terms.levels
        signs = np.fromiter(((x > 0) - (x < 0) for x in levels), np.int8, len(levels))
        wanted = signs[self.own + np.int32(self.terms.infinite)] * self.sign
        self.refuse(
            self.label != wanted,
            lambda k: (f"label {Label(wanted[k]).name}", Label(self.label[k]).name),
        )


def distance_text(d: int) -> str:
    """A distance for a message.

    >>> distance_text(3), distance_text(NO_DISTANCE)
    ('distance 3', 'no distance')
    """
    return "no distance" if d == NO_DISTANCE else f"distance {d}"


# -------------------------------------------------------------------- rows of moves


class Rows(NamedTuple):
    """Some rows of the graph that have moves; the moves of ``rows[j]`` begin at ``starts[j]``."""

    rows: AnyArray
    starts: AnyArray
    sizes: AnyArray
    targets: Int32Array

    def spread(self, values: AnyArray) -> AnyArray:
        """Repeat the entry of each row for each of its moves."""
        return np.repeat(values, self.sizes) if values.ndim else values


def row_blocks(graph: Graph) -> Iterator[Rows]:
    """The rows with moves, in blocks of at most ``MAX_MOVES_OF_BLOCK`` moves (or of one row)."""
    begin = 0
    while begin < graph.n:
        low = graph.indptr[begin]
        end = int(np.searchsorted(graph.indptr, low + MAX_MOVES_OF_BLOCK, side="right")) - 1
        end = max(end, begin + 1)
        starts, stops = graph.indptr[begin:end], graph.indptr[begin + 1 : end + 1]
        rows = np.flatnonzero(starts < stops)  # reduceat does not allow empty rows
        if rows.size:
            targets = graph.indices[low : graph.indptr[end]]
            yield Rows(rows + begin, starts[rows] - low, (stops - starts)[rows], targets)
        begin = end
