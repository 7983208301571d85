"""Compile what solves a game given by rules, before there is anything to solve.

Every kernel is called once without any positions, so that its machine code is made and kept.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._kernels.positions.hash_table import PARTS, ROW, Buckets, Fresh, Room, insert
from zermelo._kernels.tables.begin import begin, begin_ties, end_tier, mark
from zermelo._kernels.tables.wave import count_back, look_again, spread
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.threads import Team
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import admit, blaming
from zermelo.rules.views import StoredBefore, view
from zermelo.tables.solving.explore import IndexExploration, TableExploration
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.measures import entry_type, measures_of
from zermelo.tables.solving.set_ways import empty_calls
from zermelo.tables.solving.waves import Waves
from zermelo.tables.storage.entries import has_index, view_of

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
        waves = Waves(seen, job, (np.zeros(1, np.int64), entry), 1, measures_of(True))
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
    call = waves.table, waves.scratch[0], 0, 0, waves.step()
    keys, entry, *_ = waves.table
    yield waves.bind(mark), (keys, entry, np.zeros(3, np.int64), 0, 0, waves.coding, True)
    for kernel in begin, begin_ties, look_again, end_tier:
        yield waves.bind(kernel), call
    if waves.rules.has("unmoves"):
        yield waves.bind(spread), call
    else:
        yield waves.bind(count_back), call
        yield bind(spread, view(waves.rules, StoredBefore)), call


def _by_position(rules: Any, job: Job, _: Any) -> Iterator[Call]:
    """The kernels that explore into a table of positions."""
    exploration = TableExploration(rules, job)
    keys, parts = exploration.array, np.zeros(PARTS * ROW, np.int64)
    none = np.zeros(PARTS, np.int64)
    waiting, out = np.zeros(1, np.int64), np.zeros(exploration.most, np.int64)
    buckets = Buckets(none, none.copy(), 1)
    cursor, fresh = np.zeros(ROW, np.int64), Fresh(np.zeros(PARTS, np.int64), 1)
    yield exploration._alone, (keys, waiting, out, parts, cursor, 0)
    yield exploration._together, (keys, waiting, out, buckets, cursor, 0, False)
    yield insert, (keys, buckets, fresh, parts, (0, 0))


def _by_index(rules: Any, job: Job, entry: Any) -> Iterator[Call]:
    """The kernels that explore into an array with an element for each index."""
    exploration = IndexExploration(rules, job, entry, saved=True)
    most, none = exploration.most, np.zeros(1, np.int64)
    parts, cursor = np.zeros(PARTS * ROW, np.int64), np.zeros(ROW, np.int64)
    room = Room(np.zeros(most, np.int64), np.zeros(most, np.int64))
    yield exploration._alone, (entry, none, room.out, parts, cursor, 0)
    yield exploration._together, (entry, none, room, Fresh(none, 1), cursor, 0, (0, False))
