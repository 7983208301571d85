"""Builds that are killed: nothing is lost, nothing half done is ever seen."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.errors import BuildError
from zermelo.tables.building import checkpoint
from zermelo.tables.building.checkpoint import MANIFEST, Checkpoint

WHAT = {"rules": "these"}


class Crash(BaseException):
    """What a kill looks like from inside: nothing after it runs."""


def crash_at(monkeypatch, step):
    """Crash instead of the ``step``-th change of the disk; a list says how many there were."""
    counted = [0]

    def wrap(name):
        original = getattr(os, name)

        def wrapped(*args, **options):
            counted[0] += 1
            if counted[0] == step:
                raise Crash
            return original(*args, **options)

        monkeypatch.setattr(os, name, wrapped)

    for name in ("fsync", "replace", "unlink", "rmdir"):
        wrap(name)
    return counted


def state(k):
    return {"round": k, "entry": np.full(1000, k, np.uint16), "left": np.arange(k)}


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[x], other[x]) for x in one)


def test_there_is_always_the_last_whole_state(tmp_path, monkeypatch):
    step, done = 0, False
    while not done:
        step += 1
        target = tmp_path / f"{step}.zt"
        saved = -1
        with monkeypatch.context() as patch:
            crash_at(patch, step)
            try:
                checkpoint = Checkpoint(target, WHAT)
                checkpoint._lock = checkpoint._locked()
                for k in range(3):
                    checkpoint.save(state(k))
                    saved = k
                done = True
            except Crash:
                pass
            os.close(checkpoint._lock)
        with Checkpoint(target, WHAT) as again:
            found = again.load()
            if saved < 0 and found is None:
                continue
            assert found["round"] in (saved, saved + 1)  # the crash may come after the renaming
            assert same(found, state(found["round"]))
            again.save(state(9))
            assert same(again.load(), state(9))
            assert len(list(again.directory.glob("*.array"))) == 2
    assert step > 12


def test_a_table_appears_whole_and_its_directory_is_removed(tmp_path, monkeypatch):
    step, done = 0, False
    while not done:
        step += 1
        target = tmp_path / f"{step}.zt"
        with monkeypatch.context() as patch:
            counted = crash_at(patch, 1 << 30)
            checkpoint = Checkpoint(target, WHAT)
            checkpoint._lock = checkpoint._locked()
            checkpoint.save(state(1))
            made = checkpoint.directory / "table.zt"
            made.write_text("whole")
            crash_at(patch, step)
            try:
                checkpoint.publish(made)
                done = True
            except Crash:
                pass
            os.close(checkpoint._lock)
            assert counted[0]
        if target.exists():
            assert target.read_text() == "whole"
        with Checkpoint(target, WHAT) as again:
            found = again.load()
            assert target.exists() or same(found, state(1))
    assert not checkpoint.directory.exists()


def test_two_builds_of_one_file_do_not_meet(tmp_path):
    target = tmp_path / "t.zt"
    with Checkpoint(target, WHAT) as checkpoint:
        checkpoint.save(state(1))
        with pytest.raises(BuildError, match="another build of this file is under way"):
            Checkpoint(target, WHAT).__enter__()
        assert same(checkpoint.load(), state(1))
    with Checkpoint(target, WHAT) as again:
        assert same(again.load(), state(1))


def test_nothing_is_left_where_nothing_was_saved(tmp_path):
    with Checkpoint(tmp_path / "t.zt", WHAT):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_saved_state_of_something_else_is_refused(tmp_path):
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(1))
    with (
        Checkpoint(tmp_path / "t.zt", {"rules": "others"}) as checkpoint,
        pytest.raises(BuildError, match=r"begun with other rules.* remove that directory"),
    ):
        checkpoint.load()
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        assert same(checkpoint.load(), state(1))


@pytest.mark.parametrize("damage", ["array", "list", "gone"])
def test_a_damaged_saved_state_is_refused(tmp_path, damage):
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(5))
        path = next(checkpoint.directory.glob("entry.*.array"))
        if damage == "array":
            data = bytearray(path.read_bytes())
            data[-1] ^= 1
            path.write_bytes(data)
        elif damage == "list":
            listed = checkpoint.directory / MANIFEST
            listed.write_text(listed.read_text()[:-9])
        else:
            path.unlink()
        with pytest.raises(BuildError, match="is damaged"):
            checkpoint.load()


DAMAGES = [
    b"", b"PK\3\4", b"PK\5\6" + bytes(18), b"\x93NUMPY\1\0\xff\xff", bytes(1999), bytes(2001),
]  # fmt: skip
"""What an array is replaced by."""


@pytest.mark.parametrize("content", DAMAGES, ids=range(len(DAMAGES)))
def test_an_array_that_is_replaced(tmp_path, content):
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(5))
        next(checkpoint.directory.glob("entry.*")).write_bytes(content)
        with pytest.raises(BuildError, match=r"is damaged \(entry.1.array: expected 2,000 bytes"):
            checkpoint.load()


@pytest.mark.parametrize(
    "forge",
    [
        lambda entry: [*entry[:2], [10**13], entry[3]],
        lambda entry: [*entry[:2], [0, 2**70], entry[3]],
        lambda entry: [*entry[:2], [-1000], entry[3]],
        lambda entry: [*entry[:2], [True, 1000], entry[3]],
        lambda entry: [*entry[:2], 1000, entry[3]],
        lambda entry: [*entry[:2], [1] * 99 + [1000], entry[3]],
        lambda entry: [entry[0], "O", *entry[2:]],
        lambda entry: [entry[0], "((", *entry[2:]],
        lambda entry: [entry[0], None, *entry[2:]],
        lambda entry: ["..", *entry[1:]],
        lambda entry: ["a\0", *entry[1:]],
        lambda entry: entry[:2],
        lambda entry: None,
    ],
)
def test_a_list_of_arrays_that_is_forged(tmp_path, forge):
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(5))
        listed = checkpoint.directory / MANIFEST
        record = json.loads(listed.read_text())
        record["arrays"]["entry"] = forge(record["arrays"]["entry"])
        listed.write_text(json.dumps(record))
        with pytest.raises(BuildError, match=r"is damaged \("):
            checkpoint.load()


@pytest.mark.parametrize("content", [b"", b"\xff{}", b"[" * 100_000, b"{}", b"[]", b"1" * 5000])
def test_a_list_of_arrays_that_is_replaced(tmp_path, content):
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(5))
        (checkpoint.directory / MANIFEST).write_bytes(content)
        with pytest.raises(BuildError, match=r"is damaged \("):
            checkpoint.load()


def test_the_directory_of_the_next_process_stays(tmp_path):
    """After the end of a build its directory may belong to another build, which has no state."""
    target = tmp_path / "t.zt"
    with Checkpoint(target, WHAT) as checkpoint:
        made = checkpoint.directory / "table.zt"
        made.write_text("whole")
        checkpoint.publish(made)
        following = Checkpoint(target, WHAT).__enter__()
    following.save(state(1))
    assert same(following.load(), state(1))
    following.__exit__(None, None, None)


def test_the_lock_is_removed_last(tmp_path, monkeypatch):
    """Without the lock, another process may write files of the same names."""
    removed = []
    with Checkpoint(tmp_path / "t.zt", WHAT) as checkpoint:
        checkpoint.save(state(1))
        unlink = os.unlink
        monkeypatch.setattr(
            os, "unlink", lambda path, **options: (removed.append(path), unlink(path, **options))
        )
        checkpoint.clear()
    names = [os.path.basename(path) for path in removed]
    assert (names[0], names[-1], len(names)) == (MANIFEST, "lock", 4)


@pytest.mark.slow
@pytest.mark.parametrize("index", [False, True])
def test_a_saved_state_that_no_kernel_may_see(index, monkeypatch, tmp_path):
    """Numbers and arrays are changed one at a time, with checksums that are right."""
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    made = random_game(np.random.default_rng(1), 30, 1, twins=2, degree=2.0)
    rules = arrays("ends", *(["index"] if index else []), **made)
    monkeypatch.setattr("zermelo.tables.solving.waves.Waves.run", stop)
    target = tmp_path / "t.zt"
    with pytest.raises(Stopped):
        zm.build(rules, target, check=False)
    listed = tmp_path / ".t.zt.partial" / MANIFEST
    record = json.loads(listed.read_text())
    for key in record["numbers"]:
        for value in (None, "x", -1, 2**70, *([1] if key == "phase" else [])):
            changed = {**record["numbers"], key: value}
            listed.write_text(json.dumps({**record, "numbers": changed}))
            with pytest.raises(BuildError, match=r"is damaged \("):
                zm.build(rules, target, check=False)
    for key, (name, dtype, shape, _) in record["arrays"].items():
        array = np.fromfile(listed.parent / name, dtype).reshape(shape)
        short = np.concatenate([array[:-1], array[:-1]])
        for value in (array[:-1], array.astype(float), np.array(3), short):
            facts = value.dtype.str, value.shape, checkpoint._checksum(value)
            changed = {**record["arrays"], key: ["forged.array", *facts]}
            value.tofile(listed.parent / "forged.array")
            listed.write_text(json.dumps({**record, "arrays": changed}))
            if key != "keys" or not index:  # an index needs no keys
                with pytest.raises(BuildError, match=r"is damaged \("):
                    zm.build(rules, target, check=False)
    for field in ("serial", "numbers", "arrays"):
        for value in (None, [], "x"):
            listed.write_text(json.dumps({**record, field: value}))
            with pytest.raises(BuildError, match=r"is damaged \("):
                zm.build(rules, target, check=False)
    listed.write_text(json.dumps(record))
    with pytest.raises(Stopped):
        zm.build(rules, target, check=False)


class Stopped(BaseException):
    """What ends a build."""


def stop(*_):
    raise Stopped


# -------------------------------------------------------------------- real kills

CHILD = """
import sys
import zermelo as zm
from zermelo.tables.solving import job as _job
_job.CHECKPOINT_SECONDS = 0.0
zm.build(sys.argv[1], sys.argv[2]).close()
"""


def start(game, path):
    return subprocess.Popen([sys.executable, "-c", CHILD, game, str(path)])


@pytest.mark.slow
@pytest.mark.compiled
def test_twenty_kills_lose_nothing(tmp_path):
    game = "connect4:4x4"
    whole, target = tmp_path / "whole.zt", tmp_path / "killed.zt"
    assert start(game, whole).wait() == 0  # compiles what there is to compile
    begun = time.monotonic()
    assert start(game, whole).wait() == 0
    usual = time.monotonic() - begun
    choose, kills, resumed = random.Random(20), 0, 0
    while kills < 20:
        child = start(game, target)
        time.sleep(choose.uniform(0.1, 1.0) * usual)
        child.send_signal(signal.SIGKILL)
        if child.wait() == 0:  # it was faster
            assert target.read_bytes() == whole.read_bytes()
            target.unlink()
            continue
        kills += 1
        resumed += (tmp_path / ".killed.zt.partial" / MANIFEST).exists()
        assert not target.exists() or target.read_bytes() == whole.read_bytes()
    assert start(game, target).wait() == 0
    assert target.read_bytes() == whole.read_bytes()
    assert resumed
    assert sorted(x.name for x in tmp_path.iterdir()) == ["killed.zt", "whole.zt"]
