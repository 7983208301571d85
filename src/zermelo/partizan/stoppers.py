"""Simplest forms: dominated options go, reversible ones are bypassed, equal positions are one.

For *stoppers* that is the canonical form, as for finite games: equal stoppers come out the same
([Siegel2013] ch. VI). Where play may go on for ever the same steps keep G⁺, what the game is worth
when infinite play is a win for Left (see :mod:`zermelo.partizan.survival`), under a condition that
keeps the argument from running in circles:

- a Left option may go if another is at least as good for her: if the better one leads back here,
  play that goes on for ever is a win for Left anyway;
- a Right option may go if another is at least as good for him *and does not lead back here* by
  alternating moves, since coming back for ever would cost him the game: in r = {v|}, v = {|0, r},
  both options of v are worth 0, and without the 0 r would be worth 1;
- an option with a reply that reverses it may be bypassed if that reply does not lead back to it.

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

    def _bypass(self, v: int, player: int) -> bool:
        mine, other = self.options[player], self.options[1 - player]
        bypassed: set[int] = set()
        waiting, kept = list(mine[v]), []
        while waiting:
            x = waiting.pop()
            if x in bypassed or x in kept:
                continue
            reply = next((y for y in other[x] if self._worse(y, v, player)
                          and not self._leads(y, player, x)), None)  # fmt: skip
            if reply is None:
                kept.append(x)
            else:
                bypassed.add(x)
                waiting += mine[reply]
        mine[v] = kept
        return bool(bypassed)

    def _dominate(self, v: int, player: int) -> bool:
        row = sorted(self.options[player][v], reverse=True)  # of equal ones a node stays
        kept = list(row)
        for x in reversed(row):
            if any(
                y != x
                and self._worse(x, y, player)
                and (player == LEFT or not self._leads(y, LEFT, v))
                for y in kept
            ):
                kept.remove(x)
        self.options[player][v] = kept
        return len(kept) < len(row)

    def _leads(self, start: int, player: int, goal: int) -> bool:
        """Whether alternating moves, the first by ``player``, lead from one position to another
        with the other player to move; never asked for among stoppers."""
        if self.stoppers or goal >= self.size or start >= self.size:
            return False
        end, first = (goal, 1 - player), (start, player)
        found, waiting = {first}, [first]
        while waiting:
            v, who = waiting.pop()
            for w in self.options[who][v]:
                situation = (w, 1 - who)
                if situation == end:
                    return True
                if w < self.size and situation not in found:
                    found.add(situation)
                    waiting.append(situation)
        return False

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
