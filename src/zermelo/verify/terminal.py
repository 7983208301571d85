"""The checker of terminal-payoff games: NumPy, linear time, no code of the solvers.

The payoffs are read again from the objective and the graph; everything in the solution is a claim.
Write ``x(s)`` for the claimed value of situation ``s``, ``d(s)`` for its distance, and ``i`` for
the payoff of infinite play. Player 0 wants more, player 1 wants less. This is checked:

1. *Ends.* If play ends at ``s``, then ``x(s)`` is the payoff and ``d(s)`` is 0 (there is no
   distance if the form has no agreed ends and the payoff is ``i``).
2. *Bellman.* Otherwise ``x(s)`` is the best ``x(t)`` over the moves ``s → t``, for the player to
   move.
3. *Rank.* A move keeps the value if ``x(t) = x(s)``. Above ``i`` player 0 is the forcing side,
   below ``i`` player 1. If ``x(s) ≠ i``, there is a distance: 1 + the least one over the moves that
   keep the value if the forcing side moves, 1 + the greatest one if the other side moves.
4. *Ties.* If ``x(s) = i``, the distance is 1 + the least one over the moves that keep the value and
   lead to a distance; there is none iff no such move exists. (So without agreed ends there are no
   such distances: they would decrease down to an end that has one.)

**Local consistency (2) is not a proof.** On ``a ⇄ b`` the values (WIN, LOSE) satisfy it, although
nobody can end play. Condition 3 refuses them: it requires ``d(a) = 1 + d(b) = 2 + d(a)``.

**The conditions are sufficient.** Let ``x(s) = c > i``.

- *Player 0 gets at least* ``c``. By 3 she has a move that keeps the value and decreases the
  distance by one. No move of player 1 lowers ``x`` (2: all his moves lead to ``x(t) ≥ x(s)``), and
  a move of his that keeps it decreases ``d`` (3). So along the play ``x`` never decreases, and
  ``d`` decreases while ``x`` stays the same. There are finitely many values and distances, so play
  ends, and by 1 with a payoff of at least ``c``.
- *She gets no more.* Player 1 can always keep the value (2), and no move of hers increases it. If
  play ends, it pays at most ``c``; if not, it pays ``i < c``.

The case ``c < i`` is the same with the players exchanged. If ``c = i``, each side can keep ``x``
from getting worse than ``i`` (2), so it gets ``i`` or better at an end, and ``i`` in infinite play.
Hence ``x`` is the value of the game. In the symmetric layout a value is for the player to move; the
argument is the same on pairs (position, player to move), which are mirror images of each other.

**Distances are unique, too.** Let ``d ≠ d'`` both satisfy 1, 3 and 4. Among the situations where
they differ, take ``s`` with the least ``min(d(s), d'(s))`` (no distance counts as infinite), and
let ``d(s) < d'(s)``. If 3 or 4 takes a minimum at ``s``, a move that attains it leads to ``d(t) =
d(s) - 1 = d'(t)``, so ``d'(s) ≤ d(s)``. If it takes a maximum, all moves that keep the value have
``d(t) < d(s)``, so ``d' = d`` there and at ``s``. Both contradict the choice. So every wrong entry
is found.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, Int32Array
from zermelo.objectives.terminal_form import Layout, TerminalForm
from zermelo.solutions.terminal import TerminalSolution
from zermelo.verify.common.entries import (
    Rows,
    Side,
    check_entries,
    check_start,
    distance_text,
    place,
    row_blocks,
)

_NONE = np.int32(2**31 - 2)
"""A number above every distance: the minimum over no moves."""


@dataclass(frozen=True, eq=False)
class _Side(Side):
    """One situation for each position; all arrays have length n.

    The player to move sees ``flip · sign · after`` after a move.
    """

    player: int | None
    flip: int
    after: Int32Array
    distance_after: Int32Array


def check_terminal(solution: TerminalSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    >>> check_terminal(s)
    >>> level, label = np.array([2, 0], np.int8), np.array([1, -1], np.int8)
    >>> distance = np.array([1, 0], np.int32)
    >>> check_terminal(dataclasses.replace(s, level=level, label=label, distance=distance))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'b': expected distance 2, the solution claims 0
    """
    sides = _read(solution)
    for side in sides:
        side.check_ends(solution.graph)
        side.check_labels()
    for block in row_blocks(solution.graph):
        for side in sides:
            _check_successors(side, block)
    _check_moves(solution, sides)


# -------------------------------------------------------------------- shapes and ranges


