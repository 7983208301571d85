"""``zermelo matching``: a maximum matching, and the Gallai–Edmonds decomposition."""

import click

import zermelo as zm
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import FORCE, FORMAT, JSON, LIMIT, SOURCE, flag, output
from zermelo.cli.output.listing import Listing, check_answer_output
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count

COLUMNS = ("position", "mate", "part")


@click.command()
@SOURCE
@flag("--verify", "Check the matching and the parts first.")
@output("Write the answer with its certificate, .json, or as a table, .csv or .tsv.")
@FORCE
@LIMIT
@FORMAT
@JSON
def command(
    file: str, verify: bool, output: str | None, force: bool, limit: int | None,
    format_: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Find a maximum matching of the graph in FILE, in which a move is an edge of both its ends.

    For each position its mate is shown, if it has one, and its part of the Gallai–Edmonds
    decomposition: D if some maximum matching leaves it exposed, A if it is not in D but next to it,
    C otherwise. In the game of no return on a symmetric graph, the player to move loses exactly
    on D.

    \b
    zermelo matching game.txt
    zermelo matching game.txt -o matching.json && zermelo verify game.txt matching.json
    """
    check_answer_output(output, file, force, certificate=True)
    with Meter() as meter:
        made = open_game(file, format_, meter)
        meter.stage("matching")
        found = zm.gallai_edmonds(made.graph, meter)
        if verify:
            meter.stage("verifying")
            found.verify()
    _listing(file, found, verify).answer(output, limit, as_json, found)


def _listing(file: str, found: "zm.GallaiEdmonds", verified: bool) -> Listing:
    graph, matching = found.graph, found.matching
    parts = {name: int(getattr(found, name).size) for name in "DAC"}
    head = {
        "file": file,
        "positions": graph.n,
        "edges": matching.size,
        "deficiency": matching.deficiency,
        "parts": parts,
        "verified": verified,
    }
    size = count(matching.size, "edge")
    facts = [
        ("graph", f"{name_of(file)}, {count(graph.n, 'position')}"),
        ("matching", f"{size}, {count(matching.deficiency, 'position')} exposed"
                     + (", verified" if verified else "")),
        ("parts", ", ".join(f"{name} has {k:,}" for name, k in parts.items())),
    ]  # fmt: skip
    return Listing(
        head, facts, "matching", COLUMNS, lambda: ((x, matching[x], found[x]) for x in graph),
        graph.n,
    )  # fmt: skip
