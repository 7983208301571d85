"""Automata whose edges overlap: the checker lets whoever moves choose among those that fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.sampling import examples
from tests.synthesis.oracle import circuit_wins
from tests.synthesis.specifications import in_turn, overlapping
from tests.synthesis.test_checker import HEAD, circuit, forgeries, game_of, passes
from zermelo.errors import CertificateError, InvalidObjectiveError

# Whatever the circuit sets in these, several edges fit.
CASES = {
    "one output": HEAD.format(1, "2 Inf(0)|Inf(1)")
    + "State: 0 [0&1] 0 {0 1} [0&1] 0 {} [!0&1] 0 {1} --END--",
    "two colours": HEAD.format(1, "2 Fin(0)|Inf(1)") + "State: 0 [!1] 0 {1} [!0] 0 {0} --END--",
    "equal edges": HEAD.format(1, "2 Fin(0)|Inf(1)")
    + "State: 0 [t] 0 {0 1} [!0&1] 0 {} [t] 0 {0 1} [0] 0 {} --END--",
    # The system stays in state 0; the label of the bad edge is the same.
    "stay": HEAD.format(2, "1 Fin(0)") + "State: 0 [t] 0 [t] 1 State: 1 [t] 1 {0} --END--",
    # Both edges of state 0 must be taken again and again: the choice needs memory.
    "memory": HEAD.format(1, "2 Inf(0) & Inf(1)") + "State: 0 [t] 0 {0} [t] 0 {1} --END--",
    # The second edge is right, but then the system has no edge for one of the inputs.
    "stuck": HEAD.format(2, "1 Inf(0)") + "State: 0 [t] 1 {0} [t] 0 {0} State: 1 [0] 1 --END--",
    "in turn": HEAD.format(3, "1 Fin(0)").replace("--BODY--", "spot-state-player: 0 1 1 --BODY--")
    + "State: 0 [t] 1 State: 1 [t] 0 [t] 0 {0} State: 2 [t] 0 --END--",
    # The system never takes the edge to state 2, after which it would move twice.
    "not in turn": HEAD.format(3, "1 Fin(0)").replace(
        "--BODY--", "spot-state-player: 0 1 1 --BODY--"
    )
    + "State: 0 [t] 1 State: 1 [t] 0 [t] 2 State: 2 [t] 0 {0} --END--",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_right_circuits_pass_all_checks(text):
    found = zm.synthesize(game_of(text))
    assert found.realizable
    assert found.verify() is found
    data = found.machine.to("aag")
    assert zm.check_circuit(found.game, data) == found.check_circuit(data) >= 1
    assert "player" in text or circuit_wins(text, data)


def test_every_choice_may_lose():
    """Of the edges that fit the output 1 one is good; both lose for the output 0."""
    text = HEAD.format(2, "1 Fin(0)") + (
        "State: 0 [1] 0 [1] 1 [!1] 0 {0} [!1] 1 State: 1 [t] 1 {0} --END--"
    )
    assert passes(game_of(text), circuit(["aag 1 1 0 1 0", "2", "1"]))
    assert passes(game_of(text), circuit(["aag 1 1 0 1 0", "2", "2"])) is False
    message = "through state . of the game .no latches., whichever of the edges that fit the system"
    with pytest.raises(CertificateError, match=message):
        zm.check_circuit(game_of(text), circuit(["aag 1 1 0 1 0", "2", "0"]))


def test_the_opponent_chooses_among_his_edges():
    """The environment sets the input 1; whichever edge the system takes, set 0 is seen for ever."""
    text = HEAD.format(1, "1 Fin(0)") + "State: 0 [0] 0 {0} [0&1] 0 {0} [!0] 0 --END--"
    data = b"aag 1 1 0 1 0\n2\n1\ni0 out\no0 in\n"
    assert zm.check_circuit(game_of(text), data, 0) == 1
    with pytest.raises(
        CertificateError, match=r"^the system wins a play against the .* latches\)$"
    ):
        zm.check_circuit(game_of(text.replace("[0&1] 0 {0}", "[0&1] 0")), data, 0)


@pytest.mark.parametrize(
    ("condition", "wins"),
    [("1 Inf(!0)", "13"), ("1 Fin(!0)", "0"), ("1 !Inf(0)", "3"), ("1 Inf(0) & Inf(!0)", "1"),
     ("1 Inf(0) | f", "01"), ("1 t", "013"), ("1 f", "")],
)  # fmt: skip
def test_conditions_are_read_as_they_stand(condition, wins):
    """The circuit sees set 0 always (0), in every other step (1) or never (3)."""
    text = HEAD.format(1, condition) + "State: 0 [1] 0 {0} [!1] 0 --END--"
    circuits = {
        "0": circuit(["aag 1 1 0 1 0", "2", "1"]),
        "1": circuit(["aag 2 1 1 1 0", "2", "4 5", "4"]),
        "3": circuit(["aag 1 1 0 1 0", "2", "0"]),
    }
    assert "".join(k for k, data in circuits.items() if passes(game_of(text), data)) == wins


@pytest.mark.slow
@examples(60)
@given(overlapping(), st.integers(0, 10**6))
def test_overlapping_automata(text, seed):
    """The machine passes, and forged circuits pass exactly if some choice of edges wins."""
    game = game_of(text)
    found = zm.synthesize(game)
    try:
        data = found.verify().machine.to("aag")
    except InvalidObjectiveError as error:
        assert not found.realizable
        assert "labels hold together, and the system chooses" in str(error)  # noqa: PT017
        return
    assert circuit_wins(text, data, found.winner, moore=not found.realizable)
    for lines in [*forgeries(data, seed)][:8]:
        one = "\n".join([*lines, ""]).encode()
        expected = circuit_wins(text, one, found.winner, moore=not found.realizable)
        assert passes(game, one, found.winner) == expected


@pytest.mark.slow
@examples(30)
@given(overlapping(), st.sampled_from([0, 1]), st.integers(0, 10**6))
def test_overlapping_edges_in_turn(text, first, seed):
    """Whoever moves second in a round chooses among the edges of the automaton."""
    game = game_of(in_turn(text, first))
    found = zm.synthesize(game)
    try:
        data = found.verify().machine.to("aag")
    except InvalidObjectiveError as error:
        assert "labels hold together" in str(error)  # noqa: PT017
        return
    for lines in [data.decode().splitlines(), *forgeries(data, seed)][:8]:
        one = "\n".join([*lines, ""]).encode()
        expected = circuit_wins(
            text, one, found.winner, moore=found.winner == first, chooser=1 - first
        )
        assert passes(game, one, found.winner) == expected
