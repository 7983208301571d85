"""Transformations by name keep the value of the start, for every objective, or refuse the game."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples
from tests.test_ways import OBJECTIVES, game_of

import zermelo as zm
from zermelo.errors import (
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
    UnknownPositionError,
)
from zermelo.registry.transforms import TRANSFORMS

GRAPHS = {
    "reachable": {}, "alternating": {}, "quotient": {}, "star": {}, "line-digraph": {},
    "subgraph": {"positions": list("abt")}, "unravel": {"depth": 3}, "debut-tree": {},
    "shift": {"positions": list("ab")}, "loops-at-terminals": {},
}  # fmt: skip
"""The transformations that are not about one kind of objective, with parameters."""

REFUSED = {
    "alternating": {"no-return", "return", "no-repetition", "repetition"},
    "line-digraph": {"no-return", "return"},
    "shift": {"no-return", "return", "no-repetition", "repetition"},
    "unravel": {"no-return", "return", "no-repetition", "repetition"},
    "quotient": {"no-return", "return", "no-repetition", "repetition", "energy", "mean-payoff",
                 "discounted", "shortest-path"},
    "debut-tree": {row.name for row in OBJECTIVES.own} - {"normal", "no-return"},
    "loops-at-terminals": {row.name for row in OBJECTIVES.own}
    - {"no-return", "return", "no-repetition", "repetition"},  # the graph has cycles
}  # fmt: skip
"""Objectives that would mean something else on the new graph."""


def transform(game, name, **parameters):
    return TRANSFORMS[name].load()(game, **parameters)


def at_start(game, player=0):
    """What the player to move at the start gets: a label, and a value if there is one."""
    solved = zm.solve(game)
    owned = game.graph.owner is not None or not solved.has_players
    answer = solved.at(game.start, *([] if owned else [player]))
    return answer.label, answer.value


def kept_by(name):
    refused = REFUSED.get(name, set())
    return [row for row in OBJECTIVES.own if row.name not in refused]


@pytest.mark.slow("quotient-normal")
@pytest.mark.parametrize(
    ("name", "row"),
    [(name, row) for name in ("reachable", "alternating", "quotient", "line-digraph")
     for row in kept_by(name)],
    ids=lambda x: x if isinstance(x, str) else x.name,
)  # fmt: skip
def test_the_start_keeps_its_value(name, row):
    game = game_of(row)
    if name == "alternating" and game.graph.owner is not None:
        with pytest.raises(zm.errors.InvalidGraphError, match="has owners"):
            transform(game, name)
        return
    assert at_start(transform(game, name)) == at_start(game)


@pytest.mark.parametrize("row", kept_by("star"), ids=lambda row: row.name)
def test_before_a_new_position_the_label_is_the_opposite(row):
    game = game_of(row)
    new = transform(game, "star")
    assert new.start == "*"
    # The opponent of the player to move at the start moves first.
    assert at_start(new, 1)[0] == -at_start(game, 0)[0]


@pytest.mark.parametrize(
    ("name", "keyword"), [(name, x) for name, found in REFUSED.items() for x in sorted(found)]
)
def test_what_would_mean_something_else_is_refused(name, keyword):
    game = game_of(OBJECTIVES[keyword])
    with pytest.raises(InvalidObjectiveError):
        transform(game, name, **GRAPHS[name])


def test_every_transformation_is_tested():
    reductions = {x for x in (row.name for row in TRANSFORMS) if "to-" in x}
    assert {row.name for row in TRANSFORMS} == set(GRAPHS) | reductions
    assert reductions == set(REDUCED)


@examples(40)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9), st.integers(0, 4))
def test_the_game_of_no_return_is_normal_play_on_its_tree(moves, start):
    graph = zm.Graph.from_edges(sorted(moves), n=5)
    for misere in (False, True):
        game = zm.Game(graph, zm.NoReturn(misere), start)
        tree = transform(game, "debut-tree")
        assert zm.solve(tree)[tree.start].label == zm.solve(game)[start].label


@examples(40)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9), st.integers(0, 4))
def test_no_repetition_and_repetition_on_moves(moves, start):
    graph = zm.Graph.from_edges(sorted(moves), n=5)
    for objective in (zm.NoRepetition(), zm.NoRepetition(misere=True), zm.Repetition()):
        game = zm.Game(graph, objective, start)
        lines = transform(game, "line-digraph")
        assert zm.solve(lines)[lines.start].label == zm.solve(game)[start].label


def test_an_acyclic_game_is_its_tree():
    graph = zm.Graph.from_edges([("a", "b"), ("a", "c"), ("b", "c"), ("b", "d")])
    game = zm.Game(graph, zm.TerminalPayoff({"c": 3, "d": -2}), "a")
    tree = transform(game, "unravel", depth=5)
    assert zm.solve(tree).at(("a",), 0).value == zm.solve(game).at("a", 0).value
    cut = transform(game, "unravel", depth=1)
    assert (cut.objective.keyword, cut.graph.n) == ("normal", 3)


def test_parts():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")], owner=[0, 1, 0])
    game = zm.Game(graph, zm.Parity([3, 4, 5]), "a")
    part = transform(game, "subgraph", positions=["a", "c"])
    assert (part.start, part.objective.priority.tolist()) == ("a", [3, 5])
    assert transform(game, "subgraph", positions=["b"]).start is None
    pays = zm.Game(zm.Graph.from_edges([("a", "b"), ("b", "c")]), zm.TerminalPayoff({"c": 1}))
    with pytest.raises(InvalidObjectiveError, match="'b' has no moves left"):
        transform(pays, "subgraph", positions=["a", "b"])
    with pytest.raises(InvalidOptionError, match="the game itself has no start"):
        transform(zm.Game(graph), "reachable")


def test_weights_that_no_objective_needs_are_kept():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("c", "a")])
    game = zm.Game(graph, weight=[5, 6, 7])
    assert transform(game, "reachable", start="a").weight.tolist() == [5, 6]
    assert transform(game, "star", start="a").weight.tolist() == [5, 6, 7, 0]
    assert transform(game, "line-digraph", start="a").weight.tolist() == [6, 5, 5, 5]


# -------------------------------------------------------------------- reductions

MOVES = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "c"), ("b", "c"), ("c", "a")]
OWNED = zm.Graph.from_edges(MOVES, owner=[0, 1, 1])
PLAIN = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("b", "a"), ("c", "d"), ("a", "c")])
WEIGHT = [2, -3, 1, -1, 0, 1]
REDUCED = {
    "to-parity": (OWNED, zm.CoBuchi(["b"])),
    "muller-to-parity": (OWNED, zm.Muller([0, 1, 0], "Inf(0) & Fin(1)")),
    "reach-to-safety": (OWNED, zm.Reach(["c"])),
    "safety-to-reach": (OWNED, zm.Safety(["a", "b"])),
    "parity-to-mean-payoff": (OWNED, zm.Parity([1, 2, 3])),
    "parity-to-energy": (OWNED, zm.Parity([1, 2, 3])),
    "energy-to-mean-payoff": (OWNED, zm.Energy(WEIGHT)),
    "mean-payoff-to-energy": (OWNED, zm.MeanPayoff(WEIGHT, "1/3")),
    "mean-payoff-to-parity": (OWNED, zm.MeanPayoff(WEIGHT, 0)),
    "mean-payoff-to-discounted": (OWNED, zm.MeanPayoff(WEIGHT)),
    "normal-play-to-reach": (PLAIN, zm.NormalPlay()),
    "win-lose-draw-to-parity": (PLAIN, zm.Misere()),
}


@pytest.mark.parametrize("start", ["a", "b", "c"])
@pytest.mark.parametrize("name", REDUCED)
def test_the_start_of_a_reduction_has_the_same_winner(name, start):
    graph, objective = REDUCED[name]
    game = zm.Game(graph, objective, start)
    old, new = zm.solve(game), transform(game, name)
    found = zm.solve(new)
    at = new.graph.index(new.start)
    if name == "mean-payoff-to-discounted":
        discount = new.objective.discount
        near = found.value[at] * (1 - discount)
        assert near.limit_denominator(graph.n) == old[start].value
    elif graph is OWNED:
        assert found.winner[at] == old.winner[graph.index(start)]
    else:
        label = old[start].label
        assert (found.winner[at] == 0) == (label > 0)
        lost = transform(game, name, part="lose")
        assert (zm.solve(lost).winner[lost.graph.index(lost.start)] == 1) == (label < 0)


def test_muller_to_parity_by_records():
    """The record is the one that has seen nothing, so the start keeps its number."""
    game = zm.Game(OWNED, zm.Muller([0, 1, 2], "Inf(0) & Inf(1) | Fin(2)"), "b")
    new = transform(game, "muller-to-parity", method="lar")
    assert new.start == 1
    assert zm.solve(new).winner[1] == zm.solve(game).winner[1]
    assert new.graph.n > transform(game, "muller-to-parity").graph.n
    with pytest.raises(InvalidOptionError, match="method: expected"):
        transform(game, "muller-to-parity", method="records")


def test_parameters_of_reductions():
    game = zm.Game(OWNED, zm.MeanPayoff(WEIGHT, 0), "a")
    with pytest.raises(LimitError, match="more than the limit 3"):
        transform(game, "mean-payoff-to-parity", limit=3)
    with pytest.raises(InvalidOptionError, match="part"):
        transform(zm.Game(PLAIN), "normal-play-to-reach", part="draw")
    with pytest.raises(InvalidObjectiveError, match="expected the objective Muller"):
        transform(game, "muller-to-parity")


def test_given_classes_become_one_position_each():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    found = transform(zm.Game(graph, zm.Misere(), "c"), "quotient", classes="a, c/b")
    assert (found.graph.names, found.graph.to_edges().tolist()) == (
        ("a", "b", "d"),
        [[0, 1], [0, 2], [1, 0]],
    )
    assert (found.start, found.objective.keyword) == ("a", "normal")
    plain = transform(zm.Game(graph.with_names(None)), "quotient", classes="0,2")
    assert plain.graph.n == 3
    assert plain.start is None
    with pytest.raises(InvalidOptionError, match="'a' is in two classes"):
        transform(zm.Game(graph), "quotient", classes="a,b/a,c")
    with pytest.raises(UnknownPositionError, match="z"):
        transform(zm.Game(graph), "quotient", classes="a,z")


def test_the_owner_of_a_new_start_can_be_given():
    graph = zm.Graph.from_edges([("a", "b")], owner=[0, 1])
    owners = [transform(zm.Game(graph, start="a"), "star", owner=x).graph.owner[2] for x in (0, 1)]
    assert owners == [0, 1]


MEANING = {
    "reachable": ({}, lambda u, v: (u, v)),
    "subgraph": ({"positions": list("abc")}, lambda u, v: (u, v)),
    "alternating": ({}, lambda u, v: (u[0], v[0])),
    "line-digraph": ({}, lambda u, v: (u[1], v[1])),
    "star": ({}, lambda u, v: (u, v)),
    "unravel": ({"depth": 4}, lambda u, v: (u[-1], v[-1])),
}
"""Parameters, and the move that a move of the new graph stands for, by their names."""


@pytest.mark.parametrize("name", MEANING)
def test_every_move_has_the_weight_of_the_move_that_it_stands_for(name):
    """Also at a start with a loop, and if two moves of the new graph look like one of the old."""
    parameters, meaning = MEANING[name]
    moves = ["ab", "ac", "bc"] if name == "unravel" else ["aa", "ab", "bb", "ba", "bc", "ca", "cc"]
    weight = {tuple(move): 5 * k - 13 for k, move in enumerate(moves)}
    graph = zm.Graph.from_edges([tuple(move) for move in moves])
    along = [weight[graph.name(u), graph.name(v)] for u, v in graph.to_edges().tolist()]
    games = [
        zm.Game(graph, zm.Energy(weight), start="a"),
        zm.Game(graph, zm.ShortestPath(weight, ["c"]), start="a"),
        zm.Game(graph, start="a", weight=along),
    ]
    if name == "star":
        weight["*", "a"] = 0
    for game in games:
        new = transform(game, name, **parameters)
        ends = [(new.graph.name(u), new.graph.name(v)) for u, v in new.graph.to_edges().tolist()]
        assert new.weights().tolist() == [weight[meaning(u, v)] for u, v in ends]


@pytest.mark.parametrize(
    ("objective", "factor"),
    [
        (zm.Energy([-3, -1, 0]), 1),
        (zm.Energy([-3, -1, 0], capacity=2), 1),
        (zm.MeanPayoff([3, 1, -1]), 1),
        (zm.Discounted([3, 1, 2], "1/2"), Fraction(1, 2)),
        (zm.ShortestPath([5, 1, 0], ["b"], player=0), 1),
    ],
)
@pytest.mark.parametrize("owner", [0, 1])
def test_a_new_position_before_a_start_with_a_loop(objective, factor, owner):
    graph = zm.Graph.from_edges([("a", "a"), ("a", "b"), ("b", "b")], owner={"a": 0, "b": 1})
    game = zm.Game(graph, objective, start="a")
    new = zm.solve(transform(game, "star", owner=owner)).verify()
    assert new["*"].value == factor * zm.solve(game)["a"].value
