"""Strategies that somebody claims, against all plays of the opponent by the definitions."""

import itertools
import random
from functools import partial

import numpy as np
import pytest

import zermelo as zm
from tests import oracles
from tests.sampling import rounds
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.generators import all_digraphs, random_graph

OBJECTIVES = [zm.NormalPlay(), zm.Misere(), zm.Asymmetric(), zm.G1(), zm.H1(), zm.Reach([0])]
VERDICTS = {1: "winning", 0: "nonlosing", -1: "neither"}


def replies(game, player):
    """All positional strategies of a player, with moves by situation."""
    mine = [s for s in game.moves if s[1] == player and s not in game.pays]
    for choice in itertools.product(*(game.moves[s] for s in mine)):
        yield dict(zip(mine, choice, strict=True))


def worst(game, start, plan, player):
    """The worst result over the opponent's positional strategies, which are enough."""
    view = 1 if player == 0 else -1
    results = []
    for reply in replies(game, 1 - player):
        pay, _ = oracles._play(game, start, plan | reply)
        results.append(view * oracles.sign(pay))
    return min(results)


def follow(game, line, plan, player, start):
    """Check that a play is one that the strategy allows; return its result for the player."""
    s, view = start, 1 if player == 0 else -1
    situations = [s]
    for name in line[1:]:
        assert s not in game.pays
        t = next(x for x in game.moves[s] if x[0] == name)
        assert s[1] != player or plan[s] == t
        s = t
        situations.append(s)
    if line.cycle is not None:
        assert situations[line.cycle] == situations[-1]
        assert not any(x in game.pays for x in situations)
        return view * oracles.sign(game.infinite)
    return view * oracles.sign(game.pays[s])


@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_verdicts_and_plays_of_all_positional_strategies(objective, owned):
    rng = random.Random(f"{objective.keyword} {owned}")
    verdicts = set()
    for graph in rng.sample(list(all_digraphs(3)), 40):
        if owned:
            graph = graph.with_owner([rng.randrange(2) for _ in range(graph.n)])
        game = oracles.game_of(graph, objective)
        for player in (0, 1):
            plans = list(replies(game, player))
            for plan in rng.sample(plans, min(4, len(plans))):
                start = rng.choice(list(game.moves))
                moves = {s[0]: t[0] for s, t in plan.items()}
                check = zm.check_strategy(
                    zm.Game(graph, objective), moves, player, start[0], first=start[1]
                )
                wanted = worst(game, start, plan, player)
                assert check.verdict == VERDICTS[wanted]
                assert check.ok == (wanted >= 0)
                if wanted < 1:
                    assert follow(game, check.play, plan, player, start) == wanted
                else:
                    assert check.play is None
                verdicts.add(check.verdict)
    assert "winning" in verdicts
    assert "neither" in verdicts


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("owned", [False, True])
def test_the_moves_of_solutions_keep_what_they_promise(owned):
    rng = random.Random(f"solutions {owned}")
    for _ in range(rounds(30)):
        graph = random_graph(rng.randrange(1, 9), degree=2.0, seed=rng.randrange(1 << 30)).graph
        graph = graph.with_owner([rng.randrange(2) for _ in range(graph.n)] if owned else None)
        for objective in OBJECTIVES:
            solution = zm.solve(graph, objective)
            game = zm.Game(graph, objective)
            for v in range(graph.n):
                mover = int(graph.owner[v]) if owned else 0
                label = int(solution.at(v).label)
                for player in (0, 1):
                    wanted = VERDICTS[label if player == mover else -label]
                    check = zm.check_strategy(game, solution.move, player, v)
                    assert check.verdict == wanted
                    assert zm.check_strategy(game, solution, player, v).verdict == wanted


def test_ways_to_write_a_strategy():
    g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("b", "a"), ("c", "t")])
    both = np.array([[1, 0], [0, 0], [3, 3], [-1, -1]])
    ways = [{"a": "b", "c": "t"}, [1, -1, 3, -1], both, lambda x: {"a": "b", "c": "t"}[x]]
    for strategy in ways:
        check = zm.check_strategy(g, strategy, 0, "a")
        assert (check.verdict, check.play) == ("nonlosing", ["a", "b", "a"])
    assert zm.check_strategy(g, {"a": "b"}, 0, "c").reason.startswith(
        "the strategy has no possible"
    )
    assert zm.check_strategy(g, {"c": "a"}, 0, "c").verdict == "neither"
    short = zm.Graph.from_edges([("a", "b"), ("b", "t"), ("a", "t")])
    check = zm.check_strategy(short, lambda past: past[-1] and "b", 0, "a", history=True)
    assert (check.verdict, list(check.play)) == ("neither", ["a", "b", "t"])
    assert zm.check_strategy(short, lambda past: "t", 0, "a", history=True).verdict == "winning"
    assert zm.check_strategy(zm.Game(short, start="a"), {"a": "t"}, 0).ok


