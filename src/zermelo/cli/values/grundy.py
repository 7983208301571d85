"""``zermelo grundy``: values of impartial games, and all good moves in their sums."""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import complete
from zermelo.cli.inputs.files import FORCE, FORMAT, JSON, shown
from zermelo.cli.inputs.parse import small_number
from zermelo.cli.output.show import (
    count,
    field,
    note,
    on_terminal,
    plain_name,
    print_json,
    print_json_rows,
    print_rows,
)
from zermelo.cli.values.heap import DRAWN, run_heap

if TYPE_CHECKING:
    from rich.text import Text

    from zermelo.cli.inputs.source import Source
    from zermelo.cli.output.progress import Meter
    from zermelo.sums.grundy import Grundy
    from zermelo.sums.sum import Sum, SumMove
    from zermelo.sums.values import Value

FEW = 20
"""The number of positions that a terminal shows by default."""

BAR = 40
"""Columns of the longest bar of a histogram."""

COLUMNS = ("position", "value", "label")
MOVE_COLUMNS = ("component", "from", "to", "value", "label")

LARGEST_HEAP = 100_000
"""The largest heap in a sum: all its moves are computed."""

CODE = re.compile(r"\d\.|\d?\.[0-9a-f]+(\.\.\.|…)?|(all-but:)?\{?\d+(,\d+)*\}?", re.IGNORECASE)
"""The notation of heap games: a code such as 0.77, or a subtraction set such as 1,2,3."""


@click.command()
@click.argument(
    "what", metavar="FILE|CODE|COMPONENT...", nargs=-1, shell_complete=complete.files_and_heaps
)
@click.option("--sum", "as_sum", is_flag=True, help="Play the sum of all components.")
@click.option(
    "--start", metavar="A", shell_complete=complete.positions,
    help="Show the moves of this position and their values.",
)  # fmt: skip
@click.option("--histogram", is_flag=True, help="Show how many positions have each value.")
@click.option("--play", is_flag=True, help="With --sum or --start: also show best play.")
@click.option("--verify", is_flag=True, help="Check the values before they are shown.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(),
    help="Write all values as a table: .csv or .tsv.",
)  # fmt: skip
@FORCE
@FORMAT
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help=f"Show N positions (values, with --histogram); the default is {FEW} on a terminal and all "
    "in a pipe.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Show all positions; all moves of a sum.")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="For heaps: up to this size.")
@click.option("--period", is_flag=True, help="For heaps: prove the period of the values.")
@click.option(
    "--plot", metavar="[FILE]", is_flag=False, flag_value=DRAWN, shell_complete=complete.files,
    help="For heaps: draw the values as text, or into a file: .svg, .png or .pdf.",
)  # fmt: skip
@JSON
def command(what: tuple[str, ...], **given: Any) -> None:
    """Show the Sprague–Grundy value of every position of the game in FILE.

    Instead of FILE you can name an impartial game of ``zermelo games``, such as wythoff:5,8, or a
    Python file of rules. Then all positions that can be reached are shown, as the rules write them.

    A value is a number n if the position is equal to a Nim heap of n, or ∞(K) if play may last for
    ever, where K is the set of finite values of its options. In a pipe the output is a
    tab-separated table with columns position, value, label (WIN, DRAW or LOSE for the player to
    move). CODE is a heap game, such as 0.77, kayles or 1,2,3 (a subtraction set); its values are
    shown by the size of the heap.

    With --sum the arguments are the components of a sum: FILE:POSITION, *N for a heap of Nim,
    CODE:N, a game such as cram:2x3 at its start, or cram:2x3:POSITION at another position.
    The command shows the value of the sum and all moves that win, or all that draw if none wins.
    The columns are component (from 0), from, to, value (of the sum after the move), label.

    \b
    zermelo grundy game.txt --histogram
    zermelo grundy wythoff:5,8
    zermelo grundy --sum game.txt:a game.txt:b '*3'
    zermelo grundy 0.07 --to 100000 --period
    zermelo grundy 0.77 --plot
    """
    if given["plot"] is not None and given["plot"] != DRAWN and _is_heap(given["plot"]):
        what, given["plot"] = (given["plot"], *what), DRAWN  # the text after --plot is the game
    if not what:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
    if given["everything"] and given["limit"] is not None:
        raise click.UsageError("expected --all or --limit, got both")
    if given["as_sum"]:
        _only(given, "--sum", "play", "verify", "format_", "everything", "as_json")
        _sum(what, given)
        return
    if len(what) > 1:
        raise click.UsageError(f"expected one file, got {len(what)}; --sum is for components")
    if _is_heap(what[0]):
        _only(given, "a heap game", "to", "period", "plot", "output", "force", "as_json")
        options = ("to", "period", "plot", "output", "force", "as_json")
        run_heap(what[0], **{k: given[k] for k in options})
        return
    _only(
        given, "a file", "start", "histogram", "verify", "output", "force", "format_", "limit",
        "everything", "as_json", "play",
    )  # fmt: skip
    if given["play"] and given["start"] is None:
        raise click.UsageError("--play goes with --sum or --start")
    if given["force"] and given["output"] is None:
        raise click.UsageError("--force goes with --output")
    alone = "start" if given["start"] is not None else "histogram" if given["histogram"] else None
    for name in ("histogram", "limit", "everything"):
        limited = alone == "histogram" and name == "limit"
        if alone not in (None, name) and given[name] not in (None, False) and not limited:
            _refuse(name, f"--{alone}")
    _file(what[0], given)


