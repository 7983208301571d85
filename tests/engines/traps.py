"""Loaded by the workers of the tests: what happens to them at a certain step.

A test puts files into the directory of traps, named ``fault@number``. The first worker that comes
to a step of this number takes the file away, and the fault happens in the midst of this step.
"""

import os
import resource
import signal
from pathlib import Path

from zermelo.engines import parcels, worker

FOLDER = Path(os.environ.get("TRAPS", "traps"))


def spring(order, site):
    for path in FOLDER.glob(f"*@{order.number}"):
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

            count = object_store.change("/mail-", os.unlink)
            with (FOLDER / "lost").open("a") as file:
                file.write("x" * count)
        elif fault == "lose":
            lost = list(site.job.directory.glob("mail-*"))
            for mail in lost:
                mail.unlink()
            with (FOLDER / "lost").open("a") as file:
                file.write("x" * len(lost))
        elif fault == "fill":
            with (site.job.directory.parent / "filler").open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(512))
                except OSError:
                    pass
        elif fault == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))


def dask_setup(dask_worker):
    carry_out = worker._carry_out

    def trapped(order, site, held, buffers, address):
        if order.step is not None:
            spring(order, site)
        try:
            return carry_out(order, site, held, buffers, address)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)

    worker._carry_out = trapped
    if "MAIL" in os.environ:
        parcels.INLINE = int(os.environ["MAIL"])
