"""The checker of Sprague–Grundy values: NumPy, no code of the algorithms.

Write γ(u) for the claimed value of position ``u``, K(u) for the finite values among its options,
μ(u) = mex K(u), and c(u) for the claimed counter. All sets K are computed again from γ. The time is
linear, except for the sorting of rows and the searches in them.

*Acyclic graphs.* All values are finite, γ(u) = μ(u), and c(u) is the height: 1 + the greatest c
over the moves, or 0 without a move. Heights exist exactly if there is no cycle; then they are
unique, and γ(u) = μ(u) determines γ by induction on them.

*All graphs.* A move u → v *goes up* if γ(u) is finite and γ(v) is infinite or γ(v) > γ(u).

A. If γ(u) is finite, γ(u) = μ(u).
B. If u → v goes up, some move v → w has γ(w) = γ(u), and c(u) is 1 + the maximum over such v of
   the minimum of c(w) over such w; 0 if no move goes up.
C. If γ(u) is infinite, some move u → v has γ(v) infinite and μ(u) not in K(v).

C says that no unlabelled position could be labelled, so the labelling is maximal.

**The conditions are sufficient** ([FraenkelYesha1986]). Values are defined by outcomes. We show
that the sum of ``u`` and a heap of ``n`` is lost for the player to move if n = γ(u), won if n ≠
γ(u) and γ(u) is finite, won if n is in K(u), and drawn if γ(u) is infinite and n is not in K(u).
This determines γ and K.

- *n = γ(u).* The opponent always returns to such a pair: a move to a smaller heap k is answered by
  a move to a value k (A), a move to a smaller value by making the heap equal, and a move up by B.
  The pair (heap, counter) decreases lexicographically, so play ends, and the opponent is never
  stuck.
- *The wins* are one move away from such a pair: by A, by a move in the heap, or by K.
- *γ(u) infinite, n not in K(u).* No move leads to a pair of the first case. Some move leads to a
  pair of this case again: to the heap μ(u) if n > μ(u), and by C if n = μ(u); n < μ(u) is
  impossible. So neither player is ever forced to leave the draw, and neither can win.

**Counters are unique, too.** Let c ≠ c' both satisfy B. Among the positions where they differ, take
u with the least min(c(u), c'(u)), and let c(u) < c'(u). For every move up, an answer w that attains
the minimum has c(w) < c(u), so c'(w) = c(w). Hence c'(u) ≤ c(u), a contradiction. So every wrong
entry is found.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.verify.common.entries import check_array, refuse, row_blocks

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.sums.grundy import Grundy

NOT_FINITE = -1


class _Shown:
    """For every position, the finite values of its options and their least counters.

    ``key`` has the increasing numbers ``position · width + value``, and ``least`` the counters.
    """

    def __init__(self, graph: "Graph", value: AnyArray, counter: AnyArray) -> None:
        self.width = int(value.max(initial=0)) + 1
        keys, leasts = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
        for block in row_blocks(graph):
            seen = value[block.targets]
            finite = seen != NOT_FINITE
            key = (block.spread(block.rows) * self.width + seen)[finite]
            order = np.argsort(key, kind="stable")
            key, c = key[order], counter[block.targets][finite][order]
            if key.size:
                first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
                keys.append(key[first])
                leasts.append(np.minimum.reduceat(c, first))
        self.key, self.least = np.concatenate(keys), np.concatenate(leasts)
        self.row = self.key // self.width
        self.indptr = np.zeros(graph.n + 1, np.int64)
        np.cumsum(np.bincount(self.row, minlength=graph.n), out=self.indptr[1:])

    def mex(self) -> Int64Array:
        """The mex of every set: the number of entries that equal their index in the sorted set."""
        place = np.arange(self.key.size) - self.indptr[self.row]
        full = self.key - self.row * self.width == place
        return np.bincount(self.row[full], minlength=self.indptr.size - 1)

    def find(self, position: AnyArray, value: AnyArray) -> tuple[BoolArray, AnyArray]:
        """Whether the sets contain the values, and the counters of these values."""
        if not self.key.size:
            return np.zeros(position.size, bool), np.zeros(position.size, np.int32)
        key = position.astype(np.int64) * self.width + value
        at = np.minimum(np.searchsorted(self.key, key), self.key.size - 1)
        return (self.key[at] == key) & (value < self.width), self.least[at]


def check_grundy(solved: "Grundy") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless all values are right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> s = zm.grundy(zm.Graph.from_edges([("a", "b"), ("b", "c")]))
    >>> check_grundy(s)
    >>> check_grundy(dataclasses.replace(s, value=np.array([1, 1, 0], np.int32)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a': expected the least value that no option has, ...
    """
    graph, value, counter = solved.graph, solved.value, solved.counter
    if graph.owner is not None:
        raise CertificateError("graph: expected one without owners")
    check_array("value", value, (graph.n,), np.int32)
    check_array("counter", counter, (graph.n,), np.int32)
    degree = np.diff(graph.indptr)
    wrong = (value < NOT_FINITE) | (value > degree)
    refuse(graph, wrong, None, "a value from 0 to the number of moves, or none", "another")
    infinite = value == NOT_FINITE
    wrong = np.where(infinite, counter != NOT_FINITE, (counter < 0) | (counter >= graph.n))
    refuse(graph, wrong, None, "a counter, and -1 for an infinite value", "another")
    shown = _Shown(graph, value, counter)
    mex = shown.mex()
    wrong = ~infinite & (value != mex)
    refuse(graph, wrong, None, "the least value that no option has", "another value")
    _check_sets(solved, infinite, shown)
    if solved.acyclic:
        refuse(graph, infinite, None, "a finite value, because the graph is acyclic", "infinity")
        _check_heights(graph, counter)
    else:
        _check_counters(graph, value, counter, shown)
        _check_maximal(graph, infinite, mex, shown)


