"""What a record asks of rooms that stand above it, by name: to be written, to be drawn.

A solution is data, and the formats that write it and the pictures that show it know solutions. So
the solution asks this table, and nothing is imported before it is asked for.
"""

from zermelo.registry.table import Row, Table

SERVICES: Table[Row] = Table(
    "service",
    "zermelo.services",
    (
        Row("write", "write a game or an answer to a file", "zermelo.formats.front:write"),
        Row("open-table", "a table on disk", "zermelo.tables.table:Table"),
        Row(
            "geography-play",
            "a game of return from a position on",
            "zermelo.solvers.geography._settle:settle",
        ),
        Row(
            "geography-strategy",
            "a strategy that plays a game of return",
            "zermelo.solvers.geography.strategy:GeographyStrategy",
        ),
        Row("graph-picture", "a small graph as SVG", "zermelo.draw.notebook:graph_svg"),
        Row("solution-picture", "a small solution as SVG", "zermelo.draw.notebook:solution_svg"),
    ),
)
