"""A candidate for a misère quotient: the reduced monoid of the outcomes in a box of exponents.

Positions are monomials in a few heaps, the *generators*. Pretend that ``g^size = g^(size - 2)`` for
each generator ``g``: then finitely many monomials, a box, stand for all. Ordered lexicographically
with the largest heap first, every move goes down (a heap is replaced by smaller ones, and folding
exponents back into the box only lowers them), so one pass gives each monomial an outcome. Monomials
that no third one distinguishes are then one element. The result is a guess, which
:mod:`zermelo.sums.misere.transitions` proves or refutes.

Reference: [PlambeckSiegel2008] (reduced bipartite monoids).
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from zermelo._kernels.sums.quotient import box_outcomes
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.errors import SolverError
from zermelo.labels import BoolArray, Int8Array, Int64Array

Monomial = dict[int, int]
"""A monomial: exponents by heap."""

LARGEST_BOX = 1 << 23
"""The greatest number of monomials in a box."""

BYTES = 50
"""Bytes of memory for each monomial."""

MIN_STEPS_TO_COMPILE = 1 << 20
"""From this many steps on, compiling saves time."""


class Box:
    """The reduced monoid of the outcomes in a box.

    ``moves[g]`` are the options of generator ``g`` as monomials in smaller generators.

    >>> nim = Box([1, 2], {1: 2, 2: 3}, {1: [{}], 2: [{}, {1: 1}]}, 100)
    >>> nim.order, nim.least, nim.losing.tolist()[:3]
    (6, [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)], [False, True, False])
    """

    def __init__(
        self,
        generators: Sequence[int],
        size: Mapping[int, int],
        moves: Mapping[int, Sequence[Monomial]],
        limit: int,
    ) -> None:
        self.generators = list(generators)
        self._place = {g: i for i, g in enumerate(generators)}
        self.size = [size[g] for g in generators]
        self._stride = [math.prod(self.size[:i]) for i in range(len(generators))]
        self.changes = [
            sorted({self._exponents(monomial, take=g) for monomial in moves[g]}) for g in generators
        ]  # the changes of the exponents by the moves in each generator
        count = math.prod(self.size)
        if count > LARGEST_BOX:
            raise SolverError(
                f"no finite misère quotient found: {count} monomials in {len(generators)} "
                f"generators would have to be tried, at most {LARGEST_BOX} are"
            )
        memory.require(BYTES * count, f"trying {count} monomials", "ask for fewer heaps")
        self._lost = self._outcomes(count)
        self._class, first = _indistinguishable(self._lost, self._stride, self.size, limit)
        self.least = [self._digits(int(e)) for e in first]
        """The exponents of each element's lexicographically least monomial."""
        self.order = len(first)
        self.product = self._multiply()
        """``product[x, y]``."""
        self.losing: BoolArray = self._lost[first] == 1
        """Whether each element is in the P-portion."""

    def element(self, monomial: Mapping[int, int]) -> int:
        """The element of a monomial."""
        return int(self._class[self._number(self._exponents(monomial))])

    def monomial(self, x: int) -> Monomial:
        """The least monomial of an element."""
        return {g: e for g, e in zip(self.generators, self.least[x], strict=True) if e}

    def overflow(self, exponents: Sequence[int]) -> list[int]:
        """The generators whose exponent in a position, or in an option of it, leaves the box."""
        rows = [change for j, changes in enumerate(self.changes) if exponents[j]
                for change in changes] + [(0,) * len(self.size)]  # fmt: skip
        return [
            g
            for i, g in enumerate(self.generators)
            if any(exponents[i] + row[i] >= self.size[i] for row in rows)
        ]

    def _exponents(self, monomial: Mapping[int, int], take: int | None = None) -> tuple[int, ...]:
        return tuple(monomial.get(g, 0) - (g == take) for g in self.generators)

    def _digits(self, number: int) -> tuple[int, ...]:
        pairs = zip(self._stride, self.size, strict=True)
        return tuple(number // stride % size for stride, size in pairs)

    def _folded(self, i: int, exponent: int) -> int:
        over = exponent - self.size[i]
        return exponent if over < 0 else self.size[i] - 2 + over % 2

    def _number(self, exponents: Sequence[int]) -> int:
        return sum(self._folded(i, e) * self._stride[i] for i, e in enumerate(exponents))

    def _fold_table(self, width: int) -> Int64Array:
        rows = [
            [self._folded(i, d) * stride for d in range(width)]
            for i, stride in enumerate(self._stride)
        ]
        return np.array(rows, np.int64).reshape(len(self.size), width)

    def _outcomes(self, count: int) -> Int8Array:
        rows = [row for changes in self.changes for row in changes]
        width = max(self.size, default=0) + max((max(row) for row in rows), default=0) + 1
        lost = np.zeros(count, np.int8)
        is_long = count * len(rows) * len(self.size) > MIN_STEPS_TO_COMPILE and not interpreting()
        run = box_outcomes.compiled if is_long else box_outcomes
        run(
            np.array(self.size, np.int64),
            self._fold_table(width).ravel(),
            width,
            np.cumsum([0, *map(len, self.changes)]),
            np.array(rows, np.int64).ravel(),
            np.zeros(len(self.size), np.int64),
            lost,
        )
        return lost

    def _multiply(self) -> Int64Array:
        fold = self._fold_table(2 * max(self.size, default=1))
        digits = np.array(self.least, np.int64).reshape(self.order, len(self.size))
        product = np.empty((self.order, self.order), np.int64)
        for x in range(self.order):
            number = np.zeros(self.order, np.int64)
            for i in range(len(self.size)):
                number += fold[i, digits[:, i] + digits[x, i]]
            product[x] = self._class[number]
        return product


def _indistinguishable(
    lost: Int8Array, stride: Sequence[int], size: Sequence[int], limit: int
) -> tuple[Int64Array, Int64Array]:
    """The coarsest partition by outcome that all generators respect, and its first members.

    Moore's refinement; parts are numbered by their first members.
    """
    part, parts = lost.astype(np.int64), 0
    # Invariant: some product of generators distinguishes members of different parts.
    while parts != (parts := int(part.max()) + 1):
        if parts > limit:
            raise SolverError(f"no misère quotient found with at most {limit} elements")
        for up, exponents in zip(stride, size, strict=True):
            cube = part.reshape(-1, exponents, up)
            multiplied = np.concatenate([cube[:, 1:], cube[:, -2:-1]], axis=1)
            width = int(part.max()) + 1
            pair = part * width + multiplied.ravel()
            present = np.zeros(width * width, bool)
            present[pair] = True
            part = (np.cumsum(present) - 1)[pair]
    first = np.full(parts, lost.size)
    np.minimum.at(first, part, np.arange(lost.size))
    rank = np.empty(parts, np.int64)
    rank[np.argsort(first)] = np.arange(parts)
    return rank[part], np.sort(first)
