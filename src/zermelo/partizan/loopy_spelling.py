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


def _spell(
    node: Node, path: dict[Form, str], names: list[int], *, braces: bool, parentheses: bool
) -> Spelling:
    """Spell a node; ``path`` has the forms around it and the names they got."""
    if isinstance(node, Value):
        return spelling.spell_option(node.id, braces=braces)
    word = _named(node)
    if word is not None:
        return (f"({word})" if parentheses and not word.isalpha() else word), 0
    if node in path:
        if not path[node]:
            path[node] = _name(names[0])
            names[0] += 1
        return path[node], 0
    circles = _circles(node)
    if not circles and mirror(node) == node:
        options = in_order(node.left, node)
        texts = []
        for x in options:
            lone = len(options) == 1
            texts.append((yield _spell(x, {}, [0], braces=True, parentheses=lone))[0])
        joined = ",".join(texts)
        return f"+-{joined}" if len(texts) == 1 else f"+-{{{joined}}}", 0
    tiny = None if circles else _tiny(node)
    if tiny is not None:
        word, number, subscript = tiny
        inner = (yield _spell(subscript, {}, [0], braces=True, parentheses=False))[0]
        text = f"{number if number else ''}{word}({inner})"
        return f"({text})" if parentheses else text, 0
    path[node] = ""
    bars, sides = 0, []
    for options in (in_order(node.left, node), in_order(node.right, node)):
        texts = []
        for x in options:
            if x is node:
                texts.append("pass")
                continue
            many = len(options) > 1
            text, inner_bars = yield _spell(x, path, names, braces=many, parentheses=False)
            texts.append(text)
            bars = max(bars, inner_bars)
        sides.append(",".join(texts))
    bars += 1
    name = path.pop(node)
    braces = braces or bool(name) or not all(sides) or bars == spelling.MAX_BARS
    text = f"{sides[0]}{'|' * bars}{sides[1]}"
    return (f"{name}{{{text}}}", 0) if braces else (text, bars)


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


def _named(node: Form) -> str | None:
    """on, off, over, under and their sums with numbers; ^[on], ^<on> and theirs."""
    if node is on() or node is off():
        return "on" if node is on() else "off"
    for word, mine, yours in (("over", node.left, node.right), ("under", node.right, node.left)):
        if yours == (node,) and len(mine) == 1 and (parts := _compact(mine[0])) and not parts[1]:
            return f"{parts[0] if parts[0] else ''}{word}"
    for sign, form in ((1, node), (-1, mirror(node))):
        assert isinstance(form, Form)
        for word, found in (("[on]", _upon(form)), ("<on>", _uponth(form))):
            if found is not None:
                number, star = sign * found[0], found[1]
                stars = "" if star == 0 else "*" if star == 1 else f"*{star}"
                return f"{number if number else ''}{'^' if sign > 0 else 'v'}{word}{stars}"
    return None


def _compact(node: Node) -> tuple[Fraction, int] | None:
    """The number and the nimber whose sum a node is, if it is one."""
    found = uptimal.compact(node.id) if isinstance(node, Value) else None
    return None if found is None or found.digits else (found.number, found.star)


def _upon(node: Form) -> tuple[Fraction, int] | None:
    """x + ^[on] + *m = {pass | x*(m ^ 1)}, and x is one more option of Left for m = 1."""
    found = _compact(node.right[0]) if len(node.right) == 1 else None
    if found is None or node not in node.left:
        return None
    number, star = found
    others = [_compact(x) for x in node.left if x is not node]
    return (number, star ^ 1) if others == ([] if star else [(number, 0)]) else None


def _uponth(node: Form) -> tuple[Fraction, int] | None:
    """x + ^<on> + *m = {x, x*, …, x*m | x + v[on] + *(m ^ 1)}."""
    found = None
    if len(node.right) == 1 and isinstance(node.right[0], Form):
        reply = mirror(node.right[0])
        assert isinstance(reply, Form)
        found = _upon(reply)
    if found is None:
        return None
    number, star = -found[0], found[1] ^ 1
    options = {_compact(x) for x in node.left}
    return (number, star) if options == {(number, k) for k in range(star + 1)} else None


def _tiny(node: Form) -> tuple[str, Fraction, Node] | None:
    """x + Tiny(G) = {x || x | x − G}, its mirror image is −x + Miny(G)."""
    for word, form in (("Tiny", node), ("Miny", mirror(node))):
        if len(form.left) != 1 or len(form.right) != 1:
            continue
        found, reply = _compact(form.left[0]), form.right[0]
        if found is None or found[1] or reply.left != form.left or len(reply.right) != 1:
            continue
        x = value_of_sides(form.left[0], form.left[0])
        subscript = x - value_of_sides(reply.right[0], reply.right[0])
        if subscript >= value_of_sides(over(), over()):
            return word, found[0] if word == "Tiny" else -found[0], nodes_of(subscript)[0]
    return None
