"""As the system sees it: pipes that break, full disks, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "zermelo"]


@pytest.fixture
def long_path(tmp_path):
    """A table of this graph fills any pipe."""
    path = tmp_path / "path.txt"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(20_000)))
    return path


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_goes_away(long_path, options):
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
    return child.communicate(timeout=120)


def started(child):
    """Whether the command itself runs, and not only Python's start: it has read its input."""
    try:
        with open(f"/proc/{child.pid}/io") as file:
            read = next(int(line.split()[1]) for line in file if line.startswith("rchar"))
    except (OSError, StopIteration):
        return False
    return read > 40_000_000


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="needs Linux's /proc")
def test_interrupted_while_it_works(tmp_path):
    big, out = tmp_path / "big.txt", tmp_path / "out.json"
    with big.open("w") as file:
        for block in range(100):
            file.writelines(f"{v} {v + 1}\n" for v in range(block * 30_000, (block + 1) * 30_000))
    assert big.stat().st_size > 40_000_000
    child = subprocess.Popen(
        [*COMMAND, "solve", str(big), "--output", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    stdout, stderr = interrupt(child, lambda: started(child))
    assert (child.returncode, stderr, stdout) == (130, "zermelo: interrupted\n", "")
    assert [p.name for p in tmp_path.iterdir()] == ["big.txt"]


def test_interrupted_while_it_waits_for_input(tmp_path):
    child = subprocess.Popen(
        [*COMMAND, "solve", "-", "--output", str(tmp_path / "out.json")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(b"a b\n" * 500_000)  # more than a pipe holds: this returns when it is read
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=60)
    assert (child.returncode, stderr) == (130, b"zermelo: interrupted\n")
    assert list(tmp_path.iterdir()) == []
