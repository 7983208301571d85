"""The checker of loopy values: play on differences, no code of the algorithms.

The claim is that a position G of a graph has the onside S and the offside T. ``survives(A, B)``
means: Left, moving second in A − B, always has a move, and if play is infinite, infinitely many
moves are made in A. This is A⁺ ≥ B⁺ ([Siegel2013] ch. VI). This is checked:

A. S and T are stoppers: no alternating play in them returns to a position, from any start;
B. S⁺ ≥ G⁺ and G⁺ ≥ S⁺;
C. T⁻ ≥ G⁻ and G⁻ ≥ T⁻, which is (−G)⁺ ≥ (−T)⁺ and (−T)⁺ ≥ (−G)⁺.

By B and C the value is right; by A the two sides are stoppers, as sides must be. The set of
situations in which Left survives is the greatest X such that from X she can force, in finitely many
moves, that Right is stuck or that a move in A leads into X. It is computed from this definition
with Boolean matrices: each round in which X shrinks takes as many products as a play has moves.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray


class Game(NamedTuple):
    """The options of all positions of a graph, and the position in question."""

    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]
    start: int = 0

    def negative(self) -> "Game":
        """The negative of the game: Left and Right are exchanged."""
        return Game(self.right, self.left, self.start)


def check_sides(game: Game, onside: Game, offside: Game) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless ``game`` is ``onside & offside``.

    >>> tis = Game([[1], []], [[], [0]])                # a = {{|a}|}, 1 & 0
    >>> zero, one = Game([[]], [[]]), Game([[1], []], [[], []])
    >>> check_sides(tis, one, zero)
    >>> check_sides(tis, zero, zero)
    Traceback (most recent call last):
    zermelo.errors.CertificateError: onside: the game is not at most the claimed value
    """
    for name, side in (("onside", onside), ("offside", offside)):
        if _comes_back(side):
            raise CertificateError(f"{name}: expected a stopper, got a game with infinite play")
    pairs = (("onside", game, onside), ("offside", game.negative(), offside.negative()))
    for name, g, side in pairs:
        relations = ("at most", "at least") if name == "onside" else ("at least", "at most")
        for first, second, relation in ((side, g, relations[0]), (g, side, relations[1])):
            if not survives(first, second):
                raise CertificateError(f"{name}: the game is not {relation} the claimed value")


def survives(a: Game, b: Game) -> bool:
    """Whether a⁺ ≥ b⁺: Left, moving second, survives in a − b.

    >>> dud, on = Game([[0]], [[0]]), Game([[0]], [[]])
    >>> survives(dud, on), survives(dud.negative(), Game([[]], [[]]))
    (True, True)
    """
    mine, yours = _matrix(a.left), _matrix(a.right)
    other, others = _matrix(b.right), _matrix(b.left)  # in −b Left has the moves of Right in b
    shape = len(a.left), len(b.left)
    left = right = np.ones(shape, bool)  # X, with Left and with Right to move
    while True:
        near_left = near_right = np.zeros(shape, bool)
        # Invariant: from here Left can force, with no move in a before, that Right is stuck or
        # that a move in a leads into X.
        while True:
            by_left = _some(mine @ right) | _some(near_right @ other.T)
            by_right = ~_some(yours @ ~left) & ~_some(~near_left @ others.T)
            if (by_left == near_left).all() and (by_right == near_right).all():
                break
            near_left, near_right = by_left, by_right
        if (near_left == left).all() and (near_right == right).all():
            return bool(right[a.start, b.start])
        left, right = near_left, near_right


def _matrix(options: Sequence[Sequence[int]]) -> AnyArray:
    """The adjacency matrix of the options."""
    matrix = np.zeros((len(options), len(options)), np.float32)
    for v, row in enumerate(options):
        matrix[v, list(row)] = 1
    return matrix


def _some(counts: AnyArray) -> BoolArray:
    """Whether each number is positive."""
    positive: BoolArray = counts > 0
    return positive


def _comes_back(game: Game) -> bool:
    """Whether alternating play can be infinite: remove the situations from which it must end."""
    left, right = np.ones(len(game.left), bool), np.ones(len(game.left), bool)
    to_left, to_right = _matrix(game.left), _matrix(game.right)
    while True:
        on_left, on_right = left & _some(to_left @ right), right & _some(to_right @ left)
        if (on_left == left).all() and (on_right == right).all():
            return bool(left.any() or right.any())
        left, right = on_left, on_right
