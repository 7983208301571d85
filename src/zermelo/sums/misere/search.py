"""The search for the misère quotient of a heap game, heap by heap.

A heap that fits an element of the quotient so far gets it (the *generalized mex rule*: there is at
most one). Otherwise the heap becomes a generator: a new candidate is made from a box of monomials
(:mod:`zermelo.sums.misere.box`) and put to the exact test (:mod:`zermelo.sums.misere.transitions`).
Where it fails, either some exponent has overflowed the box, which is then enlarged; or a smaller
heap no longer behaves as its monomial in the generators, and gets another monomial or becomes a
generator itself. Only a candidate that has passed the test is returned, so the result is exact.
There is no bound for the time of the search, as a quotient may be infinite.

Reference: [PlambeckSiegel2008]. Differs from the paper: candidates are boxes of monomials and are
not read from a Gröbner basis; for some k, x^(k + 2) = x^k is assumed, as holds in all known finite
quotients.
"""

from collections.abc import Iterable, Sequence

from zermelo.sums.misere.box import Box, Monomial
from zermelo.sums.misere.transitions import Pair, Transitions

Options = Sequence[Sequence[int]]
"""The options of a heap, each the heaps that it leaves."""


class Search:
    """The quotient of the heaps up to ``done``, of order ``settled``.

    The quotient is ``box``, and Φ maps each heap to one of ``monomials``.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.done = -1
        self.settled = 1
        self.monomials: dict[int, Monomial] = {}
        self._options: dict[int, Options] = {}
        self._size: dict[int, int] = {}  # exponents of each generator in the box
        self.box, self._transitions = self._candidate()

    def add(self, heap: int, options: Options) -> None:
        """Add the next heap to the game."""
        self._options[heap] = options
        x = 0 if not options else self._fitting(heap, range(self.box.order))
        if x is not None:
            self.monomials[heap] = self.box.monomial(x)
        else:
            self._generate(heap)
            self._settle(heap)
        self.done, self.settled = heap, self.box.order

    def phi(self) -> list[int]:
        """The element of every heap."""
        return [self.box.element(self.monomials[heap]) for heap in range(self.done + 1)]

    def _generate(self, heap: int) -> None:
        self.monomials[heap] = {heap: 1}
        self._size[heap] = 2

    def _moves(self, heap: int) -> list[Monomial]:
        """The options of a heap as monomials."""
        return [_total(self.monomials[part] for part in option) for option in self._options[heap]]

    def _pair(self, heap: int, x: int, example: tuple[int, ...] = ()) -> Pair:
        moves = {self.box.element(monomial) for monomial in self._moves(heap)}
        return Pair(x, self._transitions.contexts(moves), example)

    def _fitting(self, heap: int, elements: Iterable[int]) -> int | None:
        """The element that a heap behaves like, added to the transitions, or None."""
        contexts = self._pair(heap, 0).contexts
        for x in elements:
            if self._transitions.clash(x, contexts) is not None:
                continue
            if self._transitions.harmless(x, contexts):
                return x
            trial = self._transitions.copy()
            if trial.add(Pair(x, contexts, ())) is None:
                self._transitions = trial
                return x
        return None

    def _candidate(self) -> tuple[Box, Transitions]:
        """A monoid that determines the outcomes of all sums of generators."""
        generators = sorted(self._size)
        moves = {g: self._moves(g) for g in generators}
        while True:
            self.box = Box(generators, self._size, moves, self.limit)
            self._transitions = Transitions(self.box.product, self.box.losing)
            failure = self._failure(generators)
            if failure is None:
                return self.box, self._transitions
            self._size[max(self.box.overflow(failure))] += 1

    def _failure(self, generators: Sequence[int]) -> tuple[int, ...] | None:
        """A sum of generators at which the candidate contradicts itself, or None."""
        for i, g in enumerate(generators):
            unit = tuple(int(g == h) for h in generators)
            pair = self._pair(g, self.box.element({g: 1}), unit)
            z = self._transitions.clash(pair.x, pair.contexts)
            if z is not None:
                return tuple(e + (i == j) for j, e in enumerate(self.box.least[z]))
            failed = self._transitions.add(pair)
            if failed is not None:
                return failed.example
        return None

    def _settle(self, last: int) -> None:
        """Find generators, and monomials for the other heaps, that are right up to ``last``."""
        moved: set[int] = set()  # a heap gets another monomial at most once, so the loop ends
        while True:
            self._candidate()
            heap = self._misfit(last)
            if heap is None:
                break
            monomials = map(self.box.monomial, range(self.box.order))
            below = [x for x, monomial in enumerate(monomials) if all(g < heap for g in monomial)]
            x = None if heap in moved else self._fitting(heap, below)
            if x is None:
                self._generate(heap)
            else:
                self.monomials[heap] = self.box.monomial(x)
                moved.add(heap)
        self._tidy()

    def _misfit(self, last: int) -> int | None:
        """The least heap that does not behave like its monomial, or None."""
        for heap in range(last + 1):
            if heap in self._size or not self._options[heap]:
                continue
            if self._fitting(heap, [self.box.element(self.monomials[heap])]) is None:
                return heap
        return None

    def _tidy(self) -> None:
        """Remove generators that smaller ones generate, and exponents that equal others."""
        box = self.box
        elements = {heap: box.element(monomial) for heap, monomial in self.monomials.items()}
        self.monomials = {heap: box.monomial(x) for heap, x in elements.items()}
        self._size = {g: _size(box, g) for g in self._size if self.monomials[g] == {g: 1}}


def _size(box: Box, g: int) -> int:
    """The least number of exponents of a generator that are needed."""
    x = box.element({g: 1})
    powers = [0, x, int(box.product[x, x])]
    while powers[-1] != powers[-3]:
        powers.append(int(box.product[powers[-1], x]))
    return len(powers) - 1


def _total(monomials: Iterable[Monomial]) -> Monomial:
    total: Monomial = {}
    for monomial in monomials:
        for g, e in monomial.items():
            total[g] = total.get(g, 0) + e
    return total
