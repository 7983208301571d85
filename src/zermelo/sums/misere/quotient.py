"""Misère quotients of heap games: finite monoids that determine who wins any sum of heaps.

Two positions G and H of a heap game are *indistinguishable* if G + X and H + X have the same misère
outcome for every position X of that game. The classes are a commutative monoid Q, in which some
classes, the P-portion, are lost for the player to move. Where Q is finite, it is to misère play
what the nim-values are to normal play: multiply the elements of the heaps, and check whether the
product is in P. The element of heap n is Φ(n), the *pretending function*.

Reference: [Plambeck2005], [PlambeckSiegel2008]. Notation: Q → ``product``, P → ``losing``,
Φ → ``phi``. The search is in :mod:`zermelo.sums.misere.search`, the proof that an answer is
right in :mod:`zermelo.verify.sums.quotient`.
"""

import functools
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from zermelo._inputs.values import Checked, listed, one_of, owned, shown, whole_number
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import (
    CertificateError,
    FormatError,
    InvalidOptionError,
    SolverError,
    UnknownPositionError,
)
from zermelo.labels import NO_DISTANCE, BoolArray, Int32Array, Label, Player, read_only
from zermelo.solutions.answers import Answer, Answers, Line, counted
from zermelo.sums.heaps import heap as heap_games
from zermelo.sums.misere import presentation as _presentation
from zermelo.sums.misere.search import Search
from zermelo.verify.sums.quotient import check_quotient

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields

Option = tuple[int, ...]


