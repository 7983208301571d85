"""Zielonka's recursion as a trace: every step is what its rule says, and the winners are right.

The recursion on Muller games goes along the Zielonka tree.
"""

import random

import zermelo as zm
from tests import muller_oracle
from zermelo.generators import random_graph


def attractor(rows, owner, inside, targets, player):
    """The least set that contains the targets and is closed, by the definition."""
    region = set(targets)
    while True:
        added = set()
        for v in inside - region:
            after = [w in region for w in rows[v] if w in inside]
            if after and (any if owner[v] == player else all)(after):
                added.add(v)
        if not added:
            return region
        region |= added


def games(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randrange(1, 9)
        graph = random_graph(n, degree=2.0, seed=rng.randrange(1 << 30)).graph
        graph = graph.with_owner([rng.randrange(2) for _ in range(n)])
        priority = [rng.randrange(5) for _ in range(n)]
        yield graph, zm.Parity(priority), priority
        chosen = [v for v in range(n) if rng.random() < 0.4]
        yield graph, zm.Buchi(chosen), [2 if v in chosen else 1 for v in range(n)]
        yield graph, zm.CoBuchi(chosen), [1 if v in chosen else 0 for v in range(n)]


def test_winners_are_those_of_the_solver():
    for graph, objective, _ in games("winners", 60):
        recursion = zm.trace(graph, objective)
        assert list(recursion.winner) == zm.solve(graph, objective).winner.tolist()


def test_every_step_follows_its_rule():
    rules = set()
    for graph, objective, priority in games("steps", 60):
        rows = [graph.successors(v).tolist() for v in range(graph.n)]
        owner = graph.owner.tolist()
        winner = zm.solve(graph, objective).winner.tolist()
        for step in zm.trace(graph, objective):
            inside, region, player = set(step.subgame), set(step.region), int(step.player)
            rules.add(step.rule)
            assert region <= inside
            if step.rule == "stuck":
                stuck = {v for v in inside if not rows[v] and owner[v] != player}
                assert region == attractor(rows, owner, inside, stuck, player)
                continue
            assert all(any(w in inside for w in rows[v]) for v in inside)
            top = [v for v in inside if priority[v] == max(priority[u] for u in inside)]
            assert step.priority == priority[top[0]]
            if step.rule == "attract":
                assert player == step.priority % 2
                assert region == attractor(rows, owner, inside, top, player)
            elif step.rule == "keep":
                assert region == inside
                assert player == step.priority % 2
            else:
                assert player != step.priority % 2
                assert region == attractor(rows, owner, inside, region, player)
            if step.depth == 0 and step.rule != "attract":
                assert all(winner[v] == player for v in region)
    assert rules == {"stuck", "attract", "keep", "give up"}


def test_steps_are_read_as_text_and_in_a_notebook():
    graph = zm.Graph.from_edges([("a", "<b>"), ("<b>", "a"), ("a", "t")], owner=[0, 1, 1])
    recursion = zm.trace(graph, zm.Buchi(["a"]))
    assert str(recursion) == "player 0 wins a, <b>, t, for the other player gets stuck"
    assert "&lt;b&gt;" in recursion._repr_html_()
    assert len(recursion) == len(list(recursion)) == 1


def test_priorities_are_shown_as_they_were_given():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    recursion = zm.trace(graph, zm.Parity({"a": 3, "b": 7}, "min odd"))
    assert [(x.rule, x.priority, int(x.player)) for x in recursion] == [
        ("attract", 3, 0),
        ("keep", 3, 0),
    ]


# -------------------------------------------------------------------- Muller games


def test_every_step_on_a_muller_game_follows_its_rule():
    rules = set()
    for seed in range(150):
        graph, objective = muller_oracle.random_game(seed)
        rows = [graph.successors(v).tolist() for v in range(graph.n)]
        owner, colours = graph.owner.tolist(), objective.colours(graph)
        winner = muller_oracle.solve(graph, objective)
        recursion = zm.trace(graph, objective)
        assert list(recursion.winner) == winner
        mentioned = set().union(*(set(x.colours) for x in recursion))
        for step in recursion:
            inside, region, player = set(step.subgame), set(step.region), int(step.player)
            rules.add(step.rule)
            assert region <= inside
            if step.rule == "stuck":
                stuck = {v for v in inside if not rows[v] and owner[v] != player}
                assert region == attractor(rows, owner, inside, stuck, player)
                continue
            assert all(any(w in inside for w in rows[v]) for v in inside)
            # The conditions of the oracle speak of colours only, and others do not matter.
            seen = {v: {str(c) for c in colours[v]} & mentioned for v in inside}
            assert all(seen[v] <= set(step.colours) for v in inside)
            if step.rule == "attract":
                outside = {v for v in inside if seen[v] - set(step.child)}
                assert region == attractor(rows, owner, inside, outside, player)
            if step.rule == "give up":
                assert region == attractor(rows, owner, inside, region, player)
            if step.rule == "keep":
                assert region == inside
            if step.depth == 0 and step.rule in ("keep", "give up"):
                assert all(winner[v] == player for v in region)
    assert rules == {"stuck", "attract", "keep", "give up"}
