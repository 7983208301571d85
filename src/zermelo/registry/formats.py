"""The table of formats: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.formats``; each entry point names an object that is a row.
"""

from dataclasses import dataclass

from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class FormatRow(Row):
    """A file format: ``target`` is a module of pure functions between bytes and games.

    A format that holds a ``graph`` has ``read_graph(data) -> Graph | (Graph, Objective) | Game``
    and ``write_graph(graph, objective | None) -> bytes``; if it holds a ``start``, this function
    also takes ``start=``, the number of a position, and if it holds ``impartial``, it takes
    ``impartial=``. If it holds ``weights`` of moves, it takes ``weight=``, and if it holds
    ``quantitative``, it stores the objectives of games with weights, but no others. A format that
    holds a ``solution`` has ``read_solution(data, graph) -> Solution`` and
    ``write_solution(solution) -> bytes``. ``holds`` also lists whether it stores ``names``,
    ``owner``, ``objective`` and where a tree was ``cut``, and in solutions ``machines``, the
    strategies with memory of Muller games. One that holds an ``answer`` (Grundy values, a matching,
    …) has ``read_answer(data, game)``, which also reads solutions, and ``write_answer(answers) ->
    bytes``. ``magic`` is a pattern of the beginnings of files; the first format without one is the
    default of its kind.
    ``games`` names the family of games if the format is for one family only; if such a format holds
    solutions, its ``read_solution`` takes the objective of the game as a third argument.
    """

    suffixes: tuple[str, ...]
    holds: tuple[str, ...] = ("graph",)
    magic: str = ""
    extra: str = ""
    games: str = ""


FORMATS: Table[FormatRow] = Table(
    "format",
    "zermelo.formats",
    (
        FormatRow(
            "edgelist",
            "one move on each line, as two names, with its weight if it has one",
            "zermelo.formats.edge_list",
            suffixes=(".txt", ".edges", ".edgelist", ".el"),
            holds=("graph", "names", "owner", "start", "weights", "quantitative"),
        ),
        FormatRow(
            "json",
            "games and solutions, complete",
            "zermelo.formats.json_file",
            suffixes=(".json",),
            holds=(
                "graph",
                "names",
                "owner",
                "objective",
                "start",
                "weights",
                "impartial",
                "cut",
                "solution",
                "machines",
                "answer",
            ),
            magic=r"\{",
        ),
        FormatRow(
            "dot",
            "the language of Graphviz",
            "zermelo.formats.dot",
            suffixes=(".dot", ".gv"),
            holds=("graph", "names", "owner", "start", "weights", "quantitative"),
            magic=r"(strict\s+)?(di)?graph\b[^{\n]*\s*\{|//|/\*",
        ),
        FormatRow(
            "graphml",
            "the XML of yEd, Gephi and networkx",
            "zermelo.formats.graphml",
            suffixes=(".graphml",),
            holds=("graph", "names", "owner", "start", "weights", "quantitative"),
            magic="<",
        ),
        FormatRow(
            "mtx",
            "Matrix Market: the adjacency matrix by its entries",
            "zermelo.formats.matrix_market",
            suffixes=(".mtx",),
            holds=("graph", "weights"),
            magic="%%MatrixMarket",
        ),
        FormatRow(
            "npz",
            "NumPy archive: the graph's own arrays",
            "zermelo.formats.binary.npz",
            suffixes=(".npz",),
            holds=("graph", "names", "owner", "objective", "start", "weights", "solution"),
            magic="PK",
        ),
        FormatRow(
            "parquet",
            "Parquet: one row for each move, or for each situation",
            "zermelo.formats.binary.parquet",
            suffixes=(".parquet",),
            holds=("graph", "names", "owner", "objective", "start", "weights", "solution"),
            magic="PAR1",
            extra="parquet",
        ),
        FormatRow(
            "csv",
            "solutions as a readable table",
            "zermelo.formats.csv_table",
            suffixes=(".csv",),
            holds=("solution",),
        ),
        FormatRow(
            "pgsolver",
            "PGSolver's parity games",
            "zermelo.formats.pgsolver",
            suffixes=(".pg", ".gm"),
            holds=("graph", "names", "owner", "objective", "start"),
            magic=r'parity\s+\d+\s*;|start\s+\d+\s*;|\d+\s+\d+\s+[01]\b[\d,\s]*("[^"]*"\s*)?;',
            games="parity",
        ),
        FormatRow(
            "sol",
            "PGSolver's solutions of parity games",
            "zermelo.formats.pgsolver",
            suffixes=(".sol",),
            holds=("solution",),
            magic=r"paritysol\b|\d+\s+[01](\s+\d+)?\s*;",
            games="parity",
        ),
        FormatRow(
            "hoa",
            "games and automata of synthesis in the Hanoi Omega-Automata format",
            "zermelo.formats.hoa.game",
            suffixes=(".hoa", ".ehoa"),
            holds=("graph", "names", "owner", "objective", "start"),
            magic=r"HOA\s*:",
            games="parity",
        ),
    ),
)
