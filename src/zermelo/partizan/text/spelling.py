"""The text of a value: the notation of [CGSuite], with options in its order.

Numbers are ``3/4``, nimbers ``*3``, ups ``^ ^^ ^3`` and downs ``v vv v3``; their sums are ``1^*2``.
Uptimals are ``^<2>`` (↑²) and ``^[2]`` (↑ + ↑²). Values that are their own negatives are ``+-1``
and ``+-{0,^*}``. ``Tiny(2)`` and ``Miny(2)`` may have a number: ``1Tiny(2)`` is 1 + Tiny(2). All
other values are ``{L|R}``; a single option loses its braces and the bars outside are doubled:
``{2||1|0}`` is ``{2|{1|0}}``. From four bars on, braces are kept.

Options are in this order: numbers, nimbers, uptimals (by number, then digit by digit, then star),
and then all others by the lists of their options. Two of the latter are compared by the first
options that differ, in a loop. The text is made from the outside in, with a stack.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cmp_to_key
from typing import Any, NamedTuple

from zermelo.errors import LimitError
from zermelo.partizan.analysis.uptimal import Uptimal, compact, expansion
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold

MAX_BARS = 4
MAX_TEXT = 10_000_000
"""The most characters of a text; shared options are written many times."""


class _Sorted(NamedTuple):
    """The sorted options of a value that is not compact."""

    left: tuple[int, ...]
    right: tuple[int, ...]


_SORTED: dict[int, _Sorted] = STORE.memo()
_BARS: dict[int, int] = STORE.memo()


def spell(v: int) -> str:
    """The text of a value.

    >>> one, two = STORE.number(1, 0), STORE.number(2, 0)
    >>> spell(STORE.make([two], [STORE.make([one], [STORE.number(0, 0)])]))
    '{2||1|0}'
    >>> spell(STORE.make([one], [STORE.negate(one)])), spell(STORE.number_up_star(1, 1, 2, 1))
    ('+-1', '1/2^^*')
    """
    return spell_option(v, braces=True)[0]


def spell_option(v: int, *, braces: bool) -> tuple[str, int]:
    """The text of a value as an option, and the number of bars it shows (0 if it has braces).

    >>> one = STORE.number(1, 0)
    >>> spell_option(STORE.make([STORE.number(2, 0)], [one]), braces=False)
    ('2|1', 1)
    """
    _prepare(v)
    out: list[str] = []
    size = 0
    stack: list[str | tuple[int, bool, bool]] = [(v, braces, False)]
    while stack:
        item = stack.pop()
        if not isinstance(item, str):
            stack += reversed(list(_pieces(*item)))
            continue
        out.append(item)
        size += len(item)
        if size > MAX_TEXT:
            raise LimitError(f"the value's text has more than {MAX_TEXT:,} characters")
    return "".join(out), 0 if braces else _BARS[v]


def _prepare(v: int) -> None:
    """Sort the options and count the bars of a value and of all its followers."""
    fold(v, _SORTED, _no_options, _sort)
    fold(v, _BARS, _no_bars, _count_bars)


def options_in_order(v: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Left's and Right's options in the order of the text.

    >>> star = STORE.number_up_star(0, 0, 0, 1)
    >>> options_in_order(star) == ((STORE.number(0, 0),), (STORE.number(0, 0),))
    True
    """
    return tuple(in_order(STORE.left(v))), tuple(in_order(STORE.right(v)))


def in_order(values: Iterable[int]) -> list[int]:
    """Values in the order in which options are written.

    >>> star, two = STORE.number_up_star(0, 0, 0, 1), STORE.number(2, 0)
    >>> in_order([star, two]) == [two, star]
    True
    """
    values = list(values)
    for v in values:
        fold(v, _SORTED, _no_options, _sort)
    return sorted(values, key=cmp_to_key(_compare))


# -------------------------------------------------------------------- order


def _no_options(v: int) -> _Sorted | None:
    return None if STORE.parts(v) is None else _Sorted((), ())


def _sort(v: int, _: object, __: object) -> _Sorted:
    key = cmp_to_key(_compare)
    left, right = sorted(STORE.left(v), key=key), sorted(STORE.right(v), key=key)
    return _Sorted(tuple(left), tuple(right))


def _rank(v: int) -> tuple[Any, ...]:
    """The sort key of numbers, nimbers and uptimals; all other values have the same key."""
    uptimal = expansion(v)
    if uptimal is None:
        return (3,)
    if uptimal.digits or (uptimal.number and uptimal.star):
        return (2, *uptimal)
    return (1, uptimal.star) if uptimal.star else (0, uptimal.number)


