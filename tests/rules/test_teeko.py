"""Teeko: goals, moves, un-moves, index, text."""

import random
from math import comb

import numpy as np
import pytest

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.rows.teeko import CELLS, FULL, Teeko
from zermelo.rules.compiled import NO_POSITION, OPEN
from zermelo.rules.loading.games import game

RULES = {name: game(name) for name in ("teeko", "teeko:advanced")}


def listed(method, most, position):
    out = np.full(most + 1, -7, np.int64)
    count = method(position, out)
    assert count <= most
    assert (out[count:] == -7).all()
    return out[:count].tolist()


def image(rules, position, g):
    return int(rules.image(position & FULL, g) | rules.image(position >> CELLS, g) << CELLS)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_moves_unmoves_index_and_symmetry(rules):
    rng = random.Random(1)
    done = 0
    while done < 500:
        men = rng.randrange(9)
        first = int(rules.offset[men])
        last = int(rules.offset[men - 1]) if men else rules.size
        index = rng.randrange(first, last)
        canonical = int(rules.unrank(index))
        if canonical == NO_POSITION:
            continue
        done += 1
        images = [image(rules, canonical, g) for g in range(8)]
        assert {rules.rank(x) for x in images} == {index}
        assert {rules.canonical(x) for x in images} == {canonical}
        assert len(set(images)) == rules.orbit(canonical)
        position = rng.choice(images)
        assert rules.parse(rules.show(position)) == position
        assert rules.tier(position) == 8 - men
        if rules.outcome(position) != OPEN:
            continue
        found = listed(rules.moves, rules.most_moves, position)
        assert found
        for x in found:
            assert rules.unrank(rules.rank(x)) == rules.canonical(x)
            if rules.tier(x) == rules.tier(position):
                assert position in listed(rules.unmoves, rules.most_unmoves, x)
            else:
                assert rules.tier(x) == rules.tier(position) - 1
        for x in listed(rules.unmoves, rules.most_unmoves, position):
            assert rules.outcome(x) == OPEN
            assert position in listed(rules.moves, rules.most_moves, x)
            assert rules.unrank(rules.rank(x)) == rules.canonical(x)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_indices_before_one(rules):
    rng = random.Random(2)
    fours = range(rules.first[4], rules.first[5])
    kept = [k for k in fours if int(rules.fold[k] & 255).bit_count() > 1]
    done = fewer = differ = 0
    while done < 300:
        index = rng.randrange(rules.offset[7])
        if done % 2:  # a symmetry keeps the mover's men, and two moves may lead to one position
            many = comb(CELLS, 4)
            index += rng.choice(kept) - rules.first[4] - index % many
        position = int(rules.unrank(index))
        if position == NO_POSITION:
            continue
        done += 1
        before = listed(rules.unmoves, rules.most_unmoves, position)
        out = np.zeros(rules.most_unmoves, np.int64)
        found = out[: rules.unmoves_by_index(index, out)].tolist()
        assert sorted(found) == sorted({rules.rank(x) for x in before})
        fewer += len(found) < len(before)
        if rules.outcome(position) == OPEN and rules.moves_differ(position):
            differ += 1
            after = [rules.rank(x) for x in listed(rules.moves, rules.most_moves, position)]
            assert len(set(after)) == len(after)
    assert fewer
    assert differ > 200
    assert listed(rules.unmoves_by_index, rules.most_unmoves, rules.rank(0)) == []


@pytest.mark.parametrize(
    ("text", "standard", "advanced"),
    [
        ("...../oooo./...../...../xxx..", -1, -1),
        (".o.../.o.../.o.../.o.../x.x.x", -1, -1),
        ("o..../.o.../..o../...o./x.x.x", -1, -1),
        ("....o/...o./..o../.o.../x.x.x", -1, -1),
        ("...../.oo../.oo../...../x.x.x", -1, -1),
        ("o.o../...../o.o../...../x.x.x", OPEN, -1),
        ("o...o/...../..x../.x.x./o...o", OPEN, -1),
        ("o..../.o.../..o../...../x.xxo", OPEN, OPEN),
        (".o.../o.o../.o.../...../x.x.x", OPEN, OPEN),  # a square on its corner is no goal
    ],
)
def test_goals(text, standard, advanced):
    found = [rules.outcome(rules.parse(text)) for rules in RULES.values()]
    assert found == [standard, advanced]


def test_positions_without_symmetry():
    # C(25, 4) · C(21, 4) with all men on the board, as the mover sees them; before that a drop less
    rules = RULES["teeko"]
    first, last = int(rules.offset[3]), int(rules.offset[2])
    total = 0
    for index in range(first, last):
        position = int(rules.unrank(index))
        if position != NO_POSITION:
            total += int(rules.orbit(position))
    assert total == 25 * comb(24, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("xx.../...../...../...../.....", "at most four men each"),
        ("ooo../...../...../...../.....", "at most four men each"),
        ("xxxx./oooo./...../...../.....", "play that is not over"),
        ("xo", "a position such as"),
    ],
)
def test_faulty_positions_are_refused(text, complaint):
    with pytest.raises(InvalidOptionError, match=complaint):
        RULES["teeko"].parse(text)


def test_parameters():
    assert Teeko.from_text("advanced").goals.sum() == 58
    with pytest.raises(InvalidOptionError, match="expected teeko:"):
        game("teeko:58")
