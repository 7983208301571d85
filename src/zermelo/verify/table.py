"""The checker of solved rules, on disk or in memory: it shares nothing with the solver.

It uses the rules alone, one move ahead.

For a position with value ``v`` and distance ``d``, as the player to move there sees them, and the
values and distances after its moves, seen by the same player:

1. *Where play is over*, ``v`` is what the rules or the objective pay, and ``d`` is 0.
2. *Else* ``v`` is the greatest value after a move, and among the moves that keep it
   - if ``v`` is more than infinite play pays, ``d`` is 1 + the least distance;
   - if it is less, ``d`` is 1 + the greatest;
   - if it is the same, ``d`` is 1 + the least distance that there is, and none if there is none.

Checked at every position, this proves the values. For a value above that of infinite play,
following moves that lessen ``d`` leads to an end that pays it; below, the other player can do so;
and who keeps to moves of at least the value of infinite play is never forced below it. Distances
follow by induction on the least wrong one. On samples it is only a test.

The entries must be those of the whole game: play is followed from the start, which must have an
entry; it reaches all positions that have entries, and no others (where rules ask for all indices
that are positions, these must have entries). What the header counts is counted again.

:func:`suspicion` is the test that a new table has to pass before its file gets its name.
"""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.errors import CertificateError, InvalidOptionError, UnknownPositionError
from zermelo.labels import NO_DISTANCE
from zermelo.rules.compiled import OPEN, CompiledRules
from zermelo.rules.faults import options_of

if TYPE_CHECKING:
    from zermelo.tables.lookups import SolvedRules

PULSE = 256
"""Positions between two reports of progress."""

REMEMBERED = 1 << 18
"""Entries that are remembered."""

LOOKED_UP = 2000
"""Entries that :func:`suspicion` looks up, or a few more: that takes a second at most."""

PLAYOUTS = 50
"""Plays that it follows at most."""

Progress = Callable[[int, int, str], object]


def check_table(
    table: "SolvedRules",
    samples: int | None = None,
    *,
    progress: Progress | None = None,
    seed: int = 0,
) -> int:
    """Check all positions of a table, or ``samples`` of them taken at random; return how many.

    A wrong entry raises :class:`~zermelo.errors.CertificateError`, as does a header that counts
    other entries than there are.
    """
    game = _Game(table)
    game.check(game.start())
    counts = table.counts()
    kinds = sum(counts[name] for name in ("win", "lose", "tie", "draw"))
    if counts["positions"] != kinds or min(counts.values()) < NO_DISTANCE:
        raise game.wrong(
            f"the header counts {counts['positions']:,} positions, but {kinds:,} values of them"
        )
    done, total = 0, len(table) if samples is None else samples
    found = _Counts(game)
    if samples is not None:
        positions = table.sample(samples, seed)
    else:
        positions = game.reached() if game.reachable else (x for x, _, _ in table.kinds())
    for position in positions:
        game.check(position)
        done += 1
        if samples is None:
            found.add(position)
        if progress is not None and done % PULSE == 0:
            progress(done, total, "positions verified")
    if samples is None:
        found.compare(done)
    return done


