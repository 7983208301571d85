"""Completion on the command line: names from the tables, and positions of the game on the line.

Every function takes what click gives it: the context with the arguments before the cursor, the
parameter, and the text at the cursor. A file or game that cannot be read offers nothing; the error
comes when the command runs.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import click
from click.shell_completion import CompletionItem

import zermelo as zm

MAX_OFFERED = 200
"""The most positions that are offered."""
MAX_EXPLORED = 1_000
"""The most positions of a game that are listed to find some that fit."""
MAX_FILE_BYTES = 4_000_000
"""Bytes of a file that is still read for completion."""
SOURCES = ("file", "files", "source", "game", "what")
"""The names of the parameters that name a game."""

Items = list[CompletionItem]
Completer = Callable[[click.Context, click.Parameter, str], Items]


def matching(found: dict[str, str], incomplete: str) -> Items:
    """The names that begin with a text, each with its summary."""
    return [CompletionItem(k, help=x) for k, x in found.items() if k.startswith(incomplete)]


def _rows(table: str) -> dict[str, str]:
    """The names of a table with their summaries; ``table`` is ``module:NAME``."""
    module, _, name = table.partition(":")
    return {row.name: row.summary for row in getattr(importlib.import_module(module), name)}


def _names_of(table: str) -> Completer:
    """Completes the names of a table."""

    def found(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        return matching(_rows(table), incomplete)

    return found


# -------------------------------------------------------------------- names from the tables

objective_names = _names_of("zermelo.registry:OBJECTIVES")
solvers = _names_of("zermelo.registry:SOLVERS")
solving_engines = _names_of("zermelo.registry.engines:ENGINES")
passes = _names_of("zermelo.solvers.infinite.passes:PASSES")
formats = _names_of("zermelo.registry:FORMATS")
machine_formats = _names_of("zermelo.registry.machines:MACHINES")
families = _names_of("zermelo.registry:GENERATORS")


def objectives(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Keywords of objectives; after a colon, the positions that an objective is about."""
    from zermelo.registry import OBJECTIVES

    keyword, colon, data = incomplete.partition(":")
    if not colon:
        return objective_names(ctx, param, incomplete)
    if keyword not in OBJECTIVES:
        return []
    row = OBJECTIVES[keyword]
    example = row.syntax.partition(":")[2]
    if "=" in example:
        return _after(f"{keyword}:", pairs(ctx, param, data))
    if "," in example:
        return _after(f"{keyword}:", position_list(ctx, param, data))
    return matching({f"{keyword}:{example}": row.summary} if example.isalpha() else {}, incomplete)


def options_of_solver(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Options of the solver on the line, or of all solvers."""
    from zermelo.registry import SOLVERS

    name = str(ctx.params.get("solver"))
    rows = [SOLVERS[name]] if name in SOLVERS else list(SOLVERS)
    found = {f"{option.name}=": option.summary for row in rows for option in row.options}
    return matching(found, incomplete)


def layouts(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of layouts: Graphviz's and the built-in ones."""
    from zermelo.draw.drawing import OWN_ENGINES
    from zermelo.draw.layouts.graphviz import ENGINES

    found = dict.fromkeys(ENGINES, "Graphviz") | dict.fromkeys(OWN_ENGINES, "built in")
    return matching(found, incomplete)


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of games; after a colon, the parameters of an example."""
    from zermelo.registry import GAMES

    name, colon, _ = incomplete.partition(":")
    if not colon:
        return matching({row.name: row.summary for row in GAMES}, incomplete)
    examples = {row.example: row.summary for row in GAMES if row.name == name and row.example}
    return matching(examples, incomplete)


def heap_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of heap games."""
    from zermelo.sums.heaps.code import NAMES

    return matching(dict(NAMES), incomplete)


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Files."""
    return [CompletionItem(incomplete, type="file")]


def files_and_games(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of games, then files."""
    return [*games(ctx, param, incomplete), *files(ctx, param, incomplete)]


def files_and_heaps(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of heap games and of games, then files."""
    return [*heap_codes(ctx, param, incomplete), *files_and_games(ctx, param, incomplete)]


# -------------------------------------------------------------------- positions


def positions(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Positions of the file, table or game that stands on the line."""
    return [CompletionItem(name) for name in _fitting(ctx, incomplete)]


def position_list(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Positions with commas between; the last one is completed."""
    before, comma, last = incomplete.rpartition(",")
    return _after(before + comma, positions(ctx, param, last))


def pairs(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """``position=`` for a number to follow, with commas between several."""
    before, comma, last = incomplete.rpartition(",")
    if "=" in last:
        return []
    return [CompletionItem(f"{before}{comma}{name}=") for name in _fitting(ctx, last)]


def _after(prefix: str, items: Items) -> Items:
    return [CompletionItem(prefix + item.value, item.type, item.help) for item in items]


def _fitting(ctx: click.Context, incomplete: str) -> list[str]:
    """The names of positions that begin with a text; none if they cannot be listed."""
    try:
        found = _names(_source(ctx), ctx.params.get("rules"), ctx.params.get("format_"))
        return list(islice((name for name in found if name.startswith(incomplete)), MAX_OFFERED))
    except Exception:  # a key that is pressed must not print an error
        return []


def _source(ctx: click.Context) -> str:
    """What names the game on the line; empty if nothing does yet."""
    for name in SOURCES:
        given = ctx.params.get(name)
        if given:
            return given if isinstance(given, str) else str(given[0])
    # Where the option at the cursor lacks its value, click leaves the arguments before it here.
    arguments = [p.name for p in ctx.command.params if isinstance(p, click.Argument)]
    if "arguments" in arguments:  # NAME KEY=VALUE … IN OUT
        texts = [x for x in ctx.params.get("arguments") or ctx.args if not x.startswith("-")]
        return next((x for x in texts[1:] if "=" not in x), "")
    place = next((k for k, name in enumerate(arguments) if name in SOURCES), 0)
    return next(islice((text for text in ctx.args if not text.startswith("-")), place, None), "")


def _names(source: str, rules: Any, form: str | None) -> Iterable[str]:
    from zermelo.registry import GAMES

    if os.path.isfile(source) and not source.endswith(".py"):
        if source.endswith(".zt"):
            if rules is None:
                return _of_table(source, None)
            known = rules.partition(":")[0] in GAMES  # nor is it run here
            return _of_table(source, zm.game(rules)) if known else ()
        if os.path.getsize(source) > MAX_FILE_BYTES:
            return ()

        graph = zm.read(source, form).graph
        return (str(graph.name(v)) for v in range(graph.n))
    if source.partition(":")[0] in GAMES:  # a .py file is not run because a key was pressed
        return _of_game(source)
    return ()


def _of_table(path: str, rules: Any) -> Iterator[str]:
    with zm.Table(path, rules) as table:
        for answer in islice(table, MAX_EXPLORED):
            yield table.rules.show(answer.position)


def _of_game(text: str) -> Iterator[str]:
    """Positions near the start, breadth first, as the game writes them."""
    rules: Any = zm.game(text)
    partizan = isinstance(rules, zm.PartizanRules)
    found = [rules.start()]
    seen = set(found)
    for position in found:
        yield rules.show(position)
        options = (
            (*rules.left(position), *rules.right(position)) if partizan else rules.options(position)
        )
        for option in options:
            if option not in seen and len(found) < MAX_EXPLORED:
                seen.add(option)
                found.append(option)
