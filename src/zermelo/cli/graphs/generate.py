"""``zermelo generate``: games of known families."""

import click

import zermelo as zm
from zermelo.cli.complete import files
from zermelo.cli.graphs.parameters import Catalogue, Parameters, parameters_of, parse_parameters
from zermelo.cli.inputs.files import check_output
from zermelo.cli.options import FORCE, JSON, flag, number, target_format
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.errors import PluginError, PluginWarning
from zermelo.registry import GENERATORS, OBJECTIVES
from zermelo.registry.table import Row


def _parameters(row: "Row") -> Parameters | None:
    """The parameters of a family; if it cannot be loaded, None and a warning."""
    import warnings

    try:
        return parameters_of(row.load())
    except PluginError as error:
        warnings.warn(f"the generator {error}", PluginWarning, stacklevel=2)
        return None


FAMILIES = Catalogue(
    GENERATORS, _parameters, files, "families", "family", "parameters and their defaults",
    "zermelo generate FAMILY KEY=VALUE … OUT", types=True,
)  # fmt: skip


@click.command()
@click.argument(
    "arguments", metavar="[FAMILY [KEY=VALUE]... OUT]", nargs=-1, shell_complete=FAMILIES.complete
)
@number("--seed", "The same as seed=N.")
@target_format()
@FORCE
@flag("--list listing", "List the families and their parameters.")
@JSON
def command(
    arguments: tuple[str, ...], seed: int | None, to: str | None, listing: bool, as_json: bool,
    force: bool,
) -> None:  # fmt: skip
    """Write a game of FAMILY to OUT; - is standard output.

    If the family has an objective other than normal play, the format of OUT must store it. On
    standard output the default format is JSON for such a family and an edge list for the others;
    --to chooses another.

    Without FAMILY, or with --list, list the families with their parameters.

    \b
    zermelo generate
    zermelo generate random n=1000 degree=2.5 --seed 7 game.txt
    zermelo generate grid width=20 height=20 moves=knight board.json.gz
    zermelo generate parity-random n=1000 priorities=20 game.json
    """
    if listing or not arguments:
        if len(arguments) > 1 or seed is not None or to is not None or force:
            raise click.UsageError("a list of families takes one family at most, and no options")
        FAMILIES.show([GENERATORS[arguments[0]]] if arguments else GENERATORS, as_json)
        return
    if as_json:
        raise click.UsageError("--json goes with --list")
    row = GENERATORS[arguments[0]]
    make = row.load()
    pairs, out = list(arguments[1:-1]), arguments[-1]
    is_pair = "=" in out and out.partition("=")[0] in parameters_of(make)
    if len(arguments) == 1 or is_pair:
        raise click.UsageError(f"expected a file to write {row.name!r} to, after its parameters")
    if seed is not None:
        pairs.append(f"seed={seed}")
    from zermelo.game import as_game

    given = parse_parameters(row.name, make, pairs)
    inputs = [x for x in given.values() if isinstance(x, str)]
    weighted = row.objective and OBJECTIVES[row.objective].family == "quantitative"
    kind = "objective" if row.objective and not weighted else "graph"  # edge lists have weights
    check_output(out, kind, inputs, force, format_=to)
    with Meter() as meter:
        meter.stage(f"generating {row.name}")
        game = as_game(make(**given))
        meter.stage(f"writing {out}")
        default = "json" if row.objective else "edgelist"
        zm.write(game, out, format=default if out == "-" and to is None else to)
    show.note_written(out, show.graph_size(game.graph))
