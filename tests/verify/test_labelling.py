"""Labellings that somebody claims, and the labelling operator, against their definitions."""

import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from tests import oracles
from tests.sampling import rounds, some
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, UnknownPositionError
from zermelo.generators import all_digraphs, random_graph

OBJECTIVES = [
    zm.NormalPlay(), zm.Misere(), zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1(), zm.Reach([0]),
    zm.Safety([0], player=1),
]  # fmt: skip


def all_situations(graph, objective):
    """The situations in the order of a flat labelling; one of two that look alike is enough."""
    if graph.owner is not None:
        return list(enumerate(graph.owner.tolist()))
    if objective.terminal_form(graph).doubled:
        return [(v, e) for v in range(graph.n) for e in (0, 1)]
    return [(v, 0) for v in range(graph.n)]


def seen(game, situations, flat):
    """Player 0's view of a labelling, for every situation of the game."""
    found = {}
    for s, x in zip(situations, flat, strict=True):
        found[s] = x if s[1] == 0 else -x
        other = (s[0], 1 - s[1])
        if other in game.moves and other not in situations:
            found[other] = -x if s[1] == 0 else x
    return found


def judge(game, labels):
    """The verdict by the definition, and the situations that support one another."""
    infinite = oracles.sign(game.infinite)
    pays = {s: oracles.sign(x) for s, x in game.pays.items()}
    for s, moves in game.moves.items():
        pick = max if s[1] == 0 else min
        if labels[s] != (pays[s] if s in pays else pick(labels[t] for t in moves)):
            return "inconsistent", set()
    value = {s: oracles.sign(x) for s, x in oracles.values(game).items()}
    kept = {s for s in game.moves if labels[s] != infinite and s not in pays}
    while True:  # the greatest set in which play can stay although the labels say otherwise
        out = set()
        for s in kept:
            after = [t in kept for t in game.moves[s] if labels[t] == labels[s]]
            forcing = (s[1] == 0) == (labels[s] > infinite)
            if not (all if forcing else any)(after):
                out.add(s)
        if not out:
            break
        kept -= out
    assert (not kept) == (value == labels)
    return "locally consistent but not least" if kept else "sound", kept


def compare(graph, objective, flat):
    game = oracles.game_of(graph, objective)
    situations = all_situations(graph, objective)
    doubled = len(situations) == 2 * graph.n and graph.owner is None
    array = np.array(flat, np.int8).reshape((graph.n, 2) if doubled else graph.n)
    check = zm.check_labelling(zm.Game(graph, objective), array)
    verdict, support = judge(game, seen(game, situations, flat))
    assert check.verdict == verdict, (graph.to_edges().tolist(), objective.keyword, flat)
    assert check.ok == bool(check) == (verdict == "sound")
    wanted = [s if doubled else s[0] for s in situations if s in support]
    assert list(check.support) == wanted
    return verdict


@pytest.mark.slow("reach")
@pytest.mark.sampled
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_all_labellings_of_all_small_graphs(objective):
    verdicts = set()
    for n in (1, 2, 3):
        for graph in some(list(all_digraphs(n)), 80):
            doubled = objective.terminal_form(graph).doubled
            if n == 3 and (doubled or graph.m not in (3, 4)):
                continue
            for flat in itertools.product((-1, 0, 1), repeat=n << doubled):
                verdicts.add(compare(graph, objective, flat))
    assert verdicts == {"sound", "locally consistent but not least", "inconsistent"}


@pytest.mark.sampled
@pytest.mark.parametrize("owned", [False, True])
def test_right_labellings_and_changed_ones_of_random_graphs(owned):
    rng = random.Random(f"labelling {owned}")
    for _ in range(rounds(60)):
        graph = random_graph(rng.randrange(1, 8), degree=2.0, seed=rng.randrange(1 << 30)).graph
        graph = graph.with_owner([rng.randrange(2) for _ in range(graph.n)] if owned else None)
        pays = {
            v: (rng.choice([-2, 0, 3]), rng.choice([-2, 0, 3])) for v in graph.terminals.tolist()
        }
        payoff = zm.TerminalPayoff(pays, rng.choice([-1, 0, 5]))
        for objective in (*OBJECTIVES, payoff):
            solution = zm.solve(graph, objective)
            assert zm.check_labelling(zm.Game(graph, objective), solution).verdict == "sound"
            flat = solution.label.reshape(-1).tolist()
            assert compare(graph, objective, flat) == "sound"
            k = rng.randrange(len(flat))
            flat[k] = rng.choice([x for x in (-1, 0, 1) if x != flat[k]])
            assert compare(graph, objective, flat) != "sound"


