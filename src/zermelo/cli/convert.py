"""``zermelo convert``: the same graph in another format."""

import click

from zermelo.cli.complete import formats
from zermelo.cli.files import FORCE, check_output, read_game
from zermelo.cli.show import count, note


@click.command(short_help="Rewrite a graph file in another format.")
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--from", "from_", metavar="NAME", shell_complete=formats, help="The format of IN.")
@click.option("--to", metavar="NAME", shell_complete=formats, help="The format of OUT.")
@FORCE
def command(source: str, target: str, from_: str | None, to: str | None, force: bool) -> None:
    """Read the graph in IN and write it to OUT, with its objective where it has one.

    Formats follow from the names of the files unless said; - is standard input or output. A
    suffix .gz or .zst compresses.

    \b
    zermelo convert game.txt game.json.gz
    zermelo convert - game.dot --from edges < game.txt
    """
    from zermelo.cli.progress import Meter
    from zermelo.io import write

    check_output(target, "graph", (source,), force, format_=to)
    with Meter() as meter:
        meter.stage(f"reading {source}")
        graph, objective = read_game(source, from_)
        meter.stage(f"writing {target}")
        write(graph if objective is None else (graph, objective), target, format=to)
    if target != "-":
        note(f"wrote {target}: {count(graph.n, 'position')}, {count(graph.m, 'move')}")
