"""The table of solvers: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.solvers``; each entry point names an object that is a row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from zermelo.errors import SolverError
from zermelo.registry.options import Flag, Names, Option, Whole
from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class SolverRow(Row):
    """A solver: ``target(graph, objective, progress, **options) -> Solution``.

    ``objectives`` are the keywords of the objectives that it solves; if empty, it solves all of its
    family. If ``takes_start``, the solver gets the keyword ``start``, the number of the start or
    None, and may solve only the positions that the start depends on.
    """

    family: str
    objectives: tuple[str, ...] = ()
    reference: str = ""
    complexity: str = ""
    alias: str = ""
    """The abbreviation that is usual in the literature."""
    options: tuple[Option, ...] = ()
    """The options that the solver takes."""
    takes_start: bool = False
    estimate: str = ""
    """A function ``(graph, objective) -> int`` of the bytes that solving takes, if there is one."""

    def applies_to(self, family: str, keyword: str) -> bool:
        """Whether this solver takes an objective."""
        return family == self.family and (not self.objectives or keyword in self.objectives)

    def option(self, name: str) -> Option:
        """The option of that name; for an unknown name the error lists the options.

        >>> SOLVERS["acyclic"].option("nodes").default is None
        True
        """
        for option in self.options:
            if option.name == name:
                return option
        others = [row.name for row in SOLVERS if any(x.name == name for x in row.options)]
        where = f"; these have it: {', '.join(others)}" if others else ""
        raise SolverError(
            f"solver {self.name!r} has no option {name!r}; {self.known_options}{where}"
        )

    @property
    def known_options(self) -> str:
        """A sentence about the options that the solver has."""
        if not self.options:
            return "it has none"
        names = ", ".join(option.name for option in self.options)
        return f"its {'option is' if len(self.options) == 1 else 'options are'} {names}"

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options that were given, as the solver gets them.

        >>> SOLVERS["zielonka"].check_options({"passes": "compress"})
        {'passes': ('compress',)}
        >>> SOLVERS["zielonka"].check_options({"nodes": 3})
        Traceback (most recent call last):
        zermelo.errors.SolverError: solver 'zielonka' has no option 'nodes'; its option is \
passes; these have it: geography, acyclic, symacyclic, geography-search
        """
        return {name: self.option(name).check(value) for name, value in given.items()}

    def load_estimate(self) -> Callable[..., int] | None:
        """The function that estimates how many bytes solving takes; None if there is none."""
        return self.attribute(self.estimate) if self.estimate else None


QUOTIENT = Flag(
    "quotient",
    "Solve the coarsest bisimulation quotient, and lift its answers back.",
    False,
)
PASSES = Names(
    "passes",
    "Simplify the game before it is solved, by these passes in their order.",
    (),
    of="passes",
)
NODES = Whole(
    "nodes",
    "Search at most this many nodes; positions that are not decided then have no label.",
)
THREADS = Whole(
    "threads",
    "Use at most this many threads; by default all cores, or ZERMELO_THREADS.",
    least=1,
    most=1024,
)
WORKLIST = Flag(
    "worklist",
    "Look again only at the predecessors of positions that were decided, not at all positions.",
    False,
)

_terminal = partial(SolverRow, family="terminal", options=(QUOTIENT,))
_parity = partial(
    SolverRow,
    family="parity",
    options=(PASSES,),
    estimate="zermelo.solvers.infinite.frame:estimate_game",
)
_quantitative = partial(
    SolverRow, family="quantitative", estimate="zermelo.solvers.quantitative.frame:estimate_game"
)
_geography = partial(SolverRow, family="geography", options=(NODES,), takes_start=True)

