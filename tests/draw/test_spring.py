"""The built-in layouts without Graphviz: square pictures, no overlaps, whatever the graph."""

import math
import random

import pytest

import zermelo as zm
from zermelo.draw import svg
from zermelo.draw.drawing import lay_out
from zermelo.draw.layouts.geometry import reach
from zermelo.draw.layouts.spring import spring_layout
from zermelo.draw.picture import make_picture


def random_graph(n, degree, seed=1):
    choose = random.Random(seed)
    return [(u, choose.randrange(n)) for u in range(n) for _ in range(degree)]


def random_tree(n, seed=2):
    choose = random.Random(seed)
    return [(choose.randrange(v), v) for v in range(1, n)]


def grid(n):
    k = math.isqrt(n)
    down = [(i * k + j, (i + 1) * k + j) for i in range(k - 1) for j in range(k)]
    return down + [(i * k + j, i * k + j + 1) for i in range(k) for j in range(k - 1)]


FAMILIES = {
    "functional": lambda n: random_graph(n, 1),
    "random": lambda n: random_graph(n, 2),
    "dense": lambda n: random_graph(n, 5),
    "binary tree": lambda n: [((v - 1) // 2, v) for v in range(1, n)],
    "random tree": random_tree,
    "star": lambda n: [(0, v) for v in range(1, n)],
    "grid": grid,
    "cycle": lambda n: [(v, (v + 1) % n) for v in range(n)],
    "path": lambda n: [(v, v + 1) for v in range(n - 1)],
    "band": lambda n: [(v, v - k) for v in range(n) for k in (1, 2, 3) if v >= k],
    "pieces": lambda n: [(2 * k, 2 * k + 1) for k in range(n // 2)],
}


def picture_of(name, n):
    return make_picture(zm.Graph.from_edges(FAMILIES[name](n)))


def overlaps(picture, layout):
    """The pairs of positions whose boxes overlap."""
    boxes = [
        (x - a, x + a, y - b, y + b)
        for node, (x, y) in zip(picture.nodes, layout.centres, strict=True)
        for a, b in [reach(node)]
    ]
    order = sorted(range(len(boxes)), key=lambda k: boxes[k][0])
    found = []
    for i, u in enumerate(order):
        for v in order[i + 1 :]:
            if boxes[v][0] >= boxes[u][1]:
                break
            if boxes[u][2] < boxes[v][3] and boxes[v][2] < boxes[u][3]:
                found.append((u, v))
    return found


@pytest.mark.slow(example="binary tree-100")
@pytest.mark.parametrize("n", [10, 30, 100, 300, 1000])
@pytest.mark.parametrize("name", FAMILIES)
def test_pictures_are_square_and_nothing_overlaps(name, n, no_graphviz):
    picture = picture_of(name, n)
    layout = lay_out(picture)
    assert 0.5 <= layout.width / layout.height <= 2.0
    assert overlaps(picture, layout) == []
    room = sum(4 * a * b for a, b in map(reach, picture.nodes))
    # Over 24 random functional graphs the picture has 10 to 60 times the room of its positions; for
    # one graph it also depends on how the processor adds up.
    assert layout.width * layout.height < 100 * room + 400_000
    assert len(layout.routes) == len(picture.edges)


@pytest.mark.parametrize("name", FAMILIES)
def test_springs_alone(name):
    picture = picture_of(name, 40)
    layout = spring_layout(picture)
    assert overlaps(picture, layout) == []
    for node, (x, y) in zip(picture.nodes, layout.centres, strict=True):
        a, b = reach(node)
        assert a - 1e-6 <= x <= layout.width - a + 1e-6
        assert b - 1e-6 <= y <= layout.height - b + 1e-6
    for route in layout.routes:
        for x, y in (*route.points, route.tip):
            assert -1 <= x <= layout.width + 1
            assert -1 <= y <= layout.height + 1


@pytest.mark.parametrize("edges", [[], [(0, 0)], [(0, 1)], [(0, 1), (1, 0)], [(0, 0), (1, 1)]])
def test_tiny_graphs(edges):
    n = 1 + max((max(edge) for edge in edges), default=0)
    picture = make_picture(zm.Graph.from_edges(edges, n=n))
    layout = spring_layout(picture)
    assert overlaps(picture, layout) == []
    assert len(layout.centres) == n
    empty = spring_layout(make_picture(zm.Graph.from_edges([], n=0)))
    assert (empty.width, empty.height) == (0.0, 0.0)


def test_long_names_have_room(no_graphviz):
    edges = [(f"a long name {u}", f"a long name {v}") for u, v in random_graph(60, 2)]
    picture = make_picture(zm.solve(zm.Graph.from_edges(edges)))
    layout = lay_out(picture)
    assert overlaps(picture, layout) == []
    assert 0.4 <= layout.width / layout.height <= 2.5


def test_moves_are_short_where_the_graph_is_flat():
    """Neighbours in a grid stand side by side: no move is much longer than the shortest."""
    layout = spring_layout(picture_of("grid", 225))
    edges = picture_of("grid", 225).edges
    lengths = [math.dist(layout.centres[e.source], layout.centres[e.target]) for e in edges]
    assert max(lengths) < 3 * min(lengths)


@pytest.mark.slow
def test_the_same_graph_is_the_same_picture(no_graphviz):
    game = zm.solve(zm.Graph.from_edges(random_graph(200, 2)))
    assert svg(game) == svg(game)
    assert svg(game, engine="spring") == svg(game)


def test_small_graphs_stay_in_layers(no_graphviz):
    path = make_picture(zm.Graph.from_edges(FAMILIES["path"](6)))
    assert lay_out(path) == lay_out(path, "layered")
    tree = picture_of("binary tree", 10)
    assert lay_out(tree) == lay_out(tree, "layered")


@pytest.mark.parametrize("name", ["path", "cycle", "band", "binary tree", "pieces", "grid"])
def test_strips_of_graphviz_give_way_to_springs(name, graphviz):
    layout = lay_out(picture_of(name, 100))
    assert 1 / 3 <= layout.width / layout.height <= 3.0
    strip = lay_out(picture_of("path", 100), "dot")  # what is asked for is drawn
    assert strip.height > 10 * strip.width


def test_a_strip_as_a_bitmap(graphviz, tmp_path):
    path = zm.draw(zm.Graph.from_edges(FAMILIES["path"](60)), tmp_path / "path.png")
    wide, tall = (int.from_bytes(path.read_bytes()[k : k + 4], "big") for k in (16, 20))
    assert max(wide, tall) < 6 * min(wide, tall)
