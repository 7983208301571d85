"""``zermelo grundy``: values of impartial games, and all good moves in their sums."""

import errno
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli import options as opt
from zermelo.cli.inputs.files import check_output, name_of
from zermelo.cli.inputs.parse import small_number
from zermelo.cli.inputs.source import (
    Source,
    check_impartial,
    check_impartial_graph,
    names_rules,
    open_game,
    read_rules,
)
from zermelo.cli.output import show
from zermelo.cli.output.listing import LABEL_STYLES, Listing, plain_entry
from zermelo.cli.output.progress import Meter
from zermelo.cli.values.heap import DRAWN, OPTIONS, run_heap
from zermelo.errors import InvalidOptionError, ZermeloError

if TYPE_CHECKING:
    from zermelo.sums.sum import SumMove
    from zermelo.sums.values import Value

BAR_WIDTH = 40
"""Columns of the longest bar of a histogram."""

COLUMNS = ("position", "value", "label")
MOVE_COLUMNS = ("component", "from", "to", "value", "label")

MAX_HEAP = 100_000
"""The largest heap in a sum: all its moves are computed."""

CODE = re.compile(r"\d\.|\d?\.[0-9a-f]+(\.\.\.|…)?|(all-but:)?\{?\d+(,\d+)*\}?", re.IGNORECASE)
"""The notation of heap games: a code such as 0.77, or a subtraction set such as 1,2,3."""


@click.command(cls=opt.GroupedCommand)
@click.argument(
    "what", metavar="FILE|CODE|COMPONENT...", nargs=-1, shell_complete=complete.files_and_heaps
)
@opt.under(
    "Answer",
    opt.flag("--sum as_sum", "Play the sum of all components."),
    opt.position("--start", "Show the moves of this position and their values."),
    opt.flag("--histogram", "Show how many positions have each value."),
    opt.flag("--play", "With --sum or --start: also show best play."),
)
@opt.flag("--verify", "Check the values before they are shown.")
@opt.output("Write all values as a table: .csv or .tsv.")
@opt.FORCE
@opt.FORMAT
@opt.number(
    "--limit",
    f"Show N positions (values, with --histogram); the default is {opt.MAX_ROWS} on a terminal and "
    "all in a pipe.",
)  # fmt: skip
@opt.flag("--all everything", "Show all positions; all moves of a sum.")
@opt.under(
    "Heap games",
    opt.number("--to", "For heaps: up to this size."),
    opt.flag("--period", "For heaps: prove the period of the values."),
    opt.option(
        "--plot", "[FILE]",
        "For heaps: draw the values as text, or into a file: .svg, .png or .pdf.",
        complete.files, is_flag=False, flag_value=DRAWN,
    ),
)  # fmt: skip
@opt.JSON
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
        _only(given, "a heap game", *OPTIONS)
        run_heap(what[0], given)
        return
    opt.refuse(given, ("to", "period", "plot"), "does not go with a file")
    if given["play"] and given["start"] is None:
        raise click.UsageError("--play goes with --sum or --start")
    if given["force"] and given["output"] is None:
        raise click.UsageError("--force goes with --output")
    if given["start"] is not None:
        opt.refuse(given, ("histogram", "limit", "everything"), "does not go with --start")
    elif given["histogram"]:
        opt.refuse(given, ("everything",), "does not go with --histogram")
    _file(what[0], given)


def _only(given: dict[str, Any], what: str, *allowed: str) -> None:
    """Refuse options that do not belong to this use of the command."""
    others = [name for name in given if name not in (*allowed, "as_sum")]
    opt.refuse(given, others, f"does not go with {what}")


def _is_heap(text: str) -> bool:
    """Whether an argument is the code or the name of a heap game, and not a file."""
    if text == "-" or os.path.exists(text):
        return False
    if CODE.fullmatch(text):
        return True
    from zermelo.sums.heaps.code import NAMES

    return text in NAMES


def value_record(x: Any) -> Any:
    """A value, or another entry of a row, for JSON.

    >>> from zermelo.sums.values import Infinite
    >>> value_record(3), value_record(Infinite({2, 0}))
    (3, {'inf': [0, 2]})
    """
    return {"inf": sorted(x.options)} if isinstance(x, zm.Infinite) else plain_entry(x)


def _values(
    file: str, format_: str | None, verify: bool, meter: "Meter"
) -> "tuple[Source, zm.Grundy]":
    """The game that an argument names, and its values."""
    if format_ is None and names_rules(file):
        check_impartial(file)
    made = open_game(file, format_, meter)
    check_impartial_graph(made)
    meter.stage("finding values")
    solved = zm.grundy(made.graph, meter)
    if verify:
        meter.stage("verifying")
        solved.verify()
    return made, solved


# -------------------------------------------------------------------- a file


def _file(file: str, given: dict[str, Any]) -> None:
    output = given["output"]
    if output is not None:
        check_output(output, "values", (file,), given["force"], format_="csv")
        if os.path.splitext(output)[1].lower() not in (".csv", ".tsv"):
            raise InvalidOptionError(f"{output}: expected a table to end in .csv or .tsv")
    with Meter() as meter:
        made, solved = _values(file, given["format_"], given["verify"], meter)
        start = made.find(given["start"], "--start")
        listing = _listing(file, solved, given)
        if output is not None:
            meter.stage(f"writing {output}")
            listing.with_column("counter", solved.counter.tolist()).write(output)
    show.note_written(output)
    if start is not None:
        _show_sum(zm.Sum([(solved, start)]), [str(start)], {**given, "everything": True})
        return
    asked = given["everything"] or given["limit"] or given["histogram"] or given["as_json"]
    if output is not None and not asked and not show.on_terminal():
        return  # the rows are in the file
    if given["histogram"]:
        _show_histogram(solved, listing, given)
    else:
        listing.show(listing.total if given["everything"] else given["limit"], given["as_json"])


