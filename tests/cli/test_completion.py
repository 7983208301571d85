"""Completion offers names and positions wherever a command expects them, in click's protocol."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import zermelo as zm
from zermelo.cli.main import COMMANDS, COMPLETE_VARIABLE, cli
from zermelo.registry import FORMATS, GAMES, GENERATORS, OBJECTIVES, SOLVERS
from zermelo.registry.machines import MACHINES
from zermelo.registry.transforms import TRANSFORMS
from zermelo.solvers.infinite.passes import PASSES

SOURCE = Path(__file__).parents[2] / "src"
EDGES = "alpha beta\nbeta alpha\nbeta gamma\n"
NAMES = ["alpha", "beta", "gamma"]
FIRST = {
    "solve": "game.txt", "trace": "game.txt", "draw": "game.txt", "grundy": "game.txt",
    "explore": "nim:2,3", "play": "nim:2,3", "value": "domineering:2x2", "probe": "nim.zt",
    "eggs": "game.txt", "kernel": "game.txt", "evaluate": "game.txt", "map": "game.txt",
    "control": "plant.csv",
}  # fmt: skip
"""What stands on the line before a position is asked for."""

EXPECTED = {
    "FILE|GAME...": ({row.name for row in GAMES}, True),
    "FILE|GAME": ({row.name for row in GAMES}, True),
    "IN|GAME": ({row.name for row in GAMES}, True),
    "FILE A": ({row.name for row in GAMES}, True),
    "[GAME]": ({row.name for row in GAMES}, False),
    "[FILE|GAME]": ({row.name for row in GAMES}, True),
    "GAME": ({row.name for row in GAMES}, True),
    "EXPRESSION|GAME|FILE...": ({row.name for row in GAMES}, True),
    "FILE|CODE|COMPONENT...": ({"kayles", *(row.name for row in GAMES)}, True),
    "[NAME]...": ({"parity", *(row.name for row in GAMES)}, False),
    "CODE": ({"kayles", "dawsons-kayles"}, False),
    "NAME[:DATA]": ({row.name for row in OBJECTIVES}, False),
    "NAME=VALUE": ({"passes=", "nodes="}, False),
    "[FAMILY [KEY=VALUE]... OUT]": ({row.name for row in GENERATORS}, False),
    "[NAME [KEY=VALUE]... IN OUT]": ({row.name for row in TRANSFORMS}, False),
    "ENGINE": ({"memory", "disk"}, False),
    "A,B": (set(NAMES), False),
    "FORMAT": ({row.name for row in MACHINES}, False),
    "X,Y": ({"up", "slip"}, False),
    "X=NUMBER": ({f"{name}=" for name in NAMES}, False),
}
"""By metavar: what must be offered, and whether files are."""

NAMED = {
    "--objective": {"normal", "misere"},
    "--solver": {row.name for row in SOLVERS},
    "--pass": {row.name for row in PASSES},
    "--format": {row.name for row in FORMATS},
    "--from": {row.name for row in FORMATS},
    "--to": {row.name for row in FORMATS},
    "--engine": {"dot", "spring"},
    "solvers name": {row.name for row in SOLVERS},
}
"""Parameters with the metavar NAME."""

POSITIONS = {
    "game.txt": set(NAMES),
    "plant.csv": set(NAMES),
    "nim:2,3": {"2+3", "1+3", "2"},
    "domineering:2x2": {"../..", "##/.."},
    "nim.zt": {"2+3", "1+3", "2"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    (folder / "game.txt").write_text(EDGES)
    (folder / "plant.csv").write_text("alpha,up,beta\nbeta,slip,alpha\nbeta,up,gamma\n")
    (folder / "broken.txt").write_text("alpha beta gamma delta\n")
    zm.build("nim:2,3", folder / "nim.zt").close()
    return folder


@pytest.fixture(autouse=True)
def _there(folder, monkeypatch):
    monkeypatch.chdir(folder)


def offered(args, incomplete=""):
    """What click offers after some arguments: the plain ones, and whether files are offered."""
    items = ShellComplete(cli, {}, "zermelo", COMPLETE_VARIABLE).get_completions(args, incomplete)
    return [x.value for x in items if x.type == "plain"], any(x.type == "file" for x in items)


def parameters():
    """Every parameter of every command that is not a flag, a number or a choice."""
    context = click.Context(cli)
    for name in COMMANDS:
        for param in cli.get_command(context, name).params:
            plain = not isinstance(param.type, click.Choice | click.IntRange)
            numeric = param.type in (click.INT, click.FLOAT)
            if plain and not numeric and not getattr(param, "is_flag", False):
                yield pytest.param(name, param, id=f"{name} {param.opts[0]}")


def before(command, param):
    """The arguments that stand before the text to complete."""
    if command == "evaluate" and param.name != "formula":
        option = param.opts[0]
        return [command, "EF p", *([FIRST[command], option] if option[0] == "-" else [])]
    if command == "transform" and isinstance(param, click.Option):
        return [command, "star", "name=x", "game.txt", param.opts[0]]
    if isinstance(param, click.Option):
        return [command, *([FIRST[command]] if command in FIRST else []), param.opts[0]]
    if param.name == "moves":
        return [command, FIRST[command], "2+3"]
    return [command, *([FIRST[command]] if param.name == "position" else [])]


FREE = {
    "--infinite", "--memory", "--scheduler", "--timeout", "moves", "formula", "--label", "--image",
    "--other-start", "--nodes-memory", "--positions", "--moves", "--host", "--token", "--seconds",
}  # fmt: skip
"""Options with a number or an address, formulas with their propositions, moves, and positions of a
second graph: nothing completes them."""


@pytest.mark.parametrize(("command", "param"), [*parameters()])
def test_everything_that_has_names_is_completed(command, param):
    metavar = (param.metavar or "").strip("[]") if param.metavar != "[FAMILY" else ""
    names, files = offered(before(command, param))
    if param.opts[0] in FREE:
        assert (names, files) == ([], False)
    elif isinstance(param.type, click.Path):
        assert files
    elif metavar in ("A", "POSITION"):
        assert set(names) >= POSITIONS[FIRST[command]]
    elif metavar == "NAME":
        option = param.opts[0]
        assert set(names) >= NAMED[option if option.startswith("--") else f"{command} {option}"]
    elif metavar in ("FILE", "FILE.svg", "OUT"):
        assert files
    else:
        wanted, with_files = EXPECTED[param.metavar]
        assert set(names) >= wanted
        assert files == with_files


def test_only_what_begins_alike_is_offered():
    assert offered(["solve", "game.txt", "--start"], "b") == (["beta"], False)
    assert offered(["solve", "game.txt", "--targets"], "beta,g") == (["beta,gamma"], False)
    assert offered(["solve", "game.txt", "--priority"], "alpha=1,g") == (["alpha=1,gamma="], False)
    assert offered(["solve", "game.txt", "--priority"], "alpha=") == ([], False)
    assert offered(["control", "plant.csv", "--avoid"], "beta,g") == (["beta,gamma"], False)
    assert offered(["control", "broken.txt", "--avoid"], "b") == ([], False)
    assert offered(["solve", "game.txt", "--objective"], "reach:be") == (["reach:beta"], False)
    assert "parity:beta=" in offered(["solve", "game.txt", "--objective"], "parity:")[0]
    assert offered(["solve", "game.txt", "--objective"], "nothing:")[0] == []
    assert offered(["solvers"], "ziel") == (["zielonka", "zielonka-tree"], False)
    assert "solve" in offered([])[0]
    assert "--objective" in offered(["solve"], "--")[0]


def test_positions_of_a_proposition():
    line = ["evaluate", "EF p", "game.txt", "--label"]
    assert offered(line, "p=alpha,b") == (["p=alpha,beta"], False)
    assert offered(line, "p") == ([], False)


def test_parameters_of_a_game_by_example():
    names, _ = offered(["solve"], "nim:")
    assert names
    assert all(name.startswith("nim:") for name in names)


def test_options_of_the_solver_on_the_line():
    names, _ = offered(["solve", "game.txt", "--solver", "geography", "--option"])
    assert "nodes=" in names
    assert "passes=" not in names
    assert "width=" in offered(["generate", "grid"])[0]
    names, with_files = offered(["transform", "unravel"])
    assert {"start=", "depth=", "nim"} <= set(names)
    assert with_files


@pytest.mark.parametrize(
    "source", ["nothing.txt", "broken.txt", "nosuch:3", "nim:x", ".", "-", "own.py"]
)
def test_what_cannot_be_read_offers_nothing(source, folder, capfd):
    (folder / "own.py").write_text("raise SystemExit('a key was pressed, and this ran')\n")
    assert offered(["solve", source, "--start"]) == ([], False)
    assert capfd.readouterr() == ("", "")


def test_large_games_offer_some():
    for game in ("connect4:6x5", "chess:KRvK", "domineering:5x5"):
        names, _ = offered(["play", game, "--start"])
        assert 1 <= len(names) <= 200


def test_nothing_before_a_game_is_named():
    assert offered(["solve", "--start"]) == ([], False)


# -------------------------------------------------------------------- the shells


def complete_in_bash(folder, line):
    """What bash would offer for a line, by the script that ``zermelo completion bash`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "completion", "bash"],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "zermelo"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zermelo "$@"\n')
    program.chmod(0o755)
    # Bash breaks words at the signs of COMP_WORDBREAKS; here they are at spaces, colons and =.
    test = f"""
{done.stdout}
compopt() {{ :; }}
COMP_LINE={line!r}
COMP_POINT=${{#COMP_LINE}}
split=${{COMP_LINE//:/ : }}; split=${{split//=/ = }}
read -ra COMP_WORDS <<< "$split"
[[ $COMP_LINE == *[\\ :=] ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_zermelo_completion zermelo
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-c", test], capture_output=True, text=True, check=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PATH": path},
    )  # fmt: skip
    assert run.stderr == ""
    return run.stdout.splitlines()


@pytest.mark.slow
def test_bash(folder):
    assert complete_in_bash(folder, "zermelo sol") == ["solve", "solvers"]
    assert complete_in_bash(folder, "zermelo solve game.txt --start b") == ["beta"]
    found = complete_in_bash(folder, "zermelo solve n")
    assert "nim" in found  # games and files together
    assert "nim.zt" in found
    assert "2+3" in complete_in_bash(folder, "zermelo play nim:2,3 --start ")
    assert complete_in_bash(folder, "zermelo solve game.txt --objective reach:be") == ["beta"]
    assert complete_in_bash(folder, "zermelo solve game.txt --start=be") == ["beta"]
    assert complete_in_bash(folder, "zermelo solve game.txt --priority al") == ["alpha="]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_name_the_command(run, shell):
    done = run("completion", shell)
    assert done.exit_code == 0
    assert COMPLETE_VARIABLE in done.stdout
    assert "zermelo" in done.stdout
