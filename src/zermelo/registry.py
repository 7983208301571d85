"""The tables of solvers, formats and generators: adding one is one new file and one row here.

Nothing named in a row is imported before it is used. Other packages add rows through the entry
points ``zermelo.solvers``, ``zermelo.formats`` and ``zermelo.generators``: each names an object
that is a row.
"""

from dataclasses import dataclass
from typing import Any

from zermelo._table import Row, Table, unknown

__all__ = [
    "FORMATS",
    "GENERATORS",
    "SOLVERS",
    "FormatRow",
    "GeneratorRow",
    "Row",
    "SolverRow",
    "Table",
    "unknown",
]


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


@dataclass(frozen=True)
class FormatRow(Row):
    """A file format: ``target`` is a module of pure functions between bytes and games.

    A format that holds a ``graph`` has ``read_graph(data) -> Graph | (Graph, Objective)`` and
    ``write_graph(graph, objective | None) -> bytes``; one that holds a ``solution`` has
    ``read_solution(data, graph) -> Solution`` and ``write_solution(solution) -> bytes``. ``holds``
    also says whether there is room for ``names``, ``owner`` and ``objective``, and in solutions for
    ``machines``, the strategies with memory of Muller games. ``magic`` is a pattern of how files
    begin; the first format without one is the default of its kind. A format for one family of games
    only says so in ``games``; where it holds solutions, its ``read_solution`` takes the game's
    objective as a third argument.
    """

    suffixes: tuple[str, ...]
    holds: tuple[str, ...] = ("graph",)
    magic: str = ""
    extra: str = ""
    games: str = ""

    def module(self) -> Any:
        """Import and return the format's module."""
        return self.imported(self.target)


@dataclass(frozen=True)
class GeneratorRow(Row):
    """A family of graphs: ``target(**parameters) -> Graph``; the signature has the parameters.

    A family of games gives pairs ``(Graph, Objective)`` and says the keyword of its ``objective``.
    """

    objective: str = ""


def _parity_family(name: str, summary: str) -> GeneratorRow:
    """A family of parity games in a file and a function of its own name."""
    word = name.replace("-", "_")
    return GeneratorRow(name, summary, f"zermelo.generators.{word}:{word}", "parity")


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

FORMATS: Table[FormatRow] = Table(
    "format",
    "zermelo.formats",
    (
        FormatRow(
            "edgelist",
            "a move a line, as two names",
            "zermelo.formats.edge_list",
            suffixes=(".txt", ".edges", ".edgelist", ".el"),
            holds=("graph", "names", "owner"),
        ),
        FormatRow(
            "json",
            "games and solutions, nothing left out",
            "zermelo.formats.json_file",
            suffixes=(".json",),
            holds=("graph", "names", "owner", "objective", "solution", "machines"),
            magic=r"\{",
        ),
        FormatRow(
            "dot",
            "the language of Graphviz",
            "zermelo.formats.dot",
            suffixes=(".dot", ".gv"),
            holds=("graph", "names", "owner"),
            magic=r"(strict\s+)?(di)?graph\b[^{\n]*\s*\{|//|/\*",
        ),
        FormatRow(
            "graphml",
            "the XML of yEd, Gephi and networkx",
            "zermelo.formats.graphml",
            suffixes=(".graphml",),
            holds=("graph", "names", "owner"),
            magic="<",
        ),
        FormatRow(
            "mtx",
            "Matrix Market: the adjacency matrix by its entries",
            "zermelo.formats.matrix_market",
            suffixes=(".mtx",),
            magic="%%MatrixMarket",
        ),
        FormatRow(
            "npz",
            "NumPy archive: the graph's own arrays",
            "zermelo.formats.npz",
            suffixes=(".npz",),
            holds=("graph", "names", "owner", "objective", "solution"),
            magic="PK",
        ),
        FormatRow(
            "parquet",
            "Parquet: a row a move, or a row a situation",
            "zermelo.formats.parquet",
            suffixes=(".parquet",),
            holds=("graph", "names", "owner", "objective", "solution"),
            magic="PAR1",
            extra="parquet",
        ),
        FormatRow(
            "csv",
            "solutions as a table that people read",
            "zermelo.formats.csv_table",
            suffixes=(".csv",),
            holds=("solution",),
        ),
        FormatRow(
            "pgsolver",
            "PGSolver's parity games",
            "zermelo.formats.pgsolver",
            suffixes=(".pg", ".gm"),
            holds=("graph", "names", "owner", "objective"),
            magic=r'parity\s+\d+\s*;|start\s+\d+\s*;|\d+\s+\d+\s+[01]\b[\d,\s]*("[^"]*"\s*)?;',
            games="parity",
        ),
        FormatRow(
            "sol",
            "PGSolver's solutions of parity games",
            "zermelo.formats.pg_solution",
            suffixes=(".sol",),
            holds=("solution",),
            magic=r"paritysol\b|\d+\s+[01](\s+\d+)?\s*;",
            games="parity",
        ),
        FormatRow(
            "hoa",
            "games and automata of synthesis in the Hanoi Omega-Automata format",
            "zermelo.formats.hoa",
            suffixes=(".hoa", ".ehoa"),
            holds=("graph", "names", "owner", "objective"),
            magic=r"HOA\s*:",
            games="parity",
        ),
    ),
)

