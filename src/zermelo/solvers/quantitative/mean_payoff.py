"""Values of mean-payoff games by energy games: every threshold is a fraction, no float decides.

Player 0 gets a mean of at least p/q iff some credit suffices for the weights q w − p. So one energy
game separates the positions of values below a threshold from the others; a second one, for player
1 on the others, finds those of exactly this value, together with the potentials of both players
which prove it. The positions above and below are games of their own, since nobody wants to leave
them who could, and go on with thresholds of their own.

**Thresholds.** Values are means of cycles, so they are fractions with denominators up to the number
of positions. Policy iteration in floating point guesses strategies, and the next threshold of
a part is the mean of a cycle in which plays end with them, the median of these means; mostly it is
a value. If it is not, the strategies that the energy games found are improved next. Every third
time the threshold is a fraction from the middle of the possible ones, the one with the least
denominator (:mod:`._thresholds`), so that the number of rounds is at most logarithmic in V and W.

**Parts.** All parts are solved at once, each with its threshold, as one energy game: there is no
move between two of them. Parts that no move connects are divided at once.

Positions from which a player can force the other one to be stuck have an infinite value and are set
aside first.

Reference: [BrimEtAl2011] §5 reduce values to energy games by bisection; [CominRizzi2017] go through
all fractions. Differs from them: thresholds are chosen from cycles.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative.mean_payoff_guess import Policy, guess, play_ahead
from zermelo._kernels.quantitative.weighted import Costs
from zermelo._kernels.quantitative.weighted_plays import best_efforts, connect, follow, reach_ranks
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int32Array, Int64Array
from zermelo.objectives import MeanPayoff
from zermelo.objectives.weights import Arena
from zermelo.solutions.quantitative import MeanPayoffSolution
from zermelo.solvers.quantitative import frame
from zermelo.solvers.quantitative._parts import back, inside
from zermelo.solvers.quantitative._thresholds import middle

AHEAD = 100
"""Moves that strategies look ahead, before policy iteration improves them."""

CHUNK = 10
"""Moves or rounds in one call of a kernel."""

GUESSES = 400
"""Rounds of policy iteration before each energy game."""

PRECISION = 1e-10
"""Differences below this, times the largest weight, may be errors of rounding."""


@dataclass(eq=False)
class Values:
    """What is known of all situations; a denominator of −1 means that the value is not known."""

    numerator: Int64Array
    denominator: Int64Array
    lower: Int64Array
    upper: Int64Array
    move: Int32Array
    stats: dict[str, Any] = field(default_factory=lambda: {"energy games": 0, "guesses": 0})


@dataclass(frozen=True)
class Span:
    """A part's bounds: all values are strictly between; and how often it was divided."""

    low: Fraction
    high: Fraction
    tries: int = 0


