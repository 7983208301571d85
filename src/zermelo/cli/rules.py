"""Loading and checking the rules that the command line names, and reading their positions."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    from zermelo.cli.progress import Meter

P = ParamSpec("P")
R = TypeVar("R")

NO_CHECK = click.option(
    "--no-check", is_flag=True, help="Do not check rules from a file before they are used."
)
"""The option that omits the check of rules."""

SEARCHED = 200_000
"""The number of positions that are searched for a text, if rules have no parse."""


@contextmanager
def at_work(rules: Any = None) -> Iterator[None]:
    """Run rules: their output goes to stderr, and their exceptions are reported as their faults."""
    from zermelo.rules.faults import blaming

    with redirect_stdout(sys.stderr), blaming(rules):
        yield


def aside(method: Callable[P, R]) -> Callable[P, R]:
    """The method with standard output sent to stderr, so that prints of rules do not mix in."""

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with redirect_stdout(sys.stderr):
            return method(*args, **kwargs)

    return call


def load(game: str, no_check: bool | None = None, meter: "Meter | None" = None) -> Any:
    """The rules that a user names; rules of the user are checked for a second.

    ``no_check`` is None if the command has no such option.
    """
    from zermelo.errors import InvalidRulesError
    from zermelo.rules.faults import admit, own
    from zermelo.rules.load import load_rules

    with at_work():
        rules = load_rules(game)
    with at_work(rules):
        admit(rules)
    if own(rules) and not no_check:
        from zermelo.verify.rules.check import require_sound

        if meter is not None:
            meter.stage(f"checking {game}")
        try:
            with at_work(rules):
                require_sound(rules)
        except InvalidRulesError as error:
            if no_check is None:
                raise
            raise InvalidRulesError(f"{error} (--no-check skips this check)") from error
    return rules


def with_turns(rules: Any) -> Any:
    """Rules in the form that is solved: a position includes the player to move."""
    from zermelo.rules.base import as_rules

    return as_rules(rules)


def read_position(rules: Any, text: str, option: str) -> Any:
    """The position that rules show as this text, by their parse or by a search."""
    from zermelo.errors import InvalidOptionError, ZermeloError
    from zermelo.rules.compiled import CompiledRules
    from zermelo.rules.faults import hashable
    from zermelo.rules.partizan.base import can_read

    with at_work(rules):
        such = rules.show(rules.start())
        if not can_read(rules):
            return _found(rules, text, option, such)
    try:
        with redirect_stdout(sys.stderr):
            found = rules.parse(text)
    except ZermeloError as error:
        raise InvalidOptionError(f"{option}: {error}") from error
    except Exception as error:
        raise InvalidOptionError(
            f"{option}: expected a position such as {such!r}, got {text!r}: "
            f"{type(error).__name__}: {error}"
        ) from error
    if isinstance(rules, CompiledRules):
        from zermelo.rules.faults import integer

        if not integer(found) or found < 0:
            raise InvalidOptionError(
                f"{option}: {text!r} reads as {found!r}, expected an integer from 0 on"
            )
        return int(found)
    return hashable(rules, "parse", found)


def _found(rules: Any, text: str, option: str, such: str) -> Any:
    """The reachable position that has this text; in partizan games both players' moves count."""
    from zermelo.cli.match import followers
    from zermelo.errors import InvalidOptionError
    from zermelo.rules.partizan.base import Turns, split_turn

    turns = isinstance(rules, Turns)
    board = rules.rules if turns else rules
    wanted, side = split_turn(text) if turns else (text.strip(), 0)
    first = board.start()
    found, order = {first}, [first]
    for x in order:
        if board.show(x) == wanted:
            return (x, side) if turns else x
        if len(order) > SEARCHED:
            break
        new = [y for y in followers(board, x) if y not in found]
        found.update(new)
        order += new
    raise InvalidOptionError(
        f"{option}: the rules have no parse, and none of the first {len(order):,} positions of "
        f"play shows as {text!r}; a position shows as {such!r}, for example"
    )
