"""Heap games: a move takes tokens from a heap and may break it up. Nim-values, periods, statistics.

>>> import zermelo as zm
>>> kayles = zm.heap("0.77")
>>> kayles.nim_sequence(12).tolist()
[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
>>> print(kayles.period())
0.77: period 12, pre-period 71
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard

import numpy as np

from zermelo._inputs.values import one_of, shown, whole_number
from zermelo._runtime import memory
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import FormatError, InvalidOptionError, LimitError
from zermelo.labels import NO_DISTANCE, Int32Array, Label, Player, read_only
from zermelo.solutions.answers import Answer, Answers, Line, counted
from zermelo.sums.heaps.code import Code, all_but, parse, subtract
from zermelo.sums.heaps.period import Period, find_period
from zermelo.sums.heaps.values import FIRST, Values, best_mask
from zermelo.verify.sums.heap import check_rule_values, check_values

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields
    from zermelo.plots.sequence import SequencePlot

Heaps: TypeAlias = int | Sequence[int]
"""One heap, or several of the same game side by side."""

Rule: TypeAlias = Callable[[int], Iterable[Heaps]]

MOST_OPTIONS = 1_000_000
"""At most this many options of a heap are listed."""

LIMIT = 10_000
"""Periods are sought up to this heap unless another limit is given."""


@dataclass(frozen=True, eq=False)
class Sparse:
    """The sparse space of a sequence: few heaps have rare values, and splits need one of them.

    A heap a > 0 is rare if the parity of ``value & mask``, plus that of a − t where ``position`` is
    1, is even; t is any number that may be taken before a split.
    """

    to: int
    """The greatest heap that was examined."""
    mask: int
    position: int
    heaps: Int32Array
    """The rare heaps."""
    counts: dict[int, int]
    """The rare values and how often each occurs."""
    last: int | None
    """The last rare heap."""
    largest: int
    """The largest value."""
    largest_at: int
    """The first heap that has it."""


class Heap(Answers):
    """A heap game and the values that are known of it. Positions are heaps, or tuples of heaps.

    ``[position]`` is the nim-value. Counts, iteration, checks and files are about the heaps whose
    values have been computed so far.

    >>> import zermelo as zm
    >>> kayles = zm.heap("0.77")
    >>> kayles[5], kayles[5, 3], len(kayles)
    (4, 7, 6)
    >>> print(kayles.at((3, 2)), "/", kayles.line(4))
    (3, 2): WIN by (2, 2) / 4 → (1, 1) → (1,) → ()
    """

    file_kind: ClassVar[str] = "heap"

    def __init__(self, code: Code | None, rule: Rule | None = None) -> None:
        if code is not None and not isinstance(code, Code):
            raise InvalidOptionError(f"code: expected a Code, got {shown(code)}")
        if (code is None) == (rule is None) or (rule is not None and not callable(rule)):
            raise InvalidOptionError(f"expected a code or a rule, a function, got {shown(rule)}")
        self.code = code
        self._rule = rule
        self._values = None if code is None else Values(code)
        self._list: list[int] = []
        self._claimed = np.zeros(0, np.int32)
        self._period: Period | None = None
        self._searched_to = -1

    def __repr__(self) -> str:
        """The call that makes the game."""
        return f"heap({str(self.code)!r})" if self.code else f"heap(rule={self._rule!r})"

    def nim_sequence(self, n: int, *, proofs: bool = True, progress: Progress = None) -> Int32Array:
        """The values G(0), G(1), …, G(n): n + 1 of them, from the empty heap on.

        If a period is proved during the computation, the other values follow from it, unless
        ``proofs`` is false. ``progress`` is True for a line on stderr, or a function of (done,
        total, what).

        >>> heap(subtract=[1, 3, 4]).nim_sequence(9).tolist()
        [0, 1, 0, 1, 2, 3, 2, 0, 1, 0]
        """
        n = _size(n)
        if not isinstance(proofs, bool):
            raise InvalidOptionError(f"proofs: expected True or False, got {shown(proofs)}")
        memory.require(32 * (n + 1), f"values up to {n:,}", "ask for fewer")
        if n < self._claimed.size:
            return read_only(self._claimed[: n + 1].copy())
        with reporting(progress, "nim_sequence") as report:
            if self._values is None:
                return self._by_rule(n, report)
            self._reach(n, proofs, report)
        known = self._values.known
        if n < known.size:
            return read_only(known[: n + 1].astype(np.int32))
        return read_only(self._continued(n))

    def _by_rule(self, n: int, progress: Report | None) -> Int32Array:
        """The values of a game with a Python rule, one heap after the other."""
        while (done := len(self._list)) <= n:
            self._list.append(_mex(map(self.grundy, self._options_of_heap(done))))
            if progress is not None:
                progress(done + 1, n + 1, "heaps")
        return read_only(np.array(self._list[: n + 1], np.int32))

    def _reach(self, n: int, proofs: bool, progress: Report | None) -> None:
        """Compute the values to G(n), or find a period; one is sought at every power of two."""
        assert self._values is not None

        def tick(done: int) -> None:
            if progress is not None:
                progress(done, n + 1, "heaps")

        while n >= (done := self._values.known.size):
            if proofs and done >= FIRST and self._prove(done - 1):
                return
            step = max(2 * FIRST, 2 * done)
            self._values.extend(min(n, step - 1) if proofs else n, tick)

    def _continued(self, n: int) -> Int32Array:
        period = self._period
        assert period is not None
        n0, p = period.preperiod, period.period
        values = np.empty(n + 1, np.int32)
        values[:n0] = period.values[:n0]
        rounds, place = np.divmod(np.arange(n + 1 - n0), p)
        values[n0:] = period.values[n0 : n0 + p][place] + period.saltus * rounds
        return values

    def grundy(self, position: Heaps) -> int:
        """The nim-value of a heap, or of several side by side.

        >>> heap("nim").grundy(5), heap("nim").grundy((5, 3))
        (5, 6)
        """
        if _several(position):
            total = 0
            for heap in position:
                total ^= self.grundy(_size(heap))
            return total
        n = _size(position)
        if n < self._claimed.size:
            return int(self._claimed[n])
        if self._values is None:
            return self._list[n] if n < len(self._list) else int(self.nim_sequence(n)[n])
        self._reach(n, True, None)
        if n < self._values.known.size:
            return int(self._values.known[n])
        assert self._period is not None
        return self._period.value(n)

    def options(self, position: Heaps) -> list[tuple[int, ...]]:
        """What a move leads to: heaps that are left, in falling order, without empty ones.

        >>> heap("kayles").options(4)
        [(3,), (2, 1), (2,), (1, 1)]
        """
        if _several(position):
            heaps = [_size(heap) for heap in position]
            distinct: dict[tuple[int, ...], None] = {}
            for k, heap in enumerate(heaps):
                others = (*heaps[:k], *heaps[k + 1 :])
                distinct |= dict.fromkeys(_sorted((*others, *left)) for left in self.options(heap))
            return list(distinct)
        n = _size(position)
        first = itertools.islice(self._options_of_heap(n), MOST_OPTIONS + 1)
        options = list(dict.fromkeys(map(_sorted, first)))
        if len(options) > MOST_OPTIONS:
            raise LimitError(f"a heap of {n:,} has more than {MOST_OPTIONS:,} options to list")
        return options

    def _options_of_heap(self, n: int) -> Iterator[tuple[int, ...]]:
        """The options of one heap in the order of its rules."""
        if self.code is not None:
            yield from self.code.options(n)
            return
        assert self._rule is not None
        options = self._rule(n)
        if isinstance(options, str | bytes) or not isinstance(options, Iterable):
            raise InvalidOptionError(
                f"the rule for a heap of {n}: expected options, got {shown(options)}"
            )
        for left in options:
            heaps = tuple(left) if _several(left) else (left,)
            for a in heaps:
                if isinstance(a, bool) or not isinstance(a, int | np.integer) or not 0 <= a < n:
                    raise InvalidOptionError(
                        f"the rule for a heap of {n}: expected smaller heaps, got {shown(left)}"
                    )
            yield tuple(int(a) for a in heaps)

    # ---------------------------------------------------------------- pictures

    def plot(self, n: int | None = None) -> "SequencePlot":
        """The values of the heaps 0, …, n as points, by default those known so far.

        The plot has ``svg()``, ``draw()`` for the terminal and ``save(path)``, and a notebook shows
        it. Marked are the exceptions to a period that is proved, else the rare heaps.

        >>> print(heap("nim").plot(4).draw(width=9, height=2, ascii=True).splitlines()[-1])
           0       4
        """
        from zermelo.sums.heaps.plot import plot_values

        return plot_values(self, n, self._period)

    def _repr_html_(self) -> str:
        """What a notebook shows: the first values and a plot."""
        from zermelo.sums.heaps.plot import heap_page

        return heap_page(self, self._period)

    # ---------------------------------------------------------------- as an answer

    @property
    def _known(self) -> Int32Array:
        """The values computed so far, or those that a file claims where it has more."""
        computed = np.array(self._list, np.int32) if self._values is None else self._values.known
        more = computed if computed.size >= self._claimed.size else self._claimed
        return more.astype(np.int32)

    def __getitem__(self, position: Heaps) -> int:
        """The nim-value of a heap, or of several side by side."""
        return self.grundy(position)

    def at(self, position: Heaps, player: int | None = None) -> Answer:
        """The answer at a heap, or at several side by side; the moves are tuples of heaps."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        value = self.grundy(position)
        return Answer(
            tuple(map(_size, position)) if _several(position) else _size(position),
            None if player is None else Player(player),
            Label.WIN if value else Label.LOSE,
            NO_DISTANCE,
            value,
            functools.partial(self._best, position),
        )

    def _best(self, position: Heaps) -> tuple[tuple[int, ...], ...]:
        """The moves to value 0, or all moves where the player to move loses."""
        wins = self.grundy(position) != 0
        return tuple(x for x in self.options(position) if not (wins and self.grundy(x)))

    def line(self, position: Heaps, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position to the end, at most ``limit`` moves."""
        if limit is not None:
            limit = whole_number(limit, "limit")
        here: Any = self.at(position, player).position
        line = Line([here])
        while (limit is None or len(line) <= limit) and (best := self._best(here)):
            here = best[0]
            line.append(here)
        return line

    def counts(self) -> dict[str, int]:
        """How many of the heaps computed so far win and lose; no distances are known."""
        known = self._known
        return counted(np.where(known > 0, 1, -1), np.full(known.size, NO_DISTANCE))

    def __len__(self) -> int:
        """How many heaps have been computed so far, the empty heap included."""
        return int(self._known.size)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every heap computed so far."""
        return (self.at(n) for n in range(len(self)))

    def verify(self) -> "Self":
        """Check the values computed so far, and the period if one is proved, by other means.

        >>> import zermelo as zm
        >>> kayles = zm.heap("0.77")
        >>> kayles.nim_sequence(300).max()
        np.int32(8)
        >>> kayles.verify() is kayles
        True
        """
        known = self._known
        if self.code is None:
            check_rule_values(self._options_of_heap, known)
        else:
            check_values(self.code, known.astype(np.int64))
        if self._period is not None:
            self._period.verify()
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file: the code if there is one, the values, and the proof of a period."""
        record: dict[str, Any] = {
            "code": None if self.code is None else str(self.code),
            "values": self._known.tolist(),
        }
        if (period := self._period) is not None:
            names = ("preperiod", "period", "saltus", "start")
            record["period"] = [*(getattr(period, name) for name in names), period.values.size]
        return record

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The values that a file claims for a heap game: its own code, or the game given."""
        code = fields.get("code")
        if code is not None:
            claim = cls(parse(fields.text("code")))
            if game is not None and str(_heap_of(game).code) != str(claim.code):
                raise FormatError(f"these values are of the game {code}, not of {shown(game)}")
        elif game is None or _heap_of(game)._rule is None:
            raise FormatError("these values belong to a Python rule: give the heap game")
        else:
            claim = cls(None, _heap_of(game)._rule)
        claim._claimed = fields.integers("values", None, 0, 2**31 - 1).astype(np.int32)
        if fields.get("period") is not None:
            if claim.code is None:
                raise FormatError("/period: expected none for a Python rule")
            numbers = fields.integers("period", 5, 0, 2**31 - 1).tolist()
            preperiod, period, saltus, start, size = numbers
            values = claim._claimed[:size].copy()
            claim._period = Period(claim.code, preperiod, period, saltus, start, values)
        return claim

    # ---------------------------------------------------------------- periods

    def period(self, limit: int = LIMIT, *, progress: Progress = None) -> Period | None:
        """The period of the values, with its proof, if heaps up to ``limit`` prove one.

        With None, larger heaps may still prove a period. The theorems are in
        :mod:`zermelo.sums.heaps.period`.

        >>> p = heap("0.07").period()
        >>> p.period, p.preperiod, p.saltus, p.last_exception
        (34, 53, 0, 52)
        >>> print(heap(all_but=[2]).period())
        0.303...: period 4, growing by 2, pre-period 0
        >>> heap("0.007").period(1000) is None
        True
        """
        limit = _size(limit)
        if self._values is None:
            raise InvalidOptionError("a period is proved from a code; this game has a Python rule")
        with reporting(progress, "period") as report:
            self._reach(limit, True, report)
        if self._period is None:
            self._prove(min(limit, self._values.known.size - 1))
        period = self._period
        return period if period is not None and period.values.size <= limit + 1 else None

    def _prove(self, n: int) -> bool:
        """Seek a period in G(0), …, G(n)."""
        assert self.code is not None
        assert self._values is not None
        if self._period is None and n > self._searched_to:
            self._searched_to = n
            self._period = find_period(self.code, self._values.known[: n + 1].astype(np.int32))
        return self._period is not None

    def sparse(self, n: int) -> Sparse:
        """The rare values among the heaps up to n.

        >>> s = heap("kayles").sparse(1000)
        >>> bin(s.mask), s.heaps.tolist(), s.counts
        ('0b1111', [3, 6, 11, 18, 22, 28, 34, 39, 70], {3: 4, 5: 1, 6: 4})
        """
        values = self.nim_sequence(n)
        digits = () if self.code is None else (*self.code.digits, self.code.tail)
        mask, position, rare = best_mask(values, [i for i, d in enumerate(digits) if d & 4])
        heaps = np.flatnonzero(rare).astype(np.int32)
        rare_values, times = np.unique(values[heaps], return_counts=True)
        counts = dict(zip(rare_values.tolist(), times.tolist(), strict=True))
        return Sparse(
            n, mask, position, read_only(heaps), counts,
            int(heaps[-1]) if heaps.size else None, int(values.max()), int(values.argmax()),
        )  # fmt: skip


def heap(
    code: str | Code | None = None,
    *,
    subtract: Iterable[int] | None = None,
    all_but: Iterable[int] | None = None,
    rule: Rule | None = None,
) -> Heap:
    """A heap game: by its code or name, by what may or may not be taken, or by a Python rule.

    Codes are octal or hexadecimal, see :mod:`zermelo.sums.heaps.code`. A rule lists for a heap of n
    what may be left: smaller heaps, each option a tuple of them (or one number).

    >>> heap("dawsons-kayles").grundy(10), heap(subtract=[1, 2, 3]).grundy(10)
    (3, 2)
    >>> heap(rule=lambda n: [(a, n - a) for a in range(1, n)]).nim_sequence(5).tolist()
    [0, 0, 1, 0, 1, 0]
    """
    given = [x for x in (code, subtract, all_but, rule) if x is not None]
    if len(given) != 1:
        raise InvalidOptionError(
            f"expected one of a code, subtract, all_but and rule, got {len(given)}"
        )
    if rule is not None:
        return Heap(None, rule)
    if subtract is not None:
        return Heap(_subtract(subtract))
    if all_but is not None:
        return Heap(_all_but(all_but))
    return Heap(parse(code) if isinstance(code, str) else code)


_subtract, _all_but = subtract, all_but


def _heap_of(game: Any) -> Heap:
    """A heap game from such a game, or from its code or name."""
    if isinstance(game, Heap):
        return game
    if isinstance(game, str | Code):
        return heap(game)
    raise FormatError(f"expected a heap game, got {shown(game)}")


def _mex(values: Iterable[int]) -> int:
    """The least natural number that is missing."""
    distinct, least = set(values), 0
    while least in distinct:
        least += 1
    return least


def _sorted(heaps: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted((a for a in heaps if a), reverse=True))


def _size(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 0 <= n < 1 << 31:
        raise InvalidOptionError(f"expected the size of a heap, got {shown(n)}")
    return int(n)


def _several(position: Any) -> TypeGuard[Sequence[Any]]:
    """Whether a position is several heaps side by side; a text is not."""
    return isinstance(position, Sequence) and not isinstance(position, str | bytes)
