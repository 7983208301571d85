"""Compile what solves a game given by rules, before there is anything to solve.

Every kernel is called once without any positions, so that its machine code is made and kept.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._kernels.positions.hash_table import PARTS, ROW, Buckets, Fresh, Room, insert
from zermelo._kernels.tables.begin import begin, begin_ties, end_tier, mark
from zermelo._kernels.tables.wave import (
    WINS,
    Backward,
    Layer,
    count_back,
    look_again,
    spread,
    spread_stored,
)
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.threads import Team
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import admit, blaming
from zermelo.tables.solved import has_index, view_of
from zermelo.tables.solving.explore import IndexExploration, TableExploration
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.set_waves import empty_calls
from zermelo.tables.solving.waves import Waves, entry_type

Call = tuple[Kernel[Any, Any], tuple[Any, ...]]


def prepare(rules: CompiledRules) -> None:
    """Compile all kernels that building a table of these rules may need.

    >>> from zermelo._runtime.compiled.jit import interpreting
    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> if not interpreting():
    ...     prepare(TicTacToe())
    """
    with blaming(rules), Team(1) as team:
        admit(rules)
        symmetry, job = rules.has("canonical"), Job(team)
        seen = view_of(rules, symmetry=symmetry)
        entry: Any = np.zeros(1, entry_type(rules))
        waves = Waves(seen, job, np.zeros(1, np.int64), entry, 1)
        calls = [*_waves(waves)]
        if waves.by_sets:
            calls += empty_calls(waves)
        if rules.reachable:
            exploring = _by_index if has_index(rules, symmetry) else _by_position
            calls += exploring(seen, job, entry)
        for kernel, args in calls:
            kernel.compiled(*args)


def _waves(waves: Waves) -> Iterator[Call]:
    """The kernels that solve, each with no positions."""
    rules, table, scratch, coding = waves.rules, waves.table, waves.scratch[0], waves.coding
    keys, entry = table
    spans, value = np.zeros(3, np.int64), np.zeros(1, entry.dtype)
    layer = Layer(*coding, WINS, 0, rules.has("tier"), False)
    yield bind(mark, rules), (keys, entry, spans, 0, 0, coding, True)
    yield bind(begin, rules), (table, scratch, 0, 0, (*coding, 0, 1))
    if rules.has("unmoves"):
        yield bind(spread, rules), (table, scratch, value, 0, 0, layer)
    else:
        back = Backward(np.zeros(2, np.int32), np.zeros(1, np.int32))
        yield bind(count_back, rules), (table, scratch, back, 0, 0, (*coding, 0, False))
        yield bind(spread_stored, rules), (table, scratch, back, value, 0, 0, layer)
    yield bind(begin_ties, rules), (table, scratch, 0, 0, (*coding, 0))
    yield bind(look_again, rules), (table, scratch, 0, 0, (*coding, 0, 0), False)
    yield end_tier, (entry, scratch.tally, 0, 0, coding)


def _by_position(rules: Any, job: Job, _: Any) -> Iterator[Call]:
    """The kernels that explore into a table of positions."""
    exploration = TableExploration(rules, job)
    keys, parts = exploration.keys, np.zeros(PARTS * ROW, np.int64)
    none = np.zeros(PARTS, np.int64)
    waiting, out = np.zeros(1, np.int64), np.zeros(exploration.most, np.int64)
    buckets = Buckets(none, none.copy(), 1)
    cursor, fresh = np.zeros(ROW, np.int64), Fresh(np.zeros(PARTS, np.int64), 1)
    yield exploration._alone, (keys, waiting, out, parts, cursor, 0)
    yield exploration._listed, (keys, waiting, out, buckets, cursor, 0)
    yield exploration._scanned, (keys, waiting, out, buckets, cursor, 0)
    yield insert, (keys, buckets, fresh, parts, (0, 0))


def _by_index(rules: Any, job: Job, entry: Any) -> Iterator[Call]:
    """The kernels that explore into an array with an element for each index."""
    exploration = IndexExploration(rules, job, entry, saved=True)
    most, none = exploration.most, np.zeros(1, np.int64)
    parts, cursor = np.zeros(PARTS * ROW, np.int64), np.zeros(ROW, np.int64)
    room = Room(np.zeros(most, np.int64), np.zeros(most, np.int64))
    yield exploration._alone, (entry, none, room.out, parts, cursor, 0)
    yield exploration._together, (entry, none, room, Fresh(none, 1), cursor, 0, (0, False))
