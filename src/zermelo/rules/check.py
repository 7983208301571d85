"""Whether rules keep what is asked of them, on samples of their positions.

Solving trusts the rules: an ``unmoves`` that forgets a move makes wrong tables, and no kernel would
notice. :func:`check_rules` compares every member with what the others say of it. It proves nothing;
it finds the mistakes that one makes.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._kernels import sampling
from zermelo._kernels._bind import bind
from zermelo._kernels._jit import interpreting
from zermelo.errors import InvalidRulesError, ZermeloError
from zermelo.rules.base import Borrowed, Rules, as_rules
from zermelo.rules.compiled import MEMBERS, OPEN, CompiledRules

LARGEST = 2**63 - 2
TIERS = 1 << 12
SPARE = 64
"""Elements behind those that ``moves`` may fill, which it must leave alone."""
UNTOUCHED = -99
NEAR = 8
"""So many moves of one position are followed back."""


@dataclass(frozen=True)
class Finding:
    """What came of one check."""

    member: str
    holds: bool
    said: str


class Broken(InvalidRulesError):
    """What a check found wrong."""


def check_rules(rules: Any, samples: int = 500, seed: int = 0) -> list[Finding]:
    """Check rules on about so many positions; a finding for each member that they have.

    >>> from zermelo.rules.boards.tictactoe import TicTacToe
    >>> all(found.holds for found in check_rules(TicTacToe(), samples=20))
    True
    """
    checks: _Checks
    if isinstance(rules, CompiledRules):
        checks = _Compiled(rules, samples, seed)
    else:
        checks = _Plain(as_rules(rules), samples, seed)
    found: list[Finding] = []
    for member, check in checks.all():
        found.append(_finding(member, check))
        if not found[-1].holds and member in ("start", "moves", "outcome"):
            break  # the others would only say it again
    if isinstance(checks, _Compiled) and not interpreting() and all(x.holds for x in found):
        found.append(_finding("compiled", checks.compiled))  # machine code has no second chance
    return found


def _finding(member: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(member, True, check())
    except Broken as wrong:
        return Finding(member, False, str(wrong))
    except MemoryError:
        raise
    except Exception as error:
        kind = "" if isinstance(error, ZermeloError) else f"{type(error).__name__}: "
        return Finding(member, False, f"it fails: {kind}{error}")


class _Checks(ABC):
    """Checks that all rules pass."""

    def __init__(self, rules: Any, samples: int, seed: int) -> None:
        self.rules, self.samples = rules, samples
        self.random = random.Random(seed)
        self.positions: list[Any] = []

    def all(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """The checks that these rules call for, in order."""
        yield "start", self.start
        yield "moves", self.moves
        if self.has("outcome"):
            yield "outcome", self.outcome
        if self.has("canonical"):
            yield "canonical", self.canonical
        yield "show", self.show
        if self.has("parse"):
            yield "parse", self.parse

    @abstractmethod
    def has(self, member: str) -> bool:
        """Whether the rules have an optional member."""

    @abstractmethod
    def options(self, position: Any) -> list[Any]:
        """Where the moves of a position lead, none where play is over."""

    def name(self, position: Any) -> str:
        """A position for a message."""
        try:
            return f"position {position!r} ({self.rules.show(position)})"
        except Exception:
            return f"position {position!r}"

    def start(self) -> str:
        first, again = self.rules.start(), self.rules.start()
        self.position(first, "start()")
        if first != again:
            raise Broken(f"it gives {first!r}, and when called again {again!r}")
        return self.name(first)

    @abstractmethod
    def position(self, given: Any, where: str) -> None:
        """Whether something may be a position."""

    def moves(self) -> str:
        """Half of the samples breadth first, the others by random walks."""
        first = self.rules.start()
        found, order = {first}, [first]
        for position in order:
            if len(order) >= self.samples // 2 + 1:
                break
            for x in self.options(position):
                if x not in found:
                    found.add(x)
                    order.append(x)
        at = first
        for _ in range(4 * self.samples):
            if len(order) >= self.samples:
                break
            after = self.options(at)
            at = self.random.choice(after) if after else first
            if at not in found:
                found.add(at)
                order.append(at)
        self.positions = order
        total = 0
        for x in order:
            if self.options(x) != (after := self.options(x)):
                raise Broken(f"{self.name(x)}: two calls give different moves")
            total += len(after)
        return f"{total:,} moves of {len(order):,} positions"

    @abstractmethod
    def outcome(self) -> str:
        """Numbers that an outcome may be."""

    def canonical(self) -> str:
        """Idempotent, and a symmetry: moves, ends and tiers are those of the canonical form."""
        canonical, merged = self.rules.canonical, 0
        for x in self.positions:
            y = canonical(x)
            self.position(y, f"canonical of {self.name(x)}")
            if canonical(y) != y:
                raise Broken(
                    f"{self.name(x)}: its canonical form {y!r} has another, {canonical(y)!r}"
                )
            merged += x != y
            if x != y and self.rules.outcome(x) != self.rules.outcome(y):
                raise Broken(
                    f"{self.name(x)}: its outcome is {self.rules.outcome(x)}, that of its "
                    f"canonical form {self.name(y)} is {self.rules.outcome(y)}"
                )
            mine, theirs = ({canonical(z) for z in self.options(w)} for w in (x, y))
            if mine != theirs:
                z = next(iter(mine ^ theirs))
                has, lacks = (x, y) if z in mine else (y, x)
                raise Broken(
                    f"{self.name(has)} has a move to {self.name(z)} up to symmetry, "
                    f"{self.name(lacks)} has none, though the two have one canonical form"
                )
        return f"{merged:,} of {len(self.positions):,} positions are not canonical"

    def show(self) -> str:
        seen: dict[str, Any] = {}
        for x in self.positions:
            text = self.rules.show(x)
            if not isinstance(text, str):
                raise Broken(f"position {x!r}: expected text, got {text!r}")
            if seen.setdefault(text, x) != x:
                raise Broken(f"positions {seen[text]!r} and {x!r} both show as {text!r}")
        return f"{len(seen):,} texts differ"

    def parse(self) -> str:
        for x in self.positions:
            text = self.rules.show(x)
            if (back := self.rules.parse(text)) != x:
                raise Broken(f"position {x!r} shows as {text!r}, which reads as {back!r}")
        return f"{len(self.positions):,} texts are read back"


class _Plain(_Checks):
    """Plain rules."""

    def has(self, member: str) -> bool:
        if isinstance(self.rules, Borrowed):
            return callable(getattr(self.rules.given, member, None))
        return getattr(type(self.rules), member) is not getattr(Rules, member)

    def options(self, position: Any) -> list[Any]:
        if self.rules.outcome(position) is not None:
            return []
        given = self.rules.moves(position)
        if not isinstance(given, Iterable):
            raise Broken(f"{self.name(position)}: expected positions, got {given!r}")
        after = list(given)
        for x in after:
            self.position(x, f"a move of {self.name(position)}")
        return list(dict.fromkeys(after))

    def position(self, given: Any, where: str) -> None:
        try:
            hash(given)
        except TypeError:
            raise Broken(f"{where}: expected a position that is hashable, got {given!r}") from None

    def outcome(self) -> str:
        ends = 0
        for x in self.positions:
            found = self.rules.outcome(x)
            if found is not None and found not in (-1, 0, 1):
                raise Broken(f"{self.name(x)}: expected −1, 0, 1 or None, got {found!r}")
            ends += found is not None
        return f"{ends:,} of {len(self.positions):,} positions are ends"


class _Compiled(_Checks):
    """Rules on integers."""

    def all(self) -> Iterator[tuple[str, Callable[[], str]]]:
        yield from super().all()
        for member in ("orbit", "tier", "player", "rank", "unmoves"):
            if self.has(member):
                yield member, getattr(self, member)

    def has(self, member: str) -> bool:
        return bool(self.rules.has(member))

    def position(self, given: Any, where: str) -> None:
        if isinstance(given, bool) or not isinstance(given, int | np.integer):
            raise Broken(f"{where}: expected an integer, got {given!r}")
        if not 0 <= given <= LARGEST:
            raise Broken(f"{where}: expected a position from 0 to {LARGEST}, got {given!r}")

    def filled(self, member: str, most: int, position: int) -> list[int]:
        """What ``moves`` or ``unmoves`` fills in."""
        out = np.full(most + SPARE, UNTOUCHED, np.int64)
        count = getattr(self.rules, member)(position, out)
        if not isinstance(count, int | np.integer) or not 0 <= count <= most:
            raise Broken(
                f"{self.name(position)}: expected at most {most} {member} "
                f"(most_{member}), got {count!r}"
            )
        if (out[most:] != UNTOUCHED).any():
            raise Broken(f"{self.name(position)}: {member} writes behind most_{member} = {most}")
        after: list[int] = out[:count].tolist()
        for x in after:
            self.position(x, f"{member} of {self.name(position)}")
        return list(dict.fromkeys(after))

    def options(self, position: Any) -> list[Any]:
        if self.rules.outcome(position) != OPEN:
            return []
        return self.filled("moves", max(1, self.rules.most_moves), position)

    def outcome(self) -> str:
        ends = 0
        for x in self.positions:
            found = self.rules.outcome(x)
            if found not in (-1, 0, 1, OPEN):
                raise Broken(f"{self.name(x)}: expected −1, 0, 1 or OPEN ({OPEN}), got {found!r}")
            ends += found != OPEN
        return f"{ends:,} of {len(self.positions):,} positions are ends"

    def orbit(self) -> str:
        """As many as look alike, or 0 for what shall not count.

        Of a game that the samples exhaust, all are counted.
        """
        canonical, orbit = self.rules.canonical, self.rules.orbit
        groups: dict[int, set[int]] = {}
        for x in self.positions:
            y = canonical(x)
            groups.setdefault(y, set()).add(x)
            if orbit(x) != orbit(y):
                raise Broken(
                    f"{self.name(x)}: its orbit is {orbit(x)}, but that of its canonical form "
                    f"is {orbit(y)}"
                )
        for y, group in groups.items():
            if orbit(y) < len(group) and orbit(y) != 0:
                raise Broken(f"{self.name(y)}: its orbit is {orbit(y)}, but {len(group)} share it")
        total, whole = sum(map(orbit, groups)), len(self.positions) < self.samples
        hidden = any(orbit(y) == 0 for y in groups)
        if whole and not hidden and self.rules.reachable and total != len(self.positions):
            raise Broken(
                f"{len(groups):,} canonical forms stand for {total:,} positions, but play reaches "
                f"{len(self.positions):,}"
            )
        return f"{len(groups):,} canonical forms stand for {total:,} positions"

    def tier(self) -> str:
        """Numbers that never rise along a move, the same for all of a canonical form."""
        tier, seen = self.rules.tier, set()
        for x in self.positions:
            t = tier(x)
            if not 0 <= t < TIERS:
                raise Broken(f"{self.name(x)}: expected a tier from 0 to {TIERS - 1}, got {t}")
            if tier(self.rules.canonical(x)) != t:
                raise Broken(f"{self.name(x)}: its canonical form is in another tier")
            seen.add(int(t))
            for y in self.options(x):
                if tier(y) > t:
                    raise Broken(
                        f"a move leads from tier {t} up to {tier(y)}: from {self.name(x)} to "
                        f"{self.name(y)}"
                    )
        return f"{len(seen)} tiers" if len(seen) > 1 else "1 tier"

    def player(self) -> str:
        for x in self.positions:
            if self.rules.player(x) not in (0, 1):
                raise Broken(f"{self.name(x)}: expected 0 or 1, got {self.rules.player(x)!r}")
        return f"{len(self.positions):,} positions"

    def rank(self) -> str:
        """Positions and indices go back and forth."""
        rules, size, none = self.rules, self.rules.size, 0
        if not size or not self.has("unrank"):
            raise Broken("expected size, rank and unrank together")
        for x in self.positions:
            i, y = rules.rank(x), rules.canonical(x)
            if not 0 <= i < size:
                raise Broken(f"{self.name(x)}: expected an index from 0 to {size - 1}, got {i}")
            if rules.rank(y) != i:
                raise Broken(
                    f"{self.name(x)} has index {i}, its canonical form index {rules.rank(y)}"
                )
            if rules.unrank(i) != y:
                raise Broken(
                    f"{self.name(y)} has index {i}, but that is the index of {rules.unrank(i)}"
                )
        for _ in range(self.samples):
            i = self.random.randrange(size)
            x = int(rules.unrank(i))
            none += x < 0
            if x >= 0 and rules.rank(x) != i:
                raise Broken(f"index {i} is that of {self.name(x)}, whose index is {rules.rank(x)}")
            if x >= 0 and rules.canonical(x) != x:
                raise Broken(f"index {i} is that of {self.name(x)}, which is not canonical")
        return f"of {self.samples:,} indices below {size:,}, {none:,} are no position"

    def unmoves(self) -> str:
        """What leads to a position has a move to it, and what has a move to it leads there.

        Of many moves, some: NEAR each way.
        """
        rules, most, pairs = self.rules, max(1, self.rules.most_unmoves), 0
        canonical, tier = rules.canonical, rules.tier
        for x in dict.fromkeys(map(canonical, self.positions)):
            for y in self._some(self.filled("unmoves", most, x)):
                pairs += 1
                if tier(y) == tier(x) and x not in map(canonical, self.options(y)):
                    raise Broken(
                        f"{self.name(y)} is given for {self.name(x)}, but has no move there"
                    )
            for y in self._some(self.options(x)):
                pairs += 1
                z = canonical(y)
                if tier(z) == tier(x):
                    before = self.filled("unmoves", most, z)
                    if x not in map(canonical, before):
                        raise Broken(
                            f"{self.name(x)} has a move to {self.name(z)}, but is not given"
                        )
        return f"{pairs:,} moves, forward and backward"

    def _some(self, given: list[int]) -> list[int]:
        return given if len(given) <= NEAR else self.random.sample(given, NEAR)

    def compiled(self) -> str:
        """The compiler's rules are Python's."""
        for member in MEMBERS:
            if self.has(member):
                self._same(member)
        return f"Python and the compiler agree on {len(self.positions):,} positions"

    def _same(self, member: str) -> None:
        rules, most = self.rules, 0
        values = [int(x) for x in self.positions]
        if member == "unrank":
            values = [self.random.randrange(rules.size) for _ in values]
        elif member in ("moves", "unmoves"):
            most = max(1, getattr(rules, f"most_{member}"))
            values = [x for x in values if member == "unmoves" or rules.outcome(x) == OPEN]
        made = np.zeros(len(values) * (most + 1), np.int64)
        given = np.array(values, np.int64)
        job = bind(getattr(sampling, f"each_{member}"), rules)
        job.compiled(given, *([np.zeros(most, np.int64)] if most else []), made)
        for x, row in zip(values, made.reshape(len(values), most + 1).tolist(), strict=True):
            if most:
                out = np.zeros(most, np.int64)
                count = getattr(rules, member)(x, out)
                theirs, ours = row[1 : 1 + row[0]], out[:count].tolist()
            else:
                theirs, ours = row, [int(getattr(rules, member)(x))]
            if theirs != ours:
                raise Broken(f"{member}({x}) gives {ours} in Python, {theirs} when compiled")
