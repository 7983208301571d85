"""Threads that solve at once, forks among them, and interrupts: nothing is seen half done."""

import functools
import importlib
import os
import signal
import sys
import threading
import time
import types

import numpy as np
import pytest

import zermelo as zm
from zermelo._inputs.values import is_masked
from zermelo._runtime import forks, progress
from zermelo._runtime.compiled import source
from zermelo._runtime.compiled.jit import interpreting, kernel
from zermelo._runtime.forks import run_apart
from zermelo._runtime.threads import Team, in_order, thread_count
from zermelo.errors import ForkError
from zermelo.registry.table import Row, Table
from zermelo.rules.loading.load import load_module

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:kernels are interpreted:RuntimeWarning"),
]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def in_child(work):
    """The exit status of a forked process: 0 if the work gives something true in a minute."""
    pid = os.fork()
    if pid == 0:
        status = 2
        try:
            signal.alarm(60)
            status = 0 if work() else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Busy:
    """A thread that does something in steps, of which a test sees the first and allows the last."""

    def __init__(self, work):
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=work, args=(self,))

    def pause(self):
        """Called by the thread, in the midst of its work."""
        self.begun.set()
        assert self.may_end.wait(60)

    def __enter__(self):
        self.thread.start()
        assert self.begun.wait(60)
        return self

    def __exit__(self, *_):
        self.may_end.set()
        self.thread.join()


class Shared:
    """An object that threads change in two steps."""

    def __init__(self):
        self.lock = threading.RLock()
        self.numbers = [0, 0]
        forks.keep_whole(self, "the pair")

    def change(self, busy):
        with self.lock:
            self.numbers[0] += 1
            busy.pause()
            self.numbers[1] += 1

    def is_whole(self):
        with self.lock:
            return self.numbers[0] == self.numbers[1]


def compile_slowly(busy):
    with forks.compiler:
        busy.pause()


# -------------------------------------------------------------------- threads


def test_a_module_that_another_thread_imports_is_not_asked(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy.ma", types.ModuleType("numpy.ma"))
    assert not is_masked(np.arange(3))
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    assert zm.solve(graph, zm.Reach(["t"])).verify().label.tolist()


def test_a_table_of_rows_is_never_seen_half_complete(monkeypatch):
    table = Table("thing", "zermelo.things", (Row("own", "", ""),))
    seen = []

    class Point:
        name, value, dist = "theirs", "theirs:row", None

        def load(self):
            if not seen:  # another thread looks while this one still imports
                seen.append(None)
                other = threading.Thread(target=lambda: seen.append("theirs" in table))
                other.start()
                other.join()
            assert "own" in table  # what is imported may use the table
            return Row("theirs", "", "")

    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Point()])
    assert [row.name for row in table] == ["own", "theirs"]
    assert seen == [None, True]


def test_an_interrupt_leaves_no_table_of_rows_incomplete(monkeypatch):
    table = Table("thing", "zermelo.things", (Row("own", "", ""),))

    def interrupted(group):
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.metadata, "entry_points", interrupted)
    with pytest.raises(KeyboardInterrupt):
        "theirs" in table  # noqa: B015
    point = types.SimpleNamespace(dist=None, value="", name="", load=lambda: Row("theirs", "", ""))
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
    assert "theirs" in table


