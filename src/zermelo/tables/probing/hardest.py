"""The hardest positions of a solved game: its longest wins and its longest losses."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._runtime.progress import Progress, reporting
from zermelo.labels import Label
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.faults import blaming
from zermelo.tables.probing.block_cache import BLOCK
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import KIND_LOSE_IN, KIND_WIN_IN

MAX_TRIED = 4096
"""The number of entries of the longest distance that are looked at."""


def hardest(
    solved: SolvedGame, count: int = 12, *, progress: Progress = None
) -> list[tuple[Any, int, int]]:
    """The longest wins, then the longest losses, with label and distance; ``count`` of each.

    A table may not store the distances of wins. Rules with ``unmoves`` lead back to the longest
    wins from the losses after them; without it, only losses are found.

    >>> import zermelo as zm
    >>> hardest(zm.solve(zm.game("nim:1,2")))
    [((1, 2), 1, 3), ((1, 1), -1, 2)]
    """
    with reporting(progress, "hardest") as report, blaming(solved.rules):
        counts = solved.counts()
        rows = []
        for label, longest in (
            (Label.WIN, counts["longest_win"]),
            (Label.LOSE, counts["longest_lose"]),
        ):
            if longest <= 0:
                continue
            found = (_wins if label == Label.WIN else _losses)(solved, longest, report)
            rows += [(x, int(label), longest) for x in itertools.islice(found, count)]
        return rows


def _losses(solved: SolvedGame, longest: int, report: Any) -> Iterator[Any]:
    return _of_kind(solved, KIND_LOSE_IN, longest, report)


def _wins(solved: SolvedGame, longest: int, report: Any) -> Iterator[Any]:
    """The longest wins, as far as the entries and the rules tell."""
    rules = solved.rules
    if KIND_WIN_IN in solved.storage.layout.scales:
        yield from _of_kind(solved, KIND_WIN_IN, longest, report)
    elif not isinstance(rules, CompiledRules):
        yield from (x.position for x in solved if (x.label, x.distance) == (Label.WIN, longest))
    elif rules.has("unmoves"):
        seen = set()
        out = np.zeros(room_for(rules, "unmoves"), np.int64)
        for after in _of_kind(solved, KIND_LOSE_IN, longest - 1, report):
            before = out[: rules.unmoves(after, out)]
            found = solved.probe_many(before, absent="mark")
            for position in before[(found.label > 0) & (found.distance == longest)].tolist():
                if position not in seen:
                    seen.add(position)
                    yield position


def _of_kind(solved: SolvedGame, kind: int, distance: int, report: Any) -> Iterator[Any]:
    """The positions of a kind and a distance, block by block."""
    blocks, left = solved.storage.layout.blocks, MAX_TRIED
    for number in range(blocks):
        if report is not None:
            report(number * BLOCK, blocks * BLOCK, "looking for the hardest positions")
        block = solved.storage.read(number)
        places = np.flatnonzero((block.kind == kind) & (block.distance == distance))[:left]
        yield from (x for x in solved._positions_at(number * BLOCK + places) if x is not None)
        left -= places.size
        if left <= 0:
            return
