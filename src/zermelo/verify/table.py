"""The checker of tables: the rules, one move ahead, and nothing of the solver's.

For a position with value ``v`` and distance ``d``, as the player to move there sees them, and the
values and distances after its moves, seen by the same player:

1. *Where play is over*, ``v`` is what the rules or the objective pay, and ``d`` is 0.
2. *Else* ``v`` is the greatest value after a move, and among the moves that keep it
   - if ``v`` is more than infinite play pays, ``d`` is 1 + the least distance;
   - if it is less, ``d`` is 1 + the greatest;
   - if it is the same, ``d`` is 1 + the least distance that there is, and none if there is none.

Checked at every position, this proves the table. For a value above that of infinite play, following
moves that lessen ``d`` leads to an end that pays it; below, the other player can do so; and who
keeps to moves of at least the value of infinite play is never forced below it. Distances follow by
induction on the least wrong one. On samples it is a test.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.labels import NO_DISTANCE
from zermelo.rules.compiled import OPEN, CompiledRules

if TYPE_CHECKING:
    from zermelo.tables.table import Table

PULSE = 256
"""Positions between two signs of life."""

REMEMBERED = 1 << 18
"""Entries that are not asked for again."""

Progress = Callable[[int, int, str], object]


def check_table(
    table: "Table", samples: int | None = None, *, progress: Progress | None = None, seed: int = 0
) -> int:
    """Check all positions of a table, or ``samples`` of them taken at random; return how many.

    A wrong entry raises :class:`~zermelo.errors.CertificateError`.
    """
    game = _Game(table)
    done, total = 0, len(table) if samples is None else samples
    positions = (x.position for x in table) if samples is None else table.sample(samples, seed)
    for position in positions:
        _check(game, position)
        done += 1
        if progress is not None and done % PULSE == 0:
            progress(done, total, "positions verified")
    if samples is None and done != total:
        raise CertificateError(f"{table.path}: expected {total:,} positions, it has {done:,}")
    return done


def _check(game: "_Game", position: Any) -> None:
    value, distance = game.table_says(position)
    found = list(game.after(position))
    if not found:
        expected, far = game.end(position), 0
    else:
        expected = max(x for x, _ in found)
        roads = [d for x, d in found if x == expected]
        infinite = game.infinite(position)
        if expected == infinite:
            far = 1 + min((d for d in roads if d != NO_DISTANCE), default=NO_DISTANCE - 1)
        else:
            far = 1 + (min(roads) if expected > infinite else max(roads))
            if NO_DISTANCE in roads:
                raise CertificateError(
                    f"{game.name(position)}: a move keeps a forced value without a distance"
                )
    if (value, distance) != (expected, far):
        raise CertificateError(
            f"{game.name(position)}: expected value {expected} and distance {far}, as its moves "
            f"say, the table has {value} and {distance}"
        )


class _Game:
    """Rules and objective of a table, as the player to move sees them."""

    def __init__(self, table: "Table") -> None:
        self.table, self.rules = table, table.rules
        self.compiled = isinstance(table.rules, CompiledRules)
        self.owned = self.compiled and table.rules.has("player")
        keyword = table.header["objective"] or "normal"
        if keyword not in _ENDS:
            raise InvalidOptionError(f"{table.path}: tables of {keyword!r} cannot be checked")
        self._stuck, self._infinite = _ENDS[keyword]
        self.table_says = lru_cache(REMEMBERED)(self._table_says)

    def name(self, position: Any) -> str:
        return f"{self.table.path}: {self.rules.show(position)}"

    def _table_says(self, position: Any) -> tuple[int, int]:
        found = self.table.probe(position)
        return int(found.label), found.distance

    def after(self, position: Any) -> Iterator[tuple[int, int]]:
        """Value and distance after every move, for the player who moves."""
        if self.compiled:
            options = self.rules.options(position)
        else:
            over = self.rules.outcome(position) is not None
            options = [] if over else self.rules.moves(position)
        for option in options:
            value, distance = self.table_says(option)
            again = self.owned and self.rules.player(option) == self.rules.player(position)
            yield (value if again else -value), distance

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
