"""Short partizan games in plain recursive Python: slow, and too simple to be wrong.

A game is a pair of frozensets of games, Left's options and Right's. Nothing here is shared with
the package.
"""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from random import Random
from typing import NamedTuple


class Game(NamedTuple):
    left: frozenset["Game"]
    right: frozenset["Game"]


def game(left=(), right=()) -> Game:
    """{left | right}, as it is written."""
    return Game(frozenset(left), frozenset(right))


ZERO = game()
STAR = game([ZERO], [ZERO])


@cache
def le(g: Game, h: Game) -> bool:
    """G ≤ H: no Left option of G is ≥ H, and no Right option of H is ≤ G."""
    return not any(le(h, x) for x in g.left) and not any(le(y, g) for y in h.right)


def eq(g: Game, h: Game) -> bool:
    return le(g, h) and le(h, g)


def outcome(g: Game) -> str:
    """L, R, N or P."""
    return {(True, True): "P", (True, False): "L", (False, True): "R", (False, False): "N"}[
        le(ZERO, g), le(g, ZERO)
    ]


@cache
def negate(g: Game) -> Game:
    return game(map(negate, g.right), map(negate, g.left))


@cache
def add(g: Game, h: Game) -> Game:
    """The sum, as the rules of moving in one component give it."""
    return game(
        [add(x, h) for x in g.left] + [add(g, x) for x in h.left],
        [add(x, h) for x in g.right] + [add(g, x) for x in h.right],
    )


@cache
def canonical(g: Game) -> Game:
    """The one form without dominated and reversible options."""
    left, right = {canonical(x) for x in g.left}, {canonical(x) for x in g.right}
    while True:
        now = game(left, right)
        for x in left:
            back = next((y for y in x.right if le(y, now)), None)
            if back is not None:
                left = (left - {x}) | back.left
                break
        else:
            for x in right:
                back = next((y for y in x.left if le(now, y)), None)
                if back is not None:
                    right = (right - {x}) | back.right
                    break
            else:
                return game(
                    [x for x in left if not any(x != y and le(x, y) for y in left)],
                    [x for x in right if not any(x != y and le(y, x) for y in right)],
                )


@cache
def birthday(g: Game) -> int:
    """The depth of the form as it is written; of the value, when the form is canonical."""
    return 1 + max((birthday(x) for x in g.left | g.right), default=-1)


@cache
def number(x: Fraction | int) -> Game:
    """The canonical form of a dyadic rational."""
    x = Fraction(x)
    if x == 0:
        return ZERO
    if x.denominator == 1:
        return game([number(x - 1)]) if x > 0 else game((), [number(x + 1)])
    step = Fraction(1, x.denominator)
    return game([number(x - step)], [number(x + step)])


@cache
def nimber(n: int) -> Game:
    options = [nimber(k) for k in range(n)]
    return game(options, options)


@cache
def ups(n: int) -> Game:
    """n·↑ in canonical form; downs for negative n."""
    if n < 0:
        return negate(ups(-n))
    total = ZERO
    for _ in range(n):
        total = canonical(add(total, game([ZERO], [STAR])))
    return total


def _subsets(items):
    items = list(items)
    return chain.from_iterable(combinations(items, k) for k in range(len(items) + 1))


@cache
def born_by(day: int) -> tuple[Game, ...]:
    """All values born by a day, as canonical forms: 1, 4, 22, 1474. Day 3 takes a few seconds."""
    if day == 0:
        return (ZERO,)
    before = born_by(day - 1)
    antichains = [
        s for s in _subsets(before) if not any(le(x, y) or le(y, x) for x, y in combinations(s, 2))
    ]
    return tuple(
        {canonical(game(left, right)): None for left in antichains for right in antichains}
    )


def random_game(random: Random, day: int, width: int = 3) -> Game:
    """A random form of depth at most ``day`` with at most ``width`` options a side."""
    if day == 0 or random.random() < 0.1:
        return ZERO
    sides = [
        [random_game(random, day - 1, width) for _ in range(random.randint(0, width))]
        for _ in range(2)
    ]
    return game(*sides)
