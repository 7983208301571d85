"""Jobs at URLs: on the filesystem of fsspec for this machine, and on a store of objects."""

import json
import os
import subprocess
import sys
import textwrap

import fsspec
import numpy as np
import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo._runtime import urls
from zermelo._runtime.folders import new_folder
from zermelo.cli.main import cli
from zermelo.engines.cluster import messages, worker
from zermelo.engines.jobs import lease
from zermelo.engines.jobs.job import JOURNAL, Job
from zermelo.engines.jobs.remote import RemoteDirectory, open_location
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.tiers.exploring import Exploration
from zermelo.errors import (
    InvalidOptionError,
    JobError,
    MissingDependencyError,
    StoreError,
)

from . import object_store
from .test_identity import assert_same, objectives, random_graph
from .test_orders import Stop, lose_partitions, solve
from .test_tables import TINY, example_rules

KINDS = ("file", "objects")


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """No pauses, and a directory for the temporary files of each test."""
    monkeypatch.setattr(urls, "FIRST_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(lease, "SETTLE_SECONDS", 0.0)
    monkeypatch.setattr(lease, "LOOK_SECONDS", 0.01)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setenv("OBJECTS", object_store.start(tmp_path / "objects"))
    fsspec.register_implementation("objects", object_store.ObjectStore, clobber=True)


@pytest.fixture(params=KINDS)
def place(request, tmp_path):
    """A URL for jobs, and a function that lists the files there."""
    if request.param == "objects":
        return "objects://bucket/jobs", object_store.names
    (tmp_path / "files").mkdir()
    return (tmp_path / "files").as_uri(), lambda: sorted(os.listdir(tmp_path / "files"))


def fail(tmp_path, *requests):
    for request in requests:
        (tmp_path / "objects" / "faults" / request).touch()


def scratch(tmp_path):
    return os.listdir(tmp_path / "scratch")


@pytest.mark.slow
def test_the_same_bytes_as_in_memory(place, monkeypatch, tmp_path):
    url, listed = place
    rng = np.random.default_rng(5)
    rebuilt = 0
    for k, partitions in enumerate((1, 2, 3, 7)):
        monkeypatch.setattr(messages, "MAX_INLINE_BYTES", [0, 100][k % 2])
        graph = random_graph(rng, int(rng.integers(1, 40)), owned=bool(k % 2))
        for objective in objectives(rng, graph):
            mischief = lose_partitions(rng, 0.1)
            ours = solve(graph, objective, url, mischief, partitions, [None, 2][k // 2])
            assert_same(ours, zm.solve(graph, objective, solver="retrograde"))
            assert ours.stats["copied_bytes"] > 0
            rebuilt += ours.stats["rebuilt"]
    assert rebuilt > 0
    assert listed() == []
    assert scratch(tmp_path) == []
    assert worker._RUNS == {}


def game():
    rng = np.random.default_rng(3)
    graph = zm.Graph.from_arrays(rng.integers(0, 60, 84), rng.integers(0, 60, 84), 60)
    objective = zm.TerminalPayoff(rng.integers(-2, 3, 60), infinite=1)
    return graph, objective, zm.solve(graph, objective, solver="retrograde")


@pytest.mark.slow
def test_a_driver_goes_on_from_any_order(place, monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0)
    url, listed = place
    graph, objective, wanted = game()
    resumed, ended = 0, False
    for number in range(3, 80, 15):

        def end(bench, order, number=number):
            if bench.orders == number:
                raise Stop

        with pytest.raises(Stop):
            solve(graph, objective, url, end, snapshot_layers=2)
        ended = ended or listed() != []
        assert scratch(tmp_path) == []
        ours = solve(graph, objective, url, snapshot_layers=2)
        assert_same(ours, wanted)
        resumed += ours.stats["resumed"]
        assert listed() == []
    assert ended
    assert resumed > 3


@pytest.mark.slow("unlink")
@pytest.mark.parametrize("action", [os.unlink, object_store.damage, lambda f: os.truncate(f, 9)])
def test_messages_that_are_lost_or_damaged_are_sent_again(action, monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0)
    graph, objective, wanted = game()
    changed = []

    def mischief(bench, order):
        if bench.orders % 7 == 0:
            changed.append(object_store.change("/messages-", action))

    ours = solve(graph, objective, "objects://bucket", mischief)
    assert_same(ours, wanted)
    assert sum(changed) > 0
    assert ours.stats["recovered"] > 0
    assert object_store.names() == []


@pytest.mark.parametrize(
    ("part", "action", "reason"),
    [
        ("/state-0-", object_store.damage, r"the file state-0-\S+ of this job is damaged"),
        ("/state-", os.unlink, r"the file state-\S+ of this job is missing"),
        ("/moves-1", object_store.damage, r"the file moves-1\.ind\w+ of this job is damaged"),
        ("/moves-1", os.unlink, r"the file moves-1\.ind\w+ of this job is missing"),
        ("/manifest", object_store.damage, r"the file manifest\.json of this job is damaged"),
    ],
)
def test_damaged_and_lost_objects(part, action, reason, tmp_path):
    graph, objective, _ = game()

    def end(bench, order):
        if bench.orders == 25:
            raise Stop

    with pytest.raises(Stop):
        solve(graph, objective, "objects://bucket", end, snapshot_layers=2)
    assert object_store.change(part, action) > 0
    with pytest.raises(JobError, match=rf"objects://bucket/zermelo-\S+: {reason}; remove the dir"):
        solve(graph, objective, "objects://bucket", snapshot_layers=2)


@pytest.mark.slow("objects")
def test_exploring_goes_on_from_a_snapshot(place, monkeypatch):
    url, listed = place
    visit, visits = Exploration._visit, []

    def explore():
        source = RulesSource(example_rules(["ends"]), None, False, {"rules": "an example"})
        at = open_location(url, "job")
        with Job(at.directory, {}, at) as job:
            source.explore(job, lambda found: Exploration(found, job, TINY, None, 1))
            return source.exploration.resumed, source.keys.array[:].tolist()

    def visited(self, interval):
        visits.append(interval)
        if len(visits) == 6:
            raise Stop
        visit(self, interval)

    resumed, wanted = explore()
    assert not resumed
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    monkeypatch.setattr(Exploration, "_visit", visited)
    with pytest.raises(Stop):
        explore()
    monkeypatch.setattr(Exploration, "_visit", visit)
    assert listed() != []
    assert explore() == (True, wanted)
    assert listed() == []


# -------------------------------------------------------------------- records and the store


def test_a_record_that_is_half_written(place, tmp_path):
    url, listed = place
    at = open_location(url, "job")
    with Job(at.directory, {}, at) as job:
        assert job.load(JOURNAL) is None
        for serial in range(1, 4):
            job.save(JOURNAL, {"serial": serial})
            assert job.load(JOURNAL)["serial"] == serial
        at.remote.write(JOURNAL, b"0000")  # the third one was written here
        assert job.load(JOURNAL)["serial"] == 2
        job.save(JOURNAL, {"serial": 4})
        assert job.load(JOURNAL)["serial"] == 4
        assert Job(at.directory, {}, at).load(JOURNAL)["serial"] == 4
        at.remote.write(JOURNAL, b"")
        at.remote.write(f"{JOURNAL}.other", b"")
        with pytest.raises(JobError, match=r"the file journal\.json of this job is damaged"):
            job.load(JOURNAL)
    assert listed() == []


@pytest.mark.slow
def test_a_store_that_fails_sometimes(monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "MAX_INLINE_BYTES", 0)
    graph, objective, wanted = game()

    def mischief(bench, order):
        if bench.orders % 5 == 0:
            fail(tmp_path, "put-1", "put-2", "get-1", "get-2", "get-3")

    assert_same(solve(graph, objective, "objects://bucket", mischief, snapshot_layers=2), wanted)
    fail(tmp_path, "put-1")
    assert_same(solve(graph, objective, "objects://bucket"), wanted)
    assert object_store.names() == []


def test_a_store_that_fails_for_good(tmp_path):
    graph, objective, wanted = game()

    def mischief(bench, order):
        if bench.orders == 25:
            fail(tmp_path, "put")

    message = r"objects://bucket/zermelo-\S+: the filesystem refused this, 4 times: 503 the put was"
    with pytest.raises(StoreError, match=message):
        solve(graph, objective, "objects://bucket", mischief, snapshot_layers=2)
    assert scratch(tmp_path) == []
    (tmp_path / "objects" / "faults" / "put").unlink()
    ours = solve(graph, objective, "objects://bucket")
    assert_same(ours, wanted)
    assert ours.stats["resumed"]


def test_what_cannot_be_removed_is_a_warning(monkeypatch, tmp_path):
    graph, objective, wanted = game()
    monkeypatch.setattr(object_store.ObjectStore, "rm_file", object_store.ObjectStore._refuse)
    with pytest.warns(zm.errors.EngineWarning, match="files of the job were not removed: objects"):
        assert_same(solve(graph, objective, "objects://bucket"), wanted)


def test_urls_that_cannot_be_used(monkeypatch, tmp_path):
    graph = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidOptionError, match=r"'disk' maps its files.*'dask' takes a URL"):
        zm.solve(graph, engine="disk", workdir="s3://bucket/jobs")
    with pytest.raises(InvalidOptionError, match=r"maps its files"):
        zm.build("mu-torere", tmp_path / "t.zt", engine="disk", workdir="s3://bucket/jobs")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingDependencyError, match=r"the package s3fs .* pip install s3fs$"):
        urls.Remote("s3://bucket/jobs")
    with pytest.raises(InvalidOptionError, match=r"^unheard://of: expected a path, or a URL of a"):
        urls.Remote("unheard://of")
    with pytest.raises(InvalidOptionError, match=r"workdir: expected the URL of a directory or b"):
        solve(graph, zm.NormalPlay(), f"{tmp_path.as_uri()}/nowhere")
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingDependencyError, match=r"fsspec.*zermelo\[cluster\]"):
        urls.Remote("file:///data")