def _only(given: dict[str, Any], what: str, *allowed: str) -> None:
    """Refuse options that do not belong to this use of the command."""
    for name, value in given.items():
        if name not in (*allowed, "as_sum") and value not in (None, False):
            _refuse(name, what)


def _refuse(name: str, what: str) -> None:
    spelled = {"format_": "--format", "everything": "--all", "as_json": "--json"}
    raise click.UsageError(f"{spelled.get(name, f'--{name}')} does not go with {what}")


def _is_heap(text: str) -> bool:
    """Whether an argument is the code or the name of a heap game, and not a file."""
    if text == "-" or os.path.exists(text):
        return False
    if CODE.fullmatch(text):
        return True
    from zermelo.sums.heaps.code import NAMES

    return text in NAMES


def value_record(value: "Value") -> "int | dict[str, list[int]]":
    """A value for JSON.

    >>> from zermelo.sums.values import Infinite
    >>> value_record(3), value_record(Infinite({2, 0}))
    (3, {'inf': [0, 2]})
    """
    return value if isinstance(value, int) else {"inf": sorted(value.options)}


def _values(
    file: str, format_: str | None, verify: bool, meter: "Meter"
) -> "tuple[Source, Grundy]":
    """The game that an argument names, and its values."""
    from zermelo.cli.inputs.source import (
        check_impartial,
        check_impartial_graph,
        names_rules,
        open_game,
    )
    from zermelo.sums.grundy import grundy

    if format_ is None and names_rules(file):
        check_impartial(file)
    made = open_game(file, format_, meter)
    check_impartial_graph(made)
    meter.stage("finding values")
    solved = grundy(made.graph, meter)
    if verify:
        meter.stage("verifying")
        solved.verify()
    return made, solved


# -------------------------------------------------------------------- a file


def _file(file: str, given: dict[str, Any]) -> None:
    from zermelo.cli.output.progress import Meter

    output = given["output"]
    if output is not None:
        _check_table(output, (file,), given["force"])
    with Meter() as meter:
        made, solved = _values(file, given["format_"], given["verify"], meter)
        start = None if given["start"] is None else made.find(given["start"], "--start")
        if output is not None:
            meter.stage(f"writing {output}")
            _write(solved, output)
    if output is not None:
        note(f"wrote {output}")
    if start is not None:
        from zermelo.sums.sum import Sum

        _show_sum(Sum([(solved, start)]), [str(start)], {**given, "everything": True})
        return
    asked = given["everything"] or given["limit"] or given["histogram"] or given["as_json"]
    if output is not None and not asked and not on_terminal():
        return  # the rows are in the file
    few = FEW if on_terminal() and not given["as_json"] else None
    limit = None if given["everything"] else few if given["limit"] is None else given["limit"]
    if given["as_json"]:
        _json(file, solved, limit, given)
    elif on_terminal():
        _terminal(file, solved, limit, given)
    elif given["histogram"]:
        print_rows(("value", "positions"), _histogram(solved, given["limit"]))
    else:
        print_rows(COLUMNS, _rows(solved, limit))


def _histogram(solved: "Grundy", limit: int | None) -> "list[tuple[Value, int]]":
    """How many positions have each value, of the first ``limit`` values."""
    return list(solved.histogram().items())[:limit]


