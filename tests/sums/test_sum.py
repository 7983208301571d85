"""Sums of games against the product graph, and play that ends."""

import random

import pytest
from tests.sums.loopy import nim_heap, product, random_game

import zermelo as zm
from zermelo.errors import InvalidOptionError, UnknownPositionError

TRAP = zm.Graph.from_edges([("v", "t"), ("v", "u"), ("u", "v")])
"""v is worth 1 and both its moves win, but the one to u only puts the end off."""


def random_components(rng, count):
    components = []
    for _ in range(count):
        if rng.random() < 0.25:
            components.append(rng.randint(0, 4))
        else:
            components.append(random_game(rng, 5))
    return components


def as_graphs(components):
    return [nim_heap(x) if isinstance(x, int) else x for x in components]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_outcomes_and_moves_are_those_of_the_product(seed, count):
    rng = random.Random(100 * count + seed)
    components = random_components(rng, count)
    places, whole = product(as_graphs(components))
    solution = zm.solve(whole)
    index = {place: v for v, place in enumerate(places)}
    solved = [x if isinstance(x, int) else zm.grundy(x) for x in components]
    for place in rng.sample(places, min(len(places), 40)):
        s = zm.Sum(
            [v if isinstance(x, int) else (x, v) for x, v in zip(solved, place, strict=True)]
        )
        assert s.positions == place
        assert s.outcome == solution.label[index[place]]
        found = {}
        for move in s.moves():
            to = (*place[: move.component], move.to, *place[move.component + 1 :])
            found[index[to]] = move.label
            assert s.after(move).positions == to
            assert s.after(move).value == move.value
        row = whole.successors(index[place]).tolist()
        assert found == {w: -solution.label[w] for w in row}
        assert list(s.winning_moves) == [m for m in s.moves() if m.label == zm.Label.WIN]
        assert list(s.drawing_moves) == [m for m in s.moves() if m.label == zm.Label.DRAW]
        assert (s.best_move is None) == (not row)
        if row:
            assert s.best_move.label == s.outcome


@pytest.mark.parametrize("seed", range(30))
def test_a_winner_wins_in_the_end_whatever_the_loser_does(seed):
    rng = random.Random(seed)
    components = random_components(rng, 3)
    solved = [x if isinstance(x, int) else zm.grundy(x) for x in components]
    places, _ = product(as_graphs(components))
    for place in rng.sample(places, min(len(places), 20)):
        s = zm.Sum(
            [v if isinstance(x, int) else (x, v) for x, v in zip(solved, place, strict=True)]
        )
        if s.outcome == zm.Label.DRAW:
            line = s.play()
            assert line.cycle is not None
            assert line[line.cycle] == line[-1]
            continue
        line = s.play()
        assert line.cycle is None
        assert (len(line) % 2 == 0) == (s.outcome == zm.Label.WIN)
        turns, most = 0, 2 * len(places) + 2
        while (best := s.best_move) is not None:
            best = best if s.outcome == zm.Label.WIN else rng.choice(s.moves())
            s = s.after(best)
            turns += 1
            assert turns <= most
        assert s.outcome == zm.Label.LOSE


def test_the_winner_does_not_put_the_end_off():
    s = zm.Sum([(TRAP, "v")])
    assert {move.to for move in s.winning_moves} == {"t", "u"}
    assert s.best_move.to == "t"
    assert zm.Sum([(TRAP, "u")]).play() == [("u",), ("v",), ("t",)]


def test_limits_and_draws():
    loop = zm.Graph.from_edges([("x", "x")])
    assert zm.Sum([(loop, "x")]).play() == [("x",), ("x",)]
    assert zm.Sum([(loop, "x")]).play().cycle == 0
    assert zm.Sum([5]).play(limit=0) == [(5,)]
    assert zm.Sum([3, 3]).play(limit=1) == [(3, 3), (2, 3)]
    empty = zm.Sum([])
    assert (empty.outcome, empty.value, empty.best_move) == (zm.Label.LOSE, 0, None)
    assert (empty.play(), empty.moves()) == ([()], [])


def test_sums_of_sums():
    s = zm.Sum([(TRAP, "v")]) + zm.Sum([2]) + 3
    assert (s.positions, s.value, len(s)) == (("v", 2, 3), 0, 3)
    assert repr(1 + s) == "Sum(v + 2 + 3 + 1 = 1: WIN)"
    with pytest.raises(TypeError):
        s + "x"


def test_a_graph_that_comes_twice_is_solved_once(monkeypatch):
    from zermelo.sums import sum as module

    calls = []
    monkeypatch.setattr(module, "grundy", lambda g: calls.append(g) or zm.grundy(g))
    zm.Sum([(TRAP, "v"), (TRAP, "u"), (TRAP, "t")])
    assert calls == [TRAP]


class Halving:
    """Halve a heap, rounded down; a game that knows its own values."""

    def grundy(self, position):
        return position.bit_length() % 2

    def options(self, position):
        return [position // 2] if position else []


def test_any_game_with_values_and_options():
    s = zm.Sum([(Halving(), 5), (TRAP, "v"), 2])
    assert s.value == 1 ^ 1 ^ 2
    line = s.play()
    assert line.cycle is None
    assert line[-1] == (0, "t", 0)
    assert len(line) % 2 == 0


def test_games_given_by_rules():
    nim = zm.game("nim:1,2,4")
    s = zm.Sum([(nim, nim.start()), (TRAP, "v"), (nim, (0, 0, 3))])
    assert s.values == (7, 1, 3)
    assert s.after(s.best_move).value == 0
    assert len(s.play()) % 2 == 0
    assert [m.to for m in zm.Sum([(nim, (1, 1, 1))]).moves()] == [(1, 1)]


@pytest.mark.parametrize(
    ("component", "message"),
    [("a", "component 0: expected a pair"), ((TRAP,), "pair"), ((3, 4), "pair"), (-1, "nimber"),
     (True, "pair"), (1.5, "pair")],
)  # fmt: skip
def test_bad_components(component, message):
    with pytest.raises(InvalidOptionError, match=message):
        zm.Sum([component])


def test_unknown_positions_and_moves():
    with pytest.raises(UnknownPositionError):
        zm.Sum([(TRAP, "w")])
    s = zm.Sum([2, 1])
    with pytest.raises(InvalidOptionError, match="expected a move of"):
        s.after(s.best_move).after(s.best_move)
