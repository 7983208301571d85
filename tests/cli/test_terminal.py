"""What people see: on a terminal of 80 columns."""

import re

import pytest

COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def plain(text):
    return "".join(line.rstrip() + "\n" for line in COLOUR.sub("", text).splitlines())


def test_a_summary_and_a_table(on_terminal, game):
    status, shown = on_terminal("solve", game, "--verify", "--start", "b")
    assert status == 0
    assert COLOUR.search(shown)
    text = plain(shown)
    assert "5 positions, 7 moves, 1 terminal; players alternate" in text
    assert "normal: a player who cannot move loses" in text
    assert re.search(r"retrograde, .*verified", text)
    assert re.search(r"WIN +1 +20\.0 % .*longest 1 ply", text)
    assert re.search(r"DRAW +3 +60\.0 %", text)
    assert "b → c → d → c → …" in text
    assert re.search(r"^a +WIN +1 +t$", text, re.M)
    assert re.search(r"^b +DRAW +∞ +c$", text, re.M)


@pytest.mark.slow("args2")
@pytest.mark.parametrize(
    "args",
    [
        ("solve",),
        ("solve", "--objective", "asymmetric", "--start", "a"),
        ("solve", "--payoff", "t=-7/3", "--infinite", "5", "--start", "a"),
        ("solve", "--line", "b", "--explain", "b"),
        ("info",),
        ("trace",),
        ("trace", "--objective", "asymmetric"),
    ],
)
def test_everything_fits_in_80_columns(on_terminal, game, args):
    status, shown = on_terminal(args[0], game, *args[1:])
    assert status == 0
    assert max(map(len, plain(shown).splitlines())) <= 80


@pytest.mark.slow("args1")
@pytest.mark.parametrize("args", [("solvers",), ("generate",), ("--help",), ("solve", "--help")])
def test_lists_fit_in_80_columns(on_terminal, args):
    status, shown = on_terminal(*args)
    assert status == 0
    assert max(map(len, plain(shown).splitlines())) <= 80


@pytest.mark.slow
def test_few_positions_of_many(on_terminal, tmp_path):
    path = tmp_path / "path.txt"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(99)))
    _, shown = on_terminal("solve", path)
    assert "… and 80 more; --all shows every position" in plain(shown)
    _, shown = on_terminal("solve", path, "--all")
    assert "more;" not in plain(shown)
    assert re.search(r"^99 +LOSE +0", plain(shown), re.M)
    _, shown = on_terminal("solve", path, "--limit", 3)
    assert "… and 97 more" in plain(shown)


def test_no_colour_where_none_is_wanted(on_terminal, game):
    _, shown = on_terminal("solve", game, NO_COLOR="1")
    assert not re.search(r"\x1b\[3[0-9]m", shown)


def test_names_are_no_markup(on_terminal, tmp_path):
    path = tmp_path / "markup.txt"
    path.write_text('"[red]" "[/red]"\n')
    status, shown = on_terminal("solve", path, "--start", "[red]")
    assert status == 0
    assert "[red] → [/red]" in plain(shown)


def test_errors_look_the_same_on_a_terminal(on_terminal):
    status, shown = on_terminal("solve", "missing.txt")
    assert (status, shown) == (2, "zermelo: missing.txt: no such file or directory\n")


@pytest.mark.slow
def test_a_note_of_what_was_written(on_terminal, game, tmp_path):
    out = tmp_path / "out.json"
    _, shown = on_terminal("solve", game, "--quiet", "--output", out)
    assert plain(shown) == f"wrote {out}\n"
    _, shown = on_terminal("convert", game, tmp_path / "game.json")
    assert "5 positions, 7 moves" in plain(shown)


def test_nothing_of_a_bar_is_left(on_terminal, game):
    status, shown = on_terminal("solve", game, "--quiet")
    assert status == 0
    # A slow machine shows a bar for a moment; what follows the last erased line stays.
    assert plain(shown.rpartition("\x1b[2K")[2]) == ""
