"""Games in the Hanoi Omega-Automata format: round trips, meaning, damaged files."""

import io
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from zermelo.errors import FormatError, InvalidGraphError, InvalidObjectiveError
from zermelo.formats.front import sniff
from zermelo.formats.hoa import game as hoa
from zermelo.formats.hoa.acceptance import Set, parity_formula, read_acceptance, show_max_odd
from zermelo.formats.hoa.tokens import Tokens

from .games import text_names
from .parity_games import attempt, parity_games, winners

read, write = hoa.read_graph, hoa.write_graph
encodable = text_names.filter(lambda x: not any("\ud800" <= c <= "\udfff" for c in x))


def solve(text):
    graph, objective = read(text.encode())
    return winners(graph, objective.priorities(graph)).tolist()


@examples(200)
@given(parity_games(encodable))
def test_round_trip(game):
    graph, objective = game
    data = write(graph, objective)
    found, goal = read(data)
    assert found == graph
    assert goal.priorities(found).tolist() == objective.priorities(graph).tolist()
    assert write(found, goal) == data
    assert sniff(data).name == "hoa"


@pytest.mark.slow
def test_many_priorities():
    n = 20_000
    graph = zm.Graph.from_edges([(v, (v + 1) % n) for v in range(n)], owner=[0, 1] * (n // 2))
    goal = zm.Parity(np.arange(n))
    found, again = read(write(graph, goal))
    assert found == graph
    assert np.array_equal(again.priorities(found), np.arange(n))
    with pytest.raises(InvalidObjectiveError, match="stores priorities below 131072"):
        write(graph, zm.Parity(np.arange(n) + 2**20))


def test_games_that_the_format_cannot_store():
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="the hoa format stores parity games: expected"):
        write(graph)
    with pytest.raises(InvalidObjectiveError, match="got a game of 'misere'"):
        write(graph, zm.Misere())
    for name in (7, 1.5, None, (1, 2), "\ud800"):
        with pytest.raises(InvalidGraphError, match="names that are text, got"):
            write(graph.with_names(["a", name]), zm.Parity([0, 1]))


# -------------------------------------------------------------------- acceptance


def show(formula):
    """An expression from postfix order, with all brackets."""
    stack = []
    for item in formula:
        if isinstance(item, Set):
            stack.append(f"{'Inf' if item.infinite else 'Fin'}({item.number})")
        elif item in ("t", "f"):
            stack.append(item)
        else:
            right = stack.pop()
            stack.append(f"({stack.pop()} {item} {right})")
    return stack.pop()


def parsed(text):
    tokens = Tokens(text)
    found = read_acceptance(tokens)[1]
    assert tokens.ahead.kind == "end"
    return found


@pytest.mark.parametrize(
    ("text", "highest", "parity"),
    [  # the canonical encodings of the format's definition
        ("0 t", True, 1),
        ("1 Fin(0)", True, 1),
        ("2 Inf(1) | Fin(0)", True, 1),
        ("3 Fin(2) & (Inf(1) | Fin(0))", True, 1),
        ("4 Inf(3) | (Fin(2) & (Inf(1) | Fin(0)))", True, 1),
        ("0 f", True, 0),
        ("1 Inf(0)", True, 0),
        ("2 Fin(1) & Inf(0)", True, 0),
        ("3 Inf(2) | (Fin(1) & Inf(0))", True, 0),
        ("3 Inf(2) | Fin(1) & Inf(0)", True, 0),
        ("4 Inf(0) | (Fin(1) & (Inf(2) | Fin(3)))", False, 0),
        ("5 Inf(0) | (Fin(1) & (Inf(2) | (Fin(3) & Inf(4))))", False, 0),
        ("2 Fin(0) & Inf(1)", False, 1),  # Rabin 1
        ("2 Fin(0) | Inf(1)", True, 1),  # Streett 1, in another order
        ("3 (Inf(0) & Fin(1)) | Inf(2)", True, 0),
        ("1 !Inf(0)", True, 1),
    ],
)
def test_acceptance(text, highest, parity):
    found = parsed(text)
    assert (found.highest, found.parity) == (highest, parity)


@pytest.mark.parametrize("count", range(7))
def test_parity_formulas_mean_what_they_say(count):
    """By the definition: a move without a set has -1 for max, and is above all others for min."""
    for highest, parity in product((True, False), (0, 1)):
        formula = parity_formula(count, highest=highest, parity=parity)
        found = parsed(f"{count} {show(formula)}")
        for sets in product((0, 1), repeat=count):
            seen = [k for k, x in enumerate(sets) if x]
            stack = []
            for item in formula:
                if isinstance(item, Set):
                    stack.append(bool(sets[item.number]) == item.infinite)
                elif item in ("t", "f"):
                    stack.append(item == "t")
                else:
                    right, left = stack.pop(), stack.pop()
                    stack.append((left and right) if item == "&" else (left or right))
            assert (found.colour(seen) % 2 == found.parity) == stack[0]
    assert parsed(f"{count} {show_max_odd(count)}")[:2] == (True, 1)


@pytest.mark.parametrize("formula", ["t", "f"])
def test_sets_that_do_not_count(formula):
    text = (
        f"HOA: v1 States: 1 AP: 0 Acceptance: 3 {formula} spot-state-player: 0\n"
        "--BODY-- State: 0 0 {0} 0 {1} 0 {2} --END--"
    )
    assert solve(text) == [1 if formula == "t" else 0]
    assert solve(text.replace(": 3", ": 40")) == [1 if formula == "t" else 0]


# -------------------------------------------------------------------- games


def even(colours, count, highest, parity):
    """A colour, or none, as a priority of "max even" for the player who does not accept."""
    best = (max if highest else min)(colours, default=-1 if highest else count)
    shifted = best + 1 - parity
    return shifted + 2 if highest else 2 * count + 4 - shifted


@examples(250)
@given(st.data())
def test_colours_on_moves(data):
    n, count = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 4))
    highest, parity = data.draw(st.booleans()), data.draw(st.integers(0, 1))
    sets = st.sets(st.integers(0, count - 1), max_size=2) if count else st.just(set())
    edges = data.draw(
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), sets), max_size=2 * n)
    )
    states = data.draw(st.lists(sets, min_size=n, max_size=n))
    player = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    formula = show(parity_formula(count, highest=highest, parity=parity))
    lines = [
        f"HOA: v1 States: {n} AP: 0 Acceptance: {count} {formula}",
        f"spot-state-player: {' '.join(map(str, player))} --BODY--",
    ]
    for s in range(n):
        lines.append(f"State: {s} {{{' '.join(map(str, states[s]))}}}")
        lines += [f"[t] {v} {{{' '.join(map(str, c))}}}" for u, v, c in edges if u == s]
    found = solve("\n".join([*lines, "--END--"]))[:n]
    # The simple construction: a new position on every move.
    ends = [p for k, (u, v, _) in enumerate(edges) for p in ((u, n + k), (n + k, v))]
    graph = zm.Graph.from_arrays(
        [e[0] for e in ends], [e[1] for e in ends], n + len(edges), player + [0] * len(edges)
    )
    priority = [even((), count, highest, parity)] * n
    priority += [even(states[u] | c, count, highest, parity) for u, _, c in edges]
    assert found == winners(graph, priority).tolist()[:n]


