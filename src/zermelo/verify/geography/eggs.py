"""The checker of values of games of return and repetition; it shares no code with the search.

The search claims bounds of the value of a debut, bounds of starts at which play may enter a lower
strong component, and bounds of states. A state is a token on v, a set of open positions of its
component, those of them that are flagged (−1 if the state is plain), and a level. It claims that
every position of the set has options of all values below the level. In a state with flags it claims
also: flagged positions have an option of value level − 1 for ever; the others have a perfect
matching among themselves, and no move to a lost position.

Every claim that is used is proved from claims about smaller sets or higher levels, by one step:

1. *Other components.* The bounds follow from those of all moves, by the mex.
2. *Plain states with symmetric moves.* Let D be the positions that some maximum matching of the set
   leaves exposed, without those that have an exit whose value is the level. If v has neither a move
   to D nor such an exit, its value is the level ([EdmondsGurvich2010] Theorem 2). Otherwise play
   goes on among the positions outside D that v reaches, one level higher. Those with a move to D or
   with such an exit are flagged.
3. *States with flags.* If all are flagged, D does not change any more (the stability lemma of
   Gallai), and the state is the plain one without flags. Otherwise the bounds follow from those of
   all moves. A move to a position without flag enlarges D by what the others without flag then
   leave exposed.

A state without a claim has the bounds that hold always: its value is at least the level, and it
exceeds it by at most the number of its moves.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from zermelo.errors import CertificateError
from zermelo.verify.common.inessential import inessential

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.objectives.geography import Geography

Interval = tuple[int, int]
Key = tuple[int, int, int, int]
_ANY = (0, 1 << 62)


def check_eggs(
    graph: "Graph",
    objective: "Geography",
    walk: list[int],
    bounds: Interval,
    table: Mapping[Key, Interval],
    starts: Mapping[int, Interval],
) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the bounds of a debut are proved.

    >>> import zermelo as zm
    >>> path = zm.generators.path(3, symmetric=True).graph
    >>> check_eggs(path, zm.NoReturn(), [1], (1, 1), {}, {})
    >>> check_eggs(path, zm.NoReturn(), [1], (2, 2), {}, {})
    Traceback (most recent call last):
    zermelo.errors.CertificateError: the value of (1,): expected bounds that contain 1, got 2
    """
    arena = _Arena(graph, objective, table, starts)
    root = arena.root(walk)
    name = f"the value of {tuple(graph.name(v) for v in walk)!r}"
    _compare(name, arena.derive(root), bounds)
    # Invariant: if all goals hold, then so do all claims that were used; every claim is a goal at
    # most once.
    while arena.goals:
        goal = arena.goals.pop()
        if isinstance(goal, int):
            _compare(f"the start {goal}", arena.derive(arena.start(goal)), starts[goal])
        else:
            _compare(f"the state {goal}", arena.derive(goal), table[goal])


def _compare(name: str, derived: Interval, claimed: Interval) -> None:
    if not claimed[0] <= derived[0] <= derived[1] <= claimed[1]:
        raise CertificateError(
            f"{name}: expected bounds that contain {_span(derived)}, got {_span(claimed)}"
        )


def _span(bounds: Interval) -> str:
    low, high = bounds
    return str(low) if low == high else f"{low} to {high}"


