"""A job trusts nobody: directories of others, records of other jobs, numbers that are none."""

import errno
import os
import random
import stat
import sys
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import zermelo as zm
from zermelo._runtime.locks import lock_directory
from zermelo.engines.cluster import preparing_worker
from zermelo.engines.cluster.preparing_driver import Preparation
from zermelo.engines.cluster.rules_transfer import Given, file_digest, pack_given, unpack_given
from zermelo.engines.jobs import records
from zermelo.engines.jobs.job import Job, _names_in
from zermelo.engines.jobs.remote import RemoteDirectory, _RemoteFile
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.partitions.messages import DamagedRecord
from zermelo.engines.tiers import tiers
from zermelo.engines.tiers.exploring import Exploration
from zermelo.errors import DiskError, JobError, ZermeloError

from .forged import Kept, all_changes, read_record, write_file, write_record
from .test_faults import Stop, assert_same, example, run, stop_after
from .test_tables import TINY, written
from .test_tiers import game_of

FEW, MANY = 15, 400
"""Changed records of each kind, and those of the slow test."""


def job_in(folder):
    (found,) = (path for path in folder.iterdir() if path.is_dir())
    return found


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """A job on disk with a snapshot, as a killed process leaves it."""
    graph, objective = example(n=24)
    folder = tmp_path / "files"
    folder.mkdir()
    with monkeypatch.context() as patch:
        stop_after(patch, 4)
        with pytest.raises(Stop):
            run(graph, objective, folder, snapshot_layers=2)
    return folder, lambda: run(graph, objective, folder)


@pytest.fixture
def built(monkeypatch, tmp_path):
    """A table that is being built tier by tier, as a killed process leaves it."""
    monkeypatch.setattr(tiers, "SMALL_TIER_POSITIONS", 0)
    monkeypatch.setattr("zermelo.engines.jobs.job.SHORT_SECONDS", -1.0)
    rules = game_of(("tiers", "ends", "twins"), seed=2, n=40, degree=3.0)
    folder = tmp_path / "files"
    folder.mkdir()

    def build():
        return written(rules, folder, memory=TINY, snapshot_layers=1)[0]

    return folder, build, monkeypatch


# -------------------------------------------------------------------- whose directory it is


def test_a_directory_is_made_for_this_user_alone(tmp_path):
    os.close(lock_directory(tmp_path / "job"))
    assert stat.S_IMODE((tmp_path / "job").stat().st_mode) == 0o700
    (tmp_path / "job").chmod(0o755)
    os.close(lock_directory(tmp_path / "job"))  # others could only read it
    assert stat.S_IMODE((tmp_path / "job").stat().st_mode) == 0o700


def test_the_directory_of_the_next_process_stays(tmp_path):
    """A job that has removed its directory does not remove the one of the next job."""
    with Job(tmp_path / "job", {}) as job:
        job.clear()
        os.close(lock_directory(tmp_path / "job"))
    assert (tmp_path / "job" / "lock").exists()


@pytest.mark.parametrize("kind", ["shared", "link", "another user", "file", "lock"])
def test_a_directory_that_others_made_is_refused(kind, monkeypatch, tmp_path):
    job, elsewhere = tmp_path / "job", tmp_path / "elsewhere"
    elsewhere.mkdir()
    match = {"shared": "others may write", "link": "not a directory", "file": "not a directory",
             "another user": "belongs to another user", "lock": "cannot be made"}[kind]  # fmt: skip
    if kind == "link":
        job.symlink_to(elsewhere)
    elif kind == "file":
        job.touch()
    else:
        job.mkdir()
    if kind == "shared":
        job.chmod(0o777)
    if kind == "another user":
        monkeypatch.setattr(os, "getuid", lambda: job.stat().st_uid + 1)
    if kind == "lock":
        (job / "lock").symlink_to(elsewhere / "made")
    with pytest.raises(JobError if kind != "lock" else DiskError, match=match):
        lock_directory(job)
    assert list(elsewhere.iterdir()) == []


def test_two_users_have_two_directories(begun, monkeypatch):
    folder, again = begun
    ours = job_in(folder)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    monkeypatch.setattr("zermelo._runtime.locks.distrusted", lambda _: "")
    assert not again().stats["resumed"]
    assert [path.name for path in folder.iterdir()] == [ours.name]


def test_a_directory_that_cannot_be_written_is_one_sentence(monkeypatch, tmp_path):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(DiskError, match="written or locked here: permission denied"):
        zm.solve(zm.Graph.from_edges([(0, 1)]), engine="disk", workdir=tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="a working directory cannot be removed there")
