"""Tables that are built by partitions, from files: the bytes of those that are built in memory."""

import os
import resource
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from tests.tables.games import arrays, random_game
from tests.tables.test_guards import UNSTEADY

import zermelo as zm
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.tiers import build as disk_build
from zermelo.engines.tiers.build import table_on_disk
from zermelo.errors import (
    DiskError,
    EngineWarning,
    InvalidRulesError,
    JobError,
    MemoryLimitError,
    SolverError,
    ZermeloError,
)
from zermelo.rules.compiled import NO_POSITION, OPEN, CompiledRules
from zermelo.rules.faults import own
from zermelo.tables.building import build as module
from zermelo.tables.solving.solve import asked_objective
from zermelo.tables.storage.layout import VERIFIED
from zermelo.tables.storage.save import header_of, write_content

MEMBERS = ("ends", "back", "tiers", "players", "twins", "index")

TINY = Budget(1)
"""Shelves of 16 positions, one of them in memory, and no message stays there."""


def built(rules, path, objective=None, **options):
    """The bytes of a table, or the error that refuses its rules."""
    try:
        zm.build(rules, path, objective, check=False, verify=False, **options).close()
    except InvalidRulesError as error:
        return str(error)
    return path.read_bytes()


def finish(job, path, header):
    """Solve the game of a job, and write its table as ``zm.build(…, verify=False)`` does."""
    not_verified = {VERIFIED: False} if own(job.source.rules) else {}
    write_content(path, header | not_verified, job.content(), None)


def written(rules, folder, *, partitions=3, symmetry=True, **options):
    """The bytes of a table, and what building it took."""
    header = header_of(rules, asked_objective(rules, None), symmetry)
    path = folder / "written.zt"
    with table_on_disk(
        rules, None, symmetry, header, path, None, partitions=partitions, **options
    ) as job:
        finish(job, path, header)
    return path.read_bytes(), job


# -------------------------------------------------------------------- the same bytes


@pytest.mark.slow("chopsticks", "domineering:2x3", "hexapawn:3x3", "mu-torere")
@pytest.mark.parametrize(
    "game",
    [
        "hexapawn:3x3",  # no index, symmetry, tiers, un-moves
        "mu-torere",  # an index, symmetry, un-moves
        "cat-and-mouse",  # an index, draws
        "chopsticks",  # an index, no symmetry, no un-moves
        "domineering:2x3",  # players with moves of their own
    ],
)
def test_games_of_the_package(game, tmp_path):
    wanted = built(game, tmp_path / "memory.zt")
    for partitions in (1, 2, 3, 7):
        path = tmp_path / f"{partitions}.zt"
        assert built(game, path, engine="disk", partitions=partitions) == wanted
        assert sorted(x.name for x in tmp_path.iterdir()) == sorted([path.name, "memory.zt"])
        path.unlink()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("symmetry", [True, False])
def test_ties_tiers_and_symmetry(symmetry, tmp_path):
    given = {"symmetry": symmetry}
    wanted = built("tictactoe", tmp_path / "memory.zt", **given)
    assert built("tictactoe", tmp_path / "t.zt", engine="disk", partitions=7, **given) == wanted


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize("seed", range(24))
def test_random_rules(seed, tmp_path):
    rng = np.random.default_rng(seed)
    members = [name for name in MEMBERS if rng.random() < 0.5]
    tiers = int(rng.integers(1, 4)) if "tiers" in members else 1
    twins = 2 if "twins" in members else 0
    rules = arrays(*members, **random_game(rng, int(rng.integers(4, 25)), tiers, twins))
    type(rules).reachable = bool(rng.random() < 0.5)
    objective = zm.Misere() if rng.random() < 0.3 else None
    if "players" in members and "ends" not in members:
        objective = (zm.Asymmetric(), zm.G0(), zm.Misere(), None)[seed % 4]
    given = {"objective": objective, "symmetry": bool(rng.random() < 0.7)}
    wanted = built(rules, tmp_path / "memory.zt", **given)
    for partitions in (1, 2, 3, 7):
        found = built(rules, tmp_path / "t.zt", **given, engine="disk", partitions=partitions)
        assert found == wanted, (members, partitions)


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize("seed", range(12))
def test_labels_alone(seed, tmp_path):
    rng = np.random.default_rng(100 + seed)
    members = [name for name in MEMBERS if rng.random() < 0.5]
    tiers = int(rng.integers(1, 4)) if "tiers" in members else 1
    twins = 2 if "twins" in members else 0
    rules = arrays(*members, **random_game(rng, int(rng.integers(4, 25)), tiers, twins))
    type(rules).reachable = bool(rng.random() < 0.5)
    objective = None
    if "players" in members and "ends" not in members:
        objective = (zm.Asymmetric(), zm.G0(), zm.Misere(), None)[seed % 4]
    given = {"objective": objective, "distances": False}
    wanted = built(rules, tmp_path / "memory.zt", **given)
    for partitions in (1, 3, 7):
        found = built(rules, tmp_path / "t.zt", **given, engine="disk", partitions=partitions)
        assert found == wanted, (members, partitions)


