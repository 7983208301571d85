"""Waits for the compiler: who is told of them, and that jobs do not count them."""

import os

import numpy as np
import pytest

import zermelo as zm
from zermelo._runtime import progress
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.threads import Team
from zermelo.tables.solving import job as _job

pytestmark = pytest.mark.compiled


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def monotonic(self):
        return self.now


@kernel
def double(values):
    for i in range(len(values)):
        values[i] *= 2


def test_compiling_is_told_once_with_its_name_and_place(monkeypatch, tmp_path):
    told = []
    with progress.listen(told.append):
        double.compiled(np.arange(3))
        double.compiled(np.arange(4))
    [message, end] = told
    assert message == "compiling test_kernels_waiting.double, it is not kept"
    assert end is None
    assert progress.waits[-1].name == "test_kernels_waiting.double"
    assert progress.spent() >= progress.waits[-1].seconds > 0


def test_a_part_of_a_kernel_is_no_wait_of_its_own():
    told, before = [], len(progress.waits)
    with (
        progress.listen(told.append),
        progress.compiling("whole", None),
        progress.compiling("p", "d"),
    ):
        pass
    assert told == ["compiling whole, it is not kept", None]
    assert [wait.name for wait in progress.waits[before:]] == ["whole"]


def test_the_home_directory_is_short():
    told = []
    with progress.listen(told.append), progress.compiling("f", os.path.expanduser("~/x")):
        pass
    assert told[0] == f"compiling f, once; kept in ~{os.sep}x"


@pytest.mark.slow
@pytest.mark.unchecked
def test_a_progress_callback_gets_a_stage(tmp_path, monkeypatch):
    from zermelo._runtime.compiled import store

    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ZERMELO_KERNELS", "auto")
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)  # nothing is kept with bounds checks
    store.cache_directory.cache_clear()
    try:
        stages = []
        zm.build("tictactoe", tmp_path / "t.zt", progress=lambda done, total, x: stages.append(x))
        monkeypatch.setenv("ZERMELO_KERNELS", "compile")
        zm.build("tictactoe", tmp_path / "u.zt", progress=lambda done, total, x: stages.append(x))
    finally:
        monkeypatch.undo()
        store.cache_directory.cache_clear()
    compiled = [x for x in stages if x.startswith("compiling tictactoe (")]
    assert compiled
    assert len(compiled) == len(set(compiled))
    assert all(x.endswith(f"once; kept in {tmp_path / 'cache' / 'kernels'}") for x in compiled)


def test_jobs_do_not_count_the_time_of_the_compiler(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_job, "time", clock)
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(progress, "waits", [])
    with Team(1) as team:
        job = _job.Job(team)
        clock.now = 2.0
        with progress.compiling("f", None):
            clock.now = 12.0
        clock.now = 13.0
        assert job.seconds == 3.0
