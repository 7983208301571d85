"""Loaded by the workers of the tests: what happens to them at a certain step.

A test puts files into the directory of traps, named ``fault@number``. The first worker that comes
to a step of this number takes the file away, and the fault happens in the midst of this step. Steps
of exploring and preparing are called ``visit-round``, ``deal-piece`` and ``sort-partition``.
"""

import os
import resource
import signal
import sys
from pathlib import Path

from zermelo.engines.cluster import messages
from zermelo.engines.cluster import preparing_worker as preparing
from zermelo.engines.cluster.stepping_worker import Step, SteppingRun

FOLDER = Path(os.environ.get("TRAPS", "traps"))


MESSAGES = ("messages-*", "dealt-*")
"""The files that workers write for each other."""


def spring(number, job):
    for path in FOLDER.glob(f"*@{number}"):
        try:
            content = path.read_text()
            path.unlink()
        except FileNotFoundError:
            continue  # another worker was faster
        fault = path.name.split("@")[0]
        if fault == "worker":
            os.kill(os.getpid(), signal.SIGKILL)
        elif fault == "kill":
            os.kill(int(content), signal.SIGKILL)
        elif fault == "lose" and "OBJECTS" in os.environ:
            import object_store

            parts = [f"/{pattern.partition('*')[0]}" for pattern in MESSAGES]
            count = sum(object_store.change(part, os.unlink) for part in parts)
            with (FOLDER / "lost").open("a") as file:
                file.write("x" * count)
        elif fault == "lose":
            lost = [path for pattern in MESSAGES for path in job.directory.glob(pattern)]
            for file in lost:
                file.unlink()
            with (FOLDER / "lost").open("a") as file:
                file.write("x" * len(lost))
        elif fault == "fill":
            with (job.directory.parent / "filler").open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(512))
                except OSError:
                    pass
        elif fault == "limit":
            sys.dont_write_bytecode = True  # Python would keep bytecode that is cut short
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))


def dask_setup(dask_worker):
    carry_out = SteppingRun._carry_out

    def trapped(self, task, state):
        if isinstance(task.work, Step):
            exploring = self.stage == "explore"
            spring(f"visit-{task.work.task.depth}" if exploring else task.number, self.job)
        try:
            return carry_out(self, task, state)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)

    deal, sort = preparing._deal, preparing._sort

    def trapped_deal(job, source, piece, *rest):
        spring(f"deal-{piece}", job)
        return deal(job, source, piece, *rest)

    def trapped_sort(job, source, q, *rest):
        spring(f"sort-{q}", job)
        return sort(job, source, q, *rest)

    SteppingRun._carry_out = trapped
    preparing._deal, preparing._sort = trapped_deal, trapped_sort
    if "MAIL" in os.environ:
        messages.MAX_INLINE_BYTES = int(os.environ["MAIL"])
