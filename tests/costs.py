"""What each test costs, in seconds of the processor, and which tests lack the mark ``slow``.

    python -m tests.costs --all -n 2           # the complete suite
    python -m tests.costs tests/tables         # the short run of a folder

The arguments are those of pytest. A test costs what its process, and the processes that it
starts and waits for, take from its set-up to its end. What the compiler of kernels takes in the
test's own process is listed apart, because it depends on which test is the first. Fixtures that
several tests share are counted where they are made. A test that costs more than ``LIMIT`` seconds
needs the mark ``slow`` or a smaller case; the exit status is 1 if there is one without it.
"""

import resource
import subprocess
import sys
import time

import pytest

from zermelo._runtime import progress

LIMIT = 0.3
"""Seconds of the processor that a test of the short run may cost."""


def processor_seconds() -> float:
    """What this process and those that it waited for have taken."""
    used = [resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(x.ru_utime + x.ru_stime for x in used)


class Costs:
    """A plugin of pytest that measures each test where it runs and lists all of them at the end."""

    def __init__(self):
        self.rows = []  # (processor, compiler, clock, whether the short run leaves it out, test)
        self._compiling = self._compiled = 0.0

    def _listen(self, message):
        if message is not None:
            self._compiling = processor_seconds()
        else:
            self._compiled += processor_seconds() - self._compiling

    def pytest_sessionstart(self):
        self._listening = progress.listen(self._listen)
        self._listening.__enter__()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        self._listening.__exit__(None, None, None)
        if session.exitstatus == 0 and any(row[0] > LIMIT and not row[3] for row in self.rows):
            session.exitstatus = 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        self._compiled = 0.0
        self._begun = processor_seconds(), time.monotonic()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        if call.when == "teardown":
            processor, clock = self._begun
            cost = processor_seconds() - processor - self._compiled
            row = (cost, self._compiled, time.monotonic() - clock, item.is_left_out)
            item.user_properties.append(("cost", row))
        yield

    def pytest_runtest_logreport(self, report):
        if report.when == "teardown" and "cost" in (found := dict(report.user_properties)):
            self.rows.append((*found["cost"], report.nodeid))

    def pytest_terminal_summary(self, terminalreporter):
        write = terminalreporter.write_line
        dear = [row for row in self.rows if row[0] > LIMIT or row[1] > LIMIT]
        write("processor  compiler    clock  mark")
        for processor, compiler, clock, left_out, test in sorted(dear, reverse=True):
            mark = "yes" if left_out else "none" if processor > LIMIT else ""
            write(f"{processor:9.2f} {compiler:9.2f} {clock:8.2f}  {mark:4}  {test}")
        for name, left_out in (("the short run", False), ("the rest", True)):
            chosen = [row for row in self.rows if row[3] == left_out]
            processor, compiler = (sum(row[k] for row in chosen) for k in (0, 1))
            total = f"{processor:.1f} s, and the compiler {compiler:.1f} s"
            write(f"{len(chosen)} tests of {name}: {total}")


costs = Costs()


def pytest_configure(config):
    """Measure in this process; workers of pytest-xdist load this module by its name, too."""
    config.pluginmanager.register(costs, "costs")


if __name__ == "__main__":
    command = [sys.executable, "-m", "pytest", "-p", "tests.costs", "-q", *sys.argv[1:]]
    sys.exit(subprocess.run(command).returncode)
