"""NMFL against Figure 3 of [Loewe2004], its propositions, its theorem and the default solver."""

import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.nmfl import STATE_SIZE, Bilabelling, Counts, Stack, nmfl
from zermelo.errors import SolverError
from zermelo.solvers.terminal import nmfl as solver

LOSE, DRAW, WIN = -1, 0, 1


def digraphs(n):
    arcs = list(itertools.product(range(n), repeat=2))
    for mask in range(1 << len(arcs)):
        yield zm.Graph.from_edges([a for k, a in enumerate(arcs) if mask >> k & 1], n=n)


def random_graph(rng, n):
    arcs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 2 * n))]
    return zm.Graph.from_edges(arcs, n=n)


SMALL = [graph for n in range(4) for graph in digraphs(n)]
_rng = random.Random(44)
RANDOM = [random_graph(_rng, _rng.randint(4, 12)) for _ in range(400)]


def solve(graph):
    return zm.solve(graph, zm.Asymmetric(), solver="nmfl")


class Figure3:
    """The pseudocode line by line, with its recursion; ``log`` has every change."""

    def __init__(self, graph):
        self.outbound = [graph.successors(v).tolist() for v in range(graph.n)]
        self.inbound = [graph.predecessors(v).tolist() for v in range(graph.n)]
        self.ell = [[LOSE, WIN] for _ in range(graph.n)]  # 030-070
        self.calls = self.steps = 0
        self.log = []
        for i in range(graph.n):  # 080
            if not self.outbound[i]:  # 090
                self.assign(i, 0, DRAW)  # 110
                for j in self.inbound[i]:
                    self.label(j, 1)
                self.assign(i, 1, LOSE)  # 140
                for j in self.inbound[i]:
                    self.label(j, 0)

    def assign(self, i, e, label):
        self.ell[i][e] = label
        self.log.append((i, e, label))

    def label(self, i, e):
        self.calls += 1
        aux = LOSE  # 205
        for j in self.outbound[i]:
            aux = max(aux, -self.ell[j][1 - e])  # 225
            self.steps += 1
        if self.ell[i][e] != aux:  # 235
            self.assign(i, e, aux)  # 255
            for j in self.inbound[i]:
                self.label(j, 1 - e)  # 275

    def index(self):
        ind = np.zeros((len(self.ell), 2), np.int64)
        for time, (i, e, _) in enumerate(self.log, start=1):
            ind[i, e] = time
        return ind


# ---------------------------------------------------------------- the algorithm


@pytest.mark.parametrize("graphs", [SMALL, RANDOM], ids=["small", "random"])
def test_it_is_figure_3_step_by_step(graphs):
    for graph in graphs:
        s, paper = solve(graph), Figure3(graph)
        assert s.label.tolist() == paper.ell
        assert s.stats["ind"].tolist() == paper.index().tolist()
        assert s.stats["label_calls"] == paper.calls
        assert s.stats["steps"] == paper.steps
        assert s.stats["changes"] == len(paper.log)


@pytest.mark.slow
@pytest.mark.parametrize("graphs", [SMALL, RANDOM], ids=["small", "random"])
def test_it_agrees_with_the_default_solver(graphs):
    for graph in graphs:
        s, default = solve(graph), zm.solve(graph, zm.Asymmetric())
        for name in ("label", "level", "distance", "winner", "move"):
            assert np.array_equal(getattr(s, name), getattr(default, name)), name


@pytest.mark.slow
def test_proposition_3_8_all_pairs_but_one():
    seen = {tuple(pair) for graph in (*SMALL, *RANDOM) for pair in solve(graph).label.tolist()}
    assert seen == set(itertools.product((LOSE, DRAW, WIN), repeat=2)) - {(WIN, LOSE)}


