"""A table as its checker sees it: rules, objective, and entries that are looked up one by one."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from zermelo.errors import CertificateError, InvalidOptionError, UnknownPositionError
from zermelo.rules.compiled import OPEN, CompiledRules
from zermelo.rules.faults import options_of

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame

MAX_REMEMBERED_ENTRIES = 1 << 18

ENDS = {
    "normal": ((-1, 1), 0),
    "misere": ((1, -1), 0),
    "asymmetric": ((0, 1), -1),
    "g0": ((-1, 1), -1),
    "g1": ((-1, 1), 1),
    "h1": ((1, 1), -1),
}
"""The payoffs of player 0: if player 0 or player 1 is stuck, and for infinite play."""


class Game(ABC):
    """Rules and objective of a table, with all values for the player to move."""

    alone = False
    """Whether labels are proved without distances."""
    to_conversion = False
    """Whether the table has distances to conversion."""

    sample_size = 2000
    """About the number of entries that a test of some positions looks up, in a second at most."""

    def __init__(self, table: "SolvedGame") -> None:
        self.table, self.rules = table, table.rules
        self.compiled = isinstance(table.rules, CompiledRules)
        self.owned = (
            table.rules.has("player")
            if self.compiled
            else table.rules.player(table.rules.start()) is not None
        )
        keyword = table.keyword or "normal"
        if keyword not in ENDS:
            raise InvalidOptionError(f"{table.location}: tables of {keyword!r} cannot be checked")
        self.stuck, self.infinite_play = ENDS[keyword]
        self.turned = self.stuck == (1, -1)
        self.entry_of = lru_cache(MAX_REMEMBERED_ENTRIES)(self._entry_of)
        self.options = lru_cache(16)(partial(options_of, self.rules))
        """The positions after one move."""
        self.looked_up = 0
        self.met: list[Any] = []
        """The first positions that were looked up, each of them once."""

    @abstractmethod
    def look_up(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry, from the table."""

    @abstractmethod
    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""

    def wrong(self, fault: str) -> CertificateError:
        """The error for a fault of the table."""
        return CertificateError(f"{self.table.location}: {fault}")

    @property
    def reachable(self) -> bool:
        """Whether the table has only the positions that play can reach."""
        return not self.compiled or bool(self.rules.reachable)

    def orbit(self, position: Any) -> int:
        """The number of positions that share an entry."""
        symmetry = self.compiled and self.table.symmetry
        return int(self.rules.orbit(position)) if symmetry else 1

    def _entry_of(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry."""
        self.looked_up += 1
        if self.looked_up <= 4 * self.sample_size:
            self.met.append(position)
        try:
            label, distance, number = self.look_up(position)
        except UnknownPositionError:
            raise self.wrong(
                f"expected an entry of {self.rules.show(position)}, which play reaches, got none"
            ) from None
        return label, distance, number

    def after(self, position: Any) -> Iterator[tuple[int, int]]:
        """Value and distance after every move, for the player who moves."""
        for option in self.options(position):
            value, distance, _ = self.entry_of(option)
            again = self.owned and self.rules.player(option) == self.rules.player(position)
            yield (value if again else -value), distance

    def reached(self) -> Iterator[Any]:
        """One of the positions that play reaches for each entry."""
        seen = bytearray(self.table.entries)
        waiting = [self.rules.start()]
        seen[self.entry_of(waiting[0])[2]] = 1
        # Invariant: for each marked entry, one of its positions was yielded or is waiting.
        while waiting:
            position = waiting.pop()
            yield position
            for option in self.options(position):
                number = self.entry_of(option)[2]
                if not seen[number]:
                    seen[number] = 1
                    waiting.append(option)

    def playout(self, choose: random.Random) -> list[Any]:
        """A random play from the start, up to some length."""
        line = [self.rules.start()]
        for _ in range(choose.randrange(4, 200)):
            options = self.options(line[-1])
            if not options:
                break
            line.append(choose.choice(options))
        return line

    def check_orbits(self, met: list[Any]) -> None:
        """Compare orbits with the numbers of positions that have the same canonical form.

        In a small game all positions are counted. Their number must be equal to the orbit if all
        symmetries keep the start; otherwise play need not reach all of them, and their number must
        not be greater. An orbit of 0 is not compared.
        """
        if not (self.compiled and self.table.symmetry and self.rules.has("orbit")):
            return
        small = self.table.counts()["positions"] <= self.sample_size
        known: dict[Any, None] = {self.rules.start(): None} if small else dict.fromkeys(met)
        waiting = list(known) if small else []
        while waiting and len(known) <= 2 * self.sample_size:
            for option in self.options(waiting.pop()):
                if option not in known:
                    known[option] = None
                    waiting.append(option)
        groups: dict[Any, int] = {}
        for position in known:
            form = self.rules.canonical(position)
            groups[form] = groups.get(form, 0) + 1
        whole = small and not waiting and self.orbit(self.rules.start()) == 1
        for form, count in groups.items():
            claimed = self.orbit(form)
            if claimed and (claimed < count or (whole and claimed != count)):
                raise self.wrong(
                    f"{self.rules.show(form)}: expected an orbit of {count}, because {count} "
                    f"positions have this canonical form, got {claimed}"
                )

    def end(self, position: Any) -> int:
        """The payoff of the player to move in a position where play is over."""
        outcome = self.rules.outcome(position)
        if outcome not in (None, OPEN):
            return int(outcome) * (-1 if self.turned else 1)
        return self._for_mover(self.stuck[self._mover(position)], position)

    def infinite(self, position: Any) -> int:
        """The payoff of infinite play for the player to move."""
        return self._for_mover(self.infinite_play, position)

    def circle(self, position: Any) -> CertificateError:
        """The error for a position of a table of labels alone whose value is not proved."""
        value, _, _ = self.entry_of(position)
        return self.wrong(
            f"{self.rules.show(position)}: the value {value} is not proved, because the labels "
            "after its moves support one another in a circle and no end of play supports them"
        )

    def _mover(self, position: Any) -> int:
        return int(self.rules.player(position)) if self.owned else 0

    def _for_mover(self, payoff: int, position: Any) -> int:
        return payoff if self._mover(position) == 0 else -payoff
