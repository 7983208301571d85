"""The checks of compiled rules; see :mod:`.check`."""

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo._runtime.compiled.bind import bind, flat
from zermelo._runtime.compiled.flatten import Flat
from zermelo.rules.compiled import MEMBERS, OPEN
from zermelo.rules.faults import LARGEST, integer
from zermelo.verify.rules.plain import Broken, Checks
from zermelo.verify.rules.sampling import template_of

MAX_TIERS = 1 << 12
MAX_RESULTS = 10_000_000
"""The results of the compiler that are compared together: so many positions and moves."""
GUARD_ELEMENTS = 64
"""Elements behind those that ``moves`` may fill, which it must not change."""
UNTOUCHED = -99


class Compiled(Checks):
    """Rules on integers."""

    optional = (
        "outcome", "canonical", "orbit", "tier", "player", "rank", "unmoves", "moves_differ",
        "unmoves_by_index", "converts",
    )  # fmt: skip

    def __init__(self, rules: Any, samples: int | None, seed: int) -> None:
        super().__init__(rules, samples, seed)
        self._before: dict[int, list[int]] = {}

    def sample(self) -> None:
        """Find positions; if tables have an entry for each index, also those of indices."""
        super().sample()
        rules = self.rules
        if rules.reachable or not rules.size or not self.has("unrank"):
            return
        given = [self.number("unrank", i) for i in self.indices(len(self.positions))]
        known = set(self.positions)
        self.positions += [x for x in dict.fromkeys(given) if x >= 0 and x not in known]
        self.whole = False

    def indices(self, count: int) -> Sequence[int]:
        """All indices of positions, if they are few; else so many random ones."""
        size = int(self.rules.size)
        if size <= self.most:
            return range(size)
        return [self.random.randrange(size) for _ in range(count)]

    def parameters(self) -> str:
        """Members read only values that the compiler can read; small games are never compiled."""
        for member in (*MEMBERS, "converts"):
            if member == "moves" or self.has(member):
                for name, value in read_by(flat(self.rules, member)):
                    if not _plain(value):
                        raise Broken(
                            f"it reads {name}: expected integers, a tuple of integers or an array "
                            f"of integers of one dimension, got {shown(value)}",
                            member,
                        )
        return "integers, tuples and arrays of them"

    # ---------------------------------------------------------------- values of members

    def number(self, member: str, given: int) -> int:
        """The integer that a member gives."""
        value = getattr(self.rules, member)(given)
        if not integer(value):
            where = f"index {given}" if member == "unrank" else self.name(given)
            raise Broken(f"{where}: expected an integer, got {shown(value)}", member)
        return int(value)

    def position(self, given: Any, member: str) -> int:
        """An integer that may be a position."""
        if not integer(given):
            raise Broken(f"expected an integer, got {shown(given)}", member)
        if not 0 <= given <= LARGEST:
            raise Broken(f"expected a position from 0 to {LARGEST}, got {shown(given)}", member)
        return int(given)

    def filled(self, member: str, position: int) -> list[int]:
        """The positions that ``moves`` or ``unmoves`` puts into an array."""
        most = max(1, getattr(self.rules, f"most_{member}"))
        out: list[Any] = [UNTOUCHED] * (most + GUARD_ELEMENTS)
        count = getattr(self.rules, member)(position, out)
        if not integer(count):
            raise Broken(
                f"{self.name(position)}: expected the number of positions that out was filled "
                f"with, got {shown(count)}",
                member,
            )
        if not 0 <= count <= most:
            raise Broken(
                f"{self.name(position)}: expected at most {most} {member} (most_{member}), "
                f"got {count}",
                member,
            )
        if out[most:] != [UNTOUCHED] * GUARD_ELEMENTS:
            raise Broken(f"{self.name(position)}: it writes behind most_{member} = {most}", member)
        for x in out[:count]:
            if not integer(x) or not 0 <= x <= LARGEST:
                raise Broken(
                    f"{self.name(position)}: expected a position from 0 to {LARGEST}, got {x!r}",
                    member,
                )
        return list(dict.fromkeys(map(int, out[:count])))

    def before(self, position: int) -> list[int]:
        """The positions that ``unmoves`` gives; the rules are asked once for a position."""
        if position not in self._before:
            self._before[position] = self.filled("unmoves", position)
        return self._before[position]

    def ended(self, position: int) -> int:
        """The outcome of a position."""
        outcome = self.rules.outcome(position)
        if outcome is None:
            return OPEN
        if not integer(outcome) or outcome not in (-1, 0, 1, OPEN):
            raise Broken(
                f"{self.name(position)}: expected −1, 0, 1 or OPEN ({OPEN}), got {shown(outcome)}",
                "outcome",
            )
        return int(outcome)

    def generate(self, position: Any) -> list[Any]:
        """Where the moves of a position lead, none where play is over."""
        return self.filled("moves", position) if self.ended(position) == OPEN else []

    # ---------------------------------------------------------------- checks

    def orbit(self) -> str:
        """The number of positions with one canonical form, or 0 if they are not to be counted.

        If the samples are all positions, the numbers must add up.
        """
        groups: dict[int, set[int]] = {}
        orbit = {x: self.number("orbit", x) for x in self.positions}
        for x in self.positions:
            y = self.form(x)
            groups.setdefault(y, set()).add(x)
            if y not in orbit:
                orbit[y] = self.number("orbit", y)
            if orbit[x] != orbit[y]:
                raise Broken(
                    f"{self.name(x)}: its orbit is {orbit[x]}, but that of its canonical form "
                    f"is {orbit[y]}"
                )
        for y, group in groups.items():
            if orbit[y] < len(group) and orbit[y] != 0:
                raise Broken(
                    f"{self.name(y)}: its orbit is {orbit[y]}, but {len(group)} positions share it"
                )
        hidden = any(orbit[y] == 0 for y in groups)
        total = sum(orbit[y] for y in groups)
        if self.whole and not hidden and total != len(self.positions):
            raise Broken(
                f"{len(groups):,} canonical forms stand for {total:,} positions, but play reaches "
                f"{len(self.positions):,}"
            )
        return f"{len(groups):,} canonical forms stand for {total:,} positions"

    def tier(self) -> str:
        """Tiers never increase along a move, and are equal for positions of one canonical form."""
        seen = set()
        for x in self.each(self.positions):
            t = self.number("tier", x)
            if not 0 <= t < MAX_TIERS:
                raise Broken(f"{self.name(x)}: expected a tier from 0 to {MAX_TIERS - 1}, got {t}")
            if self.number("tier", self.form(x)) != t:
                raise Broken(f"{self.name(x)}: its canonical form is in another tier")
            seen.add(t)
            for y in self.options(x):
                if (up := self.number("tier", y)) > t:
                    raise Broken(
                        f"a move leads from tier {t} up to {up}: from {self.name(x)} to "
                        f"{self.name(y)}"
                    )
        return f"{len(seen)} tiers" if len(seen) > 1 else "1 tier"

    def player(self) -> str:
        """Players are 0 or 1, and equal for all positions of one canonical form."""
        for x in self.each(self.positions):
            if (player := self.number("player", x)) not in (0, 1):
                raise Broken(f"{self.name(x)}: expected 0 or 1, got {player}")
            if (other := self.number("player", self.form(x))) != player:
                raise Broken(
                    f"{self.name(x)}: player {player} is to move, but {other} in its canonical form"
                )
        return f"{self.examined:,} positions"

    def rank(self) -> str:
        """``rank`` and ``unrank`` invert each other, also at positions that moves lead to."""
        size, none, asked = self.rules.size, 0, 0
        if not size or not self.has("unrank"):
            raise Broken("expected size, rank and unrank together")
        for x in self.each(self.positions):
            for y in (x, *self.some(self.options(x))):
                self._ranked(y)
        for i in self.each(self.indices(self.samples)):
            x = self.number("unrank", i)
            asked += 1
            none += x < 0
            if x >= 0 and self.number("rank", x) != i:
                raise Broken(
                    f"index {i} gives {self.name(x)}, but the index of this position is "
                    f"{self.rules.rank(x)}"
                )
            if x >= 0 and self.form(x) != x:
                raise Broken(f"index {i} gives {self.name(x)}, which is not canonical")
        return f"of {asked:,} indices below {size:,}, {none:,} are no position"

    def _ranked(self, x: int) -> None:
        """Refuse an index that is not that of the canonical form, or does not lead back to it."""
        i, y, size = self.number("rank", x), self.form(x), self.rules.size
        if not 0 <= i < size:
            raise Broken(f"{self.name(x)}: expected an index from 0 to {size - 1}, got {i}")
        if (other := self.number("rank", y)) != i:
            raise Broken(f"{self.name(x)} has index {i}, but its canonical form has index {other}")
        if (back := self.number("unrank", i)) != y:
            raise Broken(f"{self.name(y)} has index {i}, but unrank({i}) gives {back}")

    def unmoves(self) -> str:
        """``unmoves`` gives the positions that have a move to this one, and no others.

        Both directions are checked: from each listed position a move leads here, and this position
        is listed for each of its moves. If positions are samples and there are many moves, some of
        them are checked. Where positions have an index, every listed position must have one,
        because a solver writes to the entry with this index.
        """
        pairs, size = 0, self.rules.size if self.has("rank") else 0
        for x in self.each([*dict.fromkeys(map(self.form, self.positions))]):
            tier = self.number("tier", x)
            for y in self.before(x):
                if size and not 0 <= (i := self.number("rank", y)) < size:
                    raise Broken(
                        f"unmoves lists {self.name(y)} for {self.name(x)}, but its index is {i}; "
                        f"expected an index from 0 to {size - 1}"
                    )
            for y in self.some(self.before(x)):
                pairs += 1
                if self.number("tier", y) == tier and x not in map(self.form, self.options(y)):
                    raise Broken(
                        f"unmoves lists {self.name(y)} for {self.name(x)}, but it has no move there"
                    )
            for z in map(self.form, self.some(self.options(x))):
                pairs += 1
                if self.number("tier", z) != tier:
                    continue
                if x not in map(self.form, self.before(z)):
                    raise Broken(
                        f"{self.name(x)} has a move to {self.name(z)}, but unmoves does not list it"
                    )
        return f"{pairs:,} moves, forward and backward"

    def moves_differ(self) -> str:
        """Where all moves are said to differ, their canonical forms do."""
        differ = 0
        for x in self.each([*dict.fromkeys(map(self.form, self.positions))]):
            if self.rules.moves_differ(x):
                differ += 1
                options = self.options(x)
                forms = dict(zip(map(self.form, options), options, strict=True))
                if len(forms) < len(options):
                    y = next(y for y in options if forms[self.form(y)] != y)
                    raise Broken(
                        f"{self.name(x)}: its moves to {self.name(y)} and to "
                        f"{self.name(forms[self.form(y)])} lead to the same canonical form"
                    )
        return f"all moves of {differ:,} positions"

    def unmoves_by_index(self) -> str:
        """The indices before one are those of what ``unmoves`` gives in the tier, each once."""
        pairs = 0
        if not self.has("rank") or not self.has("unmoves"):
            raise Broken("expected rank, unrank and unmoves together with unmoves_by_index")
        for x in self.each([*dict.fromkeys(map(self.form, self.positions))]):
            tier, index = self.number("tier", x), self.number("rank", x)
            most = max(1, self.rules.most_unmoves)
            out: list[Any] = [UNTOUCHED] * (most + GUARD_ELEMENTS)
            count = self.rules.unmoves_by_index(index, out)
            if (
                not integer(count)
                or not 0 <= count <= most
                or out[most:] != [UNTOUCHED] * GUARD_ELEMENTS
            ):
                raise Broken(
                    f"index {index}: expected at most {most} indices (most_unmoves), got "
                    f"{shown(count)}"
                )
            before = self.before(x)
            wanted = {self.number("rank", y) for y in before if self.number("tier", y) == tier}
            pairs += len(wanted)
            if sorted(out[:count]) != sorted(wanted):
                raise Broken(
                    f"index {index}, {self.name(x)}: expected the indices {sorted(wanted)[:8]} of "
                    f"what unmoves gives, each once, got {sorted(out[:count])[:8]}"
                )
        return f"{pairs:,} moves"

    def converts(self) -> str:
        """The images of a move by symmetries convert if the move does."""
        pairs = 0
        for x in self.each(self.positions):
            found = self._conversions(x)
            pairs += len(found)
            if (form := self.form(x)) != x and self._conversions(form) != found:
                raise Broken(
                    f"{self.name(x)} and its canonical form {self.name(form)}: expected the same "
                    "moves that convert, up to symmetry"
                )
        return f"{pairs:,} moves"

    def _conversions(self, position: int) -> set[tuple[int, bool]]:
        """The moves of a position up to symmetry, and whether they convert."""
        found = set()
        for y in self.options(position):
            value = self.rules.converts(position, y)
            if not isinstance(value, bool | np.bool_) and value not in (0, 1):
                raise Broken(f"{self.name(position)}: expected True or False, got {shown(value)}")
            found.add((self.form(y), bool(value)))
        return found

    # ---------------------------------------------------------------- the compiler

    def compiled(self) -> str:
        """Machine code gives the same results as Python."""
        rules = self.rules
        for member in MEMBERS:
            if not self.has(member):
                continue
            values, most = [int(x) for x in self.positions], 0
            if member == "unrank":
                values = list(self.indices(len(values)))
            elif member == "unmoves_by_index":
                values, most = [self.number("rank", x) for x in values], max(1, rules.most_unmoves)
            elif member in ("moves", "unmoves"):
                most = max(1, getattr(rules, f"most_{member}"))
                values = [x for x in values if member == "unmoves" or self.ended(x) == OPEN]
            same_compiled(rules, member, values, most)
        return f"Python and the compiler agree on {len(self.positions):,} positions"


