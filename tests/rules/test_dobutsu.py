"""Dōbutsu shōgi: moves, un-moves, index, text.

Numbers of lines of play are those of Fairy-Stockfish's variant ``dobutsu``, in which a lion that is
attacked may be left alone.
"""

import random

import numpy as np
import pytest

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._dobutsu_index import ALL, PAIRS, TAKEN
from zermelo.rules.boards.dobutsu import Dobutsu
from zermelo.rules.compiled import NO_POSITION, OPEN

RULES = Dobutsu()


def listed(method, most, position):
    out = np.full(most + 1, -7, np.int64)
    count = method(position, out)
    assert count <= most
    assert (out[count:] == -7).all()
    return out[:count].tolist()


def moves(position):
    return listed(RULES.moves, RULES.most_moves, position)


def unmoves(position):
    return listed(RULES.unmoves, RULES.most_unmoves, position)


def sample(many, seed):
    rng = random.Random(seed)
    found = []
    while len(found) < many:
        position = int(RULES.unrank(rng.randrange(1, RULES.size)))
        if position != NO_POSITION:
            found.append(position)
    return found


def wander(many, seed):
    """Positions of random play from the start."""
    rng = random.Random(seed)
    found, position = [], RULES.start()
    while len(found) < many:
        options = [x for x in RULES.options(position) if x != TAKEN]
        position = rng.choice(options) if options else RULES.start()
        found.append(position)
    return found


def perft(position, depth):
    if RULES.outcome(position) != OPEN:
        return 0
    found = listed(RULES.all_moves, RULES.most_moves, position)
    return len(found) if depth == 1 else sum(perft(x, depth - 1) for x in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gle/.c./.C./ELG -", [4, 17, 123, 976, 8122]),
        ("gle/.../.C./ELG c", [4, 40, 218, 1705]),
        (".l./.../.../.L. CEGceg", [35, 1135, 27255]),
    ],
)
def test_perft(text, expected):
    position = RULES.parse(text)
    assert [perft(position, depth + 1) for depth in range(len(expected))] == expected


def test_indices_before_one():
    # With both lions on the middle file, two positions before one may be reflections.
    even = [".l./.../.L./... CEGceg", ".l./.C./.L./... EGceg", ".l./g.g/e.e/.L. Cc"]
    same = [*map(RULES.parse, even), *(x for x in sample(6000, 4) if not RULES.moves_differ(x))]
    fewer = 0
    for position in [*sample(100, 3), *wander(100, 5), *same[:200]]:
        before, index = unmoves(position), RULES.rank(position)
        out = np.zeros(RULES.most_unmoves, np.int64)
        found = out[: RULES.unmoves_by_index(index, out)].tolist()
        assert sorted(found) == sorted({RULES.rank(x) for x in before})
        fewer += len(found) < len(before)
    assert fewer
    for position in [*sample(300, 6), *wander(300, 7)]:
        if RULES.outcome(position) == OPEN and RULES.moves_differ(position):
            after = [RULES.rank(x) for x in moves(position)]
            assert len(set(after)) == len(after)


@pytest.mark.parametrize("position", [*sample(300, 1), *wander(300, 2)])
def test_moves_and_unmoves_invert_each_other(position):
    options = [] if RULES.outcome(position) != OPEN else moves(position)
    for x in options:
        assert RULES.unrank(RULES.rank(x)) == RULES.canonical(x)
        assert RULES.tier(x) <= RULES.tier(position)
        if x != TAKEN:
            assert position in unmoves(x)
    before = unmoves(position)
    assert len(set(before)) == len(before)
    for x in before:
        assert RULES.outcome(x) == OPEN
        assert position in moves(x)
        assert RULES.unrank(RULES.rank(x)) == RULES.canonical(x)


def test_index_and_symmetry():
    assert RULES.size == 1 + 54 * 11878227 == 1 + len(PAIRS) * ALL
    rng = random.Random(3)
    for _ in range(2000):
        index = rng.randrange(RULES.size)
        position = int(RULES.unrank(index))
        if position == NO_POSITION:
            continue
        image = RULES.mirrored(position)
        assert RULES.rank(position) == RULES.rank(image) == index
        assert RULES.canonical(image) == RULES.canonical(position) == position
        assert RULES.turned(RULES.turned(position)) == position
        assert RULES.parse(RULES.show(image)) == image


def test_the_captured_lion():
    assert RULES.unrank(0) == TAKEN
    assert RULES.rank(TAKEN) == 0
    assert RULES.outcome(TAKEN) == -1
    assert RULES.orbit(TAKEN) == 0
    near = RULES.parse("..g/.l./.L./... CCEEG")
    assert moves(near) == [TAKEN]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("g../.../.L./l.. CCEEG", OPEN),  # on the farthest rank, but captured
        ("g../.L./.../l.. CCEEG", -1),  # on the farthest rank, and safe
        ("gl./.L./.../... CCEEG", OPEN),
    ],
)
def test_reaching_the_farthest_rank(text, outcome):
    assert RULES.outcome(RULES.parse(text)) == outcome


def test_chicks_become_hens_by_walking_and_captured_hens_chicks():
    walked = RULES.options(RULES.parse(".../l.C/.../L.. cEEGG"))
    assert any(RULES.show(x).split()[0].count("h") == 1 for x in walked)
    dropped = RULES.options(RULES.parse(".../l../.../L.. CcEEGG"))
    assert not any("h" in RULES.show(x) for x in dropped)
    assert any("c" in RULES.show(x).split("/")[3].split()[0] for x in dropped)
    eaten = RULES.options(RULES.parse(".../l../hG./.L. CEEG"))
    assert any(RULES.show(x).split()[1].count("c") == 2 for x in eaten)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gle/.c./.C./ELG x", "in hand"),
        ("gle/.c./.C. -", "a position such as"),
        ("gle/.c./.C./ELX -", "a position such as"),
        ("gle/.c./.C./ELG C", "two of each animal"),
        ("gLe/.c./.C./ElG -", "below the farthest rank"),
        ("gLe/.c./.C./ELG -", "two of each animal and a lion each"),
    ],
)
def test_faulty_positions_are_refused(text, complaint):
    with pytest.raises(InvalidOptionError, match=complaint):
        RULES.parse(text)


def test_pictures():
    assert RULES.draw(RULES.start()).count("<circle") == 8
    assert RULES.draw(TAKEN).count("<circle") == 0


def test_texts_of_moves():
    hands = RULES.parse(".../l.C/.../L.. cEEGG")
    moves = [RULES.describe(hands, x) for x in RULES.options(hands)]
    assert {"Cc3-c4=H", "E*b1", "La1-b1"} < {*moves}
    assert len({*moves}) == len(moves)
    assert RULES.describe(RULES.start(), RULES.options(RULES.start())[-1], second=True) == "Cb3xb2"
    assert RULES.diagram(RULES.start()).splitlines()[0] == "4  g l e"
    assert RULES.diagram(RULES.start(), second=True).endswith("in hand: nothing")
