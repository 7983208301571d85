"""The machine of the player who wins a game of synthesis from its start.

A game of synthesis is played in rounds. In an automaton with ``controllable-AP:`` the environment
chooses the inputs of a round, then the system chooses the outputs and the edge. In a file with
``spot-state-player:`` the players move in turn, each along an edge whose label is about her own
propositions; who moves first in a round is the owner of the initial state.

A state of the machine is a state of the game at the beginning of a round, together with the memory
of the winning strategy. If the winner moves second in a round, her propositions may depend on what
the other player has just chosen. If she moves first, they do not: the machine is a Moore machine.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

from zermelo._diagrams import FALSE, TRUE, Diagrams
from zermelo.errors import InvalidObjectiveError
from zermelo.formats.hoa.acceptance import Colour
from zermelo.formats.hoa.choices import Choices, Moves, Open, Specification, choice_set
from zermelo.formats.hoa.choices import edge_colours as automaton_moves
from zermelo.formats.hoa.game import spot_moves
from zermelo.game import Game
from zermelo.labels import NO_MOVE
from zermelo.solutions.base import Solution
from zermelo.synthesis.mealy import MealyMachine

ENVIRONMENT, SYSTEM = 0, 1
"""The player who chooses the inputs, and the one who chooses the outputs."""

NAMES = ("environment", "system")

TRIED = 16
"""The most earlier choices of outputs that are tried again."""

Outputs = tuple[int, ...]
"""The numbers of the machine's outputs that are true."""

Cases = list[tuple[int, int]]
"""Formulas over what the machine reads, each with the diagram of a step."""


def specification_of(game: Game) -> Specification:
    """The automaton of a game of synthesis; other games are refused."""
    found = game.synthesis
    if not isinstance(found, Specification) or game.start is None:
        raise InvalidObjectiveError(
            "expected a game of synthesis: a file in HOA with the headers Start: and "
            "controllable-AP:, which say where play starts and who chooses which propositions"
        )
    if game.graph.index(game.start) not in found.automaton.states:
        raise InvalidObjectiveError(
            f"start: expected a state of the automaton, got position {game.start!r}"
        )
    return found


def machine_of(game: Game, solution: Solution) -> MealyMachine:
    """The machine with which the winner of a game of synthesis wins from the start.

    >>> import io, zermelo as zm
    >>> game = zm.read(io.BytesIO(b'''HOA: v1 States: 1 Start: 0 AP: 2 "in" "out"
    ... controllable-AP: 1 Acceptance: 1 Fin(0)
    ... --BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--'''))
    >>> machine = machine_of(game, zm.solve(game))
    >>> [sorted(x) for x in machine.run([["in"], []])]
    [['out'], []]
    """
    specification = specification_of(game)
    start = game.graph.index(game.start)
    player = int(solution.winner[start])
    owner = specification.automaton.player
    kind = _InTurn if owner is not None else _Answering if player == SYSTEM else _Challenging
    return kind(specification, solution, player).build(start)


