"""Values and literal forms of partizan games, which are traced and explained without a position."""

from collections.abc import Hashable
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.objectives import Objective
from zermelo.partizan.analysis.explanation import explain_values
from zermelo.partizan.text.simplify import is_partizan, trace_of
from zermelo.trace.front import NO_POSITION


def form_trace(game: Any, objective: Objective | None, solver: str, start: Hashable | None) -> Any:
    """The simplification of a literal form; None if this is no value and no form.

    >>> import zermelo as zm
    >>> print(form_trace(zm.literal("{0,-1|1}"), None, "auto", None)[0].reason)
    Left's option -1 is dominated by 0, which is at least as good for Left, so it is removed
    """
    if not is_partizan(game):
        return None
    if objective is not None or solver != "auto" or start is not None:
        raise InvalidOptionError(
            "the trace of a value takes no objective and no solver, and has no start"
        )
    return trace_of(game)


def value_explanation(
    game: Any, position: Hashable, player: int | None, depth: int, width: int
) -> Any:
    """The explanation of a value, a form or a sum of them; None if this is none of these.

    >>> import zermelo as zm
    >>> str(value_explanation(zm.value("*"), NO_POSITION, None, 1, 8)).split(".")[0]
    '*: the player who begins wins'
    """
    if not is_partizan(game) and not (isinstance(game, list) and position is NO_POSITION):
        return None
    if position is not NO_POSITION:
        raise InvalidOptionError("the explanation of a value takes no position")
    return explain_values(game, player, depth, width=width)
