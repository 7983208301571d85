"""Explanations and traces of games of return and repetition, checked by their definition."""

import itertools
import random

import pytest

import zermelo as zm
from tests.oracles_geography import GAMES, winning_moves, wins
from zermelo.labels import Label
from zermelo.trace import PastExplanation
from zermelo.trace.steps.augmenting import augmenting_paths

OBJECTIVES = {
    "no-return": zm.NoReturn(),
    "no-return misere": zm.NoReturn(misere=True),
    "return": zm.Return(),
    "no-repetition": zm.NoRepetition(),
    "no-repetition misere": zm.NoRepetition(misere=True),
    "repetition": zm.Repetition(),
}

KINDS = {
    "no-return": {"plain", "exit", "single", "matching", "search"},
    "no-return misere": {"plain", "exit", "single", "search"},
    "return": {"plain", "exit", "single", "reversible", "search"},
    "no-repetition": {"plain", "exit", "single"},
    "no-repetition misere": {"plain", "exit", "single"},
    "repetition": {"plain", "exit", "single", "matching"},
}
"""The kinds of pieces that the explanations of each game must have; in games of repetition no move
leads back to a start, so it is a piece of its own."""


def random_rows(rng, most):
    """The moves of a small digraph; some are symmetric, and some have loops."""
    n = rng.randrange(1, most + 1)
    share = rng.choice((0.2, 0.35, 0.5))
    pairs = {(u, w) for u in range(n) for w in range(n) if u != w and rng.random() < share}
    if rng.random() < 0.5:
        pairs |= {(w, u) for u, w in pairs}
    if rng.random() < 0.3:
        pairs.add((0, 0))
    return [sorted(w for u, w in pairs if u == v) for v in range(n)]


def graph_of(rows):
    return zm.Graph.from_edges([(u, w) for u, row in enumerate(rows) for w in row], n=len(rows))


def maximum_matchings(edges):
    """All maximum matchings, each as the set of vertices that it covers."""
    for size in range(len(edges), -1, -1):
        found = []
        for chosen in itertools.combinations(sorted(edges), size):
            ends = [v for edge in chosen for v in edge]
            if len(set(ends)) == len(ends):
                found.append(set(ends))
        if found:
            return found
    return []


def check_tree(rows, game, node, history):
    """Each situation of the tree has the label of the definition, and the moves that decide it."""
    assert (node.label is Label.WIN) == wins(rows, game, history)
    assert node.position == history[-1]
    good = winning_moves(rows, game, history)
    if node.rule == "end":
        assert not node.children
        return
    if node.rule == "can":
        assert all(child.position in good for child in node.children)
        assert len(node.children) + node.cut == 1
    else:
        assert node.rule == "must"
        assert not good
    for child in node.children:
        assert child.label is not node.label
        check_tree(rows, game, child, (*history, child.position))


def check_line(rows, game, line, winner):
    """The winner's moves of the play win, and the play ends as the game does."""
    for k in range(len(line) - 1):
        history = tuple(line[: k + 1])
        if k % 2 == winner:
            assert line[k + 1] in winning_moves(rows, game, history)
        else:
            assert line[k + 1] in rows[line[k]]


@pytest.mark.slow("no-repetition", "no-repetition misere")
@pytest.mark.parametrize("game", GAMES)
def test_every_fact_is_true(game):
    rng = random.Random(f"explain {game}")
    kinds = {}
    objective = OBJECTIVES[game]
    for _ in range(22):
        rows = random_rows(rng, 4 if "repetition" in game else 5)
        graph = graph_of(rows)
        solution = zm.solve(graph, objective)
        for v in range(graph.n):
            found = solution.explain(v, depth=3)
            assert isinstance(found, PastExplanation)
            won = wins(rows, game, (v,))
            assert found.label is (Label.WIN if won else Label.LOSE)
            check_tree(rows, game, found.tree, (v,))
            check_line(rows, game, found.line, 0 if won else 1)
            if found.move is not None:
                assert found.move in winning_moves(rows, game, (v,))
            kinds[found.kind] = kinds.get(found.kind, 0) + 1
            check_kind(rows, game, found, v)
            assert found.to_dict()["kind"] == found.kind
    assert KINDS[game] <= set(kinds)


def check_kind(rows, game, found, v):
    """The sentence about the piece is true."""
    text = found.reasons[0]
    if found.kind == "exit" and found.move != v:
        assert not wins(rows, game, (v, found.move))
        assert len(found.reasons) > 1
    elif found.kind == "matching":
        inside = set(found.piece)
        edges = {tuple(sorted((u, w))) for u in inside for w in rows[u] if w in inside and u != w}
        covered = [v in covers for covers in maximum_matchings(edges)]
        assert all(covered) == (found.label is Label.WIN)
        assert ("every maximum matching" in text) == all(covered)
    elif found.kind == "reversible":
        assert all(v in rows[w] for w in rows[v] if w in found.piece)
    elif found.kind == "single" and "every move leads" in text:
        assert all(wins(rows, game, (v, w)) for w in rows[v] if w != v)


