"""The checker of games of return finds false claims."""

import dataclasses

import numpy as np
import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from tests.sampling import rounds
from zermelo.errors import CertificateError
from zermelo.labels import UNDECIDED
from zermelo.verify.common.inessential import inessential
from zermelo.verify.geography.situations import Situations


def replaced(solution, **arrays):
    """The solution with some changed fields of its play, and the same labels everywhere."""
    play = dataclasses.replace(solution.play, **arrays)
    label = play.label[play.graph.n - solution.graph.n :].copy()
    level = np.where(label == UNDECIDED, UNDECIDED, label == 1).astype(np.int8)
    return dataclasses.replace(solution, play=play, label=label, level=level)


def refused(solution, **arrays):
    with pytest.raises(CertificateError):
        replaced(solution, **arrays).verify()


@pytest.mark.parametrize("game", oracle.GAMES)
@pytest.mark.parametrize("solver", ["geography", "geography-search"])
def test_every_flipped_label_is_found(game, solver):
    for g in games.random_graphs(8, f"flip {game}", high=7, moves=12):
        solution = zm.solve(g, games.objective(game), solver)
        for v in range(solution.play.graph.n):
            label = solution.play.label.copy()
            label[v] *= -1
            refused(solution, label=label)


def test_wrong_first_moves_are_found():
    for g in games.random_graphs(12, "first", high=7, moves=12):
        succ = games.rows(g)
        solution = zm.solve(g, zm.NoReturn())
        for v in range(g.n):
            good = oracle.winning_moves(succ, "no-return", (v,))
            for w in range(g.n):
                if w not in good:
                    first = solution.play.first.copy()
                    first[v] = w
                    refused(solution, first=first)


def test_pieces_must_be_a_partition_in_order():
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 4)])
    solution = zm.solve(g, zm.NoReturn()).verify()
    pieces = solution.play.pieces
    assert len(pieces) > 1
    refused(solution, pieces=pieces[::-1])
    refused(solution, pieces=pieces[:-1])
    refused(solution, order=np.zeros(g.n, np.int32))
    refused(solution, order=np.roll(solution.play.order, 1))
    for kind in ("exit", "single", "matching", "reversible", "open", "other"):
        for k, piece in enumerate(pieces):
            if piece.kind != kind:
                changed = dataclasses.replace(piece, kind=kind)
                refused_or_error(solution, (*pieces[:k], changed, *pieces[k + 1 :]))


def refused_or_error(solution, pieces):
    if any(piece.kind == "matching" and piece.proof is None for piece in pieces):
        return
    if any(piece.kind == "matching" and not hasattr(piece.proof, "matching") for piece in pieces):
        return
    refused(solution, pieces=pieces)


