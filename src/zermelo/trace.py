"""The labelling round by round, and the reasons for one answer: for teaching and for doubters.

:func:`trace` is retrograde analysis in plain Python, one *round* at a time, for every
terminal-payoff game. :func:`explain` reads the reasons for one position off a solution, in time
proportional to what it prints, and shares no code with :func:`trace`.

| rule     | why a situation has its value                                                   |
|----------|---------------------------------------------------------------------------------|
| "end"    | play ends here                                                                  |
| "can"    | some move leads to the value that the mover wants: the mover can                |
| "must"   | no move leads to anything better for the mover: the mover must                  |
| "agreed" | nobody can do better, and both may agree on an end that pays like infinite play |
| "rest"   | what no round decides is decided by infinite play                               |
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, Label, Player
from zermelo.objectives import Layout, NormalPlay, Number, Objective, TerminalForm, plain
from zermelo.solution import Solution

# -------------------------------------------------------------------- round by round


@dataclass(frozen=True)
class Decision:
    """One situation and why it gets its value; ``reasons`` are the moves that decide it."""

    position: Hashable
    player: Player | None
    """Who is to move; None where it makes no difference."""
    label: Label
    value: Number
    distance: int
    rule: str
    reasons: tuple[Hashable, ...]

    def __str__(self) -> str:
        moves = ", ".join(map(str, self.reasons))
        return _head(self) + f" ({self.rule}{': ' + moves if moves else ''})"


@dataclass(frozen=True)
class Round:
    """What one round decides.

    Rounds are numbered through; a phase is a run of rounds with the same ``values``, of distances
    0, 1, 2, …: first what can be forced (``phase`` "forced"), the most extreme payoffs first, then
    the ties that both may agree on ("agreed"), then everything else ("rest").
    """

    number: int
    phase: str
    values: tuple[Number, ...]
    distance: int
    decisions: tuple[Decision, ...]

    def __str__(self) -> str:
        return f"round {self.number}: " + "; ".join(map(str, self.decisions))


def trace(graph: Graph, objective: Objective | None = None) -> Iterator[Round]:
    """Yield the labelling of a terminal-payoff game round by round, normal play unless said.

    Every situation is decided in exactly one round. Values and distances are those of
    :func:`zermelo.solve`. Rounds that decide nothing are left out.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "t"), ("d", "e"), ("e", "d")])
    >>> for round in trace(g):
    ...     print(round)
    round 0: t is LOSE (end)
    round 1: b is WIN in 1 (can: t)
    round 2: a is LOSE in 2 (must: b)
    round 3: d is DRAW (rest: e); e is DRAW (rest: d)
    """
    objective = NormalPlay() if objective is None else objective
    return _Trace(graph, objective.terminal_form(graph)).rounds()


class _Trace:
    """The state of a trace: values and distances so far, and counters of moves not yet bad."""

    def __init__(self, graph: Graph, form: TerminalForm) -> None:
        self.graph, self.form = graph, form
        self.shift = int(form.doubled)
        self.size = graph.n << self.shift
        self.successors = [self._moves(s) for s in range(self.size)]
        self.predecessors: list[list[int]] = [[] for _ in range(self.size)]
        for s, moves in enumerate(self.successors):
            for t in moves:
                self.predecessors[t].append(s)
        self.ends = dict(
            zip(form.absorbing.tolist(), form.absorbing_level.tolist(), strict=True)
        )
        self.left = [len(moves) for moves in self.successors]
        self.level: list[int | None] = [None] * self.size
        self.distance = [NO_DISTANCE] * self.size
        self.number = 0

    def _moves(self, s: int) -> list[int]:
        moves: list[int] = self.graph.successors(s >> self.shift).tolist()
        return [(w << 1) + 1 - (s & 1) for w in moves] if self.shift else moves

    def _mover(self, s: int) -> int:
        """Who moves; 0 in the symmetric layout, where values are the mover's own."""
        if self.form.layout is Layout.SYMMETRIC:
            return 0
        return s & 1 if self.shift or self.graph.owner is None else int(self.graph.owner[s])

    def _behind(self, level: int) -> int:
        """A level as it looks one move earlier: mirrored where it was the other mover's own."""
        mirrored = self.form.layout is Layout.SYMMETRIC
        return len(self.form.levels) - 1 - level if mirrored else level

    def rounds(self) -> Iterator[Round]:
        form = self.form
        top = len(form.levels) - 1
        phases: list[tuple[int, ...]]
        if form.layout is Layout.SYMMETRIC:
            phases = [(c, top - c) for c in range(form.infinite)]
        else:
            phases = [(c,) for c in (*range(top, form.infinite, -1), *range(form.infinite))]
        for phase in phases:
            yield from self._wave("forced", phase)
        if form.agreed_ends:
            yield from self._wave("agreed", (form.infinite,))
        rest = [s for s in range(self.size) if self.level[s] is None]
        for s in rest:
            self.level[s] = form.infinite
        if rest:
            yield self._round("rest", (form.infinite,), NO_DISTANCE, rest)

    def _wave(self, phase: str, levels: tuple[int, ...]) -> Iterator[Round]:
        """The rounds of one phase, each from the situations that the round before decided."""
        front = [s for s, c in self.ends.items() if c in levels]
        for s in front:
            self.level[s] = self.ends[s]
        distance = 0
        while front:
            for s in front:
                self.distance[s] = distance
            yield self._round(phase, levels, distance, sorted(front))
            front = self._before(front, agreed=phase == "agreed")
            distance += 1

    def _before(self, front: list[int], *, agreed: bool) -> list[int]:
        """Decide the predecessors of a front for whom it settles the matter."""
        decided = []
        for t in front:
            settled = self.level[t]
            assert settled is not None
            level = self._behind(settled)
            for s in self.predecessors[t]:
                if self.level[s] is not None or s in self.ends:
                    continue
                wanted = (level > self.form.infinite) == (self._mover(s) == 0)
                if not agreed and not wanted:
                    self.left[s] -= 1
                    if self.left[s]:
                        continue
                self.level[s] = level
                decided.append(s)
        return decided

    def _round(self, phase: str, levels: tuple[int, ...], distance: int, ss: list[int]) -> Round:
        decisions = tuple(self._decision(s, phase) for s in ss)
        values = tuple(self.form.levels[c] for c in levels)
        number, self.number = self.number, self.number + 1
        return Round(number, phase, values, distance, decisions)

    def _decision(self, s: int, phase: str) -> Decision:
        level, distance = self.level[s], self.distance[s]
        assert level is not None
        value, mover = self.form.levels[level], self._mover(s)
        wanted = (level > self.form.infinite) == (mover == 0)
        moves = self.successors[s]
        if s in self.ends:
            rule, moves = "end", []
        elif phase == "forced":
            rule = "can" if wanted else "must"
        else:
            rule = phase
        if rule in ("can", "agreed"):
            moves = [t for t in moves if self._keeps(t, level, distance - 1)]
        elif rule == "rest":
            moves = [t for t in moves if self._keeps(t, level, NO_DISTANCE)]
        player = None if self.form.layout is Layout.SYMMETRIC else Player(mover)
        names = tuple(self.graph.name(t >> self.shift) for t in moves)
        return Decision(
            self.graph.name(s >> self.shift),
            player,
            _label(value, mover),
            value,
            distance,
            rule,
            names,
        )

    def _keeps(self, t: int, level: int, distance: int) -> bool:
        there = self.level[t]
        same = there is not None and self._behind(there) == level
        return same and self.distance[t] == distance and (distance >= 0 or t not in self.ends)


