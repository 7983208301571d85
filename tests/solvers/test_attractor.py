"""Attractors and permissive controllers against the definition, and attacks on their checkers."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import CertificateError, InvalidGraphError, InvalidOptionError
from zermelo.generators import all_digraphs, random_graph


def situations(graph):
    """Every situation (position, player to move) with the situations after a move."""
    rows = [graph.successors(v).tolist() for v in range(graph.n)]
    if graph.owner is None:
        return {(v, e): [(w, 1 - e) for w in rows[v]] for v in range(graph.n) for e in (0, 1)}
    owner = graph.owner.tolist()
    return {(v, owner[v]): [(w, owner[w]) for w in rows[v]] for v in range(graph.n)}


def layers(graph, targets, player):
    """The rank of every situation of the attractor, layer by layer as in the definition."""
    moves = situations(graph)
    rank = {s: 0 for s in moves if s[0] in targets}
    for i in itertools.count(1):
        inside = set(rank)
        added = [
            s
            for s, after in moves.items()
            if s not in inside
            and (any if s[1] == player else all)(t in inside for t in after)
        ]  # fmt: skip
        if not added:
            return rank
        rank |= dict.fromkeys(added, i)


def games(seed, count=60):
    rng = random.Random(seed)
    for g in itertools.chain(all_digraphs(2), itertools.islice(all_digraphs(3), 0, None, 7)):
        yield g, rng
    for _ in range(count):
        game = random_graph(rng.randrange(1, 9), degree=2.0, seed=rng.randrange(1 << 30))
        yield game.graph, rng


@pytest.mark.parametrize("owned", [False, True])
def test_regions_ranks_and_moves_are_those_of_the_definition(owned):
    for g, rng in games(f"attractor {owned}"):
        graph = g.with_owner([rng.randrange(2) for _ in range(g.n)] if owned else None)
        targets = {v for v in range(graph.n) if rng.random() < 0.3}
        for player in (0, 1):
            a = zm.attractor(graph, targets, player).verify()
            rank = layers(graph, targets, player)
            for s, after in situations(graph).items():
                at = s[0] if owned else s
                assert a.rank[at] == rank.get(s, -1)
                assert a.region[at] == (s in rank)
                if s in rank and s[1] == player and s[0] not in targets:
                    t = (int(a.move[at]), 1 - s[1]) if not owned else None
                    t = t or next(x for x in after if x[0] == a.move[at])
                    assert t in after
                    assert rank[t] == rank[s] - 1
                else:
                    assert a.move[at] == zm.NO_MOVE


def test_the_region_is_the_winning_region_of_reach():
    for g, rng in games("reach", 20):
        for graph in (g, g.with_owner([rng.randrange(2) for _ in range(g.n)])):
            for player in (0, 1):
                won = zm.solve(graph, zm.Reach([0], player=player)).winner == player
                assert (zm.attractor(graph, [0], player).region == won).all()


def test_layers_and_names():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "t")])
    a = zm.attractor(g, ["t"], 1)
    assert a.positions == (("a", 0), ("b", 1), ("t", 0), ("t", 1))
    assert a.layer(0) == (("t", 0), ("t", 1))
    assert a.layer(1) == (("b", 1),)
    only = np.zeros((3, 2), bool)
    only[2, 0] = True
    assert zm.attractor(g, only, 1).layer(0) == (("t", 0),)
    assert zm.attractor(zm.Game(g, zm.Misere()), ["t"], 1).region.tolist() == a.region.tolist()


def test_bad_arguments_are_refused():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidOptionError, match="player: expected 0 or 1"):
        zm.attractor(g, [1], 2)
    with pytest.raises(InvalidGraphError):
        zm.attractor(g, np.zeros((3, 2), bool), 0)
    with pytest.raises(InvalidOptionError, match="player"):
        zm.permissive_controller(g, [1], "a")


@pytest.mark.parametrize("owned", [False, True])
def test_every_forged_entry_is_found(owned):
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (1, 3), (3, 3), (2, 4), (5, 5)])
    graph = graph.with_owner([0, 1, 0, 0, 1, 0] if owned else None)
    a = zm.attractor(graph, [3], 0).verify()
    for name in ("targets", "region", "rank", "move"):
        array = getattr(a, name)
        for s in range(array.size):
            for wrong in {True, False} if array.dtype == bool else range(-1, 6):
                if array.flat[s] == wrong:
                    continue
                forged = array.copy()
                forged.flat[s] = wrong
                with pytest.raises(CertificateError):
                    dataclasses.replace(a, **{name: forged}).verify()


def wins_safely(graph, choice, safe, player):
    """The positions of an owned graph from which a positional strategy stays safe for ever."""
    good = set(safe)
    while True:
        bad = set()
        for v in good:
            after = graph.successors(v).tolist()
            if graph.owner[v] == player:
                if choice.get(v) not in good:
                    bad.add(v)
            elif any(w not in good for w in after):
                bad.add(v)
        if not bad:
            return good
        good -= bad


def test_controllers_allow_exactly_the_moves_of_winning_strategies():
    for g, rng in games("controller", 40):
        if g.n > 5:
            continue
        graph = g.with_owner([rng.randrange(2) for _ in range(g.n)])
        safe = {v for v in range(g.n) if rng.random() < 0.8}
        control = zm.permissive_controller(graph, safe, 0).verify()
        mine = [v for v in range(g.n) if graph.owner[v] == 0 and graph.successors(v).size]
        won, used = set(), set()
        for moves in itertools.product(*(graph.successors(v).tolist() for v in mine)):
            choice = dict(zip(mine, moves, strict=True))
            good = wins_safely(graph, choice, safe, 0)
            won |= good
            used |= {(v, choice[v]) for v in good if v in choice}
        assert set(np.flatnonzero(control.region).tolist()) == won
        allowed = {(u, w) for u in range(g.n) for w in control.moves(u)}
        assert allowed == used
        for moves in itertools.product(*(control.moves(v) or (None,) for v in mine)):
            assert wins_safely(graph, dict(zip(mine, moves, strict=True)), safe, 0) == won


def test_controllers_of_alternating_players_have_the_region_of_safety():
    for g, rng in games("alternating controller", 20):
        safe = [v for v in range(g.n) if rng.random() < 0.8]
        for player in (0, 1):
            control = zm.permissive_controller(g, safe, player).verify()
            won = zm.solve(g, zm.Safety(safe, player=player)).winner == player
            assert (control.region == won).all()
            for v in range(g.n):
                kept = [w for w in g.successors(v).tolist() if won[w, 1 - player]]
                assert list(control.moves(v)) == (kept if won[v, player] else [])


def test_forged_controllers_are_found():
    graph = zm.Graph.from_edges(
        [(0, 1), (1, 0), (0, 2), (2, 0), (2, 3), (3, 3)], owner=[0, 1, 1, 1]
    )
    control = zm.permissive_controller(graph, [0, 1, 2]).verify()
    for k in range(graph.m):
        forged = control.allowed.copy()
        forged[k] = not forged[k]
        with pytest.raises(CertificateError, match="expected it to be"):
            dataclasses.replace(control, allowed=forged).verify()
    other = zm.attractor(graph, [1], 1)
    with pytest.raises(CertificateError):
        dataclasses.replace(
            control, danger=dataclasses.replace(other, rank=control.danger.rank)
        ).verify()