SPOT = """HOA: v1 States: 9 Start: 0 AP: 2 "a" "b"
acc-name: Streett 1 Acceptance: 2 Fin(0) | Inf(1) properties:
trans-labels explicit-labels state-acc spot-state-player: 0 1 0 1 0 1
0 1 1 --BODY-- State: 0 {1} [1] 1 [1] 3 State: 1 {1} [1] 2 State: 2
{1} [0] 8 State: 3 {1} [1] 4 State: 4 {1} [0] 5 State: 5 {1} [0] 6
State: 6 {1} [1] 7 State: 7 State: 8 {1} [0] 2 --END--"""


def test_games_of_spot():
    """From Spot's own tests, tests/python/parity.py and games: the winners are those of Spot."""
    assert solve(SPOT) == [0, 1, 1, 0, 0, 0, 0, 0, 1]
    assert solve(SPOT.replace("HOA: v1", "HOA: v1.1").replace("-state-", ".state-"))[0] == 0
    only_inputs = """HOA: v1\nStates: 3\nStart: 0\nAP: 1 "a"\nacc-name: Buchi
Acceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels trans-acc complete
properties: deterministic\nspot-state-player: 0 1 1\ncontrollable-AP:\n--BODY--\nState: 0
[!0] 1\n[0] 2 {0}\nState: 1\n[t] 0\nState: 2\n[t] 0 {0}\n--END--"""
    graph, objective = read(only_inputs.encode())
    assert winners(graph, objective.priorities(graph))[:3].tolist() == [0, 0, 0]
    assert graph.n == 4  # state 0 has two colours, none and 0; so there is one position between


