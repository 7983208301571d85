"""Proofs of the situations of a searched component, for the checker of games of return.

A situation is a token on v and a set of open positions, here an integer with a bit for each one.
:mod:`zermelo.verify.geography.geography` explains what is proved, and why the plain game may decide
a situation.
"""

from typing import Any

from zermelo.errors import CertificateError
from zermelo.verify.common.inessential import inessential

_BITS = 62
"""The number of positions that one entry of a solver's table holds."""


class Situations:
    """A component: the moves and the stuck label of each position, and a claimed table.

    >>> Situations([[1], [2], [0, 1]], [-1] * 3, False, ()).prove(0, -1, -1)
    >>> Situations([[1], [2], [0, 1]], [-1] * 3, False, ()).prove(0, 1, -1)
    Traceback (most recent call last):
    zermelo.errors.CertificateError: expected label -1, the solution claims 1
    """

    def __init__(self, moves: list[list[int]], stuck: list[int], returns: bool, table: Any) -> None:
        self.moves, self.stuck, self.returns = moves, stuck, returns
        self.whole = any(x > 0 for x in stuck)
        self.back: list[list[int]] = [[] for _ in moves]
        for v, row in enumerate(moves):
            for w in row:
                self.back[w].append(v)
        self.closes = [1 << v for v in range(len(moves))]
        if returns:
            for v, row in enumerate(self.back):
                self.closes[v] |= sum(1 << u for u in row)
        self.claimed: dict[tuple[int, int], int] = {}
        for v, blocks, label in zip(*(x.tolist() for x in table), strict=True):
            chosen = sum(block << _BITS * j for j, block in enumerate(blocks))
            self.claimed[v, chosen] = label
        self.proved: dict[tuple[int, int], int] = {}
        self.searched: dict[tuple[int, int], int] = {}
        self.matched: dict[int, set[int]] = {}

    def survey(self, v: int, free: int) -> tuple[int, tuple[int, int], list[int]]:
        """The label of v if it is decided at once, else 0; the key of the situation; moves to try.

        The plain game on the open positions may decide it. So may a matching, if moves are
        symmetric and a stuck player loses.
        """
        left, value, queue, decided = {v: 0}, dict[int, int](), [v], list[int]()
        for u in queue:
            row = [w for w in self.moves[u] if free >> w & 1]
            left[u] = len(row)
            for w in row:
                if w not in left:
                    left[w] = 0
                    queue.append(w)
            if not row:
                value[u] = self.stuck[u]
                decided.append(u)
        for u in decided:
            for p in self.back[u] if u != v else ():
                if p not in left or p in value or not (free >> p & 1 or p == v):
                    continue
                left[p] -= 1
                if value[u] < 0 or left[p] == 0:
                    value[p] = 1 if value[u] < 0 else -1
                    decided.append(p)
        if v in value:
            return value[v], (v, 0), []
        tried = [w for w in self.moves[v] if free >> w & 1 and w not in value]
        reached, seen = list(tried), set(tried)
        for u in reached:
            for w in self.moves[u]:
                if free >> w & 1 and w not in value and w not in seen:
                    seen.add(w)
                    reached.append(w)
        members = (w for w in queue if w != v) if self.whole else reached
        key = sum(1 << w for w in members)
        if not self.whole and not self.returns:
            inside = {u: [w for w in self.moves[u] if w in seen] for u in reached}
            if all(u in inside[w] for u in reached for w in inside[u]):
                if key not in self.matched:
                    self.matched[key] = inessential(inside)
                return (-1 if self.matched[key].isdisjoint(tried) else 1), (v, key), []
        return 0, (v, key), tried

    def prove(self, start: int, label: int, first: int) -> None:
        """Prove the label of a start, and that its first move (−1 for none) wins."""
        free = (1 << len(self.moves)) - 1 & ~self.closes[start]
        goals = [(start, free, label)]
        if first >= 0:
            if first not in self.moves[start] or not free >> first & 1:
                raise CertificateError("expected its first move to be possible")
            goals.append((first, free & ~self.closes[first], -1))
        # Invariant: if all goals hold, the label is right and so is every entry of proved.
        while goals:
            v, free, label = goals.pop()
            known, key, tried = self.survey(v, free)
            if known == 0:
                known = self.proved.get(key, 0) or self.searched.get(key, 0)
                if known == 0:
                    if self.claimed.get(key, label) != label:
                        raise _wrong(self.claimed[key], label)
                    after = [(w, free & ~self.closes[w]) for w in tried]
                    if label > 0:
                        after = [self._winning(after)]
                    goals += [(w, rest, -label) for w, rest in after]
                    self.proved[key] = known = label
            if known != label:
                raise _wrong(known, label)

    def _winning(self, after: list[tuple[int, int]]) -> tuple[int, int]:
        """A move to a lost situation; the table is used if it knows one."""
        unknown = []
        for w, rest in after:
            known, key, _ = self.survey(w, rest)
            known = known or self.proved.get(key, 0) or self.claimed.get(key, 0)
            if known < 0:
                return w, rest
            if known == 0:
                unknown.append((w, rest))
        for w, rest in unknown:
            if self._solve(w, rest) < 0:
                return w, rest
        raise _wrong(-1, 1)

    def _solve(self, start: int, free: int) -> int:
        """The label of an unknown situation, by search."""
        stack: list[tuple[tuple[int, int], list[tuple[int, int]]]] = []
        todo: list[tuple[int, int]] | None = [(start, free)]
        label = 0
        # Invariant: every situation on the stack waits for the label of one of its moves. The moves
        # that it still lists have not been tried; the moves tried so far lead to won situations.
        while True:
            if todo is not None:
                v, rest = todo.pop()
                label, key, tried = self.survey(v, rest)
                label = label or self.searched.get(key, 0)
                if label == 0:
                    todo = [(w, rest & ~self.closes[w]) for w in tried]
                    stack.append((key, todo))
                    continue
                todo = None
            if not stack:
                return label
            key, others = stack[-1]
            if label > 0 and others:
                todo = others
                continue
            stack.pop()
            label = -label
            self.searched[key] = label


def _wrong(expected: int, claimed: int) -> CertificateError:
    return CertificateError(f"expected label {expected}, the solution claims {claimed}")
