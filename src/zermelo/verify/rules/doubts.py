"""Warnings about rules: what is no mistake in itself, but most likely not what was meant."""

import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from zermelo.labels import OPEN
from zermelo.rules.base import Rules
from zermelo.rules.faults import own, unwrapped
from zermelo.rules.partizan.base import PartizanRules
from zermelo.verify.rules.plain import Checks, Finding

MIN_SIMILARITY = 0.85
"""Two names that are at least so similar are taken to be one, misspelt."""


def doubts(checks: Checks) -> Iterator[Finding]:
    """The warnings about rules whose members were checked.

    >>> from zermelo.rules.base import as_rules
    >>> from zermelo.verify.rules.plain import Plain
    >>> class Loop(Rules):
    ...     def start(self): return 0
    ...     def moves(self, position): return [1 - position]
    >>> checks = Plain(Loop(), None, 0)
    >>> checks.sample()
    >>> [found.message for found in doubts(checks)]
    ['none of the 2 positions is an end, so every play goes on for ever']
    """
    ends = sum(map(checks.is_end, checks.positions))
    if not checks.options(checks.rules.start()):
        yield _warning("start", f"play is over where it starts{_reason(checks)}")
    elif not ends:
        count = len(checks.positions)
        found = f"none of the {count:,} positions is an end"
        looked = f"none of {count:,} positions that were looked at is an end; does play end?"
        message = f"{found}, so every play goes on for ever" if checks.whole else looked
        yield _warning("moves", message)
    for name, meant in misspelt(checks.rules):
        yield _warning(name, f"rules have no member of this name; is {meant} meant?")


def _warning(member: str, message: str) -> Finding:
    return Finding(member, True, message, warning=True)


def _reason(checks: Checks) -> str:
    """Why play is over at the start."""
    if isinstance(checks.rules, PartizanRules):
        return ": neither side has a move"
    found = checks.rules.outcome(checks.rules.start())
    if found in (None, OPEN):
        return ": it has no moves"
    return f": its outcome is {int(found)}; where play goes on, it is OPEN ({OPEN}) or None"


def misspelt(rules: Any) -> Iterator[tuple[str, str]]:
    """Names in a user's rules that no member has, and the members that they resemble.

    >>> class Typo(Rules):
    ...     __module__ = "mine"
    ...     def start(self): return 3
    ...     def moves(self, position): return range(position)
    ...     def outcomes(self, position): return 0
    >>> list(misspelt(Typo()))
    [('outcomes', 'outcome')]
    """
    rules = unwrapped(rules)
    if not own(rules):
        return
    if isinstance(rules, ModuleType):
        given = {name for name, x in vars(rules).items() if inspect.isfunction(x)}
        roots: list[type] = [Rules]
    else:
        kinds = [kind for kind in type(rules).__mro__ if kind is not object]
        roots = [kind for kind in kinds if kind.__module__.startswith("zermelo.")]
        given = {name for kind in kinds if kind not in roots for name in vars(kind)}
    members = {name for root in roots or [Rules] for name in (*dir(root), *_annotated(root))}
    free = sorted(name for name in members - given if not name.startswith("_"))
    for name in sorted(given - members):
        if not name.startswith("_") and (found := get_close_matches(name, free, 1, MIN_SIMILARITY)):
            yield name, found[0]


def _annotated(kind: type) -> Iterator[str]:
    """The attributes that a class announces."""
    yield from getattr(kind, "__annotations__", {})
