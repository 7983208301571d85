"""The tiers of a game that are games of their own: each has one file in a directory of tables.

Captures and promotions turn the endgame KPvKP into KQvKP, KPvK and others, and each of these is a
tier. The entries of a tier are those of the last tier of its own game. So a file has the entries of
one tier, and files of larger games use it.
"""

import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.objectives import Misere, NormalPlay, Objective
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import wrong
from zermelo.tables.probing.access import rules_class, rules_digest, rules_name
from zermelo.tables.storage.entries import has_index
from zermelo.tables.storage.header import SUFFIX


class Tier:
    """One tier of a game: its own game, and which indices it has."""

    def __init__(self, number: int, rules: Any, parameters: str, first: int, size: int) -> None:
        self.number, self.rules, self.parameters = number, rules, parameters
        self.first, self.size = first, size
        self.below: list[Tier] = []
        """The tiers of its own game, the last one left out."""

    @property
    def name(self) -> str:
        """The name of its own game."""
        name: str | None = getattr(self.rules, "known_as", None)
        return f"{rules_class(self.rules)}:{self.parameters}" if name is None else name

    @cached_property
    def file(self) -> str:
        """The name of its file."""
        plain = re.sub(r"[^\w.,+-]", "-", self.parameters)
        if re.fullmatch("[A-Za-z][A-Za-z0-9]*", plain):
            return plain + SUFFIX
        family = os.path.basename(_family(self.rules) or rules_class(self.rules))
        return re.sub(r"[^\w.,+-]", "-", f"{family}-{plain}") + SUFFIX

    @cached_property
    def digest(self) -> str:
        """The digest of the rules of its own game."""
        return rules_digest(self.rules)


def has_tier_games(rules: Any) -> bool:
    """Whether the tiers of a game are games of their own.

    >>> import zermelo as zm
    >>> has_tier_games(zm.game("chess:KRvK")), has_tier_games(zm.game("nim:3,4"))
    (True, False)
    """
    return isinstance(rules, CompiledRules) and rules.has("tier_games")


def file_of(rules: Any) -> str:
    """The name of the file of a game in a directory of tables.

    >>> import zermelo as zm
    >>> file_of(zm.game("chess:krk"))
    'KRvK.zt'
    """
    listed = _listed(rules)
    return Tier(len(listed) - 1, rules, listed[-1][0], 0, listed[-1][1]).file


def tiers_of(rules: Any, objective: Objective | None = None, symmetry: bool = True) -> list[Tier]:
    """The tiers of a game in ascending order; the last one is the game itself.

    >>> import zermelo as zm
    >>> [(tier.name, tier.file, tier.first) for tier in tiers_of(zm.game("chess:KRvK"))]
    [('chess:KvK', 'KvK.zt', 0), ('chess:KRvK', 'KRvK.zt', 462)]
    """
    listed = _listed(rules)
    if not (objective is None or isinstance(objective, NormalPlay | Misere)):
        raise InvalidOptionError(
            f"{objective.keyword}: tables in a directory are for the objective of the rules, for "
            "normal play and misère play; give the path of a file"
        )
    if not has_index(rules, symmetry):
        raise InvalidOptionError(
            f"{rules_name(rules)}: without symmetry its positions have no index, and tables in a "
            "directory need one; give the path of a file"
        )
    if rules.reachable or sum(size for _, size in listed) != rules.size:
        message = f"expected tiers with {rules.size:,} indices together, and reachable = False"
        raise wrong(rules, "tier_games", message)
    tiers: list[Tier] = []
    for parameters, size in listed:
        first = tiers[-1].first + tiers[-1].size if tiers else 0
        tier = Tier(len(tiers), _made(rules, parameters), parameters, first, size)
        tiers.append(tier)
        known = {x.parameters: x for x in tiers}
        own = [known.get(text) for text, _ in _listed(tier.rules)]
        sizes = [size for _, size in _listed(tier.rules)]
        tier.below = [x for x in own[:-1] if x is not None]
        numbers = [x.number for x in own if x is not None]
        if own[-1] is not tier or numbers != sorted(numbers) or len(numbers) != len(own):
            raise wrong(rules, "tier_games", f"expected the tiers of {parameters!r} in its order")
        if sizes != [x.size for x in (*tier.below, tier)]:
            raise wrong(rules, "tier_games", f"expected the sizes that {parameters!r} has itself")
    if tiers[-1].digest != rules_digest(rules):
        raise wrong(rules, "tier_games", "expected the game itself as the last one")
    return tiers


def _listed(rules: Any) -> list[tuple[str, int]]:
    """What the rules say of their tiers."""
    listed: Sequence[Any] = rules.tier_games() if has_tier_games(rules) else ()
    if not listed:
        raise InvalidRulesError(f"{rules_name(rules)}: its tiers are not games of their own")
    found = []
    for item in listed:
        sound = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)
        if not sound or isinstance(item[1], bool) or not isinstance(item[1], int) or item[1] < 1:
            raise wrong(rules, "tier_games", f"expected parameters and a size, got {item!r}")
        found.append((item[0], item[1]))
    return found


def _made(rules: Any, parameters: str) -> Any:
    """The rules of a tier's own game, of the same family."""
    made = type(rules).from_text(parameters)
    if not has_tier_games(made):
        raise wrong(rules, "tier_games", f"expected {parameters!r} to have tiers, too")
    family = _family(rules)
    if family is not None:
        made.known_as = f"{family}:{parameters}"
    return made


def _family(rules: Any) -> str | None:
    """The name of a game without its parameters; None where rules have no name.

    >>> import zermelo as zm
    >>> _family(zm.game("chess:KRvK"))
    'chess'
    """
    name: str | None = getattr(rules, "known_as", None)
    if name is None or name.endswith(".py"):
        return name
    return name.rpartition(":")[0] or name