class _Builder:
    """Follows the winning strategy of a player from the start."""

    def __init__(self, specification: Specification, solution: Solution, player: int) -> None:
        self.automaton, self.player = specification.automaton, player
        self.place, self.between = specification.place, specification.between
        self.passed = {w: pair for pair, w in self.between.items()}
        self.choices = Choices(self.automaton)
        self.move = solution.move
        machines: Any = getattr(solution, "machines", None)
        self.memory = None if machines is None else machines[player]
        self.number: dict[tuple[int, int], int] = {}
        self.waiting: deque[tuple[int, int]] = deque()
        self.diagrams = Diagrams()
        self.used: dict[int, list[Outputs]] = {}
        count, inputs = len(self.choices.propositions), self.choices.inputs
        self.reads, self.writes = range(inputs), range(inputs, count)
        if player == ENVIRONMENT:
            self.reads, self.writes = self.writes, self.reads

    def build(self, start: int) -> MealyMachine:
        """The machine of all states that can be reached."""
        self.state(start, 0 if self.memory is None else self.memory.initial)
        roots: list[int] = []
        while self.waiting:
            roots.append(self.steps(len(roots), *self.waiting.popleft()))
        names = [self.automaton.names[x] for x in self.choices.propositions]
        reads, writes = (tuple(names[x] for x in some) for some in (self.reads, self.writes))
        return MealyMachine._of_diagrams(reads, writes, self.diagrams, roots, player=self.player)

    def steps(self, here: int, s: int, memory: int) -> int:
        """The diagram of what the machine does in its state ``here``."""
        raise NotImplementedError

    def state(self, s: int, memory: int) -> int:
        """The number of a state of the machine."""
        pair = s, memory
        if pair not in self.number:
            self.number[pair] = len(self.number)
            self.waiting.append(pair)
        return self.number[pair]

    # ---------------------------------------------------------------- plays of the game

    def after(self, memory: int, v: int) -> int:
        """The memory after a position was left."""
        if self.memory is None:
            return 0
        return int(self.memory.after[memory, self.memory.letter[v]])

    def neutral(self) -> Colour:
        """The colour of a move that belongs to no set."""
        assert self.automaton.acceptance is not None
        return self.automaton.acceptance.neutral

    def chosen(self, memory: int, v: int, moves: Iterable[tuple[int, Colour]]) -> Any:
        """The move of the strategy at a position: its target and its colour."""
        table = self.move if self.memory is None else self.memory.moves[memory]
        w = int(table[v])
        assert w != NO_MOVE
        if w in self.passed:
            return self.passed[w]
        colours = {colour for _, colour in moves}
        return w, self.neutral() if len(colours) > 1 else colours.pop()

    def moved(self, memory: int, v: int, moves: Moves, move: tuple[int, Colour]) -> int:
        """The memory after a move from a position, when play has arrived at its target."""
        memory = self.after(memory, v)
        mixed = len({colour for _, colour in moves}) > 1
        if mixed and move[1] != self.neutral():
            memory = self.after(memory, self.between[move])
        return memory

    # ---------------------------------------------------------------- diagrams

    def outputs(self, labels: Iterable[tuple[int, Any]], move: tuple[int, Colour]) -> Outputs:
        """What the machine sets such that a move is allowed, and no other move if possible."""
        diagrams = self.choices.diagrams
        taken, others = FALSE, []
        for f, allowed in labels:
            if allowed == move:
                taken = diagrams.either(taken, f)
            else:
                others.append(f)
        found = self.satisfying(taken, move[0])
        true = frozenset(self.writes.start + x for x in found)
        if all(diagrams.at(f, true) == FALSE for f in others):
            return found
        for f in others:
            taken = diagrams.choose(f, FALSE, taken)
        return found if taken == FALSE else self.satisfying(taken, move[0])

    def satisfying(self, formula: int, target: int) -> Outputs:
        """Outputs that satisfy a formula, if possible those that were chosen before for a target.

        So there are few different steps, and more states that do the same.
        """
        diagrams, first = self.choices.diagrams, self.writes.start
        tried = self.used.setdefault(target, [])
        for known in tried:
            if diagrams.at(formula, frozenset(first + x for x in known)) == TRUE:
                return known
        found = tuple(x - first for x in diagrams.true_variables(formula))
        del tried[TRIED - 1 :]
        tried.insert(0, found)
        return found

    def split(self, cases: Cases, otherwise: int, s: int) -> int:
        """The diagram of a state from its cases, which must exclude each other."""
        diagrams = self.choices.diagrams
        formulas: dict[int, int] = {}
        for f, step in cases:
            formulas[step] = diagrams.either(formulas.get(step, FALSE), f)
        covered, total = FALSE, diagrams.leaf(self.diagrams.value(otherwise))
        for step, f in formulas.items():
            if diagrams.both(covered, f) != FALSE:
                raise InvalidObjectiveError(
                    f"state {s} has edges to different states whose labels hold together, and the "
                    f"{NAMES[1 - self.player]} chooses between them: a machine of the "
                    f"{NAMES[self.player]}, which sees only the propositions, does not know where "
                    "play goes on"
                )
            covered = diagrams.either(covered, f)
            total = diagrams.choose(f, diagrams.leaf(self.diagrams.value(step)), total)
        return self.copied(total, {})

    def copied(self, f: int, known: dict[int, int]) -> int:
        """A diagram of steps of a state, as one of the machine, whose inputs count from 0."""
        source = self.choices.diagrams
        if f not in known:
            variable = source.variable(f)
            low, high = source.halves(f, variable)
            if low == high:
                known[f] = self.diagrams.leaf(source.value(f))
            else:
                ways = self.copied(low, known), self.copied(high, known)
                known[f] = self.diagrams.node(variable - self.reads.start, *ways)
        return known[f]


class _Answering(_Builder):
    """The system in an automaton: it sees the inputs, then chooses outputs and an edge."""

    def steps(self, here: int, s: int, memory: int) -> int:
        """The diagram of what the machine does, by a walk through all inputs that matter."""
        _, moves = automaton_moves(self.automaton, s)
        known: dict[Open, int] = {}

        def walk(edges: Open) -> int:
            if edges not in known:
                variable = self.choices.next_input(edges)
                if variable is None:
                    known[edges] = self.answer(s, memory, moves, edges)
                else:
                    low, high = map(walk, self.choices.split(edges, variable))
                    known[edges] = self.diagrams.node(variable, low, high)
            return known[edges]

        return walk(self.choices.open(self.automaton.states[s]))

    def answer(self, s: int, memory: int, moves: Moves, edges: Open) -> int:
        """The outputs and the next state if these edges are left to the system."""
        options = choice_set(moves, (k for k, _ in edges))
        assert self.place is not None
        position = len(self.automaton.states) + self.place[options]
        memory = self.after(memory, s)
        move = self.chosen(memory, position, options)
        memory = self.moved(memory, position, list(options), move)
        outputs = self.outputs(((f, moves[k]) for k, f in edges), move)
        return self.diagrams.leaf((outputs, self.state(move[0], memory)))


