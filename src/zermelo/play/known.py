"""Where the values of positions come from: a game solved in memory, or a table."""

from typing import Any, Protocol

LARGEST = 30_000_000
"""A game with more positions than this is played only with a table, unless a caller says more."""

ADVICE = "build a table of it first (zermelo build GAME -o FILE), then play with --table FILE"


class Known(Protocol):
    """A source of the values of positions."""

    @property
    def conversion(self) -> bool:
        """Whether distances are those to conversion."""

    def converts(self, position: Any, option: Any) -> bool:
        """Whether a move is a conversion, after which the distance begins anew."""

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance, as the player to move sees them."""

    def is_agreed(self, position: Any, label: int) -> bool:
        """Whether nobody forces an end from a position with this label."""


class Solved:
    """Values from a game solved in memory, if it has at most ``most`` positions.

    ``advice`` is what the error for a larger game ends with.

    >>> from zermelo.rules.loading.games import game
    >>> Solved(game("nim:1,2"), lambda done, total, stage: None).value((1, 2))
    (1, 3)
    """

    def __init__(
        self, rules: Any, progress: Any, start: Any = None, *, most: int | None = None,
        advice: str = ADVICE,
    ) -> None:  # fmt: skip
        from zermelo.errors import LimitError
        from zermelo.rules.compiled import CompiledRules
        from zermelo.rules.partizan.base import Turns
        from zermelo.rules.partizan.grid import GridTurns
        from zermelo.tables.building.build import require_true
        from zermelo.tables.solving.solve import solve_rules

        largest = LARGEST if most is None else most

        def watched(done: int, total: int, what: str) -> None:
            if total > largest:
                raise LimitError(f"the game has more than {largest:,} positions; {advice}")
            progress(done, total, what)

        watched(0, rules.size if isinstance(rules, CompiledRules) else 0, "solving")
        symmetry = isinstance(rules, CompiledRules)
        self.solved = solve_rules(rules, symmetry=symmetry, progress=watched)
        partizan = isinstance(rules, Turns | GridTurns)
        if start is not None and partizan and self.solved.place(start) < 0:
            # The positions reached from the usual start do not include this one with this turn.
            self.solved = solve_rules(_from(rules, start), symmetry=symmetry, progress=watched)
        require_true(self.solved, watched)
        watched(len(self.solved), len(self.solved), "solved")

    conversion = False

    def converts(self, position: Any, option: Any) -> bool:
        """No: distances lead to the end of play."""
        return False

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance."""
        label, distance, _ = self.solved.look_up(position)
        return label, distance

    def is_agreed(self, position: Any, label: int) -> bool:
        """Whether nobody forces an end from a position with this label."""
        return self.solved.is_agreed(position, label)


def _from(rules: Any, position: Any) -> Any:
    """The same game with another start."""
    kind = type(rules)
    made: Any = object.__new__(type(kind.__name__, (kind,), {"start": lambda self: position}))
    made.__dict__.update(rules.__dict__)
    return made


class Tabled:
    """Values from a table on disk.

    >>> import tempfile, zermelo as zm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with zm.build("nim:1,2", f"{folder}/nim.zt") as table:
    ...         Tabled(table).value((1, 2))
    (1, 3)
    """

    def __init__(self, table: Any) -> None:
        self.solved = table

    @property
    def conversion(self) -> bool:
        """Whether distances are those to conversion."""
        return bool(self.solved.distances == "conversion")

    def converts(self, position: Any, option: Any) -> bool:
        """Whether a move is a conversion, after which the distance begins anew."""
        return bool(self.solved.converts(position, option))

    def value(self, position: Any) -> tuple[int, int]:
        """Label and distance."""
        label, distance, _ = self.solved.look_up(position)
        return label, distance

    def is_agreed(self, position: Any, label: int) -> bool:
        """Whether nobody forces an end from a position with this label."""
        return bool(self.solved.is_agreed(position, label))
