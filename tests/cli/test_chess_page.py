"""The commands of the page on chess endgames give what the page shows."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "chess.md"
BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


def commands(text):
    """Pairs of a command and what it shows, in the order of the page."""
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def test_commands_of_the_page(tmp_path):
    program = f"{shlex.quote(sys.executable)} -m zermelo"
    count = 0
    for command, shown in commands(PAGE.read_text(encoding="utf-8")):
        line = command.replace("zermelo ", f"{program} ", 1)
        done = subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.stdout + done.stderr == shown, command
        count += 1
    assert count == 12
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg")
