"""``zermelo info``: what a graph file holds, and which technique solves it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import FORMAT, JSON, SOURCE
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.errors import InvalidObjectiveError, MemoryLimitError
from zermelo.registry import choose_solver

if TYPE_CHECKING:
    from zermelo.transform.shape import Shape


@click.command()
@SOURCE
@FORMAT
@JSON
def command(file: str, format_: str | None, as_json: bool) -> None:
    """Show the size and shape of the graph in FILE, which technique solves the game, and the memory
    that solving it takes.

    GAME is a name from zermelo games, such as nim:3,4, or a Python file of rules. Then the graph
    has all positions that play can reach.
    """
    from zermelo._runtime.memory import available, show_size

    with Meter() as meter:
        made = open_game(file, format_, meter)
        graph, own = made.graph, made.objective
        meter.stage("examining the graph")
        record = _record(made.game, own)
    degrees, memory = record["moves_a_position"], record["memory"]
    need, players = memory["solving"], "alternate"
    if record["owners"] is not None:
        zero, one = record["owners"]
        players = f"own positions: player 0 has {zero:,}, player 1 has {one:,}"
    more = "" if need is None else f"about {show_size(need)} more to solve it, "
    facts = [
        ("file", file),
        ("positions", f"{graph.n:,}" + ("" if graph.names is None else ", with names")),
        ("moves", f"{graph.m:,}"),
        ("moves a position",
         f"{degrees['least']} to {degrees['most']}, {degrees['mean']} on average"),
        ("terminals", f"{record['terminals']:,}"),
        ("loops", f"{record['loops']:,}"),
        ("shape", _shape(record)),
        ("players", players),
        ("technique", f"{record['advice']['technique']}: {record['advice']['cost']}"),
        ("strategies", record["advice"]["strategies"]),
        *([("in sums", record["advice"]["sums"])] if record["advice"]["sums"] else []),
        ("digest", graph.digest),
        ("memory", f"{show_size(memory['graph'])} for the graph, {more}"
                   f"{show_size(available())} available"),
    ]  # fmt: skip
    if record["weights"] is not None:
        least, most = record["weights"]["least"], record["weights"]["most"]
        facts.insert(3, ("weights", f"integers from {least:,} to {most:,}"))
    if own is not None:
        facts.insert(1, ("objective", own.describe(graph)))
    show.show_facts({"file": file, **record}, facts, as_json, [("file", file), *_flat(record)])


def _flat(record: dict[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    for name, x in record.items():
        key = f"{above}{name}"
        if isinstance(x, dict) and name != "objective":
            yield from _flat(x, f"{key}.")
        elif isinstance(x, list):
            yield key, " ".join(map(str, x))
        else:
            x = x["objective"] if isinstance(x, dict) else x
            yield key, None if x is None else str(x)


def _shape(record: dict[str, Any]) -> str:
    found = record["shape"]
    if found is None:
        return "not examined, the graph is large; zermelo classify does it"
    parts = [
        f"{found['kind']}, {show.count(found['strong_components'], 'strong component')}, "
        f"the largest has {show.count(found['largest_component'], 'position')}"
    ]
    parts += [name for name in ("bipartite",) if found[name]]
    return "; ".join(parts)


def graph_record(graph: "zm.Graph") -> dict[str, Any]:
    """The measures of a graph for JSON."""
    owners = graph.owner
    return {
        "positions": graph.n,
        "moves": graph.m,
        "terminals": int(graph.terminals.size),
        "owners": None if owners is None else [int((owners == e).sum()) for e in (0, 1)],
        "names": graph.names is not None,
        "digest": graph.digest,
    }


def _record(game: "zm.Game", own: "zm.Objective | None") -> dict[str, Any]:
    import numpy as np

    from zermelo.cli.solving.technique import advise, examine, sums

    graph, weight, shape = game.graph, game.weights(), examine(game.graph)
    advice = advise(game, shape)
    degree = graph.out_degree
    ends = graph.to_edges()
    spec = None if own is None else own.spec(graph)
    weights = None
    if weight is not None and weight.size:
        weights = {"least": int(weight.min()), "most": int(weight.max())}
    if spec is not None and weight is not None:
        spec.pop("weight", None)
    return {
        **graph_record(graph),
        "objective": spec,
        "weights": weights,
        "loops": int((ends[:, 0] == ends[:, 1]).sum()),
        "moves_a_position": {
            "least": int(degree.min(initial=np.iinfo(np.int32).max)) if graph.n else 0,
            "most": int(degree.max(initial=0)),
            "mean": round(graph.m / graph.n, 3) if graph.n else 0,
        },
        "shape": None if shape is None else _shape_record(shape),
        "advice": {
            "technique": advice.technique,
            "cost": advice.cost,
            "strategies": advice.memory,
            "sums": sums(game, shape),
        },
        "memory": {"graph": graph.nbytes, "solving": _memory(graph, own)},
    }


def _shape_record(shape: "Shape") -> dict[str, Any]:
    return {
        "kind": shape.kind, "cyclic": shape.cyclic, "strong_components": shape.components,
        "largest_component": shape.largest, "symmetric": shape.symmetric,
        "bipartite": shape.bipartite,
    }  # fmt: skip


def _memory(graph: "zm.Graph", own: "zm.Objective | None") -> int | None:
    """Bytes that the default solver takes beyond the graph; None if it has no estimate.

    Games of return and repetition have none: they are searched as far as memory goes. A game that
    cannot be solved has none, either: a Muller game without owners, or with too many colours.
    """
    objective = own or zm.NormalPlay()
    estimate = choose_solver(objective).load_estimate()
    try:
        return None if estimate is None else estimate(graph, objective)
    except (InvalidObjectiveError, MemoryLimitError):
        return None