GENERATORS: Table[GeneratorRow] = Table(
    "generator",
    "zermelo.generators",
    (
        GeneratorRow(
            "random",
            "random digraphs; out-degrees by a law, distinct targets",
            "zermelo.generators.random:random_graph",
        ),
        GeneratorRow(
            "path",
            "a path, one way or both",
            "zermelo.generators.path:path",
        ),
        GeneratorRow(
            "cycle",
            "a cycle, one way or both",
            "zermelo.generators.cycle:cycle",
        ),
        GeneratorRow(
            "tree",
            "the complete b-ary tree, moves away from the root",
            "zermelo.generators.tree:tree",
        ),
        GeneratorRow(
            "random-tree",
            "random recursive trees, moves away from the root",
            "zermelo.generators.tree:random_tree",
        ),
        GeneratorRow(
            "grid",
            "a piece on a board or torus: forward, orthogonal, king, knight, rook",
            "zermelo.generators.grid:grid",
        ),
        GeneratorRow(
            "layered",
            "layers with near moves, like board games that advance; cyclic with back=",
            "zermelo.generators.layered:layered",
        ),
        GeneratorRow(
            "star",
            "a root with n terminals, quadratic for NMFL",
            "zermelo.generators.star:star",
        ),
        GeneratorRow(
            "complete",
            "every move there can be",
            "zermelo.generators.complete:complete",
        ),
        GeneratorRow(
            "digraph",
            "the digraph whose adjacency matrix has the bits of a number",
            "zermelo.generators.digraph:digraph",
        ),
        GeneratorRow(
            "sat",
            "a CNF as a game of no return that the beginner wins iff it is satisfiable",
            "zermelo.generators.sat_gadget:sat_gadget",
        ),
        _parity_family("parity-random", "random parity games"),
        _parity_family("steady", "random parity games of bounded in- and out-degree"),
        _parity_family("clustered", "random parity games in clusters within clusters"),
        _parity_family("ladder", "two rails, climbed for ever"),
        _parity_family("recursive-ladder", "Friedmann's games against Zielonka's algorithm"),
        _parity_family("model-checker-ladder", "one player, many priorities"),
        _parity_family("jurdzinski", "Jurdziński's games against small progress measures"),
        _parity_family("hanoi", "the towers of Hanoi"),
        _parity_family("elevator", "the verification of an elevator, fair or not"),
        _parity_family("clique", "every move there can be, every position its own priority"),
        _parity_family("two-counters", "van Dijk's games against solvers that attract"),
        _parity_family("recursive-dull", "loops beside a chain, against Zielonka's algorithm"),
        _parity_family("gazda", "Gazda's games against Zielonka's algorithm"),
        _parity_family("worst-core", "games against divide and conquer, plain and robust"),
        _parity_family("region-recovery", "games against priority promotion, region recovery"),
        _parity_family("delayed-promotion", "games against priority promotion, delayed"),
        _parity_family("ordered-progress", "games against ordered progress measures"),
        _parity_family("switch-all", "Friedmann's games against strategy improvement"),
    ),
)
