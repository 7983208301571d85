"""The checker of circuits for games of synthesis: plain Python, no code of solvers or builders.

The circuit is read from its file; everything in it is a claim. Let the player be the one for whom
the circuit plays: it sets her propositions and reads those of the opponent. A *pair* is a state of
the game at the beginning of a round and a valuation of the latches. From the first pair all pairs
are followed that occur, for all propositions that the opponent can choose, and for all edges that
then fit. This is checked:

1. *Names.* The circuit reads the opponent's propositions and sets the player's, by their names.
2. *Order.* If the player chooses first in a round, her propositions do not depend on those that the
   opponent chooses in the same round.
3. *Plays.* The player wins the following game from the first pair. In each pair the opponent
   chooses his propositions; the circuit sets those of the player. If several edges fit, whoever
   moves along them chooses: in an automaton the system, in a file that says who moves the owner of
   the state. A player for whom no edge fits has lost. If play never ends, the acceptance condition
   decides.

A circuit does not show which of several edges is taken. So the player may choose them as she likes,
and the circuit passes exactly if some way to choose wins against everything that the opponent does.
In a pair that breaks condition 2 the player has lost: it matters only if she cannot avoid it.

The propositions are not enumerated: a walk through all functions of the opponent's propositions
together (labels, and the next values of latches) merges what is equal. Labels and the acceptance
condition are evaluated as they stand in the file; colours, positions and moves that readers and
solvers derive from them are not used.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from zermelo._inputs.values import one_of, shown
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.game import Game
from zermelo.verify.common.aiger import evaluate, read_circuit
from zermelo.verify.common.emerson_lei import Arena, Colours, Condition
from zermelo.verify.common.functions import FALSE, NO_VARIABLE, TRUE, Functions

ENVIRONMENT, SYSTEM = 0, 1
NAMES = ("environment", "system")

MAX_CASES = 1 << 20
"""The most cases of one pair."""


class Pair(NamedTuple):
    """A state of the game and the values of the latches."""

    state: int
    latches: tuple[bool, ...]

    def __str__(self) -> str:
        bits = "".join(str(int(x)) for x in self.latches)
        return f"state {self.state} of the game ({f'latches {bits}' if bits else 'no latches'})"


class Step(NamedTuple):
    """The colours of a whole round, and the pair after it."""

    colours: Colours
    later: Pair


Choice = frozenset[Step]
"""What the one who moves second in a round can choose from."""

Position = Pair | Choice | Step


class Edge(NamedTuple):
    """An edge of the automaton, with its label in postfix order."""

    label: Sequence[int | str]
    colours: Colours
    target: int


Round = list[tuple[Edge, list[Edge]]]
"""The edges of the first half of a round, each with those that can follow it."""


class Product(NamedTuple):
    """The game of condition 3: its positions are pairs, choices and steps."""

    positions: list[Position]
    after: list[list[int]]
    owner: list[int]
    reasons: dict[int, str]
    """Why the player cannot go on, for positions in which she cannot."""


def check_circuit(game: Game, data: bytes, player: int = SYSTEM) -> int:
    """Raise an error unless a circuit wins a game of synthesis; return the number of pairs.

    ``data`` is the content of an AIGER file, and ``player`` the one for whom it plays: 1 for the
    system, 0 for the environment. A circuit that does not win raises
    :class:`~zermelo.errors.CertificateError`. If labels of several edges hold together, whoever
    moves along them chooses, and the circuit wins if its player can choose such that she wins.

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
    if not isinstance(game, Game) or not hasattr(game.synthesis, "automaton"):
        raise InvalidOptionError(
            "expected a game of synthesis, read from a file in HOA with the headers Start: and "
            f"controllable-AP:, got {shown(game)}"
        )
    if not isinstance(data, bytes):
        raise InvalidOptionError(f"data: expected the bytes of an AIGER file, got {shown(data)}")
    one_of(player, "player", (ENVIRONMENT, SYSTEM), InvalidOptionError)
    try:
        follower = _Follower(game, data, player)
        product = follower.product()
        _check_plays(product, player, follower.condition)
    except (OverflowError, RecursionError):
        raise InvalidOptionError(
            "the circuit or the labels of the game are too complex for the check"
        ) from None
    return sum(isinstance(x, Pair) for x in product.positions)


