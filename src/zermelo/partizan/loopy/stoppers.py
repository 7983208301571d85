"""Simplest forms: delete dominated options, bypass reversible ones, identify equal positions.

Write G⁺ for G with infinite play won by Left (see :mod:`zermelo.partizan.loopy.survival`). Here ≥
compares G⁺ and H⁺: Left, moving second, survives in G − H, where infinite play must have infinitely
many moves in G. This relation is transitive ([Siegel2013] ch. VI).

A *step* changes the options of one player at one position v of a graph. Write u for a position
before the step and u' for the same position after it.

- Left's option x is dominated by her option y ≥ x: x is deleted.
- Right's option x is dominated by his option y ≤ x: x is deleted.
- Left's option x is reversible through Right's option r ≤ v of x: x is replaced by the Left options
  of r, unless x is one of these.
- Right's option x is reversible through Left's option r ≥ v of x: x is replaced by the Right
  options of r, those other than x.

**Lemma 1.** Left's dominated options can always be deleted: u = u' for all u. Proof. u ≥ u',
because Left copies Right's moves. In u' − u she keeps to positions p' − h with p ≥ h, Right to
move, and follows a strategy that survives p − h. If it moves from v to x, she moves from v' to y',
and y ≥ x is at least the other component; from there she follows a strategy for that difference. A
change of strategy is a move in the first component, so infinite play has infinitely many moves
there, either by these changes or by the last strategy.

**Lemma 2.** After each of the other steps u' ≥ u for all u. Proof. Again Left keeps to p' − h with
p ≥ h and follows a strategy for p − h.

- If Right's option was deleted, he has fewer moves.
- If Right makes a new move, from v' to a Right option of r, then r ≥ v ≥ h, and she follows a
  strategy for r − h. The change of strategy comes with a move in the first component.
- If her strategy for v − h moves from v to x, she imagines the position r − h with her to move,
  which she survives, because Right could have moved from x to r. She follows a strategy from there
  while nobody moves in the first component; this cannot last for ever, because the strategy
  survives r − h. When it moves from r to a Left option of r, she makes the same move from v', where
  it is a new option. When Right moves in the first component, from v' to some w', she follows a
  strategy for v − h, which she survives because v ≥ r ≥ h. So between two moves in the first
  component she follows at most two strategies.

**Lemma 3.** If u' ≥ u for all u, then u = u' for all u if and only if v ≥ v'. Proof. In u − u' Left
copies Right's moves until he makes a move that she cannot copy. Then both components were at v, and
she follows a strategy for v − v'.

Lemmas 2 and 3 also hold, with the same proofs, for several steps taken together, if each changes
another row of options (one player's at one position) and v ≥ v' for each of them.

**Lemma 4.** v ≥ v' holds after a step (a) if all positions are stoppers, (b) if Right's option x
was deleted and y does not lead to v, (c) if Left's option x was bypassed and r does not lead to v.

- (a) In v − v' Left keeps to g − h' with g ≥ h and follows a strategy for g − h. Suppose that it
  moves from v to x in the second component. If x was deleted, she moves from v' to y'. Otherwise
  she considers her answer to the move from x to r, which is a move to a Right option of r, now an
  option of v', or a move in the first component. She answers a new move of Right, from v' to a Left
  option of r, as in g − r. Infinite play in the difference of two stoppers has infinitely many
  moves in both, so changes of strategy do no harm. Stoppers remain stoppers, because a new option
  was three alternating moves away.
- (b) She answers the move to x by the move to y, and y' = y ≤ x.
- (c) She answers a new move, which is a move from r, as in v − r, and r' = r ≤ v.

So among stoppers every step is correct, and the result is the canonical form: equal stoppers give
the same result ([Siegel2013] ch. VI). For other games v ≥ v' is tested by playing the difference.
All steps preserve the value of every position, so one matrix of comparisons is enough for all.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zermelo.labels import BoolArray
from zermelo.partizan.loopy.forms import Node, Options, followers, inside, is_stopper, rows_of
from zermelo.partizan.loopy.survival import LEFT, RIGHT, Rows, alternating, survives


class Step(NamedTuple):
    """A step that replaces option ``x`` of ``player`` at ``v``; ``is_plain`` needs no test."""

    v: int
    player: int
    x: int
    instead: list[int]
    is_bypass: bool
    is_plain: bool


class Simplification:
    """Positions 0 … size − 1 that are being simplified, and then the nodes that they lead to."""

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
        # Bypassed options must not return, because that could go on for ever.
        self._bypassed = tuple([set[int]() for _ in left] for _ in (LEFT, RIGHT))
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
        """The options of the positions being simplified, as numbers or nodes."""
        n = self.size
        left, right = (
            [[x if x < n else self.nodes[x - n] for x in row] for row in side[:n]]
            for side in self.options
        )
        return left, right

    def equal(self, v: int) -> Node | None:
        """The node that a position equals, or None."""
        n = self.size
        equals = (self.ge[v, n:] & self.ge[n:, v]).nonzero()[0]
        return self.nodes[equals[0]] if equals.size else None

    def simplify(self) -> None:
        """Delete and bypass options until nothing changes.

        >>> from zermelo.partizan.loopy.forms import intern
        >>> on, = intern([[0]], [[]])
        >>> a = Simplification([[0, on]], [[0]])  # a = {a, on | a}: her pass is not better than on
        >>> a.simplify()
        >>> a.options[0][0] == [1 + a.nodes.index(on)]
        True
        """
        self.fold_back()
        while self._take_plain_steps() or self._take_tested_steps():
            pass

    def fold_back(self) -> None:
        """Let moves lead to a node instead of a position that equals the node."""
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

    def _steps(self, v: int, player: int) -> Iterator[Step]:
        """The steps in one row: options of a player at v that are dominated or reversible."""
        mine, yours = self.options[player], self.options[1 - player]
        for x in mine[v]:
            for y in mine[v]:
                if x != y and self._is_worse(x, y, player):
                    plain = player == LEFT or self.stoppers or y >= self.size
                    yield Step(v, player, x, [], False, plain)
        for x in mine[v]:
            for r in yours[x]:
                if not self._is_worse(r, v, player) or (player == LEFT and x in mine[r]):
                    continue
                instead = [y for y in mine[r] if y != x]
                if not self._bypassed[player][v].intersection(instead):
                    plain = self.stoppers or (player == LEFT and r >= self.size)
                    yield Step(v, player, x, instead, True, plain)

    def _rows(self) -> list[tuple[int, int]]:
        return [(v, player) for v in range(self.size) for player in (LEFT, RIGHT)]

    def _take_plain_steps(self) -> bool:
        """Take steps that are correct by lemma 1 or 4 until there are none."""
        taken = False
        for row in self._rows():
            while (step := next((x for x in self._steps(*row) if x.is_plain), None)) is not None:
                self._take(step)
                taken = True
        return taken

    def _take_tested_steps(self) -> bool:
        """Take steps that are correct by lemma 3: many together if possible, else one by one."""
        first_steps = [next(self._steps(*row), None) for row in self._rows()]
        together = [step for step in first_steps if step is not None]
        while together:
            right = self._right_ones(together)
            if len(right) == len(together):
                for step in together:
                    self._take(step)
                return True
            together = right
        taken = False
        for row in self._rows():
            alone = next((x for x in self._steps(*row) if self._right_ones([x])), None)
            if alone is not None:
                self._take(alone)
                taken = True
        return taken

    def _right_ones(self, steps: Sequence[Step]) -> list[Step]:
        """The steps with v ≥ v' if all of them are taken; at most one in each row."""
        new = [list(side) for side in self.options]
        for step in steps:
            new[step.player][step.v] = self._after(step)
        ge = survives(self.rows, Rows(*new), stoppers=False)
        return [step for step in steps if ge[step.v, step.v]]

    def _after(self, step: Step) -> list[int]:
        """The options of a player at a position after a step."""
        row = [y for y in self.options[step.player][step.v] if y != step.x]
        return list(dict.fromkeys([*row, *step.instead]))

    def _take(self, step: Step) -> None:
        self.options[step.player][step.v] = self._after(step)
        if step.is_bypass and not self.stoppers:
            self._bypassed[step.player][step.v].add(step.x)

    def _is_worse(self, x: int, y: int, player: int) -> bool:
        """Whether ``x`` is not better than ``y`` for a player."""
        return bool(self.ge[y, x] if player == LEFT else self.ge[x, y])

    def fuse(self) -> None:
        """Let moves to equal positions lead to the first of them; correct for stoppers only.

        Equal stoppers without dominated and reversible options have the same options up to equality
        ([Siegel2013] ch. VI). So equality is a bisimulation, and the length of play does not
        change.
        """
        n = self.size
        same = self.ge[:n, :n] & self.ge[:n, :n].T
        first = same.argmax(axis=1).tolist()
        for side in self.options:
            side[:n] = [
                list(dict.fromkeys(first[x] if x < n else x for x in side[first[v]]))
                for v in range(n)
            ]
