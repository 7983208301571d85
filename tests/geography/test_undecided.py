"""A start that nobody has decided is no draw: it has a label and a word of its own everywhere."""

import dataclasses
import io

import numpy as np
import pytest

import zermelo as zm
from zermelo.draw.picture import make_picture
from zermelo.draw.summary import KINDS, counted_results, result_kinds, summarise
from zermelo.errors import CertificateError, FormatError
from zermelo.labels import UNDECIDED, Label

TRIANGLES = zm.Graph.from_edges(
    [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d"), ("x", "y")]
)
"""Two odd cycles, which are searched, and a move to an end."""


@pytest.fixture
def partial():
    """Two starts of the first cycle are decided, the others are not asked about."""
    return zm.solve(TRIANGLES, zm.NoReturn(), start="a")


def test_the_number_is_outside_of_every_range():
    assert UNDECIDED == Label.UNDECIDED == zm.UNDECIDED == 2
    assert UNDECIDED not in (zm.NO_WINNER, zm.NO_MOVE, 0, 1)
    assert np.int8(UNDECIDED) == UNDECIDED


def test_a_search_that_ran_out_of_nodes_decides_nothing():
    g = zm.generators.random_graph(60, degree=3, law="regular", seed=1).graph
    s = zm.solve(g, zm.NoReturn(), nodes=20).verify()
    assert set(s.label.tolist()) == {UNDECIDED}
    assert s.label.dtype == np.int8
    assert s[0].label is Label.UNDECIDED
    assert (s[0].outcome, s[0].value, s[0].winner, s[0].best_moves) == ("undecided", None, None, ())
    counts = s.counts()
    assert (counts["undecided"], counts["draw"], counts["tie"], counts["win"]) == (60, 0, 0, 0)
    assert repr(s) == "Solution(no-return by geography: 60 undecided)"


def test_arrays_and_frames(partial):
    known = {"a": -1, "b": -1, "x": 1, "y": -1}
    expected = [known.get(x, UNDECIDED) for x in TRIANGLES.names]
    frame = partial.to_pandas()
    assert frame["label"].tolist() == partial.label.tolist() == expected
    values = [None if x == UNDECIDED else x for x in expected]
    assert partial.value.tolist() == values
    assert partial.to_arrow()["value"].to_pylist() == values
    assert int(frame["value"].isna().sum()) == 4
    place = TRIANGLES.index("d")
    assert partial.winner[place].tolist() == [UNDECIDED] * 2
    decided = zm.solve(TRIANGLES, zm.NoReturn())
    assert decided.value.dtype == np.int64


@pytest.mark.parametrize("form", ["json", "csv", "npz", "parquet"])
def test_files(partial, form, tmp_path):
    path = tmp_path / f"solution.{form}"
    zm.write(partial, path)
    read = zm.read_solution(path, TRIANGLES).verify()
    for key in ("label", "level", "move"):
        assert getattr(read, key).tolist() == getattr(partial, key).tolist()
    assert read.counts() == partial.counts()
    assert str(read["d"]) == "d: undecided"
    if form == "csv":
        assert "\nd,UNDECIDED,,,\n" in path.read_text()


def test_a_file_claims_no_draws(partial):
    """A label 0 is a draw, and there is none in these games."""
    file = io.BytesIO()
    zm.write(partial, file, format="csv")
    text = file.getvalue().decode().replace("d,UNDECIDED,,,", "d,DRAW,,,")
    claim = io.BytesIO(text.encode())
    with pytest.raises(CertificateError, match="'d': expected a label −1, 1 or 2"):
        zm.read_solution(claim, TRIANGLES, format="csv").verify()


def test_other_games_have_no_undecided_labels():
    g = zm.Graph.from_edges([("a", "b")])
    for objective in (zm.NormalPlay(), zm.Energy({("a", "b"): 1}), zm.Reach(["b"])):
        s = zm.solve(g, objective)
        label = s.label.copy()
        label[0] = UNDECIDED
        with pytest.raises(CertificateError, match="expected label -1 … 1"):
            dataclasses.replace(s, label=label)
    file = io.BytesIO()
    zm.write(zm.solve(g), file, format="csv")
    text = file.getvalue().decode().replace("a,WIN,1,1", "a,UNDECIDED,,1")
    with pytest.raises(FormatError, match="expected a label LOSE, DRAW, WIN, got 'UNDECIDED'"):
        zm.read_solution(io.BytesIO(text.encode()), g, format="csv")


def test_pictures_and_their_counts(partial):
    cells = {node.name: node.cells[0] for node in make_picture(partial).nodes}
    assert (cells["d"].text, cells["d"].kind) == ("?", "undecided")
    assert counted_results(partial) == "1 win, 3 lose, 4 undecided"
    names = [group.name for group in summarise(partial, "results").groups]
    assert names == ["win", "loss", "undecided"]
    assert ">undecided<" in partial._repr_svg_()


def test_a_drawn_mean_is_no_undecided_one():
    """The mean 0 is a draw with a value, and is shown as one."""
    g = zm.Graph.from_edges([("a", "a")])
    s = zm.solve(g, zm.MeanPayoff({("a", "a"): 0}))
    assert {KINDS[k] for k in result_kinds(s).reshape(-1)} == {"draw"}
    assert "draw" in counted_results(s)