class _Challenging(_Builder):
    """The environment in an automaton: it chooses inputs, then sees the outputs."""

    def steps(self, here: int, s: int, memory: int) -> int:
        """The diagram of the next state; the inputs are chosen before the outputs are known."""
        assert self.place is not None
        _, moves = automaton_moves(self.automaton, s)
        table = self.move if self.memory is None else self.memory.moves[memory]
        position, memory = int(table[s]), self.after(memory, s)
        options = list(self.place)[position - len(self.automaton.states)]
        inputs, edges = self.inputs_for(s, moves, options)
        cases: Cases = []
        for k, f in edges:
            target = self.state(moves[k][0], self.moved(memory, position, list(options), moves[k]))
            cases.append((f, self.diagrams.leaf((inputs, target))))
        return self.split(cases, self.diagrams.leaf((inputs, here)), s)

    def inputs_for(
        self, s: int, moves: Moves, options: tuple[tuple[int, Colour], ...]
    ) -> tuple[Outputs, Open]:
        """Inputs that leave exactly these moves to the system, and the edges that are left."""
        seen: set[Open] = set()
        first = self.choices.open(self.automaton.states[s])
        waiting: list[tuple[Outputs, Open]] = [((), first)]
        while True:
            true, edges = waiting.pop()
            if edges in seen:
                continue
            seen.add(edges)
            variable = self.choices.next_input(edges)
            if variable is not None:
                low, high = self.choices.split(edges, variable)
                waiting += [((*true, variable), high), (true, low)]
            elif choice_set(moves, (k for k, _ in edges)) == options:
                return true, edges


class _InTurn(_Builder):
    """Either player in a file that says who moves in each state."""

    def build(self, start: int) -> MealyMachine:
        """The machine; the owner of the start moves first in each round."""
        assert self.automaton.player is not None
        self.first = self.automaton.player[start]
        return super().build(start)

    def steps(self, here: int, s: int, memory: int) -> int:
        """The diagram of one round that begins in a state."""
        if self.first == self.player:
            return self.moves_first(here, s, memory)
        return self.moves_second(here, s, memory)

    def moves_first(self, here: int, s: int, memory: int) -> int:
        """The player chooses, then she reads what the other player answers."""
        outputs, m, memory = self.own_move(s, memory)
        moves, cases = spot_moves(self.automaton, m), []
        for f, move in self.labels(m, moves):
            target = self.state(self.owned(m, move[0]), self.moved(memory, m, moves, move))
            cases.append((f, self.diagrams.leaf((outputs, target))))
        return self.split(cases, self.diagrams.leaf((outputs, here)), m)

    def moves_second(self, here: int, s: int, memory: int) -> int:
        """The player reads what the other player has chosen, then she answers."""
        moves = spot_moves(self.automaton, s)
        answers = {}
        for move in dict.fromkeys(moves):
            m = self.owned(s, move[0])
            outputs, t, later = self.own_move(m, self.moved(memory, s, moves, move))
            answers[move] = self.diagrams.leaf((outputs, self.state(t, later)))
        cases = [(f, answers[move]) for f, move in self.labels(s, moves)]
        return self.split(cases, self.diagrams.leaf(((), here)), s)

    def own_move(self, s: int, memory: int) -> tuple[Outputs, int, int]:
        """What the player sets, the target, and the memory there."""
        moves = spot_moves(self.automaton, s)
        move = self.chosen(memory, s, moves)
        memory = self.moved(memory, s, moves, move)
        outputs = self.outputs(self.labels(s, moves), move)
        return outputs, self.owned(s, move[0]), memory

    def owned(self, s: int, t: int) -> int:
        """The target of a move, which must belong to the other player."""
        assert self.automaton.player is not None
        if self.automaton.player[s] == self.automaton.player[t]:
            name = NAMES[self.automaton.player[s]]
            raise InvalidObjectiveError(
                f"expected a game in which environment and system move in turn, but the {name} "
                f"moves from its state {s} to its state {t}"
            )
        return t

    def labels(self, s: int, moves: Moves) -> list[tuple[int, tuple[int, Colour]]]:
        """The formula of each move from a state, which is about its owner's propositions."""
        assert self.automaton.player is not None
        owner, inputs = self.automaton.player[s], self.choices.inputs
        opened = self.choices.open(self.automaton.states[s])
        diagrams = self.choices.diagrams
        for x in sorted(diagrams.support(*(f for _, f in opened))):
            if (x >= inputs) != (owner == SYSTEM):
                name = self.automaton.names[self.choices.propositions[x]]
                raise InvalidObjectiveError(
                    f"expected labels about the propositions of the {NAMES[owner]} in its state "
                    f"{s}, but they depend on {name!r}, which the {NAMES[1 - owner]} chooses"
                )
        return [(f, move) for (_, f), move in zip(opened, moves, strict=True)]
