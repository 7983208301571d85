"""The checker of parity games: NumPy and plain Python, no code of the solvers.

The priorities are read again from the objective and the graph; everything in the solution is a
claim. Let ``W`` be the claimed winning region of player ``p``. This is checked:

1. *Entries.* The label is WIN exactly if the owner is the winner; there are no distances. A
   position without a move is lost for its owner. If the owner wins, there is a strategy, which is
   one of the moves; otherwise there is none.
2. *Traps.* From ``W``, the strategy of ``p`` and every move of the opponent lead to ``W``. Call
   these the *remaining* moves.
3. *Cycles.* No cycle of remaining moves in ``W`` has a highest priority of the opponent's parity.

**The conditions are sufficient.** Let play begin in ``W``, and let ``p`` follow the strategy. By 2
play uses only remaining moves and stays in ``W``, where by 1 player ``p`` always has a move. If
play ends, the opponent is stuck and has lost. Otherwise let ``q`` be the highest priority that is
seen infinitely often. From some time on, only positions that are visited infinitely often are seen.
Between two visits to one of priority ``q``, play goes round a closed walk whose highest priority is
``q``. The closed walk is composed of cycles, and one of them passes through that position; its
highest priority is ``q``, which by 3 has the parity of ``p``. So ``p`` wins. The two regions
together are the whole graph, so the winners are right everywhere. The conditions are also necessary
for the strategy to win, because a cycle that 3 forbids is a play.

**Finding the cycles.** Add 1 to the priorities in player 1's region; then *odd* is always bad. The
*key* of a move is the higher priority of its two ends. There is a bad cycle iff, for some odd
``q``, a move of key ``q`` lies within a strong component of the moves of key at most ``q``. All
``q`` are tried together by bisection [KingKupfermanVardi2001]: compute the strong components for
the middle ``q``. The moves within a component are searched again for lower ``q``; all other moves
for higher ``q``, with the components contracted. Each move belongs to one half only, so ``log d``
rounds of linear time suffice, where ``d`` is the number of odd keys.
"""

from dataclasses import dataclass

import numpy as np

from zermelo.errors import CertificateError, InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, AnyArray, BoolArray, Int64Array
from zermelo.solutions.parity import ParitySolution
from zermelo.verify.common.entries import check_entries, first, place, read_winners
from zermelo.verify.common.strong import Moves, strong_components


