"""Plots of nim-values: SVG without Matplotlib, characters for the terminal, and the command."""

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.errors import ZermeloError
from zermelo.plots.canvas import Canvas, can_show
from zermelo.plots.sequence import SequencePlot, ticks

SVG = "{http://www.w3.org/2000/svg}"


def points(plot, kind):
    """The places of the points of a kind in the SVG."""
    root = ElementTree.fromstring(plot.svg())
    paths = [x.get("d") for x in root.iter(f"{SVG}path") if x.get("class") == kind]
    return re.findall(r"M([\d.]+) ([\d.]+)h0", paths[0]) if paths else []


def test_every_heap_is_a_point():
    plot = zm.heap("0.77").plot(60)
    assert len(plot) == 61
    plain, marked = points(plot, "plain"), points(plot, "marked")
    assert len(plain) + len(marked) == 61
    assert len(marked) == plot.marked.sum() > 0
    heights = {y for _, y in plain + marked}
    assert len(heights) == len(set(zm.heap("0.77").nim_sequence(60).tolist()))


def test_exceptions_to_a_period_are_marked():
    kayles = zm.heap("0.77")
    period = kayles.period()
    plot = kayles.plot(200)
    assert np.flatnonzero(plot.marked).tolist() == list(period.exceptions)
    assert "period 12 from heap 71 on" in plot.svg()
    assert "exceptions" in plot.svg()


@pytest.mark.slow
def test_large_plots_are_small_files():
    values = np.random.default_rng(1).integers(0, 2_000, 300_000)
    assert len(SequencePlot("noise", values).svg()) < 1_500_000


@pytest.mark.parametrize("values", [[], [0], [0, 0], [5]])
def test_short_sequences(values):
    plot = SequencePlot("<short>", np.array(values, np.int32))
    assert ElementTree.fromstring(plot.svg()).tag == f"{SVG}svg"
    for ascii in (True, False):
        lines = plot.draw(ascii=ascii).splitlines()
        assert lines[0] == "<short>"
        assert len(lines) == 19


def test_rows_and_columns_of_the_terminal():
    plot = SequencePlot("n", np.arange(10))
    rows = plot.draw(width=10, height=10, ascii=True).splitlines()[1:11]
    assert [row.index("*") for row in rows] == list(range(12, 2, -1))
    drawn = plot.draw(width=10, height=10, ascii=False)
    assert not drawn.isascii()
    assert sum("\u2800" < x <= "\u28ff" for x in drawn) == 10


def test_the_output_decides_between_unicode_and_ascii(monkeypatch):
    plot = SequencePlot("n", np.arange(10))

    class Output:
        encoding = "ascii"

    monkeypatch.setattr(sys, "stdout", Output())
    assert plot.draw().isascii()
    assert zm.value("{2|-1}").thermograph.draw().isascii()
    Output.encoding = "utf-8"
    assert not plot.draw().isascii()
    assert not zm.value("{2|-1}").thermograph.draw().isascii()
    Output.encoding = "no-such-encoding"
    assert not can_show("⣿")


def test_left_is_on_the_left():
    """Left's wall of {3 | 0} is left of the mast, and Right's is right of it, in both drawings."""
    thermograph = zm.value("{3|0}").thermograph
    for ascii in (True, False):
        labels = thermograph.draw(ascii=ascii).splitlines()[-1].split()
        assert labels.index("3") < labels.index("3/2") < labels.index("0")
    root = ElementTree.fromstring(thermograph.svg())
    lines = {x.get("class"): x.get("points") for x in root.iter(f"{SVG}polyline")}
    first = {name: float(text.split(",")[0]) for name, text in lines.items()}
    assert first["left"] < first["mast"] < first["right"]


def test_files(tmp_path):
    path = zm.heap("0.77").plot(20).save(tmp_path / "k.svg")
    assert path.read_text().startswith("<svg")
    path = zm.value("{2|-1}").thermograph.save(tmp_path / "t.svg", "a switch")
    assert "a switch" in path.read_text()
    for save in (zm.heap("0.77").plot(20).save, zm.value("{2|-1}").thermograph.save):
        with pytest.raises(ZermeloError, match=r"expected a name that ends with \.svg"):
            save(tmp_path / "k.png")


def test_canvas_and_ticks():
    canvas = Canvas(2, 1)
    canvas.dot(-1, 0)
    canvas.dot(4, 0)
    assert canvas.rows() == [""]
    with pytest.raises(ZermeloError, match="width"):
        Canvas(0, 1)
    for last in (1, 7, 99, 100, 12_345):
        found = ticks(last, 6)
        assert found[0] == 0
        assert found[-1] <= last
        assert 2 <= len(found) <= 7


# -------------------------------------------------------------------- the command


def run(*args):
    return CliRunner().invoke(cli, [str(x) for x in args])


@pytest.mark.parametrize("args", [("0.77", "--plot"), ("--plot", "0.77"), ("kayles", "--plot")])
def test_the_command_draws_in_the_terminal(args):
    done = run("grundy", *args, "--to", 30)
    assert done.exit_code == 0
    table, plot = done.stdout.split("\n\n")
    assert len(table.splitlines()) == 32
    assert plot.startswith("0.77\n")
    assert "└──" in plot


def test_the_command_writes_svg_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("grundy", "0.77", "--plot", tmp_path / "k.svg", "--period")
    assert done.exit_code == 0
    assert "period 12" in (tmp_path / "k.svg").read_text()
    for name in ("matplotlib.figure", "matplotlib.backends.backend_agg"):
        monkeypatch.setitem(sys.modules, name, None)
    done = run("grundy", "0.77", "--plot", tmp_path / "k.png")
    assert done.exit_code == 2
    assert "a plot as PNG or PDF needs Matplotlib (pip install 'zermelo[draw]')" in done.stderr


def test_the_command_needs_a_game():
    done = run("grundy", "--plot")
    assert done.exit_code == 2
    assert "FILE|CODE|COMPONENT" in done.stderr


def test_a_crowded_picture_comes_with_advice_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.cli.output.show.on_terminal", lambda file=None: True)
    path = tmp_path / "path.txt"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(400)))
    done = run("draw", path, tmp_path / "all.svg", "--engine", "spring")
    assert done.exit_code == 0
    assert "401 positions are hard to read in one picture; --start A --depth 3" in done.stderr
    done = run("draw", path, tmp_path / "part.svg", "--start", "0", "--depth", 3)
    assert done.exit_code == 0
    assert "hard to read" not in done.stderr
