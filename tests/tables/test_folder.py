"""Tables in a directory: one file for each tier, built once, shared, refused if it is wrong."""

import os

import numpy as np
import pytest
from tests.tables.stairs import Stairs
from tests.tables.test_kill import Crash, crash_at

import zermelo as zm
from zermelo.errors import (
    BuildError,
    FormatError,
    InvalidOptionError,
    InvalidRulesError,
    MemoryLimitError,
)
from zermelo.tables.building.folder import largest, listing, located_by
from zermelo.tables.building.tier_files import TierFiles
from zermelo.tables.building.tiers import tiers_of
from zermelo.tables.solving import job as _job
from zermelo.tables.solving.measures import PliesToEnd
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.table import Table


def build(rules, folder, **options):
    zm.build(rules, f"{folder}/", check=False, **options).close()


def contents(folder):
    assert not [name for name in os.listdir(folder) if name.startswith(".")]
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def whole(tmp_path):
    """The files of a game that was built in one go."""
    build(Stairs(4), tmp_path / "whole")
    return contents(tmp_path / "whole")


def test_a_tier_has_the_entries_of_its_own_game():
    large = solve_rules(Stairs(5))
    for tier in tiers_of(Stairs(5)):
        own = solve_rules(tier.rules).entry[-tier.size :]
        assert np.array_equal(large.entry[tier.first : tier.first + tier.size], own)


@pytest.mark.slow("None-False", "None-True", "objective1-False")
@pytest.mark.parametrize("distances", [True, False])
@pytest.mark.parametrize("objective", [None, zm.Misere()])
def test_the_directory_answers_as_one_file_does(tmp_path, distances, objective):
    one = zm.build(Stairs(5), tmp_path / "one.zt", objective, distances=distances, check=False)
    build(Stairs(2), tmp_path / "t", objective=objective, distances=distances)
    build(Stairs(5), tmp_path / "t", objective=objective, distances=distances)
    with one, Table(tmp_path / "t", Stairs(5)) as many:
        assert many.counts() == one.counts()
        assert (len(many), many.entries) == (len(one), one.entries)
        assert {"win", "lose", "tie"} <= {answer.outcome for answer in many}
        for answer in one:
            other = many.at(answer.position)
            assert (other.outcome, other.distance) == (answer.outcome, answer.distance)
            assert other.best_moves == answer.best_moves
        assert many.verify().verified == one.verify().verified == len(one)
        assert many.verify(10).verified == 10
        if distances:
            assert many.line(Stairs(5).start()) == one.line(Stairs(5).start())


@pytest.mark.slow
def test_the_order_of_builds_does_not_matter(tmp_path, whole):
    assert len(whole) == 5
    for floor in (1, 4, 2, 3):
        build(Stairs(floor), tmp_path / "t")
    assert contents(tmp_path / "t") == whole


@pytest.mark.parametrize("missing", [0, 2, 4])
def test_only_what_is_missing_is_built(tmp_path, whole, missing):
    name = f"Stairs-{missing}.zt"
    folder = tmp_path / "whole"
    (folder / name).unlink()
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    build(Stairs(4), folder)
    assert contents(folder) == whole
    after = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert {x for x in after if after[x] != before.get(x)} == {name}


@pytest.mark.slow
def test_entries_may_be_of_any_width(tmp_path, monkeypatch, whole):
    build(Stairs(2), tmp_path / "t")
    monkeypatch.setattr(PliesToEnd, "farthest_layer", lambda *_: 2)  # too long for 16 bits
    build(Stairs(4), tmp_path / "t")
    assert contents(tmp_path / "t") == whole


@pytest.mark.slow
def test_builds_that_meet_in_a_directory_do_no_harm(tmp_path, monkeypatch, whole):
    folder, original, met = tmp_path / "t", TierFiles.keep, []

    def keep(tier_files, number, entry):
        if tier_files.tiers[-1].number == 4 and not met:
            met.append(number)
            build(Stairs(3), folder)
            with pytest.raises(BuildError, match="another build of this file is under way"):
                build(Stairs(4), folder)
        original(tier_files, number, entry)

    monkeypatch.setattr(TierFiles, "keep", keep)
    build(Stairs(4), folder)
    assert met == [0]
    assert contents(folder) == whole


