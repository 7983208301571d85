"""Every command of the README works after its install line, in the order of the page."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def commands():
    return [shlex.split(line, comments=True) for block in BLOCKS for line in block.splitlines()]


@pytest.mark.slow
def test_the_commands_of_the_readme(tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert len(commands()) >= 18
    for name, *arguments in commands():
        if arguments[0] == "warm":  # compiles for a minute; its own tests run it
            continue
        done = subprocess.run(
            [sys.executable, "-m", name, *arguments], cwd=tmp_path, input="q\n",
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout or tmp_path.joinpath(arguments[-1]).exists()
    for output in ("lift.sol", "grant.aag", "krk.zt", "board.svg", "big.pg.gz", "misere.json"):
        assert tmp_path.joinpath(output).stat().st_size > 0


def test_the_links_of_the_readme():
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text()):
        assert target.startswith("https://") or (ROOT / target).exists(), target
