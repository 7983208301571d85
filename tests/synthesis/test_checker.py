"""The checker of circuits agrees with plays that are enumerated, whatever the circuit is."""

import dataclasses
import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from tests.synthesis.oracle import Simulator, circuit_wins
from tests.synthesis.specifications import automata, in_turn
from zermelo.errors import CertificateError, FormatError, InvalidOptionError
from zermelo.verify.common.aiger import read_circuit

HEAD = 'HOA: v1 States: {} Start: 0 AP: 2 "in" "out" controllable-AP: 1\nAcceptance: {}\n--BODY--\n'
COPY = HEAD.format(1, "1 Fin(0)") + "State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--"
DELAY = HEAD.format(2, "1 Fin(0)") + (
    "State: 0 [!1&0] 1 [!1&!0] 0 [1] 0 {0} State: 1 [1&0] 1 [1&!0] 0 [!1] 1 {0} --END--"
)
STRICT = HEAD.format(1, "0 t") + "State: 0 [0&1 | !0&!1] 0 --END--"


def game_of(text):
    return zm.read(io.BytesIO(text.encode()), format="hoa")


def passes(game, data, player=1):
    try:
        zm.check_circuit(game, data, player)
    except CertificateError:
        return False
    return True


def forgeries(data, seed):
    """Circuits that differ in one place: literals, latches, resets, gates, names."""
    lines = data.decode().splitlines()
    count, inputs, latches, outputs, gates = map(int, lines[0].split()[1:6])
    body = 1 + inputs
    rng = random.Random(seed)
    for k in range(body, body + latches + outputs + gates):
        row = lines[k].split()
        for place in range(0 if body + latches <= k < body + latches + outputs else 1, len(row)):
            for literal in {int(row[place]) ^ 1, rng.randrange(2 * count + 2)}:
                if k >= body + latches + outputs and literal // 2 >= int(row[0]) // 2:
                    continue  # a gate that depends on itself is no circuit
                changed = [*row[:place], str(literal), *row[place + 1 :]]
                yield [*lines[:k], " ".join(changed), *lines[k + 1 :]]
        if body <= k < body + latches:
            yield [*lines[:k], f"{lines[k]} 1", *lines[k + 1 :]]
    if latches > 1:
        one, two = lines[body].split(), lines[body + 1].split()
        swapped = [f"{one[0]} {two[1]}", f"{two[0]} {one[1]}"]
        yield [*lines[:body], *swapped, *lines[body + 2 :]]
    if outputs > 1:
        at = body + latches
        yield [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


@pytest.mark.slow
@examples(60)
@given(automata(), st.integers(0, 10**6))
def test_forged_circuits(text, seed):
    game = game_of(text)
    found = zm.synthesize(game)
    for player in (0, 1):
        for lines in [*forgeries(found.machine.to("aag"), seed)][:60]:
            data = "\n".join([*lines, ""]).encode()
            expected = circuit_wins(text, data, player, moore=player == 0)
            assert passes(game, data, player) == expected


@pytest.mark.slow
@examples(40)
@given(automata(complete=True), st.sampled_from([0, 1]), st.integers(0, 10**6))
def test_forged_circuits_in_turn(text, first, seed):
    game = game_of(in_turn(text, first))
    found = zm.synthesize(game)
    for lines in [*forgeries(found.machine.to("aag"), seed)][:60]:
        data = "\n".join([*lines, ""]).encode()
        moore = found.winner == first
        expected = circuit_wins(text, data, found.winner, moore=moore)
        assert passes(game, data, found.winner) == expected


def circuit(lines):
    return ("\n".join([*lines, "i0 in", "o0 out", ""])).encode()


@pytest.mark.parametrize(
    ("text", "data", "message"),
    [
        (COPY, circuit(["aag 1 1 0 1 0", "2", "3"]), "a cycle through state 0 of the game"),
        (COPY, circuit(["aag 1 1 0 1 0", "2", "0"]), "the environment wins a play against the"),
        (DELAY, circuit(["aag 2 1 1 1 0", "2", "4 3", "4"]), r"state [01] of the game \(latches"),
        (DELAY, circuit(["aag 2 1 1 1 0", "2", "4 2 1", "4"]), r"state [01] of the game \(latches"),
        (STRICT, circuit(["aag 1 1 0 1 0", "2", "3"]), "what the game does not allow: no edge"),
        (COPY, b"aag 1 1 0 1 0\n2\n2\ni0 a\no0 out\n", "expected a circuit that reads in, this"),
        (COPY, b"aag 1 1 0 1 0\n2\n2\ni0 in\no0 o\n", "expected a circuit that sets out, this one"),
        (COPY, b"aag 0 0 0 1 0\n0\no0 out\n", "a circuit that reads in, this one reads no"),
    ],
)  # fmt: skip
def test_why_a_circuit_loses(text, data, message):
    with pytest.raises(CertificateError, match=message):
        zm.check_circuit(game_of(text), data)


def test_right_circuits():
    assert zm.check_circuit(game_of(COPY), circuit(["aag 1 1 0 1 0", "2", "2"])) == 1
    assert zm.check_circuit(game_of(DELAY), circuit(["aag 2 1 1 1 0", "2", "4 2", "4"])) == 2
    # Gates in any order, unused gates, empty sections, a comment, a latch that starts with 0.
    odd = ["aag 5 1 1 1 3 0 0", "2", "4 8 0", "4", "8 6 6", "6 2 2", "10 2 3", "i0 in", "o0 out"]
    data = "\n".join([*odd, "l0 x", "c", "any text"]).encode()
    assert zm.check_circuit(game_of(DELAY), data) == 2


def test_the_one_who_moves_first_sees_nothing():
    text = in_turn(COPY, 1)
    data = circuit(["aag 1 1 0 1 0", "2", "2"])
    assert circuit_wins(COPY, data)
    with pytest.raises(CertificateError, match="does not depend on what it reads: the system"):
        zm.check_circuit(game_of(text), data)


def test_labels_that_are_implied():
    """Edge k belongs to the letter whose bits k has: here the output copies the input."""
    text = HEAD.format(1, "1 Fin(0)") + "State: 0 0 0 {0} 0 {0} 0 --END--"
    assert passes(game_of(text), circuit(["aag 1 1 0 1 0", "2", "2"]))
    assert not passes(game_of(text), circuit(["aag 1 1 0 1 0", "2", "3"]))


@pytest.mark.parametrize(
    ("owners", "body", "message"),
    [
        ("0 1", "State: 0 [0] 0 [!0] 1 State: 1 [1] 0", "in state 0 the environment moves twice"),
        ("0 1", "State: 0 [t] 1 State: 1 [1] 1", "in state 1 the system moves twice"),
        ("0 1", "State: 0 [1] 1 State: 1 [t] 0", "propositions of the environment in state 0"),
        ("0 1", "State: 0 [t] 1 State: 1 [0] 0", "about the propositions of the system in state 1"),
    ],
)
def test_games_that_are_not_played_in_turn(owners, body, message):
    head = HEAD.format(2, "0 t").replace("--BODY--", f"spot-state-player: {owners} --BODY--")
    with pytest.raises(CertificateError, match=message):
        zm.check_circuit(game_of(f"{head}{body} --END--"), circuit(["aag 1 1 0 1 0", "2", "1"]))


def test_too_many_cases(monkeypatch):
    monkeypatch.setattr("zermelo.verify.infinite.circuit.MAX_CASES", 2)
    with pytest.raises(InvalidOptionError, match="too complex for the check"):
        zm.check_circuit(game_of(DELAY), circuit(["aag 2 1 1 1 0", "2", "4 2", "4"]))


def test_many_inputs_are_not_enumerated():
    count = 60
    names = " ".join(f'"p{k}"' for k in range(count))
    every = "&".join(map(str, range(count - 1)))
    text = (
        f"HOA: v1 States: 1 Start: 0 AP: {count} {names} controllable-AP: {count - 1} "
        f"Acceptance: 1 Fin(0)\n--BODY-- State: 0 [{every}&{count - 1} | !({every})&!{count - 1}] 0"
        f" [{every}&!{count - 1} | !({every})&{count - 1}] 0 {{0}} --END--"
    )
    found = zm.synthesize(game_of(text)).verify()
    data = found.machine.to("aag")
    swapped = data.replace(b"i58 p58", b"i58 p57").replace(b"i57 p57", b"i57 p58")
    assert passes(game_of(text), swapped)  # the conjunction is symmetric
    lines = data.decode().splitlines()
    lines[count] = str(int(lines[count]) ^ 1)
    assert not passes(game_of(text), "\n".join(lines).encode())


# -------------------------------------------------------------------- reading circuits


@examples(40)
@given(automata())
def test_binary_and_text_are_the_same(text):
    machine = zm.synthesize(game_of(text)).machine
    one, other = read_circuit(machine.to("aag")), read_circuit(machine.to("aig"))
    assert one == other
    assert list(one.inputs) == list(machine.inputs)
    assert list(one.outputs) == Simulator(machine.to("aag")).output_names


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "1: expected a circuit of AIGER"),
        (b"HOA: v1\n", "1: expected a circuit of AIGER, which begins with aag or aig, got 'HOA:'"),
        (b"aag 1 1 0 1\n", "1: expected the numbers of variables, inputs, latches"),
        (b"aag 0 1 0 0 0\n2\n", "1: expected the numbers of variables"),
        (b"aag 1 1 0 0 0 1\n2\n", "1: expected the numbers of variables"),
        (b"aag 99999999 1 0 0 0\n2\n", "1: expected the numbers of variables"),
        (b"aag 1 1 0 0 0\n3\n", "2: expected a new even literal from 2 to 2, got 3"),
        (b"aag 2 2 0 0 0\n2\n2\n", "3: expected a new even literal from 2 to 4, got 2"),
        (b"aag 1 1 0 0 0\nx\n", "2: expected an input: 1 number, got 'x'"),
        (b"aag 1 0 1 0 0\n2\n", "2: expected a latch: 2 to 3 numbers, got '2'"),
        (b"aag 1 0 1 0 0\n2 2 2\n", "2: expected a latch that begins with 0 or 1, got 2"),
        (b"aag 1 1 0 1 0\n2\n4\ni0 a\no0 b\n", "3: literal 4 is used, but no input, latch or gate"),
        (b"aag 1 0 0 1 1\n2\n2 2 0\no0 b\n", "gate 2 depends on itself"),
        (b"aag 2 0 0 1 2\n2\n2 4 1\n4 2 1\no0 b\n", "gate 2 depends on itself"),
        (b"aag 1 1 0 0 0\n2\n", "input 0 has no name; expected symbols"),
        (b"aag 2 2 0 0 0\n2\n4\ni0 a\ni1 a\n", "input 1 has the name 'a' of another"),
        (b"aag 1 1 0 0 0\n2\ni1 a\n", "3: expected a name such as 'i0 request', got 'i1 a'"),
        (b"aag 1 1 0 0 0\n2\ni0 a\ni0 b\n", "i0 has two names"),
        (b"aag 1 1 0 0 0\n2\ni0 \xff\n", "3: expected text in UTF-8"),
        (b"aig 2 1 0 1 1\n4\n\x02", "expected the gates of the binary form, got the end"),
        (b"aig 2 1 0 1 1\n4\n\x00\x00", "gate 4: expected operands that stand before it"),
    ],
)
def test_files_that_are_no_circuits(data, message):
    with pytest.raises(FormatError) as caught:
        read_circuit(data)
    assert message in str(caught.value)


@examples(150)
@given(st.binary(max_size=40), st.sampled_from([b"aag 3 1 1 1 1\n", b"aig 3 1 1 1 1\n"]))
def test_any_bytes(data, head):
    with pytest.raises(FormatError):  # at least, names are missing
        read_circuit(head + data)


def test_what_is_no_game_of_synthesis():
    right = circuit(["aag 1 1 0 1 0", "2", "2"])
    for game, data, player in (
        (3, b"", 1), (game_of(COPY), "aag", 1), (game_of(COPY), b"", 2),
        (zm.Game(zm.Graph.from_edges([(0, 0)])), b"", 1),
        (zm.Game(zm.Graph.from_edges([(0, 0)]), synthesis=3), b"", 1),
        (dataclasses.replace(game_of(COPY), start=1), right, 1),  # no state of the automaton
    ):  # fmt: skip
        with pytest.raises(InvalidOptionError):
            zm.check_circuit(game, data, player)
