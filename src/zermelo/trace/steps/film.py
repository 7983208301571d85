"""The labelling algorithms of [Loewe2004] as films: every labelling that they pass through.

**NMFL** (Figure 3). Time is the number of assignments that changed a label, as in
:mod:`zermelo.solvers.terminal.nmfl`. Frame 0 is the labelling after lines 050 and 060, L/W
everywhere; every later frame is one change, by line 110 or 140 (a terminal) or 255 (a call of
Label). By Proposition 4.1 the labels of each position only go down in the order ≤*, whose top is
L/W: the label of player 0 only rises, and that of player 1 only falls. :meth:`Film.sequence` shows
this. The recursion of Label has the order of the paper, on a stack.

**NMFL with CAP** (§4, after Theorem 4.3). The same frames, computed with the sets Lverts, Dverts
and Wverts of the paper; a change by a call of Label names also the line that gave aux its value:
216, 231 or, if both intersections are empty, 205.

**Fraenkel–Lévy** (§4). Frame n is FLⁿ, the labelling after round n; positions outside its domain
have no label. If some remain, the last frame labels them D. A label never changes.

They run in plain Python and are meant for small games.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from zermelo._inputs.values import sealed, whole_number
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.graph import Graph
from zermelo.labels import Int8Array, Label, Player
from zermelo.objectives import Asymmetric, NormalPlay, Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.trace.steps.base import Row, Steps, commas, plain_record
from zermelo.trace.steps.rounds import Trace

NO_LABEL = 2
"""In the labels of a frame: the position has no label yet."""

MOST_CHANGES = 2_000_000
"""A film has at most this many changes and calls, because every one is a Python object."""


@dataclass(frozen=True)
class Change:
    """One label that changes."""

    position: Hashable
    player: Player | None
    """The player to move; None if the label is the same for both players."""
    before: Label | None
    """None if there was no label."""
    after: Label
    causes: tuple[Hashable, ...]
    """The positions that the change follows from: in NMFL the successor whose change called Label;
    in the Fraenkel–Lévy labelling the moves that decide."""

    def __str__(self) -> str:
        mover = "" if self.player is None else f", player {int(self.player)}"
        before = "" if self.before is None else f"{self.before.name[0]} → "
        why = f" (by {', '.join(map(str, self.causes))})" if self.causes else ""
        return f"{self.position}{mover}: {before}{self.after.name[0]}{why}"


@dataclass(frozen=True, eq=False)
class Frame:
    """One labelling of a film, and what changed since the frame before."""

    time: int
    line: str
    """The lines of Figure 3 that changed the labels, such as "110"; or the name of the labelling,
    such as "FL2"."""
    changes: tuple[Change, ...]
    labels: Int8Array
    """ℓ^t: shape (n, 2), ``[position, player to move]``, or (n,); 2 where there is no label."""

    def __str__(self) -> str:
        changes = "; ".join(map(str, self.changes)) or "L/W everywhere"
        name = f"line {self.line}" if self.line.isdigit() else self.line
        return f"t = {self.time}, {name}: {changes}"


class Film(Steps):
    """All labellings of an algorithm, one after the other; made by :func:`zermelo.trace`.

    >>> import zermelo as zm
    >>> film = zm.trace(Graph.from_edges([("a", "t")]), Asymmetric(), solver="nmfl")
    >>> for frame in film:
    ...     print(frame)
    t = 0, lines 050 and 060: L/W everywhere
    t = 1, line 110: t, player 0: L → D
    t = 2, line 255: a, player 1: W → D (by t)
    t = 3, line 140: t, player 1: W → L
    t = 4, line 255: a, player 0: L → W (by t)
    >>> film[2].labels.tolist()
    [[-1, 0], [0, 1]]
    """

    key = "frames"
    columns = ("time", "line", "position", "player", "before", "after", "causes")
    __str__ = object.__str__

    def __init__(
        self,
        graph: Graph,
        solver: str,
        first: Int8Array,
        steps: list[tuple[str, tuple[Change, ...]]],
        calls: int = 0,
    ) -> None:
        self.graph, self.solver = graph, solver
        self._first, self._steps = first, steps
        self.calls = calls
        """How often NMFL called Label; at most 4·E (Prop. 4.2)."""

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Frame]:
        labels = self._first.copy()
        for time, (line, changes) in enumerate(self._steps):
            self._apply(labels, changes)
            yield Frame(time, line, changes, sealed(labels.copy()))

    @overload
    def __getitem__(self, time: int) -> Frame: ...
    @overload
    def __getitem__(self, time: slice) -> list[Frame]: ...

    def __getitem__(self, time: int | slice) -> Any:
        if isinstance(time, slice):
            ends = (time.start, time.stop, time.step)
            whole = [None if x is None else whole_number(x, "time", None) for x in ends]
            if whole[2] == 0:
                raise InvalidOptionError("time: expected a step other than 0")
            return list(self)[slice(*whole)]
        number = whole_number(time, "time", None)
        if not -len(self) <= number < len(self):
            raise InvalidOptionError(f"time: expected 0 … {len(self) - 1}, got {number}")
        labels = self._first.copy()
        number %= len(self)
        for _, changes in self._steps[: number + 1]:
            self._apply(labels, changes)
        return Frame(number, *self._steps[number], sealed(labels))

    def _apply(self, labels: Int8Array, changes: tuple[Change, ...]) -> None:
        for c in changes:
            v = self.graph.index(c.position)
            at = (v, int(c.player)) if labels.ndim == 2 and c.player is not None else v
            labels[at] = int(c.after)

    def sequence(self, position: Hashable) -> tuple[tuple[int, str], ...]:
        """The labels of one position over time: each time with the labels that it has from then on.

        In NMFL this is the ≤*-decreasing sequence of Proposition 4.1, with the labels ℓ₀/ℓ₁.

        >>> import zermelo as zm
        >>> g = Graph.from_edges([("a", "t")])
        >>> zm.trace(g, Asymmetric(), solver="nmfl").sequence("t")
        ((0, 'L/W'), (1, 'D/W'), (3, 'D/L'))
        >>> zm.trace(g, NormalPlay(), solver="fraenkel-levy").sequence("a")
        ((1, 'W'),)
        """
        v = self.graph.index(position)
        name = self.graph.name(v)
        now = self._first[v : v + 1].copy()
        found = [] if now.ndim == 1 else [(0, _letters(now[0]))]
        for time, (_, changes) in enumerate(self._steps):
            for c in changes:
                if c.position == name:
                    if now.ndim == 2 and c.player is not None:
                        now[0, int(c.player)] = int(c.after)
                    else:
                        now[0] = int(c.after)
                    found.append((time, _letters(now[0])))
        return tuple(found)

    def __repr__(self) -> str:
        return f"Film({self.solver} on {self.graph!r}: {len(self):,} labellings)"

    def facts(self) -> dict[str, Any]:
        """The name of the algorithm."""
        return {"solver": self.solver}

    def rows(self, position: Hashable | None = None) -> Iterator[Row]:
        """A row for each change."""
        position = self._known(position)
        for time, (line, changes) in enumerate(self._steps):
            for c in changes:
                if position is None or c.position == position:
                    player = None if c.player is None else int(c.player)
                    before = None if c.before is None else c.before.name
                    yield (time, line, c.position, player, before, c.after.name, commas(c.causes))

    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The frames with their changes and labellings, as plain data."""
        position = self._known(position)
        for frame in self:
            changes = [c for c in frame.changes if position is None or c.position == position]
            if changes or position is None:
                yield {
                    "time": frame.time,
                    "line": frame.line,
                    "changes": [plain_record(c) for c in changes],
                    "labels": [_plain_labels(x) for x in frame.labels.tolist()],
                }


