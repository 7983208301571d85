"""Three ways to run the command: in this process, in one of its own, and on a terminal."""

import os
import pty
import subprocess
import sys

import pytest
from click.testing import CliRunner

from zermelo.cli.main import cli

COMMAND = [sys.executable, "-m", "zermelo"]

GAME = "a b\nb a\na t\nb c\nc d\nd c\nc a\n"
"""Under normal play: a WIN in 1 by t, t LOSE in 0, b c d DRAW."""


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in ("ZERMELO_DEBUG", "ZERMELO_MEMORY", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run():
    """Run the command in this process, in a pipe as far as it can tell."""

    def call(*args, stdin=None):
        return CliRunner().invoke(cli, [str(x) for x in args], input=stdin, prog_name="zermelo")

    return call


@pytest.fixture
def process():
    """Run the command in a process of its own."""

    def call(*args, stdin="", check=None, **options):
        done = subprocess.run(
            [*COMMAND, *map(str, args)], input=stdin, capture_output=True, text=True, **options
        )
        if check is not None:
            assert done.returncode == check, done.stderr
        return done

    return call


@pytest.fixture
def on_terminal():
    """Run the command on a terminal of 80 columns; gives its exit status and what it shows."""

    def call(*args, columns=80, **variables):
        ours, theirs = pty.openpty()
        env = {**os.environ, "COLUMNS": str(columns), "LINES": "50", "TERM": "xterm", **variables}
        child = subprocess.Popen(
            [*COMMAND, *map(str, args)], stdin=theirs, stdout=theirs, stderr=theirs, env=env
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # Linux says EIO when the other side is closed
                break
            if not part:
                break
            shown += part
        os.close(ours)
        return child.wait(), shown.decode().replace("\r\n", "\n")

    return call


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    return path
