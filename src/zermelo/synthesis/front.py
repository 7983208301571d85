"""``synthesize(game)``: whether a specification is realizable, and the machine that shows it."""

import functools
from dataclasses import dataclass, field
from typing import Any

from zermelo._inputs.values import flag
from zermelo._runtime.files import PathLike
from zermelo._runtime.progress import Progress, reporting
from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.registry import choose_solver
from zermelo.registry.checkers import CHECKERS
from zermelo.solutions.base import Solution
from zermelo.synthesis.build import SYSTEM, machine_of, specification_of
from zermelo.synthesis.mealy import MealyMachine
from zermelo.synthesis.minimize import minimized


@dataclass(frozen=True, eq=False, repr=False)
class Synthesis:
    """A solved game of synthesis: the winner from the start, with a machine that wins.

    >>> import io, zermelo as zm
    >>> game = zm.read(io.BytesIO(b'''HOA: v1 States: 1 Start: 0 AP: 2 "request" "grant"
    ... controllable-AP: 1 Acceptance: 1 Fin(0) --BODY-- State: 0 [!0|1] 0 [0&!1] 0 {0} --END--'''))
    >>> s = zm.synthesize(game, "zielonka")
    >>> s
    Synthesis(REALIZABLE by zielonka)
    >>> s.machine
    MealyMachine(1 state, 1 input, 1 output)
    >>> s.verify().machine.step(0, ["request"])
    (frozenset({'grant'}), 0)
    """

    game: Game
    solution: Solution
    """The solution of the whole game."""
    minimize: bool = field(default=True, kw_only=True)
    """Whether bisimilar states of the machine are merged."""

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game):
            raise InvalidOptionError(f"game: expected a Game, got {type(self.game).__name__}")
        specification_of(self.game)
        if not isinstance(self.solution, Solution) or self.solution.graph != self.game.graph:
            raise InvalidOptionError("solution: expected a solution of the game")
        flag(self.minimize, "minimize")

    def __repr__(self) -> str:
        verdict = "REALIZABLE" if self.realizable else "UNREALIZABLE"
        return f"Synthesis({verdict} by {self.solution.solver})"

    def __bool__(self) -> bool:
        return self.realizable

    @property
    def winner(self) -> int:
        """1 if the system wins from the start, 0 if the environment does."""
        return int(self.solution.winner[self.game.graph.index(self.game.start)])

    @property
    def realizable(self) -> bool:
        """Whether the system wins from the start."""
        return self.winner == SYSTEM

    @functools.cached_property
    def unminimized(self) -> MealyMachine:
        """The machine with a state for each state of the game that the winner's strategy reaches,
        and for each memory of the strategy there."""
        return machine_of(self.game, self.solution)

    @functools.cached_property
    def machine(self) -> MealyMachine:
        """The winner's machine: a controller, or if there is none a strategy of the environment."""
        return minimized(self.unminimized) if self.minimize else self.unminimized

    def verify(self) -> "Synthesis":
        """Check the machine's circuit against the game.

        The circuit is written as AIGER text, and the checker reads that text. It shares no code
        with solvers, nor with what constructs and minimizes machines; only the reader of HOA is
        common. If the circuit does not win, this raises
        :class:`~zermelo.errors.CertificateError`.
        """
        self.check_circuit(self.machine.to("aag"))
        return self

    def check_circuit(self, data: bytes) -> int:
        """Check a circuit that plays for the winner; return the number of pairs of states."""
        pairs: int = CHECKERS["circuit"].load()(self.game, data, self.winner)
        return pairs

    def write(self, path: PathLike, format: str | None = None) -> None:
        """Write the machine: ``.aag .aig .hoa .dot .json .py .c``, by the suffix or ``format``."""
        self.machine.write(path, format)


def synthesize(
    game: Game,
    solver: str = "auto",
    *,
    minimize: bool = True,
    progress: Progress = None,
    **options: Any,
) -> Synthesis:
    """Decide whether a specification is realizable, and construct a machine that shows it.

    ``game`` is a game of synthesis, read from a file in HOA that has ``Start:`` and
    ``controllable-AP:``. The environment chooses the propositions that are not controllable, the
    system the others; the system wants the acceptance condition to hold. ``solver`` and ``options``
    are those of :func:`~zermelo.solve`. The machine is constructed when it is first asked for;
    ``minimize=False`` leaves bisimilar states apart.

    >>> import io, zermelo as zm
    >>> copy = zm.read(io.BytesIO(b'''HOA: v1 States: 1 Start: 0 AP: 2 "in" "out"
    ... controllable-AP: 1 Acceptance: 1 Fin(0)
    ... --BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--'''))
    >>> print(zm.synthesize(copy).verify().machine.to("aag").decode())
    aag 1 1 0 1 0
    2
    2
    i0 in
    o0 out
    <BLANKLINE>
    """
    if not isinstance(game, Game):
        raise InvalidOptionError(f"game: expected a Game, got {type(game).__name__}")
    flag(minimize, "minimize")
    specification_of(game)
    row = choose_solver(game.objective, solver)
    checked = row.check_options(options)
    with reporting(progress, "synthesize") as report:
        solution = row.load()(game.graph, game.objective, report, **checked)
    return Synthesis(game, solution, minimize=minimize)
