"""The checker of solved rules, on disk or in memory: it shares no code with the solver.

It uses only the rules, and looks one move ahead. Let a position have value ``v`` and distance
``d``, for the player to move there; values after its moves are for the same player, too. This is
checked:

1. *If play is over*, ``v`` is the payoff of the rules or of the objective, and ``d`` is 0.
2. *Otherwise* ``v`` is the greatest value after a move. Consider the moves that keep this value.
   - If ``v`` is greater than the payoff of infinite play, ``d`` is 1 + their least distance.
   - If it is less, ``d`` is 1 + their greatest distance.
   - If it is equal, ``d`` is 1 + the least distance of those moves that lead to a distance; there
     is no distance if there is no such move.

If this holds at every position, the values are right. For a value above that of infinite play, the
player to move reaches an end that pays it by moves that decrease ``d``. For a value below, the
opponent can do the same. A player who chooses only moves with at least the value of infinite play
is never forced below it. Distances are right by induction on the least wrong one. If only samples
are checked, this is a test and no proof.

A table of *labels alone* has no distances. Its values are compared with those after the moves in
the same way. That is no proof where play may come back to a position: won and lost positions may
support one another in a circle. So the checker finds for itself an order in which the values that
are not those of infinite play, and the ties, follow from the ends: by one move that keeps the value
where ``d`` would be 1 + a least distance, by all of them where it would be 1 + the greatest.

A table with *distances to conversion* is checked like one of labels alone, and then its distances
are compared with those after the moves, see :mod:`zermelo.verify.tables.conversion`.

The entries must be those of the whole game. The start must have an entry, and the positions that
play reaches from it must be exactly those with entries. (If rules ask for all indices that are
positions, these must have entries.) The numbers in the header are counted again.

Where rules move sets of positions, the same statements are proved for sets, see
:mod:`zermelo.verify.tables.sets`.

Before the temporary file of a new table is renamed, it has to pass the test :func:`suspicion`, and
a table of a user's own rules is checked whole.
"""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zermelo.errors import CertificateError, InvalidOptionError, UnknownPositionError
from zermelo.labels import NO_DISTANCE
from zermelo.rules.compiled import OPEN, CompiledRules
from zermelo.rules.faults import options_of
from zermelo.verify.tables.compiled import Examination, examine_table
from zermelo.verify.tables.conversion import ConversionExamination

if TYPE_CHECKING:
    from zermelo.tables.probing.lookups import SolvedRules

PULSE = 256
"""Positions between two reports of progress."""

REMEMBERED = 1 << 18
"""Entries that are remembered."""

LOOKED_UP = 2000
"""About the number of entries that :func:`suspicion` looks up; that takes a second at most."""

PLAYOUTS = 50
"""The largest number of plays that :func:`suspicion` follows."""

Progress = Callable[[int, int, str], object]


def check_table(
    table: "SolvedRules",
    samples: int | None = None,
    *,
    progress: Progress | None = None,
    seed: int = 0,
) -> int:
    """Check all positions of a table, or ``samples`` random ones; return the number of positions.

    A wrong entry raises :class:`~zermelo.errors.CertificateError`, and so does a wrong number in
    the header.
    """
    game = game_of(table)
    game.check(game.start())
    counts = table.counts()
    kinds = sum(counts[name] for name in ("win", "lose", "tie", "draw"))
    if counts["positions"] != kinds or min(counts.values()) < NO_DISTANCE:
        raise game.wrong(
            f"the header counts {counts['positions']:,} positions, but {kinds:,} values of them"
        )
    if samples is None and game.compiled:
        examination = examine_table(game, progress)
        _compare(game, examination.counts, examination.examined, examination.stored)
        return examination.examined
    done, total = 0, len(table) if samples is None else samples
    counted = _Counts(game)
    positions = game.reached() if samples is None else table.sample(samples, seed)
    for position in positions:
        game.check(position)
        done += 1
        if samples is None:
            counted.add(position)
        if progress is not None and done % PULSE == 0:
            progress(done, total, "positions verified")
    if samples is None:
        _compare(game, counted.counted, done, sum(1 for _ in table.kinds()))
        game.prove()
    return done


