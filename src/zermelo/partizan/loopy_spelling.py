"""How loopy values are spelled: as the plain text of [CGSuite].

``on`` = {pass|}, ``off`` = {|pass}, ``over`` = {0|pass}, ``under`` = {pass|0}, ``dud`` =
{pass|pass}; ``2over`` = 2 + over; ``^[on]`` = {pass|*}, ``^[on]*`` = {0,pass|0}, ``^<on>`` =
{0|v[on]*}, with a number before and a nimber after them, and ``v`` for their negatives;
``Tiny(on)``, ``Miny(on)``, ``+-over``. All else is spelled out: ``pass`` is a move that changes
nothing, and a position that is come back to has a name before its brace: ``a{0||0|a}``. Sides that
differ have ``&`` between them.

Options without loops come first, in the order of :mod:`zermelo.partizan.spelling`; ``pass`` is
last. Nothing here is recursive.
"""

from collections.abc import Generator, Iterable
from fractions import Fraction
from typing import TypeAlias

from zermelo.errors import LimitError
from zermelo.partizan import spelling, uptimal
from zermelo.partizan.forms import Form, Node, digest, followers, off, on, over, rows_of
from zermelo.partizan.loopy import nodes_of, value_of_sides
from zermelo.partizan.sidling import mirror
from zermelo.partizan.survival import components, union
from zermelo.partizan.value import Value

Text: TypeAlias = tuple[str, int]
"""A text, and how many bars it shows if braces are to be put around it; else 0."""

Spelling: TypeAlias = Generator["Spelling", Text, Text]

# -------------------------------------------------------------------- writing


def spell_sides(upper: Node, lower: Node) -> str:
    """The text of a value with these sides."""
    if upper == lower:
        return spell_node(upper)
    if (upper, lower) == (on(), off()):
        return "dud"
    return f"{spell_node(upper)} & {spell_node(lower)}"


def spell_node(node: Node) -> str:
    """The text of a node.

    >>> from zermelo.partizan.forms import intern
    >>> zero = Value.from_number(0)
    >>> spell_node(intern([[zero]], [[0]])[0]), spell_node(intern([[zero, 0]], [[zero]])[0])
    ('over', '^[on]*')
    """
    stack = [_spell(node, {}, [0], braces=True, parentheses=False)]
    answer: Text | None = None
    while stack:
        try:
            stack.append(stack[-1].send(answer))  # type: ignore[arg-type]
            answer = None
        except StopIteration as done:
            stack.pop()
            answer = done.value
            if len(answer[0]) > spelling.MAX_TEXT:
                raise LimitError(
                    f"the value's text has more than {spelling.MAX_TEXT:,} characters"
                ) from None
    assert answer is not None
    return answer[0]


# REMOVED: _spell(node, ...) -> the text of a loopy node; derive anew.


def _name(k: int) -> str:
    """a, b, …, z without v, which is a down; then b1, b2, …"""
    letters = "abcdefghijklmnopqrstuwxyz"
    return letters[k] if k < len(letters) else f"b{k - len(letters) + 1}"


def in_order(nodes: Iterable[Node], home: Form) -> list[Node]:
    """Options as they are written."""
    short = [x for x in nodes if isinstance(x, Value)]
    loopy = [x for x in nodes if isinstance(x, Form)]
    finite = map(Value, spelling.in_order(x.id for x in short))
    return [*finite, *sorted(loopy, key=lambda x: (x is home, digest(x)))]


def _circles(node: Form) -> bool:
    """Whether a longer way than a pass leads back to where it began, somewhere."""
    return any(len(part) > 1 for part in components(union(rows_of(followers([node])))))


# REMOVED: the recognition of named loopy values (on, off, over, under, x + over, ^[on]*n, ^<on>*n, Tiny, Miny, +-G); derive anew.
