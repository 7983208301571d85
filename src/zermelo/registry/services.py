"""The table of functions that records such as solutions call by name, to be written or drawn.

Formats and drawing import solutions, so solutions must not import them. Solutions find their
functions in this table, which imports a module only when its function is used.
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
            "a game of return that starts at a position",
            "zermelo.solvers.geography._settle:settle",
        ),
        Row(
            "geography-strategy",
            "a strategy that plays a game of return",
            "zermelo.solvers.geography.strategy:GeographyStrategy",
        ),
        Row("explain", "why a position has its answer", "zermelo.trace.front:explain"),
        Row("graph-picture", "a small graph as SVG", "zermelo.draw.notebook:graph_svg"),
        Row("graph-page", "a graph or a game as HTML", "zermelo.draw.notebook:graph_page"),
        Row("solution-picture", "a small solution as SVG", "zermelo.draw.notebook:solution_svg"),
        Row(
            "explore-solution",
            "the Graph room of a solution, as a widget",
            "zermelo.web.notebook:explore_solution",
        ),
        Row(
            "explore-thermograph",
            "an interactive thermograph, as a widget",
            "zermelo.web.notebook:explore_thermograph",
        ),
        Row(
            "play-solved",
            "the Play room of a solved game, as a widget",
            "zermelo.web.notebook:play_solved",
        ),
    ),
)