def suspicion(
    table: "SolvedRules", *, whole: bool = False, progress: Progress | None = None
) -> str | None:
    """Check some positions of a new table: near the start, of random plays, and random entries.

    Positions of plays are not replaced by their canonical forms, so that a wrong form is noticed,
    too. If ``whole``, all positions are checked then. The result says what is wrong; it is None if
    no mistake was found.
    """
    game, choose = game_of(table), random.Random(0)
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
        if whole:
            check_table(table, progress=progress)
    except CertificateError as error:
        return str(error).removeprefix(f"{table.location}: ")
    return None


class _Counts:
    """The numbers of the header, counted again."""

    def __init__(self, game: "Game") -> None:
        self.game, self.table = game, game.table
        self.counted = dict.fromkeys(self.table.counts(), 0)
        if self.table.has_distances:
            self.counted |= {"longest_win": NO_DISTANCE, "longest_lose": NO_DISTANCE}

    def add(self, position: Any) -> None:
        value, distance, _ = self.game.entry_of(position)
        drawn = "tie" if distance != NO_DISTANCE else "draw"
        name = {1: "win", -1: "lose"}.get(value, drawn)
        orbit = self.game.orbit(position)
        self.counted[name] += orbit
        self.counted["positions"] += orbit
        if value and self.table.has_distances:
            self.counted[f"longest_{name}"] = max(self.counted[f"longest_{name}"], distance)


def _compare(game: "Game", counted: dict[str, int], done: int, stored: int) -> None:
    """Raise an error if the header or the file has other numbers than those counted."""
    table = game.table
    for name, claimed in table.counts().items():
        if claimed != counted[name]:
            raise game.wrong(f"the header has {name} {claimed:,}, expected {counted[name]:,}")
    if not done == stored == len(table):
        raise game.wrong(
            f"expected {done:,} entries, one for each position of the game; the header claims "
            f"{len(table):,}, and the file has {stored:,}"
        )


