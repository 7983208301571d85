"""Grundy values of positions given by rules, without the graph of all of them.

The value of a position is the mex of the values of its options, and the value of a sum is the XOR
of the values of its components [Sprague1935] [Grundy1939]. Where rules know the components and
symmetries of their positions, only components up to symmetry are valued: play reaches 5,700
positions of 4×4 Cram, and 197 of them are valued.

O(positions valued + their moves), with a stack in place of recursion.
"""

from collections.abc import Hashable, Iterable
from functools import reduce
from operator import xor
from typing import Any

from zermelo.errors import InvalidRulesError
from zermelo.labels import OPEN, Label
from zermelo.rules.base import Rules, as_rules
from zermelo.rules.faults import admit, blaming, hashable, listed, options_of, outcome_of


def position_values(rules: Any) -> "PositionValues":
    """The Grundy values of the positions of an acyclic game, each found when asked for.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> values = position_values(Nim(3, 4, 5))
    >>> values[3, 4, 5]
    2
    >>> values.winning_moves((3, 4, 5))
    [(1, 4, 5)]
    """
    with blaming(rules):
        rules = as_rules(rules)
        admit(rules)
    if not rules.impartial:
        raise InvalidRulesError(
            "Grundy values are for impartial games, in which both players have the same moves in "
            "every position; a partizan game has a value: game_value"
        )
    return PositionValues(rules)


class PositionValues:
    """Values by position; each is found once and kept."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self._value: dict[Hashable, int] = {}

    @property
    def start(self) -> int:
        """The value of the position in which play starts."""
        return self[self.rules.start()]

    def __len__(self) -> int:
        """The number of components that have been valued."""
        return len(self._value)

    def __getitem__(self, position: Hashable) -> int:
        """The value of a position."""
        with blaming(self.rules):
            parts = self._parts(position)
            for part in parts:
                self._settle(part)
            return self._xor(parts)

    def winning_moves(self, position: Hashable) -> list[Hashable]:
        """The moves from a position to those of value 0, where the opponent loses."""
        return [x for x in self._moves(position) if self[x] == 0]

    def _parts(self, position: Hashable) -> list[Hashable]:
        rules = self.rules
        return [
            hashable(rules, "canonical", rules.canonical(part))
            for part in listed(rules, "components", position)
        ]

    def _xor(self, parts: Iterable[Hashable]) -> int:
        return reduce(xor, map(self._value.__getitem__, parts), 0)

    def _moves(self, position: Hashable) -> list[Hashable]:
        outcome = outcome_of(self.rules, position)
        if outcome not in (OPEN, Label.LOSE):
            raise InvalidRulesError(
                "values are for games that the player who cannot move loses; "
                f"at {self.rules.show(position)} the outcome is {outcome}"
            )
        return options_of(self.rules, position)

    def _settle(self, wanted: Hashable) -> None:
        """Value one component and all components that it depends on."""
        value, stack = self._value, [wanted]
        opened: dict[Hashable, list[list[Hashable]]] = {}
        # Invariant: opened holds the options, as lists of components, of a path of positions that
        # begins at wanted and goes up the stack; the last of them waits for those above it.
        while stack:
            position = stack[-1]
            if position in value:
                stack.pop()
                continue
            if position not in opened:
                opened[position] = [self._parts(x) for x in self._moves(position)]
                waiting = [x for parts in opened[position] for x in parts if x not in value]
                for x in waiting:
                    if x in opened:
                        raise InvalidRulesError(
                            f"play can come back to {self.rules.show(x)}, and games with cycles "
                            "have other values: explore the rules, then take grundy of the graph"
                        )
                if waiting:
                    stack += waiting
                    continue
            seen = {self._xor(parts) for parts in opened.pop(position)}
            value[position] = next(k for k in range(len(seen) + 1) if k not in seen)
            stack.pop()