class _Follower:
    """Follows all plays of a circuit in a game."""

    def __init__(self, game: Game, data: bytes, player: int) -> None:
        automaton = game.synthesis.automaton
        self.automaton, self.player, self.circuit = automaton, player, read_circuit(data)
        self.condition = Condition(automaton.formula)
        self.start = int(game.graph.index(game.start))
        if self.start not in automaton.states:
            raise InvalidOptionError(
                f"start: expected a state of the automaton, got position {shown(game.start)}"
            )
        system = set(automaton.controllable)
        self.mine = {
            x for x in range(automaton.propositions) if (x in system) == (player == SYSTEM)
        }
        rest = [x for x in range(automaton.propositions) if x not in self.mine]
        self.check_names("reads", self.circuit.inputs, [automaton.names[x] for x in rest])
        self.check_names("sets", self.circuit.outputs, [automaton.names[x] for x in self.mine])
        owners = automaton.player
        self.first = ENVIRONMENT if owners is None else owners[self.start]
        self.functions = Functions()
        self.read = {x: self.functions.variable(k) for k, x in enumerate(rest)}
        self.rounds: dict[int, Round] = {}
        self.known: dict[tuple[bool, ...], tuple[dict[str, int], list[int]]] = {}

    def check_names(self, verb: str, found: dict[str, int], expected: list[str]) -> None:
        """Condition 1."""
        if set(found) != set(expected):
            raise CertificateError(
                f"expected a circuit that {verb} {', '.join(sorted(expected)) or 'nothing'}, "
                f"this one {verb} {', '.join(sorted(found)) or 'nothing'}"
            )

    # ---------------------------------------------------------------- the game

    def round(self, s: int) -> Round:
        """What can happen in a round that begins in a state."""
        if s not in self.rounds:
            if self.automaton.player is None:
                self.rounds[s] = [(Edge(["t"], frozenset(), s), self.edges(s))]
            else:
                begun = self.edges(s)
                self.check_owner(s, self.first)
                for one in begun:
                    self.check_owner(one.target, 1 - self.first)
                self.rounds[s] = [(one, self.edges(one.target)) for one in begun]
        return self.rounds[s]

    def edges(self, s: int) -> list[Edge]:
        """The edges of a state; if labels are implicit, each edge belongs to one letter."""
        state, found = self.automaton.states[s], []
        for number, edge in enumerate(state.edges):
            label = edge.label if state.label is None else state.label
            if label is None:
                label = ["t"]
                for x in range(self.automaton.propositions):
                    label += [x, "&"] if number >> x & 1 else [x, "!", "&"]
            colours = self.condition.colours((*state.sets, *edge.sets))
            found.append(Edge(label, colours, edge.target))
        return found

    def check_owner(self, s: int, owner: int) -> None:
        """The owner moves in a state, and the labels there are about her propositions."""
        if self.automaton.player[s] != owner:
            raise CertificateError(
                "expected a game in which the players move in turn, but in state "
                f"{s} the {NAMES[1 - owner]} moves twice"
            )
        variables = {x: self.functions.variable(x) for x in range(self.automaton.propositions)}
        for edge in self.edges(s):
            support = self.functions.support(self.functions.formula(edge.label, variables))
            if any((x in self.mine) != (owner == self.player) for x in support):
                raise CertificateError(
                    f"expected labels about the propositions of the {NAMES[owner]} in state "
                    f"{s}, which belongs to it"
                )

    # ---------------------------------------------------------------- the product

    def product(self) -> Product:
        """All positions that occur, each pair with the choices of its rounds."""
        first = Pair(self.start, tuple(bool(x.first) for x in self.circuit.latches))
        positions: list[Position] = [first]
        number: dict[Position, int] = {first: 0}
        found = Product(positions, [], [], {})
        for k, here in enumerate(positions):
            owner, after = self.first, list[Position]()
            if isinstance(here, Pair):
                try:
                    after += self.choices(here)
                except CertificateError as error:
                    owner, found.reasons[k] = self.player, str(error)
            elif isinstance(here, Step):
                after.append(here.later)
            else:
                owner = 1 - self.first
                after += here
            for x in after:
                if x not in number:
                    number[x] = len(positions)
                    positions.append(x)
            found.owner.append(owner)
            found.after.append([number[x] for x in after])
            if isinstance(here, Pair):
                refusal = f"in {here} the circuit sets what the game does not allow: no edge fits"
                for x in [here] if not after else {frozenset[Step]()}.intersection(after):
                    found.reasons.setdefault(number[x], refusal)
        return found

    def choices(self, pair: Pair) -> list[Choice]:
        """What the first player of a round chooses from, in a pair; checks condition 2.

        The player who moves first chooses an edge. The opponent who moves first chooses his
        propositions and an edge.
        """
        outputs, after = self.behaviour(pair.latches)
        if self.first == self.player and any(f > TRUE for f in outputs.values()):
            raise CertificateError(
                f"expected that what the circuit sets in {pair} does not depend on what it reads: "
                f"the {NAMES[self.player]} chooses first"
            )
        given = {**self.read, **{x: outputs[self.automaton.names[x]] for x in self.mine}}
        edges = self.round(pair.state)
        labels = [x.label for one, then in edges for x in (one, *then)]
        roots = [*(self.functions.formula(x, given) for x in labels), *after]
        found: dict[Any, set[Step]] = {}
        for true in self.cases(roots):
            later = tuple(k in true for k in range(len(labels), len(roots)))
            at = 0
            for one, then in edges:
                if at in true:
                    chosen = at if self.first == self.player else (at, true)
                    found.setdefault(chosen, set()).update(
                        Step(one.colours | two.colours, Pair(two.target, later))
                        for k, two in enumerate(then, at + 1)
                        if k in true
                    )
                at += 1 + len(then)
        return list(dict.fromkeys(map(frozenset, found.values())))

    def behaviour(self, latches: tuple[bool, ...]) -> tuple[dict[str, int], list[int]]:
        """Outputs and next values of latches as functions of what the circuit reads."""
        if latches not in self.known:
            inputs = {self.automaton.names[x]: f for x, f in self.read.items()}
            self.known[latches] = evaluate(self.circuit, latches, inputs, self.functions)
        return self.known[latches]

    def cases(self, roots: list[int]) -> Iterator[frozenset[int]]:
        """For everything that the opponent can choose: which of these functions are true then."""
        first, halves = self.functions.first, self.functions.halves
        start = tuple((k, f) for k, f in enumerate(roots) if f != FALSE)
        seen, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            test = min((first(f) for _, f in here), default=NO_VARIABLE)
            if test == NO_VARIABLE:
                yield frozenset(k for k, _ in here)
                continue
            split = [(k, *halves(f, test)) for k, f in here]
            for half in (1, 2):
                left = tuple((x[0], x[half]) for x in split if x[half] != FALSE)
                if left not in seen:
                    seen.add(left)
                    waiting.append(left)
            if len(seen) > MAX_CASES:
                raise OverflowError


# -------------------------------------------------------------------- plays


def _check_plays(product: Product, player: int, condition: Condition) -> None:
    """Condition 3."""
    colours = [x.colours if isinstance(x, Step) else frozenset() for x in product.positions]
    arena = Arena(product.after, product.owner, colours, condition)
    stuck, endless = (found[1 - player] for found in arena.regions())
    if 0 in stuck:
        raise CertificateError(next(x for k, x in product.reasons.items() if k in stuck))
    if 0 in endless:
        cycles = arena.cycles(endless, 1 - player)
        place = min(k for k in cycles if isinstance(product.positions[k], Pair))
        chosen = any(len(x) > 1 for x, p in zip(product.after, product.owner, strict=True)
                     if p == player)  # fmt: skip
        raise CertificateError(
            f"the {NAMES[1 - player]} wins a play against the circuit: it goes round a cycle "
            f"through {product.positions[place]}"
            + (f", whichever of the edges that fit the {NAMES[player]} takes" if chosen else "")
        )
