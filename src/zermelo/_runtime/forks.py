"""Forks and interrupts while the compiler or another thread is at work: nothing stays half done.

A fork copies the memory of all threads and goes on with one of them. What another thread was
changing stays half changed in the child, and a lock that another thread held stays locked. So a
fork first takes the locks of this package, waits until no other thread imports a module that this
package may need, and then copies. It waits MAX_WAIT_SECONDS at most, since what it waits for may
wait for the thread that forks. A child of a fork that could not wait interprets kernels if the
compiler was at work, and refuses an object that was in use.

Python prints an error in a hook of a fork and forks all the same. So the handlers of signals, which
may raise KeyboardInterrupt, run only when the hooks have ended.

Python delivers signals to the main thread. An exception in the middle of an import or of the
compiler would leave both in a state that no later call can use, and machine code does not react to
signals at all. So :func:`run_apart` does such work in another thread, and the main thread waits for
it. If an interrupt ends the wait, the work goes on to its end.

Modules of Python that take locks of their own at a fork are imported here first: Python calls their
hooks after ours then, and nothing that we wait for waits for these locks.
"""

import _imp
import _thread
import contextvars
import functools
import importlib._bootstrap as bootstrap
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import thread  # noqa: F401  it takes a lock at a fork, as logging does
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from zermelo.errors import ForkError

R = TypeVar("R")

MAX_WAIT_SECONDS = 60.0
"""Seconds that a fork waits for what other threads do with the compiler or an object."""

POLL_SECONDS = 0.005
"""Seconds after which a thread that waits looks again."""

MAX_COMPILER_WAIT_SECONDS = 1.0
"""Seconds that a fork waits for the compiler before it gives back what else it has taken."""

IMPORTED = sys.stdlib_module_names | {
    "zermelo", "numpy", "numba", "llvmlite", "scipy", "click", "rich", "zstandard", "matplotlib",
    "networkx", "pyarrow", "cloudpickle", "distributed", "fsspec",
}  # fmt: skip
"""The packages whose imports a fork waits for. Others are a user's, and their import may wait for
the thread that forks."""


class Holder(Protocol):
    """An object that threads share; they hold its lock while they change it."""

    lock: Any


class _Lost:
    """The lock of an object that another thread was changing when the process forked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        raise ForkError(
            f"{self.name} cannot be used in this process: another thread was using it when the "
            "process was forked; fork before threads start, or start processes by spawn"
        )

    def __exit__(self, *_: object) -> None:
        """Nothing is held."""


class _Compiler:
    """The compiler of this process, which one thread at a time may use."""

    def __init__(self) -> None:
        self.lock: Any = threading.RLock()
        self.lost = False
        """Whether this process was forked while another thread compiled."""
        self._of_thread = threading.local()

    def __enter__(self) -> None:
        held: list[Any] = self._of_thread.__dict__.setdefault("held", [])
        lock = self.lock
        lock.__enter__()
        while _forking and not held:  # threads that compile in turn would keep a fork waiting
            lock.__exit__(None, None, None)
            time.sleep(POLL_SECONDS)
            lock.__enter__()
        held.append(lock)

    def __exit__(self, *_: object) -> None:
        self._of_thread.held.pop().__exit__(None, None, None)


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
    worker = threading.Thread(target=context.run, args=(run_and_report,), daemon=True)
    try:
        worker.start()
    except RuntimeError:  # no thread can start, for instance because the interpreter ends
        return job()
    value, error = ended.get()
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


class _Fork(threading.local):
    """What a thread that forks has taken."""

    def __init__(self) -> None:
        self.taken: list[tuple[Any, Any]] = []
        """Holders and their locks."""
        self.imports = False
        """Whether it has Python's lock of all imports."""


_fork = _Fork()
_forking: set[int] = set()
"""The threads that fork and wait for the compiler alone."""
_handlers: dict[int, Any] = {}
"""The handlers of the signals that the main thread only notes while it forks."""
_signals: list[int] = []
"""The signals that came meanwhile."""
_holders: dict[int, tuple["weakref.ref[Any]", str]] = {}
"""The objects of which a fork takes the locks, by identity, and their names for people."""


