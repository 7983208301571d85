"""Decision diagrams: functions of numbered Boolean variables, each of them stored once.

A diagram is a number. Two diagrams of one collection are equal exactly if their functions are equal
[Bryant1986]. A function may have values of any kind; a formula has the values ``FALSE`` and
``TRUE``.
"""

from collections.abc import Hashable, Iterator
from typing import Any

FALSE, TRUE = 0, 1
"""The diagrams of the constants."""

CONSTANT = 1 << 30
"""In place of the variable of a constant: after all others."""


class Diagrams:
    """A collection of decision diagrams; variables are tested in the order of their numbers.

    >>> d = Diagrams()
    >>> x, y = d.node(0, FALSE, TRUE), d.node(1, FALSE, TRUE)
    >>> d.choose(x, y, FALSE) == d.choose(y, x, FALSE), d.choose(x, FALSE, x) == FALSE
    (True, True)
    """

    def __init__(self, limit: int = 1 << 22) -> None:
        self._nodes: list[tuple[int, int, int]] = [(CONSTANT, 0, 0), (CONSTANT, 1, 1)]
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._chosen: dict[tuple[int, int, int], int] = {}
        self._leaves: dict[Hashable, int] = {}
        self._values: dict[int, Any] = {}
        self._limit = limit

    def __len__(self) -> int:
        return len(self._nodes)

    def leaf(self, value: Hashable) -> int:
        """The constant function with this value, which is neither ``FALSE`` nor ``TRUE``."""
        number = self._leaves.get(value)
        if number is None:
            number = self._leaves[value] = len(self._nodes)
            self._nodes.append((CONSTANT, number, number))
            self._values[number] = value
        return number

    def value(self, f: int) -> Any:
        """The value of a constant that :meth:`leaf` made."""
        return self._values[f]

    def node(self, variable: int, low: int, high: int) -> int:
        """The function that is ``low`` if a variable is false, and ``high`` if it is true.

        Their variables come after this one. More nodes than the limit raise OverflowError.
        """
        if low == high:
            return low
        key = variable, low, high
        number = self._numbers.get(key)
        if number is None:
            if len(self._nodes) >= self._limit:
                raise OverflowError
            number = self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return number

    def variable(self, f: int) -> int:
        """The first variable of a function; ``CONSTANT`` if there is none."""
        return self._nodes[f][0]

    def halves(self, f: int, variable: int) -> tuple[int, int]:
        """A function with a variable, not after its first, false and true."""
        first, low, high = self._nodes[f]
        return (low, high) if first == variable else (f, f)

    def choose(self, f: int, g: int, h: int) -> int:
        """The function "if f then g else h"; f is a formula."""
        if f <= TRUE:
            return g if f == TRUE else h
        if g == h:
            return g
        if g == TRUE and h == FALSE:
            return f
        key = f, g, h
        known = self._chosen.get(key)
        if known is not None:
            return known
        nodes = self._nodes
        first = min(nodes[f][0], nodes[g][0], nodes[h][0])
        (f0, f1), (g0, g1), (h0, h1) = (self.halves(x, first) for x in key)
        chosen = self.node(first, self.choose(f0, g0, h0), self.choose(f1, g1, h1))
        self._chosen[key] = chosen
        return chosen

    def both(self, f: int, g: int) -> int:
        """The conjunction of two formulas."""
        return self.choose(f, g, FALSE)

    def either(self, f: int, g: int) -> int:
        """The disjunction of two formulas."""
        return self.choose(f, TRUE, g)

    def negated(self, f: int) -> int:
        """The negation of a formula."""
        return self.choose(f, FALSE, TRUE)

    def formula(self, postfix: list[int | str], variable: dict[int, int]) -> int:
        """The diagram of an expression in postfix order; ``variable`` numbers its propositions.

        >>> d = Diagrams()
        >>> d.formula([7, 7, "!", "|"], {7: 0}) == TRUE
        True
        """
        stack: list[int] = []
        for item in postfix:
            if isinstance(item, int):
                stack.append(self.node(variable[item], FALSE, TRUE))
            elif item in ("t", "f"):
                stack.append(TRUE if item == "t" else FALSE)
            elif item == "!":
                stack.append(self.negated(stack.pop()))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(self.both(left, right) if item == "&" else self.either(left, right))
        return stack.pop()

    def true_variables(self, f: int) -> list[int]:
        """The variables that are true in a valuation that satisfies a formula; few are."""
        found: list[int] = []
        while f != TRUE:
            variable, low, high = self._nodes[f]
            if low == FALSE:
                found.append(variable)
            f = high if low == FALSE else low
        return found

    def at(self, f: int, true: frozenset[int]) -> int:
        """The constant that a function is if exactly these variables are true."""
        while True:
            variable, low, high = self._nodes[f]
            if variable == CONSTANT:
                return f
            f = high if variable in true else low

    def below(self, *roots: int) -> Iterator[int]:
        """All functions that are tested on the way from these roots, each once, roots first."""
        seen, waiting = set(roots), [*reversed(roots)]
        while waiting:
            f = waiting.pop()
            yield f
            _, low, high = self._nodes[f]
            for g in (high, low):
                if g not in seen:
                    seen.add(g)
                    waiting.append(g)

    def support(self, *roots: int) -> set[int]:
        """The variables on which some of these functions depend."""
        return {self.variable(f) for f in self.below(*roots)} - {CONSTANT}
