"""``zermelo value``: canonical forms and values of partizan games, and sums of them."""

import contextlib
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import complete
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.rules import at_work, load, read_position
from zermelo.cli.inputs.source import what_fits
from zermelo.cli.options import FORCE, JSON, NO_CHECK, GroupedCommand, flag, option, under
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.errors import NotationError, UndefinedError

if TYPE_CHECKING:
    from zermelo.partizan.value import Value
    from zermelo.rules.partizan.base import PartizanRules

COLUMNS = (
    "expression", "value", "outcome", "birthday", "left_stop", "right_stop", "mean", "temperature",
    "atomic_weight",
)  # fmt: skip
MOVE_COLUMNS = ("component", "from", "to")
DRAWN = "terminal"
GAME = re.compile(r"[a-z][a-z0-9-]*(:.*)?", re.DOTALL)
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
def command(
    what: tuple[str, ...],
    thermograph: str | None,
    as_sum: bool,
    best: str | None,
    positions: tuple[str, ...],
    number: bool,
    literal: bool,
    explain: bool,
    depth: int | None,
    verify: bool,
    no_check: bool,
    force: bool,
    as_json: bool,
) -> None:
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
    if thermograph is not None and thermograph != DRAWN and not thermograph.endswith(".svg"):
        if PICTURE.fullmatch(thermograph):
            raise click.UsageError(
                f"--thermograph: expected a file FILE.svg, or no file to draw it as text, got "
                f"{thermograph}; SVG is the only format"
            )
        what, thermograph = (
            (thermograph, *what),
            DRAWN,
        )  # the text after the option is an expression
    for text in what:
        if re.match(r"--[a-z]", text):
            raise click.UsageError(f"no such option: {text}", click.get_current_context())
    if not what:
        raise click.UsageError("expected an expression, such as '{2|-1}'")
    if positions and not all(map(is_game, what)):
        raise click.UsageError("--position goes with GAME")
    if thermograph != DRAWN:
        check_output(thermograph, "picture", what, force)
    if depth is not None and not explain:
        raise click.UsageError("--depth goes with --explain")
    aspects = {
        "--number": number, "--literal": literal, "--explain": explain, "--best": best is not None,
        "--thermograph": thermograph is not None, "--verify": verify,
    }  # fmt: skip
    if number or literal or explain:
        given = [name for name, wanted in aspects.items() if wanted]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} cannot be given together")
        from zermelo.cli.values import forms as value_forms

        source = value_forms.Source(what, positions, no_check, as_sum)
        if explain:
            value_forms.show_explanations(source, depth, as_json)
        elif literal:
            value_forms.show_literal(source, as_json)
        else:
            value_forms.show_numbers(source, as_json)
        return
    values = [pair for text in what for pair in read_values(text, verify, positions, no_check)]
    if best is not None:
        _show_best(values, best.lower(), as_json)
        return
    if as_sum:
        total = sum((v for _, v in values[1:]), values[0][1])
        values = [(" + ".join(text for text, _ in values), total)]
    _show(values, thermograph, as_json)


def read_values(
    text: str, verify: bool, positions: tuple[str, ...], no_check: bool
) -> "Iterator[tuple[str, Any]]":
    """The values that an argument stands for, with their names."""

    if is_game(text):
        yield from _game_values(text, verify, positions, no_check)
        return
    if text == "-" or os.path.isfile(text):
        from zermelo.partizan.loopy.graph_file import read_partizan

        graph = read_partizan(text)
        values = graph.values()
        if verify:
            values.verify()
        for name, v in zip(graph.positions, values.value, strict=True):
            yield str(name), v
        return
    from zermelo.partizan.value import Value, value

    try:
        v = value(text)
        if verify and isinstance(v, Value):
            from zermelo.partizan.certificate import check_expression

            check_expression(text, v.id)
    except NotationError as error:
        raise misspelt(text, error) from None
    yield text, v


