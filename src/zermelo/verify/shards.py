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
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, BoolArray, Int32Array, Label
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout, TerminalForm, plain

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

    def value(self, rank: Any) -> object:
        return self.levels[int(rank) + self.infinite]


class _Window(NamedTuple):
    """The claims about the positions ``low … high - 1``; one row for each, one column a player."""

    low: int
    high: int
    rank: Int32Array
    distance: Int32Array


@dataclass(frozen=True)
class _Part:
    """One situation of each position of a piece; ranks are relative to infinite play."""

    terms: _Terms
    first: int
    player: int | None
    owner: AnyArray | None
    sign: AnyArray
    """1 if the player to move wants more, else -1."""
    ends: BoolArray
    pays: Int32Array
    rank: Int32Array
    label: AnyArray
    distance: Int32Array
    move: Int32Array

    def refuse(self, bad: AnyArray, describe: Callable[[int], str], rows: AnyArray) -> None:
        """Raise an error that names the first bad row; ``describe`` gets its place in ``bad``."""
        if bad.any():
            k = int(np.argmax(bad))
            v = int(rows[k])
            mover = self.player if self.owner is None else int(self.owner[v])
            turn = "" if mover is None else f", player {mover} to move"
            raise CertificateError(f"position {self.first + v}{turn}: {describe(k)}")


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
                        _check_entries(part, rows.graph)
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
        array, (low, high) = found[name], ranges[name]
        if array.shape != shape:
            raise CertificateError(
                f"shard {k}, {name}: expected an array of shape {shape}, got {array.shape}"
            )
        if array.dtype.kind != "i" if dtype is None else array.dtype != dtype:
            wanted = "signed integers" if dtype is None else np.dtype(dtype).name
            raise CertificateError(f"shard {k}, {name}: expected {wanted}, got {array.dtype}")
        if array.size and not low <= array.min() <= array.max() <= high:
            s = int(np.argmax((array < low) | (array > high)))
            raise CertificateError(
                f"position {first + s // terms.width}: expected {name} {low} … {high}, the "
                f"solution claims {array.flat[s]}"
            )
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
        sign = np.full(n, 1 - 2 * e, np.int32)
        owner = None
        if terms.layout is Layout.OWNED:
            owner = graph.owner
            assert owner is not None
            sign = 1 - 2 * owner.astype(np.int32)
        parts.append(
            _Part(
                terms, rows.first, e if terms.doubled else None, owner, sign, ends[column],
                pays[column], level.astype(np.int32) - np.int32(terms.infinite), label, distance,
                move,
            )
        )  # fmt: skip
    return rows, parts


# -------------------------------------------------------------------- one situation


def _check_entries(part: _Part, graph: Graph) -> None:
    """Ends have their payoff, distance 0 and no move; labels are the signs of values."""
    terms, everywhere = part.terms, np.arange(len(part.rank))
    rows = np.flatnonzero(part.ends)
    rank, pays, d = part.rank[rows], part.pays[rows], part.distance[rows]
    part.refuse(
        rank != pays,
        lambda k: _expected(f"payoff {terms.value(pays[k])}", f"value {terms.value(rank[k])}"),
        rows,
    )
    zero = np.where((rank != 0) | terms.agreed_ends, 0, NO_DISTANCE)
    part.refuse(d != zero, lambda k: _expected(f"distance {zero[k]} at an end", d[k]), rows)
    part.refuse(
        part.ends != (part.move == NO_MOVE),
        lambda k: _expected("no move", "one") if part.ends[k] else _expected("a move", "none"),
        everywhere,
    )
    part.refuse(
        ~part.ends & (part.rank != 0) & (part.distance == NO_DISTANCE),
        lambda k: _expected("a distance", f"value {terms.value(part.rank[k])} without one"),
        everywhere,
    )
    part.refuse(
        ~part.ends & (part.distance == 0),
        lambda k: _expected("another distance, because play goes on", "distance 0"),
        everywhere,
    )
    signs = np.array([(x > 0) - (x < 0) for x in terms.levels], np.int32)
    label = signs[part.rank + np.int32(terms.infinite)] * part.sign
    part.refuse(
        part.label != label,
        lambda k: _expected(f"label {Label(label[k]).name}", Label(part.label[k]).name),
        everywhere,
    )
    part.refuse(
        ~part.ends & (graph.indptr[1:] == graph.indptr[:-1]),
        lambda k: _expected("a move, because the objective has no payoff here", "otherwise"),
        everywhere,
    )


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
    terms, indptr = part.terms, rows.graph.indptr
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
    own, seen = sign * part.rank[source], sign * rank
    part.refuse(
        seen > own,
        lambda k: _expected(
            f"value {terms.value(rank[k])}, which the move to {target[k]} gives",
            terms.value(part.rank[source[k]]),
        ),
        source,
    )
    kept, d = seen == own, part.distance[source]
    counts = kept & (reached != NO_DISTANCE)
    part.refuse(
        counts & (d == NO_DISTANCE),
        lambda k: _expected(f"a distance, as the move to {target[k]} has one", "none"),
        source,
    )
    nearer = np.where(d == NO_DISTANCE, d, d - np.int32(1))
    part.refuse(
        counts & np.where(own < 0, reached > nearer, reached < nearer),
        lambda k: _expected(
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
        lambda k: _expected(
            f"a move to value {terms.value(part.rank[source[k]])} and {_distance(nearer[k])}",
            f"{target[k]}, with value {terms.value(rank[k])} and {_distance(reached[k])}",
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
        lambda k: _expected(
            "a move that keeps its value", f"value {part.terms.value(part.rank[rows[k]])}"
        ),
        rows,
    )
    part.refuse(
        (flags & DISTANCE_REACHED == 0) & (part.distance[rows] != NO_DISTANCE),
        lambda k: _expected(
            f"a move that keeps the value and leads to distance {part.distance[rows[k]] - 1}",
            f"distance {part.distance[rows[k]]}",
        ),
        rows,
    )
    part.refuse(
        flags & MOVE_RIGHT == 0,
        lambda k: _expected("one of its moves", f"the move {part.move[rows[k]]}"),
        rows,
    )


def _expected(wanted: Any, claimed: Any) -> str:
    return f"expected {wanted}, the solution claims {claimed}"


def _distance(d: int) -> str:
    return "no distance" if d == NO_DISTANCE else f"distance {d}"
