"""The checker of circuits for games of synthesis: plain Python, no code of solvers or builders.

The circuit is read from its file; everything in it is a claim. Let the player be the one for whom
the circuit plays: it sets her propositions and reads those of the opponent. A *pair* is a state of
the game at the beginning of a round and a valuation of the latches. From the first pair all pairs
are followed that occur, for all propositions that the opponent can choose. This is checked:

1. *Names.* The circuit reads the opponent's propositions and sets the player's, by their names.
2. *Order.* If the player chooses first in a round, her propositions do not depend on those that the
   opponent chooses in the same round.
3. *Moves.* In each pair that occurs, the game allows what the circuit sets: there is an edge whose
   label holds, if it is the player who must take it. An opponent who has no edge has lost.
4. *Cycles.* The player wins every cycle of pairs, by the colours on its edges.

**The conditions are sufficient**: a play with the circuit is a path of pairs. If it ends, the
opponent is stuck by 3; otherwise the player wins by 4, as the checkers of parity and Muller games
explain. If several edges fit, ``choose`` may say which of them the player takes, because a circuit
does not show it; otherwise all of them are followed. Either way no circuit passes that does not
win: the plays that are followed contain one for everything that the opponent can choose.

The propositions are not enumerated: labels, outputs and latches are decision diagrams, and a walk
through all of them together, input by input, merges what is equal.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo._diagrams import FALSE, TRUE, Diagrams
from zermelo._door.inputs import listed, one_of, sealed, shown
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE
from zermelo.objectives import Muller, Parity
from zermelo.solutions.machine import Machine
from zermelo.solutions.muller import MullerSolution
from zermelo.solutions.parity import arrays_of_winners, parity_solution
from zermelo.verify._aiger import functions, read_circuit
from zermelo.verify.muller import check_muller
from zermelo.verify.parity import check_parity

ENVIRONMENT, SYSTEM = 0, 1
NAMES = ("environment", "system")

MANY = 1 << 20
"""The most cases of one pair."""

Pair = tuple[int, tuple[bool, ...]]
"""A state of the game and the values of the latches."""

Choice = Callable[[int, tuple[int, ...]], Collection[int]]
"""The edges that the player takes in a state, of those that are possible; by their numbers."""

Formulas = tuple[tuple[int, int], ...]
"""Diagrams that still depend on the opponent or hold, each with its number."""


class Second(NamedTuple):
    """An edge of the second half of a round."""

    number: int
    label: int
    colours: tuple[Any, ...]
    target: int


class First(NamedTuple):
    """An edge of the first half of a round, and the edges that can follow it."""

    number: int
    label: int
    colours: tuple[Any, ...]
    target: int
    then: list[Second]


class Product(NamedTuple):
    """All pairs that occur, and the steps between them by the numbers of pairs."""

    pairs: list[Pair]
    steps: list[tuple[int, tuple[Any, ...], int]]
    ambiguous: bool
    """Whether several edges fit in some step."""


def check_circuit(
    game: Game, data: bytes, player: int = SYSTEM, *, choose: Choice | None = None
) -> int:
    """Raise an error unless a circuit wins a game of synthesis; return the number of pairs.

    ``data`` is the content of an AIGER file, and ``player`` the one for whom it plays: 1 for the
    system, 0 for the environment. A circuit that does not win raises
    :class:`~zermelo.errors.CertificateError`. If labels of several edges hold together,
    ``choose(state, edges)`` may return the numbers of those that the player takes.

    >>> import io, zermelo as zm
    >>> game = zm.read(io.BytesIO(b'''HOA: v1 States: 1 Start: 0 AP: 2 "in" "out"
    ... controllable-AP: 1 Acceptance: 1 Fin(0)
    ... --BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--'''))
    >>> check_circuit(game, b"aag 1 1 0 1 0\\n2\\n2\\ni0 in\\no0 out\\n")
    1
    >>> check_circuit(game, b"aag 1 1 0 1 0\\n2\\n3\\ni0 in\\no0 out\\n")
    Traceback (most recent call last):
    zermelo.errors.CertificateError: the environment wins a play against the circuit: it goes \