def test_a_directory_that_can_never_be_made_is_one_sentence(monkeypatch, tmp_path):
    """The error is the same as that of a directory which another process removes meanwhile."""
    (tmp_path / "removed").mkdir()
    monkeypatch.chdir(tmp_path / "removed")
    (tmp_path / "removed").rmdir()
    with pytest.raises(DiskError, match="locked here: no such file or directory"):
        lock_directory(Path("job"))


def test_a_directory_that_others_remove_meanwhile_is_made_again(monkeypatch, tmp_path):
    job, opened, tries = tmp_path / "job", os.open, []

    def open_late(*arguments):
        tries.append(arguments)
        if len(tries) < 4:
            job.rmdir()
        return opened(*arguments)

    monkeypatch.setattr(os, "open", open_late)
    os.close(lock_directory(job))
    assert len(tries) == 4


@pytest.mark.parametrize("name", ["EWOULDBLOCK", "EACCES", "ENOLCK", "ENOTSUP"])
def test_a_disk_without_locks_is_no_other_process(monkeypatch, tmp_path, name):
    def refuse(*_):
        raise OSError(getattr(errno, name), f"{name} it is")

    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", refuse)
    if name in ("EWOULDBLOCK", "EACCES"):
        assert lock_directory(tmp_path / "job") is None
    else:
        with pytest.raises(DiskError, match=r"written or locked here: eN.* it is"):
            lock_directory(tmp_path / "job")


# -------------------------------------------------------------------- which job it is


def test_the_journal_and_the_states_of_another_job_are_refused(begun, monkeypatch, tmp_path):
    folder, again = begun
    ours = job_in(folder)
    graph, _ = example(n=24)
    other = zm.TerminalPayoff(np.random.default_rng(5).integers(-2, 3, graph.n), infinite=1)
    with monkeypatch.context() as patch:
        stop_after(patch, 4)
        with pytest.raises(Stop):
            run(graph, other, tmp_path, snapshot_layers=2)
    (theirs,) = tmp_path.glob("zermelo-*")
    for path in [*theirs.glob("state-*"), theirs / records.JOURNAL]:
        (ours / path.name).write_bytes(path.read_bytes())
    with pytest.raises(JobError, match="begun with another game"):
        again()


def test_a_journal_without_its_manifest_is_not_used(begun):
    folder, again = begun
    (job_in(folder) / records.MANIFEST).unlink()
    ours = again()
    assert not ours.stats["resumed"]
    assert_same(ours, *example(n=24))


# -------------------------------------------------------------------- what is in it


def refused(folder, name, again, kept, count, *, seed=0):
    """Change a record in many places; the numbers of those that were refused, and not."""
    record = read_record(job_in(folder) / name)
    changes = list(all_changes(record))
    random.Random(seed).shuffle(changes)
    found = [0, 0]
    for path, forged in changes[:count]:
        kept.restore()
        write_record(job_in(folder) / name, forged)
        try:
            again()
            found[0] += 1
        except ZermeloError:
            found[1] += 1
        except Exception as error:
            raise AssertionError(f"{name}, {path}") from error
    kept.restore()
    write_record(job_in(folder) / name, record)
    again()
    return found


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [records.MANIFEST, records.JOURNAL])
def test_changed_records_of_a_job(name, count, begun, tmp_path):
    folder, again = begun
    accepted, no = refused(folder, name, again, Kept(folder, tmp_path / "kept"), count)
    assert no >= 0.8 * (accepted + no)


