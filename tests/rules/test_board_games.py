"""Rules on integers: whatever a game says of itself agrees with its moves."""

import functools
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

import numpy as np
import pytest

import zermelo as zm
from tests.rules.plain_solver import Plain, explored
from zermelo.errors import InvalidOptionError, ZermeloError
from zermelo.registry import GAMES
from zermelo.rules.boards.rows.mnk import MNK
from zermelo.rules.compiled import NO_POSITION, OPEN

SMALL = [
    "tictactoe", "tictactoe:misere", "mnk:3x2x2", "mnk:2x2x2,misere", "connect4:3x4",
    "connect3:3x3", "connect3:4x2", "hexapawn:3x3", "hexapawn:2x4", "hexapawn:1x3",
    "dodgem:2", "dodgem:3",
    "three-mens-morris", "three-mens-morris:fly", "tapatan", "achi", "achi:3", "nine-holes",
    "mu-torere", "mu-torere:free", "pong-hau-ki", "hare-and-hounds", "hare-and-hounds:hare-first",
    "fox-and-hounds:4x4", "fox-and-hounds:4x4,1", "chopsticks", "chopsticks:nosplit-cutoff5",
    "chopsticks:split-cutoff3", "awari:2x2", "awari:3x1", "kalah:2x2", "kalah:3x1",
    "chinese-checkers:3x1", "chinese-checkers:3x2", "cat-and-mouse:0-2,0-5,1-3,2-4,2-5,3-4,3-5",
    "cat-and-mouse:0-1,1-2,2-3",
]  # fmt: skip
LARGE = [
    "mnk:4x3x3", "connect4:4x4", "hexapawn:4x4", "l-game", "othello:4x4", "dao", "dao:nocorner",
    "chinese-checkers:4x2", "fox-and-hounds:8x8", "dodgem:4", "kalah:3x2", "awari:3x2",
]  # fmt: skip
MINE = {name.partition(":")[0] for name in SMALL + LARGE}


@functools.cache
def positions(name):
    """Rules, their plain members, and the moves of all positions, or of those of random play."""
    rules = zm.game(name)
    plain = Plain(rules)
    if name in SMALL:
        return rules, plain, explored(rules)
    choose = np.random.default_rng(11)
    moves, here = {}, rules.start()
    for ply in range(240):
        moves[here] = options = plain.options(here)
        again = not options or ply % 60 == 59  # play may be caught in a small circle
        here = rules.start() if again else options[choose.integers(len(options))]
    return rules, plain, moves


