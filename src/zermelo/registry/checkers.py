"""The table of checkers of parts of solutions.

The checkers of whole solutions are in the table of objectives. Modules of solutions do not import
checkers; they find them in these tables.
"""

from zermelo.registry.table import Row, Table

CHECKERS: Table[Row] = Table(
    "checker",
    "zermelo.checkers",
    (
        Row(
            "geography-rest",
            "the remaining part of a graph",
            "zermelo.verify.geography.geography:check_rest",
        ),
        Row("attractor", "an attractor", "zermelo.verify.infinite.attractor:check_attractor"),
        Row(
            "controller",
            "a permissive controller",
            "zermelo.verify.infinite.attractor:check_controller",
        ),
        Row("circuit", "a circuit of synthesis", "zermelo.verify.infinite.circuit:check_circuit"),
        Row(
            "plant-controller",
            "a controller of a plant",
            "zermelo.verify.infinite.control:check_plant_controller",
        ),
        Row("array", "shape and type of an array", "zermelo.verify.sums.kernel:check_array"),
        Row(
            "geography-entries",
            "labels of a file",
            "zermelo.verify.geography.geography:check_entries",
        ),
    ),
)