round a cycle through state 0 of the game (no latches)
    """
    if not isinstance(game, Game) or game.synthesis is None:
        raise InvalidOptionError(
            "expected a game of synthesis, read from a file in HOA with the headers Start: and "
            f"controllable-AP:, got {shown(game)}"
        )
    if not isinstance(data, bytes):
        raise InvalidOptionError(f"data: expected the bytes of an AIGER file, got {shown(data)}")
    one_of(player, "player", (ENVIRONMENT, SYSTEM), InvalidOptionError)
    if choose is not None and not callable(choose):
        raise InvalidOptionError(f"choose: expected a function or None, got {shown(choose)}")
    try:
        product = _Follower(game, data, player, choose).product()
    except OverflowError:
        raise InvalidOptionError(
            "the circuit or the labels of the game are too complex for the check"
        ) from None
    _check_cycles(game.synthesis.automaton.acceptance, product, player)
    return len(product.pairs)


class _Follower:
    """Follows all plays of a circuit in a game."""

    def __init__(self, game: Game, data: bytes, player: int, choose: Choice | None) -> None:
        self.choose = choose
        automaton = game.synthesis.automaton
        self.automaton, self.player, self.circuit = automaton, player, read_circuit(data)
        self.start = int(game.graph.index(game.start))
        system = set(automaton.controllable)
        mine = [x for x in range(automaton.propositions) if (x in system) == (player == SYSTEM)]
        rest = [x for x in range(automaton.propositions) if x not in mine]
        # The opponent's propositions are the first variables, so that the walk ends before mine.
        self.reads = len(rest)
        self.variable = {x: k for k, x in enumerate([*rest, *mine])}
        self.names = {automaton.names[x]: k for x, k in self.variable.items()}
        self.check_names("reads", self.circuit.inputs, [automaton.names[x] for x in rest])
        self.check_names("sets", self.circuit.outputs, [automaton.names[x] for x in mine])
        owners = automaton.player
        self.first = ENVIRONMENT if owners is None else owners[self.start]
        self.diagrams = Diagrams()
        self.rounds: dict[int, list[First]] = {}
        self.ambiguous = False

    def check_names(self, verb: str, found: dict[str, int], expected: list[str]) -> None:
        """Condition 1."""
        if set(found) != set(expected):
            raise CertificateError(
                f"expected a circuit that {verb} {', '.join(sorted(expected)) or 'nothing'}, "
                f"this one {verb} {', '.join(sorted(found)) or 'nothing'}"
            )

    # ---------------------------------------------------------------- the game

    def round(self, s: int) -> list[First]:
        """What can happen in a round that begins in a state."""
        if s not in self.rounds:
            if self.automaton.player is None:
                edges = [Second(k, f, (c,), t) for k, f, c, t in self.edges(s, None)]
                self.rounds[s] = [First(0, TRUE, (), s, edges)]
            else:
                other = 1 - self.first
                self.rounds[s] = [
                    First(
                        k,
                        f,
                        (c,),
                        m,
                        [Second(j, g, (d,), t) for j, g, d, t in self.edges(m, other)],
                    )
                    for k, f, c, m in self.edges(s, self.first)
                ]
        return self.rounds[s]

    def edges(self, s: int, owner: int | None) -> Iterator[tuple[int, int, Any, int]]:
        """Numbers, labels, colours and targets of the edges of a state that ``owner`` has."""
        state, acceptance = self.automaton.states[s], self.automaton.acceptance
        if owner is not None and self.automaton.player[s] != owner:
            raise CertificateError(
                "expected a game in which the players move in turn, but in state "
                f"{s} the {NAMES[1 - owner]} moves twice"
            )
        for number, edge in enumerate(state.edges):
            label = edge.label if state.label is None else state.label
            f = self.letter(number) if label is None else self.formula(label)
            support = self.diagrams.support(f) if owner is not None else set()
            if any((x >= self.reads) != (owner == self.player) for x in support):
                raise CertificateError(
                    f"expected labels about the propositions of the {NAMES[owner or 0]} in state "
                    f"{s}, which belongs to it"
                )
            yield number, f, acceptance.colour(state.sets + edge.sets), edge.target

    def formula(self, label: list[int | str]) -> int:
        return self.diagrams.formula(label, self.variable)

    def letter(self, number: int) -> int:
        """The label of an edge if labels are implicit: each edge belongs to one letter."""
        label: list[int | str] = ["t"]
        for x in range(self.automaton.propositions):
            label += [x, "&"] if number >> x & 1 else [x, "!", "&"]
        return self.formula(label)

    # ---------------------------------------------------------------- the product

    def product(self) -> Product:
        """All pairs and steps; checks the conditions 2 and 3."""
        first: Pair = self.start, tuple(bool(x.first) for x in self.circuit.latches)
        number, pairs, steps = {first: 0}, [first], []
        outputs: dict[tuple[bool, ...], tuple[dict[str, int], list[int]]] = {}
        for k, pair in enumerate(pairs):
            latches = pair[1]
            if latches not in outputs:
                outputs[latches] = functions(self.circuit, latches, self.diagrams, self.names)
            found: dict[tuple[Any, ...], None] = {}
            for true, possible, after in self.cases(pair, *outputs[latches]):
                for colours, target in self.taken(pair, true, possible):
                    found[colours, (target, after)] = None
            for colours, later in found:
                if later not in number:
                    number[later] = len(pairs)
                    pairs.append(later)
                steps.append((k, colours, number[later]))
        return Product(pairs, steps, self.ambiguous)

    def cases(
        self, pair: Pair, outputs: dict[str, int], after: list[int]
    ) -> Iterator[tuple[frozenset[int], frozenset[int], tuple[bool, ...]]]:
        """For each different choice of the opponent: labels that hold, labels that would hold if
        the circuit set something else (if several hold), and the next latches."""
        labels = {x.label for x in self.round(pair[0])}
        labels |= {y.label for x in self.round(pair[0]) for y in x.then}
        values = [*outputs.values(), *after]
        if self.first == self.player and any(f > TRUE for f in outputs.values()):
            raise CertificateError(
                f"expected that what the circuit sets in {_shown(pair)} does not depend on what "
                f"it reads: the {NAMES[self.player]} chooses first"
            )
        roots = [*((-1 - f, f) for f in sorted(labels)), *enumerate(values)]
        start: Formulas = tuple((k, f) for k, f in roots if f != FALSE)
        mine = [self.names[name] for name in outputs]
        seen, waiting, ends = {start}, [start], set()
        variable, halves = self.diagrams.variable, self.diagrams.halves
        while waiting:
            here = waiting.pop()
            test = min((variable(f) for _, f in here), default=self.reads)
            if test >= self.reads:  # the opponent's propositions make no more difference
                bits = {k for k, _ in here if k >= 0}
                set_ = frozenset(x for k, x in enumerate(mine) if k in bits)
                holds = frozenset(
                    -1 - k for k, f in here if k < 0 and self.diagrams.at(f, set_) == TRUE
                )
                several = len(holds) > 1 and self.choose is not None
                possible = frozenset(-1 - k for k, _ in here if k < 0) if several else holds
                later = tuple(len(mine) + k in bits for k in range(len(after)))
                ends.add((holds, possible, later))
                continue
            split = [(k, *halves(f, test)) for k, f in here]
            for half in (1, 2):
                left = tuple((x[0], x[half]) for x in split if x[half] != FALSE)
                if left not in seen:
                    seen.add(left)
                    waiting.append(left)
            if len(seen) > MANY:
                raise OverflowError
        yield from sorted(ends, key=lambda x: (sorted(x[0]), sorted(x[1]), x[2]))

    def taken(
        self, pair: Pair, true: frozenset[int], possible: frozenset[int]
    ) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The colours and targets of all rounds if these labels hold."""
        begun = [x for x in self.round(pair[0]) if x.label in true]
        if not begun:
            self.check_stuck(pair, self.first)
        begun = self.chosen(self.first, pair[0], begun, ())
        count = 0
        for one in begun:
            rest = [y for y in one.then if y.label in true]
            if not rest:
                self.check_stuck(pair, 1 - self.first)
            left = tuple(y.number for y in one.then if y.label in possible)
            rest = self.chosen(1 - self.first, one.target, rest, left)
            for two in rest:
                count += 1
                yield one.colours + two.colours, two.target
        self.ambiguous |= count > 1

    def chosen(
        self, owner: int, state: int, edges: list[Any], possible: tuple[int, ...]
    ) -> list[Any]:
        """The edges that must be followed, of those that fit in a state."""
        if len(edges) < 2 or self.choose is None or owner != self.player:
            return edges
        wanted = listed(self.choose(state, possible), "the numbers of edges from choose")
        return [x for x in edges if x.number in wanted] or edges

    def check_stuck(self, pair: Pair, player: int) -> None:
        """Condition 3."""
        if player == self.player:
            raise CertificateError(
                f"in {_shown(pair)} the circuit sets what the game does not allow: no edge fits"
            )