def misspelt(text: str, error: "NotationError") -> click.UsageError:
    """The error for an expression that cannot be read."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    return click.UsageError(f"{shown}: {error.message}")


def is_game(text: str) -> bool:
    """Whether a text names a game; values have no colon, so a name before a colon is a game."""
    if re.search(r"\.py(:|$)", text):
        return True
    if os.path.isfile(text) or not GAME.fullmatch(text):
        return False
    from zermelo.registry import GAMES

    return ":" in text or text in GAMES


def _game_values(
    text: str, verify: bool, positions: tuple[str, ...], no_check: bool
) -> "Iterator[tuple[str, Any]]":
    """The values of positions of a game, by default of its start."""
    from zermelo.partizan.positions import game_values
    from zermelo.partizan.value import Value
    from zermelo.rules.faults import text_of

    with Meter() as meter:
        rules = load_partizan(text, no_check, meter)
        values = game_values(rules, progress=meter)
        wanted = [read_position(rules, x, "--position") for x in positions]
        for x in wanted or [rules.start()]:
            meter.stage(f"valuing {text}")
            with at_work(rules):
                v = values[x]
                name = f"{text} {text_of(rules, x)}" if wanted else text
                if verify and isinstance(v, Value):
                    from zermelo.partizan.certificate import check_rules

                    meter.stage("verifying")
                    check_rules(rules, x, v.id)
            yield name, v


def load_partizan(text: str, no_check: bool, meter: "Meter") -> "PartizanRules[Any]":
    """The rules of a game in which Left and Right differ."""
    from zermelo.rules.partizan.base import PartizanRules

    rules = load(text, no_check, meter)
    if not isinstance(rules, PartizanRules):
        raise click.UsageError(
            f"expected a game in which Left and Right differ, got {text}; {what_fits(text, rules)}"
        )
    return rules


# -------------------------------------------------------------------- values


def record(name: str, v: "Value | Any") -> dict[str, Any]:
    """The columns of a value; None for a column that does not exist, such as of loopy values.

    >>> import zermelo as zm
    >>> record("x", zm.value("^*"))["atomic_weight"], record("x", zm.value(2))["temperature"]
    ('1', '-1')
    """
    from zermelo.partizan.value import Value

    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"expression": name, "value": str(v), "outcome": v.outcome.name}
    if isinstance(v, Value):
        for key in ("left_stop", "right_stop", "mean", "temperature"):
            row[key] = str(getattr(v, key))
        row["birthday"] = v.birthday
        with contextlib.suppress(UndefinedError):
            row["atomic_weight"] = str(v.atomic_weight)
    return row


def _show(values: "list[tuple[str, Any]]", thermograph: str | None, as_json: bool) -> None:
    from zermelo.partizan.value import Value

    records = [record(name, v) for name, v in values]
    drawn = [(name, v) for name, v in values if isinstance(v, Value)] if thermograph else []
    if thermograph not in (None, DRAWN):
        if len(drawn) != 1:
            raise click.UsageError(f"expected one value to draw, got {len(drawn)}")
        _write_svg(thermograph, *drawn[0])
    if as_json:
        for row, (_, v) in zip(records, values, strict=True):
            if isinstance(v, Value):
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


def _write_svg(path: str, name: str, v: "Value") -> None:
    from zermelo._runtime.files import write_bytes

    text = str(v)
    title = text if name == text else f"{name} = {text}"
    write_bytes(v.thermograph.svg(title).encode(), path)
    show.note(f"wrote {path}")


# -------------------------------------------------------------------- sums


def _show_best(values: "list[tuple[str, Any]]", player: str, as_json: bool) -> None:
    from zermelo.partizan.analysis.play import best_moves
    from zermelo.partizan.value import Value

    for name, v in values:
        if not isinstance(v, Value):
            raise click.UsageError(f"expected values without loops for --best, got {name}")
    moves = best_moves([v for _, v in values], player)
    if as_json:
        rows = [
            {"component": m.component, "from": str(m.before), "to": str(m.after)} for m in moves
        ]
        show.print_json({"player": player, "wins": bool(moves), "moves": rows})
        return
    if show.on_terminal():
        loser = "right" if player == "left" else "left"
        print(
            f"{player.capitalize()} moves and wins by {show.count(len(moves), 'move')}:"
            if moves
            else f"{player.capitalize()} moves and {loser.capitalize()} wins."
        )
        for move in moves:
            print(f"  {move}")
        return
    show.print_rows(MOVE_COLUMNS, [[m.component, m.before, m.after] for m in moves])