# -------------------------------------------------------------------- the lease


def elsewhere(monkeypatch, tmp_path, url, name="first"):
    """A place as on another machine: with other temporary files, and unknown processes."""
    monkeypatch.setattr(lease, "process_lives", lambda description: None)
    return RemoteDirectory(url, "job", tmp_path / "scratch" / name)


def test_a_second_driver_is_refused_at_once(place, monkeypatch, tmp_path):
    url, listed = place
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1e9)
    at = open_location(url, "job")
    refused = rf"{url}/job: another process is running this job"
    with Job(at.directory, {}, at):
        again = open_location(url, "job")
        with pytest.raises(JobError, match=refused), Job(again.directory, {}, again):
            pass
        other = RemoteDirectory(url, "job", tmp_path / "scratch" / "other")  # TMPDIR differs
        with pytest.raises(JobError, match=refused), Job(other.directory, {}, other):
            pass
    assert listed() == []
    assert scratch(tmp_path) == []


def test_a_lease_that_is_renewed_keeps_others_away(place, monkeypatch, tmp_path):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1e9)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.05)
    url, listed = place
    first = elsewhere(monkeypatch, tmp_path, url)
    second = elsewhere(monkeypatch, tmp_path, url, "second")
    with Job(first.directory, {}, first) as job:
        with pytest.raises(JobError, match="another process"), Job(second.directory, {}, second):
            pass
        job.save(JOURNAL, {"serial": 1})
        assert job.load(JOURNAL)["serial"] == 1
    assert listed() == []
    with Job(second.directory, {}, second) as job:
        assert job.load(JOURNAL) is None


