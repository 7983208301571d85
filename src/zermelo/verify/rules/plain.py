"""The checks for rules of every kind, and those for plain rules; see :mod:`.check`."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from zermelo._inputs.values import shown
from zermelo.errors import InvalidRulesError
from zermelo.labels import OPEN, Label
from zermelo.rules.base import defines
from zermelo.rules.faults import admit, hashable, listed, outcome_of, text_of

MAX_POSITIONS_OF_ALL = 100_000
"""A game with at most this many positions is checked at all of them."""

SAMPLED_POSITIONS = 500
"""The number of positions of a larger game that are checked."""

MAX_GENERATED_MOVES = 2_000_000
"""The number of moves that one check may generate; it stops where it has generated more."""

MAX_COMPARED_STEPS = 200_000
"""The number of steps in which one check may compare values."""

MAX_MOVES_FOLLOWED = 8
"""The number of moves of one position that are followed back, if positions are samples."""

MAX_PLAYOUT_MOVES = 5000
"""The number of moves of all random playouts, or more if many samples are wanted."""

MAX_COMPARED_POSITIONS = 300
"""Values are compared at positions from which play reaches at most this many positions."""

MAX_LISTED_POSITIONS = 100_000
"""A position with more moves than this is refused."""

STRIDE = 4
"""Every fourth position is examined first, then those after them: a check may stop early."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    member: str
    holds: bool
    message: str
    warning: bool = False
    """Whether it is no mistake in itself, but most likely not what was meant."""


class Broken(InvalidRulesError):
    """A mistake that a check found; ``member`` has it, or the checked member if it is empty."""

    def __init__(self, message: str, member: str = "") -> None:
        super().__init__(message)
        self.member = member


