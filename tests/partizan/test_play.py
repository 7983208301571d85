"""Winners and winning moves of sums, compared with the values of the sums."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.partizan.games import compacts, games, value_of
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.partizan.analysis.play import hint

components = st.lists(games.map(value_of) | compacts, max_size=4)


def added(values):
    return sum(values, zm.value(0))


@given(components)
def test_outcomes_agree_with_adding_up(values):
    assert zm.sum_outcome(values) is added(values).outcome


@given(components, st.sampled_from(["left", "right"]))
def test_best_moves_are_all_that_win(values, player):
    mine = player == "left"
    wanted = set()
    for k, v in enumerate(values):
        for option in v.left if mine else v.right:
            after = added(values) - v + option
            if after >= 0 if mine else after <= 0:
                wanted.add((k, option))
    found = zm.best_moves(values, player)
    assert {(move.component, move.after) for move in found} == wanted
    assert len(found) == len(wanted)
    first = added(values).outcome
    assert bool(found) == (first.left_first == 1 if mine else first.right_first == -1)


def test_a_move_in_a_number_may_be_the_only_one_that_wins():
    assert [str(move) for move in zm.best_moves([1, "{-9|9}"], "left")] == ["0: 1 → 0"]


def test_many_hot_components():
    values = [f"{{{k}|-{k}}}" for k in range(1, 25)]
    best = zm.best_moves(values, "right")
    assert [move.component for move in best] == list(range(13, 24))
    assert str(best[-1]) == "23: +-24 → -24"
    assert zm.sum_outcome(values).name == "N"
    assert hint(values) == 23


def test_hints():
    assert hint([]) is None
    assert hint(["1", "^"]) is None


def test_nothing_to_move():
    assert zm.sum_outcome([]).name == "P"
    assert zm.best_moves([], "left") == ()


def test_players_have_names():
    with pytest.raises(InvalidOptionError, match="left or right, got 'white'"):
        zm.best_moves(["1"], "white")


def test_a_search_that_takes_too_long_is_an_error():
    values = [f"{{{k + 3}|{k}||-{k}|-{2 * k}}}" for k in range(1, 14)]
    with pytest.raises(LimitError, match="more than 10 sums"):
        zm.sum_outcome(values, limit=10)


def test_one_text_is_no_list_of_values():
    with pytest.raises(InvalidOptionError, match="expected a list of values"):
        zm.best_moves("{1|-1}", "left")