def _check_sets(solved: "Grundy", infinite: BoolArray, shown: _Shown) -> None:
    """Infinite values have the claimed sets K; the sets of all other values are empty."""
    size = np.where(infinite, np.diff(shown.indptr), 0)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    check_array("options_indptr", solved.options_indptr, indptr.shape, np.int64)
    check_array("options", solved.options, (int(indptr[-1]),), np.int32)
    wrong = solved.options_indptr[1:] != indptr[1:]
    refuse(solved.graph, wrong, None, "K to have the finite values of its options", "another size")
    if solved.options_indptr[0]:
        raise CertificateError("options_indptr: expected 0 as first entry")
    mine = infinite[shown.row]
    wrong = (shown.key % shown.width)[mine] != solved.options
    rows = shown.row[mine]
    refuse(solved.graph, wrong, rows, "K to have the finite values of its options", "another set")


def _check_heights(graph: "Graph", counter: AnyArray) -> None:
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, ends & (counter != 0), None, "height 0, because play ends there", "another")
    for rows, starts, _, targets in row_blocks(graph):
        height = np.maximum.reduceat(counter[targets], starts) + 1
        refuse(graph, counter[rows] != height, rows, "1 + the greatest height after it", "another")


def _check_counters(graph: "Graph", value: AnyArray, counter: AnyArray, shown: _Shown) -> None:
    """Condition B."""
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, ends & (counter != 0), None, "counter 0, because play ends there", "another")
    for block in row_blocks(graph):
        rows, targets = block.rows, block.targets
        mine, seen = block.spread(value[rows]), value[targets]
        up = (mine != NOT_FINITE) & ((seen > mine) | (seen == NOT_FINITE))
        moves = np.flatnonzero(up)
        answered, least = shown.find(targets[moves], mine[moves])
        sources = block.spread(rows)[moves]
        expected = "an answer to every move up"
        refuse(graph, ~answered, sources, expected, "a value without an answer")
        cost = np.zeros(targets.size, np.int32)
        cost[moves] = least + 1
        wanted = np.maximum.reduceat(cost, block.starts)
        wrong = (value[rows] != NOT_FINITE) & (counter[rows] != wanted)
        refuse(graph, wrong, rows, "the counter that the answers take", "another counter")


def _check_maximal(graph: "Graph", infinite: BoolArray, mex: AnyArray, shown: _Shown) -> None:
    """Condition C."""
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, infinite & ends, None, "0, because play ends there", "infinity")
    for block in row_blocks(graph):
        rows, targets = block.rows, block.targets
        moves = np.flatnonzero(block.spread(infinite[rows]) & infinite[targets])
        open_ = np.zeros(targets.size, bool)
        wanted = block.spread(mex[rows])[moves]
        open_[moves] = ~shown.find(targets[moves], wanted)[0]
        wrong = infinite[rows] & ~np.logical_or.reduceat(open_, block.starts)
        expected = "a finite value, because every move up has an answer"
        refuse(graph, wrong, rows, expected, "infinity")