def test_histories_without_end_are_refused_in_a_sentence():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    with pytest.raises(LimitError, match="followed 50 histories"):
        zm.check_strategy(g, lambda past: "b", 0, "a", history=True, limit=50)


# -------------------------------------------------------------------- infinite duration


def cycles(graph, plan, player, start):
    """All closed sets of positions that the opponent can see for ever, and dead ends."""
    found, ends = set(), set()

    def after(v):
        return [plan[v]] if graph.owner[v] == player and v in plan else graph.successors(v).tolist()

    reached, queue = {start}, [start]
    for v in queue:
        if not after(v):
            ends.add(v)
        for w in after(v):
            if w not in reached:
                reached.add(w)
                queue.append(w)
    for k in range(1, len(reached) + 1):
        for part in itertools.combinations(sorted(reached), k):
            inside = set(part)
            if all(closed(after, inside, u, w) for u in part for w in part):
                found.add(part)
    return found, ends


def closed(after, inside, u, w):
    """Whether a walk of at least one move leads from u to w inside a set."""
    seen, queue = set(), [u]
    for v in queue:
        for x in after(v):
            if x in inside and x not in seen:
                seen.add(x)
                queue.append(x)
    return w in seen


def lost_by(graph, plan, player, start, accepted):
    """Whether some play is lost, by looking at all sets that may be seen infinitely often."""
    sets, ends = cycles(graph, plan, player, start)
    if any(graph.owner[v] == player for v in ends):
        return True
    return any(accepted(part) == (player == 1) for part in sets)


def highest_is_even(colour, part):
    return max(colour[v] for v in part) % 2 == 0


def has_zero(colour, part):
    return any(colour[v] == 0 for v in part)


def is_in(family, colour, part):
    return sorted({colour[v] for v in part}) in family


@pytest.mark.parametrize("kind", ["parity", "buchi", "muller"])
def test_parity_and_muller_strategies(kind):
    rng = random.Random(kind)
    verdicts = set()
    for _ in range(150):
        n = rng.randrange(2, 6)
        graph = random_graph(n, degree=2.0, seed=rng.randrange(1 << 30)).graph
        graph = graph.with_owner([rng.randrange(2) for _ in range(n)])
        colour = [rng.randrange(4) for _ in range(n)]
        if kind == "parity":
            objective = zm.Parity(colour)
            accepted = partial(highest_is_even, colour)
        elif kind == "buchi":
            objective = zm.Buchi([v for v in range(n) if colour[v] == 0])
            accepted = partial(has_zero, colour)
        else:
            family = [list(x) for k in range(1, 5) for x in itertools.combinations(range(4), k)
                      if rng.random() < 0.5]  # fmt: skip
            objective = zm.Muller(colour, family)
            accepted = partial(is_in, family, colour)
        for player in (0, 1):
            plan = {v: int(rng.choice(graph.successors(v).tolist())) for v in range(n)
                    if graph.owner[v] == player and graph.successors(v).size}  # fmt: skip
            start = rng.randrange(n)
            check = zm.check_strategy(zm.Game(graph, objective), plan, player, start)
            lost = lost_by(graph, plan, player, start, accepted)
            assert check.verdict == ("neither" if lost else "winning")
            verdicts.add(check.verdict)
            if lost and check.play.cycle is not None:
                seen = {int(v) for v in check.play[check.play.cycle :]}
                assert accepted(tuple(seen)) == (player == 1)
            if check.play is not None:
                for u, w in itertools.pairwise(check.play):
                    assert w in graph.successors(u)
                    assert graph.owner[u] != player or plan[u] == w
    assert verdicts == {"winning", "neither"}


def test_machines_win_where_they_say_so_and_their_loser_does_not():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")],
                            owner={"a": 1, "b": 0, "c": 1})  # fmt: skip
    game = zm.Game(g, zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)"))
    machine = zm.solve(game).strategy_machine(0)
    for start in "abc":
        assert zm.check_strategy(game, machine, 0, start).verdict == "winning"
        assert zm.check_strategy(game, zm.solve(game), 0, start).verdict == "winning"
        check = zm.check_strategy(game, {"b": "a"}, 0, start)
        assert (check.verdict, set(check.play[check.play.cycle :])) == ("neither", {"a", "b"})


