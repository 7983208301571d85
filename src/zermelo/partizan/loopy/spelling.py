"""The text of loopy values, in the notation of [CGSuite].

``on`` = {pass|}, ``off`` = {|pass}, ``over`` = {0|pass}, ``under`` = {pass|0}, ``dud`` =
{pass|pass}; ``2over`` = 2 + over; ``^[on]`` = {pass|*}, ``^[on]*`` = {0,pass|0}, ``^<on>`` =
{0|v[on]*}, with a number before and a nimber after them, and ``v`` for their negatives;
``Tiny(on)``, ``Miny(on)``, ``+-over``. Other values are written by their options: ``pass`` is a
move that changes nothing, and a position that occurs again within its braces has a name before
the brace: ``a{0||0|a}``. Two different sides have ``&`` between them.

Options without loops come first, in the order of :mod:`zermelo.partizan.text.spelling`; ``pass``
comes last. Bars and braces follow the same rules as there.

The text is written once, from left to right, as a list of pieces. Some pieces are unknown when a
brace is opened: the name, the number of bars, and whether the brace is needed. They are left blank
and filled in when the brace is closed. Names are given at the end, in the order of the text. The
remaining steps are on a stack, so nothing here is recursive.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from zermelo.errors import LimitError
from zermelo.partizan.loopy.forms import Form, Node, digest, followers, off, on, rows_of
from zermelo.partizan.loopy.named_forms import name_of, tiny
from zermelo.partizan.loopy.sidling import mirror
from zermelo.partizan.loopy.survival import components, union
from zermelo.partizan.store import STORE
from zermelo.partizan.text import spelling
from zermelo.partizan.value import Value

_LEADS_BACK: dict[Form, bool] = STORE.memo()

LETTERS = "abcdefghijklmnopqrstuwxyz"
"""Letters for names of positions, without v, which means a down."""


def spell_sides(upper: Node, lower: Node) -> str:
    """The text of a value with these sides."""
    if upper == lower:
        return spell_node(upper)
    if (upper, lower) == (on(), off()):
        return "dud"
    return f"{spell_node(upper)} & {spell_node(lower)}"


def spell_node(node: Node) -> str:
    """The text of a node.

    >>> from zermelo.partizan.loopy.forms import intern
    >>> zero = Value.from_number(0)
    >>> spell_node(intern([[zero]], [[0]])[0]), spell_node(intern([[zero, 0]], [[zero]])[0])
    ('over', '^[on]*')
    """
    return _Writer().text(node)


def _is_switch(form: Form) -> bool:
    """Whether a form is its own negative, {G | −G}; what is cheap to see is looked at first."""
    left, right = ({x for x in row if isinstance(x, Value)} for row in (form.left, form.right))
    same = len(form.left) == len(form.right) and {-x for x in left} == right
    return same and form.is_stopper and mirror(form) is form


# -------------------------------------------------------------------- writing


@dataclass
class _Brace:
    """A position that is written by its options, and the places of its blanks in the text.

    If ``outer`` is not None, this is the only option on its side of ``outer``; then its own braces
    may be dropped. ``bars`` is the number of bars that such an option of its own shows.
    """

    outer: "_Brace | None"
    start: int
    middle: int = 0
    bars: int = 0
    has_name: bool = False


def _leads_back(form: Form) -> bool:
    """Whether some moves lead from a position back to it."""
    if form not in _LEADS_BACK:
        place = followers([form])
        nodes = list(place)
        for part in components(union(rows_of(place))):
            for x in map(nodes.__getitem__, part):
                if isinstance(x, Form):
                    _LEADS_BACK[x] = len(part) > 1 or x in x.left or x in x.right
    return _LEADS_BACK[form]


_Step: TypeAlias = Callable[[], object]


class _Writer:
    """A text that is being written."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.size = 0
        self.steps: list[_Step] = []
        self.scopes: list[dict[Form, _Brace]] = []
        self.named: list[_Brace] = []
        self.references: list[tuple[int, _Brace]] = []

    def text(self, node: Node) -> str:
        """The text of a node."""
        self.plan(*self.in_scope(node))
        # Invariant: the pieces are the text so far, except for its blanks, and ``steps`` write the
        # rest, the last step first.
        while self.steps:
            self.steps.pop()()
        names = {}
        for k, brace in enumerate(sorted(self.named, key=lambda x: x.start)):
            names[brace.start] = self.pieces[brace.start] = _letter(k)
        for at, brace in self.references:
            self.pieces[at] = names[brace.start]
        return "".join(self.pieces)

    def plan(self, *steps: _Step) -> None:
        """Make these the next steps, in this order."""
        self.steps += reversed(steps)

    def put(self, piece: str) -> int:
        """Write a piece or a blank, and return its place."""
        self.pieces.append("")
        self.fill(len(self.pieces) - 1, piece)
        return len(self.pieces) - 1

    def fill(self, at: int, piece: str) -> None:
        """Fill in a blank."""
        self.pieces[at] = piece
        self.size += len(piece)
        if self.size > spelling.MAX_TEXT:
            raise LimitError(f"the value's text has more than {spelling.MAX_TEXT:,} characters")

    def in_scope(self, node: Node) -> list[_Step]:
        """The steps that write a node in which names from outside are unknown."""
        return [
            lambda: self.scopes.append({}),
            partial(self.write, node),
            self.scopes.pop,
        ]

    def write(self, x: Node, outer: _Brace | None = None, *, parentheses: bool = False) -> None:
        """Write a node; see :class:`_Brace` for ``outer``. A sum may need parentheses."""
        if isinstance(x, Value):
            text, bars = spelling.spell_option(x.id, braces=outer is None)
            self.put(text)
            if outer is not None:
                outer.bars = max(outer.bars, bars)
            return
        brace = self.scopes[-1].get(x)
        if brace is not None:
            brace.has_name = True
            self.references.append((self.put(""), brace))
        elif (name := name_of(x)) is not None:
            self.put(f"({name})" if parentheses and name.has_parts else str(name))
        elif _leads_back(x) or not self.write_shorter(x, parentheses):
            self.spell_out(x, outer)

    def write_shorter(self, x: Form, parentheses: bool) -> bool:
        """Write ± or a tiny, if the node is such.

        It does not lead back to itself: inside of these no name stands for it.
        """
        if _is_switch(x):
            self.put("+-")
            if len(x.left) == 1:
                self.plan(partial(self.write, x.left[0], parentheses=True))
            else:
                self.put("{")
                self.plan(*self.list(in_order(x.left, x)), partial(self.put, "}"))
            return True
        if (tiny_form := tiny(x)) is None:
            return False
        self.put(f"{'(' * parentheses}{tiny_form.number or ''}{tiny_form.kind}(")
        self.plan(*self.in_scope(tiny_form.subscript), partial(self.put, ")" + ")" * parentheses))
        return True

    def spell_out(self, x: Form, outer: _Brace | None) -> None:
        """Write a node by its options; blanks for its name and its brace come first."""
        brace = _Brace(outer, self.put(""))
        self.put("")
        self.scopes[-1][x] = brace
        left, right = in_order(x.left, x), in_order(x.right, x)
        self.plan(
            *self.list(left, x, brace),
            lambda: setattr(brace, "middle", self.put("")),
            *self.list(right, x, brace),
            partial(self.close, x, brace),
        )

    def list(
        self, options: Sequence[Node], home: Form | None = None, brace: _Brace | None = None
    ) -> list[_Step]:
        """The steps that write the options of a player, with commas between them."""
        outer = brace if len(options) == 1 else None
        steps: list[_Step] = []
        for k, x in enumerate(options):
            if k:
                steps.append(partial(self.put, ","))
            is_pass = x is home
            steps.append(partial(self.put, "pass") if is_pass else partial(self.write, x, outer))
        return steps

    def close(self, x: Form, brace: _Brace) -> None:
        """Fill in the blanks of a brace after all its options are written."""
        del self.scopes[-1][x]
        bars = brace.bars + 1
        self.fill(brace.middle, "|" * bars)
        if brace.has_name:
            self.named.append(brace)
        if brace.outer is not None and bars < spelling.MAX_BARS and not brace.has_name:
            brace.outer.bars = max(brace.outer.bars, bars)
        else:
            self.fill(brace.start + 1, "{")
            self.put("}")


def _letter(k: int) -> str:
    """a, b, …, z without v, then b1, b2, …"""
    return LETTERS[k] if k < len(LETTERS) else f"b{k - len(LETTERS) + 1}"


def in_order(nodes: Iterable[Node], home: Form) -> list[Node]:
    """Options in the order of the text: finite ones first, a pass last."""
    options = list(nodes)
    short = spelling.in_order(x.id for x in options if isinstance(x, Value))
    loopy = (x for x in options if isinstance(x, Form))
    return [*map(Value, short), *sorted(loopy, key=lambda x: (x is home, digest(x)))]