class Checks(ABC):
    """Checks that all rules pass."""

    optional: tuple[str, ...] = ()
    """The members of rules of this kind that are checked if they are there, in order."""

    def __init__(self, rules: Any, samples: int | None, seed: int) -> None:
        self.rules = rules
        self.samples = SAMPLED_POSITIONS if samples is None else samples
        self.most = MAX_POSITIONS_OF_ALL if samples is None else samples
        """The number of positions or of indices up to which all of them are checked."""
        self.random = random.Random(seed)
        self.positions: list[Any] = []
        self.whole = False
        """Whether the samples are all positions that play can reach."""
        self._after: dict[Any, list[Any]] = {}
        self._form: dict[Any, Any] = {}
        self.begin()

    def all(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """The checks for these rules, in order."""
        yield "members", self.members
        yield "start", self.start
        yield "moves", self.moves
        for member in (*self.optional, "show", "parse"):
            if member == "show" or self.has(member):
                yield member, getattr(self, member)

    def has(self, member: str) -> bool:
        """Whether the rules have an optional member."""
        return defines(self.rules, member)

    @abstractmethod
    def generate(self, position: Any) -> list[Any]:
        """Where the moves of a position lead, none where play is over."""

    def options(self, position: Any) -> list[Any]:
        """Where the moves of a position lead; the rules are asked once for each position."""
        if position not in self._after:
            self._after[position] = found = self.generate(position)
            self.generated += 1 + len(found)
        return self._after[position]

    def is_end(self, position: Any) -> bool:
        """Whether a play may end at a position."""
        return not self.options(position)

    def position(self, given: Any, member: str) -> Any:
        """The value of a member, if it may be a position: anything hashable may."""
        return hashable(self.rules, member, given)

    def ended(self, position: Any) -> int:
        """The outcome of a position."""
        return outcome_of(self.rules, position)

    def compiled(self) -> str:
        """Machine code gives the same results as Python; here there is none."""
        return "not compiled"

    # ---------------------------------------------------------------- samples and budgets

    def begin(self) -> None:
        """Start a check: its counts of work begin at 0.

        Budgets are numbers of steps and not seconds, so they are the same on every machine.
        """
        self.generated = self.compared = self.examined = 0

    def tired(self) -> bool:
        """Whether a check has used up its budget of work."""
        return self.generated > MAX_GENERATED_MOVES or self.compared > MAX_COMPARED_STEPS

    def each(self, items: Sequence[Any]) -> Iterator[Any]:
        """The items, or as many as the work allows, at least one."""
        for first in range(STRIDE):
            for k in range(first, len(items), STRIDE):
                self.examined += 1
                yield items[k]
                if self.tired():
                    return

    def sample(self) -> None:
        """Find positions: all, if they are few; else some near the start, and random playouts.

        Playouts go to the end of play, so that positions of every depth are among them.
        """
        first = self.rules.start()
        seen, order = {first}, [first]
        self.whole = True
        for position in order:
            if len(order) > self.most or self.tired():
                self.whole = False
                break
            for x in self.options(position):
                if x not in seen:
                    seen.add(x)
                    order.append(x)
        if not self.whole:
            self._after.clear()
            self.begin()
            order = order[: 1 + self.samples // 4]
            order += self._walked({*order}, self.samples - len(order))
        self.positions = order

    def _walked(self, known: set[Any], most: int) -> list[Any]:
        """At most ``most`` positions of random playouts: the last of each, and some others.

        A playout ends where play ends, or where it comes back to a position that was seen; all
        playouts end after MAX_PLAYOUT_MOVES moves together.
        """
        at = first = self.rules.start()
        walked: dict[Any, None] = {}
        ends: list[Any] = []
        for _ in range(max(MAX_PLAYOUT_MOVES, 8 * self.samples)):
            after = self.options(at)
            at = self.random.choice(after) if after else first
            again = at in walked or at == first
            if again and walked:
                ends.append(next(reversed(walked)))
            if self.tired() or (again and len(walked) >= most):
                break
            if at not in known:
                walked[at] = None
        others = [x for x in walked if x not in ends]
        left = max(0, most - len({*ends}))
        chosen = {*ends, *self.random.sample(others, min(left, len(others)))}
        return [x for x in walked if x in chosen]

    def name(self, position: Any) -> str:
        """A position for a message."""
        try:
            text = self.rules.show(position)
        except Exception:  # the check of show reports it
            text = repr(position)
        return f"position {shown(position)}{'' if text == repr(position) else f' ({text})'}"

    def some(self, given: list[Any]) -> list[Any]:
        """Some of many, chosen at random; all, if all positions are checked."""
        few = self.whole or len(given) <= MAX_MOVES_FOLLOWED
        return given if few else self.random.sample(given, MAX_MOVES_FOLLOWED)

    # ---------------------------------------------------------------- checks

    def members(self) -> str:
        """The required members are there, and take the right arguments."""
        admit(self.rules)
        return "all required members are there"

    def start(self) -> str:
        """Play starts at a position, and always at the same."""
        first, again = self.rules.start(), self.rules.start()
        self.position(first, "start")
        if first != again:
            raise Broken(f"it gives {shown(first)}, and when called again {shown(again)}")
        return self.name(first)

    def moves(self) -> str:
        """Moves lead to positions, and are the same in a second call."""
        self.sample()
        self.begin()
        total = 0
        for x in self.each(self.positions):
            after = self.options(x)
            if self.generate(x) != after:
                raise Broken(f"{self.name(x)}: two calls give different moves")
            total += len(after)
        return f"{total:,} moves of {self.examined:,} positions"

    def outcome(self) -> str:
        """Outcomes are −1, 0, 1 or OPEN."""
        ends = sum(self.ended(x) != OPEN for x in self.positions)
        return f"{ends:,} of {len(self.positions):,} positions are ends"

    def canonical(self) -> str:
        """``canonical`` is idempotent and a symmetry: moves and ends agree with the form's."""
        merged = 0
        for x in self.each(self.positions):
            y = self.form(x)
            if (z := self.form(y)) != y:
                raise Broken(f"{self.name(x)}: its canonical form {y!r} has another, {z!r}")
            merged += x != y
            if x == y:
                continue
            mine, theirs = (outcome_of(self.rules, z) for z in (x, y))
            if mine != theirs:
                raise Broken(
                    f"{self.name(x)}: its outcome is {mine}, and that of its canonical form "
                    f"{self.name(y)} is {theirs}"
                )
            of_x, of_y = ({self.form(z) for z in self.options(w)} for w in (x, y))
            if of_x != of_y:
                z = next(iter(of_x ^ of_y))
                has, lacks = (x, y) if z in of_x else (y, x)
                raise Broken(
                    f"{self.name(has)} has a move to {self.name(z)} up to symmetry, "
                    f"{self.name(lacks)} has none, though the two have one canonical form"
                )
        return f"{merged:,} of {self.examined:,} positions are not canonical"

    def form(self, position: Any) -> Any:
        """The canonical form of a position; the rules are asked once for it."""
        if position not in self._form:
            self._form[position] = self.position(self.rules.canonical(position), "canonical")
        return self._form[position]

    def show(self) -> str:
        """``show`` gives strings, and different ones for different positions."""
        seen: dict[str, Any] = {}
        for x in self.each(self.positions):
            text = text_of(self.rules, x)
            if seen.setdefault(text, x) != x:
                raise Broken(f"positions {shown(seen[text])} and {shown(x)} both show as {text!r}")
        return f"{len(seen):,} texts differ"

    def parse(self) -> str:
        """``parse`` reads the texts of ``show``."""
        for x in self.each(self.positions):
            text = text_of(self.rules, x)
            if (back := self.rules.parse(text)) != x:
                raise Broken(f"position {shown(x)} shows as {text!r}, which reads as {shown(back)}")
        return f"{self.examined:,} texts are read back"


class Plain(Checks):
    """Plain rules."""

    optional = ("outcome", "canonical", "components")

    def generate(self, position: Any) -> list[Any]:
        """Where the moves of a position lead, none where play is over."""
        if outcome_of(self.rules, position) != OPEN:
            return []
        return list(dict.fromkeys(few(self.rules, "moves", position)))

    def components(self) -> str:
        """The Grundy value of a position, from its moves, is the XOR of its components'."""
        value: dict[Hashable, int] = {}
        compared = 0
        for x in self.each(self.positions[::-1]):
            parts = list(few(self.rules, "components", x))
            if parts == [x]:
                continue
            values = [self._value(y, value) for y in (x, *parts)]
            if None in values:
                continue
            compared += 1
            total = 0
            for part in values[1:]:
                total ^= part or 0
            if total != values[0]:
                raise Broken(
                    f"{self.name(x)} has the Grundy value {values[0]}, but its components "
                    f"{shown(parts)} make {total}"
                )
        return f"{compared:,} values are those of the sums"

    def _value(self, position: Any, value: dict[Hashable, int]) -> int | None:
        """The Grundy value of a small position, from its moves; None if it is not found."""
        order = ordered(position, self.options)
        self.compared += MAX_COMPARED_POSITIONS if order is None else len(order)
        for x in order or ():
            if outcome_of(self.rules, x) not in (OPEN, Label.LOSE):
                return None
            seen = {value[y] for y in self.options(x)}
            value[x] = next(k for k in range(len(seen) + 1) if k not in seen)
        return value.get(position) if order else None


def few(rules: Any, member: str, position: Any) -> Iterator[Any]:
    """The positions that a member lists for a position; a list that is too long is refused."""
    given = listed(rules, member, position)
    yield from islice(given, MAX_LISTED_POSITIONS)
    if next(given, None) is not None:
        raise Broken(
            f"position {shown(position)}: expected some positions, got more than "
            f"{MAX_LISTED_POSITIONS:,}; does the list end?",
            member,
        )


def ordered(
    root: Hashable, options: Callable[[Any], Iterable[Any]], most: int = MAX_COMPARED_POSITIONS
) -> list[Any] | None:
    """All positions that play from ``root`` can reach; options come first.

    The result is None if there are more than ``most``, or if play can return to a position.

    >>> ordered(3, range), ordered(0, lambda x: [1 - x])
    ([0, 1, 2, 3], None)
    """
    done: dict[Any, bool] = {}
    stack = [root]
    # Invariant: done[x] is False for x on the path that leads to the top of the stack, and True
    # if all positions that x reaches are done, too.
    while stack:
        x = stack[-1]
        if x in done:
            stack.pop()
            if not done[x]:
                del done[x]
                done[x] = True  # at the end now, after all that it reaches
            continue
        done[x] = False
        if len(done) > most:
            return None
        for y in options(x):
            if not done.get(y, True):
                return None
            if y not in done:
                stack.append(y)
    return list(done)
