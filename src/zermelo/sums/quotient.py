"""Misère quotients of heap games: a finite monoid that says who wins any sum of heaps.

Two positions G and H of a heap game are *indistinguishable* if G + X and H + X have the same misère
outcome for every position X of that game. The classes are a commutative monoid Q, in which some
classes, the P-portion, are lost for the player to move. Where Q is finite, it is to misère play
what the nim-values are to normal play: multiply the heaps' elements, and see whether the product is
in P. The element of heap n is Φ(n), the *pretending function*.

Reference: [Plambeck2005], [PlambeckSiegel2008]. Notation: Q → ``product``, P → ``losing``,
Φ → ``phi``. The search is in :mod:`zermelo.sums._quotient_search`, the proof that an answer is
right in :mod:`zermelo.verify.quotient`.
"""

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from zermelo._door.inputs import Checked, listed, owned, shown, whole_number
from zermelo.errors import (
    CertificateError,
    InvalidOptionError,
    SolverError,
    UnknownPositionError,
)
from zermelo.labels import BoolArray, Int32Array, Label, read_only
from zermelo.sums import _presentation as words

if TYPE_CHECKING:
    from typing import Self

Option = tuple[int, ...]


class HeapGame(Protocol):
    """What is asked of a heap game: the options of a heap, each the heaps that it leaves."""

    def options(self, n: int) -> Iterable[Sequence[int]]:
        """The options of a heap of n."""
        ...


@dataclass(frozen=True, eq=False)
class MisereQuotient(Checked):
    """The misère quotient of the heaps 0 … n of a game.

    >>> q = misere_quotient("0.77", 5)
    >>> print(q)
    Q = <a,b,c | a2=1,b3=b,c2=1>; P = {a,b2,ac}
    >>> q.order, q.name(q.phi[5]), q.outcome([1, 5]).name, q.winning_moves([2, 5])
    (12, 'c', 'LOSE', [(2, (1,)), (5, (1, 3))])
    """

    options: tuple[tuple[Option, ...], ...]
    """The game: the options of each heap."""
    product: Int32Array
    """The multiplication table; element 0 is the one."""
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
            if array.size and not 0 <= array.min() <= array.max() < k:
                raise CertificateError(f"expected elements from 0 to {k - 1}")
        return table, losing, phi

    @property
    def order(self) -> int:
        """The number of elements."""
        return self.losing.size

    @functools.cached_property
    def generators(self) -> tuple[int, ...]:
        """For each letter, the least heap that has its value; no letter can be spared."""
        product, _, phi = self._tables
        found = words.irredundant(product, phi.tolist())
        return tuple(phi.tolist().index(x) for x in found)

    @functools.cached_property
    def letters(self) -> tuple[str, ...]:
        """The names of the generators."""
        return tuple(words.letters(len(self.generators)))

    @functools.cached_property
    def words(self) -> tuple[tuple[int, ...], ...]:
        """The least word of each element, as exponents of the generators."""
        found = words.least_words(self.product, self.phi[list(self.generators)].tolist())
        if len(found) < self.order:
            raise CertificateError(
                f"the heaps generate {len(found)} elements, the quotient claims {self.order}"
            )
        return tuple(found[x] for x in range(self.order))

    @functools.cached_property
    def elements(self) -> tuple[str, ...]:
        """The names of all elements, least words in the letters."""
        return tuple(words.spell(word, self.letters) for word in self.words)

    @functools.cached_property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """The relations of the presentation; read from left to right they make words least."""
        generators = self.phi[list(self.generators)].tolist()
        pairs = words.relations(self.product, generators, dict(enumerate(self.words)))
        return tuple(
            (words.spell(left, self.letters), words.spell(right, self.letters))
            for left, right in pairs
        )

    @functools.cached_property
    def p_portion(self) -> tuple[str, ...]:
        """The names of the elements at which the player to move loses."""
        return tuple(self.elements[x] for x in np.flatnonzero(self.losing))

    @property
    def tame(self) -> bool:
        """Whether this is the quotient T_k of misère Nim with heaps below 2^k.

        T_0 = {1}, T_1 = {1, a}; for k > 1 a further 2^k elements are a group in which every
        square is the one, e, and P = {a, e}.
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

        None are needed where no heap has a move: the player to move has won.
        """
        heaps = sorted(self._heaps(position))
        found = []
        for heap in dict.fromkeys(heaps):
            rest = list(heaps)
            rest.remove(heap)
            x = self.element(rest)
            found += [
                (heap, option)
                for option in self.options[heap]
                if self.losing[self.product[x, self.element(option)]]
            ]
        return found

    def verify(self) -> "Self":
        """Prove that this is the misère quotient, or raise a ``CertificateError``."""
        from zermelo.verify.quotient import check_quotient

        check_quotient(self)
        return self

    def __str__(self) -> str:
        equations = ",".join(f"{left}={right}" for left, right in self.relations)
        group = f"<{','.join(self.letters)} | {equations}>" if self.letters else "{1}"
        return f"Q = {group}; P = {{{','.join(self.p_portion)}}}"


def misere_quotient(
    game: str | HeapGame,
    n: int,
    *,
    limit: int = 1000,
    progress: Callable[[int, int, str], object] | None = None,
) -> MisereQuotient:
    """Find the misère quotient of the heaps 0 … n of a game.

    ``game`` is what :func:`zermelo.heap` takes, or anything with ``options(heap)``. Raises
    :class:`SolverError` if none is found with at most ``limit`` elements: it may be infinite.

    >>> misere_quotient("0.07", 13).order
    12
    """
    n, limit = whole_number(n, "n", None), whole_number(limit, "limit", None)
    if n < 0 or limit < 1:
        raise InvalidOptionError(f"expected n ≥ 0 and limit ≥ 1, got n = {n}, limit = {limit}")
    from zermelo.sums._quotient_search import Search

    if isinstance(game, str):
        from zermelo.sums.heap import heap

        game = heap(game)
    if not hasattr(game, "options"):
        raise InvalidOptionError(f"expected a heap game, got {shown(game)}")
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


def _options_of(game: HeapGame, size: int) -> tuple[Option, ...]:
    try:
        found = {tuple(sorted(map(operator.index, option))) for option in game.options(size)}
    except TypeError as error:
        raise InvalidOptionError(f"the options of heap {size}: {error}") from None
    for option in found:
        if option and not 0 <= option[0] <= option[-1] < size:
            raise InvalidOptionError(
                f"expected options of heap {size} with heaps below {size}, got {shown(option)}"
            )
    return tuple(sorted(found))


def _heap_options(given: Any) -> tuple[tuple[Option, ...], ...]:
    """The options of each heap, of a record that anybody may have made."""
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
    """Number the elements by their least words."""
    least = words.least_words(product, words.irredundant(product, phi))
    order = np.array(list(least), np.int64)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return MisereQuotient(
        options,
        read_only(rank[product[np.ix_(order, order)]]),
        read_only(losing[order]),
        read_only(rank[phi]),
    )
