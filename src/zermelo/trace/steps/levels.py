"""Zielonka's recursion on a parity game, level by level, in plain Python.

Each call gets a subgame. Let d be its highest priority and i the player whom d favours.

1. *attract*: the attractor A of player i to the positions of priority d. The rest, without A, is
   solved by a call one level deeper.
2. *keep*: if the other player wins nothing of the rest, player i wins the whole subgame.
3. *give up*: else the other player wins her part of the rest, and her attractor B to it. What is
   left is solved in the same way, on the same level.

Büchi and co-Büchi games are parity games with two priorities, so their recursion has two levels.
A position without moves is decided before: its owner loses, and so do those positions from which
the winner can force the token there (*stuck*).

Reference: [Zielonka1998]. The time is exponential in the number of priorities; this is meant for
small games.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import ClassVar

from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import Player
from zermelo.objectives import Objective
from zermelo.objectives.infinite import priorities_on
from zermelo.trace.priorities import terms_of
from zermelo.trace.steps.base import Steps

MOST_POSITIONS, MOST_PRIORITIES = 2_000, 300
"""A larger game is not traced: every set of every call is kept."""
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Level:
    """One step of the recursion."""

    depth: int
    """The depth of the call; 0 is the whole game."""
    rule: str
    """"stuck", "attract", "keep" or "give up"."""
    player: Player
    """The player who attracts or wins."""
    priority: int | None
    """The highest priority of the subgame (the lowest, if the convention is "min"), as it was
    given; None for the rule "stuck"."""
    subgame: tuple[Hashable, ...]
    region: tuple[Hashable, ...]
    """The attractor, or the positions that the player wins by this step."""

    def __str__(self) -> str:
        some = ", ".join(map(str, self.region)) or "nothing"
        who = f"player {int(self.player)}"
        text = {
            "stuck": f"{who} wins {some}, for the other player gets stuck",
            "attract": f"priority {self.priority}: {who} attracts {some}",
            "keep": f"priority {self.priority}: {who} wins all of {some}",
            "give up": f"priority {self.priority}: {who} wins {some} against it",
        }[self.rule]
        return f"{'  ' * self.depth}{text}"


class Recursion(Steps):
    """The steps of Zielonka's recursion in their order; made by :func:`zermelo.trace`.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")], owner=[0, 1, 0])
    >>> print(zm.trace(g, zm.Parity([2, 0, 1])))
    priority 2: player 0 attracts a
      priority 1: player 1 attracts b, c
      priority 1: player 1 wins all of b, c
    priority 2: player 1 wins a, b, c against it
    """

    level_kind: ClassVar[Callable[..., Level]] = Level
    columns: ClassVar[tuple[str, ...]] = ("depth", "rule", "player", "priority", "region")

    def __init__(self, graph: Graph, objective: Objective) -> None:
        if graph.n > MOST_POSITIONS:
            raise InvalidOptionError(
                f"the recursion is shown for at most {MOST_POSITIONS:,} positions, got "
                f"{graph.n:,}; zm.solve says who wins"
            )
        self.graph = graph
        self._read(objective)
        assert graph.owner is not None
        self.owner: list[int] = graph.owner.tolist()
        self.steps = []
        self._successors = [graph.successors(v).tolist() for v in range(graph.n)]
        won = self._begin()
        self.winner = tuple(0 if v in won[0] else 1 for v in range(graph.n))
        """The winner of each position."""

    def _read(self, objective: Objective) -> None:
        """Read the data of the objective that the recursion follows."""
        self.priority: list[int] = priorities_on(objective, self.graph).tolist()
        self._given = terms_of(objective, self.graph).given
        levels = len(set(self.priority))
        if levels > MOST_PRIORITIES:
            raise InvalidOptionError(
                f"the recursion is shown for at most {MOST_PRIORITIES:,} priorities, got "
                f"{levels:,}; zm.solve says who wins"
            )

    def _begin(self) -> tuple[set[int], set[int]]:
        """Decide what ends at a position without moves, then solve the rest."""
        won: tuple[set[int], set[int]] = (set(), set())
        inside = set(range(self.graph.n))
        for player in (0, 1):
            stuck = {v for v in inside if not self._successors[v] and self.owner[v] != player}
            if stuck:
                won[player].update(self._attract(inside, stuck, player))
                self._step(0, "stuck", player, None, inside, won[player])
                inside = inside - won[player]
        rest = self._solve_all(inside)
        return won[0] | rest[0], won[1] | rest[1]

    def _solve_all(self, inside: set[int]) -> tuple[set[int], set[int]]:
        """The winning regions of the game, in which now every position has a move."""
        return self._solve(inside, 0)

    def _solve(self, inside: set[int], depth: int) -> tuple[set[int], set[int]]:
        """The winning regions of a subgame in which every position has a move."""
        left = set(inside)
        won: tuple[set[int], set[int]] = (set(), set())
        # Invariant: the positions of inside that are not left are decided, in won.
        while left:
            top = max(self.priority[v] for v in left)
            player = top % 2
            near = self._attract(left, {v for v in left if self.priority[v] == top}, player)
            given = self._given[top]
            self._step(depth, "attract", player, given, left, near)
            rest = self._solve(left - near, depth + 1)
            lost = rest[1 - player]
            if not lost:
                self._step(depth, "keep", player, given, left, left)
                won[player].update(left)
                break
            far = self._attract(left, lost, 1 - player)
            self._step(depth, "give up", 1 - player, given, left, far)
            won[1 - player].update(far)
            left = left - far
        return won

    def _attract(self, inside: set[int], targets: set[int], player: int) -> set[int]:
        """The attractor of a player inside a subgame."""
        region, grown = set(targets), True
        while grown:
            grown = False
            for v in inside - region:
                after = [w in region for w in self._successors[v] if w in inside]
                if any(after) if self.owner[v] == player else after and all(after):
                    region.add(v)
                    grown = True
        return region

    def _step(
        self,
        depth: int,
        rule: str,
        player: int,
        given: int | None,
        inside: set[int],
        region: set[int],
        *sets_of_colours: tuple[str, ...],
    ) -> None:
        if len(self.steps) >= MOST_STEPS:
            raise InvalidOptionError(
                f"the recursion has more than {MOST_STEPS:,} steps; zm.solve says who wins"
            )
        name = self.graph.name
        sets = (tuple(name(v) for v in sorted(x)) for x in (inside, region))
        self.steps.append(
            self.level_kind(depth, rule, Player(player), given, *sets, *sets_of_colours)
        )

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"Recursion({self.graph!r}: {len(self):,} steps)"


def parity_steps(graph: Graph, objective: Objective, solver: str, start: int | None) -> Recursion:
    """The levels of Zielonka's recursion.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([(0, 0)], owner=[0])
    >>> len(parity_steps(g, zm.Buchi([0]), "auto", None))
    2
    """
    return Recursion(graph, objective)