def test_a_search_that_was_given_up_says_so():
    hard = zm.generators.random_graph(200, degree=3, law="regular", seed=1)
    solution = zm.solve(hard, zm.NoReturn(), start=0, nodes=100)
    found = solution.explain(0)
    assert found.to_dict()["label"] == "UNDECIDED"
    assert found.to_dict()["tree"]["value"] is None
    assert str(found).startswith("0 is undecided: the search was given up after ")


def test_claims_of_a_file_are_solved_again(tmp_path):
    graph = graph_of([[1], [0, 2], [1]])
    solution = zm.solve(graph, zm.NoReturn())
    zm.write(solution, tmp_path / "s.csv")
    claim = zm.read_solution(tmp_path / "s.csv", zm.Game(graph, zm.NoReturn()))
    assert str(claim.explain(1)) == str(solution.explain(1))


# -------------------------------------------------------------------- traces


@pytest.mark.parametrize("game", GAMES)
def test_pieces_are_a_partition_with_the_labels_of_the_solution(game):
    rng = random.Random(f"pieces {game}")
    for _ in range(25):
        rows = random_rows(rng, 5)
        graph, objective = graph_of(rows), OBJECTIVES[game]
        steps = [x for x in zm.trace(graph, objective) if x.rule != "augment"]
        decided = [x for step in steps for x in step.positions]
        assert len(decided) == len(set(decided))
        label = dict(zip(range(graph.n), zm.solve(graph, objective).label.tolist(), strict=True))
        won = {x for step in steps for x in step.won if x in label}
        assert won == {v for v in label if label[v] > 0}
        assert {x for step in steps for x in step.lost if x in label} == set(label) - won


def test_matchings_grow_along_augmenting_paths():
    rng = random.Random("augment")
    long = 0
    for _ in range(300):
        n = rng.randrange(2, 9)
        edges = {(u, w) for u in range(n) for w in range(u) if rng.random() < 0.3}
        neighbours = [[w for w in range(n) if (u, w) in edges or (w, u) in edges] for u in range(n)]
        mate = {}
        paths = list(augmenting_paths(neighbours))
        for path in paths:
            assert len(set(path)) == len(path)
            assert path[0] not in mate
            assert path[-1] not in mate
            assert all(w in neighbours[u] for u, w in itertools.pairwise(path))
            assert all(mate[u] == w for u, w in zip(path[1::2], path[2::2], strict=False))
            for u, w in zip(path[::2], path[1::2], strict=True):
                mate[u], mate[w] = w, u
            long += len(path) > 2
        assert all(mate[mate[u]] == u for u in mate)
        assert len(paths) == (maximum_matching(neighbours).mate >= 0).sum() // 2
    assert long > 30


def maximum_matching(neighbours):
    pairs = [(u, w) for u, row in enumerate(neighbours) for w in row]
    return zm.maximum_matching(zm.Graph.from_edges(pairs, n=len(neighbours)))


def test_a_start_limits_the_trace(tmp_path):
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")])
    everything = str(zm.trace(graph, zm.NoReturn()))
    assert everything.count("matching)") == 2
    assert str(zm.trace(graph, zm.NoReturn(), start="c")) == (
        "piece 1: the matching grows along c – d\npiece 1 (matching): won: c, d"
    )


def test_components_of_repetition_are_those_of_the_line_digraph():
    g = zm.Graph.from_edges(
        [("a", "b"), ("b", "a"), ("a", "t"), ("b", "c"), ("c", "d"), ("d", "c"), ("c", "a")]
    )
    text = str(zm.explain(zm.Game(g, zm.NoRepetition()), "b"))
    first = (
        "b is WIN: it can leave its component of the line digraph by the move b→c, which is lost"
    )
    assert text.splitlines()[0] == first
    assert zm.classify(g).kind == "general"  # b and c are in one strong component of the graph
    assert "line digraph" not in str(zm.explain(zm.Game(g, zm.NoReturn()), "c"))


LEFT = "if the {} leaves the component, the {} wins from there"


@pytest.mark.parametrize(
    ("edges", "start", "sentence"),
    [
        ("ab ba bc cd", "a", LEFT.format("opponent", "player")),
        ("ab ba bc ca cd dd", "a", LEFT.format("opponent", "player")),
        ("ab ba bc cb cx xy", "c", LEFT.format("player", "opponent")),
        ("ab ba", "a", ""),
        ("ab ba bc cb", "a", ""),
    ],
)
def test_a_component_that_can_be_left(edges, start, sentence):
    """Only positions of the component have mates; a move that leaves it is answered elsewhere."""
    found = zm.solve(zm.Graph.from_edges(map(tuple, edges.split())), zm.NoReturn()).explain(start)
    assert found.kind == "matching"
    assert "inside it, whatever fresh position the " in found.reasons[1]
    assert found.reasons[2:] == ((sentence,) if sentence else ())
