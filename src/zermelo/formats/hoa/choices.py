"""What the environment and the system can choose in each state of an automaton of synthesis.

The environment chooses the propositions that are not controllable, the *inputs*. Then the system
chooses the controllable ones, the *outputs*, and an edge whose label holds.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo._diagrams import FALSE, Diagrams
from zermelo.errors import FormatError
from zermelo.formats.hoa.acceptance import Colour
from zermelo.formats.hoa.automaton import MAX_PROPOSITIONS, Automaton, Label, State

MAX_CASES = 1 << 18
"""The most nodes of the diagrams of one state, and the most of its cases."""

MAX_IMPLICIT = 16
"""The most propositions of an automaton without labels: it has an edge for every letter."""

Open = tuple[tuple[int, int], ...]
"""Edges that can still be taken, each with the diagram of what must still hold."""

Moves = list[tuple[int, Colour]]
"""Targets and colours."""


@dataclass(frozen=True, eq=False)
class Specification:
    """The automaton of a game of synthesis, and which positions were made of it."""

    automaton: Automaton
    place: dict[tuple[tuple[int, Colour], ...], int] | None
    """The positions of the system by the choices that they have, counted from the last state; None
    for a file that says itself who moves in each state."""
    between: dict[tuple[int, Colour], int]
    """The positions that a move passes through, by target and colour."""


def edge_colours(automaton: Automaton, s: int) -> tuple[Colour, Moves]:
    """The colour of a state, and the target and the colour of each of its edges."""
    acceptance, state = automaton.acceptance, automaton.states[s]
    assert acceptance is not None
    own = acceptance.colour(state.sets) if acceptance.splits else acceptance.neutral
    more = () if acceptance.splits else state.sets
    return own, [(e.target, acceptance.colour(more + e.sets)) for e in state.edges]


class Choices:
    """The choices in the states of an automaton, by decision diagrams of the labels.

    In the diagrams all inputs come before all outputs. So a walk through the labels of all edges of
    a state, down to the first output, goes through the choices of the environment.
    """

    def __init__(self, automaton: Automaton) -> None:
        mine = set(automaton.controllable or ())
        rest = [x for x in range(automaton.propositions) if x not in mine]
        self.automaton, self.inputs = automaton, len(rest)
        self.propositions = [*rest, *sorted(mine)]
        self.diagrams = Diagrams(MAX_CASES)
        self.variable = {x: k for k, x in enumerate(self.propositions)}

    def open(self, state: State) -> Open:
        """All edges of a state, before anything is chosen."""
        labels = _labels(self.automaton, state)
        used = {x for label in labels for x in label if isinstance(x, int)}
        if len(used) > MAX_PROPOSITIONS:
            raise self.automaton.tokens.error(
                f"expected labels with at most {MAX_PROPOSITIONS} propositions in a state, "
                f"got {len(used)}",
                state.offset,
            )
        for last in (False, True):
            try:
                found = [self.diagrams.formula(label, self.variable) for label in labels]
                return tuple((k, f) for k, f in enumerate(found) if f != FALSE)
            except OverflowError:  # other states may have left no room
                if last:
                    break
                self.diagrams = Diagrams(MAX_CASES)
        raise self.too_complex(state)

    def too_complex(self, state: State) -> FormatError:
        """The error for labels whose diagrams are too large."""
        return self.automaton.tokens.error(
            f"the labels of this state are too complex: expected at most {MAX_CASES:,} cases",
            state.offset,
        )

    def next_input(self, edges: Open) -> int | None:
        """The first input that still matters; None if the outputs decide."""
        first = min((self.diagrams.variable(f) for _, f in edges), default=self.inputs)
        return first if first < self.inputs else None

    def split(self, edges: Open, variable: int) -> tuple[Open, Open]:
        """The edges that are left if an input is false, and if it is true."""
        halves = [(k, *self.diagrams.halves(f, variable)) for k, f in edges]
        return (
            tuple((k, low) for k, low, _ in halves if low != FALSE),
            tuple((k, high) for k, _, high in halves if high != FALSE),
        )

    def rows(self, state: State) -> set[tuple[int, ...]]:
        """The sets of edges that the environment can leave to the system."""
        found: set[tuple[int, ...]] = set()
        seen: set[Open] = set()
        waiting = [self.open(state)]
        while waiting:
            edges = waiting.pop()
            if edges in seen:
                continue
            seen.add(edges)
            if len(seen) > MAX_CASES:
                raise self.too_complex(state)
            variable = self.next_input(edges)
            if variable is None:
                found.add(tuple(k for k, _ in edges))
            else:
                waiting += self.split(edges, variable)
        return found


def choice_set(choices: Moves, edges: Iterable[int]) -> tuple[tuple[int, Colour], ...]:
    """What the system can choose from if these edges are left."""
    return tuple(sorted({choices[k] for k in edges}))


def _labels(automaton: Automaton, state: State) -> list[Label]:
    """The label of each edge, also if labels are implicit."""
    if state.label is not None:
        return [state.label] * len(state.edges)
    labels = [e.label for e in state.edges if e.label is not None]
    if len(labels) == len(state.edges):
        return labels
    count = automaton.propositions
    if count > MAX_IMPLICIT or len(state.edges) != 1 << count:
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
