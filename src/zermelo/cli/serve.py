"""``zermelo serve``: the explorer in the browser."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from zermelo.cli.complete import files_and_games

if TYPE_CHECKING:
    from zermelo.web.settings import Served


@click.command(short_help="Open the explorer in the browser.")
@click.argument("source", metavar="[FILE|GAME]", required=False, shell_complete=files_and_games)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8642,
    show_default=True,
    help="The port; 0 is any free one.",
)
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; other machines need the token that is printed.",
)
@click.option(
    "--token",
    metavar="TEXT",
    help="The token that clients must show; by default one is made where it is needed.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="Processes that do the work; by default one for each core, from 2 to 8.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 86400),
    default=60.0,
    show_default=True,
    help="The time for one request.",
)
@click.option(
    "--memory", metavar="SIZE", default="2GiB", show_default=True, help="The memory of one worker."
)
def command(
    source: str | None, port: int, host: str, token: str | None, no_browser: bool,
    workers: int | None, seconds: float, memory: str,
) -> None:  # fmt: skip
    """Open the explorer: play solved games, step through algorithms, compute with values.

    FILE is a table, a graph, or a Python file with rules; GAME is a name from zermelo games. Rules
    in a file are run, so name only files that you trust. Only this machine can reach the
    server, unless --host says something else.

    \b
    zermelo serve
    zermelo serve connect4:4x4
    zermelo serve my_rules.py
    zermelo serve KRvK.zt --port 8000 --no-browser
    """
    import secrets
    import sys

    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise click.UsageError(
            "the explorer needs packages that are not installed; pip install 'zermelo[web]' "
            "installs them"
        ) from None
    from zermelo._runtime.memory import parse_size
    from zermelo.web import server
    from zermelo.web.settings import Limits, Settings

    limits = Limits(seconds=seconds, memory=parse_size(memory))
    settings = Settings(
        host=host, port=port, limits=limits, served=None if source is None else _served(source),
        workers=workers or min(8, max(2, os.cpu_count() or 2)),
        token=token or (secrets.token_urlsafe(24) if server.needs_token(host) else None),
    )  # fmt: skip
    sock = server.listen(settings)
    settings = replace(settings, port=sock.getsockname()[1])
    browse = not no_browser and sys.stdout is not None and sys.stdout.isatty()
    server.run(settings, sock, lambda text: click.echo(text), browse)


def _served(source: str) -> "Served":
    """What the argument names; it is opened once here, so that errors come before the server."""
    from zermelo.cli.kinds import kind_of
    from zermelo.cli.rules import load
    from zermelo.cli.source import names_rules, open_game
    from zermelo.web.settings import Served

    path, name = os.path.abspath(source), os.path.basename(source)
    if names_rules(source):
        load(source)
        if ".py" in source:  # my_rules.py:Class:3 has its path before the first colon
            return Served("rules", path, name)
        return Served("game", source, source)
    if os.path.isfile(source) and kind_of(source) == "table":
        from zermelo.tables.table import Table

        with Table(source):
            return Served("table", path, name)
    open_game(source)
    return Served("graph", path, name)