@pytest.mark.parametrize("graphs", [SMALL[:200], RANDOM[:60]], ids=["small", "random"])
def test_proposition_4_1_labels_move_one_way(graphs):
    """The labels are compared after every call of Label in the kernel itself."""
    for graph in graphs:
        ell = np.tile(np.array([LOSE, WIN], np.int8), graph.n)
        ind = np.zeros(2 * graph.n, np.int64)
        stack = Stack(np.empty(4 * graph.n, np.int32), np.empty(4 * graph.n, np.int64))
        state = np.zeros(STATE_SIZE, np.int64)
        moves = Moves(graph.indptr, graph.indices), Moves(*graph.reverse)
        none = Counts(np.empty(0, np.int32), np.empty(0, np.int32))
        arrays = (*moves, Bilabelling(ell, ind), none, stack, state)
        done = False
        while not done:
            before = ell.copy()
            done = nmfl(*arrays, 1)
            assert (ell[0::2] >= before[0::2]).all()
            assert (ell[1::2] <= before[1::2]).all()
        assert ell.tolist() == solve(graph).label.reshape(-1).tolist()


@pytest.mark.slow
def test_proposition_4_2_calls_of_label():
    for graph in (*SMALL, *RANDOM):
        stats = solve(graph).stats
        assert stats["label_calls"] <= 4 * graph.m
        assert stats["changes"] <= 4 * graph.n


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_the_papers_example_is_quadratic(n):
    s = solve(zm.Graph.from_edges([(0, k) for k in range(1, n + 1)]))
    assert s.stats["label_calls"] == 2 * n
    assert s.stats["steps"] == 2 * n * n


# ---------------------------------------------------------------- Theorem 4.4


def cases(graph):
    """Per position with moves: its labels and indices, and those of its successors."""
    s = solve(graph)
    label, ind = s.label.tolist(), s.stats["ind"].tolist()
    for v in range(graph.n):
        moves = graph.successors(v).tolist()
        if moves:
            yield label, ind, v, moves


@pytest.mark.parametrize("graphs", [SMALL, RANDOM], ids=["small", "random"])
def test_the_six_cases_with_some_in_case_2(graphs):
    for graph in graphs:
        for label, ind, v, moves in cases(graph):
            (l0, l1), (i0, i1) = label[v], ind[v]
            after_0 = [(label[w][1], ind[w][1]) for w in moves]
            after_1 = [(label[w][0], ind[w][0]) for w in moves]
            if l0 == WIN:
                assert any(x == LOSE and i < i0 for x, i in after_0)
            elif l0 == DRAW:
                assert all(x != LOSE for x, _ in after_0)
                assert any(x == DRAW and i < i0 for x, i in after_0)  # the erratum: for some
            else:
                assert i0 == 0
                assert all(pair == (WIN, 0) for pair in after_0)
            if l1 == WIN:
                assert i1 == 0
                assert (LOSE, 0) in after_1
            elif l1 == DRAW:
                assert all(x != LOSE for x, _ in after_1)
                assert any(x == DRAW for x, _ in after_1)
                assert all(i < i1 for x, i in after_1 if x == DRAW)  # here it holds for all
            else:
                assert all(x == WIN and i < i1 for x, i in after_1)


def test_case_2_does_not_hold_for_all():
    """The smallest graph: b has ℓ₀ = D from a at time 3, and its own ℓ₁ falls to D at time 6."""
    graph = zm.Graph.from_edges([("a", "t"), ("b", "a"), ("b", "b")], names=["a", "b", "t"])
    s = solve(graph)
    ind = s.stats["ind"]
    a, b = graph.index("a"), graph.index("b")
    assert s.label[b, 0] == DRAW
    assert s.label[a, 1] == DRAW
    assert s.label[b, 1] == DRAW
    assert ind[a, 1] == 2 < ind[b, 0] == 3 < ind[b, 1] == 6
    assert s.stats["sigma"][b, 0] == a

    def violates(g):
        return any(
            label[v][0] == DRAW
            and any(label[w][1] == DRAW and ind[w][1] >= ind[v][0] for w in moves)
            for label, ind, v, moves in cases(g)
        )

    assert violates(graph)
    smaller = [g for g in SMALL if (g.n, g.m) < (graph.n, graph.m)]
    assert not any(violates(g) for g in smaller)
    assert sum(violates(g) for g in RANDOM) > 20


