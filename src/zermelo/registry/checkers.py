"""The table of checkers that solutions call: one row for each kind of certificate.

A solution is data and stands below its checker, so it finds the checker here.
"""

from zermelo.registry.table import Row, Table

CHECKERS: Table[Row] = Table(
    "checker",
    "zermelo.checkers",
    (
        Row("terminal", "values and distances", "zermelo.verify.terminal:check_terminal"),
        Row("parity", "positional strategies", "zermelo.verify.parity:check_parity"),
        Row("muller", "strategies with memory", "zermelo.verify.muller:check_muller"),
        Row("geography", "labels in pieces", "zermelo.verify.geography:check_geography"),
        Row("geography-rest", "what is left of a graph", "zermelo.verify.geography:check_rest"),
        Row("array", "shape and type of an array", "zermelo.verify.kernel:check_array"),
        Row("geography-entries", "labels of a file", "zermelo.verify.geography:check_entries"),
    ),
)
