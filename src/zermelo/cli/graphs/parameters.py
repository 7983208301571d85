"""Families and transformations by name: their parameters KEY=VALUE, their lists, completion."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import click
from click.shell_completion import CompletionItem

from zermelo.cli.complete import Completer, Items, matching
from zermelo.cli.output import show
from zermelo.registry.table import Row, Table

Parameters = dict[str, inspect.Parameter]

_TRUE = ("true", "yes", "1", "on")
_FALSE = ("false", "no", "0", "off")


def typed_usage(p: inspect.Parameter) -> str:
    """A parameter as messages and lists show it: ``n=INT``, or with its default, ``[n=3]``."""
    if p.default is p.empty:
        return f"{p.name}={p.annotation.__name__.upper()}"
    shown = str(p.default).lower() if isinstance(p.default, bool) else p.default
    return f"[{p.name}={shown}]"


def parameters_of(function: Callable[..., Any]) -> Parameters:
    """The parameters of a function, by name."""
    return dict(inspect.signature(function, eval_str=True).parameters)


def parse_parameters(
    name: str,
    function: Callable[..., Any],
    pairs: list[str],
    usage: Callable[[inspect.Parameter], str] = typed_usage,
) -> dict[str, Any]:
    """Values for the parameters of a function from texts ``key=value``, in the declared types.

    ``usage`` is how messages show a parameter.

    >>> def star(n: int, loops: bool = False): ...
    >>> parse_parameters("star", star, ["n=3", "loops=yes"])
    {'n': 3, 'loops': True}
    """
    known = parameters_of(function)
    listed = " ".join(map(usage, known.values()))
    parameters = f"its parameters are {listed}" if listed else "it has none"
    given: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise click.UsageError(f"expected KEY=VALUE before the last argument, got {pair!r}")
        if key not in known:
            raise click.UsageError(f"{name!r} has no parameter {key!r}; {parameters}")
        if key in given:
            raise click.UsageError(f"parameter {key!r} is given twice")
        given[key] = _typed(key, known[key], text)
    for key, p in known.items():
        if p.default is p.empty and key not in given:
            raise click.UsageError(f"{name!r} needs {key}=…; {parameters}")
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
        if one is bool and text.lower() in _TRUE + _FALSE:
            return text.lower() in _TRUE
        try:
            if one is not bool:
                return one(text)
        except ValueError:
            continue
    if str in kinds or not wanted:
        return text
    raise click.UsageError(f"{name}: expected {wanted}, got {text!r}")


@dataclass(frozen=True)
class Catalogue:
    """The list of a table whose rows are functions with parameters."""

    table: "Table[Any]"
    parameters: Callable[["Row"], Parameters | None]
    """The parameters of a row; None if it cannot be loaded."""
    files: Completer
    """Completes what follows the parameters."""
    key: str
    """The name of the list in JSON."""
    name: str
    """The name of the first column."""
    about: str
    """The name of the second column on a terminal."""
    remark: str
    usage: Callable[[inspect.Parameter], str] = typed_usage
    types: bool = False
    """Whether JSON has the types of parameters, and a terminal shows defaults without brackets."""

    def complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
        """Names first, then the parameters of the one that was named, then files."""
        table, arguments = self.table, ctx.params.get("arguments") or ()
        if not arguments:
            return matching({row.name: row.summary for row in table}, incomplete)
        if arguments[0] not in table:
            return []
        names = [f"{name}=" for name in self.parameters(table[arguments[0]]) or ()]
        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [*found, *self.files(ctx, param, incomplete)]

    def show(self, rows: "Iterable[Row]", as_json: bool) -> None:
        """Print rows with their parameters."""
        known = [(row, ps) for row in rows if (ps := self.parameters(row)) is not None]
        usages = [" ".join(map(self.usage, ps.values())) for _, ps in known]
        if as_json:
            records = [
                {self.name: row.name, "summary": row.summary,
                 "parameters": [self._record(p) for p in ps.values()]}
                for row, ps in known
            ]  # fmt: skip
            show.print_json({self.key: records})
        elif show.on_terminal():
            cells: list[list[Any]] = []
            for (row, _), usage in zip(known, usages, strict=True):
                cells.append([show.styled(row.name, "bold"), show.styled(row.summary)])
                usage = usage.replace("[", "").replace("]", "") if self.types else usage
                if usage:
                    cells.append(["", show.styled(usage, "dim")])
            show.print_table([(self.name, {"no_wrap": True}), self.about], cells)
            show.print_remark(self.remark)
        else:
            lines = zip((row for row, _ in known), usages, strict=True)
            columns = (self.name, "parameters", "summary")
            show.print_rows(
                columns, ((row.name, usage or None, row.summary) for row, usage in lines)
            )

    def _record(self, p: inspect.Parameter) -> dict[str, Any]:
        required, kind = p.default is p.empty, p.annotation
        text = kind.__name__ if isinstance(kind, type) else str(kind)
        default = None if required else p.default
        types = {"type": text} if self.types else {}
        return {"name": p.name} | types | {"required": required, "default": default}