def test_an_old_lease_is_taken_over(place, monkeypatch, tmp_path):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.1)
    url, listed = place
    first = elsewhere(monkeypatch, tmp_path, url)
    second = elsewhere(monkeypatch, tmp_path, url, "second")
    ticks = []
    with Job(first.directory, {}, first) as old:
        old.save(JOURNAL, {"serial": 1})
        first._lease._end.set()  # as if the process had been stopped
        with Job(second.directory, {}, second, lambda *event: ticks.append(event)) as new:
            assert "waiting: another process had this job" in ticks[0]
            assert new.load(JOURNAL)["serial"] == 1
            new.save(JOURNAL, {"serial": 2})
            assert not first.owned()
            old.clear()  # it may not remove what belongs to another one now
            with pytest.raises(JobError, match="another process has taken over this job"):
                old.save(JOURNAL, {"serial": 3})
            assert new.load(JOURNAL)["serial"] == 2
    assert listed() == []
    assert scratch(tmp_path) == []


def test_two_drivers_at_the_same_moment(monkeypatch, tmp_path):
    """The one that wrote last has the lease, and the other one sees that."""
    first, second = (lease.Lease(urls.Remote("objects://bucket/job")) for _ in range(2))
    monkeypatch.setattr(lease.time, "sleep", lambda seconds: second._write())
    assert not first.take()
    assert second.held()


KILLED = """
    import os, sys
    sys.path.insert(0, sys.argv[2])
    import fsspec, object_store
    from zermelo.engines.jobs.job import JOURNAL, Job
    from zermelo.engines.jobs.remote import open_location

    fsspec.register_implementation("objects", object_store.ObjectStore)
    place = open_location(sys.argv[1], "job")
    with Job(place.directory, {}, place) as job:
        job.path("work").write_bytes(b"scratch")
        job.save(JOURNAL, {"serial": 7})
        os.kill(os.getpid(), 9)
"""


def test_a_killed_driver_of_this_machine_is_replaced_at_once(place, monkeypatch, tmp_path):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1e9)
    url, listed = place
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), url, os.path.dirname(__file__)],
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch")}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == -9, done.stderr
    assert scratch(tmp_path) != []
    at = open_location(url, "job")
    with Job(at.directory, {}, at) as job:
        assert sorted(os.listdir(at.directory)) == ["lock"]
        assert job.load(JOURNAL)["serial"] == 7
    assert listed() == []
    assert scratch(tmp_path) == []