def same_compiled(rules: Any, member: str, values: list[int], most: int) -> None:
    """Refuse a member that gives other results when compiled than in Python.

    ``most`` is the size of the array that the member fills, or 0 if it returns a number. If that
    makes very many results, only some of the values are tried.
    """
    values = values[:: -(-len(values) * (most + 1) // MAX_RESULTS) or 1]
    results = np.zeros(len(values) * (most + 1), np.int64)
    arguments = np.array(values, np.int64)
    job = fresh(template_of(member, filling=most > 0), rules)
    job(arguments, *([np.zeros(most, np.int64)] if most else []), results)
    for x, row in zip(values, results.reshape(len(values), most + 1).tolist(), strict=True):
        if most:
            out = np.zeros(most, np.int64)
            count = getattr(rules, member)(x, out)
            compiled, interpreted = row[1 : 1 + row[0]], out[:count].tolist()
        else:
            value = getattr(rules, member)(x)
            compiled, interpreted = row, [OPEN if value is None else int(value)]
        if compiled != interpreted:
            raise Broken(f"{member}({x}) gives {interpreted} in Python, {compiled} when compiled")


def read_by(function: Any) -> Iterator[tuple[str, Any]]:
    """The names and values that a flattened member reads, and those of its helpers."""
    scope = function.function.__globals__
    for name in function.function.__code__.co_names:
        value = scope.get(name)
        if isinstance(value, Flat):
            yield from read_by(value)
        elif name in scope and not (callable(value) or isinstance(value, ModuleType)):
            yield name.replace("self_", "self.", 1), value


def _plain(value: Any, inside: bool = False) -> bool:
    """Whether a value can be a constant for the compiler."""
    if isinstance(value, np.ndarray):
        return not inside and value.ndim == 1 and value.dtype.kind in "iub"
    if isinstance(value, tuple) or (isinstance(value, list) and not inside):
        return all(_plain(x, True) for x in value)
    return isinstance(value, int | float | np.integer | np.floating | str)


def fresh(template: Any, rules: Any) -> Callable[..., None]:
    """A template with rules in it, compiled now and not loaded from the kept object code."""
    return bind(template, rules, kept=False).compiled
