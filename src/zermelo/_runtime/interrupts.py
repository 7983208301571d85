"""Work that an interrupt must not stop halfway, and work that does not react to interrupts.

Python delivers signals to the main thread. An exception in the midst of an import or of the
compiler would leave both in a state that no later call can use, and machine code does not react at
all. So such work is done in another thread, and the main thread waits for it. If an
interrupt ends the wait, the work goes on to its end.
"""

import contextvars
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

R = TypeVar("R")


def run_apart(job: Callable[[], R]) -> R:
    """What a job gives or raises; the main thread lets another one do it.

    >>> run_apart(lambda: 6 * 7)
    42
    """
    if threading.current_thread() is not threading.main_thread():
        return job()
    ended: SimpleQueue[tuple[R | None, BaseException | None]] = SimpleQueue()

    def run_and_report() -> None:
        try:
            ended.put((job(), None))
        except BaseException as error:
            ended.put((None, error))

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(run_and_report,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no thread can start, for instance because the interpreter ends
        return job()
    value, error = ended.get()
    if error is not None:
        raise error
    return value  # type: ignore[return-value]