def test_the_example_of_the_source():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    assert zm.check_labelling(graph, {"a": 0, "b": zm.Label.DRAW}).ok
    check = zm.check_labelling(graph, {"a": "WIN", "b": "LOSE"})
    assert (check.verdict, check.support) == ("locally consistent but not least", ("a", "b"))
    assert "for ever" in check.reason
    check = zm.check_labelling(graph, {"a": "WIN", "b": "WIN"})
    assert (check.verdict, check.position) == ("inconsistent", "a")
    assert check.reason == "position 'a': expected LOSE, because every move loses, got WIN"


def test_ways_to_write_labels():
    graph = zm.Graph.from_edges([("a", "t")])
    game = zm.Game(graph, zm.Asymmetric())
    for labels in (
        [[1, 0], [0, -1]], {"a": "W/D", "t": "D/L"}, {"a": (1, 0), "t": ["draw", "lose"]},
        ["W/D", "D/L"], np.array([[1, 0], [0, -1]]), zm.solve(game),
    ):  # fmt: skip
        assert zm.check_labelling(game, labels).ok
    assert zm.check_labelling(graph, ["W", "L"], zm.NormalPlay()).ok
    check = zm.check_labelling(game, {"a": "L/D", "t": "D/L"})
    assert check.position == ("a", 0)
    assert check.reason.startswith("position 'a', player 0 to move: expected WIN, because the move")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"a": 1}, "position 't' has no label"),
        ({"a": 1, "t": 7}, "expected -1, 0 or 1"),
        ([1, 2], "expected -1, 0 and 1, got 2"),
        ([1, -1, 0], r"expected the shape \(2,\)"),
        ([1.0, -1.0], "expected -1, 0 or 1"),
        ([True, False], "expected -1, 0 or 1"),
        (3, "expected the shape"),
    ],
)
def test_bad_labels_are_refused(labels, message):
    graph = zm.Graph.from_edges([("a", "t")])
    with pytest.raises(InvalidOptionError, match=message):
        zm.check_labelling(graph, labels)


def test_other_mistakes_are_refused():
    graph = zm.Graph.from_edges([("a", "t")])
    with pytest.raises(UnknownPositionError):
        zm.check_labelling(graph, {"x": 1})
    with pytest.raises(InvalidOptionError, match="two labels"):
        zm.check_labelling(graph, {"a": 1, "t": -1}, zm.Asymmetric())
    with pytest.raises(InvalidOptionError, match="another graph"):
        zm.check_labelling(graph, zm.solve(zm.Graph.from_edges([(0, 0)])))
    with pytest.raises(InvalidObjectiveError, match="the objective of this game is no-return"):
        zm.check_labelling(graph, [1, -1], zm.NoReturn())


# -------------------------------------------------------------------- the operator


def phi(graph, ell):
    """Definition 3.1 of [GamesOnGraphs] as it stands: normal play, 0 for undecided."""
    found = []
    for u in range(graph.n):
        after = [ell[v] for v in graph.successors(u).tolist()]
        if ell[u]:
            found.append(ell[u])
        elif any(x == -1 for x in after):
            found.append(1)
        elif all(x == 1 for x in after):
            found.append(-1)
        else:
            found.append(0)
    return found


def test_phi_is_the_definition_on_all_partial_labellings():
    for n in (1, 2, 3):
        for graph in all_digraphs(n, up_to_isomorphism=True):
            for ell in itertools.product((-1, 0, 1), repeat=n):
                assert zm.labelling_operator(graph, list(ell)).tolist() == phi(graph, ell)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_iterated_from_the_bottom_it_ends_at_the_solution(objective):
    rng = random.Random(objective.keyword)
    for _ in range(25):
        graph = random_graph(rng.randrange(1, 9), degree=1.5, seed=rng.randrange(1 << 30)).graph
        owners = [rng.randrange(2) for _ in range(graph.n)]
        for g in (graph, graph.with_owner(owners)):
            game = zm.Game(g, objective)
            solution = zm.solve(game)
            ell, steps = zm.labelling_operator(game, {}), 1
            while True:
                if objective.keyword == "normal":
                    decided = (solution.distance >= 0) & (solution.distance < steps)
                    assert (ell == np.where(decided, solution.label, 0)).all()
                after = zm.labelling_operator(game, ell)
                if (after == ell).all():
                    break
                ell, steps = after, steps + 1
                assert steps <= 4 * g.n + 4
            assert (ell == solution.label).all()