class Game:
    """Rules and objective of a table, with all values for the player to move."""

    alone = False
    """Whether labels are proved without distances."""
    examination: type[Examination] = Examination
    """The check of all entries of compiled rules."""

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
        self.stuck, self.infinite_play = _ENDS[keyword]
        self.turned = self.stuck == (1, -1)
        self.entry_of = lru_cache(REMEMBERED)(self._entry_of)
        self.options = lru_cache(16)(self._options)
        self.looked_up = 0
        self.met: list[Any] = []
        """The first positions that were looked up, each of them once."""

    def wrong(self, fault: str) -> CertificateError:
        """The error for a fault of the table."""
        return CertificateError(f"{self.table.location}: {fault}")

    def start(self) -> Any:
        """The position in which play starts."""
        return self.rules.start()

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
        if self.looked_up <= 4 * LOOKED_UP:
            self.met.append(position)
        try:
            label, distance, number = self.look_up(position)
        except UnknownPositionError:
            raise self.wrong(
                f"expected an entry of {self.rules.show(position)}, which play reaches, got none"
            ) from None
        return label, distance, number

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry, from the table."""
        return self.table.look_up(position)

    def _options(self, position: Any) -> list[Any]:
        """The positions after one move."""
        return options_of(self.rules, position)

    def after(self, position: Any) -> Iterator[tuple[int, int]]:
        """Value and distance after every move, for the player who moves."""
        for option in self.options(position):
            value, distance, _ = self.entry_of(option)
            again = self.owned and self.rules.player(option) == self.rules.player(position)
            yield (value if again else -value), distance

    def reached(self) -> Iterator[Any]:
        """One of the positions that play reaches for each entry."""
        seen = bytearray(self.table.entries)
        waiting = [self.start()]
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
        line = [self.start()]
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
                    f"{self.rules.show(form)}: expected an orbit of {count}, because {count} "
                    f"positions have this canonical form, got {claimed}"
                )

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        value, distance, _ = self.entry_of(position)
        after = list(self.after(position))
        if not after:
            best, expected = self.end(position), 0
        else:
            best = max(x for x, _ in after)
            distances = [d for x, d in after if x == best]
            infinite = self.infinite(position)
            if best == infinite:
                known = (d for d in distances if d != NO_DISTANCE)
                expected = 1 + min(known, default=NO_DISTANCE - 1)
            else:
                expected = 1 + (min(distances) if best > infinite else max(distances))
                if NO_DISTANCE in distances:
                    raise self.wrong(
                        f"{self.rules.show(position)}: a move keeps a forced value without a "
                        "distance"
                    )
        if (value, distance) != (best, expected):
            raise self.wrong(
                f"{self.rules.show(position)}: expected value {best} and distance {expected}, by "
                f"the entries after its moves; the table has {value} and {distance}"
            )

    def prove(self) -> None:
        """Prove what does not follow from single entries; distances leave nothing to prove."""

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


class LabelGame(Game):
    """The same for a table of labels alone; the distance of a tie is 0 here, others have none."""

    alone = True

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry, from the table."""
        value, tied, number = self.table.look_up_label(position)
        return value, 0 if tied else NO_DISTANCE, number

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        value, distance, _ = self.entry_of(position)
        after = list(self.after(position))
        best = max(x for x, _ in after) if after else self.end(position)
        tied = best == 0 and (not after or self.infinite(position) != 0 or (0, 0) in after)
        if (value, distance == 0) != (best, tied):
            names = {True: ", a tie", False: ""}
            raise self.wrong(
                f"{self.rules.show(position)}: expected value {best}{names[tied]}, by the entries "
                f"after its moves; the table has {value}{names[distance == 0]}"
            )

    def prove(self) -> None:
        """Find an order in which the values follow from the ends of play."""
        left: dict[int, int] = {}
        before: dict[int, list[int]] = {}
        ended, shown = [], {}
        for position in self.reached():
            value, distance, number = self.entry_of(position)
            infinite = self.infinite(position)
            if value == infinite and distance == NO_DISTANCE:
                continue
            shown[number], options = position, self.options(position)
            kept = [
                o for o, (x, _) in zip(options, self.after(position), strict=True) if x == value
            ]
            left[number] = len(kept) if value < infinite else 1
            for option in kept:
                before.setdefault(self.entry_of(option)[2], []).append(number)
            if not options:
                ended.append(number)
        # Invariant: what was taken from ``ended`` is proved, and ``left`` counts the further moves
        # that must lead to something proved.
        proved = set(ended)
        while ended:
            for number in before.get(ended.pop(), ()):
                left[number] -= 1
                if left[number] <= 0 and number not in proved:
                    proved.add(number)
                    ended.append(number)
        for number, position in shown.items():
            if number not in proved:
                raise self.circle(position)


class ConversionGame(LabelGame):
    """The same for a table with distances to conversion, of compiled rules."""

    examination = ConversionExamination

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        super().check(position)
        value, _, _ = self.entry_of(position)
        options, distance = self.options(position), self.table.look_up(position)[1]
        expected = 0 if value else NO_DISTANCE
        if value and options:
            numbers = [
                0 if self.converts(position, option) else self.table.look_up(option)[1]
                for option, (x, _) in zip(options, self.after(position), strict=True)
                if x == value
            ]
            expected = 1 + (min(numbers) if value > 0 else max(numbers))
        if distance != expected:
            raise self.wrong(
                f"{self.rules.show(position)}: expected a distance of {expected} to conversion, by "
                f"the entries after its moves; the table has {distance}"
            )

    def converts(self, position: Any, option: Any) -> bool:
        """Whether a move is a conversion, by the rules."""
        if self.rules.has("converts"):
            return bool(self.rules.converts(position, option))
        return bool(self.rules.tier(position) != self.rules.tier(option))


def game_of(table: "SolvedRules") -> Game:
    """The rules and the objective of a table, with the distances that it has."""
    kinds: dict[bool | str, type[Game]] = {True: Game, False: LabelGame}
    return kinds.get(table.distances, ConversionGame)(table)


_ENDS = {
    "normal": ((-1, 1), 0),
    "misere": ((1, -1), 0),
    "asymmetric": ((0, 1), -1),
    "g0": ((-1, 1), -1),
    "g1": ((-1, 1), 1),
    "h1": ((1, 1), -1),
}
"""The payoffs of player 0: if player 0 or player 1 is stuck, and for infinite play."""
