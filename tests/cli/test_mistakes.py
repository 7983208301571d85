"""Mistakes in somebody's own rules are told in one sentence with file, line and member."""

import json
from pathlib import Path

import pytest
from tests.rules.mistakes import (
    BOARD,
    BOARD_MISTAKES,
    COMPILED,
    COMPILED_MISTAKES,
    PARTIZAN,
    PARTIZAN_MISTAKES,
    PLAIN,
    PLAIN_MISTAKES,
)

import zermelo

PACKAGE = str(Path(zermelo.__file__).parent)
COMMANDS = {
    "build": ("build", "file.py", "-o", "table.zt"),
    "play": ("play", "file.py", "--self"),
    "explore": ("explore", "file.py", "graph.json"),
    "value": ("value", "file.py"),
}
ALL = [
    *(("compiled", x) for x in COMPILED_MISTAKES),
    *(("board", x) for x in BOARD_MISTAKES),
    *(("plain", x) for x in PLAIN_MISTAKES),
    *(("partizan", x) for x in PARTIZAN_MISTAKES),
]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return (tmp_path / "file.py").write_text


def commands(kind):
    return [x for name, x in COMMANDS.items() if kind == "partizan" or name != "value"]


@pytest.mark.sampled(cases=49)
@pytest.mark.slow("plain: show is no method")
@pytest.mark.parametrize(
    ("kind", "mistake"), [pytest.param(k, x, id=f"{k}: {x.name}") for k, x in ALL]
)
def test_a_mistake_is_named(run, write, kind, mistake):
    write(mistake.text)
    for command in commands(kind):
        done = run(*command)
        assert done.exit_code == 2, done.stderr
        assert done.stderr.startswith("zermelo: ")
        assert done.stderr.count("\n") == 1
        assert [x for x in mistake.expected if x not in done.stderr] == [], done.stderr
    done = run("check-rules", "file.py")
    output = " ".join((done.stdout + done.stderr).split())
    assert done.exit_code in (1, 2)
    assert [x for x in mistake.expected if x not in output] == [], output


@pytest.mark.sampled(cases=27)
@pytest.mark.parametrize(
    ("kind", "mistake"),
    [
        pytest.param(k, x, id=f"{k}: {x.name}")
        for k, x in ALL
        if x.name != "moves never ends"  # which takes some seconds to tell
    ],
)
def test_unchecked_rules_cause_no_internal_error(run, write, kind, mistake):
    """What no exploring and no solving notices may pass, but nothing ends in a traceback."""
    write(mistake.text)
    for command in commands(kind):
        done = run(*command, "--no-check")
        assert done.exit_code in (0, 2), done.stderr
        assert done.stderr.count("\n") <= 1
        lost = done.stderr.startswith("zermelo: play cannot reach the position")  # by its index
        assert not done.stderr or lost or "file.py" in done.stderr
        assert PACKAGE not in done.stderr


@pytest.mark.slow("text0", "text1")
@pytest.mark.parametrize("text", [COMPILED, BOARD, PLAIN, PARTIZAN])
def test_sound_rules_pass(run, write, text):
    write(text)
    for command in commands("partizan" if text is PARTIZAN else ""):
        done = run(*command)
        assert done.exit_code == 0, done.stderr
    done = run("check-rules", "file.py")
    assert done.exit_code == 0, done.stdout


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("file.py:1,2,3", "too many positional arguments, got '1,2,3'"),
        ("file.py:ten", "expected a class Countdown, got 'ten'"),
        ("file.py:Countdown:ten", "expected integers"),
        ("file.py:Countdown:-5", "file.py:10: Countdown.start(): expected an integer from 0 to"),
        ("nowhere.py", "nowhere.py: no such file"),
    ],
)
def test_parameters_after_the_colon(run, write, mistake, message):
    write(COMPILED)
    for command in ("build", "play", "check-rules"):
        done = run(command, mistake, *(["-o", "x.zt"] if command == "build" else []))
        assert done.exit_code in ((1, 2) if command == "check-rules" else (2,))
        assert message in done.stdout + done.stderr


