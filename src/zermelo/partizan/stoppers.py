"""Simplest forms: dominated options go, reversible ones are bypassed, equal positions are one.

For *stoppers* that is the canonical form, as for finite games: equal stoppers come out the same
([Siegel2013] ch. VI). Where play may go on for ever the same steps keep G⁺, what the game is worth
when infinite play is a win for Left (see :mod:`zermelo.partizan.survival`), under a condition that
keeps the argument from running in circles:

REMOVED: the conditions; derive them anew, with a proof.

All steps leave every position with its value, so one matrix of comparisons serves them all. No
proof of the conditions is cited: :mod:`zermelo.verify.loopy` checks what comes out, and in the
tests' tables it agrees with [CGSuite].
"""

from collections.abc import Sequence

from zermelo.labels import BoolArray
from zermelo.partizan.forms import Node, Options, followers, inside, is_stopper, rows_of
from zermelo.partizan.survival import LEFT, RIGHT, Rows, alternating, survives


class Work:
    """Positions 0 … size − 1 that are worked on, and after them the nodes that they lead to."""

    def __init__(self, left: Options, right: Options, extra: Sequence[Node] = ()) -> None:
        self.size = len(left)
        given = [x for row in (*left, *right) for x in row if not isinstance(x, int)]
        place = followers([*given, *extra])
        self.nodes = list(place)
        outer = rows_of(place)
        self.options: tuple[list[list[int]], list[list[int]]] = (
            self._numbered(left, place, outer.left),
            self._numbered(right, place, outer.right),
        )
        own = Rows(inside(left), inside(right))
        self.stoppers = all(map(is_stopper, given)) and not any(alternating(own))
        self.ge: BoolArray = survives(self.rows, self.rows, stoppers=self.stoppers)

    def _numbered(
        self, options: Options, place: dict[Node, int], outer: Sequence[Sequence[int]]
    ) -> list[list[int]]:
        n = self.size
        rows = [[x if isinstance(x, int) else n + place[x] for x in row] for row in options]
        return [list(dict.fromkeys(row)) for row in rows] + [[n + x for x in row] for row in outer]

    @property
    def rows(self) -> Rows:
        """The graph of all positions."""
        return Rows(*self.options)

    def own(self) -> tuple[list[list[int | Node]], list[list[int | Node]]]:
        """The options of what is worked on, numbers or nodes."""
        n = self.size
        left, right = (
            [[x if x < n else self.nodes[x - n] for x in row] for row in side[:n]]
            for side in self.options
        )
        return left, right

    def equal(self, v: int) -> Node | None:
        """The node that a position equals, if there is one."""
        n = self.size
        found = (self.ge[v, n:] & self.ge[n:, v]).nonzero()[0]
        return self.nodes[found[0]] if found.size else None

    def simplify(self) -> None:
        """Delete and bypass options until nothing changes.

        >>> from zermelo.partizan.forms import intern
        >>> on, = intern([[0]], [[]])
        >>> work = Work([[0, on]], [[0]])       # a = {a, on | a}: her pass is no better than on
        >>> work.simplify()
        >>> work.options[0][0] == [1 + work.nodes.index(on)]
        True
        """
        self.fold_back()
        changed = True
        while changed:
            changed = False
            for v in range(self.size):
                for player in (LEFT, RIGHT):
                    changed |= self._bypass(v, player)
                    changed |= self._dominate(v, player)

    def fold_back(self) -> None:
        """Let moves lead to a node instead of a position that equals it."""
        n = self.size
        node = {v: x for v in range(n) if (x := self.equal(v)) is not None}
        place = {x: n + k for k, x in enumerate(self.nodes)}
        for v in range(n):
            for side in self.options:
                if v in node:
                    side[v] = list(side[place[node[v]]])
                else:
                    side[v] = list(
                        dict.fromkeys(place[node[x]] if x in node else x for x in side[v])
                    )

    def _worse(self, x: int, y: int, player: int) -> bool:
        """Whether ``x`` is no better than ``y`` for a player."""
        return bool(self.ge[y, x] if player == LEFT else self.ge[x, y])

    # REMOVED: _bypass(v, player) -> bool, _dominate(v, player) -> bool and what they need; derive anew.

    def fuse(self) -> None:
        """Let moves to equal positions lead to the first of them; right for stoppers only."""
        n = self.size
        same = self.ge[:n, :n] & self.ge[:n, :n].T
        first = same.argmax(axis=1).tolist()
        for side in self.options:
            side[:n] = [
                list(dict.fromkeys(first[x] if x < n else x for x in side[first[v]]))
                for v in range(n)
            ]
