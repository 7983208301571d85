"""Whatever is typed: no command ends with a fault of its own, or without a sentence."""

import importlib
import shutil

import click
import pytest
from click.testing import CliRunner

from zermelo.cli.main import COMMANDS, cli, module_of

GOOD = {
    "solve": ["g.txt"], "verify": ["g.txt", "s.json"], "info": ["g.txt"], "grundy": ["g.txt"],
    "value": ["1"], "quotient": ["0.77"], "trace": ["g.txt"], "draw": ["g.txt", "out.svg"],
    "convert": ["g.txt", "out.json"], "explore": ["nim:1,1", "out.json"], "games": [],
    "check-rules": ["nim:1,1"], "probe": ["t.zt"], "table-info": ["t.zt"], "solvers": [],
    "build": ["nim:1,1", "-o", "b.zt"], "play": ["nim:1,1"], "completion": ["bash"],
    "generate": ["path", "n=3", "out.txt"], "warm": ["--list"], "matching": ["g.txt"],
    "plan": ["g.txt"],
    "classify": ["g.txt"], "kernel": ["g.txt"], "eggs": ["g.txt"],
    "control": ["p.csv"], "map": ["g.txt", "g.txt", "--equivalence"],
    "evaluate": ["EF true", "g.txt"], "transform": ["star", "start=a", "g.txt", "out.txt"],
    "synthesize": ["spec.ehoa"], "serve": ["nim:1,1", "--openapi"],
}  # fmt: skip
"""A call of each command that ends well."""

SPECIFICATION = (
    'HOA: v1 States: 1 Start: 0 AP: 2 "in" "out" controllable-AP: 1 Acceptance: 0 t '
    "--BODY-- State: 0 [t] 0 --END--"
)

SLOW = {("check-rules", "--samples"), ("play", "--position"), ("explore", "--start")}
"""Options for which a large number means a long job."""

VALUES = [
    "", "0", "-1", "1e9", "nan", "inf", "1000000000", "9" * 400, "9" * 5000, "a=1,a=2", "t=1/0",
    "t=1e999999999", "t=1e-999999999", "t=٣", "reach:", "muller:" + "(" * 3000, "\0", "x" * 5000,
    "*99999999999999999999", '"', "½", "parity:a=1,a=2", "terminal-payoff:t=1e999999999",
]  # fmt: skip

NAMES = [
    "missing", "missing.txt", "dir", "junk", "empty.json", "junk.npz", "junk.parquet", "junk.py",
    "junk.zt", "junk.pg", "junk.dot", "junk.txt.gz", "deep.json", "", "nim:", "nim:-1", "x.py:A:3",
    "connect4:0x0", "tictactoe:9", ":", "/dev/null", "n" * 5000,
]  # fmt: skip


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """Good files and bad ones, which are copied and not changed."""
    stock = tmp_path_factory.mktemp("stock")
    (stock / "g.txt").write_text("a b\nb a\na t\n")
    (stock / "spec.ehoa").write_text(SPECIFICATION)
    (stock / "p.csv").write_text("a,go,b\nb,slip,a\n")
    for call in (["solve", stock / "g.txt", "-o", stock / "s.json"],
                 ["build", "nim:1,1", "-o", stock / "t.zt"]):  # fmt: skip
        assert CliRunner().invoke(cli, [str(x) for x in call]).exit_code == 0
    (stock / "dir").mkdir()
    for name in NAMES:
        if name.startswith("junk"):
            (stock / name).write_bytes(bytes(range(256)) * 8)
    (stock / "empty.json").touch()
    (stock / "deep.json").write_text("[" * 5000)
    return stock


@pytest.fixture
def place(stock, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(stock, tmp_path, dirs_exist_ok=True)
    return tmp_path


def check(result, call):
    assert result.exit_code in (0, 1, 2), (call, result.stderr)
    assert "Traceback" not in result.stderr
    if result.exit_code == 2:
        assert result.stderr.startswith("zermelo: "), call
        assert result.stderr.count("\n") == 1, (call, result.stderr)


@pytest.mark.slow
def test_there_is_a_good_call_of_every_command(run, place):
    assert set(GOOD) == set(COMMANDS)
    for name, arguments in GOOD.items():
        assert run(name, *arguments).exit_code == 0, name


@pytest.mark.sampled(cases=13)
@pytest.mark.slow("build", "draw", "plan", "serve", "solve", "synthesize", "trace", "transform")
@pytest.mark.parametrize("name", COMMANDS)
def test_absurd_values_of_every_option(run, place, name):
    command = importlib.import_module(module_of(name)).command
    for option in command.params:
        if not isinstance(option, click.Option):
            continue
        option_name = max(option.opts, key=len)
        for value in [None] if option.is_flag else VALUES:
            if (name, option_name) in SLOW and value is not None and value.isdecimal():
                continue
            call = [name, *GOOD[name], option_name, *([] if value is None else [value])]
            check(run(*call), call)


@pytest.mark.sampled(cases=18)
@pytest.mark.slow("build")
@pytest.mark.parametrize("name", [x for x, arguments in GOOD.items() if arguments])
def test_absurd_arguments(run, place, name):
    for k in range(len(GOOD[name])):
        for argument in [*VALUES, *NAMES]:
            call = [name, *GOOD[name][:k], argument, *GOOD[name][k + 1 :]]
            check(run(*call), call)


@pytest.mark.parametrize(
    "argument", ["*99999999999999999999", "*1000000", "0.77:99999999999999999999"]
)
def test_heaps_in_sums_are_bounded(run, argument):
    result = run("grundy", "--sum", argument)
    assert result.exit_code == 2
    assert "expected a number 0 … 100,000" in result.stderr


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "-2E+1000000", "9" * 1001])
@pytest.mark.parametrize("option", ["--payoff", "--objective", "--infinite", "--payoffs"])
def test_payoffs_are_bounded(run, place, option, number):
    if option == "--payoffs":
        (place / "pays.json").write_text(f'{{"t": {number}}}')
    argument = {"--payoff": f"t={number}", "--objective": f"terminal-payoff:t={number}",
            "--infinite": number, "--payoffs": "pays.json"}[option]  # fmt: skip
    more = ["--payoff", "t=1"] if option == "--infinite" else []
    result = run("solve", "g.txt", *more, option, argument)
    assert result.exit_code == 2
    assert "digits" in result.stderr