def test_a_false_table_is_found():
    g = zm.generators.random_graph(14, degree=3, law="regular", seed=2).graph
    solution = zm.solve(g, zm.NoReturn()).verify()
    arena = next(p.proof for p in solution.play.pieces if p.kind == "search")
    slots = arena.table.reshape(-1, arena.width + 1)
    used = np.flatnonzero(slots[:, -1])
    assert used.size > 3
    code = slots[used, -1] - 1
    slots[used, -1] = 1 + 4 * (code // 4) + (2 - code % 4)  # every label is inverted
    with pytest.raises(CertificateError):
        solution.verify()
    slots[used] = 0  # the table is empty, so the checker searches
    solution.verify()


def test_the_checker_searches_like_the_oracle():
    for g in games.random_graphs(30, "situations", high=7, moves=14):
        rows = [[w for w in row if w != v] for v, row in enumerate(games.rows(g))]
        for game, stuck in (("no-return", -1), ("no-return misere", 1)):
            for v, label in enumerate(oracle.labels(rows, game)):
                Situations(rows, [stuck] * g.n, False, ()).prove(v, label, -1)
                with pytest.raises(CertificateError):
                    Situations(rows, [stuck] * g.n, False, ()).prove(v, -label, -1)


@pytest.mark.sampled
def test_what_matchings_leave_exposed():
    """By the definition: a maximum matching without the vertex is as large."""
    import networkx as nx

    for seed in range(rounds(150)):
        graph = nx.gnp_random_graph(4 + seed % 11, (0.15, 0.25, 0.4)[seed % 3], seed=seed)

        def size(g):
            return len(nx.max_weight_matching(g, maxcardinality=True))

        lost = {v for v in graph if size(graph.subgraph(set(graph) - {v})) == size(graph)}
        assert inessential({v: list(graph[v]) for v in graph}) == lost


def test_another_game_is_found():
    g = zm.generators.cycle(3).graph
    solution = zm.solve(g, zm.NoReturn())
    other = zm.solve(g, zm.Repetition())
    refused(solution, objective=other.objective)
    refused(solution, plain=zm.solve(g, zm.Misere()))
    refused(solution, graph=zm.generators.path(3).graph)
    lines = zm.solve(zm.generators.cycle(3, symmetric=True), zm.NoRepetition())
    with pytest.raises(CertificateError, match="line digraph"):
        dataclasses.replace(lines, graph=g).verify()


@pytest.mark.parametrize("suffix", ["json", "csv", "npz"])
def test_files_are_claims(tmp_path, suffix):
    g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b"), ("b", "a")])
    solution = zm.solve(g, zm.NoReturn(misere=True))
    path = tmp_path / f"solution.{suffix}"
    zm.write(solution, path)
    read = zm.read_solution(path, g).verify()
    assert read.objective.misere
    assert read.label.tolist() == solution.label.tolist()
    assert read.move.tolist() == solution.move.tolist()
    for v in range(g.n):
        label, level = read.label.copy(), read.level.copy()
        label[v], level[v] = -label[v], 1 - level[v]
        with pytest.raises(CertificateError, match="the file claims"):
            dataclasses.replace(read, label=label, level=level).verify()
        lost = [w for w in range(g.n) if g.name(w) not in solution[g.name(v)].best_moves]
        move = read.claimed.copy()
        move[v] = lost[0]
        with pytest.raises(CertificateError, match="does not win"):
            dataclasses.replace(read, claimed=move).verify()


def test_a_file_claims_no_distance_level_or_draw(tmp_path):
    g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b"), ("d", "a")])
    zm.write(zm.solve(g, zm.NoReturn()), tmp_path / "solution.json")
    read = zm.read_solution(tmp_path / "solution.json", g).verify()
    assert read.label.tolist() == [-1, -1, 1, 1]
    for field, array, match in (
        ("distance", [7, 5, 3, 1], "'a': expected no distance"),
        ("distance", [-1, -1, -1, 0], "'d': expected no distance"),
        ("level", [0, 0, 1, 0], "'d': expected level 1 with label 1"),
        ("level", [0, 0, 1, 2], "'d': expected level 1 with label 1"),
        ("level", [0, 0, 1, 3], "'d': expected level 0 … 2, the solution claims 3"),
        (
            "label",
            [-1, -1, 1, 0],
            "'d': expected a label −1, 1 or 2 .undecided., as nothing is drawn",
        ),
        ("label", [-1, -1, 1, 3], "'d': expected label -1 … 2, the solution claims 3"),
        ("label", [-1, -1, 1, 2], "'d': expected level 1 with label 1, 0 with −1, 2 with 2"),
        ("claimed", [-1, -1, -1, 0], "'c': the claimed move does not win"),
        ("claimed", [1, -1, 1, 0], "'a': the claimed move does not win"),
        ("claimed", [-1, -1, 2, 0], "'c': the claimed move does not win"),
    ):
        wrong = np.array(array, getattr(read, field).dtype)
        with pytest.raises(CertificateError, match=match):
            dataclasses.replace(read, **{field: wrong}).verify()
    with pytest.raises(CertificateError, match="move: expected int32"):
        dataclasses.replace(read, claimed=np.zeros(3, np.int32)).verify()
    silent = dataclasses.replace(
        read, label=np.full(4, UNDECIDED, np.int8), level=np.full(4, UNDECIDED, np.int8),
        claimed=np.full(4, -1, np.int32),
    ).verify()  # fmt: skip
    assert (silent["a"].outcome, silent["a"].value, str(silent["a"])) == (
        "undecided",
        None,
        "a: undecided",
    )
    assert silent.counts()["undecided"] == 4
    assert silent.counts()["draw"] == 0
    assert silent.value.tolist() == [None] * 4
    assert (silent.winner == UNDECIDED).all()
    assert list(silent.line("a")) == ["a"]


@pytest.mark.slow
def test_a_file_has_the_same_answers_as_the_solution(tmp_path):
    for game in oracle.GAMES:
        for k, g in enumerate(games.random_graphs(4, f"file {game}", high=6, moves=10)):
            solution = zm.solve(g, games.objective(game))
            zm.write(solution, tmp_path / f"{k}.json")
            read = zm.read_solution(tmp_path / f"{k}.json", g).verify()
            for v in range(g.n):
                assert read.line(v) == solution.line(v)
                assert read[v].label == solution[v].label
                assert set(read[v].best_moves) <= set(solution[v].best_moves)
                wrong = dataclasses.replace(read, label=-read.label)
                with pytest.raises(CertificateError, match="the file claims"):
                    wrong.line(v)


def test_what_a_file_leaves_open_is_not_searched(tmp_path, monkeypatch):
    """Its labels are found again with at most as many nodes as before."""
    monkeypatch.setattr("zermelo.solutions.geography.FIRST_NODES", 4)
    g = games.union(
        [
            zm.generators.cycle(5).graph,
            zm.generators.random_graph(60, degree=3, law="regular", seed=1).graph,
        ]
    )
    limited = zm.solve(g, zm.NoReturn(), nodes=40)
    assert {UNDECIDED, -1} <= set(limited.label.tolist())
    zm.write(limited, tmp_path / "solution.json")
    read = zm.read_solution(tmp_path / "solution.json", g).verify()
    assert read.label.tolist() == limited.label.tolist()
    assert read.counts()["undecided"] > 40