SOLVERS: Table[SolverRow] = Table(
    "solver",
    "zermelo.solvers",
    (
        _terminal(
            "retrograde",
            "one backward wave with out-degree counters, for every terminal-payoff game",
            "zermelo.solvers.terminal.retrograde:solve",
            reference="Loewe2004 §4, GamesOnGraphs §6",
            complexity="O(V + E + k log k)",
            options=(QUOTIENT, THREADS),
            estimate="zermelo.solvers.terminal.retrograde:estimate_game",
        ),
        _terminal(
            "fraenkel-levy",
            "the Fraenkel–Lévy labelling, round by round",
            "zermelo.solvers.terminal.fraenkel_levy:solve",
            objectives=("normal",),
            reference="Loewe2004 §4",
            complexity="O(V + E)",
        ),
        _terminal(
            "nmfl",
            "the non-monotone Fraenkel–Lévy bilabelling of the asymmetric game",
            "zermelo.solvers.terminal.nmfl:solve",
            objectives=("asymmetric",),
            reference="Loewe2004 Figure 3",
            complexity="O(V + E²)",
        ),
        _terminal(
            "nmfl-cap",
            "NMFL with sets of positions by label: no call looks at all successors",
            "zermelo.solvers.terminal.nmfl_cap:solve",
            objectives=("asymmetric",),
            reference="Loewe2004 §4",
            complexity="O(V + E)",
        ),
        _terminal(
            "depth-first",
            "depth-first search with a table of results, for games without cycles",
            "zermelo.solvers.terminal.depth_first:solve",
            reference="GamesOnGraphs §5, §10",
            complexity="O(V + E)",
        ),
        _terminal(
            "rescan",
            "the rules applied to all positions, until nothing changes",
            "zermelo.solvers.terminal.rescan:solve",
            reference="GamesOnGraphs §3.2, §6.1",
            complexity="O(V · (V + E))",
            options=(QUOTIENT, WORKLIST),
        ),
        _terminal(
            "components",
            "a backward wave in each strong component, after those that it leads to",
            "zermelo.solvers.terminal.components:solve",
            reference="GamesOnGraphs §5.2",
            complexity="O(V + E log E)",
        ),
        _parity(
            "buchi",
            "repeated attractors, each computed from the one before",
            "zermelo.solvers.infinite.buchi:solve",
            objectives=("buchi", "co-buchi"),
            reference="GamesOnGraphs §8",
            complexity="O(V · E)",
        ),
        _parity(
            "buchi-classical",
            "repeated attractors, each computed from the start",
            "zermelo.solvers.infinite.buchi:solve_classical",
            objectives=("buchi", "co-buchi"),
            reference="GamesOnGraphs §8",
            complexity="O(V · E)",
        ),
        _parity(
            "portfolio",
            "decides loops, then runs zielonka; if that takes long, in turns with tangle learning",
            "zermelo.solvers.infinite.portfolio:solve",
            reference="Zielonka1998, DijkTangles2018",
            complexity="that of the faster of the two",
        ),
        _parity(
            "zielonka",
            "Zielonka's recursive algorithm, without the recursion",
            "zermelo.solvers.infinite.zielonka:solve",
            reference="Zielonka1998",
            complexity="O(V^d · E)",
            alias="zlk",
        ),
        _parity(
            "progress-measures",
            "small progress measures of both players, lifted in turns",
            "zermelo.solvers.infinite.progress_measures:solve",
            reference="Jurdzinski2000",
            complexity="O(d · E · (V / ⌊d/2⌋)^⌊d/2⌋)",
            alias="spm",
        ),
        _parity(
            "quasi-polynomial",
            "succinct progress measures of both players, lifted in turns",
            "zermelo.solvers.infinite.quasi_polynomial:solve",
            reference="JurdzinskiLazic2017",
            complexity="V^O(log d)",
            alias="qpt",
        ),
        _parity(
            "strategy-improvement",
            "all switches at once, on plays that player 0 may stop",
            "zermelo.solvers.infinite.strategy_improvement:solve",
            reference="VogeJurdzinski2000, Fearnley2017",
            complexity="O(d · E) for each round, exponentially many rounds",
            alias="si",
        ),
        _parity(
            "fixpoint",
            "fixpoint iteration that recomputes only what depends on a change",
            "zermelo.solvers.infinite.fixpoint:solve",
            reference="VanDijkRubbens2019, LapauwEtAl2020",
            complexity="exponential; often O(V + E)",
            alias="fpj",
        ),
        _parity(
            "priority-promotion",
            "merges regions into higher ones until one is a dominion, and keeps the other regions",
            "zermelo.solvers.infinite.priority_promotion:solve",
            reference="BenerecettiEtAl2018, BenerecettiEtAl2016",
            complexity="exponential; often O(V + E)",
            alias="pp",
        ),
        _parity(
            "tangle-learning",
            "regions that attract whole tangles, which are found in bottom strong components",
            "zermelo.solvers.infinite.tangle_learning:solve",
            reference="DijkTangles2018",
            complexity="exponential; often O(V + E)",
            alias="tl",
        ),
        SolverRow(
            "zielonka-tree",
            "a parity game on pairs of a position and a leaf of the Zielonka tree",
            "zermelo.solvers.muller.muller:solve",
            family="muller",
            reference="CasaresEtAl2021, Zielonka1998",
            complexity="a parity game of V · L positions, L leaves",
            estimate="zermelo.solvers.muller.muller:estimate",
        ),
        SolverRow(
            "latest-appearance-records",
            "a parity game on pairs of a position and a list of the colours by their last visit",
            "zermelo.solvers.muller.muller:solve_by_records",
            family="muller",
            reference="GurevichHarrington1982, GamesOnGraphs §11.3",
            complexity="a parity game of V · k! positions, k colours",
            alias="lar",
            estimate="zermelo.solvers.muller.muller:estimate_records",
        ),
        _quantitative(
            "fast-value-iteration",
            "credits raised by whole ways that player 1 can force, all ways at once",
            "zermelo.solvers.quantitative.fast_value_iteration:solve",
            objectives=("energy", "mean-payoff"),
            reference="CadilhacCasaresOhlmann2023",
            complexity="O(V · W) rounds of O(E + V log V)",
            alias="fvi",
        ),
        _quantitative(
            "energy-strategy-improvement",
            "all switches at once, on plays that player 1 may stop",
            "zermelo.solvers.quantitative.strategy_improvement:solve",
            objectives=("energy", "mean-payoff"),
            reference="BjorklundVorobyov2007",
            complexity="O(E + V log V) for each round, exponentially many rounds",
            alias="esi",
        ),
        _quantitative(
            "value-iteration",
            "credits raised move by move, with a worklist",
            "zermelo.solvers.quantitative.value_iteration:solve",
            objectives=("energy", "mean-payoff"),
            reference="BrimEtAl2011",
            complexity="O(V · E · W)",
            alias="evi",
        ),
        _quantitative(
            "discounted-strategy-improvement",
            "all switches at once; floating point first, exact fractions decide",
            "zermelo.solvers.quantitative.discounted:solve",
            objectives=("discounted",),
            reference="HansenMiltersenZwick2013",
            complexity="O(E log V / (1 − discount)) rounds of O(E)",
            alias="dsi",
        ),
        _quantitative(
            "shortest-path-iteration",
            "reach, an energy game for the values of −∞, then value iteration from above",
            "zermelo.solvers.quantitative.shortest_path:solve",
            objectives=("shortest-path",),
            reference="BrihayeEtAl2017",
            complexity="O(V² · E · W)",
        ),
        _geography(
            "geography",
            "the strongest method for each strong component; the rest is searched",
            "zermelo.solvers.geography.components:solve",
            reference="EdmondsGurvich2010",
            complexity="exponential in the largest component without symmetry",
        ),
        _geography(
            "acyclic",
            "the kernel of a graph without cycles",
            "zermelo.solvers.geography.acyclic:solve",
            reference="EdmondsGurvich2010 §2.1",
            complexity="O(V + E)",
        ),
        _geography(
            "symacyclic",
            "a maximum matching in each strong component, if all are symmetric",
            "zermelo.solvers.geography.symacyclic:solve",
            objectives=("no-return", "return", "no-repetition", "repetition"),
            reference="EdmondsGurvich2010 §3.4",
            complexity="that of maximum matching",
        ),
        _geography(
            "geography-search",
            "search with a table of situations in each strong component",
            "zermelo.solvers.geography.search:solve",
            reference="EdmondsGurvich2010 §2.3",
            complexity="exponential",
        ),
    ),
)


def choose_solver(objective: Any, name: str = "auto") -> SolverRow:
    """The row of a solver for an objective: the one named, or the first that applies.

    >>> import zermelo as zm
    >>> choose_solver(zm.NormalPlay()).name
    'retrograde'
    """
    family, keyword = objective.family, objective.keyword
    if isinstance(name, str) and name == "auto":
        for row in SOLVERS:
            if row.applies_to(family, keyword):
                return row
        raise SolverError(f"no solver is known for {keyword!r} games")
    row = SOLVERS[name]
    if not row.applies_to(family, keyword):
        fitting = ", ".join(r.name for r in SOLVERS if r.applies_to(family, keyword))
        raise SolverError(f"solver {name!r} does not solve {keyword!r} games; these do: {fitting}")
    return row