def test_payoffs_of_a_bearable_size_are_exact(run, place):
    result = run("solve", "g.txt", "--payoff", "t=1e-300", "--start", "a", "--player", 0)
    assert result.stdout.splitlines()[1].startswith("a\tWIN\t1\tt\t0\t1/1000")


TWICE = [
    ["--objective", "parity:a=1,a=2"], ["--priority", "a=1", "--priority", "a=1"],
    ["--objective", "parity:a=1", "--priority", "a=2"], ["--payoff", "t=1", "--payoff", "t=2"],
    ["--objective", "terminal-payoff:t=1,t=2"], ["--priorities", "twice.json"],
    ["--payoffs", "twice.json"], ["--objective", "muller:t", "--colours", "twice.json"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", TWICE, ids=" ".join)
def test_a_position_has_one_number(run, place, arguments):
    (place / "twice.json").write_text('{"a": 1, "t": 1, "a": 2}')
    result = run("solve", "g.txt", *arguments)
    assert result.exit_code == 2
    assert " twice" in result.stderr


IDLE = [
    ("table-info t.zt --samples 3", "--samples goes with --verify"),
    ("table-info t.zt --force", "--force goes with --export"),
    ("table-info t.zt --rules nim:1,1", "--rules goes with --verify or --export"),
    ("solve g.txt --force", "--force goes with --output"),
    ("solve g.txt --pass components", "solver 'retrograde' has no option 'passes'"),
    ("solve g.txt --player 0", "--player is for games in which it matters who is to move"),
    ("solve g.txt --quiet --line a", "--line prints an answer, which --quiet does not allow"),
    ("solve g.txt --quiet --all", "--all prints an answer, which --quiet does not allow"),
    (
        "solve g.txt -o - --to json --json",
        "--json prints an answer, which --output - does",
    ),
    ("grundy g.txt --start a --histogram", "--histogram does not go with --start"),
    ("grundy g.txt --start a --limit 3", "--limit does not go with --start"),
    ("grundy g.txt --histogram --all", "--all does not go with --histogram"),
    ("grundy g.txt --force", "--force goes with --output"),
    ("grundy 0.77 --force", "--force goes with --output or --plot"),
    ("generate --list path n=3 out.txt", "a list of families takes one family at most"),
    ("generate --seed 3", "a list of families takes one family at most, and no options"),
    ("explore subtraction:1,2/5 out.json --symmetry", "--symmetry: the rules of subtraction:1,2/5"),
    ("info nim:1,1 --format json", "--format is for files, and nim:1,1 is a game"),
    ("solve nim:1,1 --format json", "--format is for files, and nim:1,1 is a game"),
]


@pytest.mark.parametrize(("call", "message"), IDLE, ids=[call for call, _ in IDLE])
def test_options_that_would_do_nothing_are_refused(run, place, call, message):
    before = sorted(place.iterdir())
    result = run(*call.split())
    assert result.exit_code == 2
    assert message in result.stderr
    assert sorted(place.iterdir()) == before


@pytest.mark.parametrize("call", ["solve g.txt -o x.csv", "grundy g.txt -o x.csv",
                                  "grundy 0.77 -o x.csv"])  # fmt: skip
def test_what_is_written_is_not_printed_as_well(run, place, call):
    result = run(*call.split())
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (place / "x.csv").stat().st_size


def test_what_is_written_can_be_printed_as_well(run, place):
    assert "a\tWIN" in run(*["solve", "g.txt", "-o", "x.csv", "--all"]).stdout
    assert run(*["solve", "g.txt", "-o", "x.csv", "--start", "a"]).stdout.count("\n") == 2
    assert '"positions": [' in run(*["solve", "g.txt", "-o", "x.csv", "--json"]).stdout
