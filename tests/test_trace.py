"""Rounds and reasons: they agree with solve(), and every decision follows from earlier ones."""

import itertools
import json
import random
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from tests.sampling import rounds
from zermelo.errors import InvalidOptionError, UnknownPositionError
from zermelo.objectives.terminal_form import Layout, TerminalForm
from zermelo.trace import Decision, Reason, format_reason

STUCK = [zm.NormalPlay, zm.Misere, zm.Asymmetric, zm.G0, zm.G1, zm.H1]


def digraphs(n):
    arcs = list(itertools.product(range(n), repeat=2))
    for mask in range(1 << len(arcs)):
        yield zm.Graph.from_edges([a for k, a in enumerate(arcs) if mask >> k & 1], n=n)


def random_graph(rng, owned):
    n = rng.randint(1, 12)
    arcs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 2 * n))]
    owner = [rng.randrange(2) for _ in range(n)] if owned else None
    return zm.Graph.from_edges(arcs, n=n, owner=owner)


def random_objectives(rng, graph):
    """One of each objective whose result does not only depend on who is stuck."""
    some = [v for v in range(graph.n) if rng.random() < 0.4]
    pays = [rng.choice([-2, -1, 0, Fraction(1, 2), 3]) for _ in range(graph.n)]
    pairs = [(x, rng.randint(-2, 2)) for x in pays]
    yield zm.TerminalPayoff(pays, infinite=rng.choice([-2, 0, Fraction(1, 2), 7]))
    yield zm.TerminalPayoff(pays, view="mover")
    yield zm.TerminalPayoff(pairs, infinite=rng.choice([-5, 0, 1]))
    for player in (0, 1):
        yield zm.Reach(some, player=player)
        yield zm.Safety(some, player=player)
        yield zm.ReachAvoid(some, [v for v in range(graph.n) if rng.random() < 0.2], player=player)


def check_trace(graph, objective):
    solution = zm.solve(graph, objective)
    rounds = list(zm.trace(graph, objective))
    known = {}
    last = None
    for k, round_ in enumerate(rounds):
        assert round_.number == k
        assert round_.decisions
        same = last and (last.phase, last.values) == (round_.phase, round_.values)
        if round_.phase != "rest":
            assert round_.distance == (last.distance + 1 if same else 0)
        for d in round_.decisions:
            check_decision(d, round_, solution, known)
        known |= {(d.position, d.player): d for d in round_.decisions}
        last = round_
    phases = [r.phase for r in rounds]
    assert phases == sorted(phases, key=["forced", "agreed", "rest"].index)
    assert len(known) == solution.level.size == sum(len(r.decisions) for r in rounds)


def check_decision(d, round_, solution, known):
    answer = solution.at(d.position, d.player)
    assert (d.label, d.value, d.distance) == (answer.label, answer.value, answer.distance)
    assert d.distance == round_.distance
    assert d.value in round_.values
    moves = solution.graph.successors(solution.graph.index(d.position)).tolist()

    def sight(w):
        """The value of a move for this player, and its distance."""
        player = answer.player.other if solution.form.doubled else None
        after = solution.at(w, player)
        return (-after.value if d.player is None else after.value), after.distance

    if d.rule == "end":
        assert d.reasons == ()
    elif d.rule == "must":
        assert list(d.reasons) == moves
        better = (lambda x: x < d.value) if d.player == 1 else (lambda x: x > d.value)
        assert not any(better(sight(w)[0]) for w in moves)
        assert max(k for x, k in map(sight, moves) if x == d.value) == d.distance - 1
    else:
        assert d.reasons
        assert set(d.reasons) <= set(moves)
        before = d.distance - 1 if d.rule in ("can", "agreed") else zm.NO_DISTANCE
        assert all(sight(w) == (d.value, before) for w in d.reasons)
        if d.rule == "can":
            assert list(d.reasons) == list(answer.best_moves)
        assert d.rule == "can" or d.value == solution.form.levels[solution.form.infinite]


