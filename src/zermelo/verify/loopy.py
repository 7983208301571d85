"""The checker of loopy values: plain play on differences, nothing shared with what made them.

Claimed is that a position G of a graph has the onside S and the offside T. Write ``survives(A, B)``
for: Left, moving second in A − B, is never without a move, and if play goes on for ever, infinitely
many moves are made in A; that is A⁺ ≥ B⁺ ([Siegel2013] ch. VI). Checked is

A. S and T are stoppers: no play that alternates comes back to where it was, from anywhere in them;
B. S⁺ ≥ G⁺ and G⁺ ≥ S⁺;
C. T⁻ ≥ G⁻ and G⁻ ≥ T⁻, which is (−G)⁺ ≥ (−T)⁺ and (−T)⁺ ≥ (−G)⁺.

By B and C the value is right; by A the sides are what they are said to be. The set of situations
in which Left survives is the greatest X such that from X she can force, in finitely many moves,
that Right is stuck or that a move in A leads into X. It is found as it is written, with Boolean
matrices: as many products as a play is long, for each round in which X loses something.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray


class Game(NamedTuple):
    """The options of all positions of a graph, and the position that is meant."""

    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]
    start: int = 0

    def negative(self) -> "Game":
        """The players change places."""
        return Game(self.right, self.left, self.start)


def check_sides(game: Game, onside: Game, offside: Game) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless ``game`` is ``onside & offside``.

    >>> tis = Game([[1], []], [[], [0]])                # a = {{|a}|}, 1 & 0
    >>> zero, one = Game([[]], [[]]), Game([[1], []], [[], []])
    >>> check_sides(tis, one, zero)
    >>> check_sides(tis, zero, zero)
    Traceback (most recent call last):
    zermelo.errors.CertificateError: onside: the game is not at most what is claimed
    """
    for name, side in (("onside", onside), ("offside", offside)):
        if _comes_back(side):
            raise CertificateError(
                f"{name}: expected a stopper, got a game that may go on for ever"
            )
    pairs = (("onside", game, onside), ("offside", game.negative(), offside.negative()))
    for name, g, side in pairs:
        words = ("at most", "at least") if name == "onside" else ("at least", "at most")
        for first, second, word in ((side, g, words[0]), (g, side, words[1])):
            if not survives(first, second):
                raise CertificateError(f"{name}: the game is not {word} what is claimed")


def survives(a: Game, b: Game) -> bool:
    """Whether a⁺ ≥ b⁺: Left, moving second, survives in a − b.

    >>> dud, on = Game([[0]], [[0]]), Game([[0]], [[]])
    >>> survives(dud, on), survives(dud.negative(), Game([[]], [[]]))
    (True, True)
    """
    mine, yours = _matrix(a.left), _matrix(a.right)
    other, others = _matrix(b.right), _matrix(b.left)  # Left moves in −b where Right would in b
    shape = len(a.left), len(b.left)
    left = right = np.ones(shape, bool)  # X, by who is to move
    while True:
        near_left = near_right = np.zeros(shape, bool)
        # Invariant: from here Left forces, without a move in a before, that Right is stuck or that
        # a move in a leads into X.
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
    found = np.zeros((len(options), len(options)), np.float32)
    for v, row in enumerate(options):
        found[v, list(row)] = 1
    return found


def _some(counts: AnyArray) -> BoolArray:
    found: BoolArray = counts > 0
    return found


def _comes_back(game: Game) -> bool:
    """Whether play that alternates may go on for ever somewhere: take away what must end."""
    left, right = np.ones(len(game.left), bool), np.ones(len(game.left), bool)
    to_left, to_right = _matrix(game.left), _matrix(game.right)
    while True:
        on_left, on_right = left & _some(to_left @ right), right & _some(to_right @ left)
        if (on_left == left).all() and (on_right == right).all():
            return bool(left.any() or right.any())
        left, right = on_left, on_right
