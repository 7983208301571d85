"""The table of the kinds of answer, other than solutions, that files hold; each has a class.

A class has ``_record()``, which gives the data of a file, and ``_from_record(fields, game)``, which
reads them for the game that they belong to.
"""

from zermelo.registry.table import Row, Table

ANSWERS: Table[Row] = Table(
    "kind of answer",
    "zermelo.answers",
    (
        Row("grundy", "Sprague–Grundy values of a graph", "zermelo.sums.grundy:Grundy"),
        Row("kernel", "the kernel of an acyclic graph", "zermelo.sums.kernel:Kernel"),
        Row("heap", "nim-values of a heap game", "zermelo.sums.heaps.heap:Heap"),
        Row(
            "misere-quotient",
            "the misère quotient of a heap game",
            "zermelo.sums.misere.quotient:MisereQuotient",
        ),
        Row("matching", "a maximum matching", "zermelo.matching.maximum:Matching"),
        Row(
            "gallai-edmonds",
            "the Gallai–Edmonds decomposition",
            "zermelo.matching.maximum:GallaiEdmonds",
        ),
        Row("partizan-graph", "values on a partizan graph", "zermelo.partizan.loopy.graph:Values"),
        Row(
            "partizan-values",
            "values of a partizan game's parts",
            "zermelo.partizan.positions:PartizanValues",
        ),
    ),
)