def _listing(file: str, solved: "zm.Grundy", given: dict[str, Any]) -> Listing:
    from zermelo.cli.solving.info import graph_record

    graph, infinite = solved.graph, int((solved.value < 0).sum())
    largest = int(solved.value.max(initial=0))
    head = {
        "file": file,
        "graph": graph_record(graph),
        "acyclic": solved.acyclic,
        "verified": given["verify"],
        "largest": largest,
        "infinite": infinite,
        "histogram": [
            {"value": value_record(x), "positions": k}
            for x, k in (_histogram(solved, given) if given["as_json"] else ())
        ],
    }
    shape = "no cycles" if solved.acyclic else "has cycles"
    values = f"0 to {largest}" + (f", {infinite:,} infinite" * (infinite > 0))
    facts = [
        ("game", name_of(file)),
        ("graph", f"{show.graph_size(graph)}; {shape}"),
        ("values", values + (", verified" if given["verify"] else "")),
    ]
    names = {int(x): x.name for x in zm.Label}
    labels = [names[x] for x in solved.label.tolist()]
    return Listing(
        head, facts, "positions", COLUMNS,
        lambda: ((x, solved[x], label) for x, label in zip(graph, labels, strict=True)), graph.n,
        numbers=("value",), coloured="label", more_by="--all", entry=value_record,
    )  # fmt: skip


def _histogram(solved: "zm.Grundy", given: dict[str, Any]) -> "list[tuple[Value, int]]":
    """How many positions have each value; ``--histogram --limit`` asks for the first values."""
    return list(solved.histogram().items())[: given["limit"] if given["histogram"] else None]


def _show_histogram(solved: "zm.Grundy", listing: Listing, given: dict[str, Any]) -> None:
    counts = _histogram(solved, given)
    if given["as_json"]:
        show.print_json(listing.head)
    elif show.on_terminal():
        from rich.text import Text

        most = max((k for _, k in counts), default=1)
        rows = (
            (str(x), f"{k:,}", Text("━" * -(-BAR_WIDTH * k // most), "cyan")) for x, k in counts
        )
        show.print_facts(listing.facts)
        print()
        show.print_table([show.right("value"), show.right("positions"), ""], rows)
    else:
        show.print_rows(("value", "positions"), counts)


# -------------------------------------------------------------------- a sum


def _sum(arguments: Iterable[str], given: dict[str, Any]) -> None:
    solved: dict[str, tuple[Source, zm.Grundy]] = {}
    with Meter() as meter:
        components = [_component(text, solved, given, meter) for text in arguments]
    _show_sum(zm.Sum(components), list(arguments), given)


def _component(
    text: str, solved: "dict[str, tuple[Source, zm.Grundy]]", given: dict[str, Any], meter: "Meter"
) -> Any:
    """The component that an argument names: ``*N``, ``FILE:POSITION``, ``CODE:N``, or a game."""
    if text.startswith("*") and text[1:].isdecimal():
        return small_number(text[1:], "--sum", MAX_HEAP)
    code, _, size = text.rpartition(":")
    if size.isdecimal() and _is_heap(code):
        return zm.heap(code), small_number(size, "--sum", MAX_HEAP)

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
    if not names_rules(text):
        return False
    try:
        read_rules(text)
    except ZermeloError:
        return False
    return True


def _show_sum(total: "zm.Sum", names: list[str], given: dict[str, Any]) -> None:
    moves = total.moves()
    best, wanted = total.best_move, total.outcome
    if not given["everything"]:
        moves = [m for m in moves if m.label == wanted] if wanted != zm.Label.LOSE else []
    line: Any = total.play() if given["play"] else None
    if given["as_json"]:
        show.print_json({
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
    elif show.on_terminal():
        _sum_terminal(total, names, moves)
    else:
        show.print_rows(
            MOVE_COLUMNS,
            ((m.component, _place(m.start), _place(m.to), m.value, m.label.name) for m in moves),
        )
    if line is not None and not given["as_json"]:
        print()
        print(" → ".join("+".join(show.field(_place(x)) for x in places) for places in line)
              + (" → …" if line.cycle is not None else ""))  # fmt: skip


def _place(x: object) -> object:
    """A place in a table: several heaps have commas between them."""
    return (",".join(map(str, x)) or 0) if isinstance(x, tuple) else x


def _plain(x: Any) -> Any:
    """A place in JSON: heaps are a list."""
    return list(x) if isinstance(x, tuple) else show.plain_name(x)


def _move_record(move: "SumMove") -> dict[str, Any]:
    places = (_plain(move.start), _plain(move.to))
    entries = (move.component, *places, value_record(move.value), move.label.name)
    return dict(zip(MOVE_COLUMNS, entries, strict=True))


def _sum_terminal(total: "zm.Sum", names: list[str], moves: "list[SumMove]") -> None:
    from rich.text import Text

    facts = [(name, str(x)) for name, x in zip(names, total.values, strict=True)]
    show.print_facts(
        [*facts, ("sum", f"{total.value}, {total.outcome.name} for the player to move")]
    )
    if not moves:
        return
    rows: list[list[str | Text]] = []
    for m in moves:
        where = (names[m.component], show.field(_place(m.start)), show.field(_place(m.to)))
        label = Text(m.label.name, LABEL_STYLES[m.label.name])
        rows.append([*map(Text, where), str(m.value), label])
    print()
    show.print_table(["move in", "from", "to", show.right("sum after it"), "mover gets"], rows)
