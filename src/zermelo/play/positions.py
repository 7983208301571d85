"""Positions that a user types."""

import sys
from contextlib import redirect_stdout
from typing import Any

from zermelo.play.output import running_rules

SEARCHED = 200_000
"""The number of positions that are searched for a text, if rules have no parse."""


def followers(rules: Any, position: Any, most: int | None = None) -> list[Any]:
    """The positions after one move, for plain and for compiled rules.

    More than ``most`` are an error.

    >>> from zermelo.rules.loading.games import game
    >>> followers(game("nim:2"), (2,))
    [(), (1,)]
    >>> followers(game("nim:1000000000000"), (10**12,), 100)
    Traceback (most recent call last):
    zermelo.errors.LimitError: the position has more than 100 moves
    """
    from zermelo.errors import LimitError
    from zermelo.rules.faults import each_option, options_of

    if most is None:
        return options_of(rules, position)
    found: dict[Any, None] = {}
    for option in each_option(rules, position):
        found[option] = None
        if len(found) > most:
            raise LimitError(f"the position has more than {most:,} moves")
    return list(found)


def read_position(rules: Any, text: str, option: str) -> Any:
    """The position that rules show as this text, by their parse or by a search.

    ``option`` is what an error calls the text.

    >>> from zermelo.rules.loading.games import game
    >>> read_position(game("nim:3,4"), "2+4", "--start")
    (2, 4)
    """
    from zermelo.errors import InvalidOptionError, ZermeloError
    from zermelo.rules.compiled import CompiledRules
    from zermelo.rules.faults import hashable
    from zermelo.rules.partizan.base import can_read

    with running_rules(rules):
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