@pytest.mark.slow("3-asymmetric", "3-g0", "3-g1", "3-h1", "3-misere")
@pytest.mark.parametrize("objective", STUCK, ids=lambda o: o.keyword)
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_trace_agrees_with_solve_on_every_small_digraph(n, objective):
    for graph in digraphs(n):
        check_trace(graph, objective())


@pytest.mark.parametrize("objective", STUCK, ids=lambda o: o.keyword)
def test_trace_agrees_with_solve_for_all_owners_of_two_positions(objective):
    for graph in digraphs(2):
        for owner in itertools.product((0, 1), repeat=2):
            check_trace(graph.with_owner(owner), objective())


@pytest.mark.sampled
@pytest.mark.parametrize("owned", [False, True])
def test_trace_agrees_with_solve_on_random_graphs(owned):
    rng = random.Random(3)
    for _ in range(rounds(100)):
        graph = random_graph(rng, owned)
        for objective in (*random_objectives(rng, graph), *(o() for o in STUCK)):
            check_trace(graph, objective)


def test_normal_play_is_the_default_and_rounds_come_one_by_one():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "t")])
    first = next(zm.trace(graph))
    end = Decision("t", None, zm.Label.LOSE, -1, 0, "end", ())
    assert (first.number, first.phase, first.values, first.distance) == (0, "forced", (-1, 1), 0)
    assert first.decisions == (end,)
    assert [str(r) for r in zm.trace(graph)] == [
        "round 0: t is LOSE (end)",
        "round 1: b is WIN in 1 (can: t)",
        "round 2: a is LOSE in 2 (must: b)",
    ]


# ---------------------------------------------------------------- explain: golden trees

WINDING = zm.Graph.from_edges(
    [("a", "b"), ("b", "c"), ("b", "d"), ("c", "t"), ("d", "t"), ("d", "b"), ("e", "a"), ("e", "e")]
)
LOEWE = zm.Graph.from_edges(
    [("a", "t"), ("b", "a"), ("b", "b"), ("c", "b"), ("c", "d"), ("d", "c")]
)
OWNED = zm.Graph.from_edges(
    [("a", "x"), ("a", "b"), ("b", "y"), ("b", "a")], owner={"a": 0, "b": 1, "x": 0, "y": 0}
)
FENCE = zm.Graph.from_edges(
    [(0, 1), (1, 0), (1, 2), (2, 2), (4, 5), (4, 0)], owner=[0, 1, 0, 1, 0, 0]
)


def tree(text):
    """A golden tree: the lines between the quotes, without their common indent."""
    lines = text.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines if line.strip())


