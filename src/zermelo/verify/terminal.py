"""The checker of terminal-payoff games: NumPy, linear time, nothing shared with any solver.

The payoffs are read anew from the objective and the graph; of the solution, everything is a claim.
Write ``x(s)`` for the claimed value of situation ``s``, ``d(s)`` for its distance, ``i`` for what
infinite play pays; player 0 wants more, player 1 less. What is checked:

1. *Ends.* Where play ends, ``x`` is the payoff and ``d`` is 0 (none at all where the form has no
   agreed ends and the payoff is ``i``).
2. *Bellman.* Elsewhere ``x(s)`` is the best ``x(t)`` over the moves ``s → t``, for the mover.
3. *Rank.* Say that a move keeps the value if ``x(t) = x(s)``. Above ``i`` player 0 is the forcing
   side, below ``i`` player 1. Where ``x(s) ≠ i``, there is a distance: 1 + the least over the
   moves that keep the value if the forcing side moves, 1 + the greatest if the other moves.
4. *Ties.* Where ``x(s) = i``, the distance is 1 + the least one over the moves that keep the value
   and lead to a distance; there is none iff no such move exists (or there are no agreed ends).

**Local consistency (2) is no proof.** On ``a ⇄ b`` the values (WIN, LOSE) satisfy it, though
nobody can end play. Condition 3 refuses them: it asks for ``d(a) = 1 + d(b) = 2 + d(a)``.

**The conditions are sufficient.** Let ``x(s) = c > i``.

- *Player 0 gets at least* ``c``. She moves by 3 to a kept value of distance one less. No move of
  player 1 lowers ``x`` (2: all his moves lead to ``x(t) ≥ x(s)``), and one that keeps it lowers
  ``d`` (3). So along the play ``x`` never falls, and ``d`` falls whenever ``x`` stays; both are
  finite, so play ends, and by 1 at a payoff of at least ``c``.
- *She gets no more.* Player 1 always keeps the value (2: he can), and none of her moves raises it.
  If play ends, it pays at most ``c``; if not, it pays ``i < c``.

``c < i`` is the same with the players changed. If ``c = i``, each side can keep ``x`` from getting
worse than ``i`` (2), so it gets ``i`` or better at an end and ``i`` in infinite play. Hence ``x``
is the value of the game. In the symmetric layout a value is the mover's own; the argument is the
same on pairs (position, player to move) that are mirror images of each other.

**Distances are unique, too.** Let ``d ≠ d'`` both satisfy 1, 3 and 4 and take ``s`` where they
differ with the least possible ``min(d(s), d'(s))`` (no distance counting as infinite), say
``d(s) < d'(s)``. If 3 or 4 takes a minimum at ``s``, a move that attains it leads to
``d(t) = d(s) - 1 = d'(t)``, so ``d'(s) ≤ d(s)``. If it takes a maximum, all moves that keep the
value have ``d(t) < d(s)``, so ``d' = d`` there and at ``s``. Both contradict the choice. So a
wrong entry anywhere is found.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np

from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, BoolArray, Int32Array
from zermelo.objectives import Layout, TerminalForm
from zermelo.solution import Solution

BLOCK = 1 << 20
"""Rows are taken together while they have at most this many moves, to bound temporary arrays."""

_NONE = np.iinfo(np.int32).max
"""Above every distance: the minimum over no move at all."""


class _Side(NamedTuple):
    """Situations with at most one for each position; all arrays have length n.

    ``own`` and ``after`` are values as ranks relative to that of infinite play, before and after
    the move. The mover sees ``sign_own · own`` and ``sign_after · after``; more is better.
    """

    player: int | None
    sign_own: AnyArray
    sign_after: AnyArray
    own: Int32Array
    after: Int32Array
    distance: Int32Array
    distance_after: Int32Array
    ends: BoolArray
    pick: Any
    """The index that takes this side's part of an array of the solution."""


class _Block(NamedTuple):
    """Some rows of the graph that have moves; those of ``rows[j]`` begin at ``starts[j]``."""

    rows: AnyArray
    starts: AnyArray
    sizes: AnyArray
    targets: Int32Array


