"""The progress bar: late, on terminals only, gone in the end."""

import io
import time

import pytest

from zermelo._runtime.progress import SoFar, compiling
from zermelo.cli.output import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def watched(monkeypatch):
    """Call it in the test itself: pytest puts its own stderr back after the fixtures."""

    def watch(patience):
        stream = Terminal()
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(progress, "SECONDS_BEFORE_BAR", patience)
        return stream

    return watch


def wait_for(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_a_long_job_shows_a_bar(watched):
    stderr = watched(0.0)
    with progress.Meter() as meter:
        meter.stage("reading")
        wait_for(lambda: meter._bar is not None)
        meter(1, 4, "settled")
        meter(3, 4, "settled")
        meter.stage("writing")
    shown = stderr.getvalue()
    assert "settled" in shown
    assert "75%" in shown
    assert "writing" in shown
    assert shown.endswith("\x1b[2K")  # the bar is wiped out


def test_a_short_job_shows_nothing(watched):
    stderr = watched(60.0)
    with progress.Meter() as meter:
        meter(1, 2, "settled")
    assert stderr.getvalue() == ""


def test_no_bar_is_shown_in_a_pipe(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "SECONDS_BEFORE_BAR", 0.0)
    with progress.Meter() as meter:
        meter(1, 2, "settled")
        time.sleep(0.05)
    assert stream.getvalue() == ""
    assert meter._timer is None


def test_a_failure_ends_the_bar(watched):
    watched(0.0)
    meter = progress.Meter()

    def fail():
        with meter:
            wait_for(lambda: meter._bar is not None)
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert meter._bar is not None
    assert not meter._bar.live.is_started


def test_a_wait_for_the_compiler_is_shown_in_place_of_the_stage(watched):
    stderr = watched(0.0)
    with progress.Meter() as meter:
        meter(1, 4, "settled")
        wait_for(lambda: meter._bar is not None)
        with compiling("retrograde.settle", "there"):
            [task] = meter._bar.tasks
            assert task.description == "compiling retrograde.settle, once; kept in there"
            assert task.total is None
        [task] = meter._bar.tasks
        assert (task.description, task.completed, task.total) == ("settled", 1, 4)
    assert "once; kept in there" in stderr.getvalue()


def test_exploring_has_no_share_that_is_done(watched):
    """Of an endless game, all positions that were found may be explored."""
    watched(0.0)
    with progress.Meter() as meter:
        wait_for(lambda: meter._bar is not None)
        for found in (1200, 1300):
            meter(found, SoFar(found + 1), "explored")
            [task] = meter._bar.tasks
            assert task.total is None
            assert task.description == f"explored, {found:,} of {found + 1:,} found so far"


def test_a_bar_that_appears_late_shows_the_wait(watched):
    watched(60.0)
    with progress.Meter() as meter, compiling("retrograde.settle", None):
        meter._show()
        [task] = meter._bar.tasks
        assert task.description == "compiling retrograde.settle, it is not kept"


def test_a_wait_without_a_bar_is_one_line(watched, monkeypatch):
    stderr = watched(60.0)
    monkeypatch.setattr(progress, "SECONDS_BEFORE_NOTE", 0.0)
    with progress.explained(), compiling("retrograde.settle", "there"):
        wait_for(stderr.getvalue)
    assert stderr.getvalue() == "compiling retrograde.settle, once; kept in there\n"


def test_a_wait_in_a_pipe_is_silent(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "SECONDS_BEFORE_NOTE", 0.0)
    with progress.explained(), compiling("retrograde.settle", "there"):
        time.sleep(0.05)
    assert stream.getvalue() == ""
