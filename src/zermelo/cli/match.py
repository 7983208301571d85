"""A game in progress: its positions, the names and values of moves, and the player to move."""

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.cli.board import board_text
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
    """A move: the position it leads to, its names, its value to the player who makes it."""

    position: Any
    names: tuple[str, ...]
    label: int
    distance: int
    worth: str

    @property
    def name(self) -> str:
        """The usual name."""
        return self.names[0]

    @property
    def spelled(self) -> str:
        """All names."""
        from zermelo.tables.notated import spelled

        return spelled(self.names)


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
        from zermelo.rules.notation import second_moves  # it imports NumPy

        return second_moves(self.rules, position, ply)

    @property
    def second_moves(self) -> bool:
        """Whether the second player is to move now."""
        return self.second(self.here, len(self.path) - 1)

    def side(self, second: bool) -> str:
        """The name of a player."""
        letters, name = getattr(self.rules, "sides", None), self.rules.side_names[second]
        return f"{letters[second]} ({name})" if isinstance(letters, str) else name

    def picture(self) -> str:
        """The current position as lines of text, for standard output as it is now."""
        out = sys.stdout
        with redirect_stdout(sys.stderr):
            return board_text(self.rules, self.here, self.second_moves, out)

    @aside
    def options(self) -> list[Option]:
        """The moves from the current position."""
        here, second = self.here, self.second_moves
        found = []
        for x in followers(self.rules, here):
            label, distance = self.known.value(x)
            sign = 1 if self.second(x, len(self.path)) == second else -1
            after = distance if distance < 0 else distance + 1
            names = self.rules.move_names(here, x, second)
            worth = str(self.rules.verdict(here, sign * label, after))
            found.append(Option(x, names, sign * label, after, worth))
        return found

    @aside
    def read(self, text: str) -> Any:
        """The position after the move with this name; an error says why there is none."""
        return self.rules.parse_move(self.here, text, self.second_moves)

    @aside
    def value_in_words(self) -> str:
        """The value of the current position."""
        label, distance = self.known.value(self.here)
        return str(self.rules.verdict(self.here, label, distance))

    @aside
    def best(self, options: list[Option]) -> list[Option]:
        """The moves that keep the value and, if there is a distance, reduce it by one."""
        value = self.known.value(self.here)
        return [x for x in options if (x.label, x.distance) == value] or options

    @aside
    def line(self) -> str:
        """The moves so far, as the rules write a line of play."""
        return str(self.rules.write_line(self.path))

    def times_here(self) -> int:
        """How often the current position has occurred."""
        return self.path.count(self.here)


def followers(rules: Any, position: Any) -> list[Any]:
    """The positions after one move, for plain and for compiled rules."""
    from zermelo.rules.faults import options_of

    return options_of(rules, position)
