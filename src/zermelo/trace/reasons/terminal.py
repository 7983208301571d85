"""Why a position has its value: a tree of reasons, taken from a solution.

The time is proportional to the printed tree and the degrees in it, for a graph of any size.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_DISTANCE, Label, Player
from zermelo.objectives.terminal_form import Layout, Number
from zermelo.solutions.base import Solution
from zermelo.solutions.terminal import TerminalSolution
from zermelo.trace.reasons.explanation import Explanation
from zermelo.trace.steps.base import plain_record
from zermelo.trace.steps.rounds import head, label_of


@dataclass(frozen=True)
class Reason(Explanation):
    """Why one situation has its value: a sentence, and the situations that support it.

    ``cut`` says that a greater depth would show more reasons below. ``more`` counts the moves that
    are left out because of ``width``. ``repeated`` says that the situation occurs above on the same
    branch. ``str()`` draws the tree.
    """

    position: Hashable
    player: Player | None
    label: Label
    value: Number | None
    distance: int
    rule: str
    text: str
    cut: bool = False
    more: int = 0
    repeated: bool = False
    children: tuple["Reason", ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data (JSON types).

        >>> import zermelo as zm
        >>> zm.explain(zm.Graph.from_edges([("a", "t")]), "t").to_dict()["text"]
        'there is no move'
        """
        return plain_record(self, children=[child.to_dict() for child in self.children])

    def sentences(self) -> tuple[str, ...]:
        """The lines of the tree."""
        return tuple(format_reason(self).split("\n"))

    def __str__(self) -> str:
        return format_reason(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the tree, whose branches can be folded."""
        from zermelo.trace.page import reason_page

        return reason_page(self)


def format_reason(reason: Reason) -> str:
    """The tree of reasons as indented text.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("b", "d"), ("c", "t"), ("d", "t")])
    >>> print(format_reason(zm.explain(g, "a", depth=2)))
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
        lines.append(f"{lead}{head(node)}: {node.text}{' …' if node.cut else ''}")
        parts: list[Reason | int] = [*node.children, *([node.more] if node.more else [])]
        for k in range(len(parts) - 1, -1, -1):
            bend, bar = ("└─ ", "   ") if k == len(parts) - 1 else ("├─ ", "│  ")
            stack.append((parts[k], below + bend, below + bar))
    return "\n".join(lines)


def explain_terminal(
    solution: Solution, position: Hashable, player: int | None, depth: int, width: int
) -> Reason:
    """The tree of reasons of a terminal-payoff game."""
    if not isinstance(solution, TerminalSolution):
        raise InvalidOptionError(
            f"expected the solution of a terminal-payoff game, got {solution!r}"
        )
    s, mover = solution._situation(solution.graph.index(position), player)
    return _Explainer(solution, width).reason(s, mover, depth, frozenset())


class _Explainer:
    """Reads reasons from a solution; it looks only at situations that are printed."""

    def __init__(self, solution: TerminalSolution, width: int) -> None:
        self.graph, self.form, self.width = solution.graph, solution.form, width
        self.level = solution.level.reshape(-1)
        self.distance = solution.distance.reshape(-1)
        self.plain = all(x in (-1, 0, 1) for x in self.form.levels)
        self.symmetric = self.form.layout is Layout.SYMMETRIC
        self.top = len(self.form.levels) - 1

    def reason(self, s: int, player: Player | None, depth: int, above: frozenset[int]) -> Reason:
        """The reason for one situation; ``above`` holds the situations on the branch to it."""
        level, distance = int(self.level[s]), int(self.distance[s])
        side = 0 if self.symmetric else int(player or 0)
        rule = self._rule(s, level, distance, side)
        moves = [] if rule == "end" else self._moves(s, level, distance, side)
        text = self._sentence(rule, s, level, side, moves)
        if rule == "can" or level == (0 if side else self.top):
            moves = moves[:1]  # one good move is a sufficient reason
        repeated = s in above
        if repeated:
            text, moves = "as above", []
        shown = moves[: self.width] if depth else []
        value = self.form.levels[level]
        return Reason(
            self._name(s),
            player,
            label_of(value, side),
            value,
            distance,
            rule,
            text,
            cut=len(moves) > 0 and depth == 0,
            more=len(moves) - len(shown) if depth else 0,
            repeated=repeated,
            children=tuple(
                self.reason(t, self._mover(t, player), depth - 1, above | {s}) for t in shown
            ),
        )

    def _name(self, s: int) -> Hashable:
        return self.graph.name(s >> 1 if self.form.doubled else s)

    def _mover(self, t: int, before: Player | None) -> Player | None:
        """The player to move at ``t``, if ``before`` moved to it."""
        if self.form.layout is Layout.OWNED and self.graph.owner is not None:
            return Player(int(self.graph.owner[t]))
        return None if before is None else before.other

    def _rule(self, s: int, level: int, distance: int, side: int) -> str:
        v = s >> 1 if self.form.doubled else s
        if distance == 0 or self.graph.indptr[v] == self.graph.indptr[v + 1]:
            return "end"
        if level != self.form.infinite:
            return "can" if (level > self.form.infinite) == (side == 0) else "must"
        if distance != NO_DISTANCE:
            return "agreed"
        if not self.form.agreed_ends and bool((self.form.absorbing == s).any()):
            return "end"
        return "rest"

    def _moves(self, s: int, level: int, distance: int, side: int) -> list[int]:
        """The situations after each move: best play first, then from good to bad."""
        if self.form.doubled:
            after = self.graph.successors(s >> 1).astype(np.int64) * 2 + (1 - (s & 1))
        else:
            after = self.graph.successors(s).astype(np.int64)
        levels = self.top - self.level[after] if self.symmetric else self.level[after]
        nearer = distance - 1 if distance != NO_DISTANCE else NO_DISTANCE
        keyed = [
            (c != level or d != nearer, c if side else -c, -d, t)
            for c, d, t in zip(
                levels.tolist(), self.distance[after].tolist(), after.tolist(), strict=True
            )
        ]
        return [key[-1] for key in sorted(keyed)]

    def _sentence(self, rule: str, s: int, level: int, side: int, moves: list[int]) -> str:
        if rule == "end":
            v = s >> 1 if self.form.doubled else s
            return "play ends here" if self.graph.successors(v).size else "there is no move"
        first = self._name(moves[0])
        # If ends may pay like infinite play and carry no distance, "for ever" may be false.
        endless = rule == "rest" and self.form.agreed_ends
        if rule == "can" or level == (0 if side else self.top):
            return f"it can move to {first}" + (" and go on for ever" if endless else "")
        if len(moves) == 1:
            return f"its only move is to {first}"
        value = self.form.levels[level]
        label = label_of(value, side)
        if not self.plain:
            verdict = f"no move is worth {'less' if side else 'more'} than {value}"
        else:
            verdict = "every move loses" if label is Label.LOSE else "no move wins"
        drawn = self.plain and label is Label.DRAW
        if rule == "agreed":
            keeps = "keeps the draw" if drawn else "leads to an end that pays this"
            return f"{verdict}, and {first} {keeps}"
        if endless:
            return f"{verdict}, and {first} " + ("keeps the draw" if drawn else "goes on for ever")
        return verdict
