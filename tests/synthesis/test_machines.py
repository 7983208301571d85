"""Machines of both players win, have as few states as possible, and are the same in all formats."""

import dataclasses
import io
import json
import shutil
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from tests.synthesis.oracle import Simulator, circuit_wins, subsets
from tests.synthesis.specifications import automata, in_turn
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.synthesis.minimize import minimized


def game_of(text):
    return zm.read(io.BytesIO(text.encode()), format="hoa")


@examples(120)
@given(automata())
def test_the_machine_of_the_winner_wins(text):
    game = game_of(text)
    found = zm.synthesize(game)
    assert found.realizable == (zm.solve(game)[game.start].winner == 1) == bool(found)
    found.verify()
    assert circuit_wins(text, found.machine.to("aag"), found.winner, moore=found.winner == 0)
    assert found.realizable or found.machine.moore
    again = zm.synthesize(game, minimize=False).verify()
    assert circuit_wins(text, again.machine.to("aag"), found.winner, moore=found.winner == 0)
    assert len(again.machine) == len(found.unminimized) >= len(found.machine)


@examples(80)
@given(automata(complete=True), st.sampled_from([0, 1]))
def test_games_that_say_who_moves(text, first):
    game = game_of(in_turn(text, first))
    found = zm.synthesize(game).verify()
    data = found.machine.to("aag")
    if first == 0:  # as in an automaton
        assert found.realizable == zm.synthesize(game_of(text)).realizable
    moore = first == found.winner
    assert found.machine.moore or not moore
    assert circuit_wins(text, data, found.winner, moore=moore)


def test_the_order_of_choices_matters():
    head = 'HOA: v1 States: 1 Start: 0 AP: 2 "in" "out" controllable-AP: 1\nAcceptance: 1 Fin(0)\n'
    copy = head + "--BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--"
    late, early = (zm.synthesize(game_of(in_turn(copy, first))).verify() for first in (0, 1))
    assert (late.realizable, early.realizable) == (True, False)
    assert not late.machine.moore
    assert not early.machine.moore  # the environment sees the output, and refuses to copy it
    assert early.machine.run([["out"], []]) == [frozenset(), frozenset({"in"})]


# -------------------------------------------------------------------- what is refused

TURNS = 'HOA: v1 States: {} Start: 0 AP: 2 "in" "out" controllable-AP: 1 Acceptance: {}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TURNS.format(1, "0 t") + "spot-state-player: 1 --BODY-- State: 0 [1] 0 --END--",
            "the system moves from its state 0 to its state 0",
        ),
        (
            TURNS.format(2, "0 t") + "spot-state-player: 0 1 --BODY-- State: 0 [1] 1 State: 1 [1] 0"
            " --END--",
            "in its state 0, but they depend on 'out', which the system chooses",
        ),
        (
            TURNS.format(3, "0 t") + "spot-state-player: 0 1 1 --BODY-- State: 0 [t] 1 [0] 2 "
            "State: 1 [1] 0 State: 2 [!1] 0 --END--",
            "state 0 has edges to different states whose labels hold together, and the environment",
        ),
        (
            TURNS.format(2, "1 Fin(0)") + "--BODY-- State: 0 [t] 0 {0} [1] 1 {0} "
            "State: 1 [t] 1 {0} --END--",
            "state 0 has edges to different states whose labels hold together, and the system",
        ),
    ],
)
def test_games_without_a_machine(text, message):
    found = zm.synthesize(game_of(text))
    with pytest.raises(InvalidObjectiveError, match=message):
        found.machine  # noqa: B018


def test_labels_that_never_hold_allow_no_move():
    text = (
        TURNS.format(2, "0 t") + "spot-state-player: 0 1 --BODY-- State: 0 [t] 1 "
        "State: 1 [1&!1] 0 --END--"
    )
    assert not zm.synthesize(game_of(text)).realizable


def test_inputs_that_the_environment_cannot_choose():
    """In a game in turn, an environment without an edge has lost; every answer is right."""
    text = (
        TURNS.format(3, "1 Inf(0)") + "spot-state-player: 0 1 1 --BODY-- State: 0 [0] 1 "
        "State: 1 [1] 0 {0} State: 2 [t] 0 --END--"
    )
    found = zm.synthesize(game_of(text)).verify()
    assert found.machine.step(0, ["in"])[0] == {"out"}


def test_a_choice_of_edges_prefers_outputs_that_decide():
    """Both edges fit the output 1; only the first is good, and the output 0 leads there alone."""
    text = TURNS.format(2, "1 Fin(0)") + "--BODY-- State: 0 [t] 0 [1] 1 State: 1 [t] 1 {0} --END--"
    assert zm.synthesize(game_of(text)).verify().machine.run([[]]) == [frozenset()]


