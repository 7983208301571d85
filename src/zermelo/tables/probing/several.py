"""Look up many positions of a solved game together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_DISTANCE
from zermelo.rules.compiled import NO_POSITION, CompiledRules
from zermelo.tables.probing.access import as_number
from zermelo.tables.probing.many_answers import LABEL_OF, TIES, Probes, chosen
from zermelo.tables.probing.successors import first_of_each
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_WIN

if TYPE_CHECKING:
    from zermelo.tables.probing.lookups import Lookups

MAX_TOGETHER = 1 << 16
"""Positions that are looked up together."""


def probe_several(solved: "Lookups", positions: Any, *, moves: bool, strict: bool) -> Probes:
    """The answers at many positions; if ``strict``, one that has no entry is an error.

    >>> import zermelo as zm
    >>> solved = zm.solve(zm.game("nim:3,4"))
    >>> probe_several(solved, ["3+4", "3+3"], moves=True, strict=True).move
    ['3+3', '2+3']
    """
    own = _several(solved, positions)
    keys = solved._access.keys(own)
    by_number = isinstance(keys, np.ndarray)
    order = np.argsort(keys, kind="stable") if by_number else np.arange(len(own))
    label, distance = np.zeros(len(own), np.int8), np.full(len(own), NO_DISTANCE, np.int32)
    present, tied = np.zeros(len(own), np.bool_), np.zeros(len(own), np.bool_)
    move: Any = np.full(len(own), NO_POSITION, np.int64) if by_number else [None] * len(own)
    for start in range(0, len(own), MAX_TOGETHER):
        part = order[start : start + MAX_TOGETHER]
        kind, distance[part] = solved._look_many(chosen(keys, part))
        label[part], present[part] = LABEL_OF[kind], kind != KIND_ABSENT
        tied[part] = np.isin(kind, TIES)
        if strict and not present[part].all():
            raise solved._unknown(positions[int(part[~present[part]].min())])
        wins = part[kind == KIND_WIN]
        distance[wins] = solved._win_distances(chosen(own, wins))
        if moves:
            there, own_kind = part[present[part]], kind[present[part]]
            after = solved._after(chosen(own, there))
            entries = solved._entries_after(after)
            best = solved._best_of(after, entries, own_kind, distance[there])
            first_of_each(best, after, there, move)
    if moves and not isinstance(positions, np.ndarray):
        move = [_as_asked(solved, x, y) for x, y in zip(positions, move, strict=True)]
    return Probes(label, distance, present, move if moves else None, tied)


def _several(solved: "Lookups", positions: Any) -> Any:
    """Positions of the rules: an array for compiled rules, else a list."""
    compiled = isinstance(solved.rules, CompiledRules)
    if isinstance(positions, np.ndarray):
        if not compiled or positions.ndim != 1 or positions.dtype.kind not in "iu":
            kind = "one-dimensional array of integers" if compiled else "list of positions"
            raise InvalidOptionError(f"positions: expected a {kind}, got {shown(positions)}")
        return np.ascontiguousarray(positions, np.int64)
    if isinstance(positions, str) or not isinstance(positions, Sequence):
        raise InvalidOptionError(f"positions: expected a list of positions, got {shown(positions)}")
    own = [solved._position(x) for x in positions]
    return np.array([as_number(x) for x in own], np.int64) if compiled else own


def _as_asked(solved: "Lookups", given: Any, move: Any) -> Any:
    """A move as text where the position was asked for as text; None for no move."""
    if move is None or (isinstance(move, np.integer) and move < 0):
        return None
    own = int(move) if isinstance(move, np.integer) else move
    return solved.rules.show(own) if isinstance(given, str) else own
