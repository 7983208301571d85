"""The table of objectives: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.objectives``; each entry point names an object that is a row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


def _terminal(
    name: str,
    summary: str,
    class_name: str,
    syntax: str = "",
    *,
    winners: bool = False,
    module: str = "terminal",
) -> ObjectiveRow:
    """A terminal-payoff game; ``module`` is the module of its class."""
    return ObjectiveRow(
        name,
        summary,
        f"zermelo.objectives.{module}:{class_name}",
        family="terminal",
        checker="zermelo.verify.terminal:check_terminal",
        claim="zermelo.solutions.claimed:claim_terminal",
        payoffs=True,
        winners=winners,
        distances=True,
        syntax=syntax,
    )


def _parity(name: str, summary: str, class_name: str, syntax: str) -> ObjectiveRow:
    """A parity game, or a game that is one."""
    return ObjectiveRow(
        name,
        summary,
        f"zermelo.objectives.infinite:{class_name}",
        family="parity",
        checker="zermelo.verify.infinite.parity:check_parity",
        players="own",
        winners=True,
        syntax=syntax,
    )


def _geography(name: str, summary: str, class_name: str, syntax: str = "") -> ObjectiveRow:
    """A game of return or of repetition."""
    return ObjectiveRow(
        name,
        summary,
        f"zermelo.objectives.geography:{class_name}",
        family="geography",
        checker="zermelo.verify.geography.geography:check_geography",
        players="alternate",
        claim="zermelo.solutions.claimed:claim_geography",
        strategies="past",
        continuation="zermelo.solvers.geography.strategy",
        syntax=syntax,
    )


def _quantitative(
    name: str, summary: str, class_name: str, checker: str, syntax: str
) -> ObjectiveRow:
    """A game in which moves have weights."""
    return ObjectiveRow(
        name,
        summary,
        f"zermelo.objectives.quantitative:{class_name}",
        family="quantitative",
        checker=f"zermelo.verify.quantitative.{checker}",
        claim="zermelo.solutions.claimed:claim_quantitative",
        winners=True,
        syntax=syntax,
    )


OBJECTIVES: Table[ObjectiveRow] = Table(
    "objective",
    "zermelo.objectives",
    (
        _terminal(
            "normal", "a player who cannot move loses; infinite play is a draw", "NormalPlay"
        ),
        _terminal("misere", "a player who cannot move wins; infinite play is a draw", "Misere"),
        _terminal(
            "asymmetric",
            "player 1 wins infinite play and loses when stuck; if player 0 is stuck, it is a draw",
            "Asymmetric",
        ),
        _terminal("g0", "normal play in which player 1 wins infinite play", "G0"),
        _terminal("g1", "normal play in which player 0 wins infinite play", "G1"),
        _terminal("h1", "player 0 wins when play ends, player 1 when it does not", "H1"),
        _terminal(
            "terminal-payoff",
            "every terminal pays a number, and so does infinite play",
            "TerminalPayoff",
            "terminal-payoff:x=3,y=1/2",
        ),
        _terminal(
            "reach",
            "a player wins when the token reaches one of some positions",
            "Reach",
            "reach:a,b",
            winners=True,
        ),
        _terminal(
            "safety",
            "a player wins when the token never leaves some positions",
            "Safety",
            "safety:a,b",
            winners=True,
        ),
        _terminal(
            "reach-avoid",
            "a player wins when the token reaches some positions, and none of others before",
            "ReachAvoid",
            "reach-avoid:a,b/c,d",
            winners=True,
            module="reach_avoid",
        ),
        _parity(
            "parity",
            "the highest priority that is seen infinitely often decides by its parity",
            "Parity",
            "parity:a=2,b=1",
        ),
        _parity(
            "buchi",
            "a player wins when one of some positions is seen infinitely often",
            "Buchi",
            "buchi:a,b",
        ),
        _parity(
            "co-buchi",
            "a player wins when some positions are seen only finitely often",
            "CoBuchi",
            "co-buchi:a,b",
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
            "Energy",
            "mean_payoff:check_energy",
            "energy[:capacity=10]",
        ),
        _quantitative(
            "mean-payoff",
            "player 0 gets the mean of the weights in the long run",
            "MeanPayoff",
            "mean_payoff:check_mean_payoff",
            "mean-payoff[:threshold=1/3]",
        ),
        _quantitative(
            "discounted",
            "player 0 gets the sum of the weights, each later one counting less",
            "Discounted",
            "discounted:check_discounted",
            "discounted[:9/10]",
        ),
        _quantitative(
            "shortest-path",
            "a player wants to reach a target, and the weights until then are summed up",
            "ShortestPath",
            "shortest_path:check_shortest_path",
            "shortest-path:a,b",
        ),
        _geography(
            "no-return",
            "no position occurs twice: a player without a move to a fresh position loses",
            "NoReturn",
            "no-return[:misere]",
        ),
        _geography(
            "return",
            "the player who first returns to a position wins; so does a player who is stuck",
            "Return",
        ),
        _geography(
            "no-repetition",
            "no move is made twice: a player without a fresh move loses",
            "NoRepetition",
            "no-repetition[:misere]",
        ),
        _geography(
            "repetition",
            "the player who first repeats a move wins; so does a player who is stuck",
            "Repetition",
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