def stuck_values(arena: Arena) -> Values:
    """Infinite values, where a player can force the other one to be stuck.

    >>> a = Arena(np.array([0, 1]), np.array([0, 1, 1]), np.array([1]), np.array([5]))
    >>> found = stuck_values(a)
    >>> found.numerator.tolist(), found.denominator.tolist(), found.lower.tolist()
    ([1, 1], [0, 0], [1, 0])
    """
    n = arena.n
    found = Values(
        np.zeros(n, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.full(n, -1, np.int32),
    )
    if not (np.diff(arena.indptr) == 0).any():
        return found
    game = frame.make_costs(arena, arena.weight)
    for player, bound in ((0, found.lower), (1, found.upper)):
        rank = forced_ends(arena, game, player)
        forced = rank >= 0
        found.numerator[forced] = 1 - 2 * player
        found.denominator[forced] = 0
        bound[forced] = rank[forced]
        u, v = arena.source, arena.indices
        nearer = (arena.owner[u] == player) & forced[u] & forced[v] & (rank[v] < rank[u])
        found.move[u[nearer][::-1]] = v[nearer][::-1]
    return found


def forced_ends(arena: Arena, game: Any, player: int) -> Int64Array:
    """In how many moves a player can force the other one to be stuck; −1 if she cannot."""
    n = arena.n
    stuck = (np.diff(arena.indptr) == 0) & (arena.owner != player)
    rank = np.where(stuck, 0, -1).astype(np.int64)
    reach_ranks(game, player, rank, np.zeros(n, np.int64), np.zeros(n, np.int32))
    return rank


def find_values(arena: Arena, run: frame.Run, progress: frame.Progress) -> Values:
    """The values of all situations, with potentials and moves of both players."""
    found = stuck_values(arena)
    weight = arena.weight
    low, high = (int(weight.min()), int(weight.max())) if weight.size else (0, 0)
    search = _Search(arena, found, run, progress)
    search.begin(Span(Fraction(low - 1), Fraction(high + 1)))
    while search.part.size:
        search.divide()
    return found


class _Search:
    """The situations whose values are not known yet, in parts; see the head of the module.

    ``arena`` is the game on them, and ``places`` are their numbers in the whole game. Entry i of
    ``part`` is the number of the part of situation i, an index of ``spans`` and ``thresholds``.
    """

    def __init__(
        self, arena: Arena, found: Values, run: frame.Run, progress: frame.Progress
    ) -> None:
        self.whole, self.found, self.run, self.progress = arena, found, run, progress
        self.part: AnyArray = np.zeros(0, np.int64)
        self.spans: list[Span] = []

    def begin(self, span: Span) -> None:
        """Take all situations of unknown value as one part; then divide it into connected ones."""
        open_ = self.found.denominator < 0
        self.arena, self.places, _ = inside(self.whole, open_)
        self.part, self.spans = np.zeros(self.arena.n, np.int64), [span]
        self.after = np.zeros(self.arena.n, np.int64)
        arena, policy = self.arena, self.policy()
        moves = Moves(arena.indptr, arena.indices)
        for _ in range(AHEAD // CHUNK):
            play_ahead(moves, arena.owner, arena.weight, policy, CHUNK)
            self.report()
        self.separate()

    def separate(self) -> None:
        """Divide parts into connected ones, and choose the threshold of each."""
        n = self.arena.n
        parent = np.arange(n, dtype=np.int32)
        if n:
            connect(Moves(self.arena.indptr, self.arena.indices), parent)
        heads, part = np.unique(parent, return_inverse=True)
        self.spans = [self.spans[k] for k in self.part[heads].tolist()]
        self.part = part.reshape(-1)
        self.thresholds = self.choose()

    def choose(self) -> list[Fraction]:
        """The threshold of each part: the median of the values that its positions seem to have."""
        n, parts = self.arena.n, len(self.spans)
        self.improve()
        root = np.full(n, -1, np.int32)
        total, length = np.zeros(n, np.int64), np.zeros(n, np.int64)
        step = self.arena.indices[self.after]
        follow(step, self.arena.weight[self.after], root, total, length)
        roots, count = np.unique(root, return_counts=True)
        order = np.lexsort((total[roots] / length[roots], self.part[roots]))
        roots, count = roots[order], count[order]
        sizes = np.bincount(self.part, minlength=parts)
        before = np.cumsum(sizes) - sizes
        chosen = roots[np.searchsorted(np.cumsum(count), before + (sizes + 1) // 2)]
        thresholds = []
        means = zip(total[chosen].tolist(), length[chosen].tolist(), strict=True)
        for span, size, mean in zip(self.spans, sizes.tolist(), means, strict=True):
            x = Fraction(*mean)
            if span.tries % 3 == 2 or not span.low < x < span.high:
                x = middle(span.low, span.high, size)
            thresholds.append(x)
        return thresholds

    def policy(self) -> Policy:
        """The strategies, with room for what they collect."""
        n = self.arena.n
        return Policy(
            self.after, np.zeros(n), np.zeros(n), np.zeros(n, np.int8), np.zeros(n, np.int32)
        )

    def improve(self) -> None:
        """Make the strategies better by policy iteration in floating point."""
        arena, policy = self.arena, self.policy()
        least = PRECISION * frame.largest_of(arena.weight)
        moves = Moves(arena.indptr, arena.indices)
        for _ in range(GUESSES // CHUNK):
            rounds = guess(moves, arena.owner, arena.weight, policy, CHUNK, least)
            self.found.stats["guesses"] += rounds
            self.report()
            if rounds < CHUNK:
                break

    def report(self) -> None:
        """Report progress; between two kernels, the process can be interrupted."""
        if self.progress is not None:
            self.progress(self.whole.n - self.arena.n, self.whole.n, "values found")

    def costs_of(self, arena: Arena, part: AnyArray) -> Int64Array:
        """The costs p − q w of each move, for the threshold p/q of its part."""
        tops = np.array([x.numerator for x in self.thresholds], object)
        bottoms = np.array([x.denominator for x in self.thresholds], object)
        biggest = max(map(abs, tops), default=0) + max(bottoms, default=0) * frame.largest_of(
            arena.weight
        )
        frame.check_sums(arena.n, biggest, "a threshold of the mean-payoff game, multiplied out,")
        p, q = tops.astype(np.int64), bottoms.astype(np.int64)
        move = part[arena.source]
        return p[move] - q[move] * arena.weight

    def divide(self) -> None:
        """Solve the energy games of all parts, keep the values that are found, divide the rest."""
        arena, part = self.arena, self.part
        cost = self.costs_of(arena, part)
        game = frame.make_costs(arena, cost)
        first = self.solve(game)
        least = first.stage == 0
        upper, inner, moves = inside(arena, least)
        dual = frame.make_costs(upper._replace(owner=1 - upper.owner), -cost[moves])
        second = self.solve(dual)
        equal = np.zeros(arena.n, bool)
        equal[inner] = second.stage == 0
        self.keep(equal, first, second, inner)
        above = least & ~equal
        after = self.efforts(game, first)
        after[inner] = moves[self.efforts(dual, second)]
        hits = np.bincount(part[equal], minlength=len(self.spans))
        side = np.where(equal, 2, above)
        stays = side[arena.indices[self.after]] == side
        after = np.where(stays & (hits[part] > 0), self.after, after)
        spans: list[Span] = []
        rest = np.flatnonzero(~equal)
        keys = 2 * part[rest] + above[rest]
        pairs, which = np.unique(keys, return_inverse=True)
        for key in pairs.tolist():
            span, x = self.spans[key >> 1], self.thresholds[key >> 1]
            low, high = (x, span.high) if key & 1 else (span.low, x)
            spans.append(Span(low, high, span.tries + 1))
        self.go_on(rest, which.reshape(-1), spans, after, ~equal)

    def go_on(
        self,
        rest: AnyArray,
        which: AnyArray,
        spans: list[Span],
        after: Int64Array,
        left: BoolArray,
    ) -> None:
        """Take what is left as the game, without moves between different parts."""
        arena = self.arena
        side = np.full(arena.n, -1, np.int64)
        side[rest] = which
        u, v = arena.source, arena.indices
        kept = np.flatnonzero(left[u] & (side[u] == side[v]))
        number = np.cumsum(left) - 1
        indptr = np.zeros(rest.size + 1, np.int64)
        np.cumsum(np.bincount(number[u[kept]], minlength=rest.size), out=indptr[1:])
        place = np.full(arena.indices.size, -1, np.int64)
        place[kept] = np.arange(kept.size)
        self.after = place[after[rest]]
        self.after = np.where(self.after < 0, indptr[:-1], self.after)
        indices = number[v[kept]].astype(np.int32)
        self.arena = Arena(arena.owner[rest], indptr, indices, arena.weight[kept])
        self.places, self.part, self.spans = self.places[rest], which, spans
        self.report()
        self.separate()

    def solve(self, game: Costs) -> frame.Answer:
        """One energy game, which reports the progress of the whole search."""
        self.found.stats["energy games"] += 1
        return self.run(game, lambda *_: self.report())

    def efforts(self, game: Costs, answer: frame.Answer) -> Int64Array:
        """The index of a move of each situation, by the strategies that an energy game found."""
        after = np.zeros(game.owner.size, np.int64)
        best_efforts(game, answer.amount, answer.move, after)
        return after

    def keep(
        self, equal: BoolArray, first: frame.Answer, second: frame.Answer, inner: AnyArray
    ) -> None:
        """Store the values that are equal to a threshold, their potentials and their moves."""
        found, chosen = self.found, np.flatnonzero(equal)
        if not chosen.size:
            return
        to = self.places[chosen]
        tops = np.array([x.numerator for x in self.thresholds], np.int64)
        bottoms = np.array([x.denominator for x in self.thresholds], np.int64)
        found.numerator[to] = tops[self.part[chosen]]
        found.denominator[to] = bottoms[self.part[chosen]]
        inner_place = np.full(self.arena.n, -1, np.int64)
        inner_place[inner] = np.arange(inner.size)
        twin = inner_place[chosen]
        found.lower[to] = first.amount[chosen]
        found.upper[to] = second.amount[twin]
        theirs = back(inner, second.move[twin])
        move = np.where(self.arena.owner[chosen] == 0, first.move[chosen], theirs)
        found.move[to] = back(self.places, move)


def solve_values(
    graph: Graph, objective: MeanPayoff, name: str, run: frame.Run, progress: frame.Progress
) -> MeanPayoffSolution:
    """The solution of a mean-payoff game without a threshold."""
    arena = objective.arena(graph)
    frame.check_sums(arena.n, frame.largest_of(arena.weight), "the mean-payoff game")
    found = find_values(arena, run, progress)
    arrays = (
        *frame.label_arrays(arena, np.sign(found.numerator) + 1),
        frame.position_of(graph, found.move),
        found.numerator,
        found.denominator,
        found.lower,
        found.upper,
    )
    shapely = (frame.shaped(graph, array) for array in arrays)
    return MeanPayoffSolution(graph, objective, name, *shapely, stats=found.stats)
