"""Depth-first search, rescanning and component by component, as [GamesOnGraphs] describes them.

Labels, values and distances are in the contract of all solvers; here is what each of them does.
"""

import functools
import random

import numpy as np
import pytest
from tests import games

import zermelo as zm
from zermelo.errors import MemoryLimitError, SolverError
from zermelo.solvers.terminal import components, depth_first, rescan

SOLVERS = ("depth-first", "rescan", "components")


def same(s, t):
    return all(
        np.array_equal(getattr(s, name), getattr(t, name))
        for name in ("level", "label", "distance", "move")
    )


def path(n):
    return zm.Graph.from_arrays(np.arange(n - 1), np.arange(1, n), n)


# ---------------------------------------------------------------- depth first


def recursive(graph):
    """The recursion of the source with its table: labels, calls answered from the table, depth."""
    known, remembered, deepest = {}, 0, 0

    def label(u, depth):
        nonlocal remembered, deepest
        deepest = max(deepest, depth)
        results = []
        for v in graph.successors(u).tolist():
            if v in known or graph.out_degree[v] == 0:
                remembered += 1
            else:
                label(v, depth + 1)
            results.append(known.get(v, -1))
        known[u] = 1 if -1 in results else -1

    for u in range(graph.n):
        if u not in known and graph.out_degree[u]:
            label(u, 1)
    return known, remembered, deepest


def test_depth_first_is_the_memoised_recursion():
    rng = random.Random(51)
    for _ in range(60):
        n = rng.randint(1, 12)
        edges = [(u, v) for u in range(n) for v in range(n) if u < v and rng.random() < 0.3]
        new = rng.sample(range(n), n)
        graph = zm.Graph.from_edges([(new[u], new[v]) for u, v in edges], n=n)
        s = zm.solve(graph, solver="depth-first")
        known, remembered, deepest = recursive(graph)
        assert s.label.tolist() == [known.get(v, -1) for v in range(n)]
        stats = {"evaluated": len(known), "remembered": remembered, "depth": deepest}
        assert s.stats == stats
        assert len(known) + remembered <= graph.n + graph.m


def test_depth_first_refuses_cycles_in_a_sentence():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "b"), ("c", "t")])
    with pytest.raises(SolverError, match=r"without cycles, but play can come back to 'b'; solver"):
        zm.solve(graph, solver="depth-first")
    with pytest.raises(SolverError, match="come back to 'b'"):
        zm.solve(graph, zm.Asymmetric(), solver="depth-first")


def test_a_cycle_through_an_end_is_no_cycle_of_the_game():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    s = zm.solve(graph, zm.Reach(["b"], player=1), solver="depth-first")
    assert s.winner.tolist() == [1, 1]
    assert same(s, zm.solve(graph, zm.Reach(["b"], player=1)))
    with pytest.raises(SolverError, match="come back"):
        zm.solve(graph, zm.Reach([]), solver="depth-first")


def check_long_path(n, solver):
    s = zm.solve(path(n), solver=solver)
    assert s.distance[0] == n - 1
    assert s.label[0] == (1 if n % 2 == 0 else -1)
    return s


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_recursion_on_a_path(solver):
    check_long_path(300 if solver == "rescan" else 3000, solver)