GOLDEN = [
    (
        "a win, a loss",
        lambda: zm.explain(WINDING, "a"),
        """
        a is WIN in 3: it can move to b
        └─ b is LOSE in 2: every move loses
           ├─ c is WIN in 1: it can move to t
           │  └─ t is LOSE: there is no move
           └─ d is WIN in 1: it can move to t
              └─ t is LOSE: there is no move
        """,
    ),
    (
        "a draw, a cycle, a cut",
        lambda: zm.explain(WINDING, "e", depth=2),
        """
        e is DRAW: no move wins, and e keeps the draw
        ├─ e is DRAW: as above
        └─ a is WIN in 3: it can move to b
           └─ b is LOSE in 2: every move loses …
        """,
    ),
    (
        "with a player, at depth 0",
        lambda: zm.explain(WINDING, "b", 1, 0),
        """
        b, player 1 to move, is LOSE in 2: every move loses …
        """,
    ),
    (
        "the asymmetric game, player 1 forced to a draw",
        lambda: zm.explain(zm.solve(LOEWE, zm.Asymmetric()), "b", 1),
        """
        b, player 1 to move, is DRAW in 3: no move wins
        ├─ b, player 0 to move, is DRAW in 2: it can move to a
        │  └─ a, player 1 to move, is DRAW in 1: its only move is to t
        │     └─ t, player 0 to move, is DRAW: there is no move
        └─ a, player 0 to move, is WIN in 1: it can move to t
           └─ t, player 1 to move, is LOSE: there is no move
        """,
    ),
    (
        "the asymmetric game, player 1 wins infinite play",
        lambda: zm.explain(zm.solve(LOEWE, zm.Asymmetric()), "c", 1),
        """
        c, player 1 to move, is WIN: it can move to d and go on for ever
        └─ d, player 0 to move, is LOSE: its only move is to c
           └─ c, player 1 to move, is WIN: as above
        """,
    ),
    (
        "numbers, infinite play best for both",
        lambda: zm.explain(zm.solve(OWNED, zm.TerminalPayoff({"x": 3, "y": 5}, infinite=4)), "a"),
        """
        a, player 0 to move, is WIN (value 4): no move is worth more than 4, and b goes on for ever
        ├─ b, player 1 to move, is LOSE (value 4): no move is worth less than 4, and a goes on for ever
        │  ├─ a, player 0 to move, is WIN (value 4): as above
        │  └─ y, player 0 to move, is WIN (value 5): there is no move
        └─ x, player 0 to move, is WIN (value 3): there is no move
        """,  # noqa: E501
    ),
    (
        "a tie",
        lambda: zm.explain(
            zm.solve(OWNED.with_owner(None), zm.TerminalPayoff({"x": 0, "y": 1}, view="mover")),
            "a",
        ),
        """
        a is DRAW: no move wins, and x keeps the draw
        ├─ x is DRAW: there is no move
        └─ b is DRAW: no move wins, and a keeps the draw
           ├─ a is DRAW: as above
           └─ y is WIN: there is no move
        """,
    ),
    (
        "an end that pays like infinite play, but is no tie",
        lambda: zm.explain(zm.solve(FENCE, zm.G0()), 4, depth=1),
        """
        4, player 0 to move, is LOSE: every move loses, and 5 leads to an end that pays this
        ├─ 5, player 0 to move, is LOSE: there is no move
        └─ 0, player 0 to move, is LOSE: its only move is to 1 …
        """,
    ),
    (
        "a target that has moves",
        lambda: zm.explain(zm.solve(FENCE, zm.Reach([2])), 2),
        """
        2, player 0 to move, is WIN: play ends here
        """,
    ),
    (
        "a target never reached, and a dead end",
        lambda: zm.explain(zm.solve(FENCE, zm.Reach([2])), 4),
        """
        4, player 0 to move, is LOSE: every move loses
        ├─ 0, player 0 to move, is LOSE: its only move is to 1
        │  └─ 1, player 1 to move, is WIN: it can move to 0
        │     └─ 0, player 0 to move, is LOSE: as above
        └─ 5, player 0 to move, is LOSE: there is no move
        """,
    ),
    (
        "too many moves",
        lambda: zm.explain(
            zm.Graph.from_edges([("r", k) for k in "uvw"] + [(k, "t") for k in "uvw"]),
            "r",
            depth=1,
            width=2,
        ),
        """
        r is LOSE in 2: every move loses
        ├─ u is WIN in 1: it can move to t …
        ├─ v is WIN in 1: it can move to t …
        └─ … and 1 more move
        """,
    ),
]


@pytest.mark.parametrize(("make", "text"), [g[1:] for g in GOLDEN], ids=[g[0] for g in GOLDEN])
def test_explain_golden(make, text):
    reason = make()
    assert str(reason) == format_reason(reason) == tree(text)


# ---------------------------------------------------------------- explain: properties


