"""``zermelo convert``: the same graph in another format."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.complete import files_and_games, formats
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import FORCE, flag, number, option, target_format
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import graph_size, note_written
from zermelo.registry import objective_row


@click.command()
@click.argument("source", metavar="IN|GAME", shell_complete=files_and_games)
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@option("--from from_", "NAME", "The format of IN.", formats)
@target_format()
@flag("--no-names", "Number the positions, and leave their names out.")
@flag("--no-owners", "Leave the owners out: the players alternate.")
@flag("--no-start", "Leave out where play starts.")
@flag("--no-weights", "Leave out weights that no objective needs.")
@number(
    "--shards",
    "Write a directory OUT of N shards, which can be solved without the whole graph in memory; "
    "--to parquet chooses Parquet files.", 1,
)  # fmt: skip
@FORCE
def command(source: str, target: str, to: str | None, force: bool, **given: Any) -> None:
    """Read the graph in IN and write it to OUT, with its objective and its start if it has them.

    IN may also be a game of zermelo games, such as nim:3,4, or a Python file of rules. The default
    formats are those of the names of the files; --from and --to choose others. - is standard input
    or output. A file with the suffix .gz, .bz2, .xz or .zst is compressed. With --shards, or if OUT
    ends with a slash or is a URL such as s3://bucket/game, OUT is a directory of shards.

    \b
    zermelo convert game.txt game.json.gz
    zermelo convert - game.dot --from edges < game.txt
    zermelo convert game.npz game/ --shards 16
    """
    shards = given["shards"]
    in_shards = shards is not None or target.endswith(os.sep) or is_url(target)
    if in_shards:
        _check_shards(target, to, force)
    else:
        check_output(target, "graph", (source,), force, format_=to)
    with Meter() as meter:
        made = open_game(source, given["from_"], meter)
        game = _without(made.game, given)
        meter.stage(f"writing {target}")
        if in_shards:
            zm.Shards.write(game, target, shards=shards, format=to or "npz")
        else:
            zm.write(game, target, format=to)
    note_written(target, graph_size(game.graph))


def _check_shards(target: str, to: str | None, force: bool) -> None:
    """Refuse options that do not go with a directory of shards."""
    if target == "-" or to not in (None, "npz", "parquet"):
        raise click.UsageError("shards are a directory of npz or parquet files")
    if force:
        raise click.UsageError("--force is for files; shards need a new or an empty directory")


def _without(game: "zm.Game", given: dict[str, Any]) -> "zm.Game":
    """The same game without its names, its owners, its start or its weights."""
    graph, objective = game
    if given["no_owners"] and objective_row(objective).players == "own":
        raise click.UsageError(
            f"--no-owners: {objective.keyword} games need positions that have owners"
        )
    spec = objective.spec(graph)
    made = graph.with_names(None) if given["no_names"] else graph
    made = made.with_owner(None) if given["no_owners"] else made
    start = None if given["no_start"] or game.start is None else made.name(graph.index(game.start))
    weight = None if given["no_weights"] else game.weight
    kept = objective.from_spec(spec, made)
    return zm.Game(made, kept, start, impartial=game.impartial, weight=weight)