def test_threads_load_a_file_of_rules_once(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text("import time\ntime.sleep(0.05)\ndef start(): return 3\ndef moves(n): return []")
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(load_module(str(path)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(map(id, found))) == 1
    path.write_text("def start(): return 4\ndef moves(n): return []")
    assert load_module(str(path)).start() == 4


def test_a_text_that_another_thread_reads_again(monkeypatch):
    calls = []

    def lines(file, scope):
        calls.append(file)
        if len(calls) == 1:
            raise KeyError(file)  # as linecache does
        return ["text"]

    monkeypatch.setattr(source.linecache, "getlines", lines)
    assert source._lines("file", {}) == "text"


def test_a_tree_that_python_fails_to_make_while_another_thread_does(monkeypatch):
    parse, failed = source.ast.parse, []

    def fails_once(text, mode):
        if not failed:
            failed.append(text)
            raise SystemError("AST constructor recursion depth mismatch (before=99, after=59)")
        return parse(text, mode=mode)

    monkeypatch.setattr(source.ast, "parse", fails_once)
    assert source.tree_of("3", "eval").body.value == 3


def test_a_listener_hears_of_its_own_job_only():
    told = []

    def compile_elsewhere():
        with progress.compiling("theirs", None):
            pass

    def compile_here():
        with progress.compiling("ours", None):
            pass

    with progress.listen(told.append):
        thread = threading.Thread(target=compile_elsewhere)
        thread.start()
        thread.join()
        run_apart(compile_here)
    assert told == ["compiling ours, it is not kept", None]


@kernel
def note_thread(threads, number):
    threads.append((threading.get_ident(), number))


def test_slices_are_not_interpreted_at_once(monkeypatch):
    """Interpreted kernels work on copies of whole arrays: two at once lose what the other wrote."""
    monkeypatch.setattr(forks.compiler, "lock", forks._Lost("the compiler"))
    monkeypatch.setattr(forks.compiler, "lost", True)
    assert interpreting()
    assert thread_count() == 1
    threads = []
    with Team(4) as team:
        team.run(note_thread, [(threads, k) for k in range(8)])
    assert threads == [(threading.get_ident(), k) for k in range(8)]


# -------------------------------------------------------------------- interrupts


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system has no such signals")
def test_an_interrupt_ends_the_wait_and_not_the_work():
    may_end, ended = threading.Event(), threading.Event()

    def work():
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        assert may_end.wait(60)
        ended.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_apart(work)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(60)


def test_where_no_thread_can_start_the_calling_one_does_all(monkeypatch):
    """So it is when the interpreter ends, or when the user has too many threads."""

    def refuse(*_):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setenv("ZERMELO_THREADS", "2")
    assert run_apart(threading.current_thread) is threading.main_thread()
    done = []
    note = functools.partial(done.append)
    note.compiled = note
    with Team(4) as team:
        team.run(note, [(1,), (2,)])
    assert done == [1, 2]
    assert list(in_order(abs, [-1, 2])) == [1, 2]


def test_errors_and_results_come_back():
    assert run_apart(threading.current_thread) is not threading.main_thread()
    with pytest.raises(ZeroDivisionError):
        run_apart(lambda: 1 // 0)


# -------------------------------------------------------------------- forks


@needs_fork
@pytest.mark.parametrize("what", ["an object", "the compiler", "both"])
def test_a_fork_waits_for_other_threads(what):
    shared = Shared()

    def work(busy):
        if what == "the compiler":
            compile_slowly(busy)
        elif what == "an object":
            shared.change(busy)
        else:
            with shared.lock:
                compile_slowly(busy)

    with Busy(work) as busy:
        threading.Timer(0.05, busy.may_end.set).start()
        assert in_child(lambda: shared.is_whole() and not forks.compiler.lost) == 0
    assert shared.is_whole()
    assert not forks.compiler.lost
    with forks.compiler:  # the parent has given all back
        assert in_child(lambda: True) == 0


@needs_fork
def test_a_fork_that_cannot_wait_makes_a_child_that_knows_it(monkeypatch):
    monkeypatch.setattr(forks, "MAX_WAIT_SECONDS", 0.0)
    monkeypatch.setattr(forks, "MAX_COMPILER_WAIT_SECONDS", 0.0)
    shared, untouched = Shared(), Shared()

    def lost():
        with pytest.raises(ForkError, match="the pair cannot be used in this process: another"):
            shared.is_whole()
        return interpreting() and untouched.is_whole() and in_child(interpreting) == 0

    def work(busy):
        with forks.compiler:
            shared.change(busy)

    with Busy(work):
        assert in_child(lost) == 0
    assert not forks.compiler.lost
    assert shared.is_whole()


@needs_fork
def test_threads_that_compile_in_turn_let_a_fork_go_first():
    end = threading.Event()

    def work(busy):
        busy.begun.set()
        while not end.wait(0.001):
            with forks.compiler:
                end.wait(0.01)

    with Busy(work), Busy(work), Busy(work):
        assert in_child(lambda: not forks.compiler.lost) == 0
        end.set()


@needs_fork
def test_an_interrupt_does_not_end_the_wait_of_a_fork():
    """Python prints an error in a hook of a fork, and forks; so the interrupt comes after it."""
    reader, writer = os.pipe()
    main = threading.main_thread().ident

    def interrupt(busy):
        while main not in forks._forking:
            assert not busy.may_end.wait(0.001)
        signal.pthread_kill(main, signal.SIGINT)
        busy.may_end.set()

    def fork():
        if os.fork() == 0:
            restored = signal.getsignal(signal.SIGINT) is signal.default_int_handler
            os.write(writer, b"%d %d %d" % (os.getpid(), forks.compiler.lost, restored))
            os._exit(0)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Busy(compile_slowly) as busy:
            threading.Thread(target=interrupt, args=(busy,)).start()
            with pytest.raises(KeyboardInterrupt):
                fork()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    child, *found = os.read(reader, 100).split()
    os.waitpid(int(child), 0)
    assert found == [b"0", b"1"]
    with Busy(compile_slowly):  # another thread gets the lock
        pass


@needs_fork
def test_an_interrupt_during_a_fork_leaves_no_lock_taken():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            fork_and_interrupt()
    finally:
        signal.signal(signal.SIGINT, before)
    assert forks._fork.taken == []


def fork_and_interrupt():
    """The hooks of a fork in the parent, with an interrupt between them."""
    forks._before()
    signal.raise_signal(signal.SIGINT)
    forks._after_in_parent()
    time.sleep(0)  # Python handles signals after a call of C


def importing(name, monkeypatch):
    """A thread that is in the midst of an import."""

    def work(busy):
        monkeypatch.setattr(sys, "pause", busy.pause, raising=False)
        importlib.import_module(name)

    return Busy(work)


@needs_fork
def test_a_fork_waits_for_imports(tmp_path, monkeypatch):
    (tmp_path / "of_a_test.py").write_text("import sys\nsys.pause()\nvalue = 3\n")
    monkeypatch.setattr(zm, "__path__", [*zm.__path__, str(tmp_path)])
    name = "zermelo.of_a_test"
    try:
        with importing(name, monkeypatch) as busy:
            threading.Timer(0.05, busy.may_end.set).start()
            assert in_child(lambda: importlib.import_module(name).value == 3) == 0
    finally:
        sys.modules.pop(name, None)


@needs_fork
@pytest.mark.parametrize("name", ["a_module_of_a_test", "numpy_of_a_test", "zermelo_of_a_test"])
def test_a_fork_does_not_wait_for_imports_of_other_modules(tmp_path, monkeypatch, name):
    """They may wait for the thread that forks."""
    (tmp_path / f"{name}.py").write_text("import sys\nsys.pause()\n")
    monkeypatch.syspath_prepend(tmp_path)
    clock = types.SimpleNamespace(monotonic=time.monotonic)  # a fork that waits would sleep
    monkeypatch.setattr(forks, "time", clock)
    with importing(name, monkeypatch):
        assert in_child(lambda: not forks.compiler.lost) == 0
    sys.modules.pop(name, None)


class Slow:
    """An object with a property that is computed once."""

    def __init__(self, busy=None):
        self.busy = busy

    @functools.cached_property
    def value(self):
        """A number; some objects take long to find it."""
        if self.busy is not None:
            self.busy.pause()
        return 3


@needs_fork
def test_properties_that_another_thread_computes(monkeypatch):
    """Python 3.11 has one lock for all objects of a class."""
    monkeypatch.setitem(sys.modules, "zermelo.of_a_test", types.SimpleNamespace(Slow=Slow))
    with Busy(lambda busy: Slow(busy).value):
        assert in_child(lambda: Slow().value == 3) == 0


@needs_fork
def test_forks_of_several_threads_do_not_wait_for_each_other():
    found = []

    def work():
        found.extend(in_child(lambda: not forks.compiler.lost) for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0] * 9
