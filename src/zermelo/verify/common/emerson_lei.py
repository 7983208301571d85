"""Who wins a finite game with an Emerson–Lei condition, for checkers: plain Python.

The players move along the arrows of a graph. A player who cannot move has lost. If play never ends,
player 1 wins exactly if a formula holds: Inf(c) says that the colour c is seen infinitely often,
Fin(c) that it is not.

Consider positions in which everybody can move, and let C be all their colours. Let player p win if
exactly C is seen infinitely often. The opponent can win only by keeping, from some time on, to a
set D of colours with which he wins, and it suffices to try the largest of them. For each D, remove
the positions from which p can force a colour outside of D.

- If the opponent wins somewhere in the rest with colours of D, he wins there in the whole game,
  too, because p cannot leave the rest; and from all positions from which he can force play to come
  there. These are removed, and the search begins again.
- If for no D he wins anywhere, then p wins everywhere: she forces for each D in turn a colour
  outside of D. In a rest that play never leaves she wins by her strategy there, otherwise the
  colours seen infinitely often are in no D, so they win for her.

This is the algorithm of [McNaughton1993] and [Zielonka1998].
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from zermelo.verify.common.strong import inner_components

Colours = frozenset[Hashable]
Regions = tuple[set[int], set[int]]
"""The positions that player 0 wins, and those that player 1 wins."""


class Condition:
    """A formula in postfix order, whose atoms have the fields ``infinite number absent``.

    A colour is a pair: the number of a set, and whether its complement is meant.
    """

    def __init__(self, formula: Sequence[Any]) -> None:
        self._formula = formula
        atoms = [x for x in formula if not isinstance(x, str)]
        self._colours = list(dict.fromkeys((x.number, x.absent) for x in atoms))

    def colours(self, sets: Iterable[int]) -> Colours:
        """The colours of an edge that belongs to exactly these sets."""
        inside = set(sets)
        return frozenset(x for x in self._colours if (x[0] in inside) != x[1])

    def value(self, seen: Colours, unknown: Colours = frozenset()) -> bool | None:
        """Whether the formula holds if ``seen`` and no others are seen infinitely often.

        Colours in ``unknown`` may be seen or not; None if it depends on them.
        """
        stack: list[bool | None] = []
        for item in self._formula:
            if item in ("t", "f"):
                stack.append(item == "t")
            elif item == "!":
                x = stack.pop()
                stack.append(None if x is None else not x)
            elif item in ("&", "|"):
                pair, decisive = (stack.pop(), stack.pop()), item == "|"
                if decisive in pair:
                    stack.append(decisive)
                else:
                    stack.append(None if None in pair else not decisive)
            else:
                colour = item.number, item.absent
                stack.append(None if colour in unknown else (colour in seen) == item.infinite)
        return stack.pop()

    def largest(self, colours: Colours, *, value: bool) -> list[Colours]:
        """The largest sets among some colours with which the formula has a value."""
        order = [x for x in self._colours if x in colours]
        found: list[Colours] = []

        def search(chosen: Colours, k: int) -> None:
            """Colours are decided in turn, until the others make no difference."""
            others = frozenset(order[k:])
            known = self.value(chosen, others)
            if known is None:
                search(chosen | {order[k]}, k + 1)
                search(chosen, k + 1)
            elif known == value:
                found.append(chosen | others)

        search(frozenset(), 0)
        return [x for x in found if not any(x < y for y in found)]


class Arena:
    """A graph with owners and colours; ``after`` has the targets of each position, each once."""

    def __init__(
        self,
        after: Sequence[Iterable[int]],
        owner: Sequence[int],
        colours: Sequence[Colours],
        condition: Condition,
    ) -> None:
        self.after, self.owner, self.colours, self.condition = after, owner, colours, condition
        self.before: list[list[int]] = [[] for _ in after]
        for v, targets in enumerate(after):
            for w in targets:
                self.before[w].append(v)

    def forced(self, inside: set[int], player: int, goals: Iterable[int]) -> set[int]:
        """Where a player can force play to come to a goal; all play stays inside."""
        found = set(goals)
        waiting, left = list(found), dict[int, int]()
        while waiting:
            for v in self.before[waiting.pop()]:
                if v not in inside or v in found:
                    continue
                if self.owner[v] != player:
                    left[v] = left.get(v, sum(w in inside for w in self.after[v])) - 1
                    if left[v]:
                        continue
                found.add(v)
                waiting.append(v)
        return found

    def regions(self) -> tuple[Regions, Regions]:
        """Where each player forces the other to be stuck, and where she wins if play never ends.

        >>> from types import SimpleNamespace
        >>> buchi = Condition([SimpleNamespace(infinite=True, number=0, absent=False)])
        >>> colours = [buchi.colours(sets) for sets in ([], [0], [])]
        >>> Arena([[0, 1], [0], []], [1, 0, 1], colours, buchi).regions()
        (({2}, set()), (set(), {0, 1}))
        """
        inside = set(range(len(self.after)))
        stuck: list[set[int]] = [set(), set()]
        for player in (0, 1):
            lost = (v for v in inside if not self.after[v] and self.owner[v] != player)
            stuck[player] = self.forced(inside, player, list(lost))
            inside -= stuck[player]
        return (stuck[0], stuck[1]), self._endless(inside)

    def cycles(self, inside: set[int], player: int) -> set[int]:
        """Positions on cycles that stay inside and that a player wins; some if there are any."""
        waiting, found = [inside], set[int]()
        while waiting:
            for part in inner_components(waiting.pop(), self.after.__getitem__):
                colours = frozenset[Hashable]().union(*(self.colours[v] for v in part))
                if self.condition.value(colours) == (player == 1):
                    found.update(part)
                else:
                    largest = self.condition.largest(colours, value=player == 1)
                    waiting += [{v for v in part if self.colours[v] <= x} for x in largest]
        return found

    def _endless(self, inside: set[int]) -> Regions:
        """Who wins which positions if play stays in them; everybody can move in each."""
        found: Regions = set(), set()
        inside = set(inside)
        while inside:
            colours = frozenset[Hashable]().union(*(self.colours[v] for v in inside))
            ahead = int(self.condition.value(colours) is True)
            for fewer in self.condition.largest(colours, value=ahead == 0):
                goals = [v for v in inside if not self.colours[v] <= fewer]
                rest = inside - self.forced(inside, ahead, goals)
                theirs = self._endless(rest)[1 - ahead]
                if theirs:
                    break
            else:
                found[ahead].update(inside)
                break
            theirs = self.forced(inside, 1 - ahead, theirs)
            found[1 - ahead].update(theirs)
            inside -= theirs
        return found