def _rows(solved: "Grundy", limit: int | None = None) -> Iterator[tuple[object, "Value", str]]:
    from zermelo.labels import Label

    graph, label = solved.graph, solved.label
    for v in range(graph.n if limit is None else min(limit, graph.n)):
        yield graph.name(v), solved._value(v), Label(int(label[v])).name


def _check_table(path: str, inputs: tuple[str, ...], force: bool) -> None:
    from zermelo.cli.inputs.files import check_output
    from zermelo.errors import InvalidOptionError

    check_output(path, "values", inputs, force, format_="csv")
    if os.path.splitext(path)[1].lower() not in (".csv", ".tsv"):
        raise InvalidOptionError(f"{path}: expected a table to end in .csv or .tsv")


def _write(solved: "Grundy", path: str) -> None:
    import csv
    import io

    from zermelo._runtime.files import write_bytes

    out = io.StringIO()
    rows = csv.writer(out, "excel-tab" if path.lower().endswith("tsv") else "excel")
    rows.writerow((*COLUMNS, "counter"))
    for row, counter in zip(_rows(solved), solved.counter.tolist(), strict=True):
        rows.writerow((*row, counter))
    write_bytes(out.getvalue().replace("\r\n", "\n").encode(), path)


def _summary(file: str, solved: "Grundy", given: dict[str, Any]) -> dict[str, Any]:
    from zermelo.cli.solving.info import graph_record

    return {
        "file": file,
        "graph": graph_record(solved.graph),
        "acyclic": solved.acyclic,
        "verified": given["verify"],
        "largest": int(solved.value.max(initial=0)),
        "infinite": int((solved.value < 0).sum()),
        "histogram": [
            {"value": value_record(x), "positions": k}
            for x, k in _histogram(solved, given["limit"] if given["histogram"] else None)
        ],
    }


def _json(file: str, solved: "Grundy", limit: int | None, given: dict[str, Any]) -> None:
    head = _summary(file, solved, given)
    if given["histogram"]:
        print_json(head)
        return
    records = (
        {"position": plain_name(name), "value": value_record(x), "label": label}
        for name, x, label in _rows(solved, limit)
    )
    print_json_rows(head, "positions", records)