# -------------------------------------------------------------------- return and repetition


def outcome(succ, name, misere, history):
    """None if play goes on, else whether the player to move has won; and the legal moves."""
    v, arcs = history[-1], list(itertools.pairwise(history))
    if name in ("return", "repetition"):
        again = v in history[:-1] if name == "return" else arcs and arcs[-1] in arcs[:-1]
        return (False, []) if again else (None if succ[v] else True, succ[v])
    fresh = [w for w in succ[v] if (w not in history if "return" in name else (v, w) not in arcs)]
    return (None, fresh) if fresh else (misere, [])


def refuted(succ, name, misere, plan, player, history):
    """Whether the opponent has an answer to a strategy, by recursion over all histories."""
    won, moves = outcome(succ, name, misere, history)
    mine = (len(history) - 1) % 2 == player
    if won is not None:
        return won != mine
    if mine:
        move = plan(history)
        return move not in moves or refuted(succ, name, misere, plan, player, (*history, move))
    return any(refuted(succ, name, misere, plan, player, (*history, w)) for w in moves)


@pytest.mark.slow(
    "no-repetition-False", "no-repetition-True", "repetition-False", "repetition-True"
)
@pytest.mark.sampled
@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("name", ["no-return", "return", "no-repetition", "repetition"])
def test_games_of_return_and_repetition(name, misere):
    make = {"no-return": zm.NoReturn, "no-repetition": zm.NoRepetition,
            "return": zm.Return, "repetition": zm.Repetition}[name]  # fmt: skip
    objective = make(misere) if name.startswith("no") else make()
    rng = random.Random(f"{name} {misere}")
    verdicts = set()
    for _ in range(rounds(60)):
        graph = random_graph(rng.randrange(2, 5), degree=2.0, seed=rng.randrange(1 << 30)).graph
        succ = [graph.successors(v).tolist() for v in range(graph.n)]
        plan = {v: rng.choice(succ[v]) for v in range(graph.n) if succ[v]}
        game = zm.Game(graph, objective)
        solution = zm.solve(game)
        for player, start in itertools.product((0, 1), range(graph.n)):
            lost = refuted(succ, name, misere, lambda h: plan.get(h[-1]), player, (start,))  # noqa: B023
            check = zm.check_strategy(game, plan, player, start)
            assert check.verdict == ("neither" if lost else "winning")
            verdicts.add(check.verdict)
            if (solution.label[start] > 0) == (player == 0):
                strategy = solution.strategy(start)
                for way in (strategy, solution):
                    assert zm.check_strategy(game, way, player, start).verdict == "winning"
                assert zm.check_strategy(game, strategy.move, player, start, history=True).ok
    assert verdicts == {"winning", "neither"}


# -------------------------------------------------------------------- refusals


def test_mistakes_are_refused_in_a_sentence():
    g = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    owned = g.with_owner([0, 1])
    with pytest.raises(InvalidOptionError, match="the game has no start"):
        zm.check_strategy(g, {}, 0)
    with pytest.raises(InvalidOptionError, match="player"):
        zm.check_strategy(g, {}, 2, "a")
    with pytest.raises(InvalidOptionError, match="expected 2 moves as numbers"):
        zm.check_strategy(g, [1, 0, 0], 0, "a")
    with pytest.raises(InvalidOptionError, match="expected a position number or -1, got 9"):
        zm.check_strategy(g, [9, 0], 0, "a")
    with pytest.raises(InvalidOptionError, match="no position is called 'x'"):
        zm.check_strategy(g, lambda v: "x", 0, "a")
    with pytest.raises(InvalidObjectiveError, match="the objective of this game is energy"):
        zm.check_strategy(zm.Game(owned, zm.Energy([1, 1])), {}, 0, "a")
    machine = zm.solve(owned, zm.Muller([0, 1], "Inf(0)")).strategy_machine(0)
    with pytest.raises(InvalidOptionError, match="not of player 1"):
        zm.check_strategy(zm.Game(owned, zm.Muller([0, 1], "Inf(0)")), machine, 1, "a")
    with pytest.raises(InvalidOptionError, match="another graph"):
        zm.check_strategy(owned.with_owner([1, 1]), machine, 0, "a")
