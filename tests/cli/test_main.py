"""The group: help, version, and how failures are told."""

import importlib
import re
import subprocess
import sys

import click
import pytest

from zermelo._version import __version__
from zermelo.cli.main import COMMANDS, explain, module_of
from zermelo.errors import CertificateError, FormatError, MemoryLimitError


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(run, args):
    result = run(*args)
    assert result.exit_code == 0
    assert result.stderr == ""
    for name, (_, summary) in COMMANDS.items():
        assert name in result.stdout
        assert summary.split(":")[0] in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_has_a_module(name):
    command = importlib.import_module(module_of(name)).command
    assert command.help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run, name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: zermelo {name}")
    assert max(map(len, result.stdout.splitlines())) <= 100


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_every_option_once(run, name):
    command = importlib.import_module(module_of(name)).command
    sections = re.split(r"^[A-Z][a-z ]+:$", run(name, "--help").stdout, flags=re.MULTILINE)[1:]
    listed = re.findall(r"^  (?:-\w, )?(--[\w-]+)", "".join(sections), re.MULTILINE)
    known = [param.opts[-1] for param in command.params if isinstance(param, click.Option)]
    aliases = {"--position": "--start"} if name == "play" else {}
    assert sorted(listed) == sorted([*(aliases.get(x, x) for x in known), "--help"])


def test_long_help_has_headings(run):
    for name, headings in {
        "solve": ["Objective", "Solver", "Engine", "Answer", "Files", "Options"],
        "build": ["Table", "Engine", "Options"],
        "grundy": ["Answer", "Heap games", "Options"],
        "value": ["Answer", "Options"],
    }.items():
        shown = run(name, "--help").stdout
        assert re.findall(r"^([A-Z][a-z ]+):$", shown, re.MULTILINE) == headings


def test_version(run):
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"zermelo {__version__}\n")


HEAVY = ["numba", "rich", "scipy", "networkx", "pyarrow", "matplotlib", "zermelo.solve"]


def test_help_imports_nothing_heavy():
    # The package's own __init__ is left out: what the command line itself imports is the question.
    code = f"""
import importlib.util, sys, types
spec = importlib.util.find_spec("zermelo")
package = types.ModuleType("zermelo")
package.__path__ = list(spec.submodule_search_locations)
sys.modules["zermelo"] = package
from zermelo.cli.main import COMMANDS, cli, module_of
cli.main(["--help"], standalone_mode=False)
for name in COMMANDS:
    cli.main([name, "--help"], standalone_mode=False)
print([m for m in {["numpy", *HEAVY]} if m in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_command_is_imported_only_when_it_runs():
    code = """
import sys
from zermelo.cli.main import COMMANDS, cli, module_of
cli.main(["--help"], standalone_mode=False)
print([x for x in COMMANDS if module_of(x) in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_small_job_in_a_pipe_imports_nothing_heavy(game):
    code = f"""
import sys
from zermelo.cli.main import cli
cli.main(["solve", {str(game)!r}, "--verify"], standalone_mode=False)
print([m for m in {HEAVY[:-1]} if m in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert done.stdout.startswith("position\tlabel\tdistance\tmove\n")


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    [
        (FormatError("expected two names", path="g", line=3), 2, "g:3: expected two names"),
        (CertificateError("position a"), 1, "the certificate does not hold: position a"),
        (MemoryLimitError("needs 3 GiB"), 2, "needs 3 GiB"),
        (MemoryError(), 2, "out of memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (PermissionError(13, "Permission denied", "g.txt"), 2, "g.txt: permission denied"),
        (IsADirectoryError(21, "Is a directory", "d"), 2, "d: expected a file"),
        (OSError(28, "No space left on device"), 2, "no space left on device"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), 2, "expected UTF-8"),
        (ZeroDivisionError("division by zero"), 70, "a fault of ours, ZeroDivisionError"),
    ],
)
def test_every_failure_has_a_status_and_a_sentence(error, status, expected):
    got, message = explain(error)
    assert got == status
    assert message.startswith(expected) or expected in message


@pytest.fixture
def broken(monkeypatch):
    import zermelo.cli.solving.info as module

    def fail(*_):
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(module, "open_game", fail)


def test_internal_errors_ask_for_a_report(run, broken):
    result = run("info", "x")
    assert result.exit_code == 70
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("zermelo: a fault of ours, ZeroDivisionError: two lines;")
    assert "--debug" in result.stderr


@pytest.mark.parametrize("args", [("--debug", "info", "x"), ("info", "x", "--debug")])
def test_debug_shows_the_traceback(run, broken, args):
    result = run(*args)
    assert result.exit_code == 70
    assert "Traceback (most recent call last)" in result.stderr


def test_debug_by_the_environment(run, broken, monkeypatch):
    monkeypatch.setenv("ZERMELO_DEBUG", "1")
    assert "Traceback" in run("info", "x").stderr


def test_debug_after_a_double_dash_is_an_argument(run):
    result = run("info", "--", "--debug")
    assert result.exit_code == 2
    assert "zermelo: --debug: no such file" in result.stderr