class _Arena:
    """The game as moves of bits, and the claims; ``goals`` are claims that must be proved."""

    def __init__(
        self,
        graph: "Graph",
        objective: "Geography",
        table: Mapping[Key, Interval],
        starts: Mapping[int, Interval],
    ) -> None:
        rows = [graph.successors(v).tolist() for v in range(graph.n)]
        self.arcs, self.n = objective.arcs, graph.n
        self.number: dict[tuple[int, int], int] = {}
        if objective.arcs:
            pairs = [(v, w) for v, row in enumerate(rows) for w in row]
            self.number = {pair: k for k, pair in enumerate(pairs)}
            ends = [w for _, w in pairs] + list(range(graph.n))
            rows = [[self.number[v, w] for w in rows[v]] for v in ends]
        self.returns = objective.returns
        shut = {v for v, row in enumerate(rows) if not row and objective.terminal > 0}
        if objective.returns:
            shut |= {v for v, row in enumerate(rows) if v in row}
        self.rows = [[w for w in row if w != v and w not in shut] for v, row in enumerate(rows)]
        self.back: list[list[int]] = [[] for _ in rows]
        for v, row in enumerate(self.rows):
            for w in row:
                self.back[w].append(v)
        self.shut = sum(1 << v for v in shut)
        self.table, self.starts = table, starts
        self.component: dict[int, int] = {}
        self.goals: list[Key | int] = []
        self.used: set[Key | int] = set()

    def root(self, walk: list[int]) -> Key:
        """The state of a debut."""
        nodes = list(walk)
        if self.arcs:
            nodes = [len(self.rows) - self.n + walk[0]]
            nodes += [self.number[pair] for pair in pairwise(walk)]
        v = nodes[-1]
        free = self.inside(v) & ~self.shut
        for u in nodes:
            free &= ~self.closes(u)
        return v, self.reach(v, free), -1, 0

    def start(self, v: int) -> Key:
        """The state in which play enters a component."""
        return v, self.reach(v, self.inside(v) & ~self.shut & ~self.closes(v)), -1, 0

    def closes(self, v: int) -> int:
        """What is closed when v is entered."""
        return 1 << v | (sum(1 << u for u in self.back[v]) if self.returns else 0)

    def inside(self, v: int) -> int:
        """The strong component of v."""
        if v not in self.component:
            both = 1 << v | _reached(self.rows, v, -1) & _reached(self.back, v, -1)
            for u in _members(both):
                self.component[u] = both
        return self.component[v]

    def reach(self, v: int, free: int) -> int:
        """The positions of a set that v reaches through the set."""
        return _reached(self.rows, v, free)

    # ---------------------------------------------------------------- one step

    def derive(self, key: Key) -> Interval:
        """The bounds that follow from claims about what comes after."""
        v, part, flagged, level = key
        if flagged < 0 and not self._symmetric(part):
            after = [(w, part & ~self.closes(w)) for w in self.rows[v] if part >> w & 1]
            keys = [(w, self.reach(w, rest), -1, level) for w, rest in after]
            return self._mex(v, level, keys, exact=True)
        while True:
            if flagged < 0:
                if self._unclear((v, *_members(part)), level):
                    return self._mex(v, level, self._blind(v, part, level), exact=False)
                here = {x for x in (v, *_members(part)) if (level, level) in self._exits(x)}
                lost = self._exposed(x for x in _members(part) if x not in here)
                if v not in here and lost.isdisjoint(self.rows[v]):
                    return level, level
                flagged = sum(1 << x for x in here if x != v and x not in lost)
                flagged |= self._neighbours(lost)
                part = self.reach(v, part & ~sum(1 << x for x in lost))
                flagged &= part
                level += 1
            if flagged != part:
                return self._mex(v, level, self._moves(v, part, flagged, level), exact=True)
            flagged = -1

    def _unclear(self, positions: Iterable[int], level: int) -> bool:
        """Whether an exit may have the level as its value, or not."""
        exits = (bounds for x in positions for bounds in self._exits(x))
        return any(low < high and low <= level <= high for low, high in exits)

    def _symmetric(self, part: int) -> bool:
        if self.returns:
            return False
        return all(w in self.back[u] for u in _members(part) for w in self.rows[u] if part >> w & 1)

    def _blind(self, v: int, part: int, level: int) -> list[Key]:
        return [(w, part & ~(1 << w), -2, level) for w in self.rows[v] if part >> w & 1]

    def _moves(self, v: int, part: int, flagged: int, level: int) -> list[Key]:
        """The states with flags after all moves."""
        keys = []
        for w in self.rows[v]:
            if not part >> w & 1:
                continue
            rest, marks = part & ~(1 << w), flagged
            if not flagged >> w & 1:
                lost = self._exposed(_members(rest & ~flagged))
                marks |= self._neighbours(lost)
                rest &= ~sum(1 << x for x in lost)
            rest = self.reach(w, rest)
            keys.append((w, rest, marks & rest, level))
        return keys

    def _exposed(self, positions: Iterable[int]) -> set[int]:
        chosen = dict.fromkeys(positions)
        return inessential({u: [w for w in self.rows[u] if w in chosen] for u in chosen})

    def _neighbours(self, positions: set[int]) -> int:
        near = {w for x in positions for w in self.rows[x]}
        return sum(1 << w for w in near)

    def _exits(self, v: int) -> list[Interval]:
        """The bounds of the moves out of the component."""
        found = []
        for w in self.rows[v]:
            if not self.inside(v) >> w & 1:
                if w in self.starts:
                    self._use(w)
                found.append(self.starts.get(w, (0, len(self.rows[w]))))
        return found

    def _use(self, claim: Key | int) -> None:
        if claim not in self.used:
            self.used.add(claim)
            self.goals.append(claim)

    def _mex(self, v: int, level: int, keys: list[Key], *, exact: bool) -> Interval:
        """The bounds of a mex: of 0 … level − 1, the exits of v, and the states after moves."""
        bounds = [(k, k) for k in range(level)] + self._exits(v)
        for key in keys:
            w, part, _, low = key
            moves = sum(part >> x & 1 or not self.inside(w) >> x & 1 for x in self.rows[w])
            claimed = _ANY
            if exact and key in self.table:
                self._use(key)
                claimed = self.table[key]
            bounds.append((max(low, claimed[0]), min(low + moves, claimed[1])))
        certain = {low for low, high in bounds if low == high}
        least = 0
        while least in certain:
            least += 1
        return least, _greatest(bounds)


def _greatest(bounds: list[Interval]) -> int:
    """The greatest mex of numbers within these bounds: match 0, 1, 2, … with earliest ends."""
    waiting = sorted(bounds, key=lambda x: x[1])
    k = 0
    while True:
        for i, (low, high) in enumerate(waiting):
            if low <= k <= high:
                del waiting[i]
                break
        else:
            return k
        k += 1


def _members(mask: int) -> list[int]:
    return [v for v in range(mask.bit_length()) if mask >> v & 1]


def _reached(rows: list[list[int]], v: int, free: int) -> int:
    """The positions of a set that v reaches through the set."""
    seen, queue = 0, [v]
    for u in queue:
        for w in rows[u]:
            if free >> w & 1 and not seen >> w & 1:
                seen |= 1 << w
                queue.append(w)
    return seen