def test_a_start_that_is_no_state():
    text = TURNS.format(1, "0 t") + "--BODY-- State: 0 [t] 0 --END--"
    with pytest.raises(InvalidObjectiveError, match="expected a state of the automaton, got posit"):
        zm.synthesize(dataclasses.replace(game_of(text), start=1))


def test_other_games():
    with pytest.raises(InvalidObjectiveError, match="expected a game of synthesis"):
        zm.synthesize(zm.Game(zm.Graph.from_edges([(0, 0)], owner=[1]), zm.Parity([1]), 0))
    with pytest.raises(InvalidOptionError, match="game: expected a Game, got str"):
        zm.synthesize("game")


# -------------------------------------------------------------------- the fewest states


def classes(machine):
    """The number of different behaviours of states that can be reached, by all inputs."""
    letters = [frozenset(x) for x in subsets(machine.inputs)]
    reached, waiting = {0}, [0]
    while waiting:
        state = waiting.pop()
        for letter in letters:
            after = machine.step(state, letter)[1]
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    kind = dict.fromkeys(reached, 0)
    for _ in reached:
        rows = {
            s: tuple(
                (outputs, kind[after])
                for outputs, after in (machine.step(s, letter) for letter in letters)
            )
            for s in reached
        }
        number = {row: k for k, row in enumerate(dict.fromkeys(rows.values()))}
        kind = {s: number[row] for s, row in rows.items()}
    return len(set(kind.values()))


@st.composite
def machines(draw):
    """A machine with two inputs, two outputs and few steps, so that many states are equal."""
    n = draw(st.integers(1, 7))
    targets = st.integers(0, n - 1)
    steps = draw(st.lists(st.tuples(st.sampled_from([(), (0,), (0, 1)]), targets), min_size=1))
    ends = st.integers(-len(steps), -1)
    late = draw(st.lists(st.tuples(st.just(1), ends, ends), min_size=1, max_size=6))
    some = st.integers(-len(steps), len(late) - 1)
    early = draw(st.lists(st.tuples(st.just(0), some, some), max_size=6))
    nodes = [*late, *early]
    roots = draw(st.lists(st.integers(-len(steps), len(nodes) - 1), min_size=n, max_size=n))
    return zm.MealyMachine(("i", "j"), ("o", "p"), nodes, steps, roots)


letters = st.lists(st.sets(st.sampled_from(["i", "j"])), min_size=1, max_size=12)


@examples(200)
@given(machines(), letters)
def test_minimizing(machine, play):
    small = minimized(machine)
    assert len(small) == classes(machine) == classes(small)
    assert small.run(play) == machine.run(play)
    assert minimized(small) == small


# -------------------------------------------------------------------- formats


def as_python(machine, play):
    module = {}
    exec(machine.to("python").decode(), module)
    controller = module["Controller"]()
    return [frozenset(x for x, on in controller.step(y).items() if on) for y in play]


def as_circuit(machine, play):
    circuit = Simulator(machine.to("aag"))
    latches, found = circuit.first, []
    for letter in play:
        outputs, latches = circuit.step(latches, letter)
        found.append(outputs)
    return found


def as_json(machine, play):
    data = json.loads(machine.to("json"))
    again = zm.MealyMachine(
        data["inputs"], data["outputs"], data["nodes"], data["steps"], data["states"]
    )
    assert again == machine
    return again.run(play)


def as_hoa(machine, play):
    """An automaton: the inputs and one choice of outputs fit exactly one edge."""
    from tests.synthesis.oracle import holds
    from zermelo.formats.hoa.automaton import read_automaton

    automaton = read_automaton(machine.to("hoa").decode())
    state, found = automaton.start, []
    for letter in play:
        fits = []
        for outputs in subsets(machine.outputs):
            true = {k for k, x in enumerate(automaton.names) if x in outputs | letter}
            fits += [(outputs, e) for e in automaton.states[state].edges if holds(e.label, true)]
        [(outputs, edge)] = fits
        state = edge.target
        found.append(frozenset(outputs))
    return found


def as_picture(machine, play):
    """Graphviz' language: arrows with the lines "inputs / outputs"."""
    arrows = {}
    for line in machine.to("dot").decode().splitlines():
        if "label=" in line and "->" in line:
            ends, label = line.strip().split(" [label=", 1)
            source, target = map(int, ends.split(" -> "))
            arrows.setdefault(source, []).extend(
                (*text.split(" / "), target) for text in label[1:-3].split("\\n")
            )
    state, found = 0, []
    for letter in play:
        [(_, outputs, state)] = [
            arrow for arrow in arrows[state]
            if all((x.removeprefix("!") in letter) != x.startswith("!")
                   for x in arrow[0].split(" & ") if x != "any")
        ]  # fmt: skip
        found.append(frozenset(outputs.split()) - {"-"})
    return found


