"""A game in progress: its positions, the names and values of moves, and the player to move."""

from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.cli.rules import aside

LARGEST = 30_000_000
"""A game with more positions than this is played only with a table."""


class Known(Protocol):
    """A source of the values of positions."""

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance, as the player to move sees them."""


class Solved:
    """Values from a game solved in memory."""

    def __init__(self, rules: Any, progress: Any, start: Any = None) -> None:
        from zermelo.errors import LimitError
        from zermelo.rules.compiled import CompiledRules
        from zermelo.rules.partizan.base import Turns
        from zermelo.rules.partizan.grid import GridTurns
        from zermelo.tables.solve import solve_rules

        def watched(done: int, total: int, what: str) -> None:
            if total > LARGEST:
                raise LimitError(
                    f"the game has more than {LARGEST:,} positions; build a table of it first "
                    "(zermelo build GAME -o FILE), then play with --table FILE"
                )
            progress(done, total, what)

        watched(0, rules.size if isinstance(rules, CompiledRules) else 0, "solving")
        symmetry = isinstance(rules, CompiledRules)
        self._solved = solve_rules(rules, symmetry=symmetry, progress=watched)
        partizan = isinstance(rules, Turns | GridTurns)
        if start is not None and partizan and self._solved.place(start) < 0:
            # The positions reached from the usual start do not include this one with this turn.
            self._solved = solve_rules(_from(rules, start), symmetry=symmetry, progress=watched)

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance."""
        label, distance, _ = self._solved.look_up(position)
        return label, distance


def _from(rules: Any, position: Any) -> Any:
    """The same game with another start."""
    kind = type(rules)
    made: Any = object.__new__(type(kind.__name__, (kind,), {"start": lambda self: position}))
    made.__dict__.update(rules.__dict__)
    return made


class Tabled:
    """Values from a table on disk."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance."""
        label, distance, _ = self._table.look_up(position)
        return label, distance


@dataclass(frozen=True)
class Option:
    """A move: the position it leads to, its name, and its value for the player who makes it."""

    position: Any
    name: str
    label: int
    distance: int

    @property
    def worth(self) -> str:
        """The value as a phrase."""
        return worth(self.label, self.distance)


def worth(label: int, distance: int) -> str:
    """A value as a phrase.

    >>> worth(1, 5), worth(0, 3), worth(0, -1)
    ('wins in 5', 'ties in 3', 'draws')
    """
    verb = {1: "wins", -1: "loses", 0: "draws" if distance < 0 else "ties"}[label]
    return verb if distance < 0 else f"{verb} in {distance}"


class Match:
    """A play that starts at a position; ``path`` holds the positions so far."""

    def __init__(self, rules: Any, known: Known, start: Any) -> None:
        self.rules, self.known = rules, known
        self.path = [start]

    @property
    def here(self) -> Any:
        """The current position."""
        return self.path[-1]

    def second(self, position: Any, ply: int) -> bool:
        """Whether the second player is to move."""
        from zermelo.rules.compiled import CompiledRules

        rules = self.rules
        if isinstance(rules, CompiledRules) and rules.has("player"):
            return bool(rules.player(position))
        if callable(getattr(rules, "turn", None)) and not getattr(rules, "relative", False):
            return bool(rules.turn(position))
        return ply % 2 == 1

    @property
    def second_moves(self) -> bool:
        """Whether the second player is to move now."""
        return self.second(self.here, len(self.path) - 1)

    def side(self, second: bool) -> str:
        """The name of a player."""
        letters = getattr(self.rules, "sides", None)
        name = ("first", "second")[second]
        return f"{letters[second]} ({name})" if isinstance(letters, str) else name

    @aside
    def picture(self) -> str:
        """The current position as lines of text."""
        diagram = getattr(self.rules, "diagram", None)
        if callable(diagram):
            return str(diagram(self.here, self.second_moves))
        return str(self.rules.show(self.here))

    @aside
    def options(self) -> list[Option]:
        """The moves from the current position."""
        here, second = self.here, self.second_moves
        found = []
        for x in followers(self.rules, here):
            label, distance = self.known.value(x)
            sign = 1 if self.second(x, len(self.path)) == second else -1
            after = distance if distance < 0 else distance + 1
            found.append(Option(x, self.move_name(x), sign * label, after))
        return found

    def move_name(self, option: Any) -> str:
        """The name of the move to a position."""
        describe = getattr(self.rules, "describe", None)
        if callable(describe):
            return str(describe(self.here, option, self.second_moves))
        return str(self.rules.show(option))

    @aside
    def best(self, options: list[Option]) -> list[Option]:
        """The moves that keep the value and, if there is a distance, reduce it by one."""
        value = self.known.value(self.here)
        return [x for x in options if (x.label, x.distance) == value] or options

    def times_here(self) -> int:
        """How often the current position has occurred."""
        return self.path.count(self.here)


def followers(rules: Any, position: Any) -> list[Any]:
    """The positions after one move, for plain and for compiled rules."""
    from zermelo.rules.faults import options_of

    return options_of(rules, position)
