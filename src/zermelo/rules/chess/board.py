"""The chess board in tables: squares 0 … 63 are a1, b1, …, h8; sets of squares are 64-bit masks.

Masks are signed integers: the bit of h8 is the sign. So they are made with ``BIT``, joined with
``|``, ``&``, ``~`` and tested with ``mask >> square & 1``, which mean the same in machine code.

>>> from zermelo.rules.chess.board import ATTACKS, BETWEEN, ROOK, square
>>> int(ATTACKS[ROOK * 64 + square("a1")] >> square("a8")) & 1
1
>>> [name(s) for s in range(64) if BETWEEN[square("a1") * 64 + square("d4")] >> s & 1]
['b2', 'c3']
"""

from itertools import product

import numpy as np

from zermelo.labels import Int8Array, Int64Array

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
BLACK = 6
"""A kind of man is one of the six, plus this for Black's."""

LETTERS = "PNBRQKpnbrqk"
"""The letters of the twelve kinds."""

_LINES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
_LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

GROUP = np.array([0, 1, 0, 0, 0, 2], np.int64)
"""The part of ``WAYS`` for a kind: lines, leaps or single steps; pawns have none."""

FIRST_WAY = np.array([0, 0, 4, 0, 0, 0], np.int64)
LAST_WAY = np.array([0, 8, 8, 4, 8, 8], np.int64)
"""The ways of a kind in ``WAYS``: rooks have the first four of the queen's, bishops the rest."""


def square(name: str) -> int:
    """The number of a square.

    >>> square("a1"), square("h8")
    (0, 63)
    """
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def name(number: int) -> str:
    """The name of a square.

    >>> name(square("e4"))
    'e4'
    """
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


def _path(start: int, step: tuple[int, int], most: int) -> list[int]:
    """The squares that steps in one direction lead to."""
    column, row = start % 8, start // 8
    found = []
    for k in range(1, most + 1):
        x, y = column + k * step[0], row + k * step[1]
        if not (0 <= x < 8 and 0 <= y < 8):
            break
        found.append(x + 8 * y)
    return found


def _ways() -> Int8Array:
    ways = np.full((3, 64, 8, 8), -1, np.int8)
    for group, (steps, most) in enumerate([(_LINES, 7), (_LEAPS, 1), (_LINES, 1)]):
        for start, (k, step) in product(range(64), enumerate(steps)):
            path = _path(start, step, most)
            ways[group, start, k, : len(path)] = path
    return ways.reshape(-1)


def _masks(sets: list[set[int]]) -> Int64Array:
    masks = [sum(1 << s for s in squares) for squares in sets]
    return np.array(masks, np.uint64).view(np.int64)


def _attacked(kind: int, start: int) -> set[int]:
    """The squares that a man attacks on an empty board."""
    if kind % BLACK == PAWN:
        ahead = 1 if kind < BLACK else -1
        return {s for x in (-1, 1) for s in _path(start, (x, ahead), 1)}
    first, last = FIRST_WAY[kind % BLACK], LAST_WAY[kind % BLACK]
    ways = WAYS.reshape(3, 64, 8, 8)[GROUP[kind % BLACK], start, first:last]
    return set(ways[ways >= 0].tolist())


def _between() -> list[set[int]]:
    between: list[set[int]] = [set() for _ in range(64 * 64)]
    for start, step in product(range(64), _LINES):
        path = _path(start, step, 7)
        for k, end in enumerate(path):
            between[start * 64 + end] = set(path[:k])
    return between


WAYS = _ways()
"""``WAYS[((group * 64 + square) * 8 + way) * 8 + k]``: the square after k + 1 steps, or −1."""

BIT = _masks([{s} for s in range(64)])
"""The mask of one square."""

ATTACKS = _masks([_attacked(kind, start) for kind in range(12) for start in range(64)])
"""``ATTACKS[kind * 64 + square]``: the squares that a man attacks on an empty board."""

BETWEEN = _masks(_between())
"""``BETWEEN[s * 64 + t]``: the squares between two on a line; empty if they are on none."""


def _behind() -> list[set[int]]:
    behind: list[set[int]] = [set() for _ in range(64 * 64)]
    for start, step in product(range(64), _LINES):
        path = _path(start, step, 7)
        for k, end in enumerate(path):
            behind[start * 64 + end] = set(path[k + 1 :])
    return behind


BEHIND = _masks(_behind())
"""``BEHIND[s * 64 + t]``: the squares beyond t on the line from s, which a man on t hides."""


def _near_axis(square: int) -> set[int]:
    """The squares that a reflection which keeps a square keeps, or maps to a neighbour."""
    column, row = square % 8, square // 8
    near: set[int] = set()
    if column == row:
        near |= {s for s in range(64) if abs(s % 8 - s // 8) < 2}
    if column + row == 7:
        near |= {s for s in range(64) if abs(s % 8 + s // 8 - 7) < 2}
    return near


NEAR_AXIS = _masks([_near_axis(s) for s in range(64)])
"""The squares on the diagonals through a square, as far as these are axes of the board, and those
beside them."""