def check_terminal(solution: Solution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the solution is right, all of it.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    >>> check_terminal(s)
    >>> wrong = np.array([2, 0], np.int8), np.array([1, -1], np.int8), np.array([1, 2], np.int32)
    >>> level, label, distance = wrong
    >>> check_terminal(dataclasses.replace(s, level=level, label=label, distance=distance))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a': expected distance 3, the solution claims 1
    """
    sides = _read(solution)
    graph, form = solution.graph, solution.form
    for block in _blocks(graph):
        for side in sides:
            _check_bellman(graph, form, side, block)
            _check_distance(graph, form, side, block)
    _check_moves(solution, sides)


def check_moves(solution: Solution) -> None:
    """Raise unless ``solution.move`` is best play, given that values and distances are right.

    A move must be legal, keep the value, and bring the end nearer by one ply (or lead from no
    distance to none); there is ``NO_MOVE`` exactly where play ends.
    """
    _check_moves(solution, _read(solution))


# -------------------------------------------------------------------- one entry at a time


def _read(solution: Solution) -> list[_Side]:
    """Check all that concerns single situations, and split them by side."""
    graph = solution.graph
    form = solution.objective.terminal_form(graph)
    _check_form(solution.form, form)
    shape = (graph.n, 2) if form.doubled else (graph.n,)
    size, top = graph.n * (2 if form.doubled else 1), len(form.levels) - 1
    _check_array("level", solution.level, shape, None)
    _check_array("label", solution.label, shape, np.int8)
    _check_array("distance", solution.distance, shape, np.int32)
    if solution.start is not None and not 0 <= solution.start < graph.n:
        raise CertificateError(
            f"start: expected a position number 0 … {graph.n - 1}, got {solution.start!r}"
        )
    ends = np.zeros(size, bool)
    ends[form.absorbing] = True
    pays = np.zeros(size, np.int32)
    pays[form.absorbing] = form.absorbing_level
    ends, pays = ends.reshape(shape), pays.reshape(shape)
    signs = np.fromiter(((x > 0) - (x < 0) for x in form.levels), np.int8, top + 1)
    sides = []
    for player in (0, 1) if form.doubled else (None,):
        pick: Any = ... if player is None else (slice(None), player)
        level, label = solution.level[pick], solution.label[pick]
        distance = solution.distance[pick]
        where = graph, player
        bad = (level < 0) | (level > top)
        _refuse(where, bad, "a level", f"0 … {top}", level)
        end, pay = ends[pick], pays[pick]
        _refuse(where, end & (level != pay), "the payoff of level", pay, level)
        if player is not None:
            sign: AnyArray = np.array(1 - 2 * player, np.int8)
        elif form.layout is Layout.OWNED and graph.owner is not None:
            sign = 1 - 2 * graph.owner
        else:
            sign = np.array(1, np.int8)
        mark = sign * signs[level]
        _refuse(where, label != mark, "label", mark, label)
        bad = (distance < NO_DISTANCE) | (distance >= size)
        _refuse(where, bad, "a distance", f"{NO_DISTANCE} … {size - 1}", distance)
        forced = level != form.infinite
        zero = np.where(forced | form.agreed_ends, 0, NO_DISTANCE)
        _refuse(where, end & (distance != zero), "distance", zero, distance)
        bad = forced & (distance < 0)
        _refuse(where, bad, "a distance (the value is not infinite play's)", "≥ 0", distance)
        bad = ~end & (graph.out_degree == 0)
        _refuse(where, bad, "a payoff where there is no move", "one", np.array(["none"])[bad * 0])
        sides.append((player, sign, (level - np.int32(form.infinite)), distance, end, pick))
    flip = -1 if form.layout is Layout.SYMMETRIC else 1
    return [
        _Side(player, sign, sign * flip, own, sides[-1 - k][2], d, sides[-1 - k][3], end, pick)
        for k, (player, sign, own, d, end, pick) in enumerate(sides)
    ]
