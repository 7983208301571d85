"""Explanations of parity, Büchi, co-Büchi and Muller games: every fact is checked by definition."""

import itertools
import random

import pytest

import zermelo as zm
from tests import muller_oracle, oracles_parity
from zermelo.objectives.infinite import CONVENTIONS
from zermelo.trace import CycleExplanation, MemoryExplanation
from zermelo.trace.reasons.explanation import play_text


def random_game(rng):
    n = rng.randrange(1, 7)
    pairs = [(u, w) for u in range(n) for w in range(n) if rng.random() < 1.6 / n]
    graph = zm.Graph.from_edges(pairs, n=n, owner=[rng.randrange(2) for _ in range(n)])
    kind = rng.randrange(3)
    if kind == 0:
        return graph, zm.Parity([rng.randrange(6) for _ in range(n)], rng.choice(CONVENTIONS))
    chosen = [v for v in range(n) if rng.random() < 0.4]
    return graph, (zm.Buchi, zm.CoBuchi)[kind - 1](chosen, player=rng.randrange(2))


def allowed_moves(solution, winner):
    """The moves that are left when the winner follows the strategy."""
    graph = solution.graph
    rows = [graph.successors(v).tolist() for v in range(graph.n)]
    return [
        [int(solution.strategy[v])] if rows[v] and graph.owner[v] == winner else rows[v]
        for v in range(graph.n)
    ]


def reached(rows, v):
    seen, waiting = {v}, [v]
    while waiting:
        for w in rows[waiting.pop()]:
            if w not in seen:
                seen.add(w)
                waiting.append(w)
    return seen


def simple_paths(rows, inside):
    """All paths without a repeated position, and whether they close to a cycle at their end."""
    waiting = [(v,) for v in inside]
    while waiting:
        path = waiting.pop()
        yield path, path[0] in rows[path[-1]]
        waiting += [(*path, w) for w in rows[path[-1]] if w in inside and w not in path]


def shown_priorities(graph, objective):
    """The priorities as the objective was given, how they compare, and who likes which."""
    if isinstance(objective, zm.Parity):
        sign = 1 if objective.convention.startswith("max") else -1
        liked = 0 if objective.convention.endswith("even") else 1
        return list(objective.priority), sign, lambda p: 0 if p % 2 == liked else 1
    priority = objective.priorities(graph).tolist()
    return priority, 1, lambda p: p % 2


@pytest.mark.slow
def test_every_fact_about_cycles_is_true():
    rng = random.Random("cycles")
    seen = {"ends": 0, "attempts": 0, "bounds": 0}
    for _ in range(250):
        graph, objective = random_game(rng)
        solution = zm.solve(graph, objective)
        winners = oracles_parity.zielonka(*oracles_parity.game_of(graph, objective))
        priority, sign, likes = shown_priorities(graph, objective)
        for v in range(graph.n):
            found = solution.explain(v)
            assert isinstance(found, CycleExplanation)
            winner = int(found.winner)
            assert winner == winners[v]
            rows = allowed_moves(solution, winner)
            region = reached(rows, v)
            assert set(found.region) == region
            assert set(found.ends) == {u for u in region if not rows[u]}
            assert all(graph.owner[u] != winner for u in found.ends)
            own = graph.owner[v] == winner
            assert found.move == (rows[v][0] if own else None)
            cycles = [path for path, closed in simple_paths(rows, region) if closed]
            tops = {sign * max(sign * priority[u] for u in cycle) for cycle in cycles}
            assert set(found.decisive) == tops
            assert all(likes(p) == winner for p in tops)
            check_line(found, rows, priority, sign)
            losers = {priority[u] for c in cycles for u in c if likes(priority[u]) != winner}
            best = max(losers, key=lambda p: sign * p, default=None)
            assert found.attempt == best
            if found.attempt is not None:
                assert found.attempt in [priority[u] for u in found.line[found.line.cycle :]]
            for q, most in found.bounds.items():
                assert likes(q) != winner
                inside = {u for u in region if sign * priority[u] <= sign * q}
                counts = [
                    sum(priority[u] == q for u in path) for path, _ in simple_paths(rows, inside)
                ]
                assert most == max(counts)
            assert set(found.bounds) == {
                priority[u] for u in region if likes(priority[u]) != winner
            }
            text = str(found)
            assert play_text(found.line) in text or "stuck there" in text
            assert found.to_dict()["sentences"] == text.split("\n")
            seen["ends"] += bool(found.ends)
            seen["attempts"] += found.attempt is not None
            seen["bounds"] += bool(found.bounds)
    assert min(seen.values()) > 50


