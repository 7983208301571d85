"""Tables of labels alone in the shell: what they know, and what they refuse in one sentence."""

import json

import pytest

from zermelo.tables.table import Table


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    import zermelo as zm

    path = tmp_path_factory.mktemp("tables") / "nim.zt"
    zm.build("nim:2,3", path, distances=False).close()
    return path


def test_build_writes_what_python_writes(run, nim, tmp_path):
    done = run("build", "nim:2,3", "-o", tmp_path / "t.zt", "--no-distances", "--json")
    assert done.exit_code == 0
    assert sorted(json.loads(done.output)["counts"]) == ["draw", "lose", "positions", "tie", "win"]
    assert (tmp_path / "t.zt").read_bytes() == nim.read_bytes()


def test_probe_knows_the_label_and_the_moves_that_keep_it(run, nim):
    assert json.loads(run("probe", nim, "2+3", "--json").output) == {
        "position": "2+3",
        "value": "win",
        "label": "WIN",
        "distance": None,
        "best_moves": ["2+2"],
    }


def test_probe_of_many_positions(run, nim, tmp_path):
    (tmp_path / "list.txt").write_text("2+3\n2+2\n")
    done = run("probe", nim, "--from", tmp_path / "list.txt")
    assert done.output.splitlines()[1:] == ["2+3\twin\tWIN\t\t2+2", "2+2\tlose\tLOSE\t\t2"]


def test_a_line_is_refused(run, nim):
    done = run("probe", nim, "--line")
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        f"zermelo: {nim}: a line of best play needs distances, and this table has labels alone; "
        "build it with distances"
    ]


def test_play_is_refused(run, nim):
    done = run("play", "nim:2,3", "--table", nim, "--self")
    assert done.exit_code == 2
    assert "play without mistakes needs distances" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_table_info_says_it(run, nim, tmp_path):
    out = tmp_path / "nim.csv"
    done = run("table-info", nim, "--check", "--verify", "--export", out, "--json")
    found = json.loads(done.output)
    assert found["distances"] is False
    assert "longest_win" not in found["counts"]
    with Table(nim) as table:
        assert found["positions_verified"] == len(table)
    assert out.read_text().splitlines()[:3] == ["position,value,distance", "0,lose,", "1,win,"]


@pytest.mark.slow
def test_a_plan_knows_labels_alone(run):
    args = ("plan", "chess:KRvK", "--samples", "1000", "--json")
    full, alone = (json.loads(run(*args, *more).output) for more in ((), ("--no-distances",)))
    assert full["entries"] == alone["entries"]
    assert 2 * alone["engines"][0]["memory"] == full["engines"][0]["memory"]
    for engine in (1, 2):  # on disk the solved tiers have distances
        assert alone["engines"][engine]["disk"] <= full["engines"][engine]["disk"]
