"""Tiers one after the other, and moves that are generated backwards: the same bytes."""

import numpy as np
import pytest
from tests.tables.games import arrays, random_game

from zermelo.engines.jobs.job import Job
from zermelo.engines.moves import prepare
from zermelo.engines.moves.unmoves import Unmoves
from zermelo.engines.partitions import solve as run
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.tiers import below, build, tiers
from zermelo.errors import DiskError, JobError
from zermelo.rules.compiled import OPEN

from .test_tables import TINY, built, written


@pytest.fixture(autouse=True)
def _each_alone(monkeypatch):
    """No tier is solved together with another one."""
    monkeypatch.setattr(tiers, "SMALL_TIER_POSITIONS", 0)


@pytest.fixture
def generated(monkeypatch):
    """The numbers of positions whose predecessors were generated."""
    kept, calls = Unmoves.rows, []

    def rows(self, numbers, first):
        calls.append(numbers.size)
        return kept(self, numbers, first)

    monkeypatch.setattr(Unmoves, "rows", rows)
    return calls


def game_of(members, seed=0, n=60, **given):
    rng = np.random.default_rng(seed)
    several = (2 if "back" in members else 4) if "tiers" in members else 1
    made = random_game(rng, n, several, twins=4, **given)
    made["ends"][0] = made["ends"][1] = OPEN
    return arrays(*members, **made)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "members",
    [
        ("tiers",),
        ("tiers", "ends", "twins"),
        ("tiers", "ends", "players"),
        ("tiers", "index", "ends"),
        ("tiers", "index", "ends", "back"),
        ("tiers", "index", "twins", "players", "back"),
        ("index", "ends", "twins", "back"),
        ("index", "ends", "players", "back"),
    ],
    ids=" ".join,
)
def test_the_same_bytes(members, whole, generated, tmp_path):
    several = set()
    for seed in range(3):
        rules = game_of(members, seed, degree=3.0)
        type(rules).reachable = not whole
        wanted = built(rules, tmp_path / "memory.zt")
        for partitions in (1, 2, 3, 7):
            found, job = written(rules, tmp_path, partitions=partitions)
            assert found == wanted, (seed, partitions)
            several.add(job.statistics["tiers"] > 1)
    assert (True in several) == ("tiers" in members)
    assert bool(generated) == {"index", "back"}.issubset(members)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "backwards"),
    [
        ("hexapawn:3x3", False),  # no index, symmetry, tiers
        ("fox-and-hounds:4x4", True),  # an index, tiers, un-moves
        ("mu-torere", True),  # an index, symmetry, un-moves
        ("cat-and-mouse", True),  # an index, draws, un-moves
        ("mnk:3x2x2", True),  # tiers, ties, symmetry, no move within a tier
        ("mnk:2x2x2,misere", True),
    ],
)
def test_games_of_the_package(game, backwards, generated, tmp_path):
    wanted = built(game, tmp_path / "memory.zt")
    for partitions in (1, 2, 3, 7):
        assert built(game, tmp_path / "t.zt", engine="disk", partitions=partitions) == wanted
    assert bool(generated) == backwards


@pytest.mark.slow
def test_the_smallest_budget(generated, monkeypatch, tmp_path):
    """Windows of the results of lower tiers, messages in files, and snapshots in each tier."""
    monkeypatch.setattr(below, "MIN_WINDOW_POSITIONS", 16)
    passes, turn = [], below.Lookup.turn

    def turned(self):
        passes.append(turn(self))
        return passes[-1]

    monkeypatch.setattr(below.Lookup, "turn", turned)
    for members in (("tiers", "ends", "players"), ("tiers", "index", "ends", "back")):
        rules = game_of(members, n=200, degree=3.0)
        type(rules).reachable = "index" not in members
        wanted = built(rules, tmp_path / "memory.zt")
        found, job = written(rules, tmp_path, memory=TINY, snapshot_layers=1)
        assert found == wanted
        assert job.statistics["spilled"] > 0
        assert job.statistics["snapshots"] > 4
        assert True in passes
        passes.clear()
    assert generated


def test_small_tiers_are_solved_together(monkeypatch, tmp_path):
    rules = game_of(("tiers", "ends"), n=100, degree=3.0)
    wanted = built(rules, tmp_path / "memory.zt")
    _, alone = written(rules, tmp_path)
    most = max(group.count for group in alone.tiers.groups)
    monkeypatch.setattr(
        tiers, "SMALL_TIER_POSITIONS", most + min(g.count for g in alone.tiers.groups)
    )
    found, together = written(rules, tmp_path)
    assert found == wanted
    assert 1 < together.statistics["tiers"] < alone.statistics["tiers"]


