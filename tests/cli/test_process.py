"""As the system sees it: pipes that break, full disks, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest
from tests.interrupts import start
from tests.limits import HANG

from zermelo.cli.main import explain

COMMAND = [sys.executable, "-m", "zermelo"]


@pytest.fixture
def long_path(tmp_path):
    """A table of this graph fills any pipe."""
    path = tmp_path / "path.txt"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(20_000)))
    return path


@pytest.mark.slow("options0")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_closes_the_pipe(long_path, options):
    child = subprocess.Popen(
        [*COMMAND, "solve", str(long_path), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 141


def test_a_reader_that_was_never_there(game):
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([*COMMAND, "solve", str(game)], stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk(game):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "solve", str(game)], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (2, "zermelo: no space left on device\n")


def test_names_that_the_output_cannot_spell(process, tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("ä ö\n", encoding="utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("solve", path, env=env, check=0)
    assert done.stdout.splitlines()[1] == "\\xe4\tWIN\t1\t\\xf6"


@pytest.mark.sampled(cases=6)
@pytest.mark.slow(
    ">&--standard output is closed-info {}",
    ">/dev/full-no space left on device-solve {}",
    ">/dev/full-no space left on device-trace {}",
)
@pytest.mark.parametrize(
    "call",
    ["solve {}", "solve {} --json", "info {}", "grundy {}", "--help", "games", "solvers --json",
     "convert {} - --to json", "trace {}", "solve {} -o - --to json", "draw {} -"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("stream", "message"),
    [(">&-", "standard output is closed"), (">/dev/full", "no space left on device")],
)
def test_output_that_cannot_be_written(game, call, stream, message):
    if "full" in stream and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    line = f'exec "{sys.executable}" -m zermelo {call.format(game)} {stream}'
    done = subprocess.run(line, shell=True, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, f"zermelo: {message}\n")


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_failures_without_a_stream_for_messages(tmp_path, stream):
    line = f'exec "{sys.executable}" -m zermelo solve nothing.txt {stream}'
    done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
    assert list(tmp_path.iterdir()) == []


def test_standard_input_may_be_closed(tmp_path):
    line = f'exec "{sys.executable}" -m zermelo solve - <&-'
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "zermelo: standard input is closed\n")


def test_standard_output_may_be_closed(game):
    done = subprocess.run(
        f'exec "{sys.executable}" -m zermelo solve "{game}" --quiet --verify >&-',
        shell=True, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unreadable_file(process, game):
    game.chmod(0)
    if os.access(game, os.R_OK):
        pytest.skip("this user may read everything")
    done = process("solve", game)
    assert (done.returncode, done.stderr) == (2, f"zermelo: {game}: permission denied\n")


def interrupt(child, ready):
    """Wait until the command is at work, then press Ctrl-C."""
    for _ in range(3000):
        if ready() or child.poll() is not None:
            break
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    return child.communicate(timeout=HANG)


def started(child):
    """Whether the command itself runs, and not only Python's start: it has read its input."""
    try:
        with open(f"/proc/{child.pid}/io") as file:
            read = next(int(line.split()[1]) for line in file if line.startswith("rchar"))
    except (OSError, StopIteration):
        return False
    return read > 40_000_000


DEFINING = """
import zermelo.cli.main as command
def work(**_):
    exec("raise KeyboardInterrupt")
command.cli.main = work
command.main()
"""


def test_interrupted_while_code_runs_that_was_given_as_text(tmp_path):
    """A new dataclass is made by such code, and Python would end by a signal."""
    (tmp_path / "defining.py").write_text(DEFINING)
    line = [sys.executable, "-m", "defining"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "zermelo: interrupted\n")


def test_interrupted_while_a_class_names_its_members():
    class Interrupted:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    with pytest.raises((RuntimeError, KeyboardInterrupt)) as caught:
        type("Owner", (), {"member": Interrupted()})
    assert explain(caught.value) == (130, "interrupted")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="needs Linux's /proc")
def test_interrupted_while_it_works(tmp_path):
    big, out = tmp_path / "big.txt", tmp_path / "out.json"
    with big.open("w") as file:
        for block in range(100):
            file.writelines(f"{v} {v + 1}\n" for v in range(block * 30_000, (block + 1) * 30_000))
    assert big.stat().st_size > 40_000_000
    child = start(
        [*COMMAND, "solve", str(big), "--output", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    stdout, stderr = interrupt(child, lambda: started(child))
    assert (child.returncode, stderr, stdout) == (130, "zermelo: interrupted\n", "")
    assert [p.name for p in tmp_path.iterdir()] == ["big.txt"]


def test_interrupted_while_it_waits_for_input(tmp_path):
    child = start(
        [*COMMAND, "solve", "-", "--output", str(tmp_path / "out.json")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(b"a b\n" * 500_000)  # more than a pipe holds: this returns when it is read
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=HANG)
    assert (child.returncode, stderr) == (130, b"zermelo: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("package", "end"),
    [("click", (-signal.SIGINT, "")), ("numpy", (130, "zermelo: interrupted\n"))],
)
@pytest.mark.parametrize(
    "command", [["-c", "from zermelo_command import main; main()"], ["-m", "zermelo"]]
)
def test_interrupted_while_it_is_imported(tmp_path, command, package, end):
    """Before the command line is read the process just ends, later it says why; no traceback."""
    slow = tmp_path / package
    slow.mkdir()
    slow.joinpath("__init__.py").write_text(
        "import time\nprint('here', flush=True)\ntime.sleep(60)"
    )
    child = start(
        [sys.executable, *command, "solve", "-"], env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "here\n"
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=HANG)
    assert (child.returncode, stderr) == end


def test_importing_the_library_leaves_signal_handlers_alone():
    code = """
import signal
before = signal.getsignal(signal.SIGINT)
import zermelo, zermelo_command, zermelo.cli.main
print(signal.getsignal(signal.SIGINT) is before is signal.default_int_handler)
"""
    child = start([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.communicate(timeout=HANG)[0] == "True\n"


def test_an_ignored_interrupt_stays_ignored():
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.argv = ["zermelo", "--version"]
from zermelo_command import main
try:
    main()
finally:
    print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[1:]) == (0, ["True"])