def test_a_job_of_labels_alone_is_another_job(tmp_path, monkeypatch):
    """A table with distances does not continue it; the same call does."""
    rules = arrays("ends", **random_game(np.random.default_rng(3), 20))
    wanted = built(rules, tmp_path / "memory.zt", distances=False)
    given = {"engine": "disk", "partitions": 2, "check": False, "verify": False}

    class Stopped(BaseException):
        pass

    def stop(*args):
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(disk_build.TableJob, "_write_entries", stop)
        with pytest.raises(Stopped):
            zm.build(rules, tmp_path / "t.zt", distances=False, **given)
    before = {x.name for x in tmp_path.iterdir()}
    with zm.build(rules, tmp_path / "other.zt", **given) as table:
        assert table.has_distances
    assert {x.name for x in tmp_path.iterdir()} == before | {"other.zt"}
    zm.build(rules, tmp_path / "t.zt", distances=False, **given).close()
    assert (tmp_path / "t.zt").read_bytes() == wanted
    assert {x.name for x in tmp_path.iterdir()} == {"memory.zt", "other.zt", "t.zt"}


@pytest.mark.slow
@pytest.mark.parametrize("members", [(), ("twins", "players"), ("index", "ends"), ("index",)])
def test_the_smallest_budget(members, tmp_path):
    """Shelves leave memory and are split, inboxes are in files, and there are snapshots."""
    rng = np.random.default_rng(len(members))
    given = random_game(rng, 150, twins=5, degree=3.0)
    given["ends"][0] = given["ends"][1] = OPEN
    rules = arrays(*members, **given)
    wanted = built(rules, tmp_path / "memory.zt")
    found, job = written(rules, tmp_path, memory=TINY, snapshot_layers=2)
    assert found == wanted
    assert job.statistics["spilled"] > 0
    assert job.source.exploration.snapshots > 2
    assert job.source.exploration.visits > 2 * job.source.exploration.snapshots - 2
    assert len([*tmp_path.iterdir()]) == 2


class Sparse(CompiledRules):
    """A path of 40 positions in an index of a thousand."""

    size, most_moves = 1000, 1

    def start(self):
        return 39

    def moves(self, position, out):
        out[0] = position - 1
        return min(position, 1)

    def rank(self, position):
        return 25 * position

    def unrank(self, index):
        return index // 25 if index % 25 == 0 else NO_POSITION


def test_an_index_with_few_positions(tmp_path):
    wanted = built(Sparse(), tmp_path / "memory.zt")
    for partitions in (1, 7):
        found = built(Sparse(), tmp_path / "t.zt", engine="disk", partitions=partitions)
        assert found == wanted


# -------------------------------------------------------------------- interruptions