def test_a_damaged_lease_is_that_of_another_driver(monkeypatch, tmp_path):
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.05)
    remote = urls.Remote("objects://bucket/job")
    for content in (b"{", b"[]", json.dumps({"process": ["m", 1]}).encode()):
        remote.write(lease.LEASE, content)
        taken = lease.Lease(remote)
        assert not taken.held()
        assert taken.take()
        taken.release()
    assert object_store.names() == []


# -------------------------------------------------------------------- shards


def sharded(place, **options):
    url, _ = place
    graph, objective, wanted = game()
    shards = zm.Shards.write(zm.Game(graph, objective), f"{url}/game/", shards=3, **options)
    return shards, wanted


@pytest.mark.slow
def test_shards_at_urls(place, tmp_path):
    url, _ = place
    shards, wanted = sharded(place)
    assert shards.files[2] == f"{url}/game/part-00002.npz"
    assert zm.read(f"{url}/game").graph.digest == wanted.graph.digest
    solution = zm.solve_shards(shards, f"{url}/solved", partitions=2)  # its files are temporary
    for name in ("level", "label", "distance", "move"):
        assert solution.array(name).tobytes() == getattr(wanted, name).tobytes()
    zm.ShardedSolution(f"{url}/solved").verify(f"{url}/game")
    local = zm.solve_shards(f"{url}/game", tmp_path / "solved")
    assert local.manifest == solution.manifest
    plan = zm.plan(f"{url}/game", machine=zm.plan(wanted.graph).machine)
    assert plan.census.positions.value == wanted.graph.n
    with pytest.raises(FileExistsError, match=r"expected a new or an empty directory: '.*game"):
        zm.Shards.write(zm.Game(wanted.graph), f"{url}/game")
    assert scratch(tmp_path) == []


def test_shards_that_are_lost_or_damaged(tmp_path):
    place = "objects://bucket", object_store.names
    shards, _ = sharded(place)
    object_store.change("part-00001", object_store.damage)
    message = r"^objects://bucket/game/part-00001\.npz: the shard is not the one that the manifest"
    with pytest.raises(zm.errors.FormatError, match=message):
        zm.solve_shards(shards, "objects://bucket/solved")
    object_store.change("part-00001", os.unlink)
    with pytest.raises(FileNotFoundError, match=r"objects://bucket/game/part-00001\.npz"):
        zm.solve_shards(shards, "objects://bucket/solved")
    assert [name for name in object_store.names() if "solved" in name] == []
    object_store.change("manifest", os.unlink)
    with pytest.raises(FileNotFoundError, match=r"expected a game in shards.*objects://bucket/g"):
        zm.read("objects://bucket/game")
    fail(tmp_path, "get")
    with pytest.raises(StoreError, match=r"manifest\.json: the filesystem refused this"):
        zm.Shards("objects://bucket/game")


def test_an_output_that_fails_is_taken_back(tmp_path):
    def write():
        with new_folder("objects://bucket/new", "last") as folder:
            folder.write("first", b"1")
            assert object_store.names() == ["bucket/new/first"]
            raise Stop

    with pytest.raises(Stop):
        write()
    assert object_store.names() == []
    with pytest.raises(FileNotFoundError, match="there is no directory or bucket for it"):
        zm.Shards.write(zm.Game(zm.Graph.from_edges([(0, 1)])), f"{tmp_path.as_uri()}/a/b")


@pytest.mark.slow
def test_commands_with_urls(tmp_path):
    def run(*arguments, status=0):
        done = CliRunner().invoke(cli, arguments, prog_name="zermelo")
        assert done.exit_code == status, done.output
        return done

    graph = game()[0]
    zm.write(graph, tmp_path / "game.npz")
    given, solved = "objects://bucket/game", "objects://bucket/solved"
    run("convert", str(tmp_path / "game.npz"), given)
    counts = run("solve", given, "-o", solved, "--engine", "disk").stdout
    assert sum(int(line.split("\t")[1]) for line in counts.splitlines()) == graph.n
    assert f"{solved} holds: it solves {given}" in run("verify", given, solved).stdout
    wanted = run("solve", str(tmp_path / "game.npz")).stdout.partition("\n")[2]
    assert run("solve", given).stdout.partition("\n")[2] == wanted
    assert "60" in run("plan", given).stdout
    for arguments, message in [
        (("solve", "objects://bucket/no"), "expected a game in shards, with a manifest.json"),
        (("solve", "unheard://of"), "expected a path, or a URL of a filesystem that fsspec knows"),
        (("convert", given, given), "expected a new or an empty directory"),
        (("solve", given, "-o", "objects://bucket/2", "--workdir", given), "maps its files"),
        (("verify", given, given), "expected an object with the format 'zermelo-solution-shards'"),
    ]:
        error = run(*arguments, status=2).stderr
        assert message in error
        assert error.count("\n") == 1
