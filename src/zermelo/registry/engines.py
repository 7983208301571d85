"""The table of engines: where a game is solved."""

from dataclasses import dataclass

from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class EngineRow(Row):
    """An engine; its function takes a graph, an objective, a progress report and ``options``."""

    options: tuple[str, ...] = ()
    """The keywords of :func:`zermelo.solve` that it takes."""


ENGINES: Table[EngineRow] = Table(
    "engine",
    "zermelo.engines",
    (
        EngineRow("memory", "in memory, with any solver", "zermelo.engines.choose:in_memory"),
        EngineRow(
            "disk",
            "on one machine within a budget of memory; the rest is in files",
            "zermelo.engines.run:solve_on_disk",
            options=("memory", "partitions", "workdir"),
        ),
        EngineRow(
            "dask",
            "on the workers of a Dask scheduler, which share a directory",
            "zermelo.engines.on_cluster:solve_on_cluster",
            options=("memory", "partitions", "scheduler", "workdir"),
        ),
    ),
)