@pytest.mark.parametrize("run", [as_python, as_circuit, as_json, as_hoa, as_picture])
@examples(60)
@given(machines(), letters)
def test_all_formats_do_the_same(run, machine, play):
    assert run(machine, play) == machine.run(play)


COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")


def test_c(tmp_path):
    """The C code, where there is a compiler; elsewhere its tables are compared."""
    text = in_turn(
        'HOA: v1 States: 2 Start: 0 AP: 2 "a\\"b" "é" controllable-AP: 1\nAcceptance: 1 Fin(0)\n'
        "--BODY-- State: 0 [!1&0] 1 [!1&!0] 0 [1] 0 {0} State: 1 [1&0] 1 [1&!0] 0 [!1] 1 {0} "
        "--END--",
        0,
    )
    machine = zm.synthesize(game_of(text)).machine
    code = machine.to("c").decode()
    assert '"a\\"b"' in code
    assert '"\\303\\251"' in code
    assert len(machine) == 2
    play = [{'a"b'}, {'a"b'}, set(), set(), {'a"b'}]
    expected = ["".join(str(int(x in out)) for x in machine.outputs) for out in machine.run(play)]
    assert expected == ["0", "1", "1", "0", "0"]
    if COMPILER is not None:
        (tmp_path / "controller.c").write_text(code)
        strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
        program = tmp_path / "controller"
        subprocess.run(
            [COMPILER, *strict, "-DCONTROLLER_MAIN", "-o", program, tmp_path / "controller.c"],
            check=True,
        )
        lines = "".join(f"{int('a' + chr(34) + 'b' in x)}\n" for x in play)
        done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
        assert done.stdout.split() == expected


def test_a_program_stands_alone(tmp_path):
    machine = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    machine.write(tmp_path / "controller.py")
    code = "from controller import Controller; print(Controller().step({'in': True}))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "{'out': True}\n"


def test_writing(tmp_path):
    machine = zm.MealyMachine(("in",), ("o\n",), (), (((), 0),), (-1,))
    with pytest.raises(InvalidOptionError, match="AIGER stores names of one line"):
        machine.write(tmp_path / "m.aag")
    with pytest.raises(InvalidOptionError, match="no format for a machine has this suffix"):
        machine.write(tmp_path / "m.txt")
    out = io.BytesIO()
    with pytest.raises(InvalidOptionError, match="needs a format: aag, aig, hoa"):
        machine.write(out)
    machine.write(out, "json")
    assert json.loads(out.getvalue())["outputs"] == ["o\n"]
    machine.write(tmp_path / "m.json.gz")
    assert (tmp_path / "m.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert list(tmp_path.iterdir()) == [tmp_path / "m.json.gz"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": ((0, -1, 0),)}, "a reference: expected an integer from -2 to -1, got 0"),
        ({"nodes": ((1, -1, -2),)}, "the input of a node: expected an integer from 0 to 0"),
        ({"nodes": ((0, -1),)}, "a node: expected 3 entries"),
        ({"nodes": ((0, -1, -2), (0, 0, -1))}, "expected tests of the inputs in their order"),
        ({"steps": (((), 1), ((), 0))}, "the next state of a step: expected an integer from 0 to"),
        ({"steps": (((1,), 0), ((), 0))}, "an output: expected an integer from 0 to 0, got 1"),
        ({"roots": ()}, "expected at least one state"),
        ({"inputs": ("a", "a")}, "inputs: expected distinct names"),
        ({"player": 2}, "player: expected 0 or 1, got 2"),
    ],
)
def test_machines_that_are_none(change, message):
    good = {
        "inputs": ("in",), "outputs": ("out",), "nodes": ((0, -1, -2),),
        "steps": (((), 0), ((0,), 0)), "roots": (0,),
    }  # fmt: skip
    assert len(zm.MealyMachine(**good)) == 1
    with pytest.raises(InvalidOptionError, match=message):
        zm.MealyMachine(**(good | change))


def test_running():
    machine = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    assert machine.run([{"in": True}, {"in": False}, ["in"]]) == [{"out"}, set(), {"out"}]
    for call in (lambda: machine.step(1, []), lambda: machine.step(0, ["out"]),
                 lambda: machine.run([["in"], 3])):  # fmt: skip
        with pytest.raises(InvalidOptionError):
            call()
