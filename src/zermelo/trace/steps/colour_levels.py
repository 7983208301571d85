"""The recursion on a Muller game along its Zielonka tree, level by level, in plain Python.

Each call gets a subgame and a set of the tree that has all its colours. Let i be the player who
wins this set. For each child of the set, one after the other:

1. *attract*: the attractor A of player i to the positions that have a colour outside the child. The
   rest, without A, is solved by a call one level deeper, with the child.
2. *give up*: if the other player wins a part of the rest, she wins this part and her attractor B to
   it. What is left is solved in the same way, on the same level.

3. *keep*: if the other player wins nothing for any child, player i wins the whole subgame: he takes
   the children in turn, and plays to a colour outside each. Either play stays for ever in a rest
   that he wins, or the colours that come again and again do not all lie in one child.

Positions without moves are decided before, as in :mod:`zermelo.trace.steps.levels`.

Reference: [Zielonka1998], [McNaughton1993]. The time is exponential; this is meant for small games.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.objectives import Muller, Objective
from zermelo.objectives.acceptance import signal_name
from zermelo.solvers.muller.zielonka_tree import build_tree
from zermelo.trace.steps.base import plain_record
from zermelo.trace.steps.levels import Level, Recursion


@dataclass(frozen=True)
class ColourLevel(Level):
    """One step of the recursion on a Muller game; it has colours instead of a priority."""

    colours: tuple[str, ...] = ()
    """The set of the tree; empty for the rule "stuck"."""
    child: tuple[str, ...] | None = None
    """The child of the set that is tried; None for the rules "stuck" and "keep"."""

    def __str__(self) -> str:
        some = ", ".join(map(str, self.region)) or "nothing"
        who = f"player {int(self.player)}"
        colours, child = _braces(self.colours), _braces(self.child or ())
        text = {
            "stuck": f"{who} wins {some}, for the other player gets stuck",
            "attract": f"colours {colours}: {who} attracts to what is outside {child}: {some}",
            "keep": f"colours {colours}: {who} wins all of {some}",
            "give up": f"colours {colours}: {who} wins {some} within {child}",
        }[self.rule]
        return f"{'  ' * self.depth}{text}"


def _braces(colours: tuple[str, ...]) -> str:
    return f"{{{', '.join(colours)}}}"


class ColourRecursion(Recursion):
    """The steps of the recursion on a Muller game in their order; made by :func:`zermelo.trace`.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")], owner=[0, 0, 1])
    >>> print(zm.trace(g, zm.Muller({"a": 0, "b": 1, "c": 1}, "Inf(0) & Inf(1)")))
    colours {0, 1}: player 0 attracts to what is outside {0}: a, b, c
    colours {0, 1}: player 0 attracts to what is outside {1}: a, b
      colours {1}: player 1 wins all of c
    colours {0, 1}: player 1 wins c within {1}
    colours {0, 1}: player 0 attracts to what is outside {0}: a, b
    colours {0, 1}: player 0 attracts to what is outside {1}: a, b
    colours {0, 1}: player 0 wins all of a, b
    """

    level_kind = ColourLevel
    columns = ("depth", "rule", "player", "colours", "child", "region")

    def _read(self, objective: Objective) -> None:
        if not isinstance(objective, Muller):
            raise InvalidObjectiveError(f"expected a Muller game, got {objective.keyword!r}")
        signals = objective.signals(self.graph)
        tree = build_tree(signals)
        self._mask: list[int] = signals.mask.tolist()
        self._sets: list[int] = tree.label.tolist()
        self._accepting: list[bool] = tree.accepting.tolist()
        self._children: list[list[int]] = [[] for _ in self._sets]
        for node, parent in enumerate(tree.parent.tolist()):
            if 0 <= parent != node:
                self._children[parent].append(node)
        self._signal = signals.signal

    def _colours(self, node: int) -> tuple[str, ...]:
        bits = self._sets[node]
        return tuple(signal_name(x) for j, x in enumerate(self._signal) if bits >> j & 1)

    def _solve_all(self, inside: set[int]) -> tuple[set[int], set[int]]:
        return self._solve_in(inside, 0, 0) if inside else (set(), set())

    def _solve_in(self, inside: set[int], node: int, depth: int) -> tuple[set[int], set[int]]:
        """The winning regions of a subgame whose colours are in a set of the tree."""
        left = set(inside)
        won: tuple[set[int], set[int]] = (set(), set())
        player = 0 if self._accepting[node] else 1
        colours = self._colours(node)
        # Invariant: the positions of inside that are not left are won by the other player.
        while left:
            far = self._loses(left, node, depth)
            if not far:
                self._step(depth, "keep", player, None, left, left, colours)
                won[player].update(left)
                break
            won[1 - player].update(far)
            left = left - far
        return won

    def _loses(self, left: set[int], node: int, depth: int) -> set[int]:
        """Positions that the player who wins a set of the tree loses, by the first such child."""
        player = 0 if self._accepting[node] else 1
        for child in self._children[node]:
            both = (self._colours(node), self._colours(child))
            outside = {v for v in left if self._mask[v] & ~self._sets[child]}
            near = self._attract(left, outside, player)
            self._step(depth, "attract", player, None, left, near, *both)
            rest = left - near
            lost = self._solve_in(rest, child, depth + 1)[1 - player]
            if lost:
                far = self._attract(left, lost, 1 - player)
                self._step(depth, "give up", 1 - player, None, left, far, *both)
                return far
        return set()

    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The steps as plain data."""
        names = ("depth", "rule", "player", "colours", "child", "subgame", "region")
        return (plain_record(x, names) for x in self._about(position))


def muller_steps(
    graph: Graph, objective: Objective, solver: str, start: int | None
) -> ColourRecursion:
    """The levels of the recursion on a Muller game.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([(0, 0)], owner=[0])
    >>> str(muller_steps(g, zm.Muller([0], "Inf(0)"), "auto", None))
    'colours {0}: player 0 wins all of 0'
    """
    return ColourRecursion(graph, objective)
