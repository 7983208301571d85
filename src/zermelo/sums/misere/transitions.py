"""An exact test whether a bipartite monoid determines the outcomes of all sums of some heaps.

Let Φ map positions, sums of heaps, into a finite commutative monoid Q with a subset P. It
determines the misère outcomes iff 1 is not in P and, for every position G with a move, Φ(G) is in P
exactly if Φ(G') is in P for no option G'. There are infinitely many G, but only two things matter
of each: x = Φ(G), and the *contexts* A(G) = {z ∈ Q : zΦ(G') ∈ P for some option G'} in which some
move in G wins. Sums are computed by A(G + H) = {z : zΦ(H) ∈ A(G)} ∪ {z : zΦ(G) ∈ A(H)}. Then the
test has two parts:

1. No move leads from P to P: A(h) contains no z with zΦ(h) ∈ P, for every heap h (and so for every
   sum).
2. From every other position with a move, some move leads to P: no sum G of heaps that have moves
   has Φ(G) ∉ P and 1 ∉ A(G). A pair (x, A) with x ∉ P and 1 ∉ A *fails*.

For part 2, if A ⊂ B and a sum with (x, B) fails, the same sum with (x, A) fails, too. So only
minimal pairs are kept. If A contains all of {z : xz ∉ P}, then (x, A) never fails, and neither does
any sum with it, so it is dropped. Few pairs remain.

Reference: [PlambeckSiegel2008] (the transition algebra, whose pairs are (Φ(G), {Φ(G')})). Differs
from the paper: pairs are made of contexts and kept only while they may fail.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from zermelo.errors import SolverError
from zermelo.labels import BoolArray, Int64Array

MOST_PAIRS = 200_000
"""After this many pairs the test is given up."""


class Pair(NamedTuple):
    """What the test needs to know of a position, and an example of one, as exponents (or empty)."""

    x: int
    contexts: BoolArray
    example: tuple[int, ...]


class Transitions:
    """The pairs of all sums of the heaps added so far that have not failed."""

    def __init__(self, product: Int64Array, losing: BoolArray) -> None:
        self.product, self.losing = product, losing
        self.wanted: BoolArray = ~losing[product]
        """``wanted[x, z]``: xz is not in P, so that there must be a winning move."""
        self._heaps: list[Pair] = []
        self._kept: dict[int, list[tuple[int, Pair]]] = {}
        self._count = 0

    def copy(self) -> "Transitions":
        """An independent copy, to which a heap can be added for a trial."""
        other = Transitions.__new__(Transitions)
        other.product, other.losing, other.wanted = self.product, self.losing, self.wanted
        other._heaps, other._count = list(self._heaps), self._count
        other._kept = {x: list(pairs) for x, pairs in self._kept.items()}
        return other

    def contexts(self, options: Iterable[int]) -> BoolArray:
        """The contexts in which a move to one of these elements wins."""
        winning = np.zeros(len(self.losing), bool)
        for y in options:
            winning |= self.losing[self.product[y]]
        return winning

    def clash(self, x: int, contexts: BoolArray) -> int | None:
        """A context in which a move leads from P to P, or None."""
        clashes = np.flatnonzero(contexts & ~self.wanted[x])
        return int(clashes[0]) if clashes.size else None

    def harmless(self, x: int, contexts: BoolArray) -> bool:
        """Whether a pair cannot fail, or fails only where a kept pair fails, too.

        It cannot fail if in all contexts that need a winning move there is one.
        """
        return bool((contexts >= self.wanted[x]).all()) or self._dominated(x, _bits(contexts))

    def add(self, heap: Pair) -> Pair | None:
        """Add a heap without a clash, and all sums with it; return the pair that fails, or None."""
        if self.harmless(heap.x, heap.contexts):
            return None
        waiting = [heap, *(self._sum(pair, heap) for row in self._kept.values() for _, pair in row)]
        self._heaps.append(heap)
        # Invariant: the pair of every sum is kept, harmless, or a waiting pair plus further heaps.
        while waiting:
            pair = waiting.pop()
            x, contexts, _ = pair
            if self.harmless(x, contexts):
                continue
            if not self.losing[x] and not contexts[0]:
                return pair
            bits = _bits(contexts)
            row = self._kept.setdefault(x, [])
            row[:] = [entry for entry in row if bits & ~entry[0]]
            row.append((bits, pair))
            self._count += 1
            if self._count > MOST_PAIRS:
                raise SolverError(
                    f"no finite misère quotient found: more than {MOST_PAIRS} pairs to check"
                )
            waiting += [self._sum(pair, other) for other in self._heaps]
        return None

    def _dominated(self, x: int, bits: int) -> bool:
        return any(not kept & ~bits for kept, _ in self._kept.get(x, ()))

    def _sum(self, a: Pair, b: Pair) -> Pair:
        contexts = a.contexts[self.product[b.x]] | b.contexts[self.product[a.x]]
        example = tuple(map(int.__add__, a.example, b.example))
        return Pair(int(self.product[a.x, b.x]), contexts, example)


def _bits(contexts: BoolArray) -> int:
    """A set as a number, for fast comparison."""
    return int.from_bytes(np.packbits(contexts, bitorder="little").tobytes(), "little")