def _shown(pair: Pair) -> str:
    """A pair for messages."""
    bits = "".join(str(int(x)) for x in pair[1])
    return f"state {pair[0]} of the game ({f'latches {bits}' if bits else 'no latches'})"


# -------------------------------------------------------------------- cycles


def _check_cycles(acceptance: Any, product: Product, player: int) -> None:
    """Condition 4: a game in which the opponent makes all moves, between pairs and colours."""
    names: list[str] = [_shown(pair) for pair in product.pairs]
    colour: list[Any] = [acceptance.neutral] * len(names)
    inside: dict[tuple[Any, int], int] = {}
    edges: dict[tuple[int, int], None] = {}
    for source, colours, target in product.steps:
        at = target
        for c in reversed(colours):  # the position of a colour leads to what comes after it
            if (c, at) not in inside:
                inside[c, at] = len(names)
                edges[len(names), at] = None
                colour.append(c)
                names.append(names[at])
            at = inside[c, at]
        edges[source, at] = None
    n = len(names)
    graph = Graph.from_edges(list(edges), names=range(n), owner=[1 - player] * n)
    winner = np.full(n, player, np.int8)
    none = np.full(n, NO_MOVE, np.int32)
    try:
        if hasattr(acceptance, "refusal"):
            objective = Muller(colour, acceptance.refusal())
            zero, one = (
                Machine(graph, p, sealed(winner == p), sealed(np.zeros(n, np.int32)),
                        sealed(np.zeros((1, 1), np.int32)), sealed(none.reshape(1, n)))
                for p in (0, 1)
            )  # fmt: skip
            arrays = arrays_of_winners(graph, winner)
            check_muller(MullerSolution(graph, objective, "circuit", *arrays, machines=(zero, one)))
        else:
            least = min(colour, default=0)
            priority = np.array(colour, np.int32) + (2 if least < 0 else 0)
            convention = f"{'max' if acceptance.highest else 'min'} " + (
                "odd" if acceptance.parity == 0 else "even"
            )
            check_parity(parity_solution(graph, Parity(priority, convention), "", winner, none))
    except CertificateError as error:
        place = int(str(error).removeprefix("position ").partition(",")[0])
        doubt = (
            "; several edges fit what the circuit sets, and this check follows all of them"
            if product.ambiguous
            else ""
        )
        raise CertificateError(
            f"the {NAMES[1 - player]} wins a play against the circuit: it goes round a cycle "
            f"through {names[place]}{doubt}"
        ) from None
