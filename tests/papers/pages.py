"""Commands that a page shows, run in this process from the top folder of the repository.

``python -m tests.papers.pages docs/errata.md`` writes what the commands print into a page.
"""

import os
import re
import shlex
import sys
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from tests.transcripts import agree, steps
from zermelo.cli.main import cli

ROOT = Path(__file__).parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIABLES = dict.fromkeys(("ZERMELO_DEBUG", "ZERMELO_MEMORY", "FORCE_COLOR", "COLUMNS"))


def run(command: str) -> tuple[int, str, str]:
    """The exit status of a command ``zermelo …``, what it prints, and its message if it fails."""
    name, *arguments = shlex.split(command)
    assert name == "zermelo", command
    assert not set(arguments) & {"|", ">", "<"}, f"{command}: expected no pipe, for any shell"
    with chdir(ROOT):
        done = CliRunner(env=VARIABLES).invoke(cli, arguments, prog_name="zermelo")
    return done.exit_code, done.stdout, done.stderr


def shown(command: str) -> list[str]:
    """The lines that a page shows after a command."""
    status, out, message = run(command)
    lines = [*out.splitlines(), *message.splitlines()]
    return [*lines, f"[status {status}]"] if status else lines


def check(text: str) -> tuple[list[str], str]:
    """What differs in the console blocks of a page, and the page as it should be."""
    wrong: list[str] = []

    def again(match: re.Match[str]) -> str:
        lines: list[str] = []
        for step in steps(match[1], "$", ">"):
            got = shown("".join(line[2:] for line in step.source.split("\n")))
            if not agree(step.lines, got):
                wrong.append("\n".join([step.source, *step.lines, "got", *got]))
                lines += [step.source, *got]
            else:
                lines += [step.source, *step.lines]
        return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

    return wrong, CONSOLE.sub(again, text)


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    for name in sys.argv[1:]:
        differences, page = check(Path(name).read_text())
        print("\n\n".join(differences))
        Path(name).write_text(page)
