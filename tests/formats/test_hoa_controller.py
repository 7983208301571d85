"""Controllers of synthesis: every play with the automaton is accepted, whatever the inputs are."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from tests.synthesis.oracle import holds, subsets
from zermelo.errors import FormatError, InvalidObjectiveError
from zermelo.formats.hoa.automaton import read_automaton
from zermelo.synthesis.build import machine_of
from zermelo.synthesis.text import to_hoa


def controller(game, solution):
    """The controller in HOA, with the propositions in the order of the specification."""
    return to_hoa(machine_of(game, solution), tuple(game.synthesis.automaton.names))


def steps(automaton, state, true):
    """The edges of a state whose labels hold."""
    found = automaton.states[state]
    return [e for e in found.edges if holds(found.label or e.label or ["t"], true)]


def check_controller(spec, text):
    """Play the controller against all inputs on a deterministic automaton.

    The product has a position for each pair of states, and one with the colours of each step. All
    positions belong to the environment, which must not win anywhere.
    """
    automaton, controller = read_automaton(spec), read_automaton(text)
    assert controller.names == automaton.names
    assert set(controller.controllable) == set(automaton.controllable)
    outputs = sorted(set(automaton.controllable))
    inputs = [x for x in range(automaton.propositions) if x not in outputs]
    start = (automaton.start, controller.start)
    edges, colours, waiting = set(), {start: ()}, [start]
    while waiting:
        s, c = waiting.pop()
        for chosen in subsets(inputs):
            answers = [
                (more, e) for more in subsets(outputs) for e in steps(controller, c, chosen | more)
            ]
            assert len(answers) == 1, "a controller has one answer to every choice of inputs"
            more, answer = answers[0]
            moves = steps(automaton, s, chosen | more)
            assert len(moves) == 1, "the automaton is deterministic and allows the answer"
            sets = tuple(sorted({*automaton.states[s].sets, *moves[0].sets}))
            middle, after = (s, c, moves[0].target, answer.target, sets), (
                moves[0].target, answer.target)  # fmt: skip
            edges |= {((s, c), middle), (middle, after)}
            colours[middle] = sets
            if after not in colours:
                colours[after] = ()
                waiting.append(after)
    names = list(colours)
    graph = zm.Graph.from_edges(sorted(edges, key=str), names=names, owner=[0] * len(names))
    refused = zm.read(io.BytesIO(spec.encode()), format="hoa").objective
    if isinstance(refused, zm.Muller):
        condition = zm.Muller({x: set(colours[x]) for x in names}, refused.acceptance)
    else:
        acceptance = automaton.acceptance
        kind = "max" if acceptance.highest else "min"
        priority = [acceptance.colour(colours[x]) + 2 for x in names]
        condition = zm.Parity(priority, f"{kind} {'odd' if acceptance.parity == 0 else 'even'}")
    assert set(zm.solve(graph, condition).verify().winner.tolist()) == {1}


HEAD = 'HOA: v1 States: {} Start: 0 AP: 2 "in" "out" controllable-AP: 1 Acceptance: {}\n--BODY--\n'
COPY = HEAD.format(1, "1 Fin(0)") + "State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--"
DELAY = (
    HEAD.format(2, "2 Inf(1) | Fin(0)")
    + "State: 0 [!1&0] 1 {1} [!1&!0] 0 {1} [1] 0 {0} State: 1 [1&0] 1 {1} [1&!0] 0 {1} [!1] 1 {0} "
    "--END--"
)
BOTH = HEAD.format(1, "2 Inf(0) & Inf(1)") + "State: 0 [1&0] 0 {0} [1&!0] 0 {0} [!1] 0 {1} --END--"


@pytest.mark.parametrize("spec", [COPY, DELAY, BOTH], ids=["copy", "delay", "both"])
def test_controllers(spec):
    game = zm.read(io.BytesIO(spec.encode()), format="hoa")
    text = controller(game, zm.solve(game).verify())
    check_controller(spec, text)
    again = zm.read(io.BytesIO(text.encode()), format="hoa")
    assert zm.solve(again)[again.start].winner == 1


def test_memory_becomes_states():
    game = zm.read(io.BytesIO(BOTH.encode()), format="hoa")
    assert isinstance(game.objective, zm.Muller)
    assert len(machine_of(game, zm.solve(game))) == 2


ACCEPTANCE = {
    "3 Inf(2) | (Fin(1) & Inf(0))": 3,
    "3 Fin(0) & (Inf(1) | Fin(2))": 3,
    "2 Inf(0) & Inf(1)": 2,
    "3 (Inf(0) & Fin(1)) | (Inf(1) & Inf(2))": 3,
}


@st.composite
def automata(draw):
    """A complete deterministic automaton with two inputs and an output, or two."""
    n, acceptance = draw(st.integers(1, 4)), draw(st.sampled_from(sorted(ACCEPTANCE)))
    outputs = draw(st.sampled_from(["1", "0 2"]))
    lines = [
        f'HOA: v1 States: {n} Start: {draw(st.integers(0, n - 1))} AP: 3 "a" "b\\"" "c"',
        f"controllable-AP: {outputs} Acceptance: {acceptance}",
        "--BODY--",
    ]
    for s in range(n):
        sets = draw(st.sets(st.integers(0, ACCEPTANCE[acceptance] - 1), max_size=1))
        lines.append(f"State: {s} {{{' '.join(map(str, sets))}}}")
        for label in ("0&1", "0&!1&2", "0&!1&!2", "!0&1", "!0&!1"):
            some = draw(st.sets(st.integers(0, ACCEPTANCE[acceptance] - 1), max_size=2))
            target = draw(st.integers(0, n - 1))
            lines.append(f"[{label}] {target} {{{' '.join(map(str, some))}}}")
    return "\n".join([*lines, "--END--"])


@examples(150)
@given(automata())
def test_every_realizable_automaton_has_a_controller(spec):
    game = zm.read(io.BytesIO(spec.encode()), format="hoa")
    solution = zm.solve(game)
    if solution[game.start].winner == 1:
        check_controller(spec, controller(game, solution))
    else:
        assert machine_of(game, solution).player == 0


def test_other_games_have_no_controller():
    game = zm.Game(zm.Graph.from_edges([(0, 0)], owner=[1]), zm.Parity([1]), 0)
    with pytest.raises(InvalidObjectiveError, match="expected a game of synthesis"):
        machine_of(game, zm.solve(game))


def test_without_a_start_it_is_no_synthesis():
    game = zm.read(io.BytesIO(COPY.replace("Start: 0 ", "").encode()), format="hoa")
    assert (game.start, game.synthesis) == (None, None)


def wide(labels, count, outputs):
    """A specification with many propositions: the first label is good, the others are bad."""
    names = " ".join(f'"p{k}"' for k in range(count))
    good, *bad = labels
    edges = "".join(f"[{label}] 0 {{0}} " for label in bad)
    return (
        f"HOA: v1 States: 1 Start: 0 AP: {count} {names} "
        f"controllable-AP: {' '.join(map(str, outputs))} Acceptance: 1 Fin(0)\n"
        f"--BODY-- State: 0 [{good}] 0 {edges}--END--"
    )


def test_many_propositions():
    every = "&".join(map(str, range(40)))
    spec = wide([f"!({every}) & !45 | {every} & 45", f"!({every}) & 45"], 46, [44, 45])
    game = zm.read(io.BytesIO(spec.encode()), format="hoa")
    text = controller(game, zm.solve(game))
    assert f"[{every}&!44&45] 0" in text
    assert text.count("] 0\n") == 2


@pytest.mark.slow
def test_labels_that_are_too_complex():
    equal = " & ".join(f"({k}&{k + 20} | !{k}&!{k + 20})" for k in range(20))
    with pytest.raises(FormatError, match="2:17: the labels of this state are too complex"):
        zm.read(io.BytesIO(wide([equal], 40, range(20, 40)).encode()), format="hoa")