def _terminal(file: str, solved: "Grundy", limit: int | None, given: dict[str, Any]) -> None:
    from rich.text import Text

    from zermelo.cli.output.show import console, print_facts, rich_table

    graph, infinite = solved.graph, int((solved.value < 0).sum())
    proof = ", verified" if given["verify"] else ""
    values = f"0 to {solved.value.max(initial=0)}" + (f", {infinite:,} infinite" * (infinite > 0))
    print_facts([
        ("game", shown(file)),
        ("graph", f"{count(graph.n, 'position')}, {count(graph.m, 'move')}; "
                  f"{'no cycles' if solved.acyclic else 'has cycles'}"),
        ("values", values + proof),
    ])  # fmt: skip
    right = {"justify": "right", "no_wrap": True}
    if given["histogram"]:
        table = rich_table(("value", right), ("positions", right), "")
        counts = _histogram(solved, given["limit"])
        most = max((k for _, k in counts), default=1)
        for x, k in counts:
            table.add_row(str(x), f"{k:,}", Text("━" * -(-BAR * k // most), "cyan"))
    else:
        table = rich_table(("position", {"overflow": "fold"}), ("value", right), "label")
        for name, x, label in _rows(solved, limit):
            table.add_row(Text(field(name)), str(x), _label(label))
    out = console()
    out.print()
    out.print(table)
    if not given["histogram"] and limit is not None and limit < graph.n:
        out.print(f"{graph.n - limit:,} more; --all shows them", style="dim")


def _label(name: str) -> "Text":
    from rich.text import Text

    from zermelo.cli.solving.terminal import STYLES

    return Text(name, STYLES[name])


# -------------------------------------------------------------------- a sum


def _sum(arguments: Iterable[str], given: dict[str, Any]) -> None:
    from zermelo.cli.output.progress import Meter
    from zermelo.sums.sum import Sum

    solved: dict[str, tuple[Source, Grundy]] = {}
    with Meter() as meter:
        components = [_component(text, solved, given, meter) for text in arguments]
    _show_sum(Sum(components), list(arguments), given)


def _component(
    text: str, solved: "dict[str, tuple[Source, Grundy]]", given: dict[str, Any], meter: "Meter"
) -> Any:
    """The component that an argument names: ``*N``, ``FILE:POSITION``, ``CODE:N``, or a game."""
    from zermelo.cli.inputs.source import names_rules

    if text.startswith("*") and text[1:].isdecimal():
        return small_number(text[1:], "--sum", LARGEST_HEAP)
    code, _, size = text.rpartition(":")
    if size.isdecimal() and _is_heap(code):
        from zermelo.sums.heaps.heap import heap

        return heap(code), small_number(size, "--sum", LARGEST_HEAP)

    def part(name: str, position: str | None) -> Any:
        if name not in solved:
            format_ = None if names_rules(name) else given["format_"]
            solved[name] = _values(name, format_, given["verify"], meter)
        made, values = solved[name]
        return values, made.start if position is None else made.find(position, text)

    cuts = [k for k, letter in enumerate(text) if letter == ":"]
    for k in reversed(cuts):  # a name may have colons, and so may a file
        if text[:k] == "-" or os.path.isfile(text[:k]):
            if text[:k].endswith(".py"):
                break
            return part(text[:k], text[k + 1 :])
    if names_rules(text):
        for k in reversed(cuts[1:]):
            if _is_game(text[:k]):
                return part(text[:k], text[k + 1 :])
        return part(text, None)
    if os.path.exists(text):
        raise click.UsageError(f"expected a position after a colon, {text}:POSITION, got {text!r}")
    if cuts:
        problem = "no such file, and no game or heap game has this name"
        raise FileNotFoundError(errno.ENOENT, problem, text[: cuts[-1]])
    raise click.UsageError(f"expected FILE:POSITION, GAME, *N or CODE:N, got {text!r}")


def _is_game(text: str) -> bool:
    """Whether a text names a game with all its parameters, so that a position may follow."""
    from zermelo.cli.inputs.source import names_rules, read_rules
    from zermelo.errors import ZermeloError

    if not names_rules(text):
        return False
    try:
        read_rules(text)
    except ZermeloError:
        return False
    return True


def _show_sum(total: "Sum", names: list[str], given: dict[str, Any]) -> None:
    from zermelo.labels import Label

    moves = total.moves()
    best, wanted = total.best_move, total.outcome
    if not given["everything"]:
        moves = [m for m in moves if m.label == wanted] if wanted != Label.LOSE else []
    line: Any = total.play() if given["play"] else None
    if given["as_json"]:
        print_json({
            "components": [
                {"component": name, "value": value_record(x)}
                for name, x in zip(names, total.values, strict=True)
            ],
            "value": value_record(total.value),
            "outcome": wanted.name,
            "best_move": None if best is None else _move_record(best),
            "moves": [_move_record(m) for m in moves],
            **({} if line is None else {
                "line": [[_plain(x) for x in places] for places in line], "cycle": line.cycle,
            }),
        })  # fmt: skip
    elif on_terminal():
        _sum_terminal(total, names, moves)
    else:
        print_rows(
            MOVE_COLUMNS,
            ((m.component, _place(m.start), _place(m.to), m.value, m.label.name) for m in moves),
        )
    if line is not None and not given["as_json"]:
        print()
        print(" → ".join("+".join(field(_place(x)) for x in places) for places in line)
              + (" → …" if line.cycle is not None else ""))  # fmt: skip


def _place(x: object) -> object:
    """A place in a table: several heaps have commas between them."""
    return (",".join(map(str, x)) or 0) if isinstance(x, tuple) else x


def _plain(x: Any) -> Any:
    """A place in JSON: heaps are a list."""
    return list(x) if isinstance(x, tuple) else plain_name(x)


def _move_record(move: "SumMove") -> dict[str, Any]:
    return {
        "component": move.component,
        "from": _plain(move.start),
        "to": _plain(move.to),
        "value": value_record(move.value),
        "label": move.label.name,
    }


def _sum_terminal(total: "Sum", names: list[str], moves: "list[SumMove]") -> None:
    from rich.text import Text

    from zermelo.cli.output.show import console, print_facts, rich_table

    out = console()
    facts = [(name, str(x)) for name, x in zip(names, total.values, strict=True)]
    print_facts([*facts, ("sum", f"{total.value}, {total.outcome.name} for the player to move")])
    if moves:
        right = {"justify": "right", "no_wrap": True}
        table = rich_table("move in", "from", "to", ("sum after it", right), "mover gets")
        for m in moves:
            where = (names[m.component], field(_place(m.start)), field(_place(m.to)))
            table.add_row(*map(Text, where), str(m.value), _label(m.label.name))
        out.print()
        out.print(table)
