"""The table of solvers: adding one is one new file and one row here.

Nothing named in a row is imported before it is used. Other packages add rows through the entry
point ``zermelo.solvers``; each names an object that is a row.
"""

from dataclasses import dataclass

from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class SolverRow(Row):
    """A solver: ``target(graph, objective, progress) -> Solution``.

    ``objectives`` are the keywords of the objectives it solves, all of its family if empty.
    """

    family: str
    objectives: tuple[str, ...] = ()
    reference: str = ""
    complexity: str = ""
    alias: str = ""
    """A short name, as the field abbreviates it."""

    def applies_to(self, family: str, keyword: str) -> bool:
        """Whether this solver takes an objective."""
        return family == self.family and (not self.objectives or keyword in self.objectives)


SOLVERS: Table[SolverRow] = Table(
    "solver",
    "zermelo.solvers",
    (
        SolverRow(
            "retrograde",
            "one backward wave with out-degree counters, for every terminal-payoff game",
            "zermelo.solvers.terminal.retrograde:solve",
            family="terminal",
            reference="Loewe2004 §4, GamesOnGraphs §6",
            complexity="O(V + E + k log k)",
        ),
        SolverRow(
            "fraenkel-levy",
            "the Fraenkel–Lévy labelling, round by round",
            "zermelo.solvers.terminal.fraenkel_levy:solve",
            family="terminal",
            objectives=("normal",),
            reference="Loewe2004 §4",
            complexity="O(V + E)",
        ),
        SolverRow(
            "nmfl",
            "the non-monotone Fraenkel–Lévy bilabelling of the asymmetric game",
            "zermelo.solvers.terminal.nmfl:solve",
            family="terminal",
            objectives=("asymmetric",),
            reference="Loewe2004 Figure 3",
            complexity="O(V + E²)",
        ),
        SolverRow(
            "buchi",
            "repeated attractors, each kept as far as it still holds",
            "zermelo.solvers.infinite.buchi:solve",
            family="parity",
            objectives=("buchi", "co-buchi"),
            reference="GamesOnGraphs §8",
            complexity="O(V · E)",
        ),
        SolverRow(
            "buchi-classical",
            "repeated attractors, each from nothing",
            "zermelo.solvers.infinite.buchi:solve_classical",
            family="parity",
            objectives=("buchi", "co-buchi"),
            reference="GamesOnGraphs §8",
            complexity="O(V · E)",
        ),
        SolverRow(
            "portfolio",
            "loops, then zielonka; where that takes long, in turns with tangle learning",
            "zermelo.solvers.infinite.portfolio:solve",
            family="parity",
            reference="Zielonka1998, DijkTangles2018",
            complexity="that of the better one",
        ),
        SolverRow(
            "zielonka",
            "Zielonka's recursive algorithm, without the recursion",
            "zermelo.solvers.infinite.zielonka:solve",
            family="parity",
            reference="Zielonka1998",
            complexity="O(V^d · E)",
            alias="zlk",
        ),
        SolverRow(
            "progress-measures",
            "small progress measures of both players, lifted in turns",
            "zermelo.solvers.infinite.progress_measures:solve",
            family="parity",
            reference="Jurdzinski2000",
            complexity="O(d · E · (V / ⌊d/2⌋)^⌊d/2⌋)",
            alias="spm",
        ),
        SolverRow(
            "quasi-polynomial",
            "succinct progress measures of both players, lifted in turns",
            "zermelo.solvers.infinite.quasi_polynomial:solve",
            family="parity",
            reference="JurdzinskiLazic2017",
            complexity="V^O(log d)",
            alias="qpt",
        ),
        SolverRow(
            "strategy-improvement",
            "all switches at once, on plays that player 0 may stop",
            "zermelo.solvers.infinite.strategy_improvement:solve",
            family="parity",
            reference="VogeJurdzinski2000, Fearnley2017",
            complexity="O(d · E) a round, exponentially many rounds",
            alias="si",
        ),
        SolverRow(
            "fixpoint",
            "fixpoint iteration that forgets only what rests on a change",
            "zermelo.solvers.infinite.fixpoint:solve",
            family="parity",
            reference="VanDijkRubbens2019, LapauwEtAl2020",
            complexity="exponential; often O(V + E)",
            alias="fpj",
        ),
        SolverRow(
            "priority-promotion",
            "regions merged upwards until one is a dominion; others are recovered",
            "zermelo.solvers.infinite.priority_promotion:solve",
            family="parity",
            reference="BenerecettiEtAl2018, BenerecettiEtAl2016",
            complexity="exponential; often O(V + E)",
            alias="pp",
        ),
        SolverRow(
            "tangle-learning",
            "regions that draw whole tangles, learned in their bottom components",
            "zermelo.solvers.infinite.tangle_learning:solve",
            family="parity",
            reference="DijkTangles2018",
            complexity="exponential; often O(V + E)",
            alias="tl",
        ),
        SolverRow(
            "zielonka-tree",
            "a parity game on pairs of a position and a leaf of the Zielonka tree",
            "zermelo.solvers.infinite.muller:solve",
            family="muller",
            reference="CasaresEtAl2021, Zielonka1998",
            complexity="a parity game of V · L positions, L leaves",
        ),
        SolverRow(
            "geography",
            "the strongest method for each strong component; the rest is searched",
            "zermelo.solvers.geography.components:solve",
            family="geography",
            reference="EdmondsGurvich2010",
            complexity="exponential in the largest component without symmetry",
        ),
        SolverRow(
            "acyclic",
            "the kernel of a graph without cycles",
            "zermelo.solvers.geography.acyclic:solve",
            family="geography",
            reference="EdmondsGurvich2010 §2.1",
            complexity="O(V + E)",
        ),
        SolverRow(
            "symacyclic",
            "a maximum matching in each strong component, if all are symmetric",
            "zermelo.solvers.geography.symacyclic:solve",
            family="geography",
            objectives=("no-return", "return", "no-repetition", "repetition"),
            reference="EdmondsGurvich2010 §3.4",
            complexity="that of maximum matching",
        ),
        SolverRow(
            "geography-search",
            "search with a table of situations in each strong component",
            "zermelo.solvers.geography.search:solve",
            family="geography",
            reference="EdmondsGurvich2010 §2.3",
            complexity="exponential",
        ),
    ),
)
