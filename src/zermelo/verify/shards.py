"""The checker of solutions in shards: NumPy, no code of the solvers, within a budget of memory.

The conditions are those of :mod:`zermelo.verify.terminal`, which proves that they suffice. Here
each is said so that every move can be looked at alone. Let ``s`` be a situation where play does not
end, with the claimed value ``x`` and distance ``d``. A move of ``s`` *counts* if it keeps the value
and leads to a distance.

- *Value.* No move is better than ``x`` for the player to move, and one move keeps ``x``.
- *Distance.* If the other side forces ``x``, no move that counts leads to a distance of more than
  ``d - 1``; else none leads to less. One leads to ``d - 1``. Without ``d``, no move counts.
- *Move.* The claimed move is a move of ``s``, keeps ``x``, and leads to ``d - 1``, or to no
  distance if there is no ``d``.

So a move that breaks a rule is found when its target is in memory, wherever the other moves lead.
The values and distances of a window of targets are in memory at a time. All moves are read once for
each window. One byte of each situation, in a file without a name, says what some move has already
shown: that the value is kept, that the distance is reached, and that the claimed move is right.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, NamedTuple, Protocol

import numpy as np

from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, Int32Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout, TerminalForm, plain
from zermelo.verify.common.entries import Side, check_numbers, distance_text

VALUE_KEPT, DISTANCE_REACHED, MOVE_RIGHT = 1, 2, 4
"""What some move of a situation has shown."""

ALL = VALUE_KEPT | DISTANCE_REACHED | MOVE_RIGHT

MOVE_BYTES = 80
"""Memory for the arrays of a block of moves, for each move and each row."""

ARRAYS = {"level": None, "label": np.int8, "distance": np.int32, "move": np.int32}
"""The arrays of a claim, with the type where it is fixed."""


class Rows(NamedTuple):
    """The moves of consecutive positions of the game."""

    first: int
    """The number of the first position."""
    graph: Graph
    """The number of moves of each and its owner; this graph has no targets."""
    targets: Int32Array
    """The targets, which are numbers of the whole game."""
    objective: Objective
    """The objective on these positions, which are numbered from 0."""


class Pieces(Protocol):
    """A game in pieces and a claim about it, which are read as often as necessary."""

    n: int
    size: int
    """The number of pieces."""
    terms: Any
    """The claimed payoffs: layout, levels, infinite and agreed_ends."""
    counts: Any
    """The claimed numbers of wins, draws and losses."""

    def rows(self, k: int) -> Rows:
        """The moves of a piece."""

    def claim(self, k: int) -> dict[str, AnyArray]:
        """The claimed ``level``, ``label``, ``distance`` and ``move`` of a piece."""


@dataclass(frozen=True)
class _Terms:
    """The payoffs of the whole game, as the checker reads them."""

    layout: Layout
    levels: tuple[Any, ...]
    infinite: int
    agreed_ends: bool
    n: int

    @property
    def doubled(self) -> bool:
        return self.layout is Layout.ALTERNATING

    @property
    def width(self) -> int:
        """Situations of a position."""
        return 2 if self.doubled else 1


class _Window(NamedTuple):
    """The claims about the positions ``low … high - 1``; one row for each, one column a player."""

    low: int
    high: int
    rank: Int32Array
    distance: Int32Array


@dataclass(frozen=True, eq=False)
class _Part(Side):
    """One situation of each position of a piece; ranks are relative to infinite play."""

    move: Int32Array

    def check(self, graph: Graph) -> None:
        """Ends have their payoff, distance 0 and no move; labels are the signs of values."""
        self.check_ends(graph)
        self.refuse(
            self.ends != (self.move == NO_MOVE),
            lambda k: ("no move", "one") if self.ends[k] else ("a move", "none"),
        )
        self.refuse(
            ~self.ends & (self.distance == 0),
            lambda k: ("another distance, because play goes on", "distance 0"),
        )
        self.check_labels()


def check_shards(pieces: Pieces, room: int, tick: Callable[..., object] | None = None) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole claim is right.

    ``room`` is the memory for a window and a block of moves, in bytes. A piece of the game and of
    the claim must fit into memory, too.
    """
    terms = _read_terms(pieces)
    counts, done = np.zeros(3, np.int64), 0
    windows = _windows(pieces, terms, room // 2)
    total = pieces.n * max(1, len(windows))
    block = max(1 << 10, room // 2 // MOVE_BYTES)
    with tempfile.TemporaryFile() as marks:
        for w, (low, high) in enumerate(windows):
            window = _read_window(pieces, terms, low, high)
            for k in range(pieces.size):
                rows, parts = _read_piece(pieces, terms, k)
                if w == 0:
                    for part in parts:
                        part.check(rows.graph)
                        counts += np.bincount(part.label.astype(np.intp) + 1, minlength=3)
                _check_piece(rows, parts, window, block, marks, last=w == len(windows) - 1)
                done += rows.graph.n
                if tick is not None:
                    tick(done, total, "verified")
    found = dict(zip(("lose", "draw", "win"), counts.tolist(), strict=True))
    if pieces.counts != found:
        raise CertificateError(f"counts: expected {found}, the solution claims {pieces.counts}")


# -------------------------------------------------------------------- reading


def _read_terms(pieces: Pieces) -> _Terms:
    """The payoffs of all pieces; those that the solution claims must be the same."""
    levels: set[Any] = set()
    form: TerminalForm | None = None
    for k in range(pieces.size):
        rows = pieces.rows(k)
        form = rows.objective.terminal_form(rows.graph)
        levels |= set(form.levels)
    if form is None:
        raise CertificateError("the solution has no shards")
    ordered = tuple(sorted(levels))
    infinite = ordered.index(form.levels[form.infinite])
    terms = _Terms(form.layout, ordered, infinite, form.agreed_ends, pieces.n)
    wanted = {
        "layout": terms.layout.value,
        "levels": [plain(x) for x in ordered],
        "infinite": infinite,
        "agreed_ends": terms.agreed_ends,
    }
    if pieces.terms != wanted:
        raise CertificateError(f"terms: expected {wanted}, the solution claims {pieces.terms}")
    return terms


def _windows(pieces: Pieces, terms: _Terms, room: int) -> list[tuple[int, int]]:
    """The windows of targets, as many positions each as fit into the memory."""
    size = max(1, room // (8 * terms.width))
    return [(low, min(low + size, pieces.n)) for low in range(0, pieces.n, size)]


def _claim(pieces: Pieces, terms: _Terms, k: int, n: int, first: int) -> dict[str, AnyArray]:
    """The claim about a piece, with its shapes, types and ranges checked."""
    found = pieces.claim(k)
    longest = terms.n * terms.width - 1
    ranges = {"level": (0, len(terms.levels) - 1), "label": (-1, 1),
              "distance": (NO_DISTANCE, longest), "move": (NO_MOVE, terms.n - 1)}  # fmt: skip
    shape = (n, 2) if terms.doubled else (n,)
    for name, dtype in ARRAYS.items():
        array, numbers = f"shard {k}, {name}", found[name]

        def refusal(s: int, span: str, name: str = name) -> str:
            where = f"position {first + s // terms.width}"
            return f"{where}: expected {name} {span}, the solution claims {found[name].flat[s]}"

        check_numbers(array, numbers, shape, dtype, ranges[name], refusal)
    return found


def _read_window(pieces: Pieces, terms: _Terms, low: int, high: int) -> _Window:
    """The claimed values and distances of a range of positions."""
    rank = np.empty((high - low, terms.width), np.int32)
    distance = np.empty((high - low, terms.width), np.int32)
    first = 0
    for k in range(pieces.size):
        if first >= high:
            break
        claim = pieces.claim(k)
        stop = first + len(claim["level"])
        if stop > low:
            claim = _claim(pieces, terms, k, stop - first, first)
            near = slice(max(low, first) - first, min(high, stop) - first)
            far = slice(max(low, first) - low, min(high, stop) - low)
            rank[far] = claim["level"].reshape(-1, terms.width)[near]
            distance[far] = claim["distance"].reshape(-1, terms.width)[near]
        first = stop
    rank -= np.int32(terms.infinite)
    return _Window(low, high, rank, distance)


def _read_piece(pieces: Pieces, terms: _Terms, k: int) -> tuple[Rows, list[_Part]]:
    """The moves of a piece, and what is claimed about it, for each player to move."""
    rows = pieces.rows(k)
    graph, n = rows.graph, rows.graph.n
    claim = _claim(pieces, terms, k, n, rows.first)
    form = rows.objective.terminal_form(graph)
    ends, pays = np.zeros(n * terms.width, bool), np.zeros(n * terms.width, np.int32)
    places = [terms.levels.index(level) - terms.infinite for level in form.levels]
    ends[form.absorbing] = True
    pays[form.absorbing] = np.array(places, np.int32)[form.absorbing_level]
    parts = []
    for e in range(terms.width):
        column = slice(e, None, terms.width)
        level, label, distance, move = (claim[name].reshape(-1)[column] for name in ARRAYS)
        owner = graph.owner if terms.layout is Layout.OWNED else None
        sign = np.full(n, 1 - 2 * e, np.int32) if owner is None else 1 - 2 * owner.astype(np.int32)

        def place(v: int, e: int = e, owner: AnyArray | None = owner) -> str:
            if terms.layout is Layout.SYMMETRIC:
                return f"position {rows.first + v}"
            return f"position {rows.first + v}, player {e if owner is None else owner[v]} to move"

        own = level.astype(np.int32) - np.int32(terms.infinite)
        parts.append(
            _Part(terms, place, sign, ends[column], pays[column], own, label, distance, move)
        )
    return rows, parts


# -------------------------------------------------------------------- moves


def _check_piece(
    rows: Rows, parts: list[_Part], window: _Window, block: int, marks: IO[bytes], *, last: bool
) -> None:
    """Look at the moves of a piece into the window; in the last one, something must be shown."""
    n, width = rows.graph.n, parts[0].terms.width
    marks.seek(rows.first * width)
    content = marks.read(n * width).ljust(n * width, b"\0")
    shown = np.frombuffer(content, np.uint8).reshape(n, width).copy()
    for e, part in enumerate(parts):
        for first, stop in _blocks(rows.graph.indptr, block):
            _check_moves(rows, part, window, first, stop, e, shown)
        if last:
            _check_shown(part, shown[:, e])
    marks.seek(rows.first * width)
    marks.write(shown.tobytes())


def _blocks(indptr: AnyArray, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows with at most ``most`` moves and rows, or of one row."""
    first, n = 0, len(indptr) - 1
    while first < n:
        stop = int(np.searchsorted(indptr, indptr[first] + most, side="right")) - 1
        stop = min(max(stop, first + 1), first + most, n)
        yield first, stop
        first = stop


def _check_moves(
    rows: Rows, part: _Part, window: _Window, first: int, stop: int, e: int, shown: AnyArray
) -> None:
    """The moves of the positions ``first … stop - 1`` of a piece into the window."""
    terms: _Terms = part.terms
    indptr = rows.graph.indptr
    source = np.repeat(np.arange(first, stop), np.diff(indptr[first : stop + 1]))
    target = rows.targets[indptr[first] : indptr[stop]]
    chosen = ~part.ends[source] & (window.low <= target) & (target < window.high)
    if not chosen.all():
        source, target = source[chosen], target[chosen]
    after = (1 - e) if terms.doubled else 0
    rank = window.rank[target - window.low, after]
    if terms.layout is Layout.SYMMETRIC:
        np.negative(rank, out=rank)
    reached = window.distance[target - window.low, after]
    sign = part.sign[source]
    own, seen = sign * part.own[source], sign * rank
    part.refuse(
        seen > own,
        lambda k: (
            f"value {part.value(rank[k])}, which the move to {target[k]} gives",
            part.value(part.own[source[k]]),
        ),
        source,
    )
    kept, d = seen == own, part.distance[source]
    counts = kept & (reached != NO_DISTANCE)
    part.refuse(
        counts & (d == NO_DISTANCE),
        lambda k: (f"a distance, as the move to {target[k]} has one", "none"),
        source,
    )
    nearer = np.where(d == NO_DISTANCE, d, d - np.int32(1))
    part.refuse(
        counts & np.where(own < 0, reached > nearer, reached < nearer),
        lambda k: (
            f"distance {reached[k] + 1} or {'more' if own[k] < 0 else 'less'}, because of the move "
            f"to {target[k]}",
            d[k],
        ),
        source,
    )
    right = kept & (reached == nearer)
    taken = target == part.move[source]
    part.refuse(
        taken & ~right,
        lambda k: (
            f"a move to value {part.value(part.own[source[k]])} and {distance_text(nearer[k])}",
            f"{target[k]}, with value {part.value(rank[k])} and {distance_text(reached[k])}",
        ),
        source,
    )
    # A row is in the block as a whole, so nothing is lost if equal entries are written twice.
    column = shown[:, e]
    column[source[kept]] |= np.uint8(VALUE_KEPT)
    column[source[right]] |= np.uint8(DISTANCE_REACHED)
    column[source[taken]] |= np.uint8(MOVE_RIGHT)


def _check_shown(part: _Part, shown: AnyArray) -> None:
    """At every situation where play goes on, all moves together have shown all three."""
    rows = np.flatnonzero(~part.ends & (shown != ALL))
    flags = shown[rows]
    part.refuse(
        flags & VALUE_KEPT == 0,
        lambda k: ("a move that keeps its value", f"value {part.value(part.own[rows[k]])}"),
        rows,
    )
    part.refuse(
        (flags & DISTANCE_REACHED == 0) & (part.distance[rows] != NO_DISTANCE),
        lambda k: (
            f"a move that keeps the value and leads to distance {part.distance[rows[k]] - 1}",
            f"distance {part.distance[rows[k]]}",
        ),
        rows,
    )
    part.refuse(
        flags & MOVE_RIGHT == 0,
        lambda k: ("one of its moves", f"the move {part.move[rows[k]]}"),
        rows,
    )