@pytest.mark.slow
def test_moves_within_a_tier_are_the_only_ones_on_disk(monkeypatch, tmp_path):
    """A game in which every move leads to a lower tier stores none."""
    sizes, prepare = [], run.prepare

    def prepared(*given):
        record = prepare(*given)
        sizes.append(sum(part["indices"][1] for part in record["parts"]))
        return record

    monkeypatch.setattr(run, "prepare", prepared)
    monkeypatch.setattr(tiers.Tiers, "_goes_back", lambda self, group: False)
    wanted = built("mnk:2x3x2", tmp_path / "memory.zt")
    assert built("mnk:2x3x2", tmp_path / "t.zt", engine="disk", partitions=2) == wanted
    assert len(sizes) > 5
    assert sum(sizes) == 0


@pytest.mark.slow(
    "1-index ends back",
    "1-tiers ends",
    "1-tiers index ends",
    "None-index ends back",
    "None-tiers index ends",
)
@pytest.mark.parametrize(
    "members",
    [("tiers", "ends"), ("tiers", "index", "ends"), ("index", "ends", "back"), ("ends",)],
    ids=" ".join,
)
@pytest.mark.parametrize("snapshots", [None, 1])
def test_files_take_what_was_expected(members, snapshots, monkeypatch, tmp_path):
    """The estimate is a bound of the directory of a job, and not twice as large."""
    rules = game_of(members, n=1500)
    type(rules).reachable = "index" not in members
    expected, estimate, largest = [], build.table_bytes, [0]

    def estimated(*given, **options):
        given = (*given[:2], 3)  # the estimate takes as few partitions as the budget asks for
        expected.append(estimate(*given, **options, snapshots=snapshots is not None))
        return expected[-1]

    def look(job):
        largest[0] = max(largest[0], sum(x.stat().st_size for x in job.directory.iterdir()))

    def looking(place, name):
        kept = getattr(place, name)

        def looked(job, *given, **options):
            found = kept(job, *given, **options)
            look(getattr(job, "job", job))
            return found

        monkeypatch.setattr(place, name, looked)

    monkeypatch.setattr(build, "table_bytes", estimated)
    for place, name in ((Job, "write"), (DiskExecutor, "end_layer"), (tiers, "append")):
        looking(place, name)
    for place in (below, prepare, build):
        looking(place, "append")
    written(rules, tmp_path, snapshot_layers=snapshots)
    names = 20_000  # the manifest, the journal and the like
    assert largest[0] <= max(expected) + names
    assert max(expected) <= 2 * largest[0]


@pytest.mark.parametrize("fault", ["lost", "changed"])
def test_lost_messages_are_generated_again(fault, generated, monkeypatch, tmp_path):
    rules = game_of(("index", "ends", "back"), n=120, degree=3.0)
    type(rules).reachable = False
    end_layer, hurt = DiskExecutor.end_layer, []

    def ended(self, moment):
        end_layer(self, moment)
        for path in self.job.directory.glob("messages-*"):
            hurt.append(path.name)
            path.unlink() if fault == "lost" else path.write_bytes(bytes(path.stat().st_size))

    monkeypatch.setattr(DiskExecutor, "end_layer", ended)
    found, job = written(rules, tmp_path, memory=TINY)
    assert found == built(rules, tmp_path / "memory.zt")
    assert job.statistics["recovered"] >= len(hurt) > 3
    assert generated


# -------------------------------------------------------------------- interruptions


class Stop(BaseException):
    """What ends a run; the files are as a killed process leaves them."""


def stop_at(monkeypatch, place, name, times):
    """Let a function stop the run when it is called for this time."""
    kept, count = getattr(place, name), [0]

    def stopping(*given, **options):
        count[0] += 1
        if count[0] == times:
            raise Stop
        return kept(*given, **options)

    monkeypatch.setattr(place, name, stopping)


def example():
    rules = game_of(("tiers", "index", "ends", "back"), seed=2, n=80, degree=3.0)
    type(rules).reachable = False
    return rules


