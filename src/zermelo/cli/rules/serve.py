"""``zermelo serve``: the explorer in the browser."""

import contextlib
import os
import re
import sys
from typing import TYPE_CHECKING

import click

import zermelo as zm
from zermelo.cli.complete import files_and_games
from zermelo.cli.inputs.kinds import kind_of
from zermelo.cli.inputs.rules import load
from zermelo.cli.inputs.source import names_rules, open_game
from zermelo.cli.options import RULES, flag, option

if TYPE_CHECKING:
    from zermelo.web.settings import Served

MAX_HOST_LENGTH = 253
"""Characters of a name in the net."""

MIN_WORKER_BYTES, MAX_WORKER_BYTES = 512 << 20, 1 << 62
"""Bytes of a worker; with less it could not compile its kernels."""


@click.command()
@click.argument("source", metavar="[FILE|GAME]", required=False, shell_complete=files_and_games)
@RULES
@option(
    "--port", None, "The port; 0 is any free one.", type=click.IntRange(0, 65535), default=8642,
    show_default=True,
)  # fmt: skip
@option(
    "--host", "HOST", "The address to listen at; other machines need the token that is printed.",
    default="127.0.0.1", show_default=True,
)  # fmt: skip
@option(
    "--token", "TEXT",
    "The token that clients must show; by default one is made where it is needed.",
)  # fmt: skip
@option(
    "--browser/--no-browser", None,
    "Open the browser; by default only from a terminal, and without a token.", default=None,
)  # fmt: skip
@option(
    "--workers", None, "Processes that do the work; by default one for each core, from 2 to 8.",
    type=click.IntRange(1, 64),
)  # fmt: skip
@option(
    "--seconds", None, "The time for one request.", type=click.FloatRange(0.1, 86400), default=60.0,
    show_default=True,
)  # fmt: skip
@option("--memory", "SIZE", "The memory of one worker.", default="2GiB", show_default=True)
@flag("--json as_json", "Print the address as JSON.")
@flag("--openapi", "Print the OpenAPI document of the interface, and end.")
def command(
    source: str | None, rules: str | None, port: int, host: str, token: str | None,
    browser: bool | None, workers: int | None, seconds: float, memory: str, as_json: bool,
    openapi: bool,
) -> None:  # fmt: skip
    """Open the explorer: play solved games, step through algorithms, compute with values.

    FILE is a table, a graph, or a Python file with rules; GAME is a name from zermelo games. Rules
    in a file are run, so name only files that you trust. A table runs no code: --rules gives the
    rules of a table that was built from a Python file. Only this machine can reach the
    server, unless --host says something else.

    \b
    zermelo serve
    zermelo serve connect4:4x4
    zermelo serve my_rules.py
    zermelo serve KRvK.zt --port 8000 --no-browser
    zermelo serve strip.zt --rules strip.py:5
    """
    import json
    import secrets
    from dataclasses import replace

    try:
        import msgspec  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise click.UsageError(
            "the explorer needs packages that are not installed; pip install 'zermelo[web]' "
            "installs them"
        ) from None
    from zermelo.web.api.openapi import document
    from zermelo.web.server import run as server
    from zermelo.web.server.security import is_loopback
    from zermelo.web.settings import Limits, Settings

    settings = Settings(
        host=_host(host), port=port, token=_token(token),
        workers=workers or min(8, max(2, os.cpu_count() or 2)),
        limits=Limits(seconds=seconds, memory=_memory(memory)),
        served=None if source is None else _served(source, rules),
    )  # fmt: skip
    if openapi:
        click.echo(json.dumps(document(), indent=2))
        return
    sock = server.listen(settings.host, settings.port)
    number, port = sock.getsockname()[:2]
    settings = replace(settings, address=number, port=port)
    if token is None and not is_loopback(number):
        settings = replace(settings, token=secrets.token_urlsafe(24))
    if browser is None:
        browser = settings.token is None and sys.stdout is not None and sys.stdout.isatty()
    server.run(settings, sock, _say, browser, as_json)


def _say(line: str) -> None:
    """Print a line at once; a reader that has gone does not end the server."""
    with contextlib.suppress(OSError):
        click.echo(line)
        if sys.stdout is not None:
            sys.stdout.flush()


def _host(host: str) -> str:
    if not host or host != host.strip() or len(host) > MAX_HOST_LENGTH or not host.isprintable():
        raise click.UsageError(
            f"expected a host such as 127.0.0.1, localhost or 0.0.0.0, got {host[:60]!r}"
        )
    return host.removeprefix("[").removesuffix("]")


def _token(token: str | None) -> str | None:
    if token is not None and not re.fullmatch(r"[A-Za-z0-9._~-]{8,200}", token):
        raise click.UsageError(
            "expected a token of 8 to 200 letters, digits and the signs . _ ~ - after --token"
        )
    return token


def _memory(text: str) -> int:
    from zermelo._runtime.memory import parse_size

    size = parse_size(text)
    if not MIN_WORKER_BYTES <= size < MAX_WORKER_BYTES:
        raise click.UsageError(f"expected a size of at least 512M after --memory, got {text[:60]}")
    return size


def _served(source: str, rules: str | None) -> "Served":
    """What the argument names; it is opened once here, so that errors come before the server.

    A file of rules is not: a worker runs it, for it may never end (:mod:`zermelo.web.server.run`).
    """
    from zermelo.web.settings import Served

    path, name = os.path.abspath(source), os.path.basename(source)
    is_table = os.path.isfile(source) and kind_of(source) == "table"
    if rules is not None and not is_table:
        raise click.UsageError("--rules goes with a table")
    if names_rules(source):
        if ".py" in source:  # my_rules.py:Class:3 has its path before the first colon
            return Served("rules", path, name)
        load(source)
        return Served("game", source, source)
    if is_table:
        given = os.path.abspath(rules) if rules is not None and ".py" in rules else rules
        with zm.Table(source, rules):
            return Served("table", path, name, given)
    open_game(source)
    return Served("graph", path, name)