def chosen(moves, count=300):
    """Some positions, the first ones and others all over."""
    every = list(moves)
    return every[: count // 4] + every[count // 4 :: max(1, len(every) // count)]


EVERY = pytest.mark.parametrize("name", SMALL + LARGE)


@pytest.mark.sampled(cases=30)
@EVERY
def test_moves_are_numbers_in_the_room_there_is(name):
    rules, plain, moves = positions(name)
    out = np.zeros(rules.most_moves + 1, np.int64)
    for x in chosen(moves):
        assert 0 <= x < 1 << 63
        assert rules.outcome(x) == plain.outcome(x)
        assert rules.outcome(x) in (-1, 0, 1, OPEN)
        if rules.outcome(x) == OPEN:
            out[-1] = -7
            count = rules.moves(x, out)
            assert out[-1] == -7
            assert set(out[:count].tolist()) == set(moves[x])


@pytest.mark.sampled(cases=32)
@pytest.mark.slow("l-game")
@EVERY
def test_symmetry(name):
    rules, plain, moves = positions(name)
    alike = Counter(map(plain.canonical, moves))
    for x in chosen(moves):
        least = plain.canonical(x)
        assert plain.canonical(least) == least == rules.canonical(x)
        options = {*map(plain.canonical, moves[x])}
        assert options == {*map(plain.canonical, plain.options(least))}
        assert plain.outcome(least) == plain.outcome(x)
        assert plain.tier(least) == plain.tier(x)
        assert plain.orbit(least) == plain.orbit(x) == rules.orbit(x)
        if name in SMALL:  # what can be reached is a union of orbits
            assert plain.orbit(x) == alike[least]


@EVERY
def test_unmoves_turn_moves_round(name):
    rules, plain, moves = positions(name)
    if not rules.has("unmoves"):
        assert name.partition(":")[0] in ("othello", "kalah", "awari", "chopsticks")
        return
    before = defaultdict(set)
    for x, options in moves.items():
        for y in options:
            before[y].add(x)
    for y in chosen(moves, 20 if name == "l-game" else 300):
        found = plain.origins(y)
        assert before[y] <= set(found)
        for x in found:  # also those that play from the start does not reach
            assert plain.outcome(x) == OPEN
            assert y in plain.options(x)


@pytest.mark.sampled(cases=33)
@EVERY
def test_numbers(name):
    rules, plain, moves = positions(name)
    assert rules.has("rank") == rules.has("unrank") == (rules.size > 0)
    if not rules.size:
        return
    ranks = {x: plain.rank(x) for x in moves}
    assert len({*ranks.values()}) == len({*map(plain.canonical, moves)})
    for x in chosen(moves):
        assert 0 <= ranks[x] < rules.size
        assert plain.unrank(ranks[x]) == plain.canonical(x)
    for i in range(0, rules.size, 1 + rules.size // 1000):
        x = plain.unrank(i)
        assert x == NO_POSITION or (plain.rank(x) == i and plain.canonical(x) == x)


@EVERY
def test_tiers_never_rise(name):
    _, plain, moves = positions(name)
    for x in chosen(moves):
        assert all(plain.tier(y) <= plain.tier(x) for y in moves[x])


@EVERY
def test_text_is_written_and_read_back(name):
    rules, _, moves = positions(name)
    some = chosen(moves)
    shown = [rules.show(x) for x in some]
    assert len(set(shown)) == len(set(some))
    assert [rules.parse(text) for text in shown] == some
    for wrong in ("?!", "", "x", shown[0] + "x", shown[0][1:]):
        with pytest.raises(ZermeloError, match="expected"):
            rules.parse(wrong)


@EVERY
def test_the_texts_of_moves_are_distinct(name):
    rules, _, moves = positions(name)
    for x in chosen(moves, 40):
        names = [rules.describe(x, y) for y in moves[x]]
        assert len(set(names)) == len(names), rules.show(x)
        assert all(name and "\n" not in name for name in names)


@EVERY
def test_pictures(name):
    rules, _, moves = positions(name)
    for x in chosen(moves, 8):
        root = ElementTree.fromstring(rules.draw(x))
        assert root.tag.endswith("svg")
        _, _, width, height = map(float, root.get("viewBox").split())
        for disc in root.iter("{*}circle"):
            x0, y0, r = (float(disc.get(k)) for k in ("cx", "cy", "r"))
            assert r <= x0 <= width - r
            assert r <= y0 <= height - r


def test_relative_boards_keep_the_players_colours():
    rules = zm.game("othello:4x4")
    after = rules.options(rules.start())[0]
    assert rules.pieces(after).count("x") == 1  # the second player's, now the player to move
    assert rules.coloured(after, second=True).count("x") == 4
    assert rules.coloured(after).count("x") == 1
    assert rules.diagram(after, second=True).count("o") == 1


WRONG = ["?", "-3", "1,2,a", "3xx3", "/", ",", "9" * 30, "0x0", "99x99", "1x1x9"]


@pytest.mark.parametrize("name", sorted(MINE))
def test_wrong_parameters_say_what_is_expected(name):
    row = GAMES[name]
    for wrong in WRONG:
        with pytest.raises(InvalidOptionError) as caught:
            zm.game(f"{name}:{wrong}")
        assert repr(f"{name}:{wrong}") in str(caught.value)
        assert f"expected {name}" in str(caught.value)
        assert row.example.startswith(name)


@pytest.mark.parametrize(
    "name",
    ["mnk:6x6x4", "mnk:3x3x4", "connect4:9x9", "connect4:3x3", "hexapawn:6x6", "hexapawn:3x2",
     "dodgem:6", "dodgem:1", "achi:5", "fox-and-hounds:5x5", "fox-and-hounds:8x6", "othello:6x6",
     "fox-and-hounds:4x4,2", "chopsticks:split-mod11", "chopsticks:split", "kalah:6x6", "awari:0x3",
     "chinese-checkers:4x4", "cat-and-mouse:0-1", "cat-and-mouse:0-1,1-70", "mnk:3x3x3,misere,x"],
)  # fmt: skip
def test_games_that_are_too_large_or_make_no_sense(name):
    with pytest.raises(InvalidOptionError, match="expected"):
        zm.game(name)


def test_a_stone_that_hangs_in_the_air_is_no_position():
    with pytest.raises(InvalidOptionError, match="resting on another"):
        zm.game("connect4:4x4").parse("..../..../x.../....")
    with pytest.raises(InvalidOptionError, match="stones in turn"):
        zm.game("connect4:4x4").parse("..../..../..../xx..")
    with pytest.raises(InvalidOptionError, match="as many pieces as the game allows"):
        zm.game("tictactoe").parse("xx./.../...")
    with pytest.raises(InvalidOptionError, match="x or o, the player to move, after the board"):
        zm.game("pong-hau-ki").parse("xx/./oo")
    with pytest.raises(InvalidOptionError, match="one fox f and 2 hounds h"):
        zm.game("fox-and-hounds:4x4").parse("ff/../../hh f")
    with pytest.raises(InvalidOptionError, match="an L of x, an L of o and two neutral n"):
        zm.game("l-game").parse("xxxx/oooo/n..n/....")
    with pytest.raises(InvalidOptionError, match="of 8 seeds"):
        zm.game("kalah:2x2").parse("2,2/2,2 0:1")


@pytest.mark.parametrize(("width", "height", "length"), [(4, 3, 3), (5, 2, 3), (4, 4, 4)])
def test_rows_are_found_in_all_directions(width, height, length):
    rules = MNK(width, height, length)
    squares = {(x, y) for x in range(width) for y in range(height)}
    rows = set()
    for x, y in squares:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            row = {(x + k * dx, y + k * dy) for k in range(length)}
            if row <= squares:
                rows.add(sum(1 << a + width * b for a, b in row))
    choose = np.random.default_rng(3)
    for stones in [*rows, *choose.integers(1 << width * height, size=3000).tolist()]:
        assert rules.has_row(stones) == any(stones & row == row for row in rows)
