"""Paths, cycles, trees, grids, layers, stars, complete and all small digraphs: what they count."""

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.generators import (
    all_digraphs,
    complete,
    cycle,
    digraph,
    grid,
    layered,
    path,
    random_tree,
    star,
    tree,
)


@pytest.mark.parametrize("n", range(6))
def test_paths(n):
    assert (path(n).graph.n, path(n).graph.m) == (n, max(n - 1, 0))
    assert path(n, symmetric=True).graph.m == 2 * max(n - 1, 0)
    labels = zm.solve(path(n)).label.tolist()
    assert labels == [-1 if (n - 1 - v) % 2 == 0 else 1 for v in range(n)]


@pytest.mark.parametrize("n", range(6))
def test_cycles(n):
    assert (cycle(n).graph.n, cycle(n).graph.m) == (n, n)
    assert cycle(n, symmetric=True).graph.m == (2 * n if n > 2 else {0: 0, 1: 1, 2: 2}[n])
    assert not zm.solve(cycle(n)).label.any()


@pytest.mark.parametrize("branching", [1, 2, 3, 7])
@pytest.mark.parametrize("depth", [0, 1, 4])
def test_complete_trees(branching, depth):
    graph = tree(branching, depth).graph
    assert graph.n == sum(branching**k for k in range(depth + 1))
    assert graph.m == graph.n - 1
    assert graph.terminals.size == branching**depth
    assert set(graph.out_degree.tolist()) <= {0, branching}
    assert (zm.solve(graph).distance.max()) == depth


def test_trees_too_large_are_refused_at_once():
    for branching, depth in ((2, 31), (10**9, 3), (3, 10**9)):
        with pytest.raises(InvalidOptionError, match="expected a tree of at most"):
            tree(branching, depth)


@pytest.mark.parametrize("seed", range(5))
def test_random_trees(seed):
    graph = random_tree(200, seed, owners="alternate").graph
    parents, children = graph.to_edges().T
    assert sorted(children.tolist()) == list(range(1, 200))
    assert (parents < children).all()
    assert (graph.owner[parents] != graph.owner[children]).all()


def test_random_trees_hang_their_positions_evenly():
    # The root of a random recursive tree has about ln n children.
    children = [int(random_tree(2000, seed).graph.out_degree[0]) for seed in range(300)]
    assert np.mean(children) == pytest.approx(np.log(2000) + 0.577, abs=0.6)


def test_grids():
    w, h = 7, 5
    assert grid(w, h).graph.m == (w - 1) * h + w * (h - 1)
    assert grid(w, h, "orthogonal").graph.m == 2 * grid(w, h).graph.m
    assert grid(w, h, "king").graph.m == 2 * grid(w, h).graph.m + 4 * (w - 1) * (h - 1)
    assert grid(w, h, "knight").graph.m == 4 * ((w - 1) * (h - 2) + (w - 2) * (h - 1))
    assert grid(w, h, "rook").graph.m == w * h * (w + h - 2)
    assert grid(w, h).graph.terminals.tolist() == [w * h - 1]


@pytest.mark.parametrize(
    ("moves", "degree"),
    [("forward", 2), ("orthogonal", 4), ("king", 8), ("knight", 8), ("rook", 10)],
)
def test_on_a_torus_all_squares_are_alike(moves, degree):
    graph = grid(7, 5, moves, torus=True, owners="alternate").graph
    assert set(graph.out_degree.tolist()) == {degree}
    assert np.bincount(graph.indices).tolist() == [degree] * 35


def test_small_torus_steps_become_loops_but_a_rook_must_leave():
    assert grid(1, 1, torus=True).graph.to_edges().tolist() == [[0, 0]]
    assert grid(1, 1, "rook", torus=True).graph.m == 0


def test_chess_board_owners():
    assert grid(3, 2, owners="alternate").graph.owner.tolist() == [0, 1, 0, 1, 0, 1]


def test_layers_go_down_one_by_one():
    graph = layered(1000, 10, degree=3, seed=1, ends=0.0, owners="alternate").graph
    layer = np.arange(1000) // 100
    u, v = graph.to_edges().T
    assert (layer[v] == layer[u] + 1).all()
    assert (np.abs(u % 100 - v % 100) <= 11).all()
    assert graph.terminals.tolist() == list(range(900, 1000))
    assert (graph.owner == layer % 2).all()
    assert not (zm.solve(graph.with_owner(None)).label == 0).any()


def test_layers_with_back_moves_have_cycles():
    graph = layered(1000, 10, degree=3, back=0.4, seed=1, ends=0.1).graph
    layer = np.arange(1000) // 100
    u, v = graph.to_edges().T
    assert set((layer[v] - layer[u]).tolist()) == {-1, 1}
    assert (zm.solve(graph).label == 0).any()
    assert graph.terminals.size == pytest.approx(100 + 90, abs=40)


def test_layers_of_uneven_size():
    graph = layered(23, 7, seed=3).graph
    assert graph.n == 23
    with pytest.raises(InvalidOptionError, match="layers: expected at most n = 5, got 6"):
        layered(5, 6)


def test_stars_and_complete_digraphs():
    assert star(5).graph.to_edges().tolist() == [[0, v] for v in range(1, 6)]
    assert star(3, owners="alternate").graph.owner.tolist() == [0, 1, 1, 1]
    assert [complete(n).graph.m for n in range(5)] == [0, 0, 2, 6, 12]
    assert [complete(n, loops=True).graph.m for n in range(5)] == [0, 1, 4, 9, 16]
    assert (complete(9).graph.to_edges()[:, 0] != complete(9).graph.to_edges()[:, 1]).all()


@pytest.mark.parametrize("n", range(4))
def test_digraphs_by_number(n):
    graphs = list(all_digraphs(n))
    assert len(graphs) == 2 ** (n * n)
    assert len({graph.digest for graph in graphs}) == len(graphs)
    for number, graph in enumerate(graphs):
        assert graph.n == n
        bits = sum(1 << u * n + v for u, v in graph.to_edges().tolist())
        assert bits == number
        assert digraph(n, number).graph == graph


@pytest.mark.parametrize("n", range(4))
def test_digraphs_without_loops(n):
    graphs = list(all_digraphs(n, loops=False))
    assert len({graph.digest for graph in graphs}) == len(graphs) == 2 ** (n * n - n)
    assert all(u != v for graph in graphs for u, v in graph.to_edges().tolist())


# OEIS A000595 (relations) and A000273 (digraphs), n = 0, 1, 2, …
@pytest.mark.parametrize(
    ("loops", "counts"), [(True, [1, 2, 10, 104, 3044]), (False, [1, 1, 3, 16, 218])]
)
def test_digraphs_up_to_isomorphism(loops, counts):
    found = [sum(1 for _ in all_digraphs(n, loops=loops, up_to_isomorphism=True)) for n in range(5)]
    assert found == counts


def test_all_digraphs_refuses_at_the_call():
    with pytest.raises(InvalidOptionError, match="n: expected an integer from 0 to 4, got 5"):
        all_digraphs(5)
    with pytest.raises(InvalidOptionError, match=r"number: expected an integer from 0 to 2\^4 - 1"):
        digraph(2, 16)
