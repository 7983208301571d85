"""``zermelo generate``: games of known families."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from zermelo.cli.complete import families
from zermelo.cli.inputs.files import check_output
from zermelo.cli.options import FORCE, JSON, flag, number, target_format
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import (
    console,
    count,
    note,
    on_terminal,
    print_json,
    print_rows,
    rich_table,
)
from zermelo.errors import PluginError, PluginWarning

if TYPE_CHECKING:
    from zermelo.registry import GeneratorRow

_TRUE = ("true", "yes", "1", "on")
_FALSE = ("false", "no", "0", "off")


def _complete(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem | str]:
    """Families first, then the parameters of the one that was named, then files."""
    arguments = ctx.params.get("arguments") or ()
    if not arguments:
        return [*families(ctx, param, incomplete)]
    from zermelo.registry import GENERATORS

    if arguments[0] not in GENERATORS:
        return []
    names = _signature(GENERATORS[arguments[0]].load()).parameters
    found: list[CompletionItem | str] = [
        CompletionItem(f"{name}=") for name in names if f"{name}=".startswith(incomplete)
    ]
    return [*found, CompletionItem(incomplete, type="file")]


@click.command()
@click.argument(
    "arguments", metavar="[FAMILY [KEY=VALUE]... OUT]", nargs=-1, shell_complete=_complete
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
    from zermelo.registry import GENERATORS, OBJECTIVES

    if listing or not arguments:
        if len(arguments) > 1 or seed is not None or to is not None or force:
            raise click.UsageError("a list of families takes one family at most, and no options")
        _list([GENERATORS[arguments[0]]] if arguments else list(GENERATORS), as_json)
        return
    if as_json:
        raise click.UsageError("--json goes with --list")
    row = GENERATORS[arguments[0]]
    make = row.load()
    pairs, out = list(arguments[1:-1]), arguments[-1]
    is_pair = "=" in out and out.partition("=")[0] in _signature(make).parameters
    if len(arguments) == 1 or is_pair:
        raise click.UsageError(f"expected a file to write {row.name!r} to, after its parameters")
    if seed is not None:
        pairs.append(f"seed={seed}")
    from zermelo.formats.front import write
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
        write(game, out, format=default if out == "-" and to is None else to)
    if out != "-":
        graph = game.graph
        note(f"wrote {out}: {count(graph.n, 'position')}, {count(graph.m, 'move')}")


def _signature(make: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(make, eval_str=True)


def _usage(p: inspect.Parameter) -> str:
    if p.default is p.empty:
        return f"{p.name}={p.annotation.__name__.upper()}"
    shown = str(p.default).lower() if isinstance(p.default, bool) else p.default
    return f"[{p.name}={shown}]"


def parse_parameters(
    family: str,
    make: Callable[..., Any],
    pairs: list[str],
    usage: Callable[[inspect.Parameter], str] = _usage,
) -> dict[str, Any]:
    """Values for a generator's parameters from texts ``key=value``, in the declared types.

    ``usage`` is how messages show a parameter.

    >>> def star(n: int, loops: bool = False): ...
    >>> parse_parameters("star", star, ["n=3", "loops=yes"])
    {'n': 3, 'loops': True}
    """
    known = _signature(make).parameters
    listed = " ".join(map(usage, known.values()))
    parameters = f"its parameters are {listed}" if listed else "it has none"
    given: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise click.UsageError(f"expected KEY=VALUE before the last argument, got {pair!r}")
        if name not in known:
            raise click.UsageError(f"{family!r} has no parameter {name!r}; {parameters}")
        if name in given:
            raise click.UsageError(f"parameter {name!r} is given twice")
        given[name] = _typed(name, known[name], text)
    for name, p in known.items():
        if p.default is p.empty and name not in given:
            raise click.UsageError(f"{family!r} needs {name}=…; {parameters}")
    return given


def _typed(name: str, parameter: inspect.Parameter, text: str) -> Any:
    kind = parameter.annotation
    kinds = getattr(kind, "__args__", (kind,))  # a union's members
    if type(None) in kinds and text.lower() in ("none", ""):
        return None
    wanted = ""
    for one, description in ((bool, "true or false"), (int, "an integer"), (float, "a number")):
        if one not in kinds:
            continue
        wanted = wanted or description
        try:
            return _flag(text) if one is bool else one(text)
        except ValueError:
            continue
    if str in kinds or not wanted:
        return text
    raise click.UsageError(f"{name}: expected {wanted}, got {text!r}")


def _flag(text: str) -> bool:
    if text.lower() not in _TRUE + _FALSE:
        raise ValueError(text)
    return text.lower() in _TRUE


def _list(rows: "list[GeneratorRow]", as_json: bool) -> None:
    found = [(row, found) for row in rows if (found := _parameters(row)) is not None]
    if as_json:
        print_json(
            {
                "families": [
                    {
                        "family": row.name,
                        "summary": row.summary,
                        "parameters": [_parameter_record(p) for p in parameters.values()],
                    }
                    for row, parameters in found
                ]
            }
        )
    elif on_terminal():
        _show(found)
    else:
        print_rows(
            ("family", "parameters", "summary"),
            ((row.name, " ".join(map(_usage, ps.values())), row.summary) for row, ps in found),
        )


def _parameters(row: "GeneratorRow") -> Any:
    """The parameters of a family; if it cannot be loaded, None and a warning."""
    import warnings

    try:
        return _signature(row.load()).parameters
    except PluginError as error:
        warnings.warn(f"the generator {error}", PluginWarning, stacklevel=2)
        return None


def _parameter_record(p: inspect.Parameter) -> dict[str, Any]:
    kind = p.annotation if isinstance(p.annotation, type) else None
    required = p.default is p.empty
    return {
        "name": p.name,
        "type": kind.__name__ if kind else str(p.annotation),
        "required": required,
        "default": None if required else p.default,
    }


def _show(found: list[Any]) -> None:
    from rich.text import Text

    table = rich_table(("family", {"no_wrap": True}), "parameters and their defaults")
    for row, parameters in found:
        usage = " ".join(map(_usage, parameters.values())).replace("[", "").replace("]", "")
        table.add_row(Text(row.name, "bold"), Text(row.summary))
        table.add_row("", Text(usage, "dim"))
    console().print(table)
    console().print("zermelo generate FAMILY KEY=VALUE … OUT", style="dim")