KILLED = """
    import os, signal, sys
    import numpy as np
    sys.path.insert(0, sys.argv[3])
    from tests.engines import test_tables as here
    from zermelo.engines.jobs import job
    from zermelo.engines.moves import prepare
    from zermelo.engines.partitions import disk
    from zermelo.engines.tiers import build, exploring, tiers
    from zermelo.tables.storage import write

    place, name = {place}, "{name}"
    kept, count = getattr(place, name), [0]
    def killed(*given, **options):
        count[0] += 1
        if count[0] == {times}:
            os.kill(os.getpid(), signal.SIGKILL)
        return kept(*given, **options)
    setattr(place, name, killed)
    here.example(sys.argv[1], sys.argv[2])
"""

MOMENTS = [
    ("exploring.Exploration", "_visit", 3),
    ("exploring.Exploration", "_snapshot", 3),
    ("job.Job", "save", 3),
    ("prepare", "_sort", 2),
    ("disk.DiskExecutor", "snapshot", 2),
    ("disk.DiskExecutor", "end_layer", 4),
    ("build", "append", 1),
    ("write", "encode", 1),
]


def example_rules(members):
    rng = np.random.default_rng(7)
    given = random_game(rng, 80, 2 if "tiers" in members else 1, degree=3.0)
    given["ends"][0] = OPEN
    rules = arrays(*members, **given)
    type(rules).reachable = "tiers" not in members
    return rules


def example(members, folder):
    """Build a table with many snapshots; the end of this process may come at any time."""
    from pathlib import Path

    return written(example_rules(members.split()), Path(folder), memory=TINY, snapshot_layers=1)


