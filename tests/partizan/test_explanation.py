"""Explanations of values and sums: every winner, move and answer, against plain recursion."""

from random import Random

import pytest

import zermelo as zm
from tests.partizan import oracle
from tests.partizan.test_literal import form_of, game_of
from zermelo.partizan.analysis.explanation import explain_values

SIDES = {"Left": 0, "Right": 1}


def total(parts):
    """The literal sum of the oracle's games."""
    result = oracle.ZERO
    for x in parts:
        result = oracle.add(result, x)
    return result


def wins(parts, player):
    """Whether a player wins a sum, moving first, by the definition alone."""
    return any(not wins(after, 1 - player) for after in moves(parts, player))


def moves(parts, player):
    return [(*parts[:k], y, *parts[k + 1 :]) for k, x in enumerate(parts) for y in x[player]]


def check_attempts(parts, player, attempts, more):
    """The attempts of a player at a sum are true and complete."""
    won = wins(parts, player)
    for attempt in attempts:
        k = attempt.component
        assert SIDES[attempt.player] == player
        assert game_of(zm.literal(attempt.before)) == parts[k]
        after = game_of(zm.literal(attempt.after))
        assert after in parts[k][player]
        assert attempt.wins == won
        rest = (*parts[:k], after, *parts[k + 1 :])
        assert wins(rest, 1 - player) != won
        assert game_of(zm.literal(attempt.leaves)) == total(rest)
        if attempt.replies or attempt.more:
            check_attempts(rest, 1 - player, attempt.replies, attempt.more)
        else:
            assert attempt.cut == bool(moves(rest, 1 - player))
    if won:
        assert len(attempts) == 1
        assert more == 0
    else:
        shown = {(parts[x.component], x.after) for x in attempts}
        assert len(shown) == len(attempts)
        assert len(attempts) + more == len({(x, y) for x in parts for y in x[player]})


def check(explanation, parts):
    for beginning in explanation.beginnings:
        player = SIDES[beginning.player]
        won = wins(parts, player)
        assert SIDES[beginning.winner] == (player if won else 1 - player)
        check_attempts(parts, player, beginning.attempts, beginning.more)


def test_every_move_of_an_explanation():
    rng = Random(8)
    for _ in range(60):
        game = oracle.random_game(rng, 3, 2)
        explanation = explain_values(form_of(game), depth=rng.randint(1, 5))
        assert explanation.outcome.name == oracle.outcome(game)
        if all("a form of" not in x for x in explanation.components):
            check(explanation, (game,))


def test_every_move_of_an_explanation_of_a_sum():
    rng = Random(9)
    for _ in range(30):
        parts = tuple(oracle.random_game(rng, 2, 2) for _ in range(3))
        explanation = explain_values([form_of(x) for x in parts], width=3)
        assert explanation.outcome.name == oracle.outcome(total(parts))
        assert len(explanation.components) == 3
        check(explanation, parts)


def test_the_example_of_the_lecture():
    """Right has two different moves in {0|1} + {0|1} + {|0}, and Left wins after both."""
    explanation = zm.explain(zm.literal("{0|1} + {0|1} + {|0}"), player=1)
    assert explanation.outcome is zm.Outcome.P
    [beginning] = explanation.beginnings
    assert [x.leaves for x in beginning.attempts] == ["1 + 1/2 + -1", "1/2 + 1/2"]
    assert str(explanation).splitlines()[1:3] == [
        "If Right begins, Left wins, because every move of Right has an answer.",
        "  Right moves in component 0 from 1/2 to 1, which leaves 1 + 1/2 + -1. Left answers in "
        "component 1 from 1/2 to 0, which leaves 1 + -1.",
    ]


def test_the_winning_move_is_in_the_component_that_wins():
    parts = ["{3|-3}", "{1|-1}", "*"]
    explanation = zm.explain(list(map(zm.value, parts)))
    for beginning, player in zip(explanation.beginnings, ("left", "right"), strict=True):
        [attempt] = beginning.attempts
        [best] = zm.best_moves(parts, player)
        assert attempt.component == best.component
        assert attempt.after == str(best.after)
    assert "Component 0 is the hottest: its temperature is 3." in str(explanation)


def test_wide_and_deep_explanations_are_cut():
    text = str(zm.value("*12").explain(depth=1, width=2))
    assert text.endswith("Right moves to 0. Then Left has no move.")
    wide = str(explain_values("*4 + *4", width=2))
    assert "  2 more moves have an answer, too." in wide.splitlines()
    assert "and so on." in str(explain_values("^ + ^ + *2", depth=1))


@pytest.mark.slow
def test_an_explanation_that_is_too_long_is_refused():
    with pytest.raises(zm.errors.LimitError, match="40 moves deep has more than 2,000 moves"):
        explain_values("*7 + *7 + *7 + *7", depth=40)


def test_a_form_is_explained_with_all_its_options():
    explanation = zm.explain(zm.literal("{0,-1,-2|1}"), player=1)
    assert "It equals the number 1/2" in str(explanation)
    lost = zm.explain(zm.literal("{-1,-2|}"), player=0)
    assert [x.after for x in lost.beginnings[0].attempts] == ["-1", "-2"]


def test_a_large_value_is_explained_in_canonical_form():
    text = str(explain_values("1000000000 + *"))
    assert "Left moves" in text
    assert "a form of" in str(explain_values("{{2|-1} + {2|-1} + {2|-1}|0}"))


def test_loopy_values():
    over = zm.value("over").explain()
    assert over.has_moves
    assert [x.winner for x in over.beginnings] == ["Left", "Left"]
    assert str(over).splitlines()[-1] == (
        "  Right moves to over. Left answers with 0. Then Right has no move."
    )
    dud = zm.value("dud").explain()
    assert [x.winner for x in dud.beginnings] == [None, None]
    assert "If Left begins, nobody wins: play is infinite." in str(dud).splitlines()
    assert dud.to_dict()["beginnings"][0]["winner"] is None
    with pytest.raises(zm.errors.UndefinedError, match="sum with the loopy value 'on'"):
        zm.explain([zm.value("on"), zm.value(1)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zm.explain(zm.value(1), 0), "takes no position"),
        (lambda: zm.explain(zm.Graph.from_edges([(0, 1)])), "expected a position"),
        (lambda: zm.value(1).explain(2), "player: expected 0 or 1, got 2"),
        (lambda: zm.value(1).explain(depth=0), "depth: expected an integer from 1 to 40, got 0"),
        (lambda: zm.value(1).explain(width=0), "width: expected an integer from 1 on, got 0"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(zm.errors.InvalidOptionError, match=message):
        call()
