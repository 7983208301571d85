"""Tables with distances to conversion in the shell: what is built, and what is said about them."""

import json

import pytest

import zermelo as zm
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.chess.notation import conversion_remarks

GAME = "hexapawn:3x3"


@pytest.fixture(scope="module")
def pawns(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "pawns.zt"
    zm.build(GAME, path, distances="conversion").close()
    return path


@pytest.mark.slow
def test_build_writes_what_python_writes(run, pawns, tmp_path):
    done = run("build", GAME, "-o", tmp_path / "t.zt", "--distances", "conversion", "--json")
    assert done.exit_code == 0
    assert (tmp_path / "t.zt").read_bytes() == pawns.read_bytes()


def test_distances_to_the_end_are_the_default(run, tmp_path):
    for name, more in (("a", ()), ("b", ("--distances", "end"))):
        assert run("build", GAME, "-o", tmp_path / name, *more).exit_code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    both = ("--distances", "conversion", "--no-distances")
    done = run("build", GAME, "-o", tmp_path / "c", *both)
    assert done.exit_code == 2
    assert "--distances and --no-distances exclude each other" in done.stderr


def test_rules_that_tell_no_conversions_are_refused(run, tmp_path):
    done = run("build", "nim:1,2", "-o", tmp_path / "t.zt", "--distances", "conversion")
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "zermelo: nim:1,2: distances to conversion need compiled rules that tell which moves "
        "convert, by a member converts or tier; ask for distances to the end, or for labels alone"
    ]


@pytest.mark.slow
def test_table_info_says_it(run, pawns):
    found = json.loads(run("table-info", pawns, "--check", "--verify", "--json").output)
    assert found["distances"] == "conversion"
    assert found["positions_verified"] == found["stored"]
    assert "distances\tconversion" in run("table-info", pawns).output


def test_probe_says_what_the_distance_leads_to(run, pawns):
    found = json.loads(run("probe", pawns, "--line", "--json").output)
    assert found["distance_to"] == "conversion"
    with zm.Table(pawns) as table:
        start = table.at(table.rules.start())
        assert found["distance"] == start.distance
        assert f"conversion in {start.distance}" in str(start)
    assert len(found["line"]) > 1


def test_play_shows_distances_to_conversion(run, pawns):
    done = run("play", GAME, "--table", pawns, "--self", "--json")
    line = json.loads(done.output)["line"]
    assert "conversion in" in line[0]["value"]
    assert line[-1]["move"] is None


# -------------------------------------------------------------------- chess in words


def test_chess_says_it_in_words():
    rules = Chess("KRvK")
    here = rules.parse("8/8/8/8/8/2k5/8/K6R b")
    words = rules.conversion_verdict(here, -1, 4)
    assert words == "Black loses; the next capture, pawn move or mate comes in 4 plies"


@pytest.mark.parametrize(
    ("clock", "label", "distance", "says"),
    [
        (0, 1, 100, None),
        (0, 0, -1, None),
        (99, 1, 1, "not more than 100, so the next capture, pawn move or mate can be forced"),
        (100, 1, 1, "are more than 100, so the loser can reach a draw"),
        (0, 1, 101, "a cursed win"),
        (0, -1, 102, "a blessed loss"),
        (7, -1, 102, "a blessed loss"),
        (60, 0, -1, None),
        (60, -1, 0, None),
    ],
)
def test_the_fifty_move_rule(clock, label, distance, says):
    found = conversion_remarks(clock, label, distance)
    assert len(found) == (says is not None)
    assert says is None or says in found[0]


def test_the_clock_counts_the_moves_that_were_played():
    rules, text = Chess("KRvK"), "8/8/8/8/8/2k5/8/K6R w - - 80 99"
    assert "80 plies on the clock" in rules.conversion_remarks(text, 1, 20)[0]
    assert "are more than 100" in rules.conversion_remarks(text, -1, 20, plies=1)[0]
