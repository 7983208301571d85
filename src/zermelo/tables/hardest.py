"""The hardest positions of a solved game: those whose wins, or losses, take longest."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._runtime.progress import Progress, reporting
from zermelo.labels import NO_DISTANCE, Label
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.faults import blaming
from zermelo.tables.blocks import BLOCK
from zermelo.tables.codes import KIND_LOSE_IN, KIND_WIN_IN
from zermelo.tables.lookups import SolvedRules
from zermelo.tables.solved import SolvedGame
from zermelo.tables.table import Table

TRIED = 4096
"""The number of entries of the longest distance that are looked at."""


def hardest(
    solved: SolvedRules, count: int = 12, *, progress: Progress = None
) -> list[tuple[Any, int, int]]:
    """Positions whose best play is longest, with label and distance; wins, if they are found.

    A table does not store the distances of wins. Rules with ``unmoves`` lead back to the longest
    wins from the losses after them; without it, the longest losses are the hardest positions.

    >>> import zermelo as zm
    >>> from zermelo.tables.solve import solve_rules
    >>> hardest(solve_rules(zm.game("nim:1,2")))
    [((1, 2), 1, 3)]
    """
    with reporting(progress, "hardest") as report, blaming(solved.rules):
        if isinstance(solved, SolvedGame):
            found = _in_memory(solved)
        elif not isinstance(solved, Table) or solved._file.layout.keys == "texts":
            found = _one_by_one(solved)
        else:
            found = _in_table(solved, report)
        rows = []
        for position, label, distance in found:
            rows.append((position, label, distance))
            if len(rows) == count:
                break
        return rows


def _in_memory(solved: SolvedGame) -> Iterator[tuple[Any, int, int]]:
    label, distance = solved.label, solved.distance
    for side in (Label.WIN, Label.LOSE):
        chosen = (label == side) & (distance != NO_DISTANCE) & (solved.entry != 0)
        longest = int(distance[chosen].max(initial=0))
        if longest > 0:
            for i in np.flatnonzero(chosen & (distance == longest))[:TRIED].tolist():
                position = solved._positions_of(i, i + 1)[0]
                if position is not None:
                    yield position, int(side), longest
            return


def _one_by_one(solved: SolvedRules) -> Iterator[tuple[Any, int, int]]:
    rows = [(x.position, int(x.label), int(x.distance)) for x in solved]
    for side in (Label.WIN, Label.LOSE):
        longest = max((d for _, label, d in rows if label == side), default=0)
        if longest > 0:
            yield from (row for row in rows if row[1:] == (side, longest))
            return


def _in_table(table: Table, report: Any) -> Iterator[tuple[Any, int, int]]:
    counts = table.counts()
    longest = counts["longest_win"]
    rules = table.rules
    seen = set()
    if longest > 0 and KIND_WIN_IN in table._file.layout.scales:
        for x in _of_kind(table, KIND_WIN_IN, longest, report):
            seen.add(x)
            yield x, int(Label.WIN), longest
    elif longest > 0 and isinstance(rules, CompiledRules) and rules.has("unmoves"):
        out = np.zeros(room_for(rules, "unmoves"), np.int64)
        for after in _of_kind(table, KIND_LOSE_IN, longest - 1, report):
            for before in out[: rules.unmoves(after, out)].tolist():
                if before not in seen and _is_win(table, before, longest):
                    seen.add(before)
                    yield before, int(Label.WIN), longest
    if not seen and counts["longest_lose"] > 0:
        for x in _of_kind(table, KIND_LOSE_IN, counts["longest_lose"], report):
            yield x, int(Label.LOSE), counts["longest_lose"]


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