class HeapGame(Protocol):
    """What a heap game must have: the options of a heap, each the heaps that it leaves."""

    def options(self, n: int) -> Iterable[Sequence[int]]:
        """The options of a heap of n."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class MisereQuotient(Answers, Checked):
    """The misère quotient of the heaps 0 … n of a game.

    A position is a tuple of heaps; ``[position]`` is its element. Counts and iteration are about
    the single heaps.

    >>> q = misere_quotient("0.77", 5)
    >>> print(q)
    Q = <a,b,c | a2=1,b3=b,c2=1>; P = {a,b2,ac}
    >>> q.order, q.name(q.phi[5]), q.outcome([1, 5]).name, q.winning_moves([2, 5])
    (12, 'c', 'LOSE', [(2, (1,)), (5, (1, 3))])
    >>> print(q.at((2, 5)))
    (2, 5): WIN by (1, 5), (1, 2, 3)
    """

    file_kind: ClassVar[str] = "misere-quotient"

    options: tuple[tuple[Option, ...], ...]
    """The game: the options of each heap."""
    product: Int32Array
    """The multiplication table; element 0 is the identity."""
    losing: BoolArray
    """The P-portion: whether the player to move loses."""
    phi: Int32Array
    """The pretending function: the element of each heap."""

    def __post_init__(self) -> None:
        for name in ("product", "losing", "phi"):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "bi":
                raise CertificateError(f"{name}: expected an array, got {shown(array)}")
            object.__setattr__(self, name, owned(array))

    @functools.cached_property
    def _tables(self) -> tuple[Int32Array, BoolArray, Int32Array]:
        """Product, P-portion and pretending function, of shapes and ranges that fit."""
        table, losing, phi = self.product, self.losing, self.phi
        k, heaps = losing.size, len(_heap_options(self.options))
        if table.shape != (k, k) or phi.shape != (heaps,) or losing.dtype != bool or not k:
            raise CertificateError(
                f"expected a square table, a mask and one element a heap, got shapes {table.shape},"
                f" {losing.shape} ({losing.dtype}) and {phi.shape} for {heaps} heaps"
            )
        for array in (table, phi):
            if array.dtype.kind != "i":
                raise CertificateError(f"expected elements, got an array of {array.dtype}")
            if array.size and not 0 <= array.min() <= array.max() < k:
                raise CertificateError(f"expected elements from 0 to {k - 1}")
        return table, losing, phi

    @property
    def order(self) -> int:
        """The number of elements."""
        return self.losing.size

    @functools.cached_property
    def generators(self) -> tuple[int, ...]:
        """For each letter, the least heap that has its value; every letter is needed."""
        product, _, phi = self._tables
        needed = _presentation.irredundant(product, phi.tolist())
        return tuple(phi.tolist().index(x) for x in needed)

    @functools.cached_property
    def letters(self) -> tuple[str, ...]:
        """The names of the generators."""
        return tuple(_presentation.letters(len(self.generators)))

    @functools.cached_property
    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """The least monomial of each element, as exponents of the generators."""
        generators = self.phi[list(self.generators)].tolist()
        least = _presentation.least_monomials(self.product, generators)
        if len(least) < self.order:
            raise CertificateError(
                f"the heaps generate {len(least)} elements, the quotient claims {self.order}"
            )
        return tuple(least[x] for x in range(self.order))

    @property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The same as ``monomials``."""
        return self.monomials

    @functools.cached_property
    def elements(self) -> tuple[str, ...]:
        """The names of all elements: their least monomials, in letters."""
        return tuple(_presentation.spell(monomial, self.letters) for monomial in self.monomials)

    @functools.cached_property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """The relations of the presentation; from left to right they rewrite to least monomials."""
        generators = self.phi[list(self.generators)].tolist()
        pairs = _presentation.relations(self.product, generators, dict(enumerate(self.monomials)))
        return tuple(
            (_presentation.spell(left, self.letters), _presentation.spell(right, self.letters))
            for left, right in pairs
        )

    @functools.cached_property
    def p_portion(self) -> tuple[str, ...]:
        """The names of the elements at which the player to move loses."""
        return tuple(self.elements[x] for x in np.flatnonzero(self.losing))

    @property
    def tame(self) -> bool:
        """Whether this is the quotient T_k of misère Nim with heaps below 2^k.

        T_0 = {1}, T_1 = {1, a}; for k > 1 there are 2^k further elements. They are a group in which
        every square is the identity e of this group, and P = {a, e}.
        """
        k, square = self.order, self._tables[0].diagonal()
        if k <= 2:
            return True
        units = np.flatnonzero(square == 0)
        rest = np.flatnonzero(square != 0)
        e = square[rest[0]]
        return bool(
            units.size == 2
            and (square[rest] == e).all()
            and (self.product[e, rest] == rest).all()
            and np.isin(self.product[np.ix_(rest, rest)], rest).all()
            and np.array_equal(np.flatnonzero(self.losing), np.sort([units[1], e]))
        )

    def name(self, element: int) -> str:
        """The name of an element."""
        element = whole_number(element, "element", 0, self.order - 1, UnknownPositionError)
        return self.elements[element]

    def element(self, position: Iterable[int]) -> int:
        """The element of a position, given by its heaps."""
        x = 0
        product, _, phi = self._tables
        for heap in self._heaps(position):
            x = int(product[x, phi[heap]])
        return x

    def _heaps(self, position: Iterable[int]) -> list[int]:
        last, heaps = len(self.phi) - 1, listed(position, "heaps", UnknownPositionError)
        return [whole_number(heap, "heap", 0, last, UnknownPositionError) for heap in heaps]

    def outcome(self, position: Iterable[int]) -> Label:
        """What the player to move gets in a sum of heaps under misère play."""
        return Label.LOSE if self.losing[self.element(position)] else Label.WIN

    def winning_moves(self, position: Iterable[int]) -> list[tuple[int, Option]]:
        """The moves to positions that are lost: pairs of a heap and what it is replaced by.

        Where no heap has a move there are none, and the player to move has won.
        """
        heaps = sorted(self._heaps(position))
        winning = []
        for heap in dict.fromkeys(heaps):
            rest = list(heaps)
            rest.remove(heap)
            x = self.element(rest)
            winning += [
                (heap, option)
                for option in self.options[heap]
                if self.losing[self.product[x, self.element(option)]]
            ]
        return winning

    # ---------------------------------------------------------------- as an answer

    def __getitem__(self, position: int | Iterable[int]) -> int:
        """The element of a position, a heap or several heaps."""
        return self.element(self._position(position))

    def _position(self, given: Any) -> tuple[int, ...]:
        """A position from a heap or several heaps."""
        one = isinstance(given, int | np.integer) and not isinstance(given, bool)
        return tuple(self._heaps([given] if one else given))

    def at(self, position: int | Iterable[int], player: int | None = None) -> Answer:
        """The answer at a position under misère play; the moves are positions."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        heaps = self._position(position)
        return Answer(
            heaps,
            None if player is None else Player(player),
            self.outcome(heaps),
            NO_DISTANCE,
            self.element(heaps),
            functools.partial(self._best, heaps),
        )

    def _best(self, heaps: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The moves that win, or all moves where the player to move loses."""
        if self.outcome(heaps) is Label.WIN:
            moves = self.winning_moves(heaps)
        else:
            moves = [(heap, x) for heap in dict.fromkeys(sorted(heaps)) for x in self.options[heap]]
        positions: dict[tuple[int, ...], None] = {}
        for heap, option in moves:
            rest = list(heaps)
            rest.remove(heap)
            positions[tuple(sorted(x for x in (*rest, *option) if x))] = None
        return tuple(positions)

    def line(
        self,
        position: int | Iterable[int],
        player: int | None = None,
        limit: int | None = None,
    ) -> Line:
        """Best play from a position to the end, at most ``limit`` moves."""
        if limit is not None:
            limit = whole_number(limit, "limit")
        here = self.at(position, player).position
        line = Line([here])
        while (limit is None or len(line) <= limit) and (best := self._best(line[-1])):  # type: ignore[arg-type]
            line.append(best[0])
        return line

    def counts(self) -> dict[str, int]:
        """How many single heaps win and lose; the quotient knows no distances."""
        losing = self._tables[1][self._tables[2]]
        label = np.where(losing, -1, 1)
        return counted(label, np.full(label.size, NO_DISTANCE))

    def __len__(self) -> int:
        """How many heaps there are, the empty heap included."""
        return len(self.phi)

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every single heap."""
        return (self.at(heap) for heap in range(len(self.phi)))

    def __repr__(self) -> str:
        return f"MisereQuotient({self.order:,} elements, heaps up to {len(self.phi) - 1})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the presentation, Φ, and the multiplication table if small."""
        from zermelo.sums.misere.page import quotient_page

        return quotient_page(self)

    def verify(self) -> "Self":
        """Prove that this is the misère quotient, or raise a ``CertificateError``."""
        check_quotient(self)
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the quotient; the options are the game."""
        return {
            "options": [[list(option) for option in row] for row in self.options],
            "product": self.product.tolist(),
            "losing": self.losing.astype(int).tolist(),
            "phi": self.phi.tolist(),
        }

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The quotient that a file claims; ``game`` is a heap game to compare it with, or None."""
        rows = fields.items("options", list)
        try:
            options = _heap_options(rows)
        except ValueError as error:
            raise FormatError(f"/options: {error}") from None
        table = fields.items("product", list)
        order = len(table)
        flat = [x for row in table for x in row]
        if any(len(row) != order for row in table) or not all(type(x) is int for x in flat):
            raise FormatError(f"/product: expected {order} rows of {order} elements")
        if not all(0 <= x < order for x in flat):
            raise FormatError(f"/product: expected elements from 0 to {order - 1}")
        losing = fields.integers("losing", order, 0, 1) == 1
        phi = fields.integers("phi", len(options), 0, order - 1).astype(np.int32)
        if game is not None:
            mine = tuple(_options_of(_heap_game(game), n) for n in range(len(options)))
            if mine != tuple(tuple(sorted(set(row))) for row in options):
                raise FormatError("this quotient is for another heap game")
        product = np.array(table, np.int32).reshape(order, order)
        claim = cls(options, product, losing, phi)
        _ = claim._tables
        return claim

    def __str__(self) -> str:
        equations = ",".join(f"{left}={right}" for left, right in self.relations)
        group = f"<{','.join(self.letters)} | {equations}>" if self.letters else "{1}"
        return f"Q = {group}; P = {{{','.join(self.p_portion)}}}"


