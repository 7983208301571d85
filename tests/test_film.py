"""NMFL and the Fraenkel–Lévy labelling as films, against the text of Figure 3 and §4."""

import itertools
import json
import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, SolverError
from zermelo.generators import all_digraphs, random_graph


def figure_3(graph):
    """The pseudocode as it stands, with recursion: the changes (line, i, e, label), the calls."""
    n = graph.n
    outbound = [graph.successors(v).tolist() for v in range(n)]
    inbound = [[j for j in range(n) if i in outbound[j]] for i in range(n)]
    ell = [[-1, 1] for _ in range(n)]
    changes, calls = [], 0

    def put(line, i, e, value):
        ell[i][e] = value
        changes.append((line, i, e, value))

    def label(i, e):
        nonlocal calls
        calls += 1
        aux = -1
        for j in outbound[i]:
            aux = max(aux, -ell[j][1 - e])
        if ell[i][e] != aux:
            put("255", i, e, aux)
            for j in inbound[i]:
                label(j, 1 - e)

    for i in range(n):
        if not outbound[i]:
            put("110", i, 0, 0)
            for j in inbound[i]:
                label(j, 1)
            put("140", i, 1, -1)
            for j in inbound[i]:
                label(j, 0)
    return changes, calls


def graphs(seed, count):
    yield zm.Graph.from_edges([])
    yield from all_digraphs(2)
    rng = random.Random(seed)
    for _ in range(count):
        yield random_graph(rng.randrange(1, 10), degree=1.5, seed=rng.randrange(1 << 30)).graph


def test_the_film_of_nmfl_is_figure_3():
    for graph in graphs("nmfl", 80):
        film = zm.trace(graph, zm.Asymmetric(), solver="nmfl")
        changes, calls = figure_3(graph)
        assert len(film) == len(changes) + 1
        assert film.calls == calls <= 4 * graph.m
        ell = np.tile(np.array([-1, 1]), (graph.n, 1))
        for frame, wanted in zip(film, [None, *changes], strict=True):
            if wanted is not None:
                line, i, e, value = wanted
                (change,) = frame.changes
                assert (frame.line, change.position, change.player) == (line, i, e)
                assert (change.before, change.after) == (ell[i, e], value)
                assert all(j in graph.successors(i) for j in change.causes)
                ell[i, e] = value
            assert frame.labels.tolist() == ell.tolist() == film[frame.time].labels.tolist()
        solution = zm.solve(graph, zm.Asymmetric(), "nmfl")
        assert film[-1].labels.tolist() == solution.label.tolist()
        assert film.calls == solution.stats["label_calls"]
        assert len(film) - 1 == solution.stats["changes"]


def test_the_sequences_of_proposition_4_1_decrease():
    rank = {"L": -1, "D": 0, "W": 1}
    longest = 0
    for graph in graphs("sequences", 60):
        film = zm.trace(graph, zm.Asymmetric(), solver="nmfl")
        solution = zm.solve(graph, zm.Asymmetric(), "nmfl")
        for v in range(graph.n):
            sequence = film.sequence(v)
            assert sequence[0] == (0, "L/W")
            pairs = [tuple(rank[x] for x in labels.split("/")) for _, labels in sequence]
            for (a, b), (c, d) in itertools.pairwise(pairs):
                assert a <= c
                assert d <= b
                assert (a, b) != (c, d)
            assert pairs[-1] == tuple(solution.label[v].tolist())
            assert sequence[-1][0] == int(solution.stats["ind"][v].max())
            longest = max(longest, len(sequence))
    assert 4 <= longest <= 5


