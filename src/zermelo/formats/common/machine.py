"""Strategies with memory as plain data, for solution files of Muller games.

``after`` has a row for each memory state and a column for each letter. ``moves`` has a row for each
memory state and a column for each position. ``letter`` gives the column of ``after`` for a
position. At position v with memory m the player moves to ``moves[m][v]``, and the memory becomes
``after[m][letter[v]]``. The first memory is ``initial``.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats.common.integers import integers, whole
from zermelo.formats.common.names import shorten
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, BoolArray, Int32Array
from zermelo.solutions.machine import Machine

KEYS = ("initial", "letter", "after", "moves")


def machine_to_plain(machine: Machine) -> dict[str, Any]:
    """A machine as JSON data.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=[0, 0])
    >>> s = zm.solve(g, zm.Muller([0, 1], "Inf(0) & Inf(1)"))
    >>> machine_to_plain(s.strategy_machine(1))
    {'initial': 0, 'letter': [0, 1], 'after': [[0, 0]], 'moves': [[-1, -1]]}
    """
    return {
        "initial": machine.initial,
        "letter": machine.letter.tolist(),
        "after": machine.after.tolist(),
        "moves": machine.moves.tolist(),
    }


def machine_from_plain(
    data: Any, graph: Graph, player: int, winning: BoolArray, path: str
) -> Machine:
    """The machine that a file claims; ``path`` is its place in the file."""
    if not isinstance(data, Mapping):
        raise FormatError(f"{path}: expected an object, got {shorten(data)}")
    for key in KEYS:
        if key not in data:
            raise FormatError(f"{path}: expected a key {key!r}; known: {', '.join(KEYS)}")
    for key in data:
        if key not in KEYS:
            raise FormatError(f"{path}: unknown key {key!r}; known: {', '.join(KEYS)}")
    n, rows = graph.n, data["after"]
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], list):
        raise FormatError(f"{path}/after: expected a list for each memory state, got none")
    size, width = len(rows), len(rows[0])
    initial = data["initial"]
    if not whole([initial], 0, size - 1):
        raise FormatError(f"{path}/initial: expected 0 … {size - 1}, got {shorten(initial)}")
    letter = integers(data["letter"], f"{path}/letter", n, 0, width - 1).astype(np.int32)
    after = _table(rows, size, width, 0, size - 1, f"{path}/after")
    moves = _table(data["moves"], size, n, NO_MOVE, n - 1, f"{path}/moves")
    return Machine(graph, player, winning, letter, after, moves, initial=initial)


def _table(rows: Any, size: int, width: int, low: int, high: int, path: str) -> Int32Array:
    """Lists of integers within bounds, one for each memory state."""
    if not isinstance(rows, list) or len(rows) != size:
        raise FormatError(f"{path}: expected {size} lists, one for each memory state")
    table = np.empty((size, width), np.int32)
    for m, row in enumerate(rows):
        table[m] = integers(row, f"{path}/{m}", width, low, high)
    return table