def misere_quotient(
    game: str | HeapGame,
    n: int,
    *,
    limit: int = 1000,
    progress: Progress = None,
) -> MisereQuotient:
    """Find the misère quotient of the heaps 0 … n of a game.

    ``game`` is what :func:`zermelo.heap` takes, or anything with ``options(heap)``. Raises
    :class:`SolverError` if none is found with at most ``limit`` elements: it may be infinite.
    ``progress`` is True for a line on stderr, or a function of (done, total, what).

    >>> misere_quotient("0.07", 13).order
    12
    """
    n, limit = whole_number(n, "n", None), whole_number(limit, "limit", None)
    if n < 0 or limit < 1:
        raise InvalidOptionError(f"expected n ≥ 0 and limit ≥ 1, got n = {n}, limit = {limit}")
    game = _heap_game(game)
    with reporting(progress, "misere_quotient") as report:
        return _found_quotient(game, n, limit, report)


def _found_quotient(game: HeapGame, n: int, limit: int, progress: Report | None) -> MisereQuotient:
    search = Search(limit)
    rows = []
    for size in range(n + 1):
        rows.append(_options_of(game, size))
        try:
            search.add(size, rows[-1])
        except SolverError as error:
            raise SolverError(
                f"heaps up to {size}: {error}; heaps up to {size - 1} have a quotient of "
                f"{search.settled} elements"
            ) from None
        if progress is not None:
            progress(size + 1, n + 1, "heaps")
    return _canonical(tuple(rows), search.box.product, search.box.losing, search.phi())


