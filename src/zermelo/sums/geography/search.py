"""The search for values of games of no return, and for bounds of them.

A *situation* is a token on v and the set of positions that are still open. Its value is the mex of
the values after its moves. Play never returns to a strong component that it has left, so a move out
of the component has a value of its own, an *exit*. Inside a component:

**Zero by matching.** Where the open positions S have symmetric moves, the player who moves from v
loses exactly if no neighbour of v is in D(S), the positions that some maximum matching of S leaves
exposed ([EdmondsGurvich2010] Theorem 2). An exit of value 0 acts like two leaves at its position,
which therefore takes no part in the matching.

**Play among nonzero positions.** D(S) ⊆ D(S − w) for every w in S outside D(S): what loses at once
will always lose at once. So D can be left out. Let R be the other positions that v reaches, and F
those of R with a move to D. By the stability lemma of Gallai, D stays as it is when a position of F
is removed. The other positions C = R − F have a perfect matching among themselves; when w of C is
removed, D grows by D(C − w), which is one alternating tree from the mate of w. After every move
inside R the player to move has an option of value 0. All values of R are thus 1 plus a mex of
values of R.

**Levels.** If C is empty, nothing changes in R but that positions are closed: that is the game of
no return on R, with all values 1 higher. So matchings decide again who has value 1, and so on. Only
where C is not empty do moves have to be tried, and then only those in R. If all degrees are at most
3, there is at most one of them, and the search is polynomial ([BurkeEtAl2021]).

**Other components.** All moves are tried, until the rest is symmetric.

**Bounds.** A state has an interval [lower, upper]. Only the values up to ``cap`` are asked for, and
an option's value only as far as it can matter for the mex. When the bound on the number of states
is reached, the open states keep their simple bounds: a value is at most the number of moves.
"""

from dataclasses import dataclass

from zermelo.sums.geography.blossoms import bits, exposed_in_some, grow

Interval = tuple[int, int]

Key = tuple[int, int, int, int]
"""A state: v, the open positions, the flagged ones of these, and the level. The open positions are
S if no position is flagged (−1 instead of a set), else R."""

PLAIN = -1


def mex(have: int) -> int:
    """The least number that is not in a set of bits.

    >>> mex(0b1011)
    2
    """
    return (~have & (have + 1)).bit_length() - 1


def highest(have: int, intervals: list[Interval]) -> int:
    """The greatest mex of a set with one more number of each interval.

    >>> highest(0b101, [(0, 1), (5, 9)]), highest(0, [(1, 2)])
    (3, 0)
    """
    k, left = 0, list(intervals)
    # Invariant: 0 … k − 1 are in the set or taken from different intervals; of the intervals with
    # k the one with the smallest end is taken, because the others can still give later numbers.
    while True:
        if not have >> k & 1:
            fitting = [x for x in left if x[0] <= k <= x[1]]
            if not fitting:
                return k
            left.remove(min(fitting, key=lambda x: x[1]))
        k += 1


@dataclass(slots=True)
class Budget:
    """How many states a search may examine, and how many it has."""

    bound: int | None = None
    nodes: int = 0

    @property
    def spent(self) -> bool:
        """Whether no more states may be examined."""
        return self.bound is not None and self.nodes >= self.bound


@dataclass(slots=True)
class _Frame:
    """A state whose options are being examined."""

    key: Key
    mate: dict[int, int]
    """A perfect matching of the positions of the state that are not flagged."""
    have: int
    """The values of options that are known, as bits."""
    intervals: list[Interval]
    """The bounds of options whose values are not known."""
    pending: list[tuple[int, Interval]]
    """The moves that have not been examined, and simple bounds of them."""
    cap: int

    def bounds(self) -> Interval:
        return mex(self.have), highest(self.have, self.intervals + [x for _, x in self.pending])


