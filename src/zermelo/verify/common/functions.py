"""Boolean functions for the checker of circuits, which shares none with what builds machines.

A function is a number. Apart from the two constants it consists of three numbers: the first
variable on which it depends, the function that is left if that variable is false, and the one that
is left if it is true [Bryant1986]. Every function is stored once, so equal functions have equal
numbers.
"""

from collections.abc import Mapping, Sequence

FALSE, TRUE = 0, 1
"""The constant functions."""

NO_VARIABLE = 1 << 30
"""In place of the first variable of a constant: after all others."""

MAX_FUNCTIONS = 1 << 22
"""The most functions that are stored."""


class Functions:
    """A collection of Boolean functions of the variables 0, 1, ….

    >>> all_ = Functions()
    >>> x, y = all_.variable(0), all_.variable(1)
    >>> all_.both(x, y) == all_.both(y, x), all_.both(x, all_.negated(x)) == FALSE
    (True, True)
    """

    def __init__(self) -> None:
        self._parts = [(NO_VARIABLE, FALSE, FALSE), (NO_VARIABLE, TRUE, TRUE)]
        self._number: dict[tuple[int, int, int], int] = {}
        self._negated = {FALSE: TRUE, TRUE: FALSE}
        self._both: dict[tuple[int, int], int] = {}

    def _of(self, variable: int, low: int, high: int) -> int:
        """The function that is ``low`` if a variable is false, and ``high`` if it is true."""
        if low == high:
            return low
        parts = variable, low, high
        number = self._number.get(parts)
        if number is None:
            number = len(self._parts)
            if number >= MAX_FUNCTIONS:
                raise OverflowError
            self._number[parts] = number
            self._parts.append(parts)
        return number

    def variable(self, k: int) -> int:
        """The function that is true exactly if a variable is."""
        return self._of(k, FALSE, TRUE)

    def first(self, f: int) -> int:
        """The first variable on which a function depends; ``NO_VARIABLE`` for a constant."""
        return self._parts[f][0]

    def halves(self, f: int, k: int) -> tuple[int, int]:
        """What is left of a function if a variable is false, and if it is true.

        The function must not depend on an earlier variable.
        """
        first, low, high = self._parts[f]
        return (low, high) if first == k else (f, f)

    def negated(self, f: int) -> int:
        """The negation."""
        known = self._negated.get(f)
        if known is None:
            first, low, high = self._parts[f]
            known = self._of(first, self.negated(low), self.negated(high))
            self._negated[f] = known
        return known

    def both(self, f: int, g: int) -> int:
        """The conjunction."""
        if f > g:
            f, g = g, f
        if f in (FALSE, g):
            return f
        if f == TRUE:
            return g
        known = self._both.get((f, g))
        if known is None:
            k = min(self.first(f), self.first(g))
            (f0, f1), (g0, g1) = self.halves(f, k), self.halves(g, k)
            known = self._of(k, self.both(f0, g0), self.both(f1, g1))
            self._both[f, g] = known
        return known

    def either(self, f: int, g: int) -> int:
        """The disjunction."""
        return self.negated(self.both(self.negated(f), self.negated(g)))

    def formula(self, postfix: Sequence[int | str], given: Mapping[int, int]) -> int:
        """An expression in postfix order; ``given`` has a function for each of its propositions.

        >>> all_ = Functions()
        >>> x = all_.variable(0)
        >>> all_.formula([7, 8, "!", "|"], {7: x, 8: x}) == TRUE
        True
        """
        stack: list[int] = []
        for item in postfix:
            if isinstance(item, int):
                stack.append(given[item])
            elif item in ("t", "f"):
                stack.append(TRUE if item == "t" else FALSE)
            elif item == "!":
                stack.append(self.negated(stack.pop()))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(self.both(left, right) if item == "&" else self.either(left, right))
        return stack.pop()

    def support(self, f: int) -> set[int]:
        """The variables on which a function depends."""
        seen, waiting = {f}, [f]
        while waiting:
            _, low, high = self._parts[waiting.pop()]
            for g in {low, high} - seen:
                seen.add(g)
                waiting.append(g)
        return {self.first(g) for g in seen} - {NO_VARIABLE}
