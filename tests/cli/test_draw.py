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


def test_options_that_exclude_each_other(run, game):
    both = run("draw", game, "x.svg", "--no-solve", "--objective", "normal")
    assert both.exit_code == 2
    assert "got both" in both.stderr
    depth = run("draw", game, "x.svg", "--depth", 2)
    assert depth.exit_code == 2
    assert "--depth goes with --start" in depth.stderr