def check_reason(reason, solution, depth, path=()):
    here = (reason.position, reason.player)
    answer = solution.at(reason.position, reason.player)
    assert (reason.label, reason.value) == (answer.label, answer.value)
    assert reason.distance == answer.distance
    assert reason.repeated == (here in path)
    moves = solution.graph.successors(solution.graph.index(reason.position)).tolist()
    below = [child.position for child in reason.children]
    assert set(below) <= set(moves)
    if reason.cut:
        assert depth == 0
    if reason.repeated or reason.cut or reason.rule == "end":
        assert not below
        assert reason.rule != "end" or not answer.best_moves
    elif reason.rule == "can":
        assert below[0] in answer.best_moves
        assert len(below) == 1
    elif len(below) > 1:
        assert len(below) + reason.more == len(moves)
    else:
        assert len(below) == 1
    for child in reason.children:
        check_reason(child, solution, depth - 1, (*path, here))


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("owned", [False, True])
def test_explain_agrees_with_the_solution_everywhere(owned):
    rng = random.Random(8)
    for _ in range(rounds(60)):
        graph = random_graph(rng, owned)
        for objective in (*random_objectives(rng, graph), *(o() for o in STUCK)):
            solution = zm.solve(graph, objective)
            rules = {
                (d.position, d.player): d.rule
                for r in zm.trace(graph, objective)
                for d in r.decisions
            }
            for v, player in itertools.product(range(graph.n), (0, 1)):
                reason = zm.explain(solution, v, player if solution.form.doubled else None, 3)
                check_reason(reason, solution, 3)
                assert reason.rule == rules[reason.position, reason.player]


class Truce(zm.Objective):
    """Play ends in a draw at position 0, moves or not, and at 2 in a win for player 0."""

    def terminal_form(self, graph):
        ends, level = np.array([0, 2], np.int32), np.array([1, 2], np.int32)
        return TerminalForm(Layout.OWNED, (-1, 0, 1), 1, ends, level, agreed_ends=False)


def test_an_end_with_moves_that_pays_like_infinite_play():
    graph = zm.Graph.from_edges([(0, 1), (0, 2), (1, 0), (1, 1)], owner=[0, 1, 0])
    check_trace(graph, Truce())
    reason = zm.explain(zm.solve(graph, Truce()), 1)
    assert reason.text == "no move wins"
    assert [(child.rule, child.text) for child in reason.children] == [
        ("end", "play ends here"),
        ("rest", "as above"),
    ]


def test_explain_is_plain_data():
    solution = zm.solve(OWNED, zm.TerminalPayoff({"x": Fraction(1, 3), "y": 5}))
    data = json.loads(json.dumps(zm.explain(solution, "a", depth=1).to_dict()))
    assert {k: v for k, v in data.items() if k != "children"} == {
        "position": "a",
        "player": 0,
        "label": "WIN",
        "value": "1/3",
        "distance": 1,
        "rule": "can",
        "text": "it can move to x",
        "cut": False,
        "more": 0,
        "repeated": False,
    }
    assert [child["position"] for child in data["children"]] == ["x"]
    odd = zm.Graph.from_edges([((0, 0), (0, 1))])
    assert zm.explain(odd, (0, 0)).to_dict()["position"] == "(0, 0)"


def test_explain_looks_only_at_what_it_prints():
    """Nothing of the size of the graph is computed."""
    n = 1000
    graph = zm.Graph.from_edges([(v, v + 1) for v in range(n)])
    solution = zm.solve(graph, zm.Asymmetric())
    graph.index(0)
    before = set(solution.__dict__), set(graph.__dict__)
    reason = zm.explain(solution, 0, 0, depth=200)
    assert (set(solution.__dict__), set(graph.__dict__)) == before
    assert isinstance(reason, Reason)
    assert len(str(reason).splitlines()) == 201


def test_explain_checks_at_the_door():
    graph = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidOptionError, match="player"):
        zm.explain(graph, 0, player=2)
    with pytest.raises(InvalidOptionError, match="depth"):
        zm.explain(graph, 0, depth=-1)
    with pytest.raises(InvalidOptionError, match="depth"):
        zm.explain(graph, 0, depth=10**6)
    with pytest.raises(InvalidOptionError, match="width"):
        zm.explain(graph, 0, width=0)
    with pytest.raises(InvalidOptionError, match="solution"):
        zm.explain("graph", 0)
    with pytest.raises(UnknownPositionError):
        zm.explain(graph, 7)
