"""The store of values: every short partizan game in canonical form, stored once, with an id.

Each process has one store, ``STORE``; its methods take and return plain integers (ids):

- ``make(lefts, rights)`` is the value {lefts | rights}; ``left(g)``, ``right(g)`` its canonical
  options; ``add(g, h)``, ``negate(g)``, ``le(g, h)``, ``birthday(g)``;
- ``number(num, exp)`` is num/2^exp, ``number_up_star(num, exp, up, star)`` that + up·↑ + ∗star, and
  ``parts(g)`` gives these four back, or None for a value that is not of this compact form;
- ``stops(g)`` is its Left and Right stop as pairs (num, exp);
- ``evaluate(n, left_ptr, right_ptr, left_sums, right_sums, sum_ptr, terms)`` gives the values of n
  positions together. Options come before the positions that have them. Left's options of p are the
  sums ``left_sums[left_ptr[p]:left_ptr[p + 1]]``. Sum s has the terms
  ``terms[sum_ptr[s]:sum_ptr[s + 1]]`` (no terms mean the value 0). A term is 2·position, plus 1 if
  it is negated;
- ``memo()`` is a new dictionary for features of ids; it is emptied together with the store.

Ids have no meaning in another process or after ``clear``. The number 0 has the id ``ZERO``, and no
id is 0. Numerators, multiples of ↑ and nimbers of more than 62 bits are refused with a LimitError.

One kernel (:mod:`zermelo._kernels.partizan.machine`) does the work. It stops when it needs memory
or when its budget is used up, so that Ctrl-C has an effect. It begins on lists, interpreted, and
continues compiled when a process has done enough steps. After an interruption or an error the store
is in its state before the last run of the kernel. The canonical form is that of [Siegel2013] II.2.
Sums are computed from their options, each pair of values once.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from zermelo._kernels.partizan.form import FIRST_SERIAL
from zermelo._kernels.partizan.machine import (
    EVALUATE,
    MAKE,
    NEGATIVE,
    ORDER,
    SUM,
    UNFOLD,
    run,
    sum_at_once,
)
from zermelo._kernels.partizan.order import OPEN, at_once, slot
from zermelo._kernels.partizan.values import (
    ANSWER,
    BIRTHDAY,
    BUDGET,
    COMPACT,
    COUNT,
    DONE,
    FILLED,
    FIRST,
    FLAGS,
    FORMS,
    JOB,
    LEFT,
    LEFTS,
    LS,
    LS_EXP,
    MASK31,
    NEED,
    NEG,
    PAUSE,
    RESULT,
    RIGHT,
    RIGHTS,
    ROOM_OPTIONS,
    ROOM_POOL,
    ROOM_RESULTS,
    ROOM_STACK,
    ROOM_VALUES,
    RS_EXP,
    SECOND,
    SERIAL,
    SERIALS,
    SP,
    STAR,
    START,
    STATE_SIZE,
    TERM,
    UP,
    WIDTH,
    ZERO,
    Buffers,
    Program,
    Values,
    intern_compact,
    rehash,
)
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.forks import keep_whole
from zermelo._runtime.memory import require
from zermelo.errors import LimitError
from zermelo.labels import Int64Array

__all__ = ["STORE", "ZERO", "Store"]

MAX_INTERPRETED_KEPT = 1 << 12
"""The number of interpreted steps before a process continues compiled, if code is cached."""
MAX_INTERPRETED = 1 << 17
"""The same number if nothing is compiled yet, because compiling takes half a minute."""
COMPILED_STEPS = 1 << 18
"""The number of compiled steps between two checks for an interruption."""
INITIAL_CAPACITY = 1 << 8
"""The initial capacity for values."""
MAX_VALUES = FIRST_SERIAL - 1
"""The most values that ids of 31 bits allow."""
LARGEST_MEMO = 1 << 25
TEXT_STEPS, TEXT_OPTIONS = 1 << 22, 1 << 16
"""The most steps for one text (some seconds), and the most options of a value in it."""
AT_START = [0] * (STATE_SIZE - SP)
BITS = 62


class Store:
    """Values by id; the module describes the methods.

    >>> store = Store()
    >>> zero, one = store.number(0), store.number(1)
    >>> half = store.make([zero], [one])
    >>> store.parts(half)
    (1, 1, 0, 0)
    >>> store.add(half, half) == one
    True
    >>> switch = store.make([one], [store.negate(one)])
    >>> store.le(zero, switch), store.stops(switch), len(store) >= 5
    (False, ((1, 0), (-1, 0)), True)
    """

    def __init__(self, limit: int = 1 << 26) -> None:
        self.limit = limit
        self.age = 0
        self._memos: list[dict[Any, Any]] = []
        self.lock = threading.RLock()
        keep_whole(self, "the store of values")
        self._spent = 0
        self._left: int | None = None  # the remaining steps, if they are bounded
        self._empty()

    def _empty(self) -> None:
        self._lists = True
        self._state: Any = [0] * STATE_SIZE
        self._info: Any = [0] * (WIDTH * INITIAL_CAPACITY)
        self._pool: Any = [0] * (4 * INITIAL_CAPACITY)
        self._table: Any = [0] * (4 * INITIAL_CAPACITY)
        self._memo: Any = [0] * (16 * INITIAL_CAPACITY)
        self._sums: Any = [0] * (8 * INITIAL_CAPACITY)
        self._stack: Any = [0] * INITIAL_CAPACITY
        self._results: Any = [0] * INITIAL_CAPACITY
        self._options: Any = [0] * INITIAL_CAPACITY
        self._program: Any = Program(*[self._like([], 0) for _ in Program._fields])
        self._state[COUNT] = ZERO
        self._state[SERIAL] = FIRST_SERIAL
        intern_compact.interpreted(self._state, self._info, self._table, 0, 0, 0, 0)

    def __len__(self) -> int:
        return int(self._state[COUNT]) - 1

    def clear(self) -> None:
        """Forget all values; ids and ``Value`` objects made before must not be used again."""
        with self.lock:
            self._empty()
            self.age += 1
            for memo in self._memos:
                memo.clear()

    def memo(self) -> dict[Any, Any]:
        """A new dictionary that is emptied together with the store."""
        self._memos.append({})
        return self._memos[-1]

    @property
    def made(self) -> int:
        """The number of games that were simplified (numbers need no search and do not count)."""
        return int(self._state[FORMS])

    @property
    def nbytes(self) -> int:
        """The size of the store's tables in bytes."""
        _, values, buffers, _ = self._records()
        return 8 * sum(map(len, (self._state, *values, *buffers)))

    def _records(self) -> tuple[Any, Values, Buffers, Program]:
        """What the machine takes."""
        values = Values(self._info, self._pool, self._table, self._memo, self._sums)
        buffers = Buffers(self._stack, self._results, self._options)
        return self._state, values, buffers, self._program

    # Values

    def make(self, left: Iterable[int], right: Iterable[int]) -> int:
        """The value {left | right}."""
        left, right = sorted(set(left)), sorted(set(right))
        with self.lock:
            if (most := max(len(left), len(right))) > len(self._options) // 2:
                self._grow_options(most)
            self._options[: len(left)] = left
            half = len(self._options) // 2
            self._options[half : half + len(right)] = right
            self._state[LEFT], self._state[RIGHT] = len(left), len(right)
            return self._run(MAKE)

    def add(self, a: int, b: int) -> int:
        """The sum of two values."""
        with self.lock:
            state, info, table, sums = self._seen("state", "info", "table", "sums")
            known = sum_at_once.interpreted(state, info, table, sums, a, b)
            return known if known > 0 else self._run(SUM, a, b)

    def negate(self, a: int) -> int:
        """The negative of a value."""
        known = int(self._info[a * WIDTH + NEG])
        return known if known > 0 else self._run(NEGATIVE, a)

    def le(self, a: int, b: int) -> bool:
        """Whether a ≤ b."""
        with self.lock:
            answer = at_once.interpreted(a, b, *self._seen("info", "memo"))
            if answer == OPEN:
                self._run(ORDER, a, b)
                answer = self._state[ANSWER]
            return bool(answer)

    def number(self, numerator: int, exponent: int = 0) -> int:
        """The number numerator/2^exponent."""
        return self.number_up_star(numerator, exponent, 0, 0)

    def number_up_star(self, numerator: int, exponent: int, up: int, star: int) -> int:
        """The value numerator/2^exponent + up·↑ + ∗star."""
        if exponent < 0:
            numerator, exponent = numerator << -exponent, 0
        if numerator == 0:
            exponent = 0
        elif exponent:
            twos = min(exponent, (numerator & -numerator).bit_length() - 1)
            numerator, exponent = numerator >> twos, exponent - twos
        if max(abs(numerator), exponent, abs(up), star).bit_length() > BITS:
            raise LimitError(_too_big())
        with self.lock:
            while True:
                seen = self._seen("state", "info", "table")
                value = intern_compact.interpreted(*seen, numerator, exponent, up, star)
                if value > 0:
                    return value
                self._make_room(-value)

    def left(self, a: int) -> tuple[int, ...]:
        """Left's options in the canonical form."""
        return self._options_of(a)[0]

    def right(self, a: int) -> tuple[int, ...]:
        """Right's options in the canonical form."""
        return self._options_of(a)[1]

    def _options_of(self, a: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        r = a * WIDTH
        with self.lock:
            if self._info[r + START] < 0:
                with self.bounded():
                    self._run(UNFOLD, a)
            start, lefts = int(self._info[r + START]), int(self._info[r + LEFTS])
            end = start + lefts + int(self._info[r + RIGHTS])
            options = self._pool[start:end]
        ids = options if isinstance(options, list) else options.tolist()
        return tuple(ids[:lefts]), tuple(ids[lefts:])

    def parts(self, a: int) -> tuple[int, int, int, int] | None:
        """Numerator, exponent, ups and nimber of a compact form, else None."""
        r = a * WIDTH
        if not self._info[r + FLAGS] & COMPACT:
            return None
        num, exp = int(self._info[r + LS]), int(self._info[r + LS_EXP])
        return num, exp, int(self._info[r + UP]), int(self._info[r + STAR])

    def stops(self, a: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The Left and the Right stop, each as numerator and exponent."""
        ls, ls_exp, rs, rs_exp = map(int, self._info[a * WIDTH + LS : a * WIDTH + RS_EXP + 1])
        return (ls, ls_exp), (rs, rs_exp)

    def birthday(self, a: int) -> int:
        """The birthday of a value: the depth of its canonical form."""
        return int(self._info[a * WIDTH + BIRTHDAY])

    def evaluate(
        self,
        n: int,
        left_ptr: Any,
        right_ptr: Any,
        left_sums: Any,
        right_sums: Any,
        sum_ptr: Any,
        terms: Any,
    ) -> Int64Array:
        """The values of positions whose options are sums of earlier positions."""
        arrays = left_ptr, right_ptr, left_sums, right_sums, sum_ptr, terms
        size = 8 * (sum(map(len, arrays)) + 2 * n)
        require(size, f"values of {n} positions", "value fewer positions")
        given = [np.ascontiguousarray(a, np.int64) for a in (*arrays, np.zeros(n, np.int64))]
        with self.lock:
            lists: list[Any] = [a.tolist() for a in given] if self._lists else given
            self._program = Program(*lists)
            self._run_to_end(EVALUATE)
            values = np.array(self._program.values, np.int64)
            self._program = Program(*(self._like(a, 0) for a in self._program))
        return values

    # Running the machine

    def _seen(self, *names: str) -> list[Any]:
        """Arrays in the form that the interpreter reads fastest."""
        arrays = [getattr(self, f"_{name}") for name in names]
        return arrays if self._lists else [memoryview(a) for a in arrays]

    def _run(self, job: int, a: int = 0, b: int = 0) -> int:
        with self.lock:
            self._state[FIRST], self._state[SECOND] = a, b
            self._run_to_end(job)
            return int(self._state[RESULT])

    def _run_to_end(self, job: int) -> None:
        state = self._state
        state[SP:] = AT_START
        state[JOB], state[TERM] = job, -1
        while (status := self._stretch()) != DONE:
            if status != PAUSE:
                self._make_room(status)

    def _stretch(self) -> int:
        if self._lists and not interpreting() and (_always_compiled() or self._long()):
            self._to_arrays()
        go_on: Callable[..., int] = run.interpreted if self._lists else run.compiled
        self._state[BUDGET] = budget = MAX_INTERPRETED_KEPT // 8 if self._lists else COMPILED_STEPS
        count, filled = int(self._state[COUNT]), int(self._state[FILLED])
        try:
            status = go_on(*self._records())
        except BaseException:
            self._roll_back(count, filled)
            raise
        used = int(budget - self._state[BUDGET])
        if self._lists:
            self._spent += used
        if self._left is not None and status != DONE:
            self._left -= used
            if self._left < 0:
                raise LimitError(f"this value takes more than {TEXT_STEPS:,} steps to calculate")
        return int(status)

    @contextlib.contextmanager
    def bounded(self) -> Iterator[None]:
        """Raise a LimitError if the computation within takes more than ``TEXT_STEPS`` steps."""
        with self.lock:
            outer, self._left = self._left, TEXT_STEPS
            try:
                yield
            finally:
                self._left = outer

    def _long(self) -> bool:
        """Whether enough steps were interpreted that the compiled machine should continue."""
        if self._spent < MAX_INTERPRETED_KEPT:
            return False
        none = np.zeros(0, np.int64)
        records = (kind(*[none] * len(kind._fields)) for kind in (Values, Buffers, Program))
        return self._spent >= MAX_INTERPRETED or run.kept((none, *records))

    def _to_arrays(self) -> None:
        self._lists = False
        for name in ("state", *Values._fields, *Buffers._fields):
            setattr(self, f"_{name}", np.array(getattr(self, f"_{name}"), np.int64))
        self._program = Program(*(np.array(a, np.int64) for a in self._program))

    def _roll_back(self, count: int, filled: int) -> None:
        """Undo the steps of an interrupted run."""
        state, info = self._state, self._info
        state[COUNT], state[FILLED] = count, filled
        for r in range(WIDTH, count * WIDTH, WIDTH):
            if info[r + NEG] >= count:
                info[r + NEG] = -1
            if info[r + START] >= filled and info[r + FLAGS] & COMPACT:
                info[r + START] = -1
        kept = [x for x in self._table if x and x & MASK31 < count]
        self._table = self._like(self._table, len(self._table))
        self._rehash(kept, self._table)
        self._memo = self._like(self._memo, len(self._memo))
        self._sums = self._like(self._sums, len(self._sums))

    # Room

    def _make_room(self, status: int) -> None:
        need = int(self._state[NEED])
        if self._left is not None and need > TEXT_OPTIONS:
            raise LimitError(f"this value has a part with more than {TEXT_OPTIONS:,} options")
        if status == ROOM_VALUES:
            self._grow_values(need)
        elif status == ROOM_POOL:
            self._pool = self._larger(self._pool, int(self._state[FILLED]) + need)
        elif status == ROOM_STACK:
            self._stack = self._larger(self._stack, len(self._stack) + need)
        elif status == ROOM_RESULTS:
            self._results = self._larger(self._results, len(self._results) + need)
        elif status == ROOM_OPTIONS:
            self._grow_options(need)
        elif status == SERIALS:
            self._memo = self._like(self._memo, len(self._memo))
            self._state[SERIAL] = FIRST_SERIAL
        else:
            raise LimitError(_too_big())

    def _like(self, array: Any, size: int) -> Any:
        return [0] * size if isinstance(array, list) else np.zeros(size, np.int64)

    def _larger(self, array: Any, least: int) -> Any:
        size = 2 * len(array)
        while size < least:
            size *= 2
        require(8 * size, "the store of values", "clear the store (STORE.clear())")
        new = self._like(array, size)
        new[: len(array)] = array
        return new

    def _grow_options(self, half: int) -> None:
        old, middle = self._options, len(self._options) // 2
        size = 2 * len(old)
        while size // 2 < half:
            size *= 2
        self._options = self._like(old, size)
        self._options[:middle] = old[:middle]
        self._options[size // 2 : size // 2 + middle] = old[middle:]

    def _grow_values(self, need: int) -> None:
        count, limit = int(self._state[COUNT]), min(self.limit, MAX_VALUES)
        if count - 1 + need > limit:
            raise LimitError(
                f"the store of values is full: it has {count - 1} values, {need} more are needed, "
                f"and at most {limit} are allowed; raise zermelo.partizan.store.STORE.limit or "
                "empty the store by STORE.clear()"
            )
        room = min(max(2 * len(self._info) // WIDTH, count + need), limit + 1)
        require(8 * room * (WIDTH + 10), "the store of values", "clear the store (STORE.clear())")
        info = self._like(self._info, room * WIDTH)
        info[: len(self._info)] = self._info
        self._info = info
        if 2 * room > len(self._table):
            table = self._like(self._table, 1 << (2 * room).bit_length())
            self._rehash(self._table, table)
            self._table = table
        size = min(1 << (2 * room).bit_length(), LARGEST_MEMO)
        self._memo = self._spread(self._memo, 1, size)
        self._sums = self._spread(self._sums, 2, size)

    def _rehash(self, old: Any, new: Any) -> None:
        make = rehash.interpreted if self._lists else rehash
        make(old if self._lists else np.asarray(old, np.int64), new)

    def _spread(self, memo: Any, stride: int, size: int) -> Any:
        """A memo of ``size`` entries that contains the entries of a smaller one."""
        if size * stride <= len(memo):
            return memo
        old = np.asarray(memo, np.int64).reshape(-1, stride)
        old = old[old[:, 0] != 0]
        keys = old[:, 0] >> (2 - stride)
        new = np.zeros((size, stride), np.int64)
        new[slot.function(keys >> 31, keys & MASK31, size)] = old
        flat = new.ravel()
        return flat.tolist() if isinstance(memo, list) else flat


def _always_compiled() -> bool:
    return os.environ.get("ZERMELO_KERNELS") == "compile"


def _too_big() -> str:
    return f"a number, a multiple of ↑ or a nimber of more than {BITS} bits has no value here"


STORE = Store()
"""The values of this process."""