@pytest.mark.slow
@pytest.mark.parametrize(("saving", "stride"), [(_job.CHECKPOINT_SECONDS, 1), (0.0, 9)])
def test_a_build_that_is_killed_goes_on(tmp_path, monkeypatch, saving, stride):
    build(Stairs(1), tmp_path / "whole")
    whole = contents(tmp_path / "whole")
    monkeypatch.setattr(_job, "CHECKPOINT_SECONDS", saving)
    step, done, kept = 1, False, set()
    while not done:
        folder = tmp_path / str(step)
        with monkeypatch.context() as patch:
            crash_at(patch, step)
            try:
                build(Stairs(1), folder)
                done = True
            except Crash:
                pass
        seen = {path.name: path.read_bytes() for path in folder.glob("*.zt")}
        assert seen.items() <= whole.items()
        kept.add(len(seen))
        build(Stairs(1), folder)
        assert contents(folder) == whole
        step += stride
    assert kept == {0, 1, 2}


@pytest.mark.slow
def test_a_state_that_does_not_go_with_the_files_is_forgotten(tmp_path, monkeypatch, whole):
    monkeypatch.setattr(_job, "CHECKPOINT_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        steps = crash_at(patch, 1 << 30)
        build(Stairs(4), tmp_path / "counted")
    folder = tmp_path / "t"
    with monkeypatch.context() as patch:
        crash_at(patch, steps[0] * 3 // 4)
        with pytest.raises(Crash):
            build(Stairs(4), folder)
    assert list(folder.glob(".*.partial/state.json"))
    (folder / "Stairs-1.zt").unlink()
    build(Stairs(4), folder)
    assert contents(folder) == whole


def test_files_are_opened_when_they_are_needed(tmp_path, whole):
    (tmp_path / "whole" / "Stairs-0.zt").unlink()
    with Table(tmp_path / "whole", Stairs(4)) as table:
        assert table.counts()["positions"] == len(table) == 25
        assert sum(counts["positions"] for counts in table.tier_counts().values()) == 25
        with pytest.raises(FormatError, match=r"Stairs-0\.zt: Stairs-4\.zt needs this file"):
            table.at(0)


def flipped(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.slow
def test_other_files_are_refused(tmp_path, whole):
    folder = tmp_path / "whole"
    build(Stairs(4), tmp_path / "alone", distances=False)
    file = folder / "Stairs-1.zt"
    for wrong, message in (
        ((tmp_path / "alone" / file.name).read_bytes(), "another option .distances."),
        (whole["Stairs-2.zt"], "it is a table of Stairs:2|with other rules"),
        (b"something", "expected a table"),
        (whole[file.name][:-1], "cut short"),
        (flipped(whole[file.name]), "block 0 is damaged"),
    ):
        file.write_bytes(wrong)
        with pytest.raises(FormatError):
            Table(folder, Stairs(4)).at(5)
        (folder / "Stairs-4.zt").unlink()
        with pytest.raises((BuildError, FormatError), match=message):
            build(Stairs(4), folder)
        build(Stairs(4), folder, replace=True)
        assert contents(folder) == whole


def test_a_table_in_one_file_is_no_tier(tmp_path, whole):
    with zm.build(Stairs(1), tmp_path / "one.zt", check=False) as one:
        one.save(tmp_path / "whole" / "Stairs-1.zt")
    with pytest.raises(BuildError, match="it is a table in one file"):
        build(Stairs(4), tmp_path / "whole")
    with pytest.raises(FormatError, match="it is not the file with which"):
        Table(tmp_path / "whole", Stairs(4)).at(5)


def test_a_tier_is_not_copied_alone(tmp_path, whole):
    with Table(tmp_path / "whole" / "Stairs-4.zt", Stairs(4)) as table:
        assert table.files == set(whole)
        assert table.size == sum(map(len, whole.values()))
        with pytest.raises(InvalidOptionError, match="copy the directory"):
            table.save(tmp_path / "copy.zt")
    with pytest.raises(FormatError, match="the table is closed"):
        table.at(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "disk"}, "the engine 'disk' writes one file"),
        ({"objective": zm.G0()}, "give the path of a file"),
    ],
)
def test_what_a_directory_cannot_have(tmp_path, options, message):
    with pytest.raises(InvalidOptionError, match=message):
        build(Stairs(2), tmp_path / "t", **options)


