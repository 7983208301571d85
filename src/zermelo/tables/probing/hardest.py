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
from zermelo.tables.probing.lookups import SolvedRules
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import KIND_LOSE_IN, KIND_WIN_IN
from zermelo.tables.table import Table

TRIED = 4096
"""The number of entries of the longest distance that are looked at."""


def hardest(
    solved: SolvedRules, count: int = 12, *, progress: Progress = None
) -> list[tuple[Any, int, int]]:
    """The longest wins, then the longest losses, with label and distance; ``count`` of each.

    A table may not store the distances of wins. Rules with ``unmoves`` lead back to the longest
    wins from the losses after them; without it, only losses are found.

    >>> import zermelo as zm
    >>> from zermelo.tables.solving.solve import solve_rules
    >>> hardest(solve_rules(zm.game("nim:1,2")))
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
            if isinstance(solved, SolvedGame):
                found = _in_memory(solved, label, longest)
            elif not isinstance(solved, Table) or solved._file.layout.keys == "texts":
                found = (x.position for x in solved if (x.label, x.distance) == (label, longest))
            elif label == Label.WIN:
                found = _wins_in_table(solved, longest, report)
            else:
                found = _of_kind(solved, KIND_LOSE_IN, longest, report)
            rows += [(x, int(label), longest) for x in itertools.islice(found, count)]
        return rows


def _in_memory(solved: SolvedGame, label: Label, longest: int) -> Iterator[Any]:
    chosen = (solved.label == label) & (solved.distance == longest) & (solved.entry != 0)
    for i in np.flatnonzero(chosen)[:TRIED].tolist():
        position = solved._positions_of(i, i + 1)[0]
        if position is not None:
            yield position


def _wins_in_table(table: Table, longest: int, report: Any) -> Iterator[Any]:
    """The longest wins, as far as the table and its rules tell."""
    rules = table.rules
    if KIND_WIN_IN in table._file.layout.scales:
        yield from _of_kind(table, KIND_WIN_IN, longest, report)
    elif isinstance(rules, CompiledRules) and rules.has("unmoves"):
        seen = set()
        out = np.zeros(room_for(rules, "unmoves"), np.int64)
        for after in _of_kind(table, KIND_LOSE_IN, longest - 1, report):
            for before in out[: rules.unmoves(after, out)].tolist():
                if before not in seen and _is_win(table, before, longest):
                    seen.add(before)
                    yield before


def _of_kind(table: Table, kind: int, distance: int, report: Any) -> Iterator[Any]:
    """The positions of a kind and a distance, block by block."""
    blocks, left = table._file.layout.blocks, TRIED
    for number in range(blocks):
        if report is not None:
            report(number * BLOCK, blocks * BLOCK, "looking for the hardest positions")
        block = table._file.read(number)
        places = np.flatnonzero((block.kind == kind) & (block.distance == distance))
        for i in places[:left].tolist():
            position = table._positions_of(number, i, i + 1)[0]
            if position is not None:
                yield position
        left -= places.size
        if left <= 0:
            return


def _is_win(table: Table, position: int, distance: int) -> bool:
    from zermelo.errors import UnknownPositionError

    try:
        return table.look_up(position)[:2] == (Label.WIN, distance)
    except UnknownPositionError:
        return False
