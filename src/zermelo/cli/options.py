"""The options and arguments that several commands share, and how ``--help`` groups options."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import click

from zermelo.cli.complete import (
    Completer,
    files_and_games,
    formats,
    objective_names,
    options_of_solver,
    positions,
    solvers,
    solving_engines,
)
from zermelo.cli.deadline import STATUS, seconds_option

F = TypeVar("F", bound=Callable[..., Any])


class Decorator(Protocol):
    """What gives a command an option."""

    def __call__(self, command: F, /) -> F:
        """The same command with one option more."""
        ...


MAX_ROWS = 20
"""The rows that a terminal shows if no number is given."""

# -------------------------------------------------------------------- kinds of options


def option(
    names: str,
    metavar: str | None,
    text: str,
    complete: Completer | None = None,
    **more: Any,
) -> Decorator:
    """An option with a value; ``names`` has spaces between names, and ``text`` is its help."""
    return click.option(*names.split(), metavar=metavar, help=text, shell_complete=complete, **more)


def flag(names: str, text: str) -> Decorator:
    """An option without a value."""
    return click.option(*names.split(), is_flag=True, help=text)


def number(names: str, text: str, least: int = 0, **more: Any) -> Decorator:
    """An option whose value is an integer, ``least`` or more."""
    return option(names, "N", text, type=click.IntRange(min=least), **more)


def position(names: str, text: str, metavar: str = "A") -> Decorator:
    """An option whose value is a position."""
    return option(names, metavar, text, positions)


def player(names: str, text: str) -> Decorator:
    """An option whose value is a player, 0 or 1."""
    return option(names, None, text, type=click.Choice(["0", "1"]), callback=_number)


def _number(ctx: click.Context, param: click.Parameter, text: str | None) -> int | None:
    return None if text is None else int(text)


def output(text: str, **more: Any) -> Decorator:
    """The option ``--output``."""
    return option("-o --output", "FILE", text, type=click.Path(), **more)


def target_format(text: str = "The format of OUT.") -> Decorator:
    """The option ``--to``."""
    return option("--to", "NAME", text, formats)


def keyword(text: str) -> Decorator:
    """The option ``--objective`` of a command in which it names an objective without data."""
    return option("--objective", "NAME", text, objective_names)


# -------------------------------------------------------------------- shared options

FILE = click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
"""The argument FILE; - is standard input."""
SOURCE = click.argument("file", metavar="FILE|GAME", shell_complete=files_and_games)
"""The argument FILE|GAME; - is standard input."""
GAME = click.argument("game", metavar="GAME", shell_complete=files_and_games)
OUT = click.argument("out", metavar="OUT", type=click.Path(allow_dash=True))

FORMAT = option(
    "--format format_", "NAME", "The format of FILE, if its name does not show it.", formats
)
FORCE = flag("--force", "Replace the output even if it is the input, or another kind of file.")
JSON = flag("--json as_json", "Answer with one JSON object.")
LIMIT = number(
    "--limit", f"Show N rows; the default is {MAX_ROWS} on a terminal and all in a pipe."
)
TIMEOUT = option(
    "--timeout", "SECONDS",
    "Stop if reading, solving and checking a game take longer; the exit status is then "
    f"{STATUS}.", callback=seconds_option,
)  # fmt: skip
NO_CHECK = flag("--no-check", "Do not check rules from a file before they are used.")
RULES = option(
    "--rules", "GAME",
    "The rules of the table, if they are a Python file: a table runs no code.", files_and_games,
)  # fmt: skip
SOLVER = option(
    "--solver", "NAME",
    "The algorithm, a name from `zermelo solvers`; the default is the best that applies.",
    solvers, default="auto",
)  # fmt: skip
OPTION = option(
    "--option options", "NAME=VALUE",
    "An option of the solver, as `zermelo solvers NAME` lists them; may be repeated.",
    options_of_solver, multiple=True,
)  # fmt: skip
ENGINE = (
    option(
        "--engine", "ENGINE",
        "Where the game is solved: memory, or disk, which keeps to a budget of memory. The "
        "default is memory where it suffices.", solving_engines,
    ),
    option(
        "--memory", "SIZE",
        "The budget of the engine for the whole process, or for each worker, such as 2GB.",
    ),
    number(
        "--partitions",
        "The number of partitions that the engine works with; by default as few as fit.", 1,
    ),
    option(
        "--scheduler", "ADDRESS",
        "The Dask scheduler for --engine dask; by default a cluster on this machine.",
    ),
    option(
        "--workdir", "DIR",
        "The directory for the files of the engine, or a URL such as s3://bucket/jobs for "
        "--engine dask; the same command goes on after an interruption.", type=click.Path(),
    ),
)  # fmt: skip
"""The options of engines."""

# -------------------------------------------------------------------- groups and combinations


def under(heading: str, *options: Decorator) -> Decorator:
    """Give a command some options; its help lists them under a heading."""

    def add(command: F, /) -> F:
        for one in reversed(options):
            one(command)
            command.__click_params__[-1].heading = heading  # type: ignore[attr-defined]
        return command

    return add


class GroupedCommand(click.Command):
    """A command whose help lists the options under the headings that :func:`under` gave them."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each under its heading; at the end those that have none."""
        groups: dict[str, list[tuple[str, str]]] = {}
        others: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                heading = getattr(param, "heading", None)
                (groups.setdefault(heading, []) if heading else others).append(record)
        for heading, records in [*groups.items(), ("Options", others)]:
            with formatter.section(heading):
                formatter.write_dl(records)


def refuse(given: dict[str, Any], names: Sequence[str], sentence: str) -> None:
    """Refuse options that were given; ``sentence`` follows their name in the message."""
    for name in names:
        if given[name] not in (None, False, ()):
            raise click.UsageError(f"{spelled(name)} {sentence}")


def spelled(name: str) -> str:
    """An option as the command line writes it, by the name of its parameter."""
    params = click.get_current_context().command.params
    return next(max(param.opts, key=len) for param in params if param.name == name)
