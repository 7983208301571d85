"""``zermelo control``: controllers of plants from the shell, and the pages that show them."""

import json
import re
from pathlib import Path

import pytest
from tests.transcripts import run_page

import zermelo as zm

ROOT = Path(__file__).parents[2]
CROSSING = ROOT / "examples" / "crossing.csv"
FREE = ["approach", "enter", "leave"]
ROBOT = """\
left,lift,over belt
left,walk,door
door,walk,right
over belt,drop,right
over belt,slip,damage
"""
AIM = ("--reach", "right", "--avoid", "damage", "--uncontrollable", "slip")


@pytest.fixture
def robot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.csv").write_text(ROBOT)
    return "robot.csv"


@pytest.mark.slow
def test_the_page_is_as_it_happens():
    page = ROOT / "docs" / "howto" / "control.md"
    wrong, _ = run_page(page)
    assert not wrong, "\n\n".join(wrong)
    block = re.search(r'```text title="crossing.csv"\n(.*?)```', page.read_text(), re.DOTALL)
    assert block[1] == CROSSING.read_text()


def test_the_reference_shows_what_happens(run, robot):
    text = (ROOT / "docs" / "reference" / "cli.md").read_text()
    shown = re.search(
        r"\$ cat robot\.csv\n(.*?)\$ zermelo (control [^\n]*)\n(.*?)```", text, re.DOTALL
    )
    assert shown[1] == ROBOT
    assert run(*shown[2].split()).stdout == shown[3]


def test_the_crossing_is_safe_and_every_safe_action_is_enabled():
    plant = zm.read_plant(CROSSING, FREE)
    controller = zm.control(plant, avoid=["crossing/up"]).verify()
    assert {s: set(controller[s]) for s in controller} == {
        "far/up": {"lower"},
        "far/down": {"raise"},
        "waiting/up": {"lower"},
        "waiting/down": {"green", "raise"},
        "cleared/down": set(),
        "crossing/down": set(),
    }


def test_a_text_is_no_list_of_actions():
    with pytest.raises(zm.errors.InvalidOptionError, match="a list of actions, got 'enter'"):
        zm.read_plant(CROSSING, "enter")


def test_rows_json_and_status(run, robot):
    result = run("control", robot, *AIM, "--json", "--verify")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["wins"], data["won"], data["verified"]) == (0, True, 3, True)
    assert data["controller"][0] == {"state": "left", "won": True, "rank": 2, "actions": ["walk"]}
    lost = run("control", robot, *AIM, "--start", "over belt", "--limit", "0")
    assert lost.exit_code == 1
    assert (
        "cannot be ensured from the initial state over belt; it can from left, door, right"
        in lost.stderr
    )
    nowhere = run("control", robot, "--reach", "right", "--avoid", "right")
    assert nowhere.exit_code == 1
    assert "it cannot from any state" in nowhere.stderr


def test_safety_has_no_ranks_and_may_stop(run, robot):
    assert run("control", robot, "--avoid", "damage").exit_code == 1  # play ends in right
    result = run("control", robot, "--avoid", "damage", "--may-stop", "--uncontrollable", "slip")
    rows = ["state\twon\tactions", "left\tyes\twalk", "over belt\tno\t-", "door\tyes\twalk"]
    assert result.stdout.splitlines()[:4] == rows


def test_marked_states(run, robot):
    result = run("control", robot, "--marked", "right", "--uncontrollable", "slip", "--json")
    data = json.loads(result.stdout)
    assert (data["aim"], data["won"], data["goal"]) == ("nonblocking", 3, ["right"])


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".dot", ".gv"])
def test_outputs(run, robot, suffix):
    path = Path(f"controller{suffix}")
    result = run("control", robot, *AIM, "-o", path)
    assert (result.exit_code, result.stdout) == (0, "")
    text = path.read_text()
    if suffix == ".json":
        data = json.loads(text)
        assert data["format"] == "zermelo-controller"
        assert data["states"]["left"] == {"actions": ["walk"], "rank": 2}
        assert "over belt" not in data["states"]
    elif suffix in (".csv", ".tsv"):
        comma = "," if suffix == ".csv" else "\t"
        assert text.splitlines()[:2] == [comma.join(("state", "won", "rank", "actions")),
                                         comma.join(("left", "yes", "2", "walk"))]  # fmt: skip
    else:
        assert text.count(" -> ") == 3  # the arrow to the start, and two steps
        assert "lift" not in text
    assert run("control", robot, *AIM, "-o", path).exit_code == 0  # its own kind is replaced
    refused = run("control", robot, "--avoid", "damage", "-o", robot)
    assert (refused.exit_code, "this is the input itself" in refused.stderr) == (2, True)
    assert Path(robot).read_text() == ROBOT


def test_a_picture_needs_a_controller(run, robot):
    result = run("control", robot, *AIM, "--start", "damage", "-o", "out.dot")
    assert result.exit_code == 1
    assert "out.dot was not written" in result.stderr
    assert not Path("out.dot").exists()


def test_standard_input_headers_comments_and_quotes(run):
    text = 'state,action,state\n# a comment\n\n "a,b", go , c \nc,rain,"a,b",uncontrollable\n'
    result = run("control", "-", "--avoid", '"a,b"', "--start", "c", stdin=text)
    assert (result.exit_code, result.stdout) == (1, "state\twon\tactions\na,b\tno\t-\nc\tno\t-\n")
    assert "standard input: the aim" in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,go,b\na,go\n", "plant.csv:2: expected state,action,state, got 'a,go'"),
        ("a,,b\n", "plant.csv:1: expected state,action,state, got 'a,,b'"),
        ("a,go,b,c,d\n", "plant.csv:1: expected state,action,state, got"),
        (
            "a,go,b,often\n",
            "plant.csv:1: expected uncontrollable after the transition, got 'often'",
        ),
        ('# x\n"a,go,b\n', "plant.csv:2: expected state,action,state, but"),
        ("", "plant.csv: expected lines state,action,state, got none"),
        ("# nothing\n", "plant.csv: expected lines state,action,state, got none"),
        (b"a,go,b\n\xff\n", "plant.csv:2: expected UTF-8 text"),
    ],
)
def test_bad_files(run, tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("plant.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run("control", "plant.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"zermelo: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--avoid", "crash"], "--avoid: no state is called 'crash'"),
        (["--reach", "rigth"], "--reach: no state is called 'rigth'; did you mean 'right'?"),
        (["--uncontrollable", "slide"], "--uncontrollable: no action is called 'slide'"),
        (["--start", "up"], "--start: no state is called 'up'"),
        (["--reach", "left", "--marked", "left"], "--reach does not go with --marked"),
        (["--reach", "left", "--may-stop"], "--may-stop changes nothing with --reach"),
        (["--avoid", "a,,b"], "names between commas"),
        (["-o", "out.txt"], "expected a name that ends in .csv, .tsv, .json or .dot"),
        (["--force"], "--force goes with --output"),
    ],
)
def test_bad_options(run, robot, options, message):
    result = run("control", robot, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_on_a_terminal(on_terminal, robot):
    status, text = on_terminal("control", robot, *AIM, "--verify")
    assert status == 0
    assert "reach right and avoid damage until then" in text
    assert "3 of 5 states, verified" in text
