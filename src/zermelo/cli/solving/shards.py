"""``zermelo solve DIR --output DIR``: a game in shards, whose solution is written in shards."""

import json
from typing import Any

import click

import zermelo as zm
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.objective import Wish, asked_objective
from zermelo.cli.options import refuse
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, note
from zermelo.cli.solving.options import ENGINE_NAMES
from zermelo.registry import OBJECTIVES

REFUSED = (
    "start", "line", "explain", "player", "machine", "controller", "winners", "strategies",
    "limit", "everything", "verify", "to", "format_", "options", "passes", "nodes", "quotient",
)  # fmt: skip
"""Options for solutions in memory."""


def solve_directory(file: str, wish: Wish, given: dict[str, Any]) -> int:
    """Solve the game, write its solution, and show how many positions are won."""
    refuse(
        given, REFUSED,
        f"is for solutions in memory, and {given['output']} would be a directory of shards",
    )  # fmt: skip
    if given["engine"] not in (None, "disk", "dask"):
        raise click.UsageError("a solution in shards is written with --engine disk or dask")
    if given["solver"] not in ("auto", "retrograde"):
        raise click.UsageError("a solution in shards is that of the solver retrograde")
    objective = _objective(wish)
    engine = {name: given[name] for name in ENGINE_NAMES} | {"engine": given["engine"] or "disk"}
    with Meter() as meter, Deadline(given["timeout"], file, meter.close):
        solution = zm.solve_shards(file, given["output"], objective, progress=meter, **engine)
    note(f"wrote {given['output']}: {count(solution.manifest['positions'], 'position')}")
    if given["as_json"]:
        print(json.dumps({"output": given["output"], **solution.counts}))
    elif not given["quiet"]:
        for name, number in solution.counts.items():
            print(f"{name}\t{number}")
    return 0


def _objective(wish: Wish) -> "zm.Objective | None":
    """The objective that the command line asks for, if it needs no data."""
    keyword = asked_objective(wish)
    if keyword is None and wish == Wish():
        return None
    from zermelo.objectives.terminal import StuckPayoff

    kind: Any = OBJECTIVES[keyword].load() if keyword and keyword in OBJECTIVES else None
    if wish != Wish(objective=keyword) or kind is None or not issubclass(kind, StuckPayoff):
        raise click.UsageError(
            "a game in shards has the data of its objective in the shards; --objective can only "
            "name normal, misere, asymmetric, g0, g1 or h1"
        )
    found: zm.Objective = kind()
    return found
