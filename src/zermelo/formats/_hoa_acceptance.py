"""Which parity condition an acceptance condition of HOA is.

The names that files give (``acc-name:``) are hints; the formula counts. Any formula will do that
says the same as a parity condition: Büchi, co-Büchi, ``Rabin 1``, ``Streett 1``, ``t`` and ``f``.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from zermelo.formats._hoa_tokens import Tokens, read_expression
from zermelo.labels import BoolArray

_FEW = 12
"""Formulas of at most so many sets are recognised by what they mean, others by their form."""


class Set(NamedTuple):
    """``Inf(number)`` or ``Fin(number)``."""

    infinite: bool
    number: int


class Acceptance(NamedTuple):
    """Accepted iff the highest (or lowest) set that is seen infinitely often has a parity."""

    highest: bool
    parity: int
    neutral: int
    """The colour that belonging to no set amounts to: below, or above, all others."""
    blind: bool = False
    """Whether no set counts."""

    def colour(self, sets: Iterable[int]) -> int:
        """The one set that counts."""
        if self.blind:
            return self.neutral
        if self.highest:
            return max(sets, default=self.neutral)
        return min(sets, default=self.neutral)


def read_acceptance(tokens: Tokens) -> tuple[int, Acceptance]:
    """Take what follows ``Acceptance:``, the number of sets and the formula."""
    place = tokens.ahead.offset
    count = tokens.integer("the number of acceptance sets")

    def atom(tokens: Tokens) -> list[Set | str]:
        kind = tokens.ahead.text
        if kind not in ("Inf", "Fin"):
            raise tokens.unexpected("Inf(…), Fin(…), t, f, '!' or '('")
        tokens.take()
        tokens.expect("(")
        if tokens.ahead.text == "!":
            raise tokens.unexpected("an acceptance set, not a complement")
        number = tokens.integer(f"an acceptance set below {count}", count - 1)
        tokens.expect(")")
        return [Set(kind == "Inf", number)]

    formula = read_expression(tokens, atom, "an acceptance condition")
    found = _by_form(formula, count) or _by_meaning(formula, count)
    if found is None:
        raise tokens.error("expected a parity condition, got another acceptance condition", place)
    return count, found


def parity_formula(count: int, *, highest: bool, parity: int) -> list[Set | str]:
    """The canonical formula of a parity condition, operands first."""
    if count == 0:
        return ["t" if parity == (1 if highest else 0) else "f"]
    order = range(count - 1, -1, -1) if highest else range(count)
    sets: list[Set | str] = [Set(k % 2 == parity, k) for k in order]
    signs = ["|" if k % 2 == parity else "&" for k in order]
    return sets + signs[-2::-1]


def show_max_odd(count: int) -> str:
    """The text of ``parity max odd`` for some number of sets.

    >>> show_max_odd(4)
    'Inf(3) | (Fin(2) & (Inf(1) | Fin(0)))'
    """
    if count == 0:
        return "t"
    parts = []
    for k in range(count - 1, 0, -1):
        bracket = "(" if k > 1 else ""
        parts.append((f"Inf({k}) | " if k % 2 else f"Fin({k}) & ") + bracket)
    return "".join(parts) + "Fin(0)" + ")" * (count - 2)


def _by_form(formula: list[Set | str], count: int) -> Acceptance | None:
    for highest in (True, False):
        for parity in (0, 1):
            if formula == parity_formula(count, highest=highest, parity=parity):
                return Acceptance(highest, parity, -1 if highest else count)
    return None


def _by_meaning(formula: list[Set | str], count: int) -> Acceptance | None:
    """Compare with each condition on every set of acceptance sets."""
    if formula in (["t"], ["f"]):
        return Acceptance(True, int(formula == ["t"]), -1, blind=True)
    if count > _FEW:
        return None
    subsets = np.arange(1 << count)
    stack: list[BoolArray] = []
    for item in formula:
        if isinstance(item, Set):
            stack.append(((subsets >> item.number) & 1 == 1) == item.infinite)
        elif item in ("t", "f"):
            stack.append(np.full(subsets.size, item == "t"))
        elif item == "!":
            stack.append(~stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(left & right if item == "&" else left | right)
    accepted = stack.pop()
    members = [[k for k in range(count) if s >> k & 1] for s in subsets.tolist()]
    for highest in (True, False):
        best = np.array([(max if highest else min)(x, default=-1) for x in members])
        for parity in (0, 1):
            if (accepted[1:] == (best[1:] % 2 == parity)).all():
                neutral = -2 if highest else count + count % 2
                if (neutral % 2 == parity) != accepted[0]:
                    neutral += 1
                return Acceptance(highest, parity, neutral)
    return None
