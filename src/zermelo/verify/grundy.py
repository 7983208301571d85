"""The checker of Sprague–Grundy values: NumPy, nothing shared with the algorithms.

Write γ(u) for the claimed value of position ``u``, K(u) for the finite values among its options,
μ(u) = mex K(u), and c(u) for the claimed counter. All sets K are made anew from γ. Linear time but
for the sorting of rows and look-ups in them.

*Acyclic graphs.* All values are finite, γ(u) = μ(u), and c(u) is the height: 1 + the greatest c
over the moves, 0 without a move. The latter has no solution where there is a cycle and one where
there is none; with it the former determines γ by induction.

*All graphs.* Say that a move u → v *goes up* if γ(u) is finite and γ(v) > γ(u) or infinite.

A. If γ(u) is finite, γ(u) = μ(u).
B. If u → v goes up, some move v → w has γ(w) = γ(u), and c(u) is 1 + the maximum over such v of
   the minimum of c(w) over such w; 0 if no move goes up.
C. If γ(u) is infinite, some move u → v has γ(v) infinite and μ(u) not in K(v).

C says that no position without a label could be given one, so the labelling is a maximal one.

**The conditions are sufficient** ([FraenkelYesha1986]). Values are defined by outcomes: we show
that ``u`` with a heap of ``n`` loses for the player to move if n = γ(u), wins if n ≠ γ(u) is finite
or n is in K(u), and is drawn if γ(u) is infinite and n not in K(u); this determines γ and K.

- *n = γ(u).* The other player always comes back to such a pair: a smaller heap k is answered by a
  move to a value k (A), a move to a smaller value by making the heap equal, a move up by B. Heap
  and counter together fall lexicographically, so play ends, and not with the other player stuck.
- *The wins* are one move from such a pair: by A, by the heap, or by K.
- *γ(u) infinite, n not in K(u).* No move leads to a pair as in the first case. One leads to
  another pair of this kind: to the heap μ(u) if n > μ(u), by C if n = μ(u), and n < μ(u) is
  impossible. So neither player ever has to leave the draw, and neither can win.

**Counters are unique, too.** Let c ≠ c' both satisfy B; of the positions where they differ take u
with the least min(c(u), c'(u)), say c(u) < c'(u). For every move up, an answer w that attains the
minimum has c(w) < c(u), so c'(w) = c(w); hence c'(u) ≤ c(u). A wrong entry anywhere is found.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.verify.kernel import check_array, refuse
from zermelo.verify.terminal import _blocks

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.sums.grundy import Grundy

NOT_FINITE = -1


class _Shown:
    """For every position the finite values of its options and their least counters.

    ``key`` has ``position · width + value``, increasing; ``least`` the counters.
    """

    def __init__(self, graph: "Graph", value: AnyArray, counter: AnyArray) -> None:
        self.width = int(value.max(initial=0)) + 1
        keys, leasts = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
        for block in _blocks(graph):
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
        """The mex of every set: how many of its entries are where they would be without gaps."""
        place = np.arange(self.key.size) - self.indptr[self.row]
        full = self.key - self.row * self.width == place
        return np.bincount(self.row[full], minlength=self.indptr.size - 1)

    def find(self, position: AnyArray, value: AnyArray) -> tuple[BoolArray, AnyArray]:
        """Whether sets have values, and the counters there."""
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
        refuse(graph, infinite, None, "a finite value, as the graph is acyclic", "infinity")
        _check_heights(graph, counter)
    else:
        _check_counters(graph, value, counter, shown)
        _check_maximal(graph, infinite, mex, shown)


def _check_sets(solved: "Grundy", infinite: BoolArray, shown: _Shown) -> None:
    """The sets K as claimed are those of the infinite values, the others are empty."""
    size = np.where(infinite, np.diff(shown.indptr), 0)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
    check_array("options_indptr", solved.options_indptr, indptr.shape, np.int64)
    check_array("options", solved.options, (int(indptr[-1]),), np.int32)
    wrong = solved.options_indptr[1:] != indptr[1:]
    refuse(solved.graph, wrong, None, "K to have the finite values of its options", "another size")
    if solved.options_indptr[0]:
        raise CertificateError("options_indptr: expected 0 at first")
    mine = infinite[shown.row]
    wrong = (shown.key % shown.width)[mine] != solved.options
    rows = shown.row[mine]
    refuse(solved.graph, wrong, rows, "K to have the finite values of its options", "another set")


def _check_heights(graph: "Graph", counter: AnyArray) -> None:
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, ends & (counter != 0), None, "height 0, as play ends there", "another")
    for rows, starts, _, targets in _blocks(graph):
        height = np.maximum.reduceat(counter[targets], starts) + 1
        refuse(graph, counter[rows] != height, rows, "1 + the greatest height after it", "another")


def _check_counters(graph: "Graph", value: AnyArray, counter: AnyArray, shown: _Shown) -> None:
    """Condition B."""
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, ends & (counter != 0), None, "counter 0, as play ends there", "another")
    for block in _blocks(graph):
        rows, targets = block.rows, block.targets
        mine, seen = block.spread(value[rows]), value[targets]
        up = (mine != NOT_FINITE) & ((seen > mine) | (seen == NOT_FINITE))
        moves = np.flatnonzero(up)
        found, least = shown.find(targets[moves], mine[moves])
        sources = block.spread(rows)[moves]
        refuse(graph, ~found, sources, "an answer to every move up", "a value without")
        cost = np.zeros(targets.size, np.int32)
        cost[moves] = least + 1
        wanted = np.maximum.reduceat(cost, block.starts)
        wrong = (value[rows] != NOT_FINITE) & (counter[rows] != wanted)
        refuse(graph, wrong, rows, "the counter that the answers take", "another counter")


def _check_maximal(graph: "Graph", infinite: BoolArray, mex: AnyArray, shown: _Shown) -> None:
    """Condition C."""
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, infinite & ends, None, "0, as play ends there", "infinity")
    for block in _blocks(graph):
        rows, targets = block.rows, block.targets
        moves = np.flatnonzero(block.spread(infinite[rows]) & infinite[targets])
        open_ = np.zeros(targets.size, bool)
        wanted = block.spread(mex[rows])[moves]
        open_[moves] = ~shown.find(targets[moves], wanted)[0]
        wrong = infinite[rows] & ~np.logical_or.reduceat(open_, block.starts)
        refuse(graph, wrong, rows, "a finite value, as every move up has an answer", "infinity")
