"""The kind of an acceptance condition of HOA: parity if possible, otherwise Emerson–Lei.

The names in files (``acc-name:``) are only hints; the formula decides. A formula that is equivalent
to a parity condition counts as one: Büchi, co-Büchi, ``Rabin 1``, ``Streett 1``, ``t`` and ``f``.
All other formulas become Muller games, in which a set i is the colour i, and a set ``!i`` is the
colour ``count + i``, the complement of i.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.formats.hoa.tokens import Tokens, read_expression
from zermelo.labels import BoolArray

_FEW = 12
"""Formulas with at most this many sets are recognised by their meaning, others by their form."""

_LONG = 10_000
"""The largest number of operands and operators of a formula that is not a parity condition."""

Colour = Any
"""For a move: the one set that counts in a parity condition, otherwise a tuple of its sets."""


class Set(NamedTuple):
    """``Inf(number)`` or ``Fin(number)``; with ``absent``, of the complement of the set."""

    infinite: bool
    number: int
    absent: bool = False


class Acceptance(NamedTuple):
    """The condition that the highest (or lowest) set seen infinitely often has a parity."""

    highest: bool
    parity: int
    neutral: int
    """The colour of a move that belongs to no set: below or above all others."""
    blind: bool = False
    """Whether the sets make no difference."""

    @property
    def splits(self) -> bool:
        """Whether the sets of a move may be seen one after the other."""
        return True

    def colour(self, sets: Iterable[int]) -> Colour:
        """The one set that counts."""
        if self.blind:
            return self.neutral
        if self.highest:
            return max(sets, default=self.neutral)
        return min(sets, default=self.neutral)


@dataclass(frozen=True)
class EmersonLei:
    """The condition that a formula holds; ``positive`` and ``absent`` are the sets in it."""

    count: int
    formula: list[Set | str]
    positive: frozenset[int]
    absent: frozenset[int]
    neutral: tuple[int, ...] = ()
    """The colour of a move that belongs to no set."""

    @property
    def splits(self) -> bool:
        """Whether the sets of a move may be seen one after the other."""
        return not self.absent

    def colour(self, sets: Iterable[int]) -> Colour:
        """The sets that count, and the complements that count."""
        here = frozenset(sets)
        outside = (self.count + k for k in self.absent - here)
        return (*sorted(self.positive & here), *sorted(outside))

    def refusal(self) -> str:
        """The negation of the formula, in the language of :class:`zermelo.Muller`.

        >>> formula = [Set(True, 0), Set(False, 1), "&", Set(True, 0, absent=True), "|"]
        >>> EmersonLei(2, formula, frozenset({0, 1}), frozenset({0})).refusal()
        '(Fin(0) | Inf(1)) & Fin(2)'
        """
        stack: list[tuple[_Terms, _Terms]] = []  # each subformula and its negation
        for item in self.formula:
            if isinstance(item, Set):
                number = item.number + self.count * item.absent
                both = [_Terms("", [f"{name}({number})"]) for name in ("Inf", "Fin")]
                stack.append((both[0], both[1]) if item.infinite else (both[1], both[0]))
            elif item in ("t", "f"):
                stack.append((_Terms("", [item]), _Terms("", ["f" if item == "t" else "t"])))
            elif item == "!":
                holds, fails = stack.pop()
                stack.append((fails, holds))
            else:
                right, left = stack.pop(), stack.pop()
                dual = "|" if item == "&" else "&"
                stack.append((left[0].joined(item, right[0]), left[1].joined(dual, right[1])))
        return str(stack.pop()[1])


class _Terms(NamedTuple):
    """Terms that are joined by one operator, or a single term."""

    sign: str
    terms: list[str]

    def joined(self, sign: str, other: "_Terms") -> "_Terms":
        """Both lists of terms joined by an operator; this object must not be used again."""
        mine, theirs = (
            x.terms if x.sign in ("", sign) else [str(x) if sign == "|" else f"({x})"]
            for x in (self, other)
        )
        mine.extend(theirs)
        return _Terms(sign, mine)

    def __str__(self) -> str:
        return f" {self.sign} ".join(self.terms)


def read_acceptance(tokens: Tokens) -> tuple[int, Acceptance | EmersonLei, list[Set | str]]:
    """Read what follows ``Acceptance:``: the number of sets, and the formula with its kind."""
    place = tokens.ahead.offset
    count = tokens.integer("the number of acceptance sets")

    def atom(tokens: Tokens) -> list[Set | str]:
        kind = tokens.ahead.text
        if kind not in ("Inf", "Fin"):
            raise tokens.unexpected("Inf(…), Fin(…), t, f, '!' or '('")
        tokens.take()
        tokens.expect("(")
        absent = tokens.accept("!")
        number = tokens.integer(f"an acceptance set below {count}", count - 1)
        tokens.expect(")")
        return [Set(kind == "Inf", number, absent)]

    formula = read_expression(tokens, atom, "an acceptance condition")
    found = _by_form(formula, count) or _by_meaning(formula, count)
    if found is not None:
        return count, found, formula
    if len(formula) > _LONG:
        raise tokens.error(
            f"expected a parity condition, or at most {_LONG:,} operands and operators, "
            f"got {len(formula):,}",
            place,
        )
    sets = [x for x in formula if isinstance(x, Set)]
    named = [frozenset(x.number for x in sets if x.absent == a) for a in (False, True)]
    return count, EmersonLei(count, formula, named[0], named[1]), formula


def parity_formula(count: int, *, highest: bool, parity: int) -> list[Set | str]:
    """The canonical formula of a parity condition, in postfix order."""
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
    """Compare with each parity condition on every set of acceptance sets."""
    if formula in (["t"], ["f"]):
        return Acceptance(True, int(formula == ["t"]), -1, blind=True)
    if count > _FEW or any(isinstance(x, Set) and x.absent for x in formula):
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
