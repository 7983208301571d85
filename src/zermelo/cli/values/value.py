"""``zermelo value``: canonical forms and values of partizan games, and sums of them."""

import contextlib
import re
from typing import Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli.inputs.files import check_output
from zermelo.cli.options import FORCE, JSON, NO_CHECK, GroupedCommand, flag, option, under
from zermelo.cli.output import show
from zermelo.cli.values.arguments import Arguments, is_game
from zermelo.errors import UndefinedError

COLUMNS = (
    "expression", "value", "outcome", "birthday", "left_stop", "right_stop", "mean", "temperature",
    "atomic_weight",
)  # fmt: skip
MOVE_COLUMNS = ("component", "from", "to")
DRAWN = "terminal"
PICTURE = re.compile(r".*\.(?!(?:on|off|over|under|dud)$)[A-Za-z]{2,5}")
"""The name of a file, not an expression: ``out.png``."""


@click.command(cls=GroupedCommand, context_settings={"ignore_unknown_options": True})
@click.argument(
    "what", metavar="EXPRESSION|GAME|FILE...", nargs=-1, shell_complete=complete.files_and_games
)
@flag("--sum as_sum", "Show the sum of all arguments.")
@option(
    "--position positions", "POSITION",
    "A position of GAME, written as the game does; the default is the start; may be repeated.",
    complete.positions, multiple=True,
)  # fmt: skip
@under(
    "Answer",
    option(
        "--thermograph", "[FILE.svg]", "Draw the thermograph as text, or as SVG into a file.",
        complete.files, is_flag=False, flag_value=DRAWN,
    ),
    option(
        "--best", None, "Show all moves by which this player, moving now, wins the sum.",
        type=click.Choice(["left", "right"], case_sensitive=False),
    ),
    flag(
        "--number",
        "Say whether the form as written is a number by Sleator's definition, and if not, where "
        "it fails.",
    ),
    flag(
        "--literal",
        "Show the form as written, sums by their definition, and each step that simplifies it.",
    ),
    flag("--explain", "Say who wins, by which moves, and why other moves fail."),
    option(
        "--depth", "N", "How many moves --explain shows; the default is 4.",
        type=click.IntRange(1, 40),
    ),
)  # fmt: skip
@flag("--verify", "Check canonical forms by plain search.")
@NO_CHECK
@FORCE
@JSON
def command(what: tuple[str, ...], **given: Any) -> None:
    """Show the value of a short partizan game: canonical form, outcome class (L, R, N or P), \
birthday, stops, mean, temperature, and the atomic weight if it has one.

    EXPRESSION is in the notation of CGSuite: integers and fractions, *2, ^ (up), v (down), {2|-1},
    {2||1|0} for {2|{1|0}}, +-1, +_2 and -_2 (tiny and miny), sums, differences, 3.{1|0} for
    multiples; also on, off, over, under, dud. GAME is one of ``zermelo games`` that has values,
    such as domineering:4x4, or a Python file with partizan rules; rules from a file are first
    checked for a second. FILE is a game whose moves belong to Left, Right or both.

    In a pipe the output is a tab-separated table.

    \b
    zermelo value '{0|1} + {0|1} - 1'
    zermelo value '{3|1||-2}' --thermograph
    zermelo value domineering:2x4 --verify
    zermelo value my_game.py:5,3 --position 4+3
    zermelo value --best left '{3|-3}' '{1|-1}' '*'
    zermelo value --number '{1|{0|0}}'
    zermelo value --literal '{0|1} + {0|1}'
    zermelo value --explain '{0|1} + {0|1} - 1'
    """
    thermograph, as_json = given["thermograph"], given["as_json"]
    if thermograph is not None and thermograph != DRAWN and not thermograph.endswith(".svg"):
        if PICTURE.fullmatch(thermograph):
            raise click.UsageError(
                f"--thermograph: expected a file FILE.svg, or no file to draw it as text, got "
                f"{thermograph}; SVG is the only format"
            )
        what, thermograph = (thermograph, *what), DRAWN  # the text after it is an expression
    for text in what:
        if re.match(r"--[a-z]", text):
            raise click.UsageError(f"no such option: {text}", click.get_current_context())
    if not what:
        raise click.UsageError("expected an expression, such as '{2|-1}'")
    if given["positions"] and not all(map(is_game, what)):
        raise click.UsageError("--position goes with GAME")
    if thermograph != DRAWN:
        check_output(thermograph, "picture", what, given["force"])
    if given["depth"] is not None and not given["explain"]:
        raise click.UsageError("--depth goes with --explain")
    options = {name: given[name] for name in ("positions", "no_check", "as_sum", "verify")}
    arguments = Arguments(what, **options)
    aspects = ("number", "literal", "explain", "best", "thermograph", "verify")
    wanted = [name for name in aspects if given[name]]
    if wanted and wanted[0] in ("number", "literal", "explain"):
        if len(wanted) > 1:
            raise click.UsageError(f"--{wanted[0]} and --{wanted[1]} cannot be given together")
        from zermelo.cli.values import forms

        if given["explain"]:
            forms.show_explanations(arguments, given["depth"], as_json)
        elif given["literal"]:
            forms.show_literal(arguments, as_json)
        else:
            forms.show_numbers(arguments, as_json)
        return
    values = list(arguments.values())
    if given["best"] is not None:
        _show_best(values, given["best"].lower(), as_json)
        return
    if given["as_sum"]:
        total = sum((v for _, v in values[1:]), values[0][1])
        values = [(" + ".join(text for text, _ in values), total)]
    _show(values, thermograph, as_json)