def _read(solution: TerminalSolution) -> list[_Side]:
    """Check form, shapes and ranges, and split the situations by side."""
    graph = solution.graph
    form = solution.objective.terminal_form(graph)
    _check_form(solution.form, form)
    check_start(graph, solution.start)
    size = graph.n * (2 if form.doubled else 1)
    longest = min(size, int(_NONE)) - 1
    for name, dtype, bounds in (
        ("level", None, (0, len(form.levels) - 1)),
        ("label", np.int8, (-1, 1)),
        ("distance", np.int32, (NO_DISTANCE, longest)),
    ):
        check_entries(graph, name, getattr(solution, name), dtype, bounds, doubled=form.doubled)
    ends, pays = np.zeros(size, bool), np.zeros(size, np.int32)
    ends[form.absorbing] = True
    pays[form.absorbing] = form.absorbing_level
    pays -= np.int32(form.infinite)
    own = solution.level.astype(np.int32)
    own -= np.int32(form.infinite)

    def side(player: int | None, mine: Any, others: Any, sign: AnyArray, flip: int) -> _Side:
        shape, d = own.shape, solution.distance
        return _Side(
            form, partial(place, graph, player=player), sign, ends.reshape(shape)[mine],
            pays.reshape(shape)[mine], own[mine], solution.label[mine], d[mine],
            player, flip, own[others], d[others],
        )  # fmt: skip

    if form.doubled:
        zero, one = np.s_[:, 0], np.s_[:, 1]
        plus, minus = np.array(1, np.int32), np.array(-1, np.int32)
        return [side(0, zero, one, plus, 1), side(1, one, zero, minus, 1)]
    if form.layout is Layout.SYMMETRIC:
        return [side(None, np.s_[:], np.s_[:], np.array(1, np.int32), -1)]
    assert graph.owner is not None
    return [side(None, np.s_[:], np.s_[:], 1 - 2 * graph.owner.astype(np.int32), 1)]


def _check_form(claimed: TerminalForm, form: TerminalForm) -> None:
    for name in ("layout", "levels", "infinite", "agreed_ends"):
        wanted, got = getattr(form, name), getattr(claimed, name)
        if wanted != got:
            raise CertificateError(f"form.{name}: expected {wanted!r}, the solution claims {got!r}")
    for name in ("absorbing", "absorbing_level"):
        if not np.array_equal(getattr(form, name), getattr(claimed, name)):
            raise CertificateError(
                f"form.{name}: the solution's differs from the objective's on this graph"
            )


# -------------------------------------------------------------------- a situation and its moves


def _check_successors(side: _Side, block: Rows) -> None:
    """Conditions 2, 3 and 4 of the module's docstring."""
    rows = block.rows
    going = ~side.ends[rows]
    sign = side.sign[rows] if side.sign.ndim else side.sign
    own = sign * side.own[rows]
    seen = block.spread(sign) * side.after[block.targets]
    if side.flip < 0:
        np.negative(seen, out=seen)
    best = np.maximum.reduceat(seen, block.starts)
    side.refuse(
        going & (best != own),
        lambda k: (
            f"value {side.value((sign * best)[k])}, the best of its moves",
            f"{side.value((sign * own)[k])}",
        ),
        rows,
    )
    # The distance is the least one if the player to move forces or agrees, and the greatest one if
    # the opponent forces: it is a minimum over numbers that are negated in the latter case.
    turn = np.where(own < 0, np.int32(-1), np.int32(1))
    d = side.distance_after[block.targets]
    counts = (seen == block.spread(own)) & (d != NO_DISTANCE)
    least = np.minimum.reduceat(np.where(counts, d * block.spread(turn), _NONE), block.starts)
    expected = np.where(least == _NONE, np.int32(NO_DISTANCE), turn * least + np.int32(1))
    claimed = side.distance[rows]
    side.refuse(
        going & (claimed != expected),
        lambda k: (distance_text(expected[k]), distance_text(claimed[k]).removeprefix("distance ")),
        rows,
    )


def _check_moves(solution: TerminalSolution, sides: list[_Side]) -> None:
    """Check that ``solution.move`` is best play, where values and distances are right.

    A move must be legal, keep the value, and bring the end nearer by one ply (or lead from no
    distance to no distance). The entry is ``NO_MOVE`` exactly if play ends.
    """
    graph, bounds = solution.graph, (NO_MOVE, solution.graph.n - 1)
    check_entries(graph, "move", solution.move, np.int32, bounds, doubled=solution.form.doubled)
    for side in sides:
        move = solution.move if side.player is None else solution.move[:, side.player]
        side.refuse(
            side.ends != (move == NO_MOVE),
            lambda k: ("no move", "one") if side.ends[k] else ("a move", "none"),  # noqa: B023
        )
        for block in row_blocks(graph):
            _check_moves_of(graph, side, block, move[block.rows])


def _check_moves_of(graph: Graph, side: _Side, block: Rows, move: Int32Array) -> None:
    rows, name = block.rows, graph.name
    going = ~side.ends[rows]
    legal = np.logical_or.reduceat(block.targets == block.spread(move), block.starts)
    side.refuse(going & ~legal, lambda k: ("one of its moves", f"the move {name(move[k])!r}"), rows)
    after = side.flip * side.after[move]
    side.refuse(
        going & (after != side.own[rows]),
        lambda k: (
            f"a move that keeps the value {side.value(side.own[rows[k]])}",
            f"{name(move[k])!r}, which makes it {side.value(after[k])}",
        ),
        rows,
    )
    d = side.distance[rows]
    nearer = np.where(d == NO_DISTANCE, d, d - np.int32(1))
    reached = side.distance_after[move]
    side.refuse(
        going & (reached != nearer),
        lambda k: (
            f"a move to {distance_text(nearer[k])}",
            f"{name(move[k])!r}, which has {distance_text(reached[k])}",
        ),
        rows,
    )