def test_names_comments_and_what_is_ignored():
    text = """/* a /* nested */ one */ HOA: v1 name: "x" tool: "y" "1" States: 2 AP: 1 "p"
    Start: 1 Alias: @a 0 Alias: @b !@a | f acc-name: Buchi Acceptance: 1 Inf(0)
    properties: a b properties: !c whatever: 1 "2" t ( spot-state-player: 0 1 --BODY--
    State: [@b] 1 "q\\"\\\\" {0} 0 State: 0 [f] 0 [@b & t] 1 --END--"""
    graph, objective = read(text.encode())
    assert graph.names == (0, 'q"\\')
    assert graph.to_edges().tolist() == [[0, 1], [1, 0]]
    assert objective.convention == "max odd"
    assert objective.priorities(graph).tolist() == [2, 3]
    twice = text.replace("State: 0 [f]", 'State: 0 "q\\"\\\\" [f]')
    assert read(twice.encode()).graph.names is None
    unsaid = text.replace("States: 2", "")
    assert read(unsaid.encode()).graph == graph


# -------------------------------------------------------------------- automata of synthesis


def automaton(lines, aps=2, mine="1", acceptance="1 Inf(0)"):
    names = " ".join(f'"p{k}"' for k in range(aps))
    return "\n".join(
        [f"HOA: v1 AP: {aps} {names} controllable-AP: {mine} Acceptance: {acceptance}",
         "--BODY--", *lines, "--END--"]
    )  # fmt: skip


def test_copying_the_input_is_realizable_and_foreseeing_it_is_not():
    copy = ["State: 0", "[0&1 | !0&!1] 0 {0}"]
    assert solve(automaton(copy))[0] == 1
    assert solve(automaton(copy, mine=""))[0] == 0
    assert solve(automaton(copy, mine="0 1"))[0] == 1
    foresee = [  # the output now is the input next time
        "State: 0", "[1] 1 {0}", "[!1] 2 {0}",
        "State: 1", "[0&1] 1 {0}", "[0&!1] 2 {0}",
        "State: 2", "[!0&1] 1 {0}", "[!0&!1] 2 {0}",
    ]  # fmt: skip
    assert solve(automaton(foresee))[0] == 0
    implicit = ["State: 0", "0 {0}", "1", "1", "0 {0}", "State: 1", "1 1 1 1"]
    assert solve(automaton(implicit))[:2] == [1, 0]


expressions = st.recursive(
    st.sampled_from(["0", "1", "2", "t", "f", "!0", "!2"]),
    lambda x: (
        st.tuples(x, st.sampled_from("&|"), x).map(lambda t: f"({t[0]}{t[1]}{t[2]})")
        | x.map(lambda t: f"!{t}")
    ),
    max_leaves=4,
)


@examples(150)
@given(st.data())
def test_automata(data):
    n = data.draw(st.integers(1, 3))
    mine = data.draw(st.sets(st.integers(0, 2)))
    sets = st.sets(st.integers(0, 2), max_size=1)
    state = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(state, expressions, state, sets), max_size=2 * n))
    own = data.draw(st.lists(sets, min_size=n, max_size=n))
    lines = []
    for s in range(n):
        lines.append(f"State: {s} {{{' '.join(map(str, own[s]))}}}")
        lines += [f"[{x}] {v} {{{' '.join(map(str, c))}}}" for u, x, v, c in edges if u == s]
    text = automaton(lines, 3, " ".join(map(str, mine)), "3 Inf(2) | (Fin(1) & Inf(0))")
    found = solve(text)[:n]
    # The simple construction: a position for every choice of the environment and for every move.
    theirs = [k for k in range(3) if k not in mine]
    moves, owner, priority = [], [0] * n, [even((), 3, True, 0)] * n
    for s in range(n):
        for given_ in product((0, 1), repeat=len(theirs)):
            middle = len(owner)
            owner.append(1)
            priority.append(even(own[s], 3, True, 0))
            moves.append((s, middle))
            for u, x, v, c in edges:
                if u == s and possible(x, dict(zip(theirs, given_, strict=True)), mine):
                    moves += [(middle, len(owner)), (len(owner), v)]
                    owner.append(0)
                    priority.append(even(c, 3, True, 0))
    graph = zm.Graph.from_arrays([a for a, _ in moves], [b for _, b in moves], len(owner), owner)
    assert found == winners(graph, priority).tolist()[:n]