def check_line(found, rows, priority, sign):
    """The line is a play that the strategy allows, and its cycle has the stated priority."""
    line = found.line
    assert line[0] == found.position
    assert all(w in rows[u] for u, w in itertools.pairwise(line))
    if line.cycle is None:
        assert found.priority is None
        assert not rows[line[-1]]
        return
    assert line[line.cycle] == line[-1]
    assert found.priority == sign * max(sign * priority[u] for u in line[line.cycle :])


def test_a_wrong_solution_is_not_explained():
    import dataclasses

    import numpy as np

    graph = zm.Graph.from_edges([("a", "a"), ("a", "b"), ("b", "a")], owner=[0, 0])
    right = zm.solve(graph, zm.Parity({"a": 1, "b": 2}))
    wrong = dataclasses.replace(right, strategy=np.array([0, 0], np.int32))
    with pytest.raises(zm.errors.CertificateError, match="position 'a'"):
        wrong.explain("a")


# -------------------------------------------------------------------- Muller


@pytest.mark.slow
def test_every_fact_about_memory_is_true():
    loops = memories = 0
    for seed in range(120):
        graph, objective = muller_oracle.random_game(seed)
        solution = zm.solve(graph, objective)
        winners = muller_oracle.solve(graph, objective)
        colours = objective.colours(graph)
        for v in range(graph.n):
            found = solution.explain(v)
            assert isinstance(found, MemoryExplanation)
            assert int(found.winner) == winners[v]
            machine = solution.machines[found.winner]
            nodes = pairs_of(graph, machine, v)
            assert set(found.region) == {u for u, _ in nodes}
            assert found.used == len({memory for _, memory in nodes})
            assert found.states == len(machine)
            assert set(found.ends) == {u for u, m in nodes if not nodes[u, m]}
            parts = loops_of(nodes)
            sets = {tuple(sorted(set().union(*(colours[u] for u, _ in x)))) for x in parts}
            assert set(found.loops) == sets
            for part in parts:
                together = frozenset().union(*(colours[u] for u, _ in part))
                assert muller_oracle.accepts(objective, together) == (found.winner == 0)
            check_machine_line(graph, machine, found, colours)
            loops += len(parts) > 0
            memories += found.used > 1
    assert loops > 100
    assert memories > 10


def pairs_of(graph, machine, v):
    """The pairs (position, memory) that plays reach, each with those that come next."""
    nodes, waiting = {}, [(v, machine.initial)]
    while waiting:
        u, memory = waiting.pop()
        if (u, memory) in nodes:
            continue
        rows = graph.successors(u).tolist()
        if rows and graph.owner[u] == machine.player:
            rows = [machine.move(u, memory)]
        after = machine.update(memory, u)
        nodes[u, memory] = [(w, after) for w in rows]
        waiting += nodes[u, memory]
    return nodes


def loops_of(nodes):
    """The strong components in which play can stay, by the definition."""
    after = {}
    for node in nodes:
        seen, waiting = set(), list(nodes[node])
        while waiting:
            x = waiting.pop()
            if x not in seen:
                seen.add(x)
                waiting += nodes[x]
        after[node] = seen
    return {frozenset(y for y in after[x] if x in after[y]) for x in nodes if x in after[x]}


def check_machine_line(graph, machine, found, colours):
    """The line is a play of the machine, and its cycle sees the stated colours."""
    line, memory = list(found.line), machine.initial
    cycle = found.line.cycle
    rounds = [] if cycle is None else line[cycle + 1 :] * (len(machine) + 1)
    for u, w in itertools.pairwise(line + rounds):
        assert w in graph.successors(u)
        if graph.owner[u] == machine.player:
            assert machine.move(u, memory) == w
        memory = machine.update(memory, u)
    if cycle is None:
        assert found.colours is None
        assert not graph.successors(line[-1]).size
    else:
        assert set(found.colours) == set().union(*(colours[u] for u in line[cycle:]))
        assert tuple(found.colours) in found.loops
