"""Games in the Hanoi Omega-Automata format whose acceptance is any condition of Emerson and Lei."""

import ast
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests import muller_oracle
from tests.sampling import examples
from zermelo.errors import InvalidObjectiveError

from .test_hoa import BODY, HEAD, automaton, possible, read, write

literals = st.builds(
    "{}({}{})".format, st.sampled_from(["Inf", "Fin"]), st.sampled_from(["", "", "!"]),
    st.integers(0, 2),
)  # fmt: skip
formulas = st.recursive(
    literals | st.sampled_from(["t", "f"]),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("&|"), inner)
        | inner.map("!({})".format)
    ),
    max_leaves=6,
)


def wanted_by_zero(formula):
    """The negated formula without ``!``: the colour 3 + i is "not in set i". By Python's parser."""
    text = re.sub(r"\(!(\d)\)", lambda x: f"({3 + int(x[1])})", formula)
    tree = ast.parse(text.replace("!", " not ").replace("&", " and ").replace("|", " or ").strip())
    return negated(tree.body[0].value, True)


def negated(node, flip):
    if isinstance(node, ast.UnaryOp):
        return negated(node.operand, not flip)
    if isinstance(node, ast.BoolOp):
        sign = " & " if isinstance(node.op, ast.And) != flip else " | "
        return "(" + sign.join(negated(x, flip) for x in node.values) + ")"
    if isinstance(node, ast.Name):
        return node.id if not flip else {"t": "f", "f": "t"}[node.id]
    infinite = (node.func.id == "Inf") != flip
    return f"{'Inf' if infinite else 'Fin'}({node.args[0].value})"


def colours(sets):
    return [*sets, *(3 + k for k in range(3) if k not in sets)]


def by_oracle(moves, owner, colour, formula, n):
    """The winners of the first n positions of a game with colours on positions."""
    graph = zm.Graph.from_edges(moves, n=len(owner), owner=owner)
    return muller_oracle.solve(graph, zm.Muller(colour, wanted_by_zero(formula)))[:n]


def solved(text, n):
    graph, objective = read(text.encode())
    return zm.solve(graph, objective).verify().winner.tolist()[:n]


some_sets = st.sets(st.integers(0, 2), max_size=2)


@examples(200)
@given(st.data())
def test_any_condition_on_moves(data):
    n, formula = data.draw(st.integers(1, 3)), data.draw(formulas)
    state = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(state, state, some_sets), max_size=2 * n))
    own = data.draw(st.lists(some_sets, min_size=n, max_size=n))
    player = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    lines = [f"HOA: v1 States: {n} AP: 0 Acceptance: 3 {formula}",
             f"spot-state-player: {' '.join(map(str, player))} --BODY--"]  # fmt: skip
    for s in range(n):
        lines.append(f"State: {s} {{{' '.join(map(str, own[s]))}}}")
        lines += [f"[t] {v} {{{' '.join(map(str, c))}}}" for u, v, c in edges if u == s]
    # The simple construction: a new position on every move.
    moves = [p for k, (u, v, _) in enumerate(edges) for p in ((u, n + k), (n + k, v))]
    colour = [[]] * n + [colours(own[u] | c) for u, _, c in edges]
    wanted = by_oracle(moves, player + [0] * len(edges), colour, formula, n)
    assert solved("\n".join([*lines, "--END--"]), n) == wanted


@examples(100)
@given(st.data())
def test_any_condition_in_automata(data):
    n, formula = data.draw(st.integers(1, 2)), data.draw(formulas)
    state, label = st.integers(0, n - 1), st.sampled_from(["0", "!0", "1", "!1", "t"])
    edges = data.draw(st.lists(st.tuples(state, label, state, some_sets), max_size=2 * n))
    own = data.draw(st.lists(some_sets, min_size=n, max_size=n))
    lines = []
    for s in range(n):
        lines.append(f"State: {s} {{{' '.join(map(str, own[s]))}}}")
        lines += [f"[{x}] {v} {{{' '.join(map(str, c))}}}" for u, x, v, c in edges if u == s]
    moves, owner, colour = [], [0] * n, [[]] * n
    for s, given_ in product(range(n), (0, 1)):
        middle = len(owner)
        owner.append(1)
        colour = [*colour, []]
        moves.append((s, middle))
        for u, x, v, c in edges:
            if u == s and possible(x, {0: given_}, {1}):
                moves += [(middle, len(owner)), (len(owner), v)]
                owner.append(0)
                colour = [*colour, colours(own[s] | c)]
    wanted = by_oracle(moves, owner, colour, formula, n)
    assert solved(automaton(lines, acceptance=f"3 {formula}"), n) == wanted


def test_conditions_that_are_no_parity_become_muller_games():
    text = HEAD.replace("| Fin(0)", "& Inf(0)") + BODY.replace("State: 1", "State: 1 {0}")
    graph, objective = read(text.encode())
    assert objective.spec(graph) == {
        "objective": "muller", "colour": [1, 0], "acceptance": "Fin(1) | Fin(0)",
    }  # fmt: skip
    assert zm.solve(graph, objective).winner.tolist() == [1, 1]
    with pytest.raises(InvalidObjectiveError, match="stores parity games, got a game of 'muller'"):
        write(graph, objective)


def test_long_conditions():
    """Brackets are written only if they are needed, and many sets can be read."""
    pairs = " | ".join(f"(Fin({2 * k}) & Inf({2 * k + 1}))" for k in range(2000))
    graph, objective = read(HEAD.replace("2 Inf(1) | Fin(0)", f"4000 {pairs}").encode() +
                            BODY.encode())  # fmt: skip
    assert objective.acceptance.startswith("(Inf(0) | Fin(1)) & (Inf(2) | Fin(3)) & ")
    assert zm.solve(graph, objective).winner.tolist() == [1, 1]