def possible(expression, valuation, mine):
    for choice in product((False, True), repeat=len(mine)):
        values = valuation | dict(zip(sorted(mine), choice, strict=True))
        scope = {str(k): bool(x) for k, x in values.items()} | {"t": True, "f": False}
        if evaluate(expression, scope):
            return True
    return False


def evaluate(expression, scope):
    """A fully bracketed expression, by recursive descent."""
    if expression.startswith("!"):
        return not evaluate(expression[1:], scope)
    if not expression.startswith("("):
        return scope[expression]
    depth = 0
    for k, c in enumerate(expression):
        depth += (c == "(") - (c == ")")
        if depth == 1 and c in "&|":
            left, right = expression[1:k], expression[k + 1 : -1]
            both = evaluate(left, scope), evaluate(right, scope)
            return all(both) if c == "&" else any(both)
    return evaluate(expression[1:-1], scope)


# -------------------------------------------------------------------- damaged files

HEAD = 'HOA: v1\nStates: 2\nAP: 1 "a"\nAcceptance: 2 Inf(1) | Fin(0)\nspot-state-player: 0 1\n'
BODY = "--BODY--\nState: 0 {1}\n[0] 1\nState: 1\n[t] 0\n--END--\n"
WIDE = "&".join(map(str, range(201)))
WIDE_NAMES = " ".join(['"x"'] * 201)

MALFORMED = [
    ("", "1:1: expected 'HOA:', got the end of the file"),
    ("HOAX: v1", "1:1: expected 'HOA:', got 'HOAX:'"),
    ("HOA: v2\n", "1:6: expected version v1, got 'v2'"),
    ("HOA: v1 %", "1:9: expected a token of HOA, got '%'"),
    ("HOA: v1\n/* /* */", "2:1: this comment does not end"),
    ('HOA: v1\nname: "x', "2:7: this text in quotes does not end"),
    ("HOA: v1 7", "1:9: expected a header such as 'States:', or '--BODY--', got '7'"),
    ("HOA: v1 --BODY-- --END--", "1:9: expected a header 'Acceptance:'"),
    (HEAD.replace("2\nAP", "x\nAP") + BODY, "2:9: expected the number of states, got 'x'"),
    (HEAD.replace("2\nAP", "99999999999\nAP"), "2:9: expected the number of states, got '9999"),
    (HEAD + "Foo: 3\n" + BODY, "6:1: 'Foo:' is unknown, and may matter"),
    (HEAD + "States: 2\n" + BODY, "6:1: 'States:' appears twice"),
    (HEAD + "Start: 2\n" + BODY, "6:8: expected a state below 2, got '2'"),
    ("HOA: v1 Start: 2 " + HEAD[8:] + BODY, "1:16: expected a state below 2, got 2"),
    (HEAD + "Start: 0&1\n" + BODY, "6:9: expected one state, because alternating automata are"),
    (HEAD.replace('"a"', "a") + BODY, "3:7: expected the names of 1 propositions in quotes"),
    (HEAD + "Alias: a 0\n" + BODY, "6:8: expected a name such as @a, got 'a'"),
    (HEAD + "Alias: @a 0 Alias: @a 0\n" + BODY, "6:20: expected a new name, got '@a'"),
    (HEAD + "Alias: @a 1\n" + BODY, "6:11: expected a proposition below 1, got '1'"),
    (HEAD.replace("Fin(0)", "Fin(2)"), "4:28: expected an acceptance set below 2, got '2'"),
    (HEAD.replace("Fin(0)", "Fin(!2)"), "4:29: expected an acceptance set below 2, got '2'"),
    (HEAD.replace("Fin(0)", "Foo(0)"), "4:24: expected Inf(…), Fin(…), t, f, '!' or '(', got"),
    (HEAD.replace("| Fin(0)", "|"), "5:1: expected an acceptance condition, got 'spot-state-play"),
    (HEAD.replace("| Fin(0)", "| (Fin(0)"), "5:1: expected '&', '|' or ')', got 'spot-state-"),
    (HEAD.replace("| Fin(0)", "& Inf(0)" * 5001), "4:13: expected a parity condition, or at most"),
    (HEAD.replace("0 1\n", "0 2\n"), "5:22: expected a player 0 or 1, got '2'"),
    (HEAD.replace("0 1\n", "0 1 0\n") + BODY, "6:1: expected a player for each of 2 states, got 3"),
    (HEAD.replace("0 1\n", "0 1 x\n") + BODY, "5:24: expected a header such as 'States:', or"),
    (HEAD + "controllable-AP: 1\n" + BODY, "7:1: controllable-AP: expected propositions below 1"),
    (HEAD.replace("spot", "spat") + BODY, "1:1: this automaton is not a game: expected a header"),
    (HEAD + BODY.replace("{1}", "{2}"), "7:11: expected an acceptance set below 2 or '}', got '2'"),
    (HEAD + BODY.replace("[0] 1", "[0] 2"), "8:5: expected a state below 2, got '2'"),
    (HEAD + BODY.replace("[0] 1", "[1] 1"), "8:2: expected a proposition below 1, got '1'"),
    (HEAD + BODY.replace("[0] 1", "[0 1"), "8:4: expected ']', got '1'"),
    (HEAD + BODY.replace("[0] 1", "[] 1"), "8:2: expected a proposition, t, f, '!' or '(', got"),
    (HEAD + BODY.replace("[0] 1", "[@a] 1"), "8:2: expected an alias that was defined before"),
    (HEAD + BODY.replace("[0] 1", "[0] 1 & 0"), "8:7: expected one state, because alternating"),
    (HEAD + BODY.replace("[0] 1", "[0] 1\n1"), "9:1: expected labels on all edges of a state or"),
    (HEAD + BODY.replace("0 {1}", "[0] 0"), "8:1: expected no label, because the state has"),
    (HEAD + BODY.replace("State: 1", "State: 0"), "9:8: state 0 appears twice"),
    (HEAD + BODY.replace("State: 1\n[t] 0\n", ""), "state 1 is not defined: expected a line"),
    (HEAD + BODY.replace("--END--", "--ABORT--"), "11:1: expected 'State:', an edge or '--END--'"),
    (HEAD + BODY + HEAD, "12:1: expected one automaton, the end of the file, got 'HOA:'"),
    (automaton(["State: 0", "0 0 0"]), "3:8: expected labels, or an edge for each of the 2^2"),
    (
        f"HOA: v1 AP: 201 {WIDE_NAMES} controllable-AP: Acceptance: 0 t\n--BODY--\n"
        f"State: 0 [{WIDE}] 0 --END--",
        "3:8: expected labels with at most 200 propositions in a state, got 201",
    ),
    (b"HOA: v1\n\xff", "2:1: expected UTF-8 text, got byte 0xff"),
]


