"""The Zielonka tree of a Muller condition, and the least parity automaton for it.

The root is the set of all colours; the children of a set X are the maximal subsets of X that are
won by the other player. So the winners alternate from level to level, and the tree shows the
structure of a condition: it is a chain for a parity condition, accepting sets with at most one
child for a Rabin condition, rejecting sets with at most one child for a Streett condition.

**Order.** The children of a node are ordered by decreasing size, and sets of the same size by
increasing colours. Nodes are numbered in preorder, leaves from left to right; play starts in leaf
0.

**The automaton** ([CasaresEtAl2021]) has the leaves as states. In leaf l, reading a set of colours
c, let X be the deepest set on the branch of l with c ⊆ X. The priority is X's, higher nearer to
the root and even iff X is accepting. If X = l, the automaton stays; else let Y be X's child on the
branch: the next state is the leftmost leaf below the next child of X after Y, cyclically. Let X be
the highest set that occurs infinitely often. Then the colours that are read infinitely often lie in
X. They do not all lie in one child of X, because the automaton would come to this child and would
not leave it any more. So the winner of X wins.

**Memory** ([DziembowskiEtAl1997]). A leaf counts 1. A set that the player wins counts the sum over
its children, and any other set counts the maximum over its children. The number of the root is the
memory that a winning strategy of that player needs in the worst case.
:meth:`ZielonkaTree.memory` computes it.
"""

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import Checked, claim_array, one_of
from zermelo.errors import CertificateError, InvalidOptionError, MemoryLimitError
from zermelo.labels import BoolArray, Int32Array, Int64Array, read_only
from zermelo.objectives.acceptance import Formula, signal_name
from zermelo.objectives.muller import Muller, Signals, colour_set

MAX_COLOURS = 20
"""The greatest number of colours: there is a table of the condition for all sets of colours."""

MAX_LEAVES = 1 << 16
MAX_SETS = 1 << 14
"""Different sets of colours that occur in one tree."""


@dataclass(frozen=True, eq=False)
class ParityAutomaton:
    """A deterministic parity automaton over sets of colours, complete; it starts in state 0.

    In state q, reading ``letters[a]``, it goes to ``after[q, a]`` with ``priority[q, a]``; it
    accepts iff the highest priority that it sees infinitely often is even.
    """

    letters: Int64Array
    after: Int32Array
    priority: Int32Array

    def __len__(self) -> int:
        return int(self.after.shape[0])


