"""With a graph or without: the choice for a game that is given by rules.

A graph has all that a :class:`~zermelo.Solution` offers, but stores every move. So a game with more
than ``MAX_GRAPH_POSITIONS`` positions is solved as :func:`~zermelo.build` does it, without storing
moves and once for all positions that symmetries make one, where its rules allow that.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zermelo._runtime.progress import Report
from zermelo.errors import LimitError
from zermelo.game import Game
from zermelo.objectives import Misere, NormalPlay, Objective, TerminalPayoff
from zermelo.registry.engines import EngineRow
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.explore import explore
from zermelo.rules.faults import admit, blaming
from zermelo.tables.building.build import require_true
from zermelo.tables.solved import MAX_GRAPH_POSITIONS, SolvedGame
from zermelo.tables.solving.solve import asked_objective, solve_rules
from zermelo.tables.storage.save import header_of


def explored_if_small(
    rules: Any, objective: Objective | None = None, progress: Report | None = None
) -> Game | None:
    """The graph of a game; None where the game is better solved in a table.

    >>> import zermelo as zm
    >>> explored_if_small(zm.game("nim:1,2")).graph.n
    5
    """
    if not has_table(rules, objective):
        return explore(rules, progress=progress)
    if not rules.reachable and rules.size > MAX_GRAPH_POSITIONS:
        return None
    try:
        return explore(rules, limit=MAX_GRAPH_POSITIONS, progress=progress)
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


def solve_in_table(
    rules: Any,
    objective: Objective | None,
    start: Any,
    progress: Report | None,
    engine: EngineRow,
    options: Mapping[str, Any],
) -> SolvedGame:
    """Solve compiled rules without a graph; ``start`` is the position that is asked about.

    Another engine than the memory finds the positions, too. The entries of all positions, of at
    most four bytes each, have to fit into memory in the end.

    >>> import zermelo as zm
    >>> from zermelo.registry.engines import ENGINES
    >>> solve_in_table(zm.game("tictactoe"), None, None, None, ENGINES["disk"], {"partitions": 2})
    SolvedGame(tictactoe: 2,836 win, 1,574 lose, 1,068 tie)
    """
    if not engine.tables:
        return _starting(solve_rules(rules, objective, progress=progress), start, progress)
    make = engine.load_tables()
    with blaming(rules):
        admit(rules)
        header = header_of(rules, asked_objective(rules, objective), True)
        place = Path(tempfile.gettempdir()) / "table.zt"  # files are beside it without a workdir
        with make(rules, objective, True, header, place, progress, **options) as job:
            solved: SolvedGame = job.solved()
    return _starting(solved, start, progress)


def _starting(solved: SolvedGame, start: Any, progress: Report | None) -> SolvedGame:
    """The solved game, checked, with the position that is asked about."""
    require_true(solved, progress)
    with blaming(solved.rules):
        first = solved.rules.start() if start is None else start
    solved.at(first)  # a start that play cannot reach is an error
    solved.start = solved.read_position(first) if isinstance(first, str) else first
    return solved
