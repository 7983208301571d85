"""One root of rules: every game of the table, and rules of every form, answer every member."""

import types
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest

import zermelo as zm
from zermelo._runtime.compiled.source import written
from zermelo.errors import InvalidRulesError
from zermelo.objectives import Objective
from zermelo.registry import GAMES
from zermelo.rules import OPEN
from zermelo.rules.base import as_rules, defines
from zermelo.rules.faults import admit, options_of, outcome_of
from zermelo.rules.values import position_values
from zermelo.tables.probing.access import rules_digest
from zermelo.tables.solving.solve import solve_rules
from zermelo.verify.rules.check import check_rules

EXAMPLES = pytest.mark.parametrize("example", [row.example for row in GAMES])
FEW = 30


def some_positions(rules):
    """Positions near the start, and those at the end of one line of play."""
    found = {rules.start(): None}
    for position in [*found]:
        found |= dict.fromkeys(rules.options(position))
    position = rules.start()
    for _ in range(FEW):
        found[position] = None
        after = rules.options(position)
        if not after:
            break
        position = after[len(after) // 2]
    return [*found][: 3 * FEW]


def is_picture(text):
    return isinstance(text, str) and ElementTree.fromstring(text).tag.endswith("svg")


# -------------------------------------------------------------------- the table


@EXAMPLES
def test_every_game_answers_every_member_of_the_root(example):
    rules = zm.game(example)
    assert isinstance(rules, zm.Rules)
    assert isinstance(rules.objective(), Objective)
    parameters = example.partition(":")[2]
    assert type(rules).from_text(parameters).start() == rules.start()
    for position in some_positions(rules):
        moves = [*rules.moves(position)]
        outcome = rules.outcome(position)
        assert outcome in (-1, 0, 1, zm.OPEN, None)
        assert set(rules.options(position)) == (
            set() if outcome_of(rules, position) != OPEN else set(moves)
        )
        text = rules.show(position)
        assert isinstance(text, str)
        assert rules.parse(text) == position
        assert is_picture(rules.draw(position))
        form = rules.canonical(position)
        assert rules.canonical(form) == form
        for part in rules.components(position):
            hash(part)
        assert rules.player(position) in (0, 1, None)
    assert isinstance(rules.impartial, bool)


@EXAMPLES
def test_the_rules_that_are_played_answer_every_member_too(example):
    rules = as_rules(zm.game(example))
    assert isinstance(rules, zm.Rules)
    assert isinstance(rules.objective(), Objective)
    for position in some_positions(rules):
        assert set(rules.options(position)) <= set(rules.moves(position))
        assert rules.parse(rules.show(position)) == position
        assert is_picture(rules.draw(position))
        assert rules.canonical(rules.canonical(position)) == rules.canonical(position)
        assert all(isinstance(hash(x), int) for x in rules.components(position))


def test_members_of_the_root_are_the_same_in_every_kind():
    for member in ("start", "moves", "outcome", "objective", "show", "parse", "draw", "canonical",
                   "components", "from_text", "player", "impartial", "options"):  # fmt: skip
        for kind in (zm.Rules, zm.CompiledRules, zm.PartizanRules):
            assert hasattr(kind, member), member
    assert issubclass(zm.CompiledRules, zm.Rules)
    assert issubclass(zm.PartizanRules, zm.Rules)


# -------------------------------------------------------------------- from plain to compiled


class Plain(zm.Rules):
    """Take 1, 3 or 4 counters from a heap."""

    def __init__(self, n=20):
        self.n = n

    def start(self):
        return self.n

    def moves(self, n):
        return [n - k for k in (1, 3, 4) if k <= n]


class Filling(Plain):
    """The same rules with the fill form, and nothing of the library's named."""

    most_moves = 3

    def moves(self, position, out):
        count = 0
        for k in (1, 3, 4):
            if k <= position:
                out[count] = position - k
                count += 1
        return count


class Direct(zm.Rules):
    most_moves = 1

    def start(self):
        return 5

    def moves(self, position, out):
        out[0] = position - 1
        return min(1, position)


class Indexed(Filling):
    size = 21

    def rank(self, position):
        return position

    def unrank(self, index):
        return index


def test_rules_with_the_fill_form_are_compiled_rules():
    assert not isinstance(Plain(), zm.CompiledRules)
    for kind in (Filling, Direct, Indexed):
        assert issubclass(kind, zm.CompiledRules)
        assert kind.__mro__.index(zm.CompiledRules) < kind.__mro__.index(zm.Rules)
    assert Filling.has("moves")
    assert not Filling.has("unmoves")
    assert Indexed.has("rank")
    assert not defines(Plain, "rank")


def test_both_forms_of_moves_can_be_called():
    rules, out = Filling(), np.zeros(3, np.int64)
    assert rules.moves(10, out) == rules.moves(10, out=out) == 3
    assert out.tolist() == rules.moves(10) == rules.options(10) == Plain().moves(10) == [9, 7, 6]
    assert rules.moves(position=2) == [1]
    assert written(Filling.moves).__code__.co_argcount == 3
    assert written(Plain.moves) is Plain.moves


def test_every_step_gives_the_same_game():
    graphs = [zm.explore(kind()).graph for kind in (Plain, Filling, Indexed)]
    assert len({graph.digest for graph in graphs}) == 1
    found = [solve_rules(kind()).look_up(20)[:2] for kind in (Plain, Filling, Indexed)]
    assert found == [(1, 11)] * 3
    assert [position_values(kind()).start for kind in (Plain, Filling, Indexed)] == [
        2
    ] * 3  # 20 mod 7 is 6
    for kind in (Plain, Filling, Direct, Indexed):
        assert all(finding.holds for finding in check_rules(kind(), compiled=False))


@pytest.mark.slow
@pytest.mark.compiled
def test_rules_that_derive_from_the_root_alone_are_compiled_as_they_are():
    assert all(finding.holds for finding in check_rules(Indexed()))


def test_the_second_form_is_no_part_of_what_rules_are():
    class Same(zm.CompiledRules):
        most_moves = 1

        def start(self):
            return 5

        def moves(self, position, out):
            out[0] = position - 1
            return min(1, position)

    assert rules_digest(Same()) == rules_digest(Direct())


def test_a_mixin_a_static_method_and_a_dataclass_may_have_the_fill_form():
    class Down:
        def moves(self, position, out):
            out[0] = position - 1
            return min(1, position)

    class Mixed(Down, zm.Rules):
        most_moves = 1

        def start(self):
            return 3

    class Static(zm.Rules):
        most_moves = 1

        def start(self):
            return 3

        @staticmethod
        def moves(position, out):
            out[0] = position - 1
            return min(1, position)

    @dataclass(frozen=True, slots=True)
    class Slotted(zm.Rules):
        n: int = 3
        most_moves = 1

        def start(self):
            return self.n

        def moves(self, position, out):
            out[0] = position - 1
            return min(1, position)

    for rules in (Mixed(), Static(), Slotted()):
        admit(rules)
        assert isinstance(rules, zm.CompiledRules)
        assert rules.moves(3) == [2]
        assert rules.moves(3, [0]) == 1
    for rules in (Mixed(), Static()):
        assert zm.explore(rules).graph.n == 4


def test_most_moves_alone_changes_nothing():
    class Prepared(Plain):
        most_moves = 3

    assert not isinstance(Prepared(), zm.CompiledRules)
    assert zm.explore(Prepared()).graph.n == 21


def test_the_fill_form_needs_room():
    class Roomless(zm.Rules):
        def start(self):
            return 3

        def moves(self, position, out):
            return 0

    for call in (zm.explore, lambda rules: rules.moves(3)):
        with pytest.raises(InvalidRulesError, match="it lacks most_moves, the room that moves may"):
            call(Roomless())
    for count, message in ((7, "at most 1 moves"), (None, "number of positions that out")):
        wrong = type(
            "Wrong", (Roomless,), {"most_moves": 1, "moves": lambda self, p, out, k=count: k}
        )
        with pytest.raises(InvalidRulesError, match=message):
            wrong().moves(3)


def test_objects_of_foreign_classes_work_in_either_form():
    def fill(position, out):
        out[0] = position - 1
        return min(1, position)

    filling = types.SimpleNamespace(start=lambda: 3, moves=fill, most_moves=1)
    plain = types.SimpleNamespace(start=lambda: 3, moves=lambda n: [n - 1] if n else [])
    games = [zm.explore(rules) for rules in (filling, plain)]
    assert games[0].graph.digest == games[1].graph.digest
    assert as_rules(filling).draw(3).startswith("<svg")
    assert as_rules(plain).parse("2") == 2
    with pytest.raises(InvalidRulesError, match="moves"):
        zm.explore(types.SimpleNamespace(start=lambda: 3, moves=fill))


def test_partizan_moves_are_those_of_both_players():
    rules = zm.game("toads-and-frogs:t.f")
    assert [*rules.moves("t.f")] == [*rules.left("t.f"), *rules.right("t.f")]
    grid = zm.game("domineering:2x2")
    assert set(grid.moves(grid.start())) == {*grid.left(grid.start()), *grid.right(grid.start())}


# -------------------------------------------------------------------- one convention each


class Ten(zm.Rules):
    """Add 1 or 2 to a number; who comes to 10 wins, who comes to 11 ties."""

    on = None

    def start(self):
        return 0

    def moves(self, n):
        return [n + 1, n + 2]

    def outcome(self, n):
        return {10: -1, 11: 0}.get(n, self.on)


class CompiledTen(zm.Rules):
    most_moves = 2

    def start(self):
        return 0

    def moves(self, n, out):
        out[0], out[1] = n + 1, n + 2
        return 2

    def outcome(self, n):
        if n < 10:
            return zm.OPEN
        return -1 if n == 10 else 0


class CompiledNone(CompiledTen):
    def outcome(self, n):
        if n < 10:
            return None
        return -1 if n == 10 else 0


class Forgetful(CompiledTen):
    def outcome(self, n):
        if n == 10:
            return -1
        if n == 11:
            return 0


TENS = [Ten, type("OpenTen", (Ten,), {"on": zm.OPEN}), CompiledTen, CompiledNone, Forgetful]


@pytest.mark.parametrize("kind", TENS)
def test_none_and_open_mean_that_play_goes_on(kind):
    rules = kind()
    assert options_of(rules, 3) == [4, 5]
    assert options_of(rules, 10) == []
    assert outcome_of(rules, 3) == zm.OPEN == OPEN == 2
    game = zm.explore(rules)
    assert game.graph.n == 12
    assert zm.solve(game)[0].distance == 7
    assert solve_rules(rules).look_up(0)[:2] == (1, 7)
    assert all(finding.holds for finding in check_rules(rules, compiled=False))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", [CompiledTen, CompiledNone, Forgetful])
def test_the_compiler_takes_none_for_open(kind):
    assert all(finding.holds for finding in check_rules(kind()))


def test_other_outcomes_are_refused():
    for outcome in (3, -2, "win", True, 0.0):
        wrong = type("Wrong", (Ten,), {"on": outcome})()
        with pytest.raises(InvalidRulesError, match=r"expected −1, 0, 1 or OPEN \(2\), got"):
            zm.explore(wrong)


@pytest.mark.parametrize("position", [7, (1, (2, 3)), "a b", " x ", None, 2.5, ("x", None, True)])
def test_default_texts_are_read_back(position):
    rules = type("Shown", (Plain,), {"start": lambda self: position, "moves": lambda self, x: []})()
    assert rules.parse(rules.show(position)) == position


@pytest.mark.parametrize("text", ["frozenset({1})", "(1,", "[1]", "(1,2)", "{}", "f(1)", "(" * 300])
def test_what_str_did_not_write_is_refused(text):
    with pytest.raises(InvalidRulesError, match="Plain cannot read positions"):
        Plain().parse(text)


@pytest.mark.parametrize("position", ["<&>", "two\nlines", "", "\x00", (1, 2)])
def test_every_position_has_a_picture(position):
    assert is_picture(Plain().draw(position))