# -------------------------------------------------------------------- the reasons for one answer


@dataclass(frozen=True)
class Reason:
    """Why one situation has its value: a sentence, and the situations that it rests on.

    ``cut`` says that there is more to tell below, at a greater depth; ``more`` counts moves that
    are left out for want of width; ``repeated`` that the situation stands above on the same line.
    ``str()`` draws the tree.
    """

    position: Hashable
    player: Player | None
    label: Label
    value: Number
    distance: int
    rule: str
    text: str
    children: tuple["Reason", ...] = ()
    cut: bool = False
    more: int = 0
    repeated: bool = False
    plain: bool = True
    """Whether the value says no more than the label."""

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data (JSON types).

        >>> explain(Graph.from_edges([("a", "t")]), "t").to_dict()["text"]
        'there is no move'
        """
        name = self.position
        return {
            "position": name if isinstance(name, int | str) else str(name),
            "player": None if self.player is None else int(self.player),
            "label": self.label.name,
            "value": plain(self.value),
            "distance": self.distance,
            "rule": self.rule,
            "text": self.text,
            "cut": self.cut,
            "more": self.more,
            "repeated": self.repeated,
            "children": [child.to_dict() for child in self.children],
        }

    def __str__(self) -> str:
        return format_reason(self)


def format_reason(reason: Reason) -> str:
    """The tree of reasons as indented text.

    >>> g = Graph.from_edges([("a", "b"), ("b", "c"), ("b", "d"), ("c", "t"), ("d", "t")])
    >>> print(format_reason(explain(g, "a", depth=2)))
    a is WIN in 3: it can move to b
    └─ b is LOSE in 2: every move loses
       ├─ c is WIN in 1: it can move to t …
       └─ d is WIN in 1: it can move to t …
    """
    lines: list[str] = []
    stack: list[tuple[Reason | int, str, str]] = [(reason, "", "")]
    while stack:
        node, lead, below = stack.pop()
        if isinstance(node, int):
            lines.append(f"{lead}… and {node} more move{'' if node == 1 else 's'}")
            continue
        lines.append(f"{lead}{_head(node)}: {node.text}{' …' if node.cut else ''}")
        parts: list[Reason | int] = [*node.children, *([node.more] if node.more else [])]
        for k in range(len(parts) - 1, -1, -1):
            bend, bar = ("└─ ", "   ") if k == len(parts) - 1 else ("├─ ", "│  ")
            stack.append((parts[k], below + bend, below + bar))
    return "\n".join(lines)


def explain(
    game: Graph | Solution,
    position: Hashable,
    player: int | None = None,
    depth: int = 3,
    *,
    width: int = 8,
) -> Reason:
    """Why a position has its value, as a tree of reasons ``depth`` moves deep.

    From a solution this takes time proportional to the tree (and the degrees in it); a graph is
    solved first, for normal play. ``player`` is who moves where the players alternate. Below a
    position that *can* stands the move that does it, below others stand all moves, those that keep
    the value first; at most ``width`` of them.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "t")])
    >>> print(explain(g, "a"))
    a is DRAW: no move wins, and b keeps the draw
    └─ b is DRAW: no move wins, and a keeps the draw
       ├─ a is DRAW: as above
       └─ c is WIN in 1: it can move to t
          └─ t is LOSE: there is no move
    """
    if player not in (None, 0, 1):
        raise InvalidOptionError(f"player: expected 0 or 1, got {player!r}")
    if depth < 0 or width < 1:
        raise InvalidOptionError(f"expected depth >= 0 and width >= 1, got {depth} and {width}")
    if isinstance(game, Graph):
        from zermelo.solve import solve

        game = solve(game)
    if not isinstance(game, Solution):
        raise InvalidOptionError(
            f"expected a graph or the solution of a terminal-payoff game, got {game!r}"
        )
    v = game.graph.index(position)
    s, mover = game._situation(v, player)
    return _Explainer(game, width).reason(s, mover, depth, frozenset())


class _Explainer:
    """Reads reasons off a solution, looking only at situations that are printed."""

    def __init__(self, solution: Solution, width: int) -> None:
        self.graph, self.form, self.width = solution.graph, solution.form, width
        self.level = solution.level.reshape(-1)
        self.distance = solution.distance.reshape(-1)
        self.plain = all(x in (-1, 0, 1) for x in self.form.levels)
        self.symmetric = self.form.layout is Layout.SYMMETRIC
        self.top = len(self.form.levels) - 1

    def reason(
        self, s: int, player: Player | None, depth: int, above: frozenset[int]
    ) -> Reason:
        """The reason for one situation; ``above`` are those on the way to it."""
        level, distance = int(self.level[s]), int(self.distance[s])
        side = 0 if self.symmetric or player is None else int(player)
        moves, rule = self._moves(s, level, distance, side)
        keeping = self.graph.name(self._position(moves[0])) if moves else None
        text = self._sentence(rule, level, side, moves, keeping)
        if rule in ("can", "agreed", "rest") and self._is_best(level, side):
            moves = moves[:1]
        elif rule == "can":
            moves = moves[:1]
        repeated = s in above
        children: tuple[Reason, ...] = ()
        more = 0
        if repeated:
            text, cut = "as above", False
        else:
            cut = depth == 0 and bool(moves)
            if depth and moves:
                more = max(0, len(moves) - self.width)
                children = tuple(
                    self.reason(t, self._next(t, player), depth - 1, above | {s})
                    for t in moves[: self.width]
                )
        value = self.form.levels[level]
        return Reason(
            self.graph.name(self._position(s)),
            player,
            _label(value, side),
            value,
            distance,
            rule,
            text,
            children,
            cut,
            more,
            repeated,
            self.plain,
        )
