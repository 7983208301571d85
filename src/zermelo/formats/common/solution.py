"""Solutions as a record of plain data, between a :class:`Solution` and its files.

The content of a file is a claim. Reading checks that it is *well formed* and belongs to the given
graph. :meth:`Solution.verify` checks whether everything that the file claims is *true*.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.errors import CertificateError, FormatError
from zermelo.formats.common.machine import machine_from_plain, machine_to_plain
from zermelo.formats.common.names import shorten
from zermelo.formats.common.objective import read_objective
from zermelo.graph import Graph
from zermelo.labels import UNDECIDED, AnyArray, read_only
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Number
from zermelo.registry import objective_row
from zermelo.solutions.base import Solution, winners
from zermelo.solutions.claimed import claimed_solution
from zermelo.solutions.muller import MullerSolution
from zermelo.solutions.quantitative import EXTRA_ARRAYS

VERSION = 1
ARRAYS = ("label", "distance", "level", "move", "winner")
"""The arrays of a solution file, by situation; ``level`` is the rank of the payoff from below.

``winner`` follows from the labels and the players to move. It is there for other programs, in games
in which every situation has a player to move, and a file may leave it out.
"""

STORED = (*ARRAYS, *EXTRA_ARRAYS)
"""The arrays that some solution file has; the objective says which ones."""

MACHINES = "machines"
"""The key of the machines of both players, which files of Muller games have instead of moves."""

_TYPES = {"label": np.int8, "distance": np.int32, "move": np.int32, "winner": np.int8}

INT64 = -(2**63), 2**63 - 1
"""The range of the arrays that only solutions of one objective have."""


@dataclass(frozen=True, eq=False)
class Record:
    """The data of a solution file: arrays of shape (n,) or (n, 2), and their game."""

    digest: str
    n: int
    objective: Mapping[str, Any]
    solver: str
    start: int | None
    arrays: dict[str, AnyArray] = field(default_factory=dict)
    machines: Any = None

    def meta(self) -> dict[str, Any]:
        """All data except the arrays, for JSON."""
        meta = {
            "format": "zermelo-solution",
            "version": VERSION,
            "graph": self.digest,
            "n": self.n,
            "objective": dict(self.objective),
            "solver": self.solver,
        }
        return meta if self.start is None else meta | {"start": self.start}

    @classmethod
    def from_meta(
        cls, meta: Mapping[str, Any], arrays: dict[str, AnyArray], machines: Any = None
    ) -> "Record":
        """The inverse of :meth:`meta`."""
        check_kind(meta, "zermelo-solution")
        for key, kind in (("graph", str), ("n", int), ("objective", dict), ("solver", str)):
            if not isinstance(meta.get(key), kind):
                what = {str: "text", int: "a number", dict: "an object"}[kind]
                raise FormatError(f"/{key}: expected {what}, got {shorten(meta.get(key))}")
        start = meta.get("start")
        return cls(
            meta["graph"], meta["n"], meta["objective"], meta["solver"], start, arrays, machines
        )


def check_kind(meta: Mapping[str, Any], wanted: str) -> None:
    """Refuse a file of another kind or of an unknown version."""
    kind = meta.get("format")
    if kind == "zermelo-solution" and wanted == "zermelo-game":
        raise FormatError("expected a game, got a solution; read it with read_solution")
    if kind == "zermelo-game" and wanted == "zermelo-solution":
        raise FormatError("expected a solution, got a game")
    if kind == "zermelo-answer":
        kind = "game" if wanted == "zermelo-game" else "solution"
        raise FormatError(f"expected a {kind}, got another kind of answer; use read_solution")
    if kind != wanted:
        found = "nothing" if "format" not in meta else shorten(kind)
        raise FormatError(f'/format: expected "{wanted}", got {found}')
    check_version(meta, VERSION)


def check_version(meta: Mapping[str, Any], wanted: int) -> None:
    """Refuse a file of an unknown version."""
    version = meta.get("version")
    if type(version) is not int or version != wanted:
        found = "nothing" if "version" not in meta else shorten(version)
        raise FormatError(f"/version: expected {wanted}, got {found}")


def check_digest(digest: str, graph: Graph) -> None:
    """Refuse a solution of another graph."""
    if digest != graph.digest:
        raise FormatError(
            f"this solution is for another graph: its digest is {shorten(digest)}, "
            f"the graph's is '{graph.digest}'"
        )


def levels_of(objective: Objective, graph: Graph) -> tuple[tuple[Number | None, ...], bool]:
    """The values of a game, None for undecided, and whether each position has two situations."""
    if not objective_row(objective).payoffs:
        return objective.levels, objective.doubled(graph)
    form = objective.terminal_form(graph)
    return form.levels, form.doubled


def to_record(solution: Solution) -> Record:
    """The data that a solution file stores.

    >>> from zermelo import solve
    >>> to_record(solve(Graph.from_edges([(0, 1)]))).arrays["move"].tolist()
    [1, -1]
    """
    graph = solution.graph
    machines = None
    if isinstance(solution, MullerSolution):
        machines = [machine_to_plain(machine) for machine in solution.machines]
    return Record(
        graph.digest,
        graph.n,
        solution.objective.spec(graph),
        solution.solver,
        solution.start,
        {
            key: np.asarray(getattr(solution, key))
            for key in _arrays_of(solution.objective, solution.has_players)
        },
        machines,
    )


def _arrays_of(objective: Objective, has_players: bool) -> tuple[str, ...]:
    """The arrays that a file has; if strategies have memory, the machines have the moves."""
    absent = {"move"} if _has_memory(objective) else set()
    absent |= set() if has_players else {"winner"}
    return (*(key for key in ARRAYS if key not in absent), *objective.solution_arrays)


def _has_memory(objective: Objective) -> bool:
    """Whether strategies are machines."""
    return objective_row(objective).strategies == "memory"


def from_record(record: Record, graph: Graph) -> Solution:
    """The solution that a file claims for a graph.

    Everything must be in range, and the objective is made from its description. The claimed moves
    become the solution's ``move``, so that :meth:`Solution.verify` checks them; the moves of a
    Muller game are in its machines.
    """
    check_digest(record.digest, graph)
    objective = read_objective(record.objective, graph)
    levels, doubled = levels_of(objective, graph)
    shape = (graph.n, 2) if doubled else (graph.n,)
    top = {"distance": 2**31 - 1, "level": len(levels) - 1, "move": graph.n - 1}
    top["label"] = top["winner"] = UNDECIDED if None in levels else 1
    arrays: dict[str, AnyArray] = {}
    wanted = _arrays_of(objective, doubled or graph.owner is not None)
    for key in record.arrays:
        if key not in wanted and key == "winner":
            raise FormatError("winner: expected none, because either player may be to move")
        if key not in wanted and key in ARRAYS:
            raise FormatError(f"{key}: expected {MACHINES} instead, as moves depend on memory")
        if key not in wanted:
            raise FormatError(f"{key}: expected no such array in a game of {objective.keyword!r}")
    for key in wanted:
        if key not in record.arrays and key == "winner":
            continue
        if key not in record.arrays:
            raise FormatError(f"{key}: expected an array, got nothing")
        array = record.arrays[key]
        if array.shape != shape and not (array.size == 0 == graph.n):
            raise FormatError(f"{key}: expected shape {shape}, got {array.shape}")
        low, high = (0 if key == "level" else -1, top[key]) if key in top else INT64
        if array.size and not (low <= array.min() and array.max() <= high):
            wrong = np.argwhere((array < low) | (array > high))[0]
            place = graph.name(int(wrong[0]))
            raise FormatError(
                f"{key} of {place!r}: expected {low} … {high}, got {array[tuple(wrong)]}"
            )
        kind = _TYPES.get(key, np.int8 if len(levels) <= 127 else np.int32)
        kind = kind if key in top else np.int64
        arrays[key] = array.reshape(shape).astype(kind)
    if "winner" in arrays:
        _check_winners(graph, arrays["label"], arrays.pop("winner"))
    start = record.start
    if start is not None and (type(start) is not int or not 0 <= start < graph.n):
        raise FormatError(f"start: expected a position 0 … {graph.n - 1}, got {shorten(start)}")
    if _has_memory(objective):
        return _with_machines(record, graph, objective, arrays)
    if record.machines is not None:
        raise FormatError(f"{MACHINES}: expected none in a game of {objective.keyword!r}")
    return claimed_solution(graph, objective, record.solver, arrays, start)


def _check_winners(graph: Graph, label: AnyArray, given: AnyArray) -> None:
    """Refuse winners that contradict the labels: one of them is a false claim."""
    expected = winners(graph, label)
    if (given != expected).any():
        wrong = tuple(np.argwhere(given != expected)[0])
        raise CertificateError(
            f"winner of {graph.name(int(wrong[0]))!r}: expected {expected[wrong]}, as its label "
            f"says, got {given[wrong]}"
        )


def _with_machines(
    record: Record, graph: Graph, objective: Objective, arrays: dict[str, AnyArray]
) -> MullerSolution:
    given = record.machines
    if not isinstance(given, list) or len(given) != 2:
        raise FormatError(f"{MACHINES}: expected a list of two, got {shorten(given)}")
    zero, one = (
        machine_from_plain(
            given[player], graph, player, read_only(arrays["level"] == 1 - player),
            f"/{MACHINES}/{player}",
        )
        for player in (0, 1)
    )  # fmt: skip
    return MullerSolution(
        graph,
        objective,
        record.solver,
        arrays["level"],
        arrays["label"],
        arrays["distance"],
        (zero, one),
        start=record.start,
    )