STAGES = [
    (Exploration, "_visit", 3, records.EXPLORING),
    (tiers.Tiers, "_save", 1, records.EXPLORED),
    (tiers.Tiers, "_restricted", 3, records.TIERS),
    (DiskExecutor, "snapshot", 7, records.MANIFEST),
    (DiskExecutor, "snapshot", 7, records.JOURNAL),
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "method", "times", "name"), STAGES, ids=lambda x: str(x)[-12:])
def test_changed_records_of_a_table(place, method, times, name, built, tmp_path):
    folder, build, monkeypatch = built
    stages, kept = [0], getattr(place, method)

    def stopping(*given, **options):
        stages[0] += 1
        if stages[0] == times:
            raise Stop
        return kept(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(place, method, stopping)
        with pytest.raises(Stop):
            build()
    accepted, no = refused(folder, name, build, Kept(folder, tmp_path / "kept"), 150)
    assert no >= 0.7 * (accepted + no)


@pytest.mark.parametrize(
    ("key", "kind", "change", "match"),
    [
        ("indices", np.int32, lambda a: a + 2**20, "moves: expected integers from 0"),
        ("indices", np.int32, lambda a: -a - 1, "moves: expected integers from 0"),
        ("indptr", np.int64, lambda a: np.concatenate([a[:1], a[-1:], a[2:]]), "do not fall"),
        ("indptr", np.int64, lambda a: a + 1, "rows from 0"),
        ("ends", np.int32, lambda a: a + 10**6, "ends: expected integers from 0"),
        ("ends", np.int32, lambda a: a * 0 + a[0], "each once"),
        ("phases", np.int32, lambda a: a + 99, "phases: expected integers from 0"),
    ],
)
def test_numbers_that_no_kernel_may_see(key, kind, change, match, begun):
    folder, again = begun
    job = job_in(folder)
    (job / records.JOURNAL).unlink()
    record = read_record(job / records.MANIFEST)
    for part in record["parts"]:
        array = np.frombuffer((job / part[key][0]).read_bytes(), kind)
        if array.size > 1:
            given = np.ascontiguousarray(change(array), kind)
            write_file(job, (records.MANIFEST, record), part[key], given.tobytes())
    with pytest.raises(JobError, match=match):
        again()


def test_a_record_that_is_nested_deeply(tmp_path):
    """Python reads text that is nested as deeply as its stack allows at that place."""
    nested = ["state-0-1.level", 3, 99]
    for _ in range(10_000):
        nested = [nested]
    assert list(_names_in({"states": nested})) == ["state-0-1.level"]
    with Job(tmp_path / "job", {}) as job:
        for depth in range(0, sys.getrecursionlimit(), 250):
            text = f'{{"identity": {{}}, "states": {"[" * depth}{"]" * depth}, "turn": 1}}'
            content = f"{zlib.crc32(text.encode()):08x}\n{text}\n"
            job.path(records.JOURNAL).write_text(content)
            with pytest.raises(JobError, match=r"the file journal.json of this job is damaged"):
                job.record(records.JOURNAL)


def test_a_manifest_with_one_entry_too_few(begun):
    folder, again = begun
    path = job_in(folder) / records.MANIFEST
    for field in ("first", "parts"):
        record = read_record(path)
        (record["division"][field] if field == "first" else record["parts"]).pop()
        write_record(path, record)
        with pytest.raises(JobError, match=r"is damaged \((division|parts): expected"):
            again()


# -------------------------------------------------------------------- on a cluster


def test_rules_with_another_digest_are_not_unpickled(tmp_path):
    content = pack_given(Given(zm.game("connect4:4x4"), None, True, {}))
    digest = file_digest(content)
    assert unpack_given(content, digest).rules.known_as == "connect4:4x4"
    made = tmp_path / "made"
    code = b"cbuiltins\nopen\n(V%s\nVw\ntR." % str(made).encode()
    with pytest.raises(JobError, match="finds other rules in the shared directory"):
        unpack_given(code, digest)
    assert not made.exists()


def test_changed_records_of_the_stages_of_a_cluster():
    """The records that only a cluster writes, without a cluster."""
    source = type("Source", (), {"n": 40})()
    preparation = Preparation.__new__(Preparation)
    preparation.source = source
    dealt = {
        "size": 16,
        "moves": 8,
        "chunks": {"0": [[0, "dealt-0-a", 0, 10, 30, 99, 99, False],
                         [0, "dealt-0-b", 10, 6, 30, 99, 99, False]]},
        "counts": ["counts-1", 99, 7],
    }  # fmt: skip
    states = {"fresh": ["state-0-1.fresh", 16, 3], "known": ["state-0-1.known", 40, 4]}
    explored = {"partitions": 2, "serial": 1, "phase": 0, "depth": 3, "states": {"0": states}}
    no = total = 0
    for name, record in ((records.DEALT, dealt), (records.SEARCHING, explored)):
        records.check_shape(record, records.SHAPES[name])
        for _, forged in all_changes(record):
            total += 1
            try:
                records.check_shape(forged, records.SHAPES[name])
                if name == records.DEALT:
                    preparation._checked(forged)
            except records.Malformed:
                no += 1
    assert preparation._checked(dealt)[0][1].first == 10
    assert no > 0.8 * total


def test_lengths_of_a_record_are_compared_with_the_file(tmp_path):
    """A forged length is no reason to ask for that much memory."""
    remote = RemoteDirectory("memory://lengths", "job", tmp_path)
    remote.remote.write("moves", b"abcdef")
    for file in (BytesIO(b"abcdef"), _RemoteFile(remote.remote, "moves")):
        assert preparing_worker._read(file, 2, 4) == b"cdef"
        for offset, size in ((0, 7), (7, 1), (0, 2**48), (2**48, 2**47)):
            with pytest.raises(DamagedRecord, match="too short"):
                preparing_worker._read(file, offset, size)
