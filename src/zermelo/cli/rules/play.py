"""``zermelo play``: a game in the terminal, against perfect play."""

import random
import sys
from contextlib import ExitStack, redirect_stdout
from typing import Any

import click

import zermelo as zm
from zermelo.cli.inputs.rules import load, read_position, running_rules, with_turns
from zermelo.cli.inputs.source import require_table
from zermelo.cli.options import GAME, JSON, NO_CHECK, flag, option, position
from zermelo.cli.output.board import board_text
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import on_terminal, print_json, print_rows
from zermelo.errors import InvalidOptionError
from zermelo.play.known import solve_to_play
from zermelo.play.match import Match, Option

HELP = "Type a number or a move to play it; ? shows values of moves, u takes back, q quits."
COLUMNS = ("ply", "player", "position", "value", "move")
MAX_LINE_WIDTH = 78


@click.command()
@GAME
@option("--first/--second first", None, "Move first (the default) or second.", default=True)
@flag("--self alone", "Show a line of perfect play instead.")
@position("--start --position start", "Start from this position.", "POSITION")
@option(
    "--table", "FILE",
    "Take the values from this table or directory of tables; by default the game is solved in "
    "memory.", type=click.Path(),
)  # fmt: skip
@option("--seed", "N", "The seed of the choice among equally good moves.", type=int)
@NO_CHECK
@JSON
def command(
    game: str, first: bool, alone: bool, start: str | None, table: str | None, seed: int | None,
    no_check: bool, as_json: bool,
) -> None:  # fmt: skip
    """Play GAME: you against a player who makes no mistakes.

    GAME is a name from zermelo games with its parameters, or a Python file of rules; rules from a
    file are first checked for a second. Type the number of a move or its name (in chess Kd6 or
    d5d6); ? shows the value of each move, u takes your last move back, q quits. If a position
    occurs for the third time, the game is a draw. In chess, White is the first player; castling and
    the fifty-move rule are left out.

    \b
    zermelo play tictactoe
    zermelo play connect4:4x4 --second
    zermelo play hare-and-hounds --self
    """
    if as_json and not alone:
        raise click.UsageError("--json goes with --self")
    with ExitStack() as stack:
        from zermelo.rules.faults import blaming

        rules, known, first_position = _known(stack, game, table, no_check, start)
        with blaming(rules):
            match = Match(rules, known, first_position)
            if alone:
                _line(game, match, as_json)
            else:
                _play(game, match, not first, random.Random(seed))


def _known(
    stack: ExitStack, game: str, table: str | None, no_check: bool, start: str | None
) -> "tuple[Any, zm.SolvedGame, Any]":
    """The rules, the solved game, and the position at which play starts."""
    with Meter() as meter:
        rules = with_turns(load(game, no_check, meter))
        at = rules.start() if start is None else read_position(rules, start, "--start")
        if table is not None:
            require_table(table)
            opened = stack.enter_context(zm.Table(table, rules))
            opened.require_distances("play without mistakes")
            return rules, opened, at
        meter.stage(f"solving {game}")
        with running_rules(rules):
            return rules, solve_to_play(rules, meter, at), at


# A line of perfect play


def _line(game: str, match: Match, as_json: bool) -> None:
    steps: list[dict[str, Any]] = []
    while True:
        options = match.options()
        move = match.best(options)[0] if options else None
        side, here = match.side(match.second_moves), match.rules.show(match.here)
        name = None if move is None else move.name
        step = (len(match.path) - 1, side, here, match.value_in_words(), name)
        steps.append(dict(zip(COLUMNS, step, strict=True)))
        if on_terminal() and not as_json:
            _say(_picture(match), "")
            played = f" plays {move.name}" if move else " cannot move" if not options else ""
            _say(f"{steps[-1]['player']}{played}: {steps[-1]['value']}", "")
        if move is None or move.position in match.path:
            break
        match.path.append(move.position)
    back = None if move is None else match.path.index(move.position)
    if as_json:
        print_json({"game": game, "line": steps, "moves": match.line(), "comes_back_to": back})
    elif not on_terminal():
        print_rows(COLUMNS, [list(step.values()) for step in steps])
        return
    if not as_json and _names_moves(match) and len(match.path) > 1:
        _say(match.line())
    if not as_json and back is not None:
        _say(f"play repeats for ever from ply {back}: a draw")


