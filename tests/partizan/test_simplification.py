"""Steps of simplification keep every value, by the checker and by plain play of sums."""

import random
from itertools import product

import pytest

import zermelo as zm
from tests.partizan.oracle import born_by
from zermelo.partizan.loopy import stoppers
from zermelo.partizan.loopy.forms import followers, rows_of
from zermelo.partizan.loopy.sidling import onsides
from zermelo.partizan.loopy.stoppers import Simplification
from zermelo.partizan.loopy.survival import Rows
from zermelo.partizan.loopy.value import nodes_of, value_of_sides
from zermelo.verify.partizan.loopy import Game, survives

LEFT, RIGHT = 0, 1


def random_rows(rng, largest):
    n = rng.randint(1, largest)
    degree = rng.choice([0.7, 1.0, 1.5, 2.0])
    return [[[w for w in range(n) if rng.random() < degree / n] for _ in range(n)] for _ in "LR"]


def leafy_rows(rng, n):
    """A large component whose positions all lead to 0, 1, −1, ∗, ±1 and ↑, too."""
    zero, one, minus, star = range(n, n + 4)
    left = [[] for _ in range(n)] + [[], [zero], [], [zero], [one], [zero]]
    right = [[] for _ in range(n)] + [[], [], [zero], [zero], [minus], [star]]
    for v, side in product(range(n), (left, right)):
        side[v] = [rng.randrange(n), rng.randrange(n, n + 6)]
    return left, right


@pytest.mark.slow
def test_simplification_keeps_every_value():
    rng = random.Random(11)
    loopy = changed = 0
    for k in range(150):
        left, right = leafy_rows(rng, rng.randint(2, 5)) if k % 2 else random_rows(rng, 6)
        simplified = Simplification(left, right)
        before = Rows(*([list(row) for row in side] for side in simplified.options))
        simplified.simplify()
        loopy += not simplified.stoppers
        changed += simplified.rows != before
        for v in range(simplified.size):
            old, new = Game(*before, v), Game(*simplified.options, v)
            assert survives(old, new), (left, right, v)
            assert survives(new, old), (left, right, v)
    assert loopy > 50
    assert changed > 100


def test_a_dominated_option_may_be_needed():
    """v = {|0,y}, y = {v|}: y <= 0, but only by the move from v to 0."""
    simplified = Simplification([[], [], [0]], [[1, 2], [], []])
    (step,) = (x for x in simplified._steps(0, RIGHT) if x.x == 1 and not x.is_bypass)
    assert not step.is_plain
    assert simplified._right_ones([step]) == []
    assert [str(x) for x in onsides([[], [], [0]], [[1, 2], [], []])] == ["-1", "0", "0"]


def test_a_reversible_option_may_be_needed():
    """tis = {{|tis}|}: her move is reversible through tis itself, but it is her only move."""
    simplified = Simplification([[1], []], [[], [0]])
    simplified.simplify()
    assert simplified.options[LEFT][0] == [1]


@pytest.mark.slow
def test_every_step_is_right_by_itself():
    """Lemmas 1 to 4, one step at a time: plain steps are right, others are right if v >= v'."""
    rng = random.Random(5)
    kinds = set()
    for k in range(50):
        left, right = leafy_rows(rng, rng.randint(2, 4)) if k % 2 else random_rows(rng, 5)
        simplified = Simplification(left, right)
        for v, player in product(range(simplified.size), (LEFT, RIGHT)):
            for step in simplified._steps(v, player):
                new = [list(side) for side in simplified.options]
                new[player][v] = simplified._after(step)
                right_by_test = bool(simplified._right_ones([step]))
                games = [
                    (Game(*simplified.options, u), Game(*new, u)) for u in range(simplified.size)
                ]
                equal = all(survives(a, b) and survives(b, a) for a, b in games)
                assert equal == right_by_test, (left, right, step)
                assert right_by_test or not step.is_plain
                kinds.add(
                    (player, step.is_bypass, step.is_plain, right_by_test, simplified.stoppers)
                )
    # Dominated options of Left and of Right, reversible ones of both, right and wrong steps.
    assert {(player, bypass) for player, bypass, *_ in kinds} == set(product((0, 1), (False, True)))
    assert {(0, True, False, False, False), (1, False, False, False, False)} <= kinds


