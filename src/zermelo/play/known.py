"""Solve a game to play it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame

MAX_POSITIONS = 30_000_000
"""A game with more positions than this is played only with a table, unless a caller says more."""

ADVICE = "build a table of it first (zermelo build GAME -o FILE), then play with --table FILE"


def solve_to_play(
    rules: Any, progress: Any, start: Any = None, *, most: int | None = None, advice: str = ADVICE
) -> "SolvedGame":
    """Solve a game in memory if it has at most ``most`` positions.

    ``advice`` is what the error for a larger game ends with. Play may start at ``start``.

    >>> from zermelo.rules.loading.games import game
    >>> solve_to_play(game("nim:1,2"), lambda done, total, stage: None).look_up((1, 2))[:2]
    (1, 3)
    """
    from zermelo.errors import LimitError
    from zermelo.rules.compiled import CompiledRules
    from zermelo.rules.partizan.base import Turns
    from zermelo.rules.partizan.grid import GridTurns
    from zermelo.tables.building.build import require_true
    from zermelo.tables.solving.solve import solve_rules

    largest = MAX_POSITIONS if most is None else most

    def watched(done: int, total: int, what: str) -> None:
        if total > largest:
            raise LimitError(f"the game has more than {largest:,} positions; {advice}")
        progress(done, total, what)

    watched(0, rules.size if isinstance(rules, CompiledRules) else 0, "solving")
    symmetry = isinstance(rules, CompiledRules)
    solved = solve_rules(rules, symmetry=symmetry, progress=watched)
    if start is not None and isinstance(rules, Turns | GridTurns) and solved.place(start) < 0:
        # The positions reached from the usual start do not include this one with this turn.
        solved = solve_rules(_from(rules, start), symmetry=symmetry, progress=watched)
    require_true(solved, watched)
    watched(len(solved), len(solved), "solved")
    return solved


def _from(rules: Any, position: Any) -> Any:
    """The same game with another start."""
    kind = type(rules)
    made: Any = object.__new__(type(kind.__name__, (kind,), {"start": lambda self: position}))
    made.__dict__.update(rules.__dict__)
    return made
