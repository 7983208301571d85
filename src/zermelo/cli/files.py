"""Files that the command line names: reading a game, and whether an output can be written."""

import errno
import os
from typing import TYPE_CHECKING

import click

from zermelo.cli.complete import formats

if TYPE_CHECKING:
    from zermelo.game import Game

FILE = click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
"""The argument FILE; - is standard input."""

FORMAT = click.option(
    "--format", "format_", metavar="NAME", shell_complete=formats,
    help="The format of FILE, where its name does not tell.",
)  # fmt: skip

JSON = click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")


def read_game(path: str, format_: str | None = None) -> "Game":
    """The game of a file."""
    from zermelo.io import read

    if path != "-":
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        os.stat(path)  # that there is no such file matters more than what its name ends with
    return read(path, format=format_)


def check_output(path: str | None, holds: str, format_: str | None = None) -> None:
    """Refuse an output that cannot be written, before any work is done for it.

    ``holds`` is what goes there: ``graph``, ``objective`` (with its graph), ``solution``, or
    ``picture``.
    """
    from zermelo.errors import InvalidOptionError
    from zermelo.registry import FORMATS

    if path == "-" and holds == "solution" and format_ is None:
        raise InvalidOptionError("writing to standard output needs a format: say --to json, say")
    if path is None or path == "-":
        return
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, f"there is no directory {folder!r}", path)
    if format_ is not None:
        return
    stem = path.lower().removesuffix(".gz").removesuffix(".zst")
    ending = os.path.splitext(stem)[1]
    if holds == "picture":
        from zermelo.draw.drawing import FORMATS as PICTURES

        suffixes = [*(f".{name}" for name in PICTURES), ".gv"]
        fits = ending in suffixes
    else:
        fits = bool(FORMATS.first(lambda row: holds in row.holds and ending in row.suffixes))
        known = () if fits else FORMATS
        suffixes = [x for row in known if holds in row.holds for x in row.suffixes]
    if not fits:
        article = "an" if holds == "objective" else "a"
        raise InvalidOptionError(
            f"{path}: no format for {article} {holds} has this suffix; known: {' '.join(suffixes)}"
        )


def shown(path: str) -> str:
    """A file's name for messages."""
    return "standard input" if path == "-" else path