MOMENTS = [
    (tiers.Tiers, "_restricted", 1),
    (tiers.Tiers, "_save", 2),  # the results of the first tier are written
    (tiers, "clear_stage", 1),  # and named, but its files are there
    (run, "prepare", 2),
    (below.Gathering, "close", 2),
    (DiskExecutor, "end_layer", 3),
    (DiskExecutor, "end_layer", 9),
    (DiskExecutor, "snapshot", 7),
    (DiskExecutor, "result", 2),
    (DiskExecutor, "result", 5),
    (tiers.Tiers, "entries", 1),
]


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize(
    ("place", "name", "times"), MOMENTS, ids=lambda x: getattr(x, "__name__", x)
)
def test_it_goes_on(place, name, times, monkeypatch, tmp_path):
    rules, options = example(), {"memory": TINY, "snapshot_layers": 1}
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    folder = tmp_path / "files"
    folder.mkdir()
    with monkeypatch.context() as patch:
        stop_at(patch, place, name, times)
        with pytest.raises(Stop):
            written(rules, folder, **options)
    assert list(folder.iterdir())
    found, _ = written(rules, folder, **options)
    assert found == built(rules, tmp_path / "memory.zt")
    assert [x.name for x in folder.iterdir()] == ["written.zt"]


def test_solved_tiers_are_not_solved_again(monkeypatch, tmp_path):
    rules = example()
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    with monkeypatch.context() as patch:
        stop_at(patch, tiers, "clear_stage", 1)
        with pytest.raises(Stop):
            written(rules, tmp_path)
    found, job = written(rules, tmp_path)
    assert len(job.tiers.groups) == 2
    assert job.statistics["tiers"] == 1
    assert found == built(rules, tmp_path / "memory.zt")


@pytest.mark.parametrize("suffix", ["number", "counts", "layers", "bounds"])
def test_damaged_messages_of_lower_tiers_are_noticed(suffix, monkeypatch, tmp_path):
    rules = game_of(("tiers", "ends"), n=60, degree=3.0)
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    with monkeypatch.context() as patch:
        stop_at(patch, tiers, "pack", 4)
        with pytest.raises(Stop):
            written(rules, tmp_path, partitions=1)
    (path,) = tmp_path.glob(f"*/below-0.{suffix}")
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(JobError, match="remove the directory to begin again"):
        written(rules, tmp_path, partitions=1)
    path.write_bytes(content)
    found, _ = written(rules, tmp_path, partitions=1)
    assert found == built(rules, tmp_path / "memory.zt")


def test_damaged_results_are_noticed(monkeypatch, tmp_path):
    rules = game_of(("tiers", "ends"), n=60, degree=3.0)
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    with monkeypatch.context() as patch:
        stop_at(patch, run, "prepare", 3)
        with pytest.raises(Stop):
            written(rules, tmp_path)
    (folder,) = (x for x in tmp_path.iterdir() if x.is_dir())
    files = sorted(path for path in folder.glob("tier*") if path.stat().st_size)
    assert {path.suffix for path in files} == {".json", ".keys", ".entries"}
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(JobError, match="remove the directory to begin again"):
            written(rules, tmp_path)
        path.write_bytes(content)
    found, _ = written(rules, tmp_path)
    assert found == built(rules, tmp_path / "memory.zt")


def full_disk(*_):
    raise OSError(28, "No space left on device")


def test_a_disk_that_becomes_full(monkeypatch, tmp_path):
    rules = game_of(("tiers", "ends"), n=60, degree=3.0)
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    with monkeypatch.context() as patch:
        patch.setattr("os.posix_fallocate", full_disk)
        with pytest.raises(DiskError, match="no space left on device"):
            written(rules, tmp_path)
    found, _ = written(rules, tmp_path)
    assert found == built(rules, tmp_path / "memory.zt")
    assert sorted(x.name for x in tmp_path.iterdir()) == ["memory.zt", "written.zt"]


def test_what_an_earlier_process_has_done_is_kept(monkeypatch, tmp_path):
    """A process that goes on and fails at once does not remove the tiers that are solved."""
    rules = game_of(("tiers", "ends"), n=60, degree=3.0)
    with monkeypatch.context() as patch:
        patch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
        stop_at(patch, run, "prepare", 3)
        with pytest.raises(Stop):
            written(rules, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.posix_fallocate", full_disk)
        with pytest.raises(DiskError, match="no space left on device"):
            written(rules, tmp_path)
    found, job = written(rules, tmp_path)
    assert job.statistics["tiers"] == len(job.tiers.groups) - 2
    assert found == built(rules, tmp_path / "memory.zt")
