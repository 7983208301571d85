"""The controller of a realizable game of synthesis, as an automaton that turns inputs into outputs.

A state of the controller is a state of the automaton together with the memory of the winning
strategy. For each choice of inputs it has one choice of outputs and one next state.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidObjectiveError
from zermelo.formats._hoa_choices import (
    FALSE,
    MANY,
    TRUE,
    Choices,
    Moves,
    Open,
    Synthesis,
    choice_set,
    edge_colours,
)
from zermelo.game import Game
from zermelo.labels import NO_MOVE
from zermelo.solutions.base import Solution

SYSTEM = 1
"""The player who chooses the outputs."""

Cube = tuple[tuple[int, bool], ...]
"""A conjunction of propositions, each of them true or false."""

Answers = dict[tuple[int, frozenset[int]], tuple[Cube, ...]]
"""Next states and outputs, with the inputs to which they are the answer."""


@dataclass(frozen=True)
class Step:
    """What a controller does after some inputs: the outputs that are true, and the next state."""

    inputs: tuple[Cube, ...]
    """The inputs, as a disjunction."""
    outputs: frozenset[int]
    target: int


@dataclass(frozen=True)
class Controller:
    """A Mealy machine: in each state, every choice of inputs has one answer."""

    names: tuple[str, ...]
    """The names of all propositions."""
    controllable: tuple[int, ...]
    """The numbers of the outputs."""
    states: tuple[tuple[Step, ...], ...]
    """The steps of each state; play starts in the first."""

    def __len__(self) -> int:
        return len(self.states)

    def to_hoa(self) -> str:
        """The controller in the Hanoi Omega-Automata format."""
        quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in self.names]
        out = [
            "HOA: v1",
            f"States: {len(self)}",
            "Start: 0",
            " ".join([f"AP: {len(quoted)}", *(f'"{name}"' for name in quoted)]),
            " ".join(["controllable-AP:", *map(str, self.controllable)]),
            "acc-name: all",
            "Acceptance: 0 t",
            "properties: trans-labels explicit-labels deterministic",
            "--BODY--",
        ]
        for k, steps in enumerate(self.states):
            out.append(f"State: {k}")
            out += [f"[{self._label(step)}] {step.target}" for step in steps]
        return "\n".join([*out, "--END--", ""])

    def _label(self, step: Step) -> str:
        """Inputs and outputs of a step as a formula over numbers of propositions."""
        answer = _cube(tuple((x, x in step.outputs) for x in self.controllable))
        if () in step.inputs:
            return answer
        question = " | ".join(map(_cube, step.inputs))
        if not self.controllable:
            return question
        return f"({question}) & {answer}" if len(step.inputs) > 1 else f"{question}&{answer}"


def controller_of(game: Game, solution: Solution) -> Controller:
    """The controller that wins a game of synthesis from its start.

    >>> import io, zermelo as zm
    >>> game = zm.read(io.BytesIO(b'''HOA: v1 States: 1 Start: 0 AP: 2 "in" "out"
    ... controllable-AP: 1 Acceptance: 1 Fin(0)
    ... --BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--'''))
    >>> print(controller_of(game, zm.solve(game)).to_hoa().partition("--BODY--")[2])
    <BLANKLINE>
    State: 0
    [!0&!1] 0
    [0&1] 0
    --END--
    <BLANKLINE>
    """
    synthesis = game.synthesis
    if not isinstance(synthesis, Synthesis) or synthesis.place is None or game.start is None:
        raise InvalidObjectiveError(
            "a controller belongs to an automaton of synthesis, a file in HOA with the headers "
            "Start: and controllable-AP: that leaves it open who moves in which state"
        )
    start = game.graph.index(game.start)
    if int(solution.winner[start]) != SYSTEM:
        raise InvalidObjectiveError("the environment wins from the start: there is no controller")
    return _Builder(synthesis, solution).build(start)


class _Builder:
    """Follows the winning strategy from the start."""

    def __init__(self, synthesis: Synthesis, solution: Solution) -> None:
        assert synthesis.place is not None
        self.automaton, self.place = synthesis.automaton, synthesis.place
        self.passed = {w: pair for pair, w in synthesis.between.items()}
        self.choices = Choices(self.automaton)
        self.move = solution.move
        machines: Any = getattr(solution, "machines", None)
        self.machine = None if machines is None else machines[SYSTEM]
        self.number: dict[tuple[int, int], int] = {}
        self.waiting: deque[tuple[int, int]] = deque()

    def build(self, start: int) -> Controller:
        """The controller of all states that can be reached."""
        self.state(start, 0 if self.machine is None else self.machine.initial)
        states: list[tuple[Step, ...]] = []
        while self.waiting:
            states.append(self.steps(*self.waiting.popleft()))
        controllable = tuple(sorted(set(self.automaton.controllable or ())))
        return Controller(tuple(self.automaton.names), controllable, tuple(states))

    def state(self, s: int, memory: int) -> int:
        """The number of a state of the controller."""
        pair = s, memory
        if pair not in self.number:
            self.number[pair] = len(self.number)
            self.waiting.append(pair)
        return self.number[pair]

    def after(self, memory: int, v: int) -> int:
        """The memory after a position was left."""
        if self.machine is None:
            return 0
        return int(self.machine.after[memory, self.machine.letter[v]])

    def steps(self, s: int, memory: int) -> tuple[Step, ...]:
        """What the controller does in a state, for all inputs."""
        _, moves = edge_colours(self.automaton, s)
        known: dict[Open, Answers] = {}

        def answers(edges: Open) -> Answers:
            """The answers to the inputs that still matter, each with its inputs."""
            if edges in known:
                return known[edges]
            variable = self.choices.next_input(edges)
            found: Answers = {}
            if variable is None:
                found[self.answer(s, memory, moves, edges)] = ((),)
            else:
                low, high = map(answers, self.choices.split(edges, variable))
                found = low if low == high else self.joined(variable, low, high)
            known[edges] = found
            return found

        state = self.automaton.states[s]
        found = answers(self.choices.open(state))
        return tuple(Step(cubes, outputs, goal) for (goal, outputs), cubes in found.items())

    def answer(self, s: int, memory: int, moves: Moves, edges: Open) -> tuple[int, frozenset[int]]:
        """The next state and the outputs if these edges are left to the system."""
        options = choice_set(moves, (k for k, _ in edges))
        chosen, target, later = self.choose(s, memory, options)
        formula = FALSE
        for k, f in edges:
            if moves[k] == chosen:
                formula = self.choices.diagrams.choose(f, TRUE, formula)
        true = self.choices.diagrams.true_variables(formula)
        outputs = frozenset(self.choices.propositions[x] for x in true)
        return self.state(target, later), outputs

    def joined(self, variable: int, low: Answers, high: Answers) -> Answers:
        """The answers to an input that is false or true."""
        x = self.choices.propositions[variable]
        found: Answers = {
            key: (
                *(((x, False), *cube) for cube in low.get(key, ())),
                *(((x, True), *cube) for cube in high.get(key, ())),
            )
            for key in (*low, *(key for key in high if key not in low))
        }
        if sum(map(len, found.values())) > MANY:
            raise InvalidObjectiveError(
                f"the controller has a state with more than {MANY:,} different inputs"
            )
        return found

    def choose(
        self, s: int, memory: int, options: tuple[tuple[int, Any], ...]
    ) -> tuple[tuple[int, Any], int, int]:
        """The system's choice of target and colour, the next state, and the memory there."""
        position = len(self.automaton.states) + self.place[options]
        memory = self.after(memory, s)
        moves = self.move if self.machine is None else self.machine.moves[memory]
        w = int(moves[position])
        assert w != NO_MOVE
        memory = self.after(memory, position)
        if w in self.passed:
            return self.passed[w], self.passed[w][0], self.after(memory, w)
        colours = {colour for _, colour in options}
        acceptance = self.automaton.acceptance
        assert acceptance is not None
        colour = acceptance.neutral if len(colours) > 1 else colours.pop()
        return (w, colour), w, memory


def _cube(cube: Cube) -> str:
    """A conjunction as text, with its propositions in order."""
    return "&".join(f"{'' if value else '!'}{x}" for x, value in sorted(cube)) or "t"
