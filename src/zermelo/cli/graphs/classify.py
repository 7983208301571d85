"""``zermelo classify``: the kind of a digraph, by its strong components."""

import click

import zermelo as zm
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import FORMAT, JSON, LIMIT, SOURCE, flag
from zermelo.cli.output.listing import Listing
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, graph_size, show_facts

COLUMNS = ("component", "size", "cyclic", "symmetric", "positions")

KINDS = {
    "acyclic": "no cycle: play without return is normal play, solved by the kernel in linear time",
    "symmetric": "every move has its reverse: no return is solved by one maximum matching",
    "symacyclic": "every strong component is symmetric: no return is solved by a matching in each",
    "general": "neither: games of return may need a search, which is PSPACE-complete in general",
}
"""The kinds, and what they mean for games of return."""


@click.command()
@SOURCE
@flag("--components", "List the strong components, too.")
@LIMIT
@FORMAT
@JSON
def command(
    file: str, components: bool, limit: int | None, format_: str | None, as_json: bool
) -> None:
    """Show the kind of the graph in FILE, and how many strong components it has.

    The kind is the first of these that fits: acyclic, symmetric (every move has its reverse),
    symacyclic (so has every move inside a strong component), general. It decides how games of
    return are solved. With --components each strong component has a row; moves never lead to a
    component with a higher number.

    \b
    zermelo classify game.txt --components
    zermelo classify game.txt --json | jq -r .kind
    """
    if limit is not None and not components:
        raise click.UsageError("--limit goes with --components")
    with Meter() as meter:
        made = open_game(file, format_, meter)
        meter.stage("finding strong components")
        found = zm.classify(made.graph)
    listing = _listing(file, found)
    if components:
        listing.show(limit, as_json)
    else:
        show_facts(listing.head, listing.facts, as_json, list(listing.head.items()))


def _listing(file: str, found: "zm.Classification") -> Listing:
    graph, total = found.graph, int(found.cyclic.size)
    largest = max(map(len, found.components), default=0)
    kinds = zip(found.cyclic.tolist(), found.symmetric.tolist(), found.components, strict=True)
    rows = [(k, len(x), *flags, list(x)) for k, (*flags, x) in enumerate(kinds)]
    head = {
        "file": file,
        "kind": found.kind,
        "positions": graph.n,
        "moves": graph.m,
        "strong_components": total,
        "cyclic_components": int(found.cyclic.sum()),
        "searched_components": int((~found.symmetric).sum()),
        "largest_component": largest,
    }
    facts = [
        ("graph", f"{name_of(file)}, {graph_size(graph)}"),
        ("kind", f"{found.kind}: {KINDS[found.kind]}"),
        ("strong components", f"{total:,}, the largest has {count(largest, 'position')}"),
    ]
    return Listing(head, facts, "components", COLUMNS, lambda: rows, total)