def test_what_rules_print_is_no_answer(run, write):
    noise = PLAIN.replace("import zermelo as zm", "import zermelo as zm\nprint('loaded')")
    write(
        noise.replace(
            "        a, b = position\n", "        print('moves')\n        a, b = position\n"
        )
    )
    for k, command in enumerate(
        (("build", "file.py", "-o", "x.zt"), ("play", "file.py", "--self"))
    ):
        done = run(*command, "--json")
        assert done.exit_code == 0
        assert ("loaded" in done.stderr) == (k == 0)  # a process runs the file once
        assert "moves" in done.stderr
        json.loads(done.stdout)
    assert json.loads(run("check-rules", "file.py", "--json").stdout)["holds"]
    json.loads(run("explore", "file.py", "-").stdout)


@pytest.mark.slow
def test_rules_that_end_the_process_do_not(process, write, tmp_path):
    write(PLAIN.replace("        a, b = position\n", "        raise SystemExit(0)\n"))
    done = process("build", "file.py", "-o", "x.zt", cwd=tmp_path, check=2)
    assert done.stderr == (
        "zermelo: file.py:12: Pairs.moves fails: SystemExit: 0 (--no-check skips this check)\n"
    )
    assert not (tmp_path / "x.zt").exists()


def test_a_class_that_derives_from_nothing(run, write):
    write("class Count:\n    def start(self): return 5\n    def moves(self, n): return range(n)\n")
    assert "5\twins in 1\t0" in run("play", "file.py", "--self").stdout


DATACLASS = (
    COMPILED.replace(
        "import zermelo as zm", "from dataclasses import dataclass\nimport zermelo as zm"
    )
    .replace("    def __init__(self, high=10):\n        self.high = high\n", "    high: int = 10\n")
    .replace("\n\nclass", "\n\n@dataclass(frozen=True)\nclass")
)


def test_dataclasses(run, write):
    write(DATACLASS)
    assert run("build", "file.py:7", "-o", "x.zt").exit_code == 0


def test_dataclasses_with_slots(run, write):
    write(DATACLASS.replace("(frozen=True)", "(frozen=True, slots=True)"))
    done = run("play", "file.py:7", "--self")
    assert done.exit_code == 0, done.stderr
    assert run("build", "file.py:7", "-o", "x.zt").exit_code == 0
    assert run("build", "file.py:8", "-o", "y.zt").exit_code == 0
    assert "n7" in run("probe", "x.zt", "--rules", "file.py:7").stdout
    assert "n8" in run("probe", "y.zt", "--rules", "file.py:8").stdout


def test_a_position_that_no_integer_holds_is_a_fault_of_moves(run, write):
    write(COMPILED.replace("out[k] = position - 1 - k", "out[k] = position**20 + k"))
    done = run("build", "file.py", "-o", "x.zt", "--no-check")
    assert done.exit_code == 2
    assert done.stderr.startswith("zermelo: file.py:13: Countdown: ")
    assert "a move leads to 1000000" in done.stderr


def test_parameters_that_a_class_reads_itself(run, write):
    """A class that reads parameters by itself gets what stands behind the colon."""
    method = "    @classmethod\n    def from_text(cls, text):\n        return cls(len(text))\n"
    write(COMPILED.replace("    def start", f"{method}\n    def start"))
    assert "n3\t" in run("play", "file.py:abc", "--self").stdout
    assert "n3\t" in run("play", "file.py:Countdown:abc", "--self").stdout


def test_rules_need_not_be_hashable(run, write):
    write(DATACLASS.replace("(frozen=True)", ""))
    assert run("build", "file.py:7", "-o", "x.zt").exit_code == 0


def test_an_internal_error_is_not_blamed_on_the_rules(run, monkeypatch):
    import zermelo.tables.building.build as module

    def fails(*_):
        raise IndexError("ours")

    monkeypatch.setattr(module, "write_solved", fails)
    assert run("build", "nim:1,2", "-o", "x.zt").exit_code == 70
