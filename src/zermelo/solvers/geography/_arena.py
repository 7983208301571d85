"""A strong component in which starts are searched, with a table of known situations.

See :mod:`zermelo._kernels.geography.search` for the algorithm. The table begins small and grows
with its entries, up to ``MAX_SLOTS``; after that, old entries are overwritten.
"""

from collections.abc import Callable

import numpy as np

from zermelo._kernels.geography import search as k
from zermelo._kernels.geography.leaf import Area, Trees
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import interpreting
from zermelo.graph import Graph
from zermelo.labels import UNDECIDED, Int8Array, Int64Array

FIRST_SLICE = 128
"""The number of nodes after which compiled code is worth its start."""

SLICE = 1 << 15
"""The most nodes of one call of the compiled kernel, which takes some hundredths of a second."""

MAX_SLOTS = 1 << 22
"""The most slots of a table, by default."""


class Arena:
    """One component: its moves without loops, the label of stuck positions, and a table.

    >>> arena = Arena(Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 1)]), np.full(3, -1, np.int8))
    >>> [arena.decide(v)[0] for v in range(3)]
    [-1, -1, 1]
    """

    def __init__(
        self, graph: Graph, stuck: Int8Array, returns: bool = False, slots: int = MAX_SLOTS
    ) -> None:
        self.graph, self.stuck, self.returns = graph, stuck, returns
        n = graph.n
        self.width = -(-n // k.BITS)
        self._most = max(1 << (slots.bit_length() - 1), 16)
        self.table: Int64Array = np.zeros(self._size(min(n + 1, 12)), np.int64)
        rng = np.random.default_rng(n)
        source = np.repeat(np.arange(n, dtype=np.int64), graph.out_degree)
        paired = np.isin(source * n + graph.indices, graph.indices * np.int64(n) + source)
        numbers = rng.integers(0, 1 << k.BITS, 2 * n, np.int64)
        self._hashes = k.Hashes(numbers[:n], numbers[n:], paired.astype(np.int64))
        self._path = k.Path(
            *(np.zeros(size, np.int64) for size in (n, n, n, n * n, (self.width + 1) * n))
        )
        self._area = Area(*(np.zeros(n, np.int64) for _ in Area._fields))
        self._trees = Trees(*(np.zeros(n, np.int64) for _ in Trees._fields))
        self.nodes = self.stored = self.dropped = self.leaves = 0

    def _size(self, bits: int) -> int:
        return int(min(1 << bits, self._most)) * (self.width + 1)

    def decide(
        self, start: int, budget: int | None = None, tick: Callable[[int], None] | None = None
    ) -> tuple[int, int]:
        """The label of a start, and its winning move or −1.

        The label is ``UNDECIDED`` if ``budget`` nodes are too few.
        """
        state = np.zeros(k.STATE_SIZE, np.int64)
        state[k.BEST], state[k.RETURNS] = -1, int(self.returns)
        state[k.WHOLE] = int((self.stuck > 0).any())
        self._area.blocked[:], self._area.left[:] = 0, -1
        self._path.position[0] = start
        left, size = budget if budget is not None else 1 << 62, FIRST_SLICE
        successors, predecessors = (
            Moves(self.graph.indptr, self.graph.indices),
            Moves(*self.graph.reverse),
        )
        while state[k.DEPTH] >= 0 and left > 0:
            state[k.RESULT] = min(left, size)
            before = int(state[k.NODES])
            run = k.search if before == 0 or interpreting() else k.search.compiled
            run(
                successors,
                predecessors,
                self.stuck,
                self._hashes,
                self._area,
                self._path,
                self._trees,
                self.table,
                state,
            )
            done = int(state[k.NODES]) - before
            left -= done
            self.nodes += done
            self._grow(int(state[k.STORED]))
            size = min(SLICE, self.table.size // (8 * self.width))
            if tick is not None:
                tick(self.nodes)
        self.stored += int(state[k.STORED])
        self.dropped += int(state[k.DROPPED])
        self.leaves += int(state[k.LEAVES])
        if state[k.DEPTH] >= 0:
            return UNDECIDED, -1
        label = int(state[k.RESULT])
        return label, int(state[k.BEST]) if label > 0 else -1

    def _grow(self, fresh: int) -> None:
        """Keep the table at most half full, while it may grow."""
        slots = self.table.size // (self.width + 1)
        if 2 * (self.stored + fresh - self.dropped) <= slots or slots >= self._most:
            return
        larger = np.zeros(self._size((4 * slots).bit_length() - 1), np.int64)
        row = np.zeros(self.width + 1, np.int64)
        k.rehash(self.table, self._hashes, row, larger)
        self.table = larger

    def entries(self) -> tuple[Int64Array, Int64Array, Int8Array]:
        """The entries of the table: positions, their sets (rows of 62-bit numbers) and labels."""
        rows = self.table.reshape(-1, self.width + 1)
        rows = rows[rows[:, -1] > 0]
        code = rows[:, -1] - 1
        return code // 4, rows[:, :-1], (code % 4 - 1).astype(np.int8)