def _compare(a: int, b: int) -> int:
    while a != b:
        x, y = _rank(a), _rank(b)
        if x != y:
            return -1 if x < y else 1
        for mine, yours in zip(_SORTED[a], _SORTED[b], strict=True):
            different = next((p for p in zip(mine, yours, strict=False) if p[0] != p[1]), None)
            if different is not None:
                a, b = different
                break
            if len(mine) != len(yours):
                return -1 if len(mine) < len(yours) else 1
    return 0


# -------------------------------------------------------------------- text


def _plain(uptimal: Uptimal) -> str | None:
    """The text of an uptimal, or None if its digits have no notation."""
    number, digits, star = uptimal
    text = str(number) if number or not (digits or star) else ""
    if digits:
        sign, last = "^" if digits[-1] > 0 else "v", abs(digits[-1])
        if len(digits) == 1:
            text += sign * last if last <= 2 else f"{sign}{last}"
        elif last == 1 and not any(digits[:-1]):
            text += f"{sign}<{len(digits)}>"
        elif last == 1 and len(set(digits)) == 1:
            text += f"{sign}[{len(digits)}]"
        else:
            return None
    if star:
        text += "*" if star == 1 else f"*{star}"
    return text


def _name(v: int) -> str | None:
    uptimal = expansion(v)
    return None if uptimal is None else _plain(uptimal)


class _Tiny(NamedTuple):
    kind: str
    number: Fraction
    subscript: int


def _tiny(v: int) -> _Tiny | None:
    """x + tiny = {x || x | x − G}, x + miny = {x + G | x || x}, with a number x."""
    left, right = STORE.left(v), STORE.right(v)
    if len(left) != 1 or len(right) != 1:
        return None
    for kind, x, y in (("Tiny", left[0], right[0]), ("Miny", right[0], left[0])):
        base = compact(x)
        if base is None or base.digits or base.star:
            continue
        near, far = STORE.left(y), STORE.right(y)
        if kind == "Miny":
            near, far = far, near
        if near != (x,) or len(far) != 1:
            continue
        if kind == "Tiny":
            subscript = STORE.add(x, STORE.negate(far[0]))
        else:
            subscript = STORE.add(far[0], STORE.negate(x))
        if _mean_is_positive(subscript):
            return _Tiny(kind, base.number, subscript)
    return None


def _mean_is_positive(v: int) -> bool:
    """Whether the mean is positive; it lies between the stops, which are known."""
    (most, _), (least, _) = STORE.stops(v)
    if least > 0 or most <= 0:
        return least > 0
    from zermelo.partizan.analysis.thermograph import thermograph

    return thermograph(v).mean > 0


def _is_switch(v: int) -> bool:
    return STORE.negate(v) == v


def _no_bars(v: int) -> int | None:
    return 0 if STORE.parts(v) is not None else None


def _count_bars(v: int, left: list[int], right: list[int]) -> int:
    """The number of bars of a value without its braces; 0 if it has none or keeps its braces."""
    if _name(v) is not None or _is_switch(v) or _tiny(v) is not None:
        return 0
    bars = _bars(left, right)
    return 0 if bars == MAX_BARS else bars


def _bars(left: list[int], right: list[int]) -> int:
    return 1 + max(side[0] if len(side) == 1 else 0 for side in (left, right))


def _pieces(v: int, braces: bool, parentheses: bool) -> Iterator[str | tuple[int, bool, bool]]:
    """The text of a value: pieces of text, and values whose text is inserted there."""
    uptimal = expansion(v)
    name = None if uptimal is None else _plain(uptimal)
    if uptimal is not None and name is not None:
        one_part = (uptimal.number != 0) + bool(uptimal.digits) + bool(uptimal.star) <= 1
        yield f"({name})" if parentheses and not one_part else name
        return
    left, right = _SORTED[v]
    if _is_switch(v):
        yield "+-"
        yield from _list(left, ("{", "}"), parentheses=True)
        return
    tiny = _tiny(v)
    if tiny is not None:
        _prepare(tiny.subscript)
        yield f"{'(' * parentheses}{tiny.number or ''}{tiny.kind}("
        yield (tiny.subscript, True, False)
        yield ")" + ")" * parentheses
        return
    bars = _bars([_BARS[x] for x in left], [_BARS[x] for x in right])
    braces = braces or bars == MAX_BARS
    yield "{" * braces
    yield from _list(left, ("", ""), parentheses=False)
    yield "|" * bars
    yield from _list(right, ("", ""), parentheses=False)
    yield "}" * braces


def _list(
    options: tuple[int, ...], around: tuple[str, str], *, parentheses: bool
) -> Iterator[str | tuple[int, bool, bool]]:
    """Options with commas between them; a single option of a switch may need parentheses."""
    if len(options) == 1:
        yield (options[0], parentheses, parentheses)
        return
    yield around[0]
    for k, x in enumerate(options):
        if k:
            yield ","
        yield (x, True, False)
    yield around[1]
