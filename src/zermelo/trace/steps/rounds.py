"""Retrograde analysis in plain Python, one round at a time, for every terminal-payoff game.

The phases are those of :mod:`zermelo.solvers.terminal.retrograde` in the same order, so the round
within a phase is the distance. Time and memory are O(V + E), in Python objects.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, Label, Player
from zermelo.objectives.terminal_form import Layout, Number, TerminalForm, plain
from zermelo.trace.steps.base import Row, Steps, commas, plain_names, plain_record

if TYPE_CHECKING:
    from zermelo.trace.reasons.terminal import Reason

BECAUSE = {
    "end": "play ends here",
    "can": "can move to",
    "must": "must move to",
    "agreed": "both may go to",
    "rest": "can go on by",
}
"""The rules in words; the moves that decide come after them."""


@dataclass(frozen=True)
class Decision:
    """One situation and the rule for its value; ``reasons`` are the moves that decide it."""

    position: Hashable
    player: Player | None
    """The player to move; None if the value is the same for both players."""
    label: Label
    value: Number
    distance: int
    rule: str
    reasons: tuple[Hashable, ...]

    def __str__(self) -> str:
        moves = ", ".join(map(str, self.reasons))
        return head(self) + f" ({self.rule}{': ' + moves if moves else ''})"


@dataclass(frozen=True)
class Round:
    """The decisions of one round.

    Rounds are numbered from 0. A phase is a sequence of rounds with the same ``values`` and the
    distances 0, 1, 2, …: first come the values that a player can force (``phase`` "forced"), the
    most extreme payoffs first; then the ties that both players accept ("agreed"); then all other
    situations ("rest").
    """

    number: int
    phase: str
    values: tuple[Number, ...]
    distance: int
    decisions: tuple[Decision, ...]

    def __str__(self) -> str:
        return f"round {self.number}: " + "; ".join(map(str, self.decisions))

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of the decisions."""
        from zermelo.trace.page import round_page

        return round_page(self)


class Trace(Iterator[Round], Steps):
    """The rounds of a labelling, each made when it is asked for; a notebook shows the first ones.

    >>> import zermelo as zm
    >>> rounds = zm.trace(Graph.from_edges([("a", "t")]))
    >>> next(rounds).number, next(rounds).number, list(rounds)
    (0, 1, [])
    """

    key = "rounds"
    sections = True
    __str__ = object.__str__

    def __init__(self, graph: Graph, form: TerminalForm) -> None:
        self.graph, self.form = graph, form
        self._rounds: Iterator[Round] | None = None

    def __next__(self) -> Round:
        if self._rounds is None:
            self._rounds = _Trace(self.graph, self.form).rounds()
        return next(self._rounds)

    def __repr__(self) -> str:
        return f"Trace({self.graph!r})"

    @property
    def header(self) -> tuple[str, ...]:
        """The columns; the player is the last one if it matters who is to move."""
        who = () if self.form.layout is Layout.SYMMETRIC else ("player",)
        return ("round", "position", "label", "distance", "rule", "moves", *who)

    def _decisions(self, position: Hashable | None) -> Iterator[tuple[Round, list[Decision]]]:
        """All rounds from the first on, each with what it decides of one position, or of all."""
        position = self._known(position)
        for r in Trace(self.graph, self.form):
            found = [d for d in r.decisions if position is None or d.position == position]
            if found:
                yield r, found

    def rows(self, position: Hashable | None = None) -> Iterator[Row]:
        """A row for each decision."""
        for r, decisions in self._decisions(position):
            for d in decisions:
                distance = None if d.distance < 0 else d.distance
                who = () if d.player is None else (int(d.player),)
                moves = commas(d.reasons)
                yield (r.number, d.position, d.label.name, distance, d.rule, moves, *who)

    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The rounds with their decisions, as plain data."""
        for r, decisions in self._decisions(position):
            record = plain_record(
                r,
                ("phase", "values", "distance", "decisions"),
                values=[plain(x) for x in r.values],
                decisions=[_record(d) for d in decisions],
            )
            yield {"round": r.number} | record

    def table(self, position: Hashable | None = None) -> tuple[tuple[str, ...], Iterator[Row]]:
        """The rows in words."""
        header = ("round", "position", "label", "in", "because", "moves")
        return header, self._in_words(position)

    def _in_words(self, position: Hashable | None) -> Iterator[Row]:
        for r, decisions in self._decisions(position):
            for d in decisions:
                who = "" if d.player is None else f", player {int(d.player)}"
                distance = "∞" if d.distance < 0 else d.distance
                moves = ", ".join(map(str, d.reasons))
                name = f"{d.position}{who}"
                yield (r.number, name, d.label.name, distance, BECAUSE.get(d.rule, d.rule), moves)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of the first rounds; the iterator stays where it is."""
        from zermelo.trace.page import trace_page

        return trace_page(self)


class _Trace:
    """The values and distances so far, and how many moves are not yet known to be bad."""

    def __init__(self, graph: Graph, form: TerminalForm) -> None:
        self.graph, self.form = graph, form
        self.shift = int(form.doubled)
        self.size = graph.n << self.shift
        self.successors = [self._moves(s) for s in range(self.size)]
        self.predecessors: list[list[int]] = [[] for _ in range(self.size)]
        for s, moves in enumerate(self.successors):
            for t in moves:
                self.predecessors[t].append(s)
        self.ends = dict(zip(form.absorbing.tolist(), form.absorbing_level.tolist(), strict=True))
        self.left = [len(moves) for moves in self.successors]
        self.level: list[int | None] = [None] * self.size
        self.distance = [NO_DISTANCE] * self.size
        self.number = 0

    def _moves(self, s: int) -> list[int]:
        moves: list[int] = self.graph.successors(s >> self.shift).tolist()
        return [(w << 1) + 1 - (s & 1) for w in moves] if self.shift else moves

    def _mover(self, s: int) -> int:
        """The player to move; 0 in the symmetric layout, where both players see the same game."""
        if self.form.layout is Layout.SYMMETRIC:
            return 0
        return s & 1 if self.shift or self.graph.owner is None else int(self.graph.owner[s])

    def _behind(self, level: int) -> int:
        """A level seen one move earlier: mirrored if values belong to the player to move."""
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
        """The rounds of one phase; each starts from the situations of the round before."""
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
        """Decide those predecessors of a front whose value is now determined."""
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
            label_of(value, mover),
            value,
            distance,
            rule,
            names,
        )

    def _keeps(self, t: int, level: int, distance: int) -> bool:
        there = self.level[t]
        same = there is not None and self._behind(there) == level
        return same and self.distance[t] == distance


def _record(d: Decision) -> dict[str, Any]:
    found = plain_record(d, moves=plain_names(d.reasons))
    del found["reasons"]
    return found


def label_of(value: Number, mover: int) -> Label:
    """The label for the player to move, from a value for player 0; ``mover`` is 0 if they agree."""
    sign = (value > 0) - (value < 0)
    return Label(-sign if mover else sign)


def head(node: "Decision | Reason") -> str:
    """``a, player 0 to move, is WIN in 3``; with the value if the label does not determine it."""
    mover = "" if node.player is None else f", player {int(node.player)} to move,"
    end = f" in {node.distance}" if node.distance > 0 and node.rule != "agreed" else ""
    worth = "" if node.value in (-1, 0, 1) else f" (value {node.value})"
    return f"{node.position}{mover} is {node.label.name}{end}{worth}"
