"""Muller games: against the oracle, machines that need memory, parity as Muller."""

import copy
import pickle
import random

import numpy as np
import pytest
from tests import muller_oracle as oracle

import zermelo as zm
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.labels import NO_DISTANCE, NO_MOVE


@pytest.mark.parametrize("block", range(8))
def test_random_games(block):
    for seed in range(50 * block, 50 * block + 50):
        g, objective = oracle.random_game(seed)
        s = zm.solve(g, objective)
        assert s.winner.tolist() == oracle.solve(g, objective), seed
        assert s.verify() is s
        assert (s.label == np.where(s.winner == g.owner, 1, -1)).all()
        assert (s.distance == NO_DISTANCE).all()
        assert ((s.move != NO_MOVE) == (s.label > 0)).all()
        leaves = s.stats["leaves"]
        for player in (0, 1):
            machine = s.strategy_machine(player)
            assert 1 <= len(machine) <= leaves
            assert (machine.winning == (s.winner == player)).all()
            assert machine.used().any(axis=1).all() or not machine.winning.any()


@pytest.mark.parametrize("seed", range(40))
def test_machines_beat_random_opponents(seed):
    """From some time on, the colours that a long play keeps seeing are the winner's."""
    rng = random.Random(seed)
    g, objective = oracle.random_game(1000 + seed, most=5, colours=3)
    rows = objective.colours(g)
    s = zm.solve(g, objective)
    for v in range(g.n):
        winner = int(s.winner[v])
        # An opponent without memory makes the play periodic.
        replies = {u: int(rng.choice(g.successors(u))) for u in range(g.n) if g.out_degree[u]}
        play = s.strategy_machine(winner).play(v, opponent=replies.__getitem__, limit=600)
        if len(play) <= 600:
            assert g.out_degree[play[-1]] == 0
            assert g.owner[play[-1]] == 1 - winner
        else:
            seen = frozenset().union(*(rows[u] for u in play[-300:]))
            assert oracle.accepts(objective, seen) == (winner == 0)


def test_two_places_need_two_memory_states():
    g = zm.Graph.from_edges([("b", "a"), ("a", "b"), ("b", "c"), ("c", "b")],
                            owner={"a": 1, "b": 0, "c": 1})  # fmt: skip
    s = zm.solve(g, zm.Muller.generalised_buchi([["a"], ["c"]])).verify()
    machine = s.strategy_machine(0)
    assert s.winner.tolist() == [0, 0, 0]
    assert len(machine) == 2
    assert {machine.move("b", m) for m in (0, 1)} == {"a", "c"}
    assert str(machine).splitlines()[0] == "player 0: 2 memory states, first 0"
    assert repr(machine) == "Machine(player 0, 2 memory states)"
    assert "b → a" in str(machine)
    assert machine.to_dot().startswith("digraph machine {")
    line = s.line("b")
    assert set(line[line.cycle :]) == {"a", "b", "c"}
    assert machine.play("b", limit=2) == line[:3]
    memory, position, seen = machine.initial, "b", []
    for _ in range(12):
        following = machine.move(position, memory) if position == "b" else "b"
        memory, position = machine.update(memory, position), following
        seen.append(position)
    assert set(seen[-6:]) == {"a", "b", "c"}


@pytest.mark.parametrize("k", range(2, 7))
def test_k_places_need_k_memory_states(k):
    """A star whose rays are all to be visited: as many memory states as rays."""
    edges = [(0, j) for j in range(1, k + 1)] + [(j, 0) for j in range(1, k + 1)]
    g = zm.Graph.from_edges(edges, owner=[0] + [1] * k)
    s = zm.solve(g, zm.Muller.generalised_buchi([[j] for j in range(1, k + 1)])).verify()
    assert (s.winner == 0).all()
    assert len(s.strategy_machine(0)) == k


@pytest.mark.parametrize("seed", range(60))
def test_parity_as_muller(seed):
    rng = random.Random(seed)
    g = oracle.random_graph(rng, 8)
    priority = [rng.randrange(5) for _ in range(g.n)]
    convention = rng.choice(["max even", "max odd", "min even", "min odd"])
    s = zm.solve(g, zm.Muller.parity(priority, convention)).verify()
    assert s.winner.tolist() == zm.solve(g, zm.Parity(priority, convention)).winner.tolist()
    assert len(s.strategy_machine(0)) == len(s.strategy_machine(1)) == 1