def worst(graph, sigma, player, start):
    """The least payoff of a positional strategy, over all plays of the opponent."""
    stuck, infinite = {0: 0, 1: 1}, -1  # payoffs for player 0
    sign = 1 if player == 0 else -1

    def after(s):
        moves = graph.successors(s >> 1).tolist()
        if moves and s & 1 == player:
            moves = [int(sigma[s >> 1, player])]
        return [2 * w + 1 - (s & 1) for w in moves]

    reached, todo = {start}, [start]
    while todo:
        for t in after(todo.pop()):
            if t not in reached:
                reached.add(t)
                todo.append(t)
    pays = [sign * stuck[s & 1] for s in reached if not after(s)]
    trimmed = set(reached)  # after dead ends are removed, the rest lies on or leads to cycles
    while gone := {s for s in trimmed if not trimmed.intersection(after(s))}:
        trimmed -= gone
    return min([*pays, *([sign * infinite] if trimmed else [])])


@pytest.mark.parametrize("graphs", [SMALL, RANDOM[:150]], ids=["small", "random"])
def test_sigma_achieves_the_labels_against_every_play(graphs):
    """σ₀ and σ₁ secure ℓ from both sides, so the labels are the values."""
    for graph in graphs:
        s = solve(graph)
        sigma = s.stats["sigma"]
        for v, starter in itertools.product(range(graph.n), (0, 1)):
            value = int(s.label[v, starter])
            for player in (0, 1):
                mine = value if player == starter else -value
                assert worst(graph, sigma, player, 2 * v + starter) >= mine


@pytest.mark.slow
def test_sigma_moves_to_the_inverted_label():
    for graph in (*SMALL, *RANDOM):
        s = solve(graph)
        sigma = s.stats["sigma"]
        assert sigma.dtype == np.int32
        for v, e in itertools.product(range(graph.n), (0, 1)):
            moves = graph.successors(v).tolist()
            if not moves:
                assert sigma[v, e] == zm.NO_MOVE
            else:
                w = int(sigma[v, e])
                assert w in moves
                assert s.label[w, 1 - e] == -s.label[v, e]


# ---------------------------------------------------------------- the program


def test_no_recursion_on_a_long_path():
    n = 5000
    s = solve(zm.Graph.from_edges([(v, v + 1) for v in range(n)]))
    assert s.label[0].tolist() == [DRAW, LOSE]
    assert s.distance[0].tolist() == [n, n]
    assert s.stats["label_calls"] == 2 * n


def test_it_stops_and_continues(monkeypatch):
    graph = random_graph(random.Random(9), 80)
    whole = solve(graph)
    monkeypatch.setattr(solver, "BUDGET", 3)
    seen = []
    s = zm.solve(graph, zm.Asymmetric(), "nmfl", progress=lambda *report: seen.append(report))
    assert seen
    assert np.array_equal(s.label, whole.label)
    assert np.array_equal(s.stats["ind"], whole.stats["ind"])
    assert s.stats["steps"] == whole.stats["steps"]


@pytest.mark.parametrize("mode", ["interpret", "compile"])
def test_both_ways_to_run_agree(monkeypatch, mode):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    for graph in RANDOM[:20]:
        s, paper = solve(graph), Figure3(graph)
        assert s.label.tolist() == paper.ell
        assert s.stats["ind"].tolist() == paper.index().tolist()
        assert s.stats["steps"] == paper.steps


def test_the_result_is_read_only():
    s = solve(zm.Graph.from_edges([(0, 1)]))
    for array in (s.label, s.stats["ind"], s.stats["sigma"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_other_games_are_refused():
    graph = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(SolverError, match="asymmetric"):
        solver.solve(graph, zm.NormalPlay())
    with pytest.raises(SolverError, match="owners"):
        solve(graph.with_owner([0, 1]))
