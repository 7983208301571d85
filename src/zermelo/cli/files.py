"""Reading a game from the command line's words."""

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import formats

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.objectives import Objective

FILE = click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
"""The argument FILE; - is standard input."""

FORMAT = click.option(
    "--format", "format_", metavar="NAME", shell_complete=formats,
    help="The format of FILE, where its name does not tell.",
)  # fmt: skip

JSON = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")


def read_game(path: str, format_: str | None = None) -> "tuple[Graph, Objective | None]":
    """The graph of a file, and its objective where it carries one."""
    from zermelo.graph import Graph
    from zermelo.io import read

    found: Any = read(path, format=format_)
    return (found, None) if isinstance(found, Graph) else (found[0], found[1])


def shown(path: str) -> str:
    """A file's name for messages."""
    return "standard input" if path == "-" else path