def test_games_without_such_tiers_need_a_file(tmp_path):
    with pytest.raises(InvalidOptionError, match="nim:1,2 has one file"):
        zm.build("nim:1,2", tmp_path)
    with pytest.raises(InvalidOptionError, match="nim:1,2 is one file"):
        Table(tmp_path, "nim:1,2")
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        zm.build(Stairs(1), tmp_path / "no" / "no/")
    (tmp_path / "file").touch()
    with pytest.raises(InvalidOptionError, match="expected a directory"):
        zm.build(Stairs(1), f"{tmp_path}/file/", check=False)
    with pytest.raises(MemoryLimitError, match="or write one file"):
        zm.build(Stairs(1), f"{tmp_path}/", check=False, memory=1)
    with pytest.raises(FileNotFoundError, match="has no table"):
        Table(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no table of"):
        Table(tmp_path, Stairs(1))


def test_the_games_of_a_directory(tmp_path, whole):
    games = listing(tmp_path / "whole")
    assert [game["game"] for game in games] == [f"Stairs:{f}" for f in range(5)]
    assert [game["bytes"] for game in games] == [len(whole[game["file"]]) for game in games]
    assert [game["counts"]["positions"] for game in games] == [3, 4, 5, 6, 7]
    assert [game["game"] for game in largest(games)] == ["Stairs:4"]
    assert located_by("nowhere.zt", "1") == "nowhere.zt"


class Short(Stairs):
    def tier_games(self):
        return super().tier_games()[:-1]


class Uneven(Stairs):
    def tier_games(self):
        sizes = {0: 5, 1: 4}
        return [(str(f), sizes.get(f, self.room(f))) for f in range(self.floor + 1)]


class Turned(Stairs):
    def tier_games(self):
        listed = super().tier_games()
        return [("2", 6), *listed[:2]] if self.floor == 2 else listed


class Crooked(Stairs):
    def tier_games(self):
        return [*super().tier_games()[:-1], [str(self.floor), 7]]


@pytest.mark.parametrize("kind", [Short, Uneven, Turned, Crooked])
def test_wrong_tiers_are_refused(tmp_path, kind):
    with pytest.raises(InvalidRulesError, match="tier_games"):
        build(kind(2), tmp_path / "t")


class Wrong(Stairs):
    """No position is said to lead to any other."""

    def unmoves(self, position, out):
        return 0


def test_wrong_rules_leave_no_wrong_file(tmp_path):
    with pytest.raises(InvalidRulesError, match="check-rules"):
        build(Wrong(2), tmp_path / "t")


@pytest.mark.slow
@pytest.mark.compiled
def test_endgames_share_their_files(tmp_path):
    with zm.build("chess:krk", f"{tmp_path}/t/") as table:
        assert table.tier_counts()["chess:KRvK"]["longest_win"] == 31
    first = contents(tmp_path / "t")
    assert set(first) == {"KvK.zt", "KRvK.zt"}
    build("chess:KQvK", tmp_path / "t")
    assert first.items() < contents(tmp_path / "t").items()
    one = zm.build("chess:KQvK", tmp_path / "one.zt")
    with one, Table(tmp_path / "t", "chess:KQvK") as many:
        assert many.counts() == one.counts()
        positions = np.array(list(one.sample(3000)))
        left, right = (x.probe_many(positions, moves=True) for x in (one, many))
        for name in ("label", "distance", "move", "tied"):
            assert np.array_equal(getattr(left, name), getattr(right, name))
    fen = "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    assert os.path.basename(located_by(tmp_path / "t", fen)) == "KRvK.zt"
    with pytest.raises(InvalidOptionError, match="several games: chess:KQvK, chess:KRvK"):
        Table(tmp_path / "t")
    with pytest.raises(InvalidOptionError, match="none of the 3 games"):
        located_by(tmp_path / "t", "8/8/8/8/8/2k5/8/K6B w - - 0 1")
    with pytest.raises(InvalidOptionError, match="without symmetry"):
        build("chess:KQvK", tmp_path / "t", symmetry=False)
