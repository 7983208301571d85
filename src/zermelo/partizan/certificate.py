"""Canonical forms of values written out, to be checked by :mod:`zermelo.verify.partizan.values`."""

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.partizan.store import STORE
from zermelo.partizan.text.notation import read
from zermelo.verify.partizan.values import MAX_WRITTEN_OUT, Options, Plain, check_value, too_long

if TYPE_CHECKING:
    from zermelo.rules.partizan.base import PartizanRules


T = TypeVar("T", bound=Hashable)


def write_out(
    root: T, left: Callable[[T], Iterable[T]], right: Callable[[T], Iterable[T]]
) -> Options:
    """All positions of the game that begins at a position, with their options.

    >>> write_out(2, lambda n: range(n), lambda n: ())
    Options(left=((), (0,), (0, 1)), right=((), (), ()))
    """
    place: dict[T, int] = {}
    options: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
    stack, size = [root], 0
    while stack:
        x = stack[-1]
        if x in place:
            stack.pop()
            continue
        sides = tuple(left(x)), tuple(right(x))
        missing = [y for side in sides for y in side if y not in place]
        if missing:
            stack += missing
            if len(stack) > MAX_WRITTEN_OUT:
                raise too_long()
            continue
        place[x] = len(place)
        size += 1 + len(sides[0]) + len(sides[1])
        if size > MAX_WRITTEN_OUT:
            raise too_long()
        for rows, side in zip(options, sides, strict=True):
            rows.append(tuple(place[y] for y in side))
        stack.pop()
    return Options(tuple(options[0]), tuple(options[1]))


def written_out(v: int) -> Options:
    """All positions of the canonical form of a value, with their options.

    >>> written_out(STORE.number(2, 0))
    Options(left=((), (0,), (1,)), right=((), (), ()))
    """
    return write_out(v, STORE.left, STORE.right)


def check_canonical(v: int) -> None:
    """Check that in all positions of a value no option is dominated or reversible.

    >>> check_canonical(STORE.number_up_star(1, 1, 2, 1))
    """
    claim = written_out(v)
    check_value(claim, claim)


def check_expression(text: str, v: int) -> None:
    """Check that a value is the canonical form of the game that a text describes literally.

    >>> check_expression("{0|1} + {0|1} - 1", STORE.number(0, 0))
    """
    plain = Plain()
    check_value(plain.options(read(text, plain)), written_out(v))


def check_rules(rules: "PartizanRules[Any]", position: Any, v: int) -> None:
    """Check that a value is the canonical form of a position of rules without cycles.

    >>> import zermelo as zm
    >>> rules = zm.game("domineering:2x3")
    >>> check_rules(rules, rules.start(), zm.value("{2|-1/2}").id)
    """
    check_value(write_out(position, rules.left, rules.right), written_out(v))
