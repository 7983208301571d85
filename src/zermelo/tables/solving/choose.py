"""A graph or a table in memory: the choice for a game that is given by rules.

A graph has all that a :class:`~zermelo.Solution` offers, but stores every move. So a game with more
than ``GRAPH_POSITIONS`` positions is solved as :func:`~zermelo.build` does it, without storing
moves and once for all positions that symmetries make one, where its rules allow that.
"""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zermelo.errors import LimitError
from zermelo.game import Game
from zermelo.objectives import Misere, NormalPlay, Objective, TerminalPayoff
from zermelo.registry.engines import EngineRow
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.explore import explore
from zermelo.rules.faults import admit, blaming
from zermelo.tables.building.build import require_true
from zermelo.tables.solved import SolvedGame
from zermelo.tables.solving.solve import asked_objective, solve_rules
from zermelo.tables.storage.save import header_of

Progress = Callable[[int, int, str], object]

GRAPH_POSITIONS = 1 << 18
"""A game with more positions than this is solved in a table."""


def explored_if_small(
    rules: Any, objective: Objective | None = None, progress: Progress | None = None
) -> Game | None:
    """The graph of a game; None where the game is better solved in a table.

    >>> import zermelo as zm
    >>> explored_if_small(zm.game("nim:1,2")).graph.n
    5
    """
    if not has_table(rules, objective):
        return explore(rules, progress=progress)
    if not rules.reachable and rules.size > GRAPH_POSITIONS:
        return None
    try:
        return explore(rules, limit=GRAPH_POSITIONS, progress=progress)
    except LimitError:
        return None


def has_table(rules: Any, objective: Objective | None = None) -> bool:
    """Whether waves without stored moves solve these rules and give what the graph would give.

    On a graph, an objective that is asked for decides the value of every end; in a table it decides
    only the value of ends for which the rules have no outcome.

    >>> import zermelo as zm
    >>> connect4 = zm.game("connect4:4x4")
    >>> has_table(connect4), has_table(connect4, zm.Misere()), has_table(zm.game("nim:1,2"))
    (True, False, False)
    """
    if not isinstance(rules, CompiledRules):
        return False
    own = rules.objective()
    if objective is None:
        return isinstance(own, NormalPlay | Misere | TerminalPayoff)
    return isinstance(objective, NormalPlay | Misere) and not rules.has("outcome")


def solve_in_memory(
    rules: Any,
    objective: Objective | None = None,
    start: Any = None,
    progress: Progress | None = None,
) -> SolvedGame:
    """Solve compiled rules in a table in memory; ``start`` is the position that is asked about.

    >>> import zermelo as zm
    >>> solve_in_memory(zm.game("tictactoe"))
    SolvedGame(tictactoe: 2,836 win, 1,574 lose, 1,068 tie)
    """
    return _starting(solve_rules(rules, objective, progress=progress), start, progress)


def solve_on_engine(
    rules: Any,
    objective: Objective | None,
    start: Any,
    progress: Progress | None,
    engine: EngineRow,
    options: Mapping[str, Any],
) -> SolvedGame:
    """Solve compiled rules on another engine, which finds the positions, too.

    The entries of all positions, of four bytes each, have to fit into memory in the end.

    >>> import zermelo as zm
    >>> from zermelo.registry.engines import ENGINES
    >>> solve_on_engine(zm.game("tictactoe"), None, None, None, ENGINES["disk"], {"partitions": 2})
    SolvedGame(tictactoe: 2,836 win, 1,574 lose, 1,068 tie)
    """
    make = engine.load_tables()
    with blaming(rules):
        admit(rules)
        header = header_of(rules, asked_objective(rules, objective), True)
        place = Path(tempfile.gettempdir()) / "table.zt"  # files are beside it without a workdir
        with make(rules, objective, True, header, place, progress, **options) as job:
            solved: SolvedGame = job.solved()
    return _starting(solved, start, progress)


def _starting(solved: SolvedGame, start: Any, progress: Progress | None) -> SolvedGame:
    """The solved game, checked, with the position that is asked about."""
    rules = solved.rules
    require_true(solved, progress)
    with blaming(rules):
        first = rules.start() if start is None else start
    solved.at(first)  # a start that play cannot reach is an error
    object.__setattr__(solved, "start", first)
    return solved
