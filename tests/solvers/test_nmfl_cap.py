"""NMFL with CAP against the lines of [Loewe2004] §4 with sets as they stand, and against NMFL."""

import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import SolverError
from zermelo.generators import all_digraphs, random_graph
from zermelo.solvers.terminal import nmfl_cap

LOSE, DRAW, WIN = -1, 0, 1

_rng = random.Random(211)
SMALL = [graph for n in range(4) for graph in all_digraphs(n)]
RANDOM = [
    random_graph(_rng.randint(4, 12), degree=1.5, seed=_rng.randrange(1 << 30)).graph
    for _ in range(200)
]
over_graphs = pytest.mark.parametrize("graphs", [SMALL, RANDOM], ids=["small", "random"])


def solve(graph, solver="nmfl-cap"):
    return zm.solve(graph, zm.Asymmetric(), solver=solver)


class WithSets:
    """Figure 3 with lines 211 to 231: Lverts, Dverts and Wverts are sets, and CAP is ``&``."""

    def __init__(self, graph):
        everything = range(graph.n)
        self.outbound = [set(graph.successors(v).tolist()) for v in everything]
        self.inbound = [graph.predecessors(v).tolist() for v in everything]
        self.ell = [[LOSE, WIN] for _ in everything]
        self.verts = {(e, x): set() for e in (0, 1) for x in (LOSE, DRAW, WIN)}
        self.verts[0, LOSE] |= set(everything)  # 050
        self.verts[1, WIN] |= set(everything)  # 060
        self.calls = self.caps = self.updates = 0
        self.log = []
        for i in everything:
            if not self.outbound[i]:
                self.assign(i, 0, DRAW)  # 110
                for j in self.inbound[i]:
                    self.label(j, 1)
                self.assign(i, 1, LOSE)  # 140
                for j in self.inbound[i]:
                    self.label(j, 0)

    def assign(self, i, e, label):
        self.verts[e, self.ell[i][e]].remove(i)
        self.verts[e, label].add(i)
        self.updates += len(self.inbound[i])
        self.ell[i][e] = label
        self.log.append((i, e))

    def label(self, i, e):
        self.calls += 1
        aux = LOSE  # 205
        self.caps += 1
        if self.verts[1 - e, LOSE] & self.outbound[i]:  # 211
            aux = WIN
        else:
            self.caps += 1
            if self.verts[1 - e, DRAW] & self.outbound[i]:  # 226
                aux = DRAW
        if self.ell[i][e] != aux:  # 235
            self.assign(i, e, aux)  # 255
            for j in self.inbound[i]:
                self.label(j, 1 - e)  # 275


@over_graphs
def test_it_is_the_remark_of_the_paper_step_by_step(graphs):
    for graph in graphs:
        s, paper = solve(graph), WithSets(graph)
        assert s.label.tolist() == paper.ell
        counted = [s.stats[name] for name in ("label_calls", "steps", "updates", "changes")]
        assert counted == [paper.calls, paper.caps, paper.updates, len(paper.log)]
        ind = np.zeros((graph.n, 2), np.int64)
        for time, (i, e) in enumerate(paper.log, start=1):
            ind[i, e] = time
        assert np.array_equal(s.stats["ind"], ind)


@pytest.mark.slow("small")
@over_graphs
def test_it_does_what_nmfl_does(graphs):
    """The same calls, changes, indices and strategies; only the steps differ."""
    for graph in graphs:
        cap, plain = solve(graph), solve(graph, "nmfl")
        for name in ("label", "level", "distance", "move"):
            assert np.array_equal(getattr(cap, name), getattr(plain, name)), name
        for name in ("label_calls", "changes", "ind", "sigma"):
            assert np.array_equal(cap.stats[name], plain.stats[name]), name


@over_graphs
def test_it_is_linear(graphs):
    for graph in graphs:
        stats = solve(graph).stats
        assert stats["steps"] <= 2 * stats["label_calls"] <= 8 * graph.m
        assert stats["updates"] <= 4 * graph.m


@pytest.mark.parametrize("n", [1, 2, 5, 30, 300])
def test_the_papers_example_is_linear(n):
    """The root falls from W at the last terminal, and then needs a second CAP."""
    stats = solve(zm.Graph.from_edges([(0, k) for k in range(1, n + 1)])).stats
    assert stats["label_calls"] == stats["updates"] == 2 * n
    assert stats["steps"] == 2 * n + 1


def test_it_stops_and_continues(monkeypatch):
    graph = random_graph(80, degree=1.6, seed=7).graph
    whole, seen = solve(graph), []
    monkeypatch.setattr("zermelo.solvers.terminal.nmfl.BUDGET", 3)
    s = zm.solve(graph, zm.Asymmetric(), "nmfl-cap", progress=lambda *report: seen.append(report))
    assert seen
    assert np.array_equal(s.stats["ind"], whole.stats["ind"])
    assert s.stats["updates"] == whole.stats["updates"]


def test_other_games_are_refused():
    graph = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(SolverError, match="asymmetric"):
        nmfl_cap.solve(graph, zm.NormalPlay())
    with pytest.raises(SolverError, match="owners"):
        solve(graph.with_owner([0, 1]))


def test_the_film_names_the_lines_of_the_remark():
    lines = {
        1: "lines 216 and 255",
        0: "lines 231 and 255",
        -1: "lines 205 and 255",
    }
    seen = set()
    for graph in RANDOM[:60]:
        film = zm.trace(graph, zm.Asymmetric(), solver="nmfl-cap")
        plain = zm.trace(graph, zm.Asymmetric(), solver="nmfl")
        assert (film.solver, film.calls) == ("nmfl-cap", plain.calls)
        for frame, other in zip(film, plain, strict=True):
            assert frame.changes == other.changes
            assert np.array_equal(frame.labels, other.labels)
            if other.line == "255":
                (change,) = frame.changes
                assert frame.line == lines[int(change.after)]
                seen.add(frame.line)
            else:
                assert frame.line == other.line
    assert seen == set(lines.values())
