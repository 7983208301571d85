"""A cluster on this machine for one job, in processes of its own.

``python -m zermelo.engines.cluster.local_cluster WORKERS MEMORY`` starts a Dask scheduler and its
workers, writes the address of the scheduler to its standard output, and ends when its standard
input ends. So the cluster ends with the process that started it, in whatever way that ends. A
cluster in a process of its own also works for scripts that do not guard their main program.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from zermelo._runtime.threads import thread_count
from zermelo.errors import JobError

SHUTDOWN_SECONDS = 30.0
"""How long the processes have to end."""


@contextlib.contextmanager
def local_cluster(workers: int | None = None, memory: int = 0) -> Iterator[str]:
    """Start a cluster with one thread for each worker; give the address of its scheduler.

    ``memory`` is what each worker may use; 0 means no limit.
    """
    count = thread_count() if workers is None else workers
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo.engines.cluster.local_cluster", str(count), str(memory)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise JobError(
                    "the local cluster could not be started; start one with dask scheduler and "
                    "dask worker to see why, and name its address (scheduler)"
                )
            yield address
        finally:
            with contextlib.suppress(OSError):
                process.stdin.close()
            try:
                process.wait(SHUTDOWN_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def main() -> None:
    """Run a cluster until the standard input ends."""
    from distributed import LocalCluster

    workers, memory = int(sys.argv[1]), int(sys.argv[2])
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
        dashboard_address=None, memory_limit=memory,
    ) as cluster:  # fmt: skip
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