@pytest.mark.parametrize("seed", range(60))
def test_rabin_and_streett_are_each_other(seed):
    """The players of a Rabin game changed give a Streett game, with the sets changed."""
    rng = random.Random(seed)
    g = oracle.random_graph(rng, 6)
    some = [[v for v in range(g.n) if rng.random() < 0.4] for _ in range(4)]
    rabin = zm.solve(g, zm.Muller.rabin([(some[0], some[1]), (some[2], some[3])])).verify()
    other = g.with_owner(1 - g.owner)
    pairs = [(some[1], some[0]), (some[3], some[2])]
    streett = zm.solve(other, zm.Muller.streett(pairs)).verify()
    assert (rabin.winner == 1 - streett.winner).all()


@pytest.mark.parametrize("seed", range(60))
def test_rabin_games_need_no_memory(seed):
    """Some positional strategy of player 0 wins wherever the solution says that she wins."""
    rng = random.Random(seed)
    g = oracle.random_graph(rng, 4)
    some = [[v for v in range(g.n) if rng.random() < 0.5] for _ in range(4)]
    objective = zm.Muller.rabin([(some[0], some[1]), (some[2], some[3])])
    wins = (zm.solve(g, objective).winner == 0).tolist()
    assert any((zm.solve(only, objective).winner == 0).tolist() == wins for only in positional(g))


def positional(g):
    """The graph with one move of player 0 left at each of her positions, in all ways."""
    rest = [(u, w) for u, w in g.to_edges().tolist() if g.owner[u] == 1]
    chosen = [[]]
    for u in range(g.n):
        if g.owner[u] == 0 and g.out_degree[u]:
            chosen = [[*c, (u, int(w))] for c in chosen for w in g.successors(u)]
    return [zm.Graph.from_edges(rest + c, n=g.n, owner=g.owner) for c in chosen]


def test_dead_ends_are_lost_for_their_owner():
    g = zm.Graph.from_edges([(0, 1), (0, 2)], n=3, owner=[0, 0, 1])
    for acceptance in ("t", "f"):
        s = zm.solve(g, zm.Muller([0, 0, 0], acceptance)).verify()
        assert s.winner.tolist() == [0, 1, 0]
        assert s.move.tolist() == [2, NO_MOVE, NO_MOVE]
        assert s.line(0) == [0, 2]
        assert s.line(1) == [1]


def test_small_graphs():
    empty = zm.Graph.from_edges([], n=0, owner=[])
    s = zm.solve(empty, zm.Muller([], "Inf(0)")).verify()
    assert s.label.shape == (0,)
    loop = zm.Graph.from_edges([(0, 0)], owner=[1])
    s = zm.solve(loop, zm.Muller([2], [{2}]), start=0).verify()
    assert s.start == 0
    assert s[0].label == zm.Label.LOSE
    assert s[0].best_moves == (0,)
    assert repr(s) == "Solution(muller by zielonka-tree: 1 lose)"


def test_machines_refuse_what_makes_no_sense():
    g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 1)], owner=[0, 1])
    s = zm.solve(g, zm.Muller([0, 1], [{0}]))
    machine = s.strategy_machine(0)
    assert machine.move(1) is None
    with pytest.raises(InvalidOptionError, match="player 0 does not win from 1"):
        machine.play(1)
    with pytest.raises(InvalidOptionError, match="memory: expected 0 … 0, got 5"):
        machine.move(0, 5)
    with pytest.raises(InvalidOptionError, match="player: expected 0 or 1"):
        s.strategy_machine(2)
    hers = zm.solve(g.with_owner([0, 0]), zm.Muller([0, 1], [{0}]))
    with pytest.raises(InvalidOptionError, match="1 has no move to 0"):
        hers.strategy_machine(1).play(1, opponent=lambda _: 0)
    with pytest.raises(SolverError, match="does not solve 'parity'"):
        zm.solve(g, zm.Parity([0, 1]), solver="zielonka-tree")


def test_input_is_left_alone_and_answers_are_fixed():
    g, objective = oracle.random_game(3)
    before = [a.copy() for a in (g.indptr, g.indices, g.owner)]
    s = zm.solve(g, objective)
    assert all((a == b).all() for a, b in zip((g.indptr, g.indices, g.owner), before, strict=True))
    for other in (s, pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        for a in (other.level, other.label, other.distance, other.move, other.machines[0].moves):
            assert not a.flags.writeable
        assert other.verify() is other