@dataclass(frozen=True, eq=False)
class ZielonkaTree(Checked):
    """The Zielonka tree; arrays have an entry for each node, in preorder.

    >>> print(zielonka_tree("Inf(0) & Inf(1)"))
    {0, 1} accepting
      {0} rejecting
      {1} rejecting
    """

    signal: tuple[int, ...]
    """The meaning of the bits of a label: colour i, or ~i for "a position without colour i"."""
    letters: Int64Array
    """The sets of signals of single positions, as bit sets over ``signal``, increasing."""
    label: Int64Array
    parent: Int32Array
    depth: Int32Array
    accepting: BoolArray
    first_leaf: Int32Array
    """The number, among the leaves, of the leftmost leaf below."""
    next_sibling: Int32Array
    """The next child of the same parent, and the first one after the last; the root has itself."""
    leaf: Int32Array
    """The leaves, from left to right."""

    def __post_init__(self) -> None:
        nodes = self.label.size if isinstance(self.label, np.ndarray) else 0
        leaves = self.leaf.size if isinstance(self.leaf, np.ndarray) else 0
        count = self.letters.size if isinstance(self.letters, np.ndarray) else 0
        signals = isinstance(self.signal, tuple) and all(type(x) is int for x in self.signal)
        if not signals or not nodes or not leaves:
            raise CertificateError("expected a tree with a root and leaves")
        everything, last = 2**63 - 1, nodes - 1
        for name, size, kind, high in (
            ("letters", count, np.int64, everything), ("label", nodes, np.int64, everything),
            ("parent", nodes, np.int32, last), ("depth", nodes, np.int32, last),
            ("first_leaf", nodes, np.int32, leaves - 1), ("next_sibling", nodes, np.int32, last),
            ("leaf", leaves, np.int32, last), ("accepting", nodes, np.bool_, 1),
        ):  # fmt: skip
            claim_array(self, name, (size,), kind, -1 if name == "parent" else 0, high)

    def __len__(self) -> int:
        """The number of nodes."""
        return self.label.size

    @property
    def height(self) -> int:
        """The greatest depth of a node; the root has depth 0."""
        return int(self.depth.max())

    @functools.cached_property
    def priority(self) -> Int32Array:
        """The priority of each node: higher nearer to the root, even iff accepting."""
        top = self.height
        top += (top + (not self.accepting[0])) % 2
        return read_only(top - self.depth)

    def memory(self, player: int) -> int:
        """The memory that a player's winning strategies need in the worst case.

        >>> tree = zielonka_tree("Inf(0) & Inf(1) & Inf(2)")
        >>> tree.memory(0), tree.memory(1)
        (3, 1)
        """
        one_of(player, "player", (0, 1), InvalidOptionError)
        need = np.zeros(len(self), np.int64)
        need[self.leaf] = 1
        for x in range(len(self) - 1, 0, -1):
            p = self.parent[x]
            both = need[p] + need[x] if self.accepting[p] == (player == 0) else 0
            need[p] = max(both, need[p], need[x])
        return int(need[0])

    def to_parity_automaton(self) -> ParityAutomaton:
        """The automaton of the module's docstring.

        >>> automaton = zielonka_tree("Inf(0) & Inf(1)").to_parity_automaton()
        >>> automaton.after.tolist(), automaton.priority.tolist()
        ([[0, 1], [0, 1]], [[1, 2], [2, 1]])
        """
        read = self.letters
        levels = [np.flatnonzero(self.depth == d) for d in range(1, self.height + 1)]
        after = np.empty((self.leaf.size, read.size), np.int32)
        priority = np.empty_like(after)
        around = self.first_leaf[self.next_sibling]
        for a, c in enumerate(read.tolist()):
            inside = (c & ~self.label) == 0
            deepest = np.arange(len(self), dtype=np.int32)
            target = self.first_leaf.copy()
            for rows in levels:  # top down
                out = rows[~inside[rows]]
                p = self.parent[out]
                deepest[out] = deepest[p]
                target[out] = np.where(inside[p], around[out], target[p])
            after[:, a] = target[self.leaf]
            priority[:, a] = self.priority[deepest[self.leaf]]
        return ParityAutomaton(read, read_only(after), read_only(priority))

    def __str__(self) -> str:
        lines = []
        for x in range(len(self)):
            named = [signal_name(s) for j, s in enumerate(self.signal) if self.label[x] >> j & 1]
            status = "accepting" if self.accepting[x] else "rejecting"
            lines.append(f"{'  ' * self.depth[x]}{{{', '.join(named)}}} {status}")
        return "\n".join(lines)


def zielonka_tree(
    acceptance: str | Iterable[Iterable[int]], colours: Iterable[int] | None = None
) -> ZielonkaTree:
    """The tree of an acceptance condition over ``colours``, by default those that it names.

    Every position is taken to have one colour.

    >>> print(zielonka_tree([{0}, {0, 1, 2}]))
    {0, 1, 2} accepting
      {0, 1} rejecting
        {0} accepting
      {0, 2} rejecting
        {0} accepting
      {1, 2} rejecting
    """
    condition = Muller([], acceptance).condition
    used = condition.signals if isinstance(condition, Formula) else set[int]().union(*condition)
    known = {max(x, ~x) for x in used} if colours is None else colour_set(colours, "colours")
    signal = (*sorted(x for x in used if x < 0), *sorted(known))
    letters = [
        sum(1 << j for j, x in enumerate(signal) if (x == c if x >= 0 else ~x != c)) for c in known
    ]
    return build_tree(Signals(signal, np.array(letters, np.int64), condition))


