"""Faults in what builds machines: a wrong circuit must not pass the check, whatever the fault."""

import random

import pytest

import zermelo as zm
from tests.synthesis.oracle import circuit_wins
from tests.synthesis.specifications import ACCEPTANCE, LABELS
from tests.synthesis.test_checker import game_of
from zermelo._diagrams import FALSE, TRUE, Diagrams
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.synthesis import build, circuit, minimize
from zermelo.synthesis.mealy import MealyMachine

right = {
    name: getattr(Diagrams, name) for name in vars(Diagrams) if callable(getattr(Diagrams, name))
}


def without_variable(self, variable, low, high):
    """As ``node``, but nodes are found again without their variable."""
    if low == high:
        return low
    if (low, high) not in self._numbers:
        self._numbers[low, high] = len(self._nodes)
        self._nodes.append((variable, low, high))
    return self._numbers[low, high]


def changed(formula):
    """As ``formula``, but of another expression."""
    return lambda self, postfix, variable: right["formula"](self, formula(postfix), variable)


def swapped(postfix):
    return [{"&": "|", "|": "&"}.get(x, x) if isinstance(x, str) else x for x in postfix]


def satisfiable(self, f):
    """As ``true_variables``, which would search for ever if faults leave nothing to find."""
    if f == FALSE:
        raise LookupError
    return right["true_variables"](self, f)


def one_state(self, *pair):
    """As ``state``, but every state of the machine is the first one."""
    if not self.number:
        self.number[pair] = 0
        self.waiting.append(pair)
    return 0


def merged(machine):
    """As ``minimized``, but all states do what the first one does."""
    return MealyMachine(
        machine.inputs, machine.outputs, machine.nodes,
        [(true, 0) for true, _ in machine.steps], machine.roots[:1], player=machine.player,
    )  # fmt: skip


FAULTS = {
    "both is either": (Diagrams, "both", right["either"]),
    "either is both": (Diagrams, "either", right["both"]),
    "either is the left": (Diagrams, "either", lambda self, f, g: f),
    "negated does nothing": (Diagrams, "negated", lambda self, f: f),
    "choose takes the wrong one": (
        Diagrams, "choose", lambda self, f, g, h: right["choose"](self, f, h, g)),
    "halves are swapped": (
        Diagrams, "halves", lambda self, f, v: right["halves"](self, f, v)[::-1]),
    "the high half is the low one": (
        Diagrams, "halves", lambda self, f, v: right["halves"](self, f, v)[:1] * 2),
    "nodes are upside down": (
        Diagrams, "node", lambda self, v, low, high: right["node"](self, v, high, low)),
    "nodes without variables": (Diagrams, "node", without_variable),
    "labels: and is or": (Diagrams, "formula", changed(swapped)),
    "labels: not is ignored": (
        Diagrams, "formula", changed(lambda x: [y for y in x if y != "!"])),
    "labels: the last proposition is the first": (
        Diagrams, "formula", changed(lambda x: [0 if y == 2 else y for y in x])),
    "labels always hold": (Diagrams, "formula", lambda *_: TRUE),
    "labels hold if they can": (
        Diagrams, "formula", lambda *x: TRUE if right["formula"](*x) != FALSE else FALSE),
    "values at other places": (
        Diagrams, "at", lambda self, f, true: right["at"](self, f, frozenset({0, 1, 2} - true))),
    "nothing is true": (Diagrams, "true_variables", lambda self, f: []),
    "the builder sets nothing": (build._Builder, "satisfying", lambda *_: ()),
    "the builder knows one state": (build._Builder, "state", one_state),
    "the builder swaps inputs": (
        build.Choices, "split",
        lambda self, edges, v, split=build.Choices.split: split(self, edges, v)[::-1]),
    "gates: or instead of and": (
        circuit._Gates, "both",
        lambda self, a, b, both=circuit._Gates.both: both(self, a ^ 1, b ^ 1) ^ 1),
    "gates: the wrong one is chosen": (
        circuit._Gates, "choose",
        lambda self, test, high, low, choose=circuit._Gates.choose: choose(self, test, low, high)),
    "minimizing merges all states": (minimize, "minimized", merged),
}  # fmt: skip
"""What is replaced where, and by what."""


def games(count):
    """Deterministic automata with three propositions."""
    rng = random.Random(27)
    for _ in range(count):
        n, acceptance = rng.randint(1, 3), rng.choice(sorted(ACCEPTANCE))
        lines = [f'HOA: v1 States: {n} Start: 0 AP: 3 "a" "b" "c"',
                 f"controllable-AP: {rng.choice(['1', '0 2', '2'])}",
                 f"Acceptance: {acceptance}", "--BODY--"]  # fmt: skip
        for s in range(n):
            lines.append(f"State: {s}")
            for label in LABELS:
                sets = [x for x in range(ACCEPTANCE[acceptance]) if rng.random() < 0.4]
                lines.append(f"[{label}] {rng.randrange(n)} {{{' '.join(map(str, sets))}}}")
        yield "\n".join([*lines, "--END--", ""])


def verdicts(fault, count):
    """How many circuits are wrong, and how many of them pass."""
    owner, name, instead = fault
    wrong = passed = 0
    for text in games(count):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Diagrams, "true_variables", satisfiable)
            patch.setattr(owner, name, instead)
            if name == "minimized":
                patch.setattr("zermelo.synthesis.front.minimized", instead)
            try:
                found = zm.synthesize(game_of(text))
                data = found.machine.to("aag")
            except Exception:  # a fault that shows itself
                continue
            try:
                certified = found.check_circuit(data) > 0
            except (CertificateError, InvalidOptionError):
                certified = False
        if not circuit_wins(text, data, found.winner, moore=found.winner == 0):
            wrong += 1
            passed += certified
    return wrong, passed


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_no_fault_lets_a_wrong_circuit_pass(fault):
    wrong, passed = verdicts(fault, 13)
    assert wrong > 0
    assert passed == 0