def keep_whole(holder: Holder, name: str) -> None:
    """Let forks wait for the lock of an object, and give it a new lock in the child.

    ``name`` is what the object is called where it is lost.

    >>> class Counter:
    ...     def __init__(self):
    ...         self.lock = threading.RLock()
    ...         keep_whole(self, "the counter")
    >>> with Counter().lock:
    ...     pass
    """
    key = id(holder)
    forget = _holders.pop  # the global name may be gone when the interpreter shuts down
    _holders[key] = weakref.ref(holder, lambda _: forget(key, None)), name


compiler = _Compiler()


def _alive() -> list[tuple[Any, str]]:
    """The objects whose locks a fork takes; the compiler last, which is used inside the others."""
    found = ((reference(), name) for reference, name in list(_holders.values()))
    return [*(x for x in found if x[0] is not None), (compiler, "the compiler")]


def _others_import() -> bool:
    """Whether another thread imports a module that a fork waits for."""
    me = threading.get_ident()
    for name, reference in list(bootstrap._module_locks.items()):  # type: ignore[attr-defined]
        lock = reference()  # it exists only while somebody imports the module
        if lock is not None and lock.owner != me and name.partition(".")[0] in IMPORTED:
            return True
    return False


def _take(*, last: bool = False) -> bool:
    """Take everything; if something is not free, go on only if this is the last attempt."""
    for holder, _ in _alive():
        lock = holder.lock
        if isinstance(lock, _Lost):
            continue
        if holder is compiler:
            _forking.add(threading.get_ident())
        seconds = MAX_COMPILER_WAIT_SECONDS if holder is compiler else POLL_SECONDS
        if lock.acquire(timeout=0 if last else seconds):
            _fork.taken.append((holder, lock))
        elif not last:
            return False
    _imp.acquire_lock()  # no import begins from here on
    _fork.imports = True
    return not _others_import()


def _give_back() -> None:
    _forking.discard(threading.get_ident())
    while _fork.taken:
        _fork.taken.pop()[1].release()
    if _fork.imports:
        _fork.imports = False
        _imp.release_lock()


def _hold_signals() -> None:
    """Note signals from now on, and do not call their handlers; only the main thread does that."""
    if threading.current_thread() is threading.main_thread():
        for number in signal.valid_signals():
            if number not in _handlers and callable(handler := signal.getsignal(number)):
                _handlers[number] = handler
                signal.signal(number, lambda number, _: _signals.append(number))


def _before() -> None:
    _hold_signals()
    begun = time.monotonic()
    # Nothing is held while this thread sleeps: what it waits for may wait for what it holds.
    while not _take():
        _give_back()
        if time.monotonic() - begun > MAX_WAIT_SECONDS:
            _take(last=True)
            return
        time.sleep(POLL_SECONDS)


def _restore_handlers() -> None:
    while _handlers:
        signal.signal(*_handlers.popitem())


def _after_in_parent() -> list[None]:
    _give_back()
    came: list[Any] = []
    if threading.current_thread() is threading.main_thread():
        _restore_handlers()
        came, _signals[:] = _signals[:], []
    # Python calls no handler between the extension of a list and the end of a function. So these
    # signals are handled in the thread that forks, after the hook.
    return [*map(_thread.interrupt_main, came)]


def _after_in_child() -> None:
    taken = {id(holder) for holder, _ in _fork.taken}
    for holder, name in _alive():
        if id(holder) in taken:
            holder.lock = threading.RLock()
        elif not isinstance(holder.lock, _Lost):
            holder.lock = _Lost(name)
            compiler.lost = compiler.lost or holder is compiler
    _fork.taken.clear()
    _forking.clear()
    _restore_handlers()
    _signals.clear()  # they were sent to the parent
    if _fork.imports and _imp.lock_held():
        _imp.release_lock()
    _fork.imports = False
    if sys.version_info < (3, 12):
        _renew_cached_properties()


def _renew_cached_properties() -> None:
    """Python 3.11 has one lock for a cached property of all objects of a class."""
    for name, module in list(sys.modules.items()):
        if name.startswith("zermelo"):
            kinds = (kind for kind in list(vars(module).values()) if isinstance(kind, type))
            for member in (x for kind in kinds for x in list(vars(kind).values())):
                if isinstance(member, functools.cached_property):
                    member.lock = threading.RLock()  # type: ignore[attr-defined]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child
    )
