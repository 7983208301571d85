"""Which moves of a game are conversions: moves that no play takes back.

In chess these are captures, promotions and moves of pawns. Compiled rules tell them by their member
``converts``; without it, a move into a lower tier is a conversion. A table may have distances to
the next conversion instead of distances to the end of play.
"""

from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.objectives import Misere, NormalPlay, Objective
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.views import ConvertsByMember, ConvertsByTier, view

CONVERSION = "conversion"
"""The name of this kind of distance, where distances to the end are the default."""


def require_conversions(rules: Any, objective: Objective | None = None) -> None:
    """Refuse rules that do not tell which moves are conversions, and objectives without draws.

    >>> import zermelo as zm
    >>> require_conversions(zm.game("chess:KRvK"))
    >>> require_conversions(zm.game("pong-hau-ki"))
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: pong-hau-ki: distances to conversion need compiled rules ...
    """
    if not isinstance(rules, CompiledRules) or not (rules.has("converts") or rules.has("tier")):
        name = getattr(rules, "known_as", None) or type(getattr(rules, "given", rules)).__name__
        raise InvalidOptionError(
            f"{name}: distances to conversion need compiled rules that tell which moves convert, "
            "by a member converts or tier; ask for distances to the end, or for labels alone"
        )
    if objective is not None and not isinstance(objective, NormalPlay | Misere):
        raise InvalidOptionError(
            f"{objective.keyword}: expected the objective of the rules, normal or misere, where "
            "infinite play is a draw; for others ask for distances to the end"
        )


def with_conversions(rules: Any, *classes: type) -> Any:
    """The rules with a member ``is_conversion``, and with the members of ``classes``.

    >>> import zermelo as zm
    >>> rules = zm.game("chess:KPvK")
    >>> here = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
    >>> seen = with_conversions(rules)
    >>> [rules.describe(here, x) for x in rules.options(here) if not seen.is_conversion(here, x)]
    ['Kb1']
    """
    return view(rules, ConvertsByMember if rules.has("converts") else ConvertsByTier, *classes)
