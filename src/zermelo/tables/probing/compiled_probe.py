"""Probes of one position by one call of machine code, see :mod:`zermelo._kernels.tables.answer`.

Until machine code is worth loading or compiling, and wherever something is out of the ordinary, the
general way of :mod:`zermelo.tables.probing.lookups` gives the answer: for rules that fail, for
blocks that do not fit into memory together, for what is no number.
"""

import time
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from zermelo._kernels.tables.answer import (
    ALL_MOVES,
    BEST,
    BEST_MOVES,
    CODE,
    DISTANCE,
    KEY,
    NO_MOVES,
    POSITION,
    STATE,
    TIME,
    Found,
    Meaning,
    Room,
    answer_at,
)
from zermelo._runtime.compiled.bind import Bound, bind
from zermelo.errors import InvalidRulesError
from zermelo.labels import NO_DISTANCE, Int64Array
from zermelo.rules.compiled import room_for
from zermelo.tables.probing.access import FAULTS, ByNumber, as_number
from zermelo.tables.probing.successors import ProbedPosition
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_LOSE_IN, KIND_TIED, KIND_WIN, LABELS
from zermelo.tables.storage.file import TableFile

MAX_MISSING_BLOCKS = 64
"""Blocks that are decoded between two calls; if fewer are kept, the general way is better."""


class CompiledProbe:
    """Answers at positions of a table of compiled rules, as soon as machine code is there."""

    def __init__(self, access: ByNumber, file: TableFile) -> None:
        self._access, self._file = access, file
        self._kernel = bind(answer_at, access.seen)
        self._runs: list[Callable[[], Any]] | None = None
        self._seconds = self._begun = 0.0
        few = file.cache.slots < min(file.cache.blocks, MAX_MISSING_BLOCKS)
        self._off = few or file.coding.tables is None or not isinstance(self._kernel, Bound)

    def find(self, position: Any) -> tuple[int, int] | None:
        """The kind of the entry of a position and its distance, also where the kind is a win.

        A position without an entry has the kind ``absent``. The result is None if the general way
        must find it.
        """
        if not self._is_number(position):
            return None
        with self._file.cache.lock:
            if not self._run(position, NO_MOVES):
                return None
            state = self._found.state
            code, distance, key = state.item(CODE), state.item(DISTANCE), state.item(KEY)
        if code < 0 or not self._reaches(key):
            return KIND_ABSENT, NO_DISTANCE
        return self._kinds[code], distance

    def best(self, position: int, drawn: bool) -> list[int] | None:
        """The positions after best moves, as moves lead there; None as above.

        ``drawn`` says that all moves that keep the label are best.
        """
        with self._file.cache.lock:
            if not self._run(position, ALL_MOVES if drawn else BEST_MOVES):
                return None
            best: list[int] = self._found.best[: self._found.state.item(BEST)].tolist()
        return best

    @property
    def waits(self) -> bool:
        """Whether the general way gives the answers until now, and its time matters."""
        return self._runs is None and not self._off

    def __enter__(self) -> Self:
        """Note when the general way begins; several threads may count together."""
        self._begun = time.monotonic()
        return self

    def __exit__(self, *error: object) -> None:
        """Add the time that it took."""
        self._seconds += time.monotonic() - self._begun

    def _is_number(self, position: Any) -> bool:
        if self._runs is None and (self._off or not self._load()):
            return False
        return isinstance(position, int) and as_number(position) >= 0

    def _reaches(self, key: int) -> bool:
        """Whether play may reach the position of a key, as far as the table relies on that."""
        if not self._access.descent:
            return True
        return self._access.reached(np.array([key], np.int64)).item(0) >= 0

    def _run(self, position: int, with_moves: int) -> bool:
        """Run the kernel until no block is missing; False if that does not succeed."""
        if self._runs is None:
            return False
        state, cache, run = self._found.state, self._file.cache, self._runs[with_moves]
        decoded = 0
        # Invariant: blocks that were decoded for this position are kept, for they are not more than
        # there are slots, and those used least recently make room.
        while True:
            state[POSITION], state[TIME] = position, cache.tick()
            try:
                missing = run()
            except FAULTS:  # the general way finds out what is wrong
                return False
            if missing == 0:
                return True
            decoded += missing
            if decoded > cache.slots:
                return False
            cache.require(self._found.missing[:missing].tolist())

    def _load(self) -> bool:
        """Load or compile the kernel if the general way took so long that it is worth it."""
        with self._file.cache.lock:
            kernel: Any = self._kernel
            if not kernel.worth_compiling_after(self._seconds, self._arguments(NO_MOVES)):
                return False
            try:
                ways = (NO_MOVES, BEST_MOVES, ALL_MOVES)
                self._runs = [kernel.prepared(*self._arguments(x)) for x in ways]
            except InvalidRulesError:
                self._off = True
            return not self._off

    def _arguments(self, with_moves: int) -> tuple[Any, ...]:
        """The arguments of the kernel, whose arrays are the same in all calls."""
        if not hasattr(self, "_found"):
            tables = self._file.coding.tables
            assert tables is not None
            self._kinds: list[int] = tables[0].tolist()
            labels = np.array(LABELS, np.int8)
            kinds = KIND_WIN, KIND_LOSE_IN, KIND_ABSENT, KIND_TIED
            self._meaning = Meaning(*tables, labels, *kinds)
            size = room_for(self._access.seen, "moves")
            arrays: list[Int64Array] = [np.zeros(size, np.int64) for _ in range(4)]
            self._room, missing = Room(*arrays[:3]), np.zeros(MAX_MISSING_BLOCKS, np.int64)
            self._found = Found(np.zeros(STATE, np.int64), arrays[3], missing)
            self._blocks = self._file.decoded_blocks
        symmetry = self._access.symmetry
        return self._blocks, self._meaning, self._room, self._found, symmetry, with_moves


class CompiledPosition(ProbedPosition):
    """A position of a table whose distance is known; machine code finds its best moves, too."""

    def __init__(self, solved: Any, own: int, found: tuple[int, int], quick: CompiledProbe) -> None:
        super().__init__(solved, own, found)
        self.distance, self._compiled_probe = found[1], quick

    def best(self) -> list[Any]:
        """All moves that keep the label and, where there is a distance, lead along it."""
        best = self._compiled_probe.best(self.own, self.drawn)
        return super().best() if best is None else list(dict.fromkeys(best))
