"""The checks of partizan rules; see :mod:`.check`.

Values are compared by the definition: G ≤ H where no Left option of G is ≥ H and no Right option
of H is ≤ G [BerlekampConwayGuy2001]. That uses no components, no symmetry and no canonical form,
so it shares no code with the members that it checks. It is slow, and used for small positions only.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from zermelo._inputs.values import shown
from zermelo._runtime.compiled.guards import FILLING
from zermelo.rules.partizan.base import SIDE_NAMES
from zermelo.verify.rules.compiled import same_compiled
from zermelo.verify.rules.plain import MAX_COMPARED_POSITIONS, Broken, Checks, few, ordered

Sum = tuple[Any, ...]
"""Positions that are played together."""

GRID_MEMBERS = ("fill_left", "fill_right", "fill_components", "image", "opposite_image")
"""Members of games on a grid that are compiled."""

MAX_COMPARISONS = 20_000
"""The most pairs of sums that are examined to compare two values."""


class Partizan(Checks):
    """Rules with moves of Left and of Right."""

    optional = ("components", "canonical", "opposite")

    def __init__(self, rules: Any, samples: int | None, seed: int) -> None:
        super().__init__(rules, samples, seed)
        self._options: dict[tuple[str, Any], list[Any]] = {}
        self._small: dict[Any, bool] = {}

    def all(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """The checks in order: those of both sides in place of those of the moves."""
        for member, check in super().all():
            if member == "moves":
                yield from ((side, self._side(side)) for side in SIDE_NAMES)
            else:
                yield member, check

    def generate(self, position: Any) -> list[Any]:
        """Where a move of either side leads."""
        return list(dict.fromkeys(chain(*(self.moves_of(x, position) for x in SIDE_NAMES))))

    def is_end(self, position: Any) -> bool:
        """Whether a side has no move at a position."""
        return not all(self.moves_of(side, position) for side in SIDE_NAMES)

    def moves_of(self, side: str, position: Any) -> list[Any]:
        """Where the moves of a side lead."""
        key = side, position
        if key not in self._options:
            self._options[key] = list(dict.fromkeys(few(self.rules, side, position)))
        return self._options[key]

    # ---------------------------------------------------------------- checks

    def _side(self, side: str) -> Callable[[], str]:
        def check() -> str:
            if not self.positions:
                self.sample()
                self.begin()
            total = 0
            for x in self.each(self.positions):
                again = list(dict.fromkeys(few(self.rules, side, x)))
                if set(again) != set(self.moves_of(side, x)):
                    raise Broken(f"{self.name(x)}: two calls give different moves")
                total += len(again)
            return f"{total:,} moves of {self.examined:,} positions"

        return check

    def components(self) -> str:
        """The value of a position is the sum of the values of its components."""

        def pair(x: Any) -> tuple[Sum, Sum, str] | None:
            parts = tuple(few(self.rules, "components", x))
            fault = f"is not worth the sum of its components {_names(parts)}"
            return None if parts == (x,) else ((x,), parts, fault)

        return f"{self._compared(pair):,} positions are worth the sum of their components"

    def canonical(self) -> str:
        """A canonical form is its own canonical form, and has the same value."""

        def pair(x: Any) -> tuple[Sum, Sum, str] | None:
            y = self.form(x)
            if (z := self.form(y)) != y:
                raise Broken(
                    f"{self.name(x)}: its canonical form {shown(y)} has another, {shown(z)}"
                )
            fault = f"is not worth the same as its canonical form {_names((y,))}"
            return None if x == y else ((x,), (y,), fault)

        return f"{self._compared(pair):,} positions are worth the same as their canonical forms"

    def opposite(self) -> str:
        """A position and its opposite add up to 0."""

        def pair(x: Any) -> tuple[Sum, Sum, str] | None:
            if (y := self.rules.opposite(x)) is None:
                return None
            y = self.position(y, "opposite")
            return (x, y), (), f"and its opposite {_names((y,))} do not add up to 0"

        return f"{self._compared(pair):,} positions and their opposites add up to 0"

    def _compared(self, pair: Callable[[Any], tuple[Sum, Sum, str] | None]) -> int:
        """Compare two sums for each position; return how many comparisons were possible.

        ``pair`` gives the sums and what is wrong if they differ, or None.
        """
        compared = 0
        for x in self.each(self.positions[::-1]):
            if (found := pair(x)) is None:
                continue
            if (same := self.same(*found[:2])) is False:
                raise Broken(f"{self.name(x)} {found[2]}")
            compared += same is True
        return compared

    def compiled(self) -> str:
        """Members of games on a grid give the same results when compiled as in Python."""
        rules: Any = self.rules
        values = [int(x) for x in self.positions]
        for member in GRID_MEMBERS:
            most = getattr(rules, FILLING[member]) if member in FILLING else 0
            same_compiled(rules, member, values, most)
        return f"Python and the compiler agree on {len(values):,} positions"

    # ---------------------------------------------------------------- values

    def same(self, one: Sum, other: Sum) -> bool | None:
        """Whether two sums have the same value; None if they are large, or play may not end."""
        if not all(map(self.small, (*one, *other))):
            return None
        search = _Order(self.moves_of)
        try:
            return search.at_most(one, other) and search.at_most(other, one)
        except _TooMuch:
            return None
        finally:
            self.compared += search.examined

    def small(self, position: Any) -> bool:
        """Whether play from a position ends, and reaches few positions."""
        if position not in self._small:
            found = ordered(position, self.options)
            self.compared += MAX_COMPARED_POSITIONS if found is None else len(found)
            self._small[position] = found is not None
        return self._small[position]


class _TooMuch(Exception):
    """A comparison that takes too long."""


class _Order:
    """The order of games, by its definition."""

    def __init__(self, moves_of: Callable[[str, Any], list[Any]]) -> None:
        self.moves_of = moves_of
        self._known: dict[tuple[Sum, Sum], bool] = {}

    @property
    def examined(self) -> int:
        """How many pairs were compared."""
        return len(self._known)

    def at_most(self, one: Sum, other: Sum) -> bool:
        """Whether one ≤ other; the depth of recursion is that of play."""
        key = _sorted(one), _sorted(other)
        if key not in self._known:
            if len(self._known) > MAX_COMPARISONS:
                raise _TooMuch
            self._known[key] = True
            answer = True
            for x in self._after("left", one):
                if self.at_most(other, x):
                    answer = False
                    break
            for y in self._after("right", other) if answer else ():
                if self.at_most(y, one):
                    answer = False
                    break
            self._known[key] = answer
        return self._known[key]

    def _after(self, side: str, given: Sum) -> Iterator[Sum]:
        for k, x in enumerate(given):
            for y in self.moves_of(side, x):
                yield (*given[:k], y, *given[k + 1 :])


def _sorted(given: Sum) -> Sum:
    return tuple(sorted(given, key=hash))


def _names(positions: Sum) -> str:
    return shown(positions[0] if len(positions) == 1 else list(positions))