# A game against a person


def _play(game: str, match: Match, you_second: bool, chance: random.Random) -> None:
    _say(f"{game}: you are {match.side(you_second)}, I am {match.side(not you_second)}.", HELP)
    if match.rules.left_out:
        _say(match.rules.left_out)
    shown = 0
    while True:
        if shown != len(match.path):
            _say("", _picture(match), "")
            shown = len(match.path)
        options = match.options()
        mine = match.second_moves != you_second
        if not options:
            _say(_end(match, mine))
            return
        if match.is_repeated():
            _say("This position occurs for the third time: a draw.")
            return
        if mine:
            move = chance.choice(match.best(options))
            _say(f"I play {move.name}.")
            match.path.append(move.position)
            continue
        answer = _asked(match, options)
        if answer is None:
            _say("You leave the game.")
            return
        if isinstance(answer, Option):
            match.path.append(answer.position)
        elif answer == "undo":
            _take_back(match, you_second)
            shown = 0


def _end(match: Match, mine: bool) -> str:
    from zermelo.rules.base import defines

    label, _ = match.value_of(match.here)
    reason = _sentence(match.value_in_words()) + " " if defines(match.rules, "verdict") else ""
    if label == 0:
        return f"{reason}The end: a tie."
    return reason + ("You win." if (label < 0) == mine else "You lose.")


def _sentence(text: str) -> str:
    """A text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def _names_moves(match: Match) -> bool:
    from zermelo.tables.probing.notated import names_moves

    return names_moves(match.rules)


def _asked(match: Match, options: list[Option]) -> Option | str | None:
    """A move, ``undo``, or None to leave; an answer that is not understood is asked again."""
    _say(*_numbered([x.spelled for x in options]))
    while True:
        line = _read()
        typed = "q" if line is None else line.strip()
        answer = typed.lower()
        if answer in ("q", "quit", "exit"):
            return None
        if answer in ("u", "undo"):
            return "undo"
        if answer in ("?", "h", "hint", "help"):
            _hint(match, options)
            continue
        if not typed:
            continue
        numbers = {str(k): option for k, option in enumerate(options, 1)}
        if answer in numbers:
            return numbers[answer]
        try:
            chosen = match.read(typed)
        except InvalidOptionError as error:
            from zermelo.rules.notation import NoSuchMoveError  # it imports NumPy

            message = str(error)
            unknown = isinstance(error, NoSuchMoveError)
            _say(f"There is no move {typed!r}. {HELP}" if unknown else _sentence(message))
            continue
        for known in options:
            if known.position == chosen:
                return known


def _hint(match: Match, options: list[Option]) -> None:
    best = match.best(options)
    order = sorted(options, key=lambda x: (-x.label, x.label * x.distance, options.index(x)))
    for move in order:
        mark = "*" if move in best else " "
        _say(f"{mark} {options.index(move) + 1:>3}  {move.spelled:<16}  {move.worth}")


def _take_back(match: Match, you_second: bool) -> None:
    """Return to your previous turn."""
    for k in range(len(match.path) - 2, -1, -1):
        if match.second(match.path[k], k) == you_second:
            del match.path[k + 1 :]
            return
    _say("There is nothing to take back.")


def _numbered(names: list[str]) -> list[str]:
    """The names of moves with numbers, in columns."""
    cells = [f"{k:>3} {name}" for k, name in enumerate(names, 1)]
    room = 2 + max(map(len, cells))
    across = max(1, MAX_LINE_WIDTH // room)
    rows = (cells[k : k + across] for k in range(0, len(cells), across))
    return ["".join(f"{cell:<{room}}" for cell in row).rstrip() for row in rows]


def _read() -> str | None:
    """The next line of standard input; None at its end."""
    if on_terminal(sys.stdin):
        try:
            return input("> ")
        except EOFError:
            print()
            return None
    return sys.stdin.readline() or None


def _picture(match: Match) -> str:
    """The current position as lines of text, for standard output as it is now."""
    out = sys.stdout
    with redirect_stdout(sys.stderr):
        return board_text(match.rules, match.here, match.second_moves, out)


def _say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)
