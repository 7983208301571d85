"""A real cluster for the tests: a scheduler and workers in processes of their own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.limits import HANG

ROOT = Path(__file__).parents[2]
"""Workers import the rules of the tests from here."""

VARIABLES = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "10", "PYTHONWARNINGS": "ignore"}


class Cluster:
    """A scheduler and its workers; ``folder`` has their files and the directory of traps."""

    def __init__(self, folder: Path, mail: int | None = None) -> None:
        self.folder, self.mail = folder, mail
        self.traps = folder / "traps"
        self.traps.mkdir()
        self.processes = []
        self.scheduler = None
        self.address = None

    def _start(self, *arguments, **variables):
        paths = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
        own = {"TRAPS": str(self.traps), "PYTHONPATH": paths}
        environment = {**os.environ, **VARIABLES, **own, **variables}
        if self.mail is not None:
            environment["MAIL"] = str(self.mail)
        log = (self.folder / f"log-{len(self.processes)}").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments], env=environment, stdout=log, stderr=log,
            stdin=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip
        log.close()
        self.processes.append(process)
        return process

    def start_scheduler(self):
        file = self.folder / f"scheduler-{len(self.processes)}.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0",
                                     "--no-dashboard", "--scheduler-file", str(file))  # fmt: skip
        deadline = time.monotonic() + HANG
        while True:
            try:
                self.address = json.loads(file.read_text())["address"]
                return
            except (FileNotFoundError, ValueError):
                assert time.monotonic() < deadline
                assert self.scheduler.poll() is None
                time.sleep(0.05)

    def start_worker(self, nanny=False, **variables):
        return self._start(
            "worker", self.address, "--nthreads", "1", "--no-dashboard",
            "--nanny" if nanny else "--no-nanny", "--local-directory", str(self.folder / "scratch"),
            "--preload", str(Path(__file__).with_name("traps.py")), "--death-timeout", "60",
            "--memory-limit", "0", "--host", "127.0.0.1", **variables,
        )  # fmt: skip

    def set_trap(self, fault, number, content=""):
        (self.traps / f"{fault}@{number}").write_text(str(content))

    def stop(self):
        for process in self.processes:
            process.kill()  # a child of a nanny ends with it
        for process in self.processes:
            process.wait(HANG)
