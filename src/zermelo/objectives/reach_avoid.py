"""Reach-avoid games: a player wants to reach a goal without touching bad positions before it."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs.values import one_of
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Player
from zermelo.objectives.base import (
    check_example,
    kept_positions,
    mask_of_numbers,
    random_positions,
    some_names,
    spec_of,
)
from zermelo.objectives.terminal import Terminal, ending_form
from zermelo.objectives.terminal_form import TerminalForm

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, eq=False)
class ReachAvoid(Terminal):
    """Player 0 (or ``player``) wins iff the token reaches the goal and was at no position to avoid
    until then.

    What happens after the goal does not count. A position in both sets is one to avoid: there the
    goal is not reached safely. A dead end in neither set is lost for the player who is stuck there.
    Without positions to avoid this is :class:`~zermelo.objectives.terminal.Reach`. Distances are
    the ranks of the attractor to the goal; where the opponent wins there are none.

    Reference: [GamesOnGraphs] §8.2, where the controller wants to reach a goal; the time is O(V +
    E).

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "d")],
    ...                         owner={"a": 0, "b": 0, "c": 0, "d": 0})
    >>> s = zm.solve(g, zm.ReachAvoid(["d"], avoid=["b"])).verify()
    >>> s.winner.tolist(), s.line("a")
    ([0, 1, 0, 0], ['a', 'c', 'd'])
    """

    goal: Iterable[Hashable] | AnyArray
    avoid: Iterable[Hashable] | AnyArray = ()
    player: int = field(default=Player.ZERO, kw_only=True)
    keyword = "reach-avoid"
    endless_mean = "the goal is not reached"

    def __post_init__(self) -> None:
        one_of(self.player, "player", (0, 1), InvalidObjectiveError)
        for name in ("goal", "avoid"):
            object.__setattr__(self, name, kept_positions(getattr(self, name), name))

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The goal ends play and is won, positions to avoid are lost, and so is infinite play."""
        lost = as_graph(graph).mask(self.avoid)
        won = graph.mask(self.goal) & ~lost
        return ending_form(graph, int(self.player), won, lost, -1)

    def marks(self, graph: Graph) -> list[str]:
        """What a picture writes: ``goal`` and ``avoid``."""
        lost = as_graph(graph).mask(self.avoid).tolist()
        won = graph.mask(self.goal).tolist()
        return ["avoid" if y else "goal" if x else "" for x, y in zip(won, lost, strict=True)]

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The sets as lists of position numbers."""
        goal, avoid = (
            np.flatnonzero(as_graph(graph).mask(x)).tolist() for x in (self.goal, self.avoid)
        )
        return {
            "objective": self.keyword,
            "goal": goal,
            "avoid": avoid,
            "player": int(self.player),
        }

    def describe(self, graph: Graph) -> str:
        """The first positions of the sets, and the player who wants the goal."""
        goal, avoid = some_names(graph, self.goal), some_names(graph, self.avoid)
        return f"reach {goal} and avoid {avoid}, wanted by player {self.player}"

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "ReachAvoid":
        """Read the sets back."""
        goal = mask_of_numbers(spec_of(data), "goal", graph)
        avoid = mask_of_numbers(data, "avoid", graph)
        return cls(goal, avoid, player=data.get("player", 0))

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "ReachAvoid":
        """Some positions to reach and some to avoid."""
        check_example(graph, rng)
        goal, avoid = random_positions(graph, rng), random_positions(graph, rng)
        return cls(goal, avoid, player=rng.randint(0, 1))
