"""``zermelo draw``: a picture where one was asked for."""

import pytest


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--no-solve",),
        ("--objective", "asymmetric"),
        ("--targets", "t"),
        ("--start", "a", "--depth", 1),
    ],
)
def test_a_picture(run, game, tmp_path, args):
    out = tmp_path / "game.svg"
    result = run("draw", game, out, *args)
    assert (result.exit_code, result.output) == (0, "")
    assert "<svg" in out.read_text()


def test_standard_output(run, game):
    assert run("draw", game, "-").stdout.startswith("<svg")


def test_a_part_is_smaller_than_the_whole(run, game, tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    run("draw", game, one)
    run("draw", game, two, "--start", "a", "--depth", 1)
    assert len(two.read_text()) < len(one.read_text())


def test_words_that_exclude_each_other(run, game):
    both = run("draw", game, "x.svg", "--no-solve", "--objective", "normal")
    assert both.exit_code == 2
    assert "got both" in both.stderr
    depth = run("draw", game, "x.svg", "--depth", 2)
    assert depth.exit_code == 2
    assert "--depth goes with --start" in depth.stderr


def test_the_start_of_a_file_and_its_priorities(run, tmp_path):
    path = tmp_path / "game.pg"
    path.write_text('start 2; 0 2 0 1 "a"; 1 1 1 0,2 "b"; 2 3 0 2 "c";')
    picture = tmp_path / "game.svg"
    assert run("draw", path, picture).exit_code == 0
    text = picture.read_text()
    assert "p3, 1 wins" in text
    assert "won by player 1" in text
    assert ">start<" in text
    assert run("draw", path, picture, "--depth", "0").exit_code == 0
    assert picture.read_text().count('class="node') == 1
    assert run("draw", path, picture, "--no-solve").exit_code == 0
    assert "p: priority" in picture.read_text()


def test_depth_needs_a_start(run, game, tmp_path):
    result = run("draw", game, tmp_path / "x.svg", "--depth", "1")
    assert result.exit_code == 2
    assert "--depth goes with --start" in result.stderr
