"""Where compiled kernels are kept: nothing but the right file is run, and no place is a must."""

import os
import stat
import subprocess
import sys
import threading
import time

import pytest

from zermelo._runtime.compiled import store
from zermelo._runtime.compiled.native import ObjectCode

KEY = "0123456789abcdef" * 4
MADE = ObjectCode("symbol", "int64", "[i8]", bytes(range(256)) * 8)


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """The directory of a process that has not used it yet."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    monkeypatch.setattr(store, "_warnings_given", set())
    store.cache_directory.cache_clear()
    yield tmp_path / "cache" / "kernels"
    store.cache_directory.cache_clear()


@pytest.fixture
def file(directory):
    path = store.file_of(store.cache_directory(), "probe.f", KEY)
    store.write(path, KEY, MADE)
    assert store.read(path, KEY, "[i8]") == MADE
    return path


def test_every_byte_of_a_file_counts(file):
    whole = file.read_bytes()
    head = len(whole) - len(MADE.code)
    places = [*range(head + 4), *range(head + 4, len(whole), 97), len(whole) - 1]
    for at in places:
        for bit in (1, 128):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            assert store.read(file, KEY, "[i8]") is None, f"byte {at}"
    for size in (0, 1, 63, 64, 65, head - 1, head, head + 1, len(whole) - 1):
        file.write_bytes(whole[:size])
        assert store.read(file, KEY, "[i8]") is None, f"{size} bytes"
    for longer in (whole + b"\0", b"\n" + whole, whole + whole):
        file.write_bytes(longer)
        assert store.read(file, KEY, "[i8]") is None


def test_a_file_under_the_name_of_another_is_not_run(file):
    other = KEY[::-1]
    path = store.file_of(str(file.parent), "probe.f", other)
    path.write_bytes(file.read_bytes())
    assert store.read(path, other, "[i8]") is None
    assert store.read(file, KEY, "[i4]") is None


def test_foreign_files_are_not_run(file, tmp_path):
    whole = file.read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(whole)
    file.unlink()
    file.symlink_to(elsewhere)
    assert store.read(file, KEY, "[i8]") is None
    file.unlink()
    file.mkdir()
    assert store.read(file, KEY, "[i8]") is None


def test_directories_are_for_the_user_alone(directory):
    old = os.umask(0)
    try:
        assert store.cache_directory() == str(directory)
    finally:
        os.umask(old)
    for path in (directory, directory.parent):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_directory_that_others_may_read_is_closed(directory):
    directory.mkdir(parents=True, mode=0o755)
    assert store.cache_directory() == str(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o707])
@pytest.mark.parametrize("which", ["kernels", "cache"])
def test_a_directory_that_others_may_write_to_is_not_used(directory, mode, which):
    directory.mkdir(parents=True, mode=0o700)
    chosen = directory if which == "kernels" else directory.parent
    chosen.parent.chmod(0o700)
    chosen.chmod(mode)
    if which == "cache" and mode == 0o1777:  # such as /tmp: nobody removes what is ours
        assert store.cache_directory() == str(directory)
        return
    with pytest.warns(RuntimeWarning, match="others may write to") as warned:
        assert store.cache_directory() is None
    assert len(warned) == 1
    assert store.cache_directory() is None  # without a second warning
    assert stat.S_IMODE(chosen.stat().st_mode) == mode


def test_a_directory_of_somebody_else_is_not_used(directory, monkeypatch):
    directory.mkdir(parents=True, mode=0o700)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert store.cache_directory() is None


def test_a_link_is_not_followed(directory, tmp_path):
    directory.parent.mkdir(mode=0o700)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    directory.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(RuntimeWarning, match="is not a directory"):
        assert store.cache_directory() is None


@pytest.mark.parametrize("given", ["file", "file/below", "nul\0byte"])
def test_a_place_that_is_no_directory_is_reported(tmp_path, directory, monkeypatch, given):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(store, "_cache_home", lambda: tmp_path / given)
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept"):
        assert store.cache_directory() is None


def test_without_a_home_nothing_is_kept(directory, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ZERMELO_CACHE_DIR")
    for name, given in (("XDG_CACHE_HOME", ""), ("HOME", "")):
        monkeypatch.setenv(name, given)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where nobody has one
    with pytest.warns(RuntimeWarning, match="there is no home directory"):
        assert store.cache_directory() is None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store._cache_home() is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store._cache_home() == tmp_path / "zermelo"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_keeps_nothing(file, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    other = store.file_of(str(file.parent), "probe.g", KEY)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        store.write(other, KEY, MADE)
    store.write(other, KEY, MADE)  # and there is no second warning
    assert list(file.parent.iterdir()) == [file]  # nothing half done


def test_the_oldest_files_are_removed_when_there_are_too_many(file, monkeypatch):
    size = file.stat().st_size
    monkeypatch.setattr(store, "MAX_CACHE_BYTES", 8 * size)
    names = [f"probe.f{k}" for k in range(9)]
    paths = [store.file_of(str(file.parent), name, KEY) for name in names]
    for age, path in enumerate(paths[:7]):
        store.write(path, KEY, MADE)
        os.utime(path, (0, time.time() - (20 - age) * store.DAY))
    left, abandoned = file.with_name("x.part"), file.with_name("y.part")
    left.write_bytes(b"")
    abandoned.write_bytes(b"")
    os.utime(abandoned, (0, time.time() - 2 * store.UNFINISHED_FILE_SECONDS))
    assert store.read(paths[0], KEY, "[i8]") == MADE  # used, so it is the youngest
    store.write(paths[7], KEY, MADE)
    kept = {path.name for path in file.parent.iterdir()}
    assert kept == {x.name for x in (file, paths[0], *paths[4:8], left)}


def test_writers_and_readers_do_not_meet(file):
    wrong = []

    def write():
        for _ in range(60):
            store.write(file, KEY, MADE)

    def read():
        found = (store.read(file, KEY, "[i8]") for _ in range(200))
        wrong.extend(x for x in found if x != MADE)

    threads = [threading.Thread(target=x) for x in (write, write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


COMMAND = ["-m", "zermelo", "solve", "chain.txt", "--output", "chain.json"]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.unchecked
def test_the_command_warns_once_and_continues(tmp_path, monkeypatch):
    (tmp_path / "chain.txt").write_text("0 1\n1 2\n")
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"):
        monkeypatch.delenv(name, raising=False)
    run = subprocess.run(
        [sys.executable, *COMMAND], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = run.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("zermelo: warning: compiled kernels are not kept: ")
    assert (tmp_path / "chain.json").exists()
