"""All plays that a strategy allows, as a graph of nodes; the worst of them for the player.

A node is a position, the player to move and the memory of the strategy. The player's moves are
given, so a play is a way of the opponent through this graph. A cycle is sought in the strong
components: one whose colours lose for the player is a refutation; if those of a whole component do
not, every smaller set of colours lacks one of them, so each colour is left out in turn.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from zermelo.errors import LimitError
from zermelo.solutions.answers import Line
from zermelo.verify.common.strategies import Plan, legal
from zermelo.verify.common.strong import inner_components

Node = tuple[int, int, int]
"""A position, the player to move if the players alternate (else 0), the memory."""


@dataclass
class Plays:
    """The nodes that play can reach, their moves, and one way to each of them."""

    plan: Plan
    player: int
    mover: Callable[[Node], int]
    """The player to move at a node."""
    ends: Callable[[Node], bool]
    nodes: list[Node] = field(default_factory=list)
    moves: list[list[int]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    fault: int | None = None
    """The first node where the strategy has no legal move."""

    def explore(self, start: Node) -> None:
        """Visit all nodes, the nearest first."""
        number = {start: 0}
        self.nodes, self.parent = [start], [-1]
        for k, node in enumerate(self.nodes):
            after = self._after(node)
            if after is None:
                self.fault = k
                return
            row = []
            for t in after:
                if t not in number:
                    number[t] = len(self.nodes)
                    self.nodes.append(t)
                    self.parent.append(k)
                row.append(number[t])
            self.moves.append(row)

    def _after(self, node: Node) -> list[Node] | None:
        """The nodes after a move; None if the strategy gives no legal move."""
        v, e, memory = node
        if self.ends(node):
            return []
        positions: list[int] = self.plan.graph.successors(v).tolist()
        if self.mover(node) == self.player and positions:
            w = self.plan.choose(v, memory, [v])
            if w is None or not legal(self.plan.graph, v, w):
                return None
            positions = [w]
        after = self.plan.after(memory, v)
        turn = e if self.plan.graph.owner is not None else 1 - e
        return [(w, turn, after) for w in positions]

    def path(self, k: int) -> list[int]:
        """The nodes on a shortest play to a node."""
        way = [k]
        while self.parent[way[-1]] >= 0:
            way.append(self.parent[way[-1]])
        return way[::-1]

    def line(self, way: list[int], cycle: list[int] | None = None) -> Line:
        """A play as a line; ``cycle`` are the nodes of a closed walk from its last node."""
        line = Line(self.plan.graph.name(self.nodes[k][0]) for k in way + (cycle or []))
        if cycle:
            line.cycle = len(way) - 1
        return line

    # ---------------------------------------------------------------- cycles

    def bad_cycle(
        self, colours: list[int], loses: Callable[[int], bool], *, highest: bool, limit: int
    ) -> Line | None:
        """A play without end whose set of colours the player loses, or None.

        Colours are bits. With ``highest`` only the highest bit counts, so no other is left out.
        """
        waiting = [frozenset(range(len(self.nodes)))]
        seen = set(waiting)
        while waiting:
            if len(seen) > limit:
                raise LimitError(
                    f"check_strategy looked at {limit:,} sets of positions in which play can stay, "
                    "and there are more; set limit to allow more"
                )
            for part in self.components(waiting.pop()):
                mask = 0
                for k in part:
                    mask |= colours[k]
                if loses(mask):
                    return self.lasso(part, colours, highest=highest)
                bits = [1 << mask.bit_length() - 1] if highest and mask else []
                if not highest:
                    bits = [1 << j for j in range(mask.bit_length()) if mask >> j & 1]
                for bit in bits:
                    rest = frozenset(k for k in part if not colours[k] & bit)
                    if rest and rest not in seen:
                        seen.add(rest)
                        waiting.append(rest)
        return None

    def components(self, chosen: Iterable[int]) -> list[list[int]]:
        """The strong components of some nodes in which play can stay."""
        return inner_components(chosen, self.moves.__getitem__)

    def lasso(self, part: list[int], colours: list[int], *, highest: bool) -> Line:
        """A play to a strong component and around in it, through all colours that count."""
        top = max(colours[k].bit_length() for k in part)
        wanted = (1 << top - 1 if top else 0) if highest else -1
        goals, covered = list[int](), 0
        for k in part:  # the nodes are numbered by their distance from the start
            if colours[k] & wanted & ~covered:
                goals.append(k)
                covered |= colours[k]
        goals = goals or part[:1]
        walk, here = list[int](), goals[0]
        for goal in [*goals[1:], goals[0]]:
            walk += self.way(here, goal, set(part))
            here = goal
        return self.line(self.path(goals[0]), walk)

    def way(self, here: int, goal: int, inside: set[int]) -> list[int]:
        """A shortest walk of at least one move inside a component, without its first node."""
        parent, queue = dict[int, int](), [here]
        for k in queue:
            for t in self.moves[k]:
                if t in inside and t not in parent:
                    parent[t] = k
                    queue.append(t)
            if goal in parent:
                break
        way = [goal]
        while parent[way[-1]] != here:
            way.append(parent[way[-1]])
        return way[::-1]
