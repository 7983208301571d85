"""The workers of a Dask scheduler, as the driver of a job sees them."""

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from zermelo._inputs.values import shown
from zermelo._runtime.memory import show_size
from zermelo._version import __version__
from zermelo.engines.cluster.local_cluster import local_cluster
from zermelo.engines.cluster.worker import WORKDIR, describe, forget, perform
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.errors import (
    InvalidOptionError,
    JobError,
    MemoryLimitError,
    MissingDependencyError,
    ZermeloError,
)

if TYPE_CHECKING:
    from distributed import Client

WAIT_SECONDS = 300.0
"""How long a job waits for a worker if there is none."""

LOOK_SECONDS = 2.0
"""Time between two looks at the workers while a layer takes its time."""

CONNECT_SECONDS = "20s"
"""How long the driver tries to reach a scheduler."""


class Connection:
    """The connection to a scheduler and its workers."""

    def __init__(self, client: "Client", tick: Tick = None) -> None:
        self.client, self.tick = client, tick
        self.address = str(client.scheduler.address)
        self._tasks = 0
        with self._asking():
            client.wait_for_workers(1, timeout=WAIT_SECONDS)
            self.threads: dict[str, int] = dict(client.nthreads())

    # ---------------------------------------------------------------- homes

    def homes(self, size: int) -> list[str]:
        """A worker for each partition; workers with more threads get more partitions."""
        slots = sorted(self.threads)
        slots = [a for k in range(max(self.threads.values())) for a in slots if self.threads[a] > k]
        return [slots[q % len(slots)] for q in range(size)]

    def balance(self, run: str, homes: Sequence[str]) -> list[str]:
        """Give partitions to workers that have fewer than others, if some came or went."""
        with self._asking():
            threads = dict(self.client.nthreads())
        if not threads or threads == self.threads:
            return list(homes)
        self.threads, result = threads, list(homes)
        most = -(-len(homes) // sum(threads.values()))
        room = {a: most * threads[a] for a in sorted(threads)}
        moved = []
        for q, address in enumerate(homes):
            if room.get(address, 0) > 0:
                room[address] -= 1
            else:
                moved.append(q)
        for q in moved:
            result[q] = max(room, key=lambda a: room[a])
            room[result[q]] -= 1
        self._run_on_all(forget, run, dict(enumerate(result)), on_error="ignore")
        return result

    # ---------------------------------------------------------------- tasks

    def perform(self, tasks: Sequence[Any], homes: Sequence[str]) -> list[Any]:
        """Perform tasks, each at the home of its partition if possible."""
        with self._asking():
            futures = [self._submit(task, [homes[task.partition]]) for task in tasks]
            while stuck := self._wait(futures):
                for k in stuck:
                    futures[k] = self._submit(tasks[k], None)
            for future in futures:
                if future.status == "error":
                    raise self._translated(future.exception())
            outcomes: list[Any] = self.client.gather(futures)
        return outcomes

    def _submit(self, task: Any, workers: list[str] | None) -> Any:
        """Send a task, with a name that can be read on the pages of the scheduler."""
        self._tasks += 1
        key = f"zermelo-{task.title}-partition-{task.partition}-{task.run}-{self._tasks}"
        return self.client.submit(
            perform, task, key=key, workers=workers,
            allow_other_workers=workers is not None, pure=False,
        )  # fmt: skip

    def _wait(self, futures: Sequence[Any]) -> list[int]:
        """Wait for tasks; without any worker, not forever.

        Return those that the scheduler will give to no worker: if all workers are lost at a time,
        it keeps tasks for the lost ones even when there are others again. A task that was just
        sent, or has just been performed, is with no worker either. So only those count that two
        looks in a row find so.
        """
        from distributed import wait

        alone_since, suspects = None, set[int]()
        while True:
            try:
                with self.client.as_current():
                    wait(futures, timeout=LOOK_SECONDS)
                return []
            except TimeoutError:
                if self.client.status != "running":
                    raise self._gone() from None
            given = self.client.processing()
            if given:
                alone_since = None
                keys = {key for assigned in given.values() for key in assigned}
                pending = {k for k, future in enumerate(futures) if future.status == "pending"}
                unassigned = {k for k in pending if futures[k].key not in keys}
                if unassigned == pending and (stuck := unassigned & suspects):
                    return sorted(stuck)
                suspects = unassigned
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > WAIT_SECONDS:
                raise JobError(
                    f"{self.address}: this scheduler has had no worker for {WAIT_SECONDS:.0f} "
                    "seconds; the same command goes on when there are workers again"
                )
            tell(self.tick, 0, 0, "waiting for a worker")

    def check(self, run: str, job: Job, needed: int) -> None:
        """Refuse workers with another version, other files, or too little memory."""
        location = job.location
        answers = self._run_on_all(describe, run, location.parent, location.name)
        for address, (version, sees, _) in answers.items():
            if version != __version__:
                raise JobError(
                    f"{address}: this worker has zermelo {version}, the driver has {__version__}; "
                    "install the same version on all machines"
                )
            if not sees:
                raise JobError(
                    f"{address}: this worker does not see the directory {location.parent}/"
                    f"{location.name}; the directory of a job (workdir) must be shared by all "
                    "machines, or be a URL, and if its path is another one on a machine, "
                    f"{WORKDIR} must name it there"
                )
        limits = [limit for _, _, limit in answers.values()]
        if all(limits) and sum(limits) < needed:
            raise MemoryLimitError(
                f"the states and moves of this game need about {show_size(needed)}, the "
                f"{len(limits)} workers have {show_size(sum(limits))} together; add workers, or "
                "solve it on one machine with engine='disk'"
            )

    def memory(self) -> int:
        """The memory of the smallest worker for each of its threads; 0 if there is no limit."""
        answers = self._run_on_all(describe, "", "", "")
        limits = [answer[2] // self.threads.get(a, 1) for a, answer in answers.items()]
        return min(limits, default=0)

    def all_agree(self, function: Callable[..., bool], *args: Any) -> bool:
        """Whether a function gives True on all workers."""
        return all(self._run_on_all(function, *args).values())

    def _run_on_all(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What a function gives on each worker, by the address of the worker."""
        with self._asking():
            return self.client.run(function, *args, **options)

    def forget(self, run: str) -> set[str]:
        """Let all workers remove a run from their memory; return the files that they know."""
        if self.client.status != "running":
            return set()
        answers = self._run_on_all(forget, run, on_error="ignore")
        return {name for names in answers.values() for name in names}

    # ---------------------------------------------------------------- errors

    def _gone(self) -> JobError:
        return JobError(
            f"{self.address}: the scheduler ended, or cannot be reached any more; start a cluster "
            "again, then the same command goes on from the last snapshot"
        )

    def _translated(self, error: Any) -> BaseException:
        """The error of a task in the words of this program."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return JobError(
                f"{self.address}: several workers ended while they worked on the same partition, "
                "perhaps because memory did not suffice; with more memory for each worker or more "
                "partitions the same command goes on"
            )
        if isinstance(error, ImportError):
            return JobError(f"{self.address}: a worker lacks a package: {error}; install zermelo "
                            "on the scheduler and on all workers")  # fmt: skip
        if isinstance(error, OSError) and not isinstance(error, ZermeloError):
            return JobError(f"{self.address}: a worker cannot use the files of the job: {error}")
        assert isinstance(error, BaseException)
        return error

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn a lost connection into one sentence."""
        try:
            yield
        except ZermeloError:
            raise
        except ImportError as error:
            raise self._translated(error) from None
        except (OSError, CancelledError, TimeoutError) as error:
            raise self._gone() from error
        except (RuntimeError, ValueError) as error:
            if self.client.status == "running":
                raise
            raise self._gone() from error


@contextlib.contextmanager
def connect(scheduler: Any, tick: Tick = None, memory: int = 0) -> Iterator[Connection]:
    """Connect to a scheduler, by its address or a Dask client; None starts a local cluster."""
    try:
        import distributed
    except ImportError:
        raise MissingDependencyError(
            "the engine 'dask' needs the package distributed; install it with "
            "pip install 'zermelo[cluster]'"
        ) from None
    if isinstance(scheduler, distributed.Client):
        yield Connection(scheduler, tick)
        return
    if scheduler is not None and not isinstance(scheduler, str):
        raise InvalidOptionError(
            "scheduler: expected an address such as 'tcp://host:8786' or a dask client, "
            f"got {shown(scheduler)}"
        )
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet())
        address = scheduler
        if address is None:
            address = stack.enter_context(local_cluster(memory=memory))
        client = stack.enter_context(_client(address))
        yield Connection(client, tick)


@contextlib.contextmanager
def _client(address: str) -> Iterator["Client"]:
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="zermelo")
    except (OSError, TimeoutError):
        raise JobError(
            f"scheduler: nothing answers at {address}; start a scheduler with dask scheduler, and "
            "workers with dask worker ADDRESS"
        ) from None
    except (ValueError, TypeError, RuntimeError) as error:
        raise InvalidOptionError(
            f"scheduler: expected an address such as 'tcp://host:8786', got {address!r} ({error})"
        ) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=2)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the log of the cluster library away; what matters becomes an error of ours."""
    names = [n for n in logging.root.manager.loggerDict if n.split(".")[0] == "distributed"]
    if os.environ.get("ZERMELO_DEBUG") == "1":
        names = []
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