def _heap_game(game: Any) -> HeapGame:
    """A heap game from such a game or from its code or name."""
    if isinstance(game, str):
        game = heap_games.heap(game)
    if not hasattr(game, "options"):
        raise InvalidOptionError(f"expected a heap game, got {shown(game)}")
    heap_game: HeapGame = game
    return heap_game


def _options_of(game: HeapGame, size: int) -> tuple[Option, ...]:
    try:
        options = {tuple(sorted(map(operator.index, option))) for option in game.options(size)}
    except TypeError as error:
        raise InvalidOptionError(f"the options of heap {size}: {error}") from None
    for option in options:
        if option and not 0 <= option[0] <= option[-1] < size:
            raise InvalidOptionError(
                f"expected options of heap {size} with heaps below {size}, got {shown(option)}"
            )
    return tuple(sorted(options))


def _heap_options(given: Any) -> tuple[tuple[Option, ...], ...]:
    """The options of each heap, checked, from a record of unknown origin."""
    try:
        rows = tuple(tuple(tuple(map(operator.index, x)) for x in row) for row in given)
    except TypeError:
        raise CertificateError(f"options: expected tuples of heaps, got {shown(given)}") from None
    for heap, row in enumerate(rows):
        if any(not 0 <= part < heap for option in row for part in option):
            raise CertificateError(f"heap {heap} has an option with a heap that is not smaller")
    return rows


def _canonical(
    options: tuple[tuple[Option, ...], ...],
    product: "np.typing.NDArray[np.int64]",
    losing: BoolArray,
    phi: list[int],
) -> MisereQuotient:
    """Number the elements by their least monomials."""
    least = _presentation.least_monomials(product, _presentation.irredundant(product, phi))
    order = np.array(list(least), np.int64)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return MisereQuotient(
        options,
        read_only(rank[product[np.ix_(order, order)]]),
        read_only(losing[order]),
        read_only(rank[phi]),
    )
