"""Acceptance formulas in the syntax of the HOA format: parsing and evaluation.

::

    formula = formula "|" formula | formula "&" formula | "(" formula ")" | "t" | "f"
            | "Inf(" i ")" | "Inf(!" i ")" | "Fin(" i ")" | "Fin(!" i ")"

``Inf(i)`` holds if colour i is seen infinitely often, and ``Fin(i)`` if it is not. ``!i`` stands
for positions *without* colour i. ``&`` binds more tightly than ``|``. A *signal* is a number that
describes a position: ``i`` for "it has colour i", ``~i`` (that is −1−i) for "it has not".
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo._inputs.values import listed, shown
from zermelo.errors import InvalidObjectiveError

MAX_NESTING = 100
"""The largest depth of nested parentheses."""

MAX_COLOUR = 2**31 - 2

MAX_LENGTH = 1 << 20
"""The largest number of characters of a formula."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|([()!&|])|(\d+)|(\S))")


class Node(NamedTuple):
    """A part of a formula: ``kind`` is ``or``, ``and``, ``inf``, ``fin``, ``t`` or ``f``."""

    kind: str
    parts: tuple["Node", ...] = ()
    signal: int = 0


@dataclass(frozen=True)
class Formula:
    """An acceptance formula: player 0 wins iff it holds.

    >>> Formula("Inf(0) & (Fin(1) | Inf(!2))").signals
    (-3, 0, 1)
    >>> Formula("Inf(0) & Fin(1)").holds({0, 2})
    True
    >>> Formula("Inf(0) & Inv(1)")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: acceptance 'Inf(0) & Inv(1)', column 10: \
expected Inf(…), Fin(…), t, f or '(', got 'Inv'
    """

    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or len(self.text) > MAX_LENGTH:
            raise InvalidObjectiveError(f"acceptance: expected text, got {shown(self.text)}")
        _ = self.tree

    @functools.cached_property
    def tree(self) -> Node:
        """The formula's parts."""
        return _Parser(self.text).formula()

    @functools.cached_property
    def signals(self) -> tuple[int, ...]:
        """The signals that occur in the formula, increasing."""
        signals: set[int] = set()
        stack = [self.tree]
        while stack:
            node = stack.pop()
            stack.extend(node.parts)
            if node.kind in ("inf", "fin"):
                signals.add(node.signal)
        return tuple(sorted(signals))

    def holds(self, seen: "set[int] | frozenset[int]") -> bool:
        """Whether the formula holds if exactly these signals are seen infinitely often."""
        known = [x for x in listed(seen, "a set of signals", InvalidObjectiveError)
                 if isinstance(x, int | np.integer)]  # fmt: skip
        return bool(self.evaluate({signal: signal in known for signal in self.signals}))

    def evaluate(self, truth: dict[int, Any]) -> Any:
        """The formula's value, from a truth value or a Boolean array for each signal."""
        if not isinstance(truth, Mapping) or not all(x in truth for x in self.signals):
            raise InvalidObjectiveError("expected a truth value for each signal")
        return _evaluate(self.tree, truth)

    def __str__(self) -> str:
        return self.text


def _evaluate(node: Node, truth: dict[int, Any]) -> Any:
    if node.kind == "inf":
        return truth[node.signal]
    if node.kind == "fin":
        value = truth[node.signal]
        return not value if isinstance(value, bool) else ~value
    result: Any = node.kind in ("t", "and")
    for part in node.parts:
        value = _evaluate(part, truth)
        result = result & value if node.kind == "and" else result | value
    return result


class _Parser:
    """Recursive descent; ``column`` counts from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        at = 0
        while (match := _TOKEN.match(text, at)) is not None:
            kind = match.lastindex or 4
            self.tokens.append((match.group(kind), match.start(kind) + 1))
            at = match.end()
        self.tokens.append(("", len(text.rstrip()) + 1))
        self.k = 0

    def refuse(self, expected: str) -> InvalidObjectiveError:
        token, column = self.tokens[self.k]
        got = repr(token) if token else "the end"
        return InvalidObjectiveError(
            f"acceptance {shown(self.text)}, column {column}: expected {expected}, got {got}"
        )

    def take(self) -> str:
        self.k += 1
        return self.tokens[self.k - 1][0]

    def need(self, wanted: str) -> None:
        if self.tokens[self.k][0] != wanted:
            raise self.refuse(repr(wanted))
        self.k += 1

    def formula(self) -> Node:
        node = self.disjunction(0)
        if self.tokens[self.k][0]:
            raise self.refuse("'&', '|' or the end")
        return node

    def disjunction(self, depth: int) -> Node:
        parts = [self.conjunction(depth)]
        while self.tokens[self.k][0] == "|":
            self.k += 1
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else Node("or", tuple(parts))

    def conjunction(self, depth: int) -> Node:
        parts = [self.atom(depth)]
        while self.tokens[self.k][0] == "&":
            self.k += 1
            parts.append(self.atom(depth))
        return parts[0] if len(parts) == 1 else Node("and", tuple(parts))

    def atom(self, depth: int) -> Node:
        token = self.tokens[self.k][0]
        if token == "(":
            if depth == MAX_NESTING:
                raise self.refuse(f"at most {MAX_NESTING} parentheses within each other")
            self.k += 1
            node = self.disjunction(depth + 1)
            self.need(")")
            return node
        if token in ("t", "f"):
            return Node(self.take())
        if token in ("Inf", "Fin"):
            kind = self.take().lower()
            self.need("(")
            absent = self.tokens[self.k][0] == "!"
            self.k += absent
            colour = self.colour()
            self.need(")")
            return Node(kind, (), ~colour if absent else colour)
        if token == "!":
            raise self.refuse("no negation of a formula (write Fin for not Inf, or Inf(!i))")
        raise self.refuse("Inf(…), Fin(…), t, f or '('")

    def colour(self) -> int:
        token = self.tokens[self.k][0]
        if not token.isdecimal() or not token.isascii():
            raise self.refuse("a colour's number")
        if len(token) > 10 or int(token) > MAX_COLOUR:
            raise self.refuse(f"a colour's number, at most {MAX_COLOUR:,}")
        return int(self.take())


def signal_name(signal: int) -> str:
    """A signal in the syntax of formulas.

    >>> signal_name(3), signal_name(~3)
    ('3', '!3')
    """
    return str(signal) if signal >= 0 else f"!{~signal}"