class Component:
    """The values of one strong component, with a memory of all states that were examined.

    ``moves`` and ``closes`` are sets of bits for each position: where its moves inside the
    component lead, and what is closed when it is entered. ``leaving`` are the positions that have
    exits. Before a question, :attr:`exits` and :attr:`unclear` must be set for those of them that
    are reached.

    >>> path = Component([0b010, 0b101, 0b010], [1, 2, 4], 0, Budget())
    >>> [path.bounds(v, 0b111 & ~(1 << v), 9) for v in range(3)]
    [(0, 0), (1, 1), (0, 0)]
    """

    def __init__(self, moves: list[int], closes: list[int], leaving: int, budget: "Budget") -> None:
        self.moves, self.closes, self.leaving, self.budget = moves, closes, leaving, budget
        self.whole = (1 << len(moves)) - 1
        self.known: dict[Key, Interval] = {}
        self.back = [0] * len(moves)
        for v, row in enumerate(self.moves):
            for w in bits(row):
                self.back[w] |= 1 << v
        self.alone = all(mask == 1 << v for v, mask in enumerate(closes))
        self.paired = [row == self.back[v] for v, row in enumerate(self.moves)]
        self.all_paired = all(self.paired)
        self.exits = [0] * len(moves)
        """The values of exits of each position, as bits."""
        self.unclear: list[list[Interval]] = [[] for _ in moves]
        """The bounds of exits whose values are not known."""
        self._mate: dict[int, int] | None = None

    def bounds(self, v: int, free: int, cap: int) -> Interval:
        """Bounds of the value of a token on v, with these open positions (v is closed).

        They are equal, or the lower one is above ``cap``, unless the budget is spent.
        """
        part = self.reach(v, free)
        exits = (part | 1 << v) & self.leaving
        if any(low <= cap for x in bits(exits) for low, _ in self.unclear[x]):
            # A lower component is not solved: matchings need exact exits, so look one move deep.
            degree = [(0, self._degree(w, part)) for w in bits(self.moves[v] & part)]
            return mex(self.exits[v]), highest(self.exits[v], self.unclear[v] + degree)
        return self._search((v, part, PLAIN, 0), cap)

    def _degree(self, v: int, part: int) -> int:
        """How many moves v has, at most, if these positions of its component are open."""
        exits = self.exits[v].bit_count() + len(self.unclear[v])
        return (self.moves[v] & part).bit_count() + exits

    def reach(self, v: int, free: int) -> int:
        """The open positions that v reaches in its component."""
        reached = layer = self.moves[v] & free
        while layer:
            successors = 0
            for w in bits(layer):
                successors |= self.moves[w]
            layer = successors & free & ~reached
            reached |= layer
        return reached

    # ---------------------------------------------------------------- search

    def _search(self, root: Key, cap: int) -> Interval:
        stack: list[_Frame] = []
        found = self._enter(root, {}, cap)
        # Invariant: every frame but the last waits for the state of the next one; ``found`` is what
        # has just been found out about the state that the last one waits for.
        while True:
            if isinstance(found, _Frame):
                stack.append(found)
            elif stack:
                self._note(stack[-1], found)
            else:
                return found
            frame = stack[-1]
            low, high = bounds = frame.bounds()
            need = min(frame.cap, high - 1)
            if frame.pending and low <= need and low < high:
                w, simple = frame.pending.pop()
                if simple[0] > need or self.budget.spent:
                    found = simple
                else:
                    key, mate = self._after(frame, w)
                    found = self._enter(key, mate, need)
                    if not isinstance(found, _Frame):
                        found = max(found[0], simple[0]), min(found[1], simple[1])
                continue
            stack.pop()
            old = self.known.get(frame.key, bounds)
            found = max(old[0], bounds[0]), min(old[1], bounds[1])
            self.known[frame.key] = found

    def _note(self, frame: _Frame, found: Interval) -> None:
        """An option of a frame has these bounds."""
        if found[0] == found[1]:
            frame.have |= 1 << found[0]
        else:
            frame.intervals.append(found)

    def _enter(self, key: Key, mate: dict[int, int], cap: int) -> Interval | _Frame:
        """What is known of a state without examining its moves, or a frame for these."""
        known = self.known.get(key)
        if known is not None and (known[0] == known[1] or known[0] > cap):
            return known
        v, part, flagged, level = key
        simple = (level, level + self._degree(v, part))
        if level > cap or self.budget.spent:
            return known or simple
        self.budget.nodes += 1
        if flagged == PLAIN and not self._symmetric(part):
            moves = sorted(
                ((0, self._degree(w, part & ~self.closes[w])), w)
                for w in bits(self.moves[v] & part)
            )
            pending = [(w, bound) for bound, w in reversed(moves)]
            return _Frame(key, mate, self.exits[v], list(self.unclear[v]), pending, cap)
        return self._levels(key, mate, cap)

    def _levels(self, key: Key, mate: dict[int, int], cap: int) -> Interval | _Frame:
        """Levels of a symmetric state until the value is known or moves have to be tried."""
        v, part, flagged, level = key
        while True:
            if flagged == PLAIN:
                mate, lost = self._match(part, level)
                if not self.moves[v] & lost and not self.exits[v] >> level & 1:
                    self.known[key] = (level, level)
                    return level, level
                whole = part
                part = self.reach(v, part & ~lost)
                flagged = part and self._flags(whole, lost, level) & part
                level += 1
            if flagged != part or level > cap:
                break
            flagged = PLAIN
        return self._frame(key, (v, part, flagged, level), mate, cap)

    def _frame(self, key: Key, state: Key, mate: dict[int, int], cap: int) -> _Frame:
        """A frame for the moves of a state, to be remembered for the key as well."""
        v, part, _, level = state
        moves = sorted(
            ((level, level + self._degree(w, part & ~(1 << w))), w)
            for w in bits(self.moves[v] & part)
        )
        pending = [(w, bound) for bound, w in reversed(moves)]
        have = (1 << level) - 1 | self.exits[v]
        return _Level(key, mate, have, list(self.unclear[v]), pending, cap, state)

    def _match(self, part: int, level: int) -> tuple[dict[int, int], int]:
        """A maximum matching of the part without exits of this level, and what it may expose."""
        for x in bits(part & self.leaving):
            if self.exits[x] >> level & 1:
                part &= ~(1 << x)
        mate, lost = exposed_in_some(self.moves, part, self._mate)
        if self._mate is None:
            self._mate = mate
        return mate, lost

    def _flags(self, part: int, lost: int, level: int) -> int:
        """The positions of the part that have an option of this level: an exit, or a lost one."""
        flagged = 0
        for x in bits(lost):
            flagged |= self.moves[x]
        for x in bits(part & self.leaving):
            if self.exits[x] >> level & 1:
                flagged |= 1 << x
        return flagged & part & ~lost

    def _after(self, frame: _Frame, w: int) -> tuple[Key, dict[int, int]]:
        """The state after a move."""
        if not isinstance(frame, _Level):
            part = frame.key[1]
            return (w, self.reach(w, part & ~self.closes[w]), PLAIN, 0), {}
        _, part, flagged, level = frame.state
        part &= ~(1 << w)
        if flagged >> w & 1:
            part = self.reach(w, part)
            return (w, part, flagged & part, level), frame.mate
        rest = part & ~flagged
        lost, _ = grow(self.moves, rest, frame.mate, frame.mate[w])
        for x in bits(lost):
            flagged |= self.moves[x]
        part = self.reach(w, part & ~lost)
        return (w, part, flagged & part, level), frame.mate

    def _symmetric(self, part: int) -> bool:
        """Whether the moves inside the part all have their reverse, and close only one position."""
        if not self.alone or self.all_paired:
            return self.alone
        return all(
            self.paired[w] or self.moves[w] & part == self.back[w] & part for w in bits(part)
        )


@dataclass(slots=True)
class _Level(_Frame):
    """A frame of a symmetric state, which was brought to the form v, R, F, level."""

    state: Key