def test_the_film_of_fraenkel_levy_is_its_definition():
    for graph in graphs("fraenkel-levy", 60):
        film = zm.trace(graph, zm.NormalPlay(), solver="fraenkel-levy")
        rows = [graph.successors(v).tolist() for v in range(graph.n)]
        fl, n = {}, 0
        for frame in film:
            if frame.line == "D":
                wanted = fl | {v: 0 for v in range(graph.n) if v not in fl}
            else:
                assert frame.line == f"FL{n}"
                wanted = dict(fl)
                for v in range(graph.n):
                    if v in fl:
                        continue
                    if n == 0:
                        if not rows[v]:
                            wanted[v] = -1
                    elif any(fl.get(w) == -1 for w in rows[v]):
                        wanted[v] = 1
                    elif rows[v] and all(fl.get(w) == 1 for w in rows[v]):
                        wanted[v] = -1
            assert frame.labels.tolist() == [wanted.get(v, 2) for v in range(graph.n)]
            assert {c.position for c in frame.changes} == set(wanted) - set(fl)
            fl, n = wanted, n + 1
        assert [fl[v] for v in range(graph.n)] == zm.solve(graph).label.tolist()
        for v in range(graph.n):
            ((time, letter),) = film.sequence(v)
            assert film[time].labels[v] == {"W": 1, "D": 0, "L": -1}[letter]


def test_a_film_has_frames_text_and_a_page():
    film = zm.trace(zm.Graph.from_edges([("a", "<t>")]), zm.Asymmetric(), solver="nmfl")
    assert repr(film).startswith("Film(nmfl on Graph(2 positions")
    assert [frame.time for frame in film[1:3]] == [1, 2]
    assert "&lt;t&gt;" in film._repr_html_()
    with pytest.raises(InvalidOptionError, match="time: expected 0 … 4, got 9"):
        film[9]


@pytest.mark.slow
def test_what_has_no_film_or_trace_is_refused_in_a_sentence():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    owned = g.with_owner([0, 1])
    with pytest.raises(SolverError, match="NMFL is for the asymmetric game"):
        zm.trace(g, solver="nmfl")
    with pytest.raises(SolverError, match="this graph has owners"):
        zm.trace(owned, zm.Asymmetric(), solver="nmfl")
    with pytest.raises(SolverError, match="for normal play"):
        zm.trace(g, zm.Misere(), solver="fraenkel-levy")
    with pytest.raises(InvalidOptionError, match="solver: expected one of auto"):
        zm.trace(g, solver="zielonka")
    with pytest.raises(InvalidOptionError, match="expected one of auto, zielonka for parity games"):
        zm.trace(owned, zm.Parity([0, 1]), solver="pp")
    for n, message in ((2001, "at most 2,000 positions"), (301, "at most 300 priorities, got 301")):
        loops = zm.Graph.from_edges([(v, v) for v in range(n)], owner=[0] * n)
        with pytest.raises(InvalidOptionError, match=message):
            zm.trace(loops, zm.Parity(range(n)))
    loops = zm.Graph.from_edges([(v, v) for v in range(300)], owner=[0] * 300)
    assert zm.trace(loops, zm.Parity(range(300))).winner == (0, 1) * 150
    with pytest.raises(InvalidObjectiveError, match="discounted games have no trace"):
        zm.trace(g, zm.Discounted([1, 2]))
    with pytest.raises(InvalidOptionError, match="a trace of normal games is of all positions"):
        zm.trace(g, start="a")


def test_the_command_prints_every_change(tmp_path):
    from click.testing import CliRunner

    from zermelo.cli.solving.trace import command

    path = tmp_path / "game.txt"
    path.write_text("a b\nb a\nb t\n")
    asked = [str(path), "--objective", "asymmetric", "--solver", "nmfl"]
    lines = CliRunner().invoke(command, asked).stdout.splitlines()
    assert lines[0] == "time\tline\tposition\tplayer\tbefore\tafter\tcauses"
    film = zm.trace(zm.read(path), zm.Asymmetric(), solver="nmfl")
    assert len(lines) == len(film)
    assert lines[3].split("\t") == ["3", "255", "b", "0", "LOSE", "WIN", "t"]
    data = json.loads(CliRunner().invoke(command, [*asked, "--json"]).stdout)
    assert data["solver"] == "nmfl"
    assert [x["labels"] for x in data["frames"]] == [x.labels.tolist() for x in film]
    asked = [str(path), "--solver", "fraenkel-levy", "--json"]
    data = json.loads(CliRunner().invoke(command, asked).stdout)
    assert data["frames"][0]["labels"] == [None, None, -1]
