"""The table of checkers of parts of solutions; the table of objectives has those of the whole.

A solution is data and stands below its checkers, so it finds them here.
"""

from zermelo.registry.table import Row, Table

CHECKERS: Table[Row] = Table(
    "checker",
    "zermelo.checkers",
    (
        Row("geography-rest", "what is left of a graph", "zermelo.verify.geography:check_rest"),
        Row("array", "shape and type of an array", "zermelo.verify.kernel:check_array"),
        Row("geography-entries", "labels of a file", "zermelo.verify.geography:check_entries"),
    ),
)
