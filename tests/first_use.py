"""What ``test_first_use`` runs in fresh processes; the first word says what."""

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import zermelo as zm

EXPECTED = ("266 268 160", "16 14 0", "1/2")


def job(number):
    """The three answers, in an order that depends on the number."""
    found = {}
    for k in range(3):
        kind = (k + number) % 3
        if kind == 0:
            with tempfile.TemporaryDirectory() as folder:
                zm.build(zm.game("connect3:3x3"), Path(folder) / "t.zt").close()
                with zm.Table(Path(folder) / "t.zt") as table:
                    counts = table.counts()
            found[kind] = f"{counts['win']} {counts['lose']} {counts['tie']}"
        elif kind == 1:
            moves = [(v, (7 * v + k * k) % 30) for v in range(30) for k in range(3)]
            graph = zm.Graph.from_edges(moves, n=30, owner=[v & 1 for v in range(30)])
            solution = zm.solve(graph, zm.Reach([0, 1])).verify()
            winners = solution.winner.tolist()
            found[kind] = " ".join(str(winners.count(x)) for x in (0, 1, -1))
        else:
            found[kind] = str(zm.value("{0|1}"))
    return tuple(found[kind] for kind in range(3))


def is_right(number):
    """Whether the answers are the expected ones; what differs is printed on stderr."""
    found = job(number)
    if found != EXPECTED:
        print(number, found, file=sys.stderr)
    return found == EXPECTED


def work(number):
    """A child's work."""
    sys.exit(0 if is_right(number) else 1)


def agree(start, first):
    """Threads and processes do the same at once."""
    if first == "kernels":  # all modules are there, and the threads begin with the compiler
        is_right(0)
        os.environ["ZERMELO_KERNELS"] = "compile"
    right = []
    threads = [
        threading.Thread(target=lambda k=k: right.append(is_right(k)), daemon=True)
        for k in range(4)
    ]
    for thread in threads:
        thread.start()
    context = multiprocessing.get_context(start)
    many = 3 if start == "fork" else 1  # one that is spawned compiles all for itself
    children = [context.Process(target=work, args=(k,)) for k in range(many)]
    for child in children:
        time.sleep(0.02)
        child.start()
    for thread in threads:
        thread.join()
    for child in children:
        child.join()
    print("threads", right)
    print("children", [child.exitcode for child in children])


def lost():
    """The child of a fork that could not wait for the compiler."""
    from zermelo._runtime import forks

    forks.MAX_WAIT_SECONDS = forks.MAX_COMPILER_WAIT_SECONDS = 0.0
    begun, end = threading.Event(), threading.Event()

    def hold():
        with forks.compiler:
            begun.set()
            end.wait()

    threading.Thread(target=hold, daemon=True).start()
    begun.wait()
    child = multiprocessing.get_context("fork").Process(target=work, args=(0,))
    child.start()
    child.join()
    print("child", child.exitcode)
    end.set()


MOMENTS = ("numba", "llvmlite.binding", "numba.core.types", "numba.core.typing", "compiling")
"""When an interrupt comes: at the import of a module, or when the compiler begins."""


def interrupt():
    """Interrupts at moments of the first compiled call; then the call must work."""
    for moment in MOMENTS:
        child = os.fork()
        if child == 0:
            status = 3
            try:
                os.environ["ZERMELO_CACHE_DIR"] += f"/{moment}"
                status = 0 if works_after_interrupt(moment) else 1
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        if status:
            print(moment, os.waitstatus_to_exitcode(status))
            return
    print("ok")


def works_after_interrupt(moment):
    """Whether a call is interrupted, and the same call works afterwards."""
    from zermelo._runtime.progress import listen

    graph = zm.Graph.from_edges([(v, (v * 7 + 1) % 50) for v in range(49)])
    sent = []

    def send():
        if not sent:
            sent.append(None)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == moment:
                send()

    sys.meta_path.insert(0, Finder())
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with listen(lambda message: send() if moment == "compiling" else None):
            zm.solve(graph)
    except KeyboardInterrupt:
        return bool(zm.solve(graph).verify())
    return False


def imported(folder):
    """A module solves its own rules while it is imported, so its import waits for the compiler."""
    sys.path.insert(0, folder)
    import solves_at_import

    counts = solves_at_import.counts
    print(counts["lose"], counts["win"])


JOBS = {"agree": agree, "lost": lost, "interrupt": interrupt, "imported": imported}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