def build_tree(signals: Signals) -> ZielonkaTree:
    """The tree over the sets of signals that can be seen infinitely often in a game.

    These are the unions of the sets of single positions; only such sets occur in the tree.
    """
    k = len(signals.signal)
    if k > MAX_COLOURS:
        raise MemoryLimitError(
            f"the Zielonka tree: expected at most {MAX_COLOURS} colours, got {k}, "
            f"which have 2^{k} sets"
        )
    letters = np.unique(signals.mask)
    union = np.zeros(1 << k, np.int64)
    union[letters] = letters
    for j in range(k):  # then union[x] is the union of all letters within x
        halves = union.reshape(-1, 2, 1 << j)
        halves[:, 1] |= halves[:, 0]
    sets = np.arange(1 << k)
    seen = union == sets
    seen[0] = letters.size == 0 or letters[0] == 0
    return _grow(signals.signal, letters, np.array(signals.wins(sets)), seen, int(union[-1]))


def _spread(bits: list[int]) -> Int64Array:
    """All sets of these bits, in the order of the compressed sets."""
    sets = np.zeros(1, np.int64)
    for j in bits:
        sets = np.concatenate([sets, sets | (1 << j)])
    return sets


def _grow(
    signal: tuple[int, ...], letters: Int64Array, table: BoolArray, seen: BoolArray, full: int
) -> ZielonkaTree:
    below: dict[int, list[int]] = {}
    stack = [full]
    while stack:
        x = stack.pop()
        if x not in below:
            below[x] = _maximal(table, seen, x)
            stack.extend(below[x])
        if len(below) > MAX_SETS:
            raise MemoryLimitError(
                f"the Zielonka tree: expected at most {MAX_SETS:,} different sets, got more; "
                f"the condition over {len(signal)} colours is too complicated"
            )
    leaves: dict[int, int] = {}
    for x in sorted(below, key=int.bit_count):
        leaves[x] = sum(leaves[y] for y in below[x]) or 1
    if leaves[full] > MAX_LEAVES:
        raise MemoryLimitError(
            f"the Zielonka tree: expected at most {MAX_LEAVES:,} leaves, got {leaves[full]:,}; "
            f"the condition over {len(signal)} colours is too complicated"
        )
    label: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    waiting = [(full, 0, 0)]
    while waiting:
        x, p, d = waiting.pop()
        waiting += [(y, len(label), d + 1) for y in reversed(below[x])]
        label.append(x)
        parent.append(p)
        depth.append(d)
    size = len(label)
    inner = np.zeros(size, bool)
    inner[parent[1:]] = True
    following = np.arange(size)
    last: dict[int, int] = {}
    for x in range(1, size):
        p = parent[x]
        if p in last:
            following[x], following[last[p]] = following[last[p]], x
        last[p] = x
    return ZielonkaTree(
        signal,
        letters,
        np.array(label, np.int64),
        np.array(parent, np.int32),
        np.array(depth, np.int32),
        table[label],
        (np.cumsum(~inner) - ~inner).astype(np.int32),
        following.astype(np.int32),
        np.flatnonzero(~inner).astype(np.int32),
    )


def _maximal(table: BoolArray, seen: BoolArray, x: int) -> list[int]:
    """The maximal subsets of x that the other player wins, in the order of the tree."""
    bits = [j for j in range(x.bit_length()) if x >> j & 1]
    sets = _spread(bits)
    other = seen[sets] & (table[sets] != table[x])
    # ``covered``: whether a set has a proper superset in ``other``; one bit is added at a time.
    reached, covered = other.copy(), np.zeros(len(sets), bool)
    for j in range(len(bits)):
        up = reached.reshape(-1, 2, 1 << j)
        covered.reshape(-1, 2, 1 << j)[:, 0] |= up[:, 1]
        up[:, 0] |= up[:, 1]
    maximal = sets[other & ~covered].tolist()
    return sorted(maximal, key=lambda y: (-y.bit_count(), [j for j in bits if y >> j & 1]))
