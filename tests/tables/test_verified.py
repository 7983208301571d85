"""Tables of a user's own rules are verified whole before they get their name."""

import json

import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.errors import CertificateError, EngineWarning, InvalidRulesError
from zermelo.play.known import solve_to_play
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.building.build import build
from zermelo.tables.solving.solve import solve_rules
from zermelo.verify.rules.check import check_rules

SIZE = 600
RARE = 355
"""The one position at which rules below are wrong."""


class Countdown(CompiledRules):
    """Take one to three from a heap of 599."""

    most_moves, size = 3, SIZE

    def start(self):
        return SIZE - 1

    def rank(self, p):
        return p

    def unrank(self, i):
        return i

    def moves(self, p, out):
        count = 0
        for k in range(1, 4):
            if k <= p:
                out[count] = p - k
                count += 1
        return count


class RankCollides(Countdown):
    def rank(self, p):
        return p if p != RARE else RARE - 1


class UnrankWrong(Countdown):
    def unrank(self, i):
        return i if i != RARE else RARE - 1


class CanonicalWrong(Countdown):
    def canonical(self, p):
        return p if p != RARE else RARE - 1


class UnmovesForget(Countdown):
    def unmoves(self, p, out):
        count = 0
        for k in range(1, 4):
            if p + k < SIZE and p + k != RARE:
                out[count] = p + k
                count += 1
        return count


class UnmovesInvent(Countdown):
    def unmoves(self, p, out):
        count = 0
        for k in range(1, 4):
            if p + k < SIZE:
                out[count] = p + k
                count += 1
        if p == RARE:
            out[0] = 5
        return count


WRONG = [RankCollides, UnrankWrong, CanonicalWrong, UnmovesForget, UnmovesInvent]


@pytest.mark.parametrize("kind", WRONG)
def test_one_wrong_position_is_found_by_the_check_of_rules(kind):
    wrong = [x.member for x in check_rules(kind(), compiled=False) if not x.holds]
    assert wrong
    assert all(x in ("rank", "canonical", "unmoves") for x in wrong)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRONG)
def test_one_wrong_position_makes_no_table(kind, tmp_path, monkeypatch):
    """The check of rules is left out, as if there were too many positions for it."""
    monkeypatch.setattr("zermelo.verify.tables.game.Game.sample_size", 8)
    monkeypatch.setattr("zermelo.verify.tables.table.PLAYOUTS", 0)
    build(kind(), tmp_path / "wrong.zt", check=False, verify=False).close()
    (tmp_path / "wrong.zt").unlink()
    with pytest.raises(InvalidRulesError):
        build(kind(), tmp_path / "wrong.zt", check=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRONG)
def test_one_wrong_position_makes_no_answer(kind, monkeypatch):
    """Games that are too large for a graph are solved in a table in memory."""
    monkeypatch.setattr("zermelo.tables.solving.choose.MAX_GRAPH_POSITIONS", 100)
    monkeypatch.setattr("zermelo.verify.tables.game.Game.sample_size", 8)
    monkeypatch.setattr("zermelo.verify.tables.table.PLAYOUTS", 0)
    for call in (zm.solve, lambda rules: solve_to_play(rules, lambda *report: None)):
        with pytest.raises(InvalidRulesError):
            call(kind())
    assert zm.solve(Countdown())[3].label == 1


def test_a_table_that_is_verified_has_nothing_to_say(tmp_path):
    for rules in (Countdown(), "nim:1,2"):
        with build(rules, tmp_path / "right.zt", verify=isinstance(rules, Countdown)) as table:
            assert not table.unverified
            assert "verified" not in table.header
            assert "verified" not in repr(table)


def test_what_is_not_verified_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.verify.tables.game.Game.sample_size", 8)
    monkeypatch.setattr("zermelo.verify.tables.table.PLAYOUTS", 0)
    path = tmp_path / "wrong.zt"
    with build(UnmovesForget(), path, check=False, verify=False) as table:
        assert table.unverified
        assert repr(table).endswith(", not verified)")
        with pytest.raises(CertificateError):
            table.verify()


def test_plain_rules_are_verified_too(tmp_path):
    class Pile(zm.Rules):
        def start(self):
            return 5

        def moves(self, n):
            return range(n)

    with build(Pile(), tmp_path / "pile.zt") as table:
        assert not table.unverified


def test_a_solved_game_of_own_rules_is_verified_when_it_is_saved(tmp_path):
    path = tmp_path / "saved.zt"
    with pytest.raises(CertificateError):
        solve_rules(UnmovesForget()).save(path)
    assert list(tmp_path.iterdir()) == []
    solve_rules(Countdown()).save(path)
    with zm.Table(path, Countdown()) as table:
        assert not table.unverified


def test_a_check_that_does_not_fit_into_memory_is_left_out_with_a_warning(tmp_path, monkeypatch):
    needed = "zermelo.tables.building.build.examination_bytes"
    monkeypatch.setattr(needed, lambda *_, **__: 1 << 60)
    path = tmp_path / "large.zt"
    with (
        pytest.warns(EngineWarning, match="so the table is not verified") as warned,
        build(Countdown(), path, check=False) as table,
    ):
        assert table.unverified
    assert warned[0].filename == __file__


def test_an_interrupted_build_may_be_continued_without_verifying(tmp_path, monkeypatch):
    """Whether a table is verified is no part of what is being built."""
    seen = []

    class Watched(zm.tables.building.checkpoint.Checkpoint):
        def __init__(self, target, what):
            seen.append(what)
            super().__init__(target, what)

    monkeypatch.setattr("zermelo.tables.building.build.Checkpoint", Watched)
    for verify in (True, False):
        build(Countdown(), tmp_path / "same.zt", check=False, verify=verify).close()
    assert seen[0] == seen[1]


FILE = """
import zermelo as zm

class Pile(zm.Rules):
    def start(self):
        return 5

    def moves(self, n):
        return range(n)
"""


def test_the_commands(tmp_path):
    rules, out = tmp_path / "pile.py", tmp_path / "pile.zt"
    rules.write_text(FILE)
    run = lambda *args: CliRunner().invoke(cli, [*map(str, args)], prog_name="zermelo")  # noqa: E731
    built = run("build", rules, "-o", out, "--json")
    assert json.loads(built.stdout)["verified"] is True
    assert "verified" not in json.loads(run("table-info", out, "--json").stdout)
    built = run("build", rules, "-o", out, "--no-verify", "--force")
    assert built.exit_code == 0
    assert "verified\tFalse\n" in run("table-info", out).stdout