# -------------------------------------------------------------------- values


def record(name: str, v: "zm.Value | Any") -> dict[str, Any]:
    """The columns of a value; None for a column that does not exist, such as of loopy values.

    >>> import zermelo as zm
    >>> record("x", zm.value("^*"))["atomic_weight"], record("x", zm.value(2))["temperature"]
    ('1', '-1')
    """
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"expression": name, "value": str(v), "outcome": v.outcome.name}
    if isinstance(v, zm.Value):
        for key in ("left_stop", "right_stop", "mean", "temperature"):
            row[key] = str(getattr(v, key))
        row["birthday"] = v.birthday
        with contextlib.suppress(UndefinedError):
            row["atomic_weight"] = str(v.atomic_weight)
    return row


def _show(values: "list[tuple[str, Any]]", thermograph: str | None, as_json: bool) -> None:
    records = [record(name, v) for name, v in values]
    drawn = [(name, v) for name, v in values if isinstance(v, zm.Value)] if thermograph else []
    if thermograph not in (None, DRAWN):
        if len(drawn) != 1:
            raise click.UsageError(f"expected one value to draw, got {len(drawn)}")
        _write_svg(thermograph, *drawn[0])
    if as_json:
        for row, (_, v) in zip(records, values, strict=True):
            if isinstance(v, zm.Value):
                walls = (v.thermograph.left_wall, v.thermograph.right_wall)
                row["thermograph"] = {
                    side: [[str(t), str(x)] for t, x in wall]
                    for side, wall in zip(("left", "right"), walls, strict=True)
                }
        show.print_json_rows({}, "values", records)
        return
    if show.on_terminal():
        for k, row in enumerate(records):
            if k:
                print()
            show.print_facts(
                [(x.replace("_", " "), str(y)) for x, y in row.items() if y is not None]
            )
    else:
        show.print_rows(COLUMNS, [list(row.values()) for row in records])
    if thermograph == DRAWN:
        for _, v in drawn:
            print()
            print(v.thermograph.draw())


def _write_svg(path: str, name: str, v: "zm.Value") -> None:
    from zermelo._runtime.files import write_bytes

    text = str(v)
    title = text if name == text else f"{name} = {text}"
    write_bytes(v.thermograph.svg(title).encode(), path)
    show.note_written(path)


# -------------------------------------------------------------------- sums


def _show_best(values: "list[tuple[str, Any]]", player: str, as_json: bool) -> None:
    for name, v in values:
        if not isinstance(v, zm.Value):
            raise click.UsageError(f"expected values without loops for --best, got {name}")
    moves = zm.best_moves([v for _, v in values], player)
    rows = [(m.component, str(m.before), str(m.after)) for m in moves]
    if as_json:
        records = [dict(zip(MOVE_COLUMNS, row, strict=True)) for row in rows]
        show.print_json({"player": player, "wins": bool(moves), "moves": records})
    elif show.on_terminal():
        loser = "Right" if player == "left" else "Left"
        wins = f"wins by {show.count(len(moves), 'move')}:" if moves else f"{loser} wins."
        print(f"{player.capitalize()} moves and {wins}")
        for move in moves:
            print(f"  {move}")
    else:
        show.print_rows(MOVE_COLUMNS, rows)