@pytest.mark.compiled
def test_no_recursion_on_a_path_of_a_million(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    assert check_long_path(1_000_000, "depth-first").stats["depth"] == 999_999
    assert check_long_path(1_000_000, "components").stats["largest"] == 1


# ---------------------------------------------------------------- rescan


def rounds(graph):
    """Φ iterated from nothing: labels by position, and what the passes look at."""
    labels = {v: -1 for v in range(graph.n) if graph.out_degree[v] == 0}
    passes = scans = 0
    while True:
        passes += 1
        new = {}
        for u in range(graph.n):
            if u in labels:
                continue
            scans += 1
            after = [labels.get(v) for v in graph.successors(u).tolist()]
            if -1 in after:
                new[u] = 1
            elif all(x == 1 for x in after):
                new[u] = -1
        if not new:
            return labels, passes, scans
        labels |= new


def test_rescan_is_the_iteration_of_phi():
    rng = random.Random(32)
    for _ in range(60):
        graph = games.random_digraph(rng, most=10).with_owner(None)
        s = zm.solve(graph, solver="rescan")
        labels, passes, scans = rounds(graph)
        assert s.label.tolist() == [labels.get(v, 0) for v in range(graph.n)]
        assert s.stats["scans"] == scans
        assert s.stats["passes"] == passes <= graph.n + 1


@pytest.mark.parametrize("n", [2, 10, 60])
def test_the_path_is_quadratic_for_passes_and_linear_with_a_list(n):
    """Pass k decides one position of a path, and looks at all that are left."""
    stats = zm.solve(path(n), solver="rescan").stats
    assert stats["scans"] == n * (n - 1) // 2
    assert zm.solve(path(n), solver="rescan", worklist=True).stats["scans"] == n - 1


@pytest.mark.parametrize("d", [1, 5, 30])
def test_a_list_is_quadratic_in_the_degree(d):
    """[GamesOnGraphs] §6.1: each of the d wins makes u look at all its d moves."""
    edges = [("u", f"v{k}") for k in range(d)] + [(f"v{k}", "t") for k in range(d)]
    graph = zm.Graph.from_edges(edges)
    s = zm.solve(graph, solver="rescan", worklist=True)
    assert s.at("u").label == -1
    assert s.stats["moves"] == d * d + d
    assert zm.solve(graph, solver="rescan").stats["moves"] == 2 * d + d


def test_a_list_gives_the_same_answers():
    rng = random.Random(61)
    for keyword in games.KEYWORDS:
        for _ in range(25):
            graph = games.random_digraph(rng)
            objective = games.objective(keyword, graph, rng)
            s = zm.solve(graph, objective, solver="rescan", worklist=True)
            assert same(s, zm.solve(graph, objective))
            assert s.stats["moves"] <= sum(int(d) ** 2 for d in graph.out_degree) * (
                2 if s.label.ndim == 2 else 1
            )


# ---------------------------------------------------------------- components


def test_components_are_those_of_the_graph():
    rng = random.Random(52)
    for _ in range(60):
        graph = games.random_digraph(rng, most=9).with_owner(None)
        reach = np.linalg.matrix_power(adjacency(graph) + np.eye(graph.n, dtype=int), graph.n) > 0
        both = reach & reach.T
        classes = {tuple(row) for row in both.tolist()}
        loops = {u for u, v in graph.to_edges().tolist() if u == v}
        cyclic = [c for c in classes if sum(c) > 1 or c.index(True) in loops]
        s = zm.solve(graph, solver="components")
        assert s.stats["components"] == len(classes)
        assert s.stats["largest"] == max(map(sum, classes))
        assert s.stats["waves"] == len(cyclic)


def adjacency(graph):
    matrix = np.zeros((graph.n, graph.n), int)
    for u, v in graph.to_edges().tolist():
        matrix[u, v] = 1
    return matrix


def test_exits_at_different_distances_join_the_wave_in_time():
    """a ⇄ b; a can win by an exit at distance 5, but the way through b takes only 4 moves."""
    chain = [(f"c{k}", f"c{k + 1}") for k in range(4)]
    edges = [("a", "b"), ("b", "a"), ("a", "c0"), ("b", "d"), ("d", "t"), *chain]
    graph = zm.Graph.from_edges(edges)
    s = zm.solve(graph, solver="components").verify()
    assert same(s, zm.solve(graph))
    assert s.stats == {"components": 8, "largest": 2, "waves": 1, "exits": 2}


def test_a_component_needs_its_own_wave():
    """[GamesOnGraphs] §5.1: a ⇄ b with an exit from a; the order of the moves does not matter."""
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")], names=["a", "b", "t"])
    for solver in ("components", "rescan"):
        assert zm.solve(graph, solver=solver).label.tolist() == [1, -1, -1]


# ---------------------------------------------------------------- all three


@pytest.mark.parametrize(
    ("solver", "module"),
    [("depth-first", depth_first), ("rescan", rescan), ("components", components)],
)
def test_they_stop_and_continue(solver, module, monkeypatch):
    edges = [(u, v) for u in range(40) for v in (u + 1, u + 2, u + 7) if v < 40]
    graph = zm.Graph.from_edges(edges, n=40)
    options = {"worklist": True} if solver == "rescan" else {}
    whole = zm.solve(graph, solver=solver, **options)
    monkeypatch.setattr(module, "BUDGET", 3)
    seen = []
    s = zm.solve(graph, solver=solver, progress=lambda *report: seen.append(report), **options)
    assert len(seen) > 3
    assert all(0 <= done <= total == 40 for done, total, _ in seen)
    assert same(s, whole)
    assert s.stats == whole.stats


@pytest.mark.parametrize("solver", SOLVERS)
def test_many_levels(solver):
    """Every terminal of a tree pays another number, more than fit into a byte."""
    n = 400
    edges = [((v - 1) // 2, v) for v in range(1, n)]
    tree = zm.Graph.from_edges(edges, n=n)
    rng = random.Random(7)
    pays = {v: rng.randrange(-(10**6), 10**6) for v in tree.terminals.tolist()}

    @functools.cache
    def value(v, player):
        after = [value(w, 1 - player) for w in tree.successors(v).tolist()]
        return (min if player else max)(after) if after else pays[v]

    s = zm.solve(tree, zm.TerminalPayoff(pays), solver=solver).verify()
    assert s.value.tolist() == [[value(v, 0), value(v, 1)] for v in range(n)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_too_little_memory_is_refused(solver, monkeypatch):
    graph = path(5)
    monkeypatch.setenv("ZERMELO_MEMORY", "100")
    with pytest.raises(MemoryLimitError, match=rf"solver '{solver}' on 5 positions.*'retrograde'"):
        zm.solve(graph, solver=solver)