def _plain_labels(x: Any) -> Any:
    """A label, or the labels of both players; None where there is none."""
    if isinstance(x, list):
        return [_plain_labels(y) for y in x]
    return None if x == NO_LABEL else x


def _letters(labels: Any) -> str:
    return "/".join(Label(int(x)).name[0] for x in np.atleast_1d(labels))


def nmfl_film(graph: Graph, objective: Objective) -> Film:
    """Run NMFL and keep every change.

    >>> nmfl_film(Graph.from_edges([(0, 1), (0, 2)]), Asymmetric()).calls
    4
    """
    return _film_of(graph, objective, "nmfl", _Run)


def nmfl_cap_film(graph: Graph, objective: Objective) -> Film:
    """Run NMFL with the set operation CAP and keep every change.

    >>> print(nmfl_cap_film(Graph.from_edges([("a", "t")]), Asymmetric())[4])
    t = 4, lines 216 and 255: a, player 0: L → W (by t)
    """
    return _film_of(graph, objective, "nmfl-cap", _CapRun)


def _film_of(graph: Graph, objective: Objective, name: str, kind: "type[_Run]") -> Film:
    if not isinstance(objective, Asymmetric):
        raise SolverError(
            f"NMFL is for the asymmetric game, got {objective.keyword!r}; the objective asymmetric "
            "chooses it"
        )
    if graph.owner is not None:
        raise SolverError(
            "NMFL is for players who alternate, but this graph has owners; "
            "use solver 'retrograde', or drop the owners with graph.with_owner(None)"
        )
    _refuse_large(graph, 4 * graph.n + 4 * graph.m)
    run = kind(graph)
    return Film(graph, name, run.first, run.main(), run.calls)


