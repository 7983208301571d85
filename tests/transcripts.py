"""Pages that are transcripts: what they show is run, in order, and compared line by line.

A page has three kinds of blocks; all blocks of a page share one directory.

* ``text title="game.txt"`` is a file: it is written with this content. Any language will do.
* ``console`` is a shell: after each line ``$ command`` come the lines that it shows on
  a terminal. A last line ``[status 2]`` is the exit status, if that is not 0. A command may go on
  in lines that begin with ``> ``.
* ``pycon`` is Python: ``>>>`` and ``...``, and what is printed. All of them are one session.

``…`` stands for any text in a line, and for any lines if it is alone in a line. It is for times,
directories, and for what would be too long.

``python -m tests.transcripts docs/uses/graph.md`` runs a page and writes the lines that it got into
it; lines of the page that agree, with their ``…``, stay.
"""

import contextlib
import doctest
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(
    r'^( *)```(\w+)(?: title="([^"]+)")?[^\n]*\n(.*?)^\1```$', re.MULTILINE | re.DOTALL
)
TIME = re.compile(r"(?:under )?\b\d[\d.,]* (?:ms|s|min)\b")
"""A time, which differs from run to run."""
SECONDS = 120
"""A command that takes longer is stopped, and fails."""


class Step(NamedTuple):
    """A command, or an example in Python: its source lines, and the lines that follow it."""

    source: str
    lines: list[str]


def steps(text: str, first: str, more: str) -> list[Step]:
    """The commands of a block with the lines that they print."""
    found: list[Step] = []
    for line in text.splitlines():
        if line.startswith(first + " "):
            found.append(Step(line, []))
        elif found and not found[-1].lines and (line == more or line.startswith(more + " ")):
            found[-1] = Step(f"{found[-1].source}\n{line}", [])
        elif found:
            found[-1].lines.append(line)
        elif line.strip():
            raise ValueError(f"a block begins with {line!r}, expected {first!r}")
    return found


def agree(expected: list[str], got: list[str]) -> bool:
    """Whether lines are as expected; ``…`` stands for any text, or alone for any lines."""
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split("…"))) + "\n"
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in got)) is not None


def shell(command: str, folder: Path) -> list[str]:
    """The lines that a command shows on a terminal, with its exit status if that is not 0."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    terminal, end = pty.openpty()
    child = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=end, stderr=end,
        env={
            **os.environ, "PATH": path, "COLUMNS": "100", "LINES": "50", "TERM": "dumb",
            "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8",
        },
    )  # fmt: skip
    os.close(end)
    stop = threading.Timer(SECONDS, child.kill)
    stop.start()
    output = b""
    with contextlib.suppress(OSError):  # the terminal is gone when nobody writes to it any more
        while part := os.read(terminal, 2**16):
            output += part
    os.close(terminal)
    status = child.wait()
    stop.cancel()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode().replace("\r\n", "\n"))
    lines = [line.rpartition("\r")[2] for line in text.splitlines()]
    return [*lines, f"[status {status}]"] if status else lines


class Session:
    """One session of Python in which the blocks of a page run."""

    def __init__(self) -> None:
        self.names: dict[str, object] = {"__name__": "__main__"}

    def run(self, source: str) -> list[str]:
        """The lines that an example prints; of an error, the last line as doctest has it."""
        got: list[str] = []
        code = "\n".join(line[4:] for line in source.splitlines())
        example = doctest.Example(code, "")
        test = doctest.DocTest([example], self.names, "page", None, 0, None)

        class Runner(doctest.DocTestRunner):
            def report_failure(self, out, test, example, text):
                got.extend(text.splitlines())

            def report_unexpected_exception(self, out, test, example, info):
                name = f"{info[0].__module__}.{info[0].__qualname__}".removeprefix("builtins.")
                got.extend(["Traceback (most recent call last):", "…", f"{name}: {info[1]}"])

        Runner(verbose=False).run(test, out=lambda text: None, clear_globs=False)
        self.names = test.globs
        return got


def run_page(path: Path) -> tuple[list[str], str]:
    """Run a page: what differs, and the page with the lines that it got."""
    text = path.read_text()
    wrong: list[str] = []
    session = Session()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        sys.path.insert(0, name)
        modules = set(sys.modules)
        try:

            def run(match: re.Match[str]) -> str:
                indent, language, title, body = match.groups()
                if title:
                    folder.joinpath(title).write_text(body)
                    return match[0]
                if language not in ("console", "pycon"):
                    return match[0]
                first, more = ("$", ">") if language == "console" else (">>>", "...")
                lines = []
                for step in steps(body, first, more):
                    if language == "console":
                        command = "\n".join(line[2:] for line in step.source.splitlines())
                        got = shell(command, folder)
                    else:
                        got = session.run(step.source)
                    expected = step.lines
                    while (
                        expected and not expected[-1].strip() and not (got and not got[-1].strip())
                    ):
                        expected = expected[:-1]
                    if not agree(expected, got):
                        wrong.append(
                            f"{path.name}: {step.source}\nexpected\n"
                            + "\n".join(expected)
                            + "\ngot\n"
                            + "\n".join(got)
                        )
                        expected = [TIME.sub("…", line).rstrip() for line in got]
                    lines += [step.source, *expected]
                return (
                    f"{indent}```{language}\n" + "".join(f"{x}\n" for x in lines) + f"{indent}```"
                )

            text = BLOCK.sub(run, text)
        finally:
            os.chdir(before)
            sys.path.remove(name)
            for module in set(sys.modules) - modules:
                if str(getattr(sys.modules[module], "__file__", "")).startswith(name):
                    del sys.modules[module]
    return wrong, text


if __name__ == "__main__":
    for name in sys.argv[1:]:
        differences, page = run_page(Path(name))
        for difference in differences:
            print(difference, end="\n\n")
        Path(name).write_text(page)
