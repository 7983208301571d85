"""Files, engines, parts of graphs, refusals, notebooks."""

import sys
import xml.etree.ElementTree as ET

import pytest

import zermelo as zm
from zermelo.draw import drawing, svg
from zermelo.draw.layouts import graphviz
from zermelo.draw.notebook import graph_svg, solution_svg
from zermelo.draw.picture import make_picture
from zermelo.errors import DrawError, MissingDependencyError, UnknownPositionError
from zermelo.generators import complete, cycle, layered, path, random_graph, star

PNG, PDF = b"\x89PNG", b"%PDF"


def names(subject, **options):
    return [node.name for node in make_picture(subject, **options).nodes]


# -------------------------------------------------------------------- without Graphviz


@pytest.mark.usefixtures("no_graphviz")
class TestWithoutGraphviz:
    def test_svg_works(self, solution, tmp_path):
        out = zm.draw(solution, tmp_path / "game.svg")
        assert out == tmp_path / "game.svg"
        assert len(ET.parse(out).getroot()) > 0

    def test_small_cyclic_graphs_are_circles(self):
        assert svg(cycle(5)) == svg(cycle(5), engine="circular")
        assert svg(path(5)) == svg(path(5), engine="layered")
        assert svg(complete(16)) == svg(complete(16), engine="spring")

    @pytest.mark.slow
    @pytest.mark.parametrize(("suffix", "magic"), [("png", PNG), ("pdf", PDF)])
    def test_matplotlib_steps_in(self, game, tmp_path, suffix, magic):
        pytest.importorskip("matplotlib")
        owned = random_graph(9, 2, seed=1, owners="random").graph
        cut = {"start": "a", "depth": 1, "title": "costs $3$ 漢"}
        for subject, options in (
            (game, {}),
            (zm.solve(game), cut),
            (zm.solve(game, zm.Asymmetric()), {}),
            (zm.solve(owned), {"direction": "right", "legend": False}),
            (zm.Graph.from_edges([], n=0), {}),
        ):
            out = zm.draw(subject, tmp_path / f"x.{suffix}", **options)
            assert out.read_bytes().startswith(magic)

    def test_without_matplotlib_either(self, solution, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
        with pytest.raises(MissingDependencyError, match=r"zermelo\[draw\].*svg needs neither"):
            zm.draw(solution, tmp_path / "game.png")
        assert not (tmp_path / "game.png").exists()

    def test_an_engine_asked_for_by_name_is_missed(self, solution, tmp_path):
        with pytest.raises(MissingDependencyError, match="needs Graphviz's neato; install"):
            svg(solution, engine="neato")
        with pytest.raises(MissingDependencyError, match="needs Graphviz's dot; install"):
            zm.draw(solution, tmp_path / "game.png", engine="dot")

    def test_dot_text_needs_no_other_program(self, solution, tmp_path):
        text = zm.draw(solution, tmp_path / "game.dot").read_text()
        assert text.startswith("digraph zermelo {")
        assert text.count(" -> ") == solution.graph.m

    def test_notebooks(self, solution):
        assert solution._repr_svg_().startswith("<svg")
        assert solution.graph._repr_svg_().startswith("<svg")

    @pytest.mark.parametrize("engine", ["layered", "circular"])
    def test_every_small_digraph_can_be_drawn(self, engine):
        for graph in zm.generators.all_digraphs(3, up_to_isomorphism=True):
            ET.fromstring(svg(zm.solve(graph), engine=engine))

    def test_long_moves_of_large_graphs_go_without_dummies(self):
        ET.fromstring(svg(cycle(500), engine="layered"))
        ET.fromstring(svg(random_graph(400, 3, seed=2), engine="layered"))


# -------------------------------------------------------------------- with Graphviz


@pytest.mark.usefixtures("graphviz")
class TestWithGraphviz:
    @pytest.mark.parametrize("engine", [None, *graphviz.ENGINES])
    def test_every_engine_places_every_position(self, game, engine):
        for subject in (game, zm.solve(game, zm.Asymmetric())):
            root = ET.fromstring(svg(subject, engine=engine))
            found = [g for g in root.iter() if "node" in g.get("class", "").split()]
            assert len(found) == game.n

    @pytest.mark.parametrize(
        ("suffix", "magic"), [("png", PNG), ("pdf", PDF), ("svg", b"<svg"), ("gv", b"digraph")]
    )
    def test_formats(self, solution, tmp_path, suffix, magic):
        out = zm.draw(solution, str(tmp_path / f"x.{suffix.upper()}"), title='a "b" <c>')
        assert out.read_bytes().startswith(magic)
        other = zm.draw(solution, tmp_path / "noname", format=suffix)
        assert other.read_bytes().startswith(magic)

    def test_graphviz_reads_any_name(self, tmp_path):
        nasty = ['"]; x -> y; //', "<b>&\\N", "漢字 🎲", "\x00\x1b", "", "a\nb", "\\", "&#60;"]
        graph = zm.Graph.from_edges([(v, (v + 1) % 8) for v in range(8)], names=nasty)
        for subject in (graph, zm.solve(graph), zm.solve(graph, zm.G0())):
            out = zm.draw(subject, tmp_path / "nasty.png", title=nasty[0])
            assert out.read_bytes().startswith(PNG)
            zm.draw(subject, tmp_path / "nasty.dot", title=nasty[0])
            again = graphviz.run("dot", (tmp_path / "nasty.dot").read_text(), "-Tjson0")
            assert again.count(b'"name": "n') == 8

    def test_direction(self):
        down = graphviz.graphviz_layout(make_picture(path(6)), "dot", "down")
        right = graphviz.graphviz_layout(make_picture(path(6)), "dot", "right")
        assert down.height > down.width
        assert right.width > right.height

    def test_layers_that_take_too_long_are_replaced_by_springs(self, solution, monkeypatch):
        asked = []

        def make(kind, limit):
            asked.append((kind, limit))
            if kind == "dot":
                raise graphviz._TookTooLong("too long")
            return "drawn"

        assert graphviz.attempt(None, "dot", make) == "drawn"
        assert asked == [("dot", graphviz.LAYERED_SECONDS), ("sfdp", graphviz.MAX_SECONDS)]
        with pytest.raises(DrawError, match="too long"):
            graphviz.attempt("dot", "dot", make)

    def test_time_limit(self, solution):
        text = graphviz.write_dot(make_picture(random_graph(900, 3, seed=1)), bare=True)
        with pytest.raises(DrawError, match=r"dot took more than 0\.05 seconds; draw less"):
            graphviz.run("dot", text, "-Tjson0", limit=0.05)

    def test_what_graphviz_complains_about_is_passed_on(self):
        with pytest.raises(DrawError, match=r"Graphviz's dot failed: .*syntax error"):
            graphviz.run("dot", "digraph {", "-Tjson0")


def test_engine_by_shape():
    assert drawing.choose_engine(make_picture(layered(300, 10, seed=1))) == "dot"
    assert drawing.choose_engine(make_picture(random_graph(300, 3, seed=1))) == "sfdp"
    assert drawing.choose_engine(make_picture(path(1500))) == "sfdp"


# -------------------------------------------------------------------- parts and refusals


def test_a_part_by_start_and_depth(game):
    assert names(game, start="a", depth=0) == ["a"]
    assert names(game, start="a", depth=1) == ["a", "b", "t"]
    assert names(game, start="c") == ["c", "a", "d", "b", "t"]
    picture = make_picture(game, start="a", depth=0)
    assert [node.cut for node in picture.nodes] == [2]
    assert [node.start for node in picture.nodes] == [True]
    assert "more moves, not drawn" in svg(game, start="a", depth=0, engine="layered")


def test_a_solution_knows_its_start(game):
    solution = zm.solve(game, start="c")
    assert names(solution, depth=1) == ["c", "a", "d"]
    assert len(names(solution)) == game.n
    assert [n.name for n in make_picture(solution).nodes if n.start] == ["c"]


def test_large_graphs_are_refused_with_the_way_out(tmp_path):
    for subject in (path(5001), zm.solve(path(5001))):
        with pytest.raises(DrawError, match=r"at most 5,000 .* has 5,001; .* start= .* depth="):
            zm.draw(subject, tmp_path / "x.svg")
    with pytest.raises(DrawError, match="0 reaches 6,001 in 1 moves"):
        svg(star(6000), start=0, depth=3)
    with pytest.raises(DrawError, match="at most 50,000 moves to draw, got 57,360; draw a part"):
        svg(complete(240))
    assert len(names(path(100_000), start=70, depth=5)) == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "dott"}, "engine: expected one of dot, .*circular, spring, got 'dott'"),
        ({"direction": "up"}, "direction: expected 'down' or 'right', got 'up'"),
        ({"depth": 2}, "depth: expected a start to count from"),
        ({"depth": -1, "start": "a"}, "depth: expected a number of moves, got -1"),
    ],
)
def test_options_that_make_no_sense(game, tmp_path, options, message):
    with pytest.raises(DrawError, match=message):
        svg(game, **options)
    with pytest.raises(DrawError, match=message):
        zm.draw(game, tmp_path / "x.svg", **options)