def suspicion(table: "SolvedRules") -> str | None:
    """Check some positions of a new table: those around the start, some of play, some at random.

    Positions are taken as play comes to them, not in their canonical form, so that a wrong form
    shows as well. Returns what is wrong, None where nothing was found.
    """
    game, choose = _Game(table), random.Random(0)
    try:
        near = game.start(), *game.options(game.start())
        for position in near:
            game.check(position)
        for _ in range(PLAYOUTS):
            for position in game.playout(choose)[-8:]:
                game.check(position)
            if game.looked_up >= LOOKED_UP // 2:
                break
        for position in table.sample(LOOKED_UP // 4):
            game.check(position)
            if options := game.options(position):
                game.check(choose.choice(options))
            if game.looked_up >= LOOKED_UP:
                break
        game.check_orbits(game.met)
    except CertificateError as error:
        return str(error).removeprefix(f"{table.location}: ")
    return None


class _Counts:
    """What the header should say, counted again."""

    def __init__(self, game: "_Game") -> None:
        self.game, self.table = game, game.table
        self.found = dict.fromkeys(self.table.counts(), 0)
        self.found |= {"longest_win": NO_DISTANCE, "longest_lose": NO_DISTANCE}

    def add(self, position: Any) -> None:
        value, distance, _ = self.game.entry_of(position)
        drawn = "tie" if distance != NO_DISTANCE else "draw"
        name = {1: "win", -1: "lose"}.get(value, drawn)
        self.found[name] += (alike := self.game.orbit(position))
        self.found["positions"] += alike
        if value:
            self.found[f"longest_{name}"] = max(self.found[f"longest_{name}"], distance)

    def compare(self, done: int) -> None:
        """Raise where the header or the file has something else than was found."""
        game, table = self.game, self.table
        for name, claimed in table.counts().items():
            if claimed != self.found[name]:
                raise game.wrong(
                    f"the header has {name} {claimed:,}, expected {self.found[name]:,}"
                )
        stored = sum(1 for _ in table.kinds())
        if not done == stored == len(table):
            raise game.wrong(
                f"expected entries of the {done:,} positions of the game, the header says "
                f"{len(table):,}, and the file has {stored:,}"
            )
        if not game.reachable and (absent := table.absent()) is not None:
            raise game.wrong(f"expected an entry of {game.rules.show(absent)}, got none")


class _Game:
    """Rules and objective of a table, as the player to move sees them."""

    def __init__(self, table: "SolvedRules") -> None:
        self.table, self.rules = table, table.rules
        self.compiled = isinstance(table.rules, CompiledRules)
        self.owned = (
            table.rules.has("player")
            if self.compiled
            else table.rules.player(table.rules.start()) is not None
        )
        keyword = table.keyword or "normal"
        if keyword not in _ENDS:
            raise InvalidOptionError(f"{table.location}: tables of {keyword!r} cannot be checked")
        self._stuck, self._infinite = _ENDS[keyword]
        self.entry_of = lru_cache(REMEMBERED)(self._entry_of)
        self.options = lru_cache(16)(self._options)
        self.looked_up = 0
        self.met: list[Any] = []
        """The positions looked up first, each once."""

    def wrong(self, fault: str) -> CertificateError:
        return CertificateError(f"{self.table.location}: {fault}")

    def start(self) -> Any:
        return self.rules.start()

    @property
    def reachable(self) -> bool:
        """Whether the table is of what play can reach."""
        return not self.compiled or bool(self.rules.reachable)

    def orbit(self, position: Any) -> int:
        """How many positions an entry stands for."""
        symmetry = self.compiled and self.table.symmetry
        return int(self.rules.orbit(position)) if symmetry else 1

    def _entry_of(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry."""
        self.looked_up += 1
        if self.looked_up <= 4 * LOOKED_UP:
            self.met.append(position)
        try:
            label, distance, number = self.table.look_up(position)
        except UnknownPositionError:
            raise self.wrong(
                f"expected an entry of {self.rules.show(position)}, which play reaches, got none"
            ) from None
        return label, distance, number

    def _options(self, position: Any) -> list[Any]:
        """What one move leads to."""
        return options_of(self.rules, position)

    def after(self, position: Any) -> Iterator[tuple[int, int]]:
        """Value and distance after every move, for the player who moves."""
        for option in self.options(position):
            value, distance, _ = self.entry_of(option)
            again = self.owned and self.rules.player(option) == self.rules.player(position)
            yield (value if again else -value), distance

    def reached(self) -> Iterator[Any]:
        """All positions that play reaches, one of those that share an entry."""
        seen = bytearray(self.table.entries)
        waiting = [self.start()]
        seen[self.entry_of(waiting[0])[2]] = 1
        # Invariant: a position whose entry is marked has been given, or waits.
        while waiting:
            position = waiting.pop()
            yield position
            for option in self.options(position):
                number = self.entry_of(option)[2]
                if not seen[number]:
                    seen[number] = 1
                    waiting.append(option)

    def playout(self, choose: random.Random) -> list[Any]:
        """Moves at random from the start on, up to some length."""
        line = [self.start()]
        for _ in range(choose.randrange(4, 200)):
            options = self.options(line[-1])
            if not options:
                break
            line.append(choose.choice(options))
        return line

    def check_orbits(self, met: list[Any]) -> None:
        """Compare orbits with how many positions have one canonical form.

        Of a small game all are counted; there are as many as the orbit says if no symmetry moves
        the start, and if one does, play need not reach all of them. Nothing counts where it is 0.
        """
        if not (self.compiled and self.table.symmetry and self.rules.has("orbit")):
            return
        small = self.table.counts()["positions"] <= LOOKED_UP
        known: dict[Any, None] = {self.start(): None} if small else dict.fromkeys(met)
        waiting = list(known) if small else []
        while waiting and len(known) <= 2 * LOOKED_UP:
            for option in self.options(waiting.pop()):
                if option not in known:
                    known[option] = None
                    waiting.append(option)
        groups: dict[Any, int] = {}
        for position in known:
            form = self.rules.canonical(position)
            groups[form] = groups.get(form, 0) + 1
        whole = small and not waiting and self.orbit(self.start()) == 1
        for form, count in groups.items():
            claimed = self.orbit(form)
            if claimed and (claimed < count or (whole and claimed != count)):
                raise self.wrong(
                    f"{self.rules.show(form)}: expected an orbit of {count}, as so many positions "
                    f"have this canonical form, got {claimed}"
                )

    def check(self, position: Any) -> None:
        """Compare the entry of a position with what its moves say."""
        value, distance, _ = self.entry_of(position)
        found = list(self.after(position))
        if not found:
            expected, far = self.end(position), 0
        else:
            expected = max(x for x, _ in found)
            ways = [d for x, d in found if x == expected]
            infinite = self.infinite(position)
            if expected == infinite:
                far = 1 + min((d for d in ways if d != NO_DISTANCE), default=NO_DISTANCE - 1)
            else:
                far = 1 + (min(ways) if expected > infinite else max(ways))
                if NO_DISTANCE in ways:
                    raise self.wrong(
                        f"{self.rules.show(position)}: a move keeps a forced value without a "
                        "distance"
                    )
        if (value, distance) != (expected, far):
            raise self.wrong(
                f"{self.rules.show(position)}: expected value {expected} and distance {far}, as "
                f"its moves say, the table has {value} and {distance}"
            )

    def end(self, position: Any) -> int:
        """What the player to move gets where play is over."""
        found = self.rules.outcome(position)
        if found not in (None, OPEN):
            return int(found) * (-1 if self._stuck == (1, -1) else 1)
        return self._mine(self._stuck[self._mover(position)], position)

    def infinite(self, position: Any) -> int:
        """What infinite play pays the player to move."""
        return self._mine(self._infinite, position)

    def _mover(self, position: Any) -> int:
        return int(self.rules.player(position)) if self.owned else 0

    def _mine(self, payoff: int, position: Any) -> int:
        return payoff if self._mover(position) == 0 else -payoff


_ENDS = {
    "normal": ((-1, 1), 0),
    "misere": ((1, -1), 0),
    "asymmetric": ((0, 1), -1),
    "g0": ((-1, 1), -1),
    "g1": ((-1, 1), 1),
    "h1": ((1, 1), -1),
}
"""What player 0 gets if player 0 or player 1 is stuck, and from infinite play."""