OF_TIERS = [("tiers.Tiers", "_save", 2), ("tiers", "clear_stage", 1), ("prepare", "_ends", 5)]
"""The end of the first tier, when its results are written and when they are known, and a later one;
the rules have un-moves, so no moves are stored."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("members", "place", "name", "times"),
    [
        *(("ends", *moment) for moment in MOMENTS),
        *(("ends index", *moment) for moment in MOMENTS),
        *(("ends index tiers back", *moment) for moment in OF_TIERS),
    ],
    ids=str,
)
def test_it_goes_on_after_kill(members, place, name, times, tmp_path, request):
    folder = tmp_path / "files"
    folder.mkdir()
    code = textwrap.dedent(KILLED).format(place=place, name=name, times=times)
    root = str(request.config.rootpath)
    done = subprocess.run([sys.executable, "-c", code, members, folder, root], check=False)
    assert done.returncode == -9
    assert list(folder.iterdir())
    found, _ = example(members, folder)
    assert found == built(example_rules(members.split()), tmp_path / "memory.zt")
    assert [x.name for x in folder.iterdir()] == ["written.zt"]


@pytest.mark.slow
def test_exploring_goes_on_from_its_snapshot(tmp_path, monkeypatch):
    from zermelo.engines.tiers.exploring import Exploration

    class Stop(BaseException):
        """What ends a run; the files are as a killed process leaves them."""

    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    visit, count = Exploration._visit, [0]

    def visited(self, interval):
        count[0] += 1
        if count[0] == 6:
            raise Stop
        visit(self, interval)

    with monkeypatch.context() as patch:
        patch.setattr(Exploration, "_visit", visited)
        with pytest.raises(Stop):
            example("players", tmp_path)
    found, job = example("players", tmp_path)
    assert job.source.exploration.resumed
    assert found == built(example_rules(["players"]), tmp_path / "memory.zt")


def test_another_process_is_refused(tmp_path):
    rules = example_rules(["ends"])
    header = header_of(rules, None, True)
    with (
        table_on_disk(rules, None, True, header, tmp_path / "t.zt", None),
        pytest.raises(JobError, match="another process is running this job"),
    ):
        built(rules, tmp_path / "t.zt", engine="disk")


# -------------------------------------------------------------------- refusals


class Climbing(Sparse):
    def tier(self, position):
        return 3 if position == 5 else 0


class NotThere(Sparse):
    def unrank(self, index):
        return NO_POSITION if index == 375 else index // 25


@pytest.mark.parametrize("kind", [Climbing, NotThere])
def test_wrong_rules_are_refused_with_the_same_words(kind, tmp_path):
    wanted = built(kind(), tmp_path / "memory.zt")
    assert isinstance(wanted, str)
    assert built(kind(), tmp_path / "t.zt", engine="disk", partitions=2) == wanted
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.compiled
def test_moves_that_are_others_each_time_are_refused(tmp_path):
    (tmp_path / "unsteady.py").write_text(UNSTEADY)
    command = [sys.executable, "-m", "zermelo", "build", "--no-check", "unsteady.py"]
    options = ["-o", "t.zt", "--engine", "disk", "--partitions", "3"]
    switches = os.environ | {"ZERMELO_KERNELS": "compile"}
    done = subprocess.run(
        [*command, *options], cwd=tmp_path, env=switches, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "must always give the same for the same position" in done.stderr
    assert [x.name for x in tmp_path.iterdir() if x.name != "__pycache__"] == ["unsteady.py"]


def test_plain_rules_stay_in_memory(tmp_path):
    with pytest.raises(SolverError, match="plain rules are solved in memory"):
        zm.build("nim:1,2", tmp_path / "t.zt", engine="disk")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "floppy"}, "no engine is called 'floppy'"),
        ({"partitions": 3}, "partitions: the engine 'memory' does not take this option"),
        ({"engine": "disk", "partitions": 0}, "partitions: expected a number 1"),
        ({"engine": "disk", "workdir": "nowhere"}, "workdir: expected a directory"),
        ({"memory": "lots"}, "memory: expected a size such as 8G"),
        ({"memory": -1}, "memory: expected a size such as '2GB'"),
    ],
)
def test_options_are_checked(options, message, tmp_path):
    with pytest.raises(ZermeloError, match=message):
        zm.build("mu-torere", tmp_path / "t.zt", **options)
    assert list(tmp_path.iterdir()) == []


def test_the_disk_takes_over_where_memory_does_not_suffice(tmp_path, monkeypatch):
    rules = example_rules(["ends", "index"])
    wanted = built(rules, tmp_path / "memory.zt")
    with pytest.raises(MemoryLimitError):
        zm.build(rules, tmp_path / "t.zt", memory=100)
    monkeypatch.setattr(module, "MIN_DISK_MEMORY", 0)
    with pytest.warns(EngineWarning, match="allowed, so the table is built from disk"):
        assert built(rules, tmp_path / "t.zt", memory=100) == wanted


def test_the_disk_must_have_room(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(disk_build.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(DiskError, match=r"moves need about .* of disk, 1000 bytes are free"):
        built(example_rules(["ends"]), tmp_path / "t.zt", engine="disk")
    assert list(tmp_path.iterdir()) == []


FULL = """
    import sys
    sys.path.insert(0, sys.argv[1])
    from tests.engines.test_tables import full_disk
    full_disk(sys.argv[2])
"""


def full_disk(folder):
    """Build with files that may have 600 bytes and not more, as on a disk that is full."""
    from pathlib import Path

    rules = example_rules(["ends"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, resource.RLIM_INFINITY))
    try:
        built(rules, Path(folder) / "t.zt", engine="disk", partitions=2)
    except DiskError as error:
        print(error)


@pytest.mark.slow
def test_a_full_disk(tmp_path, request):
    arguments = [sys.executable, "-B", "-c", textwrap.dedent(FULL), str(request.config.rootpath)]
    done = subprocess.run([*arguments, tmp_path], capture_output=True, text=True, check=True)
    assert "could not be written: file too large" in done.stdout
    assert "make room or choose another place" in done.stdout
    assert list(tmp_path.iterdir()) == []


PEAK = """
    import sys
    import zermelo as zm
    zm.build("chinese-checkers", sys.argv[1], engine="disk", memory="160MB", check=False).close()
    print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_the_budget_is_that_of_the_process(tmp_path):
    for k in range(2):  # the first process may have to compile
        path = tmp_path / f"{k}.zt"
        arguments = [sys.executable, "-c", textwrap.dedent(PEAK), path]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert int(done.stdout) // 1024 < 160
    assert path.read_bytes() == (tmp_path / "0.zt").read_bytes()
