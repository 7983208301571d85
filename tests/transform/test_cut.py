"""A tree that is cut at a depth says where, and nothing solves it as if its leaves were ends."""

import copy
import io
import pickle

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidGraphError
from zermelo.transform import named

TWO = zm.Graph.from_edges([("a", "b"), ("b", "a")])
EXIT = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])


def trees(depth):
    """Cut trees of every kind that the package makes."""
    yield zm.transform.unravel(TWO, "a", depth).graph
    yield zm.transform.unravel(EXIT, "a", depth).graph
    yield zm.debut_tree(zm.generators.complete(6), 0, depth).graph
    yield named.unravel(zm.Game(EXIT, start="a"), depth).graph
    yield named.debut_tree(zm.Game(zm.generators.complete(6).graph, start=0), depth=depth).graph


@pytest.mark.parametrize("depth", range(5))
def test_no_depth_gives_a_value_to_a_cut_tree(depth):
    for tree in trees(depth):
        for call in (
            zm.solve, zm.grundy, zm.kernel, zm.kernels, zm.trace, zm.classify, zm.bisimulation,
            zm.maximum_matching, zm.transform.alternating_graph, zm.line_digraph, zm.Graph.to_scipy,
            lambda g: zm.solve(zm.Game(g)),
            lambda g: zm.solve(g, zm.Misere()),
            lambda g: zm.solve(g, zm.NoReturn()),
            lambda g: zm.solve(g.with_owner([0] * g.n), zm.Reach([0])),
            lambda g: zm.solve(g.with_owner([0] * g.n), zm.Parity([0] * g.n)),
            lambda g: zm.solve(g.with_owner([0] * g.n), zm.Energy(lambda u, v: 1)),
            lambda g: zm.solve(g, engine="disk"),
            lambda g: zm.attractor(g.with_owner([0] * g.n), [0], 0),
            lambda g: zm.evaluate("<>true", g),
            lambda g: zm.check_labelling(g, [0] * g.n),
            lambda g: zm.check_strategy(g, {}, 0, next(iter(g))),
            lambda g: zm.transform.pointed_value((g, next(iter(g)))),
            lambda g: zm.transform.reachable(g, next(iter(g))),
            lambda g: zm.eggs(g, next(iter(g))),
            lambda g: zm.plan(g),
            lambda g: zm.PartizanGraph(g, g),
        ):  # fmt: skip
            with pytest.raises(InvalidGraphError, match="cut off"):
                call(tree)


def test_the_message_names_the_position():
    with pytest.raises(InvalidGraphError, match=r"the moves of one position, \('a', 'b'\), were"):
        zm.solve(zm.transform.unravel(TWO, "a", 1).graph)


def test_a_whole_tree_has_the_value_of_the_graph():
    """Corollary 3.3."""
    graph = zm.Graph.from_edges([("s", "a"), ("s", "b"), ("a", "t"), ("b", "a")])
    tree = zm.transform.unravel(graph, "s", 4)
    assert tree.complete
    assert tree.graph.cut is None
    assert not tree.cut.any()
    assert zm.solve(tree.graph)[("s",)].label == zm.solve(graph)["s"].label


def test_a_cut_leaf_is_no_terminal():
    tree = zm.transform.unravel(EXIT, "a", 2).graph
    assert [tree.name(v) for v in tree.terminals] == [("a", "t")]
    assert [tree.name(v) for v in np.flatnonzero(tree.cut)] == [("a", "b", "a")]
    assert repr(tree) == "Graph(4 positions, 3 moves, 1 terminal, 1 cut off)"
    assert not tree.cut.flags.writeable


def test_a_cut_graph_differs_from_a_whole_one_and_survives_copies():
    tree = zm.transform.unravel(TWO, "a", 2).graph
    whole = zm.Graph(tree.indptr, tree.indices, tree.owner, tree.names)
    assert tree != whole
    assert tree.digest != whole.digest
    assert whole.digest == zm.generators.path(3).graph.digest
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), tree.with_names(None),
                  tree.with_owner([0, 1, 0])):  # fmt: skip
        assert other.cut.tolist() == [False, False, True]
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_files_say_where_a_tree_was_cut_or_refuse_it(tmp_path):
    game = named.unravel(zm.Game(TWO, start="a"), 2)
    file = io.BytesIO()
    zm.write(game, file, format="json")
    assert b'"cut":[2]' in file.getvalue()
    again = zm.read(io.BytesIO(file.getvalue()), format="json")
    assert again == game
    assert again.graph.cut.tolist() == [False, False, True]
    for name in ("x.dot", "x.graphml", "x.npz"):
        with pytest.raises(InvalidGraphError, match="does not store where a tree was cut"):
            zm.write(game, tmp_path / name)
    with pytest.raises(InvalidGraphError, match="cut off"):
        zm.Shards.write(zm.Game(game.graph.with_names(None)), tmp_path / "shards")


@pytest.mark.parametrize(
    ("cut", "message"),
    [("3", "/cut: expected a list"), ("[7]", "/cut/0: expected a position 0 … 1, got 7"),
     ('["a"]', "/cut/0"), ("[0]", "position 0 has moves")],
)  # fmt: skip
def test_files_with_a_wrong_cut_are_refused(cut, message):
    text = f'{{"format":"zermelo-game","version":1,"cut":{cut},"moves":[[1],[]]}}'
    with pytest.raises(zm.errors.FormatError, match=message):
        zm.read(io.BytesIO(text.encode()), format="json")


@pytest.mark.parametrize("cut", [[True], [0, 1], "ab", [[True, False]], object()])
def test_a_wrong_mask_is_refused(cut):
    with pytest.raises(InvalidGraphError, match="cut: expected"):
        zm.Graph([0, 1, 1], [1], cut=cut)


def test_a_cut_tree_can_be_seen():
    game = named.unravel(zm.Game(TWO, start="a"), 2)
    assert "cut off" in repr(game)
    assert game.graph._repr_svg_()
    assert game._repr_html_()
