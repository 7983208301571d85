"""What the environment and the system can choose in each state of an automaton of synthesis.

The environment chooses the propositions that are not controllable, the *inputs*. Then the system
chooses the controllable ones, the *outputs*, and an edge whose label holds.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from zermelo.formats._hoa_acceptance import Colour
from zermelo.formats._hoa_automaton import MAX_PROPOSITIONS, Automaton, Label, State
from zermelo.labels import BoolArray

Moves = list[tuple[int, Colour]]
"""Targets and colours."""


@dataclass(frozen=True, eq=False)
class Synthesis:
    """The automaton of a game of synthesis, and which positions were made of it."""

    automaton: Automaton
    place: dict[tuple[tuple[int, Colour], ...], int] | None
    """The positions of the system by the choices that they have, counted from the last state; None
    for a file that says itself who moves in each state."""
    between: dict[tuple[int, Colour], int]
    """The positions that a move passes through, by target and colour."""


class Letters(NamedTuple):
    """The letters of one state: which edges they allow."""

    inputs: list[int]
    """The inputs in its labels; input k is bit k of the number of a choice of inputs."""
    outputs: list[int]
    allowed: BoolArray
    """Whether a choice of inputs and one of outputs satisfy the label of an edge."""

    @property
    def possible(self) -> BoolArray:
        """Whether the system can take an edge after a choice of inputs."""
        found: BoolArray = np.any(self.allowed, axis=1)
        return found


def edge_colours(automaton: Automaton, s: int) -> tuple[Colour, Moves]:
    """The colour of a state, and the target and the colour of each of its edges."""
    acceptance, state = automaton.acceptance, automaton.states[s]
    assert acceptance is not None
    own = acceptance.colour(state.sets) if acceptance.splits else acceptance.neutral
    more = () if acceptance.splits else state.sets
    return own, [(e.target, acceptance.colour(more + e.sets)) for e in state.edges]


def choice_set(choices: Moves, row: BoolArray) -> tuple[tuple[int, Colour], ...]:
    """What the system can choose from if these edges are possible."""
    return tuple(sorted({choices[k] for k in np.flatnonzero(row).tolist()}))


def letters_of(automaton: Automaton, state: State) -> Letters:
    """The letters of a state; only propositions in its labels count."""
    labels = _labels(automaton, state)
    used = sorted({x for label in labels for x in label if isinstance(x, int)})
    if len(used) > MAX_PROPOSITIONS:
        raise automaton.tokens.error(
            f"expected labels with at most {MAX_PROPOSITIONS} propositions in a state, "
            f"got {len(used)}",
            state.offset,
        )
    mine = set(automaton.controllable or ())
    outputs = [x for x in used if x in mine]
    inputs = [x for x in used if x not in mine]
    letters = np.arange(1 << len(used))
    truth = {x: (letters >> k) & 1 == 1 for k, x in enumerate([*outputs, *inputs])}
    shape = (1 << len(inputs), 1 << len(outputs))
    allowed = np.zeros((*shape, len(labels)), bool)
    for k, label in enumerate(labels):
        allowed[:, :, k] = _evaluate(label, truth, letters.size).reshape(shape)
    return Letters(inputs, outputs, allowed)


def _labels(automaton: Automaton, state: State) -> list[Label]:
    """The label of each edge, also if labels are implicit."""
    if state.label is not None:
        return [state.label] * len(state.edges)
    labels = [e.label for e in state.edges if e.label is not None]
    if len(labels) == len(state.edges):
        return labels
    count = automaton.propositions
    if count > MAX_PROPOSITIONS or len(state.edges) != 1 << count:
        raise automaton.tokens.error(
            f"expected labels, or an edge for each of the 2^{count} letters, "
            f"got {len(state.edges)} edges without",
            state.offset,
        )
    letters: list[Label] = []
    for letter in range(1 << count):
        label: Label = ["t"]
        for k in range(count):
            label += [k, "&"] if letter >> k & 1 else [k, "!", "&"]
        letters.append(label)
    return letters


def _evaluate(label: Label, truth: dict[int, BoolArray], size: int) -> BoolArray:
    """The truth value of a label for each valuation of the propositions."""
    stack: list[BoolArray] = []
    for item in label:
        if isinstance(item, int):
            stack.append(truth[item])
        elif item in ("t", "f"):
            stack.append(np.full(size, item == "t"))
        elif item == "!":
            stack.append(~stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(left & right if item == "&" else left | right)
    return stack.pop()
