"""The table of engines: where a game is solved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class EngineRow(Row):
    """An engine; its function takes a graph, an objective, a progress report and ``options``."""

    options: tuple[str, ...] = ()
    """The keywords of :func:`zermelo.solve` that it takes."""
    tables: str = ""
    """Its function for tables, as ``module:attribute``; the memory has none."""

    def load_tables(self) -> Callable[..., Any]:
        """Import and return the function that makes the job of a table."""
        return self.attribute(self.tables)


ENGINES: Table[EngineRow] = Table(
    "engine",
    "zermelo.engines",
    (
        EngineRow("memory", "in memory, with any solver", "zermelo.engines.choose:in_memory"),
        EngineRow(
            "disk",
            "on one machine within a budget of memory; the rest is in files",
            "zermelo.engines.partitions.solve:solve_on_disk",
            options=("memory", "partitions", "workdir"),
            tables="zermelo.engines.tiers.build:table_on_disk",
        ),
        EngineRow(
            "dask",
            "on the workers of a Dask scheduler, which share a directory",
            "zermelo.engines.cluster.solve:solve_on_cluster",
            options=("memory", "partitions", "scheduler", "workdir"),
            tables="zermelo.engines.cluster.solve:table_on_cluster",
        ),
    ),
)


def engine_row(engine: str | None, settings: Mapping[str, Any]) -> EngineRow:
    """The row of an engine, by default of the memory; options that it does not take are refused.

    >>> engine_row("disk", {"partitions": 7}).name
    'disk'
    >>> engine_row(None, {"partitions": 7})
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: partitions: the engine 'memory' does not take this ...
    """
    chosen = ENGINES["memory" if engine is None else engine]
    for name in settings:
        if name not in chosen.options:
            takers = [other.name for other in ENGINES if name in other.options]
            raise InvalidOptionError(
                f"{name}: the engine {chosen.name!r} does not take this option; the engine "
                f"{takers[0]!r} does"
                if takers
                else f"{name}: no engine takes this option"
            )
    return chosen