@pytest.mark.parametrize(("data", "message"), MALFORMED)
def test_malformed(data, message):
    with pytest.raises(FormatError) as caught:
        zm.read(io.BytesIO(data if isinstance(data, bytes) else data.encode()), format="hoa")
    assert f":{message}" in str(caught.value) or f": {message}" in str(caught.value)


def test_aliases_that_grow():
    head = 'HOA: v1 States: 1 AP: 1 "a" Acceptance: 0 t Alias: @0 0 '
    more = " ".join(f"Alias: @{k} @{k - 1} & @{k - 1}" for k in range(1, 60))
    with pytest.raises(FormatError, match="an alias for at most 10000 signs"):
        read((head + more).encode())


PIECES = [" ", "{", "}", "[", "]", "(", ")", "!", "&", "|", '"', "t", "0", "7", "State:", "@a",
          "--END--", "--BODY--", "/*", "*/", "Fin(1)", "Alias: @a 0", "Start: 0", "\\", "é",
          "controllable-AP: 0", "99999999999"]  # fmt: skip
SEEDS = [HEAD + BODY, SPOT, automaton(["State: 0", "0 {0}", "1", "1", "0 {0}", "State: 1 [t] 1"])]


@examples(500)
@given(st.data())
def test_damaged(data):
    text = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        gap = data.draw(st.integers(0, 6))
        text = text[:at] + data.draw(st.sampled_from(PIECES) | st.just("")) + text[at + gap :]
    found = attempt(read, text.encode())
    if found is not None:
        graph, objective = found
        data = objective.colours if isinstance(objective, zm.Muller) else objective.priorities
        assert len(data(graph)) == graph.n
