"""Completion on the command line: objectives, solvers, passes, formats, families, games."""

import click
from click.shell_completion import CompletionItem


def _matching(found: dict[str, str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(k, help=x) for k, x in found.items() if k.startswith(incomplete)]


def objectives(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Keywords of objectives."""
    from zermelo.registry import OBJECTIVES

    return _matching({row.name: row.summary for row in OBJECTIVES}, incomplete)


def solvers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of solvers."""
    from zermelo.registry import SOLVERS

    return _matching({row.name: row.summary for row in SOLVERS}, incomplete)


def passes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of passes before a solver of parity games."""
    from zermelo.solvers.infinite.passes import PASSES

    return _matching({row.name: row.summary for row in PASSES}, incomplete)


def formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of file formats."""
    from zermelo.registry import FORMATS

    return _matching({row.name: row.summary for row in FORMATS}, incomplete)


def families(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of families of graphs."""
    from zermelo.registry import GENERATORS

    return _matching({row.name: row.summary for row in GENERATORS}, incomplete)


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of games."""
    from zermelo.registry import GAMES

    return _matching({row.name: row.summary for row in GAMES}, incomplete)


def files_and_games(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of games, then files."""
    return [*games(ctx, param, incomplete), CompletionItem(incomplete, type="file")]