def test_unknown_formats_things_and_starts(game, tmp_path):
    with pytest.raises(DrawError, match=r"one of svg, png, pdf, dot; got file 'x[.]jpg'"):
        zm.draw(game, tmp_path / "x.jpg")
    with pytest.raises(DrawError, match="got format 'tiff'"):
        zm.draw(game, tmp_path / "x.svg", format="tiff")
    with pytest.raises(DrawError, match="expected a Graph or a Solution to draw, got dict"):
        svg({"a": "b"})
    with pytest.raises(UnknownPositionError, match="no position is called 'z'"):
        svg(game, start="z")


# -------------------------------------------------------------------- notebooks


def test_notebooks_show_small_things_only(solution):
    assert graph_svg(solution.graph) == svg(solution.graph)
    assert solution_svg(solution) == svg(solution)
    assert graph_svg(path(201)) is None
    assert solution_svg(zm.solve(path(201))) is None
    assert graph_svg(path(0)) is None
    assert graph_svg(complete(60)) is None
    assert path(3)._repr_svg_() == svg(path(3).graph)


def test_notebooks_never_see_an_error(solution, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no picture today")

    monkeypatch.setattr(sys.modules["zermelo.draw.notebook"], "svg", broken)
    assert graph_svg(solution.graph) is None
    assert solution._repr_svg_() is None


def test_the_function_and_the_package_share_a_name():
    import zermelo.draw.notebook  # noqa: F401

    assert callable(zm.draw)
    from zermelo.draw import draw

    assert zm.draw is draw
