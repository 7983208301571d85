"""The table of objectives: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.objectives``; each entry point names an object that is a row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from zermelo.errors import InvalidObjectiveError
from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class ObjectiveRow(Row):
    """An objective: ``target`` is a subclass of :class:`~zermelo.objectives.base.Objective`.

    ``name`` is its keyword: in files, after ``--objective`` and in ``objective.keyword``. Files
    store the data of its ``spec``, and its ``from_spec`` reads them.
    """

    family: str
    """The family of solvers that solve it; ``objective.family``."""
    checker: str
    """A function that raises CertificateError if a solution is wrong."""
    players: str = "either"
    """How the players move: they ``alternate``, they ``own`` positions, or ``either``."""
    claim: str = "zermelo.solutions.claimed:claim_parity"
    """A function ``(graph, objective, solver, arrays, start)`` that makes the solution which a file
    claims."""
    strategies: str = "position"
    """What a strategy depends on: the ``position``, also a ``memory``, or all of the ``past``."""
    payoffs: bool = False
    """Whether the objective has a ``terminal_form``: payoffs at the ends and of infinite play."""
    winners: bool = False
    """Whether one of the players wins everywhere: pictures are coloured by the winner."""
    distances: bool = False
    """Whether answers have distances, the number of moves to the end."""
    continuation: str = ""
    """A module that goes on after a history, for strategies that depend on all of the past:
    ``settle(graph, objective, start)`` solves what is left of a graph, and ``GeographyStrategy``
    is the class of strategies."""
    syntax: str = ""
    """The syntax on the command line, if it has more than the keyword: ``reach:a,b``. What stands
    after the colon is read by the class method ``from_text``."""

    def parse(self, data: Mapping[str, Any], graph: Any) -> Any:
        """The objective that a file describes."""
        kind: Any = self.load()
        return kind.from_spec(data, graph)

    def example(self, graph: Any, rng: Any) -> Any:
        """An objective of this kind with random data that fit a graph, for tests."""
        kind: Any = self.load()
        return kind.example(graph, rng)

    def load_checker(self) -> Callable[[Any], Any]:
        """The function that checks solutions."""
        return self.attribute(self.checker)

    def load_continuation(self) -> Any:
        """The module that goes on after a history."""
        return self.imported(self.continuation)

    def load_claim(self) -> Callable[..., Any]:
        """The function that makes the solution which a file claims."""
        return self.attribute(self.claim)


_terminal = partial(
    ObjectiveRow,
    family="terminal",
    checker="zermelo.verify.terminal:check_terminal",
    claim="zermelo.solutions.claimed:claim_terminal",
    payoffs=True,
    distances=True,
)
_parity = partial(
    ObjectiveRow,
    family="parity",
    checker="zermelo.verify.infinite.parity:check_parity",
    players="own",
    winners=True,
)
_geography = partial(
    ObjectiveRow,
    family="geography",
    checker="zermelo.verify.geography.geography:check_geography",
    players="alternate",
    claim="zermelo.solutions.claimed:claim_geography",
    strategies="past",
    continuation="zermelo.solvers.geography.strategy",
)
_quantitative = partial(
    ObjectiveRow,
    family="quantitative",
    claim="zermelo.solutions.claimed:claim_quantitative",
    winners=True,
)

OBJECTIVES: Table[ObjectiveRow] = Table(
    "objective",
    "zermelo.objectives",
    (
        _terminal(
            "normal",
            "a player who cannot move loses; infinite play is a draw",
            "zermelo.objectives.terminal:NormalPlay",
        ),
        _terminal(
            "misere",
            "a player who cannot move wins; infinite play is a draw",
            "zermelo.objectives.terminal:Misere",
        ),
        _terminal(
            "asymmetric",
            "player 1 wins infinite play and loses when stuck; if player 0 is stuck, it is a draw",
            "zermelo.objectives.terminal:Asymmetric",
        ),
        _terminal(
            "g0",
            "normal play in which player 1 wins infinite play",
            "zermelo.objectives.terminal:G0",
        ),
        _terminal(
            "g1",
            "normal play in which player 0 wins infinite play",
            "zermelo.objectives.terminal:G1",
        ),
        _terminal(
            "h1",
            "player 0 wins when play ends, player 1 when it does not",
            "zermelo.objectives.terminal:H1",
        ),
        _terminal(
            "terminal-payoff",
            "every terminal pays a number, and so does infinite play",
            "zermelo.objectives.terminal:TerminalPayoff",
            syntax="terminal-payoff:x=3,y=1/2",
        ),
        _terminal(
            "reach",
            "a player wins when the token reaches one of some positions",
            "zermelo.objectives.terminal:Reach",
            winners=True,
            syntax="reach:a,b",
        ),
        _terminal(
            "safety",
            "a player wins when the token never leaves some positions",
            "zermelo.objectives.terminal:Safety",
            winners=True,
            syntax="safety:a,b",
        ),
        _terminal(
            "reach-avoid",
            "a player wins when the token reaches some positions, and none of others before",
            "zermelo.objectives.reach_avoid:ReachAvoid",
            winners=True,
            syntax="reach-avoid:a,b/c,d",
        ),
        _parity(
            "parity",
            "the highest priority that is seen infinitely often decides by its parity",
            "zermelo.objectives.infinite:Parity",
            syntax="parity:a=2,b=1",
        ),
        _parity(
            "buchi",
            "a player wins when one of some positions is seen infinitely often",
            "zermelo.objectives.infinite:Buchi",
            syntax="buchi:a,b",
        ),
        _parity(
            "co-buchi",
            "a player wins when some positions are seen only finitely often",
            "zermelo.objectives.infinite:CoBuchi",
            syntax="co-buchi:a,b",
        ),
        ObjectiveRow(
            "muller",
            "the set of colours that are seen infinitely often decides",
            "zermelo.objectives.muller:Muller",
            family="muller",
            checker="zermelo.verify.infinite.muller:check_muller",
            players="own",
            winners=True,
            strategies="memory",
            syntax="'muller:Inf(0) & Fin(1)'",
        ),
        _quantitative(
            "energy",
            "player 0 wins when a credit plus the weights so far is never negative",
            "zermelo.objectives.quantitative:Energy",
            checker="zermelo.verify.quantitative.mean_payoff:check_energy",
            syntax="energy[:capacity=10]",
        ),
        _quantitative(
            "mean-payoff",
            "player 0 gets the mean of the weights in the long run",
            "zermelo.objectives.quantitative:MeanPayoff",
            checker="zermelo.verify.quantitative.mean_payoff:check_mean_payoff",
            syntax="mean-payoff[:threshold=1/3]",
        ),
        _quantitative(
            "discounted",
            "player 0 gets the sum of the weights, each later one counting less",
            "zermelo.objectives.quantitative:Discounted",
            checker="zermelo.verify.quantitative.discounted:check_discounted",
            syntax="discounted[:9/10]",
        ),
        _quantitative(
            "shortest-path",
            "a player wants to reach a target, and the weights until then are summed up",
            "zermelo.objectives.quantitative:ShortestPath",
            checker="zermelo.verify.quantitative.shortest_path:check_shortest_path",
            syntax="shortest-path:a,b",
        ),
        _geography(
            "no-return",
            "no position occurs twice: a player without a move to a fresh position loses",
            "zermelo.objectives.geography:NoReturn",
            syntax="no-return[:misere]",
        ),
        _geography(
            "return",
            "the player who first returns to a position wins; so does a player who is stuck",
            "zermelo.objectives.geography:Return",
        ),
        _geography(
            "no-repetition",
            "no move is made twice: a player without a fresh move loses",
            "zermelo.objectives.geography:NoRepetition",
            syntax="no-repetition[:misere]",
        ),
        _geography(
            "repetition",
            "the player who first repeats a move wins; so does a player who is stuck",
            "zermelo.objectives.geography:Repetition",
        ),
    ),
)


def objective_row(objective: Any) -> ObjectiveRow:
    """The row of an objective; for a class that has none, the first row of its family.

    >>> import zermelo as zm
    >>> objective_row(zm.Buchi([])).checker
    'zermelo.verify.infinite.parity:check_parity'
    """
    family, keyword = objective.family, objective.keyword
    row = OBJECTIVES.get(keyword)
    if row is None or row.family != family:
        row = next((row for row in OBJECTIVES if row.family == family), None)
    if row is None:
        raise InvalidObjectiveError(
            f"no objective of the family {family!r} is known; "
            "a package adds one by the entry point zermelo.objectives"
        )
    return row