def check_parity(solution: ParitySolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "a"), ("a", "b"), ("b", "a")], owner=[0, 0])
    >>> right = zm.solve(g, zm.Parity({"a": 1, "b": 2}))
    >>> check_parity(right)
    >>> check_parity(dataclasses.replace(right, strategy=np.array([0, 0], np.int32)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 0 to move: expected no cycle that \
player 1 wins, the solution leaves one through it
    """
    winner, priority = _read(solution)
    moves = _moves_left(solution, winner)
    _check_cycles(solution, moves, priority, winner)


# -------------------------------------------------------------------- shapes, ranges, entries


def _read(solution: ParitySolution) -> tuple[AnyArray, Int64Array]:
    """Check condition 1, except whether moves are legal; return winners and priorities."""
    graph, n = solution.graph, solution.graph.n
    if graph.owner is None:
        raise CertificateError("graph: expected owners, got none")
    try:
        priority = solution.objective.priorities(graph).astype(np.int64)
    except InvalidObjectiveError as error:
        raise CertificateError(f"objective: {error}") from None
    winner = read_winners(solution)
    check_entries(graph, "strategy", solution.strategy, np.int32, (NO_MOVE, n - 1))
    won = solution.label > 0
    if (v := first(won & (graph.indptr[1:] == graph.indptr[:-1]))) is not None:
        expected = f"that player {1 - winner[v]} wins, because there is no move"
        _refuse(graph, v, expected, "otherwise")
    if (v := first(won & (solution.strategy == NO_MOVE))) is not None:
        _refuse(graph, v, "a move of the winner", "none")
    if (v := first(~won & (solution.strategy != NO_MOVE))) is not None:
        claimed = repr(graph.name(solution.strategy[v]))
        _refuse(graph, v, "no move, because its owner loses", claimed)
    return winner, priority


def _refuse(graph: Graph, v: int, expected: str, claimed: str, claims: str = "claims") -> None:
    raise CertificateError(
        f"{place(graph, v)}: expected {expected}, the solution {claims} {claimed}"
    )


# -------------------------------------------------------------------- moves


def _moves_left(solution: ParitySolution, winner: AnyArray) -> Moves:
    """The remaining moves; check that they are legal and stay in the winning region."""
    graph, n = solution.graph, solution.graph.n
    source = np.repeat(np.arange(n, dtype=np.int32), np.diff(graph.indptr))
    won = solution.label > 0
    left = (solution.strategy[source] == graph.indices) | ~won[source]
    source, target = source[left], graph.indices[left]
    moved = np.zeros(n, bool)
    moved[source] = True
    if (v := first(won & ~moved)) is not None:
        _refuse(graph, v, "one of its moves", f"the move {graph.name(int(solution.strategy[v]))!r}")
    if (k := first(winner[source] != winner[target])) is not None:
        u, w = int(source[k]), graph.name(int(target[k]))
        if won[u]:
            expected = f"a move to a position that player {winner[u]} wins"
            _refuse(graph, u, expected, f"{w!r}, which player {1 - winner[u]} wins")
        expected = f"that player {winner[target[k]]} wins, because of the move to {w!r}"
        _refuse(graph, u, expected, f"that player {winner[u]} wins")
    return Moves(source, target)


# -------------------------------------------------------------------- cycles


@dataclass(eq=False)
class _Search:
    """Moves in parts without common positions; each part is searched for some keys.

    ``key`` has the index of each move's key among the odd keys, with 0 for the least; a move with
    an even key has the index of the next odd one. ``suspect`` marks the moves that may lie on a bad
    cycle with their own key, which is odd then. ``place`` is a position of that key. All arrays
    have one entry for each move.
    """

    n: int
    source: AnyArray
    target: AnyArray
    key: AnyArray
    suspect: BoolArray
    place: AnyArray
    part: AnyArray

    def take(self, chosen: BoolArray) -> "_Search":
        """The search restricted to some of the moves."""
        arrays = (self.source, self.target, self.key, self.suspect, self.place, self.part)
        return _Search(self.n, *(a[chosen] for a in arrays))

    def bounds(self) -> tuple[Int64Array, Int64Array]:
        """The least and the greatest key of a suspect in each part; (huge, −1) if it has none."""
        parts = int(self.part.max(initial=-1)) + 1
        low, high = np.full(parts, 2**62), np.full(parts, -1)
        part, key = self.part[self.suspect], self.key[self.suspect]
        np.minimum.at(low, part, key)
        np.maximum.at(high, part, key)
        return low, high

    def renumbered(self) -> "_Search":
        """The same moves; positions and parts are numbered from 0."""
        n, m = self.n, self.source.size
        used = np.zeros(n, bool)
        used[self.source] = True
        used[self.target] = True
        number = np.cumsum(used) - 1
        parts = np.zeros(int(self.part.max(initial=-1)) + 1, bool)
        parts[self.part] = True
        part = (np.cumsum(parts) - 1)[self.part] if m else self.part
        return _Search(
            int(used.sum()), number[self.source], number[self.target],
            self.key, self.suspect, self.place, part,
        )  # fmt: skip


def _check_cycles(
    solution: ParitySolution, moves: Moves, priority: Int64Array, winner: AnyArray
) -> None:
    """Condition 3 of the module's docstring."""
    shifted = priority + winner
    ends = shifted[moves.source], shifted[moves.target]
    own = np.maximum(*ends)
    keys = np.unique(own[own % 2 == 1])
    key = np.searchsorted(keys, own)
    place = np.where(ends[0] == own, moves.source, moves.target)
    search = _Search(
        solution.graph.n, moves.source, moves.target, key, own % 2 == 1, place,
        np.zeros(key.size, np.int64),
    ).take(key < keys.size)  # fmt: skip
    first = True
    # Invariant: a bad cycle of the game is a cycle of the search's moves, after contracting
    # positions that lie on a common cycle whose keys are lower than all suspects of their part.
    while search.suspect.any():
        low, high = search.bounds()
        search = search.take(search.key <= high[search.part]).renumbered()
        low, high = search.bounds()
        middle = (high if first else (low + high) // 2)[search.part]
        first = False
        asked = search.key <= middle
        component = strong_components(search.n, search.source[asked], search.target[asked])
        source, target = component[search.source], component[search.target]
        within = asked & (source == target)
        bad = within & search.suspect & (search.key == middle)
        if bad.any():
            v = int(search.place[bad].min())
            expected = f"no cycle that player {1 - winner[v]} wins"
            _refuse(solution.graph, v, expected, "one through it", "leaves")
        n, parts = search.n, low.size
        # Within a component, positions stay separate, and the component becomes a part of its own;
        # the rest of a part is contracted and gets new numbers.
        search = _Search(
            2 * n,
            np.where(within, search.source, n + source),
            np.where(within, search.target, n + target),
            search.key,
            search.suspect & (within | (search.key > middle)),
            search.place,
            np.where(within, parts + source, search.part),
        )