class _Run:
    """The state of NMFL: Ell, and the log of its changes."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.outbound = [graph.successors(v).tolist() for v in range(graph.n)]
        self.inbound: list[list[int]] = [[] for _ in range(graph.n)]
        for u, row in enumerate(self.outbound):
            for w in row:
                self.inbound[w].append(u)
        self.ell = [[-1, 1] for _ in range(graph.n)]
        self.first = np.tile(np.array([-1, 1], np.int8), (graph.n, 1))
        self.log: list[tuple[str, tuple[Change, ...]]] = [("lines 050 and 060", ())]
        self.calls = 0

    def main(self) -> list[tuple[str, tuple[Change, ...]]]:
        """The procedure MAIN, lines 080 to 170."""
        for i in range(self.graph.n):
            if not self.outbound[i]:
                self._assign("110", i, 0, 0, ())
                self._label_before(i, 1)
                self._assign("140", i, 1, -1, ())
                self._label_before(i, 0)
        return self.log

    def _assign(self, line: str, i: int, e: int, label: int, causes: tuple[int, ...]) -> None:
        before, self.ell[i][e] = self.ell[i][e], label
        name = self.graph.name
        change = Change(
            name(i), Player(e), Label(before), Label(label), tuple(name(j) for j in causes)
        )
        self.log.append((line, (change,)))

    def _label_before(self, changed: int, e: int) -> None:
        """Call Label(G, j, e) for all j in Inbound, with the calls that follow from them."""
        stack = [(changed, e, iter(self.inbound[changed]))]
        # Invariant: a frame is a position whose label changed, the player of the calls of Label
        # that follow from this change, and those of its predecessors that were not yet called.
        while stack:
            w, player, todo = stack[-1]
            i = next(todo, None)
            if i is None:
                stack.pop()
                continue
            self.calls += 1
            line, aux = self._supremum(i, player)
            if self.ell[i][player] != aux:
                self._assign(line, i, player, aux, (w,))
                stack.append((i, 1 - player, iter(self.inbound[i])))

    def _supremum(self, i: int, e: int) -> tuple[str, int]:
        """The line that assigns aux, and aux: lines 205 to 225."""
        return "255", max([-1, *(-self.ell[j][1 - e] for j in self.outbound[i])])


class _CapRun(_Run):
    """The state of NMFL with CAP: also the sets of positions that have a label at present."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        everything = set(range(graph.n))
        self.verts: list[dict[int, set[int]]] = [
            {label: set(everything) if label == first else set() for label in (-1, 0, 1)}
            for first in (-1, 1)
        ]
        """``verts[e]`` has Lverts[G, e], Dverts[G, e] and Wverts[G, e] by label."""

    def _assign(self, line: str, i: int, e: int, label: int, causes: tuple[int, ...]) -> None:
        self.verts[e][self.ell[i][e]].remove(i)
        self.verts[e][label].add(i)
        super()._assign(line, i, e, label, causes)

    def _supremum(self, i: int, e: int) -> tuple[str, int]:
        """Lines 211 to 231 in the place of 215 and 225."""
        verts = self.verts[1 - e]
        if not verts[-1].isdisjoint(self.outbound[i]):
            return "lines 216 and 255", 1
        if not verts[0].isdisjoint(self.outbound[i]):
            return "lines 231 and 255", 0
        return "lines 205 and 255", -1


def fraenkel_levy_film(graph: Graph, objective: Objective) -> Film:
    """The labellings FL⁰, FL¹, …, and at last D for the positions that have no label.

    >>> print(fraenkel_levy_film(Graph.from_edges([("a", "t"), ("d", "d")]), NormalPlay())[1])
    t = 1, FL1: a: W (by t)
    """
    if not isinstance(objective, NormalPlay):
        raise SolverError(
            f"the Fraenkel–Lévy labelling is for normal play, got {objective.keyword!r}"
        )
    _refuse_large(graph, graph.n + graph.m)
    steps: list[tuple[str, tuple[Change, ...]]] = []
    for r in Trace(graph, form_on(objective, graph)):
        changes = tuple(Change(d.position, d.player, None, d.label, d.reasons) for d in r.decisions)
        steps.append(("D" if r.phase == "rest" else f"FL{r.distance}", changes))
    return Film(graph, "fraenkel-levy", np.full(graph.n, NO_LABEL, np.int8), steps)


def _refuse_large(graph: Graph, most: int) -> None:
    if most > MOST_CHANGES:
        raise SolverError(
            f"a film is for small games, but this graph has {graph.n:,} positions and {graph.m:,} "
            "moves; zm.solve labels it without the film"
        )