# -------------------------------------------------------------------- plain play of sums


def short_games():
    """The games born by day 2, as positions of one graph."""
    place = {}

    def visit(game):
        for x in (*game.left, *game.right):
            visit(x)
        place.setdefault(game, len(place))

    for game in born_by(2):
        visit(game)
    return [[[place[x] for x in side(g)] for g in place]
            for side in (lambda g: g.left, lambda g: g.right)]  # fmt: skip


def left_survives(g, h):
    """The situations of g + h (with the player to move) in which Left always has a move."""
    n, m = len(g[0]), len(h[0])
    situations = list(product(range(n), range(m), (LEFT, RIGHT)))
    lost = set()
    while True:
        more = set()
        for i, j, player in situations:
            moves = [(x, j) for x in g[player][i]] + [(i, y) for y in h[player][j]]
            bad = [(*move, 1 - player) in lost for move in moves]
            if (all(bad) if player == LEFT else any(bad)) and (i, j, player) not in lost:
                more.add((i, j, player))
        if not more:
            return set(situations) - lost
        lost |= more


def test_onsides_in_sums_with_short_games():
    """G and its onside have the same outcomes in sums with all games born by day 2."""
    rng = random.Random(8)
    short = short_games()
    for k in range(12):
        left, right = leafy_rows(rng, 3) if k % 2 else random_rows(rng, 4)
        whole = left_survives((left, right), short)
        for v, node in enumerate(onsides(left, right)):
            side = left_survives(rows_of(followers([node])), short)
            for j, player in product(range(len(short[0])), (LEFT, RIGHT)):
                assert ((v, j, player) in whole) == ((0, j, player) in side)


# -------------------------------------------------------------------- forms of stoppers


@pytest.mark.slow("0")
@pytest.mark.parametrize("seed", range(3))
def test_equal_stoppers_have_one_form(seed):
    """A stopper in any form: with dominated, reversible or doubled options."""
    rng = random.Random(seed)
    texts = ["0", "*", "^", "over", "under", "^[on]", "{0|off}", "{on|0}", "{0|v[on]*}", "+-over"]
    nodes = [nodes_of(zm.value(x))[0] for x in texts]
    for _ in range(40):
        n = rng.randint(1, 3)
        left, right = (
            [[rng.choice(nodes) for _ in range(rng.randint(1, 2))] for _ in range(n)] for _ in "LR"
        )
        for v in range(n):  # only Right can move on cycles, so these are stoppers
            right[v] += [rng.randrange(n)] * rng.randint(0, 1)
        found = onsides(left, right)
        double = onsides(
            [[x + n * rng.randint(0, 1) if isinstance(x, int) else x for x in row]
             for row in left + left],
            [[x + n * rng.randint(0, 1) if isinstance(x, int) else x for x in row]
             for row in right + right],
        )  # fmt: skip
        assert double == found + found
        worse = [[*row, nodes_of(zm.value("off"))[0]] for row in left]
        assert onsides(worse, right) == found


def test_many_steps_at_once_are_tested_together(monkeypatch):
    """A walk on a grid, down for Left and up for Right, needs few matrices of comparisons."""
    calls = []
    monkeypatch.setattr(
        stoppers, "survives", lambda *a, run=stoppers.survives, **k: calls.append(1) or run(*a, **k)
    )
    k = 5
    place = {(i, j): k * i + j for i in range(k) for j in range(k)}
    left = [[place[x] for x in ((i + 1, j), (i, j + 1)) if x in place] for i, j in place]
    right = [[place[x] for x in ((i - 1, j), (i, j - 1)) if x in place] for i, j in place]
    assert len(set(map(str, (value_of_sides(x, x) for x in onsides(left, right))))) == 2 * k - 1
    assert len(calls) < 20
